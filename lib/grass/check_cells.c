/* The rule of cells: however many sections have chunks of a cell, every blade of it was one of its candidates. A
 * section's chunks ascend, so the sections are walked side by side. */
#include <inttypes.h>

#include "../core/env.h"
#include "../core/limits.h"
#include "read.h"

/* Entries of a section that are looked at together. */
enum { WINDOW = 32 };

/* One section's walk. */
struct cursor {
    uint32_t left; /* entries behind the window */
    uint32_t first, at, count; /* the window: its first entry, the one walked to, how many it has */
    struct vxb_grass_chunk entries[WINDOW];
};

/* The sum over the chunks of a cell. */
struct cell {
    int32_t x, z;
    uint64_t blades;
    uint32_t most;  /* of one of them */
    uint32_t index; /* of the last one */
};

uint32_t vxbi_grass_candidates(const struct vxb_grass *grass)
{
    const struct vxb_grass_header *h = &grass->header;
    if (h->bake_revision == 0 || !vxbi_grass_side_is_half(h->cell_size, h->density))
        return UINT32_MAX;
    const float side = vxbi_grass_side(h->cell_size, h->density);
    return !(side <= VXBI_SIDE_MAX) ? UINT32_MAX : side < 1 ? 1 : (uint32_t)side * (uint32_t)side;
}

static const struct vxb_grass_chunk *here(const struct cursor *cursor)
{
    return cursor->at < cursor->count ? &cursor->entries[cursor->at] : NULL;
}

/* Makes the window hold something where entries are left. */
static enum vxb_status fill(const struct vxb_grass *grass, struct cursor *cursor, struct vxb_error *err)
{
    if (here(cursor) || cursor->left == 0)
        return VXB_OK;
    cursor->first += cursor->count;
    cursor->count = cursor->left < WINDOW ? cursor->left : WINDOW;
    cursor->left -= cursor->count;
    cursor->at = 0;
    return vxbi_grass_entries(grass, cursor->first, cursor->count, cursor->entries, NULL, NULL, err);
}

static bool is_before(const struct vxb_grass_chunk *a, const struct vxb_grass_chunk *b)
{
    return a->cell_z < b->cell_z || (a->cell_z == b->cell_z && a->cell_x < b->cell_x);
}

/* Sums over the first cell that any section stands at, and takes those that do a chunk further. False: there is
 * none. */
static enum vxb_status next_cell(const struct vxb_grass *grass, struct cursor *cursors, struct cell *cell, bool *any,
                                 struct vxb_error *err)
{
    const struct vxb_grass_chunk *first = NULL;
    for (uint32_t k = 0; k < grass->header.section_count; k++) {
        const enum vxb_status status = fill(grass, &cursors[k], err);
        const struct vxb_grass_chunk *chunk = here(&cursors[k]);
        if (status)
            return status;
        if (chunk && (!first || is_before(chunk, first)))
            first = chunk;
    }
    *any = first != NULL;
    if (!first)
        return VXB_OK;
    *cell = (struct cell){.x = first->cell_x, .z = first->cell_z};
    for (uint32_t k = 0; k < grass->header.section_count; k++) {
        const struct vxb_grass_chunk *chunk = here(&cursors[k]);
        if (!chunk || chunk->cell_x != cell->x || chunk->cell_z != cell->z)
            continue;
        cell->blades += chunk->blade_count;
        cell->most = chunk->blade_count > cell->most ? chunk->blade_count : cell->most;
        cell->index = cursors[k].first + cursors[k].at++;
    }
    return VXB_OK;
}

static void judge(const struct vxb_grass *grass, const struct cell *cell, uint32_t candidates, struct vxbi_collect *c)
{
    /* Of a chunk that alone has more, it is told already. */
    if (cell->blades <= candidates || cell->most > candidates)
        return;
    c->ordinal = cell->index;
    vxbi_found(c, VXB_FINDING_CHUNK_CANDIDATES,
               grass->layout.chunks + (uint64_t)cell->index * VXB_GRASS_CHUNK_BYTES + VXBI_AT(grass_chunk, blade_count),
               vxbi_pointer(c, "/chunks/%" PRIu32 "/blade_count", cell->index),
               "the chunks of cell (%" PRId32 ", %" PRId32 ") have %" PRIu64 " blades together; by cell size and "
               "density a cell has %" PRIu32 " candidates", cell->x, cell->z, cell->blades, candidates);
    c->ordinal = 0;
}

enum vxb_status vxbi_grass_check_cells(const struct vxb_grass *grass, const struct vxb_env *env,
                                       struct vxbi_collect *c, struct vxb_error *err)
{
    const uint32_t candidates = vxbi_grass_candidates(grass);
    struct cursor cursors[VXB_GRASS_SECTIONS_MAX] = {{0}};
    struct cell cell = {0};
    bool any = true;
    if (grass->header.section_count < 2 || candidates == UINT32_MAX)
        return VXB_OK;
    for (uint32_t k = 0; k < grass->header.section_count; k++) {
        const struct vxb_grass_section *s = &grass->sections[k];
        if ((uint64_t)s->first_chunk + s->chunk_count > grass->header.chunk_count)
            return VXB_OK; /* which is told of the sections */
        cursors[k].first = s->first_chunk;
        cursors[k].left = s->chunk_count;
    }
    for (uint64_t walked = 0; any && !c->stopped; walked++) {
        const enum vxb_status status = next_cell(grass, cursors, &cell, &any, err);
        if (status)
            return status;
        if (any)
            judge(grass, &cell, candidates, c);
        if (walked % VXBI_GRASS_WINDOW == 0 && vxbi_cancelled(env))
            return vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
    }
    return VXB_OK;
}
