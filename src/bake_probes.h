/* vxbake bake for recipes of the kind irradiance-field. */
#ifndef SRC_BAKE_PROBES_H
#define SRC_BAKE_PROBES_H

#include "bake_device.h"

/* What of the command line it needs; borrowed. */
struct bake_probes {
    const struct vxb_bake_options *bake;
    const struct bake_device *device;
    enum cli_format format;
    bool dry_run, has_preview_as;
    bool has_max_dropped;
    uint64_t max_dropped;
};

/* Plans, and bakes unless the run is dry. *gate: more bricks were dropped than may be; nothing was baked. */
enum vxb_status bake_probes(const struct bake_probes *b, const struct vxb_env *env,
                            const struct vxb_probe_recipe *recipe, bool *gate, struct vxb_error *err);

#endif
