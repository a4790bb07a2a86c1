/* The fill: against the engine's own numbers, against what light has to do, and against itself on other threads. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "make_light.h"
#include "probes/fill_scene.h"
#include "read_vectors.h"
#include "vxk_hash.h"

static const float six[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};

/* ---- the engine's ---- */

static void read_floats(const cJSON *json, const char *name, float *out, int count)
{
    const cJSON *array = cJSON_GetObjectItem(json, name);
    for (int i = 0; i < count && array; i++)
        out[i] = (float)cJSON_GetArrayItem(array, i)->valuedouble;
}

static float read_number(const cJSON *json, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(json, name);
    return item ? (float)item->valuedouble : 0.0f;
}

static void read_shape(const cJSON *json, struct vxb_shape *out)
{
    static const char *const kinds[] = {"sphere", "box", "plane", "capsule"};
    const char *kind = cJSON_GetObjectItem(json, "shape")->valuestring;
    while (strcmp(kinds[out->kind], kind) != 0)
        out->kind++;
    read_floats(json, "center", out->center, 3);
    read_floats(json, "half_extents", out->half_extents, 3);
    read_floats(json, "normal", out->normal, 3);
    read_floats(json, "a", out->a, 3);
    read_floats(json, "b", out->b, 3);
    read_floats(json, "emission", out->emission, 3);
    out->offset = read_number(json, "offset");
    out->radius = read_number(json, "radius");
}

static void read_scene(const cJSON *json, struct light *light)
{
    light_clear(light);
    for (const cJSON *s = cJSON_GetObjectItem(json, "scene")->child; s; s = s->next)
        read_shape(s, &light->shapes[light->scene.shape_count++]);
    read_floats(json, "sky", light->scene.sky.horizon, 3);
    light->scene.has_sun = !cJSON_IsNull(cJSON_GetObjectItem(json, "sun_direction"));
    if (light->scene.has_sun)
        read_floats(json, "sun_direction", light->scene.sun_direction, 3);
    light->options.rays = (uint32_t)read_number(json, "rays");
    light->options.max_distance = read_number(json, "max_distance");
}

/* Bricks in the vectors' order, which is the table's. */
static struct vxb_probe_field *read_field(const cJSON *json, uint32_t *count)
{
    struct vxb_probe_region bounds;
    struct vxb_brick bricks[64];
    float cells[3];
    struct vxb_probe_field *field = NULL;
    struct vxb_error err = {0};
    *count = 0;
    read_floats(json, "bounds_min", bounds.min, 3);
    read_floats(json, "bounds_max", bounds.max, 3);
    read_floats(json, "cells", cells, 3);
    for (const cJSON *b = cJSON_GetObjectItem(json, "bricks")->child; b; b = b->next, ++*count) {
        bricks[*count] = (struct vxb_brick){.slot = *count, .size = (uint32_t)cJSON_GetArrayItem(b, 3)->valueint};
        for (int a = 0; a < 3; a++)
            bricks[*count].cell[a] = (uint32_t)cJSON_GetArrayItem(b, a)->valueint;
    }
    const uint32_t grid[3] = {(uint32_t)cells[0], (uint32_t)cells[1], (uint32_t)cells[2]}, slots[3] = {*count, 1, 1};
    cr_assert(eq(int, vxb_probe_field_of_bricks(NULL, &bounds, grid, slots, bricks, *count, &field, &err), VXB_OK),
              "%s", err.message);
    return field;
}

/* The most that one ray adds to a coefficient. */
static float one_ray(const struct light *light)
{
    float most = 0.0f;
    for (int c = 0; c < 3; c++)
        most = fmaxf(most, light->scene.sky.horizon[c]);
    for (uint32_t i = 0; i < light->scene.shape_count; i++)
        for (int c = 0; c < 3; c++)
            most = fmaxf(most, light->shapes[i].emission[c]);
    return most * 0.488603f * 12.566371f / (float)light->options.rays;
}

