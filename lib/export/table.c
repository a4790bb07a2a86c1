/* Lists as text, CSV and JSON. Whatever a cell holds, a row stays one line: what is no printable text is escaped. */
#include "table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../core/text.h"
#include "sink.h"

/* ---- characters ---- */

static void flush(struct vxbi_listing *l)
{
    if (l->used && !l->failed)
        l->failed = !l->sink->write(l->sink->user, l->buf, l->used);
    l->used = 0;
}

static void add(struct vxbi_listing *l, const char *text, size_t size)
{
    while (size) {
        const size_t room = sizeof l->buf - l->used, n = size < room ? size : room;
        memcpy(l->buf + l->used, text, n);
        l->used += n;
        text += n;
        size -= n;
        if (l->used == sizeof l->buf)
            flush(l);
    }
}

static void add_text(struct vxbi_listing *l, const char *text) { add(l, text, strlen(text)); }

static void pad(struct vxbi_listing *l, size_t count)
{
    while (count--)
        add(l, " ", 1);
}

/* Text escaped, a character at a time; doubled: quotes are, as within quotes in CSV. Returns how many columns it
 * takes; l NULL: only that. */
static size_t add_escaped(struct vxbi_listing *l, const char *text, bool doubled)
{
    const size_t size = strlen(text);
    size_t columns = 0;
    for (size_t at = 0; at < size;) {
        char escaped[32];
        const size_t valid = vxbi_utf8_length(text + at, size - at), n = valid ? valid : 1;
        const size_t length = vxb_text_escape(escaped, sizeof escaped, text + at, n);
        columns += length == n ? 1 : length;
        if (l && doubled && text[at] == '"')
            add(l, "\"", 1);
        if (l)
            add(l, escaped, length);
        at += n;
    }
    return columns;
}

/* What a cell that is no text looks like. */
static const char *number(const struct vxbi_cell *cell, bool csv, char out[VXB_TEXT_NUMBER_ROOM])
{
    switch (cell->kind) {
    case VXBI_CELL_NONE:
    case VXBI_CELL_TEXT: return csv ? "" : "-";
    case VXBI_CELL_U64: snprintf(out, VXB_TEXT_NUMBER_ROOM, "%" PRIu64, cell->u); return out;
    case VXBI_CELL_I64: snprintf(out, VXB_TEXT_NUMBER_ROOM, "%" PRId64, cell->i); return out;
    case VXBI_CELL_F32: return vxb_text_f32((float)cell->f, out);
    case VXBI_CELL_F64: return vxb_text_f64(cell->f, out);
    case VXBI_CELL_ID: snprintf(out, VXB_TEXT_NUMBER_ROOM, "0x%016" PRIx64, cell->u); return out;
    case VXBI_CELL_LIMIT:
        if (cell->u == VXB_NO_LIMIT)
            return csv ? "" : "none";
        snprintf(out, VXB_TEXT_NUMBER_ROOM, "%" PRIu64, cell->u);
        return out;
    case VXBI_CELL_BOOL: return csv ? (cell->u ? "true" : "false") : cell->u ? "yes" : "no";
    }
    return "";
}

/* ---- CSV ---- */

static void csv_row(struct vxbi_listing *l, const struct vxbi_cell *cells)
{
    for (size_t i = 0; i < l->table->count; i++) {
        char out[VXB_TEXT_NUMBER_ROOM];
        if (i)
            add(l, ",", 1);
        if (cells[i].kind != VXBI_CELL_TEXT) {
            add_text(l, number(&cells[i], true, out));
            continue;
        }
        const bool quoted = strpbrk(cells[i].text, ",\" ") != NULL;
        if (quoted)
            add(l, "\"", 1);
        add_escaped(l, cells[i].text, quoted);
        if (quoted)
            add(l, "\"", 1);
    }
    add(l, "\n", 1);
}

/* ---- text ---- */

static void text_cell(struct vxbi_listing *l, const struct vxbi_cell *cell, int width, bool last)
{
    char out[VXB_TEXT_NUMBER_ROOM];
    const bool text = cell->kind == VXBI_CELL_TEXT;
    const char *shown = text ? (cell->text[0] ? cell->text : "-") : number(cell, false, out);
    const size_t room = (size_t)(width < 0 ? -width : width), columns = add_escaped(NULL, shown, false);
    if (width > 0 && columns < room)
        pad(l, room - columns);
    add_escaped(l, shown, false);
    if (width < 0 && columns < room && !last)
        pad(l, room - columns);
}

/* Up to the last cell that holds something. */
static void text_row(struct vxbi_listing *l, const struct vxbi_cell *cells)
{
    size_t count = l->table->count;
    while (count > 1 && cells[count - 1].kind == VXBI_CELL_NONE)
        count--;
    for (size_t i = 0; i < count; i++) {
        if (i)
            add(l, "  ", 2);
        text_cell(l, &cells[i], l->table->columns[i].width, i + 1 == count);
    }
    add(l, "\n", 1);
}

static void text_block(struct vxbi_listing *l, const struct vxbi_cell *cells)
{
    const struct vxbi_column *columns = l->table->columns;
    const bool numbered = strcmp(columns[0].name, "index") == 0;
    size_t room = 0;
    if (l->rows)
        add(l, "\n", 1);
    add_text(l, l->table->title);
    if (numbered) {
        add(l, " ", 1);
        text_cell(l, &cells[0], 0, true);
    }
    add(l, "\n", 1);
    for (size_t i = numbered; i < l->table->count; i++)
        room = strlen(columns[i].name) > room ? strlen(columns[i].name) : room;
    for (size_t i = numbered; i < l->table->count; i++) {
        add(l, "  ", 2);
        add_text(l, columns[i].name);
        pad(l, room - strlen(columns[i].name) + 2);
        text_cell(l, &cells[i], 0, true);
        add(l, "\n", 1);
    }
}

