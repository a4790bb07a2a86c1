/* An irradiance field with another compression, or for other programs. Its identity stays what it was: texels, bake id
 * and bake revision are carried over. */
#include "transcode_work.h"

#include <stdio.h>
#include <string.h>

#include "core/env.h"
#include "core/path.h"
#include "export/probes.h"
#include "probes/write.h"

static enum vxb_status check(const struct vxbi_transcode *t, struct vxb_error *err)
{
    const struct vxb_transcode_options *o = t->options;
    if (o->to != VXB_TRANSCODE_DEFAULT && o->to != VXB_TRANSCODE_KTX2 && o->to != VXB_TRANSCODE_PLY &&
        o->to != VXB_TRANSCODE_SLICES)
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, "to", "an irradiance field is written as itself, or for other "
                                  "programs as ktx2, ply or slices, not as %s", vxb_transcode_to_name(o->to));
    const char *of_grass = o->split ? "split" : o->species ? "species" : o->recipe ? "recipe" : "stomp";
    if (o->split || o->species || o->recipe || o->stomp)
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, of_grass, "%s is for grass, and this is an irradiance field",
                                  of_grass);
    if (o->to == VXB_TRANSCODE_KTX2 && vxb_output_is_standard(o->output))
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, "output", "five KTX2 files do not fit standard output: name a "
                                  "file, of whose name theirs are made");
    return VXB_OK;
}

/* An output that is neither the input nor, where derived is set, there already. */
static enum vxb_status open(const struct vxbi_transcode *t, const char *path, bool derived, struct vxb_output **out,
                            struct vxb_error *err)
{
    const char *input = strcmp(t->path, "-") == 0 ? "/dev/stdin" : t->path;
    if (derived && !t->options->force && vxbi_path_exists(path)) {
        vxbi_fail_remedy(err, VXB_ERR_REFUSED, "force", "exists, and its name was not given but made of the output's");
        return vxbi_error_in(err, VXB_ERR_REFUSED, path, NULL);
    }
    enum vxb_status status = vxb_output_open(t->env, path, out, err);
    if (status || !vxb_output_is(*out, input))
        return status;
    vxbi_fail(err, VXB_ERR_REFUSED, "would replace the input; choose another name");
    return vxbi_error_in(err, VXB_ERR_REFUSED, path, NULL);
}

/* Once all else is prepared: the report, in place. */
static enum vxb_status put_report(struct vxbi_transcode *t, struct vxb_error *err)
{
    if (!t->options->report_json)
        return VXB_OK;
    enum vxb_status status = vxbi_transcode_open_report(t, err);
    if (!status)
        status = vxbi_transcode_write_report(t, err);
    if (status)
        return status;
    struct vxb_output *output = t->report_output;
    t->report_output = NULL;
    return vxb_output_commit(output, err);
}

/* ---- five volumes ---- */

struct volumes {
    struct vxb_output *at[VXBI_PROBE_VOLUMES];
};

/* "light.ktx2" becomes "light.l00.ktx2". */
static bool volume_path(char *out, size_t room, const char *output, enum vxbi_probe_volume volume)
{
    static const char ending[] = ".ktx2";
    size_t length = strlen(output);
    if (length > sizeof ending - 1 && strcmp(output + length - (sizeof ending - 1), ending) == 0)
        length -= sizeof ending - 1;
    const int used = snprintf(out, room, "%.*s.%s%s", (int)length, output, vxbi_probe_volume_name(volume), ending);
    return used >= 0 && (size_t)used < room;
}

static enum vxb_status write_volume(struct vxbi_transcode *t, const struct vxb_probe_field *field,
                                    enum vxbi_probe_volume volume, struct vxb_output *output, struct vxb_error *err)
{
    struct vxbi_transcode_sink to = {.t = t, .output = output, .err = err};
    const struct vxb_sink sink = {.user = &to, .write = vxbi_transcode_append};
    const bool half = vxb_probe_file_header(t->probes)->encoding == VXB_PROBE_F16;
    enum vxb_status status = vxbi_probe_ktx2_write(t->env, field, volume, half, &sink, err);
    return to.status ? to.status : status;
}