static void hold_against(const char *name)
{
    char file[64];
    size_t floats;
    uint32_t bricks, sure = 0;
    struct light light;
    snprintf(file, sizeof file, "%s.bin", name);
    float *values = vectors_floats(file, &floats);
    snprintf(file, sizeof file, "%s.json", name);
    cJSON *json = vectors_json(file);
    read_scene(json, &light);
    struct vxb_probe_field *field = read_field(json, &bricks);
    const float *sensitive = values + (size_t)bricks * 64 * 14;
    cr_assert(eq(sz, floats, (size_t)bricks * 64 * 16));
    light_fill(&light, field, 2, NULL, NULL);
    for (uint32_t i = 0; i < bricks * 64; i++) {
        const float *right = values + (size_t)i * 14, *allowed = sensitive + (size_t)i * 2;
        const uint32_t at[3] = {i & 3, i >> 2 & 3, i >> 4 & 3};
        float got[14], largest = 0.0f;
        cr_assert(eq(
            int, vxb_probe_pool_get(vxb_probe_field_pool(field), i / 64, at, (struct vxb_probe *)got, NULL), VXB_OK));
        for (int k = 0; k < 12; k++)
            largest = fmaxf(largest, fabsf(right[k]));
        for (int k = 0; k < 12; k++)
            cr_expect(fabsf(got[k] - right[k]) <= 1e-4f * largest + allowed[0] * one_ray(&light),
                      "%s: probe %u, number %d: %g, the engine has %g", name, i, k, got[k], right[k]);
        cr_expect(fabsf(got[12] - right[12]) <= 1e-5f + allowed[0] / (float)light.options.rays);
        cr_expect(allowed[1] != 0.0f || fabsf(got[13] - right[13]) <= 1e-4f, "%s: probe %u: shadow %g, not %g", name, i,
                  got[13], right[13]);
        sure += allowed[0] == 0.0f;
    }
    cr_expect(sure > bricks * 16, "%s: %u of %u probes are sure", name, sure, bricks * 64);
    vxb_probe_field_free(field);
    cJSON_Delete(json);
    free(values);
}

Test(fill, spheres_light__is_the_engines) { hold_against("irradiance-fill-sphere"); }
Test(fill, rooms_light__is_the_engines) { hold_against("irradiance-fill-room"); }
Test(fill, light_of_all_shapes__is_the_engines) { hold_against("irradiance-fill-mixed"); }

Test(fill, directions__are_the_engines)
{
    static const struct {
        uint32_t count;
        size_t offset;
    } sets[] = {{1, 4480}, {2, 4492}, {7, 4516}, {64, 4600}, {128, 5368}, {257, 6904}};
    size_t floats;
    float *values = vectors_floats("irradiance-sh.bin", &floats), got[3 * 257];
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
        vxbi_fill_directions(sets[s].count, got);
        for (uint32_t i = 0; i < 3 * sets[s].count; i++)
            cr_assert(fabsf(got[i] - values[sets[s].offset / 4 + i]) <= 1e-6f, "%u of %u: %g, not %g", i,
                      sets[s].count, got[i], values[sets[s].offset / 4 + i]);
    }
    free(values);
}

Test(fill, directions__are_of_length_1_and_go_everywhere)
{
    enum { COUNT = 65536 };
    float *d = malloc(3 * COUNT * sizeof *d);
    double sum[3] = {0};
    vxbi_fill_directions(COUNT, d);
    for (uint32_t i = 0; i < COUNT; i++) {
        const double x = d[3 * i], y = d[3 * i + 1], z = d[3 * i + 2], angle = (double)((float)i * 2.399963f);
        const double r = sqrt(1.0 - z * z);
        cr_assert(fabs(x * x + y * y + z * z - 1.0) < 2e-6);
        cr_assert(fabs(x - r * cos(angle)) < 2e-6 && fabs(y - r * sin(angle)) < 2e-6, "%u", i);
        for (int a = 0; a < 3; a++)
            sum[a] += (double)d[3 * i + (uint32_t)a];
    }
    cr_assert(fabs(sum[0]) < 4 && fabs(sum[1]) < 4 && fabs(sum[2]) < 1e-1, "%g %g %g", sum[0], sum[1], sum[2]);
    free(d);
}

