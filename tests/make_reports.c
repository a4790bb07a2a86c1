/* Writes one document of each kind into the folder given, for tests/report-schemas. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bad_files.h"
#include "bad_probes.h"
#include "report_fixtures.h"
#include "vxbake/list.h"
#include "vxbake/simulate.h"
#include "vxbake/texture.h"
#include "vxbake/verify.h"

static bool to_file(void *user, const char *data, size_t size) { return fwrite(data, 1, size, user) == size; }

static bool read_file(void *user, uint64_t offset, void *buf, size_t size)
{
    const struct test_file *file = user;
    memcpy(buf, file->data + offset, size);
    return true;
}

static FILE *document(const char *folder, const char *kind, int number, struct vxb_sink *sink)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.%d.json", folder, kind, number);
    FILE *out = fopen(path, "w");
    *sink = (struct vxb_sink){out, to_file};
    return out;
}

static void inspect(const char *folder, const struct test_field *field, int number)
{
    struct test_file file = test_field_make(field);
    struct vxb_source source = {&file, file.size, read_file};
    struct vxb_inspect_options options = {.size = sizeof options, .chunks = number & 1, .blades = number & 2};
    struct vxb_grass *grass;
    struct vxb_error err = {0};
    struct vxb_sink sink;
    FILE *out = document(folder, "report-inspect", number, &sink);
    if (!out || vxb_grass_open_source(NULL, &source, "test", &grass, &err) ||
        vxb_inspect_json(grass, &options, false, &sink, &err) || fclose(out)) {
        fprintf(stderr, "report-inspect %d: %s\n", number, err.message);
        exit(1);
    }
    vxb_grass_close(grass);
    free(file.data);
}

static void write_field(const char *path, const struct test_field *field)
{
    struct test_file file = test_field_make(field);
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(file.data, 1, file.size, out) != file.size || fclose(out))
        exit(1);
    free(file.data);
}

/* What vxinspect writes of a field: all lists, the hashes, and the bytes of a structure. */
static void lists(const char *folder, const struct test_field *field, int number)
{
    static const char *const structures[] = {"header", "section", "string", "blade", "lod", "chunk"};
    char path[4096];
    struct vxb_error err = {0};
    struct vxb_sink sink;
    struct vxb_file file;
    struct vxb_raw_report report;
    uint64_t mismatches;
    const struct vxb_list_options options = {.size = sizeof options, .views = VXB_LIST_LEVELS - 1,
                                             .format = VXB_LIST_JSON, .what.size = sizeof options.what};
    const struct vxb_raw_options raw = {.size = sizeof raw, .format = VXB_LIST_JSON, .structure = structures[number]};
    snprintf(path, sizeof path, "%s/list.vxg", folder);
    write_field(path, field);
    FILE *out = document(folder, "report-list", number, &sink);
    bool good = out && vxb_file_open(NULL, path, &file, &err) == VXB_OK;
    good = good && vxb_list(NULL, &file, &options, &sink, &err) == VXB_OK && fclose(out) == 0;
    out = document(folder, "report-raw", number, &sink);
    good = good && out && vxb_list_raw(NULL, path, &raw, &sink, &report, &err) == VXB_OK && fclose(out) == 0;
    if (good && field->format != 1) {
        out = document(folder, "report-hashes", number, &sink);
        good = out && vxb_list_hashes(NULL, path, VXB_LIST_JSON, &sink, &mismatches, &err) == VXB_OK &&
               fclose(out) == 0;
    }
    if (!good) {
        fprintf(stderr, "report-list %d: %s\n", number, err.message);
        exit(1);
    }
    vxb_file_close(&file);
}

/* Of two fields that share a species, and differ in everything else. */
static void diff(const char *folder)
{
    char a[4096], b[4096];
    struct vxb_diff_report *report;
    struct vxb_error err = {0};
    struct vxb_sink sink;
    snprintf(a, sizeof a, "%s/a.vxg", folder);
    snprintf(b, sizeof b, "%s/b.vxg", folder);
    write_field(a, &test_field_2);
    write_field(b, &test_field_3_split);
    FILE *out = document(folder, "report-diff", 0, &sink);
    if (!out || vxb_diff(NULL, a, b, NULL, &report, &err) || vxb_diff_json(report, false, &sink, &err) || fclose(out)) {
        fprintf(stderr, "report-diff: %s\n", err.message);
        exit(1);
    }
    vxb_diff_report_free(report);
}

