/* What each command does, and each call on probes, run with every allocation failing in its turn, alone or with all
 * that follow it: an error that says so, every block freed with the size it had, outputs as they were, nothing else
 * left behind. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bad_files.h"
#include "heap.h"
#include "make_light.h"
#include "vxbake/bake.h"
#include "vxbake/diff.h"
#include "vxbake/export.h"
#include "vxbake/file.h"
#include "vxbake/fill.h"
#include "vxbake/output.h"
#include "vxbake/simulate.h"
#include "vxbake/texture.h"
#include "vxbake/transcode.h"
#include "vxbake/verify.h"

/* ---- what is there ---- */

static char folder[64];

static void put(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    cr_assert(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
}

static void put_field(const char *path, const struct test_field *field)
{
    struct test_file file = test_field_make(field);
    put(path, file.data, file.size);
    free(file.data);
}

static const char recipe[] =
    "{\"kind\": \"grass-field\", \"cell_size\": 16, \"density\": 0.5, \"budgets\": {\"max_blades\": 900},"
    " \"terrain\": {\"file\": \"ground.r16\", \"size\": [33, 33], \"range\": [0, 64], \"metres_per_quad\": 2},"
    " \"species\": [{\"name\": \"a\", \"lods\": [{\"distance\": 9}, {\"distance\": 20}]}, {\"name\": \"b\"}]}";
static const char walk[] =
    "{\"kind\": \"camera-path\", \"fps\": 3, \"views\": ["
    "{\"time\": 0, \"position\": [-9, 5, -9], \"look_at\": [0, 5, 0], \"fov_y\": 1, \"aspect\": 1},"
    "{\"time\": 1, \"position\": [9, 5, 9], \"look_at\": [20, 5, 20], \"fov_y\": 1, \"aspect\": 1}]}";
static const char frame_recipe[] =
    "{\"kind\": \"depth-pyramid\", \"depth\": {\"file\": \"frame.r32\", \"size\": [9, 7]}}";
/* Long and narrow, so that a picture of it is small. */
static const char light_recipe[] =
    "{\"kind\": \"irradiance-field\", \"bounds\": {\"min\": [0, 16, 0], \"max\": [64, 32, 4]}, \"cells\": [16, 4, 1],"
    " \"rays\": 4, \"encoding\": \"f16\", \"bands\": [{\"margin\": 1, \"size\": 1}],"
    " \"terrain\": {\"file\": \"ground.r16\", \"size\": [33, 33], \"range\": [0, 64], \"metres_per_quad\": 2},"
    " \"shapes\": [{\"kind\": \"sphere\", \"center\": [9, 24, 2], \"radius\": 1}], \"sky\": {\"hdr\": \"sky.hdr\"},"
    " \"sun\": {\"direction\": [1, 2, 0], \"irradiance\": [2, 2, 2]}}";
static const char sky[] = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n@\200\200\200\200@\200\201";

static struct vxb_recipe *load(const struct vxb_env *env, enum vxb_status *status)
{
    struct vxb_recipe *parsed = NULL;
    *status = vxb_recipe_load(env, "recipe.json", NULL, 0, &parsed, NULL);
    return parsed;
}

static enum vxb_status bake_light_with(const struct vxb_env *env, const struct vxb_bake_options *options)
{
    struct vxb_any_recipe any = {0};
    struct vxb_probe_plan *plan = NULL;
    enum vxb_status status = vxb_any_recipe_load(env, "light.json", NULL, 0, &any, NULL);
    if (!status)
        status = vxb_probe_plan_new(env, any.probes, &plan, NULL);
    if (!status)
        status = vxb_probe_bake(env, plan, options, NULL, NULL);
    vxb_probe_plan_free(plan);
    vxb_any_recipe_clear(&any);
    return status;
}

static void set_up(void)
{
    uint8_t heights[33 * 33 * 2], depth[9 * 7 * 4];
    enum vxb_status status;
    const struct vxb_bake_options options = {.size = sizeof options, .output = "baked.vxg",
                                             .report_json = "report.json"};
    const struct vxb_bake_options picture = {.size = sizeof picture, .output = "frame.ktx2"};
    const struct vxb_bake_options light = {.size = sizeof light, .output = "light.vxp",
                                           .report_json = "light-report.json"};
    const struct vxb_bake_options packed = {.size = sizeof packed, .output = "packed.vxp", .compress = true};
    struct vxb_any_recipe any;
    /* In memory where that is to be had: thousands of outputs are synced. */
    strcpy(folder, "/dev/shm/vxbake-memory-XXXXXX");
    if (!mkdtemp(folder)) {
        strcpy(folder, "/tmp/vxbake-memory-XXXXXX");
        cr_assert(ne(ptr, mkdtemp(folder), NULL));
    }
    cr_assert(eq(int, chdir(folder), 0));
    for (int i = 0; i < 33 * 33; i++)
        vxbi_store_u16(heights + 2 * i, (uint16_t)(20000 + 300 * abs(i % 33 - 16) + 200 * (i / 33 % 7)));
    for (int i = 0; i < 9 * 7; i++)
        vxbi_store_u32(depth + 4 * i, vxbi_f32_bits((float)(i % 8) / 8));
    put("ground.r16", heights, sizeof heights);
    put("frame.r32", depth, sizeof depth);
    put("recipe.json", recipe, sizeof recipe - 1);
    put("frame.json", frame_recipe, sizeof frame_recipe - 1);
    put("walk.json", walk, sizeof walk - 1);
    put("light.json", light_recipe, sizeof light_recipe - 1);
    put("sky.hdr", sky, sizeof sky - 1);
    put_field("one.vxg", &test_field_1);
    put_field("two.vxg", &test_field_2);
    put_field("split.vxg", &test_field_3_split);
    struct vxb_recipe *parsed = load(NULL, &status);
    cr_assert(eq(int, vxb_bake(NULL, parsed, &options, NULL, NULL), VXB_OK));
    vxb_recipe_free(parsed);
    cr_assert(eq(int, vxb_any_recipe_load(NULL, "frame.json", NULL, 0, &any, NULL), VXB_OK));
    cr_assert(eq(int, vxb_pyramid_bake(NULL, any.pyramid, &picture, NULL, NULL), VXB_OK));
    vxb_any_recipe_clear(&any);
    cr_assert(eq(int, bake_light_with(NULL, &light), VXB_OK));
    cr_assert(eq(int, bake_light_with(NULL, &packed), VXB_OK));
}

static void tear_down(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    cr_assert(eq(int, system(command), 0));
}

TestSuite(memory, .init = set_up, .fini = tear_down);

static int files_here(void)
{
    DIR *dir = opendir(".");
    int count = 0;
    while (readdir(dir))
        count++;
    closedir(dir);
    return count;
}

/* ---- the commands ---- */

static bool swallow(void *user, const char *data, size_t size)
{
    (void)user;
    (void)data;
    (void)size;
    return true;
}

static const struct vxb_sink nowhere = {NULL, swallow};

static enum vxb_status bake_with(const struct vxb_env *env, const struct vxb_bake_options *options)
{
    enum vxb_status status;
    struct vxb_recipe *parsed = load(env, &status);
    if (!status)
        status = vxb_bake(env, parsed, options, NULL, NULL);
    vxb_recipe_free(parsed);
    return status;
}

static enum vxb_status bake(const struct vxb_env *env)
{
    return bake_with(env, &(struct vxb_bake_options){.size = sizeof(struct vxb_bake_options), .output = "out",
                                                     .compress = true, .compress_level = 1, .split = true,
                                                     .report_json = "out2", .depfile = "out3"});
}

static enum vxb_status bake_preview(const struct vxb_env *env)
{
    return bake_with(env, &(struct vxb_bake_options){.size = sizeof(struct vxb_bake_options), .output = "out",
                                                     .preview = "out2"});
}

static enum vxb_status bake_region(const struct vxb_env *env)
{
    return bake_with(env, &(struct vxb_bake_options){.size = sizeof(struct vxb_bake_options), .output = "out",
                                                     .has_region = true, .region = {20, 20, 40, 30}});
}

static enum vxb_status bake_pyramid(const struct vxb_env *env)
{
    const struct vxb_bake_options options = {.size = sizeof options, .output = "out", .preview = "out2",
                                             .report_json = "out3", .depfile = "out4"};
    struct vxb_any_recipe any = {0};
    enum vxb_status status = vxb_any_recipe_load(env, "frame.json", NULL, 0, &any, NULL);
    if (!status)
        status = vxb_pyramid_bake(env, any.pyramid, &options, NULL, NULL);
    vxb_any_recipe_clear(&any);
    return status;
}

static enum vxb_status bake_light(const struct vxb_env *env)
{
    return bake_light_with(env, &(struct vxb_bake_options){.size = sizeof(struct vxb_bake_options), .output = "out",
                                                           .compress = true, .compress_level = 1,
                                                           .report_json = "out2", .depfile = "out3"});
}

static enum vxb_status bake_light_preview(const struct vxb_env *env)
{
    return bake_light_with(env, &(struct vxb_bake_options){.size = sizeof(struct vxb_bake_options), .output = "out",
                                                           .preview = "out2"});
}

static enum vxb_status verify_with(const struct vxb_env *env, const char *path,
                                   const struct vxb_verify_options *options)
{
    struct vxb_verify_report *report = NULL;
    const enum vxb_status status = vxb_verify(env, path, options, &report, NULL);
    cr_assert(eq(int, report != NULL, status == VXB_OK));
    if (report) {
        const struct vxb_verify_report *const reports[1] = {report};
        cr_assert(eq(u64, report->errors, 0));
        cr_assert(eq(int, vxb_verify_json(reports, 1, 0, false, &nowhere, NULL), VXB_OK));
        cr_assert(eq(int, vxb_verify_junit(reports, 1, 0, &nowhere, NULL), VXB_OK));
    }
    vxb_verify_report_free(report);
    return status;
}

static enum vxb_status verify_1(const struct vxb_env *env) { return verify_with(env, "one.vxg", NULL); }
static enum vxb_status verify_2(const struct vxb_env *env) { return verify_with(env, "two.vxg", NULL); }
static enum vxb_status verify_split(const struct vxb_env *env) { return verify_with(env, "split.vxg", NULL); }
static enum vxb_status verify_pyramid(const struct vxb_env *env) { return verify_with(env, "frame.ktx2", NULL); }

static enum vxb_status verify_packed(const struct vxb_env *env) { return verify_with(env, "packed.vxp", NULL); }

static enum vxb_status verify_light(const struct vxb_env *env)
{
    return verify_with(env, "light.vxp",
                       &(struct vxb_verify_options){.size = sizeof(struct vxb_verify_options), .recipe = "light.json",
                                                    .rebake = "light.json", .report_of = "light-report.json"});
}

static enum vxb_status verify_all(const struct vxb_env *env)
{
    return verify_with(env, "baked.vxg", &(struct vxb_verify_options){.size = sizeof(struct vxb_verify_options),
                                                                      .recipe = "recipe.json", .rebake = "recipe.json",
                                                                      .report_of = "report.json"});
}

static enum vxb_status inspect_of(const struct vxb_env *env, const char *path)
{
    const struct vxb_inspect_options chunks = {.size = sizeof chunks, .chunks = true};
    struct vxb_grass *grass = NULL;
    enum vxb_status status = vxb_grass_open(env, path, &grass, NULL);
    if (!status)
        status = vxb_inspect_json(grass, &chunks, false, &nowhere, NULL);
    if (!status)
        status = vxb_inspect_blades_csv(grass, NULL, &nowhere, NULL);
    if (!status)
        status = vxb_inspect_blades_json_lines(grass, NULL, &nowhere, NULL);
    vxb_grass_close(grass);
    return status;
}

static enum vxb_status inspect_1(const struct vxb_env *env) { return inspect_of(env, "one.vxg"); }
static enum vxb_status inspect_split(const struct vxb_env *env) { return inspect_of(env, "split.vxg"); }

static enum vxb_status inspect_texture(const struct vxb_env *env)
{
    struct vxb_file file = {0};
    struct vxb_pyramid *pyramid = NULL;
    enum vxb_status status = vxb_file_open(env, "frame.ktx2", &file, NULL);
    if (!status)
        status = vxb_texture_json(file.texture, false, &nowhere, NULL);
    if (!status)
        status = vxb_texture_pyramid(env, file.texture, &pyramid, NULL);
    if (!status)
        status = vxb_pyramid_preview(env, pyramid, 32, "out", NULL);
    vxb_pyramid_free(pyramid);
    if (file.texture)
        vxb_file_close(&file);
    return status;
}

static enum vxb_status inspect_light(const struct vxb_env *env)
{
    struct vxb_file file = {0};
    struct vxb_probe_statistics statistics;
    enum vxb_status status = vxb_file_open(env, "packed.vxp", &file, NULL);
    if (!status)
        status = vxb_probe_file_statistics(env, file.probes, &statistics, NULL);
    if (!status)
        status = vxb_probe_file_json(file.probes, true, &statistics, false, &nowhere, NULL);
    if (file.probes)
        vxb_file_close(&file);
    return status;
}

static enum vxb_status preview(const struct vxb_env *env)
{
    struct vxb_grass *grass = NULL;
    enum vxb_status status = vxb_grass_open(env, "split.vxg", &grass, NULL);
    if (!status)
        status = vxb_grass_preview(env, grass, VXB_PREVIEW_SPECIES, 64, "out", NULL);
    vxb_grass_close(grass);
    return status;
}

static enum vxb_status transcode_with(const struct vxb_env *env, const char *path, struct vxb_transcode_options options)
{
    options.size = sizeof options;
    options.output = "out";
    return vxb_transcode(env, path, &options, NULL, NULL);
}

static enum vxb_status transcode_1_2(const struct vxb_env *env)
{
    return transcode_with(env, "one.vxg", (struct vxb_transcode_options){.to = VXB_TRANSCODE_2});
}

static enum vxb_status transcode_2_1(const struct vxb_env *env)
{
    return transcode_with(env, "two.vxg", (struct vxb_transcode_options){.to = VXB_TRANSCODE_1, .lossy = true});
}

static enum vxb_status transcode_3_3(const struct vxb_env *env)
{
    return transcode_with(env, "split.vxg", (struct vxb_transcode_options){.compress = true, .compress_level = 1});
}

static enum vxb_status transcode_3_2(const struct vxb_env *env)
{
    return transcode_with(env, "split.vxg", (struct vxb_transcode_options){.to = VXB_TRANSCODE_2, .species = "fescue"});
}

static enum vxb_status transcode_runtime(const struct vxb_env *env)
{
    return transcode_with(env, "baked.vxg", (struct vxb_transcode_options){.to = VXB_TRANSCODE_RUNTIME,
                                                                           .side = "out2"});
}

static enum vxb_status transcode_ply(const struct vxb_env *env)
{
    return transcode_with(env, "split.vxg", (struct vxb_transcode_options){.to = VXB_TRANSCODE_PLY});
}

static enum vxb_status transcode_csv(const struct vxb_env *env)
{
    return transcode_with(env, "split.vxg", (struct vxb_transcode_options){.to = VXB_TRANSCODE_CSV});
}

static enum vxb_status transcode_light(const struct vxb_env *env)
{
    return transcode_with(env, "light.vxp", (struct vxb_transcode_options){.compress = true, .report_json = "out2"});
}

/* All five files, or none. */
static enum vxb_status transcode_light_ktx2(const struct vxb_env *env)
{
    static const char *const made[] = {"out.l00.ktx2", "out.l1m1.ktx2", "out.l10.ktx2", "out.l11.ktx2",
                                       "out.indirection.ktx2"};
    const enum vxb_status status =
        transcode_with(env, "packed.vxp", (struct vxb_transcode_options){.to = VXB_TRANSCODE_KTX2});
    for (size_t i = 0; !status && i < sizeof made / sizeof made[0]; i++)
        cr_assert(eq(int, unlink(made[i]), 0));
    return status;
}

static enum vxb_status transcode_light_ply(const struct vxb_env *env)
{
    return transcode_with(env, "packed.vxp", (struct vxb_transcode_options){.to = VXB_TRANSCODE_PLY});
}

static enum vxb_status transcode_light_slices(const struct vxb_env *env)
{
    return transcode_with(env, "packed.vxp", (struct vxb_transcode_options){.to = VXB_TRANSCODE_SLICES});
}

static enum vxb_status diff_of(const struct vxb_env *env, const char *a, const char *b)
{
    struct vxb_diff_report *report = NULL;
    enum vxb_status status = vxb_diff(env, a, b, NULL, &report, NULL);
    if (!status)
        status = vxb_diff_json(report, false, &nowhere, NULL);
    vxb_diff_report_free(report);
    return status;
}

static enum vxb_status diff(const struct vxb_env *env) { return diff_of(env, "one.vxg", "split.vxg"); }
static enum vxb_status diff_light(const struct vxb_env *env) { return diff_of(env, "light.vxp", "packed.vxp"); }

/* A picture into an output that is opened and committed here. */
static enum vxb_status draw(const struct vxb_env *env, const struct vxb_simulation *simulation,
                            enum vxb_status (*picture)(const struct vxb_env *env,
                                                       const struct vxb_simulation *simulation,
                                                       struct vxb_output *output, struct vxb_error *err))
{
    struct vxb_output *output = NULL;
    enum vxb_status status = vxb_output_open(env, "out", &output, NULL);
    if (status)
        return status;
    status = picture(env, simulation, output, NULL);
    if (!status)
        return vxb_output_commit(output, NULL);
    vxb_output_abort(output);
    return status;
}

static enum vxb_status simulate(const struct vxb_env *env)
{
    const struct vxb_simulate_options options = {.size = sizeof options, .range = 60, .capacity = 3,
                                                 .hysteresis = 8, .density = 1};
    struct vxb_grass *grass = NULL;
    struct vxb_path *path = NULL;
    struct vxb_simulation *simulation = NULL;
    enum vxb_status status = vxb_grass_open(env, "baked.vxg", &grass, NULL);
    if (!status)
        status = vxb_path_load(env, "walk.json", &path, NULL);
    if (!status)
        status = vxb_simulate(env, grass, path, &options, &simulation, NULL);
    if (!status)
        status = vxb_simulation_json(simulation, false, &nowhere, NULL);
    if (!status)
        status = vxb_simulation_csv(simulation, &nowhere, NULL);
    if (!status)
        status = draw(env, simulation, vxb_simulation_map);
    vxb_simulation_free(simulation);
    vxb_path_free(path);
    vxb_grass_close(grass);
    return status;
}

static enum vxb_status plot(const struct vxb_env *env)
{
    const struct vxb_simulate_options options = {.size = sizeof options, .range = 60, .capacity = 3, .density = 1};
    struct vxb_grass *grass = NULL;
    struct vxb_path *path = NULL;
    struct vxb_simulation *simulation = NULL;
    cr_assert(eq(int, vxb_grass_open(NULL, "baked.vxg", &grass, NULL), VXB_OK));
    cr_assert(eq(int, vxb_path_load(NULL, "walk.json", &path, NULL), VXB_OK));
    cr_assert(eq(int, vxb_simulate(NULL, grass, path, &options, &simulation, NULL), VXB_OK));
    const enum vxb_status status = draw(env, simulation, vxb_simulation_plot);
    vxb_simulation_free(simulation);
    vxb_path_free(path);
    vxb_grass_close(grass);
    return status;
}

/* ---- probes, call by call ---- */

static const struct vxb_probe_region box = {{0, 0, 0}, {8, 8, 8}};
static const uint32_t cells[3] = {8, 8, 8};

static enum vxb_status pools(const struct vxb_env *env)
{
    struct vxb_probe_pool *a = NULL, *b = NULL;
    uint32_t slot;
    enum vxb_status status = vxb_probe_pool_new(env, (const uint32_t[3]){2, 1, 1}, &a, NULL);
    if (!status)
        status = vxb_probe_pool_of_capacity(env, 5, &b, NULL);
    cr_assert(eq(int, b != NULL, !status));
    if (!status)
        cr_assert(vxb_probe_pool_try_allocate(b, &slot));
    vxb_probe_pool_free(a);
    vxb_probe_pool_free(b);
    return status;
}

/* All that a field does, but for what its steps promise to need no memory for: those would fail here. */
static enum vxb_status field(const struct vxb_env *env)
{
    static const struct vxb_probe probe = {.l00 = {1, 1, 1}, .validity = 1};
    const struct vxb_probe_band band = {.margin = 1, .size = 1};
    const struct vxb_probe_extent extent = {.box = {{0, 0, 0}, {1, 1, 1}}};
    struct vxb_probe_field *made = NULL;
    bool merged;
    enum vxb_status status = vxb_probe_field_new(env, &box, cells, (const uint32_t[3]){0, 0, 0}, &made, NULL);
    cr_assert(eq(int, made != NULL, !status));
    if (status)
        return status;
    cr_assert(eq(int, vxb_probe_field_allocate(made, &box, 4, NULL, NULL), VXB_OK));
    cr_assert(eq(int, vxb_probe_field_refine(made, &box, 2, NULL, NULL), VXB_OK));
    cr_assert(eq(int, vxb_probe_field_refine_bands(made, &band, 1, &extent, 1, NULL, NULL, NULL), VXB_OK));
    cr_assert(eq(int, vxb_probe_field_merge(made, (const uint32_t[3]){4, 4, 4}, &merged, NULL), VXB_OK));
    status = vxb_probe_field_place(made, NULL);
    cr_assert(eq(int, vxb_probe_field_pool(made) != NULL, !status));
    if (!status)
        cr_assert(eq(int, vxb_probe_field_set(made, 0, (const uint32_t[3]){0, 1, 2}, &probe, NULL), VXB_OK));
    if (!status)
        status = vxb_probe_field_dilate(env, made, 2, NULL, NULL);
    if (!status)
        status = vxb_probe_field_sync_borders(env, made, NULL);
    if (!status)
        status = vxb_probe_field_round(env, made, VXB_PROBE_F16, NULL);
    if (!status)
        status = vxb_probe_field_save(env, made, "out",
                                      &(struct vxb_probe_save_options){.size = sizeof(struct vxb_probe_save_options),
                                                                       .encoding = VXB_PROBE_F16, .compress = true},
                                      NULL);
    vxb_probe_field_free(made);
    return status;
}

static enum vxb_status field_of_bricks(const struct vxb_env *env)
{
    static const struct vxb_brick brick = {0, {0, 0, 0}, 4};
    struct vxb_probe_field *made = NULL;
    const enum vxb_status status =
        vxb_probe_field_of_bricks(env, &box, cells, (const uint32_t[3]){2, 1, 1}, &brick, 1, &made, NULL);
    cr_assert(eq(int, made != NULL, !status));
    vxb_probe_field_free(made);
    return status;
}

/* Shapes, painted ground and a sky that is read. */
static enum vxb_status fill(const struct vxb_env *env)
{
    struct light *light = malloc(sizeof *light);
    struct vxb_probe_field *made = light_fixtures[1].make(light);
    struct vxb_sky_map *map = NULL;
    enum vxb_status status = vxb_sky_map_load(env, "sky.hdr", 1.0f, &map, NULL);
    cr_assert(eq(int, map != NULL, !status));
    light->scene.sky = (struct vxb_sky){.kind = VXB_SKY_MAP, .map = map};
    light->options.rays = 1;
    if (!status)
        status = vxb_probe_fill(env, made, &light->scene, &light->options, NULL, NULL);
    vxb_sky_map_free(map);
    vxb_probe_field_free(made);
    free(light);
    return status;
}

static enum vxb_status file_field(const struct vxb_env *env)
{
    struct vxb_probe_file *file = NULL;
    struct vxb_probe_field *made = NULL;
    enum vxb_status status = vxb_probe_file_open(env, "packed.vxp", &file, NULL);
    if (!status)
        status = vxb_probe_file_field(env, file, &made, NULL);
    cr_assert(eq(int, made != NULL, !status));
    vxb_probe_field_free(made);
    vxb_probe_file_close(file);
    return status;
}

/* ---- every allocation ---- */

static const char *const outputs[] = {"out", "out2", "out3", "out4"};
enum { OUTPUTS = sizeof outputs / sizeof outputs[0] };
static const char kept[] = "what was there before\n";

/* The file's hash; of one that is not there, 0. */
static uint64_t hash_of(const char *path)
{
    static uint8_t bytes[1 << 20];
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (!file)
        return 0;
    cr_assert(lt(sz, size, sizeof bytes));
    fclose(file);
    return vxbi_hash(bytes, size);
}

/* One run; the number of allocations there were. */
static uint64_t run(enum vxb_status (*command)(const struct vxb_env *env), uint32_t threads, uint64_t fail_at,
                    bool once, enum vxb_status *status)
{
    struct heap heap = {.fail_at = fail_at, .once = once};
    struct vxb_env env = heap_env(&heap);
    env.threads = threads;
    for (int i = 0; i < OUTPUTS; i++)
        put(outputs[i], kept, sizeof kept - 1);
    const int before = files_here();
    *status = command(&env);
    cr_assert(eq(int, files_here(), before), "allocation %" PRIu64 ": a file was left", fail_at);
    cr_assert(eq(u64, heap.now, 0), "allocation %" PRIu64 " leaks", fail_at);
    return heap.calls;
}

static void fail_each_of(enum vxb_status (*command)(const struct vxb_env *env), uint32_t most_threads, int ways)
{
    const uint64_t as_before = vxbi_hash(kept, sizeof kept - 1);
    uint64_t told = 0, all = 0;
    enum vxb_status status;
    for (uint32_t threads = 1; threads <= most_threads; threads += 2)
        for (int once = 0; once < ways; once++) {
            const uint64_t count = run(command, threads, 0, false, &status);
            const uint64_t right = hash_of(outputs[0]);
            cr_assert(eq(int, status, VXB_OK));
            cr_assert(le(u64, 2, count));
            for (uint64_t n = 1; n <= count; n++) {
                run(command, threads, n, once, &status);
                cr_assert(status == VXB_ERR_MEMORY || status == VXB_OK, "allocation %" PRIu64 " of %" PRIu64 ": %d", n,
                          count, (int)status);
                for (int i = 0; status && i < OUTPUTS; i++)
                    cr_assert(eq(u64, hash_of(outputs[i]), as_before), "allocation %" PRIu64 ": %s", n, outputs[i]);
                /* There are slower ways that need no memory; and several threads need not come as far. */
                cr_assert(status || hash_of(outputs[0]) == right, "allocation %" PRIu64 " changes the output", n);
                told += status == VXB_ERR_MEMORY;
            }
            all += count;
        }
    cr_assert(told > all - all / 4, "%" PRIu64 " of %" PRIu64 " failures are told", told, all);
}

static void fail_each(enum vxb_status (*command)(const struct vxb_env *env))
{
    fail_each_of(command, 3, 2);
}

Test(memory, bake__survives_each_failure) { fail_each(bake); }
/* A picture takes its time. */
Test(memory, bake_with_preview__survives_each_failure) { fail_each_of(bake_preview, 1, 1); }
Test(memory, bake_region__survives_each_failure) { fail_each(bake_region); }
Test(memory, bake_pyramid__survives_each_failure) { fail_each(bake_pyramid); }
Test(memory, verify_1__survives_each_failure) { fail_each(verify_1); }
Test(memory, verify_2__survives_each_failure) { fail_each(verify_2); }
Test(memory, verify_split__survives_each_failure) { fail_each(verify_split); }
Test(memory, verify_pyramid__survives_each_failure) { fail_each(verify_pyramid); }
Test(memory, verify_with_everything__survives_each_failure) { fail_each(verify_all); }
Test(memory, inspect_1__survives_each_failure) { fail_each(inspect_1); }
Test(memory, inspect_split__survives_each_failure) { fail_each(inspect_split); }
Test(memory, inspect_texture__survives_each_failure) { fail_each(inspect_texture); }
Test(memory, preview__survives_each_failure) { fail_each(preview); }
Test(memory, transcode_1_to_2__survives_each_failure) { fail_each(transcode_1_2); }
Test(memory, transcode_2_to_1__survives_each_failure) { fail_each(transcode_2_1); }
Test(memory, transcode_3_to_3__survives_each_failure) { fail_each(transcode_3_3); }
Test(memory, transcode_3_to_2__survives_each_failure) { fail_each(transcode_3_2); }
Test(memory, transcode_to_runtime__survives_each_failure) { fail_each(transcode_runtime); }
Test(memory, transcode_to_ply__survives_each_failure) { fail_each(transcode_ply); }
Test(memory, transcode_to_csv__survives_each_failure) { fail_each(transcode_csv); }
Test(memory, diff__survives_each_failure) { fail_each(diff); }
Test(memory, simulate_with_map__survives_each_failure) { fail_each(simulate); }
Test(memory, simulation_plot__survives_each_failure) { fail_each(plot); }
Test(memory, bake_light__survives_each_failure) { fail_each(bake_light); }
Test(memory, bake_light_with_preview__survives_each_failure) { fail_each_of(bake_light_preview, 1, 1); }
Test(memory, verify_light_packed__survives_each_failure) { fail_each(verify_packed); }
Test(memory, verify_light_with_everything__survives_each_failure) { fail_each(verify_light); }
Test(memory, inspect_light__survives_each_failure) { fail_each(inspect_light); }
Test(memory, transcode_light__survives_each_failure) { fail_each(transcode_light); }
Test(memory, transcode_light_to_ktx2__survives_each_failure) { fail_each(transcode_light_ktx2); }
Test(memory, transcode_light_to_ply__survives_each_failure) { fail_each(transcode_light_ply); }
Test(memory, transcode_light_to_slices__survives_each_failure) { fail_each_of(transcode_light_slices, 1, 1); }
Test(memory, diff_light__survives_each_failure) { fail_each(diff_light); }
Test(memory, pools__survive_each_failure) { fail_each(pools); }
Test(memory, field__survives_each_failure) { fail_each(field); }
Test(memory, field_of_bricks__survives_each_failure) { fail_each(field_of_bricks); }
Test(memory, fill__survives_each_failure) { fail_each(fill); }
Test(memory, file_field__survives_each_failure) { fail_each(file_field); }
