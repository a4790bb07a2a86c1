/* Rays a second of the fill over a large terrain, against a plain scalar loop without the pyramid of maxima, in one run
 * and turn about: on one core, on all there are, and on a device. The best of the turns counts.
 *
 * bench_probes [DEVICE [BRICKS]]
 *
 * DEVICE: as vxbake's --device ("opencl" by default). BRICKS: of the field that the device fills (4000 by default; give
 * a GPU some 100 000). The terrain has 1025 x 1025 samples; every probe sends 64 rays into a sky, no bounces and no
 * sun, so that a ray is a ray. Exit code 1 where the device fills in other bytes than the CPU. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/os.h"
#include "plain_fill.h"
#include "probes/fill_scene.h"
#include "vxk_hash.h"

#define SIDE 1025u
#define RAYS 64u
#define TURNS 5
#define RANGE 260.0f /* metres between the lowest ground and the highest */

static struct vxb_terrain terrain;

static void fail(const char *what, const struct vxb_error *err)
{
    fprintf(stderr, "bench_probes: %s: %s\n", what, err ? err->message : "no memory");
    exit(1);
}

/* ---- the ground ---- */

/* Noise between lattice points, smooth. */
static float noise(uint32_t seed, float x, float z)
{
    const uint32_t i = (uint32_t)x, j = (uint32_t)z;
    const float u = x - (float)i, v = z - (float)j, s = u * u * (3 - 2 * u), t = v * v * (3 - 2 * v);
    float at[4];
    for (uint32_t k = 0; k < 4; k++)
        at[k] = (float)(vxk_mix(seed, (j + k / 2) * 4096u + i + k % 2) >> 8) / 16777216.0f;
    return (at[0] * (1 - s) + at[1] * s) * (1 - t) + (at[2] * (1 - s) + at[3] * s) * t;
}

/* Ridges and valleys of many sizes, as mountains have them. */
static void make_terrain(void)
{
    uint16_t *heights = malloc(sizeof *heights * SIDE * SIDE);
    if (!heights)
        fail("the terrain", NULL);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        float sum = 0.0f, size = 0.5f, wide = 3.0f / (float)SIDE;
        for (uint32_t octave = 0; octave < 9; octave++, size *= 0.48f, wide *= 2.0f) {
            const float n = noise(octave, (float)(i % SIDE) * wide, (float)(i / SIDE) * wide);
            sum += size * (1.0f - fabsf(2.0f * n - 1.0f));
        }
        heights[i] = (uint16_t)(65535.0f * (sum > 1.0f ? 1.0f : sum));
    }
    terrain = (struct vxb_terrain){.samples_x = SIDE, .samples_z = SIDE, .heights = heights, .metres_per_quad = 1.0f,
                                   .max_height = RANGE};
}

/* ---- fields ---- */

/* A field of about so many bricks over all of the terrain, from its valleys to above its tops. */
static struct vxb_probe_field *make_field(double bricks)
{
    const uint32_t layers = bricks > 20000 ? 8 : 4, side = (uint32_t)sqrt(bricks / layers);
    const uint32_t cells[3] = {side, layers, side}, slots[3] = {0, 0, 0};
    const struct vxb_probe_region bounds = {{0, 0, 0}, {(float)(SIDE - 1), RANGE * 1.2f, (float)(SIDE - 1)}};
    struct vxb_probe_field *field = NULL;
    const struct vxb_env env = {.size = sizeof env, .max_memory_bytes = (uint64_t)16 << 30};
    struct vxb_error err = {0};
    if (vxb_probe_field_new(&env, &bounds, cells, slots, &field, &err) ||
        vxb_probe_field_allocate(field, &bounds, 1, NULL, &err) || vxb_probe_field_place(field, &err))
        fail("a field", &err);
    return field;
}

static const struct vxb_scene scene = {.size = sizeof scene, .terrain = &terrain, .ground_albedo = {0.2f, 0.2f, 0.2f},
                                       .sky = {.horizon = {1.0f, 1.0f, 1.0f}}};

/* Rays a second: while they are traced, and of the whole fill. */
struct rates {
    double trace, all;
};

static struct rates fill(struct vxb_probe_field *field, uint32_t threads, struct vxb_device *device)
{
    const struct vxb_env env = {.size = sizeof env, .threads = threads};
    const struct vxb_fill_options options = {.size = sizeof options, .rays = RAYS, .max_distance = 1500.0f,
                                             .device = device};
    struct vxb_fill_stats stats;
    struct vxb_error err = {0};
    if (vxb_probe_fill(&env, field, &scene, &options, &stats, &err))
        fail("the fill", &err);
    return (struct rates){(double)stats.rays / stats.trace_seconds, (double)stats.rays / stats.seconds};
}

