/* Budgets by histogram. Ranks below the cut are kept, ranks above it are not; of those on it, about one blade in 65536,
 * the hashes are read back and compared. */
#include "budget.h"

#include <stdlib.h>

#include "../core/bytes.h"

void vxbi_ranks_add(struct vxbi_ranks *ranks, const uint8_t *records, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t rank = vxbi_load_u16(records + (size_t)i * VXB_GRASS_RECORD_BYTES + 14);
        if (rank > ranks->most)
            break; /* they ascend */
        ranks->counts[rank]++;
        ranks->total++;
    }
    while (ranks->most > 0 && ranks->total - ranks->counts[ranks->most] >= ranks->budget)
        ranks->total -= ranks->counts[ranks->most--];
}

void vxbi_ranks_foresee(struct vxbi_ranks *ranks, const uint64_t *counts)
{
    uint64_t total = 0;
    uint32_t rank = 0;
    while (rank < ranks->most && (total += counts[rank]) < ranks->budget)
        rank++;
    ranks->most = rank;
}

static int compare_ties(const void *a, const void *b)
{
    const struct vxbi_tie *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    if (x->cell_z != y->cell_z)
        return x->cell_z < y->cell_z ? -1 : 1;
    return (x->cell_x > y->cell_x) - (x->cell_x < y->cell_x);
}

/* How many of a chunk's spilled blades have a rank below rank: a binary search down to a block, read at once. */
static enum vxb_status count_below(const struct vxbi_field *field, const struct vxbi_field_chunk *chunk, uint32_t rank,
                                   uint32_t *count, struct vxb_error *err)
{
    enum { BLOCK = 256 };
    uint8_t bytes[BLOCK * VXB_GRASS_RECORD_BYTES];
    uint32_t low = 0, high = chunk->spilled;
    while (low < high) {
        bool last = high - low <= BLOCK;
        uint32_t n = last ? high - low : 1, first = last ? low : low + (high - low) / 2, i = 0;
        enum vxb_status status =
            vxbi_spill_read_at(field->spill, chunk->spill_offset + (uint64_t)first * VXB_GRASS_RECORD_BYTES, bytes,
                               (size_t)n * VXB_GRASS_RECORD_BYTES, err);
        if (status)
            return status;
        while (i < n && vxbi_load_u16(bytes + (size_t)i * VXB_GRASS_RECORD_BYTES + 14) < rank)
            i++;
        if (last)
            low = high = first + i;
        else if (i)
            low = first + 1;
        else
            high = first;
    }
    *count = low;
    return VXB_OK;
}

enum vxb_status vxbi_ties_add(const struct vxb_allocator *allocator, struct vxbi_ties *ties, struct vxbi_tie tie,
                              struct vxb_error *err)
{
    if (ties->count == ties->room) {
        uint64_t room = ties->room ? 2 * ties->room : 256;
        struct vxbi_tie *data = vxbi_resize(allocator, ties->data, ties->room, room, sizeof *data);
        if (!data)
            return vxbi_fail_memory(err, room * sizeof *data);
        ties->data = data;
        ties->room = room;
    }
    ties->data[ties->count++] = tie;
    return VXB_OK;
}

void vxbi_ties_clear(const struct vxb_allocator *allocator, struct vxbi_ties *ties)
{
    vxbi_delete(allocator, ties->data, ties->room, sizeof *ties->data);
    *ties = (struct vxbi_ties){0};
}

static enum vxb_status add_ties(const struct vxbi_field *field, const struct vxbi_field_chunk *chunk, uint32_t first,
                                uint32_t end, struct vxbi_ties *ties, struct vxb_error *err)
{
    const uint64_t hashes = chunk->spill_offset + (uint64_t)chunk->spilled * VXB_GRASS_RECORD_BYTES;
    for (uint32_t i = first; i < end; i++) {
        uint8_t bytes[4];
        enum vxb_status status = vxbi_spill_read_at(field->spill, hashes + (uint64_t)i * 4, bytes, sizeof bytes, err);
        if (status)
            return status;
        const struct vxbi_tie tie = {vxbi_load_u32(bytes), chunk->cell_z, chunk->cell_x};
        if ((status = vxbi_ties_add(&field->allocator, ties, tie, err)) != VXB_OK)
            return status;
    }
    return VXB_OK;
}

/* Counts what lies below the cut in blade_count, and collects what lies on it, which vxbi_budget_cut() adds. */
static enum vxb_status split_chunks(const struct vxbi_field *field, struct vxbi_field_section *section, uint32_t cut,
                                    struct vxbi_ties *ties, struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    for (uint64_t i = 0; i < section->count && !status; i++) {
        struct vxbi_field_chunk *chunk = &section->chunks[i];
        uint32_t end;
        status = count_below(field, chunk, cut, &chunk->blade_count, err);
        if (!status)
            status = count_below(field, chunk, cut + 1, &end, err);
        if (!status)
            status = add_ties(field, chunk, chunk->blade_count, end, ties, err);
    }
    return status;
}

