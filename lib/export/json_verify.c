/* What verify found, and what there is to find, as JSON: report-verify and findings under schemas/. */
#include "sink.h"

static void finding(struct vxbi_jsonw *w, const struct vxb_finding_record *record)
{
    char code[16];
    vxbi_jsonw_object(w);
    vxbi_member_text(w, "code", vxb_finding_code(record->finding, code));
    vxbi_member_text(w, "name", vxb_finding_name(record->finding));
    vxbi_member_text(w, "severity", record->ignored ? "ignored" : vxb_severity_name(record->severity));
    vxbi_member_text(w, "message", record->message);
    vxbi_member_text(w, "pointer", record->pointer);
    vxbi_jsonw_key(w, "offset");
    if (record->has_offset)
        vxbi_jsonw_u64(w, record->offset);
    else
        vxbi_jsonw_null(w);
    vxbi_member_u64(w, "count", record->count);
    vxbi_jsonw_object_end(w);
}

static void covered(struct vxbi_jsonw *w, const char *key, uint64_t checked, uint64_t total)
{
    vxbi_jsonw_key(w, key);
    vxbi_jsonw_object(w);
    vxbi_member_u64(w, "checked", checked);
    vxbi_member_u64(w, "total", total);
    vxbi_jsonw_object_end(w);
}

static void coverage(struct vxbi_jsonw *w, const struct vxb_verify_coverage *c)
{
    vxbi_jsonw_key(w, "coverage");
    vxbi_jsonw_object(w);
    vxbi_member_text(w, "level", vxb_verify_level_name(c->level));
    vxbi_member_bool(w, "complete", c->complete);
    vxbi_member_bool(w, "header", c->header);
    vxbi_member_bool(w, "tables", c->tables);
    vxbi_member_bool(w, "hashes", c->hashes);
    vxbi_member_bool(w, "blades", c->blades);
    vxbi_member_bool(w, "levels", c->levels);
    vxbi_member_bool(w, "borders", c->borders);
    covered(w, "chunk_count", c->chunks_checked, c->chunks_total);
    covered(w, "blade_count", c->blades_checked, c->blades_total);
    covered(w, "hash_count", c->hashes_checked, c->hashes_total);
    vxbi_member_u64(w, "hashed_bytes", c->bytes_hashed);
    covered(w, "texel_count", c->texels_checked, c->texels_total);
    covered(w, "probe_count", c->probes_checked, c->probes_total);
    vxbi_member_u64(w, "invalid_probes", c->probes_invalid);
    covered(w, "bytes", c->bytes_checked, c->bytes_total);
    vxbi_member_bool(w, "recipe", c->recipe);
    vxbi_member_bool(w, "rebake", c->rebake);
    vxbi_member_bool(w, "report", c->report);
    vxbi_jsonw_object_end(w);
}

static void counts(struct vxbi_jsonw *w, uint64_t errors, uint64_t warnings, uint64_t notes, uint64_t ignored)
{
    vxbi_member_u64(w, "errors", errors);
    vxbi_member_u64(w, "warnings", warnings);
    vxbi_member_u64(w, "notes", notes);
    vxbi_member_u64(w, "ignored", ignored);
}

static void file(struct vxbi_jsonw *w, const struct vxb_verify_report *report)
{
    vxbi_jsonw_object(w);
    vxbi_member_path(w, "path", report->path);
    vxbi_member_text(w, "failure", report->failure);
    vxbi_member_u64(w, "file_bytes", report->file_bytes);
    vxbi_member_text(w, "kind", report->kind);
    vxbi_jsonw_key(w, "format");
    if (report->format)
        vxbi_jsonw_u64(w, report->format);
    else
        vxbi_jsonw_null(w);
    vxbi_member_id(w, "bake_id", report->bake_id);
    vxbi_member_id(w, "content_id", report->content_id);
    vxbi_member_bool(w, "good", report->good);
    counts(w, report->errors, report->warnings, report->notes, report->ignored);
    coverage(w, &report->coverage);
    vxbi_jsonw_key(w, "findings");
    vxbi_jsonw_array(w);
    for (uint32_t i = 0; i < report->finding_count; i++)
        finding(w, &report->findings[i]);
    vxbi_jsonw_array_end(w);
    vxbi_jsonw_object_end(w);
}

