/* Loading a field: sections with checked ranges, chunks, cells, and 24-byte records made from the file's 16. */
#include "runtime.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../core/bytes.h"
#include "../core/env.h"
#include "../core/error.h"
#include "../core/limits.h"
#include "../core/text.h"
#include "read.h"

/* ---- records ---- */

/* Between samples in double; the rounded byte. */
static uint8_t sample_stomp(const struct vxb_stomp *stomp, double x, double z)
{
    double u = (x - stomp->x) / stomp->size_x * (stomp->width - 1.0);
    double v = (z - stomp->z) / stomp->size_z * (stomp->height - 1.0);
    u = u > 0.0 ? u < stomp->width - 1.0 ? u : stomp->width - 1.0 : 0.0;
    v = v > 0.0 ? v < stomp->height - 1.0 ? v : stomp->height - 1.0 : 0.0;
    uint32_t i = (uint32_t)u, j = (uint32_t)v;
    uint32_t right = i + 1 < stomp->width ? i + 1 : i, below = j + 1 < stomp->height ? j + 1 : j;
    const uint8_t *top = stomp->samples + (size_t)j * stomp->width;
    const uint8_t *bottom = stomp->samples + (size_t)below * stomp->width;
    double a = top[i] + (u - i) * (top[right] - top[i]);
    double b = bottom[i] + (u - i) * (bottom[right] - bottom[i]);
    return (uint8_t)floor(a + (v - j) * (b - a) + 0.5);
}

void vxbi_runtime_records(const struct vxb_grass_header *header, const double origin[3], const struct vxb_stomp *stomp,
                          const struct vxb_grass_chunk *chunk, const uint8_t *from, uint8_t *to)
{
    for (uint32_t i = 0; i < chunk->blade_count; i++, from += VXB_GRASS_RECORD_BYTES, to += VXB_RUNTIME_RECORD_BYTES) {
        struct vxb_blade blade;
        vxb_grass_decode(header, chunk, from, &blade);
        vxbi_store_u32(to, vxbi_f32_bits((float)(blade.x - origin[0])));
        vxbi_store_u32(to + 4, vxbi_f32_bits((float)(blade.y - origin[1])));
        vxbi_store_u32(to + 8, vxbi_f32_bits((float)(blade.z - origin[2])));
        memcpy(to + 12, from + 6, 8); /* yaw, scale, up, tint, phase */
        memcpy(to + 20, from + 14, 2);
        to[22] = stomp ? sample_stomp(stomp, blade.x, blade.z) : 0;
        to[23] = 0;
    }
}

static void make_records(const struct vxb_runtime *runtime, const struct vxb_grass_chunk *chunk, const uint8_t *from,
                         uint8_t *to)
{
    vxbi_runtime_records(vxb_grass_header(runtime->grass), runtime->options.origin,
                         runtime->stomp.samples ? &runtime->stomp : NULL, chunk, from, to);
}

/* ---- reading chunks ---- */

static enum vxb_status scratch_new(const struct vxb_runtime *runtime, struct vxb_runtime_scratch **out,
                                   struct vxb_error *err)
{
    const struct vxb_allocator *allocator = &runtime->allocator;
    struct vxb_runtime_scratch *scratch = vxbi_new_zero(allocator, 1, sizeof *scratch);
    if (!scratch)
        return vxbi_fail_memory(err, sizeof *scratch);
    scratch->allocator = *allocator;
    scratch->grass = vxbi_grass_scratch_new(allocator);
    if (!scratch->grass) {
        vxb_runtime_scratch_free(scratch);
        return vxbi_fail_memory(err, sizeof *scratch);
    }
    *out = scratch;
    return VXB_OK;
}

void vxb_runtime_scratch_free(struct vxb_runtime_scratch *scratch)
{
    if (!scratch)
        return;
    struct vxb_allocator allocator = scratch->allocator;
    vxb_grass_scratch_free(scratch->grass);
    vxbi_delete(&allocator, scratch->records, 1, scratch->room);
    vxbi_delete(&allocator, scratch, 1, sizeof *scratch);
}

