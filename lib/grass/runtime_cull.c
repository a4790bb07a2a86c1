/* One pass over the chunks, then commands. The pass decides everything that is decided a chunk: visible, LOD,
 * instances; what follows only orders. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../core/alloc.h"
#include "../core/env.h"
#include "../core/error.h"
#include "../core/text.h"
#include "ring.h"
#include "runtime.h"

enum { LODS_MAX = 8, PASSES_MAX = 4 };

/* It goes into an indirect buffer as it is. */
_Static_assert(sizeof(struct vxb_draw_command) == VXB_RUNTIME_COMMAND_BYTES, "a command has gaps");

/* A chunk that has a command a pass. */
struct drawn {
    float distance;
    int32_t z, x;
    uint32_t section, chunk, lod, instances, first_instance;
};

/* A cell of the field, and the first instance of its slot. */
struct resident {
    uint32_t cell, first_instance;
};

struct vxb_culler {
    struct vxb_allocator allocator;
    const struct vxb_runtime *runtime;
    uint32_t max_commands;
    struct drawn *drawn, *nearest; /* in table order; the same by distance where some are refused */
    uint32_t drawn_count;
    struct vxb_draw_command *commands;
    uint32_t *chunks;              /* of each command */
    uint64_t command_room;
    struct resident *resident;     /* the field's cells that have a slot, by (z, x) */
    uint32_t resident_count;
    struct vxb_draw_batch batches[VXB_GRASS_SECTIONS_MAX * PASSES_MAX * LODS_MAX];
    struct vxb_cull_result result;
};

enum vxb_status vxb_culler_new(const struct vxb_env *env, const struct vxb_runtime *runtime, struct vxb_culler **out,
                               struct vxb_error *err)
{
    enum vxb_status wrong = vxbi_check_env(env, err);
    if (wrong)
        return wrong;
    struct vxb_allocator allocator = vxbi_allocator(env);
    struct vxb_culler *culler = vxbi_new_zero(&allocator, 1, sizeof *culler);
    if (!culler)
        return vxbi_fail_memory(err, sizeof *culler);
    const uint64_t chunks = runtime->chunk_count ? runtime->chunk_count : 1;
    uint64_t most = 0;
    for (uint32_t k = 0; k < runtime->section_count; k++)
        most += runtime->sections[k].command_count;
    culler->allocator = allocator;
    culler->runtime = runtime;
    culler->max_commands = vxb_grass_header(runtime->grass)->max_commands;
    most = most < culler->max_commands ? most : culler->max_commands;
    culler->command_room = most ? most : 1;
    culler->drawn = vxbi_new(&allocator, chunks, sizeof *culler->drawn);
    culler->nearest = vxbi_new(&allocator, chunks, sizeof *culler->nearest);
    culler->commands = vxbi_new(&allocator, culler->command_room, sizeof *culler->commands);
    culler->chunks = vxbi_new(&allocator, culler->command_room, sizeof *culler->chunks);
    culler->resident = vxbi_new(&allocator, chunks, sizeof *culler->resident);
    if (!culler->drawn || !culler->nearest || !culler->resident || !culler->commands || !culler->chunks) {
        uint64_t bytes = culler->command_room * sizeof *culler->commands;
        vxb_culler_free(culler);
        return vxbi_fail_memory(err, bytes);
    }
    *out = culler;
    return VXB_OK;
}

void vxb_culler_free(struct vxb_culler *culler)
{
    if (!culler)
        return;
    struct vxb_allocator allocator = culler->allocator;
    const uint64_t chunks = culler->runtime->chunk_count ? culler->runtime->chunk_count : 1;
    vxbi_delete(&allocator, culler->drawn, chunks, sizeof *culler->drawn);
    vxbi_delete(&allocator, culler->nearest, chunks, sizeof *culler->nearest);
    vxbi_delete(&allocator, culler->commands, culler->command_room, sizeof *culler->commands);
    vxbi_delete(&allocator, culler->chunks, culler->command_room, sizeof *culler->chunks);
    vxbi_delete(&allocator, culler->resident, chunks, sizeof *culler->resident);
    vxbi_delete(&allocator, culler, 1, sizeof *culler);
}

