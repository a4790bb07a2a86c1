/* The plan: apportionment, the grid of cells, budgets, and identities. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "grass/apportion.h"
#include "grass/identity.h"
#include "make_bake.h"

/* ---- apportionment ---- */

/* Webster's method as it is told: one unit after another to whoever is owed most. */
static void one_by_one(uint64_t total, const uint64_t *weights, uint32_t count, uint64_t *parts)
{
    memset(parts, 0, count * sizeof *parts);
    for (uint64_t i = 0; i < total; i++) {
        uint32_t next = 0;
        for (uint32_t k = 1; k < count; k++)
            if (weights[k] * (2 * parts[next] + 1) > weights[next] * (2 * parts[k] + 1))
                next = k;
        parts[next]++;
    }
}

static void check_apportion(uint64_t total, const uint64_t *weights, uint32_t count, const uint64_t *expected)
{
    uint64_t parts[VXB_SPECIES_MAX];
    vxbi_apportion(total, weights, count, parts);
    for (uint32_t k = 0; k < count; k++)
        cr_assert(eq(u64, parts[k], expected[k]), "total %" PRIu64 ", share %u", total, k);
}

Test(plan, apportion__gives_the_known_answers)
{
    check_apportion(100, (uint64_t[]){1, 1, 1}, 3, (uint64_t[]){34, 33, 33});
    check_apportion(7, (uint64_t[]){5, 3, 2}, 3, (uint64_t[]){4, 2, 1});
    check_apportion(1, (uint64_t[]){1, 1, 1, 1}, 4, (uint64_t[]){1, 0, 0, 0});
    check_apportion(1, (uint64_t[]){1, 1, 2, 1}, 4, (uint64_t[]){0, 0, 1, 0});
    check_apportion(0, (uint64_t[]){3, 1}, 2, (uint64_t[]){0, 0});
    check_apportion(12345, (uint64_t[]){9}, 1, (uint64_t[]){12345});
}

static uint32_t random_weights(struct made_random *r, uint64_t *weights)
{
    uint32_t count = 1 + made_below(r, 4);
    for (uint32_t k = 0; k < count; k++)
        weights[k] = 1 + (made_below(r, 3) ? made_below(r, 1u << made_below(r, 24)) : made_below(r, 5));
    return count;
}

Test(plan, apportion__is_one_unit_after_another)
{
    struct made_random r = {1};
    for (int round = 0; round < 3000; round++) {
        uint64_t weights[VXB_SPECIES_MAX], expected[VXB_SPECIES_MAX];
        uint32_t count = random_weights(&r, weights);
        uint64_t total = made_below(&r, 1u << made_below(&r, 11));
        one_by_one(total, weights, count, expected);
        check_apportion(total, weights, count, expected);
    }
}

Test(plan, apportion__a_larger_total_takes_from_nobody)
{
    struct made_random r = {2};
    for (int round = 0; round < 60; round++) {
        uint64_t weights[VXB_SPECIES_MAX], before[VXB_SPECIES_MAX], parts[VXB_SPECIES_MAX];
        uint32_t count = random_weights(&r, weights);
        vxbi_apportion(0, weights, count, before);
        for (uint64_t total = 1; total < 1500; total++) {
            vxbi_apportion(total, weights, count, parts);
            uint64_t sum = 0;
            for (uint32_t k = 0; k < count; k++) {
                cr_assert(parts[k] >= before[k]);
                sum += before[k] = parts[k];
            }
            cr_assert(eq(u64, sum, total));
        }
    }
}

Test(plan, apportion__large_totals_sum_and_stay_near_their_quota)
{
    struct made_random r = {3};
    for (int round = 0; round < 20000; round++) {
        uint64_t weights[VXB_SPECIES_MAX], parts[VXB_SPECIES_MAX], all = 0, sum = 0;
        uint32_t count = 1 + made_below(&r, 4);
        uint64_t total = 4294967294u - made_below(&r, 1000);
        for (uint32_t k = 0; k < count; k++)
            all += weights[k] = 1 + made_below(&r, 1000000);
        vxbi_apportion(total, weights, count, parts);
        for (uint32_t k = 0; k < count; k++) {
            sum += parts[k];
            cr_assert(fabs((double)parts[k] - (double)total * (double)weights[k] / (double)all) < 2.0);
        }
        cr_assert(eq(u64, sum, total));
    }
}

