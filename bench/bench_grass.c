/* How fast the scatter is, against peers measured in the same run: the plain loop of bench/plain_scatter.c, the rates
 * at which memory and disk are written. `make bench` builds and runs it; bench/RESULTS.md has its output.
 *
 * Each figure is the best of several short rounds in which subject and peer take turns, so that another program on the
 * machine disturbs both or neither. */
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bake_grass.h"
#include "core/os.h"
#include "core/path.h"
#include "grass/field.h"
#include "grass/scatter_block.h"
#include "plain_scatter.h"

#define SAMPLES 2049
#define CELL_STRIDE 16 /* in memory, one cell of so many is scattered: they lie all over the terrain */
#define ROUNDS 5
#define FILE_ROUNDS 3
#define BUILDS 3       /* of the block loops */
#define BUFFER_BYTES ((size_t)256 << 20)

/* ---- what is baked ---- */

struct scene {
    struct vxb_terrain terrain;
    struct vxb_layer layers[2];
};

static void fail(const char *what, const struct vxb_error *err)
{
    char text[2048];
    fprintf(stderr, "bench_grass: %s: %s\n", what, err ? vxb_error_format(err, text, sizeof text) : "no memory");
    exit(1);
}

static void *must_have(void *block)
{
    if (!block)
        fail("setting up", NULL);
    return block;
}

/* Hills of three sizes; one layer painted in broad patches, another where it is not. */
static void make_scene(struct scene *scene)
{
    const size_t count = (size_t)SAMPLES * SAMPLES;
    uint16_t *heights = must_have(malloc(count * sizeof *heights));
    uint8_t *grass = must_have(malloc(count)), *dirt = must_have(malloc(count));
    for (size_t i = 0; i < count; i++) {
        double x = (double)(i % SAMPLES), z = (double)(i / SAMPLES);
        double hill = 0.55 * sin(x * 0.011) * cos(z * 0.013) + 0.3 * sin(x * 0.043 + z * 0.031) +
                      0.1 * sin(z * 0.21 - x * 0.17);
        double patch = 0.5 + 0.5 * sin(x * 0.029 + 2.0 * sin(z * 0.017));
        heights[i] = (uint16_t)(32768.0 + 30000.0 * hill);
        grass[i] = (uint8_t)(255.0 * patch);
        dirt[i] = (uint8_t)(255 - grass[i]);
    }
    memset(scene, 0, sizeof *scene);
    scene->layers[0] = (struct vxb_layer){.name = "Grass", .map = {SAMPLES, SAMPLES, grass, 0, VXB_CHANNEL_GREY}};
    scene->layers[1] = (struct vxb_layer){.name = "Dirt", .map = {SAMPLES, SAMPLES, dirt, 0, VXB_CHANNEL_GREY}};
    scene->terrain = (struct vxb_terrain){.samples_x = SAMPLES, .samples_z = SAMPLES, .heights = heights,
                                          .metres_per_quad = 1.0f, .min_height = -40.0f, .max_height = 40.0f,
                                          .layers = scene->layers, .layer_count = 2};
}

static void clear_scene(struct scene *scene)
{
    free((void *)(uintptr_t)scene->terrain.heights);
    for (int i = 0; i < 2; i++)
        free((void *)(uintptr_t)scene->layers[i].map.samples);
}

/* The rule of a meadow: a base grass, one of its neighbours on the same layer, a dry one on the other. */
static void make_recipe(struct vxb_recipe *recipe, uint32_t species_count, float density)
{
    static const char *const names[3] = {"Meadow", "Clover", "Straw"}, *const layers[3] = {"Grass", "Grass", "Dirt"};
    *recipe = (struct vxb_recipe){.path = "bench", .seed = 7, .cell_size = 32.0f, .density = density,
                                  .density_scale = 1.0f, .species_count = species_count};
    for (uint32_t k = 0; k < species_count; k++)
        recipe->species[k] = (struct vxb_recipe_species){
            .name = names[k], .share = k == 0 ? 2.0f : 1.0f, .material = names[k], .mesh = "", .layer = layers[k],
            .min_weight = 0.15f, .max_weight = 0.6f, .jitter = k == 1 ? 1.0f : 0.8f, .min_scale = 0.7f,
            .max_scale = 1.3f, .random_yaw = true, .align_to_normal = 0.35f, .max_slope = k == 1 ? 0.6f : 0.8f,
            .lods = {{.distance = INFINITY, .keep = 1.0f, .fade = INFINITY}}, .lod_count = 1, .passes = {"main"},
            .pass_count = 1};
}

/* ---- rounds ---- */

/* Seconds of the best round: by the wall, and by the processor time of the whole process, which a busy machine
 * disturbs less. */
struct best {
    double wall, cpu;
};