/* Two candidates, one of them a blade; with a budget that cuts or without one, on the terrain or outside. */
static bool explain(const char *folder, const struct vxb_plan *plan, int number)
{
    const float weights[2] = {0.25f, 1.0f};
    const struct vxb_explain_ground ground = {.outside = number, .y = 3.5f, .normal = {0.0f, 1.0f, 0.0f},
                                              .scale_factor = 1.0f};
    const struct vxb_explain_candidate candidates[2] = {
        {.cell_x = -1, .index = 17, .hash = 4294967295u, .x = -0.5, .distance = 0.5, .part = 999999, .species = 1,
         .ground = ground, .scale = 1.0f, .weight = 0.25f, .k = 0.5f, .draw = 0.75f, .rank = 65535,
         .failed = {[VXB_REASON_NO_SURFACE] = number, [VXB_REASON_DENSITY] = true},
         .reason = number ? VXB_REASON_NO_SURFACE : VXB_REASON_DENSITY},
        {.distance = 1.5, .ground = {.normal = {0.0f, 1.0f, 0.0f}, .scale_factor = 1.0f}, .scale = 1.0f,
         .weight = 1.0f, .k = 1.0f, .draw = 0.5f, .rank = 32768, .reason = VXB_REASON_COUNT,
         .record = {0xFF, 1, 2}, .blade = {.y = 3.5, .scale = 1.0, .up = {0.0, 1.0, 0.0}, .rank = 0.5}}};
    struct vxb_explanation e = {.x = 1.0, .radius = 2.0, .cell_z = -3, .in_field = !number, .ground = ground,
                                .layer_weights = number ? NULL : weights, .species_count = 2,
                                .counts = {.candidates = 9, .reasons = {8}, .placed = 1}, .candidates = candidates,
                                .candidate_count = 2};
    struct vxb_error err = {0};
    struct vxb_sink sink;
    for (uint32_t k = 0; k < 2; k++)
        e.species[k] = (struct vxb_explain_species){.wanted = true, .least_normal_y = 0.75f, .weight = 0.25f, .k = 0.5f,
                                                    .reason = number ? VXB_REASON_NO_SURFACE : VXB_REASON_COUNT,
                                                    .density = 7.5, .expected = 0.5, .counted = !number,
                                                    .survivors = 80000, .cut = k, .cut_rank = 12, .cut_cell_x = -4};
    FILE *out = document(folder, "report-explain", number, &sink);
    return out && vxb_explanation_json(plan, &e, false, &sink, &err) == VXB_OK && fclose(out) == 0;
}

static void devices(const char *folder)
{
    struct vxb_device_info infos[] = {
        {.platform = "Platform", .name = "A \"card\"", .version = "OpenCL 3.0", .driver = "1.2", .kind = VXB_DEVICE_GPU,
         .compute_units = 132, .memory_bytes = (uint64_t)140 << 30, .buffer_bytes = (uint64_t)35 << 30, .usable = true,
         .exact = true},
        {.name = "Other", .kind = VXB_DEVICE_OTHER, .why_not = "it has no compiler"}};
    const struct vxb_device_list list = {.count = 2, .devices = infos};
    struct vxb_error err = {0};
    struct vxb_sink sink;
    FILE *out = document(folder, "report-devices", 0, &sink);
    if (!out || vxb_devices_json(&list, false, &sink, &err) || fclose(out)) {
        fprintf(stderr, "report-devices: %s\n", err.message);
        exit(1);
    }
}

/* One of a frame with surfaces, and one of sky alone. */
static bool pyramid(const char *folder, int number)
{
    const struct vxb_pyramid_recipe recipe = {.depth = {.has_scale = number, .scale = 0.001, .has_near = number,
                                                        .near_plane = 0.1, .has_far = number, .far_plane = 100,
                                                        .convention = number ? VXB_DEPTH_LINEAR : VXB_DEPTH_REVERSED}};
    struct vxb_pyramid_report report = {.width = 7, .height = 5, .level_count = 3, .sky_texels = 35,
                                        .file_bytes = 400, .seconds = 0.5};
    struct vxb_error err = {0};
    struct vxb_sink sink;
    if (number) {
        report.sky_texels = 3;
        report.farthest = 0.1f;
        report.nearest = 1;
        report.reduce = VXB_REDUCE_FARTHEST;
    }
    FILE *out = document(folder, "report-pyramid", number, &sink);
    return out && vxb_pyramid_report_json(&recipe, &report, false, &sink, &err) == VXB_OK && fclose(out) == 0;
}

