/* How fast a device bakes, kernels alone and end to end, against what bounds it, measured in the same run: the CPU's
 * threads, the rate at which blades come back, the rate at which a file takes them. `make bench` runs it where there is
 * a device; bench_device [DEVICE [CANDIDATES [kernels]]], e.g. "opencl:H200" 1000000000, on the one meant; with
 * "kernels", no more than those.
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

/* A meadow on hills over which a slope limit, the density scale and a budget, where that is below the candidates,
 * decide; so large that it has about so many candidates. */
static void make_scene(struct scene *scene, double candidates, float density_scale, double budget)
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
    scene->recipe.budgets.has_max_blades = budget < candidates;
    scene->recipe.budgets.max_blades = budget < candidates ? (uint32_t)budget : 0;
    if (vxb_plan_new(NULL, &scene->recipe, &scene->terrain, &scene->plan, &err))
        fail("the plan", &err);
}

static void clear_scene(struct scene *scene)
{
    vxb_plan_free(scene->plan);
    free((void *)(uintptr_t)scene->terrain.heights);
}

/* Seconds of one pass over the plan's cells, tiles of so many, that counts, or makes blades no further than until;
 * blades there were. */
static double one_pass(struct vxbi_tile_device *on, struct vxbi_tile *tile, uint32_t tile_cells,
                       bool counts, enum vxbi_tile_step until, uint64_t *blades)
{
    static const uint32_t all[VXB_SPECIES_MAX] = {65535, 65535, 65535, 65535};
    const struct vxb_plan *plan = on->scatter->plan;
    const uint64_t cells = (uint64_t)plan->cells_x * plan->cells_z;
    struct vxb_error err = {0};
    on->until = until;
    *blades = 0;
    const double began = vxbi_seconds();
    for (uint64_t first = 0; first < cells; first += tile_cells) {
        const uint64_t left = cells - first;
        const uint32_t count = (uint32_t)(left < tile_cells ? left : tile_cells);
        if (counts ? vxbi_tile_count(on, tile, first, count, all, 0, &err)
                   : vxbi_tile_begin(on, tile, first, count, all, false, &err))
            fail("a tile", &err);
        if (vxbi_tile_wait(on, tile, &err))
            fail("a tile", &err);
        *blades += tile->blades;
    }
    vxbi_device_finish(on->device);
    return vxbi_seconds() - began;
}

/* Each step has those before it in it, so that a step's own share is the difference. */
static void kernels(struct vxb_device *device, const struct scene *scene, uint64_t tile_candidates)
{
    enum { STEPS = 4 };
    static const struct {
        const char *name;
        bool counts;
        enum vxbi_tile_step until;
    } steps[STEPS] = {{"count", true, VXBI_TILE_READ},
                      {"count, make records", false, VXBI_TILE_MAKE},
                      {"and order and write", false, VXBI_TILE_WRITE},
                      {"and read back, waiting", false, VXBI_TILE_READ}};
    struct vxbi_scatter scatter;
    struct vxbi_tile_device on;
    struct vxbi_tile tile = {0};
    struct vxb_error err = {0};
    double seconds[STEPS];
    vxbi_scatter_init(&scatter, scene->plan);
    if (vxbi_tile_device_init(&on, device, &scatter, &err))
        fail("the device", &err);
    const uint64_t per_cell = (uint64_t)scene->plan->side * scene->plan->side;
    const uint64_t cells = tile_candidates / per_cell ? tile_candidates / per_cell : 1;
    const uint32_t tile_cells = cells < VXBI_TILE_CELLS_MOST ? (uint32_t)cells : VXBI_TILE_CELLS_MOST;
    printf("kernels, in tiles of %.1f million:\n", (double)tile_cells * (double)per_cell / 1e6);
    for (size_t i = 0; i < STEPS; i++) {
        uint64_t blades;
        seconds[i] = INFINITY;
        for (int round = 0; round < ROUNDS; round++)
            seconds[i] = fmin(seconds[i], one_pass(&on, &tile, tile_cells, steps[i].counts, steps[i].until, &blades));
        printf("  %-24s %8.1f million candidates/s, %7.1f million blades/s\n", steps[i].name,
               (double)scene->plan->candidates / seconds[i] / 1e6, (double)blades / seconds[i] / 1e6);
    }
    const double all = seconds[STEPS - 1] / 100.0;
    printf("  of the time: judging %.0f %%, making records %.0f %%, ordering and writing %.0f %%, reading back "
           "%.0f %%\n",
           seconds[0] / all, (seconds[1] - seconds[0]) / all, (seconds[2] - seconds[1]) / all,
           (seconds[3] - seconds[2]) / all);
    vxbi_tile_clear(&on, &tile);
    vxbi_tile_device_clear(&on);
}

