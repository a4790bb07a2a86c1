/* A region is a part of the whole bake: the same chunks, byte for byte, of the cells it touches, and no other. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "make_bake.h"

/* Whether a cell overlaps the rectangle, told by its sides alone. */
static bool touches(const double region[4], double size, int32_t x, int32_t z)
{
    return x * size < region[2] && (x + 1.0) * size > region[0] && z * size < region[3] && (z + 1.0) * size > region[1];
}

static void check_part(const struct baked *part, const struct baked *whole, const double region[4])
{
    const struct vxb_grass_header *p = vxb_grass_header(baked_reader(part)), *w = vxb_grass_header(baked_reader(whole));
    const double size = (double)w->cell_size;
    uint32_t next = 0;
    cr_assert(eq(u16, p->flags, w->flags | VXB_GRASS_PARTIAL));
    cr_assert(p->bake_id == w->bake_id && p->blade_budget == w->blade_budget && p->format == w->format);
    cr_assert(part->report.partial && whole->report.partial == false);
    for (uint32_t i = 0; i < w->chunk_count; i++) {
        struct vxb_grass_chunk a = baked_chunk(whole, i);
        if (!touches(region, size, a.cell_x, a.cell_z))
            continue;
        cr_assert(lt(u32, next, p->chunk_count), "cell %d,%d is missing", a.cell_x, a.cell_z);
        struct vxb_grass_chunk b = baked_chunk(part, next++);
        uint8_t *x = baked_records(whole, &a), *y = baked_records(part, &b);
        cr_assert(a.section == b.section && a.cell_x == b.cell_x && a.cell_z == b.cell_z && a.hash == b.hash &&
                      a.blade_count == b.blade_count && a.min_y == b.min_y && a.max_y == b.max_y &&
                      a.max_scale == b.max_scale,
                  "cell %d,%d differs", a.cell_x, a.cell_z);
        cr_assert(memcmp(x, y, (size_t)a.blade_count * VXB_GRASS_RECORD_BYTES) == 0);
        free(x);
        free(y);
    }
    cr_assert(eq(u32, next, p->chunk_count), "a cell beside the region was baked");
    for (uint32_t k = 0; k < p->section_count; k++) {
        const struct vxb_grass_section *s = vxb_grass_section(baked_reader(part), k);
        const struct vxb_grass_section *t = vxb_grass_section(baked_reader(whole), k);
        cr_assert(s->rank_limit == (s->blade_count ? t->rank_limit : 0));
    }
}

/* Every legal rectangle of a field with and without a budget, on one thread and on several. */
Test(region, chunks__are_those_of_the_whole_bake)
{
    for (uint32_t seed = 0; seed < 24; seed++) {
        struct meadow made;
        struct made_random random = {seed};
        made_anything(&made, seed);
        struct vxb_plan *plan = made_plan(&made);
        const double size = (double)made.recipe.cell_size;
        const double least[2] = {plan->cell_x0 * size, plan->cell_z0 * size};
        const double span[2] = {plan->cells_x * size, plan->cells_z * size};
        vxb_plan_free(plan);
        struct baked whole = made_bake(&made, NULL);
        if (seed % 2 && whole.report.field.placed > 8) {
            made.recipe.budgets.has_max_blades = true;
            made.recipe.budgets.max_blades = (uint32_t)(whole.report.field.placed / 2);
            baked_clear(&whole);
            whole = made_bake(&made, NULL);
        }
        for (int round = 0; round < 3; round++) {
            double region[4];
            for (int axis = 0; axis < 2; axis++) {
                double a = least[axis] + span[axis] * (double)made_between(&random, -0.1f, 1.0f);
                region[axis] = round == 2 ? -1e9 : a;
                region[axis + 2] = 1e9;
                if (round != 2)
                    region[axis + 2] = fmax(a, least[axis]) + size * (double)made_between(&random, 0.1f, 3.0f);
            }
            struct made_how how = {.threads = 1 + (uint32_t)round, .region = region};
            struct baked part = made_bake(&made, &how);
            check_part(&part, &whole, region);
            if (round == 2)
                cr_assert(eq(u64, part.report.field.placed, whole.report.field.placed));
            baked_clear(&part);
        }
        baked_clear(&whole);
        made_clear(&made);
    }
}

