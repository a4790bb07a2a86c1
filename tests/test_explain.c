/* What explain says of candidates is what the bake does with them: the same blades, the same reasons, whatever the
 * recipe, the spot and the budget. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bake_fixtures.h"
#include "heap.h"
#include "vxbake/explain.h"

static struct vxb_explanation *explained(const struct vxb_plan *plan, const struct vxb_explain_options *options)
{
    struct vxb_explanation *e = NULL;
    struct vxb_error err = {0};
    cr_assert(eq(int, vxb_explain(NULL, plan, options, &e, &err), VXB_OK), "%s", err.message);
    return e;
}

static struct vxb_explain_options everything(const struct vxb_plan *plan)
{
    const double size = (double)plan->recipe->cell_size;
    struct vxb_explain_options o = {.size = sizeof o, .limit = UINT32_MAX};
    o.x = (plan->cell_x0 + 0.5 * plan->cells_x) * size;
    o.z = (plan->cell_z0 + 0.5 * plan->cells_z) * size;
    o.radius = size * (double)(plan->cells_x + plan->cells_z);
    return o;
}

static void check_counts(const struct vxb_explain_counts *c, const struct vxb_ledger *ledger, const char *name)
{
    cr_assert(eq(u64, c->candidates, ledger->candidates), "%s", name);
    cr_assert(eq(u64, c->placed, ledger->placed), "%s", name);
    for (int i = 0; i < VXB_REASON_COUNT; i++)
        cr_assert(eq(u64, c->reasons[i], ledger->reasons[i]), "%s: reason %d", name, i);
}

/* Tests told one by one, by the rules as the pages have them. */
static void check_tests(const struct vxb_plan *plan, const struct vxb_explanation *e,
                        const struct vxb_explain_candidate *c)
{
    const struct vxb_recipe_species *r = plan->species[c->species].recipe;
    const struct vxb_explain_species *s = &e->species[c->species];
    int first = 0;
    while (first < VXB_REASON_COUNT && !c->failed[first])
        first++;
    cr_assert(eq(int, c->reason, first));
    cr_assert(c->failed[VXB_REASON_NO_SURFACE] == (c->ground.outside || c->ground.hole));
    cr_assert(c->part >= plan->species[c->species].first_part &&
              c->part < plan->species[c->species].first_part + plan->species[c->species].parts);
    if (c->ground.outside) {
        cr_assert(c->scale == 0.0f && c->weight == 0.0f && c->k == 0.0f && c->ground.y == 0.0f);
        return;
    }
    cr_assert(c->failed[VXB_REASON_EXCLUDED] == (c->ground.excluded || c->scale < 0.0009765625f));
    cr_assert(c->failed[VXB_REASON_SLOPE] == (c->ground.normal[1] < s->least_normal_y));
    cr_assert(fabsf(cosf(c->ground.slope) - c->ground.normal[1]) < 1e-6f);
    cr_assert(c->failed[VXB_REASON_ALTITUDE] ==
              (r->has_altitude && (c->ground.y < r->altitude[0] || c->ground.y > r->altitude[1])));
    cr_assert(c->failed[VXB_REASON_DENSITY] == (c->draw >= c->k || c->rank >= plan->rank_cut));
    cr_assert(r->layer || (c->weight == 1.0f && c->k == 1.0f));
    if (c->reason >= VXB_REASON_BUDGET && s->cut)
        cr_assert(c->failed[VXB_REASON_BUDGET] ==
                  (plan->species[c->species].blade_budget == 0 || c->rank > s->cut_rank ||
                   (c->rank == s->cut_rank && c->hash > s->cut_hash) ||
                   (c->rank == s->cut_rank && c->hash == s->cut_hash &&
                    (c->cell_z > s->cut_cell_z || (c->cell_z == s->cut_cell_z && c->cell_x > s->cut_cell_x)))));
    if (c->reason == VXB_REASON_COUNT) {
        const double quantum = (double)plan->recipe->cell_size / 65536.0;
        cr_assert(fabs(c->blade.x - c->x) <= quantum && fabs(c->blade.z - c->z) <= quantum);
        cr_assert(eq(u16, c->blade.rank_code, (uint16_t)c->rank));
    }
}

