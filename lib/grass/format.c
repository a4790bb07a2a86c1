/* The structures of formats 2 and 3, in bytes and back. */
#include "format.h"

#include <math.h>

const uint8_t vxbi_grass_magic[8] = {0x89, 'V', 'X', 'G', 0x0D, 0x0A, 0x1A, 0x0A};

const struct vxbi_word vxbi_grass_flag_words[] = {{VXB_GRASS_ZSTD, "zstd"},
                                                  {VXB_GRASS_SPLIT, "split"},
                                                  {VXB_GRASS_INEXACT, "inexact"},
                                                  {VXB_GRASS_PARTIAL, "partial"},
                                                  {0, NULL}};

const char *vxb_grass_flag_name(uint16_t flag)
{
    for (const struct vxbi_word *word = vxbi_grass_flag_words; word->name; word++)
        if (word->value == flag)
            return word->name;
    return NULL;
}

void vxbi_grass_layout(const struct vxb_grass_header *header, struct vxbi_grass_layout *out)
{
    out->sections = VXB_GRASS_HEADER_BYTES;
    out->lods = vxbi_align_up(
        out->sections + (uint64_t)header->section_count * vxbi_grass_section_bytes(header->format), 8);
    out->strings = vxbi_align_up(out->lods + (uint64_t)header->lod_count * VXB_GRASS_LOD_BYTES, 8);
    out->chunks = vxbi_align_up(out->strings + header->string_bytes, 8);
    out->data = vxbi_align_up(out->chunks + (uint64_t)header->chunk_count * VXB_GRASS_CHUNK_BYTES, 8);
}

/* A structure is put and got by its list of fields. In these s is what it is in memory, w and r the cursor; what a list
 * calls a field, the structure does too. */
#define PUT(S, field, type, words) PUT_##type(field)
#define PUT_BYTES8(field) vxbi_put(w, vxbi_grass_magic, sizeof vxbi_grass_magic);
#define PUT_U8(field) vxbi_put_u8(w, s->field);
#define PUT_U16(field) vxbi_put_u16(w, s->field);
#define PUT_FLAGS(field) PUT_U16(field)
#define PUT_U32(field) vxbi_put_u32(w, s->field);
#define PUT_LIMIT(field) PUT_U32(field)
#define PUT_I32(field) vxbi_put_i32(w, s->field);
#define PUT_F32(field) vxbi_put_f32(w, s->field);
#define PUT_VEC3(field)                                                                                                \
    for (int i = 0; i < 3; i++)                                                                                        \
        vxbi_put_f32(w, s->field[i]);
#define PUT_U64(field) vxbi_put_u64(w, s->field);
#define PUT_ID(field) PUT_U64(field)
#define PUT_ZERO(field) vxbi_put_u32(w, 0);

#define GET(S, field, type, words) GET_##type(field)
#define GET_BYTES8(field) vxbi_get(r, 8);
#define GET_U8(field) s->field = vxbi_get_u8(r);
#define GET_U16(field) s->field = vxbi_get_u16(r);
#define GET_FLAGS(field) GET_U16(field)
#define GET_U32(field) s->field = vxbi_get_u32(r);
#define GET_LIMIT(field) GET_U32(field)
#define GET_I32(field) s->field = vxbi_get_i32(r);
#define GET_F32(field) s->field = vxbi_get_f32(r);
#define GET_VEC3(field)                                                                                                \
    for (int i = 0; i < 3; i++)                                                                                        \
        s->field[i] = vxbi_get_f32(r);
#define GET_U64(field) s->field = vxbi_get_u64(r);
#define GET_ID(field) GET_U64(field)
#define GET_ZERO(field) *reserved |= vxbi_get_u32(r);

void vxbi_grass_put_header(struct vxbi_writer *out, const struct vxb_grass_header *header)
{
    uint8_t bytes[VXB_GRASS_HEADER_BYTES];
    struct vxbi_writer cursor = {.data = bytes, .room = sizeof bytes}, *w = &cursor;
    struct vxb_grass_header copy = *header, *s = &copy;
    s->header_bytes = VXB_GRASS_HEADER_BYTES;
    s->header_hash = 0;
    VXBI_GRASS_HEADER_FIELDS(PUT, )
    vxbi_store_u64(bytes + VXBI_AT(grass_header, header_hash), vxbi_hash(bytes, sizeof bytes));
    vxbi_put(out, bytes, sizeof bytes);
}

