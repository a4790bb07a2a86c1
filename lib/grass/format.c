/* The structures of formats 2 and 3, in bytes and back; every offset of the format is in this file. */
#include "format.h"

#include <math.h>

const uint8_t vxbi_grass_magic[8] = {0x89, 'V', 'X', 'G', 0x0D, 0x0A, 0x1A, 0x0A};

void vxbi_grass_layout(const struct vxb_grass_header *header, struct vxbi_grass_layout *out)
{
    out->sections = VXB_GRASS_HEADER_BYTES;
    out->lods = vxbi_align_up(
        out->sections + (uint64_t)header->section_count * vxbi_grass_section_bytes(header->format), 8);
    out->strings = vxbi_align_up(out->lods + (uint64_t)header->lod_count * VXB_GRASS_LOD_BYTES, 8);
    out->chunks = vxbi_align_up(out->strings + header->string_bytes, 8);
    out->data = vxbi_align_up(out->chunks + (uint64_t)header->chunk_count * VXB_GRASS_CHUNK_BYTES, 8);
}

void vxbi_grass_put_header(struct vxbi_writer *w, const struct vxb_grass_header *header)
{
    uint8_t bytes[VXB_GRASS_HEADER_BYTES];
    struct vxbi_writer h = {.data = bytes, .room = sizeof bytes};
    vxbi_put(&h, vxbi_grass_magic, sizeof vxbi_grass_magic);
    vxbi_put_u32(&h, header->format);
    vxbi_put_u32(&h, VXB_GRASS_HEADER_BYTES);
    vxbi_put_u64(&h, header->file_bytes);
    vxbi_put_u16(&h, header->flags);
    vxbi_put_u16(&h, header->bake_revision);
    vxbi_put_u32(&h, header->section_count);
    vxbi_put_u32(&h, header->chunk_count);
    vxbi_put_u32(&h, header->blade_count);
    vxbi_put_u32(&h, header->lod_count);
    vxbi_put_u32(&h, header->string_bytes);
    vxbi_put_f32(&h, header->cell_size);
    vxbi_put_u32(&h, header->max_commands);
    vxbi_put_u32(&h, header->updates_per_frame);
    vxbi_put_u32(&h, header->blade_budget);
    for (int i = 0; i < 3; i++)
        vxbi_put_f32(&h, header->bounds_min[i]);
    for (int i = 0; i < 3; i++)
        vxbi_put_f32(&h, header->bounds_max[i]);
    vxbi_put_u32(&h, header->seed);
    vxbi_put_f32(&h, header->density);
    vxbi_put_u64(&h, header->bake_id);
    vxbi_put_u64(&h, header->tables_hash);
    vxbi_put_u64(&h, header->content_id);
    vxbi_put_u64(&h, 0);
    vxbi_store_u64(bytes + VXB_GRASS_HEADER_BYTES - 8, vxbi_hash(bytes, sizeof bytes));
    vxbi_put(w, bytes, sizeof bytes);
}

void vxbi_grass_get_header(struct vxbi_reader *r, struct vxb_grass_header *header)
{
    vxbi_get(r, sizeof vxbi_grass_magic);
    header->format = vxbi_get_u32(r);
    header->header_bytes = vxbi_get_u32(r);
    header->file_bytes = vxbi_get_u64(r);
    header->flags = vxbi_get_u16(r);
    header->bake_revision = vxbi_get_u16(r);
    header->section_count = vxbi_get_u32(r);
    header->chunk_count = vxbi_get_u32(r);
    header->blade_count = vxbi_get_u32(r);
    header->lod_count = vxbi_get_u32(r);
    header->string_bytes = vxbi_get_u32(r);
    header->cell_size = vxbi_get_f32(r);
    header->max_commands = vxbi_get_u32(r);
    header->updates_per_frame = vxbi_get_u32(r);
    header->blade_budget = vxbi_get_u32(r);
    for (int i = 0; i < 3; i++)
        header->bounds_min[i] = vxbi_get_f32(r);
    for (int i = 0; i < 3; i++)
        header->bounds_max[i] = vxbi_get_f32(r);
    header->seed = vxbi_get_u32(r);
    header->density = vxbi_get_f32(r);
    header->bake_id = vxbi_get_u64(r);
    header->tables_hash = vxbi_get_u64(r);
    header->content_id = vxbi_get_u64(r);
    header->header_hash = vxbi_get_u64(r);
}

void vxbi_grass_put_section(struct vxbi_writer *w, uint32_t format, const struct vxb_grass_section *section)
{
    vxbi_put_u64(w, section->species_id);
    vxbi_put_u32(w, section->material_index);
    vxbi_put_u32(w, section->first_chunk);
    vxbi_put_u32(w, section->chunk_count);
    vxbi_put_u32(w, section->first_blade);
    vxbi_put_u32(w, section->blade_count);
    vxbi_put_u8(w, section->lod_count);
    vxbi_put_u8(w, section->pass_count);
    vxbi_put_u16(w, section->rank_limit);
    if (format != 3)
        return;
    vxbi_put_u64(w, section->profile_id);
    vxbi_put_u64(w, section->material_id);
    vxbi_put_u32(w, section->share);
    vxbi_put_u32(w, section->blade_budget);
    vxbi_put_u32(w, 0);
    vxbi_put_u32(w, 0);
}

