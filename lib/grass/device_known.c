/* The known answer: a small field with one of everything in it, made here from integers, that the device and the CPU
 * must agree on before the device is given anybody's. */
#include <math.h>

#include "../core/alloc.h"
#include "../core/error.h"
#include "device_source.h"
#include "vxk_hash.h"

#define SIDE 33u
#define MAP 17u

struct known {
    uint16_t heights[SIDE * SIDE];
    uint8_t holes[(SIDE * SIDE + 7) / 8];
    uint8_t layer[SIDE * SIDE], other[MAP * MAP], exclude[MAP * SIDE], scale[MAP * MAP];
    struct vxb_layer layers[2];
    struct vxb_terrain terrain;
    struct vxb_recipe recipe;
};

static void paint(uint8_t *samples, uint32_t count, uint32_t seed)
{
    for (uint32_t i = 0; i < count; i++)
        samples[i] = (uint8_t)(vxk_mix(seed, i) >> 24);
}

static void make_terrain(struct known *k)
{
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        k->heights[i] = (uint16_t)(20000 + 400 * (i % SIDE) + (vxk_mix(1, i) >> 21));
    for (uint32_t i = 0; i < 12; i++) {
        const uint32_t hole = vxk_mix(2, i) % (SIDE * SIDE);
        k->holes[hole >> 3] |= (uint8_t)(1u << (hole & 7u));
    }
    paint(k->layer, SIDE * SIDE, 3);
    paint(k->other, MAP * MAP, 4);
    paint(k->exclude, MAP * SIDE, 5);
    paint(k->scale, MAP * MAP, 6);
    for (uint32_t i = 0; i < MAP * SIDE; i++)
        k->exclude[i] = k->exclude[i] > 200 ? 255 : 0;
    k->layers[0] = (struct vxb_layer){"layer", {.width = SIDE, .height = SIDE, .samples = k->layer}};
    k->layers[1] = (struct vxb_layer){"other", {.width = MAP, .height = MAP, .samples = k->other}};
    k->terrain = (struct vxb_terrain){
        .samples_x = SIDE, .samples_z = SIDE, .heights = k->heights, .metres_per_quad = 0.7f, .min_height = -13.0f,
        .max_height = 61.0f, .origin = {-11.25f, 3.5f, 7.0f}, .holes = k->holes, .layers = k->layers, .layer_count = 2,
        .exclude = {.width = MAP, .height = SIDE, .samples = k->exclude},
        .scale = {.width = MAP, .height = MAP, .samples = k->scale}};
}

static void make_recipe(struct known *k)
{
    static const char *const names[VXB_SPECIES_MAX] = {"a", "b", "c", "d"};
    k->recipe = (struct vxb_recipe){.path = "known answer", .seed = 77, .cell_size = 6.5f, .density = 30.0f,
                                    .density_scale = 0.9f, .species_count = VXB_SPECIES_MAX};
    for (uint32_t i = 0; i < VXB_SPECIES_MAX; i++)
        k->recipe.species[i] = (struct vxb_recipe_species){
            .name = names[i], .material = names[i], .mesh = "", .share = 1.0f + (float)i, .min_weight = 0.1f,
            .max_weight = 0.7f, .jitter = 0.9f - 0.3f * (float)i, .min_scale = 0.5f, .max_scale = 2.0f,
            .random_yaw = i != 1, .align_to_normal = 0.25f * (float)(i + 1), .max_slope = i == 2 ? 0.6f : 1.5707964f,
            .has_altitude = i == 3, .altitude = {5.0f, 30.0f}, .mesh_radius = 1.0f,
            .layer = i == 0 ? "layer" : i == 1 ? "other" : NULL,
            .lods = {{.distance = INFINITY, .keep = 1.0f, .fade = INFINITY}}, .lod_count = 1, .passes = {"main"},
            .pass_count = 1};
}

enum vxb_status vxbi_device_known_answer(const struct vxb_env *env, struct vxb_device *device, struct vxb_error *err)
{
    const struct vxb_allocator allocator = vxbi_allocator(env);
    /* What the plan and the tiles have to say of it is not for the user. */
    const struct vxb_env quiet = {.size = sizeof quiet, .allocator = allocator, .threads = 1};
    struct known *known = vxbi_new_zero(&allocator, 1, sizeof *known);
    struct vxb_plan *plan = NULL;
    if (!known)
        return vxbi_fail_memory(err, sizeof *known);
    make_terrain(known);
    make_recipe(known);
    enum vxb_status status = vxb_plan_new(&quiet, &known->recipe, &known->terrain, &plan, err);
    if (!status)
        status = vxbi_device_check(&quiet, device, plan, err);
    vxb_plan_free(plan);
    vxbi_delete(&allocator, known, 1, sizeof *known);
    return status;
}
