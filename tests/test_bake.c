/* Baking: the same bytes whoever computes them, budgets that keep subsets, ledgers that add up, fields of every odd
 * shape. Everything baked here is verified too (made_bake). */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../bench/plain_scatter.h"
#include "bake_fixtures.h"
#include "core/bytes.h"
#include "core/hash.h"
#include "heap.h"
#include "make_bake.h"
#include "vxk_candidate.h"

static void same_bytes(const struct baked *a, const struct baked *b, const char *what)
{
    cr_assert(eq(sz, a->size, b->size), "%s", what);
    cr_assert(memcmp(a->bytes, b->bytes, a->size) == 0, "%s", what);
}

/* ---- fixtures ---- */

Test(bake, fixtures__have_the_bytes_written_down)
{
    for (size_t i = 0; i < BAKE_FIXTURES; i++) {
        struct meadow made;
        bake_fixtures[i].make(&made);
        struct baked baked = made_bake(&made, NULL);
        uint64_t hash = vxbi_hash(baked.bytes, baked.size);
        cr_expect(baked.report.content_id == bake_fixtures[i].content_id && hash == bake_fixtures[i].file_hash,
                  "%s: content id 0x%016llX, file 0x%016llX", bake_fixtures[i].name,
                  (unsigned long long)baked.report.content_id, (unsigned long long)hash);
        baked_clear(&baked);
        made_clear(&made);
    }
}

Test(bake, threads__change_no_byte)
{
    static const struct made_how hows[] = {{.compress = false}, {.compress = true}, {.compress = true, .split = true}};
    for (size_t i = 0; i < BAKE_FIXTURES; i++)
        for (size_t k = 0; k < sizeof hows / sizeof hows[0]; k++) {
            struct meadow made;
            struct made_how how = hows[k];
            bake_fixtures[i].make(&made);
            how.threads = 1;
            struct baked one = made_bake(&made, &how);
            for (how.threads = 2; how.threads <= 7; how.threads += 5) {
                struct baked many = made_bake(&made, &how);
                same_bytes(&one, &many, bake_fixtures[i].name);
                baked_clear(&many);
            }
            baked_clear(&one);
            made_clear(&made);
        }
}

Test(bake, compression__keeps_the_content)
{
    for (size_t i = 0; i < BAKE_FIXTURES; i++) {
        struct meadow made;
        bake_fixtures[i].make(&made);
        struct baked raw = made_bake(&made, NULL);
        for (int split = 0; split < 2; split++) {
            struct made_how how = {.threads = 2, .compress = true, .split = split};
            struct baked packed = made_bake(&made, &how);
            cr_assert(eq(u64, packed.report.content_id, raw.report.content_id));
            cr_assert(eq(u64, packed.report.bake_id, raw.report.bake_id));
            const uint32_t count = vxb_grass_header(baked_reader(&raw))->blade_count;
            struct baked_blade *a = baked_blades(&raw), *b = baked_blades(&packed);
            cr_assert(eq(u32, vxb_grass_header(baked_reader(&packed))->blade_count, count));
            cr_assert(memcmp(a, b, count * sizeof *a) == 0);
            free(a);
            free(b);
            baked_clear(&packed);
        }
        baked_clear(&raw);
        made_clear(&made);
    }
}

Test(bake, order_of_species__changes_no_byte)
{
    struct meadow made;
    bake_fixture_budgeted(&made);
    struct baked first = made_bake(&made, NULL);
    for (uint32_t turn = 1; turn < 4; turn++) {
        struct vxb_recipe_species moving = made.recipe.species[0];
        memmove(made.recipe.species, made.recipe.species + 1, 3 * sizeof moving);
        made.recipe.species[3] = moving;
        struct baked other = made_bake(&made, NULL);
        same_bytes(&first, &other, "turned species");
        baked_clear(&other);
    }
    baked_clear(&first);
    made_clear(&made);
}

Test(bake, meadow_example__has_the_bytes_written_down)
{
    struct vxb_recipe *recipe = NULL;
    struct vxb_error err = {0};
    struct vxb_bake_report report;
    struct vxb_env env = {.size = sizeof env, .threads = 2};
    struct vxb_bake_options options = {.size = sizeof options};
    enum vxb_status status =
        vxb_recipe_load(NULL, TEST_DATA "/../../examples/meadow/meadow.json", NULL, 0, &recipe, &err);
    if (status == VXB_ERR_UNSUPPORTED)
        cr_skip_test("this build reads no rule files: %s", err.message);
    cr_assert(eq(int, status, VXB_OK), "%s", err.message);
    cr_assert(eq(int, vxb_bake(&env, recipe, &options, &report, &err), VXB_OK), "%s", err.message);
    cr_assert(report.content_id == 0x364B3407B28C56D3u, "0x%016llX", (unsigned long long)report.content_id);
    cr_assert(eq(u64, report.field.placed, 194850));
    cr_assert(eq(u64, report.file_bytes, 3128720));
    vxb_recipe_free(recipe);
}

