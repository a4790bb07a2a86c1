/* The bake of a depth pyramid: composes the depth frame's reader, the reduction, the writer, the picture, depfile and
 * report. */
#include "bake_pyramid.h"

#include "core/env.h"
#include "export/pyramid_preview.h"
#include "outputs.h"
#include "pyramid/pyramid.h"

/* What goes to the main output, and how much of it there is. */
struct target {
    struct vxb_output *output; /* NULL: only counted */
    uint64_t bytes;
};

static enum vxb_status append(void *user, const void *data, size_t size, struct vxb_error *err)
{
    struct target *target = user;
    target->bytes += size;
    return target->output ? vxb_output_append(target->output, data, size, err) : VXB_OK;
}

void vxbi_pyramid_measure(const struct vxb_pyramid *pyramid, struct vxb_pyramid_report *report)
{
    const float *depth = pyramid->levels[0].texels;
    const uint64_t count = (uint64_t)pyramid->width * pyramid->height;
    float farthest = 2, nearest = 0;
    report->sky_texels = 0;
    for (uint64_t i = 0; i < count; i++) {
        report->sky_texels += depth[i] == 0;
        farthest = depth[i] > 0 && depth[i] < farthest ? depth[i] : farthest;
        nearest = depth[i] > nearest ? depth[i] : nearest;
    }
    report->width = pyramid->width;
    report->height = pyramid->height;
    report->level_count = pyramid->level_count;
    report->reduce = pyramid->reduce;
    report->farthest = farthest > 1 ? 0 : farthest;
    report->nearest = nearest;
}

static enum vxb_status write_report(struct vxbi_outputs *outputs, const struct vxb_pyramid_recipe *recipe,
                                    const struct vxb_pyramid_report *report, struct vxb_error *err)
{
    struct vxbi_report_sink to;
    const struct vxb_sink sink = vxbi_outputs_report(outputs, &to, err);
    enum vxb_status status = vxb_pyramid_report_json(recipe, report, false, &sink, err);
    return to.status ? to.status : status;
}

static enum vxb_status fill(const struct vxb_env *env, const struct vxb_pyramid_recipe *recipe,
                            struct vxbi_outputs *outputs, struct vxb_pyramid_report *report, double started,
                            struct vxb_error *err)
{
    struct vxb_pyramid *pyramid = NULL;
    struct target target = {.output = outputs->at[VXBI_MAIN]};
    enum vxb_status status = vxb_pyramid_from_depth(env, &recipe->depth, recipe->reduce, &pyramid, err);
    if (status)
        return status;
    vxbi_pyramid_measure(pyramid, report);
    status = vxbi_pyramid_write(env, pyramid, &(struct vxbi_ktx2_sink){&target, append}, err);
    report->file_bytes = target.bytes;
    if (!status && outputs->at[VXBI_PREVIEW])
        status = vxbi_pyramid_draw(env, pyramid, 0, outputs->at[VXBI_PREVIEW], err);
    vxb_pyramid_free(pyramid);
    if (!status)
        status = vxbi_outputs_finish(outputs, &report->written, err);
    report->seconds = vxbi_seconds() - started;
    if (!status && outputs->at[VXBI_REPORT])
        status = write_report(outputs, recipe, report, err);
    return status;
}

enum vxb_status vxb_pyramid_bake(const struct vxb_env *env, const struct vxb_pyramid_recipe *recipe,
                                 const struct vxb_bake_options *options, struct vxb_pyramid_report *report,
                                 struct vxb_error *err)
{
    const double started = vxbi_seconds();
    struct vxbi_outputs outputs = {0};
    struct vxb_pyramid_report made = {0};
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = vxbi_check_size("vxb_bake_options", options->size, sizeof *options, err);
    if (status)
        return status;
    if (options->compress || options->split)
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, options->compress ? "compress" : "split",
                                  "a depth pyramid is not compressed: engines read its texels where they stand");
    if (options->preview_as != VXB_PREVIEW_SPECIES)
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, "preview_as", "reasons and density are for grass: a depth "
                                  "pyramid has one picture, of its levels");
    if (options->has_region || options->device || options->cross_check != 0.0)
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE,
                                  options->has_region ? "region" : options->device ? "device" : "cross_check",
                                  "all of a depth pyramid is made, and on the CPU");
    status = vxbi_outputs_open(env, options, recipe->path, recipe->inputs, recipe->input_count, &outputs, err);
    if (!status)
        status = fill(env, recipe, &outputs, &made, started, err);
    if (!status)
        status = vxbi_outputs_commit(&outputs, err);
    vxbi_outputs_abort(&outputs);
    if (!status && report)
        *report = made;
    return status;
}