/* A depth pyramid as a file: what it says of itself, its lists, a structure's bytes, and what verify finds once the
 * finest texels are no depths. */
static bool texture(const char *folder)
{
    static const float depth[6] = {0, 0.25f, 0.5f, 0.75f, 1, 0}, spoilt[2] = {-1, 2};
    const struct vxb_list_options options = {
        .size = sizeof options, .views = VXB_LIST_HEADER | VXB_LIST_LEVELS | VXB_LIST_KEYS | VXB_LIST_SAMPLES,
        .format = VXB_LIST_JSON, .what.size = sizeof options.what};
    const struct vxb_raw_options raw = {.size = sizeof raw, .format = VXB_LIST_JSON, .structure = "level"};
    char path[4096];
    struct vxb_error err = {0};
    struct vxb_sink sink;
    struct vxb_pyramid *pyramid;
    struct vxb_texture *opened;
    struct vxb_file file;
    struct vxb_raw_report shown;
    struct vxb_verify_report *report;
    snprintf(path, sizeof path, "%s/list.ktx2", folder);
    if (vxb_pyramid_new(NULL, 3, 2, VXB_REDUCE_NEAREST, &pyramid, &err) ||
        vxb_pyramid_build(NULL, pyramid, depth, 6, &err) || vxb_pyramid_save(NULL, pyramid, path, &err))
        return false;
    vxb_pyramid_free(pyramid);
    FILE *out = document(folder, "report-texture", 0, &sink);
    bool good = out && vxb_texture_open(NULL, path, &opened, &err) == VXB_OK &&
                vxb_texture_json(opened, false, &sink, &err) == VXB_OK && fclose(out) == 0;
    if (good)
        vxb_texture_close(opened);
    out = document(folder, "report-list", 20, &sink);
    good = good && out && vxb_file_open(NULL, path, &file, &err) == VXB_OK &&
           vxb_list(NULL, &file, &options, &sink, &err) == VXB_OK && fclose(out) == 0;
    if (good)
        vxb_file_close(&file);
    out = document(folder, "report-raw", 20, &sink);
    good = good && out && vxb_list_raw(NULL, path, &raw, &sink, &shown, &err) == VXB_OK && fclose(out) == 0;
    FILE *spoil = fopen(path, "r+b");
    good = good && spoil && fseek(spoil, -(long)sizeof spoilt, SEEK_END) == 0 &&
           fwrite(spoilt, sizeof spoilt, 1, spoil) == 1 && fclose(spoil) == 0;
    out = document(folder, "report-verify", 0, &sink);
    good = good && out && vxb_verify(NULL, path, NULL, &report, &err) == VXB_OK && report->errors > 0;
    if (!good)
        return false;
    const struct vxb_verify_report *const reports[1] = {report};
    good = vxb_verify_json(reports, 1, 0, false, &sink, &err) == VXB_OK && fclose(out) == 0;
    vxb_verify_report_free(report);
    return good;
}

static bool read_probes(void *user, uint64_t offset, void *buf, size_t size)
{
    const struct test_probes *file = user;
    if (offset > file->size || size > file->size - offset)
        return false;
    memcpy(buf, file->data + offset, size);
    return true;
}