struct watch {
    double wall;
    clock_t cpu;
};

static struct watch watch_start(void)
{
    return (struct watch){vxbi_seconds(), clock()};
}

static void watch_stop(const struct watch *watch, struct best *best)
{
    double wall = vxbi_seconds() - watch->wall, cpu = (double)(clock() - watch->cpu) / CLOCKS_PER_SEC;
    best->wall = best->wall > 0.0 && best->wall < wall ? best->wall : wall;
    best->cpu = best->cpu > 0.0 && best->cpu < cpu ? best->cpu : cpu;
}

/* ---- in memory ---- */

struct cells {
    const struct vxbi_scatter *scatter;
    bool counting;
    uint64_t count;
    atomic_uint_fast64_t next, placed;
};

/* Scatter, pack and sort: all that a cell costs but the file; or the judgement alone. */
static void scatter_cells(void *user, uint32_t worker)
{
    struct cells *cells = user;
    const uint32_t rank_most[VXB_SPECIES_MAX] = {65535, 65535, 65535, 65535};
    const struct vxb_allocator allocator = vxbi_allocator(NULL);
    struct vxbi_scatter_work *work = must_have(vxbi_scatter_work_new(&allocator));
    struct vxb_error err = {0};
    (void)worker;
    for (uint64_t i; (i = atomic_fetch_add(&cells->next, 1)) < cells->count;) {
        struct vxbi_cell_result cell;
        if (cells->counting)
            vxbi_scatter_count(cells->scatter, work, i * CELL_STRIDE, NULL, &cell);
        else if (vxbi_scatter_cell(cells->scatter, work, i * CELL_STRIDE, rank_most, NULL, &cell, &err))
            fail("scatter", &err);
        for (uint32_t k = 0; k < VXB_SPECIES_MAX; k++)
            atomic_fetch_add(&cells->placed, cell.species[k].count);
    }
    vxbi_scatter_work_free(work);
}

static uint64_t time_blocks(const struct vxbi_scatter *scatter, uint64_t count, uint32_t threads, bool counting,
                            struct best *best)
{
    struct cells cells = {.scatter = scatter, .counting = counting, .count = count};
    struct watch watch = watch_start();
    vxbi_parallel(threads, scatter_cells, &cells);
    watch_stop(&watch, best);
    return atomic_load(&cells.placed);
}

static uint64_t time_plain(const struct vxbi_scatter *scatter, uint64_t count, struct plain_blade *blades,
                           struct best *best)
{
    const struct vxb_plan *plan = scatter->plan;
    uint64_t placed = 0;
    struct watch watch = watch_start();
    for (uint64_t i = 0; i < count; i++) {
        uint64_t cell = i * CELL_STRIDE;
        placed += plain_scatter(scatter, plan->cell_x0 + (int32_t)(cell % plan->cells_x),
                                plan->cell_z0 + (int32_t)(cell / plan->cells_x), plan->terrain->min_height,
                                plan->terrain->max_height, NULL, blades);
    }
    watch_stop(&watch, best);
    return placed;
}

static void time_memory(uint8_t *buffer, int value, struct best *best)
{
    /* A compiler that sees the call leaves out what nobody reads. */
    void *(*volatile set)(void *, int, size_t) = memset;
    struct watch watch = watch_start();
    set(buffer, value, BUFFER_BYTES);
    watch_stop(&watch, best);
}

static void verdict(const char *what, double value, double target)
{
    printf("  %-44s %6.2f  (target %.2f: %s)\n", what, value, target, value >= target ? "pass" : "miss");
}

static void row(const char *what, double candidates, struct best best, struct best peer)
{
    printf("  %-28s %8.1f M/s %8.1f M/s of cpu %6.2f x %6.2f x of cpu\n", what, candidates / best.wall / 1e6,
           candidates / best.cpu / 1e6, peer.wall / best.wall, peer.cpu / best.cpu);
}

/* What each build of the loops should be worth: nowhere less than the plain loop. */
static const double targets[BUILDS] = {1.0, 3.0, 4.0};

