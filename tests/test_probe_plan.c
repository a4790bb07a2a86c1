/* How a field's bricks are planned and placed: each step against the rule written plainly, what happens when slots
 * lack, splits and merges, bands, brick tables from outside, and every refusal. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "make_probes.h"
#include "probes/field.h"

static const uint32_t as_needed[3];
static const struct vxb_probe_region cube8 = {{0.0f, 0.0f, 0.0f}, {8.0f, 8.0f, 8.0f}};
static const uint32_t cells8[3] = {8, 8, 8};

/* ---- the rule, written plainly ---- */

#define PLAIN_MAX 4096

struct plain {
    struct vxb_probe_region bounds;
    uint32_t cells[3], room, count;
    float cell_size[3];
    uint64_t dropped, whole;
    struct vxb_brick bricks[PLAIN_MAX]; /* in no order; slot: a mark */
};

static float plain_d2(const struct plain *p, const struct vxb_brick *b)
{
    float sum = 0.0f;
    for (int a = 0; a < 3; a++) {
        float centre = (float)(2 * b->cell[a] + b->size) * (0.5f * p->cell_size[a]);
        float d = centre - 0.5f * (p->bounds.max[a] - p->bounds.min[a]);
        sum = sum + d * d;
    }
    return sum;
}

static const struct plain *sorting;

static int by_priority(const void *left, const void *right)
{
    const struct vxb_brick *a = left, *b = right;
    float da = plain_d2(sorting, a), db = plain_d2(sorting, b);
    if (a->size != b->size)
        return a->size > b->size ? -1 : 1;
    if (da != db)
        return da < db ? -1 : 1;
    for (int k = 2; k >= 0; k--)
        if (a->cell[k] != b->cell[k])
            return a->cell[k] < b->cell[k] ? -1 : 1;
    return 0;
}

static int by_table(const void *left, const void *right)
{
    const struct vxb_brick *a = left, *b = right;
    for (int k = 2; k >= 0; k--)
        if (a->cell[k] != b->cell[k])
            return a->cell[k] < b->cell[k] ? -1 : 1;
    return 0;
}

static bool plain_overlap(const struct vxb_brick *a, const struct vxb_brick *b)
{
    for (int k = 0; k < 3; k++)
        if (a->cell[k] >= b->cell[k] + b->size || b->cell[k] >= a->cell[k] + a->size)
            return false;
    return true;
}

static void plain_allocate(struct plain *p, const struct vxb_probe_region *region, uint32_t size)
{
    static struct vxb_brick wanted[PLAIN_MAX];
    uint32_t count = 0, first[3], last[3];
    for (int a = 0; a < 3; a++) {
        float low = (region->min[a] - p->bounds.min[a]) / p->cell_size[a];
        float high = (region->max[a] - p->bounds.min[a]) / p->cell_size[a];
        float from = floorf(low), to = fmaxf(from, ceilf(high) - 1.0f);
        if (region->max[a] < p->bounds.min[a] || region->min[a] > p->bounds.max[a])
            return;
        first[a] = (uint32_t)fminf(fmaxf(from, 0.0f), (float)(p->cells[a] - 1)) / size * size;
        last[a] = (uint32_t)fminf(fmaxf(to, 0.0f), (float)(p->cells[a] - 1));
    }
    for (uint32_t z = first[2]; z <= last[2]; z += size)
        for (uint32_t y = first[1]; y <= last[1]; y += size)
            for (uint32_t x = first[0]; x <= last[0]; x += size) {
                struct vxb_brick brick = {.cell = {x, y, z}, .size = size};
                bool covered = false;
                for (uint32_t i = 0; i < p->count && !covered; i++)
                    covered = plain_overlap(&brick, &p->bricks[i]);
                if (!covered)
                    wanted[count++] = brick;
            }
    sorting = p;
    qsort(wanted, count, sizeof *wanted, by_priority);
    for (uint32_t i = 0; i < count; i++) {
        if (p->count < p->room)
            p->bricks[p->count++] = wanted[i];
        else
            p->dropped++;
    }
}

static bool plain_meets(const struct plain *p, const struct vxb_brick *b, const struct vxb_probe_region *region)
{
    for (int a = 0; a < 3; a++) {
        float low = (float)b->cell[a] * p->cell_size[a], high = (float)(b->cell[a] + b->size) * p->cell_size[a];
        if (low > region->max[a] - p->bounds.min[a] || high < region->min[a] - p->bounds.min[a])
            return false;
    }
    return true;
}

/* Always the first in priority that may still be split; slot marks those that lacked slots once. */
static void plain_refine(struct plain *p, const struct vxb_probe_region *region, uint32_t size)
{
    for (uint32_t i = 0; i < p->count; i++)
        p->bricks[i].slot = 0;
    sorting = p;
    for (;;) {
        uint32_t best = p->count, children = 0;
        for (uint32_t i = 0; i < p->count; i++)
            if (p->bricks[i].size > size && !p->bricks[i].slot && plain_meets(p, &p->bricks[i], region) &&
                (best == p->count || by_priority(&p->bricks[i], &p->bricks[best]) < 0))
                best = i;
        if (best == p->count)
            return;
        struct vxb_brick child[8], parent = p->bricks[best];
        for (uint32_t i = 0; i < 8; i++) {
            struct vxb_brick one = {.size = parent.size / 2};
            bool inside = true;
            for (int a = 0; a < 3; a++) {
                one.cell[a] = parent.cell[a] + (i >> a & 1) * one.size;
                inside = inside && one.cell[a] < p->cells[a];
            }
            if (inside)
                child[children++] = one;
        }
        if (p->count - 1 + children > p->room) {
            p->bricks[best].slot = 1;
            p->whole++;
            continue;
        }
        p->bricks[best] = child[0];
        for (uint32_t i = 1; i < children; i++)
            p->bricks[p->count++] = child[i];
    }
}

