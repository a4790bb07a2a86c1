/* Blades one by one, as CSV and as JSON lines, read chunk by chunk: memory is the largest chunk's. */
#include "blades.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../core/alloc.h"
#include "../core/env.h"
#include "../core/text.h"
#include "../grass/read.h"
#include "sink.h"

#define WINDOW 256 /* chunk entries read at once */

struct walk {
    const struct vxb_grass *grass;
    struct vxb_allocator allocator;
    struct vxb_grass_scratch *scratch;
    uint8_t *records;
    uint64_t room;
    const struct vxbi_chunk_visitor *visitor;
};

static enum vxb_status visit(struct walk *walk, uint32_t index, const struct vxb_grass_chunk *chunk,
                             struct vxb_error *err)
{
    const struct vxbi_chunk_visitor *visitor = walk->visitor;
    uint64_t bytes = (uint64_t)chunk->blade_count * VXB_GRASS_RECORD_BYTES;
    if (!visitor->blades)
        return visitor->chunk(visitor->user, index, chunk, NULL, err);
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
    uint32_t total = vxb_grass_header(walk->grass)->chunk_count;
    enum vxb_status status = VXB_OK;
    for (uint32_t first = 0; first < total && status == VXB_OK;) {
        uint32_t count = total - first < WINDOW ? total - first : WINDOW;
        status = vxb_grass_chunks(walk->grass, first, count, window, err);
        for (uint32_t i = 0; i < count && status == VXB_OK; i++)
            status = visit(walk, first + i, &window[i], err);
        first += count;
    }
    return status;
}

enum vxb_status vxbi_check_inspect_options(const struct vxb_inspect_options *options, struct vxb_error *err)
{
    return options ? vxbi_check_size("vxb_inspect_options", options->size, sizeof *options, err) : VXB_OK;
}

enum vxb_status vxbi_chunks_visit(const struct vxb_grass *grass, const struct vxb_inspect_options *options,
                                  const struct vxbi_chunk_visitor *visitor, struct vxb_error *err)
{
    struct walk walk = {.grass = grass, .allocator = grass->allocator, .visitor = visitor};
    enum vxb_status status = options && options->has_chunk
                                 ? visit_cell(&walk, options->chunk_x, options->chunk_z, err)
                                 : visit_all(&walk, err);
    vxb_grass_scratch_free(walk.scratch);
    vxbi_delete(&walk.allocator, walk.records, walk.room, 1);
    return status;
}

void vxbi_blade_members(struct vxbi_jsonw *w, uint32_t index, const struct vxb_blade *blade)
{
    vxbi_member_u64(w, "index", index);
    vxbi_blade_values(w, blade);
}

void vxbi_blade_values(struct vxbi_jsonw *w, const struct vxb_blade *blade)
{
    const double exact[3] = {blade->x, blade->y, blade->z};
    static const char *const exact_names[3] = {"x", "y", "z"};
    const double rest[7] = {blade->yaw,   blade->scale, blade->up[0], blade->up[1],
                            blade->up[2], blade->tint,  blade->phase};
    static const char *const rest_names[7] = {"yaw", "scale", "up_x", "up_y", "up_z", "tint", "phase"};
    for (int i = 0; i < 3; i++) {
        vxbi_jsonw_key(w, exact_names[i]);
        vxbi_jsonw_f64(w, exact[i]);
    }
    for (int i = 0; i < 7; i++) {
        vxbi_jsonw_key(w, rest_names[i]);
        vxbi_jsonw_f32(w, (float)rest[i]);
    }
    vxbi_member_f64(w, "rank", blade->rank);
}

struct lines {
    const struct vxb_grass *grass;
    const struct vxb_sink *sink;
    struct vxbi_jsonw json;
    size_t used;
    char buf[8192];
};

static bool flush(struct lines *lines)
{
    bool ok = lines->used == 0 || lines->sink->write(lines->sink->user, lines->buf, lines->used);
    lines->used = 0;
    return ok;
}

/* A line is appended whole: at most a name of 255 bytes, escaped fourfold and quoted, and a score of numbers. */
#define LINE_ROOM 2048

static void add(struct lines *lines, const char *text)
{
    size_t size = strlen(text);
    memcpy(lines->buf + lines->used, text, size);
    lines->used += size;
}

/* RFC 4180: quoted where it has to be, quotes doubled; controls and bad UTF-8 as \xNN, since a CSV is looked at in
 * terminals. */
static void add_csv_text(struct lines *lines, const char *text)
{
    char escaped[4 * VXB_NAME_MAX_BYTES + 1];
    vxbi_escape(escaped, sizeof escaped, text, strlen(text));
    if (!strpbrk(escaped, ",\" ")) {
        add(lines, escaped);
        return;
    }
    lines->buf[lines->used++] = '"';
    for (const char *p = escaped; *p; p++) {
        if (*p == '"')
            lines->buf[lines->used++] = '"';
        lines->buf[lines->used++] = *p;
    }
    lines->buf[lines->used++] = '"';
}