static void text_names(struct vxbi_listing *l)
{
    for (size_t i = 0; i < l->table->count; i++) {
        const struct vxbi_cell name = vxbi_cell_text(l->table->columns[i].name);
        if (i)
            add(l, "  ", 2);
        text_cell(l, &name, l->table->columns[i].width, i + 1 == l->table->count);
    }
    add(l, "\n", 1);
}

/* ---- JSON ---- */

void vxbi_cells_json(struct vxbi_jsonw *w, const struct vxbi_table *table, const struct vxbi_cell *cells)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct vxbi_cell *cell = &cells[i];
        vxbi_jsonw_key(w, table->columns[i].name);
        switch (cell->kind) {
        case VXBI_CELL_NONE: vxbi_jsonw_null(w); break;
        case VXBI_CELL_TEXT: vxbi_jsonw_text(w, cell->text); break;
        case VXBI_CELL_U64:
            /* Beyond it readers that take numbers for doubles would round: as a text then. Only damage makes such. */
            if (cell->u > (uint64_t)1 << 53)
                vxbi_jsonw_id(w, cell->u);
            else
                vxbi_jsonw_u64(w, cell->u);
            break;
        case VXBI_CELL_I64: vxbi_jsonw_i64(w, cell->i); break;
        case VXBI_CELL_F32: vxbi_jsonw_f32(w, (float)cell->f); break;
        case VXBI_CELL_F64: vxbi_jsonw_f64(w, cell->f); break;
        case VXBI_CELL_ID: vxbi_jsonw_id(w, cell->u); break;
        case VXBI_CELL_LIMIT:
            if (cell->u == VXB_NO_LIMIT)
                vxbi_jsonw_null(w);
            else
                vxbi_jsonw_u64(w, cell->u);
            break;
        case VXBI_CELL_BOOL: vxbi_jsonw_bool(w, cell->u != 0); break;
        }
    }
}

static void json_row(struct vxbi_listing *l, const struct vxbi_cell *cells)
{
    const bool lines = l->format == VXB_LIST_JSON_LINES;
    if (lines)
        vxbi_sink_json(&l->json, l->sink, true);
    vxbi_jsonw_object(&l->json);
    vxbi_cells_json(&l->json, l->table, cells);
    vxbi_jsonw_object_end(&l->json);
    if (lines)
        vxbi_jsonw_end(&l->json);
    l->failed = l->failed || l->json.failed;
}

/* ---- all of them ---- */

void vxbi_listing_begin(struct vxbi_listing *l, const struct vxb_sink *sink, enum vxb_list_format format,
                        const char *kind, const char *file_format)
{
    l->sink = sink;
    l->format = format;
    l->titled = l->failed = false;
    l->table = NULL;
    l->tables = l->rows = l->used = 0;
    if (format != VXB_LIST_JSON)
        return;
    vxbi_sink_json(&l->json, sink, false);
    vxbi_jsonw_object(&l->json);
    vxbi_member_u64(&l->json, "version", 1);
    vxbi_member_text(&l->json, "kind", kind);
    vxbi_member_text(&l->json, "format", file_format);
    vxbi_jsonw_key(&l->json, "lists");
    vxbi_jsonw_object(&l->json);
}

void vxbi_listing_table(struct vxbi_listing *l, const struct vxbi_table *table)
{
    l->table = table;
    l->rows = 0;
    switch (l->format) {
    case VXB_LIST_JSON:
        vxbi_jsonw_key(&l->json, table->name);
        vxbi_jsonw_array(&l->json);
        break;
    case VXB_LIST_JSON_LINES: break;
    case VXB_LIST_CSV:
        for (size_t i = 0; i < table->count; i++) {
            add(l, ",", i > 0);
            add_text(l, table->columns[i].name);
        }
        add(l, "\n", 1);
        break;
    case VXB_LIST_TEXT:
        if (l->tables)
            add(l, "\n", 1);
        if (l->titled && !table->title) {
            add_text(l, table->name);
            add(l, ":\n", 2);
        }
        if (!table->title)
            text_names(l);
        break;
    }
    l->tables++;
}

bool vxbi_listing_row(struct vxbi_listing *l, const struct vxbi_cell *cells)
{
    if (l->failed)
        return false;
    switch (l->format) {
    case VXB_LIST_CSV: csv_row(l, cells); break;
    case VXB_LIST_TEXT:
        if (l->table->title)
            text_block(l, cells);
        else
            text_row(l, cells);
        break;
    default: json_row(l, cells); break;
    }
    l->rows++;
    return !l->failed;
}

void vxbi_listing_table_end(struct vxbi_listing *l)
{
    if (l->format == VXB_LIST_JSON)
        vxbi_jsonw_array_end(&l->json);
}

enum vxb_status vxbi_listing_end(struct vxbi_listing *l, enum vxb_status status, struct vxb_error *err)
{
    flush(l);
    if (status != VXB_OK)
        return status;
    if (l->format == VXB_LIST_JSON) {
        vxbi_jsonw_object_end(&l->json);
        vxbi_jsonw_object_end(&l->json);
        l->failed = !vxbi_jsonw_end(&l->json) || l->failed;
    }
    return l->failed ? vxbi_sink_failed(err) : VXB_OK;
}
