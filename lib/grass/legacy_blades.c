/* A chunk of format 1: its blades read, checked one by one, put in order of rank, and made into records. */
#include <inttypes.h>
#include <math.h>

#include "../core/text.h"
#include "legacy.h"

#define AT(field) VXBI_AT(legacy_blade, field)

uint64_t vxbi_legacy_memory(uint32_t blade_count)
{
    /* As stored; and twice its number, for the sort. */
    return (uint64_t)blade_count * (VXBI_LEGACY_BLADE_BYTES + 2 * sizeof(uint32_t));
}

/* ---- rules ---- */

struct place {
    const struct vxb_grass *grass;
    const struct vxb_grass_chunk *chunk;
    uint64_t at;          /* of the blade in the file */
    struct vxbi_collect *collect;
};

static uint64_t number(const struct place *p)
{
    return (p->at - p->grass->layout.data) / VXBI_LEGACY_BLADE_BYTES;
}

static const char *pointer(const struct place *p, const char *field)
{
    return vxbi_pointer(p->collect, "/blades/%" PRIu64 "/%s", number(p), field);
}

static bool check_finite(const struct place *p, const char *name, unsigned field, float value)
{
    char text[VXB_TEXT_NUMBER_ROOM];
    if (isfinite(value))
        return true;
    vxbi_found(p->collect, VXB_FINDING_LEGACY_BLADE_FINITE, p->at + field, pointer(p, name),
               "the %s of blade %" PRIu64 " is %s; it is finite", name, number(p), vxb_text_f32(value, text));
    return false;
}

static void check_side(const struct place *p, const char *name, unsigned field, float value, int32_t cell)
{
    char text[3][VXB_TEXT_NUMBER_ROOM];
    float low, high;
    vxbi_legacy_sides(cell, p->grass->header.cell_size, &low, &high);
    if (check_finite(p, name, field, value) && !(value >= low && value <= high))
        vxbi_found(p->collect, VXB_FINDING_LEGACY_BLADE_CELL, p->at + field, pointer(p, name),
                   "blade %" PRIu64 " stands at %s %s, outside its cell, (%" PRId32 ", %" PRId32
                   "), which goes from %s to %s",
                   number(p), name, vxb_text_f32(value, text[0]), p->chunk->cell_x, p->chunk->cell_z,
                   vxb_text_f32(low, text[1]), vxb_text_f32(high, text[2]));
}

/* A value that has a range of its own. */
static void check_range(const struct place *p, const char *name, unsigned field, float value, float least, float most,
                        enum vxb_finding finding)
{
    char text[3][VXB_TEXT_NUMBER_ROOM];
    if (check_finite(p, name, field, value) && !(value >= least && value <= most))
        vxbi_found(p->collect, finding, p->at + field, pointer(p, name),
                   "the %s of blade %" PRIu64 " is %s; allowed is %s to %s", name, number(p),
                   vxb_text_f32(value, text[0]), vxb_text_f32(least, text[1]), vxb_text_f32(most, text[2]));
}

static void check_blade(const struct place *p, const struct vxbi_legacy_blade *b)
{
    const float world = (float)VXBI_WORLD_M;
    check_side(p, "x", AT(x), b->x, p->chunk->cell_x);
    check_range(p, "y", AT(y), b->y, -world, world, VXB_FINDING_LEGACY_BLADE_HEIGHT);
    check_side(p, "z", AT(z), b->z, p->chunk->cell_z);
    check_range(p, "yaw", AT(yaw), b->yaw, 0.0f, VXBI_LEGACY_TURN, VXB_FINDING_LEGACY_BLADE_YAW);
    check_range(p, "scale", AT(scale), b->scale, 0x1p-10f, 0x1p10f, VXB_FINDING_LEGACY_BLADE_SCALE);
    check_range(p, "tint", AT(tint), b->tint, 0.0f, 1.0f, VXB_FINDING_LEGACY_BLADE_TINT);
    check_range(p, "phase", AT(phase), b->phase, 0.0f, VXBI_LEGACY_TURN, VXB_FINDING_LEGACY_BLADE_PHASE);
    check_range(p, "rank", AT(rank), b->rank, 0.0f, 1.0f, VXB_FINDING_LEGACY_BLADE_RANK);
}

/* ---- records ---- */

static void get_blade(const uint8_t *blades, uint32_t index, struct vxbi_legacy_blade *out)
{
    vxbi_legacy_get_blade(blades + (size_t)index * VXBI_LEGACY_BLADE_BYTES, out);
}

static uint16_t rank_of(const uint8_t *blades, uint32_t index)
{
    return vxbi_legacy_rank(vxbi_load_f32(blades + (size_t)index * VXBI_LEGACY_BLADE_BYTES + AT(rank)));
}

/* The blades' numbers by rank, equal ones as they stood: a radix sort of the rank's two bytes. order holds 2 *
 * count. */
