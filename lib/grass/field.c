/* Making the field: which cells are needed, what is done with them stage by stage, and what the budgets keep. */
#include "field.h"

#include <inttypes.h>
#include <string.h>

#include "../core/env.h"
#include "making.h"

struct vxbi_field_chunk *vxbi_field_chunk_at(const struct vxbi_field_section *section, int32_t cell_x, int32_t cell_z)
{
    uint64_t low = 0, high = section->count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const struct vxbi_field_chunk *c = &section->chunks[middle];
        if (c->cell_z < cell_z || (c->cell_z == cell_z && c->cell_x < cell_x))
            low = middle + 1;
        else
            high = middle;
    }
    struct vxbi_field_chunk *found = low < section->count ? &section->chunks[low] : NULL;
    return found && found->cell_x == cell_x && found->cell_z == cell_z ? found : NULL;
}

bool vxbi_budget_may_bind(const struct vxb_plan *plan, uint32_t species)
{
    const uint32_t budget = plan->species[species].blade_budget;
    return budget != VXB_NO_LIMIT && plan->candidates > budget;
}

/* Species that may place more than their budget need their ranks counted. */
static enum vxb_status open_ranks(struct vxbi_making *m, struct vxb_error *err)
{
    const struct vxb_plan *plan = m->field->plan;
    for (uint32_t k = 0; k < plan->species_count; k++) {
        if (!vxbi_budget_may_bind(plan, k))
            continue;
        m->ranks[k] = (struct vxbi_ranks){
            .counts = vxbi_new_zero(&m->field->allocator, VXBI_RANKS, sizeof *m->ranks[k].counts),
            .budget = plan->species[k].blade_budget,
            .most = VXBI_RANKS - 1,
        };
        if (!m->ranks[k].counts)
            return vxbi_fail_memory(err, VXBI_RANKS * sizeof *m->ranks[k].counts);
    }
    return VXB_OK;
}

/* Leaves out what is not the region's, of the chunks that are kept and of those that a budget left nothing of. */
static void keep_region(const struct vxbi_making *m, struct vxbi_field_section *section)
{
    uint64_t count = 0, dropped = 0;
    if (!m->region)
        return;
    for (uint64_t i = 0; i < section->count + section->dropped; i++) {
        const struct vxbi_field_chunk *chunk = &section->chunks[i];
        if (!vxbi_making_keeps(m, chunk->cell_x, chunk->cell_z))
            continue;
        section->chunks[count + dropped] = *chunk;
        if (i < section->count)
            count++;
        else
            dropped++;
    }
    section->count = count;
    section->dropped = dropped;
}

/* What a budget took of the region is what its chunks no longer have. */
static void settle_ledger(struct vxbi_field_section *section)
{
    struct vxb_ledger *ledger = &section->ledger;
    uint64_t placed = 0;
    for (uint64_t i = 0; i < section->count; i++)
        placed += section->chunks[i].blade_count;
    ledger->reasons[VXB_REASON_BUDGET] = ledger->placed - placed;
    ledger->placed = placed;
    ledger->chunks = section->count;
    if (section->count == 0)
        section->rank_limit = 0;
}

/* Where a budget cuts a species: among blades that were spilled, or that were counted. */
static enum vxb_status cut(struct vxbi_making *m, uint32_t species, struct vxb_error *err)
{
    if (m->field->spill)
        return vxbi_budget_cut(m->field, species, &m->ranks[species], m->source->cpu, err);
    return vxbi_budget_cut_counted(m->field, species, &m->ranks[species], &m->ties[species], m->source->cpu, err);
}

static enum vxb_status settle(struct vxbi_making *m, struct vxb_error *err)
{
    struct vxbi_field *field = m->field;
    const uint32_t uncut = field->plan->rank_cut ? field->plan->rank_cut - 1 : 0;
    uint64_t blades = 0;
    for (uint32_t k = 0; k < field->plan->species_count; k++) {
        struct vxbi_field_section *section = &field->sections[k];
        section->rank_limit = (uint16_t)uncut;
        if (m->ranks[k].counts) {
            enum vxb_status status = cut(m, k, err);
            if (status)
                return status;
        }
        keep_region(m, section);
        settle_ledger(section);
        blades += section->ledger.placed;
    }
    if (blades > VXB_NO_LIMIT - 1)
        return vxbi_fail(err, VXB_ERR_LIMIT,
                         "%" PRIu64 " blades would be placed, a file holds at most 4294967294; lower the density or "
                         "set /budgets/max_blades",
                         blades);
    return VXB_OK;
}

