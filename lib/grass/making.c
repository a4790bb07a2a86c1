/* The cells of a field: a source's workers take them in order and add what grows in them, which goes to the spill, or
 * to who writes it where it belongs, or is no more than counted. What they share stands under one lock, held for a few
 * counts a cell. */
#include "making.h"

#include <inttypes.h>
#include <string.h>

#include "../core/bytes.h"
#include "../core/env.h"

bool vxbi_making_over_budget(const struct vxbi_field *field, uint32_t species)
{
    return vxbi_budget_may_bind(field->plan, species) &&
           field->sections[species].survivors > field->plan->species[species].blade_budget;
}

bool vxbi_making_keeps(const struct vxbi_making *m, int32_t cell_x, int32_t cell_z)
{
    const struct vxbi_region *r = m->region;
    return !r || (cell_x >= r->x0 && cell_x < r->x1 && cell_z >= r->z0 && cell_z < r->z1);
}

/* The next cells, of which there are any, at most `most` in a run of the plan's numbers: where a region is all that is
 * wanted, a run ends with its row. Of a found field, those that have a chunk. */
static uint64_t next_run(struct vxbi_making *m, uint64_t most, uint64_t *first)
{
    const struct vxb_plan *plan = m->field->plan;
    uint64_t left = m->cells - m->next;
    *first = m->next;
    if (m->field->found && left) {
        const struct vxbi_field_chunk *chunk = &m->field->sections[0].chunks[m->next];
        *first = (uint64_t)((int64_t)chunk->cell_z - plan->cell_z0) * plan->cells_x +
                 (uint64_t)((int64_t)chunk->cell_x - plan->cell_x0);
        return 1;
    }
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

/* Those above the highest rank worth keeping come out again when the budget is settled. */
static uint64_t placed(const struct vxbi_cell_species *from) { return from->count + from->reasons[VXB_REASON_BUDGET]; }

static struct vxbi_field_chunk chunk_of(const struct vxbi_cell_result *cell, uint32_t species)
{
    const uint32_t count = cell->species[species].count;
    return (struct vxbi_field_chunk){.cell_x = cell->cell_x, .cell_z = cell->cell_z, .spilled = count,
                                     .blade_count = count, .min_y = cell->min_y, .max_y = cell->max_y};
}

static void add_to_ledger(struct vxb_ledger *ledger, const struct vxbi_cell_species *from)
{
    ledger->candidates += from->candidates;
    ledger->placed += placed(from);
    for (uint32_t reason = 0; reason < VXB_REASON_BUDGET; reason++)
        ledger->reasons[reason] += from->reasons[reason];
}

/* Enters a cell's result in the shared counts and gives each chunk its place in the spill. chunks: what is known of
 * them already; there they are left as they were entered. */
static enum vxb_status enter_cell(struct vxbi_making *m, const struct vxbi_cell_result *cell,
                                  struct vxbi_field_chunk chunks[VXB_SPECIES_MAX], struct vxb_error *err)
{
    const bool inside = vxbi_making_keeps(m, cell->cell_x, cell->cell_z);
    enum vxb_status status = VXB_OK;
    vxbi_mutex_lock(m->lock);
    for (uint32_t k = 0; k < m->field->plan->species_count && !status; k++) {
        const struct vxbi_cell_species *from = &cell->species[k];
        struct vxbi_field_section *section = &m->field->sections[k];
        section->survivors += placed(from);
        if (inside)
            add_to_ledger(&section->ledger, from);
        if (m->ranks[k].counts && from->records)
            vxbi_ranks_add(&m->ranks[k], from->records, from->count);
        if (from->count == 0)
            continue;
        if (!m->passing) {
            chunks[k] = chunk_of(cell, k);
            chunks[k].spill_offset = m->spill_end;
            m->spill_end += (uint64_t)from->count * (VXB_GRASS_RECORD_BYTES + (m->ranks[k].counts ? 4u : 0u));
        }
        status = add_chunk(m, section, &chunks[k], err);
    }
    m->done++;
    vxbi_mutex_unlock(m->lock);
    return status;
}

static enum vxb_status spill_cell(struct vxbi_making *m, const struct vxbi_cell_result *cell,
                                  const struct vxbi_field_chunk chunks[VXB_SPECIES_MAX], struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    for (uint32_t k = 0; k < m->field->plan->species_count && !status; k++) {
        const struct vxbi_cell_species *from = &cell->species[k];
        const uint64_t size = (uint64_t)from->count * VXB_GRASS_RECORD_BYTES;
        if (from->count == 0)
            continue;
        status = vxbi_spill_write_at(m->field->spill, chunks[k].spill_offset, from->records, (size_t)size, err);
        for (uint32_t i = 0; i < from->count && m->ranks[k].counts && !status;) {
            uint8_t bytes[4096];
            uint32_t n = 0;
            for (; n < sizeof bytes / 4 && i + n < from->count; n++)
                vxbi_store_u32(bytes + (size_t)4 * n, from->hashes[i + n]);
            status = vxbi_spill_write_at(m->field->spill, chunks[k].spill_offset + size + (uint64_t)i * 4, bytes,
                                         (size_t)4 * n, err);
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

static enum vxb_status fail_count(const struct vxbi_making *m, uint32_t k, const struct vxbi_cell_result *cell,
                                  uint32_t counted, struct vxb_error *err)
{
    if (m->field->found)
        return vxbi_fail(err, m->source->cpu ? VXB_ERR_BUG : VXB_ERR_DEVICE,
                         "cell %" PRId32 ", %" PRId32 " has no blades now, and had some when they were looked for: "
                         "the machine's memory may be at fault",
                         cell->cell_x, cell->cell_z);
    return vxbi_fail(err, m->source->cpu ? VXB_ERR_BUG : VXB_ERR_DEVICE,
                     "cell %" PRId32 ", %" PRId32 " has %" PRIu32 " blades of species \"%s\" now, and had %" PRIu32
                     " when they were counted: %s",
                     cell->cell_x, cell->cell_z, cell->species[k].count, m->field->plan->species[k].recipe->name,
                     counted,
                     m->source->cpu ? "the machine's memory may be at fault"
                                    : "the device, its driver or its memory is at fault; bake on another device, or "
                                      "on the cpu");
}

/* Whether a cell has other blades now than the field was told before; a budget may have left nothing of them. */
static bool is_other(const struct vxbi_making *m, const struct vxbi_field_chunk *chunk, uint32_t species,
                     uint32_t count)
{
    if (m->field->found)
        return !chunk || count == 0;
    return chunk ? count != chunk->spilled : count && !m->field->sections[species].cut.binds;
}

/* What a found field learns of a chunk. */
static void know_chunk(struct vxbi_making *m, struct vxbi_field_chunk *chunk, const struct vxbi_cell_species *from)
{
    chunk->spilled = chunk->blade_count = from->count;
    vxbi_mutex_lock(m->lock);
    m->field->sections[0].survivors += from->count;
    add_to_ledger(&m->field->sections[0].ledger, from);
    vxbi_mutex_unlock(m->lock);
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
            if (is_other(m, chunk, k, from->count))
                return fail_count(m, k, &cells[i], chunk ? chunk->spilled : 0, err);
            if (!chunk)
                continue;
            if (m->field->found)
                know_chunk(m, chunk, from);
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

/* Of a cell that is no more than looked at. */
static enum vxb_status find_cell(struct vxbi_making *m, const struct vxbi_cell_result *cell, struct vxb_error *err)
{
    const struct vxbi_cell_species *from = &cell->species[0];
    const struct vxbi_field_chunk chunk = {.cell_x = cell->cell_x, .cell_z = cell->cell_z};
    enum vxb_status status = VXB_OK;
    vxbi_mutex_lock(m->lock);
    if (from->count)
        status = add_chunk(m, &m->field->sections[0], &chunk, err);
    else
        add_to_ledger(&m->field->sections[0].ledger, from);
    vxbi_mutex_unlock(m->lock);
    return status;
}

/* Hands over what is new to the field, and enters it. */
static enum vxb_status pass_cell(struct vxbi_making *m, const struct vxbi_cell_result *cell, struct vxb_error *err)
{
    struct vxbi_field_chunk chunks[VXB_SPECIES_MAX];
    enum vxb_status status = VXB_OK;
    for (uint32_t k = 0; k < m->field->plan->species_count && !status; k++) {
        struct vxbi_field_chunk *const chunk = &chunks[k];
        chunks[k] = chunk_of(cell, k);
        if (cell->species[k].count)
            status = m->taker->take(m->taker->user, k, &chunk, &cell->species[k].records, 1, err);
    }
    return status ? status : enter_cell(m, cell, chunks, err);
}

/* Of a cell that was counted already: what a budget that has to choose surely keeps of it, and what it may keep. */
static enum vxb_status cut_cell(struct vxbi_making *m, const struct vxbi_cell_result *cell, struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    for (uint32_t k = 0; k < m->field->plan->species_count && !status; k++) {
        const struct vxbi_cell_species *from = &cell->species[k];
        struct vxbi_field_chunk *chunk = vxbi_field_chunk_at(&m->field->sections[k], cell->cell_x, cell->cell_z);
        if (!chunk || !vxbi_making_over_budget(m->field, k))
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

bool vxbi_making_wants_reasons(const struct vxbi_making *m)
{
    return !m->taker || m->passing || m->field->found;
}

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
    struct vxbi_field_chunk chunks[VXB_SPECIES_MAX];
    enum vxb_status status = VXB_OK;
    if (m->taker && !m->passing)
        return hand_over(m, cells, count, err);
    for (uint32_t i = 0; i < count && !status; i++) {
        if (m->passing) {
            status = pass_cell(m, &cells[i], err);
        } else if (m->wants == VXBI_WANTS_ANY) {
            status = find_cell(m, &cells[i], err);
        } else if (m->wants == VXBI_WANTS_TIES) {
            status = cut_cell(m, &cells[i], err);
        } else {
            status = enter_cell(m, &cells[i], chunks, err);
            if (!status && m->field->spill)
                status = spill_cell(m, &cells[i], chunks, err);
        }
    }
    return status;
}

const struct vxbi_scatter *vxbi_making_scatter(const struct vxbi_making *m) { return &m->scatter; }

const struct vxbi_reason_sink *vxbi_making_sink(const struct vxbi_making *m, uint64_t cell)
{
    const struct vxb_plan *plan = m->field->plan;
    const int32_t x = plan->cell_x0 + (int32_t)(cell % plan->cells_x);
    const int32_t z = plan->cell_z0 + (int32_t)(cell / plan->cells_x);
    return vxbi_making_keeps(m, x, z) ? m->sink : NULL;
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
    if (m->taker && m->taker->give_up)
        m->taker->give_up(m->taker->user);
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
