/* The scene of a recipe: terrain and sky loaded, layers found by their names. */
#include "bake_plan.h"

#include <stdio.h>
#include <string.h>

#include "../core/alloc.h"
#include "../core/error.h"
#include "../core/text.h"

static enum vxb_status no_layer(const struct vxbi_probe_plan *plan, const char *name, struct vxb_error *err)
{
    const struct vxb_terrain *terrain = plan->terrain;
    char list[512] = "", key[256], pointer[300];
    size_t used = 0;
    for (uint32_t i = 0; i < terrain->layer_count && used < sizeof list - 1; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s\"%s\"", i ? ", " : "", terrain->layers[i].name);
    vxbi_pointer_escape(key, sizeof key, name);
    snprintf(pointer, sizeof pointer, "/terrain/albedo/%s", key);
    vxbi_fail(err, VXB_ERR_USAGE, "the terrain has no layer \"%s\"; it has %s", name,
              terrain->layer_count ? list : "none");
    return vxbi_error_in(err, VXB_ERR_USAGE, plan->shown.recipe->path, pointer);
}

static enum vxb_status load_terrain(const struct vxb_env *env, struct vxbi_probe_plan *plan, struct vxb_error *err)
{
    const struct vxb_probe_recipe *recipe = plan->shown.recipe;
    struct vxb_scene *scene = &plan->scene;
    if (!recipe->has_terrain)
        return VXB_OK;
    enum vxb_status status = vxb_terrain_load(env, &recipe->terrain, &plan->terrain, err);
    if (status)
        return status;
    scene->terrain = plan->terrain;
    memcpy(scene->ground_albedo, recipe->terrain_albedo, sizeof scene->ground_albedo);
    memcpy(scene->ground_emission, recipe->terrain_emission, sizeof scene->ground_emission);
    if (!recipe->layer_albedo_count)
        return VXB_OK;
    plan->layers = vxbi_new_zero(&plan->allocator, recipe->layer_albedo_count, sizeof *plan->layers);
    if (!plan->layers)
        return vxbi_fail_memory(err, recipe->layer_albedo_count * sizeof *plan->layers);
    for (uint32_t i = 0; i < recipe->layer_albedo_count; i++) {
        const struct vxb_layer_albedo *from = &recipe->layer_albedo[i];
        plan->layers[i].layer = vxb_terrain_layer(plan->terrain, from->layer);
        if (!plan->layers[i].layer)
            return no_layer(plan, from->layer, err);
        memcpy(plan->layers[i].albedo, from->albedo, sizeof from->albedo);
    }
    scene->layers = plan->layers;
    scene->layer_count = recipe->layer_albedo_count;
    return VXB_OK;
}

static void scaled(float out[3], const float in[3], float by)
{
    for (int i = 0; i < 3; i++)
        out[i] = in[i] * by;
}

static enum vxb_status load_sky(const struct vxb_env *env, struct vxbi_probe_plan *plan, struct vxb_error *err)
{
    const struct vxb_recipe_sky *from = &plan->shown.recipe->sky;
    struct vxb_sky *sky = &plan->scene.sky;
    sky->kind = from->kind;
    sky->rotation = from->rotation;
    scaled(sky->ground, from->ground, from->intensity);
    scaled(sky->horizon, from->horizon, from->intensity);
    scaled(sky->zenith, from->zenith, from->intensity);
    if (from->kind != VXB_SKY_MAP)
        return VXB_OK;
    enum vxb_status status = vxb_sky_map_load(env, from->hdr, from->intensity, &plan->sky, err);
    sky->map = plan->sky;
    return status ? vxbi_error_in(err, status, NULL, "/sky/hdr") : VXB_OK;
}

enum vxb_status vxbi_probe_scene(const struct vxb_env *env, struct vxbi_probe_plan *plan, struct vxb_error *err)
{
    const struct vxb_probe_recipe *recipe = plan->shown.recipe;
    plan->scene = (struct vxb_scene){.size = sizeof plan->scene, .shapes = recipe->shapes,
                                     .shape_count = recipe->shape_count, .has_sun = recipe->has_sun};
    memcpy(plan->scene.sun_direction, recipe->sun_direction, sizeof recipe->sun_direction);
    memcpy(plan->scene.sun_irradiance, recipe->sun_irradiance, sizeof recipe->sun_irradiance);
    plan->shown.scene = &plan->scene;
    enum vxb_status status = load_terrain(env, plan, err);
    return status ? status : load_sky(env, plan, err);
}