static void csv_line(struct lines *lines, const struct vxb_grass_chunk *chunk, uint32_t index,
                     const struct vxb_blade *blade)
{
    char text[96], number[VXBI_NUMBER_ROOM];
    const double exact[3] = {blade->x, blade->y, blade->z};
    const double rest[7] = {blade->yaw,   blade->scale, blade->up[0], blade->up[1],
                            blade->up[2], blade->tint,  blade->phase};
    snprintf(text, sizeof text, "%" PRIu32 ",", chunk->section);
    add(lines, text);
    add_csv_text(lines, vxb_grass_section(lines->grass, chunk->section)->name);
    snprintf(text, sizeof text, ",%" PRId32 ",%" PRId32 ",%" PRIu32, chunk->cell_x, chunk->cell_z, index);
    add(lines, text);
    for (int i = 0; i < 3; i++) {
        add(lines, ",");
        add(lines, vxbi_f64_text(exact[i], number));
    }
    for (int i = 0; i < 7; i++) {
        add(lines, ",");
        add(lines, vxbi_f32_text((float)rest[i], number));
    }
    add(lines, ",");
    add(lines, vxbi_f64_text(blade->rank, number));
    add(lines, "\n");
}

static enum vxb_status csv_chunk(void *user, uint32_t number, const struct vxb_grass_chunk *chunk,
                                 const uint8_t *records, struct vxb_error *err)
{
    struct lines *lines = user;
    (void)number;
    for (uint32_t i = 0; i < chunk->blade_count; i++) {
        struct vxb_blade blade;
        vxb_grass_decode(vxb_grass_header(lines->grass), chunk, records + (size_t)i * VXB_GRASS_RECORD_BYTES, &blade);
        if (sizeof lines->buf - lines->used < LINE_ROOM && !flush(lines))
            return vxbi_sink_failed(err);
        csv_line(lines, chunk, chunk->first_blade + i, &blade);
    }
    return VXB_OK;
}

enum vxb_status vxb_inspect_blades_csv(const struct vxb_grass *grass, const struct vxb_inspect_options *options,
                                       const struct vxb_sink *sink, struct vxb_error *err)
{
    struct lines lines = {.grass = grass, .sink = sink};
    const struct vxbi_chunk_visitor visitor = {.user = &lines, .blades = true, .chunk = csv_chunk};
    enum vxb_status status = vxbi_check_inspect_options(options, err);
    if (status != VXB_OK)
        return status;
    add(&lines, "section,species,cell_x,cell_z,index,x,y,z,yaw,scale,up_x,up_y,up_z,tint,phase,rank\n");
    status = vxbi_chunks_visit(grass, options, &visitor, err);
    if (status == VXB_OK && !flush(&lines))
        status = vxbi_sink_failed(err);
    return status;
}

static enum vxb_status json_chunk(void *user, uint32_t number, const struct vxb_grass_chunk *chunk,
                                  const uint8_t *records, struct vxb_error *err)
{
    struct lines *lines = user;
    struct vxbi_jsonw *w = &lines->json;
    (void)number;
    for (uint32_t i = 0; i < chunk->blade_count; i++) {
        struct vxb_blade blade;
        vxb_grass_decode(vxb_grass_header(lines->grass), chunk, records + (size_t)i * VXB_GRASS_RECORD_BYTES, &blade);
        vxbi_sink_json(w, lines->sink, true);
        vxbi_jsonw_object(w);
        vxbi_member_u64(w, "section", chunk->section);
        vxbi_member_text(w, "species", vxb_grass_section(lines->grass, chunk->section)->name);
        vxbi_member_i64(w, "cell_x", chunk->cell_x);
        vxbi_member_i64(w, "cell_z", chunk->cell_z);
        vxbi_blade_members(w, chunk->first_blade + i, &blade);
        vxbi_jsonw_object_end(w);
        enum vxb_status status = vxbi_sink_json_end(w, err);
        if (status != VXB_OK)
            return status;
    }
    return VXB_OK;
}

enum vxb_status vxb_inspect_blades_json_lines(const struct vxb_grass *grass, const struct vxb_inspect_options *options,
                                              const struct vxb_sink *sink, struct vxb_error *err)
{
    struct lines lines = {.grass = grass, .sink = sink};
    const struct vxbi_chunk_visitor visitor = {.user = &lines, .blades = true, .chunk = json_chunk};
    enum vxb_status status = vxbi_check_inspect_options(options, err);
    return status != VXB_OK ? status : vxbi_chunks_visit(grass, options, &visitor, err);
}