Test(plan, apportion__largest_shares_do_not_overflow)
{
    uint64_t weights[4] = {vxbi_share_weight(1e6f), vxbi_share_weight(1e6f), vxbi_share_weight(1e6f),
                           vxbi_share_weight(1e-6f)};
    cr_assert(eq(u64, weights[0], 1000000000000u));
    cr_assert(eq(u64, weights[3], 1));
    check_apportion(1000000, weights, 4, (uint64_t[]){333334, 333333, 333333, 0});
}

/* ---- plans that can't be ---- */

static void check_refused(const struct meadow *made, enum vxb_status status, const char *pointer, const char *text)
{
    struct vxb_plan *plan = NULL;
    struct vxb_error err = {0};
    enum vxb_status got = vxb_plan_new(NULL, &made->recipe, &made->terrain, &plan, &err);
    cr_assert(eq(int, got, status), "%s", err.message);
    cr_assert(plan == NULL);
    cr_assert(strcmp(err.pointer, pointer) == 0, "%s: %s", err.pointer, err.message);
    cr_assert(strstr(err.message, text) != NULL, "%s", err.message);
    cr_assert(eq(str, err.path, "made.json"));
}

Test(plan, limits__are_named)
{
    struct meadow made;
    made_ground(&made, 65, 65, 1.0f);
    made_species(&made, "fescue");
    made.recipe.density = 0.2499f / 256.0f;
    check_refused(&made, VXB_ERR_LIMIT, "/density", "at least half a candidate");
    made.recipe.density = 0.25f / 256.0f;
    vxb_plan_free(made_plan(&made));
    made.recipe.density = 4097.0f * 4097.0f / 256.0f;
    check_refused(&made, VXB_ERR_LIMIT, "/density", "4096");
    made.recipe.density = 4096.0f * 4096.0f / 256.0f;
    vxb_plan_free(made_plan(&made));
    made.recipe.density = 3.4e38f;
    check_refused(&made, VXB_ERR_LIMIT, "/density", "4096");
    made.recipe.density = 4.0f;
    for (int axis = 0; axis < 3; axis++) {
        made.terrain.origin[axis] = axis == 1 ? 1048476.125f : 1048512.125f;
        check_refused(&made, VXB_ERR_LIMIT, "/terrain/origin", (const char *const[]){"x = ", "y = ", "z = "}[axis]);
        made.terrain.origin[axis] = -1048576.125f;
        check_refused(&made, VXB_ERR_LIMIT, "/terrain/origin", "1048576");
        made.terrain.origin[axis] = axis == 1 ? 1048476.0f : 1048512.0f;
        vxb_plan_free(made_plan(&made));
        made.terrain.origin[axis] = 0.0f;
    }
    made_clear(&made);
}

Test(plan, too_many_cells__are_refused_before_any_work)
{
    struct meadow made;
    made_ground(&made, 2, 2, 1000.0f);
    made_species(&made, "fescue");
    made.recipe.cell_size = 1.0f;
    made.terrain.samples_x = made.terrain.samples_z = 10; /* nothing is read */
    check_refused(&made, VXB_ERR_LIMIT, "/cell_size", "67108864");
    made_clear(&made);
}

Test(plan, species_that_can_not_be__are_named)
{
    struct meadow made;
    made_ground(&made, 17, 17, 1.0f);
    made_layer(&made, "Grass", 17, 17);
    made_layer(&made, "Dirt", 17, 17);
    made_species(&made, "fescue");
    struct vxb_recipe_species *s = made_species(&made, "clover");
    s->layer = "grass";
    check_refused(&made, VXB_ERR_USAGE, "/species/1/layer", "no layer \"grass\"; it has \"Grass\", \"Dirt\"");
    s->layer = NULL;
    s->name = "fescue";
    check_refused(&made, VXB_ERR_USAGE, "/species/1", "0 (\"fescue\") and 1 (\"fescue\") have one id");
    s->name = "Fescue";
    vxb_plan_free(made_plan(&made));
    s->has_id = true;
    s->id = 0;
    check_refused(&made, VXB_ERR_USAGE, "/species/1/id", "id is 0");
    s->id = vxbi_name_id("fescue");
    check_refused(&made, VXB_ERR_USAGE, "/species/1/id", "one id");
    s->has_id = false;
    s->share = 1e-6f;
    made.recipe.species[0].share = 10.0f;
    check_refused(&made, VXB_ERR_USAGE, "/species/1/share", "less than a millionth");
    made.terrain.layer_count = 0;
    s->layer = "Grass";
    s->share = 1.0f;
    check_refused(&made, VXB_ERR_USAGE, "/species/1/layer", "it has none");
    made_clear(&made);
}

