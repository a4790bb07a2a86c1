/* One candidate at a time, with the numbers it is judged by. The functions that decide are those of cl_kernels/, as for
 * the loops of the scatter and for a device: here nothing is computed twice, only kept. */
#ifndef VXBI_GRASS_CANDIDATE_H
#define VXBI_GRASS_CANDIDATE_H

#include "../vxbake/explain.h"
#include "scatter.h"
#include "vxk_scatter.h"

/* The map of a species' layer; NULL: it has none, or there is no such species. */
const struct vxb_map *vxbi_layer_map(const struct vxb_plan *plan, uint32_t species);

/* The scatter's numbers in the block that kernels take. */
void vxbi_kernel_numbers(const struct vxbi_scatter *scatter, struct vxk_scatter *out);

struct vxbi_judge {
    struct vxbi_scatter scatter;
    struct vxk_scatter numbers;
    struct vxk_terrain terrain;
};
void vxbi_judge_init(struct vxbi_judge *judge, const struct vxb_plan *plan);

/* The verdict over candidate number index of a cell, the budget's apart: kernel reason, species, rank, hash, place. */
struct vxk_candidate vxbi_judge_candidate(const struct vxbi_judge *judge, const struct vxk_cell *cell, uint32_t index);

/* The same in full. Of out are left alone: cell_x, cell_z, distance, and what a budget says. */
void vxbi_judge_explain(const struct vxbi_judge *judge, const struct vxk_cell *cell, uint32_t index,
                        struct vxb_explain_candidate *out);

/* The ground at a place of a cell, x and z metres from its first corner; and of a species there its layer's weight, k,
 * and the first test that none of its candidates could pass, VXB_REASON_COUNT where there is none. */
void vxbi_judge_ground(const struct vxbi_judge *judge, const struct vxk_cell *cell, float x, float z,
                       struct vxb_explain_ground *out);
void vxbi_judge_species(const struct vxbi_judge *judge, const struct vxk_cell *cell, float x, float z,
                        uint32_t species, struct vxb_explain_species *out);
/* The weight of any of the terrain's layers at such a place, on the terrain. */
float vxbi_judge_layer(const struct vxbi_judge *judge, const struct vxk_cell *cell, float x, float z,
                       const struct vxb_map *map);

#endif
