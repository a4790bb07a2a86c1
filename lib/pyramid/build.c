/* The whole chain in one pass over level 0: as soon as the rows that a row of the level above needs are there, and
 * still in the cache, that row is made, and so on upwards. Threads take bands of rows; a band leaves out the last row
 * it would make on each level, which needs the next band's first, and those seams are made when all bands are done. The
 * texels depend on neither: every row is made once, by the same function, from finished rows. */
#include <inttypes.h>
#include <stdatomic.h>

#include "pyramid.h"

#include "../core/env.h"

/* A band is 2^BAND_LEVELS rows of level 0 and makes that many levels; the seams are then under one row in 64. */
#define BAND_LEVELS 7u
#define BAND_ROWS (1u << BAND_LEVELS)

/* Below this many texels a thread costs more than it saves. */
#define TEXELS_A_THREAD (UINT64_C(1) << 19)

struct build {
    const struct vxb_env *env;
    struct vxb_pyramid *pyramid;
    const float *depth;
    uint32_t bands;
    _Atomic uint32_t next_band;
    _Atomic uint64_t first_bad; /* index of the first texel that is none of 0..1, as far as known */
    _Atomic bool cancelled;
};

/* Row `row` of a level is finished and the rows of its band before it are: makes what that allows on the levels above,
 * except what belongs to an earlier band. */
static void climb(struct vxb_pyramid *pyramid, uint32_t first_row, uint32_t level, uint32_t row)
{
    for (; level + 1 < pyramid->level_count && level < BAND_LEVELS; level++) {
        const bool odd = row & 1, last = row == pyramid->levels[level].height - 1;
        if (odd ? !last : row == 0 && !last)
            return;
        row = odd || row == 0 ? row / 2 : row / 2 - 1;
        if (row < first_row >> (level + 1))
            return;
        vxbi_pyramid_reduce_row(pyramid->reduce, &pyramid->levels[level], row,
                                vxbi_pyramid_row(pyramid, level + 1, row));
    }
}

static void lower_to(_Atomic uint64_t *least, uint64_t value)
{
    uint64_t found = atomic_load(least);
    while (value < found && !atomic_compare_exchange_weak(least, &found, value))
        continue;
}

static bool take_row(struct build *build, uint32_t y)
{
    const uint32_t width = build->pyramid->width;
    const uint64_t at = (uint64_t)y * width;
    const float *in = build->depth + at;
    if (vxbi_pyramid_take_row(vxbi_pyramid_row(build->pyramid, 0, y), in, width))
        return true;
    lower_to(&build->first_bad, at + vxbi_pyramid_bad_texel(in, width));
    return false;
}

/* Takes rows of level 0 from row y on, and makes what stands on them: an odd row, and a third one where the cells reach
 * to it, together with their cells. The number of rows taken; 0 where one is no depth. */
static uint32_t take(struct build *build, uint32_t first, uint32_t y, uint32_t end)
{
    struct vxb_pyramid *pyramid = build->pyramid;
    const struct vxb_pyramid_level *level = &pyramid->levels[0];
    const uint32_t count = y % 2 ? vxbi_pyramid_reach(pyramid->reduce, level->height, y) : 0;
    const bool seam = y + 1 == end && end < level->height;
    if (count == 0 || seam) {
        if (!take_row(build, y))
            return 0;
        if (level->height == 1)
            climb(pyramid, first, 0, y);
        return 1;
    }
    float *above = vxbi_pyramid_row(pyramid, 1, y / 2);
    if (!vxbi_pyramid_take_reduce(pyramid->reduce, level, y, vxbi_pyramid_row(pyramid, 0, y),
                                  build->depth + (uint64_t)y * level->width, count, above)) {
        for (uint32_t i = 0; i < count; i++)
            if (!take_row(build, y + i))
                return 0;
        vxbi_pyramid_reduce_row(pyramid->reduce, level, y / 2, above);
    }
    climb(pyramid, first, 1, y / 2);
    return count;
}