static void bench_memory(const struct scene *scene, uint32_t species_count)
{
    struct vxb_recipe recipe;
    struct vxb_plan *plan = NULL;
    struct vxb_error err = {0};
    struct vxbi_scatter scatter;
    struct best plain = {0}, builds[BUILDS] = {{0}}, counted = {0}, two = {0}, memory = {0};
    uint32_t fastest = 0;
    make_recipe(&recipe, species_count, 24.0f);
    if (vxb_plan_new(NULL, &recipe, &scene->terrain, &plan, &err))
        fail("plan", &err);
    vxbi_scatter_init(&scatter, plan);
    const uint64_t count = (uint64_t)plan->cells_x * plan->cells_z / CELL_STRIDE;
    const double candidates = (double)count * plan->side * plan->side;
    struct plain_blade *blades = must_have(malloc((size_t)plan->side * plan->side * sizeof *blades));
    uint8_t *buffer = must_have(malloc(BUFFER_BYTES));
    uint64_t placed = 0;
    memset(buffer, 1, BUFFER_BYTES);
    for (int round = 0; round < ROUNDS; round++) {
        placed = time_plain(&scatter, count, blades, &plain);
        for (uint32_t i = 0; i < BUILDS && (scatter.loops = vxbi_block_loops(i)) != NULL; i++) {
            fastest = i;
            if (time_blocks(&scatter, count, 1, false, &builds[i]) != placed)
                fail("in memory: the plain loop placed another number of blades", &err);
        }
        scatter.loops = vxbi_block_loops(fastest);
        time_blocks(&scatter, count, 1, true, &counted);
        time_blocks(&scatter, count, 2, false, &two);
        time_memory(buffer, round, &memory);
    }
    printf("\nIn memory, %u species: %.1f M candidates, %.0f %% of them blades; ratios to the plain loop\n",
           (unsigned)species_count, candidates / 1e6, 100.0 * (double)placed / candidates);
    row("plain loop", candidates, plain, plain);
    for (uint32_t i = 0; i <= fastest; i++) {
        char what[64];
        snprintf(what, sizeof what, "one core, %s", vxbi_block_loops(i)->name);
        row(what, candidates, builds[i], plain);
    }
    row("one core, counting alone", candidates, counted, plain);
    row("two cores", candidates, two, plain);
    const struct best one = builds[fastest];
    double rate = (double)placed * VXB_GRASS_RECORD_BYTES / one.cpu, memory_rate = (double)BUFFER_BYTES / memory.cpu;
    printf("  records made on one core     %8.2f GB/s of cpu; writing memory %.2f GB/s\n", rate / 1e9,
           memory_rate / 1e9);
    for (uint32_t i = 0; i <= fastest; i++) {
        char what[64];
        snprintf(what, sizeof what, "%s over the plain loop, of cpu", vxbi_block_loops(i)->name);
        verdict(what, plain.cpu / builds[i].cpu, targets[i]);
    }
    verdict("two cores over one, by the wall", one.wall / two.wall, 1.8);
    verdict("two cores over one, were both ours", 2.0 * one.cpu / two.cpu, 1.8);
    free(buffer);
    free(blades);
    vxb_plan_free(plan);
}

/* ---- to a file ---- */

/* When each stage of a bake ended, as progress tells it; counted is 0 where nothing was counted, or found, first. */
struct stages {
    double counted, scattered, written;
};

static void note_stage(void *user, const char *what, uint64_t done, uint64_t total)
{
    struct stages *at = user;
    if (done == total)
        *(strcmp(what, "find") == 0 || strcmp(what, "count") == 0 || strcmp(what, "cut") == 0 ? &at->counted
          : strcmp(what, "scatter") == 0                          ? &at->scattered
                                                                  : &at->written) = vxbi_seconds();
}

/* The shares that the stages had of a bake that began at 0. */
static void print_stages(const struct stages *at, double seconds)
{
    const double all = seconds / 100.0, flush = (seconds - at->written) / all;
    if (at->counted > 0.0)
        printf("  of its time: find or count %.0f %%, scatter, hash and write %.0f %%, tables %.0f %%, flush %.0f %%\n",
               at->counted / all, (at->scattered - at->counted) / all, (at->written - at->scattered) / all, flush);
    else
        printf("  of its time: scatter and spill %.0f %%, read back, hash and write %.0f %%, flush %.0f %%\n",
               at->scattered / all, (at->written - at->scattered) / all, flush);
}

/* As many bytes as the bake wrote, as durably. */
static void time_writing(const char *path, const uint8_t *buffer, size_t room, uint64_t bytes, struct best *best)
{
    struct vxb_output *output = NULL;
    struct vxb_error err = {0};
    struct watch watch = watch_start();
    enum vxb_status status = vxb_output_open(NULL, path, &output, &err);
    for (uint64_t done = 0; done < bytes && !status;) {
        size_t n = bytes - done < room ? (size_t)(bytes - done) : room;
        status = vxb_output_append(output, buffer, n, &err);
        done += n;
    }
    if (!status)
        status = vxb_output_commit(output, &err);
    if (status)
        fail("writing", &err);
    watch_stop(&watch, best);
}

/* The ways that were not chosen, too: what a bake is that keeps its blades in a spill, one that counts them first, and
 * one that finds the cells which have any. */
