/* What the bake of a depth pyramid did, as JSON: report-pyramid under schemas/. Two runs of one recipe give the same
 * text but for "seconds": no clock, path or machine is in it. */
#include "sink.h"

static void plane(struct vxbi_jsonw *w, const char *key, bool has, double value)
{
    vxbi_jsonw_key(w, key);
    if (has)
        vxbi_jsonw_f64(w, value);
    else
        vxbi_jsonw_null(w);
}

enum vxb_status vxb_pyramid_report_json(const struct vxb_pyramid_recipe *recipe,
                                        const struct vxb_pyramid_report *report, bool compact,
                                        const struct vxb_sink *sink, struct vxb_error *err)
{
    const struct vxb_depth_desc *depth = &recipe->depth;
    struct vxbi_jsonw w;
    vxbi_sink_json(&w, sink, compact);
    vxbi_jsonw_object(&w);
    vxbi_member_u64(&w, "version", 1);
    vxbi_member_text(&w, "kind", "pyramid-report");
    vxbi_member_u64(&w, "bake_revision", VXB_BAKE_REVISION);
    vxbi_member_text(&w, "reduce", vxb_reduce_name(report->reduce));
    vxbi_member_u64(&w, "width", report->width);
    vxbi_member_u64(&w, "height", report->height);
    vxbi_member_u64(&w, "level_count", report->level_count);
    vxbi_jsonw_key(&w, "depth");
    vxbi_jsonw_object(&w);
    vxbi_member_text(&w, "convention", vxb_depth_convention_name(depth->convention));
    plane(&w, "scale", depth->has_scale, depth->scale);
    plane(&w, "near", depth->has_near, depth->near_plane);
    plane(&w, "far", depth->has_far, depth->far_plane);
    vxbi_member_u64(&w, "sky_texels", report->sky_texels);
    vxbi_member_f32(&w, "farthest", report->farthest);
    vxbi_member_f32(&w, "nearest", report->nearest);
    vxbi_jsonw_object_end(&w);
    vxbi_jsonw_key(&w, "output");
    vxbi_jsonw_object(&w);
    vxbi_member_u64(&w, "file_bytes", report->file_bytes);
    vxbi_jsonw_object_end(&w);
    vxbi_member_f64(&w, "seconds", report->seconds);
    vxbi_jsonw_object_end(&w);
    return vxbi_sink_json_end(&w, err);
}