static void bake_text(const char *text, struct vxb_bake_report *report)
{
    struct vxb_recipe *recipe = NULL;
    struct vxb_error err = {0};
    struct vxb_env env = {.size = sizeof env, .threads = 2};
    struct vxb_bake_options options = {.size = sizeof options};
    enum vxb_status status = vxb_recipe_parse(NULL, text, strlen(text), TEST_DATA "/../../examples/meadow",
                                              "recipe.json", NULL, 0, &recipe, &err);
    if (status == VXB_ERR_UNSUPPORTED)
        cr_skip_test("this build reads no rule files: %s", err.message);
    cr_assert(eq(int, status, VXB_OK), "%s", err.message);
    cr_assert(eq(int, vxb_bake(&env, recipe, &options, report, &err), VXB_OK), "%s", err.message);
    vxb_recipe_free(recipe);
}

Test(bake, order_of_species_with_rules__changes_nothing)
{
#define RECIPE "{\"kind\": \"grass-field\", \"density\": 4, \"terrain\": {\"file\": \"Meadow.vxterrain\"}, " \
               "\"species\": ["
    struct vxb_bake_report one, other;
    bake_text(RECIPE "{\"name\": \"a\", \"rule\": \"Meadow.vxgrass\", \"jitter\": 0.5}, "
                     "{\"name\": \"b\", \"share\": 2}]}", &one);
    bake_text(RECIPE "{\"share\": 2, \"name\": \"b\"}, "
                     "{\"jitter\": 0.5, \"name\": \"a\", \"rule\": \"Meadow.vxgrass\"}]}", &other);
#undef RECIPE
    cr_assert(lt(u64, 10000, one.field.placed));
    cr_assert(eq(u64, one.content_id, other.content_id));
    cr_assert(eq(u64, one.bake_id, other.bake_id));
    cr_assert(eq(u64, one.file_bytes, other.file_bytes));
}

/* ---- subsets ---- */

/* Every chunk of the smaller is a prefix of the larger's chunk of that species and cell. */
static void check_prefixes(const struct baked *small, const struct baked *large)
{
    const struct vxb_grass_header *header = vxb_grass_header(baked_reader(small));
    for (uint32_t i = 0; i < header->chunk_count; i++) {
        struct vxb_grass_chunk chunk = baked_chunk(small, i), other;
        uint32_t index;
        bool found;
        cr_assert(eq(int, vxb_grass_find(baked_reader(large), chunk.section, chunk.cell_x, chunk.cell_z, &found, &index,
                                         &other, NULL), VXB_OK));
        cr_assert(found, "section %u, cell %d, %d is not in the larger", chunk.section, chunk.cell_x, chunk.cell_z);
        cr_assert(le(u32, chunk.blade_count, other.blade_count));
        uint8_t *a = baked_records(small, &chunk), *b = baked_records(large, &other);
        cr_assert(memcmp(a, b, (size_t)chunk.blade_count * VXB_GRASS_RECORD_BYTES) == 0);
        free(a);
        free(b);
    }
}

Test(bake, smaller_density_scale__keeps_prefixes)
{
    struct meadow made;
    bake_fixture_four(&made);
    made.recipe.density_scale = 1.0f;
    struct baked large = made_bake(&made, NULL);
    const double all = (double)large.report.field.placed;
    static const float scales[] = {0.9999f, 0.75f, 0.5f, 0.1f, 0.001f, 0.00001f, 0.0f};
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        made.recipe.density_scale = scales[i];
        struct baked small = made_bake(&made, NULL);
        check_prefixes(&small, &large);
        double kept = (double)small.report.field.placed / all;
        cr_assert(fabs(kept - (double)scales[i]) < 0.02, "%g kept at %g", kept, (double)scales[i]);
        baked_clear(&large);
        large = small;
    }
    cr_assert(eq(u64, large.report.field.placed, 0));
    baked_clear(&large);
    made_clear(&made);
}

Test(bake, smaller_budget__keeps_prefixes_and_takes_from_nobody)
{
    struct meadow made;
    bake_fixture_budgeted(&made);
    made.recipe.budgets.max_blades = UINT32_MAX - 1;
    struct baked large = made_bake(&made, NULL);
    struct vxb_bake_report before = large.report;
    static const uint32_t budgets[] = {15000, 9001, 9000, 5000, 997, 100, 4, 3, 2, 1, 0};
    for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
        made.recipe.budgets.max_blades = budgets[i];
        struct made_how how = {.threads = 1 + i % 3};
        struct baked small = made_bake(&made, &how);
        check_prefixes(&small, &large);
        cr_assert(le(u64, small.report.field.placed, budgets[i]));
        for (uint32_t k = 0; k < 4; k++) {
            cr_assert(le(u64, small.report.species[k].placed, before.species[k].placed));
            cr_assert(le(u32, small.report.rank_limit[k], before.rank_limit[k]));
        }
        before = small.report;
        baked_clear(&large);
        large = small;
    }
    baked_clear(&large);
    made_clear(&made);
}

