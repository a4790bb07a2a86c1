/* Escaping as gcc's -MD does it, which make and ninja read alike. */
#include "depfile.h"

#include <string.h>

static enum vxb_status put(struct vxbi_output *output, const char *text, struct vxb_error *err)
{
    return vxbi_output_append(output, text, strlen(text), err);
}

/* A blank gets a backslash, and so does every backslash right before it; '#' a backslash, '$' is doubled. */
static enum vxb_status put_path(struct vxbi_output *output, const char *path, struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    for (const char *p = path; *p && !status; p++) {
        if (*p == ' ' || *p == '\t') {
            for (const char *back = p; back > path && back[-1] == '\\' && !status; back--)
                status = put(output, "\\", err);
            if (!status)
                status = put(output, "\\", err);
        } else if (*p == '#') {
            status = put(output, "\\", err);
        } else if (*p == '$') {
            status = put(output, "$", err);
        }
        if (!status)
            status = vxbi_output_append(output, p, 1, err);
    }
    return status;
}

struct rules {
    const char *recipe;
    const char *const *inputs;
    uint32_t input_count;
};

static enum vxb_status put_rules(const struct rules *rules, struct vxbi_output *output, const char *before,
                                 const char *after, struct vxb_error *err)
{
    enum vxb_status status = VXB_OK;
    const bool named = rules->recipe != NULL;
    for (uint32_t i = 0; i < rules->input_count + named && !status; i++) {
        const char *path = named && i == 0 ? rules->recipe : rules->inputs[i - named];
        status = put(output, before, err);
        if (!status)
            status = put_path(output, path, err);
        if (!status)
            status = put(output, after, err);
    }
    return status;
}

enum vxb_status vxbi_depfile_write(const char *target, const char *recipe, const char *const *inputs,
                                   uint32_t input_count, struct vxbi_output *output, struct vxb_error *err)
{
    const struct rules rules = {recipe, inputs, input_count};
    enum vxb_status status = put_path(output, target, err);
    if (!status)
        status = put(output, ":", err);
    if (!status)
        status = put_rules(&rules, output, " \\\n  ", "", err);
    if (!status)
        status = put(output, "\n", err);
    if (!status)
        status = put_rules(&rules, output, "\n", ":\n", err);
    return status;
}
