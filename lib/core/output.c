/* The public face of atomic outputs: os_posix_output.c does the work, this only keeps the two types apart. */
#include "../vxbake/output.h"

#include "env.h"
#include "os.h"

struct vxbi_output *vxbi_output_of(struct vxb_output *output)
{
    return (struct vxbi_output *)output;
}

static const struct vxbi_output *inner_const(const struct vxb_output *output)
{
    return (const struct vxbi_output *)output;
}

enum vxb_status vxb_output_open(const struct vxb_env *env, const char *path, struct vxb_output **out,
                                struct vxb_error *err)
{
    struct vxbi_output *output;
    enum vxb_status status = vxbi_check_env(env, err);
    if (!status)
        status = vxbi_output_open(env, path, &output, err);
    if (!status)
        *out = (struct vxb_output *)output;
    return status;
}

enum vxb_status vxb_output_append(struct vxb_output *output, const void *data, size_t size, struct vxb_error *err)
{
    return vxbi_output_append(vxbi_output_of(output), data, size, err);
}

enum vxb_status vxb_output_commit(struct vxb_output *output, struct vxb_error *err)
{
    return vxbi_output_commit(vxbi_output_of(output), err);
}

void vxb_output_abort(struct vxb_output *output)
{
    vxbi_output_abort(vxbi_output_of(output));
}

bool vxb_output_is(const struct vxb_output *output, const char *path)
{
    return vxbi_output_is(inner_const(output), path);
}

bool vxb_output_is_standard(const char *path)
{
    return vxbi_is_standard_output(path);
}

bool vxb_output_same(const struct vxb_output *a, const struct vxb_output *b)
{
    return vxbi_output_same(inner_const(a), inner_const(b));
}