Test(bake, budget__leaves_no_region_bare)
{
    struct meadow made;
    made_ground(&made, 129, 129, 1.0f);
    made_hills(&made, 9);
    made_species(&made, "fescue");
    made_species(&made, "clover");
    struct baked large = made_bake(&made, NULL);
    made.recipe.budgets.has_max_blades = true;
    made.recipe.budgets.max_blades = (uint32_t)large.report.field.placed / 4;
    struct made_how how = {.threads = 3};
    struct baked small = made_bake(&made, &how);
    const uint32_t count = vxb_grass_header(baked_reader(&large))->chunk_count;
    cr_assert(eq(u32, count, 2 * 64));
    for (uint32_t i = 0; i < count; i++) {
        struct vxb_grass_chunk chunk = baked_chunk(&large, i), kept = {0};
        uint32_t index;
        bool found;
        cr_assert(eq(int, vxb_grass_find(baked_reader(&small), chunk.section, chunk.cell_x, chunk.cell_z, &found,
                                         &index, &kept, NULL), VXB_OK));
        cr_assert(found && kept.blade_count > chunk.blade_count / 10 && kept.blade_count < chunk.blade_count / 2,
                  "cell %d, %d keeps %u of %u", chunk.cell_x, chunk.cell_z, kept.blade_count, chunk.blade_count);
    }
    baked_clear(&large);
    baked_clear(&small);
    made_clear(&made);
}

Test(bake, changed_share__moves_no_blade)
{
    struct meadow made;
    bake_fixture_painted(&made);
    made.recipe.species_count = 0;
    static const char *const names[3] = {"fescue", "clover", "sedge"};
    for (int k = 0; k < 3; k++)
        made_species(&made, names[k])->layer = "Grass";
    struct baked even = made_bake(&made, NULL);
    made.recipe.species[0].share = 0.01f;
    made.recipe.species[1].share = 7.0f;
    struct baked uneven = made_bake(&made, NULL);
    const uint32_t count = vxb_grass_header(baked_reader(&even))->blade_count;
    cr_assert(eq(u32, vxb_grass_header(baked_reader(&uneven))->blade_count, count));
    cr_assert(lt(u32, 1000, count));
    struct baked_blade *a = baked_blades(&even), *b = baked_blades(&uneven);
    uint32_t changed = 0;
    qsort(a, count, sizeof *a, compare_blades);
    qsort(b, count, sizeof *b, compare_blades);
    for (uint32_t i = 0; i < count; i++) {
        cr_assert(a[i].cell_x == b[i].cell_x && a[i].cell_z == b[i].cell_z);
        cr_assert(memcmp(a[i].record, b[i].record, VXB_GRASS_RECORD_BYTES) == 0);
        changed += a[i].section != b[i].section;
    }
    cr_assert(lt(u32, count / 4, changed));
    free(a);
    free(b);
    baked_clear(&even);
    baked_clear(&uneven);
    made_clear(&made);
}

Test(bake, one_species_among_equals__is_the_field_alone)
{
    /* Composition splits one field and never multiplies it: what one species alone bakes, three equal ones share. */
    struct meadow made;
    bake_fixture_painted(&made);
    struct baked alone = made_bake(&made, NULL);
    made_species(&made, "clover");
    made.recipe.species[1] = made.recipe.species[0];
    made.recipe.species[1].name = made.recipe.species[1].material = "clover";
    struct baked shared = made_bake(&made, NULL);
    const uint32_t count = vxb_grass_header(baked_reader(&alone))->blade_count;
    cr_assert(eq(u32, vxb_grass_header(baked_reader(&shared))->blade_count, count));
    cr_assert(eq(u32, alone.report.format, 2));
    cr_assert(eq(u32, shared.report.format, 3));
    struct baked_blade *a = baked_blades(&alone), *b = baked_blades(&shared);
    qsort(a, count, sizeof *a, compare_blades);
    qsort(b, count, sizeof *b, compare_blades);
    for (uint32_t i = 0; i < count; i++)
        cr_assert(memcmp(a[i].record, b[i].record, VXB_GRASS_RECORD_BYTES) == 0);
    free(a);
    free(b);
    baked_clear(&alone);
    baked_clear(&shared);
    made_clear(&made);
}

/* ---- budgets against brute force ---- */

