/* march: both walks against the engine's own, the hierarchy against the fixed walk over many scenes, and rays that no
 * sane caller would send. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read_vectors.h"
#include "vxbake/pyramid.h"

/* ---- the engine's ---- */

/* A ray of the march vectors: origin, direction, length, then for both walks hit, x, y, samples, sensitive. */
enum { RAY = 17 };

static void hold_against(const char *name)
{
    char file[64];
    size_t count;
    snprintf(file, sizeof file, "%s.bin", name);
    float *values = vectors_floats(file, &count);
    snprintf(file, sizeof file, "%s.json", name);
    cJSON *json = vectors_json(file);
    const cJSON *viewport = cJSON_GetObjectItem(json, "viewport");
    const cJSON *matrix = cJSON_GetObjectItem(json, "clip_from_world");
    const uint32_t width = (uint32_t)cJSON_GetArrayItem(viewport, 0)->valueint;
    const uint32_t height = (uint32_t)cJSON_GetArrayItem(viewport, 1)->valueint;
    struct vxb_march shared = {
        .steps = (uint32_t)cJSON_GetObjectItem(json, "steps")->valueint,
        .thickness = (float)cJSON_GetObjectItem(json, "thickness")->valuedouble,
        .linear_thickness = (float)cJSON_GetObjectItem(json, "linear_thickness")->valuedouble,
    };
    for (int i = 0; i < 16; i++)
        shared.clip_from_world[i] = (float)cJSON_GetArrayItem(matrix, i)->valuedouble;
    struct vxb_pyramid *pyramid = NULL;
    const size_t texels = (size_t)width * height, rays = (count - texels) / RAY;
    cr_assert(eq(int, vxb_pyramid_new(NULL, width, height, VXB_REDUCE_NEAREST, &pyramid, NULL), VXB_OK));
    cr_assert(eq(int, vxb_pyramid_build(NULL, pyramid, values, texels, NULL), VXB_OK));

    int wrong[2] = {0}, missed = 0, tested[2] = {0}, hits[2] = {0};
    uint64_t samples[2] = {0};
    for (size_t i = 0; i < rays; i++) {
        const float *ray = values + texels + i * RAY;
        struct vxb_ray own = {.length = ray[6]};
        memcpy(own.origin, ray, sizeof own.origin);
        memcpy(own.direction, ray + 3, sizeof own.direction);
        const struct vxb_march_hit found[2] = {vxb_march_hierarchy(pyramid, &shared, &own),
                                               vxb_march_fixed(pyramid, &shared, &own)};
        for (int walk = 0; walk < 2; walk++) {
            const float *right = ray + 7 + 5 * walk;
            samples[walk] += found[walk].samples;
            hits[walk] += found[walk].hit;
            if (right[4] != 0.0f)
                continue;
            tested[walk]++;
            bool same = found[walk].hit == (right[0] != 0.0f) &&
                        fabsf((float)found[walk].samples - right[3]) <= 2.0f;
            if (found[walk].hit && right[0] != 0.0f)
                same = same && (float)found[walk].x == right[1] && (float)found[walk].y == right[2];
            wrong[walk] += !same;
        }
        missed += found[1].hit && !found[0].hit;
    }
    cr_log_info("%s: %d and %d rays, %d and %d hits, %lu and %lu samples", name, tested[0], tested[1], hits[0], hits[1],
                (unsigned long)samples[0], (unsigned long)samples[1]);
    cr_expect(eq(int, wrong[0], 0), "%s, hierarchy", name);
    cr_expect(eq(int, wrong[1], 0), "%s, fixed", name);
    cr_expect(eq(int, missed, 0), "%s", name);
    cr_expect(tested[0] > 300 && tested[1] > 300 && hits[0] > 0);
    if (strcmp(name, "pyramid-march-empty") == 0)
        cr_expect(samples[1] >= 20 * samples[0]);
    vxb_pyramid_free(pyramid);
    cJSON_Delete(json);
    free(values);
}

Test(march, almost_empty_screen__is_the_engines_and_20_times_cheaper) { hold_against("pyramid-march-empty"); }
Test(march, linear_thickness__is_the_engines) { hold_against("pyramid-march-linear"); }
Test(march, odd_viewport__is_the_engines) { hold_against("pyramid-march-odd"); }
Test(march, orthographic__is_the_engines) { hold_against("pyramid-march-ortho"); }

