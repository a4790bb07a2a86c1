/* The plan and the report of an irradiance field's bake, as JSON: report-probe-plan and report-probes under schemas/.
 * Two runs of one recipe give the same text but for the members "seconds": no clock, path or machine is in it. */
#include "sink.h"

/* What plan and report both tell. */
static void field(struct vxbi_jsonw *w, const struct vxb_probe_plan *plan)
{
    vxbi_jsonw_key(w, "field");
    vxbi_jsonw_object(w);
    vxbi_member_vec3(w, "bounds_min", plan->recipe->bounds.min);
    vxbi_member_vec3(w, "bounds_max", plan->recipe->bounds.max);
    vxbi_member_uvec3(w, "cells", plan->recipe->cells);
    vxbi_member_uvec3(w, "slots", plan->slots);
    vxbi_member_text(w, "encoding", vxb_probe_encoding_name(plan->recipe->encoding));
    vxbi_jsonw_object_end(w);
    vxbi_jsonw_key(w, "bricks");
    vxbi_jsonw_object(w);
    vxbi_member_u64(w, "count", plan->counts.bricks);
    vxbi_member_u64(w, "dropped", plan->counts.dropped);
    vxbi_member_u64(w, "left_whole", plan->counts.whole);
    vxbi_jsonw_key(w, "sizes");
    vxbi_jsonw_array(w);
    for (uint32_t k = 0; k < VXB_PROBE_SIZES; k++) {
        if (!plan->bricks[k])
            continue;
        vxbi_jsonw_object(w);
        vxbi_member_u64(w, "size", (uint64_t)1 << k);
        vxbi_member_u64(w, "count", plan->bricks[k]);
        vxbi_jsonw_object_end(w);
    }
    vxbi_jsonw_array_end(w);
    vxbi_jsonw_object_end(w);
}

enum vxb_status vxb_probe_plan_json(const struct vxb_probe_plan *plan, bool compact, const struct vxb_sink *sink,
                                    struct vxb_error *err)
{
    const struct vxb_probe_recipe *recipe = plan->recipe;
    struct vxbi_jsonw w;
    vxbi_sink_json(&w, sink, compact);
    vxbi_jsonw_object(&w);
    vxbi_member_u64(&w, "version", 1);
    vxbi_member_text(&w, "kind", "probe-plan");
    vxbi_member_u64(&w, "bake_revision", VXB_BAKE_REVISION);
    vxbi_member_id(&w, "bake_id", plan->bake_id);
    field(&w, plan);
    vxbi_member_u64(&w, "probes", plan->probes);
    vxbi_member_u64(&w, "rays", plan->rays);
    vxbi_member_u64(&w, "file_bytes", plan->file_bytes);
    vxbi_member_u64(&w, "memory_bytes", plan->memory_bytes);
    vxbi_member_inputs(&w, recipe->path, recipe->inputs, recipe->input_count);
    vxbi_jsonw_object_end(&w);
    return vxbi_sink_json_end(&w, err);
}

enum vxb_status vxb_probe_report_json(const struct vxb_probe_plan *plan, const struct vxb_probe_report *report,
                                      bool compact, const struct vxb_sink *sink, struct vxb_error *err)
{
    const struct vxb_fill_stats *fill = &report->fill;
    struct vxbi_jsonw w;
    vxbi_sink_json(&w, sink, compact);
    vxbi_jsonw_object(&w);
    vxbi_member_u64(&w, "version", 1);
    vxbi_member_text(&w, "kind", "probe-report");
    vxbi_member_u64(&w, "bake_revision", VXB_BAKE_REVISION);
    field(&w, plan);
    vxbi_jsonw_key(&w, "fill");
    vxbi_jsonw_object(&w);
    vxbi_member_u64(&w, "probes", fill->probes);
    vxbi_member_u64(&w, "rays", fill->rays);
    vxbi_member_u64(&w, "passes", fill->passes);
    vxbi_member_u64(&w, "invalid", fill->invalid);
    vxbi_member_u64(&w, "repaired", fill->repaired);
    vxbi_member_f64(&w, "seconds", fill->seconds);
    vxbi_jsonw_object_end(&w);
    vxbi_jsonw_key(&w, "output");
    vxbi_jsonw_object(&w);
    vxbi_member_id(&w, "bake_id", report->bake_id);
    vxbi_member_id(&w, "content_id", report->content_id);
    vxbi_member_u64(&w, "file_bytes", report->file_bytes);
    vxbi_jsonw_object_end(&w);
    vxbi_member_f64(&w, "seconds", report->seconds);
    vxbi_jsonw_object_end(&w);
    return vxbi_sink_json_end(&w, err);
}