static void bench_all_ways(const struct vxb_plan *plan, const char *path)
{
    static const struct {
        const char *name;
        enum vxbi_bake_way way;
        bool compress;
    } ways[] = {{"with a spill", VXBI_BAKE_SPILL, false},
                {"counting first", VXBI_BAKE_COUNT, false},
                {"finding first", VXBI_BAKE_FIND, false},
                {"zstd level 1, with a spill", VXBI_BAKE_SPILL, true},
                {"zstd level 1, finding first", VXBI_BAKE_FIND, true}};
    enum { WAYS = sizeof ways / sizeof ways[0] };
    const bool findable = vxbi_field_can_be_found(plan);
    struct best best[WAYS] = {{0}};
    struct vxb_error err = {0};
    for (int round = 0; round < FILE_ROUNDS; round++)
        for (int i = 0; i < WAYS; i++) {
            const struct vxbi_bake_tuning tuning = {.way = ways[i].way};
            const struct vxb_bake_options options = {
                .size = sizeof options, .output = path, .compress = ways[i].compress, .compress_level = 1};
            if (ways[i].way == VXBI_BAKE_FIND && !findable)
                continue;
            struct watch watch = watch_start();
            if (vxbi_bake_tuned(NULL, plan, &options, &tuning, NULL, &err))
                fail("bake", &err);
            watch_stop(&watch, &best[i]);
        }
    for (int i = 0; i < WAYS; i++)
        if (best[i].wall > 0.0)
            printf("  %-28s %8.1f M/s %8.1f M/s of cpu\n", ways[i].name, (double)plan->candidates / best[i].wall / 1e6,
                   (double)plan->candidates / best[i].cpu / 1e6);
}

static void bench_file(const struct scene *scene, uint32_t species_count, bool budget, const char *path)
{
    struct vxb_recipe recipe;
    struct vxb_plan *plan = NULL;
    struct vxb_error err = {0};
    struct vxb_bake_report report = {0};
    struct best bake = {0}, writing = {0};
    struct stages at, best = {0};
    const struct vxb_env env = {.size = sizeof env, .user = &at, .progress = note_stage};
    const struct vxb_bake_options options = {.size = sizeof options, .output = path};
    const size_t room = (size_t)1 << 20;
    uint8_t *buffer = must_have(calloc(room, 1));
    make_recipe(&recipe, species_count, 4.0f);
    if (budget) {
        recipe.budgets.has_max_blades = true;
        recipe.budgets.max_blades = 4000000;
    }
    if (vxb_plan_new(NULL, &recipe, &scene->terrain, &plan, &err))
        fail("plan", &err);
    for (int round = 0; round < FILE_ROUNDS; round++) {
        const double before = bake.wall;
        at = (struct stages){0};
        struct watch watch = watch_start();
        if (vxb_bake_planned(&env, plan, &options, &report, &err))
            fail("bake", &err);
        watch_stop(&watch, &bake);
        if (!(before > 0.0 && before <= bake.wall))
            best = (struct stages){at.counted > 0.0 ? at.counted - watch.wall : 0.0, at.scattered - watch.wall,
                                   at.written - watch.wall};
        time_writing(path, buffer, room, report.file_bytes, &writing);
    }
    const double candidates = (double)plan->candidates;
    printf("\nTo a file, %u species%s, %u threads: %.1f M candidates, %.1f M blades, %.0f MB\n",
           (unsigned)species_count, budget ? " in a budget" : "", (unsigned)vxbi_thread_count(&env), candidates / 1e6,
           (double)report.field.placed / 1e6, (double)report.file_bytes / 1e6);
    printf("  bake                         %8.1f M/s %8.1f M/s of cpu\n", candidates / bake.wall / 1e6,
           candidates / bake.cpu / 1e6);
    printf("  writing as many bytes        %8.1f M/s (%.0f MB/s); the bake is %.2f of that\n",
           candidates / writing.wall / 1e6, (double)report.file_bytes / writing.wall / 1e6, writing.wall / bake.wall);
    print_stages(&best, bake.wall);
    bench_all_ways(plan, path);
    remove(path);
    free(buffer);
    vxb_plan_free(plan);
}

int main(int argc, char **argv)
{
    struct scene scene;
    char path[VXBI_PATH_ROOM];
    if (argc > 2 || !vxbi_path_join(path, sizeof path, argc > 1 ? argv[1] : "", "bench_grass.vxg")) {
        fprintf(stderr, "usage: bench_grass [folder for the files it writes and removes]\n");
        return 1;
    }
    make_scene(&scene);
    printf("vxbake %s, %u processors. A second of cpu is one that the process ran: on a busy machine it tells more\n"
           "than the wall's.\n", vxb_version(), (unsigned)vxbi_cpu_count());
    bench_memory(&scene, 1);
    bench_memory(&scene, 3);
    bench_file(&scene, 1, false, path);
    bench_file(&scene, 3, true, path);
    clear_scene(&scene);
    return 0;
}
