/* Cells from the CPU, and whether to count them first. */
#include "../core/error.h"
#include "../core/os.h"
#include "field.h"
#include "source.h"

#define SAMPLED_MOST 128 /* cells, for an estimate; of each a row */
/* On one or two threads the spill, while it stays in the system's cache, costs no more than judging all again. */
#define THREADS_LEAST 3

/* A worker's part of either stage. */
static enum vxb_status work_on_cells(struct vxbi_making *making, uint32_t worker, bool counting, struct vxb_error *err)
{
    const struct vxbi_scatter *scatter = vxbi_making_scatter(making);
    struct vxbi_scatter_work *work = vxbi_scatter_work_new(&scatter->plan->allocator);
    uint64_t index, count;
    uint32_t rank_most[VXB_SPECIES_MAX];
    enum vxb_status status = VXB_OK;
    if (!work)
        return vxbi_fail_memory(err, 0);
    while (!status && vxbi_making_take(making, worker, 1, &index, &count, rank_most)) {
        struct vxbi_cell_result cell;
        if (counting)
            vxbi_scatter_count(scatter, work, index, &cell);
        else
            status = vxbi_scatter_cell(scatter, work, index, rank_most, vxbi_making_sink(making, index), &cell, err);
        if (!status)
            status = vxbi_making_add(making, &cell, err);
    }
    vxbi_scatter_work_free(work);
    return status;
}

static enum vxb_status run(void *user, struct vxbi_making *making, uint32_t worker, struct vxb_error *err)
{
    (void)user;
    return work_on_cells(making, worker, false, err);
}

static enum vxb_status count_cells(void *user, struct vxbi_making *making, uint32_t worker, struct vxb_error *err)
{
    (void)user;
    return work_on_cells(making, worker, true, err);
}

static enum vxb_status count(void *user, struct vxbi_making *making, uint64_t *ranks, struct vxb_error *err)
{
    (void)user;
    return ranks ? vxbi_fail(err, VXB_ERR_BUG, "the CPU was asked to count ranks")
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

/* Whether no budget seems to be near to choosing. */
static bool seems_to_fit(const struct vxb_plan *plan, const struct estimate *e)
{
    for (uint32_t k = 0; k < plan->species_count; k++) {
        const double all = (double)e->blades[k] / (double)e->candidates * (double)plan->candidates;
        if (vxbi_budget_may_bind(plan, k) && 1.05 * all > (double)plan->species[k].blade_budget)
            return false;
    }
    return true;
}

bool vxbi_cpu_counts_first(const struct vxb_env *env, const struct vxb_plan *plan, const struct vxbi_region *region)
{
    const struct vxbi_region all = {plan->cell_x0, plan->cell_z0, plan->cell_x0 + (int32_t)plan->cells_x,
                                    plan->cell_z0 + (int32_t)plan->cells_z};
    const uint32_t threads = vxbi_thread_count(env);
    struct estimate e = {0};
    uint64_t blades = 0;
    if (threads < THREADS_LEAST || !sample(plan, region && !vxbi_field_may_choose(plan) ? region : &all, &e) ||
        !seems_to_fit(plan, &e))
        return false;
    for (uint32_t k = 0; k < plan->species_count; k++)
        blades += e.blades[k];
    /* A candidate takes 7 ns of a thread to judge; a blade's way to the spill and back 5 to 12 of one file's, and with
     * more threads more. */
    return 2 * blades * threads > 3 * e.candidates;
}