/* ---- the grid ---- */

static void check_cells(float origin, uint32_t samples, float quad, float size, int32_t first, uint32_t count)
{
    struct meadow made;
    made_ground(&made, samples, 3, quad);
    made_species(&made, "fescue");
    made.terrain.origin[0] = origin;
    made.recipe.cell_size = size;
    struct vxb_plan *plan = made_plan(&made);
    cr_assert(eq(i32, plan->cell_x0, first), "origin %g, %u samples", (double)origin, samples);
    cr_assert(eq(u32, plan->cells_x, count), "origin %g, %u samples", (double)origin, samples);
    cr_assert(eq(u64, plan->candidates, (uint64_t)plan->side * plan->side * plan->cells_x * plan->cells_z));
    vxb_plan_free(plan);
    made_clear(&made);
}

Test(plan, cells__are_those_that_overlap_by_floor)
{
    check_cells(0.0f, 1025, 1.0f, 64.0f, 0, 16);
    check_cells(0.0f, 1001, 1.0f, 64.0f, 0, 16);
    check_cells(0.0f, 64, 1.0f, 64.0f, 0, 1);
    check_cells(0.0f, 66, 1.0f, 64.0f, 0, 2);
    check_cells(-128.5f, 258, 1.0f, 64.0f, -3, 6);
    check_cells(-128.0f, 257, 1.0f, 64.0f, -2, 4);
    check_cells(-64.0f, 65, 1.0f, 64.0f, -1, 1);
    check_cells(64.0f, 65, 1.0f, 64.0f, 1, 1);
    check_cells(-0.5f, 2, 1.0f, 64.0f, -1, 2);
    check_cells(0.0f, 11, 0.7f, 3.5f, 0, 2);
    check_cells(-7.0f, 11, 1.4f, 3.5f, -2, 4);
    check_cells(1048512.0f, 65, 1.0f, 1.0f, 1048512, 64);
    check_cells(-1048576.0f, 65, 1.0f, 1.0f, -1048576, 64);
}

Test(plan, side__is_the_rounded_root_of_the_density)
{
    static const struct {
        float size, density;
        uint32_t side;
    } known[] = {{32.0f, 24.0f, 157}, {24.0f, 9.3f, 73}, {17.5f, 4.0f, 35}, {8.0f, 4.0f, 16},
                 {1.0f, 0.25f, 1}, {1.0f, 6.25f, 2}, {1.0f, 12.25f, 4}, {16.0f, 1.0f / 256.0f, 1}};
    struct meadow made;
    made_ground(&made, 5, 5, 1.0f);
    made_species(&made, "fescue");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        made.recipe.cell_size = known[i].size;
        made.recipe.density = known[i].density;
        struct vxb_plan *plan = made_plan(&made);
        cr_assert(eq(u32, plan->side, known[i].side), "size %g, density %g", (double)known[i].size,
                  (double)known[i].density);
        cr_assert(plan->step == known[i].size / (float)known[i].side);
        cr_assert(fabs(plan->tried_density * (double)known[i].size * (double)known[i].size -
                       (double)known[i].side * known[i].side) < 1e-6);
        vxb_plan_free(plan);
    }
    made_clear(&made);
}

/* ---- species ---- */

