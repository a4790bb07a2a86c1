/* The peer that the scatter is measured against: the same arithmetic, one candidate after another, as one would write
 * it down first. Tests use it too: what the block loops compute must be what this computes. */
#ifndef BENCH_PLAIN_SCATTER_H
#define BENCH_PLAIN_SCATTER_H

#include "grass/scatter.h"

struct plain_blade {
    uint32_t index, hash, rank, species;
    uint32_t word[4];
    float x, z, y;       /* metres from the cell's corner; world */
    float nx, ny, nz, up_x, up_y, up_z, scale;
};

/* Judges every candidate of a cell in index order. reasons: one a candidate (VXK_PLACED..), may be NULL. blades: those
 * placed, in index order, room for side * side. Returns how many. */
uint32_t plain_scatter(const struct vxbi_scatter *scatter, int32_t cell_x, int32_t cell_z, float min_y, float max_y,
                       uint8_t *reasons, struct plain_blade *blades);

#endif
