/* Where a field's cells come from: the seam between a field being made and who computes it. Whoever does takes cells in
 * order, and adds each one's result, which does not depend on who that was. */
#ifndef VXBI_GRASS_SOURCE_H
#define VXBI_GRASS_SOURCE_H

#include "scatter.h"

#define VXBI_CELLS_AT_ONCE 64

/* A field being made; its functions may be called from any thread. */
struct vxbi_making;
struct vxbi_region;

/* The next cells, at most `most` in a run of the plan's numbers, and how high a rank is still worth keeping in them.
 * False where there is none left, or nobody wants them any more. Reports progress and asks whether to go on, for worker
 * 0. */
bool vxbi_making_take(struct vxbi_making *making, uint32_t worker, uint64_t most, uint64_t *first, uint64_t *count,
                      uint32_t rank_most[VXB_SPECIES_MAX]);
/* The results of count cells that follow each other, VXBI_CELLS_AT_ONCE at most; such runs in any order. What they
 * point to may change afterwards. */
enum vxb_status vxbi_making_add(struct vxbi_making *making, const struct vxbi_cell_result *cells, uint32_t count,
                                struct vxb_error *err);
const struct vxbi_scatter *vxbi_making_scatter(const struct vxbi_making *making);
/* What the field wants of a source that counts. */
enum vxbi_wanted {
    VXBI_WANTS_COUNTS, /* results, which have no records */
    VXBI_WANTS_RANKS,  /* and how many blades have each rank */
    VXBI_WANTS_TIES,   /* results of vxbi_scatter_ties() */
    VXBI_WANTS_ANY     /* results of vxbi_scatter_find(), or what tells more */
};
enum vxbi_wanted vxbi_making_wants(const struct vxbi_making *making);
/* Whether anybody wants to know of candidates that are no blades: where they were counted, it is known. */
bool vxbi_making_wants_reasons(const struct vxbi_making *making);
/* Ranks that a worker counted, VXBI_RANKS of each species. */
void vxbi_making_add_ranks(struct vxbi_making *making, const uint32_t *ranks);
/* Who wants to be told of every candidate of a cell; NULL: nobody. */
const struct vxbi_reason_sink *vxbi_making_sink(const struct vxbi_making *making, uint64_t cell);

/* A worker's part of what is done with all cells: takes some and adds their results until there are none, or something
 * fails. */
typedef enum vxb_status vxbi_cell_work(void *user, struct vxbi_making *making, uint32_t worker, struct vxb_error *err);

/* Has the work done by as many threads as the making may have; where one fails, all stop. Returns the first failure. */
enum vxb_status vxbi_making_share(struct vxbi_making *making, vxbi_cell_work *work, void *user, struct vxb_error *err);

struct vxbi_cell_source {
    void *user;
    uint32_t threads; /* run at once at most; 0: as many as the environment allows */
    bool cpu;         /* where this machine's own processor computes, no device is at fault */
    vxbi_cell_work *run;
    /* NULL, or takes all cells to count their blades, for much less than to make them. ranks: NULL, and what is wanted
     * is added; or how many blades have each rank is added to them, VXBI_RANKS of each species, and no result is: a
     * device's way to tell ranks ahead of what is made by way of the spill. */
    enum vxb_status (*count)(void *user, struct vxbi_making *making, uint64_t *ranks, struct vxb_error *err);
};

/* The CPU's: a cell at a time on each thread. The second one can count, all that may be wanted. */
extern const struct vxbi_cell_source vxbi_cpu_source, vxbi_cpu_counting_source;

/* Whether to find the cells that have blades first is faster than all else: for a field that can be found, where a few
 * candidates tell whether a cell has any. Estimated from a few; no byte depends on it. False also where there is no
 * memory to know. */
bool vxbi_cpu_finds_first(const struct vxb_plan *plan, const struct vxbi_region *region);

/* Whether to count them first is faster. It spares the blades their way to the spill and back, which one file bounds
 * whatever the number of threads, and costs the judgement of all candidates once more, which is divided among the
 * threads: so it pays the more, the more threads there are, and the more candidates come to be blades. How many do is
 * estimated from a few; no byte depends on it. A budget that has to choose costs the judgement a third time.
 * False also where there is no memory to know. */
bool vxbi_cpu_counts_first(const struct vxb_env *env, const struct vxb_plan *plan, const struct vxbi_region *region);

#endif