/* A walk of three frames; with limits or without. */
static void simulate(const char *folder, const struct test_field *field, int number)
{
    static const char walk[] =
        "{\"kind\":\"camera-path\",\"fps\":2,\"views\":[{\"time\":0,\"position\":[0,4,0],\"look_at\":[9,0,9],"
        "\"fov_y\":1,\"aspect\":1.5},{\"time\":1,\"position\":[30,4,0],\"look_at\":[9,0,9],\"fov_y\":1,\"aspect\":1}]}";
    struct test_file file = test_field_make(field);
    struct vxb_source source = {&file, file.size, read_file};
    const struct vxb_simulate_options options = {.size = sizeof options, .range = 40.0f, .capacity = 2,
                                                 .density = 1.0f};
    struct vxb_grass *grass;
    struct vxb_path *path;
    struct vxb_simulation *simulation;
    struct vxb_error err = {0};
    struct vxb_sink sink;
    FILE *out = document(folder, "report-simulate", number, &sink);
    if (!out || vxb_grass_open_source(NULL, &source, "test", &grass, &err) ||
        vxb_path_parse(NULL, walk, sizeof walk - 1, "walk", &path, &err) ||
        vxb_simulate(NULL, grass, path, &options, &simulation, &err) ||
        vxb_simulation_json(simulation, number == 2, &sink, &err) || fclose(out)) {
        fprintf(stderr, "report-simulate %d: %s\n", number, err.message);
        exit(1);
    }
    vxb_simulation_free(simulation);
    vxb_path_free(path);
    vxb_grass_close(grass);
    free(file.data);
}

/* The lists of an irradiance field, the bytes of its planes' table, its hashes. */
static bool list_probes(const char *folder, const struct test_probes *bytes, int number)
{
    struct vxb_list_options options = {
        .size = sizeof options, .views = VXB_LIST_HEADER | VXB_LIST_BRICKS | VXB_LIST_PLANES | VXB_LIST_PROBES,
        .format = VXB_LIST_JSON, .what.size = sizeof options.what};
    const struct vxb_raw_options raw = {.size = sizeof raw, .format = VXB_LIST_JSON, .structure = "plane"};
    char path[4096];
    struct vxb_error err = {0};
    struct vxb_sink sink;
    struct vxb_file file;
    struct vxb_raw_report report;
    uint64_t mismatches;
    snprintf(path, sizeof path, "%s/list.vxp", folder);
    FILE *out = fopen(path, "wb");
    bool good = out && fwrite(bytes->data, 1, bytes->size, out) == bytes->size && fclose(out) == 0;
    out = document(folder, "report-list", 10 + number, &sink);
    good = good && out && vxb_file_open(NULL, path, &file, &err) == VXB_OK;
    /* The first brick alone, of those that have one. */
    options.has_brick_range = good && vxb_probe_file_header(file.probes)->brick_count;
    good = good && vxb_list(NULL, &file, &options, &sink, &err) == VXB_OK && fclose(out) == 0;
    if (good)
        vxb_file_close(&file);
    out = document(folder, "report-raw", 10 + number, &sink);
    good = good && out && vxb_list_raw(NULL, path, &raw, &sink, &report, &err) == VXB_OK && fclose(out) == 0;
    out = document(folder, "report-hashes", 10 + number, &sink);
    good = good && out && vxb_list_hashes(NULL, path, VXB_LIST_JSON, &sink, &mismatches, &err) == VXB_OK &&
           fclose(out) == 0;
    if (!good)
        fprintf(stderr, "the lists of an irradiance field: %s\n", err.message);
    return good && mismatches == 0;
}

/* A small field in an open sky, baked to nowhere; then one of the tests' files. */
static void probes(const char *folder, int number)
{
    const struct test_probes_desc *descs[] = {&test_probes_zstd, &test_probes_empty};
    const struct vxb_recipe_region all = {{{0, 0, 0}, {4, 4, 4}}, 2};
    struct vxb_probe_recipe recipe = {.path = "light.json", .bounds = all.box, .cells = {4, 4, 4}, .allocate = &all,
                                      .allocate_count = 1, .sky = {.horizon = {1, 1, 1}, .intensity = 1}, .rays = 8,
                                      .max_distance = 10,
                                      .slots = {(uint32_t)number, (uint32_t)number, (uint32_t)number}};
    const struct vxb_bake_options options = {.size = sizeof options};
    struct vxb_probe_plan *plan;
    struct vxb_probe_report report;
    struct vxb_probe_statistics statistics;
    struct vxb_probe_file *file;
    struct vxb_error err = {0};
    struct vxb_sink sink;
    struct test_probes bytes = test_probes_make(descs[number]);
    const struct vxb_source source = {&bytes, bytes.size, read_probes};
    FILE *out = document(folder, "report-probe-plan", number, &sink);
    if (!out || vxb_probe_plan_new(NULL, &recipe, &plan, &err) ||
        vxb_probe_plan_json(plan, false, &sink, &err) || fclose(out))
        exit(1);
    out = document(folder, "report-probes", number, &sink);
    if (!out || vxb_probe_bake(NULL, plan, &options, &report, &err) ||
        vxb_probe_report_json(plan, &report, false, &sink, &err) || fclose(out))
        exit(1);
    out = document(folder, "report-probe-file", number, &sink);
    if (!out || vxb_probe_file_open_source(NULL, &source, "test", &file, &err) ||
        vxb_probe_file_statistics(NULL, file, &statistics, &err) ||
        vxb_probe_file_json(file, number == 0, number ? NULL : &statistics, false, &sink, &err) || fclose(out))
        exit(1);
    vxb_probe_file_close(file);
    vxb_probe_plan_free(plan);
    if (!list_probes(folder, &bytes, number))
        exit(1);
    free(bytes.data);
}

