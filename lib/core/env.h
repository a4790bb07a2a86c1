/* The environment a caller gives: its parts, where it may be NULL and may lack each of them. */
#ifndef VXBI_CORE_ENV_H
#define VXBI_CORE_ENV_H

#include "../vxbake/base.h"

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