/* Every candidate of a field, against its bake. */
static void check_field(const struct meadow *made, const char *name)
{
    struct vxb_plan *plan = made_plan(made);
    struct baked baked = made_bake(made, NULL);
    const struct vxb_explain_options options = everything(plan);
    struct vxb_explanation *e = explained(plan, &options);
    for (uint32_t k = 0; k < plan->species_count; k++) {
        check_counts(&e->species[k].counts, &baked.report.species[k], name);
        if (e->species[k].counted)
            cr_assert(eq(u64, e->species[k].survivors,
                         baked.report.species[k].placed + baked.report.species[k].reasons[VXB_REASON_BUDGET]));
        cr_assert(e->species[k].cut == (baked.report.species[k].reasons[VXB_REASON_BUDGET] > 0));
    }
    check_counts(&e->counts, &baked.report.field, name);
    cr_assert(eq(u64, e->candidate_count, plan->candidates), "%s", name);

    struct baked_blade *expected = baked_blades(&baked);
    struct baked_blade *found = malloc(((size_t)baked.report.field.placed + 1) * sizeof *found);
    size_t n = 0;
    for (uint32_t i = 0; i < e->candidate_count; i++) {
        const struct vxb_explain_candidate *c = &e->candidates[i];
        check_tests(plan, e, c);
        cr_assert(i == 0 || c->distance >= e->candidates[i - 1].distance);
        if (c->reason != VXB_REASON_COUNT)
            continue;
        found[n] = (struct baked_blade){.cell_z = c->cell_z, .cell_x = c->cell_x, .section = c->species};
        memcpy(found[n++].record, c->record, sizeof c->record);
    }
    cr_assert(eq(u64, n, baked.report.field.placed));
    qsort(found, n, sizeof *found, compare_blades);
    qsort(expected, n, sizeof *expected, compare_blades);
    for (size_t i = 0; i < n; i++)
        cr_assert(compare_blades(&found[i], &expected[i]) == 0, "%s: blade %zu", name, i);
    free(found);
    free(expected);
    vxb_explanation_free(e);
    baked_clear(&baked);
    vxb_plan_free(plan);
}

Test(explain, every_candidate_of_a_field__is_what_the_bake_makes_of_it)
{
    int fields = 0, cut = 0;
    for (uint32_t seed = 0; seed < 120; seed++) {
        struct meadow made;
        char name[32];
        snprintf(name, sizeof name, "field %u", seed);
        made_anything(&made, seed);
        struct vxb_plan *plan = made_plan(&made);
        const bool small = plan->candidates <= 60000;
        vxb_plan_free(plan);
        if (small) {
            check_field(&made, name);
            struct baked baked = made_bake(&made, NULL);
            made.recipe.budgets.has_max_blades = true;
            made.recipe.budgets.max_blades = (uint32_t)(baked.report.field.placed * (seed % 7) / 6);
            cut += made.recipe.budgets.max_blades < baked.report.field.placed;
            baked_clear(&baked);
            check_field(&made, name);
            fields++;
        }
        made_clear(&made);
    }
    cr_assert(ge(int, fields, 50));
    cr_assert(ge(int, cut, 20));
}

Test(explain, fixtures__are_what_the_bake_makes_of_them)
{
    for (size_t f = 0; f < BAKE_FIXTURES; f++) {
        struct meadow made;
        bake_fixtures[f].make(&made);
        check_field(&made, bake_fixtures[f].name);
        made_clear(&made);
    }
}

/* ---- spots ---- */

