/* Devices: the CPU's bytes from every one that qualifies, whatever its work groups and tiles, and plain words where one
 * fails. Each test is a process of its own and opens a device anew, so they are few. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bake_fixtures.h"
#include "compute/choice.h"
#include "compute/cl_device.h"
#include "core/bytes.h"
#include "core/hash.h"
#include "device_faults.h"
#include "grass/candidate.h"
#include "grass/device_source.h"
#include "open_device.h"
#include "said.h"
#include "vxk_scatter.h"

static const struct vxb_env env = {.size = sizeof env, .diag = on_diag, .threads = 2};

static void same_bytes(const struct baked *a, const struct baked *b, const char *what)
{
    cr_assert(eq(sz, a->size, b->size), "%s", what);
    cr_assert(memcmp(a->bytes, b->bytes, a->size) == 0, "%s", what);
}

/* Bakes on both, a region or everything, and compares, reports included. On the device twice: counting first, and not.
 */
static void compare_part(const struct meadow *made, struct vxb_device *device, const double *region, const char *what)
{
    const struct made_how on_cpu = {.threads = 1, .region = region};
    const struct made_how on_device = {.threads = 2, .region = region, .device = device};
    struct baked cpu = made_bake(made, &on_cpu);
    for (int count_first = -1; count_first <= 1; count_first += 2) {
        device->tuning.count_first = count_first;
        struct baked other = made_bake(made, &on_device);
        same_bytes(&cpu, &other, what);
        cr_assert(memcmp(&cpu.report.species, &other.report.species, sizeof cpu.report.species) == 0, "%s", what);
        baked_clear(&other);
    }
    baked_clear(&cpu);
}

static void compare(const struct meadow *made, struct vxb_device *device, const char *what)
{
    compare_part(made, device, NULL, what);
}

/* ---- the same bytes ---- */

Test(device, fixtures__have_the_bytes_written_down)
{
    struct vxb_device *device = open_opencl_device(&env);
    for (size_t i = 0; i < BAKE_FIXTURES; i++) {
        struct meadow made;
        const struct made_how how = {.threads = 2, .device = device, .cross_check = 100.0};
        bake_fixtures[i].make(&made);
        struct baked baked = made_bake(&made, &how);
        cr_expect(baked.report.content_id == bake_fixtures[i].content_id &&
                      vxbi_hash(baked.bytes, baked.size) == bake_fixtures[i].file_hash,
                  "%s", bake_fixtures[i].name);
        baked_clear(&baked);
        made_clear(&made);
    }
    cr_assert(device->tested[VXBI_PROGRAM_scatter]);
    vxb_device_close(device);
}

Test(device, work_groups_and_tiles_of_any_size__change_no_byte)
{
    static const struct vxbi_device_tuning tunings[] = {
        {.local_size = 1},
        {.local_size = 12, .tile_candidates = 1000, .few_blades = 1},
        {.local_size = 256, .tile_candidates = 1, .few_blades = -1},
        {.local_size = 7, .tile_candidates = 5000},
        {.local_size = 100, .few_blades = 1},
        {.local_size = 1 << 20, .few_blades = -1}}; /* as many as the kernel allows */
    struct vxb_device *device = open_opencl_device(&env);
    for (size_t t = 0; t < sizeof tunings / sizeof tunings[0]; t++) {
        *vxbi_device_tuning(device) = tunings[t];
        for (size_t i = 0; i < BAKE_FIXTURES; i++) {
            struct meadow made;
            bake_fixtures[i].make(&made);
            compare(&made, device, bake_fixtures[i].name);
            made_clear(&made);
        }
    }
    vxb_device_close(device);
}

/* A bucket that has room for less than falls in it says so, and the tile is made again with as much. */
Test(device, buckets_that_overflow__lose_no_blade)
{
    struct vxb_device *device = open_opencl_device(&env);
    for (uint32_t slots = 1; slots <= 16; slots *= 4)
        for (size_t i = 0; i < BAKE_FIXTURES; i++) {
            struct meadow made;
            device->tuning.bucket_slots = slots;
            device->tuning.few_blades = slots == 4 ? 1 : -1;
            bake_fixtures[i].make(&made);
            compare(&made, device, bake_fixtures[i].name);
            made_clear(&made);
        }
    vxb_device_close(device);
}

