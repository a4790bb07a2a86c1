/* Making the field: a source's workers take cells in order and add what grows in them, which goes to the spill, or,
 * where its place in the file is known, to who writes it there. What they share stands under one lock, held for a few
 * counts a cell. */
#include "field.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "../core/bytes.h"
#include "../core/env.h"
#include "budget.h"
#include "source.h"

struct vxbi_making {
    const struct vxb_env *env;
    const struct vxbi_cell_source *source;
    struct vxbi_field *field;
    struct vxbi_scatter scatter;
    const struct vxbi_reason_sink *sink;
    const struct vxbi_chunk_taker *taker; /* NULL: what grows is new to the field */
    const char *stage;                    /* for progress */
    bool counting;                        /* what was taken is done when more is */
    enum vxbi_wanted wants;               /* where counting */
    struct vxbi_ranks ranks[VXB_SPECIES_MAX]; /* counts NULL: no budget */
    struct vxbi_ties ties[VXB_SPECIES_MAX];
    struct vxbi_mutex *lock;
    const struct vxbi_region *region; /* NULL: everything */
    bool region_alone;                /* no other cell is needed */
    uint64_t cells, next, done, spill_end;
    atomic_bool stop;                 /* nobody wants what is left */
    bool cancelled;                   /* the first worker's */
};

/* Whether more blades of a species survived, of all that are counted by now, than its budget has room for. */
static bool over_budget(const struct vxbi_field *field, uint32_t species)
{
    return vxbi_budget_may_bind(field->plan, species) &&
           field->sections[species].survivors > field->plan->species[species].blade_budget;
}

static bool kept(const struct vxbi_making *m, int32_t cell_x, int32_t cell_z)
{
    const struct vxbi_region *r = m->region;
    return !r || (cell_x >= r->x0 && cell_x < r->x1 && cell_z >= r->z0 && cell_z < r->z1);
}

/* The next cells, of which there are any, at most `most` in a run of the plan's numbers: where a region is all that is
 * wanted, a run ends with its row. */
static uint64_t next_run(struct vxbi_making *m, uint64_t most, uint64_t *first)
{
    const struct vxb_plan *plan = m->field->plan;
    uint64_t left = m->cells - m->next;
    *first = m->next;
    if (m->region_alone) {
        const uint64_t width = (uint64_t)((int64_t)m->region->x1 - m->region->x0);
        const uint64_t x = (uint64_t)((int64_t)m->region->x0 - plan->cell_x0) + m->next % width;
        const uint64_t z = (uint64_t)((int64_t)m->region->z0 - plan->cell_z0) + m->next / width;
        *first = z * plan->cells_x + x;
        left = left ? width - m->next % width : 0;
    }
    return left < most ? left : most;
}

static enum vxb_status add_chunk(struct vxbi_making *m, struct vxbi_field_section *section,
                                 const struct vxbi_field_chunk *chunk, struct vxb_error *err)
{
    if (section->count == section->room) {
        uint64_t room = section->room ? section->room * 2 : 64;
        struct vxbi_field_chunk *chunks =
            vxbi_resize(&m->field->allocator, section->chunks, section->room, room, sizeof *chunks);
        if (!chunks)
            return vxbi_fail_memory(err, room * sizeof *chunks);
        section->chunks = chunks;
        section->room = room;
    }
    /* Cells are taken in order, so this looks back past a few at most. */
    uint64_t at = section->count++;
    for (; at > 0; at--) {
        const struct vxbi_field_chunk *before = &section->chunks[at - 1];
        if (before->cell_z < chunk->cell_z || (before->cell_z == chunk->cell_z && before->cell_x < chunk->cell_x))
            break;
        section->chunks[at] = *before;
    }
    section->chunks[at] = *chunk;
    return VXB_OK;
}

/* Enters a cell's result in the shared counts and gives each chunk its place in the spill. */
static enum vxb_status enter_cell(struct vxbi_making *m, const struct vxbi_cell_result *cell,
                                  uint64_t places[VXB_SPECIES_MAX], struct vxb_error *err)
{
    const bool inside = kept(m, cell->cell_x, cell->cell_z);
    enum vxb_status status = VXB_OK;
    vxbi_mutex_lock(m->lock);
    for (uint32_t k = 0; k < m->field->plan->species_count && !status; k++) {
        const struct vxbi_cell_species *from = &cell->species[k];
        struct vxbi_field_section *section = &m->field->sections[k];
        /* Those above the highest rank worth keeping come out again when the budget is settled. */
        section->survivors += from->count + from->reasons[VXB_REASON_BUDGET];
        if (inside) {
            section->ledger.candidates += from->candidates;
            section->ledger.placed += from->count + from->reasons[VXB_REASON_BUDGET];
            for (uint32_t reason = 0; reason < VXB_REASON_BUDGET; reason++)
                section->ledger.reasons[reason] += from->reasons[reason];
        }
        if (m->ranks[k].counts && from->records)
            vxbi_ranks_add(&m->ranks[k], from->records, from->count);
        if (from->count == 0)
            continue;
        places[k] = m->spill_end;
        m->spill_end += (uint64_t)from->count * (VXB_GRASS_RECORD_BYTES + (m->ranks[k].counts ? 4u : 0u));
        struct vxbi_field_chunk chunk = {
            .cell_x = cell->cell_x, .cell_z = cell->cell_z, .spill_offset = places[k], .spilled = from->count,
            .blade_count = from->count, .min_y = cell->min_y, .max_y = cell->max_y};
        status = add_chunk(m, section, &chunk, err);
    }
    m->done++;
    vxbi_mutex_unlock(m->lock);
    return status;
}

