/* Refinement: a step takes the bricks that meet something, one size after another from the largest, and splits them
 * while there are slots. The children of one size join those that are next, so every brick is tried once. */
#include "plan.h"

#include <math.h>

/* ---- picks in order ---- */

static void sift(struct vxbi_brick_pick *picks, uint32_t at, uint32_t count)
{
    struct vxbi_brick_pick pick = picks[at];
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && picks[child + 1].key > picks[child].key)
            child++;
        if (picks[child].key <= pick.key)
            break;
        picks[at] = picks[child];
    }
    picks[at] = pick;
}

/* In place: a step may not need memory. */
static void sort_picks(struct vxbi_brick_pick *picks, uint32_t count)
{
    for (uint32_t i = count / 2; i-- > 0;)
        sift(picks, i, count);
    for (uint32_t end = count; end-- > 1;) {
        struct vxbi_brick_pick last = picks[end];
        picks[end] = picks[0];
        picks[0] = last;
        sift(picks, 0, end);
    }
}

/* ---- finding them ---- */

enum { LOOKS_A_POLL = 64, SPLITS_A_POLL = 256 };

struct round {
    struct vxb_probe_field *field;
    const struct vxbi_refinement *refinement;
    uint32_t size, count, looked_at;
    uint64_t needed; /* slots that splitting all of them takes */
};

static void look_at(struct round *round, uint32_t id)
{
    struct vxb_probe_field *field = round->field;
    const struct vxbi_brick_record *brick = &field->records[id];
    uint32_t children[8][3];
    if (brick->size != round->size || field->stopped)
        return;
    /* Often, as the range of the ground beneath a brick may take reading all of a terrain. */
    if (round->looked_at++ % LOOKS_A_POLL == 0 && vxbi_probe_stopped(field))
        return;
    if (!round->refinement->meets(round->refinement, field, brick))
        return;
    const uint32_t cell[3] = {brick->cell[0], brick->cell[1], brick->cell[2]};
    uint64_t order = (uint64_t)cell[2] << 20 | cell[1] << 10 | cell[0];
    field->picks[round->count++] = (struct vxbi_brick_pick){
        .key = (uint64_t)vxbi_probe_far(field, cell, brick->size) << 32 | order, .id = id};
    round->needed += vxbi_probe_children(field, brick, children) - 1;
}

/* Every brick is looked at in the first of its cells that is looked at. */
static void look_in_cells(struct round *round)
{
    const struct vxbi_refinement *refinement = round->refinement;
    const struct vxb_probe_field *field = round->field;
    const uint32_t *first = refinement->first, *last = refinement->last, mask = round->size - 1;
    for (uint32_t z = first[2]; z <= last[2]; z += round->size - (z & mask))
        for (uint32_t y = first[1]; y <= last[1]; y += round->size - (y & mask))
            for (uint32_t x = first[0]; x <= last[0]; x += round->size - (x & mask)) {
                const struct vxb_probe_cell *cell = vxbi_probe_cell(field, x, y, z);
                if (cell->size == round->size)
                    look_at(round, cell->slot);
            }
}

/* How many cells of a size lie there. */
static uint64_t cells_within(const struct vxbi_refinement *refinement, uint32_t size)
{
    uint64_t all = 1;
    for (int a = 0; a < 3; a++)
        all *= refinement->last[a] / size - refinement->first[a] / size + 1;
    return all;
}

static void look(struct round *round)
{
    const struct vxb_probe_field *field = round->field;
    const uint32_t ids = field->slot_end + field->planned_end;
    if (round->refinement->within && cells_within(round->refinement, round->size) < ids) {
        look_in_cells(round);
        return;
    }
    for (uint32_t id = 0; id < field->slot_end; id++)
        look_at(round, id);
    for (uint32_t k = 0; k < field->planned_end; k++)
        look_at(round, field->base + k);
}

/* ---- splitting them ---- */

/* How many bricks came of it. */
static uint32_t split_picks(struct round *round)
{
    struct vxb_probe_field *field = round->field;
    uint32_t children[8][3], made = 0;
    if (round->needed > vxbi_probe_free(field))
        sort_picks(field->picks, round->count);
    for (uint32_t i = 0; i < round->count; i++) {
        const uint32_t id = field->picks[i].id;
        const uint32_t count = vxbi_probe_children(field, &field->records[id], children);
        if (i % SPLITS_A_POLL == 0 && vxbi_probe_stopped(field))
            break;
        if (count - 1 > vxbi_probe_free(field)) {
            field->counts.whole++;
            continue;
        }
        vxbi_probe_split(field, id);
        made += count;
    }
    return made;
}

uint32_t vxbi_probe_refine(struct vxb_probe_field *field, const struct vxbi_refinement *refinement)
{
    uint32_t made = 0;
    for (uint32_t size = VXB_BRICK_SIZE_MAX; size > refinement->size && !field->stopped; size /= 2) {
        struct round round = {.field = field, .refinement = refinement, .size = size};
        if (!field->by_size[vxbi_probe_rank(size)])
            continue;
        look(&round);
        made += split_picks(&round);
    }
    return made;
}

/* ---- around a region ---- */

static bool meets_region(const struct vxbi_refinement *self, const struct vxb_probe_field *field,
                         const struct vxbi_brick_record *brick)
{
    for (int a = 0; a < 3; a++) {
        float low = (float)brick->cell[a] * field->cell_size[a];
        float high = (float)((uint32_t)brick->cell[a] + brick->size) * field->cell_size[a];
        if (!(low <= self->high[a] && high >= self->low[a]))
            return false;
    }
    return true;
}

/* The cells of all bricks that may meet it: one more on each side than it takes, and the last one for those beyond the
 * grid's far edge, over which a brick may hang. False where it ends before the grid begins. */
static bool bound_cells(const struct vxb_probe_field *field, struct vxbi_refinement *refinement)
{
    for (int a = 0; a < 3; a++) {
        const float last = (float)(field->cells[a] - 1);
        float low = floorf(refinement->low[a] / field->cell_size[a]) - 1.0f;
        float high = floorf(refinement->high[a] / field->cell_size[a]) + 1.0f;
        if (high < 0.0f)
            return false;
        refinement->first[a] = low > 0.0f ? (uint32_t)(low < last ? low : last) : 0;
        refinement->last[a] = (uint32_t)(high < last ? high : last);
    }
    return true;
}

uint32_t vxbi_probe_refine_region(struct vxb_probe_field *field, const struct vxb_probe_region *region, uint32_t size)
{
    struct vxbi_refinement refinement = {.size = size, .meets = meets_region, .within = true};
    for (int a = 0; a < 3; a++) {
        refinement.low[a] = region->min[a] - field->bounds.min[a];
        refinement.high[a] = region->max[a] - field->bounds.min[a];
    }
    return bound_cells(field, &refinement) ? vxbi_probe_refine(field, &refinement) : 0;
}

enum vxb_status vxb_probe_field_refine(struct vxb_probe_field *field, const struct vxb_probe_region *region,
                                       uint32_t size, uint32_t *made, struct vxb_error *err)
{
    enum vxb_status status = vxbi_probe_check_region(region, err);
    if (!status)
        status = vxbi_probe_check_size(size, err);
    if (status)
        return status;
    const uint32_t count = vxbi_probe_refine_region(field, region, size);
    if (made)
        *made = count;
    if (count)
        vxbi_probe_settle(field);
    return vxbi_probe_step_end(field, err);
}
