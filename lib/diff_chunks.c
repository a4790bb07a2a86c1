/* The chunks of one species in two files: one walk over both tables, which ascend by cell, and where a cell is in
 * both, its blades matched by place. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "diff_work.h"

/* A file's chunks of the species, in windows. */
struct side {
    const struct vxb_grass *grass;
    struct vxb_grass_chunk window[VXBI_GRASS_WINDOW];
    uint32_t next, end;   /* chunks of the file still to read into the window */
    uint32_t at, count;   /* in the window */
    struct vxb_grass_scratch *scratch;
    uint8_t *records;
    uint64_t room;
};

static void begin(struct side *s, const struct vxb_grass *grass, uint32_t section)
{
    memset(s, 0, sizeof *s);
    s->grass = grass;
    if (section == VXBI_DIFF_NONE)
        return;
    s->next = grass->sections[section].first_chunk;
    s->end = s->next + grass->sections[section].chunk_count;
}

static void end(struct side *s, const struct vxb_allocator *allocator)
{
    vxb_grass_scratch_free(s->scratch);
    vxbi_delete(allocator, s->records, s->room, 1);
}

/* The chunk that is looked at, NULL after the last. */
static enum vxb_status look(struct side *s, struct vxb_grass_chunk **out, struct vxb_error *err)
{
    *out = NULL;
    if (s->at == s->count && s->next < s->end) {
        s->count = s->end - s->next < VXBI_GRASS_WINDOW ? s->end - s->next : VXBI_GRASS_WINDOW;
        s->at = 0;
        enum vxb_status status = vxbi_grass_entries(s->grass, s->next, s->count, s->window, NULL, NULL, err);
        if (status)
            return status;
        s->next += s->count;
    }
    if (s->at < s->count)
        *out = &s->window[s->at];
    return VXB_OK;
}

static enum vxb_status load(struct side *s, struct vxb_grass_chunk *chunk, const struct vxb_allocator *allocator,
                            struct vxb_error *err)
{
    const uint64_t size = (uint64_t)chunk->blade_count * VXB_GRASS_RECORD_BYTES;
    if (size > s->grass->max_memory)
        return vxbi_fail_max_memory(err, s->grass->max_memory, "a chunk takes %" PRIu64 " bytes", size);
    if (size > s->room) {
        vxbi_delete(allocator, s->records, s->room, 1);
        s->records = vxbi_new(allocator, size, 1);
        s->room = s->records ? size : 0;
        if (!s->records)
            return vxbi_fail_memory(err, size);
    }
    enum vxb_status status = vxbi_grass_read_entry(s->grass, chunk, s->records, (size_t)s->room, &s->scratch, err);
    return status ? vxbi_error_in(err, status, s->grass->name, NULL) : VXB_OK;
}

static void list(struct vxbi_diff *d, const struct vxb_diff_chunk *chunk, struct vxb_error *err)
{
    struct vxb_diff_report *r = &d->report;
    if (r->chunk_count == d->max_chunks || d->status)
        return;
    if (r->chunk_count == d->chunk_room) {
        uint32_t room = d->chunk_room ? 2 * d->chunk_room : 16;
        struct vxb_diff_chunk *grown = vxbi_resize(&d->allocator, d->chunks, d->chunk_room, room, sizeof *grown);
        if (!grown) {
            d->status = vxbi_fail_memory(err, room * sizeof *grown);
            return;
        }
        r->chunks = d->chunks = grown;
        d->chunk_room = room;
    }
    d->chunks[r->chunk_count++] = *chunk;
}

/* By place, then by all else: bytes 0 to 3 are x and z. */
static int compare_records(const void *a, const void *b)
{
    return memcmp(a, b, VXB_GRASS_RECORD_BYTES);
}

static const uint8_t *blade(const uint8_t *records, uint32_t index)
{
    return records + (size_t)index * VXB_GRASS_RECORD_BYTES;
}

/* How many blades from index on stand at its place. */
static uint32_t run(const uint8_t *records, uint32_t index, uint32_t count)
{
    uint32_t n = 1;
    while (index + n < count && memcmp(blade(records, index), blade(records, index + n), 4) == 0)
        n++;
    return n;
}

/* Blades of one place that are equal in both. */
static uint32_t equal_in(const uint8_t *a, uint32_t na, const uint8_t *b, uint32_t nb)
{
    uint32_t i = 0, j = 0, equal = 0;
    while (i < na && j < nb) {
        int order = compare_records(blade(a, i), blade(b, j));
        equal += order == 0;
        i += order <= 0;
        j += order >= 0;
    }
    return equal;
}

