/* The fill on devices: the CPU's bytes, whatever the work groups and runs, and plain words where one fails. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "device_faults.h"
#include "heap.h"
#include "make_light.h"
#include "open_device.h"
#include "probes/device_fill.h"
#include "said.h"
#include "vxk_hash.h"

static const struct vxb_env env = {.size = sizeof env, .diag = on_diag, .threads = 2};

/* ---- the same bytes ---- */

static void compare(struct vxb_device *device, const char *what)
{
    for (size_t i = 0; i < light_fixture_count; i++) {
        struct light *light = malloc(sizeof *light);
        struct vxb_probe_field *field = light_fixtures[i].make(light);
        light->options.cross_check = 10.0;
        light_fill(light, field, 2, device, NULL);
        cr_expect(eq(u64, light_hash(field), light_fixtures[i].hash), "%s: %s: 0x%016" PRIX64, what,
                  light_fixtures[i].name, light_hash(field));
        vxb_probe_field_free(field);
        free(light);
    }
}

Test(device_fill, fixtures__have_the_bytes_written_down)
{
    struct vxb_device *device = open_opencl_device(&env);
    compare(device, "as it likes");
    cr_assert(device->tested[VXBI_PROGRAM_fill]);
    vxb_device_close(device);
}

Test(device_fill, work_groups_runs_and_launches_of_any_size__change_no_byte)
{
    static const struct vxbi_device_tuning tunings[] = {
        {.local_size = 1}, {.local_size = 12, .run_bricks = 5}, {.local_size = 64, .run_bricks = 1},
        {.local_size = 7, .run_bricks = 1000}, {.launch_rays = 1}, {.run_bricks = 11, .launch_rays = 23},
        {.run_bricks = 48, .launch_rays = 63}};
    struct vxb_device *device = open_opencl_device(&env);
    for (size_t t = 0; t < sizeof tunings / sizeof tunings[0]; t++) {
        *vxbi_device_tuning(device) = tunings[t];
        compare(device, "tuned");
    }
    vxb_device_close(device);
}

static float draw(uint32_t *state, float low, float high)
{
    return low + (high - low) * (float)(vxk_mix(0x51u, (*state)++) >> 8) / 16777216.0f;
}

static struct vxb_shape random_shape(uint32_t *state)
{
    struct vxb_shape shape = {.kind = (enum vxb_shape_kind)draw(state, 0, 4)};
    const float turn = draw(state, 0, 1);
    for (int a = 0; a < 3; a++) {
        shape.center[a] = shape.a[a] = draw(state, 0, 20);
        shape.b[a] = turn < 0.2f ? shape.a[a] : draw(state, 0, 20); /* a capsule of no length too */
        shape.half_extents[a] = draw(state, 0.01f, 5);
        shape.albedo[a] = turn < 0.3f ? 0.0f : draw(state, 0, 1);
        shape.emission[a] = turn < 0.5f ? 0.0f : draw(state, 0, 50);
    }
    shape.normal[0] = 0.6f * (turn < 0.5f ? 1.0f : -1.0f);
    shape.normal[1] = 0.8f;
    shape.offset = draw(state, -10, 15);
    shape.radius = turn > 0.8f ? 1e-3f : draw(state, 0.1f, 6);
    return shape;
}

/* Ground or none, any shapes, each kind of sky, a sun that may be below, rays that may end early. */
static struct vxb_probe_field *random_scene(struct light *light, uint32_t seed)
{
    uint32_t state = seed * 1000;
    float min[3], max[3];
    uint32_t cells[3];
    light_clear(light);
    if (draw(&state, 0, 1) < 0.5f)
        light_hills(light);
    if (draw(&state, 0, 1) < 0.3f)
        light_map(light);
    else
        light->scene.sky = (struct vxb_sky){.kind = seed % 2 ? VXB_SKY_CONSTANT : VXB_SKY_GRADIENT,
                                            .ground = {0.1f, 0, 3}, .horizon = {1, 0.5f, 0.25f}, .zenith = {0, 7, 1}};
    light->scene.shape_count = (uint32_t)draw(&state, 0, LIGHT_SHAPES);
    for (uint32_t i = 0; i < light->scene.shape_count; i++)
        light->shapes[i] = random_shape(&state);
    light->scene.has_sun = draw(&state, 0, 1) < 0.7f;
    light->scene.sun_direction[0] = 0.6f;
    light->scene.sun_direction[1] = seed % 3 ? 0.8f : -0.8f;
    light->scene.sun_irradiance[1] = 5.0f;
    light->options.rays = (uint32_t)draw(&state, 1, 40);
    light->options.bounces = seed % 3;
    light->options.dilation = seed % 4;
    light->options.max_distance = draw(&state, 0, 1) < 0.3f ? 2.0f : 200.0f;
    for (int a = 0; a < 3; a++) {
        min[a] = draw(&state, -10, 10);
        max[a] = min[a] + draw(&state, 1, 30);
        cells[a] = (uint32_t)draw(&state, 1, 5);
    }
    return light_field(min, max, cells, 1);
}

