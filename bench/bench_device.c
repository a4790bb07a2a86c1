/* How fast a device bakes, kernels alone and end to end, against what bounds it, measured in the same run: the CPU's
 * threads, the rate at which blades come back, the rate at which a file takes them. `make bench` runs it where there is
 * a device; bench_device [DEVICE [CANDIDATES]], e.g. "opencl:H200" 1000000000, on the one meant.
 *
 * The bytes are compared too: content ids of the CPU's bake and the device's. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/os.h"
#include "grass/device_source.h"
#include "grass/device_tile.h"
#include "vxbake/bake.h"

#define SAMPLES 2049
#define DENSITY 64.0f
#define ROUNDS 3
#define TRANSFER_BYTES ((uint64_t)128 << 20)

struct scene {
    struct vxb_terrain terrain;
    struct vxb_recipe recipe;
    struct vxb_plan *plan;
};

static void fail(const char *what, const struct vxb_error *err)
{
    fprintf(stderr, "bench_device: %s: %s\n", what, err ? err->message : "no memory");
    exit(1);
}

/* A meadow on hills over which a slope limit and the density scale decide; so large that it has about so many
 * candidates. */
static void make_scene(struct scene *scene, double candidates, float density_scale)
{
    const size_t count = (size_t)SAMPLES * SAMPLES;
    uint16_t *heights = malloc(count * sizeof *heights);
    struct vxb_error err = {0};
    if (!heights)
        fail("setting up", NULL);
    for (size_t i = 0; i < count; i++) {
        double x = (double)(i % SAMPLES), z = (double)(i / SAMPLES);
        double hill = 20000.0 * sin(x * 0.011) * cos(z * 0.013) + 900.0 * sin(x * 0.21 + z * 0.17);
        heights[i] = (uint16_t)(32768.0 + hill);
    }
    memset(scene, 0, sizeof *scene);
    /* As steep whatever the size, so that as large a part of it comes to be blades. */
    const float quad = (float)(sqrt(candidates / (double)DENSITY) / (SAMPLES - 1));
    scene->terrain = (struct vxb_terrain){.samples_x = SAMPLES, .samples_z = SAMPLES, .heights = heights,
                                          .metres_per_quad = quad, .max_height = 80.0f * quad};
    scene->recipe = (struct vxb_recipe){.path = "bench", .seed = 7, .cell_size = 32.0f, .density = DENSITY,
                                        .density_scale = density_scale, .species_count = 1};
    scene->recipe.species[0] = (struct vxb_recipe_species){
        .name = "Meadow", .share = 1.0f, .material = "Meadow", .mesh = "", .mesh_radius = 1.0f, .jitter = 0.8f,
        .min_scale = 0.7f, .max_scale = 1.3f, .random_yaw = true, .align_to_normal = 0.35f, .max_slope = 0.9f,
        .lods = {{.distance = INFINITY, .keep = 1.0f, .fade = INFINITY}}, .lod_count = 1, .passes = {"main"},
        .pass_count = 1};
    if (vxb_plan_new(NULL, &scene->recipe, &scene->terrain, &scene->plan, &err))
        fail("the plan", &err);
}

static void clear_scene(struct scene *scene)
{
    vxb_plan_free(scene->plan);
    free((void *)(uintptr_t)scene->terrain.heights);
}

/* Seconds of one pass over the plan's cells, tiles of so many, no further than until; blades there were. */
static double one_pass(struct vxbi_tile_device *on, uint32_t tile_cells, enum vxbi_tile_step until, uint64_t *blades)
{
    static const uint32_t all[VXB_SPECIES_MAX] = {65535, 65535, 65535, 65535};
    const struct vxb_plan *plan = on->scatter->plan;
    const uint64_t cells = (uint64_t)plan->cells_x * plan->cells_z;
    struct vxbi_tile tile = {0};
    struct vxb_error err = {0};
    on->until = until;
    *blades = 0;
    const double began = vxbi_seconds();
    for (uint64_t first = 0; first < cells; first += tile_cells) {
        const uint64_t left = cells - first;
        if (vxbi_tile_begin(on, &tile, first, (uint32_t)(left < tile_cells ? left : tile_cells), all, false, &err) ||
            vxbi_tile_wait(on, &tile, &err))
            fail("a tile", &err);
        *blades += tile.blades;
    }
    vxbi_device_finish(on->device);
    const double seconds = vxbi_seconds() - began;
    vxbi_tile_clear(on, &tile);
    return seconds;
}

static void kernels(struct vxb_device *device, const struct scene *scene, uint64_t tile_candidates)
{
    static const struct {
        const char *name;
        enum vxbi_tile_step until;
    } steps[] = {{"judge and count", VXBI_TILE_JUDGE},
                 {"count, order and write", VXBI_TILE_WRITE},
                 {"the same, read back", VXBI_TILE_READ}};
    struct vxbi_scatter scatter;
    struct vxbi_tile_device on;
    struct vxb_error err = {0};
    vxbi_scatter_init(&scatter, scene->plan);
    if (vxbi_tile_device_init(&on, device, &scatter, &err))
        fail("the device", &err);
    const uint64_t per_cell = (uint64_t)scene->plan->side * scene->plan->side;
    const uint64_t cells = tile_candidates / per_cell ? tile_candidates / per_cell : 1;
    const uint32_t tile_cells = cells < VXBI_TILE_CELLS_MOST ? (uint32_t)cells : VXBI_TILE_CELLS_MOST;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        double best = INFINITY;
        uint64_t blades;
        for (int round = 0; round < ROUNDS; round++) {
            double seconds = one_pass(&on, tile_cells, steps[i].until, &blades);
            best = seconds < best ? seconds : best;
        }
        printf("  %-24s %8.1f million candidates/s, %7.1f million blades/s, tiles of %.1f million\n", steps[i].name,
               (double)scene->plan->candidates / best / 1e6, (double)blades / best / 1e6,
               (double)tile_cells * (double)per_cell / 1e6);
    }
    vxbi_tile_device_clear(&on);
}