/* ---- what light has to do ---- */

static struct vxb_probe_field *small_field(void)
{
    static const float min[3] = {-1, -1, -1}, max[3] = {1, 1, 1};
    static const uint32_t cells[3] = {1, 1, 1};
    return light_field(min, max, cells, 1);
}

static void irradiance_at(const struct vxb_probe_field *field, const float point[3], const float normal[3],
                          float out[3])
{
    struct vxb_probe probe;
    cr_assert(vxb_probe_field_sample(field, point, &probe));
    vxb_probe_irradiance(&probe, normal, out);
}

static void all_finite(const struct vxb_probe_field *field)
{
    size_t count;
    const float *numbers = (const float *)light_texels(field, &count);
    for (size_t i = 0; i < count * 14; i++)
        cr_assert(isfinite(numbers[i]));
}

Test(fill, constant_sky__is_its_own_irradiance)
{
    static const uint32_t counts[] = {1, 7, 64, 257};
    static const float middle[3] = {0, 0, 0};
    struct light light;
    light_clear(&light);
    for (int c = 0; c < 3; c++)
        light.scene.sky.horizon[c] = 1.0f;
    for (size_t n = 0; n < sizeof counts / sizeof counts[0]; n++) {
        float directions[3 * 257], out[3];
        double mean[3] = {0};
        struct vxb_probe_field *field = small_field();
        light.options.rays = counts[n];
        light_fill(&light, field, 1, NULL, NULL);
        vxbi_fill_directions(counts[n], directions);
        for (uint32_t i = 0; i < 3 * counts[n]; i++)
            mean[i % 3] += (double)directions[i] / counts[n];
        const double most = 2.0 * sqrt(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]) + 1e-5;
        for (int i = 0; i < 6; i++) {
            irradiance_at(field, middle, six[i], out);
            cr_assert(fabs((double)out[0] - 1.0) <= most, "%u rays: %g", counts[n], (double)out[0]);
        }
        vxb_probe_field_free(field);
    }
}

Test(fill, light_from_an_axis__is_strongest_there)
{
    static const float middle[3] = {0, 0, 0};
    for (int from = 0; from < 6; from++) {
        struct light light;
        float lit[6][3];
        light_clear(&light);
        light.scene.shape_count = 1;
        light.shapes[0] = (struct vxb_shape){.kind = VXB_SHAPE_SPHERE, .radius = 4.0f, .emission = {1, 1, 1}};
        for (int a = 0; a < 3; a++)
            light.shapes[0].center[a] = 10.0f * six[from][a];
        struct vxb_probe_field *field = small_field();
        light_fill(&light, field, 1, NULL, NULL);
        for (int i = 0; i < 6; i++)
            irradiance_at(field, middle, six[i], lit[i]);
        for (int i = 0; i < 6; i++)
            cr_assert(i == from || lit[i][0] < lit[from][0] - 0.02f, "from %d: %g there, %g at %d", from,
                      (double)lit[from][0], (double)lit[i][0], i);
        vxb_probe_field_free(field);
    }
}

