/* The rules of format 1's header and chunk table. The table may stand in any order and holds empty chunks; what is
 * kept of it is an index of the others, by z, then x, of 24 bytes a chunk, where the file has 16. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "../core/env.h"
#include "../core/text.h"
#include "legacy.h"

/* Where a field of the header, and of a chunk, stands in it, for messages. */
#define AT(field) VXBI_AT(legacy_header, field)
#define CHUNK_AT(field) VXBI_AT(legacy_chunk, field)

static uint64_t chunk_at(uint64_t number)
{
    return VXBI_LEGACY_HEADER_BYTES + number * VXBI_LEGACY_CHUNK_BYTES;
}

/* ---- header ---- */

static void check_sizes(const struct vxb_grass *grass, const struct vxbi_legacy_header *h, struct vxbi_collect *c)
{
    uint64_t end = chunk_at(h->chunk_count) + (uint64_t)h->blade_count * VXBI_LEGACY_BLADE_BYTES;
    if (grass->size < h->file_bytes)
        vxbi_found(c, VXB_FINDING_FILE_CUT, AT(file_bytes), "/header/file_bytes",
                   "the file is cut: it has %" PRIu64 " bytes, its header says %" PRIu64, grass->size, h->file_bytes);
    else if (grass->size > h->file_bytes)
        vxbi_found(c, VXB_FINDING_FILE_LONGER, AT(file_bytes), "/header/file_bytes",
                   "the file has %" PRIu64 " bytes, its header says %" PRIu64, grass->size, h->file_bytes);
    if (h->chunk_count == UINT32_MAX || h->blade_count == UINT32_MAX)
        vxbi_found(c, VXB_FINDING_LEGACY_COUNT_LIMIT, AT(chunk_count), "/header/chunk_count",
                   "there are %" PRIu32 " chunks and %" PRIu32 " blades; both are below 4294967295", h->chunk_count,
                   h->blade_count);
    if (h->file_bytes != end)
        vxbi_found(c, VXB_FINDING_LEGACY_FILE_END, AT(file_bytes), "/header/file_bytes",
                   "the header says that the file has %" PRIu64 " bytes; %" PRIu32 " chunks and %" PRIu32
                   " blades make %" PRIu64, h->file_bytes, h->chunk_count, h->blade_count, end);
}

static void check_header(const struct vxb_grass *grass, const struct vxbi_legacy_header *h, struct vxbi_collect *c)
{
    char text[VXB_TEXT_NUMBER_ROOM];
    if (h->header_bytes != VXBI_LEGACY_HEADER_BYTES)
        vxbi_found(c, VXB_FINDING_LEGACY_HEADER_BYTES, AT(header_bytes), "/header/header_bytes",
                   "the header size is %" PRIu32 "; format 1 has 64", h->header_bytes);
    check_sizes(grass, h, c);
    vxbi_grass_check_bounds(h->bounds_min, h->bounds_max, h->blade_count == 0, AT(bounds_min), c);
    if (!(h->cell_size >= 1.0f && h->cell_size <= 1024.0f))
        vxbi_found(c, VXB_FINDING_CELL_SIZE, AT(cell_size), "/header/cell_size",
                   "the cell size is %s; allowed are 1 to 1024 metres", vxb_text_f32(h->cell_size, text));
    if (h->reserved)
        vxbi_found(c, VXB_FINDING_LEGACY_RESERVED, AT(reserved), "/header/reserved",
                   "the header's last word is 0x%08" PRIx32 ", not 0", h->reserved);
}

