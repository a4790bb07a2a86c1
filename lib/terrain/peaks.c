/* Building the pyramid of maxima: level 1 from the heights, each further one from the one below it.
 *
 * Invariant: a block's maximum is that of every sample on its quads' corners, those on its far edges among them. */
#include "peaks.h"

#include <stdlib.h>

#include "../core/error.h"

static uint32_t blocks(uint32_t quads, uint32_t level)
{
    return ((quads - 1) >> level) + 1;
}

static uint16_t greater(uint16_t a, uint16_t b)
{
    return a > b ? a : b;
}

static void first_level(const struct vxb_terrain *t, uint16_t *out)
{
    const uint32_t width = blocks(t->samples_x - 1, 1), height = blocks(t->samples_z - 1, 1);
    for (uint32_t j = 0; j < height; j++)
        for (uint32_t i = 0; i < width; i++) {
            const uint32_t x_end = 2 * i + 2 < t->samples_x ? 2 * i + 3 : t->samples_x;
            const uint32_t z_end = 2 * j + 2 < t->samples_z ? 2 * j + 3 : t->samples_z;
            uint16_t most = 0;
            for (uint32_t z = 2 * j; z < z_end; z++)
                for (uint32_t x = 2 * i; x < x_end; x++)
                    most = greater(most, t->heights[(uint64_t)z * t->samples_x + x]);
            out[(uint64_t)j * width + i] = most;
        }
}

static void next_level(const uint16_t *below, uint32_t below_width, uint32_t below_height, uint16_t *out)
{
    const uint32_t width = (below_width + 1) / 2, height = (below_height + 1) / 2;
    for (uint32_t j = 0; j < height; j++)
        for (uint32_t i = 0; i < width; i++) {
            const uint32_t x1 = 2 * i + 1 < below_width ? 2 * i + 1 : 2 * i;
            const uint32_t z1 = 2 * j + 1 < below_height ? 2 * j + 1 : 2 * j;
            const uint16_t *near = below + (uint64_t)(2 * j) * below_width, *far = below + (uint64_t)z1 * below_width;
            out[(uint64_t)j * width + i] = greater(greater(near[2 * i], near[x1]), greater(far[2 * i], far[x1]));
        }
}

static uint16_t steepest(const struct vxb_terrain *t)
{
    int most = 0;
    for (uint32_t z = 0; z < t->samples_z; z++) {
        const uint16_t *row = t->heights + (uint64_t)z * t->samples_x;
        const uint16_t *next = z + 1 < t->samples_z ? row + t->samples_x : row;
        for (uint32_t x = 0; x < t->samples_x; x++) {
            const int across = abs(row[x + 1 < t->samples_x ? x + 1 : x] - row[x]), down = abs(next[x] - row[x]);
            most = across > most ? across : most;
            most = down > most ? down : most;
        }
    }
    return (uint16_t)most;
}

enum vxb_status vxbi_peaks_new(const struct vxb_allocator *allocator, const struct vxb_terrain *terrain,
                               struct vxbi_peaks *out, struct vxb_error *err)
{
    const uint32_t quads_x = terrain->samples_x - 1, quads_z = terrain->samples_z - 1;
    struct vxbi_peaks p = {0};
    do {
        p.level_at[p.levels] = (uint32_t)p.count;
        p.levels++;
        p.count += (uint64_t)blocks(quads_x, p.levels) * blocks(quads_z, p.levels);
    } while (blocks(quads_x, p.levels) > 1 || blocks(quads_z, p.levels) > 1);
    p.maxima = vxbi_new(allocator, p.count, sizeof *p.maxima);
    if (!p.maxima)
        return vxbi_fail_memory(err, p.count * sizeof *p.maxima);
    first_level(terrain, p.maxima);
    for (uint32_t k = 1; k < p.levels; k++)
        next_level(p.maxima + p.level_at[k - 1], blocks(quads_x, k), blocks(quads_z, k), p.maxima + p.level_at[k]);
    p.top = p.maxima[p.count - 1];
    p.steepest = steepest(terrain);
    *out = p;
    return VXB_OK;
}

void vxbi_peaks_clear(const struct vxb_allocator *allocator, struct vxbi_peaks *peaks)
{
    vxbi_delete(allocator, peaks->maxima, peaks->count, sizeof *peaks->maxima);
    *peaks = (struct vxbi_peaks){0};
}