static bool any_ranks(const struct vxbi_making *m)
{
    for (uint32_t k = 0; k < VXB_SPECIES_MAX; k++)
        if (m->ranks[k].counts)
            return true;
    return false;
}

/* All cells, or only the region's, from the first on. */
static void set_cells(struct vxbi_making *m, bool all)
{
    const struct vxb_plan *plan = m->field->plan;
    const struct vxbi_region *r = m->region;
    m->region_alone = r && !all;
    m->cells = m->region_alone ? (uint64_t)((int64_t)r->x1 - r->x0) * (uint64_t)((int64_t)r->z1 - r->z0)
                               : (uint64_t)plan->cells_x * plan->cells_z;
    m->next = m->done = 0;
}

/* What came of a stage. */
static enum vxb_status end_stage(const struct vxbi_making *m, enum vxb_status status, struct vxb_error *err)
{
    if (status)
        return status;
    if (m->cancelled)
        return vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
    vxbi_progress(m->env, m->stage, m->cells, m->cells);
    return VXB_OK;
}

static enum vxb_status run_workers(struct vxbi_making *m, struct vxb_error *err)
{
    m->stage = "scatter";
    return end_stage(m, vxbi_making_share(m, m->source->run, m->source->user, err), err);
}

/* ranks: as vxbi_cell_source.count takes them. */
static enum vxb_status run_count(struct vxbi_making *m, const char *stage, uint64_t *ranks, struct vxb_error *err)
{
    m->stage = stage;
    m->counting = true;
    const enum vxb_status status = end_stage(m, m->source->count(m->source->user, m, ranks, err), err);
    m->counting = false;
    return status;
}

/* What the budgets will keep, so that nothing else is ever made. It can be done without: where the source has no memory
 * for it, it is. */
static enum vxb_status foresee_ranks(struct vxbi_making *m, struct vxb_error *err)
{
    const uint64_t count = (uint64_t)VXB_SPECIES_MAX * VXBI_RANKS;
    struct vxb_error why = {0};
    uint64_t *ranks = vxbi_new_zero(&m->field->allocator, count, sizeof *ranks);
    if (!ranks)
        return VXB_OK;
    enum vxb_status status = run_count(m, "count", ranks, &why);
    for (uint32_t k = 0; k < VXB_SPECIES_MAX && !status; k++)
        if (m->ranks[k].counts)
            vxbi_ranks_foresee(&m->ranks[k], ranks + (size_t)k * VXBI_RANKS);
    vxbi_delete(&m->field->allocator, ranks, count, sizeof *ranks);
    if (!status || status == VXB_ERR_MEMORY)
        return VXB_OK;
    if (err && err->status == VXB_OK)
        *err = why;
    return status;
}

static enum vxb_status begin_making(struct vxbi_making *m, const struct vxb_plan *plan, struct vxb_error *err)
{
    vxbi_scatter_init(&m->scatter, plan);
    for (uint32_t k = 0; k < VXB_SPECIES_MAX; k++)
        m->ranks[k].most = VXBI_RANKS - 1;
    m->lock = vxbi_mutex_new(&m->field->allocator);
    set_cells(m, false);
    return m->lock ? VXB_OK : vxbi_fail_memory(err, 0);
}

static void end_making(struct vxbi_making *m)
{
    for (uint32_t k = 0; k < VXB_SPECIES_MAX; k++) {
        vxbi_delete(&m->field->allocator, m->ranks[k].counts, VXBI_RANKS, sizeof *m->ranks[k].counts);
        vxbi_ties_clear(&m->field->allocator, &m->ties[k]);
    }
    vxbi_mutex_free(&m->field->allocator, m->lock);
}

static void open_field(const struct vxb_env *env, const struct vxb_plan *plan, struct vxbi_field *out)
{
    memset(out, 0, sizeof *out);
    out->allocator = vxbi_allocator(env);
    out->plan = plan;
}

/* Behind the stages that made the field, or failed. After a failure nothing is left of it. */
static enum vxb_status close_field(struct vxbi_making *m, enum vxb_status status, struct vxb_error *err)
{
    if (!status)
        status = settle(m, err);
    end_making(m);
    if (status)
        vxbi_field_clear(m->field);
    return status;
}

enum vxb_status vxbi_field_make(const struct vxb_env *env, const struct vxb_plan *plan,
                                const struct vxbi_region *region, const char *beside,
                                const struct vxbi_cell_source *source, const struct vxbi_reason_sink *sink,
                                struct vxbi_field *out, struct vxb_error *err)
{
    struct vxbi_making m = {.env = env, .source = source, .field = out, .sink = sink, .region = region};
    open_field(env, plan, out);
    enum vxb_status status = begin_making(&m, plan, err);
    if (!status)
        status = vxbi_spill_open(env, beside, &out->spill, err);
    if (!status)
        status = open_ranks(&m, err);
    if (!status)
        set_cells(&m, any_ranks(&m));
    if (!status && any_ranks(&m) && source->count) {
        status = foresee_ranks(&m, err);
        set_cells(&m, true);
    }
    if (!status)
        status = run_workers(&m, err);
    return close_field(&m, status, err);
}