uint32_t vxb_rank_prefix(const uint16_t *ranks, uint32_t count, float keep, float density, uint16_t rank_limit)
{
    const float kept = keep * density;
    const uint64_t part = kept > 0.0f ? (uint32_t)rintf((kept < 1.0f ? kept : 1.0f) * 65536.0f) : 0;
    const uint64_t end = part * ((uint64_t)rank_limit + 1) >> 16;
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ranks[middle] < end)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- the pass ---- */

static float distance_to(const struct vxbi_box *box, const float position[3])
{
    float sum = 0.0f;
    for (int i = 0; i < 3; i++) {
        float p = position[i];
        float d = p < box->low[i] ? box->low[i] - p : p > box->high[i] ? p - box->high[i] : 0.0f;
        sum += d * d;
    }
    return sqrtf(sum);
}

/* Whether all of the box is on a plane's outer side: its corner farthest along the normal is. */
static bool is_outside(const struct vxbi_box *box, const struct vxb_plane *plane)
{
    float sum = plane->d;
    for (int i = 0; i < 3; i++)
        sum += plane->normal[i] * (plane->normal[i] >= 0.0f ? box->high[i] : box->low[i]);
    return sum < 0.0f;
}

static bool is_visible(const struct vxbi_box *box, const struct vxb_view *view, float distance)
{
    if (!(distance <= view->range))
        return false;
    for (uint32_t i = 0; i < view->plane_count; i++)
        if (is_outside(box, &view->planes[i]))
            return false;
    return true;
}

/* What of a visible chunk is drawn; false: nothing. */
static bool choose(const struct vxb_runtime *runtime, const struct vxb_view *view, uint32_t chunk, float distance,
                   struct drawn *out)
{
    const struct vxb_grass_chunk *c = &runtime->chunks[chunk];
    const struct vxb_runtime_section *s = &runtime->sections[c->section];
    for (uint32_t lod = 0; lod < s->lod_count; lod++) {
        const struct vxb_grass_lod *l = vxb_grass_lod(runtime->grass, s->first_lod + lod);
        if (l->distance < distance)
            continue;
        uint32_t instances = vxb_rank_prefix(runtime->ranks + c->first_blade, c->blade_count, l->keep, view->density,
                                             s->rank_limit);
        *out = (struct drawn){.distance = distance, .z = c->cell_z, .x = c->cell_x, .section = c->section,
                              .chunk = chunk, .lod = lod, .instances = instances};
        return instances > 0 && s->pass_count > 0;
    }
    return false;
}

/* Tests one chunk and counts it. first_instance: of its first blade. */
static void take_chunk(struct vxb_culler *culler, const struct vxb_view *view, uint32_t chunk, uint32_t first_instance)
{
    const struct vxb_runtime *runtime = culler->runtime;
    const struct vxbi_box *box = &runtime->boxes[chunk];
    struct vxb_cull_counts *counts = &culler->result.sections[runtime->chunks[chunk].section];
    counts->chunks_tested++;
    float distance = distance_to(box, view->position);
    if (!is_visible(box, view, distance))
        return;
    counts->chunks_visible++;
    struct drawn *drawn = &culler->drawn[culler->drawn_count];
    if (!choose(runtime, view, chunk, distance, drawn))
        return;
    drawn->first_instance = first_instance;
    culler->drawn_count++;
}

static void walk_chunks(struct vxb_culler *culler, const struct vxb_view *view)
{
    const struct vxb_runtime *runtime = culler->runtime;
    for (uint32_t i = 0; i < runtime->chunk_count; i++)
        take_chunk(culler, view, i, runtime->chunks[i].first_blade);
}

/* Strip by strip, so that a ring is not asked for every cell of a large field. */
static void find_resident(struct vxb_culler *culler, const struct vxb_ring *ring)
{
    const struct vxb_runtime *runtime = culler->runtime;
    culler->resident_count = 0;
    for (uint32_t s = 0; s < ring->strip_count; s++) {
        const struct vxbi_ring_strip *strip = &ring->strips[s];
        const int32_t x0 = strip->word * VXBI_RING_STRIP_CELLS;
        uint32_t i = strip->resident ? vxbi_runtime_cell_from(runtime, x0, strip->z) : runtime->cell_count;
        for (; i < runtime->cell_count; i++) {
            const struct vxbi_runtime_cell *cell = &runtime->cells[i];
            uint32_t slot;
            if (cell->z != strip->z || cell->x - x0 >= VXBI_RING_STRIP_CELLS)
                break;
            if (vxb_ring_try_slot(ring, cell->x, cell->z, &slot))
                culler->resident[culler->resident_count++] = (struct resident){i, slot * runtime->slot_blades};
        }
    }
}