/* Both chunks' records are sorted by it. */
static void match_blades(uint8_t *a, uint8_t *b, struct vxb_diff_chunk *out)
{
    uint32_t i = 0, j = 0;
    qsort(a, out->blades_a, VXB_GRASS_RECORD_BYTES, compare_records);
    qsort(b, out->blades_b, VXB_GRASS_RECORD_BYTES, compare_records);
    while (i < out->blades_a || j < out->blades_b) {
        int order = i == out->blades_a ? 1 : j == out->blades_b ? -1 : memcmp(blade(a, i), blade(b, j), 4);
        uint32_t na = order <= 0 ? run(a, i, out->blades_a) : 0, nb = order >= 0 ? run(b, j, out->blades_b) : 0;
        uint32_t equal = na && nb ? equal_in(blade(a, i), na, blade(b, j), nb) : 0;
        uint32_t changed = (na < nb ? na : nb) - equal;
        out->changed += changed;
        out->lost += na - equal - changed;
        out->added += nb - equal - changed;
        i += na;
        j += nb;
    }
}

static enum vxb_status compare_both(struct vxbi_diff *d, uint32_t k, struct side sides[2],
                                    struct vxb_grass_chunk *const chunks[2], struct vxb_error *err)
{
    struct vxb_diff_counts *counts = &d->report.species[k].counts;
    enum vxb_status status = VXB_OK;
    for (int f = 0; f < 2 && !status; f++)
        status = load(&sides[f], chunks[f], &d->allocator, err);
    if (status)
        return status;
    const struct vxb_grass_chunk *a = chunks[0], *b = chunks[1];
    struct vxb_diff_chunk out = {.species = k, .cell_x = a->cell_x, .cell_z = a->cell_z, .in_a = true, .in_b = true,
                                 .blades_a = a->blade_count, .blades_b = b->blade_count};
    out.heights =
        vxbi_f32_bits(a->min_y) != vxbi_f32_bits(b->min_y) || vxbi_f32_bits(a->max_y) != vxbi_f32_bits(b->max_y);
    const bool same = a->blade_count == b->blade_count &&
                      memcmp(sides[0].records, sides[1].records, (size_t)a->blade_count * VXB_GRASS_RECORD_BYTES) == 0;
    if (!same)
        match_blades(sides[0].records, sides[1].records, &out);
    counts->blades_equal += out.blades_a - out.changed - out.lost;
    counts->blades_changed += out.changed;
    counts->blades_lost += out.lost;
    counts->blades_added += out.added;
    /* The same blades in another order are another chunk, too. */
    if (same && !out.heights) {
        counts->chunks_equal++;
    } else {
        counts->chunks_changed++;
        list(d, &out, err);
    }
    return d->status;
}

static void count_single(struct vxbi_diff *d, uint32_t k, int f, const struct vxb_grass_chunk *chunk,
                         struct vxb_error *err)
{
    struct vxb_diff_counts *counts = &d->report.species[k].counts;
    struct vxb_diff_chunk out = {.species = k, .cell_x = chunk->cell_x, .cell_z = chunk->cell_z, .in_a = f == 0,
                                 .in_b = f == 1};
    if (f == 0) {
        out.blades_a = out.lost = chunk->blade_count;
        counts->chunks_lost++;
        counts->blades_lost += chunk->blade_count;
    } else {
        out.blades_b = out.added = chunk->blade_count;
        counts->chunks_added++;
        counts->blades_added += chunk->blade_count;
    }
    list(d, &out, err);
}

static int compare_cells(const struct vxb_grass_chunk *a, const struct vxb_grass_chunk *b)
{
    if (a->cell_z != b->cell_z)
        return a->cell_z < b->cell_z ? -1 : 1;
    return a->cell_x == b->cell_x ? 0 : a->cell_x < b->cell_x ? -1 : 1;
}

static enum vxb_status walk(struct vxbi_diff *d, uint32_t k, struct side sides[2], struct vxb_error *err)
{
    const struct vxb_env *env = d->env;
    for (;;) {
        struct vxb_grass_chunk *chunks[2];
        enum vxb_status status = look(&sides[0], &chunks[0], err);
        if (!status)
            status = look(&sides[1], &chunks[1], err);
        if (!status && env && env->cancelled && env->cancelled(env->user))
            status = vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
        if (status || (!chunks[0] && !chunks[1]))
            return status;
        int order = !chunks[0] ? 1 : !chunks[1] ? -1 : compare_cells(chunks[0], chunks[1]);
        if (order == 0) {
            status = compare_both(d, k, sides, chunks, err);
        } else {
            /* Also a chunk that is in one file only must be sound. */
            int f = order < 0 ? 0 : 1;
            status = load(&sides[f], chunks[f], &d->allocator, err);
            if (!status)
                count_single(d, k, f, chunks[f], err);
        }
        if (status || d->status)
            return status ? status : d->status;
        sides[0].at += order <= 0;
        sides[1].at += order >= 0;
    }
}

enum vxb_status vxbi_diff_chunks(struct vxbi_diff *d, uint32_t k, struct vxb_error *err)
{
    struct side *sides = vxbi_new(&d->allocator, 2, sizeof *sides);
    if (!sides)
        return vxbi_fail_memory(err, 2 * sizeof *sides);
    for (int f = 0; f < 2; f++)
        begin(&sides[f], d->files[f], d->sections[k][f]);
    enum vxb_status status = walk(d, k, sides, err);
    for (int f = 0; f < 2; f++)
        end(&sides[f], &d->allocator);
    vxbi_delete(&d->allocator, sides, 2, sizeof *sides);
    return status;
}