/* ---- steps against it ---- */

static float draw_in(uint32_t *state, float low, float high)
{
    return low + (high - low) * ((float)(probes_draw(state) % 33) - 4.0f) / 24.0f;
}

static void compare(struct vxb_probe_field *field, struct plain *plain, uint32_t seed)
{
    uint32_t count;
    const struct vxb_probe_counts counts = vxb_probe_field_counts(field);
    const struct vxb_brick *bricks = vxb_probe_field_bricks(field, &count);
    cr_assert(eq(u32, count, plain->count), "seed %" PRIu32, seed);
    cr_assert(eq(u64, counts.dropped, plain->dropped), "seed %" PRIu32, seed);
    cr_assert(eq(u64, counts.whole, plain->whole), "seed %" PRIu32, seed);
    qsort(plain->bricks, plain->count, sizeof *plain->bricks, by_table);
    for (uint32_t i = 0; i < count; i++) {
        cr_assert(eq(int, memcmp(bricks[i].cell, plain->bricks[i].cell, sizeof bricks[i].cell), 0),
                  "seed %" PRIu32 " brick %" PRIu32, seed, i);
        cr_assert(eq(u32, bricks[i].size, plain->bricks[i].size), "seed %" PRIu32 " brick %" PRIu32, seed, i);
    }
}

/* Many steps in one go; late: the field is placed after so many of them. */
static void run_against_plain(uint32_t seed, uint32_t room, uint32_t late)
{
    static struct plain plain;
    uint32_t state = seed * 747796405u + 1u;
    plain = (struct plain){.room = room};
    for (int a = 0; a < 3; a++) {
        plain.cells[a] = 1 + probes_draw(&state) % 12;
        plain.bounds.min[a] = (float)(int32_t)(probes_draw(&state) % 64) - 32.0f;
        plain.bounds.max[a] = plain.bounds.min[a] + (float)(1 + probes_draw(&state) % 40) * 0.3f;
        plain.cell_size[a] = (plain.bounds.max[a] - plain.bounds.min[a]) / (float)plain.cells[a];
    }
    const uint32_t slots[3] = {room, 1, 1};
    struct vxb_probe_field *field = probes_field(&plain.bounds, plain.cells, slots);
    for (uint32_t step = 0; step < 6; step++) {
        struct vxb_probe_region region;
        const uint32_t size = 1u << probes_draw(&state) % 4;
        if (step == late)
            probes_place(field);
        for (int a = 0; a < 3; a++) {
            float one = draw_in(&state, plain.bounds.min[a], plain.bounds.max[a]);
            float two = draw_in(&state, plain.bounds.min[a], plain.bounds.max[a]);
            region.min[a] = fminf(one, two);
            region.max[a] = fmaxf(one, two);
        }
        if (step % 2) {
            probes_refine(field, &region, size);
            plain_refine(&plain, &region, size);
        } else {
            probes_allocate(field, &region, size);
            plain_allocate(&plain, &region, size);
        }
    }
    if (late > 5)
        probes_place(field);
    compare(field, &plain, seed);
    probes_check(field);
    for (uint32_t i = 0; late > 5 && i < field->counts.bricks; i++)
        cr_assert(eq(u32, field->table[i].slot, i));
    vxb_probe_field_free(field);
}

Test(probe_plan, slots_for_all__bricks_of_the_plain_rule)
{
    for (uint32_t seed = 0; seed < 300; seed++)
        run_against_plain(seed, 4000, 6);
}

Test(probe_plan, too_few_slots__bricks_of_the_plain_rule)
{
    for (uint32_t seed = 0; seed < 300; seed++)
        run_against_plain(seed, 1 + seed % 40, 6);
}

Test(probe_plan, placed_early__bricks_of_the_plain_rule)
{
    for (uint32_t seed = 0; seed < 300; seed++)
        run_against_plain(seed, 1 + seed % 90, seed % 6);
}

Test(probe_plan, random_fields__hold_together)
{
    for (uint32_t seed = 0; seed < 100; seed++) {
        struct vxb_probe_field *ample = probes_random(seed, as_needed);
        probes_check(ample);
        cr_assert(eq(u64, vxb_probe_field_counts(ample).dropped, 0));
        vxb_probe_field_free(ample);
        struct vxb_probe_field *scarce = probes_random(seed, (const uint32_t[3]){3, 2, 1});
        probes_check(scarce);
        cr_assert(le(u32, vxb_probe_field_counts(scarce).bricks, 6));
        vxb_probe_field_free(scarce);
    }
}