/* What format 1 does not say, as a file of the other formats would. */
static void fill_in(struct vxb_grass *grass, const struct vxbi_legacy_header *h)
{
    grass->header = (struct vxb_grass_header){
        .format = 1, .header_bytes = h->header_bytes, .file_bytes = h->file_bytes, .section_count = 1,
        .blade_count = h->blade_count, .lod_count = 1, .cell_size = h->cell_size, .max_commands = VXB_NO_LIMIT,
        .updates_per_frame = VXB_NO_LIMIT, .blade_budget = VXB_NO_LIMIT};
    memcpy(grass->header.bounds_min, h->bounds_min, sizeof h->bounds_min);
    memcpy(grass->header.bounds_max, h->bounds_max, sizeof h->bounds_max);
    grass->lods[0] = (struct vxb_grass_lod){.distance = INFINITY, .keep = 1.0f, .fade = INFINITY};
    grass->sections[0] = (struct vxb_grass_section){
        .lod_count = 1, .pass_count = 1, .material_id = vxbi_hash("", 0), .share = 1000000,
        .blade_budget = VXB_NO_LIMIT, .name = "", .material = "", .mesh = "", .passes = {"main"}};
    grass->radius_known = true;
    grass->layout = (struct vxbi_grass_layout){
        .sections = VXBI_LEGACY_HEADER_BYTES, .lods = VXBI_LEGACY_HEADER_BYTES, .strings = VXBI_LEGACY_HEADER_BYTES,
        .chunks = VXBI_LEGACY_HEADER_BYTES, .data = chunk_at(h->chunk_count)};
}

/* ---- chunk table ---- */

