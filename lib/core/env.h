/* The environment a caller gives: its parts, where it may be NULL and may lack each of them. */
#ifndef VXBI_CORE_ENV_H
#define VXBI_CORE_ENV_H

#include "../vxbake/base.h"

/* Whether a struct that begins with its size is the one known here: VXB_ERR_USAGE where it isn't, because it was never
 * set or the caller was built against other headers. Whatever is public and takes one asks first, so that none is read
 * beyond its end. env NULL: VXB_OK. */
enum vxb_status vxbi_check_size(const char *name, size_t found, size_t known, struct vxb_error *err);
enum vxb_status vxbi_check_env(const struct vxb_env *env, struct vxb_error *err);

/* Whether the caller wants no more. */
static inline bool vxbi_cancelled(const struct vxb_env *env)
{
    return env && env->cancelled && env->cancelled(env->user);
}

/* Tells of done pieces of work of total. */
static inline void vxbi_progress(const struct vxb_env *env, const char *what, uint64_t done, uint64_t total)
{
    if (env && env->progress)
        env->progress(env->user, what, done, total);
}

#endif