/* The chunk's 16-byte records, in the scratch. */
static enum vxb_status read_chunk(const struct vxb_runtime *runtime, const struct vxb_grass_chunk *chunk,
                                  struct vxb_runtime_scratch *scratch, struct vxb_error *err)
{
    size_t size = (size_t)chunk->blade_count * VXB_GRASS_RECORD_BYTES;
    if (scratch->room < size) {
        vxbi_delete(&scratch->allocator, scratch->records, 1, scratch->room);
        scratch->room = 0;
        scratch->records = vxbi_new(&scratch->allocator, 1, size);
        if (!scratch->records)
            return vxbi_fail_memory(err, size);
        scratch->room = size;
    }
    /* Each time: the scratch may have come from another runtime. */
    vxbi_grass_scratch_skip_hash(scratch->grass, runtime->options.skip_hashes);
    return vxb_grass_read_chunk(runtime->grass, chunk, scratch->records, scratch->room, &scratch->grass, err);
}

/* ---- tables ---- */

/* Each range starts where the one before it ended, and all of them cover everything. The reader has held the file to
 * it; everything below indexes by these. */
static enum vxb_status check_ranges(const struct vxb_runtime *runtime, struct vxb_error *err)
{
    uint64_t chunk = 0, blade = 0, command = 0;
    for (uint32_t k = 0; k < runtime->section_count; k++) {
        const struct vxb_runtime_section *s = &runtime->sections[k];
        if (s->first_chunk != chunk || s->first_blade != blade || s->first_command != command)
            return vxbi_fail(err, VXB_ERR_DATA, "section %" PRIu32 " does not start where the one before it ends", k);
        for (uint32_t i = 0; i < s->chunk_count; i++) {
            const struct vxb_grass_chunk *c = &runtime->chunks[chunk + i];
            if (c->section != k || c->first_blade != blade)
                return vxbi_fail(err, VXB_ERR_DATA, "chunk %" PRIu64 " does not start where the one before it ends",
                                 chunk + i);
            blade += c->blade_count;
        }
        chunk += s->chunk_count;
        command += s->command_count;
        if (blade != (uint64_t)s->first_blade + s->blade_count)
            return vxbi_fail(err, VXB_ERR_DATA, "section %" PRIu32 " does not hold as many blades as its chunks", k);
    }
    if (chunk != runtime->chunk_count || blade != runtime->blade_count)
        return vxbi_fail(err, VXB_ERR_DATA, "the sections do not cover the field");
    return VXB_OK;
}

static void make_sections(struct vxb_runtime *runtime)
{
    uint64_t command = 0;
    for (uint32_t k = 0; k < runtime->section_count; k++) {
        const struct vxb_grass_section *from = vxb_grass_section(runtime->grass, k);
        struct vxb_runtime_section *to = &runtime->sections[k];
        *to = (struct vxb_runtime_section){
            .species_id = from->species_id, .material_id = from->material_id, .material_index = from->material_index,
            .first_chunk = from->first_chunk, .chunk_count = from->chunk_count, .first_blade = from->first_blade,
            .blade_count = from->blade_count, .first_command = command,
            .command_count = (uint64_t)from->chunk_count * from->pass_count, .first_lod = from->first_lod,
            .lod_count = from->lod_count, .pass_count = from->pass_count, .rank_limit = from->rank_limit};
        command += to->command_count;
        for (uint32_t i = 0; i < to->lod_count; i++)
            to->radius = fmaxf(to->radius, vxb_grass_lod(runtime->grass, to->first_lod + i)->mesh_radius);
    }
}

static void make_boxes(struct vxb_runtime *runtime)
{
    const float size = vxb_grass_header(runtime->grass)->cell_size;
    const double *origin = runtime->options.origin;
    for (uint32_t i = 0; i < runtime->chunk_count; i++) {
        const struct vxb_grass_chunk *chunk = &runtime->chunks[i];
        struct vxbi_box *box = &runtime->boxes[i];
        const float grow = chunk->max_scale * runtime->sections[chunk->section].radius;
        box->low[0] = (float)(chunk->cell_x * (double)size - origin[0]);
        box->low[1] = (float)((double)chunk->min_y - origin[1]);
        box->low[2] = (float)(chunk->cell_z * (double)size - origin[2]);
        box->high[0] = box->low[0] + size;
        box->high[1] = (float)((double)chunk->max_y - origin[1]);
        box->high[2] = box->low[2] + size;
        for (int axis = 0; axis < 3; axis++) {
            box->low[axis] -= grow;
            box->high[axis] += grow;
        }
    }
}

static int compare_places(int32_t az, int32_t ax, int32_t bz, int32_t bx)
{
    return az != bz ? (az < bz ? -1 : 1) : (ax > bx) - (ax < bx);
}