static uint64_t hash_of(const struct vxb_probe_field *field)
{
    const struct vxb_probe_pool *pool = vxb_probe_field_pool(field);
    return vxbi_hash(vxb_probe_pool_texels(pool),
                     (size_t)vxb_probe_pool_capacity(pool) * VXB_BRICK_TEXELS * sizeof(struct vxb_probe));
}

/* ---- the plain loop ---- */

static struct plain_ground plain_ground(void)
{
    float *heights = malloc(sizeof *heights * SIDE * SIDE);
    if (!heights)
        fail("the plain loop", NULL);
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        heights[i] = (float)terrain.heights[i] / 65535.0f * RANGE;
    return (struct plain_ground){.samples_x = SIDE, .samples_z = SIDE, .heights = heights, .quad = 1.0f};
}

/* The same rays of every step-th brick, and no more than where each one ends. */
static struct rates fill_plainly(const struct plain_ground *ground, const struct vxb_probe_field *field, uint32_t step,
                           uint64_t *hits)
{
    static float directions[3 * RAYS];
    uint32_t count;
    uint64_t rays = 0;
    float cell[3];
    const struct vxb_brick *bricks = vxb_probe_field_bricks(field, &count);
    const struct vxb_probe_pool *pool = vxb_probe_field_pool(field);
    vxb_probe_field_cell_size(field, cell);
    vxbi_fill_directions(RAYS, directions);
    const double began = vxbi_seconds();
    for (uint32_t b = 0; b < count; b += step)
        for (uint32_t i = 0; i < 64; i++) {
            const uint32_t at[3] = {i & 3, i >> 2 & 3, i >> 4};
            struct vxb_probe probe;
            float from[3];
            vxb_probe_pool_get(pool, bricks[b].slot, at, &probe, NULL);
            if (probe.validity == 0.0f)
                continue;
            for (int a = 0; a < 3; a++)
                from[a] = ((float)bricks[b].cell[a] + (float)at[a] * 0.25f) * cell[a];
            for (uint32_t r = 0; r < RAYS; r++)
                *hits += plain_march(ground, from, directions + 3 * r, 1500.0f) >= 0.0f;
            rays += RAYS;
        }
    const double rate = (double)rays / (vxbi_seconds() - began);
    return (struct rates){rate, rate};
}

/* ---- the whole ---- */

static void most(struct rates *best, struct rates found)
{
    best->trace = found.trace > best->trace ? found.trace : best->trace;
    best->all = found.all > best->all ? found.all : best->all;
}

static void line(const char *what, const struct rates *found, const struct rates *plain)
{
    printf("  %-22s %9.2f million rays/s, %8.1f times the plain loop; the whole fill %9.2f\n", what, found->trace / 1e6,
           found->trace / plain->trace, found->all / 1e6);
}

int main(int argc, char **argv)
{
    const struct vxb_device_options options = {.size = sizeof options, .choice = argc > 1 ? argv[1] : "opencl"};
    const double bricks = argc > 2 ? atof(argv[2]) : 4000.0;
    struct rates plain = {0}, one = {0}, all = {0}, there = {0};
    uint64_t hits = 0;
    bool same = true;
    struct vxb_error err = {0};
    struct vxb_device *device = NULL;
    make_terrain();
    const struct plain_ground ground = plain_ground();
    struct vxb_probe_field *field = make_field(1000.0);
    const uint32_t threads = vxb_env_threads(NULL);
    for (int turn = 0; turn < TURNS; turn++) {
        most(&one, fill(field, 1, NULL));
        most(&all, fill(field, threads, NULL));
        most(&plain, fill_plainly(&ground, field, 64, &hits));
    }
    printf("%u x %u samples, %u rays a probe; best of %d turns (%" PRIu64 " hits of the plain loop)\n", SIDE, SIDE,
           RAYS, TURNS, hits);
    line("plain loop, one core", &plain, &plain);
    line("one core", &one, &plain);
    printf("  (%" PRIu32 " threads)\n", threads);
    line("all cores", &all, &plain);
    if (vxb_device_open(NULL, &options, &device, &err) || !device) {
        printf("  no device: %s\n", err.message);
        return 0;
    }
    struct vxb_probe_field *large = make_field(bricks);
    for (int turn = 0; turn < 3; turn++)
        most(&there, fill(large, 0, device));
    printf("  %s\n", vxb_device_info(device)->name);
    line("device", &there, &plain);
    printf("  device over one core   %9.1f; the whole fill %.1f\n", there.trace / one.trace, there.all / one.all);
    const uint64_t found = hash_of(large);
    if (bricks <= 10000.0) {
        fill(large, 0, NULL);
        same = found == hash_of(large);
        printf("  the device's bytes are %s\n", same ? "the CPU's" : "NOT THE CPU'S");
    }
    vxb_device_close(device);
    vxb_probe_field_free(large);
    vxb_probe_field_free(field);
    free((void *)ground.heights);
    free((void *)terrain.heights);
    return same ? 0 : 1;
}