Test(fill, white_furnace__gives_the_series)
{
    static const float albedos[] = {0.25f, 0.5f, 0.9f}, min[3] = {-2.5f, -2.5f, -2.5f}, max[3] = {2.5f, 2.5f, 2.5f};
    static const uint32_t bounces[] = {0, 1, 4}, cells[3] = {3, 3, 3};
    static const float points[][3] = {{0, 0, 0}, {1.3f, -0.7f, 0.2f}, {-1.2f, 1.4f, 1.1f}};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            struct light light;
            double expected = 0.0;
            light_clear(&light);
            light_room(&light, 2.0f, 1.0f, albedos[a]);
            light.options.rays = 128;
            light.options.bounces = bounces[b];
            light.options.dilation = 3;
            for (uint32_t k = 0; k <= bounces[b]; k++)
                expected += pow((double)albedos[a], k);
            struct vxb_probe_field *field = light_field(min, max, cells, 1);
            light_fill(&light, field, 2, NULL, NULL);
            for (int p = 0; p < 3; p++)
                for (int i = 0; i < 6; i++) {
                    float out[3];
                    irradiance_at(field, points[p], six[i], out);
                    cr_expect(fabs((double)out[1] - expected) <= 0.01 * expected, "albedo %g, %u bounces: %g, not %g",
                              (double)albedos[a], bounces[b], (double)out[1], expected);
                }
            vxb_probe_field_free(field);
        }
}

/* Walls that hold four planes of probes, between -3.1 and -1.9 on each side, at a spacing of 0.25. */
Test(fill, closed_box__stays_dark)
{
    static const float min[3] = {-4, -4, -4}, max[3] = {4, 4, 4};
    static const uint32_t cells[3] = {8, 8, 8}, passes[] = {1, 2, 8};
    for (int n = 0; n < 3; n++) {
        struct light light;
        light_clear(&light);
        for (int wall = 0; wall < 6; wall++) {
            struct vxb_shape *s = &light.shapes[light.scene.shape_count++];
            s->kind = VXB_SHAPE_BOX;
            for (int a = 0; a < 3; a++)
                s->half_extents[a] = a == wall / 2 ? 0.6f : 3.1f;
            s->center[wall / 2] = wall % 2 ? -2.5f : 2.5f;
        }
        light.scene.sky.horizon[0] = 9.0f;
        light.options.rays = 32;
        light.options.dilation = passes[n];
        light.options.bounces = 1;
        struct vxb_probe_field *field = light_field(min, max, cells, 1);
        light_fill(&light, field, 2, NULL, NULL);
        for (uint32_t i = 0; i < 1000; i++) {
            float point[3];
            struct vxb_probe probe;
            for (uint32_t a = 0; a < 3; a++)
                point[a] = -1.85f + 3.7f * vxk_draw(vxk_mix(i, a), 0);
            cr_assert(vxb_probe_field_sample(field, point, &probe));
            cr_assert(probe.l00[0] == 0.0f && probe.l11[0] == 0.0f && probe.validity > 0.0f,
                      "%u passes: %g at %g %g %g", passes[n], (double)probe.l00[0], (double)point[0],
                      (double)point[1], (double)point[2]);
        }
        vxb_probe_field_free(field);
    }
}

Test(fill, probe_in_rock__is_invalid)
{
    static const float min[3] = {8, -3, 8}, max[3] = {24, 29, 24};
    static const uint32_t cells[3] = {2, 4, 2};
    struct light light;
    struct vxb_fill_stats stats;
    light_clear(&light);
    light_hills(&light);
    light.scene.sky.horizon[1] = 1.0f;
    struct vxb_probe_field *field = light_field(min, max, cells, 1);
    light_fill(&light, field, 1, NULL, &stats);
    size_t count;
    const struct vxb_probe *texels = light_texels(field, &count);
    uint32_t deep = 0;
    static const struct vxb_probe nothing = {0};
    for (uint32_t slot = 0; slot < vxb_probe_pool_capacity(vxb_probe_field_pool(field)); slot++) {
        struct vxb_probe probe;
        uint32_t bricks;
        const struct vxb_brick *b = vxb_probe_field_bricks(field, &bricks);
        if (slot >= bricks || b[slot].cell[1] != 0)
            continue;
        cr_assert(eq(int, vxb_probe_pool_get(vxb_probe_field_pool(field), b[slot].slot, (const uint32_t[3]){1, 0, 1},
                                             &probe, NULL), 0));
        cr_assert(memcmp(&probe, &nothing, sizeof probe) == 0);
        deep++;
    }
    cr_assert(deep == 4 && stats.invalid > 4 && count > 0 && texels);
    cr_assert(eq(u64, stats.probes, 16 * 64));
    vxb_probe_field_free(field);
}

