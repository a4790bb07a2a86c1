/* A bake on the CPU that counts its blades before it makes them, or finds the cells that have any: the bytes, the
 * report and the pictures of one that does not, whoever ends it and whatever it lacks; and when it does so. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <dirent.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bake_fixtures.h"
#include "grass/budget.h"
#include "grass/write.h"

/* ---- the same as from a spill ---- */

/* Where a field can't be found, that way is what pays. */
static void same_one_way(const struct meadow *made, struct made_how how, enum vxbi_bake_way way,
                         const struct baked *spilled, const char *what)
{
    how.way = way;
    for (how.threads = 1; how.threads <= 7; how.threads += 3) {
        struct baked other = made_bake(made, &how);
        cr_assert(eq(sz, other.size, spilled->size), "%s, way %d, %u threads", what, (int)way, (unsigned)how.threads);
        cr_assert(memcmp(other.bytes, spilled->bytes, spilled->size) == 0, "%s, way %d, %u threads", what, (int)way,
                  (unsigned)how.threads);
        other.report.seconds = spilled->report.seconds;
        cr_assert(memcmp(&other.report, &spilled->report, sizeof spilled->report) == 0, "%s, way %d", what, (int)way);
        baked_clear(&other);
    }
}

static void same_all_ways(const struct meadow *made, const double *region, const char *what)
{
    for (int packed = 0; packed < 2; packed++) {
        const struct made_how how = {
            .threads = 1, .region = region, .way = VXBI_BAKE_SPILL, .compress = packed, .split = packed};
        struct baked spilled = made_bake(made, &how);
        same_one_way(made, how, VXBI_BAKE_FIND, &spilled, what);
        if (!packed)
            same_one_way(made, how, VXBI_BAKE_COUNT, &spilled, what);
        baked_clear(&spilled);
    }
}

Test(bake_count, fixtures__are_the_same)
{
    for (size_t i = 0; i < BAKE_FIXTURES; i++) {
        struct meadow made;
        bake_fixtures[i].make(&made);
        same_all_ways(&made, NULL, bake_fixtures[i].name);
        made_clear(&made);
    }
}

/* With maps, holes, several species, cells beyond the terrain; a part of it too. */
Test(bake_count, anything__is_the_same)
{
    for (uint32_t seed = 100; seed < 124; seed++) {
        struct meadow made;
        char what[32];
        snprintf(what, sizeof what, "seed %u", (unsigned)seed);
        made_anything(&made, seed);
        struct vxb_plan *plan = made_plan(&made);
        const double size = (double)made.recipe.cell_size;
        const double x = (plan->cell_x0 + (int32_t)plan->cells_x / 3) * size + 0.25 * size;
        const double z = (plan->cell_z0 + (int32_t)plan->cells_z / 2) * size + 0.25 * size;
        const double region[4] = {x, z, x + 2.0 * size, z + size};
        vxb_plan_free(plan);
        same_all_ways(&made, NULL, what);
        same_all_ways(&made, region, what);
        made_clear(&made);
    }
}

/* Nothing kept, one blade, all but one, as many as there are, one more; of one species and of four. */
Test(bake_count, budgets_at_their_ends__are_the_same)
{
    const double region[4] = {-120.0, -10.0, -100.0, 20.0};
    for (int four = 0; four < 2; four++) {
        struct meadow made;
        if (four)
            bake_fixture_four(&made);
        else
            bake_fixture_one(&made);
        struct baked all = made_bake(&made, NULL);
        const uint64_t placed = all.report.field.placed;
        const uint64_t budgets[] = {0, 1, placed / 2, placed - 1, placed, placed + 1, 4 * placed};
        baked_clear(&all);
        made.recipe.budgets.has_max_blades = true;
        for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
            char what[32];
            snprintf(what, sizeof what, "a budget of %u", (unsigned)budgets[i]);
            made.recipe.budgets.max_blades = (uint32_t)budgets[i];
            same_all_ways(&made, NULL, what);
            if (four)
                same_all_ways(&made, region, what);
        }
        made_clear(&made);
    }
}