static int compare_cells(const void *pa, const void *pb)
{
    const struct vxbi_legacy_chunk *a = pa, *b = pb;
    if (a->cell_z != b->cell_z)
        return a->cell_z < b->cell_z ? -1 : 1;
    if (a->cell_x != b->cell_x)
        return a->cell_x < b->cell_x ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* One entry; first: where its blades are to start. */
static void check_chunk(const struct vxb_grass *grass, struct vxbi_legacy_chunk *chunk, uint64_t first,
                        struct vxbi_collect *c)
{
    double size = (double)grass->header.cell_size;
    uint64_t at = chunk_at(chunk->number), end = (uint64_t)chunk->first_blade + chunk->blade_count;
    uint64_t room = (grass->size - grass->layout.data) / VXBI_LEGACY_BLADE_BYTES;
    chunk->readable = chunk->first_blade == first && end <= room && chunk->blade_count <= VXBI_GRASS_CHUNK_BLADES_MAX;
    c->ordinal = chunk->number;
    if (!(chunk->cell_x * size < VXBI_WORLD_M && (chunk->cell_x + 1.0) * size > -VXBI_WORLD_M &&
          chunk->cell_z * size < VXBI_WORLD_M && (chunk->cell_z + 1.0) * size > -VXBI_WORLD_M))
        vxbi_found(c, VXB_FINDING_CHUNK_CELL, at + CHUNK_AT(cell_x),
                   vxbi_pointer(c, "/chunks/%" PRIu32 "/cell_x", chunk->number),
                   "cell (%" PRId32 ", %" PRId32 ") lies more than 1048576 metres from the origin", chunk->cell_x,
                   chunk->cell_z);
    if (chunk->first_blade != first)
        vxbi_found(c, VXB_FINDING_CHUNK_BLADES, at + CHUNK_AT(first_blade),
                   vxbi_pointer(c, "/chunks/%" PRIu32 "/first_blade", chunk->number),
                   "the chunk starts at blade %" PRIu32 "; the one before it ends at %" PRIu64, chunk->first_blade,
                   first);
    else if (end > room)
        vxbi_found(c, VXB_FINDING_CHUNK_OUTSIDE, at + CHUNK_AT(blade_count),
                   vxbi_pointer(c, "/chunks/%" PRIu32 "/blade_count", chunk->number),
                   "the chunk's blades end at %" PRIu64 "; the file has room for %" PRIu64, end, room);
    if (chunk->blade_count > VXBI_GRASS_CHUNK_BLADES_MAX)
        vxbi_found(c, VXB_FINDING_CHUNK_BLADE_LIMIT, at + CHUNK_AT(blade_count),
                   vxbi_pointer(c, "/chunks/%" PRIu32 "/blade_count", chunk->number),
                   "the chunk has %" PRIu32 " blades; at most 16777216 are allowed", chunk->blade_count);
    c->ordinal = 0;
}

/* Reads the table in the file's order into the index; *blades is how many its chunks have. */
static enum vxb_status read_table(struct vxb_grass *grass, const struct vxb_env *env, uint32_t count, uint64_t *blades,
                                  struct vxbi_collect *c, struct vxb_error *err)
{
    *blades = 0;
    for (uint32_t done = 0; done < count && !c->stopped;) {
        uint8_t bytes[VXBI_GRASS_WINDOW * VXBI_LEGACY_CHUNK_BYTES];
        uint32_t n = count - done < VXBI_GRASS_WINDOW ? count - done : VXBI_GRASS_WINDOW;
        struct vxbi_reader r = {.data = bytes, .size = (size_t)n * VXBI_LEGACY_CHUNK_BYTES};
        enum vxb_status status = vxbi_grass_read_at(grass, chunk_at(done), bytes, r.size, err);
        if (status)
            return status;
        for (uint32_t i = 0; i < n; i++) {
            struct vxbi_legacy_chunk *chunk = &grass->legacy[done + i];
            *chunk = (struct vxbi_legacy_chunk){.cell_x = vxbi_get_i32(&r), .number = done + i};
            chunk->cell_z = vxbi_get_i32(&r);
            chunk->first_blade = vxbi_get_u32(&r);
            chunk->blade_count = vxbi_get_u32(&r);
            check_chunk(grass, chunk, *blades, c);
            *blades += chunk->blade_count;
        }
        if (vxbi_cancelled(env))
            return vxbi_fail(err, VXB_ERR_CANCELLED, "cancelled");
        done += n;
    }
    return VXB_OK;
}

/* Sorts, tells cells that appear twice, and leaves the empty chunks out. */
static void make_index(struct vxb_grass *grass, uint32_t count, struct vxbi_collect *c, struct vxbi_grass_walk *walk)
{
    struct vxbi_legacy_chunk *index = grass->legacy;
    uint64_t blades = 0;
    uint32_t kept = 0;
    if (count)
        qsort(index, count, sizeof *index, compare_cells);
    for (uint32_t i = 1; i < count; i++)
        if (index[i].cell_x == index[i - 1].cell_x && index[i].cell_z == index[i - 1].cell_z) {
            c->ordinal = index[i].number;
            vxbi_found(c, VXB_FINDING_CHUNK_DUPLICATE, chunk_at(index[i].number),
                       vxbi_pointer(c, "/chunks/%" PRIu32 "/cell_x", index[i].number),
                       "cell (%" PRId32 ", %" PRId32 ") appears twice", index[i].cell_x, index[i].cell_z);
            c->ordinal = 0;
        }
    for (uint32_t i = 0; i < count; i++) {
        struct vxbi_legacy_chunk chunk = index[i];
        if (chunk.blade_count == 0)
            continue;
        chunk.shown_first = (uint32_t)blades;
        blades += chunk.blade_count;
        index[kept++] = chunk;
        if (!chunk.readable)
            continue;
        uint64_t raw_bytes = (uint64_t)chunk.blade_count * VXB_GRASS_RECORD_BYTES;
        uint64_t stored = vxbi_legacy_memory(chunk.blade_count);
        walk->readable++;
        walk->most_bytes = stored > walk->most_bytes ? stored : walk->most_bytes;
        walk->most_raw_bytes = raw_bytes > walk->most_raw_bytes ? raw_bytes : walk->most_raw_bytes;
    }
    grass->header.chunk_count = grass->sections[0].chunk_count = kept;
    grass->sections[0].blade_count = grass->header.blade_count;
    grass->sections[0].rank_limit = kept ? 65535 : 0;
}

enum vxb_status vxbi_legacy_load(struct vxb_grass *grass, const struct vxb_env *env, const uint8_t *start, size_t size,
                                 struct vxbi_collect *c, struct vxbi_grass_walk *walk, struct vxb_error *err)
{
    struct vxbi_reader r = {.data = start, .size = size};
    struct vxbi_legacy_header h;
    uint64_t blades;
    if (size < VXBI_LEGACY_HEADER_BYTES) {
        vxbi_found(c, VXB_FINDING_HEADER_CUT, grass->size, "/header",
                   "the file ends after %" PRIu64 " bytes; the header of format 1 has 64", grass->size);
        return VXB_OK;
    }
    vxbi_legacy_get_header(&r, &h);
    fill_in(grass, &h);
    grass->known = VXBI_GRASS_HEADER;
    check_header(grass, &h, c);
    if (c->stopped)
        return VXB_OK;
    if (grass->layout.data > grass->size) {
        vxbi_found(c, VXB_FINDING_TABLES_OUTSIDE, AT(chunk_count), "/header/chunk_count",
                   "the chunk table ends at byte %" PRIu64 ", the file has %" PRIu64, grass->layout.data, grass->size);
        return VXB_OK;
    }
    uint64_t need = (uint64_t)h.chunk_count * sizeof *grass->legacy;
    if (need > grass->max_memory)
        return vxbi_fail_max_memory(err, grass->max_memory, "the chunk table takes %" PRIu64 " bytes", need);
    if (need) {
        grass->legacy = vxbi_new(&grass->allocator, h.chunk_count, sizeof *grass->legacy);
        if (!grass->legacy)
            return vxbi_fail_memory(err, need);
        grass->legacy_room = h.chunk_count;
    }
    enum vxb_status status = read_table(grass, env, h.chunk_count, &blades, c, err);
    if (status || c->stopped)
        return status;
    if (blades != h.blade_count)
        vxbi_found(c, VXB_FINDING_LEGACY_BLADE_TOTAL, AT(blade_count), "/header/blade_count",
                   "the header says %" PRIu32 " blades, the chunks have %" PRIu64, h.blade_count, blades);
    grass->known = VXBI_GRASS_SECTIONS;
    make_index(grass, h.chunk_count, c, walk);
    return VXB_OK;
}

/* ---- what an open file answers ---- */

void vxbi_legacy_entries(const struct vxb_grass *grass, uint32_t first, uint32_t count, struct vxb_grass_chunk *out)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct vxbi_legacy_chunk *from = &grass->legacy[first + i];
        out[i] = (struct vxb_grass_chunk){
            .cell_x = from->cell_x, .cell_z = from->cell_z, .first_blade = from->shown_first,
            .blade_count = from->blade_count,
            .data_offset = grass->layout.data + (uint64_t)from->first_blade * VXBI_LEGACY_BLADE_BYTES,
            .data_bytes = from->readable ? from->blade_count * VXBI_LEGACY_BLADE_BYTES : 0};
    }
}

bool vxbi_legacy_find(const struct vxb_grass *grass, int32_t cell_x, int32_t cell_z, uint32_t *index)
{
    uint32_t low = 0, high = grass->header.chunk_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct vxbi_legacy_chunk *chunk = &grass->legacy[middle];
        if (chunk->cell_z < cell_z || (chunk->cell_z == cell_z && chunk->cell_x < cell_x))
            low = middle + 1;
        else
            high = middle;
    }
    *index = low;
    return low < grass->header.chunk_count && grass->legacy[low].cell_x == cell_x &&
           grass->legacy[low].cell_z == cell_z;
}

bool vxbi_legacy_readable(const struct vxb_grass *grass, const struct vxb_grass_chunk *chunk)
{
    return chunk->section == 0 && chunk->blade_count > 0 && chunk->blade_count <= VXBI_GRASS_CHUNK_BLADES_MAX &&
           chunk->data_bytes == chunk->blade_count * VXBI_LEGACY_BLADE_BYTES &&
           chunk->data_offset >= grass->layout.data && chunk->data_offset <= grass->size &&
           chunk->data_bytes <= grass->size - chunk->data_offset;
}