Test(device_fill, scenes_of_any_kind__same_bytes_as_on_the_cpu, .timeout = 120)
{
    struct vxb_device *device = open_opencl_device(&env);
    for (uint32_t seed = 1; seed <= 24; seed++) {
        struct light *light = malloc(sizeof *light);
        struct vxb_probe_field *field = random_scene(light, seed);
        light_fill(light, field, 1, NULL, NULL);
        const uint64_t hash = light_hash(field);
        light_fill(light, field, 3, NULL, NULL);
        cr_expect(eq(u64, light_hash(field), hash), "scene %" PRIu32 ", three threads", seed);
        light_fill(light, field, 2, device, NULL);
        cr_expect(eq(u64, light_hash(field), hash), "scene %" PRIu32 ", on the device", seed);
        vxb_probe_field_free(field);
        free(light);
    }
    vxb_device_close(device);
}

/* ---- how the work is cut ---- */

/* A launch is no more than one ray of each probe of the fewest bricks past the most shapes, and not much less. */
Test(device_fill, launch__is_bounded_whatever_rays_and_shapes)
{
    static const uint32_t rays[] = {1, 2, 63, 64, 65, 1000, 4096, 65535, VXB_FILL_RAYS_MAX};
    for (int gpu = 0; gpu <= 1; gpu++)
        for (size_t r = 0; r < sizeof rays / sizeof rays[0]; r++) {
            const uint32_t least = gpu ? 4096 : 32;
            const uint64_t most = (uint64_t)least * (8 + VXB_SHAPES_MAX);
            uint32_t before = UINT32_MAX;
            for (uint32_t shapes = 0; shapes <= VXB_SHAPES_MAX; shapes++) {
                const struct vxbi_fill_cut cut = vxbi_device_fill_cut(gpu, rays[r], shapes);
                const uint64_t work = (uint64_t)cut.bricks * cut.rays * (8 + shapes);
                cr_assert(work <= most, "%d: %" PRIu32 " rays, %" PRIu32 " shapes", gpu, rays[r], shapes);
                cr_assert(cut.rays >= 1 && cut.rays <= rays[r]);
                cr_assert(cut.bricks >= least && cut.bricks <= before && cut.bricks <= 16384);
                cr_assert(4 * work > most || (cut.bricks == 16384 && cut.rays == rays[r]),
                          "%d: %" PRIu32 " rays, %" PRIu32 " shapes", gpu, rays[r], shapes);
                before = cut.bricks;
            }
        }
}

Test(device_fill, ordinary_scene__is_done_in_one_launch_a_run)
{
    for (int gpu = 0; gpu <= 1; gpu++)
        for (uint32_t shapes = 0; shapes <= 50; shapes++)
            cr_expect(eq(u32, vxbi_device_fill_cut(gpu, 64, shapes).rays, 64));
    cr_expect(eq(u32, vxbi_device_fill_cut(true, 64, 8).bricks, 16384));
}

/* ---- failures ---- */

/* Where it fails, the CPU then fills the same field, whatever was left in it. */
static enum vxb_status fill_on(struct vxb_device *device, double cross_check, struct vxb_error *err)
{
    struct light *light = malloc(sizeof *light);
    struct vxb_probe_field *field = light_fixtures[0].make(light);
    light->options.device = device;
    light->options.cross_check = cross_check;
    vxb_error_clear(err);
    const enum vxb_status status = vxb_probe_fill(&env, field, &light->scene, &light->options, NULL, err);
    light->options.cross_check = 0.0;
    if (status)
        light_fill(light, field, 2, NULL, NULL);
    cr_expect(eq(u64, light_hash(field), light_fixtures[0].hash));
    vxb_probe_field_free(field);
    free(light);
    return status;
}

Test(device_fill, too_little_memory__splits_and_goes_on)
{
    struct vxb_device *device = open_opencl_device(&env);
    struct vxb_error err;
    device_faults_into(device);
    device->tested[VXBI_PROGRAM_fill] = true;
    device->tuning.run_bricks = 200;
    device_faults.largest = 450000; /* the pool; not all 48 bricks and their like */
    cr_assert(eq(int, fill_on(device, 0.0, &err), VXB_OK), "%s", err.message);
    device_faults.largest = 30000; /* not the pool */
    cr_assert(eq(int, fill_on(device, 0.0, &err), VXB_ERR_MEMORY), "%s", err.message);
    cr_assert(strstr(err.message, "CL_MEM_OBJECT_ALLOCATION_FAILURE") != NULL, "%s", err.message);
    vxb_device_close(device);
}