Test(device, chunk_of_seventy_thousand__is_the_cpus)
{
    struct vxb_device *device = open_opencl_device(&env);
    struct meadow made;
    made_ground(&made, 33, 33, 1.0f);
    made_hills(&made, 3);
    made_species(&made, "fescue");
    made.recipe.cell_size = 32.0f;
    made.recipe.density = 265.0f * 265.0f / 1024.0f;
    struct vxb_plan *plan = made_plan(&made);
    cr_assert(plan->candidates >= 70000 && plan->cells_x == 1 && plan->cells_z == 1);
    vxb_plan_free(plan);
    compare(&made, device, "one cell");
    made.recipe.budgets.has_max_blades = true;
    made.recipe.budgets.max_blades = 33333;
    compare(&made, device, "one cell with a budget");
    for (int k = 0; k < 3; k++)
        made_species(&made, (const char *[]){"clover", "sedge", "straw"}[k]);
    made.recipe.density_scale = 0.01f;
    compare(&made, device, "few of many");
    made_clear(&made);
    vxb_device_close(device);
}

Test(device, anything__is_the_cpus)
{
    struct vxb_device *device = open_opencl_device(&env);
    for (uint32_t seed = 300; seed < 330; seed++) {
        struct meadow made;
        char what[16];
        made_anything(&made, seed);
        if (seed % 3 == 0) {
            made.recipe.budgets.has_max_blades = true;
            made.recipe.budgets.max_blades = seed * 7 % 1000;
        }
        device->tuning.tile_candidates = seed % 2 ? 0 : 3000;
        snprintf(what, sizeof what, "seed %u", seed);
        struct vxb_plan *plan = made_plan(&made);
        if (plan->candidates < 1000000)
            compare(&made, device, what);
        vxb_plan_free(plan);
        made_clear(&made);
    }
    vxb_device_close(device);
}

/* Tiles that end with a row of the region, tiles of a part of a row, and whole fields of which a budget is told. */
Test(device, part_of_a_field__is_the_cpus)
{
    struct vxb_device *device = open_opencl_device(&env);
    struct meadow made;
    made_ground(&made, 65, 65, 2.0f);
    made_hills(&made, 3);
    made_species(&made, "fescue")->max_slope = 0.5f;
    made_species(&made, "clover");
    made.recipe.density = 2.0f;
    const double size = (double)made.recipe.cell_size;
    const double parts[3][4] = {{1.5 * size, 0.5 * size, 5.5 * size, 3.5 * size},
                                {-1e6, 2.0 * size, 1e6, 3.0 * size},
                                {2.0 * size, -1e6, 2.0 * size + 0.1, 1e6}};
    for (int budget = 0; budget < 2; budget++) {
        made.recipe.budgets.has_max_blades = budget;
        made.recipe.budgets.max_blades = 5000;
        for (int i = 0; i < 3; i++) {
            device->tuning.tile_candidates = i ? 0 : 1500;
            compare_part(&made, device, parts[i], budget ? "a part, with a budget" : "a part");
        }
    }
    made_clear(&made);
    vxb_device_close(device);
}

/* The kernels' text compiled by the C compiler, against the loops: what can be held where there is no device. */
Test(device, host_twin_of_the_kernels__is_the_cpus)
{
    static const uint32_t all[VXB_SPECIES_MAX] = {65535, 65535, 65535, 65535};
    for (size_t f = 0; f < BAKE_FIXTURES; f++) {
        struct meadow made;
        bake_fixtures[f].make(&made);
        struct vxb_plan *plan = made_plan(&made);
        struct vxbi_judge judge;
        vxbi_judge_init(&judge, plan);
        struct vxbi_scatter_work *work = vxbi_scatter_work_new(&plan->allocator);
        uint64_t blades = 0;
        for (uint64_t i = 0; i < 4; i++) {
            struct vxbi_cell_result cell, place;
            uint32_t reasons[VXB_SPECIES_MAX][8] = {{0}};
            const struct vxk_cell numbers = vxbi_scatter_open_cell(&judge.scatter, i, &place);
            cr_assert(eq(int, vxbi_scatter_cell(&judge.scatter, work, i, all, NULL, &cell, NULL), VXB_OK));
            for (uint32_t c = 0; c < plan->side * plan->side; c++) {
                const struct vxk_candidate one = vxbi_judge_candidate(&judge, &numbers, c);
                const struct vxbi_cell_species *of = &cell.species[one.species];
                reasons[one.species][one.reason]++;
                if (one.reason != VXK_PLACED)
                    continue;
                const struct vxk_record r = vxk_record_of(&judge.numbers, numbers, one);
                uint8_t record[VXB_GRASS_RECORD_BYTES];
                for (size_t w = 0; w < sizeof r.word / sizeof r.word[0]; w++)
                    vxbi_store_u32(record + 4 * w, r.word[w]);
                uint32_t at = 0;
                while (at < of->count && of->hashes[at] != one.hash)
                    at++;
                cr_assert(at < of->count, "%s: a blade that the loops have not", bake_fixtures[f].name);
                cr_assert(memcmp(of->records + (size_t)at * VXB_GRASS_RECORD_BYTES, record, sizeof record) == 0);
                blades++;
            }
            for (uint32_t k = 0; k < plan->species_count; k++)
                for (uint32_t reason = 0; reason < VXB_REASON_COUNT; reason++)
                    cr_assert(eq(u64, cell.species[k].reasons[reason],
                                 reason < VXK_DENSITY ? reasons[k][reason + 1] : 0));
        }
        cr_assert(blades > 0 || strcmp(bake_fixtures[f].name, "empty") == 0);
        vxbi_scatter_work_free(work);
        vxb_plan_free(plan);
        made_clear(&made);
    }
}

