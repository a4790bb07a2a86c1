/* What is made from a baked file for people and for other programs: pictures, JSON, CSV. Source: vxbake-inspect(1),
 * vxbake-bake(1); the JSON has its schemas under schemas/. */
#ifndef VXBAKE_EXPORT_H
#define VXBAKE_EXPORT_H

#include "bake.h"
#include "base.h"
#include "device.h"
#include "diff.h"
#include "explain.h"
#include "grass.h"
#include "probe_file.h"
#include "texture.h"
#include "transcode.h"
#include "verify.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Text in the caller's hands, in malloc's memory; free with vxb_text_free(). data is terminated, or NULL while there is
 * none; size does not count the terminator. */
struct vxb_text {
    char *data;
    size_t size;
};
void vxb_text_free(struct vxb_text *text); /* NULL is allowed */

/* Receives output piece by piece; false ends the call with VXB_ERR_IO. That is the one failure of the functions below
 * that only write what they are given; those that read a file add the statuses of reading it. */
struct vxb_sink {
    void *user;
    bool (*write)(void *user, const char *data, size_t size);
};

/* A sink that gathers text in memory: {&text, vxb_text_write}, where text was zeroed before. What it holds is whole
 * after every call; false where there is no memory. */
bool vxb_text_write(void *text, const char *data, size_t size);

/* ---- JSON: compact is on one line, else with indentation; both end in a line break. 64-bit identities are "0x..."
 * strings. ---- */

/* The report of a bake as JSON (schemas/report-bake.schema.json). plan is the one the bake was made with. */
enum vxb_status vxb_bake_report_json(const struct vxb_plan *plan, const struct vxb_bake_report *report, bool compact,
                                     const struct vxb_sink *sink, struct vxb_error *err);

/* The plan alone as JSON: what --dry-run prints (schemas/report-plan.schema.json). */
enum vxb_status vxb_plan_json(const struct vxb_plan *plan, bool compact, const struct vxb_sink *sink,
                              struct vxb_error *err);

/* The devices of a machine as JSON (schemas/report-devices.schema.json). */
enum vxb_status vxb_devices_json(const struct vxb_device_list *list, bool compact, const struct vxb_sink *sink,
                                 struct vxb_error *err);

/* The report of a depth pyramid's bake as JSON (schemas/report-pyramid.schema.json). recipe is the one it was made
 * from. */
enum vxb_status vxb_pyramid_report_json(const struct vxb_pyramid_recipe *recipe,
                                        const struct vxb_pyramid_report *report, bool compact,
                                        const struct vxb_sink *sink, struct vxb_error *err);

/* The plan of an irradiance field's bake as JSON (schemas/report-probe-plan.schema.json), and its report
 * (schemas/report-probes.schema.json). */
enum vxb_status vxb_probe_plan_json(const struct vxb_probe_plan *plan, bool compact, const struct vxb_sink *sink,
                                    struct vxb_error *err);
enum vxb_status vxb_probe_report_json(const struct vxb_probe_plan *plan, const struct vxb_probe_report *report,
                                      bool compact, const struct vxb_sink *sink, struct vxb_error *err);

/* Reports of verify as one JSON document (schemas/report-verify.schema.json), or, lines true, as one such document a
 * file, each on a line of its own. A report with a failure is a file that could not be checked. skipped: files that
 * were found where these were, and left out as none to check; a line tells of its file only. */
enum vxb_status vxb_verify_json(const struct vxb_verify_report *const *reports, size_t count, uint64_t skipped,
                                bool lines, const struct vxb_sink *sink, struct vxb_error *err);

/* The same as a JUnit XML file, a test case a file: one that is not good has failed, one that could not be checked is
 * in error. What no XML can hold is escaped as \xNN. */
enum vxb_status vxb_verify_junit(const struct vxb_verify_report *const *reports, size_t count, uint64_t skipped,
                                 const struct vxb_sink *sink, struct vxb_error *err);

/* Every finding there is, or only one where it is not VXB_FINDING_NONE, as JSON (schemas/findings.schema.json); lines:
 * as one document a finding, each on a line of its own. */
enum vxb_status vxb_findings_json(enum vxb_finding only, bool lines, const struct vxb_sink *sink,
                                  struct vxb_error *err);

/* What vxb_diff() found as JSON (schemas/report-diff.schema.json). */
enum vxb_status vxb_diff_json(const struct vxb_diff_report *report, bool compact, const struct vxb_sink *sink,
                              struct vxb_error *err);

/* What vxb_explain() found as JSON (schemas/report-explain.schema.json), with the plan it was asked of. */
enum vxb_status vxb_explanation_json(const struct vxb_plan *plan, const struct vxb_explanation *explanation,
                                     bool compact, const struct vxb_sink *sink, struct vxb_error *err);

