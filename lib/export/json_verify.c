/* What verify found, as JSON: report-verify under schemas/. */
#include "sink.h"

static const char *severity_name(enum vxb_severity severity)
{
    switch (severity) {
    case VXB_SEVERITY_NOTE: return "note";
    case VXB_SEVERITY_WARNING: return "warning";
    case VXB_SEVERITY_ERROR: return "error";
    }
    return "error";
}

static void member_bool(struct vxbi_jsonw *w, const char *key, bool value)
{
    vxbi_jsonw_key(w, key);
    vxbi_jsonw_bool(w, value);
}

static void finding(struct vxbi_jsonw *w, const struct vxb_finding_record *record)
{
    char code[16];
    vxbi_jsonw_object(w);
    vxbi_member_text(w, "code", vxb_finding_code(record->finding, code));
    vxbi_member_text(w, "name", vxb_finding_name(record->finding));
    vxbi_member_text(w, "severity", severity_name(record->severity));
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
    member_bool(w, "header", c->header);
    member_bool(w, "tables", c->tables);
    member_bool(w, "hashes", c->hashes);
    member_bool(w, "blades", c->blades);
    member_bool(w, "levels", c->levels);
    covered(w, "chunk_count", c->chunks_checked, c->chunks_total);
    covered(w, "blade_count", c->blades_checked, c->blades_total);
    covered(w, "texel_count", c->texels_checked, c->texels_total);
    covered(w, "bytes", c->bytes_checked, c->bytes_total);
    member_bool(w, "recipe", c->recipe);
    member_bool(w, "rebake", c->rebake);
    member_bool(w, "report", c->report);
    vxbi_jsonw_object_end(w);
}

static void file(struct vxbi_jsonw *w, const struct vxb_verify_report *report)
{
    vxbi_jsonw_object(w);
    vxbi_member_text(w, "path", report->path);
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
    vxbi_member_u64(w, "errors", report->errors);
    vxbi_member_u64(w, "warnings", report->warnings);
    vxbi_member_u64(w, "notes", report->notes);
    coverage(w, &report->coverage);
    vxbi_jsonw_key(w, "findings");
    vxbi_jsonw_array(w);
    for (uint32_t i = 0; i < report->finding_count; i++)
        finding(w, &report->findings[i]);
    vxbi_jsonw_array_end(w);
    vxbi_jsonw_object_end(w);
}

static enum vxb_status document(const struct vxb_verify_report *const *reports, size_t count, bool compact,
                                const struct vxb_sink *sink, struct vxb_error *err)
{
    struct vxbi_jsonw w;
    vxbi_sink_json(&w, sink, compact);
    vxbi_jsonw_object(&w);
    vxbi_member_u64(&w, "version", 1);
    vxbi_member_text(&w, "kind", "verify-report");
    vxbi_jsonw_key(&w, "files");
    vxbi_jsonw_array(&w);
    for (size_t i = 0; i < count; i++)
        file(&w, reports[i]);
    vxbi_jsonw_array_end(&w);
    vxbi_jsonw_object_end(&w);
    return vxbi_sink_json_end(&w, err);
}

enum vxb_status vxb_verify_json(const struct vxb_verify_report *const *reports, size_t count, bool lines,
                                const struct vxb_sink *sink, struct vxb_error *err)
{
    if (!lines)
        return document(reports, count, false, sink, err);
    enum vxb_status status = VXB_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = document(&reports[i], 1, true, sink, err);
    return status;
}
