/* A bake of grass that does what tests want, whatever the machine it runs on. */
#ifndef VXBI_BAKE_GRASS_H
#define VXBI_BAKE_GRASS_H

#include "vxbake/bake.h"

struct vxbi_bake_tuning {
    int count_first; /* whether the CPU counts blades before it makes them: above 0 yes, below 0 no; 0: where it pays */
};

/* vxb_bake_planned(), which has a tuning of zeros. */
enum vxb_status vxbi_bake_tuned(const struct vxb_env *env, const struct vxb_plan *plan,
                                const struct vxb_bake_options *options, const struct vxbi_bake_tuning *tuning,
                                struct vxb_bake_report *report, struct vxb_error *err);

#endif