/* Merges the sections' chunks, each by (z, x), into cells by (z, x). */
static void make_cells(struct vxb_runtime *runtime)
{
    uint32_t next[VXB_GRASS_SECTIONS_MAX], end[VXB_GRASS_SECTIONS_MAX];
    for (uint32_t k = 0; k < runtime->section_count; k++) {
        next[k] = runtime->sections[k].first_chunk;
        end[k] = next[k] + runtime->sections[k].chunk_count;
    }
    for (;;) {
        const struct vxb_grass_chunk *least = NULL;
        for (uint32_t k = 0; k < runtime->section_count; k++) {
            const struct vxb_grass_chunk *chunk = next[k] < end[k] ? &runtime->chunks[next[k]] : NULL;
            if (chunk && (!least || compare_places(chunk->cell_z, chunk->cell_x, least->cell_z, least->cell_x) < 0))
                least = chunk;
        }
        if (!least)
            return;
        struct vxbi_runtime_cell *cell = &runtime->cells[runtime->cell_count++];
        *cell = (struct vxbi_runtime_cell){.x = least->cell_x, .z = least->cell_z};
        for (uint32_t k = 0; k < VXB_GRASS_SECTIONS_MAX; k++) {
            cell->chunk[k] = VXBI_NO_CHUNK;
            if (k >= runtime->section_count || next[k] == end[k] || runtime->chunks[next[k]].cell_x != cell->x ||
                runtime->chunks[next[k]].cell_z != cell->z)
                continue;
            runtime->before_in_cell[next[k]] = cell->blades;
            cell->blades += runtime->chunks[next[k]].blade_count;
            cell->chunk[k] = next[k]++;
        }
        runtime->slot_blades = cell->blades > runtime->slot_blades ? cell->blades : runtime->slot_blades;
    }
}

/* ---- life ---- */

static enum vxb_status check_options(const struct vxb_runtime_options *options, struct vxb_error *err)
{
    char text[VXB_TEXT_NUMBER_ROOM];
    enum vxb_status status = vxbi_check_size("vxb_runtime_options", options->size, sizeof *options, err);
    if (status)
        return status;
    const struct vxb_stomp *stomp = options->stomp;
    for (int i = 0; i < 3; i++)
        if (!(fabs(options->origin[i]) <= VXBI_WORLD_M))
            return vxbi_fail(err, VXB_ERR_USAGE, "the origin's %c is %s m; -1048576 to 1048576 are allowed", "xyz"[i],
                             vxb_text_f64(options->origin[i], text));
    if (stomp && !stomp->samples)
        return vxbi_fail(err, VXB_ERR_USAGE, "the stomp map has no samples");
    if (stomp && (stomp->width < 1 || stomp->width > 32768 || stomp->height < 1 || stomp->height > 32768))
        return vxbi_fail(err, VXB_ERR_USAGE, "the stomp map has %" PRIu32 " x %" PRIu32
                         " samples; 1 to 32768 a side are allowed", stomp->width, stomp->height);
    if (stomp && !(stomp->size_x > 0.0 && stomp->size_z > 0.0 && isfinite(stomp->size_x) && isfinite(stomp->size_z) &&
                   isfinite(stomp->x) && isfinite(stomp->z)))
        return vxbi_fail(err, VXB_ERR_USAGE, "the stomp map's rectangle must be finite and its sides above 0");
    return VXB_OK;
}

static enum vxb_status make_room(const struct vxb_env *env, struct vxb_runtime *runtime, struct vxb_error *err)
{
    const struct vxb_allocator *a = &runtime->allocator;
    const uint64_t chunks = runtime->chunk_count ? runtime->chunk_count : 1;
    const uint64_t blades = runtime->blade_count ? runtime->blade_count : 1;
    uint64_t a_blade = sizeof *runtime->ranks + (runtime->options.ranks_only ? 0u : VXB_RUNTIME_RECORD_BYTES);
    uint64_t a_chunk = sizeof *runtime->chunks + sizeof *runtime->boxes + sizeof *runtime->before_in_cell +
                       sizeof *runtime->cells;
    uint64_t need = blades * a_blade + chunks * a_chunk;
    if (need > vxbi_max_memory(env))
        return vxbi_fail_max_memory(err, vxbi_max_memory(env), "the field takes %" PRIu64 " bytes", need);
    runtime->chunks = vxbi_new(a, chunks, sizeof *runtime->chunks);
    runtime->boxes = vxbi_new(a, chunks, sizeof *runtime->boxes);
    runtime->before_in_cell = vxbi_new(a, chunks, sizeof *runtime->before_in_cell);
    runtime->cells = vxbi_new(a, chunks, sizeof *runtime->cells);
    runtime->ranks = vxbi_new(a, blades, sizeof *runtime->ranks);
    if (!runtime->options.ranks_only)
        runtime->blades = vxbi_new(a, blades, VXB_RUNTIME_RECORD_BYTES);
    if (!runtime->chunks || !runtime->boxes || !runtime->before_in_cell || !runtime->cells || !runtime->ranks ||
        (!runtime->options.ranks_only && !runtime->blades))
        return vxbi_fail_memory(err, need);
    return VXB_OK;
}

