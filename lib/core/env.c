/* What a caller hands over is of this version's shape, or told to be another one. */
#include "env.h"

#include "error.h"

enum vxb_status vxbi_check_size(const char *name, size_t found, size_t known, struct vxb_error *err)
{
    if (found == known)
        return VXB_OK;
    return vxbi_fail(err, VXB_ERR_USAGE,
                     "the size member of struct %s is %zu, and the struct has %zu bytes: set it to sizeof, and build "
                     "with the headers of the library that is loaded, version %s",
                     name, found, known, vxb_version());
}

enum vxb_status vxbi_check_env(const struct vxb_env *env, struct vxb_error *err)
{
    return env ? vxbi_check_size("vxb_env", env->size, sizeof *env, err) : VXB_OK;
}