/* What vxb_transcode() wrote as JSON (schemas/report-transcode.schema.json), with the input and the options that it was
 * given. */
enum vxb_status vxb_transcode_report_json(const char *input, const struct vxb_transcode_options *options,
                                          const struct vxb_transcode_report *report, bool compact,
                                          const struct vxb_sink *sink, struct vxb_error *err);

/* What inspect shows. */
struct vxb_inspect_options {
    size_t size;
    bool chunks;             /* list the chunk table */
    bool has_chunk;          /* only chunks of this cell, and their blades where blades is set */
    int32_t chunk_x, chunk_z;
    bool blades;             /* blades too */
    bool has_chunk_range;    /* only chunks first_chunk to last_chunk, that one included; not together with a cell */
    uint32_t first_chunk, last_chunk;
    bool has_blade_range;    /* only blades first_blade to last_blade of the file, or, with a cell, of each chunk */
    uint32_t first_blade, last_blade;
};

/* Whether what options name is there: a cell within those that the chunks span, a range's first chunk or blade. A cell
 * in which nothing grows is there, and a list of it is empty; a range may go on beyond the last, and from 0 to
 * UINT32_MAX it is all there are, which may be none.
 * options: NULL names nothing.
 * Returns VXB_ERR_USAGE (it says what there is), VXB_ERR_IO, and what vxb_grass_chunks() returns. */
enum vxb_status vxb_inspect_check(const struct vxb_grass *grass, const struct vxb_inspect_options *options,
                                  struct vxb_error *err);

/* A file's header, sections and, where asked for, chunks and blades, as JSON (schemas/report-inspect.schema.json).
 * options: NULL shows header and sections.
 * Returns what vxb_inspect_check() does, before anything is written, VXB_ERR_IO, and what vxb_grass_chunks() and
 * vxb_grass_read_chunk() return; so do the next two. */
enum vxb_status vxb_inspect_json(const struct vxb_grass *grass, const struct vxb_inspect_options *options,
                                 bool compact, const struct vxb_sink *sink, struct vxb_error *err);

/* What a KTX2 file says of itself, as JSON (schemas/report-texture.schema.json). */
enum vxb_status vxb_texture_json(const struct vxb_texture *texture, bool compact, const struct vxb_sink *sink,
                                 struct vxb_error *err);

/* An irradiance field's header and planes, and where asked for its bricks and statistics (NULL: none), as JSON
 * (schemas/report-probe-file.schema.json). */
enum vxb_status vxb_probe_file_json(const struct vxb_probe_file *file, bool with_bricks,
                                    const struct vxb_probe_statistics *with_statistics, bool compact,
                                    const struct vxb_sink *sink, struct vxb_error *err);

/* Blades as CSV (RFC 4180, with a header line, lines ending in LF) or as JSON lines: section (its index), species (the
 * section's name, controls escaped as \xNN in CSV), cell_x, cell_z, index (of the blade in the file), x, y, z, yaw,
 * scale, up_x, up_y, up_z, tint, phase, rank. Numbers are the shortest that read back as the same f64 (x, y, z, rank)
 * or f32 (the others), with a point in every locale. options: only the cell and the ranges are looked at; NULL: every
 * blade. */
enum vxb_status vxb_inspect_blades_csv(const struct vxb_grass *grass, const struct vxb_inspect_options *options,
                                       const struct vxb_sink *sink, struct vxb_error *err);
enum vxb_status vxb_inspect_blades_json_lines(const struct vxb_grass *grass, const struct vxb_inspect_options *options,
                                              const struct vxb_sink *sink, struct vxb_error *err);

/* A top-down picture of a baked file, species coloured over relief shaded from the blades' own heights, as a PNG file
 * written atomically.
 * as: SPECIES or DENSITY. side: pixels of the longer side, 16..4096; 0: 1024.
 * Returns VXB_ERR_USAGE (REASON, which needs the bake; a side beyond its range), VXB_ERR_REFUSED (path is the file that
 * is shown), VXB_ERR_IO, VXB_ERR_CANCELLED, VXB_ERR_MEMORY, and what reading a chunk returns. */
enum vxb_status vxb_grass_preview(const struct vxb_env *env, const struct vxb_grass *grass, enum vxb_preview_as as,
                                  uint32_t side, const char *path, struct vxb_error *err);

/* A picture of a depth pyramid's levels, each as large as the others, coloured from the farthest surface of level 0 to
 * the nearest, as a PNG file written atomically. side: as above. */
enum vxb_status vxb_pyramid_preview(const struct vxb_env *env, const struct vxb_pyramid *pyramid, uint32_t side,
                                    const char *path, struct vxb_error *err);

#ifdef __cplusplus
}
#endif

#endif