/* ---- properties ---- */

static uint32_t seed = 1;

static float draw(float from, float to)
{
    seed = seed * 1664525u + 1013904223u;
    return from + (to - from) * ((float)(seed >> 8) / 16777216.0f);
}

/* Sky, and boxes of one depth each. */
static struct vxb_pyramid *scene(uint32_t width, uint32_t height, int boxes)
{
    struct vxb_pyramid *pyramid = NULL;
    cr_assert(eq(int, vxb_pyramid_new(NULL, width, height, VXB_REDUCE_NEAREST, &pyramid, NULL), VXB_OK));
    float *depth = vxb_pyramid_depth(pyramid);
    while (boxes-- > 0) {
        const uint32_t x0 = (uint32_t)draw(0, (float)width), y0 = (uint32_t)draw(0, (float)height);
        const uint32_t x1 = x0 + (uint32_t)draw(1, 20), y1 = y0 + (uint32_t)draw(1, 20);
        const float at = draw(0.02f, 0.9f);
        for (uint32_t y = y0; y < y1 && y < height; y++)
            for (uint32_t x = x0; x < x1 && x < width; x++)
                depth[y * width + x] = fmaxf(depth[y * width + x], at);
    }
    cr_assert(eq(int, vxb_pyramid_build(NULL, pyramid, depth, (uint64_t)width * height, NULL), VXB_OK));
    return pyramid;
}

/* Reversed depth, near 0.1, far 100, looking along -z. */
static const struct vxb_march perspective = {
    .clip_from_world = {1.5f, 0, 0, 0, 0, 1.5f, 0, 0, 0, 0, 0.001001001f, 0.1001001f, 0, 0, -1, 0},
    .steps = 128,
    .thickness = 0.02f,
};

/* A start on screen, in front of the eye. */
static struct vxb_ray ray_on_screen(void)
{
    const float z = draw(0.2f, 8);
    struct vxb_ray ray = {.origin = {draw(-0.6f, 0.6f) * z, draw(-0.6f, 0.6f) * z, -z}, .length = draw(0.5f, 12)};
    for (int i = 0; i < 3; i++)
        ray.direction[i] = draw(-1, 1);
    return ray;
}

Test(march, hits_of_the_fixed_walk__are_hits_of_the_hierarchy)
{
    static const uint32_t sizes[][2] = {{64, 64}, {101, 67}, {33, 128}, {200, 1}, {1, 1}};
    int missed = 0, hits = 0, rays = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int linear = 0; linear < 2; linear++) {
            struct vxb_pyramid *pyramid = scene(sizes[i][0], sizes[i][1], 40);
            struct vxb_march shared = perspective;
            shared.linear_thickness = linear ? 0.4f : 0;
            for (int k = 0; k < 8000; k++, rays++) {
                const struct vxb_ray ray = ray_on_screen();
                const struct vxb_march_hit fixed = vxb_march_fixed(pyramid, &shared, &ray);
                hits += fixed.hit;
                missed += fixed.hit && !vxb_march_hierarchy(pyramid, &shared, &ray).hit;
            }
            vxb_pyramid_free(pyramid);
        }
    cr_log_info("%d rays, %d hits, %d missed", rays, hits, missed);
    cr_assert(lt(int, 1000, hits));
    cr_assert(le(int, missed, 1)); /* of some 100 000, rounding decides one */
}

Test(march, a_ray_that_ends_behind_the_eye__is_walked_in_fixed_steps)
{
    struct vxb_pyramid *pyramid = scene(64, 64, 12);
    for (int k = 0; k < 500; k++) {
        struct vxb_ray ray = ray_on_screen();
        ray.direction[2] = 1;
        ray.length = 10;
        const struct vxb_march_hit a = vxb_march_fixed(pyramid, &perspective, &ray);
        const struct vxb_march_hit b = vxb_march_hierarchy(pyramid, &perspective, &ray);
        cr_assert(a.hit == b.hit && a.x == b.x && a.y == b.y && a.samples == b.samples);
    }
    vxb_pyramid_free(pyramid);
}

