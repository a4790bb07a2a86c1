/* The hot loops of the scatter, over blocks of candidates in arrays, so that a compiler can make vectors of them. Each
 * loop calls the kernels' own functions; nothing is computed here. */
#ifndef VXBI_GRASS_SCATTER_BLOCK_H
#define VXBI_GRASS_SCATTER_BLOCK_H

#include "vxk_field.h"

#define VXBI_BLOCK 256

/* A run of a cell's candidates. */
struct vxbi_block {
    uint32_t count;
    uint32_t hash[VXBI_BLOCK];
    uint32_t species[VXBI_BLOCK];
    float x[VXBI_BLOCK], z[VXBI_BLOCK];         /* metres from the cell's first corner */
    float u[VXBI_BLOCK], v[VXBI_BLOCK];         /* metres from the terrain's first sample */
    int32_t quad_x[VXBI_BLOCK], quad_z[VXBI_BLOCK];
    float fx[VXBI_BLOCK], fz[VXBI_BLOCK];       /* place within the quad */
    float tap[12][VXBI_BLOCK];                  /* raw heights, in the order of struct vxk_taps */
    float y[VXBI_BLOCK], nx[VXBI_BLOCK], ny[VXBI_BLOCK], nz[VXBI_BLOCK];
    float k[VXBI_BLOCK], scale[VXBI_BLOCK];
    uint32_t gone[VXBI_BLOCK], excluded[VXBI_BLOCK];
    uint32_t rank[VXBI_BLOCK];
    uint32_t reason[VXBI_BLOCK];                /* VXK_PLACED.. */
};

/* A rectangle of a grid of samples as floats, the grid's border samples repeated outward: all the taps of a run of
 * candidates are in it, and none needs clamping. */
struct vxbi_window {
    const float *samples;
    int32_t x0, z0;         /* which sample of the grid the first one is */
    uint32_t stride;
    int32_t last_x, last_z; /* index of the grid's last sample */
};

/* Appends count candidates of one row, from slot (slot_x, slot_z) on: hash, species, position, quad. */
void vxbi_block_place(struct vxbi_block *b, const struct vxk_field *field, const struct vxk_species *species,
                      const struct vxk_cell *cell, uint32_t slot_x, uint32_t slot_z, uint32_t count);
/* tap from a window; or, where a window would hold far more samples than there are candidates, from the heights. */
void vxbi_block_taps(struct vxbi_block *b, const struct vxbi_window *window);
void vxbi_block_taps_direct(struct vxbi_block *b, const uint16_t *heights, int32_t last_x, int32_t last_z);
/* y and normal from tap. */
void vxbi_block_surface(struct vxbi_block *b, const struct vxk_field *field);
/* out = bilinear sample / 255 of a map of width x height bytes; window NULL: from the bytes themselves. */
void vxbi_block_map(const struct vxbi_block *b, const struct vxk_field *field, const struct vxbi_window *window,
                    const uint8_t *samples, uint32_t width, uint32_t height, float *out);
/* excluded where the nearest byte of a map is 128 or above. */
void vxbi_block_exclude(struct vxbi_block *b, const struct vxk_field *field, const uint8_t *samples, uint32_t width,
                        uint32_t height);
/* gone where a corner of the quad is a hole: one bit a sample of the heights. */
void vxbi_block_holes(struct vxbi_block *b, const uint8_t *holes, int32_t last_x, int32_t last_z);
/* k = smooth(weight) for the candidates of the species whose bit is set in which. */
void vxbi_block_weigh(struct vxbi_block *b, const struct vxk_field *field, const struct vxk_species *species,
                      const float *weight, uint32_t which);
/* reason and rank, scale; factor: of the scale map, NULL: none. */
void vxbi_block_judge(struct vxbi_block *b, const struct vxk_field *field, const struct vxk_species *species,
                      const float *factor);

/* Blades to pack, gathered from blocks. */
struct vxbi_blades {
    uint32_t count;
    uint32_t hash[VXBI_BLOCK], rank[VXBI_BLOCK], species[VXBI_BLOCK];
    float x[VXBI_BLOCK], z[VXBI_BLOCK], y[VXBI_BLOCK], nx[VXBI_BLOCK], ny[VXBI_BLOCK], nz[VXBI_BLOCK],
        scale[VXBI_BLOCK];
    uint32_t word[4][VXBI_BLOCK];
};
/* The blades of a block: those placed, of rank up to their species' rank_most. Those above get the reason budget, which
 * is VXK_DENSITY + 1. */
void vxbi_block_select(struct vxbi_block *b, const uint32_t *rank_most, struct vxbi_blades *out);
/* word from the rest. */
void vxbi_blades_pack(struct vxbi_blades *blades, const struct vxk_field *field, const struct vxk_species *species,
                      const struct vxk_cell *cell);

#endif
