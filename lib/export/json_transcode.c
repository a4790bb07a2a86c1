/* What a transcoding wrote, as JSON: report-transcode under schemas/. */
#include "sink.h"

static const double turn = 2.0 * 3.14159265358979323846;

static void input_of(struct vxbi_jsonw *w, const char *path, const struct vxb_transcode_report *report)
{
    vxbi_jsonw_key(w, "input");
    vxbi_jsonw_object(w);
    vxbi_member_path(w, "path", path);
    vxbi_member_u64(w, "format", report->from);
    vxbi_member_u64(w, "bytes", report->input_bytes);
    vxbi_jsonw_object_end(w);
}

static void format(struct vxbi_jsonw *w, const struct vxb_transcode_report *report)
{
    vxbi_jsonw_key(w, "format");
    if (report->to) {
        vxbi_jsonw_u64(w, report->to);
        return;
    }
    /* No number: an irradiance field, which has one format, or an export. */
    vxbi_jsonw_text(w, report->target <= VXB_TRANSCODE_3 ? "vxp" : vxb_transcode_to_name(report->target));
}

static void output_of(struct vxbi_jsonw *w, const struct vxb_transcode_options *options,
                      const struct vxb_transcode_report *report)
{
    vxbi_jsonw_key(w, "output");
    vxbi_jsonw_object(w);
    vxbi_member_path(w, "path", options->output);
    format(w, report);
    vxbi_member_u64(w, "bytes", report->file_bytes);
    vxbi_jsonw_key(w, "side_bytes");
    if (report->target == VXB_TRANSCODE_RUNTIME)
        vxbi_jsonw_u64(w, report->side_bytes);
    else
        vxbi_jsonw_null(w);
    vxbi_jsonw_key(w, "compression");
    if (options->compress) {
        vxbi_jsonw_object(w);
        vxbi_member_i64(w, "level", options->compress_level);
        vxbi_jsonw_key(w, "split");
        vxbi_jsonw_bool(w, options->split);
        vxbi_jsonw_object_end(w);
    } else {
        vxbi_jsonw_null(w);
    }
    vxbi_jsonw_key(w, "content_id");
    if (report->to > 1 || report->content_id)
        vxbi_jsonw_id(w, report->content_id);
    else
        vxbi_jsonw_null(w);
    vxbi_jsonw_object_end(w);
}

/* Format 2 to 1. */
static void loss(struct vxbi_jsonw *w, const struct vxb_transcode_report *report)
{
    static const char *const axes[3] = {"x", "y", "z"};
    if (report->to != 1) {
        vxbi_member_null(w, "loss");
        return;
    }
    vxbi_jsonw_key(w, "loss");
    vxbi_jsonw_object(w);
    vxbi_jsonw_key(w, "lost");
    vxbi_jsonw_array(w);
    for (uint32_t bit = VXB_LOST_SPECIES; bit <= VXB_LOST_HASHES; bit *= 2)
        if (report->lost & bit)
            vxbi_jsonw_text(w, vxb_transcode_lost_name((enum vxb_transcode_lost)bit));
    vxbi_jsonw_array_end(w);
    vxbi_member_u64(w, "tilted_blades", report->tilted);
    vxbi_jsonw_key(w, "moved");
    vxbi_jsonw_object(w);
    for (int i = 0; i < 3; i++)
        vxbi_member_f64(w, axes[i], report->moved[i]);
    vxbi_jsonw_object_end(w);
    vxbi_jsonw_object_end(w);
}

/* Format 1 to 2. */
static void quanta(struct vxbi_jsonw *w, const struct vxb_transcode_report *report)
{
    if (!report->quantised) {
        vxbi_member_null(w, "quanta");
        return;
    }
    vxbi_jsonw_key(w, "quanta");
    vxbi_jsonw_object(w);
    vxbi_member_f64(w, "x", report->place_step);
    vxbi_member_f64(w, "y", report->height_step);
    vxbi_member_f64(w, "z", report->place_step);
    vxbi_member_f64(w, "yaw", turn / 65536.0);
    vxbi_member_f64(w, "scale", 1.0 / 1024.0);
    vxbi_member_f64(w, "tint", 1.0 / 256.0);
    vxbi_member_f64(w, "phase", turn / 256.0);
    vxbi_member_f64(w, "rank", 1.0 / 65536.0);
    vxbi_jsonw_object_end(w);
}

enum vxb_status vxb_transcode_report_json(const char *input, const struct vxb_transcode_options *options,
                                          const struct vxb_transcode_report *report, bool compact,
                                          const struct vxb_sink *sink, struct vxb_error *err)
{
    struct vxbi_jsonw w;
    vxbi_sink_json(&w, sink, compact);
    vxbi_jsonw_object(&w);
    vxbi_member_u64(&w, "version", 1);
    vxbi_member_text(&w, "kind", "transcode-report");
    input_of(&w, input, report);
    output_of(&w, options, report);
    vxbi_member_u64(&w, "chunks", report->chunk_count);
    vxbi_member_u64(&w, "blades", report->blade_count);
    vxbi_member_u64(&w, "bricks", report->brick_count);
    vxbi_member_u64(&w, "probes", report->probe_count);
    vxbi_jsonw_key(&w, "species_id");
    if (report->one_species)
        vxbi_jsonw_id(&w, report->species_id);
    else
        vxbi_jsonw_null(&w);
    loss(&w, report);
    quanta(&w, report);
    vxbi_jsonw_object_end(&w);
    return vxbi_sink_json_end(&w, err);
}