Test(fill, black_scene__is_black_and_valid)
{
    struct light light;
    light_clear(&light);
    struct vxb_probe_field *field = small_field();
    light_fill(&light, field, 1, NULL, NULL);
    size_t count;
    const struct vxb_probe *texels = light_texels(field, &count);
    for (size_t i = 0; i < count; i++)
        cr_assert(texels[i].l00[0] == 0.0f && texels[i].l1m1[1] == 0.0f && texels[i].validity == 1.0f &&
                  texels[i].sun_shadow == 1.0f);
    vxb_probe_field_free(field);
}

Test(fill, one_texel_of_1e5__is_finite)
{
    struct light light;
    light_clear(&light);
    light_map(&light);
    memset(light.texels, 0, sizeof light.texels);
    for (int c = 0; c < 3; c++)
        light.texels[3 * (5 * 32 + 7) + c] = 1e5f;
    struct vxb_probe_field *field = small_field();
    light.options.rays = 257;
    light_fill(&light, field, 1, NULL, NULL);
    all_finite(field);
    vxb_probe_field_free(field);
}

Test(fill, light_beyond_all_numbers__is_refused)
{
    struct light light;
    struct vxb_error err = {0};
    light_clear(&light);
    light.scene.sky.horizon[2] = 3e38f;
    struct vxb_probe_field *field = small_field();
    cr_assert(eq(int, vxb_probe_fill(NULL, field, &light.scene, &light.options, NULL, &err), VXB_ERR_DATA));
    cr_assert(strstr(err.message, "the probe at (") != NULL, "%s", err.message);
    vxb_probe_field_free(field);
}

/* Straight down onto flat ground half of one layer, half of the other, under the sun alone. */
Test(fill, albedo__is_by_layer)
{
    static const float min[3] = {0, 30, 0}, max[3] = {64, 31, 64};
    static const uint32_t cells[3] = {1, 1, 1};
    struct light light;
    light_clear(&light);
    light_hills(&light);
    for (uint32_t i = 0; i < LIGHT_SIDE * LIGHT_SIDE; i++)
        light.heights[i] = 0;
    light.terrain.holes = NULL;
    memset(light.meadow, 100, sizeof light.meadow);
    memset(light.rock, 50, sizeof light.rock);
    light.scene.has_sun = true;
    light.scene.sun_direction[1] = 1.0f;
    for (int c = 0; c < 3; c++)
        light.scene.sun_irradiance[c] = 3.14159265f;
    struct vxb_probe_field *field = light_field(min, max, cells, 1);
    const struct vxb_allocator allocator = vxbi_allocator(NULL);
    struct vxbi_fill_scene scene;
    cr_assert(eq(int, vxbi_fill_scene_init(&allocator, field, &light.scene, &light.options, &scene, NULL), VXB_OK));
    const struct vxk_scene arrays = vxbi_fill_scene_arrays(&scene, NULL, NULL);
    struct vxk_met met;
    cr_assert(vxk_scene_meets(&scene.numbers, &arrays, vxk_vec_of(30.3f, 0.5f, 20.7f), vxk_vec_of(0, -1, 0), &met));
    const struct vxk_vec lit = vxk_scene_radiance(&scene.numbers, &arrays, &met);
    cr_expect(fabsf(met.normal.y - 1.0f) < 1e-6f && fabsf(met.point.y - -34.0f) < 1e-4f);
    cr_expect(fabsf(lit.x - (2 * 0.1f + 0.5f) / 3) < 1e-5f && fabsf(lit.y - (2 * 0.4f + 0.45f) / 3) < 1e-5f);
    memset(light.meadow, 0, sizeof light.meadow);
    memset(scene.weights, 0, scene.weight_bytes);
    cr_assert(vxk_scene_meets(&scene.numbers, &arrays, vxk_vec_of(30.3f, 0.5f, 20.7f), vxk_vec_of(0, -1, 0), &met));
    cr_expect(met.albedo.x == 0.2f && met.albedo.z == 0.2f);
    vxbi_fill_scene_clear(&scene);
    vxb_probe_field_free(field);
}