static void build_band(struct build *build, uint32_t band)
{
    const uint32_t height = build->pyramid->height, first = band * BAND_ROWS;
    const uint32_t end = height - first < BAND_ROWS ? height : first + BAND_ROWS;
    for (uint32_t y = first, count; y < end; y += count)
        if ((count = take(build, first, y, end)) == 0)
            return;
}

/* Bands are taken in order, so that the first bad texel is always found: all before its band are worked to the end. */
static void work(void *user, uint32_t worker)
{
    struct build *build = user;
    const struct vxb_env *env = build->env;
    for (;;) {
        uint32_t band = atomic_fetch_add(&build->next_band, 1);
        if (band >= build->bands || atomic_load(&build->cancelled))
            return;
        if ((uint64_t)band * BAND_ROWS * build->pyramid->width > atomic_load(&build->first_bad))
            return;
        if (worker == 0 && vxbi_cancelled(env)) {
            atomic_store(&build->cancelled, true);
            return;
        }
        build_band(build, band);
    }
}

/* The rows that the bands left out, and the levels above theirs. */
static void close_seams(struct vxb_pyramid *pyramid, uint32_t bands)
{
    for (uint32_t level = 1; level < pyramid->level_count && level <= BAND_LEVELS; level++) {
        for (uint32_t band = 1; band < bands; band++) {
            const uint32_t y = (band * BAND_ROWS >> level) - 1;
            if (y < pyramid->levels[level].height)
                vxbi_pyramid_reduce_row(pyramid->reduce, &pyramid->levels[level - 1], y,
                                        vxbi_pyramid_row(pyramid, level, y));
        }
    }
    for (uint32_t level = BAND_LEVELS + 1; level < pyramid->level_count; level++)
        for (uint32_t y = 0; y < pyramid->levels[level].height; y++)
            vxbi_pyramid_reduce_row(pyramid->reduce, &pyramid->levels[level - 1], y,
                                    vxbi_pyramid_row(pyramid, level, y));
}

enum vxb_status vxb_pyramid_build(const struct vxb_env *env, struct vxb_pyramid *pyramid, const float *depth,
                                  uint64_t count, struct vxb_error *err)
{
    const uint64_t texels = (uint64_t)pyramid->width * pyramid->height;
    enum vxb_status wrong = vxbi_check_env(env, err);
    if (wrong)
        return wrong;
    if (count != texels)
        return vxbi_fail(err, VXB_ERR_USAGE,
                         "the depth buffer holds %" PRIu64 " texels: %" PRIu32 " x %" PRIu32 " are %" PRIu64, count,
                         pyramid->width, pyramid->height, texels);
    struct build build = {.env = env,
                          .pyramid = pyramid,
                          .depth = depth,
                          .bands = (pyramid->height + BAND_ROWS - 1) / BAND_ROWS};
    atomic_init(&build.next_band, 0);
    atomic_init(&build.first_bad, UINT64_MAX);
    atomic_init(&build.cancelled, false);
    uint64_t threads = texels / TEXELS_A_THREAD + 1;
    if (threads > build.bands)
        threads = build.bands;
    if (threads > 1 && threads > vxbi_thread_count(env))
        threads = vxbi_thread_count(env);
    vxbi_parallel((uint32_t)threads, work, &build);
    if (atomic_load(&build.cancelled))
        return vxbi_fail(err, VXB_ERR_CANCELLED, "the depth pyramid was cancelled");
    const uint64_t bad = atomic_load(&build.first_bad);
    if (bad != UINT64_MAX) {
        char text[VXBI_PYRAMID_TEXEL_ROOM];
        return vxbi_fail(err, VXB_ERR_DATA, "%s",
                         vxbi_pyramid_texel_text(0, (uint32_t)(bad % pyramid->width), (uint32_t)(bad / pyramid->width),
                                                 depth[bad], text));
    }
    close_seams(pyramid, build.bands);
    return VXB_OK;
}