Test(plan, shares__become_a_million_parts_in_id_order)
{
    struct made_random r = {5};
    static const char *const names[4] = {"a", "b", "c", "d"};
    for (int round = 0; round < 500; round++) {
        struct meadow made;
        made_ground(&made, 3, 3, 1.0f);
        uint32_t count = 1 + made_below(&r, 4), sum = 0;
        for (uint32_t k = 0; k < count; k++)
            made_species(&made, names[k])->share = made_between(&r, 0.001f, made_below(&r, 2) ? 1.0f : 900.0f);
        struct vxb_plan *plan = made_plan(&made);
        double ceiling = 0.0;
        for (uint32_t k = 0; k < count; k++) {
            cr_assert(eq(u32, plan->species[k].first_part, sum));
            cr_assert(k == 0 || plan->species[k].id > plan->species[k - 1].id);
            cr_assert(plan->species[k].recipe == &made.recipe.species[plan->species[k].recipe_index]);
            sum += plan->species[k].parts;
            ceiling += plan->species[k].ceiling;
        }
        cr_assert(eq(u32, sum, 1000000));
        cr_assert(fabs(ceiling - plan->tried_density) < 1e-9);
        vxb_plan_free(plan);
        made_clear(&made);
    }
}

Test(plan, shares__are_ratios_whatever_they_sum_to)
{
    static const float sums[] = {0.999f, 1.0f, 1.2f, 1000.0f};
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
        struct meadow made;
        made_ground(&made, 3, 3, 1.0f);
        made_species(&made, "a")->share = sums[i] * 0.75f;
        made_species(&made, "b")->share = sums[i] * 0.25f;
        struct vxb_plan *plan = made_plan(&made);
        uint32_t a = plan->species[0].recipe_index == 0 ? 0 : 1;
        cr_assert(fabs(plan->species[a].parts - 750000.0) < 1.5);
        vxb_plan_free(plan);
        made_clear(&made);
    }
}

Test(plan, order_in_the_recipe__is_gone)
{
    struct meadow made;
    made_ground(&made, 17, 17, 1.0f);
    made_species(&made, "fescue")->share = 3.0f;
    made_species(&made, "clover")->material = "leaf";
    made_species(&made, "sedge")->material = "leaf";
    made_species(&made, "straw")->share = 0.3f;
    made.recipe.budgets.has_max_blades = true;
    made.recipe.budgets.max_blades = 1001;
    struct vxb_plan *first = made_plan(&made);
    for (int turn = 0; turn < 3; turn++) {
        struct vxb_recipe_species moving = made.recipe.species[0];
        memmove(made.recipe.species, made.recipe.species + 1, 3 * sizeof moving);
        made.recipe.species[3] = moving;
        struct vxb_plan *other = made_plan(&made);
        cr_assert(eq(u64, other->bake_id, first->bake_id));
        for (uint32_t k = 0; k < 4; k++) {
            const struct vxb_plan_species *a = &first->species[k], *b = &other->species[k];
            cr_assert(a->id == b->id && a->material_id == b->material_id && a->profile_id == b->profile_id);
            cr_assert(a->parts == b->parts && a->material_index == b->material_index && a->first_part == b->first_part);
            cr_assert(eq(u32, a->blade_budget, b->blade_budget));
        }
        vxb_plan_free(other);
    }
    vxb_plan_free(first);
    made_clear(&made);
}

Test(plan, material_index__is_the_rank_among_distinct_materials)
{
    struct meadow made;
    made_ground(&made, 17, 17, 1.0f);
    static const char *const materials[4] = {"leaf", "stem", "leaf", "flower"};
    static const char *const names[4] = {"fescue", "clover", "sedge", "straw"};
    for (int k = 0; k < 4; k++)
        made_species(&made, names[k])->material = materials[k];
    struct vxb_plan *plan = made_plan(&made);
    for (uint32_t k = 0; k < 4; k++) {
        uint64_t lower[4];
        uint32_t distinct = 0;
        for (uint32_t i = 0; i < 4; i++) {
            uint64_t id = plan->species[i].material_id;
            bool seen = id >= plan->species[k].material_id;
            for (uint32_t j = 0; j < distinct; j++)
                seen = seen || lower[j] == id;
            if (!seen)
                lower[distinct++] = id;
        }
        cr_assert(eq(u32, plan->species[k].material_index, distinct));
        cr_assert(eq(u64, plan->species[k].material_id, vxbi_name_id(plan->species[k].recipe->material)));
    }
    vxb_plan_free(plan);
    made_clear(&made);
}

/* ---- budgets ---- */

