/* Cells from the CPU, and whether to count them first. */
#include <math.h>
#include <string.h>

#include "../core/error.h"
#include "../core/os.h"
#include "field.h"
#include "scatter_block.h"
#include "source.h"

#define SAMPLED_MOST 128 /* cells, for an estimate; of each a row */
/* On one or two threads the spill, while it stays in the system's cache, costs no more than judging all again. */
#define THREADS_LEAST 3

/* A worker's own. */
struct worker {
    struct vxbi_making *making;
    const struct vxbi_scatter *scatter;
    struct vxbi_scatter_work *work;
    uint32_t *ranks;        /* VXBI_RANKS of each species; NULL: nobody wants them */
    uint64_t ranked;        /* candidates since they were last taken */
    enum vxbi_wanted wants;
};

typedef enum vxb_status cell_work(struct worker *me, uint64_t index, const uint32_t rank_most[VXB_SPECIES_MAX],
                                  struct vxbi_cell_result *cell, struct vxb_error *err);

static enum vxb_status make_cell(struct worker *me, uint64_t index, const uint32_t rank_most[VXB_SPECIES_MAX],
                                 struct vxbi_cell_result *cell, struct vxb_error *err)
{
    if (!vxbi_making_wants_reasons(me->making))
        return vxbi_scatter_kept(me->scatter, me->work, index, rank_most, cell, err);
    return vxbi_scatter_cell(me->scatter, me->work, index, rank_most, vxbi_making_sink(me->making, index), cell, err);
}

static uint64_t rank_room(const struct worker *me) { return (uint64_t)me->scatter->plan->species_count * VXBI_RANKS; }

static void give_ranks(struct worker *me)
{
    if (me->ranked == 0)
        return;
    vxbi_making_add_ranks(me->making, me->ranks);
    memset(me->ranks, 0, (size_t)rank_room(me) * sizeof *me->ranks);
    me->ranked = 0;
}

static enum vxb_status count_cell(struct worker *me, uint64_t index, const uint32_t rank_most[VXB_SPECIES_MAX],
                                  struct vxbi_cell_result *cell, struct vxb_error *err)
{
    if (me->wants == VXBI_WANTS_TIES)
        return vxbi_scatter_ties(me->scatter, me->work, index, rank_most, false, cell, err);
    if (me->wants == VXBI_WANTS_ANY)
        vxbi_scatter_find(me->scatter, me->work, index, cell);
    else
        vxbi_scatter_count(me->scatter, me->work, index, me->ranks, cell);
    if (me->ranks && (me->ranked += (uint64_t)me->scatter->plan->side * me->scatter->plan->side) >= (uint64_t)1 << 31)
        give_ranks(me); /* before a 32-bit count could overflow */
    return VXB_OK;
}

static enum vxb_status work_on_cells(struct worker *me, uint32_t number, cell_work *work, struct vxb_error *err)
{
    uint64_t index, count;
    uint32_t rank_most[VXB_SPECIES_MAX];
    enum vxb_status status = VXB_OK;
    me->work = vxbi_scatter_work_new(&me->scatter->plan->allocator);
    if (!me->work)
        return vxbi_fail_memory(err, 0);
    while (!status && vxbi_making_take(me->making, number, 1, &index, &count, rank_most)) {
        struct vxbi_cell_result cell;
        status = work(me, index, rank_most, &cell, err);
        if (!status)
            status = vxbi_making_add(me->making, &cell, 1, err);
    }
    vxbi_scatter_work_free(me->work);
    return status;
}

static enum vxb_status run(void *user, struct vxbi_making *making, uint32_t number, struct vxb_error *err)
{
    struct worker me = {.making = making, .scatter = vxbi_making_scatter(making)};
    (void)user;
    return work_on_cells(&me, number, make_cell, err);
}

static enum vxb_status count_cells(void *user, struct vxbi_making *making, uint32_t number, struct vxb_error *err)
{
    struct worker me = {.making = making, .scatter = vxbi_making_scatter(making), .wants = vxbi_making_wants(making)};
    const struct vxb_allocator *allocator = &me.scatter->plan->allocator;
    (void)user;
    if (me.wants == VXBI_WANTS_RANKS && !(me.ranks = vxbi_new_zero(allocator, rank_room(&me), sizeof *me.ranks)))
        return vxbi_fail_memory(err, rank_room(&me) * sizeof *me.ranks);
    const enum vxb_status status = work_on_cells(&me, number, count_cell, err);
    give_ranks(&me);
    vxbi_delete(allocator, me.ranks, rank_room(&me), sizeof *me.ranks);
    return status;
}