/* ---- failures ---- */

static uint64_t turned;

/* The first tallies that are read, of which a cell has a blade, have it as one that fell to density. */
static void miscount(void *data, size_t size, bool begun)
{
    for (uint32_t *tally = data; !begun && turned == 0 && tally < (uint32_t *)data + size / 4; tally += VXK_REASONS)
        if (tally[VXK_PLACED]) {
            tally[VXK_PLACED]--;
            tally[VXK_DENSITY]++;
            turned++;
        }
}

/* Bakes into a file that is there already; what it says then. */
static enum vxb_status fail_bake(const struct meadow *made, struct vxb_device *device, double cross_check,
                                 struct vxb_error *err)
{
    char path[] = "/tmp/vxbake-device-XXXXXX", old[8] = "";
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && write(fd, "old", 3) == 3 && close(fd) == 0);
    struct vxb_plan *plan = made_plan(made);
    const struct vxb_bake_options options = {.size = sizeof options, .output = path, .device = device,
                                             .cross_check = cross_check};
    enum vxb_status status = vxb_bake_planned(&env, plan, &options, NULL, err);
    vxb_plan_free(plan);
    FILE *file = fopen(path, "r");
    cr_assert(file != NULL && fread(old, 1, 7, file) > 0 && fclose(file) == 0);
    if (status)
        cr_assert(eq(str, old, "old"));
    unlink(path);
    return status;
}

Test(device, too_little_memory__splits_and_goes_on)
{
    struct vxb_device *device = open_opencl_device(&env);
    struct meadow made;
    bake_fixture_budgeted(&made);
    device_faults_into(device);
    device_faults.largest = 400000; /* a few cells; the maps are smaller */
    struct vxb_error err = {0};
    /* All that drivers say where there is no memory. */
    const cl_int refusals[] = {CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, CL_INVALID_BUFFER_SIZE,
                               CL_MEM_OBJECT_ALLOCATION_FAILURE};
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        device_faults.code = refusals[i];
        compare(&made, device, "little memory");
        said[0] = 0;
        cr_assert(eq(int, fail_bake(&made, device, 0.0, &err), VXB_OK), "%s", err.message);
        cr_assert(strstr(said, "going on with") != NULL, "%s", said);
    }
    device_faults.largest = 40000; /* no cell */
    cr_assert(eq(int, fail_bake(&made, device, 0.0, &err), VXB_ERR_MEMORY), "%s", err.message);
    cr_assert(strstr(err.message, "CL_MEM_OBJECT_ALLOCATION_FAILURE") != NULL, "%s", err.message);
    made_clear(&made);
    vxb_device_close(device);
}

Test(device, lost_on_the_way__is_told_and_leaves_the_old_file)
{
    struct vxb_device *device = open_opencl_device(&env);
    struct meadow made;
    bake_fixture_four(&made);
    device_faults_into(device);
    device->tuning.tile_candidates = 1000;
    for (uint64_t fails_after = 0; fails_after < 40; fails_after += 3) {
        struct vxb_error err = {0};
        device_faults_set(CALL_LAUNCH, fails_after, UINT64_MAX, CL_DEVICE_NOT_AVAILABLE);
        device->tested[VXBI_PROGRAM_scatter] = fails_after > 0;
        device->tuning.count_first = fails_after % 2 ? 1 : -1;
        cr_assert(eq(int, fail_bake(&made, device, 0.0, &err), VXB_ERR_DEVICE));
        cr_assert(strstr(err.message, "CL_DEVICE_NOT_AVAILABLE") != NULL, "%s", err.message);
    }
    made_clear(&made);
    vxb_device_close(device);
}

