/* Cells from the CPU. */
#include "../core/error.h"
#include "source.h"

static enum vxb_status run(void *user, struct vxbi_making *making, uint32_t worker, struct vxb_error *err)
{
    const struct vxbi_scatter *scatter = vxbi_making_scatter(making);
    struct vxbi_scatter_work *work = vxbi_scatter_work_new(&scatter->plan->allocator);
    uint64_t index, count;
    uint32_t rank_most[VXB_SPECIES_MAX];
    enum vxb_status status = VXB_OK;
    (void)user;
    if (!work)
        return vxbi_fail_memory(err, 0);
    while (!status && vxbi_making_take(making, worker, 1, &index, &count, rank_most)) {
        struct vxbi_cell_result cell;
        status = vxbi_scatter_cell(scatter, work, index, rank_most, vxbi_making_sink(making, index), &cell, err);
        if (!status)
            status = vxbi_making_add(making, &cell, 1, err);
    }
    vxbi_scatter_work_free(work);
    return status;
}

const struct vxbi_cell_source vxbi_cpu_source = {.run = run};