Test(device_fill, run_too_large__is_halved_until_it_fits)
{
    struct vxb_device *device = open_opencl_device(&env);
    struct light *light = malloc(sizeof *light);
    struct vxb_probe_field *field = light_fixtures[2].make(light);
    device_faults_into(device);
    device->tested[VXBI_PROGRAM_fill] = true;
    device->tuning.run_bricks = 48;
    device_faults.largest = 20000; /* five bricks; the heights, 8450 bytes, fit */
    light_fill(light, field, 2, device, NULL);
    cr_assert(eq(u64, light_hash(field), light_fixtures[2].hash));
    vxb_probe_field_free(field);
    field = light_fixtures[2].make(light);
    light->options.device = device;
    said[0] = 0;
    cr_assert(eq(int, vxb_probe_fill(&env, field, &light->scene, &light->options, NULL, NULL), VXB_OK));
    cr_assert(strstr(said, "bricks at a time: going on with") != NULL, "%s", said);
    vxb_probe_field_free(field);
    free(light);
    vxb_device_close(device);
}

Test(device_fill, lost_on_the_way__is_told_and_leaves_the_field_to_the_cpu)
{
    struct vxb_device *device = open_opencl_device(&env);
    struct vxb_error err;
    device_faults_into(device);
    device->tuning.run_bricks = 7;
    for (uint64_t fails_after = 0; fails_after < 40; fails_after += 3) {
        device_faults_set(CALL_LAUNCH, fails_after, UINT64_MAX, CL_DEVICE_NOT_AVAILABLE);
        device->tuning.launch_rays = fails_after < 20 ? 0 : 20;
        device->tested[VXBI_PROGRAM_fill] = fails_after > 0;
        cr_assert(eq(int, fill_on(device, 0.0, &err), VXB_ERR_DEVICE));
        cr_assert(strstr(err.message, "CL_DEVICE_NOT_AVAILABLE") != NULL, "%s", err.message);
    }
    vxb_device_close(device);
}

Test(device_fill, one_that_lies__is_found_out)
{
    struct vxb_device *device = open_opencl_device(&env);
    struct vxb_error err;
    device_faults_into(device);
    device_faults_lie(0);
    cr_assert(eq(int, fill_on(device, 0.0, &err), VXB_ERR_DEVICE));
    cr_assert(strstr(err.message, "test before the first use") != NULL, "%s", err.message);
    cr_assert(not(device->tested[VXBI_PROGRAM_fill]));
    /* One that starts to lie after its test. */
    device_faults_lie(3);
    device->tested[VXBI_PROGRAM_fill] = true;
    device->tuning.run_bricks = 7;
    cr_assert(eq(int, fill_on(device, 100.0, &err), VXB_ERR_DEVICE));
    cr_assert(strstr(err.message, "does not compute what the CPU does: the brick at cell") != NULL, "%s", err.message);
    vxb_device_close(device);
}

/* ---- cancelling ---- */

static uint64_t enough; /* launches */

static bool has_enough(void *user)
{
    (void)user;
    return device_faults.calls >= enough;
}

/* Five runs of 16 launches a pass. Two may be under way when no more is wanted. */
Test(device_fill, cancel__is_noticed_between_launches)
{
    static const struct vxb_env until = {.size = sizeof until, .cancelled = has_enough, .threads = 2};
    struct vxb_device *device = open_opencl_device(&env);
    device_faults_into(device);
    device->tested[VXBI_PROGRAM_fill] = true;
    device->tuning.run_bricks = 10;
    device->tuning.launch_rays = 4;
    for (enough = 1; enough < 240; enough += 7) {
        struct light *light = malloc(sizeof *light);
        struct vxb_probe_field *field = light_fixtures[0].make(light);
        struct vxb_error err = {0};
        light->options.device = device;
        device_faults_set(CALL_LAUNCH, 0, 0, CL_SUCCESS);
        cr_expect(eq(int, vxb_probe_fill(&until, field, &light->scene, &light->options, NULL, &err),
                     VXB_ERR_CANCELLED));
        cr_expect(device_faults.calls <= enough + 1, "%" PRIu64 " launches after %" PRIu64, device_faults.calls,
                  enough);
        vxb_probe_field_free(field);
        free(light);
    }
    vxb_device_close(device);
}

Test(device_fill, every_allocation_that_fails__is_told)
{
    struct vxb_device *device = open_opencl_device(&env);
    struct light *light = malloc(sizeof *light);
    struct vxb_probe_field *field = light_fixtures[2].make(light);
    light->options.device = device;
    light->options.rays = 1;
    uint64_t n = 1;
    for (;; n++) {
        struct heap heap = {.fail_at = n};
        const struct vxb_env tight = heap_env(&heap);
        struct vxb_error err = {0};
        device->tested[VXBI_PROGRAM_fill] = true;
        const enum vxb_status status = vxb_probe_fill(&tight, field, &light->scene, &light->options, NULL, &err);
        cr_assert(eq(u64, heap.now, 0));
        if (!status)
            break;
        cr_assert(eq(int, status, VXB_ERR_MEMORY), "%" PRIu64 ": %s", n, err.message);
    }
    cr_assert(n > 4);
    vxb_probe_field_free(field);
    free(light);
    vxb_device_close(device);
}
