/* A bake of grass that does what tests want, whatever the machine it runs on. */
#ifndef VXBI_BAKE_GRASS_H
#define VXBI_BAKE_GRASS_H

#include "vxbake/bake.h"

/* What the CPU does before it makes blades. */
enum vxbi_bake_way {
    VXBI_BAKE_AS_PAYS,
    VXBI_BAKE_SPILL, /* nothing: they go to a temporary first */
    VXBI_BAKE_COUNT, /* counts them, where that is of use */
    VXBI_BAKE_FIND   /* finds the cells that have any, where that is of use; else what pays */
};

struct vxbi_bake_tuning {
    enum vxbi_bake_way way;
};

/* vxb_bake_planned(), which has a tuning of zeros. */
enum vxb_status vxbi_bake_tuned(const struct vxb_env *env, const struct vxb_plan *plan,
                                const struct vxb_bake_options *options, const struct vxbi_bake_tuning *tuning,
                                struct vxb_bake_report *report, struct vxb_error *err);

#endif