void vxbi_grass_get_section(struct vxbi_reader *r, uint32_t format, struct vxb_grass_section *section,
                            uint32_t *reserved)
{
    *reserved = 0;
    section->species_id = vxbi_get_u64(r);
    section->material_index = vxbi_get_u32(r);
    section->first_chunk = vxbi_get_u32(r);
    section->chunk_count = vxbi_get_u32(r);
    section->first_blade = vxbi_get_u32(r);
    section->blade_count = vxbi_get_u32(r);
    section->lod_count = vxbi_get_u8(r);
    section->pass_count = vxbi_get_u8(r);
    section->rank_limit = vxbi_get_u16(r);
    if (format != 3)
        return;
    section->profile_id = vxbi_get_u64(r);
    section->material_id = vxbi_get_u64(r);
    section->share = vxbi_get_u32(r);
    section->blade_budget = vxbi_get_u32(r);
    *reserved = vxbi_get_u32(r);
    *reserved |= vxbi_get_u32(r);
}

void vxbi_grass_put_lod(struct vxbi_writer *w, const struct vxb_grass_lod *lod)
{
    vxbi_put_f32(w, lod->distance);
    vxbi_put_f32(w, lod->keep);
    vxbi_put_f32(w, lod->fade);
    vxbi_put_f32(w, lod->mesh_radius);
    vxbi_put_u32(w, lod->index_count);
    vxbi_put_u32(w, lod->first_index);
    vxbi_put_i32(w, lod->vertex_offset);
    vxbi_put_u32(w, 0);
}

void vxbi_grass_get_lod(struct vxbi_reader *r, struct vxb_grass_lod *lod, uint32_t *reserved)
{
    lod->distance = vxbi_get_f32(r);
    lod->keep = vxbi_get_f32(r);
    lod->fade = vxbi_get_f32(r);
    lod->mesh_radius = vxbi_get_f32(r);
    lod->index_count = vxbi_get_u32(r);
    lod->first_index = vxbi_get_u32(r);
    lod->vertex_offset = vxbi_get_i32(r);
    *reserved = vxbi_get_u32(r);
}

void vxbi_grass_put_chunk(struct vxbi_writer *w, const struct vxb_grass_chunk *chunk)
{
    vxbi_put_i32(w, chunk->cell_x);
    vxbi_put_i32(w, chunk->cell_z);
    vxbi_put_u32(w, chunk->first_blade);
    vxbi_put_u32(w, chunk->blade_count);
    vxbi_put_f32(w, chunk->min_y);
    vxbi_put_f32(w, chunk->max_y);
    vxbi_put_f32(w, chunk->max_scale);
    vxbi_put_u32(w, chunk->section);
    vxbi_put_u64(w, chunk->data_offset);
    vxbi_put_u32(w, chunk->data_bytes);
    vxbi_put_u32(w, 0);
    vxbi_put_u64(w, chunk->hash);
}

void vxbi_grass_get_chunk(struct vxbi_reader *r, struct vxb_grass_chunk *chunk, uint32_t *reserved)
{
    chunk->cell_x = vxbi_get_i32(r);
    chunk->cell_z = vxbi_get_i32(r);
    chunk->first_blade = vxbi_get_u32(r);
    chunk->blade_count = vxbi_get_u32(r);
    chunk->min_y = vxbi_get_f32(r);
    chunk->max_y = vxbi_get_f32(r);
    chunk->max_scale = vxbi_get_f32(r);
    chunk->section = vxbi_get_u32(r);
    chunk->data_offset = vxbi_get_u64(r);
    chunk->data_bytes = vxbi_get_u32(r);
    *reserved = vxbi_get_u32(r);
    chunk->hash = vxbi_get_u64(r);
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

void vxbi_grass_split(uint8_t *out, const uint8_t *in, size_t size)
{
    size_t count = size / VXB_GRASS_RECORD_BYTES;
    for (size_t i = 0; i < count; i++)
        for (size_t plane = 0; plane < VXB_GRASS_RECORD_BYTES; plane++)
            out[plane * count + i] = in[i * VXB_GRASS_RECORD_BYTES + plane];
}

void vxbi_grass_join(uint8_t *out, const uint8_t *in, size_t size)
{
    size_t count = size / VXB_GRASS_RECORD_BYTES;
    for (size_t i = 0; i < count; i++)
        for (size_t plane = 0; plane < VXB_GRASS_RECORD_BYTES; plane++)
            out[i * VXB_GRASS_RECORD_BYTES + plane] = in[plane * count + i];
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