Test(probe_plan, regions_in_any_order__same_field)
{
    const struct vxb_probe_region a = {{0.0f, 0.0f, 0.0f}, {1.5f, 7.0f, 2.0f}},
                                  b = {{5.0f, 2.0f, 1.0f}, {7.5f, 7.0f, 6.0f}};
    struct vxb_probe_field *one = probes_field(&cube8, cells8, as_needed);
    struct vxb_probe_field *two = probes_field(&cube8, cells8, as_needed);
    probes_allocate(one, &cube8, 8);
    probes_refine(one, &a, 1);
    probes_refine(one, &b, 1);
    probes_place(one);
    probes_allocate(two, &cube8, 8);
    probes_refine(two, &b, 1);
    probes_refine(two, &a, 1);
    probes_place(two);
    cr_assert(eq(u32, one->counts.bricks, two->counts.bricks));
    cr_assert(eq(int, memcmp(one->table, two->table, one->counts.bricks * sizeof *one->table), 0));
    cr_assert(eq(int, memcmp(one->indirection, two->indirection, 512 * sizeof *one->indirection), 0));
    vxb_probe_field_free(one);
    vxb_probe_field_free(two);
}

Test(probe_plan, focus__bricks_nearest_to_it_get_the_slots)
{
    struct vxb_probe_field *field = probes_field(&cube8, cells8, (const uint32_t[3]){2, 2, 2});
    cr_assert(eq(int, vxb_probe_field_set_focus(field, (const float[3]){7.9f, 0.1f, 7.9f}, NULL), VXB_OK));
    probes_allocate(field, &cube8, 1);
    probes_place(field);
    cr_assert(eq(u64, field->counts.dropped, 504));
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t *cell = field->table[i].cell;
        cr_assert(cell[0] >= 6 && cell[1] < 2 && cell[2] >= 6);
    }
    vxb_probe_field_free(field);
}

/* A hole would be worse than a coarse brick. */
Test(probe_plan, no_slot_for_children__bricks_stay_whole_and_no_hole_opens)
{
    struct vxb_probe_field *field = probes_field(&cube8, cells8, (const uint32_t[3]){10, 1, 1});
    probes_allocate(field, &cube8, 4);
    probes_refine(field, &cube8, 1);
    probes_place(field);
    cr_assert(eq(u32, field->counts.bricks, 8));
    cr_assert(eq(u64, field->counts.whole, 8));
    for (uint32_t i = 0; i < 512; i++)
        cr_assert(eq(u32, field->indirection[i].size, 4));
    vxb_probe_field_free(field);
}

Test(probe_plan, brick_over_the_far_edge__children_outside_do_not_exist)
{
    const struct vxb_probe_region bounds = {{0.0f, 0.0f, 0.0f}, {5.0f, 1.0f, 1.0f}};
    struct vxb_probe_field *field = probes_field(&bounds, (const uint32_t[3]){5, 1, 1}, as_needed);
    probes_allocate(field, &bounds, 8);
    cr_assert(eq(u32, field->counts.bricks, 1));
    probes_refine(field, &(struct vxb_probe_region){{4.5f, 0.0f, 0.0f}, {4.5f, 0.0f, 0.0f}}, 1);
    probes_place(field);
    cr_assert(eq(u32, field->counts.bricks, 2));
    cr_assert(eq(u32, field->table[0].size, 4));
    cr_assert(eq(u32, field->table[1].cell[0], 4));
    cr_assert(eq(u32, field->table[1].size, 1));
    probes_check(field);
    vxb_probe_field_free(field);
}