static enum vxb_status spill_cell(struct vxbi_making *m, const struct vxbi_cell_result *cell,
                                  const uint64_t places[VXB_SPECIES_MAX], struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    for (uint32_t k = 0; k < m->field->plan->species_count && !status; k++) {
        const struct vxbi_cell_species *from = &cell->species[k];
        const uint64_t size = (uint64_t)from->count * VXB_GRASS_RECORD_BYTES;
        if (from->count == 0)
            continue;
        status = vxbi_spill_write_at(m->field->spill, places[k], from->records, (size_t)size, err);
        for (uint32_t i = 0; i < from->count && m->ranks[k].counts && !status;) {
            uint8_t bytes[4096];
            uint32_t n = 0;
            for (; n < sizeof bytes / 4 && i + n < from->count; n++)
                vxbi_store_u32(bytes + (size_t)4 * n, from->hashes[i + n]);
            status = vxbi_spill_write_at(m->field->spill, places[k] + size + (uint64_t)i * 4, bytes, (size_t)4 * n,
                                         err);
            i += n;
        }
    }
    return status;
}

/* Progress and cancelling are the first worker's, so that the callbacks never run two at a time. */
static bool keep_going(struct vxbi_making *m, uint32_t worker)
{
    if (worker == 0 && m->env && m->env->progress) {
        vxbi_mutex_lock(m->lock);
        uint64_t done = m->counting ? m->next : m->done;
        vxbi_mutex_unlock(m->lock);
        m->env->progress(m->env->user, m->stage, done, m->cells);
    }
    if (worker == 0 && !atomic_load(&m->stop) && vxbi_cancelled(m->env)) {
        m->cancelled = true;
        atomic_store(&m->stop, true);
    }
    return !atomic_load(&m->stop);
}

bool vxbi_making_take(struct vxbi_making *m, uint32_t worker, uint64_t most, uint64_t *first, uint64_t *count,
                      uint32_t rank_most[VXB_SPECIES_MAX])
{
    if (!keep_going(m, worker))
        return false;
    vxbi_mutex_lock(m->lock);
    *count = next_run(m, most, first);
    m->next += *count;
    for (uint32_t k = 0; k < VXB_SPECIES_MAX; k++)
        rank_most[k] = m->ranks[k].most;
    vxbi_mutex_unlock(m->lock);
    return *count > 0;
}

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

static enum vxb_status fail_count(const struct vxbi_making *m, uint32_t k, const struct vxbi_cell_result *cell,
                                  uint32_t counted, struct vxb_error *err)
{
    return vxbi_fail(err, m->source->cpu ? VXB_ERR_BUG : VXB_ERR_DEVICE,
                     "cell %" PRId32 ", %" PRId32 " has %" PRIu32 " blades of species \"%s\" now, and had %" PRIu32
                     " when they were counted: %s",
                     cell->cell_x, cell->cell_z, cell->species[k].count, m->field->plan->species[k].recipe->name,
                     counted,
                     m->source->cpu ? "the machine's memory may be at fault"
                                    : "the device, its driver or its memory is at fault; bake on another device, or "
                                      "on the cpu");
}

static enum vxb_status hand_over(struct vxbi_making *m, const struct vxbi_cell_result *cells, uint32_t count,
                                 struct vxb_error *err)
{
    struct vxbi_field_chunk *chunks[VXBI_CELLS_AT_ONCE];
    const uint8_t *records[VXBI_CELLS_AT_ONCE];
    enum vxb_status status = VXB_OK;
    for (uint32_t k = 0; k < m->field->plan->species_count && !status; k++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < count; i++) {
            const struct vxbi_cell_species *from = &cells[i].species[k];
            struct vxbi_field_chunk *chunk =
                vxbi_field_chunk_at(&m->field->sections[k], cells[i].cell_x, cells[i].cell_z);
            /* A budget may have left nothing of the cell's blades. */
            if (chunk ? from->count != chunk->spilled : from->count && !m->field->sections[k].cut.binds)
                return fail_count(m, k, &cells[i], chunk ? chunk->spilled : 0, err);
            if (!chunk)
                continue;
            chunk->min_y = cells[i].min_y;
            chunk->max_y = cells[i].max_y;
            chunks[n] = chunk;
            records[n++] = from->records;
        }
        if (n)
            status = m->taker->take(m->taker->user, k, chunks, records, n, err);
    }
    vxbi_mutex_lock(m->lock);
    m->done += count;
    vxbi_mutex_unlock(m->lock);
    return status;
}

