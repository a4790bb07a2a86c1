/* The field as an object: its life from bounds or from a brick table, the placing that ends its planning, and what it
 * answers. */
#include "field.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../core/alloc.h"
#include "../core/env.h"
#include "../core/error.h"
#include "../core/limits.h"
#include "../core/text.h"


/* ---- life ---- */

static enum vxb_status check_bounds(const struct vxb_probe_region *bounds, const uint32_t cells[3],
                                    struct vxb_error *err)
{
    char low[VXB_TEXT_NUMBER_ROOM], high[VXB_TEXT_NUMBER_ROOM];
    for (int a = 0; a < 3; a++) {
        const float min = bounds->min[a], max = bounds->max[a];
        vxb_text_f32(min, low);
        vxb_text_f32(max, high);
        if (!isfinite(min) || !isfinite(max) || !(min < max))
            return vxbi_fail(err, VXB_ERR_USAGE, "the bounds along %c are %s to %s; min must be below max, both finite",
                             "xyz"[a], low, high);
        if (fabs((double)min) > VXBI_WORLD_M || fabs((double)max) > VXBI_WORLD_M)
            return vxbi_fail(err, VXB_ERR_LIMIT,
                             "the bounds along %c are %s to %s m; they must lie within 1048576 m of the origin",
                             "xyz"[a], low, high);
        if (cells[a] == 0)
            return vxbi_fail(err, VXB_ERR_USAGE, "the field has 0 cells along %c; it needs at least 1", "xyz"[a]);
        if (cells[a] > VXB_PROBE_CELLS_AXIS_MAX)
            return vxbi_fail(err, VXB_ERR_LIMIT, "the field has %" PRIu32 " cells along %c; at most 1024 are allowed",
                             cells[a], "xyz"[a]);
        /* In double, as a file's bounds are looked at: what is accepted here can be read back. */
        const double side = ((double)max - (double)min) / cells[a];
        if (side < VXB_PROBE_CELL_MIN_M)
            return vxbi_fail(err, VXB_ERR_LIMIT,
                             "a cell is %s m along %c; at least 0.0009765625 (2^-10) is needed: use fewer cells",
                             vxb_text_f64(side, low), "xyz"[a]);
    }
    if ((uint64_t)cells[0] * cells[1] * cells[2] > VXB_PROBE_CELLS_MAX)
        return vxbi_fail(err, VXB_ERR_LIMIT,
                         "the field has %" PRIu32 " x %" PRIu32 " x %" PRIu32 " cells; at most 2^27 in all are allowed",
                         cells[0], cells[1], cells[2]);
    return VXB_OK;
}