struct ranked {
    uint32_t rank, hash;
    int32_t cell_z, cell_x;
    uint32_t index, section;
    uint8_t record[VXB_GRASS_RECORD_BYTES];
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    if (x->cell_z != y->cell_z)
        return x->cell_z < y->cell_z ? -1 : 1;
    if (x->cell_x != y->cell_x)
        return x->cell_x < y->cell_x ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Every candidate that would be placed, from the plain loop. */
static struct ranked *all_ranked(const struct vxb_plan *plan, const struct baked *uncut, uint32_t *count)
{
    const size_t n = (size_t)plan->side * plan->side;
    struct ranked *all = malloc((size_t)plan->candidates * sizeof *all);
    struct plain_blade *blades = malloc(n * sizeof *blades);
    struct vxbi_scatter scatter;
    cr_assert(all && blades);
    vxbi_scatter_init(&scatter, plan);
    *count = 0;
    for (uint64_t i = 0; i < (uint64_t)plan->cells_x * plan->cells_z; i++) {
        int32_t x = plan->cell_x0 + (int32_t)(i % plan->cells_x), z = plan->cell_z0 + (int32_t)(i / plan->cells_x);
        struct vxb_grass_chunk chunk = {0};
        for (uint32_t k = 0, index; k < plan->species_count && chunk.blade_count == 0; k++) {
            bool found;
            vxb_grass_find(baked_reader(uncut), k, x, z, &found, &index, &chunk, NULL);
        }
        uint32_t placed = plain_scatter(&scatter, x, z, chunk.min_y, chunk.max_y, NULL, blades);
        for (uint32_t b = 0; b < placed; b++) {
            struct ranked *to = &all[(*count)++];
            *to = (struct ranked){blades[b].rank, blades[b].hash, z, x, blades[b].index, blades[b].species, {0}};
            for (int w = 0; w < 4; w++)
                vxbi_store_u32(to->record + 4 * w, blades[b].word[w]);
        }
    }
    free(blades);
    qsort(all, *count, sizeof *all, compare_ranked);
    return all;
}

static void check_budget(struct meadow *made, const struct ranked *all, uint32_t count, uint32_t budget,
                         uint32_t threads)
{
    struct made_how how = {.threads = threads};
    made->recipe.budgets.max_blades = budget;
    struct vxb_plan *plan = made_plan(made);
    struct baked baked = made_bake(made, &how);
    uint32_t kept = 0, before = 0, total = vxb_grass_header(baked_reader(&baked))->blade_count;
    struct baked_blade *expected = malloc(((size_t)budget + 1) * sizeof *expected), *got = baked_blades(&baked);
    cr_assert(expected != NULL);
    for (uint32_t k = 0; k < plan->species_count; before = kept, k++)
        for (uint32_t i = 0; i < count && kept - before < plan->species[k].blade_budget; i++)
            if (all[i].section == k) {
                expected[kept] = (struct baked_blade){.cell_z = all[i].cell_z, .cell_x = all[i].cell_x, .section = k};
                memcpy(expected[kept++].record, all[i].record, VXB_GRASS_RECORD_BYTES);
            }
    cr_assert(eq(u32, total, kept));
    qsort(expected, kept, sizeof *expected, compare_blades);
    qsort(got, kept, sizeof *got, compare_blades);
    cr_assert(memcmp(expected, got, kept * sizeof *got) == 0, "budget %u, %u threads", budget, threads);
    free(expected);
    free(got);
    vxb_plan_free(plan);
    baked_clear(&baked);
}

Test(bake, budget_far_below_what_is_placed__equals_sorting_everything)
{
    struct meadow made;
    bake_fixture_budgeted(&made);
    made.recipe.budgets.has_max_blades = false;
    made.recipe.density = 36.0f;
    made.recipe.cell_size = 5.5f;
    struct vxb_plan *plan = made_plan(&made);
    struct baked uncut = made_bake(&made, NULL);
    uint32_t count;
    struct ranked *all = all_ranked(plan, &uncut, &count);
    cr_assert(eq(u64, uncut.report.field.placed, count));
    made.recipe.budgets.has_max_blades = true;
    static const uint32_t budgets[] = {1, 7, 300, 4321, 20000};
    for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++)
        for (uint32_t threads = 1; threads <= 8; threads += 7)
            check_budget(&made, all, count, budgets[i], threads);
    free(all);
    baked_clear(&uncut);
    vxb_plan_free(plan);
    made_clear(&made);
}

Test(bake, budget_of_one_among_four__goes_to_one)
{
    struct meadow made;
    bake_fixture_budgeted(&made);
    made.recipe.budgets.max_blades = 1;
    struct baked baked = made_bake(&made, NULL);
    cr_assert(eq(u64, baked.report.field.placed, 1));
    cr_assert(eq(u32, baked.report.format, 3));
    cr_assert(eq(u32, vxb_grass_header(baked_reader(&baked))->section_count, 4));
    baked_clear(&baked);
    made.recipe.budgets.max_blades = 0;
    baked = made_bake(&made, NULL);
    cr_assert(eq(u64, baked.report.field.placed, 0));
    cr_assert(lt(u64, 1000, baked.report.field.reasons[VXB_REASON_BUDGET]));
    baked_clear(&baked);
    made_clear(&made);
}