static const uint32_t *sort_by_rank(const uint8_t *blades, uint32_t count, uint32_t *order)
{
    uint32_t *from = order + count, *to = order;
    for (uint32_t i = 0; i < count; i++)
        from[i] = i;
    for (unsigned shift = 0; shift < 16; shift += 8) {
        uint32_t starts[256] = {0}, sum = 0;
        for (uint32_t i = 0; i < count; i++)
            starts[rank_of(blades, i) >> shift & 255]++;
        for (unsigned k = 0; k < 256; k++) {
            uint32_t n = starts[k];
            starts[k] = sum;
            sum += n;
        }
        for (uint32_t i = 0; i < count; i++)
            to[starts[rank_of(blades, from[i]) >> shift & 255]++] = from[i];
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

static void make_records(struct vxb_grass_chunk *chunk, float cell_size, const uint8_t *blades, uint32_t *order,
                         uint8_t *records)
{
    const uint32_t *by_rank = sort_by_rank(blades, chunk->blade_count, order);
    struct vxbi_legacy_blade b;
    get_blade(blades, 0, &b);
    /* + 0: -0 and 0 are one height, and one content. */
    chunk->min_y = chunk->max_y = b.y + 0.0f;
    for (uint32_t i = 1; i < chunk->blade_count; i++) {
        get_blade(blades, i, &b);
        chunk->min_y = b.y < chunk->min_y ? b.y : chunk->min_y;
        chunk->max_y = b.y > chunk->max_y ? b.y : chunk->max_y;
    }
    chunk->max_scale = 0.0f;
    for (uint32_t i = 0; i < chunk->blade_count; i++) {
        uint8_t *record = records + (size_t)i * VXB_GRASS_RECORD_BYTES;
        get_blade(blades, by_rank[i], &b);
        vxbi_legacy_pack(&b, chunk, cell_size, record);
        float scale = vxbi_f16_value(vxbi_load_u16(record + 8));
        chunk->max_scale = scale > chunk->max_scale ? scale : chunk->max_scale;
    }
    chunk->hash = vxbi_hash(records, (size_t)chunk->blade_count * VXB_GRASS_RECORD_BYTES);
}

enum vxb_status vxbi_legacy_fetch(const struct vxb_grass *grass, struct vxb_grass_chunk *chunk, uint8_t *records,
                                  struct vxb_grass_scratch *scratch, struct vxbi_collect *collect,
                                  struct vxb_error *err)
{
    const uint64_t errors = collect->errors;
    const size_t size = (size_t)chunk->blade_count * VXBI_LEGACY_BLADE_BYTES;
    enum vxb_status status = vxbi_grass_reserve(scratch, &scratch->blades, size, err);
    if (!status)
        status = vxbi_grass_reserve(scratch, &scratch->order, 2 * sizeof(uint32_t) * (size_t)chunk->blade_count, err);
    if (!status)
        status = vxbi_grass_read_at(grass, chunk->data_offset, scratch->blades.data, size, err);
    if (status)
        return status;
    for (uint32_t i = 0; i < chunk->blade_count && !collect->stopped; i++) {
        const struct place p = {grass, chunk, chunk->data_offset + (uint64_t)i * VXBI_LEGACY_BLADE_BYTES, collect};
        struct vxbi_legacy_blade blade;
        get_blade(scratch->blades.data, i, &blade);
        check_blade(&p, &blade);
    }
    if (collect->errors != errors) {
        memset(records, 0, (size_t)chunk->blade_count * VXB_GRASS_RECORD_BYTES);
        chunk->min_y = chunk->max_y = chunk->max_scale = NAN;
        return VXB_OK;
    }
    uint32_t *order = (uint32_t *)(void *)scratch->order.data;
    make_records(chunk, grass->header.cell_size, scratch->blades.data, order, records);
    return VXB_OK;
}

enum vxb_status vxbi_legacy_measure(const struct vxb_grass *grass, struct vxb_grass_chunk *chunk,
                                    struct vxb_error *err)
{
    const uint64_t size = (uint64_t)chunk->blade_count * VXB_GRASS_RECORD_BYTES;
    const uint64_t need = size + vxbi_legacy_memory(chunk->blade_count);
    struct vxbi_collect collect = {.err = err};
    if (need > grass->max_memory)
        return vxbi_fail_max_memory(err, grass->max_memory, "reading the chunk takes %" PRIu64 " bytes", need);
    struct vxb_grass_scratch *scratch = vxbi_grass_scratch_new(&grass->allocator);
    uint8_t *records = vxbi_new(&grass->allocator, size, 1);
    enum vxb_status status = scratch && records ? vxbi_legacy_fetch(grass, chunk, records, scratch, &collect, err)
                                                : vxbi_fail_memory(err, size);
    vxbi_delete(&grass->allocator, records, size, 1);
    vxb_grass_scratch_free(scratch);
    return status ? status : collect.status;
}

void vxbi_legacy_bounds_add(struct vxbi_bounds_section *bounds, const struct vxb_grass_chunk *chunk,
                            const struct vxb_grass_scratch *scratch)
{
    for (uint32_t i = 0; i < chunk->blade_count; i++) {
        struct vxbi_legacy_blade b;
        get_blade(scratch->blades.data, i, &b);
        const double at[3] = {(double)b.x, (double)b.y, (double)b.z};
        for (int axis = 0; axis < 3; axis++) {
            if (!bounds->any || at[axis] < bounds->min[axis])
                bounds->min[axis] = at[axis];
            if (!bounds->any || at[axis] > bounds->max[axis])
                bounds->max[axis] = at[axis];
        }
        bounds->any = true;
    }
    bounds->max_scale = chunk->max_scale > bounds->max_scale ? chunk->max_scale : bounds->max_scale;
}
