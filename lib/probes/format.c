/* The structures of .vxp, in bytes and back; every offset of the format is in this file and its header. */
#include "format.h"

#include "../core/half.h"

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

static void put_f32x3(struct vxbi_writer *w, const float v[3])
{
    for (int i = 0; i < 3; i++)
        vxbi_put_f32(w, v[i]);
}

static void put_u32x3(struct vxbi_writer *w, const uint32_t v[3])
{
    for (int i = 0; i < 3; i++)
        vxbi_put_u32(w, v[i]);
}

void vxbi_probe_put_header(struct vxbi_writer *w, const struct vxb_probe_header *header)
{
    uint8_t bytes[VXB_PROBE_HEADER_BYTES];
    struct vxbi_writer h = {.data = bytes, .room = sizeof bytes};
    vxbi_put(&h, vxbi_probe_magic, sizeof vxbi_probe_magic);
    vxbi_put_u32(&h, header->format);
    vxbi_put_u32(&h, VXB_PROBE_HEADER_BYTES);
    vxbi_put_u64(&h, header->file_bytes);
    vxbi_put_u16(&h, header->flags);
    vxbi_put_u16(&h, header->bake_revision);
    vxbi_put_u32(&h, header->encoding);
    put_f32x3(&h, header->bounds_min);
    put_f32x3(&h, header->bounds_max);
    put_u32x3(&h, header->cells);
    put_u32x3(&h, header->slots);
    vxbi_put_u32(&h, header->brick_count);
    vxbi_put_u32(&h, 0);
    vxbi_put_u64(&h, header->bake_id);
    vxbi_put_u64(&h, header->content_id);
    vxbi_put_u64(&h, header->tables_hash);
    vxbi_put_u64(&h, 0);
    vxbi_put_u64(&h, 0);
    vxbi_store_u64(bytes + VXBI_PROBE_AT_HEADER_HASH, vxbi_hash(bytes, sizeof bytes));
    vxbi_put(w, bytes, sizeof bytes);
}

static void get_f32x3(struct vxbi_reader *r, float v[3])
{
    for (int i = 0; i < 3; i++)
        v[i] = vxbi_get_f32(r);
}

static void get_u32x3(struct vxbi_reader *r, uint32_t v[3])
{
    for (int i = 0; i < 3; i++)
        v[i] = vxbi_get_u32(r);
}

void vxbi_probe_get_header(struct vxbi_reader *r, struct vxb_probe_header *header, uint64_t *zeros)
{
    vxbi_get(r, sizeof vxbi_probe_magic);
    header->format = vxbi_get_u32(r);
    header->header_bytes = vxbi_get_u32(r);
    header->file_bytes = vxbi_get_u64(r);
    header->flags = vxbi_get_u16(r);
    header->bake_revision = vxbi_get_u16(r);
    header->encoding = vxbi_get_u32(r);
    get_f32x3(r, header->bounds_min);
    get_f32x3(r, header->bounds_max);
    get_u32x3(r, header->cells);
    get_u32x3(r, header->slots);
    header->brick_count = vxbi_get_u32(r);
    *zeros = vxbi_get_u32(r);
    header->bake_id = vxbi_get_u64(r);
    header->content_id = vxbi_get_u64(r);
    header->tables_hash = vxbi_get_u64(r);
    *zeros |= vxbi_get_u64(r);
    header->header_hash = vxbi_get_u64(r);
}

void vxbi_probe_put_brick(struct vxbi_writer *w, const struct vxb_brick *brick)
{
    vxbi_put_u32(w, brick->slot);
    put_u32x3(w, brick->cell);
    vxbi_put_u32(w, brick->size);
}

void vxbi_probe_get_brick(struct vxbi_reader *r, struct vxb_brick *brick)
{
    brick->slot = vxbi_get_u32(r);
    get_u32x3(r, brick->cell);
    brick->size = vxbi_get_u32(r);
}

void vxbi_probe_put_plane(struct vxbi_writer *w, const struct vxb_probe_plane *plane)
{
    vxbi_put_u64(w, plane->offset);
    vxbi_put_u64(w, plane->bytes);
    vxbi_put_u64(w, plane->hash);
}

void vxbi_probe_get_plane(struct vxbi_reader *r, struct vxb_probe_plane *plane)
{
    plane->offset = vxbi_get_u64(r);
    plane->bytes = vxbi_get_u64(r);
    plane->hash = vxbi_get_u64(r);
}

uint64_t vxbi_probe_content_id(const struct vxb_probe_header *header, const struct vxb_brick *bricks,
                               const struct vxb_probe_plane planes[VXB_PROBE_PLANES])
{
    struct vxbi_hash_state state;
    uint8_t bytes[64];
    struct vxbi_writer w = {.data = bytes, .room = sizeof bytes};
    put_f32x3(&w, header->bounds_min);
    put_f32x3(&w, header->bounds_max);
    put_u32x3(&w, header->cells);
    put_u32x3(&w, header->slots);
    vxbi_put_u32(&w, header->encoding);
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
        out[i] = encoding == VXB_PROBE_F16 ? vxbi_f16_value(vxbi_load_u16(bytes + 2 * i)) : vxbi_load_f32(bytes + 4 * i);
}

void vxbi_probe_take(struct vxb_probe *probes, const float *rgba, size_t count, uint32_t plane)
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
