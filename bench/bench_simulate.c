/* How many frames a second simulate walks over a field of a square kilometre: three species, several LODs and passes,
 * cells of 16 m. `make bench` builds and runs it; bench/RESULTS.md has its output.
 *
 * What is counted is the whole call, loading the file and the walks that find the smallest ring included. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/os.h"
#include "core/path.h"
#include "vxbake/bake.h"
#include "vxbake/simulate.h"

enum { SAMPLES = 1025, ROUNDS = 5 };

static void fail(const char *what, const struct vxb_error *err)
{
    char text[2048];
    fprintf(stderr, "bench_simulate: %s: %s\n", what, vxb_error_format(err, text, sizeof text));
    exit(1);
}

/* ---- the field ---- */

static void make_terrain(struct vxb_terrain *terrain)
{
    const size_t count = (size_t)SAMPLES * SAMPLES;
    uint16_t *heights = malloc(count * sizeof *heights);
    if (!heights)
        fail("setting up", &(struct vxb_error){.message = "no memory"});
    for (size_t i = 0; i < count; i++) {
        double x = (double)(i % SAMPLES), z = (double)(i / SAMPLES);
        double hill = 20000.0 * sin(x * 0.011) * cos(z * 0.013) + 8000.0 * sin(x * 0.043 + z * 0.031);
        heights[i] = (uint16_t)(32768.0 + hill);
    }
    *terrain = (struct vxb_terrain){.samples_x = SAMPLES, .samples_z = SAMPLES, .heights = heights,
                                    .metres_per_quad = 1.0f, .min_height = -20.0f, .max_height = 20.0f};
}

static void make_recipe(struct vxb_recipe *recipe)
{
    static const char *const names[3] = {"Meadow", "Clover", "Straw"};
    *recipe = (struct vxb_recipe){.path = "bench", .seed = 7, .cell_size = 16.0f, .density = 4.0f,
                                  .density_scale = 1.0f, .species_count = 3};
    for (uint32_t k = 0; k < 3; k++)
        recipe->species[k] = (struct vxb_recipe_species){
            .name = names[k], .share = k == 0 ? 2.0f : 1.0f, .material = names[k], .mesh = "blade", .mesh_radius = 0.5f,
            .max_weight = 1.0f, .jitter = 0.8f, .min_scale = 0.7f, .max_scale = 1.3f, .random_yaw = true,
            .max_slope = 0.8f,
            .lods = {{.distance = 40.0f, .keep = 1.0f, .fade = 30.0f}, {.distance = 90.0f, .keep = 0.4f, .fade = 80.0f},
                     {.distance = 200.0f, .keep = 0.1f, .fade = 150.0f}}, .lod_count = 3,
            .passes = {"main", "shadow"}, .pass_count = k == 0 ? 2 : 1};
}

static void bake(const char *path)
{
    struct vxb_terrain terrain;
    struct vxb_recipe recipe;
    struct vxb_plan *plan = NULL;
    struct vxb_error err = {0};
    struct vxb_bake_report report = {0};
    const struct vxb_bake_options options = {.size = sizeof options, .output = path};
    make_terrain(&terrain);
    make_recipe(&recipe);
    if (vxb_plan_new(NULL, &recipe, &terrain, &plan, &err) || vxb_bake_planned(NULL, plan, &options, &report, &err))
        fail("baking", &err);
    printf("A field of %.1f M blades in %u cells of 16 m, and a camera that crosses it at 60 frames a second.\n",
           (double)report.field.placed / 1e6, (unsigned)(plan->cells_x * plan->cells_z));
    vxb_plan_free(plan);
    free((void *)(uintptr_t)terrain.heights);
}

/* ---- the walk ---- */

static const char path_text[] =
    "{\"kind\": \"camera-path\", \"fps\": 60, \"views\": ["
    "{\"time\": 0, \"position\": [20, 4, 20], \"look_at\": [500, 0, 500], \"fov_y\": 1, \"aspect\": 1.7778},"
    "{\"time\": 25, \"position\": [1000, 6, 300], \"look_at\": [500, 0, 600], \"fov_y\": 1, \"aspect\": 1.7778},"
    "{\"time\": 45, \"position\": [500, 60, 900], \"look_at\": [500, 0, 500], \"fov_y\": 1, \"aspect\": 1.7778},"
    "{\"time\": 60, \"position\": [40, 4, 500], \"look_at\": [900, 0, 500], \"fov_y\": 1, \"aspect\": 1.7778}]}";

static void bench(const struct vxb_grass *grass, const struct vxb_path *path, float range, uint32_t capacity)
{
    struct vxb_simulate_options options = vxb_simulate_options_default();
    const double frames = vxb_path_frame_count(path), target = 2000.0;
    double wall = INFINITY, cpu = INFINITY;
    options.range = range;
    options.capacity = capacity;
    for (int round = 0; round < ROUNDS; round++) {
        struct vxb_error err = {0};
        struct vxb_simulation *s = NULL;
        const double start = vxbi_seconds();
        const clock_t ticks = clock();
        if (vxb_simulate(NULL, grass, path, &options, &s, &err))
            fail("simulating", &err);
        wall = fmin(wall, vxbi_seconds() - start);
        cpu = fmin(cpu, (double)(clock() - ticks) / CLOCKS_PER_SEC);
        if (round == 0)
            printf("  within %4.0f m, %4u slots: at most %4u cells, %4u chunks visible, %4u slots would do\n",
                   (double)range, (unsigned)capacity, (unsigned)s->most_in_range, (unsigned)s->most_visible.value,
                   (unsigned)s->smallest_capacity);
        vxb_simulation_free(s);
    }
    printf("    %.0f frames: %8.0f a second, %8.0f a second of cpu  (target %.0f of cpu: %s)\n", frames, frames / wall,
           frames / cpu, target, frames / cpu >= target ? "pass" : "miss");
}

int main(int argc, char **argv)
{
    char file[VXBI_PATH_ROOM];
    struct vxb_error err = {0};
    struct vxb_grass *grass = NULL;
    struct vxb_path *path = NULL;
    if (argc > 2 || !vxbi_path_join(file, sizeof file, argc > 1 ? argv[1] : "", "bench_simulate.vxg")) {
        fprintf(stderr, "usage: bench_simulate [folder for the file it writes and removes]\n");
        return 1;
    }
    bake(file);
    if (vxb_path_parse(NULL, path_text, strlen(path_text), NULL, &path, &err) ||
        vxb_grass_open(NULL, file, &grass, &err))
        fail("opening", &err);
    bench(grass, path, 100.0f, 200);
    bench(grass, path, 200.0f, 600);
    bench(grass, path, 400.0f, 1000);
    vxb_grass_close(grass);
    vxb_path_free(path);
    remove(file);
    return 0;
}