static enum vxb_status count(void *user, struct vxbi_making *making, uint64_t *ranks, struct vxb_error *err)
{
    (void)user;
    return ranks ? vxbi_fail(err, VXB_ERR_BUG, "the CPU was asked for ranks alone")
                 : vxbi_making_share(making, count_cells, NULL, err);
}

const struct vxbi_cell_source vxbi_cpu_source = {.cpu = true, .run = run};
const struct vxbi_cell_source vxbi_cpu_counting_source = {.cpu = true, .run = run, .count = count};

/* ---- whether it pays ---- */

struct estimate {
    uint64_t candidates, blades[VXB_SPECIES_MAX];
};

/* One row of each of a few cells, spread evenly over the area. */
static bool sample(const struct vxb_plan *plan, const struct vxbi_region *area, struct estimate *out)
{
    const uint64_t width = (uint64_t)((int64_t)area->x1 - area->x0);
    const uint64_t cells = width * (uint64_t)((int64_t)area->z1 - area->z0);
    const uint64_t count = cells < SAMPLED_MOST ? cells : SAMPLED_MOST;
    struct vxbi_scatter_work *work = vxbi_scatter_work_new(&plan->allocator);
    struct vxbi_scatter scatter;
    vxbi_scatter_init(&scatter, plan);
    for (uint64_t i = 0; i < count && work; i++) {
        const uint64_t cell = (2 * i + 1) * cells / (2 * count);
        const uint64_t x = (uint64_t)((int64_t)area->x0 - plan->cell_x0) + cell % width;
        const uint64_t z = (uint64_t)((int64_t)area->z0 - plan->cell_z0) + cell / width;
        /* No two cells alike: the golden ratio's multiples are spread evenly. */
        const uint32_t row = (uint32_t)((uint64_t)((uint32_t)i * 0x9E3779B9u) * plan->side >> 32);
        struct vxbi_cell_result result;
        vxbi_scatter_sample(&scatter, work, z * plan->cells_x + x, row, &result);
        for (uint32_t k = 0; k < plan->species_count; k++) {
            out->candidates += result.species[k].candidates;
            out->blades[k] += result.species[k].count;
        }
    }
    vxbi_scatter_work_free(work);
    return work != NULL;
}

static struct vxbi_region all_cells(const struct vxb_plan *plan)
{
    return (struct vxbi_region){plan->cell_x0, plan->cell_z0, plan->cell_x0 + (int32_t)plan->cells_x,
                                plan->cell_z0 + (int32_t)plan->cells_z};
}

/* What is judged twice of a cell should be about a block. */
bool vxbi_cpu_finds_first(const struct vxb_plan *plan, const struct vxbi_region *region)
{
    const struct vxbi_region all = all_cells(plan);
    struct estimate e = {0};
    return vxbi_field_can_be_found(plan) && sample(plan, region ? region : &all, &e) &&
           e.blades[0] * VXBI_BLOCK >= e.candidates;
}

bool vxbi_cpu_counts_first(const struct vxb_env *env, const struct vxb_plan *plan, const struct vxbi_region *region)
{
    const struct vxbi_region all = all_cells(plan);
    const uint32_t threads = vxbi_thread_count(env);
    struct estimate e = {0};
    if (threads < THREADS_LEAST || !sample(plan, region && !vxbi_field_may_choose(plan) ? region : &all, &e))
        return false;
    double spilled = 0.0, passes = 1.0;
    for (uint32_t k = 0; k < plan->species_count; k++) {
        double part = (double)e.blades[k] / (double)e.candidates;
        const double budget = (double)plan->species[k].blade_budget / (double)plan->candidates;
        if (vxbi_budget_may_bind(plan, k) && part > budget) {
            /* Until it is known where the cut will be, more than it keeps is spilled. */
            part = budget > 0.0 ? budget * (1.0 + log(part / budget)) : 0.0;
            passes = 2.0;
        }
        spilled += part;
    }
    /* A candidate takes 7 to 12 ns of a thread to judge; a blade's way to the spill and back 4 to 12 of one file's, the
     * more, the more blades. */
    return 2.0 * spilled * (double)threads > 5.0 * passes;
}
