/* Format 1 in bytes and back, and its blades quantised into records. All of it is formed in double, where a product
 * of two f32 is exact, but for the height, which is what a bake makes of it. */
#include "legacy.h"

#include <math.h>

#include "vxk_blade.h"

static const double pi = 3.14159265358979323846;

void vxbi_legacy_put_header(struct vxbi_writer *w, const struct vxbi_legacy_header *header)
{
    vxbi_put(w, vxbi_grass_magic, sizeof vxbi_grass_magic);
    vxbi_put_u32(w, 1);
    vxbi_put_u32(w, VXBI_LEGACY_HEADER_BYTES);
    vxbi_put_u64(w, header->file_bytes);
    for (int i = 0; i < 3; i++)
        vxbi_put_f32(w, header->bounds_min[i]);
    for (int i = 0; i < 3; i++)
        vxbi_put_f32(w, header->bounds_max[i]);
    vxbi_put_f32(w, header->cell_size);
    vxbi_put_u32(w, header->chunk_count);
    vxbi_put_u32(w, header->blade_count);
    vxbi_put_u32(w, 0);
}

void vxbi_legacy_get_header(struct vxbi_reader *r, struct vxbi_legacy_header *header)
{
    vxbi_get(r, sizeof vxbi_grass_magic + 4);
    header->header_bytes = vxbi_get_u32(r);
    header->file_bytes = vxbi_get_u64(r);
    for (int i = 0; i < 3; i++)
        header->bounds_min[i] = vxbi_get_f32(r);
    for (int i = 0; i < 3; i++)
        header->bounds_max[i] = vxbi_get_f32(r);
    header->cell_size = vxbi_get_f32(r);
    header->chunk_count = vxbi_get_u32(r);
    header->blade_count = vxbi_get_u32(r);
    header->reserved = vxbi_get_u32(r);
}

void vxbi_legacy_put_blade(struct vxbi_writer *w, const struct vxbi_legacy_blade *blade)
{
    vxbi_put_f32(w, blade->x);
    vxbi_put_f32(w, blade->y);
    vxbi_put_f32(w, blade->z);
    vxbi_put_f32(w, blade->yaw);
    vxbi_put_f32(w, blade->scale);
    vxbi_put_f32(w, blade->tint);
    vxbi_put_f32(w, blade->phase);
    vxbi_put_f32(w, blade->rank);
}

void vxbi_legacy_get_blade(const uint8_t bytes[VXBI_LEGACY_BLADE_BYTES], struct vxbi_legacy_blade *out)
{
    out->x = vxbi_load_f32(bytes + VXBI_AT(legacy_blade, x));
    out->y = vxbi_load_f32(bytes + VXBI_AT(legacy_blade, y));
    out->z = vxbi_load_f32(bytes + VXBI_AT(legacy_blade, z));
    out->yaw = vxbi_load_f32(bytes + VXBI_AT(legacy_blade, yaw));
    out->scale = vxbi_load_f32(bytes + VXBI_AT(legacy_blade, scale));
    out->tint = vxbi_load_f32(bytes + VXBI_AT(legacy_blade, tint));
    out->phase = vxbi_load_f32(bytes + VXBI_AT(legacy_blade, phase));
    out->rank = vxbi_load_f32(bytes + VXBI_AT(legacy_blade, rank));
}

void vxbi_legacy_sides(int32_t cell, float cell_size, float *low, float *high)
{
    *low = (float)(cell * (double)cell_size);
    *high = (float)((cell + 1.0) * (double)cell_size);
}

/* floor(value) as a code up to most; value may be a step below 0, where the cell's side is no f32. */
static uint16_t code(double value, uint16_t most)
{
    return value <= 0.0 ? 0 : value >= most ? most : (uint16_t)value;
}

static uint16_t place_code(float world, int32_t cell, float cell_size)
{
    double size = (double)cell_size;
    return code(((double)world - cell * size) * 65536.0 / size, 65535);
}

/* To the nearest of `steps` a turn; a whole turn is none. */
static uint32_t angle_code(float angle, uint32_t steps)
{
    return (uint32_t)floor((double)angle * steps / (2.0 * pi) + 0.5) % steps;
}

uint16_t vxbi_legacy_rank(float rank)
{
    return code((double)rank * 65536.0, 65535);
}

void vxbi_legacy_pack(const struct vxbi_legacy_blade *blade, const struct vxb_grass_chunk *chunk, float cell_size,
                      uint8_t record[VXB_GRASS_RECORD_BYTES])
{
    struct vxbi_writer w = {.data = record, .room = VXB_GRASS_RECORD_BYTES};
    vxbi_put_u16(&w, place_code(blade->x, chunk->cell_x, cell_size));
    vxbi_put_u16(&w, place_code(blade->z, chunk->cell_z, cell_size));
    vxbi_put_u16(&w, (uint16_t)vxk_height_code(blade->y, chunk->min_y, chunk->max_y));
    vxbi_put_u16(&w, (uint16_t)angle_code(blade->yaw, 65536));
    vxbi_put_u16(&w, (uint16_t)vxk_half(blade->scale));
    vxbi_put_u16(&w, 0); /* straight up */
    vxbi_put_u8(&w, (uint8_t)code((double)blade->tint * 256.0, 255));
    vxbi_put_u8(&w, (uint8_t)angle_code(blade->phase, 256));
    vxbi_put_u16(&w, vxbi_legacy_rank(blade->rank));
}

/* The nearest f32; where rounding took it out of its cell, the next one inside. */
static float place_back(double world, int32_t cell, float cell_size)
{
    float nearest = (float)world;
    if ((double)nearest < cell * (double)cell_size)
        return nextafterf(nearest, INFINITY);
    if ((double)nearest >= (cell + 1.0) * (double)cell_size)
        return nextafterf(nearest, -INFINITY);
    return nearest;
}

void vxbi_legacy_unpack(const struct vxb_grass_header *header, const struct vxb_grass_chunk *chunk,
                        const struct vxb_blade *blade, struct vxbi_legacy_blade *out)
{
    out->x = place_back(blade->x, chunk->cell_x, header->cell_size);
    out->y = (float)blade->y;
    out->z = place_back(blade->z, chunk->cell_z, header->cell_size);
    out->yaw = (float)blade->yaw;
    out->scale = (float)blade->scale;
    out->tint = (float)blade->tint;
    out->phase = (float)blade->phase;
    out->rank = (float)blade->rank;
}
