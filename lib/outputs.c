/* The outputs of a bake. */
#include "outputs.h"

#include <string.h>

#include "export/depfile.h"

static enum vxb_status refuse_inputs(const struct vxbi_outputs *outputs, const struct vxb_output *output,
                                     const char *path, struct vxb_error *err)
{
    for (uint32_t i = 0; i <= outputs->input_count; i++) {
        const char *input = i < outputs->input_count ? outputs->inputs[i] : outputs->recipe;
        if (!input || !vxb_output_is(output, input))
            continue;
        vxbi_fail(err, VXB_ERR_REFUSED, "would replace an input of the bake, %s; choose another name",
                  strcmp(input, "-") == 0 ? "standard input" : input);
        return vxbi_error_in(err, VXB_ERR_REFUSED, strcmp(path, "-") == 0 ? "standard output" : path, NULL);
    }
    return VXB_OK;
}

/* The recipe as a file that make can look at, or NULL. */
static const char *recipe_file(const struct vxbi_outputs *outputs)
{
    return outputs->recipe && strcmp(outputs->recipe, "-") != 0 ? outputs->recipe : NULL;
}

static enum vxb_status check_depfile(const struct vxbi_outputs *outputs, struct vxb_error *err)
{
    const char *output = outputs->options->output;
    if (!output || strcmp(output, "-") == 0)
        return vxbi_fail_at_fault(err, VXB_ERR_USAGE, "depfile", "a depfile names the output as its target, so the "
                                  "output must be a file");
    return vxbi_depfile_check(output, recipe_file(outputs), outputs->inputs, outputs->input_count, err);
}

enum vxb_status vxbi_outputs_open(const struct vxb_env *env, const struct vxb_bake_options *options, const char *recipe,
                                  const char *const *inputs, uint32_t input_count, struct vxbi_outputs *out,
                                  struct vxb_error *err)
{
    const char *paths[VXBI_OUTPUTS] = {options->output, options->preview, options->depfile, options->report_json};
    *out = (struct vxbi_outputs){.options = options, .inputs = inputs, .input_count = input_count};
    out->recipe = recipe;
    enum vxb_status status = options->depfile ? check_depfile(out, err) : VXB_OK;
    if (status)
        return status;
    for (int i = 0; i < VXBI_OUTPUTS; i++) {
        if (!paths[i])
            continue;
        status = vxb_output_open(env, paths[i], &out->at[i], err);
        if (!status)
            status = refuse_inputs(out, out->at[i], paths[i], err);
        if (status)
            return status;
        for (int k = 0; k < i; k++) {
            if (!out->at[k] || !vxb_output_same(out->at[k], out->at[i]))
                continue;
            vxbi_fail(err, VXB_ERR_REFUSED, "two outputs have this one name; choose another for one of them");
            return vxbi_error_in(err, VXB_ERR_REFUSED, paths[i], NULL);
        }
    }
    return VXB_OK;
}

enum vxb_status vxbi_outputs_finish(struct vxbi_outputs *outputs, bool *written, struct vxb_error *err)
{
    const struct vxb_bake_options *o = outputs->options;
    enum vxb_status status = VXB_OK;
    if (outputs->at[VXBI_DEPFILE])
        status = vxbi_depfile_write(o->output, recipe_file(outputs), outputs->inputs, outputs->input_count,
                                    outputs->at[VXBI_DEPFILE], err);
    if (!status && outputs->at[VXBI_MAIN])
        status = vxbi_output_prepare(outputs->at[VXBI_MAIN], o->if_changed, err);
    *written = outputs->at[VXBI_MAIN] && !vxbi_output_unchanged(outputs->at[VXBI_MAIN]);
    return status;
}

static bool append_report(void *user, const char *data, size_t size)
{
    struct vxbi_report_sink *to = user;
    to->status = vxb_output_append(to->output, data, size, to->err);
    return to->status == VXB_OK;
}

struct vxb_sink vxbi_outputs_report(struct vxbi_outputs *outputs, struct vxbi_report_sink *to, struct vxb_error *err)
{
    *to = (struct vxbi_report_sink){.output = outputs->at[VXBI_REPORT], .err = err};
    return (struct vxb_sink){.user = to, .write = append_report};
}

enum vxb_status vxbi_outputs_commit(struct vxbi_outputs *outputs, struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    for (int i = 0; i < VXBI_OUTPUTS && !status; i++)
        if (outputs->at[i])
            status = vxbi_output_prepare(outputs->at[i], outputs->options->if_changed, err);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < VXBI_OUTPUTS && !status; i++) {
            struct vxb_output *output = outputs->at[i];
            if (!output || (pass == 0 && !vxbi_output_streams(output)))
                continue;
            outputs->at[i] = NULL;
            status = vxb_output_commit(output, err);
        }
    return status;
}

void vxbi_outputs_abort(struct vxbi_outputs *outputs)
{
    for (int i = 0; i < VXBI_OUTPUTS; i++) {
        vxb_output_abort(outputs->at[i]);
        outputs->at[i] = NULL;
    }
}
