/* Reports of verify as JSON: report-verify under schemas/. */
#include "sink.h"

static const char *severity_name(enum vxb_severity severity)
{
    return severity == VXB_SEVERITY_ERROR ? "error" : severity == VXB_SEVERITY_WARNING ? "warning" : "note";
}

static void member_bool(struct vxbi_jsonw *w, const char *key, bool value)
{
    vxbi_jsonw_key(w, key);
    vxbi_jsonw_bool(w, value);
}

static void coverage(struct vxbi_jsonw *w, const struct vxb_verify_coverage *c)
{
    vxbi_jsonw_key(w, "coverage");
    vxbi_jsonw_object(w);
    member_bool(w, "header", c->header);
    member_bool(w, "tables", c->tables);
    member_bool(w, "hashes", c->hashes);
    member_bool(w, "blades", c->blades);
    vxbi_member_u64(w, "chunks_total", c->chunks_total);
    vxbi_member_u64(w, "chunks_checked", c->chunks_checked);
    vxbi_member_u64(w, "blades_total", c->blades_total);
    vxbi_member_u64(w, "blades_checked", c->blades_checked);
    vxbi_member_u64(w, "bytes_total", c->bytes_total);
    vxbi_member_u64(w, "bytes_checked", c->bytes_checked);
    member_bool(w, "recipe", c->recipe);
    member_bool(w, "rebake", c->rebake);
    member_bool(w, "report", c->report);
    vxbi_jsonw_object_end(w);
}

static void finding(struct vxbi_jsonw *w, const struct vxb_finding_record *record)
{
    char code[8];
    vxbi_jsonw_object(w);
    vxbi_member_text(w, "code", vxb_finding_code(record->finding, code));
    vxbi_member_text(w, "name", vxb_finding_name(record->finding));
    vxbi_member_text(w, "severity", severity_name(record->severity));
    vxbi_member_text(w, "message", record->message);
    vxbi_jsonw_key(w, "offset");
    if (record->has_offset)
        vxbi_jsonw_u64(w, record->offset);
    else
        vxbi_jsonw_null(w);
    vxbi_member_text(w, "pointer", record->pointer);
    vxbi_member_u64(w, "count", record->count);
    vxbi_jsonw_object_end(w);
}

static void id_or_null(struct vxbi_jsonw *w, const char *key, bool known, uint64_t id)
{
    vxbi_jsonw_key(w, key);
    if (known)
        vxbi_jsonw_id(w, id);
    else
        vxbi_jsonw_null(w);
}

/* The members of one file, in an object that is open. */
static void members(struct vxbi_jsonw *w, const struct vxb_verify_report *report)
{
    vxbi_member_text(w, "path", report->path);
    vxbi_member_u64(w, "file_bytes", report->file_bytes);
    vxbi_jsonw_key(w, "format");
    if (report->format)
        vxbi_jsonw_u64(w, report->format);
    else
        vxbi_jsonw_null(w);
    id_or_null(w, "bake_id", report->coverage.header, report->bake_id);
    id_or_null(w, "content_id", report->coverage.header, report->content_id);
    vxbi_member_u64(w, "errors", report->errors);
    vxbi_member_u64(w, "warnings", report->warnings);
    vxbi_member_u64(w, "notes", report->notes);
    coverage(w, &report->coverage);
    vxbi_jsonw_key(w, "findings");
    vxbi_jsonw_array(w);
    for (uint32_t i = 0; i < report->finding_count; i++)
        finding(w, &report->findings[i]);
    vxbi_jsonw_array_end(w);
}

static void begin(struct vxbi_jsonw *w, const char *kind)
{
    vxbi_jsonw_object(w);
    vxbi_member_u64(w, "version", 1);
    vxbi_member_text(w, "kind", kind);
}

enum vxb_status vxb_verify_json(const struct vxb_verify_report *const *reports, size_t count, bool lines,
                                const struct vxb_sink *sink, struct vxb_error *err)
{
    struct vxbi_jsonw w;
    enum vxb_status status = VXB_OK;
    for (size_t i = 0; lines && !status && i < count; i++) {
        vxbi_sink_json(&w, sink, true);
        begin(&w, "verify-file");
        members(&w, reports[i]);
        vxbi_jsonw_object_end(&w);
        status = vxbi_sink_json_end(&w, err);
    }
    if (lines)
        return status;
    vxbi_sink_json(&w, sink, false);
    begin(&w, "verify");
    vxbi_jsonw_key(&w, "files");
    vxbi_jsonw_array(&w);
    for (size_t i = 0; i < count; i++) {
        vxbi_jsonw_object(&w);
        members(&w, reports[i]);
        vxbi_jsonw_object_end(&w);
    }
    vxbi_jsonw_array_end(&w);
    vxbi_jsonw_object_end(&w);
    return vxbi_sink_json_end(&w, err);
}