static bool same_candidate(const struct vxb_explain_candidate *a, const struct vxb_explain_candidate *b)
{
    return a->cell_x == b->cell_x && a->cell_z == b->cell_z && a->index == b->index && a->reason == b->reason &&
           a->x == b->x && a->z == b->z && a->rank == b->rank && memcmp(a->record, b->record, sizeof a->record) == 0;
}

/* A spot's candidates are those of the whole that stand within the radius. */
static void check_spot(const struct vxb_plan *plan, const struct vxb_explanation *all,
                       const struct vxb_explain_options *options)
{
    struct vxb_explanation *e = explained(plan, options);
    uint64_t count = 0;
    for (uint32_t i = 0; i < all->candidate_count; i++) {
        const struct vxb_explain_candidate *c = &all->candidates[i];
        const double dx = c->x - e->x, dz = c->z - e->z;
        count += dx * dx + dz * dz <= e->radius * e->radius;
    }
    cr_assert(eq(u64, e->counts.candidates, count));
    cr_assert(eq(u64, e->candidate_count, count < options->limit ? count : options->limit));
    for (uint32_t i = 0; i < e->candidate_count; i++) {
        const struct vxb_explain_candidate *c = &e->candidates[i];
        uint32_t at = 0;
        cr_assert(c->distance <= e->radius && (i == 0 || c->distance >= e->candidates[i - 1].distance));
        while (at < all->candidate_count && !same_candidate(c, &all->candidates[at]))
            at++;
        cr_assert(lt(u32, at, all->candidate_count), "a candidate that the whole has not");
    }
    /* No other is nearer than the last of those told of. */
    if (e->candidate_count > 0 && e->candidate_count < count) {
        const double last = e->candidates[e->candidate_count - 1].distance;
        uint64_t nearer = 0;
        for (uint32_t i = 0; i < all->candidate_count; i++)
            nearer += hypot(all->candidates[i].x - e->x, all->candidates[i].z - e->z) < last * (1.0 - 1e-12);
        cr_assert(le(u64, nearer, e->candidate_count));
    }
    vxb_explanation_free(e);
}

Test(explain, spots__have_the_candidates_that_stand_within_the_radius)
{
    int fields = 0;
    for (uint32_t seed = 0; seed < 60; seed++) {
        struct meadow made;
        struct made_random random = {seed};
        made_anything(&made, seed);
        made.recipe.budgets.has_max_blades = seed % 2;
        made.recipe.budgets.max_blades = 100;
        struct vxb_plan *plan = made_plan(&made);
        if (plan->candidates <= 20000) {
            const struct vxb_explain_options whole = everything(plan);
            struct vxb_explanation *all = explained(plan, &whole);
            const double size = (double)made.recipe.cell_size;
            for (int i = 0; i < 8; i++) {
                struct vxb_explain_options o = {.size = sizeof o, .limit = 1 + made_below(&random, 60)};
                o.x = (plan->cell_x0 + (double)made_between(&random, -0.2f, 1.2f) * plan->cells_x) * size;
                o.z = (plan->cell_z0 + (double)made_between(&random, -0.2f, 1.2f) * plan->cells_z) * size;
                o.radius = (double)made_between(&random, 0.1f, 6.0f) * (double)plan->step;
                check_spot(plan, all, &o);
            }
            vxb_explanation_free(all);
            fields++;
        }
        vxb_plan_free(plan);
        made_clear(&made);
    }
    cr_assert(ge(int, fields, 20));
}