/* ---- the sky ---- */

static struct vxk_vec sky_of(const struct light *light, float x, float y, float z)
{
    struct vxk_sky sky = {.kind = (vxk_u32)light->scene.sky.kind, .width = 32, .height = 16,
                          .horizon = {0, 1, 0}, .ground = {1, 0, 0}, .zenith = {0, 0, 1}};
    return vxk_sky_radiance(&sky, light->texels, vxk_vec_of(x, y, z));
}

Test(fill, sky_map__has_its_middle_at_minus_z_and_x_right_of_it)
{
    struct light light;
    light_clear(&light);
    light_map(&light);
    /* A texel is its own row and column: red 100 * column, green 100 * row. */
    for (uint32_t i = 0; i < 32 * 16; i++) {
        light.texels[3 * i] = (float)(i % 32);
        light.texels[3 * i + 1] = (float)(i / 32);
    }
    cr_expect(fabsf(sky_of(&light, 0, 0, -1).x - 15.5f) < 1e-3f);
    cr_expect(fabsf(sky_of(&light, 1, 0, 0).x - 23.5f) < 1e-3f);
    cr_expect(fabsf(sky_of(&light, -1, 0, 0).x - 7.5f) < 1e-3f);
    cr_expect(fabsf(sky_of(&light, 0, 0, 1).x - 15.5f) < 1e-3f, "the seam is between the last column and the first");
    cr_expect(fabsf(sky_of(&light, 0, 1, 0).y) < 1e-3f && fabsf(sky_of(&light, 0, -1, 0).y - 15.0f) < 1e-3f);
    cr_expect(fabsf(sky_of(&light, 0, 0, -1).y - 7.5f) < 1e-3f);
    light.scene.sky.kind = VXB_SKY_GRADIENT;
    cr_expect(sky_of(&light, 1, 0, 0).y == 1.0f && sky_of(&light, 0, 1, 0).z == 1.0f &&
              sky_of(&light, 0, -1, 0).x == 1.0f);
    cr_expect(fabsf(sky_of(&light, 0.8f, -0.6f, 0).x - 0.6f) < 1e-6f);
}

/* ---- who fills ---- */

Test(fill, threads__change_no_byte)
{
    for (size_t i = 0; i < light_fixture_count; i++) {
        struct light *light = malloc(sizeof *light);
        struct vxb_probe_field *one = light_fixtures[i].make(light), *many = light_fixtures[i].make(light);
        light_fill(light, one, 1, NULL, NULL);
        light_fill(light, many, 5, NULL, NULL);
        cr_expect(eq(u64, light_hash(one), light_hash(many)), "%s", light_fixtures[i].name);
        cr_expect(eq(u64, light_hash(one), light_fixtures[i].hash), "%s: 0x%016" PRIX64, light_fixtures[i].name,
                  light_hash(one));
        all_finite(one);
        vxb_probe_field_free(one);
        vxb_probe_field_free(many);
        free(light);
    }
}

struct asked {
    uint32_t polls, stop_at;
    uint64_t done, total;
};

static bool count_polls(void *user)
{
    struct asked *asked = user;
    return ++asked->polls > asked->stop_at;
}

static void see_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    struct asked *asked = user;
    if (strcmp(what, "filling") != 0)
        return;
    cr_assert(done > asked->done && done <= total);
    asked->done = done;
    asked->total = total;
}