void vxbi_grass_get_header(struct vxbi_reader *r, struct vxb_grass_header *s)
{
    VXBI_GRASS_HEADER_FIELDS(GET, )
}

void vxbi_grass_put_section(struct vxbi_writer *w, uint32_t format, const struct vxb_grass_section *s)
{
    VXBI_GRASS_SECTION2_FIELDS(PUT, )
    if (format == 3) {
        VXBI_GRASS_SECTION3_REST(PUT, )
    }
}

void vxbi_grass_get_section(struct vxbi_reader *r, uint32_t format, struct vxb_grass_section *s, uint32_t *reserved)
{
    *reserved = 0;
    VXBI_GRASS_SECTION2_FIELDS(GET, )
    if (format == 3) {
        VXBI_GRASS_SECTION3_REST(GET, )
    }
}

void vxbi_grass_put_lod(struct vxbi_writer *w, const struct vxb_grass_lod *s)
{
    VXBI_GRASS_LOD_FIELDS(PUT, )
}

void vxbi_grass_get_lod(struct vxbi_reader *r, struct vxb_grass_lod *s, uint32_t *reserved)
{
    *reserved = 0;
    VXBI_GRASS_LOD_FIELDS(GET, )
}

void vxbi_grass_put_chunk(struct vxbi_writer *w, const struct vxb_grass_chunk *s)
{
    VXBI_GRASS_CHUNK_FIELDS(PUT, )
}

void vxbi_grass_get_chunk(struct vxbi_reader *r, struct vxb_grass_chunk *s, uint32_t *reserved)
{
    *reserved = 0;
    VXBI_GRASS_CHUNK_FIELDS(GET, )
}

void vxbi_grass_put_string(struct vxbi_writer *w, const char *text)
{
    size_t size = strlen(text);
    vxbi_put_u16(w, (uint16_t)size);
    vxbi_put(w, text, size);
}

void vxbi_content_begin(struct vxbi_hash_state *state, float cell_size)
{
    uint8_t bytes[4];
    vxbi_store_u32(bytes, vxbi_f32_bits(cell_size));
    vxbi_hash_begin(state);
    vxbi_hash_add(state, bytes, sizeof bytes);
}

void vxbi_content_add(struct vxbi_hash_state *state, uint64_t species_id, const struct vxb_grass_chunk *chunk)
{
    uint8_t bytes[40];
    struct vxbi_writer w = {.data = bytes, .room = sizeof bytes};
    vxbi_put_u64(&w, species_id);
    vxbi_put_i32(&w, chunk->cell_x);
    vxbi_put_i32(&w, chunk->cell_z);
    vxbi_put_u32(&w, chunk->blade_count);
    vxbi_put_f32(&w, chunk->min_y);
    vxbi_put_f32(&w, chunk->max_y);
    vxbi_put_u32(&w, 0);
    vxbi_put_u64(&w, chunk->hash);
    vxbi_hash_add(state, bytes, sizeof bytes);
}

/* Sixteen blades of sixteen bytes: a square, whose rows become columns when the four bits of an index that name the row
 * change places with those that name the column. Zipping its halves moves the index's top bit to its end; four times
 * does it. */
enum { SIDE = VXB_GRASS_RECORD_BYTES, SQUARE = SIDE * SIDE };

/* Bytes of a and b in turn. A loop that compilers make vectors of. */
static inline void zip(uint8_t *restrict out, const uint8_t *restrict a, const uint8_t *restrict b)
{
    for (size_t i = 0; i < SIDE; i++) {
        out[2 * i] = a[i];
        out[2 * i + 1] = b[i];
    }
}

static inline void zip_halves(uint8_t *restrict out, const uint8_t *restrict in)
{
    for (size_t i = 0; i < SQUARE / 2; i++) {
        out[2 * i] = in[i];
        out[2 * i + 1] = in[i + SQUARE / 2];
    }
}

void vxbi_grass_split(uint8_t *out, const uint8_t *in, size_t size)
{
    const size_t count = size / VXB_GRASS_RECORD_BYTES;
    size_t i = 0;
    for (; i + SIDE <= count; i += SIDE) {
        uint8_t a[SQUARE], b[SQUARE];
        zip_halves(a, in + i * SIDE);
        zip_halves(b, a);
        zip_halves(a, b);
        zip_halves(b, a);
        for (size_t plane = 0; plane < SIDE; plane++)
            memcpy(out + plane * count + i, b + plane * SIDE, SIDE);
    }
    for (; i < count; i++)
        for (size_t plane = 0; plane < SIDE; plane++)
            out[plane * count + i] = in[i * SIDE + plane];
}