/* ---- ledgers ---- */

Test(bake, anything__verifies_and_adds_up)
{
    for (uint32_t seed = 200; seed < 230; seed++) {
        struct meadow made;
        made_anything(&made, seed);
        if (seed % 3 == 0) {
            made.recipe.budgets.has_max_blades = true;
            made.recipe.budgets.max_blades = seed * 7 % 1000;
        }
        struct vxb_plan *plan = made_plan(&made);
        struct made_how how = {.threads = 1 + seed % 3, .compress = seed % 2, .split = seed % 4 == 3};
        if (plan->candidates < 3000000) {
            struct baked baked = made_bake(&made, &how);
            uint64_t all = 0, placed = 0;
            for (uint32_t k = 0; k < baked.report.species_count; k++) {
                const struct vxb_ledger *l = &baked.report.species[k];
                uint64_t sum = l->placed;
                for (int reason = 0; reason < VXB_REASON_COUNT; reason++)
                    sum += l->reasons[reason];
                cr_assert(eq(u64, l->candidates, sum));
                all += l->candidates;
                placed += l->placed;
            }
            cr_assert(eq(u64, all, plan->candidates));
            cr_assert(eq(u64, baked.report.field.candidates, all));
            cr_assert(eq(u64, baked.report.field.placed, placed));
            cr_assert(eq(u64, baked.report.file_bytes, baked.size));
            cr_assert(eq(u32, vxb_grass_header(baked_reader(&baked))->blade_count, (uint32_t)placed));
            baked_clear(&baked);
        }
        vxb_plan_free(plan);
        made_clear(&made);
    }
}

Test(bake, byte_budgets__hold_in_the_file_and_on_the_gpu)
{
    struct meadow made;
    bake_fixture_four(&made);
    struct vxb_plan *plan = made_plan(&made);
    uint64_t file = plan->file_fixed_bytes + 16 * 1000 + 15, gpu = plan->gpu_fixed_bytes + 24 * 800 + 23;
    vxb_plan_free(plan);
    made.recipe.budgets.has_file_bytes = true;
    made.recipe.budgets.file_bytes = file;
    struct baked baked = made_bake(&made, NULL);
    cr_assert(le(u64, baked.size, file));
    cr_assert(eq(u32, vxb_grass_header(baked_reader(&baked))->blade_budget, 1000));
    cr_assert(ge(u64, baked.report.field.placed, 990));
    baked_clear(&baked);
    made.recipe.budgets.has_gpu_bytes = true;
    made.recipe.budgets.gpu_bytes = gpu;
    baked = made_bake(&made, NULL);
    cr_assert(le(u64, baked.report.gpu_bytes, gpu));
    cr_assert(eq(u32, vxb_grass_header(baked_reader(&baked))->blade_budget, 800));
    cr_assert(ge(u64, baked.report.field.placed, 790));
    baked_clear(&baked);
    made_clear(&made);
}

/* ---- odd shapes ---- */

Test(bake, nothing_can_grow__is_a_valid_empty_field)
{
    struct meadow made;
    bake_fixture_empty(&made);
    struct baked baked = made_bake(&made, NULL);
    cr_assert(eq(u64, baked.report.field.placed, 0));
    cr_assert(eq(u64, baked.report.field.reasons[VXB_REASON_DENSITY], baked.report.field.candidates));
    baked_clear(&baked);
    made.recipe.species[0].layer = NULL;
    made.recipe.species[0].max_slope = 0.0f;
    made_plane(&made, 0, 500);
    struct made_how how = {.threads = 2, .compress = true};
    baked = made_bake(&made, &how);
    cr_assert(eq(u64, baked.report.field.placed, 0));
    cr_assert(lt(u64, 1000, baked.report.field.reasons[VXB_REASON_SLOPE]));
    baked_clear(&baked);
    made_clear(&made);
}

Test(bake, level_ground__has_every_candidate_at_one_height)
{
    for (int equal = 0; equal < 2; equal++) {
        struct meadow made;
        made_ground(&made, 65, 65, 1.0f);
        if (equal)
            made.terrain.min_height = made.terrain.max_height;
        made_species(&made, "fescue")->max_slope = 0.0f;
        struct baked baked = made_bake(&made, NULL);
        cr_assert(eq(u64, baked.report.field.placed, baked.report.field.candidates));
        struct vxb_grass_chunk chunk = baked_chunk(&baked, 0);
        cr_assert(chunk.min_y == chunk.max_y);
        cr_assert(fabsf(chunk.min_y - (equal ? 100.0f : 32768.0f / 65535.0f * 100.0f)) < 1e-4f);
        baked_clear(&baked);
        made_clear(&made);
    }
}