/* Chunks that keep a blade move forward in order, past the others. */
static void drop_empty(struct vxbi_field_section *section)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < section->count; i++) {
        if (section->chunks[i].blade_count == 0)
            continue;
        struct vxbi_field_chunk chunk = section->chunks[i];
        section->chunks[i] = section->chunks[kept];
        section->chunks[kept++] = chunk;
    }
    section->dropped = section->count - kept;
    section->count = kept;
}

static void keep_none(struct vxbi_field_section *section)
{
    section->cut = (struct vxbi_cut){.binds = true, .none = true};
    section->dropped = section->count;
    section->count = 0;
    section->rank_limit = 0;
}

/* Counts that agree with the blades make no budget fall short, nor exceed it. */
static enum vxb_status fail_histogram(const struct vxbi_field *field, uint32_t species, bool cpu, struct vxb_error *err)
{
    return vxbi_fail(err, cpu ? VXB_ERR_BUG : VXB_ERR_DEVICE,
                     "species \"%s\" has other blades now than when its ranks were counted: %s",
                     field->plan->species[species].recipe->name,
                     cpu ? "the machine's memory may be at fault"
                         : "the device, its driver or its memory is at fault; bake on another device, or on the cpu");
}

static uint64_t ranked_below(const struct vxbi_ranks *ranks, uint32_t end)
{
    uint64_t below = 0;
    for (uint32_t rank = 0; rank < end; rank++)
        below += ranks->counts[rank];
    return below;
}

/* How many of the blades on the cut belong to the budget. */
static uint64_t missing(const struct vxbi_ranks *ranks) { return ranks->budget - ranked_below(ranks, ranks->most); }

/* Keeps so many of the ties, above 0, with all that is below them. */
static void keep_lowest(struct vxbi_field_section *section, uint32_t rank, struct vxbi_ties *ties, uint64_t count)
{
    qsort(ties->data, (size_t)ties->count, sizeof *ties->data, compare_ties);
    for (uint64_t i = 0; i < count; i++)
        vxbi_field_chunk_at(section, ties->data[i].cell_x, ties->data[i].cell_z)->blade_count++;
    drop_empty(section);
    section->rank_limit = (uint16_t)rank;
    const struct vxbi_tie *last = &ties->data[count - 1];
    section->cut = (struct vxbi_cut){.binds = true, .rank = rank, .hash = last->hash, .cell_z = last->cell_z,
                                     .cell_x = last->cell_x};
}

enum vxb_status vxbi_budget_cut_counted(struct vxbi_field *field, uint32_t species, const struct vxbi_ranks *ranks,
                                        struct vxbi_ties *ties, bool cpu, struct vxb_error *err)
{
    struct vxbi_field_section *section = &field->sections[species];
    uint64_t below = 0;
    if (ranked_below(ranks, VXBI_RANKS) != section->survivors)
        return fail_histogram(field, species, cpu, err);
    if (section->survivors <= ranks->budget)
        return VXB_OK;
    if (ranks->budget == 0) {
        keep_none(section);
        return VXB_OK;
    }
    for (uint64_t i = 0; i < section->count; i++)
        below += section->chunks[i].blade_count;
    if (below != ranked_below(ranks, ranks->most) || ties->count != ranks->counts[ranks->most])
        return fail_histogram(field, species, cpu, err);
    keep_lowest(section, ranks->most, ties, missing(ranks));
    return VXB_OK;
}

enum vxb_status vxbi_budget_cut(struct vxbi_field *field, uint32_t species, const struct vxbi_ranks *ranks, bool cpu,
                                struct vxb_error *err)
{
    struct vxbi_field_section *section = &field->sections[species];
    /* Of those who survive, none is above what was foreseen. */
    if (section->survivors <= ranks->budget)
        return ranks->total == section->survivors ? VXB_OK : fail_histogram(field, species, cpu, err);
    if (ranks->budget == 0) {
        keep_none(section);
        return VXB_OK;
    }
    /* vxbi_ranks_add() left most at the cut: below it there are fewer than the budget, with it at least as many. */
    struct vxbi_ties ties = {0};
    enum vxb_status status = split_chunks(field, section, ranks->most, &ties, err);
    if (!status && ties.count < missing(ranks))
        status = fail_histogram(field, species, cpu, err);
    if (!status)
        keep_lowest(section, ranks->most, &ties, missing(ranks));
    vxbi_ties_clear(&field->allocator, &ties);
    return status;
}

bool vxbi_cut_keeps(const struct vxbi_cut *cut, uint32_t rank, uint32_t hash, int32_t cell_z, int32_t cell_x)
{
    const struct vxbi_tie blade = {hash, cell_z, cell_x}, last = {cut->hash, cut->cell_z, cut->cell_x};
    if (!cut->binds || cut->none)
        return !cut->binds;
    return rank != cut->rank ? rank < cut->rank : compare_ties(&blade, &last) <= 0;
}
