/* The pyramid of maxima over a terrain's heights: what a ray looks at to know that it is clear of a block of quads. */
#ifndef VXBI_TERRAIN_PEAKS_H
#define VXBI_TERRAIN_PEAKS_H

#include "../core/alloc.h"
#include "../vxbake/terrain.h"

#define VXBI_PEAK_LEVELS 16

/* Level k, 1..levels, has a maximum for each block of 2^k quads a side, row-major, blocks counted from the terrain's
 * first quad; the last level has one. */
struct vxbi_peaks {
    uint16_t *maxima;
    uint64_t count;                      /* of them all */
    uint32_t level_at[VXBI_PEAK_LEVELS]; /* where level k + 1 begins */
    uint32_t levels;
    uint16_t top;                        /* the greatest height */
    uint16_t steepest;                   /* the greatest difference of two samples side by side */
};

/* VXB_ERR_MEMORY. */
enum vxb_status vxbi_peaks_new(const struct vxb_allocator *allocator, const struct vxb_terrain *terrain,
                               struct vxbi_peaks *out, struct vxb_error *err);
void vxbi_peaks_clear(const struct vxb_allocator *allocator, struct vxbi_peaks *peaks);

#endif