/* A candidate's own place, asked as a spot, tells the same ground and weight. */
Test(explain, spot_of_a_candidate__has_its_ground)
{
    struct meadow made;
    bake_fixture_four(&made);
    struct vxb_plan *plan = made_plan(&made);
    struct vxb_explain_options o = everything(plan);
    o.limit = 300;
    struct vxb_explanation *all = explained(plan, &o);
    for (uint32_t i = 0; i < all->candidate_count; i++) {
        const struct vxb_explain_candidate *c = &all->candidates[i];
        o = (struct vxb_explain_options){.size = sizeof o, .x = c->x, .z = c->z};
        struct vxb_explanation *e = explained(plan, &o);
        const struct vxb_explain_species *s = &e->species[c->species];
        cr_assert(e->in_field && e->cell_x == c->cell_x && e->cell_z == c->cell_z);
        cr_assert(e->candidate_count > 0 && same_candidate(&e->candidates[0], c));
        cr_assert(memcmp(&e->ground, &c->ground, sizeof e->ground) == 0);
        cr_assert(s->weight == c->weight && s->k == c->k);
        /* What no candidate can pass here, this one did not either. */
        if (s->reason != VXB_REASON_COUNT)
            cr_assert(c->reason <= s->reason && s->expected == 0.0);
        else
            cr_assert(s->expected <= plan->species[c->species].ceiling);
        vxb_explanation_free(e);
    }
    vxb_explanation_free(all);
    vxb_plan_free(plan);
    made_clear(&made);
}

Test(explain, known_ground__is_told)
{
    struct meadow made;
    made_ground(&made, 65, 65, 1.0f);
    made_plane(&made, 1000, 655); /* 1000 / 65535 of 100 m at x = 0, rising 0.99947 m a metre */
    made.terrain.origin[0] = 10.0f;
    memset(made_layer(&made, "Grass", 65, 65), 51, 65 * 65);
    memset(made_layer(&made, "Dirt", 3, 3), 255, 9);
    memset(made_map(&made, &made.terrain.scale, 2, 2), 128, 4);
    made_hole(&made, 40, 40);
    struct vxb_recipe_species *s = made_species(&made, "fescue");
    s->layer = "Grass";
    s->min_weight = 0.0f;
    s->max_weight = 0.4f;
    s->max_slope = 0.7f;
    struct vxb_plan *plan = made_plan(&made);
    struct vxb_explain_options o = {.size = sizeof o, .x = 30.5, .z = 20.25};
    struct vxb_explanation *e = explained(plan, &o);
    cr_assert(e->in_field && !e->ground.outside && !e->ground.hole && !e->ground.excluded);
    cr_assert(fabs((double)e->ground.y - 100.0 * (1000 + 655 * 20.5) / 65535.0) < 1e-4);
    cr_assert(fabs((double)e->ground.slope - atan(65500.0 / 65535.0)) < 1e-6);
    cr_assert(fabs((double)e->ground.scale_factor - 128.0 / 255.0) < 1e-7);
    cr_assert(fabs((double)e->layer_weights[0] - 0.2) < 1e-7 && e->layer_weights[1] == 1.0f);
    cr_assert(e->species[0].weight == e->layer_weights[0] && fabs((double)e->species[0].k - 0.5) < 1e-6);
    cr_assert(eq(int, e->species[0].reason, VXB_REASON_SLOPE));
    cr_assert(e->species[0].expected == 0.0 && fabs(e->species[0].density - 4.0) < 1e-9);
    cr_assert(eq(u64, e->counts.reasons[VXB_REASON_SLOPE], e->counts.candidates));
    cr_assert(e->radius == 1.0 && e->counts.candidates >= 8, "two steps of half a metre");
    vxb_explanation_free(e);
    o.x = 10.0 + 39.5;
    o.z = 40.5;
    e = explained(plan, &o);
    cr_assert(e->ground.hole && e->species[0].reason == VXB_REASON_NO_SURFACE);
    cr_assert(e->counts.reasons[VXB_REASON_NO_SURFACE] > 0);
    vxb_explanation_free(e);
    vxb_plan_free(plan);
    made_clear(&made);
}

