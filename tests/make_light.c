/* Scenes and fields to fill. */
#include "make_light.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "vxk_hash.h"

struct vxb_probe_field *light_field(const float min[3], const float max[3], const uint32_t cells[3], uint32_t size)
{
    static const uint32_t slots[3] = {0, 0, 0};
    struct vxb_probe_region bounds;
    struct vxb_probe_field *field = NULL;
    struct vxb_error err = {0};
    memcpy(bounds.min, min, sizeof bounds.min);
    memcpy(bounds.max, max, sizeof bounds.max);
    cr_assert(eq(int, vxb_probe_field_new(NULL, &bounds, cells, slots, &field, &err), VXB_OK), "%s", err.message);
    cr_assert(eq(int, vxb_probe_field_allocate(field, &bounds, size, NULL, &err), VXB_OK), "%s", err.message);
    cr_assert(eq(int, vxb_probe_field_place(field, &err), VXB_OK), "%s", err.message);
    return field;
}

void light_fill(const struct light *light, struct vxb_probe_field *field, uint32_t threads, struct vxb_device *device,
                struct vxb_fill_stats *stats)
{
    const struct vxb_env env = {.size = sizeof env, .threads = threads};
    struct vxb_fill_options options = light->options;
    struct vxb_error err = {0};
    options.device = device;
    cr_assert(eq(int, vxb_probe_fill(&env, field, &light->scene, &options, stats, &err), VXB_OK), "%s", err.message);
}

const struct vxb_probe *light_texels(const struct vxb_probe_field *field, size_t *count)
{
    const struct vxb_probe_pool *pool = vxb_probe_field_pool(field);
    *count = (size_t)vxb_probe_pool_capacity(pool) * VXB_BRICK_TEXELS;
    return vxb_probe_pool_texels(pool);
}

uint64_t light_hash(const struct vxb_probe_field *field)
{
    size_t count;
    const struct vxb_probe *texels = light_texels(field, &count);
    return vxbi_hash(texels, count * sizeof *texels);
}

/* ---- scenes ---- */

void light_clear(struct light *light)
{
    memset(light, 0, sizeof *light);
    light->scene.size = sizeof light->scene;
    light->scene.shapes = light->shapes;
    light->options =
        (struct vxb_fill_options){.size = sizeof light->options, .rays = 64, .max_distance = 100.0f};
}

static struct vxb_shape *add_shape(struct light *light, enum vxb_shape_kind kind, float emission, float albedo)
{
    struct vxb_shape *s = &light->shapes[light->scene.shape_count++];
    s->kind = kind;
    for (int c = 0; c < 3; c++) {
        s->emission[c] = emission;
        s->albedo[c] = albedo;
    }
    return s;
}

void light_room(struct light *light, float half, float emission, float albedo)
{
    for (int wall = 0; wall < 6; wall++) {
        struct vxb_shape *s = add_shape(light, VXB_SHAPE_BOX, emission, albedo);
        for (int a = 0; a < 3; a++)
            s->half_extents[a] = a == wall / 2 ? 1.0f : half + 2.0f;
        s->center[wall / 2] = wall % 2 ? -half - 1.0f : half + 1.0f;
    }
}

void light_hills(struct light *light)
{
    for (uint32_t i = 0; i < LIGHT_SIDE * LIGHT_SIDE; i++) {
        const uint32_t x = i % LIGHT_SIDE, z = i / LIGHT_SIDE;
        const uint32_t ridge = x * (64 - x) + z * (64 - z), wave = (x / 8 + z / 8) % 2 * 3000;
        light->heights[i] = (uint16_t)(8000 + 12 * ridge + wave + (vxk_mix(11, i) >> 20));
        light->meadow[i] = (uint8_t)(x * 4 > 255 ? 255 : x * 4);
    }
    for (uint32_t i = 0; i < sizeof light->rock; i++)
        light->rock[i] = (uint8_t)(vxk_mix(12, i) >> 25);
    for (uint32_t i = 0; i < 25; i++) {
        const uint32_t hole = 20 * LIGHT_SIDE + 30 + i / 5 * LIGHT_SIDE + i % 5;
        light->holes[hole >> 3] |= (uint8_t)(1u << (hole & 7u));
    }
    light->layers[0] =
        (struct vxb_layer){"meadow", {.width = LIGHT_SIDE, .height = LIGHT_SIDE, .samples = light->meadow}};
    light->layers[1] = (struct vxb_layer){"rock", {.width = 20, .height = 30, .samples = light->rock}};
    light->terrain = (struct vxb_terrain){
        .samples_x = LIGHT_SIDE, .samples_z = LIGHT_SIDE, .heights = light->heights, .metres_per_quad = 1.0f,
        .min_height = -4.0f, .max_height = 20.0f, .holes = light->holes, .layers = light->layers, .layer_count = 2};
    light->ground[0] = (struct vxb_ground_layer){&light->layers[0], {0.1f, 0.4f, 0.05f}};
    light->ground[1] = (struct vxb_ground_layer){&light->layers[1], {0.5f, 0.45f, 0.4f}};
    light->scene.terrain = &light->terrain;
    light->scene.layers = light->ground;
    light->scene.layer_count = 2;
    for (int c = 0; c < 3; c++)
        light->scene.ground_albedo[c] = 0.2f;
}

