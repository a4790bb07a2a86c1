/* The hot loops of the scatter, over blocks of candidates in arrays, so that a compiler can make vectors of them. Each
 * loop calls the kernels' own functions; nothing is computed here.
 *
 * Loops run over whole groups of VXBI_LANES: what lies behind a count is computed too, and looked at by nobody. */
#ifndef VXBI_GRASS_SCATTER_BLOCK_H
#define VXBI_GRASS_SCATTER_BLOCK_H

#include "vxk_candidate.h"

#define VXBI_BLOCK 256
#define VXBI_LANES 16
#define VXBI_BLOCK_ROOM (VXBI_BLOCK + VXBI_LANES)

/* A run of a cell's candidates. */
struct vxbi_block {
    uint32_t count;
    uint32_t hash[VXBI_BLOCK_ROOM];
    uint32_t species[VXBI_BLOCK_ROOM];
    float x[VXBI_BLOCK_ROOM], z[VXBI_BLOCK_ROOM]; /* metres from the cell's first corner */
    float u[VXBI_BLOCK_ROOM], v[VXBI_BLOCK_ROOM]; /* metres from the terrain's first sample */
    int32_t quad_x[VXBI_BLOCK_ROOM], quad_z[VXBI_BLOCK_ROOM];
    float fx[VXBI_BLOCK_ROOM], fz[VXBI_BLOCK_ROOM]; /* place within the quad */
    float y[VXBI_BLOCK_ROOM], nx[VXBI_BLOCK_ROOM], ny[VXBI_BLOCK_ROOM], nz[VXBI_BLOCK_ROOM];
    float k[VXBI_BLOCK_ROOM], scale[VXBI_BLOCK_ROOM];
    uint32_t gone[VXBI_BLOCK_ROOM], excluded[VXBI_BLOCK_ROOM];
    uint32_t rank[VXBI_BLOCK_ROOM];
    uint32_t reason[VXBI_BLOCK_ROOM]; /* VXK_PLACED.., below VXK_REASONS */
};

/* A rectangle of a grid of samples, the grid's border samples repeated outward: all that a run of candidates touches is
 * in it, and nothing needs clamping. A word holds several neighbours, since to fetch words from scattered places is
 * what the loops spend most on. */
struct vxbi_window {
    const uint32_t *words;
    int32_t x0, z0; /* which sample of the grid the first word is of */
    int32_t stride; /* words a row */
};

/* Blades to pack, gathered from blocks. */
struct vxbi_blades {
    uint32_t count;
    uint32_t hash[VXBI_BLOCK_ROOM], rank[VXBI_BLOCK_ROOM], species[VXBI_BLOCK_ROOM];
    float x[VXBI_BLOCK_ROOM], z[VXBI_BLOCK_ROOM], y[VXBI_BLOCK_ROOM];
    float nx[VXBI_BLOCK_ROOM], ny[VXBI_BLOCK_ROOM], nz[VXBI_BLOCK_ROOM], scale[VXBI_BLOCK_ROOM];
};

/* One build of the loops. */
struct vxbi_block_loops {
    const char *name; /* "baseline", "avx2", "avx512" */

    /* Appends count candidates of one row, from slot (slot_x, slot_z) on: hash, species, position, quad. */
    void (*place)(struct vxbi_block *b, const struct vxk_field *field, const struct vxk_species *species,
                  const struct vxk_cell *cell, uint32_t slot_x, uint32_t slot_z, uint32_t count);
    /* rank is 1 of the candidates from number begin on whose draw for density is below their species' end, else 0. */
    void (*low_draws)(struct vxbi_block *b, uint32_t begin, const float *ends);
    /* y and normal. A word of the window: a sample in bits 0..15, its right neighbour in 16..31. */
    void (*surface)(struct vxbi_block *b, const struct vxk_field *field, const struct vxbi_window *window);
    /* gone where the word of the quad is not 0. */
    void (*holes)(struct vxbi_block *b, const struct vxbi_window *window);
    /* out = bilinear sample / 255 of a map of width x height bytes. A word of the window: a sample, its right, its
     * lower, its lower right neighbour from bit 0, 8, 16, 24 on. */
    void (*map)(const struct vxbi_block *b, const struct vxk_field *field, const struct vxbi_window *window,
                uint32_t width, uint32_t height, float *out);
    /* excluded where the nearest byte of a map is 128 or above; its windows are the same. */
    void (*exclude)(struct vxbi_block *b, const struct vxk_field *field, const struct vxbi_window *window,
                    uint32_t width, uint32_t height);
    /* k = smooth(weight) for the candidates of the species whose bit is set in which. */
    void (*weigh)(struct vxbi_block *b, const struct vxk_field *field, const struct vxk_species *species,
                  const float *weight, uint32_t which);
    /* reason and rank, scale; factor: of the scale map, NULL: none. */
    void (*judge)(struct vxbi_block *b, const struct vxk_field *field, const struct vxk_species *species,
                  const float *factor);
    /* Blades of a rank above their species' rank_most, at most 65535, get the reason VXK_BUDGET. */
    void (*cap)(struct vxbi_block *b, const uint32_t *rank_most);
    /* Adds how many of the block's candidates of each species have each reason, in all of its groups: reasons below
     * VXK_REASONS. */
    void (*tally)(const struct vxbi_block *b, const struct vxk_field *field, uint64_t (*tally)[VXK_REASONS]);
    /* The blades' records into words, which has room for whole groups. */
    void (*pack)(const struct vxbi_blades *blades, const struct vxk_field *field, const struct vxk_species *species,
                 const struct vxk_cell *cell, uint32_t (*words)[4]);
};

/* The builds that this processor can run, from number 0, which runs on all, to the fastest; NULL for a number beyond
 * it. All give the same bits. */
const struct vxbi_block_loops *vxbi_block_loops(uint32_t number);

/* Where a window would hold far more samples than there are candidates, the samples are read where they are; the same
 * results. holes: one bit a sample of the heights. */
void vxbi_direct_surface(struct vxbi_block *b, const struct vxk_field *field, const uint16_t *heights);
void vxbi_direct_holes(struct vxbi_block *b, const struct vxk_field *field, const uint8_t *holes);
void vxbi_direct_map(const struct vxbi_block *b, const struct vxk_field *field, const uint8_t *samples, uint32_t width,
                     uint32_t height, float *out);
void vxbi_direct_exclude(struct vxbi_block *b, const struct vxk_field *field, const uint8_t *samples, uint32_t width,
                         uint32_t height);

#endif