Test(explain, expected_density__is_what_grows_on_even_ground)
{
    for (int budget = 0; budget < 3; budget++) {
        struct meadow made;
        made_ground(&made, 65, 65, 1.0f);
        memset(made_layer(&made, "Grass", 65, 65), 96, 65 * 65);
        made.recipe.density = 40.0f;
        made.recipe.density_scale = 0.8f;
        made_species(&made, "fescue")->layer = "Grass";
        made_species(&made, "clover")->share = 3.0f;
        made.recipe.budgets.has_max_blades = budget > 0;
        made.recipe.budgets.max_blades = budget == 1 ? 60000 : 0;
        struct vxb_plan *plan = made_plan(&made);
        const struct vxb_explain_options o = {.size = sizeof o, .x = 32.0, .z = 32.0, .radius = 20.0, .limit = 1};
        struct vxb_explanation *e = explained(plan, &o);
        for (uint32_t k = 0; k < 2; k++) {
            const double area = 3.14159265358979 * 400.0, found = (double)e->species[k].counts.placed / area;
            cr_assert(fabs(found - e->species[k].expected) <= 0.04 * e->species[k].expected, "%g, expected %g", found,
                      e->species[k].expected);
            cr_assert(e->species[k].expected > 0.0 || budget == 2);
            cr_assert(eq(int, e->species[k].reason, VXB_REASON_COUNT));
        }
        vxb_explanation_free(e);
        vxb_plan_free(plan);
        made_clear(&made);
    }
}

Test(explain, spot_outside__is_an_answer)
{
    struct meadow made;
    made_ground(&made, 41, 41, 1.0f); /* 40 m: the last of three cells of 16 m reaches beyond it */
    made_species(&made, "fescue");
    made.recipe.budgets.has_max_blades = true;
    made.recipe.budgets.max_blades = 10;
    struct vxb_plan *plan = made_plan(&made);
    static const struct {
        double x, z;
        bool in_field, outside, candidates;
    } spots[] = {{44, 44, true, true, true},
                 {-1e6, 3, false, true, false},
                 {48, 20, false, true, true},
                 {-0.25, 20, false, true, true},
                 {40, 40, true, false, true},
                 {1048576, -1048576, false, true, false},
                 {40.25, 20, true, true, true}};
    for (size_t i = 0; i < sizeof spots / sizeof spots[0]; i++) {
        const struct vxb_explain_options o = {.size = sizeof o, .x = spots[i].x, .z = spots[i].z};
        struct vxb_explanation *e = explained(plan, &o);
        cr_assert(e->in_field == spots[i].in_field && e->ground.outside == spots[i].outside, "spot %zu", i);
        cr_assert(spots[i].candidates == (e->counts.candidates > 0), "spot %zu", i);
        cr_assert(e->layer_weights == NULL && e->species[0].counted == spots[i].candidates, "spot %zu", i);
        if (spots[i].outside)
            cr_assert(e->species[0].reason == VXB_REASON_NO_SURFACE && e->species[0].expected == 0.0, "spot %zu", i);
        vxb_explanation_free(e);
    }
    vxb_plan_free(plan);
    made_clear(&made);
}

/* ---- options ---- */

Test(explain, one_species__is_its_part_of_all)
{
    struct meadow made;
    bake_fixture_budgeted(&made);
    struct vxb_plan *plan = made_plan(&made);
    struct vxb_explain_options o = everything(plan);
    struct vxb_explanation *all = explained(plan, &o);
    for (uint32_t k = 0; k < plan->species_count; k++) {
        char id[32];
        snprintf(id, sizeof id, "0x%llX", (unsigned long long)plan->species[k].id);
        for (int by_id = 0; by_id < 2; by_id++) {
            o.species = by_id ? id : plan->species[k].recipe->name;
            struct vxb_explanation *one = explained(plan, &o);
            cr_assert(memcmp(&one->species[k], &all->species[k], sizeof one->species[k]) == 0);
            cr_assert(memcmp(&one->counts, &one->species[k].counts, sizeof one->counts) == 0);
            cr_assert(eq(u64, one->candidate_count, one->counts.candidates));
            for (uint32_t i = 0; i < plan->species_count; i++)
                cr_assert(one->species[i].wanted == (i == k));
            for (uint32_t i = 0; i < one->candidate_count; i++)
                cr_assert(one->candidates[i].species == k);
            vxb_explanation_free(one);
        }
    }
    vxb_explanation_free(all);
    vxb_plan_free(plan);
    made_clear(&made);
}

