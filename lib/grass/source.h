/* Where a field's cells come from: the seam between a field being made and who computes it. Whoever does takes cells in
 * order, and adds each one's result, which does not depend on who that was. */
#ifndef VXBI_GRASS_SOURCE_H
#define VXBI_GRASS_SOURCE_H

#include "scatter.h"

#define VXBI_CELLS_AT_ONCE 64

/* A field being made; its functions may be called from any thread. */
struct vxbi_making;

/* The next cells, at most `most` in a run of the plan's numbers, and how high a rank is still worth keeping in them.
 * False where there is none left, or nobody wants them any more. Reports progress and asks whether to go on, for worker
 * 0. */
bool vxbi_making_take(struct vxbi_making *making, uint32_t worker, uint64_t most, uint64_t *first, uint64_t *count,
                      uint32_t rank_most[VXB_SPECIES_MAX]);
/* The results of count cells that follow each other, VXBI_CELLS_AT_ONCE at most; such runs in any order. What they point
 * to may change afterwards. */
enum vxb_status vxbi_making_add(struct vxbi_making *making, const struct vxbi_cell_result *cells, uint32_t count,
                                struct vxb_error *err);
const struct vxbi_scatter *vxbi_making_scatter(const struct vxbi_making *making);
/* Who wants to be told of every candidate of a cell; NULL: nobody. */
const struct vxbi_reason_sink *vxbi_making_sink(const struct vxbi_making *making, uint64_t cell);

struct vxbi_cell_source {
    void *user;
    uint32_t threads; /* run at once at most; 0: as many as the environment allows */
    /* Takes cells and adds their results until there are none, or something fails. */
    enum vxb_status (*run)(void *user, struct vxbi_making *making, uint32_t worker, struct vxb_error *err);
    /* NULL, or takes all cells to count their blades, for much less than to make them. ranks: NULL, and the results,
     * which have no records, are added; or how many blades have each rank is added to them, VXBI_RANKS of each species,
     * and the results are not. */
    enum vxb_status (*count)(void *user, struct vxbi_making *making, uint64_t *ranks, struct vxb_error *err);
};

/* The CPU's: a cell at a time on each thread. */
extern const struct vxbi_cell_source vxbi_cpu_source;

#endif