Test(probe_plan, slots_as_needed__pool_fits)
{
    static const uint32_t cases[][4] = {{1, 1, 1, 1}, {2, 2, 1, 1}, {5, 2, 2, 2}, {9, 3, 3, 1}, {28, 4, 4, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct vxb_probe_region bounds = {{0.0f, 0.0f, 0.0f}, {(float)cases[i][0], 1.0f, 1.0f}};
        struct vxb_probe_field *field = probes_field(&bounds, (const uint32_t[3]){cases[i][0], 1, 1}, as_needed);
        uint32_t slots[3];
        probes_allocate(field, &bounds, 1);
        probes_place(field);
        vxb_probe_pool_slots(vxb_probe_field_pool(field), slots);
        cr_assert(eq(int, memcmp(slots, cases[i] + 1, sizeof slots), 0), "%" PRIu32 " bricks", cases[i][0]);
        vxb_probe_field_free(field);
    }
    struct vxb_probe_field *none = probes_field(&cube8, cells8, as_needed);
    probes_place(none);
    cr_assert(eq(u32, vxb_probe_pool_capacity(vxb_probe_field_pool(none)), 1));
    probes_check(none);
    vxb_probe_field_free(none);
}

/* ---- splits and merges ---- */

static struct vxb_probe lattice(void *user, const struct vxb_brick *brick, const uint32_t at[3])
{
    struct vxb_probe probe = {.validity = 1.0f};
    (void)user;
    for (int a = 0; a < 3; a++)
        probe.l00[a] = (float)(4 * brick->cell[a] + brick->size * at[a]);
    return probe;
}

Test(probe_plan, siblings_merged__every_second_probe_stays_where_it_was)
{
    const struct vxb_probe_region bounds = {{0.0f, 0.0f, 0.0f}, {5.0f, 4.0f, 3.0f}};
    struct vxb_probe_field *field = probes_field(&bounds, (const uint32_t[3]){5, 4, 3}, as_needed);
    bool merged;
    probes_allocate(field, &bounds, 1);
    probes_place(field);
    probes_fill(field, lattice, NULL);
    static const uint32_t cells[][3] = {{0, 0, 0}, {2, 2, 0}, {4, 0, 0}, {4, 2, 2}};
    for (size_t i = 0; i < 4; i++) {
        cr_assert(eq(int, vxb_probe_field_merge(field, cells[i], &merged, NULL), VXB_OK));
        cr_assert(merged, "merge %zu", i);
        probes_check(field);
    }
    for (uint32_t i = 0; i < field->counts.bricks; i++)
        for (uint32_t k = 0; k < 64; k++) {
            const uint32_t at[3] = {k % 4, k / 4 % 4, k / 16};
            const struct vxb_brick *brick = &field->table[i];
            struct vxb_probe expected = lattice(NULL, brick, at);
            for (int a = 0; a < 3; a++)
                if (brick->size == 2 && brick->cell[a] + at[a] / 2 >= field->cells[a])
                    expected = (struct vxb_probe){.validity = 0.0f};
            cr_assert(eq(int, memcmp(probes_texel(field, i, at), &expected, sizeof expected), 0),
                      "brick %" PRIu32 " probe %" PRIu32, i, k);
        }
    vxb_probe_field_free(field);
}

Test(probe_plan, merge_that_may_not_be__nothing_changes)
{
    const struct vxb_probe_region bounds = {{0.0f, 0.0f, 0.0f}, {3.0f, 1.0f, 1.0f}};
    struct vxb_probe_field *field = probes_field(&bounds, (const uint32_t[3]){3, 1, 1}, as_needed);
    bool merged = true;
    cr_assert(eq(int, vxb_probe_field_merge(field, (const uint32_t[3]){0, 0, 0}, &merged, NULL), VXB_OK));
    cr_assert(not(merged), "nothing covers it");
    probes_allocate(field, &bounds, 1);
    cr_assert(eq(int, vxb_probe_field_merge(field, (const uint32_t[3]){1, 0, 0}, &merged, NULL), VXB_OK));
    cr_assert(not(merged), "not a multiple of twice the size");
    cr_assert(eq(int, vxb_probe_field_merge(field, (const uint32_t[3]){2, 0, 0}, &merged, NULL), VXB_OK));
    cr_assert(not(merged), "it has no sibling");
    cr_assert(eq(int, vxb_probe_field_merge(field, (const uint32_t[3]){0, 0, 0}, &merged, NULL), VXB_OK));
    cr_assert(merged);
    cr_assert(eq(int, vxb_probe_field_merge(field, (const uint32_t[3]){0, 0, 0}, &merged, NULL), VXB_OK));
    cr_assert(not(merged), "the siblings differ in size");
    cr_assert(eq(u32, field->counts.bricks, 2));
    vxb_probe_field_free(field);
}

Test(probe_plan, split_and_merged_again__same_brick)
{
    struct vxb_probe_field *field = probes_field(&cube8, cells8, (const uint32_t[3]){8, 1, 1});
    bool done;
    probes_allocate(field, &cube8, 8);
    probes_place(field);
    probes_fill(field, lattice, NULL);
    cr_assert(eq(int, vxb_probe_field_split(field, (const uint32_t[3]){5, 7, 3}, &done, NULL), VXB_OK));
    cr_assert(done);
    cr_assert(eq(u32, field->counts.bricks, 8));
    probes_check(field);
    cr_assert(eq(flt, probes_texel(field, 7, (const uint32_t[3]){3, 3, 3})->validity, 0.0f), "children are born empty");
    cr_assert(eq(int, vxb_probe_field_split(field, (const uint32_t[3]){0, 0, 0}, &done, NULL), VXB_OK));
    cr_assert(not(done), "there is no slot for its children");
    cr_assert(eq(u64, field->counts.whole, 1));
    cr_assert(eq(int, vxb_probe_field_merge(field, (const uint32_t[3]){0, 0, 0}, &done, NULL), VXB_OK));
    cr_assert(done);
    cr_assert(eq(u32, field->counts.bricks, 1));
    cr_assert(eq(u32, field->table[0].size, 8));
    probes_check(field);
    vxb_probe_field_free(field);
}

Test(probe_plan, slots_given_up__lowest_is_next)
{
    struct vxb_probe_field *field = probes_field(&cube8, cells8, (const uint32_t[3]){8, 1, 1});
    bool done;
    probes_allocate(field, &cube8, 4);
    probes_place(field);
    cr_assert(eq(int, vxb_probe_field_merge(field, (const uint32_t[3]){0, 0, 0}, &done, NULL), VXB_OK));
    cr_assert(done);
    cr_assert(eq(u32, field->table[0].slot, 0));
    cr_assert(eq(int, vxb_probe_field_split(field, (const uint32_t[3]){0, 0, 0}, &done, NULL), VXB_OK));
    for (uint32_t i = 0; i < 8; i++)
        cr_assert(eq(u32, field->table[i].slot, i));
    vxb_probe_field_free(field);
}

Test(probe_plan, region_of_a_point__one_cell_also_on_a_boundary)
{
    static const float points[][4] = {{2.0f, 2.0f, 2.0f, 2}, {2.5f, 2.5f, 2.5f, 2}, {0.0f, 0.0f, 0.0f, 0},
                                      {8.0f, 8.0f, 8.0f, 7}};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        struct vxb_probe_field *field = probes_field(&cube8, cells8, as_needed);
        struct vxb_probe_region region;
        memcpy(region.min, points[i], sizeof region.min);
        memcpy(region.max, points[i], sizeof region.max);
        probes_allocate(field, &region, 1);
        probes_place(field);
        cr_assert(eq(u32, field->counts.bricks, 1));
        for (int a = 0; a < 3; a++)
            cr_assert(eq(u32, field->table[0].cell[a], (uint32_t)points[i][3]), "point %zu", i);
        vxb_probe_field_free(field);
    }
}

