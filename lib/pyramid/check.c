/* What a pyramid's levels say of each other, checked against what they should: each level against the one below, as the
 * reduction makes it; and against level 0, as tightly as covering asks. The second holds for a pyramid of any tool. */
#include <inttypes.h>

#include "pyramid.h"

#include "../core/env.h"
#include "../core/text.h"

/* How many cells of a level break a rule, and the first of them. */
struct tally {
    uint64_t count;
    uint32_t x, y;
    float found, right;
};

struct check {
    const struct vxb_env *env;
    const struct vxb_pyramid *pyramid;
    struct vxbi_collect *collect;
    float *row;                   /* of level 1's width */
    float *cover[2];              /* the tightest covering of level 0: this level's and the one below's */
    struct tally level, covering; /* of the level at work */
};

static void tally_add(struct tally *tally, uint32_t x, uint32_t y, float found, float right)
{
    if (tally->count++ == 0) {
        tally->x = x;
        tally->y = y;
        tally->found = found;
        tally->right = right;
    }
}

static void report_level(struct check *check, uint32_t level)
{
    const bool assumed = ((const struct vxbi_pyramid *)check->pyramid)->assumed;
    const struct vxb_pyramid_level *at = &check->pyramid->levels[level];
    char found[VXB_TEXT_NUMBER_ROOM], right[VXB_TEXT_NUMBER_ROOM];
    vxbi_found(check->collect, assumed ? VXB_FINDING_PYRAMID_OTHER : VXB_FINDING_PYRAMID_LEVEL, VXBI_NO_OFFSET,
               vxbi_pointer(check->collect, "/levels/%" PRIu32, level),
               "level %" PRIu32 ": cell (%" PRIu32 ", %" PRIu32 ") is %s: the %s of its block on level %" PRIu32
               " is %s; %" PRIu64 " of %" PRIu64 " cells differ",
               level, check->level.x, check->level.y, vxb_text_f32(check->level.found, found),
               vxb_reduce_name(check->pyramid->reduce), level - 1, vxb_text_f32(check->level.right, right),
               check->level.count, (uint64_t)at->width * at->height);
}

/* The first texel of level 0 with this value under a cell. */
static void find_texel(const struct vxb_pyramid *pyramid, uint32_t level, uint32_t cell_x, uint32_t cell_y, float value,
                       uint32_t *x, uint32_t *y)
{
    const struct vxb_pyramid_level *at = &pyramid->levels[level];
    const uint32_t right = cell_x == at->width - 1 ? pyramid->width : (cell_x + 1) << level;
    const uint32_t bottom = cell_y == at->height - 1 ? pyramid->height : (cell_y + 1) << level;
    for (*y = cell_y << level; *y < bottom; ++*y) {
        const float *row = pyramid->levels[0].texels + (uint64_t)*y * pyramid->width;
        for (*x = cell_x << level; *x < right; ++*x)
            if (row[*x] == value)
                return;
    }
}

static void report_covering(struct check *check, uint32_t level)
{
    const struct vxb_pyramid_level *at = &check->pyramid->levels[level];
    const bool nearest = check->pyramid->reduce == VXB_REDUCE_NEAREST;
    char found[VXB_TEXT_NUMBER_ROOM], right[VXB_TEXT_NUMBER_ROOM];
    uint32_t x = 0, y = 0;
    find_texel(check->pyramid, level, check->covering.x, check->covering.y, check->covering.right, &x, &y);
    const bool left_over = x >> level >= at->width || y >> level >= at->height;
    vxbi_found(check->collect, VXB_FINDING_PYRAMID_COVER, VXBI_NO_OFFSET,
               vxbi_pointer(check->collect, "/levels/%" PRIu32, level),
               "level %" PRIu32 ": cell (%" PRIu32 ", %" PRIu32 ") is %s: texel (%" PRIu32 ", %" PRIu32
               ") of level 0, which it covers, is %s (%s); %" PRIu64 " of %" PRIu64 " cells miss a surface%s",
               level, check->covering.x, check->covering.y, vxb_text_f32(check->covering.found, found), x, y,
               nearest ? "nearer" : "farther", vxb_text_f32(check->covering.right, right), check->covering.count,
               (uint64_t)at->width * at->height,
               left_over ? " (the texel is in the last row or column, which halving an odd side leaves over)" : "");
}

static void check_row(struct check *check, uint32_t level, uint32_t y)
{
    const struct vxb_pyramid *pyramid = check->pyramid;
    const struct vxb_pyramid_level *at = &pyramid->levels[level], *below = &pyramid->levels[level - 1];
    const struct vxb_pyramid_level cover_below = {below->width, below->height,
                                                  level == 1 ? below->texels : check->cover[(level - 1) & 1]};
    const float *row = at->texels + (uint64_t)y * at->width;
    float *cover = check->cover[level & 1] + (uint64_t)y * at->width;
    vxbi_pyramid_reduce_row(pyramid->reduce, below, y, check->row);
    vxbi_pyramid_cover_row(pyramid->reduce, &cover_below, y, cover);
    for (uint32_t x = 0; x < at->width; x++) {
        if (row[x] != check->row[x])
            tally_add(&check->level, x, y, row[x], check->row[x]);
        if (pyramid->reduce == VXB_REDUCE_NEAREST ? row[x] < cover[x] : row[x] > cover[x])
            tally_add(&check->covering, x, y, row[x], cover[x]);
    }
}

static enum vxb_status check_levels(struct check *check, struct vxb_error *err)
{
    const struct vxb_env *env = check->env;
    for (uint32_t level = 1; level < check->pyramid->level_count; level++) {
        check->level.count = check->covering.count = 0;
        for (uint32_t y = 0; y < check->pyramid->levels[level].height; y++) {
            if (y % 256 == 0 && vxbi_cancelled(env))
                return vxbi_fail(err, VXB_ERR_CANCELLED, "the check of the depth pyramid was cancelled");
            check_row(check, level, y);
        }
        if (check->level.count)
            report_level(check, level);
        if (check->covering.count)
            report_covering(check, level);
    }
    return VXB_OK;
}

enum vxb_status vxbi_pyramid_check(const struct vxb_env *env, const struct vxb_pyramid *pyramid,
                                   struct vxbi_collect *collect, struct vxb_error *err)
{
    const struct vxb_allocator allocator = vxbi_allocator(env);
    struct check check = {.env = env, .pyramid = pyramid, .collect = collect};
    if (pyramid->level_count == 1)
        return VXB_OK;
    /* Odd levels' covering at the front, even ones', which are smaller, behind it, one row behind that. */
    const uint32_t width = pyramid->levels[1].width;
    const uint64_t odd = (uint64_t)width * pyramid->levels[1].height, count = 2 * odd + width;
    float *block = vxbi_new(&allocator, count, sizeof *block);
    if (!block)
        return vxbi_fail_memory(err, count * sizeof *block);
    check.cover[1] = block;
    check.cover[0] = block + odd;
    check.row = block + 2 * odd;
    enum vxb_status status = check_levels(&check, err);
    vxbi_delete(&allocator, block, count, sizeof *block);
    return status;
}