/* Baked blades, where they mean to stand, one after another. */
static void each_blade(const struct baked *baked, void (*see)(const struct vxb_blade *blade, void *user), void *user)
{
    const struct vxb_grass_header *header = vxb_grass_header(baked_reader(baked));
    for (uint32_t i = 0; i < header->chunk_count; i++) {
        struct vxb_grass_chunk chunk = baked_chunk(baked, i);
        uint8_t *records = baked_records(baked, &chunk);
        for (uint32_t k = 0; k < chunk.blade_count; k++) {
            struct vxb_blade blade;
            vxb_grass_decode(header, &chunk, records + (size_t)k * VXB_GRASS_RECORD_BYTES, &blade);
            see(&blade, user);
        }
        free(records);
    }
}

struct strips {
    double width, deep; /* of the terrain; of a strip */
    uint64_t last_x, last_z, middle;
};

static void see_strip(const struct vxb_blade *blade, void *user)
{
    struct strips *s = user;
    cr_assert(blade->x >= 0.0 && blade->x <= s->width + 0.01 && blade->z >= 0.0 && blade->z <= s->width + 0.01,
              "%g, %g is off the terrain", blade->x, blade->z);
    s->last_x += blade->x >= s->width - s->deep;
    s->last_z += blade->z >= s->width - s->deep;
    s->middle += blade->x >= s->width / 2.0 && blade->x < s->width / 2.0 + s->deep;
}

Test(bake, edges__are_as_dense_as_the_middle)
{
    static const struct {
        uint32_t samples;
        float quad, cell;
        uint32_t cells;
        double density;
    } grounds[] = {{64, 1.0f, 64.0f, 1, 16.0}, {65, 1.0f, 64.0f, 1, 16.0}, {126, 8.0f, 64.0f, 16, 0.25},
                   {129, 8.0f, 64.0f, 16, 0.25}, {101, 0.7f, 17.5f, 4, 16.0}};
    for (size_t i = 0; i < sizeof grounds / sizeof grounds[0]; i++) {
        struct meadow made;
        made_ground(&made, grounds[i].samples, grounds[i].samples, grounds[i].quad);
        made_species(&made, "fescue")->jitter = 1.0f;
        made.recipe.cell_size = grounds[i].cell;
        made.recipe.density = (float)grounds[i].density;
        struct vxb_plan *plan = made_plan(&made);
        cr_assert(eq(u32, plan->cells_x, grounds[i].cells));
        cr_assert(eq(u32, plan->cells_z, grounds[i].cells));
        const double width = vxb_terrain_width(&made.terrain), tried = plan->tried_density;
        vxb_plan_free(plan);
        struct baked baked = made_bake(&made, NULL);
        struct strips strips = {.width = width, .deep = width / 8.0};
        each_blade(&baked, see_strip, &strips);
        double expected = width * strips.deep * tried;
        cr_assert(fabs((double)strips.last_x / expected - 1.0) < 0.06, "%zu: %g", i, (double)strips.last_x / expected);
        cr_assert(fabs((double)strips.last_z / expected - 1.0) < 0.06, "%zu: %g", i, (double)strips.last_z / expected);
        cr_assert(fabs((double)strips.middle / expected - 1.0) < 0.06, "%zu: %g", i, (double)strips.middle / expected);
        baked_clear(&baked);
        made_clear(&made);
    }
}

struct plane {
    double worst, farthest;
};

static void see_plane(const struct vxb_blade *blade, void *user)
{
    struct plane *p = user;
    /* 500 of 65535 a metre, over 100 m */
    double error = fabs(blade->y - blade->x * 500.0 / 65535.0 * 100.0);
    p->worst = error > p->worst ? error : p->worst;
    p->farthest = blade->x > p->farthest ? blade->x : p->farthest;
}

Test(bake, tilted_plane__heights_are_exact_to_the_far_edge)
{
    struct meadow made;
    made_ground(&made, 64, 64, 1.0f);
    made_plane(&made, 0, 500);
    made_species(&made, "fescue");
    made.recipe.density = 64.0f;
    struct baked baked = made_bake(&made, NULL);
    struct plane plane = {0.0, 0.0};
    each_blade(&baked, see_plane, &plane);
    /* Half a step of x on the slope, half a step of y over a cell's range. */
    double allowed = 16.0 / 131072.0 * 0.763 + 20.0 * 0.763 / 131070.0 + 2e-5;
    cr_assert(plane.worst < allowed, "%g", plane.worst);
    cr_assert(plane.farthest > 62.9);
    baked_clear(&baked);
    made_clear(&made);
}

static void see_hole(const struct vxb_blade *blade, void *user)
{
    uint64_t *near = user;
    /* Sample 20, 7 is the hole: the quads about it are gone. */
    cr_assert(fabs(blade->x - 20.0) >= 0.9998 || fabs(blade->z - 7.0) >= 0.9998, "%g, %g", blade->x, blade->z);
    *near += fabs(blade->x - 20.0) < 2.0 && fabs(blade->z - 7.0) < 2.0;
}