/* One cell, whose one chunk has more blades than 16 bits count. */
Test(bake_count, one_large_cell__is_the_same)
{
    struct meadow made;
    made_ground(&made, 17, 17, 1.0f);
    made.recipe.density = 280.0f;
    made_species(&made, "fescue");
    same_all_ways(&made, NULL, "one cell");
    struct made_how how = {.threads = 3, .way = VXBI_BAKE_COUNT};
    struct baked baked = made_bake(&made, &how);
    cr_assert(eq(u32, vxb_grass_header(baked_reader(&baked))->chunk_count, 1));
    cr_assert(lt(u32, 70000, vxb_grass_header(baked_reader(&baked))->blade_count));
    baked_clear(&baked);
    made_clear(&made);
}

/* What is written is what was counted, or nothing. */
Test(bake_count, ground_that_changes_meanwhile__is_told)
{
    const struct vxbi_write_options how = {.compress = false};
    struct meadow made;
    struct vxbi_field field;
    struct vxb_grass_header header;
    struct vxb_error err = {0};
    made_ground(&made, 65, 49, 1.0f);
    made_species(&made, "fescue")->max_slope = 0.5f;
    struct vxb_plan *plan = made_plan(&made);
    cr_assert(eq(int, vxbi_field_count(NULL, plan, NULL, &vxbi_cpu_counting_source, &field, &err), VXB_OK));
    made.heights[20 * 65 + 20] = 65535;
    const enum vxb_status status =
        vxbi_grass_write_counted(NULL, &field, NULL, &vxbi_cpu_counting_source, NULL, &how, &header, &err);
    cr_assert(eq(int, status, VXB_ERR_BUG));
    cr_assert(strstr(err.message, "cell 1, 1 has ") != NULL && strstr(err.message, " when they were counted") != NULL,
              "%s", err.message);
    vxbi_field_clear(&field);
    vxb_plan_free(plan);
    made_clear(&made);
}

/* Grass that somebody saw who looked for it, and that is gone when it should be made. */
Test(bake_count, layer_that_changes_meanwhile__is_told)
{
    const struct vxbi_write_options how = {.compress = true, .level = 1};
    struct meadow made;
    struct vxbi_field field;
    struct vxb_grass_header header;
    struct vxb_error err = {0};
    made_ground(&made, 129, 97, 1.0f);
    uint8_t *map = made_layer(&made, "Grass", 129, 97);
    memset(map, 255, (size_t)129 * 97);
    made_species(&made, "fescue")->layer = "Grass";
    struct vxb_plan *plan = made_plan(&made);
    cr_assert(eq(int, vxbi_field_find(NULL, plan, NULL, &vxbi_cpu_counting_source, &field, &err), VXB_OK));
    memset(map, 0, (size_t)129 * 97);
    const enum vxb_status status =
        vxbi_grass_write_counted(NULL, &field, NULL, &vxbi_cpu_counting_source, NULL, &how, &header, &err);
    cr_assert(eq(int, status, VXB_ERR_BUG));
    cr_assert(strstr(err.message, "has no blades now, and had some when they were looked for") != NULL, "%s",
              err.message);
    vxbi_field_clear(&field);
    vxb_plan_free(plan);
    made_clear(&made);
}

