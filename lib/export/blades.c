/* Chunks and blades one after another, and the lists of them. Read chunk by chunk: memory is the largest chunk's. */
#include "blades.h"

#include <inttypes.h>

#include "../core/alloc.h"
#include "../core/env.h"
#include "../grass/read.h"
#include "sink.h"

#define WINDOW 256 /* chunk entries read at once */

struct walk {
    const struct vxb_grass *grass;
    struct vxb_allocator allocator;
    struct vxb_grass_scratch *scratch;
    uint8_t *records;
    uint64_t room;
    const struct vxb_inspect_options *options;
    const struct vxbi_chunk_visitor *visitor;
};

bool vxbi_blades_wanted(const struct vxb_inspect_options *options, const struct vxb_grass_chunk *chunk, uint32_t *from,
                        uint32_t *to)
{
    *from = 0;
    *to = chunk->blade_count;
    if (!options || !options->has_blade_range)
        return *to > 0;
    const uint64_t before = options->has_chunk ? 0 : chunk->first_blade, last = options->last_blade;
    if (options->first_blade > before)
        *from = options->first_blade - before < *to ? (uint32_t)(options->first_blade - before) : *to;
    if (last < before + *to)
        *to = last < before ? 0 : (uint32_t)(last - before) + 1;
    return *from < *to;
}

static enum vxb_status visit(struct walk *walk, uint32_t index, const struct vxb_grass_chunk *chunk,
                             struct vxb_error *err)
{
    const struct vxbi_chunk_visitor *visitor = walk->visitor;
    uint64_t bytes = (uint64_t)chunk->blade_count * VXB_GRASS_RECORD_BYTES;
    uint32_t from, to;
    if (!visitor->blades)
        return visitor->chunk(visitor->user, index, chunk, NULL, err);
    if (!vxbi_blades_wanted(walk->options, chunk, &from, &to))
        return VXB_OK;
    if (bytes > walk->room) {
        uint8_t *grown = vxbi_resize(&walk->allocator, walk->records, walk->room, bytes, 1);
        if (!grown)
            return vxbi_fail_memory(err, bytes);
        walk->records = grown;
        walk->room = bytes;
    }
    enum vxb_status status =
        vxb_grass_read_chunk(walk->grass, chunk, walk->records, (size_t)walk->room, &walk->scratch, err);
    if (status != VXB_OK)
        return vxbi_error_prefix(err, status, "chunk %" PRIu32 ": ", index);
    return visitor->chunk(visitor->user, index, chunk, walk->records, err);
}

static enum vxb_status visit_cell(struct walk *walk, int32_t cell_x, int32_t cell_z, struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    for (uint32_t k = 0; k < vxb_grass_header(walk->grass)->section_count && status == VXB_OK; k++) {
        struct vxb_grass_chunk chunk;
        uint32_t index = 0;
        bool found = false;
        status = vxb_grass_find(walk->grass, k, cell_x, cell_z, &found, &index, &chunk, err);
        if (status == VXB_OK && found)
            status = visit(walk, index, &chunk, err);
    }
    return status;
}

static enum vxb_status visit_all(struct walk *walk, struct vxb_error *err)
{
    struct vxb_grass_chunk window[WINDOW];
    const struct vxb_inspect_options *options = walk->options;
    const bool ranged = options && options->has_chunk_range;
    uint32_t total = vxb_grass_header(walk->grass)->chunk_count;
    enum vxb_status status = VXB_OK;
    if (ranged && options->last_chunk < total)
        total = options->last_chunk + 1;
    for (uint32_t first = ranged ? options->first_chunk : 0; first < total && status == VXB_OK;) {
        uint32_t count = total - first < WINDOW ? total - first : WINDOW;
        status = vxb_grass_chunks(walk->grass, first, count, window, err);
        for (uint32_t i = 0; i < count && status == VXB_OK; i++)
            status = visit(walk, first + i, &window[i], err);
        first += count;
    }
    return status;
}

enum vxb_status vxbi_chunks_visit(const struct vxb_grass *grass, const struct vxb_inspect_options *options,
                                  const struct vxbi_chunk_visitor *visitor, struct vxb_error *err)
{
    struct walk walk = {.grass = grass, .allocator = grass->allocator, .options = options, .visitor = visitor};
    enum vxb_status status = options && options->has_chunk
                                 ? visit_cell(&walk, options->chunk_x, options->chunk_z, err)
                                 : visit_all(&walk, err);
    vxb_grass_scratch_free(walk.scratch);
    vxbi_delete(&walk.allocator, walk.records, walk.room, 1);
    return status;
}

/* ---- chunks as rows ---- */

static const struct vxbi_column chunk_columns[] = {{"index", 7}, VXBI_GRASS_CHUNK_FIELDS(VXBI_COLUMN, )};
const struct vxbi_table vxbi_chunk_table = {"chunks", NULL, chunk_columns,
                                            sizeof chunk_columns / sizeof *chunk_columns};

_Static_assert(sizeof chunk_columns / sizeof *chunk_columns == VXBI_CHUNK_CELLS, "a cell a column");

void vxbi_chunk_cells(uint32_t index, const struct vxb_grass_chunk *chunk, struct vxbi_cell out[VXBI_CHUNK_CELLS])
{
    const struct vxbi_cell cells[] = {vxbi_cell_u64(index), VXBI_GRASS_CHUNK_FIELDS(VXBI_CELL, chunk)};
    memcpy(out, cells, sizeof cells);
}

/* ---- blades as rows ---- */