/* Of a cell that was counted already: what a budget that has to choose surely keeps of it, and what it may keep. */
static enum vxb_status cut_cell(struct vxbi_making *m, const struct vxbi_cell_result *cell, struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    for (uint32_t k = 0; k < m->field->plan->species_count && !status; k++) {
        const struct vxbi_cell_species *from = &cell->species[k];
        struct vxbi_field_chunk *chunk = vxbi_field_chunk_at(&m->field->sections[k], cell->cell_x, cell->cell_z);
        if (!chunk || !over_budget(m->field, k))
            continue;
        chunk->spilled = from->count;
        chunk->blade_count = from->count - from->tied;
        vxbi_mutex_lock(m->lock);
        for (uint32_t i = 0; i < from->tied && !status; i++)
            status = vxbi_ties_add(&m->field->allocator, &m->ties[k],
                                   (struct vxbi_tie){from->hashes[i], cell->cell_z, cell->cell_x}, err);
        vxbi_mutex_unlock(m->lock);
    }
    return status;
}

enum vxbi_wanted vxbi_making_wants(const struct vxbi_making *m) { return m->wants; }

void vxbi_making_add_ranks(struct vxbi_making *m, const uint32_t *ranks)
{
    vxbi_mutex_lock(m->lock);
    for (uint32_t k = 0; k < m->field->plan->species_count; k++)
        for (uint32_t rank = 0; rank < VXBI_RANKS && m->ranks[k].counts; rank++)
            m->ranks[k].counts[rank] += ranks[(size_t)k * VXBI_RANKS + rank];
    vxbi_mutex_unlock(m->lock);
}

enum vxb_status vxbi_making_add(struct vxbi_making *m, const struct vxbi_cell_result *cells, uint32_t count,
                                struct vxb_error *err)
{
    uint64_t places[VXB_SPECIES_MAX];
    enum vxb_status status = VXB_OK;
    if (m->taker)
        return hand_over(m, cells, count, err);
    for (uint32_t i = 0; i < count && !status; i++) {
        if (m->wants == VXBI_WANTS_TIES) {
            status = cut_cell(m, &cells[i], err);
            continue;
        }
        status = enter_cell(m, &cells[i], places, err);
        if (!status && m->field->spill)
            status = spill_cell(m, &cells[i], places, err);
    }
    return status;
}

const struct vxbi_scatter *vxbi_making_scatter(const struct vxbi_making *m) { return &m->scatter; }

const struct vxbi_reason_sink *vxbi_making_sink(const struct vxbi_making *m, uint64_t cell)
{
    const struct vxb_plan *plan = m->field->plan;
    return kept(m, plan->cell_x0 + (int32_t)(cell % plan->cells_x), plan->cell_z0 + (int32_t)(cell / plan->cells_x))
               ? m->sink
               : NULL;
}

/* ---- workers ---- */

struct shared_work {
    struct vxbi_making *making;
    vxbi_cell_work *work;
    void *user;
    enum vxb_status status; /* the first, under the lock */
    struct vxb_error why;
};

static void do_share(void *user, uint32_t worker)
{
    struct shared_work *s = user;
    struct vxbi_making *m = s->making;
    struct vxb_error why = {0};
    const enum vxb_status status = s->work(s->user, m, worker, &why);
    if (!status)
        return;
    vxbi_mutex_lock(m->lock);
    if (!s->status) {
        s->status = status;
        s->why = why;
    }
    vxbi_mutex_unlock(m->lock);
    atomic_store(&m->stop, true);
}

enum vxb_status vxbi_making_share(struct vxbi_making *m, vxbi_cell_work *work, void *user, struct vxb_error *err)
{
    struct shared_work s = {.making = m, .work = work, .user = user};
    atomic_store(&m->stop, m->cancelled);
    uint64_t threads = vxbi_thread_count(m->env);
    threads = m->source->threads && m->source->threads < threads ? m->source->threads : threads;
    vxbi_parallel((uint32_t)(threads < m->cells ? threads : m->cells), do_share, &s);
    if (s.status && err && err->status == VXB_OK)
        *err = s.why;
    return s.status;
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
        if (!kept(m, chunk->cell_x, chunk->cell_z))
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
    if (placed == 0)
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
    if (!status)
        status = settle(&m, err);
    end_making(&m);
    if (status)
        vxbi_field_clear(out);
    return status;
}

bool vxbi_field_may_choose(const struct vxb_plan *plan)
{
    for (uint32_t k = 0; k < plan->species_count; k++)
        if (vxbi_budget_may_bind(plan, k))
            return true;
    return false;
}

/* The ranks of all blades are known, and how many there are in each cell: now what the budgets keep of them. */
static enum vxb_status count_cut(struct vxbi_making *m, struct vxb_error *err)
{
    bool any = false;
    for (uint32_t k = 0; k < m->field->plan->species_count; k++)
        if (over_budget(m->field, k)) {
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
    if (!status)
        status = settle(&m, err);
    end_making(&m);
    if (status)
        vxbi_field_clear(out);
    return status;
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
    if (!status)
        status = run_workers(&m, err);
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
