/* What a baked file holds, as lists: of sections, chunks, blades, strings, levels, keys, bricks, planes, probes; of
 * its hashes; of its bytes, field by field. Source: vxinspect(1); the JSON has schemas/report-list.schema.json,
 * report-hashes.schema.json and report-raw.schema.json. */
#ifndef VXBAKE_LIST_H
#define VXBAKE_LIST_H

#include "export.h"
#include "file.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A row is a line of TEXT, of CSV (RFC 4180, with a line of names first, lines ending in LF), or an object: on a line
 * of its own, or in an array of the one JSON document. Numbers are the shortest that read back as the same value, with
 * a point in every locale; identities and hashes "0x...". In TEXT and CSV control characters and bytes that are no
 * UTF-8 are \xNN. */
enum vxb_list_format { VXB_LIST_TEXT, VXB_LIST_JSON, VXB_LIST_JSON_LINES, VXB_LIST_CSV };

/* Lists there are: of grass files, then of KTX2 files, then of irradiance fields; HEADER is of all. */
enum vxb_list_view {
    VXB_LIST_HEADER = 1,
    VXB_LIST_SECTIONS = 2,
    VXB_LIST_LODS = 4,
    VXB_LIST_STRINGS = 8,
    VXB_LIST_CHUNKS = 16,
    VXB_LIST_BLADES = 32,
    VXB_LIST_LEVELS = 64,
    VXB_LIST_KEYS = 128,
    VXB_LIST_SAMPLES = 256,
    VXB_LIST_BRICKS = 512,
    VXB_LIST_PLANES = 1024,
    VXB_LIST_PROBES = 2048
};

struct vxb_list_options {
    size_t size;
    unsigned views;                  /* enum vxb_list_view; one alone in JSON_LINES and CSV */
    enum vxb_list_format format;
    struct vxb_inspect_options what; /* which chunks and which blades; its size is set too */
    bool has_brick_range;            /* only bricks first_brick to last_brick, that one included, and their probes */
    uint32_t first_brick, last_brick;
};

/* The name of a view, as in the JSON ("chunks"); static storage, NULL for what is none. */
const char *vxb_list_view_name(enum vxb_list_view view);

/* Lists what an open file holds. Reads the chunk table in windows and a chunk at a time; for probes the whole pool.
 * env: may be NULL; with PROBES its memory limit and its cancelling hold.
 * Returns VXB_ERR_USAGE (a view that is not of such a file, none, or several where one is allowed; what
 * vxb_inspect_check() refuses, a first brick that is not there), VXB_ERR_IO, and
 * what vxb_grass_chunks(), vxb_grass_read_chunk() and vxb_probe_file_field() return. */
enum vxb_status vxb_list(const struct vxb_env *env, const struct vxb_file *file,
                         const struct vxb_list_options *options, const struct vxb_sink *sink, struct vxb_error *err);

/* Every hash of a grass file of formats 2 and 3 or of an irradiance field as it is stored and as it is made anew from
 * the bytes, also of a damaged file that can't be opened: header, tables, content, each format 3 material id, each
 * chunk; of a field each plane.
 * mismatches: how many are not equal, one that can't be made anew among them.
 * Returns VXB_ERR_FORMAT, VXB_ERR_UNSUPPORTED (KTX2, format 1: no hashes), VXB_ERR_DATA (no header to read),
 * VXB_ERR_IO, VXB_ERR_LIMIT, VXB_ERR_MEMORY, VXB_ERR_CANCELLED. */
enum vxb_status vxb_list_hashes(const struct vxb_env *env, const char *path, enum vxb_list_format format,
                                const struct vxb_sink *sink, uint64_t *mismatches, struct vxb_error *err);

struct vxb_raw_options {
    size_t size;
    enum vxb_list_format format;
    const char *structure;    /* "header"; "section", "lod", "string", "chunk", "blade"; "level", "dfd", "sample",
                                 "key"; "brick", "plane" */
    bool has_range;
    uint64_t first, last;     /* which of them, the last one included; where there is not a range: all */
    bool has_at;
    uint64_t at;              /* where the first of them stands, whatever the file says; not of blades */
    const char *as;           /* "grass-1", "grass-2", "grass-3", "ktx2", "probes-1"; NULL: what the file says it is */
};

struct vxb_raw_report {
    uint64_t shown;           /* structures */
    uint64_t damaged;         /* broken rules that concern a field that was shown */
    uint64_t elsewhere;       /* broken rules that do not */
    bool cut;                 /* the file ended, or could not be understood, before all that was asked for was shown */
};

/* Shows a file's bytes field by field, with offset, bytes, name, type, value, what the value means and which rule it
 * breaks. Works on damaged files: nothing has to be right but that the structure stands where the header, as it stands,
 * puts it.
 * Returns VXB_ERR_USAGE (no such structure, an index beyond what the header says there is), VXB_ERR_FORMAT (the format
 * is not to be told), VXB_ERR_IO, VXB_ERR_LIMIT, VXB_ERR_MEMORY, VXB_ERR_CANCELLED. */
enum vxb_status vxb_list_raw(const struct vxb_env *env, const char *path, const struct vxb_raw_options *options,
                             const struct vxb_sink *sink, struct vxb_raw_report *report, struct vxb_error *err);

#ifdef __cplusplus
}
#endif

#endif
