/* Filling gaps: which places a region meets, and where slots lack, which of them are nearest to the focus. Those are
 * found by their distance's bits in three passes over the places, so that it takes no memory however many there are. */
#include "plan.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../core/error.h"
#include "../core/text.h"

/* ---- arguments ---- */

enum vxb_status vxbi_probe_check_size(uint32_t size, struct vxb_error *err)
{
    if (size < 1 || size > VXB_BRICK_SIZE_MAX || (size & (size - 1)) != 0)
        return vxbi_fail(err, VXB_ERR_USAGE, "the brick size is %" PRIu32 "; a power of two from 1 to 1024 is needed",
                         size);
    return VXB_OK;
}

enum vxb_status vxbi_probe_check_region(const struct vxb_probe_region *region, struct vxb_error *err)
{
    char low[VXB_TEXT_NUMBER_ROOM], high[VXB_TEXT_NUMBER_ROOM];
    for (int a = 0; a < 3; a++)
        if (!isfinite(region->min[a]) || !isfinite(region->max[a]) || region->min[a] > region->max[a])
            return vxbi_fail(err, VXB_ERR_USAGE,
                             "the region along %c is %s to %s; min may not be above max, and both must be finite",
                             "xyz"[a], vxb_text_f32(region->min[a], low), vxb_text_f32(region->max[a], high));
    return VXB_OK;
}

enum vxb_status vxbi_probe_step_end(struct vxb_probe_field *field, struct vxb_error *err)
{
    const bool stopped = field->stopped;
    field->stopped = false;
    return stopped ? vxbi_fail(err, VXB_ERR_CANCELLED, "the planning of bricks was cancelled") : VXB_OK;
}

/* ---- places ---- */

/* Places of one size: first to last on each axis, both included, a size apart. */
struct places {
    uint32_t first[3], last[3], size;
};

static uint32_t clip(float at, uint32_t cells)
{
    return at > 0.0f ? at < (float)(cells - 1) ? (uint32_t)at : cells - 1 : 0;
}

/* False where the region misses the box. */
static bool find_places(const struct vxb_probe_field *field, const struct vxb_probe_region *region, uint32_t size,
                        struct places *places)
{
    places->size = size;
    for (int a = 0; a < 3; a++) {
        if (region->max[a] < field->bounds.min[a] || region->min[a] > field->bounds.max[a])
            return false;
        float low = (region->min[a] - field->bounds.min[a]) / field->cell_size[a];
        float high = (region->max[a] - field->bounds.min[a]) / field->cell_size[a];
        float first = floorf(low), last = ceilf(high) - 1.0f;
        places->first[a] = clip(first, field->cells[a]) & (0u - size);
        places->last[a] = clip(last > first ? last : first, field->cells[a]);
    }
    return true;
}

/* Visits the free ones by (z, y, x), until the step is stopped. visit may cover the place it is given. */
static void each_place(struct vxb_probe_field *field, const struct places *places,
                       void (*visit)(void *user, struct vxb_probe_field *field, const uint32_t cell[3], uint32_t size),
                       void *user)
{
    uint32_t cell[3], by_slot;
    for (cell[2] = places->first[2]; cell[2] <= places->last[2]; cell[2] += places->size)
        for (cell[1] = places->first[1]; cell[1] <= places->last[1]; cell[1] += places->size) {
            if (vxbi_probe_stopped(field))
                return;
            for (cell[0] = places->first[0]; cell[0] <= places->last[0]; cell[0] += places->size)
                if (!vxbi_probe_cell(field, cell[0], cell[1], cell[2])->size &&
                    (places->size == 1 || !vxbi_probe_is_covered(field, cell, places->size, &by_slot)))
                    visit(user, field, cell, places->size);
        }
}

/* ---- the nearest of them ---- */

#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)

/* Which distances are in: all below key, and of those equal to it the first few. */
struct nearest {
    uint32_t key, mask; /* the digits of key found so far */
    uint32_t shift;
    uint64_t left;
    uint64_t counts[DIGITS];
};

static void count_place(void *user, struct vxb_probe_field *field, const uint32_t cell[3], uint32_t size)
{
    (void)field;
    (void)cell;
    (void)size;
    ++*(uint64_t *)user;
}

static void count_digit(void *user, struct vxb_probe_field *field, const uint32_t cell[3], uint32_t size)
{
    struct nearest *nearest = user;
    uint32_t far = vxbi_probe_far(field, cell, size);
    if ((far & nearest->mask) == nearest->key)
        nearest->counts[far >> nearest->shift & (DIGITS - 1)]++;
}

static void make_near(void *user, struct vxb_probe_field *field, const uint32_t cell[3], uint32_t size)
{
    struct nearest *nearest = user;
    uint32_t far = vxbi_probe_far(field, cell, size);
    if (far > nearest->key || (far == nearest->key && nearest->left == 0))
        return;
    nearest->left -= far == nearest->key;
    vxbi_probe_make(field, cell, size);
}

static void make_place(void *user, struct vxb_probe_field *field, const uint32_t cell[3], uint32_t size)
{
    (void)user;
    vxbi_probe_make(field, cell, size);
}

/* Makes the nearest `room` of the places, which are more. */
static void make_nearest(struct vxb_probe_field *field, const struct places *places, uint32_t room)
{
    struct nearest nearest = {.left = room};
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t digit = 0;
        nearest.shift = 2 * DIGIT_BITS - k * DIGIT_BITS;
        memset(nearest.counts, 0, sizeof nearest.counts);
        each_place(field, places, count_digit, &nearest);
        if (field->stopped)
            return;
        while (nearest.left >= nearest.counts[digit])
            nearest.left -= nearest.counts[digit++];
        nearest.key |= digit << nearest.shift;
        nearest.mask |= (DIGITS - 1) << nearest.shift;
    }
    each_place(field, places, make_near, &nearest);
}

enum vxb_status vxb_probe_field_allocate(struct vxb_probe_field *field, const struct vxb_probe_region *region,
                                         uint32_t size, uint32_t *made, struct vxb_error *err)
{
    struct places places;
    uint64_t wanted = 0;
    enum vxb_status status = vxbi_probe_check_region(region, err);
    if (!status)
        status = vxbi_probe_check_size(size, err);
    if (status)
        return status;
    const uint32_t before = field->counts.bricks, room = vxbi_probe_free(field);
    if (find_places(field, region, size, &places)) {
        each_place(field, &places, count_place, &wanted);
        if (!field->stopped && wanted <= room)
            each_place(field, &places, make_place, NULL);
        else if (!field->stopped && room)
            make_nearest(field, &places, room);
        field->counts.dropped += wanted > room ? wanted - room : 0;
    }
    if (made)
        *made = field->counts.bricks - before;
    if (field->counts.bricks != before)
        vxbi_probe_settle(field);
    return vxbi_probe_step_end(field, err);
}