static void check_budget(const struct meadow *made, uint32_t blades, enum vxb_budget_kind kind)
{
    struct vxb_plan *plan = made_plan(made);
    cr_assert(eq(u32, plan->blade_budget, blades));
    cr_assert(eq(int, plan->budget_kind, kind));
    uint64_t sum = 0;
    for (uint32_t k = 0; k < plan->species_count; k++)
        sum += plan->species[k].blade_budget;
    if (kind != VXB_BUDGET_NONE)
        cr_assert(eq(u64, sum, blades));
    else
        cr_assert(eq(u32, plan->species[0].blade_budget, VXB_NO_LIMIT));
    vxb_plan_free(plan);
}

Test(plan, budgets__the_smallest_binds_and_is_named)
{
    struct meadow made;
    made_ground(&made, 65, 65, 1.0f);
    made_species(&made, "fescue");
    made_species(&made, "clover")->share = 2.0f;
    made.recipe.species[1].passes[1] = "shadow";
    made.recipe.species[1].pass_count = 2;
    made.recipe.species[1].lod_count = 3;
    check_budget(&made, VXB_NO_LIMIT, VXB_BUDGET_NONE);
    struct vxb_recipe_budgets *b = &made.recipe.budgets;
    /* 16 cells, 2 species, 4 LODs, 3 passes; strings: fescue twice, clover twice, main, main, shadow. */
    const uint64_t strings = (2 + 6) * 2 + 2 + (2 + 6) * 2 + 2 + (2 + 4) * 2 + (2 + 6);
    const uint64_t file = 128 + 128 + 32 * 4 + strings + 56 * 16 * 2 + 64 + 48 * 16 * 2;
    const uint64_t gpu = 56 * 16 * 2 + 32 * 4 + 20 * 16 * 3;
    cr_assert(eq(u64, strings % 8, 0));
    struct vxb_plan *plan = made_plan(&made);
    cr_assert(eq(u64, plan->file_fixed_bytes, file));
    cr_assert(eq(u64, plan->gpu_fixed_bytes, gpu));
    vxb_plan_free(plan);
    b->has_max_blades = true;
    b->max_blades = 500;
    check_budget(&made, 500, VXB_BUDGET_MAX_BLADES);
    b->has_gpu_bytes = true;
    b->gpu_bytes = gpu + 24 * 500 + 23;
    check_budget(&made, 500, VXB_BUDGET_MAX_BLADES);
    b->gpu_bytes = gpu + 24 * 500 - 1;
    check_budget(&made, 499, VXB_BUDGET_GPU_BYTES);
    b->has_file_bytes = true;
    b->file_bytes = file + 16 * 499 - 1;
    check_budget(&made, 498, VXB_BUDGET_FILE_BYTES);
    b->file_bytes = file;
    check_budget(&made, 0, VXB_BUDGET_FILE_BYTES);
    b->file_bytes = file - 1;
    check_refused(&made, VXB_ERR_USAGE, "/budgets/file_bytes", "do not hold even an empty field");
    b->has_file_bytes = false;
    b->gpu_bytes = gpu - 1;
    check_refused(&made, VXB_ERR_USAGE, "/budgets/gpu_bytes", "do not hold even an empty field");
    b->gpu_bytes = 0;
    check_refused(&made, VXB_ERR_USAGE, "/budgets/gpu_bytes", "0 bytes");
    b->has_gpu_bytes = false;
    b->max_blades = 0;
    check_budget(&made, 0, VXB_BUDGET_MAX_BLADES);
    made_clear(&made);
}

Test(plan, budgets__beyond_what_a_file_counts_are_what_it_counts)
{
    struct meadow made;
    made_ground(&made, 65, 65, 1.0f);
    made_species(&made, "fescue");
    made.recipe.budgets.has_file_bytes = true;
    made.recipe.budgets.file_bytes = ((uint64_t)1 << 53) - 1;
    check_budget(&made, 4294967294u, VXB_BUDGET_FILE_BYTES);
    made.recipe.budgets.has_gpu_bytes = true;
    made.recipe.budgets.gpu_bytes = ((uint64_t)1 << 53) - 1;
    check_budget(&made, 4294967294u, VXB_BUDGET_GPU_BYTES);
    made_clear(&made);
}

/* ---- identities ---- */