/* In table order: section by section, and a section's chunks are by (z, x) as the cells are. */
static void walk_resident(struct vxb_culler *culler, const struct vxb_view *view)
{
    const struct vxb_runtime *runtime = culler->runtime;
    for (uint32_t k = 0; k < runtime->section_count; k++)
        for (uint32_t i = 0; i < culler->resident_count; i++) {
            const struct resident *resident = &culler->resident[i];
            uint32_t chunk = runtime->cells[resident->cell].chunk[k];
            if (chunk != VXBI_NO_CHUNK)
                take_chunk(culler, view, chunk, resident->first_instance + runtime->before_in_cell[chunk]);
        }
}

/* ---- the limit ---- */

static int by_distance(const void *a, const void *b)
{
    const struct drawn *x = a, *y = b;
    if (x->distance < y->distance || x->distance > y->distance)
        return x->distance < y->distance ? -1 : 1;
    if (x->z != y->z)
        return x->z < y->z ? -1 : 1;
    if (x->x != y->x)
        return x->x < y->x ? -1 : 1;
    return (x->section > y->section) - (x->section < y->section);
}

static int by_chunk(const void *a, const void *b)
{
    const struct drawn *x = a, *y = b;
    return (x->chunk > y->chunk) - (x->chunk < y->chunk);
}

/* Leaves those that max_commands has room for, in table order. */
static void apply_limit(struct vxb_culler *culler)
{
    const struct vxb_runtime_section *sections = culler->runtime->sections;
    struct vxb_cull_result *result = &culler->result;
    uint64_t all = 0, taken = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < culler->drawn_count; i++)
        all += sections[culler->drawn[i].section].pass_count;
    if (all <= culler->max_commands)
        return;
    memcpy(culler->nearest, culler->drawn, culler->drawn_count * sizeof *culler->drawn);
    qsort(culler->nearest, culler->drawn_count, sizeof *culler->nearest, by_distance);
    for (; kept < culler->drawn_count; kept++) {
        uint32_t passes = sections[culler->nearest[kept].section].pass_count;
        if (taken + passes > culler->max_commands)
            break;
        taken += passes;
    }
    for (uint32_t i = kept; i < culler->drawn_count; i++)
        result->sections[culler->nearest[i].section].refused += sections[culler->nearest[i].section].pass_count;
    qsort(culler->nearest, kept, sizeof *culler->nearest, by_chunk);
    memcpy(culler->drawn, culler->nearest, kept * sizeof *culler->drawn);
    culler->drawn_count = kept;
}

/* ---- commands ---- */

/* The commands of one section, pass and LOD: a batch, where there is one. first, count: the section's in drawn. */
static void make_batch(struct vxb_culler *culler, uint32_t section, uint32_t pass, uint32_t lod, uint32_t first,
                       uint32_t count)
{
    const struct vxb_runtime *runtime = culler->runtime;
    const struct vxb_grass_lod *l = vxb_grass_lod(runtime->grass, runtime->sections[section].first_lod + lod);
    struct vxb_cull_result *result = &culler->result;
    uint32_t at = (uint32_t)result->total.commands, from = at;
    for (uint32_t i = first; i < first + count; i++) {
        const struct drawn *drawn = &culler->drawn[i];
        if (drawn->lod != lod)
            continue;
        culler->chunks[at] = drawn->chunk;
        culler->commands[at++] = (struct vxb_draw_command){
            .index_count = l->index_count, .instance_count = drawn->instances, .first_index = l->first_index,
            .vertex_offset = l->vertex_offset, .first_instance = drawn->first_instance};
        if (pass == 0)
            result->sections[section].blades += drawn->instances;
    }
    if (at > from)
        culler->batches[result->batch_count++] = (struct vxb_draw_batch){section, pass, lod, from, at - from};
    result->sections[section].commands += at - from;
    result->total.commands = at;
}

