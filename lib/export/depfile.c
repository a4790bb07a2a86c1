/* Escaping that make and ninja read alike. Invariant: a name that make would take for more than a name, such as the
 * rest of a rule after a ';', never reaches the file. */
#include "depfile.h"

#include <string.h>

static enum vxb_status put(struct vxb_output *output, const char *text, struct vxb_error *err)
{
    return vxb_output_append(output, text, strlen(text), err);
}

/* Why path can't be told to make, or NULL. There is no escape for these in either reader's grammar; '%' alone does no
 * harm but in a target. */
static const char *untellable(const char *path, bool target)
{
    size_t length = strlen(path);
    for (const char *p = path; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7F)
            return "a control character";
    const char *found = strpbrk(path, target ? ";=|%" : ";=|");
    if (found)
        return *found == ';' ? "a ;" : *found == '=' ? "a =" : *found == '|' ? "a |" : "a %";
    return length && path[length - 1] == '\\' ? "a \\ at its end" : NULL;
}

static enum vxb_status check_path(const char *path, bool target, struct vxb_error *err)
{
    const char *what = untellable(path, target);
    if (!what)
        return VXB_OK;
    vxbi_fail_at_fault(err, VXB_ERR_USAGE, "depfile", "has %s in its name, which make can't be told in a dependency "
                       "file: rename it", what);
    return vxbi_error_in(err, VXB_ERR_USAGE, path, NULL);
}

enum vxb_status vxbi_depfile_check(const char *target, const char *recipe, const char *const *inputs,
                                   uint32_t input_count, struct vxb_error *err)
{
    enum vxb_status status = check_path(target, true, err);
    if (!status && recipe)
        status = check_path(recipe, false, err);
    for (uint32_t i = 0; i < input_count && !status; i++)
        status = check_path(inputs[i], false, err);
    return status;
}

/* A blank, '#' and ':' get a backslash, and so does every backslash right before them; '$' is doubled, and a '~' in
 * front is kept from being somebody's home. */
static enum vxb_status put_path(struct vxb_output *output, const char *path, struct vxb_error *err)
{
    enum vxb_status status = path[0] == '~' ? put(output, "./", err) : VXB_OK;
    for (const char *p = path; *p && !status; p++) {
        if (*p == ' ' || *p == '#' || *p == ':') {
            for (const char *back = p; back > path && back[-1] == '\\' && !status; back--)
                status = put(output, "\\", err);
            if (!status)
                status = put(output, "\\", err);
        } else if (*p == '$') {
            status = put(output, "$", err);
        }
        if (!status)
            status = vxb_output_append(output, p, 1, err);
    }
    return status;
}

struct rules {
    const char *recipe;
    const char *const *inputs;
    uint32_t input_count;
};

static enum vxb_status put_rules(const struct rules *rules, struct vxb_output *output, const char *before,
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
                                   uint32_t input_count, struct vxb_output *output, struct vxb_error *err)
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