/* What format 1 cost, and an export that a GPU is given. */
static bool transcode(const char *folder, int number)
{
    const struct vxb_transcode_options options = {.output = number ? "r\xe9" "cords" : "old.vxg"};
    struct vxb_transcode_report report = {.from = 2, .to = 1, .target = VXB_TRANSCODE_1, .chunk_count = 3,
                                          .blade_count = 500, .input_bytes = 9000, .file_bytes = 17000,
                                          .lost = VXB_LOST_SPECIES | VXB_LOST_HASHES, .tilted = 12,
                                          .moved = {1e-6, 0.0, 2e-6}};
    struct vxb_error err = {0};
    struct vxb_sink sink;
    if (number)
        report = (struct vxb_transcode_report){.from = 3, .target = VXB_TRANSCODE_RUNTIME, .file_bytes = 12000,
                                               .side_bytes = 900, .one_species = true, .species_id = 7,
                                               .quantised = true, .place_step = 0.001, .height_step = 0.0005};
    FILE *out = document(folder, "report-transcode", number, &sink);
    const char *path = number ? "\xff.vxg" : "in.vxg";
    return out && vxb_transcode_report_json(path, &options, &report, false, &sink, &err) == VXB_OK && fclose(out) == 0;
}

int main(int argc, char **argv)
{
    const struct test_field *fields[] = {&test_field_2, &test_field_2_empty, &test_field_3, &test_field_3_split,
                                         &test_field_3_empty_section, &test_field_1};
    struct report_fixture fixture;
    struct vxb_error err = {0};
    struct vxb_sink sink;
    if (argc != 2)
        return 2;
    report_fixture_make(&fixture);
    for (int number = 0; number < 2; number++) {
        if (number) { /* no limits, one layer, the same numbers otherwise */
            fixture.plan.blade_budget = fixture.plan.species[0].blade_budget = VXB_NO_LIMIT;
            fixture.plan.species[1].blade_budget = VXB_NO_LIMIT;
            fixture.plan.budget_kind = VXB_BUDGET_NONE;
            memset(&fixture.recipe.budgets, 0, sizeof fixture.recipe.budgets);
        }
        FILE *out = document(argv[1], "report-plan", number, &sink);
        if (!out || vxb_plan_json(&fixture.plan, false, &sink, &err) || fclose(out))
            return 1;
        out = document(argv[1], "report-bake", number, &sink);
        if (!out || vxb_bake_report_json(&fixture.plan, &fixture.report, false, &sink, &err) || fclose(out))
            return 1;
        if (!pyramid(argv[1], number) || !explain(argv[1], &fixture.plan, number) || !transcode(argv[1], number))
            return 1;
    }
    for (int i = 0; i < (int)(sizeof fields / sizeof fields[0]); i++)
        inspect(argv[1], fields[i], i), lists(argv[1], fields[i], i);
    for (int i = 0; i < 2; i++)
        probes(argv[1], i);
    if (!texture(argv[1]))
        return 1;
    diff(argv[1]);
    devices(argv[1]);
    for (int i = 0; i < 3; i++)
        simulate(argv[1], fields[i], i);
    return 0;
}