/* The farthest cell can't tell that all of it may be skipped. */
Test(march, over_a_farthest_pyramid__every_walk_is_the_fixed_one)
{
    struct vxb_pyramid *nearest = scene(64, 64, 12), *farthest = NULL;
    cr_assert(eq(int, vxb_pyramid_new(NULL, 64, 64, VXB_REDUCE_FARTHEST, &farthest, NULL), VXB_OK));
    cr_assert(eq(int, vxb_pyramid_build(NULL, farthest, nearest->levels[0].texels, 64 * 64, NULL), VXB_OK));
    for (int k = 0; k < 500; k++) {
        const struct vxb_ray ray = ray_on_screen();
        const struct vxb_march_hit a = vxb_march_fixed(nearest, &perspective, &ray);
        const struct vxb_march_hit b = vxb_march_hierarchy(farthest, &perspective, &ray);
        cr_assert(a.hit == b.hit && a.x == b.x && a.y == b.y && a.samples == b.samples);
    }
    vxb_pyramid_free(nearest);
    vxb_pyramid_free(farthest);
}

/* One wall of depth 0.5 in columns 5 and 6 of 8, orthographic: pixel x is 4 x + 4, depth is z, y is up. */
Test(march, a_wall__stops_what_is_behind_its_face_and_no_further_than_its_thickness)
{
    struct vxb_pyramid *pyramid = NULL;
    const struct vxb_march shared = {
        .clip_from_world = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, .steps = 64, .thickness = 0.1f};
    cr_assert(eq(int, vxb_pyramid_new(NULL, 8, 8, VXB_REDUCE_NEAREST, &pyramid, NULL), VXB_OK));
    for (uint32_t y = 0; y < 8; y++)
        vxb_pyramid_depth(pyramid)[y * 8 + 5] = vxb_pyramid_depth(pyramid)[y * 8 + 6] = 0.5f;
    cr_assert(eq(int, vxb_pyramid_build(NULL, pyramid, vxb_pyramid_depth(pyramid), 64, NULL), VXB_OK));
    static const struct {
        float z;
        bool hit;
    } rays[] = {{0.6f, false}, {0.45f, true}, {0.3f, false}};
    for (size_t i = 0; i < sizeof rays / sizeof *rays; i++) {
        const struct vxb_ray ray = {{-0.99f, 0.6f, rays[i].z}, {1, 0, 0}, 1.9f};
        const struct vxb_march_hit fixed = vxb_march_fixed(pyramid, &shared, &ray);
        const struct vxb_march_hit walk = vxb_march_hierarchy(pyramid, &shared, &ray);
        cr_assert(fixed.hit == rays[i].hit && walk.hit == rays[i].hit, "z = %g", (double)rays[i].z);
        if (rays[i].hit)
            cr_assert(fixed.x == 5 && fixed.y == 1 && walk.x == 5 && walk.y == 1);
    }
    vxb_pyramid_free(pyramid);
}

/* Whatever the numbers, a walk ends, stays on screen and fetches no more than it may. */
Test(march, wild_numbers__end_and_stay_on_screen)
{
    static const float wild[] = {NAN,  INFINITY, -INFINITY, 0,     -0.0f,  1e38f, -1e38f,
                                 1e-38f, 3e9f,   -3e9f,     1e-45f, 32768, -1,    0.5f};
    const uint32_t count = sizeof wild / sizeof *wild;
    struct vxb_pyramid *pyramid = scene(37, 5, 8);
    int outside = 0;
    for (int k = 0; k < 20000; k++) {
        struct vxb_march shared = perspective;
        struct vxb_ray ray = ray_on_screen();
        float *const numbers[] = {&ray.origin[0],    &ray.origin[1],    &ray.origin[2],     &ray.direction[0],
                                  &ray.direction[1], &ray.direction[2], &ray.length,        &shared.thickness,
                                  &shared.linear_thickness};
        for (int n = 0; n < 3; n++) {
            const uint32_t which = (uint32_t)draw(0, 25);
            float *number = which < 9 ? numbers[which] : &shared.clip_from_world[which - 9];
            *number = wild[(uint32_t)draw(0, (float)count) % count];
        }
        const struct vxb_march_hit hits[2] = {vxb_march_fixed(pyramid, &shared, &ray),
                                              vxb_march_hierarchy(pyramid, &shared, &ray)};
        outside += hits[0].samples > shared.steps || hits[1].samples > 16 * (37 + 5 + 6) + 64;
        for (int walk = 0; walk < 2; walk++)
            outside += hits[walk].x >= 37 || hits[walk].y >= 5;
    }
    cr_assert(eq(int, outside, 0));
    vxb_pyramid_free(pyramid);
}