bool vxbi_field_may_choose(const struct vxb_plan *plan)
{
    for (uint32_t k = 0; k < plan->species_count; k++)
        if (vxbi_budget_may_bind(plan, k))
            return true;
    return false;
}

bool vxbi_field_can_be_found(const struct vxb_plan *plan)
{
    return plan->species_count == 1 && !vxbi_field_may_choose(plan) && plan->candidates < VXB_NO_LIMIT;
}

enum vxb_status vxbi_field_find(const struct vxb_env *env, const struct vxb_plan *plan,
                                const struct vxbi_region *region, const struct vxbi_cell_source *source,
                                struct vxbi_field *out, struct vxb_error *err)
{
    struct vxbi_making m = {.env = env, .source = source, .field = out, .region = region, .wants = VXBI_WANTS_ANY};
    open_field(env, plan, out);
    enum vxb_status status = begin_making(&m, plan, err);
    if (!status)
        status = run_count(&m, "find", NULL, err);
    out->found = true;
    return close_field(&m, status, err);
}

enum vxb_status vxbi_field_pass(const struct vxb_env *env, const struct vxb_plan *plan,
                                const struct vxbi_cell_source *source, const struct vxbi_chunk_taker *taker,
                                struct vxbi_field *out, struct vxb_error *err)
{
    struct vxbi_making m = {.env = env, .source = source, .field = out, .taker = taker, .passing = true};
    open_field(env, plan, out);
    enum vxb_status status = begin_making(&m, plan, err);
    if (!status)
        status = run_workers(&m, err);
    return close_field(&m, status, err);
}

/* The ranks of all blades are known, and how many there are in each cell: now what the budgets keep of them. */
static enum vxb_status count_cut(struct vxbi_making *m, struct vxb_error *err)
{
    bool any = false;
    for (uint32_t k = 0; k < m->field->plan->species_count; k++)
        if (vxbi_making_over_budget(m->field, k)) {
            vxbi_ranks_foresee(&m->ranks[k], m->ranks[k].counts);
            any = true;
        }
    if (!any)
        return VXB_OK;
    m->wants = VXBI_WANTS_TIES;
    set_cells(m, true);
    return run_count(m, "cut", NULL, err);
}

enum vxb_status vxbi_field_count(const struct vxb_env *env, const struct vxb_plan *plan,
                                 const struct vxbi_region *region, const struct vxbi_cell_source *source,
                                 struct vxbi_field *out, struct vxb_error *err)
{
    struct vxbi_making m = {.env = env, .source = source, .field = out, .region = region};
    open_field(env, plan, out);
    enum vxb_status status = begin_making(&m, plan, err);
    if (!status)
        status = open_ranks(&m, err);
    m.wants = any_ranks(&m) ? VXBI_WANTS_RANKS : VXBI_WANTS_COUNTS;
    set_cells(&m, any_ranks(&m));
    if (!status)
        status = run_count(&m, "count", NULL, err);
    if (!status)
        status = count_cut(&m, err);
    return close_field(&m, status, err);
}

enum vxb_status vxbi_field_hand_over(const struct vxb_env *env, struct vxbi_field *field,
                                     const struct vxbi_region *region, const struct vxbi_cell_source *source,
                                     const struct vxbi_chunk_taker *taker, struct vxb_error *err)
{
    struct vxbi_making m = {.env = env, .source = source, .field = field, .region = region, .taker = taker};
    enum vxb_status status = begin_making(&m, field->plan, err);
    for (uint32_t k = 0; k < field->plan->species_count; k++)
        if (field->sections[k].cut.binds)
            m.ranks[k].most = field->sections[k].cut.rank;
    if (field->found)
        m.cells = field->sections[0].count;
    if (!status)
        status = run_workers(&m, err);
    if (!status && field->found)
        settle_ledger(&field->sections[0]);
    end_making(&m);
    return status;
}

void vxbi_field_clear(struct vxbi_field *field)
{
    for (uint32_t k = 0; k < VXB_SPECIES_MAX; k++)
        vxbi_delete(&field->allocator, field->sections[k].chunks, field->sections[k].room,
                    sizeof *field->sections[k].chunks);
    vxbi_spill_close(field->spill);
    memset(field, 0, sizeof *field);
}