/* Threads that are early wait for those whose chunk comes before theirs: they must hear of it where none will come. */
Test(bake_count, first_cell_that_changes_meanwhile__ends_those_that_wait, .timeout = 60)
{
    const struct vxbi_write_options how = {.compress = true, .level = 1};
    const struct vxb_env env = {.size = sizeof env, .threads = 16};
    struct meadow made;
    made_ground(&made, 257, 193, 1.0f);
    uint8_t *map = made_layer(&made, "Grass", 257, 193);
    made_species(&made, "fescue")->layer = "Grass";
    for (int round = 0; round < 10; round++) {
        struct vxbi_field field;
        struct vxb_grass_header header;
        struct vxb_error err = {0};
        struct vxb_plan *plan = made_plan(&made);
        memset(map, 255, (size_t)257 * 193);
        cr_assert(eq(int, vxbi_field_find(&env, plan, NULL, &vxbi_cpu_counting_source, &field, &err), VXB_OK));
        const struct vxbi_field_chunk first = field.sections[0].chunks[0];
        const int width = (int)made.recipe.cell_size + 1;
        for (int z = 0; z <= width; z++)
            memset(map + (size_t)z * 257, 0, (size_t)width);
        const enum vxb_status status =
            vxbi_grass_write_counted(&env, &field, NULL, &vxbi_cpu_counting_source, NULL, &how, &header, &err);
        char cell[32];
        snprintf(cell, sizeof cell, "cell %d, %d has no blades now", (int)first.cell_x, (int)first.cell_z);
        cr_assert(eq(int, status, VXB_ERR_BUG));
        cr_assert(strstr(err.message, cell) != NULL, "%s", err.message);
        vxbi_field_clear(&field);
        vxb_plan_free(plan);
    }
    made_clear(&made);
}

/* Where no device is at work, none is at fault. */
Test(bake_count, blades_that_were_not_ranked__are_told_of_whose_they_are)
{
    const struct vxbi_ranks ranks = {.total = 2, .budget = 5};
    struct meadow made;
    made_ground(&made, 9, 9, 1.0f);
    made_species(&made, "fescue");
    struct vxb_plan *plan = made_plan(&made);
    for (int cpu = 0; cpu < 2; cpu++) {
        struct vxbi_field field = {.plan = plan, .sections = {{.survivors = 3}}};
        struct vxb_error err = {0};
        cr_assert(eq(int, vxbi_budget_cut(&field, 0, &ranks, cpu, &err), cpu ? VXB_ERR_BUG : VXB_ERR_DEVICE));
        cr_assert(eq(int, strstr(err.message, "device") == NULL, cpu), "%s", err.message);
    }
    vxb_plan_free(plan);
    made_clear(&made);
}

/* ---- a bake that is listened to, ended, short of memory ---- */

static char folder[64];
static char target[96];

static void put_old(void)
{
    FILE *file = fopen(target, "w");
    cr_assert(file != NULL && fputs("old", file) >= 0 && fclose(file) == 0);
}

static void open_folder(void)
{
    strcpy(folder, "/tmp/vxbake-count-XXXXXX");
    cr_assert(mkdtemp(folder) != NULL);
    snprintf(target, sizeof target, "%s/out.vxg", folder);
    put_old();
}

static void check_untouched(void)
{
    char text[8] = "";
    FILE *file = fopen(target, "r");
    cr_assert(file != NULL && fgets(text, sizeof text, file) != NULL && fclose(file) == 0);
    cr_assert(eq(str, text, "old"));
    DIR *dir = opendir(folder);
    int entries = 0;
    cr_assert(dir != NULL);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        entries += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    cr_assert(eq(int, entries, 1), "a temporary was left behind");
}

static void close_folder(void)
{
    unlink(target);
    rmdir(folder);
}

struct told {
    char stages[256];  /* each once, as they came */
    char last[32];
    uint64_t done, total;
    bool back;         /* one came back to less than it had done, or past its total, or was left unfinished */
    const char *until; /* the stage in which it is cancelled; NULL: none */
    int calls, after;  /* calls of that stage, and which is the last */
};

static void on_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    struct told *t = user;
    if (strcmp(t->last, what) != 0) {
        t->back = t->back || t->done != t->total;
        snprintf(t->last, sizeof t->last, "%s", what);
        snprintf(t->stages + strlen(t->stages), sizeof t->stages - strlen(t->stages), "%s ", what);
        t->done = 0;
    }
    t->back = t->back || done < t->done || done > total;
    t->done = done;
    t->total = total;
    t->calls += t->until && strcmp(what, t->until) == 0;
}