/* Bytes a second. */
static double transfer(struct vxb_device *device)
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
    return (double)bytes / best;
}

/* When a bake's stages ended, as progress tells it: counting, scattering, writing. */
struct stages {
    double count, scatter, write;
};

static void note_stage(void *user, const char *what, uint64_t done, uint64_t total)
{
    struct stages *s = user;
    const bool counts = strcmp(what, "find") == 0 || strcmp(what, "count") == 0 || strcmp(what, "cut") == 0;
    if (done == total)
        *(counts ? &s->count : strcmp(what, "scatter") == 0 ? &s->scatter : &s->write) = vxbi_seconds();
}

/* The output is a file that is thrown away; its rate is that of writing as many bytes plainly. */
static double bake(const struct scene *scene, struct vxb_device *device, const char *path, bool compress,
                   struct vxb_bake_report *report)
{
    struct stages at = {0};
    const struct vxb_env env = {.size = sizeof env, .user = &at, .progress = note_stage};
    const struct vxb_bake_options options = {
        .size = sizeof options, .output = path, .device = device, .compress = compress, .compress_level = 1};
    struct vxb_error err = {0};
    const double began = vxbi_seconds();
    if (vxb_bake_planned(&env, scene->plan, &options, report, &err))
        fail("a bake", &err);
    const double seconds = vxbi_seconds() - began, all = seconds / 100.0;
    remove(path);
    printf("  %s%-*s %8.1f million candidates/s, %6.2f s, %.0f million blades, %.0f MB\n", device ? "device" : "cpu",
           device ? 18 : 21, compress ? ", zstd level 1" : "", (double)scene->plan->candidates / seconds / 1e6, seconds,
           (double)report->field.placed / 1e6, (double)report->file_bytes / 1e6);
    /* What is compressed goes to the spill even where something was counted. */
    const bool spills = compress || at.count == 0.0;
    at.count = at.count > 0.0 ? at.count : began;
    printf("    of its time: count %.0f %%, scatter and %s %.0f %%, %s %.0f %%, flush %.0f %%\n",
           (at.count - began) / all, spills ? "spill" : "write", (at.scatter - at.count) / all,
           compress ? "read back, hash, compress, write"
           : spills ? "read back, hash, write"
                    : "tables",
           (at.write - at.scatter) / all, (began + seconds - at.write) / all);
    return seconds;
}

static double write_plainly(const char *path, uint64_t bytes)
{
    struct vxb_output *output = NULL;
    struct vxb_error err = {0};
    const size_t piece = (size_t)4 << 20;
    char *data = calloc(1, piece);
    if (!data)
        fail("setting up", NULL);
    const double began = vxbi_seconds();
    if (vxb_output_open(NULL, path, &output, &err))
        fail("a file", &err);
    for (uint64_t done = 0; done < bytes; done += piece)
        if (vxb_output_append(output, data, bytes - done < piece ? (size_t)(bytes - done) : piece, &err))
            fail("a file", &err);
    if (vxb_output_commit(output, &err))
        fail("a file", &err);
    const double seconds = vxbi_seconds() - began;
    remove(path);
    free(data);
    printf("  %-24s %8.2f GB/s, %6.2f s\n", "file of that size", (double)bytes / seconds / 1e9, seconds);
    return seconds;
}

static bool end_to_end(const struct scene *scene, struct vxb_device *device, const char *path, double transfer_rate)
{
    struct vxb_bake_report a, b, packed;
    const double cpu = bake(scene, NULL, path, false, &a), other = bake(scene, device, path, false, &b);
    const double file = write_plainly(path, b.file_bytes), back = (double)b.file_bytes / transfer_rate;
    const bool same = a.content_id == b.content_id;
    printf("  device over cpu          %8.2f; content id 0x%016" PRIX64 ", %s\n", cpu / other, a.content_id,
           same ? "the same" : "BUT THE DEVICE'S DIFFERS");
    printf("  device over the slower of transfer and file %.2f (target 0.60: %s)\n", fmax(file, back) / other,
           fmax(file, back) / other >= 0.6 ? "pass" : "miss");
    bake(scene, device, path, true, &packed);
    return same && packed.content_id == a.content_id;
}

