/* The known answer: a small field in a scene with one of everything in it, made here, that the device and the CPU must
 * agree on before the device is given anybody's. */
#include <string.h>

#include "device_fill.h"
#include "vxk_hash.h"

#define SIDE 17u
#define SKY_WIDTH 16u
#define SKY_HEIGHT 8u

struct known {
    uint16_t heights[SIDE * SIDE];
    uint8_t holes[(SIDE * SIDE + 7) / 8];
    uint8_t layer[SIDE * SIDE], other[9 * 5];
    float texels[3 * SKY_WIDTH * SKY_HEIGHT];
    struct vxb_layer layers[2];
    struct vxb_terrain terrain;
    struct vxb_sky_map map;
    struct vxb_ground_layer ground[2];
    struct vxb_scene scene;
};

static const struct vxb_shape shapes[] = {
    {.kind = VXB_SHAPE_SPHERE, .center = {3.0f, 6.5f, 4.0f}, .radius = 1.25f, .albedo = {0.5f, 0.25f, 0.75f}},
    {.kind = VXB_SHAPE_BOX, .center = {9.0f, 5.0f, 10.0f}, .half_extents = {1.5f, 3.0f, 1.0f},
     .emission = {0.5f, 2.0f, 0.0f}},
    {.kind = VXB_SHAPE_PLANE, .normal = {0.0f, 1.0f, 0.0f}, .offset = -2.0f, .albedo = {0.75f, 0.75f, 0.5f}},
    {.kind = VXB_SHAPE_CAPSULE, .a = {4.0f, 4.0f, 11.0f}, .b = {7.0f, 8.0f, 12.0f}, .radius = 0.75f,
     .albedo = {1.0f, 1.0f, 1.0f}, .emission = {0.0f, 0.0f, 0.125f}},
};

static void make_terrain(struct known *k)
{
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        k->heights[i] = (uint16_t)(12000 + 900 * (i % SIDE) + (vxk_mix(1, i) >> 19));
        k->layer[i] = (uint8_t)(vxk_mix(2, i) >> 24);
    }
    for (uint32_t i = 0; i < sizeof k->other; i++)
        k->other[i] = (uint8_t)(vxk_mix(3, i) >> 24);
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t hole = vxk_mix(4, i) % (SIDE * SIDE);
        k->holes[hole >> 3] |= (uint8_t)(1u << (hole & 7u));
    }
    k->layers[0] = (struct vxb_layer){"layer", {.width = SIDE, .height = SIDE, .samples = k->layer}};
    k->layers[1] = (struct vxb_layer){"other", {.width = 9, .height = 5, .samples = k->other}};
    k->terrain = (struct vxb_terrain){
        .samples_x = SIDE, .samples_z = SIDE, .heights = k->heights, .metres_per_quad = 0.7f, .min_height = -3.0f,
        .max_height = 11.0f, .origin = {0.25f, 0.5f, 0.5f}, .holes = k->holes, .layers = k->layers, .layer_count = 2};
    k->ground[0] = (struct vxb_ground_layer){&k->layers[0], {0.25f, 0.5f, 0.125f}};
    k->ground[1] = (struct vxb_ground_layer){&k->layers[1], {0.5f, 0.375f, 0.25f}};
}

static void make_scene(struct known *k)
{
    make_terrain(k);
    for (uint32_t i = 0; i < 3 * SKY_WIDTH * SKY_HEIGHT; i++)
        k->texels[i] = (float)(vxk_mix(5, i) >> 20) / 1024.0f;
    k->map = (struct vxb_sky_map){.width = SKY_WIDTH, .height = SKY_HEIGHT, .texels = k->texels};
    k->scene = (struct vxb_scene){
        .size = sizeof k->scene, .shapes = shapes, .shape_count = sizeof shapes / sizeof shapes[0],
        .terrain = &k->terrain, .layers = k->ground, .layer_count = 2, .ground_albedo = {0.2f, 0.2f, 0.2f},
        .ground_emission = {0.0f, 0.0078125f, 0.0f}, .sky = {.kind = VXB_SKY_MAP, .map = &k->map, .rotation = 0.5f},
        .has_sun = true, .sun_direction = {0.48f, 0.6f, 0.64f}, .sun_irradiance = {3.0f, 2.75f, 2.5f}};
}

/* A field of large and small bricks, filled. */
static enum vxb_status make_field(const struct vxb_env *env, const struct known *k, struct vxb_device *device,
                                  struct vxb_probe_field **out, struct vxb_error *err)
{
    static const struct vxb_probe_region bounds = {{0.0f, -1.0f, 0.0f}, {12.0f, 11.0f, 12.0f}};
    static const struct vxb_probe_region low = {{1.0f, 0.0f, 1.0f}, {5.0f, 5.0f, 5.0f}};
    static const uint32_t cells[3] = {4, 4, 4}, slots[3] = {0, 0, 0};
    const struct vxb_fill_options options = {.size = sizeof options, .rays = 24, .max_distance = 20.0f, .bounces = 1,
                                             .dilation = 1, .device = device};
    enum vxb_status status = vxb_probe_field_new(env, &bounds, cells, slots, out, err);
    if (!status)
        status = vxb_probe_field_allocate(*out, &bounds, 2, NULL, err);
    if (!status)
        status = vxb_probe_field_refine(*out, &low, 1, NULL, err);
    if (!status)
        status = vxb_probe_field_place(*out, err);
    return status ? status : vxb_probe_fill(env, *out, &k->scene, &options, NULL, err);
}

enum vxb_status vxbi_device_fill_known_answer(const struct vxb_env *env, struct vxb_device *device,
                                              struct vxb_error *err)
{
    const struct vxb_allocator allocator = vxbi_allocator(env);
    /* What the fill has to say of it is not for the user. */
    const struct vxb_env quiet = {.size = sizeof quiet, .allocator = allocator, .threads = 1};
    struct known *known = vxbi_new_zero(&allocator, 1, sizeof *known);
    struct vxb_probe_field *here = NULL, *there = NULL;
    if (!known)
        return vxbi_fail_memory(err, sizeof *known);
    make_scene(known);
    enum vxb_status status = make_field(&quiet, known, NULL, &here, err);
    if (!status)
        status = make_field(&quiet, known, device, &there, err);
    if (!status && memcmp(here->pool->texels, there->pool->texels,
                          (size_t)here->pool->capacity * VXB_BRICK_TEXELS * sizeof(struct vxb_probe)) != 0)
        status = vxbi_fail(err, VXB_ERR_DEVICE,
                           "%s does not compute what the CPU does: it fills a known field with other light; bake on "
                           "another device, or on the cpu",
                           vxb_device_info(device)->name);
    vxb_probe_field_free(here);
    vxb_probe_field_free(there);
    vxbi_delete(&allocator, known, 1, sizeof *known);
    return status;
}