/* ---- bands ---- */

static uint32_t size_at(const struct vxb_probe_field *field, uint32_t x, uint32_t y, uint32_t z)
{
    return vxbi_probe_cell(field, x, y, z)->size;
}

static bool ground_at_half(void *user, double x0, double z0, double x1, double z1, float *low, float *high)
{
    const double *width = user;
    *low = *high = 0.5f;
    return x0 < *width && x1 > x0 && z1 > z0;
}

Test(probe_plan, bands__finest_near_each_extent)
{
    const struct vxb_probe_region bounds = {{0.0f, 0.0f, 0.0f}, {16.0f, 16.0f, 16.0f}};
    const struct vxb_probe_band bands[] = {{0.25f, 1}, {2.5f, 2}};
    const struct vxb_probe_extent extents[] = {
        {.kind = VXB_PROBE_EXTENT_BOX, .box = {{12.5f, 12.5f, 12.5f}, {12.6f, 12.6f, 12.6f}}},
        {.kind = VXB_PROBE_EXTENT_PLANE, .normal = {0.0f, 0.0f, 1.0f}, .offset = 0.5f}};
    struct vxb_probe_field *field = probes_field(&bounds, (const uint32_t[3]){16, 16, 16}, as_needed);
    double width = 4.0;
    const struct vxb_probe_ground ground = {.range = ground_at_half, .user = &width};
    uint32_t made = 0;
    probes_allocate(field, &bounds, 4);
    cr_assert(eq(int, vxb_probe_field_refine_bands(field, bands, 2, extents, 2, &ground, &made, NULL), VXB_OK));
    cr_assert(lt(u32, 0, made));
    cr_assert(eq(u32, size_at(field, 12, 12, 12), 1), "at the box");
    cr_assert(eq(u32, size_at(field, 11, 12, 12), 2), "2.5 off the box");
    cr_assert(eq(u32, size_at(field, 7, 12, 12), 4), "off everything");
    cr_assert(eq(u32, size_at(field, 9, 9, 0), 1), "in the plane");
    cr_assert(eq(u32, size_at(field, 9, 9, 2), 2), "1.5 off the plane");
    cr_assert(eq(u32, size_at(field, 9, 9, 4), 4), "3.5 off the plane");
    cr_assert(eq(u32, size_at(field, 1, 0, 8), 1), "on the ground");
    cr_assert(eq(u32, size_at(field, 1, 2, 8), 2), "above the ground");
    cr_assert(eq(u32, size_at(field, 9, 0, 8), 4), "off the terrain");
    probes_place(field);
    probes_check(field);
    vxb_probe_field_free(field);
}

/* ---- tables from outside ---- */

Test(probe_plan, table_of_a_field__the_same_field)
{
    for (uint32_t seed = 0; seed < 40; seed++) {
        uint32_t count, cells[3], slots[3];
        struct vxb_probe_field *field = probes_random(seed, as_needed), *again = NULL;
        const struct vxb_brick *bricks = vxb_probe_field_bricks(field, &count);
        vxb_probe_field_cells(field, cells);
        vxb_probe_pool_slots(vxb_probe_field_pool(field), slots);
        cr_assert(eq(int, vxb_probe_field_of_bricks(NULL, vxb_probe_field_bounds(field), cells, slots, bricks, count,
                                                    &again, NULL), VXB_OK));
        probes_check(again);
        cr_assert(eq(int, memcmp(bricks, vxb_probe_field_bricks(again, NULL), count * sizeof *bricks), 0));
        vxb_probe_field_free(again);
        vxb_probe_field_free(field);
    }
}

/* Slots in no order, and then the field goes on as any other. */
Test(probe_plan, table_with_any_slots__lowest_free_one_is_next)
{
    static const struct vxb_brick bricks[] = {{5, {0, 0, 0}, 4}, {0, {4, 0, 0}, 4}, {9, {4, 4, 4}, 4}};
    struct vxb_probe_field *field = NULL;
    cr_assert(eq(int, vxb_probe_field_of_bricks(NULL, &cube8, cells8, (const uint32_t[3]){10, 1, 1}, bricks, 3, &field,
                                                NULL), VXB_OK));
    probes_check(field);
    probes_allocate(field, &(struct vxb_probe_region){{0.0f, 4.5f, 0.0f}, {8.0f, 5.0f, 1.0f}}, 4);
    cr_assert(eq(u32, field->counts.bricks, 5));
    cr_assert(eq(u32, field->table[2].slot, 1));
    cr_assert(eq(u32, field->table[3].slot, 2));
    probes_check(field);
    vxb_probe_field_free(field);
}