static void make_meadow(struct meadow *made)
{
    made_ground(made, 33, 33, 1.0f);
    made_layer(made, "Grass", 33, 33);
    made_layer(made, "Dirt", 33, 33);
    made_map(made, &made->terrain.exclude, 33, 33);
    made_map(made, &made->terrain.scale, 33, 33);
    struct vxb_recipe_species *s = made_species(made, "fescue");
    s->has_id = true;
    s->id = 5;
    s->layer = "Grass";
    s->has_altitude = true;
    s->altitude[0] = 1.0f;
    s->altitude[1] = 99.0f;
    s->lods[0].distance = 30.0f;
    s->lods[0].fade = 20.0f;
    made_species(made, "clover");
}

struct change {
    const char *name;
    void (*make)(struct meadow *made, struct vxb_recipe_species *s);
};

#define CHANGE(name, what)                                                                                             \
    static void change_##name(struct meadow *m, struct vxb_recipe_species *s)                                         \
    {                                                                                                                 \
        (void)m;                                                                                                      \
        (void)s;                                                                                                      \
        what;                                                                                                         \
    }
#define EACH_CHANGE(X)                                                                                                 \
    X(seed, m->recipe.seed++)                                                                                         \
    X(cell_size, m->recipe.cell_size = nextafterf(16.0f, 99.0f))                                                      \
    X(density, m->recipe.density = nextafterf(4.0f, 99.0f))                                                           \
    X(density_scale, m->recipe.density_scale = nextafterf(1.0f, 0.0f))                                                \
    X(no_max_blades, m->recipe.budgets.has_max_blades = true)                                                         \
    X(max_blades, (m->recipe.budgets.has_max_blades = true, m->recipe.budgets.max_blades = 1))                        \
    X(gpu_bytes, (m->recipe.budgets.has_gpu_bytes = true, m->recipe.budgets.gpu_bytes = 1000000))                     \
    X(gpu_bytes_more, (m->recipe.budgets.has_gpu_bytes = true, m->recipe.budgets.gpu_bytes = 1000001))                \
    X(file_bytes, (m->recipe.budgets.has_file_bytes = true, m->recipe.budgets.file_bytes = 1000000))                  \
    X(max_commands, m->recipe.budgets.has_max_commands = true)                                                        \
    X(max_commands_value, (m->recipe.budgets.has_max_commands = true, m->recipe.budgets.max_commands = 9))            \
    X(updates, m->recipe.budgets.has_updates_per_frame = true)                                                        \
    X(updates_value, (m->recipe.budgets.has_updates_per_frame = true, m->recipe.budgets.updates_per_frame = 9))       \
    X(samples_x, m->terrain.samples_x = 32)                                                                           \
    X(samples_z, m->terrain.samples_z = 32)                                                                           \
    X(raw_big, (m->terrain.kind = VXB_TERRAIN_RAW, m->recipe.terrain.order = VXB_ORDER_BIG))                          \
    X(flip_x, m->recipe.terrain.flip = VXB_FLIP_X)                                                                    \
    X(flip_z, m->recipe.terrain.flip = VXB_FLIP_Z)                                                                    \
    X(transpose, m->recipe.terrain.transpose = true)                                                                  \
    X(min_height, m->terrain.min_height = -1.0f)                                                                      \
    X(max_height, m->terrain.max_height = 99.0f)                                                                      \
    X(metres_per_quad, m->terrain.metres_per_quad = 1.5f)                                                             \
    X(origin_x, m->terrain.origin[0] = 1e-30f)                                                                        \
    X(origin_y, m->terrain.origin[1] = 1.0f)                                                                          \
    X(origin_z, m->terrain.origin[2] = 1.0f)                                                                          \
    X(terrain_file, m->terrain.file_hash++)                                                                           \
    X(sample, m->terrain.sample = VXB_SAMPLE_F32)                                                                     \
    X(layer_file, m->layers[1].map.file_hash++)                                                                       \
    X(layer_channel, m->layers[0].map.channel = VXB_CHANNEL_G)                                                        \
    X(layer_name, m->layers[1].name = m->layer_descs[1].name = "dirt")                                                \
    X(exclude_file, m->terrain.exclude.file_hash++)                                                                   \
    X(exclude_channel, m->terrain.exclude.channel = VXB_CHANNEL_A)                                                    \
    X(no_exclude, m->terrain.exclude.samples = NULL)                                                                  \
    X(scale_file, m->terrain.scale.file_hash++)                                                                       \
    X(scale_channel, m->terrain.scale.channel = VXB_CHANNEL_B)                                                        \
    X(no_scale, m->terrain.scale.samples = NULL)                                                                      \
    X(name, s->name = "Fescue")                                                                                       \
    X(id, s->id = 6)                                                                                                  \
    X(share, s->share = 1.00001f)                                                                                     \
    X(material, s->material = "leaf")                                                                                 \
    X(mesh, s->mesh = "blade")                                                                                        \
    X(mesh_radius, s->mesh_radius = 2.0f)                                                                             \
    X(other_layer, s->layer = "Dirt")                                                                                 \
    X(no_layer, s->layer = NULL)                                                                                      \
    X(min_weight, s->min_weight = 0.2f)                                                                               \
    X(max_weight, s->max_weight = 0.7f)                                                                               \
    X(jitter, s->jitter = 0.9f)                                                                                       \
    X(min_scale, s->min_scale = 0.8f)                                                                                 \
    X(max_scale, s->max_scale = 1.4f)                                                                                 \
    X(random_yaw, s->random_yaw = false)                                                                              \
    X(align, s->align_to_normal = 0.5f)                                                                               \
    X(max_slope, s->max_slope = 1.0f)                                                                                 \
    X(no_altitude, s->has_altitude = false)                                                                           \
    X(altitude_low, s->altitude[0] = 2.0f)                                                                            \
    X(altitude_high, s->altitude[1] = 98.0f)                                                                          \
    X(lod_distance, s->lods[0].distance = 31.0f)                                                                      \
    X(lod_keep, s->lods[0].keep = 0.5f)                                                                               \
    X(lod_fade, s->lods[0].fade = 21.0f)                                                                              \
    X(lod_index_count, s->lods[0].index_count = 1)                                                                    \
    X(lod_first_index, s->lods[0].first_index = 1)                                                                    \
    X(lod_vertex_offset, s->lods[0].vertex_offset = -1)                                                               \
    X(lods, (s->lod_count = 2, s->lods[1].distance = 40.0f))                                                          \
    X(pass_name, s->passes[0] = "Main")                                                                               \
    X(passes, (s->pass_count = 2, s->passes[1] = "shadow"))