Test(device, one_that_lies__is_found_out)
{
    struct vxb_device *device = open_opencl_device(&env);
    struct meadow made;
    struct vxb_error err = {0};
    bake_fixture_four(&made);
    device_faults_into(device);
    device_faults_lie(0);
    cr_assert(eq(int, fail_bake(&made, device, 0.0, &err), VXB_ERR_DEVICE));
    cr_assert(strstr(err.message, "test before the first use") != NULL, "%s", err.message);
    cr_assert(not(device->tested[VXBI_PROGRAM_scatter]));
    /* One that starts to lie after its test. */
    vxb_error_clear(&err);
    device_faults_lie(3);
    device->tested[VXBI_PROGRAM_scatter] = true;
    device->tuning.tile_candidates = 1000;
    cr_assert(eq(int, fail_bake(&made, device, 100.0, &err), VXB_ERR_DEVICE));
    cr_assert(strstr(err.message, "does not compute what the CPU does") != NULL, "%s", err.message);
    made_clear(&made);
    vxb_device_close(device);
}

Test(device, other_counts_the_second_time__are_told)
{
    struct vxb_device *device = open_opencl_device(&env);
    struct meadow made;
    struct vxb_error err = {0};
    bake_fixture_four(&made);
    device_faults_into(device);
    device_faults.turn = miscount;
    device->tested[VXBI_PROGRAM_scatter] = true;
    device->tuning.count_first = 1;
    cr_assert(eq(int, fail_bake(&made, device, 0.0, &err), VXB_ERR_DEVICE));
    cr_assert(strstr(err.message, "when they were counted") != NULL, "%s", err.message);
    made_clear(&made);
    vxb_device_close(device);
}

Test(device, not_exact__is_recorded)
{
    struct vxb_device *device = open_opencl_device(&env);
    struct meadow made;
    char path[] = "/tmp/vxbake-device-XXXXXX";
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && close(fd) == 0);
    bake_fixture_one(&made);
    device->info.exact = false;
    struct vxb_plan *plan = made_plan(&made);
    struct vxb_bake_report report;
    struct vxb_error err = {0};
    const struct vxb_bake_options options = {.size = sizeof options, .output = path, .device = device};
    cr_assert(eq(int, vxb_bake_planned(&env, plan, &options, &report, &err), VXB_OK), "%s", err.message);
    cr_assert(not(device->tested[VXBI_PROGRAM_scatter]), "what is known to be inexact is not held to the CPU");
    cr_assert(ne(u64, report.bake_id, plan->bake_id));
    struct vxb_grass *grass;
    cr_assert(eq(int, vxb_grass_open(NULL, path, &grass, &err), VXB_OK));
    cr_assert(eq(u32, vxb_grass_header(grass)->flags, VXB_GRASS_INEXACT));
    cr_assert(eq(u64, vxb_grass_header(grass)->bake_id, report.bake_id));
    vxb_grass_close(grass);
    vxb_plan_free(plan);
    unlink(path);
    made_clear(&made);
    vxb_device_close(device);
}

/* ---- pictures ---- */

Test(device, picture_of_reasons__is_the_cpus)
{
    static char cpu[MADE_PICTURE_ROOM], other[MADE_PICTURE_ROOM];
    size_t cpu_size, other_size;
    struct vxb_device *device = open_opencl_device(&env);
    struct meadow made;
    bake_fixture_four(&made);
    struct vxb_plan *plan = made_plan(&made);
    const double size = (double)made.recipe.cell_size;
    const double corner[4] = {-1e6, -1e6, plan->cell_x0 * size + 0.1, plan->cell_z0 * size + 0.1};
    vxb_plan_free(plan);
    for (int turn = 0; turn < 4; turn++) { /* the whole and a corner, and both with a budget */
        made.recipe.budgets.has_max_blades = turn >= 2;
        made.recipe.budgets.max_blades = 100;
        cpu_size = made_picture(&made, NULL, VXB_PREVIEW_REASON, turn % 2 ? corner : NULL, cpu);
        other_size = made_picture(&made, device, VXB_PREVIEW_REASON, turn % 2 ? corner : NULL, other);
        cr_assert(eq(sz, cpu_size, other_size), "turn %d", turn);
        cr_assert(memcmp(cpu, other, cpu_size) == 0, "turn %d", turn);
    }
    made_clear(&made);
    vxb_device_close(device);
}

/* ---- choosing ---- */

static cl_int refusal;

static cl_int CL_API_CALL no_platforms(cl_uint room, cl_platform_id *out, cl_uint *count)
{
    (void)room, (void)out;
    *count = 3;
    return refusal;
}