static bool is_over(void *user)
{
    const struct told *t = user;
    return t->until && t->calls > t->after;
}

static enum vxb_status bake(const struct meadow *made, const struct vxb_env *env,
                            const struct vxb_bake_options *options, enum vxbi_bake_way way, struct vxb_error *err)
{
    const struct vxbi_bake_tuning tuning = {.way = way};
    struct vxb_plan *plan = NULL;
    enum vxb_status status = vxb_plan_new(env, &made->recipe, &made->terrain, &plan, err);
    if (!status)
        status = vxbi_bake_tuned(env, plan, options, &tuning, NULL, err);
    vxb_plan_free(plan);
    return status;
}

/* What a bake of the four species tells, on so many threads. */
static struct told told_by(uint32_t threads, const struct vxb_bake_options *how, enum vxbi_bake_way way,
                           uint32_t budget)
{
    struct meadow made;
    struct told told = {0};
    struct vxb_error err = {0};
    const struct vxb_env env = {.size = sizeof env, .user = &told, .progress = on_progress, .threads = threads};
    bake_fixture_four(&made);
    made.recipe.budgets.has_max_blades = budget > 0;
    made.recipe.budgets.max_blades = budget;
    cr_assert(eq(int, bake(&made, &env, how, way, &err), VXB_OK), "%s", err.message);
    cr_assert(told.back == false && told.done == told.total);
    made_clear(&made);
    return told;
}

Test(bake_count, progress__goes_on_through_every_stage)
{
    const struct vxb_bake_options plain = {.size = sizeof plain};
    const struct vxb_bake_options packed = {.size = sizeof packed, .compress = true, .compress_level = 1};
    for (uint32_t threads = 1; threads < 5; threads += 3) {
        cr_assert(eq(str, told_by(threads, &plain, VXBI_BAKE_COUNT, 0).stages, "count scatter write "));
        cr_assert(eq(str, told_by(threads, &plain, VXBI_BAKE_SPILL, 0).stages, "scatter write "));
        /* What is compressed has no place before it is made; a budget that has to choose looks once more. */
        cr_assert(eq(str, told_by(threads, &packed, VXBI_BAKE_COUNT, 0).stages, "scatter write "));
        cr_assert(eq(str, told_by(threads, &plain, VXBI_BAKE_COUNT, 1000000).stages, "count scatter write "));
        cr_assert(eq(str, told_by(threads, &plain, VXBI_BAKE_COUNT, 100).stages, "count cut scatter write "));
    }
}

Test(bake_count, cancelled_in_any_stage__leaves_the_old_file)
{
    struct meadow made;
    bake_fixture_budgeted(&made);
    open_folder();
    for (uint32_t threads = 1; threads <= 4; threads += 3)
        for (int turn = 0; turn < 9; turn++) {
            static const char *const stages[] = {"count", "cut", "scatter"};
            struct told told = {.until = stages[turn % 3], .after = threads == 1 ? turn / 3 * 3 : 0};
            struct vxb_error err = {0};
            const struct vxb_env env = {.size = sizeof env, .user = &told, .progress = on_progress,
                                        .cancelled = is_over, .threads = threads};
            const struct vxb_bake_options options = {.size = sizeof options, .output = target};
            const enum vxb_status status = bake(&made, &env, &options, VXBI_BAKE_COUNT, &err);
            cr_assert(eq(int, status, VXB_ERR_CANCELLED), "%s", err.message);
            cr_assert(eq(str, err.message, "cancelled"));
            cr_assert(eq(str, told.last, (char *)(uintptr_t)told.until));
            check_untouched();
        }
    close_folder();
    made_clear(&made);
}