EACH_CHANGE(CHANGE)

#define ENTRY(name, what) {#name, change_##name},
static const struct change changes[] = {EACH_CHANGE(ENTRY)};
enum { CHANGES = sizeof changes / sizeof changes[0] };

static uint64_t bake_id_with(void (*make)(struct meadow *made, struct vxb_recipe_species *s))
{
    struct meadow made;
    make_meadow(&made);
    if (make)
        make(&made, &made.recipe.species[0]);
    struct vxb_plan *plan = made_plan(&made);
    uint64_t id = plan->bake_id;
    vxb_plan_free(plan);
    made_clear(&made);
    return id;
}

Test(plan, bake_id__changes_with_whatever_decides_a_byte)
{
    uint64_t ids[CHANGES + 1] = {bake_id_with(NULL)};
    for (size_t i = 0; i < CHANGES; i++) {
        ids[i + 1] = bake_id_with(changes[i].make);
        for (size_t k = 0; k <= i; k++)
            cr_assert(ids[k] != ids[i + 1], "%s and %s have one bake id", changes[i].name,
                      k ? changes[k - 1].name : "nothing");
    }
}

#define EACH_NON_CHANGE(X)                                                                                             \
    X(negative_zero, m->terrain.origin[0] = -0.0f)                                                                    \
    X(stomp, made_map(m, &m->terrain.stomp, 4, 4))                                                                    \
    X(recipe_path, m->recipe.path = "other.json")                                                                     \
    X(terrain_path, m->recipe.terrain.path = "other.png")                                                             \
    X(allow_8bit, m->recipe.terrain.allow_8bit = true)                                                                \
    X(order_of_no_raw, m->recipe.terrain.order = VXB_ORDER_BIG)                                                       \
    X(rule, (s->rule = "other.vxgrass", s->rule_has_density = true, s->rule_density = 7.0f))                          \
    X(unused_budget, m->recipe.budgets.max_blades = 7)                                                                \
    X(unused_altitude, (m->recipe.species[1].altitude[0] = 3.0f, m->recipe.species[1].altitude[1] = 4.0f))            \
    X(unused_lod, s->lods[1].distance = 3.0f)                                                                         \
    X(order_of_layers, swap_layers(m))                                                                                \
    X(order_of_species, swap_species(m))