static enum vxb_status load_chunks(const struct vxb_env *env, struct vxb_runtime *runtime, struct vxb_error *err)
{
    struct vxb_runtime_scratch *scratch = NULL;
    enum vxb_status status = scratch_new(runtime, &scratch, err);
    for (uint32_t i = 0; i < runtime->chunk_count && !status; i++) {
        const struct vxb_grass_chunk *chunk = &runtime->chunks[i];
        if (vxbi_cancelled(env)) {
            status = vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
            break;
        }
        status = read_chunk(runtime, chunk, scratch, err);
        for (uint32_t j = 0; j < chunk->blade_count && !status; j++)
            runtime->ranks[chunk->first_blade + j] =
                vxbi_load_u16(scratch->records + (size_t)j * VXB_GRASS_RECORD_BYTES + 14);
        if (!status && runtime->blades)
            make_records(runtime, chunk, scratch->records,
                         runtime->blades + (size_t)chunk->first_blade * VXB_RUNTIME_RECORD_BYTES);
        if (!status && (i % 64 == 0 || i + 1 == runtime->chunk_count))
            vxbi_progress(env, "load", i + 1, runtime->chunk_count);
    }
    vxb_runtime_scratch_free(scratch);
    return status;
}

static enum vxb_status load(const struct vxb_env *env, struct vxb_runtime *runtime, struct vxb_error *err)
{
    enum vxb_status status = make_room(env, runtime, err);
    if (!status)
        status = vxb_grass_chunks(runtime->grass, 0, runtime->chunk_count, runtime->chunks, err);
    if (status)
        return status;
    make_sections(runtime);
    if ((status = check_ranges(runtime, err)) != VXB_OK)
        return status;
    make_boxes(runtime);
    make_cells(runtime);
    return load_chunks(env, runtime, err);
}

enum vxb_status vxb_runtime_load(const struct vxb_env *env, const struct vxb_grass *grass,
                                 const struct vxb_runtime_options *options, struct vxb_runtime **out,
                                 struct vxb_error *err)
{
    const struct vxb_runtime_options plain = {.size = sizeof plain};
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = check_options(options ? options : &plain, err);
    if (status)
        return status;
    const struct vxb_grass_header *header = vxb_grass_header(grass);
    struct vxb_allocator allocator = vxbi_allocator(env);
    struct vxb_runtime *runtime = vxbi_new_zero(&allocator, 1, sizeof *runtime);
    if (!runtime)
        return vxbi_fail_memory(err, sizeof *runtime);
    runtime->allocator = allocator;
    runtime->grass = grass;
    runtime->options = options ? *options : plain;
    if (runtime->options.stomp)
        runtime->stomp = *runtime->options.stomp;
    runtime->section_count = header->section_count;
    runtime->chunk_count = header->chunk_count;
    runtime->blade_count = header->blade_count;
    status = load(env, runtime, err);
    if (status) {
        vxb_runtime_free(runtime);
        return status;
    }
    *out = runtime;
    return VXB_OK;
}

void vxb_runtime_free(struct vxb_runtime *runtime)
{
    if (!runtime)
        return;
    struct vxb_allocator allocator = runtime->allocator;
    const uint64_t chunks = runtime->chunk_count ? runtime->chunk_count : 1;
    const uint64_t blades = runtime->blade_count ? runtime->blade_count : 1;
    vxbi_delete(&allocator, runtime->chunks, chunks, sizeof *runtime->chunks);
    vxbi_delete(&allocator, runtime->boxes, chunks, sizeof *runtime->boxes);
    vxbi_delete(&allocator, runtime->before_in_cell, chunks, sizeof *runtime->before_in_cell);
    vxbi_delete(&allocator, runtime->cells, chunks, sizeof *runtime->cells);
    vxbi_delete(&allocator, runtime->ranks, blades, sizeof *runtime->ranks);
    vxbi_delete(&allocator, runtime->blades, blades, VXB_RUNTIME_RECORD_BYTES);
    vxbi_delete(&allocator, runtime, 1, sizeof *runtime);
}