Test(bake, hole__no_blade_stands_on_a_quad_that_touches_it)
{
    struct meadow made;
    made_ground(&made, 33, 33, 1.0f);
    made_hole(&made, 20, 7);
    made_species(&made, "fescue");
    made.recipe.density = 300.0f;
    struct baked baked = made_bake(&made, NULL);
    uint64_t near = 0;
    each_blade(&baked, see_hole, &near);
    cr_assert(near > 3300 && near < 3900, "%llu", (unsigned long long)near);
    baked_clear(&baked);
    made_clear(&made);
}

Test(bake, negative_cells__are_as_full_as_the_others)
{
    struct meadow made;
    made_ground(&made, 258, 258, 1.0f);
    made_species(&made, "fescue");
    made.terrain.origin[0] = made.terrain.origin[2] = -128.5f;
    made.recipe.cell_size = 64.0f;
    struct baked baked = made_bake(&made, NULL);
    struct vxb_grass_chunk chunk = baked_chunk(&baked, 0);
    cr_assert(eq(i32, chunk.cell_x, -3));
    cr_assert(eq(i32, chunk.cell_z, -3));
    uint32_t full = 0;
    for (uint32_t i = 0; i < vxb_grass_header(baked_reader(&baked))->chunk_count; i++) {
        chunk = baked_chunk(&baked, i);
        if (chunk.cell_x < -2 || chunk.cell_x > 1 || chunk.cell_z < -2 || chunk.cell_z > 1)
            continue;
        cr_assert(eq(u32, chunk.blade_count, 128 * 128));
        full++;
    }
    cr_assert(eq(u32, full, 16));
    baked_clear(&baked);
    made_clear(&made);
}

Test(bake, ends_of_the_world__verify)
{
    struct meadow made;
    made_ground(&made, 65, 65, 1.0f);
    made_hills(&made, 21);
    struct vxb_recipe_species *s = made_species(&made, "fescue");
    s->mesh_radius = 1e6f;
    s->max_scale = 1024.0f;
    s->min_scale = 0.0009765625f;
    made.recipe.cell_size = 37.0f;
    static const float ends[2] = {1048576.0f - 64.0f, -1048576.0f};
    for (int i = 0; i < 2; i++) {
        made.terrain.origin[0] = ends[i];
        made.terrain.origin[2] = ends[1 - i];
        made.terrain.origin[1] = i ? 1048476.0f : -1048576.0f;
        struct baked baked = made_bake(&made, NULL);
        cr_assert(lt(u64, 10000, baked.report.field.placed));
        baked_clear(&baked);
    }
    made_clear(&made);
}

/* ---- cancelling ---- */

static char folder[64];
static char target[96];

static void open_folder(void)
{
    strcpy(folder, "/tmp/vxbake-bake-XXXXXX");
    cr_assert(mkdtemp(folder) != NULL);
    snprintf(target, sizeof target, "%s/out.vxg", folder);
    FILE *file = fopen(target, "w");
    cr_assert(file != NULL && fputs("old", file) >= 0 && fclose(file) == 0);
}

static void check_untouched(void)
{
    char text[8] = "";
    FILE *file = fopen(target, "r");
    cr_assert(file != NULL && fgets(text, sizeof text, file) != NULL);
    fclose(file);
    cr_assert(eq(str, text, "old"));
    DIR *dir = opendir(folder);
    int entries = 0;
    cr_assert(dir != NULL);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        entries += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    cr_assert(eq(int, entries, 1), "a temporary was left behind");
}

static bool count_down(void *user)
{
    int *left = user;
    return (*left)-- == 0;
}

/* Bakes until the n-th time it is asked whether to stop. */
static enum vxb_status bake_until(const struct vxb_plan *plan, int n, uint32_t threads)
{
    struct vxb_error err = {0};
    struct vxb_env env = {.size = sizeof env, .threads = threads, .cancelled = count_down, .user = &n};
    struct vxb_bake_options options = {.size = sizeof options, .output = target, .compress = n % 2,
                                       .compress_level = 1};
    enum vxb_status status = vxb_bake_planned(&env, plan, &options, NULL, &err);
    cr_assert(status == VXB_OK || status == VXB_ERR_CANCELLED, "%s", err.message);
    return status;
}