/* From how many candidates on a GPU pays, its driver's loading and the kernels' building counted in: what "auto" goes
 * by. */
static void break_even(const char *choice, const char *path, float scale)
{
    printf("density scale %g: a bake on the cpu, and one on the device that has to be opened first\n", (double)scale);
    for (double candidates = 4e6; candidates < 1.1e9; candidates *= 4) {
        struct scene scene;
        struct vxb_device *device = NULL;
        struct vxb_error err = {0};
        struct vxb_bake_report report;
        make_scene(&scene, candidates, scale, INFINITY);
        struct vxb_bake_options options = {.size = sizeof options, .output = path};
        double times[2];
        for (int on_device = 0; on_device < 2; on_device++) {
            const struct vxb_device_options open = {.size = sizeof open, .choice = choice};
            const double began = vxbi_seconds();
            if (on_device && vxb_device_open(NULL, &open, &device, &err))
                fail("the device", &err);
            options.device = device;
            if (vxb_bake_planned(NULL, scene.plan, &options, &report, &err))
                fail("a bake", &err);
            times[on_device] = vxbi_seconds() - began;
            remove(path);
        }
        printf("  %8.1f million candidates %8.3f s %8.3f s\n", (double)scene.plan->candidates / 1e6, times[0],
               times[1]);
        vxb_device_close(device);
        clear_scene(&scene);
    }
}

int main(int argc, char **argv)
{
    const char *folder = getenv("TMPDIR");
    const double candidates = argc > 2 ? atof(argv[2]) : 8e6;
    const struct vxb_device_options options = {.size = sizeof options, .choice = argc > 1 ? argv[1] : "opencl"};
    static const float scales[] = {1.0f, 0.1f, 0.01f};
    struct scene scene;
    struct vxb_device *device = NULL;
    struct vxb_error err = {0};
    char path[4096];
    const bool kernels_alone = argc > 3 && strcmp(argv[3], "kernels") == 0;
    bool same = true;
    snprintf(path, sizeof path, "%s/vxbake-bench-device.vxg", folder && folder[0] ? folder : "/tmp");
    if (vxb_device_open(NULL, &options, &device, &err) || !device) {
        printf("bench_device: skipped: %s\n", err.message);
        return 0;
    }
    const struct vxb_device_info *info = vxb_device_info(device);
    printf("%s, %s, driver %s; %" PRIu32 " threads here\n", info->name, info->version, info->driver,
           vxb_env_threads(NULL));
    const double rate = transfer(device);
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        make_scene(&scene, candidates, scales[i], INFINITY);
        printf("%.1f million candidates, density scale %g: ", (double)scene.plan->candidates / 1e6,
               (double)scales[i]);
        /* As large as a bake makes them. */
        const double most = (double)VXBI_TILE_BLADES_MOST / (double)scales[i];
        const uint64_t tile = most < (double)VXBI_TILE_CANDIDATES_MOST ? (uint64_t)most : VXBI_TILE_CANDIDATES_MOST;
        kernels(device, &scene, info->kind == VXB_DEVICE_GPU ? tile : (uint64_t)1 << 20);
        if (!kernels_alone) {
            printf("end to end, into %s\n", path);
            same = end_to_end(&scene, device, path, rate) && same;
        }
        clear_scene(&scene);
    }
    if (!kernels_alone) {
        make_scene(&scene, candidates, 1.0f, candidates / 10.0);
        printf("%.1f million candidates, a budget for a tenth: end to end, into %s\n",
               (double)scene.plan->candidates / 1e6, path);
        same = end_to_end(&scene, device, path, rate) && same;
        clear_scene(&scene);
    }
    const bool gpu = info->kind == VXB_DEVICE_GPU;
    vxb_device_close(device);
    for (size_t i = 0; gpu && !kernels_alone && i < sizeof scales / sizeof scales[0]; i++)
        break_even(options.choice, path, scales[i]);
    return same ? 0 : 1;
}