/* The same of a field that is found first, plain and compressed. */
Test(bake_count, found_field__goes_on_and_can_be_cancelled)
{
    struct meadow made;
    bake_fixture_one(&made);
    open_folder();
    for (int turn = 0; turn < 24; turn++) {
        static const char *const stages[] = {"find", "scatter", NULL};
        const uint32_t threads = turn % 2 ? 1 : 4;
        struct told told = {.until = stages[turn % 3], .after = threads == 1 ? turn / 6 : 0};
        struct vxb_error err = {0};
        const struct vxb_env env = {.size = sizeof env, .user = &told, .progress = on_progress, .cancelled = is_over,
                                    .threads = threads};
        const struct vxb_bake_options options = {
            .size = sizeof options, .output = target, .compress = turn > 11, .compress_level = 1};
        const enum vxb_status status = bake(&made, &env, &options, VXBI_BAKE_FIND, &err);
        if (told.until) {
            cr_assert(eq(int, status, VXB_ERR_CANCELLED), "%s", err.message);
            cr_assert(eq(str, told.last, (char *)(uintptr_t)told.until));
            check_untouched();
            continue;
        }
        cr_assert(eq(int, status, VXB_OK), "%s", err.message);
        cr_assert(eq(str, told.stages, "find scatter write "));
        cr_assert(told.back == false && told.done == told.total);
        put_old();
    }
    close_folder();
    made_clear(&made);
}

/* Memory that runs out at the n-th request, and what of it is still held. Several threads may ask. */
struct meagre {
    atomic_int left;
    atomic_bool refused;
    _Atomic int64_t held;
};

static void *meagre_resize(void *user, void *block, size_t old_size, size_t new_size)
{
    struct meagre *m = user;
    if (atomic_fetch_sub(&m->left, 1) <= 0) {
        m->refused = true;
        return NULL;
    }
    void *fresh = realloc(block, new_size);
    if (fresh)
        m->held += (int64_t)new_size - (int64_t)old_size;
    return fresh;
}

static void meagre_release(void *user, void *block, size_t size)
{
    struct meagre *m = user;
    m->held -= (int64_t)size;
    free(block);
}

static size_t read_target(char *bytes, size_t room)
{
    FILE *file = fopen(target, "rb");
    cr_assert(file != NULL);
    size_t size = fread(bytes, 1, room, file);
    fclose(file);
    return size;
}

Test(bake_count, memory_that_runs_out__is_told_or_makes_no_difference)
{
    static char whole[1 << 18], other[1 << 18];
    struct meadow made;
    struct vxb_error err = {0};
    const struct vxb_bake_options options = {.size = sizeof options, .output = target};
    open_folder();
    /* Without a budget, with one that all fit, with one that they do not. */
    for (uint32_t budget = 0; budget <= 1000000; budget = budget ? budget * 10000 : 100) {
        bake_fixture_four(&made);
        made.recipe.density = 2.0f;
        made.recipe.budgets.has_max_blades = budget > 0;
        made.recipe.budgets.max_blades = budget;
        cr_assert(eq(int, bake(&made, NULL, &options, VXBI_BAKE_SPILL, &err), VXB_OK), "%s", err.message);
        const size_t size = read_target(whole, sizeof whole);
        bool refused = true;
        int failed = 0;
        for (int n = 0; refused; n++) {
            struct meagre meagre = {.left = n};
            struct vxb_error why = {0};
            const struct vxb_env env = {.size = sizeof env, .threads = 1,
                                        .allocator = {.user = &meagre, .resize = meagre_resize,
                                                      .release = meagre_release}};
            put_old();
            const enum vxb_status status = bake(&made, &env, &options, VXBI_BAKE_COUNT, &why);
            refused = meagre.refused;
            cr_assert(eq(i64, meagre.held, 0), "request %d", n);
            if (status == VXB_OK) {
                cr_assert(eq(sz, read_target(other, sizeof other), size), "request %d", n);
                cr_assert(memcmp(whole, other, size) == 0, "request %d", n);
            } else {
                cr_assert(eq(int, status, VXB_ERR_MEMORY), "request %d: %s", n, why.message);
                cr_assert(lt(sz, 0, strlen(why.message)));
                check_untouched();
                failed++;
            }
        }
        cr_assert(ge(int, failed, 8));
        made_clear(&made);
    }
    close_folder();
}

