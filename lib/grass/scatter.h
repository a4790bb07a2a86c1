/* Scattering: the candidates of one cell, judged and packed. The arithmetic is in cl_kernels/; here are the loops over
 * it and the order of the result. A cell's blades depend on the plan and the terrain alone, never on who computes them.
 */
#ifndef VXBI_GRASS_SCATTER_H
#define VXBI_GRASS_SCATTER_H

#include "../vxbake/bake.h"
#include "../vxbake/grass.h"
#include "vxk_candidate.h"

struct vxbi_block_loops;

/* What all workers share: the plan's numbers as the kernels want them. Borrows the plan. */
struct vxbi_scatter {
    const struct vxb_plan *plan;
    const struct vxbi_block_loops *loops; /* the fastest here; any of vxbi_block_loops() gives the same bytes */
    struct vxk_field field;
    struct vxk_species species[VXB_SPECIES_MAX];
    vxk_u32 recipe_mix;
};
void vxbi_scatter_init(struct vxbi_scatter *scatter, const struct vxb_plan *plan);

/* Told of candidates that are no blade, for pictures: count of them with their place in the cell (metres from its first
 * corner) and reason (enum vxb_reason), VXB_REASON_COUNT where it is a blade. */
struct vxbi_reason_sink {
    void *user;
    void (*add)(void *user, double cell_x, double cell_z, const float *x, const float *z, const uint8_t *reasons,
                size_t count);
};

#define VXBI_RANKS 65536

/* A rank above those of all blades of a species of which nothing above rank_most is kept; 0: it has none. */
static inline uint32_t vxbi_rank_end(const struct vxk_field *field, uint32_t rank_most)
{
    return rank_most < field->rank_cut ? rank_most + 1 : field->rank_cut;
}

/* What a kernel's reason is called where candidates are told of; VXB_REASON_COUNT for a blade. */
static inline enum vxb_reason vxbi_reason_of(vxk_u32 reason)
{
    return reason == VXK_PLACED ? VXB_REASON_COUNT : (enum vxb_reason)(reason - 1);
}

/* The blades of one species in one cell, by ascending rank, then hash. */
struct vxbi_cell_species {
    uint32_t count;
    uint32_t tied;           /* vxbi_scatter_ties() only: how many have the highest rank that is kept */
    const uint8_t *records;  /* count * 16 bytes, as in the file; NULL where they were only counted */
    const uint32_t *hashes;  /* count; NULL likewise, but tied of them, in no order, where those were asked for */
    uint64_t reasons[VXB_REASON_COUNT];
    uint64_t candidates;
};

struct vxbi_cell_result {
    int32_t cell_x, cell_z;
    float min_y, max_y;
    struct vxbi_cell_species species[VXB_SPECIES_MAX];
};

/* What the kernels want to know of cell number index (z outer, below cells_x * cells_z). out: its place and heights;
 * all else is zeroed. */
struct vxk_cell vxbi_scatter_open_cell(const struct vxbi_scatter *scatter, uint64_t index,
                                       struct vxbi_cell_result *out);
/* The same without heights, which is enough to judge: on fine ground to find them can take longer than that. */
struct vxk_cell vxbi_scatter_place_cell(const struct vxbi_scatter *scatter, uint64_t index,
                                        struct vxbi_cell_result *out);

/* One thread's workspace: grows to the largest cell it met. */
struct vxbi_scatter_work;
struct vxbi_scatter_work *vxbi_scatter_work_new(const struct vxb_allocator *allocator); /* NULL: no memory */
void vxbi_scatter_work_free(struct vxbi_scatter_work *work);

/* Scatters cell number index.
 * rank_most: for each species, the highest rank still worth keeping; blades above it are counted as budget and left out
 *   (65535: all are kept).
 * sink: NULL, or told of every candidate.
 * out: points into work; valid until its next use. */
enum vxb_status vxbi_scatter_cell(const struct vxbi_scatter *scatter, struct vxbi_scatter_work *work, uint64_t index,
                                  const uint32_t rank_most[VXB_SPECIES_MAX], const struct vxbi_reason_sink *sink,
                                  struct vxbi_cell_result *out, struct vxb_error *err);

/* The same blades, where nobody asks what became of the others: those whose draw alone is too high for what is kept are
 * left out before they cost more, so that candidates and reasons are those of the rest. */
enum vxb_status vxbi_scatter_kept(const struct vxbi_scatter *scatter, struct vxbi_scatter_work *work, uint64_t index,
                                  const uint32_t rank_most[VXB_SPECIES_MAX], struct vxbi_cell_result *out,
                                  struct vxb_error *err);

/* The same judgement for about half the time: the cell's place, counts and reasons; no blades, and no heights, which
 * are 0.
 * ranks: NULL, or VXBI_RANKS counts of each species, to which those of the cell's blades are added. */
void vxbi_scatter_count(const struct vxbi_scatter *scatter, struct vxbi_scatter_work *work, uint64_t index,
                        uint32_t *ranks, struct vxbi_cell_result *out);
/* Looks for a blade in the cell, and stops where it found some: where there is none, the same as vxbi_scatter_count();
 * else no more is said than that a species' count is above 0. */
void vxbi_scatter_find(const struct vxbi_scatter *scatter, struct vxbi_scatter_work *work, uint64_t index,
                       struct vxbi_cell_result *out);
/* Counts as far as rank_most, and tells the hashes of the blades whose rank that is; valid until work's next use.
 * reasons: false: candidates and reasons as vxbi_scatter_kept() has them. */
enum vxb_status vxbi_scatter_ties(const struct vxbi_scatter *scatter, struct vxbi_scatter_work *work, uint64_t index,
                                  const uint32_t rank_most[VXB_SPECIES_MAX], bool reasons,
                                  struct vxbi_cell_result *out, struct vxb_error *err);
/* Counts one row of a cell's candidates. */
void vxbi_scatter_sample(const struct vxbi_scatter *scatter, struct vxbi_scatter_work *work, uint64_t index,
                         uint32_t row, struct vxbi_cell_result *out);

#endif