static void transfer(struct vxb_device *device)
{
    struct vxbi_buffer *buffer = NULL;
    struct vxbi_pinned *pinned = NULL;
    struct vxb_error err = {0};
    double best = INFINITY;
    const uint64_t most = vxb_device_info(device)->buffer_bytes;
    const uint64_t bytes = TRANSFER_BYTES < most ? TRANSFER_BYTES : most;
    if (vxbi_buffer_new(device, bytes, NULL, &buffer, &err) || vxbi_buffer_zero(device, buffer, bytes, &err) ||
        vxbi_pinned_new(device, bytes, &pinned, &err))
        fail("a buffer", &err);
    for (int round = 0; round <= ROUNDS; round++) {
        struct vxbi_event *event = NULL;
        vxbi_device_finish(device);
        const double began = vxbi_seconds();
        if (vxbi_read_begin(device, buffer, pinned, bytes, &event, &err) || vxbi_wait(device, event, &err))
            fail("a transfer", &err);
        const double seconds = vxbi_seconds() - began;
        best = seconds < best ? seconds : best;
    }
    printf("transfer from the device     %8.2f GB/s, %.1f million blades/s\n", (double)bytes / best / 1e9,
           (double)bytes / best / 16e6);
    vxbi_pinned_free(device, pinned);
    vxbi_buffer_free(device, buffer);
}

/* The output is a file that is thrown away; its rate is that of writing as many bytes plainly. */
static double bake(const struct scene *scene, struct vxb_device *device, const char *path, uint64_t *content_id,
                   uint64_t *bytes)
{
    const struct vxb_bake_options options = {.size = sizeof options, .output = path, .device = device};
    struct vxb_bake_report report;
    struct vxb_error err = {0};
    const double began = vxbi_seconds();
    if (vxb_bake_planned(NULL, scene->plan, &options, &report, &err))
        fail("a bake", &err);
    const double seconds = vxbi_seconds() - began;
    remove(path);
    *content_id = report.content_id;
    *bytes = report.file_bytes;
    printf("  %-24s %8.1f million candidates/s, %6.2f s, %.0f million blades\n", device ? "device" : "cpu",
           (double)scene->plan->candidates / seconds / 1e6, seconds, (double)report.field.placed / 1e6);
    return seconds;
}

static void write_plainly(const char *path, uint64_t bytes)
{
    struct vxbi_output *output = NULL;
    struct vxb_error err = {0};
    const size_t piece = (size_t)4 << 20;
    char *data = calloc(1, piece);
    if (!data)
        fail("setting up", NULL);
    const double began = vxbi_seconds();
    if (vxbi_output_open(NULL, path, &output, &err))
        fail("a file", &err);
    for (uint64_t done = 0; done < bytes; done += piece)
        if (vxbi_output_append(output, data, bytes - done < piece ? (size_t)(bytes - done) : piece, &err))
            fail("a file", &err);
    if (vxbi_output_commit(output, &err))
        fail("a file", &err);
    const double seconds = vxbi_seconds() - began;
    remove(path);
    free(data);
    printf("  %-24s %8.2f GB/s, %6.2f s\n", "file of that size", (double)bytes / seconds / 1e9, seconds);
}

static bool end_to_end(const struct scene *scene, struct vxb_device *device, const char *path)
{
    uint64_t a, b, bytes;
    const double cpu = bake(scene, NULL, path, &a, &bytes), other = bake(scene, device, path, &b, &bytes);
    write_plainly(path, bytes);
    printf("  device over cpu          %8.2f; content id 0x%016" PRIX64 ", %s\n", cpu / other, a,
           a == b ? "the same" : "BUT THE DEVICE'S DIFFERS");
    return a == b;
}

int main(int argc, char **argv)
{
    const char *folder = getenv("TMPDIR");
    const double candidates = argc > 2 ? atof(argv[2]) : 8e6;
    const struct vxb_device_options options = {.size = sizeof options, .choice = argc > 1 ? argv[1] : "opencl"};
    static const float scales[] = {1.0f, 0.1f, 0.01f};
    struct vxb_device *device = NULL;
    struct vxb_error err = {0};
    char path[4096];
    bool same = true;
    snprintf(path, sizeof path, "%s/vxbake-bench-device.vxg", folder && folder[0] ? folder : "/tmp");
    if (vxb_device_open(NULL, &options, &device, &err) || !device) {
        printf("bench_device: skipped: %s\n", err.message);
        return 0;
    }
    const struct vxb_device_info *info = vxb_device_info(device);
    printf("%s, %s, driver %s; %" PRIu32 " threads here\n", info->name, info->version, info->driver,
           vxb_env_threads(NULL));
    transfer(device);
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        struct scene scene;
        make_scene(&scene, candidates, scales[i]);
        printf("%.1f million candidates, density scale %g: kernels\n", (double)scene.plan->candidates / 1e6,
               (double)scales[i]);
        /* As large as a bake makes them. */
        const double most = (double)VXBI_TILE_BLADES_MOST / (double)scales[i];
        const uint64_t tile = most < 67108864.0 ? (uint64_t)most : 67108864;
        kernels(device, &scene, info->kind == VXB_DEVICE_GPU ? tile : (uint64_t)1 << 20);
        printf("end to end, into %s\n", path);
        same = end_to_end(&scene, device, path) && same;
        clear_scene(&scene);
    }
    vxb_device_close(device);
    return same ? 0 : 1;
}
