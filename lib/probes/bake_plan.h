/* From a recipe to a scene and a placed field: what vxb_probe_plan_new() makes. */
#ifndef VXBI_PROBES_BAKE_PLAN_H
#define VXBI_PROBES_BAKE_PLAN_H

#include "../vxbake/bake.h"

/* The public part comes first. */
struct vxbi_probe_plan {
    struct vxb_probe_plan shown;
    struct vxb_allocator allocator;
    struct vxb_scene scene;
    struct vxb_terrain *terrain;      /* NULL: none */
    struct vxb_sky_map *sky;          /* NULL: none */
    struct vxb_ground_layer *layers;  /* recipe->layer_albedo_count */
};

/* scene.c: loads what the recipe names and makes plan->scene. */
enum vxb_status vxbi_probe_scene(const struct vxb_env *env, struct vxbi_probe_plan *plan, struct vxb_error *err);

/* ground_range.c: the height of the ground beneath a rectangle; user is a struct vxb_terrain. Source: struct
 * vxb_probe_ground. */
bool vxbi_probe_ground_range(void *user, double x0, double z0, double x1, double z1, float *low, float *high);

/* identity.c: of a recipe whose terrain and sky are loaded; inexact: baked on such a device. */
uint64_t vxbi_probe_bake_id(const struct vxb_probe_recipe *recipe, const struct vxb_scene *scene, bool inexact);

#endif