/* How many bricks there may be, and below which number slots stay. */
static enum vxb_status size_plan(struct vxb_probe_field *field, const uint32_t slots[3], struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    field->base = field->cell_count < VXB_PROBE_SLOTS_MAX ? (uint32_t)field->cell_count : VXB_PROBE_SLOTS_MAX;
    if (slots[0] || slots[1] || slots[2])
        status = vxbi_probe_slots_check(slots, &field->base, err);
    field->room = field->base < field->cell_count ? field->base : (uint32_t)field->cell_count;
    memcpy(field->slots, slots, sizeof field->slots);
    return status;
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* In bytes: few cells and many slots make more of the records than of the grid. */
static uint64_t largest_array(const struct vxb_probe_field *field)
{
    const uint64_t records = ((uint64_t)field->base + field->room) * sizeof *field->records;
    const uint64_t bricks = field->room * larger(sizeof *field->table, sizeof *field->picks);
    return larger(field->cell_count * sizeof *field->indirection, larger(records, bricks));
}

static bool allocate_arrays(struct vxb_probe_field *field)
{
    const struct vxb_allocator *allocator = &field->allocator;
    field->indirection = vxbi_new_zero(allocator, field->cell_count, sizeof *field->indirection);
    field->records = vxbi_new_zero(allocator, (uint64_t)field->base + field->room, sizeof *field->records);
    field->spare = vxbi_new(allocator, field->room, sizeof *field->spare);
    field->picks = vxbi_new(allocator, field->room, sizeof *field->picks);
    field->table = vxbi_new(allocator, field->room, sizeof *field->table);
    field->sorting = vxbi_new(allocator, field->room, sizeof *field->sorting);
    return field->indirection && field->records && field->spare && field->picks && field->table && field->sorting;
}

enum vxb_status vxb_probe_field_new(const struct vxb_env *env, const struct vxb_probe_region *bounds,
                                    const uint32_t cells[3], const uint32_t slots[3], struct vxb_probe_field **out,
                                    struct vxb_error *err)
{
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = check_bounds(bounds, cells, err);
    if (status)
        return status;
    struct vxb_probe_field model = {.allocator = vxbi_allocator(env), .bounds = *bounds};
    model.env = (struct vxb_env){
        .size = sizeof model.env, .allocator = model.allocator, .max_memory_bytes = vxbi_max_memory(env)};
    if (env) {
        model.env.user = env->user;
        model.env.cancelled = env->cancelled;
    }
    model.cell_count = (uint64_t)cells[0] * cells[1] * cells[2];
    for (int a = 0; a < 3; a++) {
        model.cells[a] = cells[a];
        model.extent[a] = bounds->max[a] - bounds->min[a];
        model.cell_size[a] = model.extent[a] / (float)cells[a];
        model.focus[a] = 0.5f * model.extent[a];
    }
    status = size_plan(&model, slots, err);
    if (status)
        return status;
    const uint64_t bytes = largest_array(&model);
    if (bytes > vxbi_max_memory(env))
        return vxbi_fail_max_memory(err, vxbi_max_memory(env), "a grid of %" PRIu64 " cells takes %" PRIu64 " bytes",
                                    model.cell_count, bytes);
    struct vxb_probe_field *field = vxbi_new(&model.allocator, 1, sizeof *field);
    if (!field)
        return vxbi_fail_memory(err, sizeof *field);
    *field = model;
    if (!allocate_arrays(field)) {
        vxb_probe_field_free(field);
        return vxbi_fail_memory(err, bytes);
    }
    *out = field;
    return VXB_OK;
}

void vxb_probe_field_free(struct vxb_probe_field *field)
{
    if (!field)
        return;
    struct vxb_allocator allocator = field->allocator;
    vxb_probe_pool_free(field->pool);
    vxbi_delete(&allocator, field->indirection, field->cell_count, sizeof *field->indirection);
    vxbi_delete(&allocator, field->records, (uint64_t)field->base + field->room, sizeof *field->records);
    vxbi_delete(&allocator, field->spare, field->room, sizeof *field->spare);
    vxbi_delete(&allocator, field->picks, field->room, sizeof *field->picks);
    vxbi_delete(&allocator, field->table, field->room, sizeof *field->table);
    vxbi_delete(&allocator, field->sorting, field->room, sizeof *field->sorting);
    vxbi_delete(&allocator, field, 1, sizeof *field);
}

/* ---- placing ---- */

/* The smallest shape for so many bricks whose first side is that of a cube. */
static void fit_slots(uint32_t bricks, uint32_t slots[3])
{
    const uint32_t count = bricks ? bricks : 1, side = vxbi_probe_cube_side(count);
    slots[0] = side;
    slots[2] = (count + side * side - 1) / (side * side);
    slots[1] = (count + side * slots[2] - 1) / (side * slots[2]);
}

enum vxb_status vxb_probe_field_place(struct vxb_probe_field *field, struct vxb_error *err)
{
    uint32_t slots[3] = {field->slots[0], field->slots[1], field->slots[2]};
    if (field->pool)
        return vxbi_fail(err, VXB_ERR_USAGE, "the field is placed already");
    if (!slots[0]) {
        if (field->counts.dropped || field->counts.whole)
            return vxbi_fail(err, VXB_ERR_LIMIT,
                             "the plan needs more than the %" PRIu32
                             " bricks that a field may have: make it coarser, or set the slots",
                             field->room);
        fit_slots(field->counts.bricks, slots);
    }
    enum vxb_status status = vxb_probe_pool_new(&field->env, slots, &field->pool, err);
    if (!status)
        vxbi_probe_settle(field);
    return status;
}

enum vxb_status vxbi_probe_placed(const struct vxb_probe_field *field, struct vxb_error *err)
{
    if (!field->pool)
        return vxbi_fail(err, VXB_ERR_USAGE, "the field is not placed, so it has no probes yet");
    return VXB_OK;
}

/* ---- from a table ---- */

static bool after(const struct vxb_brick *brick, const struct vxb_brick *before)
{
    for (int a = 2; a >= 0; a--)
        if (brick->cell[a] != before->cell[a])
            return brick->cell[a] > before->cell[a];
    return false;
}

static bool is_size(uint32_t size)
{
    return size >= 1 && size <= VXB_BRICK_SIZE_MAX && (size & (size - 1)) == 0;
}

static enum vxb_status check_brick(const struct vxb_probe_field *field, const struct vxb_brick *bricks, uint32_t i,
                                   struct vxb_error *err)
{
    const struct vxb_brick *brick = &bricks[i];
    if (!is_size(brick->size))
        return vxbi_fail(err, VXB_ERR_DATA,
                         "brick %" PRIu32 " has size %" PRIu32 "; a power of two up to 1024 is needed", i, brick->size);
    for (int a = 0; a < 3; a++) {
        if (brick->cell[a] >= field->cells[a])
            return vxbi_fail(err, VXB_ERR_DATA,
                             "brick %" PRIu32 " starts at cell %" PRIu32 " along %c; the grid has %" PRIu32, i,
                             brick->cell[a], "xyz"[a], field->cells[a]);
        if (brick->cell[a] % brick->size)
            return vxbi_fail(err, VXB_ERR_DATA,
                             "brick %" PRIu32 " starts at cell %" PRIu32 " along %c, which is not a multiple of its "
                             "size %" PRIu32, i, brick->cell[a], "xyz"[a], brick->size);
    }
    if (i > 0 && !after(brick, brick - 1))
        return vxbi_fail(err, VXB_ERR_DATA, "brick %" PRIu32 " is out of order; bricks go up by (z, y, x)", i);
    if (brick->slot >= vxb_probe_pool_capacity(field->pool))
        return vxbi_fail(err, VXB_ERR_DATA, "brick %" PRIu32 " is in slot %" PRIu32 "; the pool has %" PRIu32, i,
                         brick->slot, vxb_probe_pool_capacity(field->pool));
    if (vxb_probe_pool_is_allocated(field->pool, brick->slot))
        return vxbi_fail(err, VXB_ERR_DATA, "brick %" PRIu32 " is in slot %" PRIu32 ", which an earlier brick has", i,
                         brick->slot);
    return VXB_OK;
}

static enum vxb_status take_table(struct vxb_probe_field *field, const struct vxb_brick *bricks, uint32_t count,
                                  struct vxb_error *err)
{
    if (count > field->room)
        return vxbi_fail(err, VXB_ERR_DATA, "the brick table has %" PRIu32 " bricks; there is room for %" PRIu32, count,
                         field->room);
    for (uint32_t i = 0; i < count; i++) {
        enum vxb_status status = check_brick(field, bricks, i, err);
        if (status)
            return status;
        uint32_t covered;
        if (!vxbi_probe_take(field, &bricks[i], &covered))
            return vxbi_fail(err, VXB_ERR_DATA, "brick %" PRIu32 " covers cells of the brick in slot %" PRIu32, i,
                             covered);
        vxbi_probe_pool_claim(field->pool, bricks[i].slot);
        field->table[i] = bricks[i];
    }
    vxbi_probe_pool_settle(field->pool);
    return VXB_OK;
}

enum vxb_status vxb_probe_field_of_bricks(const struct vxb_env *env, const struct vxb_probe_region *bounds,
                                          const uint32_t cells[3], const uint32_t slots[3],
                                          const struct vxb_brick *bricks, uint32_t count,
                                          struct vxb_probe_field **out, struct vxb_error *err)
{
    struct vxb_probe_field *field = NULL;
    uint32_t capacity;
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = vxbi_probe_slots_check(slots, &capacity, err);
    if (!status)
        status = vxb_probe_field_new(env, bounds, cells, slots, &field, err);
    if (!status)
        status = vxb_probe_field_place(field, err);
    if (!status)
        status = take_table(field, bricks, count, err);
    if (status)
        vxb_probe_field_free(field);
    else
        *out = field;
    return status;
}

/* ---- what it is made of ---- */

enum vxb_status vxb_probe_field_set_focus(struct vxb_probe_field *field, const float focus[3], struct vxb_error *err)
{
    char text[VXB_TEXT_NUMBER_ROOM];
    for (int a = 0; a < 3; a++) {
        vxb_text_f32(focus[a], text);
        if (!isfinite(focus[a]))
            return vxbi_fail(err, VXB_ERR_USAGE, "the focus along %c is %s; it must be a number", "xyz"[a], text);
        if (fabs((double)focus[a]) > VXBI_WORLD_M)
            return vxbi_fail(err, VXB_ERR_LIMIT,
                             "the focus along %c is %s m; it must lie within 1048576 m of the origin", "xyz"[a], text);
    }
    for (int a = 0; a < 3; a++)
        field->focus[a] = focus[a] - field->bounds.min[a];
    return VXB_OK;
}

const struct vxb_probe_region *vxb_probe_field_bounds(const struct vxb_probe_field *field)
{
    return &field->bounds;
}

void vxb_probe_field_cells(const struct vxb_probe_field *field, uint32_t cells[3])
{
    memcpy(cells, field->cells, sizeof field->cells);
}

void vxb_probe_field_cell_size(const struct vxb_probe_field *field, float metres[3])
{
    memcpy(metres, field->cell_size, sizeof field->cell_size);
}

const struct vxb_probe_pool *vxb_probe_field_pool(const struct vxb_probe_field *field)
{
    return field->pool;
}

struct vxb_probe_pool *vxbi_probe_field_pool(struct vxb_probe_field *field)
{
    return field->pool;
}

struct vxb_probe_counts vxb_probe_field_counts(const struct vxb_probe_field *field)
{
    return field->counts;
}

const struct vxb_brick *vxb_probe_field_bricks(const struct vxb_probe_field *field, uint32_t *count)
{
    if (count)
        *count = field->pool ? field->counts.bricks : 0;
    return field->table;
}

const struct vxb_probe_cell *vxb_probe_field_indirection(const struct vxb_probe_field *field)
{
    return field->indirection;
}

struct vxk_probes vxbi_probe_field_view(const struct vxb_probe_field *field)
{
    struct vxk_probes view = {.texels = (const float *)field->pool->texels,
                              .indirection = (const uint32_t *)field->indirection};
    memcpy(view.cells, field->cells, sizeof view.cells);
    memcpy(view.slots, field->pool->slots, sizeof view.slots);
    memcpy(view.cell_size, field->cell_size, sizeof view.cell_size);
    memcpy(view.extent, field->extent, sizeof view.extent);
    return view;
}

/* ---- probes ---- */

enum vxb_status vxb_probe_field_set(struct vxb_probe_field *field, uint32_t brick, const uint32_t at[3],
                                    const struct vxb_probe *probe, struct vxb_error *err)
{
    enum vxb_status status = vxbi_probe_placed(field, err);
    if (status)
        return status;
    if (brick >= field->counts.bricks)
        return vxbi_fail(err, VXB_ERR_USAGE, "brick %" PRIu32 " is not one of the field's %" PRIu32, brick,
                         field->counts.bricks);
    return vxb_probe_pool_set(field->pool, field->table[brick].slot, at, probe, err);
}

static void relative(const struct vxb_probe_field *field, const float point[3], float out[3])
{
    for (int a = 0; a < 3; a++)
        out[a] = point[a] - field->bounds.min[a];
}

bool vxb_probe_field_sample(const struct vxb_probe_field *field, const float point[3], struct vxb_probe *probe)
{
    float at[3], local[3];
    struct vxk_brick brick;
    *probe = (struct vxb_probe){.validity = 0.0f};
    if (!field->pool)
        return false;
    const struct vxk_probes view = vxbi_probe_field_view(field);
    relative(field, point, at);
    if (!vxk_probe_locate(&view, at, &brick, local))
        return false;
    vxk_probe_sample(&view, brick.slot, local, (float *)probe);
    return true;
}

bool vxb_probe_field_sample_biased(const struct vxb_probe_field *field, const float point[3], const float normal[3],
                                   const float view[3], struct vxb_probe *probe)
{
    float at[3];
    *probe = (struct vxb_probe){.validity = 0.0f};
    if (!field->pool)
        return false;
    const struct vxk_probes probes = vxbi_probe_field_view(field);
    relative(field, point, at);
    return vxk_probe_sample_biased(&probes, at, normal, view, (float *)probe);
}

void vxb_probe_field_irradiance(const struct vxb_probe_field *field, const float point[3], const float normal[3],
                                const float view[3], float irradiance[3])
{
    float at[3];
    irradiance[0] = irradiance[1] = irradiance[2] = 0.0f;
    if (!field->pool)
        return;
    const struct vxk_probes probes = vxbi_probe_field_view(field);
    relative(field, point, at);
    vxk_probe_irradiance_biased(&probes, at, normal, view, irradiance);
}
