/* Rows of named cells, as text, CSV, JSON lines or a JSON document: what every list of a file is written through. */
#ifndef VXBI_EXPORT_TABLE_H
#define VXBI_EXPORT_TABLE_H

#include "../core/jsonw.h"
#include "../vxbake/list.h"

enum vxbi_cell_kind {
    VXBI_CELL_NONE,   /* null; "-" in text, nothing in CSV */
    VXBI_CELL_TEXT,   /* NULL is NONE */
    VXBI_CELL_U64,
    VXBI_CELL_I64,
    VXBI_CELL_F32,
    VXBI_CELL_F64,
    VXBI_CELL_ID,     /* a 64-bit identity or hash */
    VXBI_CELL_LIMIT,  /* a u32, the largest of which is none at all */
    VXBI_CELL_BOOL
};

struct vxbi_cell {
    enum vxbi_cell_kind kind;
    const char *text;
    uint64_t u;
    int64_t i;
    double f;
};

static inline struct vxbi_cell vxbi_cell_text(const char *text)
{
    return (struct vxbi_cell){.kind = text ? VXBI_CELL_TEXT : VXBI_CELL_NONE, .text = text};
}
static inline struct vxbi_cell vxbi_cell_u64(uint64_t u) { return (struct vxbi_cell){.kind = VXBI_CELL_U64, .u = u}; }
static inline struct vxbi_cell vxbi_cell_i64(int64_t i) { return (struct vxbi_cell){.kind = VXBI_CELL_I64, .i = i}; }
static inline struct vxbi_cell vxbi_cell_f32(float f)
{
    return (struct vxbi_cell){.kind = VXBI_CELL_F32, .f = (double)f};
}
static inline struct vxbi_cell vxbi_cell_f64(double f) { return (struct vxbi_cell){.kind = VXBI_CELL_F64, .f = f}; }
static inline struct vxbi_cell vxbi_cell_id(uint64_t u) { return (struct vxbi_cell){.kind = VXBI_CELL_ID, .u = u}; }
static inline struct vxbi_cell vxbi_cell_limit(uint32_t u)
{
    return (struct vxbi_cell){.kind = VXBI_CELL_LIMIT, .u = u};
}
static inline struct vxbi_cell vxbi_cell_bool(bool b) { return (struct vxbi_cell){.kind = VXBI_CELL_BOOL, .u = b}; }

/* width: columns of text, to the left where it is negative; what is longer makes the line longer. */
struct vxbi_column {
    const char *name;
    int width;
};

struct vxbi_table {
    const char *name;  /* "chunks" */
    const char *title; /* "section": in text each row is a block under this and its first cell; NULL: a line */
    const struct vxbi_column *columns;
    size_t count;
};

/* The columns and the cells of a list of fields (core/fields.h), so that a list calls them what the format does. s is a
 * pointer to the structure in memory; what a FLAGS field says is the text in a variable flags_text. Magics and reserved
 * words are left out. */
#define VXBI_COLUMN(s, field, type, words) VXBI_COLUMN_##type(field)
#define VXBI_COLUMN_U8(field) {#field, 10},
#define VXBI_COLUMN_U16(field) {#field, 10},
#define VXBI_COLUMN_FLAGS(field) {#field, -14},
#define VXBI_COLUMN_U32(field) {#field, 11},
#define VXBI_COLUMN_LIMIT(field) {#field, 11},
#define VXBI_COLUMN_I32(field) {#field, 7},
#define VXBI_COLUMN_F32(field) {#field, 11},
#define VXBI_COLUMN_VEC3(field) {#field "_x", 11}, {#field "_y", 11}, {#field "_z", 11},
#define VXBI_COLUMN_UVEC3(field) {#field "_x", 7}, {#field "_y", 7}, {#field "_z", 7},
#define VXBI_COLUMN_U64(field) {#field, 12},
#define VXBI_COLUMN_ID(field) {#field, 18},
#define VXBI_COLUMN_ZERO(field)
#define VXBI_COLUMN_BYTES8(field)
#define VXBI_CELL(s, field, type, words) VXBI_CELL_OF_##type(s, field)
#define VXBI_CELL_OF_U8(s, field) vxbi_cell_u64((s)->field),
#define VXBI_CELL_OF_U16(s, field) vxbi_cell_u64((s)->field),
#define VXBI_CELL_OF_FLAGS(s, field) vxbi_cell_text(flags_text),
#define VXBI_CELL_OF_U32(s, field) vxbi_cell_u64((s)->field),
#define VXBI_CELL_OF_LIMIT(s, field) vxbi_cell_limit((s)->field),
#define VXBI_CELL_OF_I32(s, field) vxbi_cell_i64((s)->field),
#define VXBI_CELL_OF_F32(s, field) vxbi_cell_f32((s)->field),
#define VXBI_CELL_OF_VEC3(s, field)                                                                                    \
    vxbi_cell_f32((s)->field[0]), vxbi_cell_f32((s)->field[1]), vxbi_cell_f32((s)->field[2]),
#define VXBI_CELL_OF_UVEC3(s, field)                                                                                   \
    vxbi_cell_u64((s)->field[0]), vxbi_cell_u64((s)->field[1]), vxbi_cell_u64((s)->field[2]),
#define VXBI_CELL_OF_U64(s, field) vxbi_cell_u64((s)->field),
#define VXBI_CELL_OF_ID(s, field) vxbi_cell_id((s)->field),
#define VXBI_CELL_OF_ZERO(s, field)
#define VXBI_CELL_OF_BYTES8(s, field)

struct vxbi_listing {
    const struct vxb_sink *sink;
    enum vxb_list_format format;
    bool titled;       /* text: each table under its name */
    bool failed;       /* the sink said no; nothing more is written */
    const struct vxbi_table *table;
    uint64_t tables, rows;
    struct vxbi_jsonw json;
    size_t used;
    char buf[8192];
};

/* Begins; of JSON the document's members "version", "kind" and "format", and "lists", which holds the tables; kind and
 * file_format are of nothing else. */
void vxbi_listing_begin(struct vxbi_listing *l, const struct vxb_sink *sink, enum vxb_list_format format,
                        const char *kind, const char *file_format);
/* A table, its rows (table->count cells each), its end. A JSON document has it as an array by its name. row: false
 * where the sink said no. */
void vxbi_listing_table(struct vxbi_listing *l, const struct vxbi_table *table);
bool vxbi_listing_row(struct vxbi_listing *l, const struct vxbi_cell *cells);
void vxbi_listing_table_end(struct vxbi_listing *l);
/* The members of an object that is open. */
void vxbi_cells_json(struct vxbi_jsonw *w, const struct vxbi_table *table, const struct vxbi_cell *cells);
/* Ends; status: how the work behind the rows went, returned again where it failed. The rows that were made are whole
 * then, none is cut, but a JSON document stays open, so that nobody takes it for all there is. VXB_ERR_IO where the
 * sink said no. */
enum vxb_status vxbi_listing_end(struct vxbi_listing *l, enum vxb_status status, struct vxb_error *err);

#endif