static void make_commands(struct vxb_culler *culler)
{
    const struct vxb_runtime *runtime = culler->runtime;
    struct vxb_cull_result *result = &culler->result;
    for (uint32_t k = 0, first = 0; k < runtime->section_count; k++) {
        uint32_t end = first;
        while (end < culler->drawn_count && culler->drawn[end].section == k)
            end++;
        result->first_command[k] = (uint32_t)result->total.commands;
        for (uint32_t pass = 0; pass < runtime->sections[k].pass_count; pass++)
            for (uint32_t lod = 0; lod < runtime->sections[k].lod_count; lod++)
                make_batch(culler, k, pass, lod, first, end - first);
        first = end;
        result->total.chunks_tested += result->sections[k].chunks_tested;
        result->total.chunks_visible += result->sections[k].chunks_visible;
        result->total.blades += result->sections[k].blades;
        result->total.refused += result->sections[k].refused;
    }
}

static enum vxb_status check_view(const struct vxb_view *view, struct vxb_error *err)
{
    char text[VXB_TEXT_NUMBER_ROOM];
    for (int i = 0; i < 3; i++)
        if (!isfinite(view->position[i]))
            return vxbi_fail(err, VXB_ERR_USAGE, "the view's %c is %s; it must be a number", "xyz"[i],
                             vxb_text_f32(view->position[i], text));
    if (!(view->range >= 0.0f))
        return vxbi_fail(err, VXB_ERR_USAGE, "the range is %s m; it must not be below 0",
                         vxb_text_f32(view->range, text));
    if (!(view->density >= 0.0f && view->density <= 1.0f))
        return vxbi_fail(err, VXB_ERR_USAGE, "the density is %s; 0 to 1 are allowed",
                         vxb_text_f32(view->density, text));
    if (view->plane_count > 6)
        return vxbi_fail(err, VXB_ERR_USAGE, "the view has %" PRIu32 " planes; at most 6 are allowed",
                         view->plane_count);
    for (uint32_t i = 0; i < view->plane_count; i++) {
        const float *n = view->planes[i].normal;
        if (!isfinite(n[0]) || !isfinite(n[1]) || !isfinite(n[2]) || !isfinite(view->planes[i].d) ||
            !(fabsf(n[0]) + fabsf(n[1]) + fabsf(n[2]) > 0.0f))
            return vxbi_fail(err, VXB_ERR_USAGE, "plane %" PRIu32 "'s normal must be finite and not zero", i);
    }
    return VXB_OK;
}

/* An instance is named by 32 bits. */
static enum vxb_status check_ring(const struct vxb_runtime *runtime, const struct vxb_ring *ring,
                                  struct vxb_error *err)
{
    const uint64_t instances = (uint64_t)1 << 32, blades = runtime->slot_blades;
    if (ring->capacity * blades > instances)
        return vxbi_fail(err, VXB_ERR_LIMIT, "%" PRIu32 " slots of %" PRIu64 " blades are more than the 4294967296 "
                         "instances that commands can name; at most %" PRIu64 " slots are allowed", ring->capacity,
                         blades, instances / blades);
    return VXB_OK;
}

enum vxb_status vxb_cull(struct vxb_culler *culler, const struct vxb_view *view, const struct vxb_ring *ring,
                         const struct vxb_cull_result **out, struct vxb_error *err)
{
    enum vxb_status status = check_view(view, err);
    if (!status && ring)
        status = check_ring(culler->runtime, ring, err);
    if (status)
        return status;
    memset(&culler->result, 0, sizeof culler->result);
    culler->result.commands = culler->commands;
    culler->result.chunks = culler->chunks;
    culler->result.batches = culler->batches;
    culler->drawn_count = 0;
    culler->result.passes_over_chunks++;
    if (ring) {
        find_resident(culler, ring);
        walk_resident(culler, view);
    } else {
        walk_chunks(culler, view);
    }
    apply_limit(culler);
    make_commands(culler);
    *out = &culler->result;
    return VXB_OK;
}