Test(bake, cancelled__leaves_the_old_output_and_nothing_else)
{
    struct meadow made;
    bake_fixture_budgeted(&made);
    struct vxb_plan *plan = made_plan(&made);
    open_folder();
    /* How often one of many threads is asked depends on the machine; at the first time it always is. */
    for (uint32_t threads = 2; threads < 6; threads += 3) {
        cr_assert(eq(int, bake_until(plan, 0, threads), VXB_ERR_CANCELLED));
        check_untouched();
    }
    int cancelled = 0;
    for (int n = 0; bake_until(plan, n, 1) == VXB_ERR_CANCELLED; n = n < 4 ? n + 1 : n + n / 3) {
        check_untouched();
        cancelled++;
    }
    cr_assert(ge(int, cancelled, 10));
    unlink(target);
    rmdir(folder);
    vxb_plan_free(plan);
    made_clear(&made);
}

/* ---- no memory ---- */

Test(bake, memory_that_runs_out__is_told_or_makes_no_difference)
{
    struct meadow made;
    bake_fixture_budgeted(&made);
    made.recipe.budgets.max_blades = 300;
    made.recipe.density = 2.0f;
    struct made_how how = {.compress = true, .split = true};
    struct baked whole = made_bake(&made, &how);
    open_folder();
    bool refused = true;
    int failed = 0;
    for (uint64_t n = 1; refused; n++) {
        struct heap heap = {.fail_at = n};
        const struct vxb_env env = heap_env(&heap);
        struct vxb_error err = {0};
        struct vxb_bake_options options = {.size = sizeof options, .output = target, .compress = true,
                                           .compress_level = 3, .split = true};
        struct vxb_bake_report report;
        struct vxb_plan *plan = NULL;
        enum vxb_status status = vxb_plan_new(&env, &made.recipe, &made.terrain, &plan, &err);
        if (!status)
            status = vxb_bake_planned(&env, plan, &options, &report, &err);
        vxb_plan_free(plan);
        refused = heap.calls >= n;
        cr_assert(eq(u64, heap.now, 0), "request %" PRIu64, n);
        if (status == VXB_OK) {
            cr_assert(eq(u64, report.content_id, whole.report.content_id), "request %" PRIu64, n);
        } else {
            cr_assert(eq(int, status, VXB_ERR_MEMORY), "request %" PRIu64 ": %s", n, err.message);
            cr_assert(strlen(err.message) > 0);
            check_untouched();
            failed++;
        }
        if (status == VXB_OK && refused) {
            FILE *file = fopen(target, "w");
            cr_assert(file != NULL && fputs("old", file) >= 0 && fclose(file) == 0);
        }
    }
    cr_assert(ge(int, failed, 10));
    unlink(target);
    rmdir(folder);
    baked_clear(&whole);
    made_clear(&made);
}

/* ---- progress ---- */

struct heard {
    uint64_t last[2];
    int calls, twisted;
};

static void hear_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    struct heard *heard = user;
    int phase = strcmp(what, "write") == 0;
    heard->twisted += done > total || done < heard->last[phase];
    heard->last[phase] = done;
    heard->calls++;
    if (phase == 0)
        cr_assert(eq(u64, heard->last[1], 0), "scattering after writing");
}

Test(bake, progress__rises_to_its_total)
{
    struct meadow made;
    bake_fixture_four(&made);
    struct vxb_plan *plan = made_plan(&made);
    const uint64_t cells = (uint64_t)plan->cells_x * plan->cells_z;
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        struct heard heard = {0};
        struct vxb_error err = {0};
        struct vxb_env env = {.size = sizeof env, .threads = threads, .progress = hear_progress, .user = &heard};
        struct vxb_bake_options options = {.size = sizeof options};
        struct vxb_bake_report report;
        cr_assert(eq(int, vxb_bake_planned(&env, plan, &options, &report, &err), VXB_OK), "%s", err.message);
        cr_assert(eq(int, heard.twisted, 0));
        cr_assert(eq(u64, heard.last[0], cells));
        cr_assert(eq(u64, heard.last[1], report.field.chunks));
        /* One thread tells of every cell; how many of them are the first one's of several is chance. */
        cr_assert(threads > 1 || (uint64_t)heard.calls > cells, "%d calls", heard.calls);
    }
    vxb_plan_free(plan);
    made_clear(&made);
}

/* ---- the two ways to bake ---- */

Test(bake, no_output__reports_what_a_file_would_be)
{
    struct meadow made;
    bake_fixture_budgeted(&made);
    struct baked baked = made_bake(&made, NULL);
    struct vxb_plan *plan = made_plan(&made);
    struct vxb_bake_options options = {.size = sizeof options};
    struct vxb_bake_report report;
    struct vxb_error err = {0};
    cr_assert(eq(int, vxb_bake_planned(NULL, plan, &options, &report, &err), VXB_OK), "%s", err.message);
    cr_assert(eq(u64, report.content_id, baked.report.content_id));
    cr_assert(eq(u64, report.file_bytes, baked.size));
    cr_assert(eq(u64, report.field.placed, baked.report.field.placed));
    cr_assert(report.written == false);
    vxb_plan_free(plan);
    baked_clear(&baked);
    made_clear(&made);
}