void vxbi_grass_join(uint8_t *out, const uint8_t *in, size_t size)
{
    const size_t count = size / VXB_GRASS_RECORD_BYTES;
    size_t i = 0;
    for (; i + SIDE <= count; i += SIDE) {
        uint8_t a[SQUARE], b[SQUARE];
        for (size_t plane = 0; plane < SIDE / 2; plane++)
            zip(a + 2 * SIDE * plane, in + plane * count + i, in + (plane + SIDE / 2) * count + i);
        zip_halves(b, a);
        zip_halves(a, b);
        zip_halves(out + i * SIDE, a);
    }
    for (; i < count; i++)
        for (size_t plane = 0; plane < SIDE; plane++)
            out[i * SIDE + plane] = in[plane * count + i];
}

void vxbi_bounds_add(struct vxbi_bounds_section *bounds, const struct vxb_grass_chunk *chunk, float cell_size,
                     const uint8_t *records)
{
    uint16_t low_x = 65535, low_z = 65535, low_y = 65535, high_x = 0, high_z = 0, high_y = 0;
    if (chunk->blade_count == 0)
        return;
    for (uint32_t i = 0; i < chunk->blade_count; i++) {
        const uint8_t *p = records + (size_t)i * VXB_GRASS_RECORD_BYTES;
        const uint16_t x = vxbi_load_u16(p), z = vxbi_load_u16(p + 2), y = vxbi_load_u16(p + 4);
        low_x = x < low_x ? x : low_x;
        high_x = x > high_x ? x : high_x;
        low_z = z < low_z ? z : low_z;
        high_z = z > high_z ? z : high_z;
        low_y = y < low_y ? y : low_y;
        high_y = y > high_y ? y : high_y;
    }
    double size = (double)cell_size, range = (double)chunk->max_y - (double)chunk->min_y;
    const struct vxbi_bounds_section own = {
        .min = {chunk->cell_x * size + (low_x + 0.5) * size / 65536.0, (double)chunk->min_y + low_y * range / 65535.0,
                chunk->cell_z * size + (low_z + 0.5) * size / 65536.0},
        .max = {chunk->cell_x * size + (high_x + 0.5) * size / 65536.0, (double)chunk->min_y + high_y * range / 65535.0,
                chunk->cell_z * size + (high_z + 0.5) * size / 65536.0},
        .max_scale = chunk->max_scale,
        .any = true,
    };
    vxbi_bounds_merge(bounds, &own);
}

void vxbi_bounds_merge(struct vxbi_bounds_section *into, const struct vxbi_bounds_section *from)
{
    if (!from->any)
        return;
    for (int axis = 0; axis < 3; axis++) {
        if (!into->any || from->min[axis] < into->min[axis])
            into->min[axis] = from->min[axis];
        if (!into->any || from->max[axis] > into->max[axis])
            into->max[axis] = from->max[axis];
    }
    if (!into->any || from->max_scale > into->max_scale)
        into->max_scale = from->max_scale;
    into->any = true;
}

void vxbi_bounds_close(const struct vxbi_bounds_section *sections, const float *radius, uint32_t count,
                       float bounds_min[3], float bounds_max[3])
{
    bool any = false;
    double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (uint32_t k = 0; k < count; k++) {
        if (!sections[k].any)
            continue;
        double grow = (double)sections[k].max_scale * (double)radius[k];
        for (int axis = 0; axis < 3; axis++) {
            double a = sections[k].min[axis] - grow, b = sections[k].max[axis] + grow;
            low[axis] = !any || a < low[axis] ? a : low[axis];
            high[axis] = !any || b > high[axis] ? b : high[axis];
        }
        any = true;
    }
    for (int axis = 0; axis < 3; axis++) {
        float a = (float)low[axis], b = (float)high[axis];
        /* One step outward only where rounding went inside. */
        bounds_min[axis] = (double)a > low[axis] ? nextafterf(a, -INFINITY) : a;
        bounds_max[axis] = (double)b < high[axis] ? nextafterf(b, INFINITY) : b;
    }
}