enum { BLADE_CELLS = 12 };
static const struct vxbi_column blade_columns[] = {
    {"section", 7}, {"species", -12}, {"cell_x", 7}, {"cell_z", 7}, {"index", 9}, {"x", 19},
    {"y", 19},      {"z", 19},        {"yaw", 13},   {"scale", 12}, {"up_x", 13}, {"up_y", 13},
    {"up_z", 13},   {"tint", 11},     {"phase", 11}, {"rank", 18}};
enum { BLADE_COLUMNS = sizeof blade_columns / sizeof *blade_columns, BLADE_PLACE = BLADE_COLUMNS - BLADE_CELLS };
const struct vxbi_table vxbi_blade_table = {"blades", NULL, blade_columns, BLADE_COLUMNS};

/* Of a blade alone: from its index on. */
static void blade_cells(uint32_t index, const struct vxb_blade *blade, struct vxbi_cell out[BLADE_CELLS])
{
    const struct vxbi_cell cells[BLADE_CELLS] = {
        vxbi_cell_u64(index),
        vxbi_cell_f64(blade->x),
        vxbi_cell_f64(blade->y),
        vxbi_cell_f64(blade->z),
        vxbi_cell_f32((float)blade->yaw),
        vxbi_cell_f32((float)blade->scale),
        vxbi_cell_f32((float)blade->up[0]),
        vxbi_cell_f32((float)blade->up[1]),
        vxbi_cell_f32((float)blade->up[2]),
        vxbi_cell_f32((float)blade->tint),
        vxbi_cell_f32((float)blade->phase),
        vxbi_cell_f64(blade->rank),
    };
    memcpy(out, cells, sizeof cells);
}

void vxbi_blade_members(struct vxbi_jsonw *w, uint32_t index, const struct vxb_blade *blade)
{
    vxbi_member_u64(w, "index", index);
    vxbi_blade_values(w, blade);
}

void vxbi_blade_values(struct vxbi_jsonw *w, const struct vxb_blade *blade)
{
    const struct vxbi_table table = {"blades", NULL, blade_columns + BLADE_PLACE + 1, BLADE_CELLS - 1};
    struct vxbi_cell cells[BLADE_CELLS];
    blade_cells(0, blade, cells);
    vxbi_cells_json(w, &table, cells + 1);
}

/* ---- the lists ---- */

struct lines {
    const struct vxb_grass *grass;
    const struct vxb_inspect_options *options;
    struct vxbi_listing *listing;
};

static enum vxb_status list_chunk(void *user, uint32_t index, const struct vxb_grass_chunk *chunk,
                                  const uint8_t *records, struct vxb_error *err)
{
    const struct lines *lines = user;
    struct vxbi_cell cells[VXBI_CHUNK_CELLS];
    (void)records;
    vxbi_chunk_cells(index, chunk, cells);
    return vxbi_listing_row(lines->listing, cells) ? VXB_OK : vxbi_sink_failed(err);
}

static enum vxb_status list_blades(void *user, uint32_t number, const struct vxb_grass_chunk *chunk,
                                   const uint8_t *records, struct vxb_error *err)
{
    const struct lines *lines = user;
    struct vxbi_cell cells[BLADE_COLUMNS] = {vxbi_cell_u64(chunk->section),
                                             vxbi_cell_text(vxb_grass_section(lines->grass, chunk->section)->name),
                                             vxbi_cell_i64(chunk->cell_x), vxbi_cell_i64(chunk->cell_z)};
    uint32_t from, to;
    (void)number;
    vxbi_blades_wanted(lines->options, chunk, &from, &to);
    for (uint32_t i = from; i < to; i++) {
        struct vxb_blade blade;
        vxb_grass_decode(vxb_grass_header(lines->grass), chunk, records + (size_t)i * VXB_GRASS_RECORD_BYTES, &blade);
        blade_cells(chunk->first_blade + i, &blade, cells + BLADE_PLACE);
        if (!vxbi_listing_row(lines->listing, cells))
            return vxbi_sink_failed(err);
    }
    return VXB_OK;
}

enum vxb_status vxbi_list_chunks(struct vxbi_listing *listing, const struct vxb_grass *grass,
                                 const struct vxb_inspect_options *options, bool blades, struct vxb_error *err)
{
    struct lines lines = {grass, options, listing};
    const struct vxbi_chunk_visitor visitor = {&lines, blades, blades ? list_blades : list_chunk};
    vxbi_listing_table(listing, blades ? &vxbi_blade_table : &vxbi_chunk_table);
    enum vxb_status status = vxbi_chunks_visit(grass, options, &visitor, err);
    vxbi_listing_table_end(listing);
    return status;
}

static enum vxb_status blades_alone(const struct vxb_grass *grass, const struct vxb_inspect_options *options,
                                    enum vxb_list_format format, const struct vxb_sink *sink, struct vxb_error *err)
{
    struct vxbi_listing listing;
    enum vxb_status status =
        options ? vxbi_check_size("vxb_inspect_options", options->size, sizeof *options, err) : VXB_OK;
    if (status == VXB_OK && options)
        status = vxbi_check_selection(grass, options, true, err);
    if (status != VXB_OK)
        return status;
    vxbi_listing_begin(&listing, sink, format, NULL, NULL);
    status = vxbi_list_chunks(&listing, grass, options, true, err);
    return vxbi_listing_end(&listing, status, err);
}

enum vxb_status vxb_inspect_blades_csv(const struct vxb_grass *grass, const struct vxb_inspect_options *options,
                                       const struct vxb_sink *sink, struct vxb_error *err)
{
    return blades_alone(grass, options, VXB_LIST_CSV, sink, err);
}

enum vxb_status vxb_inspect_blades_json_lines(const struct vxb_grass *grass, const struct vxb_inspect_options *options,
                                              const struct vxb_sink *sink, struct vxb_error *err)
{
    return blades_alone(grass, options, VXB_LIST_JSON_LINES, sink, err);
}
