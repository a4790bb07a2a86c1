/* The bake of an irradiance field: composes plan, fill, rounding, writer, picture, depfile and report. */
#include "outputs.h"

#include "core/env.h"
#include "export/probe_preview.h"
#include "probes/bake_plan.h"
#include "probes/write.h"

struct bake {
    const struct vxb_env *env;
    struct vxb_probe_plan *plan;
    const struct vxb_bake_options *options;
    struct vxbi_outputs outputs;
    struct vxb_probe_report report;
};

static enum vxb_status check_options(const struct vxb_bake_options *o, struct vxb_error *err)
{
    enum vxb_status status = vxbi_check_size("vxb_bake_options", o->size, sizeof *o, err);
    if (status)
        return status;
    if (o->split || o->has_region)
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, o->split ? "split" : "region", "splitting bytes and regions are "
                                  "of grass: an irradiance field is baked whole");
    if (o->preview_as != VXB_PREVIEW_SPECIES)
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, "preview_as", "reasons and density are for grass: an irradiance "
                                  "field has one picture, of the ground in its light");
    return VXB_OK;
}

static enum vxb_status fill(struct bake *b, struct vxb_error *err)
{
    const struct vxb_probe_recipe *r = b->plan->recipe;
    const struct vxb_fill_options options = {.size = sizeof options,
                                             .rays = r->rays,
                                             .max_distance = r->max_distance,
                                             .bounces = r->bounces,
                                             .dilation = r->dilation,
                                             .device = b->options->device,
                                             .cross_check = b->options->cross_check};
    enum vxb_status status =
        vxb_probe_fill(b->env, b->plan->field, b->plan->scene, &options, &b->report.fill, err);
    if (!status)
        status = vxb_probe_field_round(b->env, b->plan->field, r->encoding, err);
    /* Light that does not fit is of the recipe; all else is of a device or of the machine. */
    return status == VXB_ERR_DATA ? vxbi_error_in(err, status, r->path, NULL) : status;
}

static enum vxb_status write(struct bake *b, struct vxb_error *err)
{
    const struct vxb_bake_options *o = b->options;
    const bool inexact = o->device && !vxb_device_info(o->device)->exact;
    const struct vxb_probe_save_options save = {
        .size = sizeof save,
        .encoding = b->plan->recipe->encoding,
        .compress = o->compress,
        .compress_level = o->compress_level,
        .flags = inexact ? VXB_PROBE_INEXACT : 0,
        .bake_id = inexact ? vxbi_probe_bake_id(b->plan->recipe, b->plan->scene, true) : b->plan->bake_id,
    };
    struct vxb_probe_header header;
    enum vxb_status status = vxbi_probe_write(b->env, b->plan->field, &save, b->outputs.at[VXBI_MAIN], &header, err);
    if (status)
        return status;
    b->report.file_bytes = header.file_bytes;
    b->report.bake_id = header.bake_id;
    b->report.content_id = header.content_id;
    return VXB_OK;
}

static enum vxb_status write_report(struct bake *b, struct vxb_error *err)
{
    struct vxbi_report_sink to;
    const struct vxb_sink sink = vxbi_outputs_report(&b->outputs, &to, err);
    enum vxb_status status = vxb_probe_report_json(b->plan, &b->report, false, &sink, err);
    return to.status ? to.status : status;
}

static enum vxb_status make(struct bake *b, double started, struct vxb_error *err)
{
    enum vxb_status status = fill(b, err);
    if (!status)
        status = write(b, err);
    if (!status && b->outputs.at[VXBI_PREVIEW])
        status = vxbi_probe_draw(b->env, b->plan->field, b->plan->scene, 0, b->outputs.at[VXBI_PREVIEW], err);
    if (!status)
        status = vxbi_outputs_finish(&b->outputs, &b->report.written, err);
    b->report.seconds = vxbi_seconds() - started;
    if (!status && b->outputs.at[VXBI_REPORT])
        status = write_report(b, err);
    return status;
}

enum vxb_status vxb_probe_bake(const struct vxb_env *env, struct vxb_probe_plan *plan,
                               const struct vxb_bake_options *options, struct vxb_probe_report *report,
                               struct vxb_error *err)
{
    const double started = vxbi_seconds();
    struct bake b = {.env = env, .plan = plan, .options = options};
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = check_options(options, err);
    if (!status)
        status = vxbi_outputs_open(env, options, plan->recipe->path, plan->recipe->inputs, plan->recipe->input_count,
                                   &b.outputs, err);
    if (!status)
        status = make(&b, started, err);
    if (!status)
        status = vxbi_outputs_commit(&b.outputs, err);
    vxbi_outputs_abort(&b.outputs);
    if (!status && report)
        *report = b.report;
    return status;
}