static void summary(struct vxbi_jsonw *w, const struct vxb_verify_report *const *reports, size_t count)
{
    struct vxb_verify_summary sum;
    vxb_verify_sum(reports, count, &sum);
    vxbi_jsonw_key(w, "summary");
    vxbi_jsonw_object(w);
    vxbi_member_u64(w, "files", sum.files);
    vxbi_member_u64(w, "good", sum.good);
    vxbi_member_u64(w, "bad", sum.bad);
    vxbi_member_u64(w, "failed", sum.failed);
    counts(w, sum.errors, sum.warnings, sum.notes, sum.ignored);
    vxbi_jsonw_object_end(w);
}

/* skipped: NULL where the document can't tell. */
static enum vxb_status document(const struct vxb_verify_report *const *reports, size_t count, const uint64_t *skipped,
                                bool compact, const struct vxb_sink *sink, struct vxb_error *err)
{
    struct vxbi_jsonw w;
    vxbi_sink_json(&w, sink, compact);
    vxbi_jsonw_object(&w);
    vxbi_member_u64(&w, "version", 1);
    vxbi_member_text(&w, "kind", "verify-report");
    summary(&w, reports, count);
    vxbi_jsonw_key(&w, "skipped");
    if (skipped)
        vxbi_jsonw_u64(&w, *skipped);
    else
        vxbi_jsonw_null(&w);
    vxbi_jsonw_key(&w, "files");
    vxbi_jsonw_array(&w);
    for (size_t i = 0; i < count; i++)
        file(&w, reports[i]);
    vxbi_jsonw_array_end(&w);
    vxbi_jsonw_object_end(&w);
    return vxbi_sink_json_end(&w, err);
}

enum vxb_status vxb_verify_json(const struct vxb_verify_report *const *reports, size_t count, uint64_t skipped,
                                bool lines, const struct vxb_sink *sink, struct vxb_error *err)
{
    if (!lines)
        return document(reports, count, &skipped, false, sink, err);
    enum vxb_status status = VXB_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = document(&reports[i], 1, NULL, true, sink, err);
    return status;
}

/* ---- the registry ---- */

static void rule(struct vxbi_jsonw *w, enum vxb_finding finding)
{
    char code[8];
    vxbi_jsonw_object(w);
    vxbi_member_text(w, "code", vxb_finding_code(finding, code));
    vxbi_member_text(w, "name", vxb_finding_name(finding));
    vxbi_member_text(w, "severity", vxb_severity_name((enum vxb_severity)vxb_finding_severity(finding)));
    vxbi_member_text(w, "title", vxb_finding_title(finding));
    vxbi_member_text(w, "explanation", vxb_finding_explanation(finding));
    vxbi_jsonw_object_end(w);
}

static enum vxb_status rules(enum vxb_finding only, bool compact, const struct vxb_sink *sink, struct vxb_error *err)
{
    struct vxbi_jsonw w;
    vxbi_sink_json(&w, sink, compact);
    vxbi_jsonw_object(&w);
    vxbi_member_u64(&w, "version", 1);
    vxbi_member_text(&w, "kind", "findings");
    vxbi_jsonw_key(&w, "findings");
    vxbi_jsonw_array(&w);
    for (enum vxb_finding f = vxb_finding_next(VXB_FINDING_NONE); f; f = vxb_finding_next(f))
        if (only == VXB_FINDING_NONE || only == f)
            rule(&w, f);
    vxbi_jsonw_array_end(&w);
    vxbi_jsonw_object_end(&w);
    return vxbi_sink_json_end(&w, err);
}

enum vxb_status vxb_findings_json(enum vxb_finding only, bool lines, const struct vxb_sink *sink,
                                  struct vxb_error *err)
{
    if (!lines)
        return rules(only, false, sink, err);
    enum vxb_status status = VXB_OK;
    for (enum vxb_finding f = vxb_finding_next(VXB_FINDING_NONE); f && !status; f = vxb_finding_next(f))
        if (only == VXB_FINDING_NONE || only == f)
            status = rules(f, true, sink, err);
    return status;
}