/* Threads that wait for one another's chunks: where one fails, the others do not wait for ever. */
Test(bake_count, memory_that_runs_out_on_many_threads__ends_a_found_field)
{
    struct meadow made;
    bake_fixture_one(&made);
    open_folder();
    for (int packed = 0; packed < 2; packed++) {
        bool refused = true;
        int failed = 0;
        for (int n = 0; refused && n < 400; n++) {
            struct meagre meagre = {.left = n};
            struct vxb_error why = {0};
            const struct vxb_env env = {.size = sizeof env, .threads = 5,
                                        .allocator = {.user = &meagre, .resize = meagre_resize,
                                                      .release = meagre_release}};
            const struct vxb_bake_options options = {
                .size = sizeof options, .output = target, .compress = packed, .compress_level = 1};
            put_old();
            const enum vxb_status status = bake(&made, &env, &options, VXBI_BAKE_FIND, &why);
            refused = meagre.refused;
            cr_assert(eq(i64, meagre.held, 0), "request %d", n);
            if (status) {
                cr_assert(eq(int, status, VXB_ERR_MEMORY), "request %d: %s", n, why.message);
                check_untouched();
                failed++;
            }
        }
        cr_assert(not(refused));
        cr_assert(ge(int, failed, 8));
    }
    close_folder();
    made_clear(&made);
}

Test(bake_count, pictures__are_the_same)
{
    static char spilled[1 << 20], counted[1 << 20];
    static const enum vxb_preview_as kinds[] = {VXB_PREVIEW_SPECIES, VXB_PREVIEW_DENSITY, VXB_PREVIEW_REASON};
    open_folder();
    for (int turn = 0; turn < 3; turn++)
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
            struct meadow made;
            const bool budget = turn == 1;
            (turn == 2 ? bake_fixture_one : bake_fixture_four)(&made);
            const struct vxb_env env = {.size = sizeof env, .threads = 3};
            const struct vxb_bake_options options = {.size = sizeof options, .preview = target,
                                                     .preview_as = kinds[k]};
            struct vxb_error err = {0};
            made.recipe.budgets.has_max_blades = budget;
            made.recipe.budgets.max_blades = 100;
            cr_assert(eq(int, bake(&made, &env, &options, VXBI_BAKE_SPILL, &err), VXB_OK), "%s", err.message);
            const size_t size = read_target(spilled, sizeof spilled);
            const enum vxbi_bake_way way = turn == 2 ? VXBI_BAKE_FIND : VXBI_BAKE_COUNT;
            cr_assert(eq(int, bake(&made, &env, &options, way, &err), VXB_OK), "%s", err.message);
            cr_assert(eq(sz, read_target(counted, sizeof counted), size));
            cr_assert(memcmp(spilled, counted, size) == 0, "%d, turn %d", (int)k, turn);
            made_clear(&made);
        }
    close_folder();
}

/* ---- when it does ---- */

static bool counts_first(const struct meadow *made, uint32_t threads, const struct vxbi_region *region)
{
    const struct vxb_env env = {.size = sizeof env, .threads = threads};
    struct vxb_plan *plan = made_plan(made);
    const bool does = vxbi_cpu_counts_first(&env, plan, region);
    vxb_plan_free(plan);
    return does;
}

static bool finds_first(const struct meadow *made, const struct vxbi_region *region)
{
    struct vxb_plan *plan = made_plan(made);
    const bool does = vxbi_cpu_finds_first(plan, region);
    vxb_plan_free(plan);
    return does;
}