/* ---- answers ---- */

uint32_t vxb_runtime_section_count(const struct vxb_runtime *runtime)
{
    return runtime->section_count;
}

const struct vxb_runtime_section *vxb_runtime_section(const struct vxb_runtime *runtime, uint32_t index)
{
    return &runtime->sections[index];
}

const struct vxb_grass_chunk *vxb_runtime_chunks(const struct vxb_runtime *runtime, uint32_t *count)
{
    *count = runtime->chunk_count;
    return runtime->chunks;
}

const uint8_t *vxb_runtime_blades(const struct vxb_runtime *runtime, uint32_t *count)
{
    *count = runtime->blade_count;
    return runtime->blades;
}

uint32_t vxbi_runtime_cell_from(const struct vxb_runtime *runtime, int32_t x, int32_t z)
{
    uint32_t low = 0, high = runtime->cell_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct vxbi_runtime_cell *cell = &runtime->cells[middle];
        if (compare_places(cell->z, cell->x, z, x) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct vxbi_runtime_cell *vxbi_runtime_find_cell(const struct vxb_runtime *runtime, int32_t x, int32_t z)
{
    const struct vxbi_runtime_cell *cell = runtime->cells + vxbi_runtime_cell_from(runtime, x, z);
    return cell < runtime->cells + runtime->cell_count && cell->x == x && cell->z == z ? cell : NULL;
}

uint32_t vxb_runtime_cell_count(const struct vxb_runtime *runtime)
{
    return runtime->cell_count;
}

uint32_t vxb_runtime_cell_blades(const struct vxb_runtime *runtime, int32_t cell_x, int32_t cell_z)
{
    const struct vxbi_runtime_cell *cell = vxbi_runtime_find_cell(runtime, cell_x, cell_z);
    return cell ? cell->blades : 0;
}

uint32_t vxb_runtime_slot_blades(const struct vxb_runtime *runtime)
{
    return runtime->slot_blades;
}

static bool holds(void *user, int32_t cell_x, int32_t cell_z)
{
    return vxbi_runtime_find_cell(user, cell_x, cell_z) != NULL;
}

struct vxb_ring_grid vxb_runtime_grid(const struct vxb_runtime *runtime)
{
    return (struct vxb_ring_grid){.cell_size = vxb_grass_header(runtime->grass)->cell_size, .holds = holds,
                                  .user = (void *)(uintptr_t)runtime};
}

enum vxb_status vxb_runtime_read_cell(const struct vxb_runtime *runtime, int32_t cell_x, int32_t cell_z,
                                      uint8_t *records, size_t capacity, uint32_t *blades,
                                      struct vxb_runtime_scratch **scratch, struct vxb_error *err)
{
    const struct vxbi_runtime_cell *cell = vxbi_runtime_find_cell(runtime, cell_x, cell_z);
    struct vxb_runtime_scratch *own = scratch ? *scratch : NULL;
    enum vxb_status status = VXB_OK;
    uint32_t done = 0;
    if (cell && (uint64_t)cell->blades * VXB_RUNTIME_RECORD_BYTES > capacity)
        return vxbi_fail(err, VXB_ERR_USAGE, "the cell's records have %" PRIu64 " bytes, there is room for %zu",
                         (uint64_t)cell->blades * VXB_RUNTIME_RECORD_BYTES, capacity);
    if (!own)
        status = scratch_new(runtime, &own, err);
    for (uint32_t k = 0; cell && k < runtime->section_count && !status; k++) {
        if (cell->chunk[k] == VXBI_NO_CHUNK)
            continue;
        const struct vxb_grass_chunk *chunk = &runtime->chunks[cell->chunk[k]];
        status = read_chunk(runtime, chunk, own, err);
        if (!status)
            make_records(runtime, chunk, own->records, records + (size_t)done * VXB_RUNTIME_RECORD_BYTES);
        done += chunk->blade_count;
    }
    if (scratch)
        *scratch = own;
    else
        vxb_runtime_scratch_free(own);
    if (!status)
        *blades = done;
    return status;
}