static void swap_layers(struct meadow *m)
{
    struct vxb_layer layer = m->layers[0];
    struct vxb_layer_desc desc = m->layer_descs[0];
    m->layers[0] = m->layers[1];
    m->layers[1] = layer;
    m->layer_descs[0] = m->layer_descs[1];
    m->layer_descs[1] = desc;
}

static void swap_species(struct meadow *m)
{
    struct vxb_recipe_species s = m->recipe.species[0];
    m->recipe.species[0] = m->recipe.species[1];
    m->recipe.species[1] = s;
}

EACH_NON_CHANGE(CHANGE)
static const struct change non_changes[] = {EACH_NON_CHANGE(ENTRY)};

Test(plan, bake_id__stays_with_whatever_decides_none)
{
    uint64_t id = bake_id_with(NULL);
    for (size_t i = 0; i < sizeof non_changes / sizeof non_changes[0]; i++)
        cr_assert(eq(u64, bake_id_with(non_changes[i].make), id), "%s", non_changes[i].name);
}

/* ---- the worked example of vxbake-recipe(5) ---- */

/* The bytes that the page shows; *size of them. */
static void page_bytes(uint8_t *bytes, size_t room, size_t *size)
{
    char line[256];
    FILE *page = fopen(TEST_DATA "/../../man/vxbake-recipe.5", "r");
    cr_assert(page != NULL);
    *size = 0;
    while (fgets(line, sizeof line, page)) {
        char *at = line;
        if (strtoul(line, &at, 16) != *size || at != line + 4 || strncmp(at, "  ", 2) != 0)
            continue;
        for (char *end; *size < room; at = end) {
            unsigned long byte = strtoul(at, &end, 16);
            if (end == at)
                break;
            bytes[(*size)++] = (uint8_t)byte;
        }
    }
    fclose(page);
}

/* The ids were worked out from the pages by another program. */
Test(plan, meadow_example__has_the_ids_of_the_page)
{
    static const struct {
        const char *name;
        uint64_t id, profile;
        uint32_t parts, budget;
    } known[3] = {{"Clover", 0x3307ADAEA0CBAA58u, 0xD37229FD6300B03Eu, 250000, 62500},
                  {"Meadow", 0x6FC758277CEA0629u, 0xC4C48CAF7AA68D2Bu, 500000, 125000},
                  {"Straw", 0xD44941C93691F05Eu, 0xCC81B42C97893DC7u, 250000, 62500}};
    struct vxb_recipe *recipe = NULL;
    struct vxb_terrain *terrain = NULL;
    struct vxb_plan *plan = NULL;
    struct vxb_error err = {0};
    enum vxb_status status =
        vxb_recipe_load(NULL, TEST_DATA "/../../examples/meadow/meadow.json", NULL, 0, &recipe, &err);
    if (status == VXB_ERR_UNSUPPORTED)
        cr_skip_test("this build reads no rule files: %s", err.message);
    cr_assert(eq(int, status, VXB_OK), "%s", err.message);
    cr_assert(eq(int, vxb_terrain_load(NULL, &recipe->terrain, &terrain, &err), VXB_OK), "%s", err.message);
    cr_assert(eq(int, vxb_plan_new(NULL, recipe, terrain, &plan, &err), VXB_OK), "%s", err.message);
    cr_assert(eq(u32, plan->species_count, 3));
    for (uint32_t k = 0; k < 3; k++) {
        const struct vxb_plan_species *s = &plan->species[k];
        cr_assert(eq(str, (char *)s->recipe->name, (char *)known[k].name));
        cr_assert(eq(u64, s->id, known[k].id));
        cr_assert(eq(u64, s->profile_id, known[k].profile));
        cr_assert(eq(u32, s->parts, known[k].parts));
        cr_assert(eq(u32, s->blade_budget, known[k].budget));
    }
    uint8_t clover[512];
    size_t size;
    page_bytes(clover, sizeof clover, &size);
    cr_assert(eq(sz, size, 120));
    cr_assert(eq(u64, vxbi_hash(clover, size), known[0].profile));
    cr_assert(eq(u64, plan->bake_id, 0x3FE528E8A08D5EC0u));
    vxb_plan_free(plan);
    vxb_terrain_free(terrain);
    vxb_recipe_free(recipe);
}