/* Two halves are the whole: nothing is counted twice or lost at the cells' sides. */
Test(region, halves__sum_to_the_whole)
{
    struct meadow made;
    made_ground(&made, 65, 65, 2.0f);
    made_hills(&made, 3);
    made_species(&made, "fescue")->max_slope = 0.5f;
    made_species(&made, "clover");
    made.recipe.budgets.has_max_blades = true;
    made.recipe.budgets.max_blades = 20000;
    struct baked whole = made_bake(&made, NULL);
    cr_assert(lt(u64, 0, whole.report.field.reasons[VXB_REASON_BUDGET]));
    const double west[4] = {-100, -100, 64, 1000}, east[4] = {64, -100, 1000, 1000};
    struct made_how how = {.threads = 2, .region = west};
    struct baked a = made_bake(&made, &how);
    how.region = east;
    struct baked b = made_bake(&made, &how);
    for (uint32_t k = 0; k <= 2; k++) {
        const struct vxb_ledger *x = k < 2 ? &a.report.species[k] : &a.report.field;
        const struct vxb_ledger *y = k < 2 ? &b.report.species[k] : &b.report.field;
        const struct vxb_ledger *w = k < 2 ? &whole.report.species[k] : &whole.report.field;
        cr_assert(eq(u64, x->candidates + y->candidates, w->candidates));
        cr_assert(eq(u64, x->placed + y->placed, w->placed));
        cr_assert(eq(u64, x->chunks + y->chunks, w->chunks));
        for (int reason = 0; reason < VXB_REASON_COUNT; reason++)
            cr_assert(eq(u64, x->reasons[reason] + y->reasons[reason], w->reasons[reason]), "reason %d", reason);
    }
    baked_clear(&a);
    baked_clear(&b);
    baked_clear(&whole);
    made_clear(&made);
}

Test(region, rectangle_that_is_none_or_lies_beside__is_refused)
{
    static const double regions[][4] = {{0, 0, 0, 16}, {16, 0, 0, 16}, {0, 16, 16, 0}, {1e6, 0, 2e6, 16},
                                        {-200, -200, 0, 0}, {NAN, 0, 16, 16}, {0, 0, INFINITY, 16}};
    struct meadow made;
    made_ground(&made, 65, 65, 2.0f);
    made_species(&made, "fescue");
    struct vxb_plan *plan = made_plan(&made);
    for (size_t i = 0; i < sizeof regions / sizeof regions[0]; i++) {
        struct vxb_bake_options options = {.size = sizeof options, .has_region = true};
        struct vxb_error err = {0};
        memcpy(options.region, regions[i], sizeof options.region);
        cr_assert(eq(int, vxb_bake_planned(NULL, plan, &options, NULL, &err), VXB_ERR_USAGE), "region %zu", i);
        cr_assert(ne(ptr, strstr(err.message, "region"), NULL));
    }
    vxb_plan_free(plan);
    made_clear(&made);
}

/* What "auto" goes by: the cells that have to be looked at. */
Test(region, candidates__are_the_regions_unless_a_budget_may_bind)
{
    struct meadow made;
    made_ground(&made, 65, 65, 2.0f);
    made_species(&made, "fescue");
    struct vxb_plan *plan = made_plan(&made);
    const double size = (double)made.recipe.cell_size;
    const uint64_t a_cell = (uint64_t)plan->side * plan->side;
    struct vxb_bake_options options = {.size = sizeof options};
    cr_assert(eq(u64, vxb_bake_candidates(plan, &options), plan->candidates));
    options.has_region = true;
    options.region[2] = size + 0.5;
    options.region[3] = size;
    cr_assert(eq(u64, vxb_bake_candidates(plan, &options), 2 * a_cell));
    options.region[2] = -1.0;
    cr_assert(eq(u64, vxb_bake_candidates(plan, &options), plan->candidates));
    vxb_plan_free(plan);
    made.recipe.budgets.has_max_blades = true;
    made.recipe.budgets.max_blades = 10;
    plan = made_plan(&made);
    options.region[2] = size;
    cr_assert(eq(u64, vxb_bake_candidates(plan, &options), plan->candidates));
    vxb_plan_free(plan);
    made_clear(&made);
}
