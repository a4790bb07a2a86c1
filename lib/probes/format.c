/* The structures of .vxp, in bytes and back. */
#include "format.h"

const uint8_t vxbi_probe_magic[8] = {0x89, 'V', 'X', 'P', 0x0D, 0x0A, 0x1A, 0x0A};

const char *vxb_probe_encoding_name(enum vxb_probe_encoding encoding)
{
    switch (encoding) {
    case VXB_PROBE_F32: return "f32";
    case VXB_PROBE_F16: return "f16";
    }
    return NULL;
}

const char *vxb_probe_plane_name(uint32_t plane)
{
    static const char *const names[VXB_PROBE_PLANES] = {"L00", "L1-1", "L10", "L11"};
    return plane < VXB_PROBE_PLANES ? names[plane] : NULL;
}

void vxbi_probe_layout(uint32_t brick_count, struct vxbi_probe_layout *out)
{
    out->bricks = VXB_PROBE_HEADER_BYTES;
    out->planes = vxbi_align_up(out->bricks + (uint64_t)brick_count * VXB_PROBE_BRICK_BYTES, 8);
    out->data = out->planes + VXB_PROBE_PLANES * VXB_PROBE_PLANE_BYTES;
}

/* A structure is put and got by its list of fields. In these s is what it is in memory, w and r the cursor; what a list
 * calls a field, the structure does too. */
#define PUT(S, field, type, words) PUT_##type(field)
#define PUT_BYTES8(field) vxbi_put(w, vxbi_probe_magic, sizeof vxbi_probe_magic);
#define PUT_FLAGS(field) vxbi_put_u16(w, s->field);
#define PUT_U16(field) vxbi_put_u16(w, s->field);
#define PUT_U32(field) vxbi_put_u32(w, s->field);
#define PUT_U64(field) vxbi_put_u64(w, s->field);
#define PUT_ID(field) PUT_U64(field)
#define PUT_ZERO(field) vxbi_put_u32(w, 0);
#define PUT_VEC3(field)         \
    for (int i = 0; i < 3; i++) \
        vxbi_put_f32(w, s->field[i]);
#define PUT_UVEC3(field)        \
    for (int i = 0; i < 3; i++) \
        vxbi_put_u32(w, s->field[i]);

#define GET(S, field, type, words) GET_##type(field)
#define GET_BYTES8(field) vxbi_get(r, 8);
#define GET_FLAGS(field) s->field = vxbi_get_u16(r);
#define GET_U16(field) s->field = vxbi_get_u16(r);
#define GET_U32(field) s->field = vxbi_get_u32(r);
#define GET_U64(field) s->field = vxbi_get_u64(r);
#define GET_ID(field) GET_U64(field)
#define GET_ZERO(field) *reserved |= vxbi_get_u32(r);
#define GET_VEC3(field)         \
    for (int i = 0; i < 3; i++) \
        s->field[i] = vxbi_get_f32(r);
#define GET_UVEC3(field)        \
    for (int i = 0; i < 3; i++) \
        s->field[i] = vxbi_get_u32(r);

void vxbi_probe_put_header(struct vxbi_writer *out, const struct vxb_probe_header *header)
{
    uint8_t bytes[VXB_PROBE_HEADER_BYTES];
    struct vxbi_writer cursor = {.data = bytes, .room = sizeof bytes}, *w = &cursor;
    struct vxb_probe_header copy = *header, *s = &copy;
    s->header_bytes = VXB_PROBE_HEADER_BYTES;
    s->header_hash = 0;
    VXBI_PROBE_HEADER_FIELDS(PUT, )
    vxbi_store_u64(bytes + VXBI_AT(probe_header, header_hash), vxbi_hash(bytes, sizeof bytes));
    vxbi_put(out, bytes, sizeof bytes);
}

void vxbi_probe_get_header(struct vxbi_reader *r, struct vxb_probe_header *s, uint32_t *reserved)
{
    *reserved = 0;
    VXBI_PROBE_HEADER_FIELDS(GET, )
}

void vxbi_probe_put_brick(struct vxbi_writer *w, const struct vxb_brick *s) { VXBI_PROBE_BRICK_FIELDS(PUT, ) }

void vxbi_probe_get_brick(struct vxbi_reader *r, struct vxb_brick *s) { VXBI_PROBE_BRICK_FIELDS(GET, ) }

void vxbi_probe_put_plane(struct vxbi_writer *w, const struct vxb_probe_plane *s) { VXBI_PROBE_PLANE_FIELDS(PUT, ) }

void vxbi_probe_get_plane(struct vxbi_reader *r, struct vxb_probe_plane *s) { VXBI_PROBE_PLANE_FIELDS(GET, ) }

static void put_header_part(struct vxbi_writer *w, const struct vxb_probe_header *s)
{
    PUT_VEC3(bounds_min)
    PUT_VEC3(bounds_max)
    PUT_UVEC3(cells)
    PUT_UVEC3(slots)
    PUT_U32(encoding)
}

uint64_t vxbi_probe_content_id(const struct vxb_probe_header *header, const struct vxb_brick *bricks,
                               const struct vxb_probe_plane planes[VXB_PROBE_PLANES])
{
    struct vxbi_hash_state state;
    uint8_t bytes[64];
    struct vxbi_writer w = {.data = bytes, .room = sizeof bytes};
    put_header_part(&w, header);
    vxbi_hash_begin(&state);
    vxbi_hash_add(&state, bytes, w.at);
    for (uint32_t i = 0; i < header->brick_count; i++) {
        w.at = 0;
        vxbi_probe_put_brick(&w, &bricks[i]);
        vxbi_hash_add(&state, bytes, w.at);
    }
    w.at = 0;
    for (uint32_t k = 0; k < VXB_PROBE_PLANES; k++)
        vxbi_put_u64(&w, planes[k].hash);
    vxbi_hash_add(&state, bytes, w.at);
    return vxbi_hash_end(&state);
}

void vxbi_probe_pack(uint8_t *out, const struct vxb_probe *probes, size_t count, uint32_t plane, uint32_t encoding)
{
    for (size_t i = 0; i < count; i++) {
        float rgba[4];
        vxbi_probe_rgba(&probes[i], plane, rgba);
        for (size_t c = 0; c < 4; c++) {
            if (encoding == VXB_PROBE_F16)
                vxbi_store_u16(out + 8 * i + 2 * c, vxbi_f16_code(rgba[c]));
            else
                vxbi_store_u32(out + 16 * i + 4 * c, vxbi_f32_bits(rgba[c]));
        }
    }
}

void vxbi_probe_unpack(float *out, const uint8_t *bytes, size_t count, uint32_t encoding)
{
    for (size_t i = 0; i < 4 * count; i++)
        out[i] = encoding == VXB_PROBE_F16 ? vxbi_f16_value(vxbi_load_u16(bytes + 2 * i))
                                           : vxbi_load_f32(bytes + 4 * i);
}

void vxbi_probe_set_rgba(struct vxb_probe *probes, const float *rgba, size_t count, uint32_t plane)
{
    for (size_t i = 0; i < count; i++, rgba += 4) {
        float *const rgb[VXB_PROBE_PLANES] = {probes[i].l00, probes[i].l1m1, probes[i].l10, probes[i].l11};
        memcpy(rgb[plane], rgba, 3 * sizeof *rgba);
        if (plane == 0)
            probes[i].validity = rgba[3];
        else if (plane == 1)
            probes[i].sun_shadow = rgba[3];
    }
}