/* A loader that says that there is none has said so; one that fails is told of. */
Test(device, platforms_that_cant_be_listed__are_none)
{
    struct vxb_device *device = open_opencl_device(&env);
    struct vxbi_cl cl = device->cl;
    cl.clGetPlatformIDs = no_platforms;
    for (int i = 0; i < 2; i++) {
        struct vxb_device_list *list = NULL;
        cl_device_id ids[VXBI_CL_DEVICES_MOST];
        refusal = i ? CL_OUT_OF_HOST_MEMORY : -1001;
        said[0] = 0;
        cr_assert(eq(int, vxbi_cl_list(&env, &cl, &list, ids, NULL), VXB_OK));
        cr_assert(eq(u32, list->count, 0));
        cr_assert(eq(str, said, i ? "OpenCL's platforms can't be listed: CL_OUT_OF_HOST_MEMORY\n" : ""));
        vxb_device_list_free(list);
    }
    vxb_device_close(device);
}

/* What the library holds of the kernels are the files' lines: a backslash at the end of one is there too. */
Test(device, lines_of_a_program__end_as_in_its_file)
{
    size_t continued = 0;
    for (const char *const *line = vxbi_program_scatter; *line; line++) {
        const size_t length = strlen(*line);
        const char *backslash = strchr(*line, '\\');
        cr_assert(length > 0 && (*line)[length - 1] == '\n' && strchr(*line, '\n') == *line + length - 1, "%s", *line);
        cr_assert(backslash == NULL || backslash == *line + length - 2, "%s", *line);
        continued += backslash != NULL;
    }
    cr_assert(le(sz, 4, continued));
}

Test(device, options_of_another_size__are_refused)
{
    const struct vxb_device_options options = {.size = sizeof options - 1};
    struct vxb_device *device = NULL;
    struct vxb_error err = {0};
    cr_assert(eq(int, vxb_device_open(&env, &options, &device, &err), VXB_ERR_USAGE));
    cr_assert(strstr(err.message, "vxb_device_options") != NULL, "%s", err.message);
}

Test(device, environment_of_another_size__is_refused)
{
    const struct vxb_env other = {.size = sizeof other + 8};
    struct vxb_device_list *list = NULL;
    struct vxb_device *device = NULL;
    struct vxb_error errs[2] = {0};
    cr_assert(eq(int, vxb_device_list_new(&other, &list, &errs[0]), VXB_ERR_USAGE));
    cr_assert(eq(int, vxb_device_open(&other, NULL, &device, &errs[1]), VXB_ERR_USAGE));
    for (int i = 0; i < 2; i++)
        cr_assert(strstr(errs[i].message, "vxb_env") != NULL, "%s", errs[i].message);
}

Test(device, choice__is_read_as_written)
{
    static const struct {
        const char *text;
        int kind;
        uint64_t number;
    } good[] = {{NULL, VXBI_CHOICE_CPU, 0},          {"cpu", VXBI_CHOICE_CPU, 0},
                {"auto", VXBI_CHOICE_AUTO, 0},       {"opencl", VXBI_CHOICE_OPENCL, 0},
                {"opencl:0", VXBI_CHOICE_NUMBER, 0}, {"opencl:12", VXBI_CHOICE_NUMBER, 12},
                {"opencl:H200", VXBI_CHOICE_NAME, 0}, {"opencl:3070 Ti", VXBI_CHOICE_NAME, 0},
                {"opencl:9999999999", VXBI_CHOICE_NAME, 0}};
    static const char *const bad[] = {"", "CPU", "gpu", "opencl:", "opencl ", "0", "cuda", "opencl0"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct vxbi_choice choice;
        cr_assert(eq(int, vxbi_choice_parse(good[i].text, &choice, NULL), VXB_OK));
        cr_assert(eq(int, (int)choice.kind, good[i].kind), "%s", good[i].text);
        cr_assert(eq(u64, choice.number, good[i].number));
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct vxbi_choice choice;
        struct vxb_error err = {0};
        cr_assert(eq(int, vxbi_choice_parse(bad[i], &choice, &err), VXB_ERR_USAGE), "%s", bad[i]);
        cr_assert(strstr(err.message, "opencl:NAME") != NULL);
    }
}

Test(device, little_work__is_never_a_devices)
{
    const struct vxb_env four = {.size = sizeof four, .threads = 4};
    const struct vxb_device_options options = {.size = sizeof options, .choice = "auto",
                                               .candidates = 4 * (uint64_t)VXB_DEVICE_AUTO_CANDIDATES - 1};
    struct vxb_device *device = (struct vxb_device *)&options;
    /* Nothing is loaded for it: a folder of drivers that can't be read would be told of. */
    cr_assert(eq(int, vxb_device_open(&four, &options, &device, NULL), VXB_OK));
    cr_assert(device == NULL);
    cr_assert(eq(str, said, ""));
}