Test(probe_plan, table_that_breaks_a_rule__refused)
{
    static const struct {
        struct vxb_brick bricks[2];
        uint32_t count;
        const char *says;
    } cases[] = {
        {{{0, {0, 0, 0}, 0}}, 1, "size 0"},
        {{{0, {0, 0, 0}, 3}}, 1, "size 3"},
        {{{0, {0, 0, 0}, 2048}}, 1, "size 2048"},
        {{{0, {1, 0, 0}, 2}}, 1, "cell 1 along x, which is not a multiple of its size 2"},
        {{{0, {0, 0, 8}, 1}}, 1, "cell 8 along z; the grid has 8"},
        {{{0, {0, 4294967295u, 0}, 1}}, 1, "cell 4294967295 along y"},
        {{{10, {0, 0, 0}, 1}}, 1, "slot 10; the pool has 10"},
        {{{1, {0, 0, 0}, 1}, {1, {1, 0, 0}, 1}}, 2, "slot 1, which an earlier brick has"},
        {{{0, {1, 0, 0}, 1}, {1, {0, 0, 0}, 1}}, 2, "out of order"},
        {{{0, {0, 0, 0}, 1}, {1, {0, 0, 0}, 1}}, 2, "out of order"},
        {{{0, {0, 0, 0}, 4}, {1, {2, 0, 0}, 2}}, 2, "covers cells of the brick in slot 0"},
        {{{0, {0, 0, 0}, 1}}, 11, "has 11 bricks; there is room for 10"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct vxb_probe_field *field = NULL;
        struct vxb_error err = {0};
        cr_assert(eq(int, vxb_probe_field_of_bricks(NULL, &cube8, cells8, (const uint32_t[3]){10, 1, 1},
                                                    cases[i].bricks, cases[i].count, &field, &err), VXB_ERR_DATA));
        cr_assert(ne(ptr, strstr(err.message, cases[i].says), NULL), "case %zu: %s", i, err.message);
        cr_assert(eq(ptr, field, NULL));
    }
}

/* ---- what is refused ---- */

static void check_says(enum vxb_status found, enum vxb_status status, struct vxb_error *err, const char *part)
{
    cr_assert(eq(int, found, status), "%s", err->message);
    cr_assert(ne(ptr, strstr(err->message, part), NULL), "\"%s\" says nothing of \"%s\"", err->message, part);
    vxb_error_clear(err);
}

Test(probe_plan, bounds_cells_or_slots_that_are_none__refused)
{
    static const struct {
        struct vxb_probe_region bounds;
        uint32_t cells[3], slots[3];
        enum vxb_status status;
        const char *says;
    } cases[] = {
        {{{0, 0, 0}, {1, 1, 0}}, {1, 1, 1}, {0, 0, 0}, VXB_ERR_USAGE, "bounds along z are 0 to 0"},
        {{{0, 0, 0}, {-1, 1, 1}}, {1, 1, 1}, {0, 0, 0}, VXB_ERR_USAGE, "bounds along x are 0 to -1"},
        {{{0, NAN, 0}, {1, 1, 1}}, {1, 1, 1}, {0, 0, 0}, VXB_ERR_USAGE, "bounds along y"},
        {{{0, 0, 0}, {1, INFINITY, 1}}, {1, 1, 1}, {0, 0, 0}, VXB_ERR_USAGE, "bounds along y"},
        {{{0, 0, 0}, {1048577, 1, 1}}, {1, 1, 1}, {0, 0, 0}, VXB_ERR_LIMIT, "1048577 m"},
        {{{0, 0, 0}, {1, 1, 1}}, {0, 1, 1}, {0, 0, 0}, VXB_ERR_USAGE, "0 cells along x"},
        {{{0, 0, 0}, {9, 9, 9}}, {1, 1025, 1}, {0, 0, 0}, VXB_ERR_LIMIT, "1025 cells along y"},
        {{{0, 0, 0}, {9, 9, 9}}, {1024, 1024, 129}, {0, 0, 0}, VXB_ERR_LIMIT, "2^27"},
        {{{0, 0, 0}, {1, 1, 0.001f}}, {1, 1, 2}, {0, 0, 0}, VXB_ERR_LIMIT, "use fewer cells"},
        {{{0, 0, 0}, {1, 1, 1}}, {1, 1, 1}, {0, 1, 0}, VXB_ERR_USAGE, "0 slots along x"},
        {{{0, 0, 0}, {1, 1, 1}}, {1, 1, 1}, {1024, 1024, 2}, VXB_ERR_LIMIT, "1048576"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct vxb_probe_field *field = NULL;
        struct vxb_error err = {0};
        check_says(vxb_probe_field_new(NULL, &cases[i].bounds, cases[i].cells, cases[i].slots, &field, &err),
                   cases[i].status, &err, cases[i].says);
        cr_assert(eq(ptr, field, NULL));
    }
}

Test(probe_plan, memory_limit__grid_and_pool_keep_to_it)
{
    const struct vxb_env env = {.size = sizeof env, .max_memory_bytes = 100000};
    const struct vxb_probe_region bounds = {{0.0f, 0.0f, 0.0f}, {100.0f, 100.0f, 100.0f}};
    struct vxb_probe_field *field = NULL;
    struct vxb_error err = {0};
    check_says(vxb_probe_field_new(&env, &bounds, (const uint32_t[3]){100, 100, 100}, as_needed, &field, &err),
               VXB_ERR_LIMIT, &err,
               "a grid of 1000000 cells takes 20000000 bytes of memory, more than the limit of 100000");
    /* Its indirection would fit, its table of bricks not. */
    err = (struct vxb_error){0};
    check_says(vxb_probe_field_new(&env, &bounds, (const uint32_t[3]){20, 20, 20}, as_needed, &field, &err),
               VXB_ERR_LIMIT, &err, "a grid of 8000 cells takes 160000 bytes of memory, more than the limit of 100000");
    err = (struct vxb_error){0};
    cr_assert(eq(int, vxb_probe_field_new(&env, &bounds, cells8, as_needed, &field, NULL), VXB_OK));
    probes_allocate(field, &bounds, 1);
    check_says(vxb_probe_field_place(field, &err), VXB_ERR_LIMIT, &err, "a pool of 512 slots takes 3584000 bytes");
    cr_assert(eq(ptr, (void *)vxb_probe_field_pool(field), NULL));
    vxb_probe_field_free(field);
}

Test(probe_plan, arguments_that_are_none__refused_and_nothing_changes)
{
    struct vxb_probe_field *field = probes_field(&cube8, cells8, as_needed);
    struct vxb_probe_region region = cube8;
    struct vxb_probe_band band = {1.0f, 1};
    struct vxb_probe_extent extent = {.kind = VXB_PROBE_EXTENT_PLANE, .normal = {0.0f, 2.0f, 0.0f}};
    struct vxb_error err = {0};
    static const uint32_t corner[3], outside[3] = {0, 8, 0};
    static const struct vxb_probe empty;
    bool done;
    probes_allocate(field, &cube8, 4);
    for (uint32_t size = 0; size <= 3; size += 3) {
        check_says(vxb_probe_field_allocate(field, &region, size, NULL, &err), VXB_ERR_USAGE, &err, "brick size is");
        check_says(vxb_probe_field_refine(field, &region, size, NULL, &err), VXB_ERR_USAGE, &err, "brick size is");
    }
    check_says(vxb_probe_field_refine(field, &region, 2048, NULL, &err), VXB_ERR_USAGE, &err, "2048");
    region.min[1] = 9.0f;
    check_says(vxb_probe_field_allocate(field, &region, 1, NULL, &err), VXB_ERR_USAGE, &err, "along y is 9 to 8");
    region.min[1] = NAN;
    check_says(vxb_probe_field_refine(field, &region, 1, NULL, &err), VXB_ERR_USAGE, &err, "along y");
    check_says(vxb_probe_field_refine_bands(field, &band, 1, &extent, 1, NULL, NULL, &err), VXB_ERR_USAGE, &err,
               "normal of length 1");
    extent = (struct vxb_probe_extent){.kind = VXB_PROBE_EXTENT_BOX, .box = {{1, 0, 0}, {0, 0, 0}}};
    check_says(vxb_probe_field_refine_bands(field, &band, 1, &extent, 1, NULL, NULL, &err), VXB_ERR_USAGE, &err,
               "along x is 1 to 0");
    extent.kind = (enum vxb_probe_extent_kind)7;
    check_says(vxb_probe_field_refine_bands(field, &band, 1, &extent, 1, NULL, NULL, &err), VXB_ERR_USAGE, &err,
               "extent 0 is neither");
    band.margin = -1.0f;
    check_says(vxb_probe_field_refine_bands(field, &band, 1, NULL, 0, NULL, NULL, &err), VXB_ERR_USAGE, &err,
               "margin of band 0 is -1");
    check_says(vxb_probe_field_set_focus(field, (const float[3]){0, NAN, 0}, &err), VXB_ERR_USAGE, &err, "along y");
    check_says(vxb_probe_field_set_focus(field, (const float[3]){2e6f, 0, 0}, &err), VXB_ERR_LIMIT, &err, "along x");
    check_says(vxb_probe_field_split(field, outside, &done, &err), VXB_ERR_USAGE, &err, "cell 8 along y");
    check_says(vxb_probe_field_merge(field, outside, &done, &err), VXB_ERR_USAGE, &err, "cell 8 along y");
    check_says(vxb_probe_field_set(field, 0, corner, &empty, &err), VXB_ERR_USAGE, &err, "not placed");
    check_says(vxb_probe_field_dilate(NULL, field, 1, NULL, &err), VXB_ERR_USAGE, &err, "not placed");
    check_says(vxb_probe_field_sync_borders(NULL, field, &err), VXB_ERR_USAGE, &err, "not placed");
    cr_assert(eq(u32, field->counts.bricks, 8));
    probes_place(field);
    check_says(vxb_probe_field_place(field, &err), VXB_ERR_USAGE, &err, "placed already");
    check_says(vxb_probe_field_set(field, 8, corner, &empty, &err), VXB_ERR_USAGE, &err, "brick 8 is not one");
    check_says(vxb_probe_field_set(field, 0, (const uint32_t[3]){0, 0, 4}, &empty, &err), VXB_ERR_USAGE, &err,
               "z is 4, on the border");
    probes_check(field);
    vxb_probe_field_free(field);
    vxb_probe_field_free(NULL);
}

Test(probe_plan, environment_that_was_not_set__refused_before_anything_else)
{
    static const struct vxb_env env;
    static const uint32_t none[3];
    struct vxb_probe_field *field = NULL;
    struct vxb_probe_pool *pool = NULL;
    struct vxb_error err = {0};
    check_says(vxb_probe_pool_new(&env, none, &pool, &err), VXB_ERR_USAGE, &err, "struct vxb_env");
    check_says(vxb_probe_pool_of_capacity(&env, 0, &pool, &err), VXB_ERR_USAGE, &err, "struct vxb_env");
    check_says(vxb_probe_field_new(&env, &cube8, none, none, &field, &err), VXB_ERR_USAGE, &err, "struct vxb_env");
    check_says(vxb_probe_field_of_bricks(&env, &cube8, none, none, NULL, 0, &field, &err), VXB_ERR_USAGE, &err,
               "struct vxb_env");
    field = probes_field(&cube8, cells8, as_needed);
    check_says(vxb_probe_field_dilate(&env, field, 1, NULL, &err), VXB_ERR_USAGE, &err, "struct vxb_env");
    check_says(vxb_probe_field_sync_borders(&env, field, &err), VXB_ERR_USAGE, &err, "struct vxb_env");
    vxb_probe_field_free(field);
}

static bool always(void *user)
{
    (void)user;
    return true;
}

Test(probe_plan, cancelled__said)
{
    const struct vxb_env env = {.size = sizeof env, .cancelled = always};
    struct vxb_probe_field *field = probes_field(&cube8, cells8, as_needed);
    struct vxb_error err = {0};
    probes_allocate(field, &cube8, 4);
    probes_place(field);
    check_says(vxb_probe_field_dilate(&env, field, 1, NULL, &err), VXB_ERR_CANCELLED, &err, "cancelled");
    check_says(vxb_probe_field_sync_borders(&env, field, &err), VXB_ERR_CANCELLED, &err, "cancelled");
    vxb_probe_field_free(field);
}

static bool countdown(void *user)
{
    uint32_t *left = user;
    return (*left)-- == 0;
}

/* A step over 2^27 places goes on for seconds, and could not be ended. */
Test(probe_plan, cancelled_within_a_step__ends_and_what_was_made_is_whole)
{
    uint32_t left = UINT32_MAX, made = 77, after = 0;
    const struct vxb_env env = {.size = sizeof env, .user = &left, .cancelled = countdown};
    static const uint32_t cells[3] = {16, 16, 16};
    const struct vxb_probe_band band = {.margin = 0.0f, .size = 1};
    const struct vxb_probe_extent plane = {.kind = VXB_PROBE_EXTENT_PLANE, .normal = {0.0f, 1.0f, 0.0f}, .offset = 4};
    struct vxb_probe_field *field = NULL;
    struct vxb_error err = {0};
    cr_assert(eq(int, vxb_probe_field_new(&env, &cube8, cells, as_needed, &field, &err), VXB_OK));
    left = 20;
    check_says(vxb_probe_field_allocate(field, &cube8, 1, &made, &err), VXB_ERR_CANCELLED, &err, "cancelled");
    cr_assert(eq(u32, made, 0)); /* 256 rows are counted first */
    left = 256 + 20;
    err = (struct vxb_error){0};
    check_says(vxb_probe_field_allocate(field, &cube8, 1, &made, &err), VXB_ERR_CANCELLED, &err, "cancelled");
    cr_assert(eq(u32, made, 20 * 16));
    left = UINT32_MAX;
    cr_assert(eq(int, vxb_probe_field_allocate(field, &cube8, 4, &after, &err), VXB_OK));
    cr_assert(after > 0);
    left = 0;
    err = (struct vxb_error){0};
    check_says(vxb_probe_field_refine(field, &cube8, 1, &made, &err), VXB_ERR_CANCELLED, &err, "cancelled");
    cr_assert(eq(u32, made, 0));
    left = 1; /* the bricks were looked at */
    err = (struct vxb_error){0};
    check_says(vxb_probe_field_refine(field, &cube8, 1, &made, &err), VXB_ERR_CANCELLED, &err, "cancelled");
    cr_assert(eq(u32, made, 0));
    left = 3; /* once each for those of 4 and of 2 cells that were looked at, and for those of 4 that were split */
    err = (struct vxb_error){0};
    check_says(vxb_probe_field_refine_bands(field, &band, 1, &plane, 1, NULL, &made, &err), VXB_ERR_CANCELLED, &err,
               "cancelled");
    cr_assert(made > 0 && made % 8 == 0);
    left = UINT32_MAX;
    cr_assert(eq(int, vxb_probe_field_refine(field, &cube8, 1, NULL, &err), VXB_OK));
    probes_place(field);
    probes_check(field);
    vxb_probe_field_free(field);
}