static void check_refused(const struct vxb_plan *plan, const struct vxb_explain_options *o, const char *says)
{
    struct vxb_explanation *e = NULL;
    struct vxb_error err = {0};
    cr_assert(eq(int, vxb_explain(NULL, plan, o, &e, &err), VXB_ERR_USAGE), "%s", says);
    cr_assert(e == NULL && strstr(err.message, says) != NULL, "%s: %s", says, err.message);
}

Test(explain, options_that_make_no_sense__are_refused)
{
    struct meadow made;
    bake_fixture_four(&made);
    struct vxb_plan *plan = made_plan(&made);
    const double bad[] = {NAN, INFINITY, 1048577.0};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        check_refused(plan, &(struct vxb_explain_options){.size = sizeof(struct vxb_explain_options), .x = bad[i]},
                      "the spot");
        check_refused(plan, &(struct vxb_explain_options){.size = sizeof(struct vxb_explain_options), .z = -bad[i]},
                      "the spot");
        check_refused(plan, &(struct vxb_explain_options){.size = sizeof(struct vxb_explain_options), .radius = bad[i]},
                      "the radius");
    }
    check_refused(plan, &(struct vxb_explain_options){.size = sizeof(struct vxb_explain_options), .radius = -1.0},
                  "the radius");
    check_refused(plan, &(struct vxb_explain_options){.size = 8}, "vxb_explain_options");
    check_refused(plan, &(struct vxb_explain_options){.size = sizeof(struct vxb_explain_options), .species = "moss"},
                  "there is no species \"moss\"; the recipe's species are ");
    check_refused(plan, &(struct vxb_explain_options){.size = sizeof(struct vxb_explain_options), .species = "0x7"},
                  "clover");
    vxb_plan_free(plan);
    made_clear(&made);
}

/* ---- failures ---- */

Test(explain, allocation_that_fails__is_an_error_and_leaves_nothing)
{
    struct meadow made;
    bake_fixture_budgeted(&made);
    struct vxb_plan *plan = made_plan(&made);
    struct vxb_explain_options o = everything(plan);
    o.limit = 100;
    uint64_t n = 1;
    for (enum vxb_status status = VXB_ERR_MEMORY; status; n++) {
        struct heap heap = {.fail_at = n};
        const struct vxb_env env = heap_env(&heap);
        struct vxb_error err = {0};
        struct vxb_explanation *e = NULL;
        status = vxb_explain(&env, plan, &o, &e, &err);
        cr_assert(status == VXB_OK || (status == VXB_ERR_MEMORY && e == NULL), "request %" PRIu64 ": %s", n,
                  err.message);
        vxb_explanation_free(e);
        cr_assert(eq(u64, heap.now, 0), "request %" PRIu64, n);
        cr_assert(lt(u64, n, 500));
    }
    cr_assert(lt(u64, 5, n));
    vxb_plan_free(plan);
    made_clear(&made);
}

static bool at_once(void *user)
{
    (void)user;
    return true;
}

Test(explain, cancelled__is_no_answer)
{
    struct meadow made;
    bake_fixture_one(&made);
    struct vxb_plan *plan = made_plan(&made);
    const struct vxb_explain_options o = {.size = sizeof o, .x = 20, .z = 20};
    const struct vxb_env env = {.size = sizeof env, .cancelled = at_once};
    struct vxb_explanation *e = NULL;
    cr_assert(eq(int, vxb_explain(&env, plan, &o, &e, NULL), VXB_ERR_CANCELLED));
    cr_assert(e == NULL);
    vxb_explanation_free(e);
    vxb_plan_free(plan);
    made_clear(&made);
}