Test(bake_count, many_threads_and_blades__make_it_pay)
{
    struct meadow made;
    made_ground(&made, 257, 129, 1.0f);
    made_species(&made, "fescue");
    cr_assert(not(counts_first(&made, 1, NULL)));
    cr_assert(not(counts_first(&made, 2, NULL)));
    cr_assert(counts_first(&made, 3, NULL));
    cr_assert(counts_first(&made, 64, NULL));
    made.recipe.density_scale = 0.2f;
    cr_assert(not(counts_first(&made, 4, NULL)));
    cr_assert(counts_first(&made, 16, NULL));
    made.recipe.density_scale = 0.01f;
    cr_assert(not(counts_first(&made, 64, NULL)));
    made_clear(&made);
}

/* Grass in the east alone. */
static void made_east(struct meadow *made)
{
    made_ground(made, 257, 129, 1.0f);
    uint8_t *map = made_layer(made, "Grass", 257, 129);
    for (size_t i = 0; i < (size_t)257 * 129; i++)
        map[i] = i % 257 > 128 ? 255 : 0;
    made_species(made, "fescue")->layer = "Grass";
}

/* Where a block of candidates has a blade, to look for one costs little; of several species, or where a budget chooses,
 * more must be known. */
Test(bake_count, one_species_with_blades_everywhere__is_found_first)
{
    const struct vxbi_region west = {0, 0, 8, 8}, east = {8, 0, 16, 8};
    struct meadow made;
    made_east(&made);
    cr_assert(finds_first(&made, NULL));
    cr_assert(finds_first(&made, &east));
    cr_assert(not(finds_first(&made, &west)));
    made.recipe.density_scale = 0.001f;
    cr_assert(not(finds_first(&made, &east)));
    made.recipe.density_scale = 1.0f;
    made.recipe.budgets.has_max_blades = true;
    made.recipe.budgets.max_blades = 1000;
    cr_assert(not(finds_first(&made, NULL)));
    made.recipe.budgets.max_blades = 4000000000u;
    cr_assert(finds_first(&made, NULL));
    made_species(&made, "clover");
    cr_assert(not(finds_first(&made, NULL)));
    made_clear(&made);
}

Test(bake_count, budget_that_has_to_choose__takes_more_threads)
{
    struct meadow made;
    made_ground(&made, 257, 129, 1.0f);
    made_species(&made, "fescue");
    made_species(&made, "clover");
    made.recipe.density_scale = 0.5f;
    made.recipe.budgets.has_max_blades = true;
    struct vxb_plan *plan = made_plan(&made);
    made.recipe.budgets.max_blades = (uint32_t)(plan->candidates * 3 / 5);
    cr_assert(counts_first(&made, 6, NULL));
    made.recipe.budgets.max_blades = (uint32_t)(plan->candidates * 2 / 5);
    cr_assert(not(counts_first(&made, 6, NULL)));
    cr_assert(counts_first(&made, 16, NULL));
    made.recipe.budgets.max_blades = (uint32_t)(plan->candidates / 20);
    cr_assert(not(counts_first(&made, 16, NULL)));
    vxb_plan_free(plan);
    made_clear(&made);
}

/* A budget is the whole field's, so then all of it counts. */
Test(bake_count, region__is_what_is_looked_at)
{
    const struct vxbi_region west = {0, 0, 8, 8}, east = {8, 0, 16, 8}, corner = {15, 7, 16, 8};
    struct meadow made;
    made_east(&made);
    cr_assert(not(counts_first(&made, 8, &west)));
    cr_assert(counts_first(&made, 8, &east));
    cr_assert(counts_first(&made, 8, &corner));
    made.recipe.budgets.has_max_blades = true;
    made.recipe.budgets.max_blades = 100000;
    cr_assert(counts_first(&made, 8, &west));
    made_clear(&made);
}