void light_map(struct light *light)
{
    for (uint32_t i = 0; i < 3 * 32 * 16; i++)
        light->texels[i] = (float)(vxk_mix(13, i) >> 20) / 2048.0f;
    light->map = (struct vxb_sky_map){.width = 32, .height = 16, .texels = light->texels};
    light->scene.sky = (struct vxb_sky){.kind = VXB_SKY_MAP, .map = &light->map, .rotation = 1.0f};
}

/* ---- fixtures ---- */

static struct vxb_probe_field *make_shapes(struct light *light)
{
    static const float min[3] = {-3, -2, -3}, max[3] = {3, 3, 3};
    static const uint32_t cells[3] = {4, 3, 4};
    light_clear(light);
    struct vxb_shape *plane = add_shape(light, VXB_SHAPE_PLANE, 0.0f, 0.5f);
    plane->normal[1] = 1.0f;
    plane->offset = -1.0f;
    struct vxb_shape *ball = add_shape(light, VXB_SHAPE_SPHERE, 0.0f, 0.75f);
    ball->radius = 0.9f;
    struct vxb_shape *lamp = add_shape(light, VXB_SHAPE_CAPSULE, 4.0f, 0.0f);
    lamp->a[0] = lamp->b[0] = 1.5f;
    lamp->b[1] = 2.0f;
    lamp->radius = 0.3f;
    struct vxb_shape *box = add_shape(light, VXB_SHAPE_BOX, 0.0f, 0.25f);
    box->center[2] = -2.0f;
    box->half_extents[0] = 1.0f;
    box->half_extents[1] = 1.5f;
    box->half_extents[2] = 0.25f;
    light->scene.sky = (struct vxb_sky){.kind = VXB_SKY_GRADIENT, .ground = {0.1f, 0.1f, 0.1f},
                                        .horizon = {0.9f, 0.95f, 1.0f}, .zenith = {0.2f, 0.4f, 0.9f}};
    light->scene.has_sun = true;
    memcpy(light->scene.sun_direction, (const float[3]){0.48f, 0.64f, 0.6f}, sizeof light->scene.sun_direction);
    memcpy(light->scene.sun_irradiance, (const float[3]){3.0f, 2.8f, 2.5f}, sizeof light->scene.sun_irradiance);
    light->options.bounces = 2;
    light->options.dilation = 2;
    return light_field(min, max, cells, 1);
}

static struct vxb_probe_field *make_hills(struct light *light)
{
    static const float min[3] = {-7.5f, -6, 3}, max[3] = {40, 26, 60};
    static const uint32_t cells[3] = {5, 3, 6};
    light_clear(light);
    light_hills(light);
    struct vxb_shape *tower = add_shape(light, VXB_SHAPE_BOX, 0.0f, 0.6f);
    tower->center[0] = 20.0f;
    tower->center[1] = 14.0f;
    tower->center[2] = 20.0f;
    tower->half_extents[0] = tower->half_extents[2] = 2.0f;
    tower->half_extents[1] = 8.0f;
    light->scene.sky = (struct vxb_sky){.kind = VXB_SKY_CONSTANT, .horizon = {0.5f, 0.7f, 1.0f}};
    light->scene.has_sun = true;
    memcpy(light->scene.sun_direction, (const float[3]){0.6f, 0.48f, -0.64f}, sizeof light->scene.sun_direction);
    memcpy(light->scene.sun_irradiance, (const float[3]){4.0f, 3.5f, 3.0f}, sizeof light->scene.sun_irradiance);
    light->options.bounces = 1;
    light->options.dilation = 2;
    return light_field(min, max, cells, 2);
}

/* Far from the origin, with nothing but the ground and a map over it. */
static struct vxb_probe_field *make_far(struct light *light)
{
    static const float min[3] = {500010, 98, -700030}, max[3] = {500050, 130, -700000};
    static const uint32_t cells[3] = {4, 4, 3};
    light_clear(light);
    light_hills(light);
    light_map(light);
    light->terrain.origin[0] = 500000;
    light->terrain.origin[1] = 100;
    light->terrain.origin[2] = -700040;
    light->terrain.holes = NULL;
    light->scene.layer_count = 0;
    light->scene.ground_emission[0] = 0.125f;
    light->options.rays = 37;
    light->options.max_distance = 60.0f;
    return light_field(min, max, cells, 1);
}

const struct light_fixture light_fixtures[] = {
    {"shapes", make_shapes, UINT64_C(0xBAE3A1AB5C946863)},
    {"hills", make_hills, UINT64_C(0xF02E8E8213678F90)},
    {"far", make_far, UINT64_C(0x9368C67D2DFF5F18)},
};
const size_t light_fixture_count = sizeof light_fixtures / sizeof light_fixtures[0];