Test(fill, cancelled__ends_and_progress__adds_up)
{
    struct light *light = malloc(sizeof *light);
    struct asked asked = {.stop_at = UINT32_MAX};
    const struct vxb_env env = {.size = sizeof env, .user = &asked, .cancelled = count_polls, .progress = see_progress,
                                .threads = 2};
    struct vxb_probe_field *field = light_fixtures[0].make(light);
    cr_assert(eq(int, vxb_probe_fill(&env, field, &light->scene, &light->options, NULL, NULL), VXB_OK));
    cr_assert(asked.done == asked.total && asked.total == 3 * 48);
    asked = (struct asked){.stop_at = 10};
    cr_assert(eq(int, vxb_probe_fill(&env, field, &light->scene, &light->options, NULL, NULL), VXB_ERR_CANCELLED));
    cr_assert(asked.done < 20);
    vxb_probe_field_free(field);
    free(light);
}

/* A brick of 64 probes with 65536 rays each goes on for minutes where there are shapes. */
Test(fill, cancelled_within_a_probe__ends)
{
    struct light *light = malloc(sizeof *light);
    struct asked asked = {.stop_at = 2};
    const struct vxb_env env = {.size = sizeof env, .user = &asked, .cancelled = count_polls, .progress = see_progress,
                                .threads = 1};
    struct vxb_probe_field *field = light_fixtures[0].make(light);
    light->options.rays = VXB_FILL_RAYS_MAX;
    cr_assert(eq(int, vxb_probe_fill(&env, field, &light->scene, &light->options, NULL, NULL), VXB_ERR_CANCELLED));
    cr_assert(eq(u64, asked.done, 0)); /* bricks */
    vxb_probe_field_free(field);
    free(light);
}

/* ---- what makes no sense ---- */

static void refused(const struct light *light, struct vxb_probe_field *field, const char *words)
{
    struct vxb_error err = {0};
    cr_assert(eq(int, vxb_probe_fill(NULL, field, &light->scene, &light->options, NULL, &err), VXB_ERR_USAGE), "%s",
              words);
    cr_assert(strstr(err.message, words) != NULL, "%s: %s", words, err.message);
}

Test(fill, values_out_of_range__are_named)
{
    struct vxb_probe_field *field = small_field();
    struct light light;
#define REFUSED(change, words) \
    do { \
        light_clear(&light); \
        light.scene.shape_count = 1; \
        light.shapes[0] = (struct vxb_shape){.kind = VXB_SHAPE_SPHERE, .radius = 1}; \
        change; \
        refused(&light, field, words); \
    } while (0)
    REFUSED(light.options.rays = 0, "\"rays\" is 0");
    REFUSED(light.options.rays = 65537, "\"rays\" is 65537");
    REFUSED(light.options.max_distance = NAN, "\"max_distance\" is nan");
    REFUSED(light.options.cross_check = 1, "needs a device");
    REFUSED(light.options.size = 3, "vxb_fill_options");
    REFUSED(light.scene.size = 3, "vxb_scene");
    REFUSED(light.shapes[0].radius = 0, "shape 0: \"radius\" is 0");
    REFUSED(light.shapes[0].albedo[1] = 1.5f, "shape 0: \"albedo\" is 1.5");
    REFUSED(light.shapes[0].emission[2] = INFINITY, "shape 0: \"emission\" is inf");
    REFUSED(light.shapes[0].center[0] = 2e6f, "shape 0: \"center\" is 2000000");
    REFUSED(light.shapes[0].kind = VXB_SHAPE_PLANE, "shape 0: \"normal\" is 0; it must be of length 1");
    REFUSED(light.shapes[0].kind = VXB_SHAPE_BOX, "shape 0: \"half_extents\" is 0");
    REFUSED(light.scene.sky.kind = VXB_SKY_MAP, "the sky is a map");
    REFUSED(light.scene.sky.horizon[0] = -1, "the sky: \"constant\" is -1");
    REFUSED(light.scene.has_sun = true, "the sun: \"direction\" is 0");
#undef REFUSED
    vxb_probe_field_free(field);
}