static enum vxb_status write_volumes(struct vxbi_transcode *t, const struct vxb_probe_field *field,
                                     struct volumes *volumes, struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    for (int k = 0; k < VXBI_PROBE_VOLUMES && !status; k++) {
        char path[VXBI_PATH_ROOM];
        if (!volume_path(path, sizeof path, t->options->output, (enum vxbi_probe_volume)k))
            return vxbi_fail(err, VXB_ERR_USAGE, "the output's name is too long to make others of it");
        status = open(t, path, true, &volumes->at[k], err);
    }
    for (int k = 0; k < VXBI_PROBE_VOLUMES && !status; k++)
        status = write_volume(t, field, (enum vxbi_probe_volume)k, volumes->at[k], err);
    for (int k = 0; k < VXBI_PROBE_VOLUMES && !status; k++)
        status = vxbi_output_prepare(volumes->at[k], false, err);
    if (!status)
        status = put_report(t, err);
    for (int k = 0; k < VXBI_PROBE_VOLUMES && !status; k++) {
        struct vxb_output *output = volumes->at[k];
        volumes->at[k] = NULL;
        status = vxb_output_commit(output, err);
    }
    return status;
}

/* ---- one file ---- */

static enum vxb_status write_field(struct vxbi_transcode *t, const struct vxb_probe_field *field, struct vxb_error *err)
{
    const struct vxb_probe_header *h = vxb_probe_file_header(t->probes);
    const struct vxb_probe_save_options options = {
        .size = sizeof options,
        .encoding = (enum vxb_probe_encoding)h->encoding,
        .compress = t->options->compress,
        .compress_level = t->options->compress_level,
        .flags = h->flags & VXB_PROBE_INEXACT,
        .bake_id = h->bake_id,
        .bake_revision = h->bake_revision,
    };
    struct vxb_probe_header written;
    enum vxb_status status = vxbi_probe_write(t->env, field, &options, t->output, &written, err);
    t->report.file_bytes = written.file_bytes;
    t->report.content_id = written.content_id;
    return status;
}

static enum vxb_status write_points(struct vxbi_transcode *t, const struct vxb_probe_field *field,
                                    struct vxb_error *err)
{
    struct vxbi_transcode_sink to = {.t = t, .output = t->output, .err = err};
    const struct vxb_sink sink = {.user = &to, .write = vxbi_transcode_append};
    enum vxb_status status = vxbi_probe_ply_write(field, t->options->origin, &sink, err);
    return to.status ? to.status : status;
}

static enum vxb_status draw_slices(struct vxbi_transcode *t, const struct vxb_probe_field *field, struct vxb_error *err)
{
    enum vxb_status status = vxbi_probe_slices_draw(t->env, field, 0, t->output, err);
    t->report.file_bytes = vxbi_output_bytes(t->output);
    return status;
}

static enum vxb_status write_one(struct vxbi_transcode *t, const struct vxb_probe_field *field, struct vxb_error *err)
{
    enum vxb_status status = open(t, t->options->output, false, &t->output, err);
    if (status)
        return status;
    if (t->options->to == VXB_TRANSCODE_PLY)
        status = write_points(t, field, err);
    else if (t->options->to == VXB_TRANSCODE_SLICES)
        status = draw_slices(t, field, err);
    else
        status = write_field(t, field, err);
    if (!status)
        status = vxbi_output_prepare(t->output, false, err);
    if (!status)
        status = put_report(t, err);
    if (status)
        return status;
    struct vxb_output *output = t->output;
    t->output = NULL;
    return vxb_output_commit(output, err);
}

enum vxb_status vxbi_transcode_probes(struct vxbi_transcode *t, struct vxb_error *err)
{
    const struct vxb_probe_header *h = vxb_probe_file_header(t->probes);
    struct vxb_probe_field *field = NULL;
    struct volumes volumes = {{NULL}};
    enum vxb_status status = check(t, err);
    t->report = (struct vxb_transcode_report){
        .from = h->format, .target = t->options->to, .input_bytes = h->file_bytes, .brick_count = h->brick_count,
        .probe_count = (uint64_t)VXB_BRICK_PROBES * h->brick_count};
    if (!status)
        status = vxb_probe_file_field(t->env, t->probes, &field, err);
    if (!status)
        status = t->options->to == VXB_TRANSCODE_KTX2 ? write_volumes(t, field, &volumes, err)
                                                      : write_one(t, field, err);
    for (int k = 0; k < VXBI_PROBE_VOLUMES; k++)
        vxb_output_abort(volumes.at[k]);
    vxb_probe_field_free(field);
    return status;
}
