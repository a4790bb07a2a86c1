/* What a field's probes answer and what is done to them, against the engine's own fields and as properties: borders,
 * dilation, sampling. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "make_probes.h"
#include "probes/field.h"
#include "read_arrays.h"

/* ---- against the engine ---- */

/* The field of a set of vectors, by the steps that made it. */
static struct vxb_probe_field *engines_field(const struct arrays *arrays)
{
    struct vxb_probe_region bounds;
    uint32_t cells[3], made;
    const cJSON *step;
    arrays_floats(cJSON_GetObjectItem(arrays->json, "bounds_min"), bounds.min, 3);
    arrays_floats(cJSON_GetObjectItem(arrays->json, "bounds_max"), bounds.max, 3);
    arrays_u32(cJSON_GetObjectItem(arrays->json, "cells"), cells, 3);
    struct vxb_probe_field *field = probes_field(&bounds, cells, (const uint32_t[3]){0, 0, 0});
    cJSON_ArrayForEach(step, cJSON_GetObjectItem(arrays->json, "steps"))
    {
        struct vxb_probe_region region;
        const bool refine = strcmp(cJSON_GetObjectItem(step, "op")->valuestring, "refine") == 0;
        arrays_floats(cJSON_GetObjectItem(step, "min"), region.min, 3);
        arrays_floats(cJSON_GetObjectItem(step, "max"), region.max, 3);
        cr_assert(eq(int, (refine ? vxb_probe_field_refine : vxb_probe_field_allocate)(
                              field, &region, arrays_number(step, "size"), &made, NULL), VXB_OK));
        cr_assert(eq(u32, made, arrays_number(step, "made")));
    }
    probes_place(field);
    probes_check(field);
    return field;
}

static void check_bricks(const struct vxb_probe_field *field, const cJSON *expected)
{
    uint32_t count;
    const struct vxb_brick *bricks = vxb_probe_field_bricks(field, &count);
    cr_assert(eq(int, cJSON_GetArraySize(expected), (int)count));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t brick[4];
        arrays_u32(cJSON_GetArrayItem(expected, (int)i), brick, 4);
        cr_assert(eq(int, memcmp(brick, bricks[i].cell, sizeof bricks[i].cell), 0), "brick %" PRIu32, i);
        cr_assert(eq(u32, brick[3], bricks[i].size), "brick %" PRIu32, i);
    }
}

static void load_owned(struct vxb_probe_field *field, const float *texels)
{
    for (uint32_t i = 0; i < field->counts.bricks; i++)
        for (uint32_t k = 0; k < VXB_BRICK_TEXELS; k++) {
            const uint32_t at[3] = {k % 5, k / 5 % 5, k / 25};
            struct vxb_probe probe;
            if (at[0] == 4 || at[1] == 4 || at[2] == 4)
                continue;
            memcpy(&probe, texels + ((size_t)i * VXB_BRICK_TEXELS + k) * 14, sizeof probe);
            cr_assert(eq(int, vxb_probe_field_set(field, i, at, &probe, NULL), VXB_OK));
        }
}

/* Whether a texel is interpolated, in a larger brick, and not copied. */
static bool is_interpolated(const struct vxb_probe_field *field, const struct vxb_brick *brick, const uint32_t at[3])
{
    const struct vxk_probes view = vxbi_probe_field_view(field);
    int32_t quarter[3];
    for (int a = 0; a < 3; a++)
        quarter[a] = (int32_t)(4 * brick->cell[a] + brick->size * at[a]);
    return vxk_probe_brick_at(&view, quarter).size > brick->size;
}

/* Every texel of every brick; how many copies are not the same bits. */
static uint32_t check_texels(const struct vxb_probe_field *field, const float *texels, float tolerance,
                             const char *what)
{
    uint32_t differing = 0;
    for (uint32_t i = 0; i < field->counts.bricks; i++)
        for (uint32_t k = 0; k < VXB_BRICK_TEXELS; k++) {
            const uint32_t at[3] = {k % 5, k / 5 % 5, k / 25};
            const float *found = (const float *)probes_texel(field, i, at);
            const float *expected = texels + ((size_t)i * VXB_BRICK_TEXELS + k) * 14;
            float most = 0.0f, worst = 0.0f;
            for (int c = 0; c < 14; c++) {
                most = fmaxf(most, fabsf(expected[c]));
                worst = fmaxf(worst, fabsf(found[c] - expected[c]));
            }
            cr_assert(worst <= tolerance * most, "%s: brick %" PRIu32 " texel %" PRIu32 " is off by %g of %g", what, i,
                      k, worst, most);
            differing += !is_interpolated(field, &field->table[i], at) &&
                         memcmp(found, expected, 14 * sizeof(float)) != 0;
        }
    return differing;
}

static void check_samples(const struct vxb_probe_field *field, const struct arrays *arrays)
{
    uint32_t count, rows, hits = 0;
    const float *points = arrays_find(arrays, "points", &count), *normals = arrays_find(arrays, "normals", &rows);
    const float *views = arrays_find(arrays, "views", &rows);
    const float *samples = arrays_find(arrays, "sample_hit_and_probe", &rows);
    const float *biased = arrays_find(arrays, "irradiance_biased", &rows);
    for (uint32_t i = 0; i < count; i++) {
        struct vxb_probe probe;
        float irradiance[3], most = 0.0f, most_light = 0.0f;
        const bool hit = vxb_probe_field_sample(field, points + 3 * i, &probe);
        cr_assert(eq(int, hit, samples[15 * i] != 0.0f), "point %" PRIu32, i);
        hits += hit;
        for (int c = 0; c < 14; c++)
            most = fmaxf(most, fabsf(samples[15 * i + 1 + c]));
        for (int c = 0; c < 14; c++)
            cr_assert(epsilon_eq(flt, ((const float *)&probe)[c], samples[15 * i + 1 + c], 1e-5f * most),
                      "point %" PRIu32 " value %d", i, c);
        vxb_probe_field_irradiance(field, points + 3 * i, normals + 3 * i, views + 3 * i, irradiance);
        for (int c = 0; c < 3; c++)
            most_light = fmaxf(most_light, fabsf(biased[3 * i + c]));
        for (int c = 0; c < 3; c++)
            cr_assert(epsilon_eq(flt, irradiance[c], biased[3 * i + c], 2e-5f * fmaxf(most_light, 1.0f)),
                      "point %" PRIu32 " channel %d", i, c);
    }
    cr_assert(lt(u32, count / 4, hits));
}

/* From the probes as they were, so many passes each. */
static void check_dilations(struct vxb_probe_field *field, const struct arrays *arrays, const float *owned)
{
    const cJSON *entry;
    uint32_t seen = 0, rows;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(arrays->json, "arrays"))
    {
        uint32_t passes, repaired;
        uint64_t found = 0;
        const char *name = cJSON_GetObjectItem(entry, "name")->valuestring;
        if (sscanf(name, "dilated_%" SCNu32 "_repaired_%" SCNu32, &passes, &repaired) != 2)
            continue;
        memset(field->pool->texels, 0, (size_t)field->pool->capacity * VXB_BRICK_TEXELS * sizeof(struct vxb_probe));
        load_owned(field, owned);
        cr_assert(eq(int, vxb_probe_field_dilate(NULL, field, passes, &found, NULL), VXB_OK));
        cr_assert(eq(u64, found, repaired), "%s", name);
        check_texels(field, arrays_find(arrays, name, &rows), 1e-5f, name);
        seen++;
    }
    cr_assert(eq(u32, seen, 3));
}

static void check_engines(const char *name)
{
    struct arrays arrays = arrays_open(name);
    uint32_t rows;
    const float *owned = arrays_find(&arrays, "owned_before", &rows);
    struct vxb_probe_field *field = engines_field(&arrays);
    check_bricks(field, cJSON_GetObjectItem(arrays.json, "bricks"));
    load_owned(field, owned);
    cr_assert(eq(u32, check_texels(field, owned, 0.0f, "owned"), 0));
    cr_assert(eq(int, vxb_probe_field_sync_borders(NULL, field, NULL), VXB_OK));
    cr_assert(eq(u32, check_texels(field, arrays_find(&arrays, "synced", &rows), 1e-5f, "synced"), 0));
    check_samples(field, &arrays);
    check_dilations(field, &arrays, owned);
    vxb_probe_field_free(field);
    arrays_close(&arrays);
}

Test(probe_field, engines_even_field__same_borders_samples_and_dilations)
{
    check_engines("irradiance-field-even");
}

Test(probe_field, engines_mixed_field__same_borders_samples_and_dilations)
{
    check_engines("irradiance-field-mixed");
}

Test(probe_field, engines_field_with_holes__same_borders_samples_and_dilations)
{
    check_engines("irradiance-field-holes");
}

Test(probe_field, engines_merges__same_bricks_and_probes)
{
    struct arrays arrays = arrays_open("irradiance-merge");
    struct vxb_probe_region bounds;
    uint32_t cells[3], rows, refused = 0;
    arrays_floats(cJSON_GetObjectItem(arrays.json, "bounds_min"), bounds.min, 3);
    arrays_floats(cJSON_GetObjectItem(arrays.json, "bounds_max"), bounds.max, 3);
    arrays_u32(cJSON_GetObjectItem(arrays.json, "cells"), cells, 3);
    struct vxb_probe_field *field = probes_field(&bounds, cells, (const uint32_t[3]){0, 0, 0});
    probes_allocate(field, &bounds, 1);
    probes_place(field);
    check_bricks(field, cJSON_GetObjectItem(arrays.json, "bricks_before"));
    const cJSON *entry = cJSON_GetArrayItem(cJSON_GetObjectItem(arrays.json, "arrays"), 0);
    load_owned(field, arrays_find(&arrays, cJSON_GetObjectItem(entry, "name")->valuestring, &rows));
    const cJSON *step;
    cJSON_ArrayForEach(step, cJSON_GetObjectItem(arrays.json, "steps"))
    {
        uint32_t cell[3];
        bool merged;
        arrays_u32(cJSON_GetObjectItem(step, "cell"), cell, 3);
        cr_assert(eq(int, vxb_probe_field_merge(field, cell, &merged, NULL), VXB_OK));
        cr_assert(eq(int, merged, cJSON_IsTrue(cJSON_GetObjectItem(step, "ok"))));
        probes_check(field);
        refused += !merged;
    }
    cr_assert(eq(u32, refused, 3));
    check_bricks(field, cJSON_GetObjectItem(arrays.json, "bricks_after"));
    entry = cJSON_GetArrayItem(cJSON_GetObjectItem(arrays.json, "arrays"), 1);
    check_texels(field, arrays_find(&arrays, cJSON_GetObjectItem(entry, "name")->valuestring, &rows), 0.0f, "merged");
    vxb_probe_field_free(field);
    arrays_close(&arrays);
}

/* ---- borders ---- */

static const struct vxb_env one_thread = {.size = sizeof one_thread, .threads = 1};
static const struct vxb_env seven_threads = {.size = sizeof seven_threads, .threads = 7};

Test(probe_field, borders_written_twice__nothing_changes)
{
    for (uint32_t seed = 0; seed < 40; seed++) {
        struct vxb_probe_field *field = probes_random(seed, (const uint32_t[3]){0, 0, 0});
        probes_fill_mixed(field, seed);
        cr_assert(eq(int, vxb_probe_field_sync_borders(NULL, field, NULL), VXB_OK));
        const uint64_t hash = probes_hash(field);
        cr_assert(eq(int, vxb_probe_field_sync_borders(NULL, field, NULL), VXB_OK));
        cr_assert(eq(u64, probes_hash(field), hash), "seed %" PRIu32, seed);
        probes_check(field);
        vxb_probe_field_free(field);
    }
}

Test(probe_field, borders_of_garbage__only_the_probes_decide)
{
    for (uint32_t seed = 0; seed < 40; seed++) {
        struct vxb_probe_field *field = probes_random(seed, (const uint32_t[3]){0, 0, 0});
        probes_fill_mixed(field, seed);
        cr_assert(eq(int, vxb_probe_field_sync_borders(NULL, field, NULL), VXB_OK));
        const uint64_t hash = probes_hash(field);
        for (uint32_t i = 0; i < field->counts.bricks; i++)
            for (uint32_t k = 0; k < VXB_BRICK_TEXELS; k++)
                if (k % 5 == 4 || k / 5 % 5 == 4 || k / 25 == 4)
                    vxbi_probe_pool_at(field->pool, field->table[i].slot, k % 5, k / 5 % 5, k / 25)->l00[0] = 1e30f;
        cr_assert(eq(int, vxb_probe_field_sync_borders(NULL, field, NULL), VXB_OK));
        cr_assert(eq(u64, probes_hash(field), hash), "seed %" PRIu32, seed);
        vxb_probe_field_free(field);
    }
}

/* In multiples of 2^-8 of the lattice, so that every product and sum is exact. */
static struct vxb_probe linear(void *user, const struct vxb_brick *brick, const uint32_t at[3])
{
    float p[3];
    (void)user;
    for (int a = 0; a < 3; a++)
        p[a] = (float)(4 * brick->cell[a] + brick->size * at[a]);
    struct vxb_probe probe = {.validity = 1.0f, .sun_shadow = 0.5f};
    float *values = (float *)&probe;
    for (int k = 0; k < 12; k++)
        values[k] = (float)(k - 5) + (p[0] * (float)(k + 1) - p[1] * (float)(2 * k + 1) + p[2] * 7.0f) / 256.0f;
    return probe;
}

Test(probe_field, linear_field__exact_across_every_boundary_of_equal_size)
{
    const struct vxb_probe_region bounds = {{-3.0f, 1.0f, 2.0f}, {9.0f, 11.0f, 7.0f}};
    for (uint32_t size = 1; size <= 4; size *= 2) {
        struct vxb_probe_field *field =
            probes_field(&bounds, (const uint32_t[3]){12, 8, 8}, (const uint32_t[3]){0, 0, 0});
        probes_allocate(field, &bounds, size);
        probes_place(field);
        probes_fill(field, linear, NULL);
        cr_assert(eq(int, vxb_probe_field_sync_borders(NULL, field, NULL), VXB_OK));
        uint32_t compared = 0;
        for (uint32_t i = 0; i < field->counts.bricks; i++)
            for (int axis = 0; axis < 3; axis++) {
                const struct vxb_brick *a = &field->table[i];
                uint32_t next[3] = {a->cell[0], a->cell[1], a->cell[2]};
                next[axis] += size;
                if (next[axis] >= field->cells[axis])
                    continue;
                const struct vxb_probe_cell *b = vxbi_probe_cell(field, next[0], next[1], next[2]);
                for (uint32_t k = 0; k < 81; k++) {
                    struct vxb_probe far, near;
                    float local[3] = {(float)(k % 9) / 8.0f, (float)(k / 9) / 8.0f, (float)(k / 9) / 8.0f};
                    local[(axis + 1) % 3] = (float)(k % 9) / 8.0f;
                    bool edge = false;
                    for (int c = 0; c < 3; c++)
                        edge = edge || (c != axis && local[c] > 0.75f && a->cell[c] + size >= field->cells[c]);
                    local[axis] = 1.0f;
                    cr_assert(eq(int, vxb_probe_pool_sample(field->pool, a->slot, local, &far, NULL), VXB_OK));
                    local[axis] = 0.0f;
                    cr_assert(eq(int, vxb_probe_pool_sample(field->pool, b->slot, local, &near, NULL), VXB_OK));
                    cr_assert(eq(int, memcmp(&far, &near, sizeof far), 0));
                    /* And within the lattice it is the linear function itself. */
                    if (!edge) {
                        float p[3];
                        for (int c = 0; c < 3; c++)
                            p[c] = 4.0f * ((float)next[c] + (c == axis ? 0.0f : local[c] * (float)size));
                        cr_assert(eq(flt, near.l00[0], -5.0f + (p[0] - p[1] + p[2] * 7.0f) / 256.0f));
                    }
                    compared++;
                }
            }
        cr_assert(lt(u32, 500, compared));
        vxb_probe_field_free(field);
    }
}

/* The rule in words: the texel of the coarser neighbour's own interpolation; a finer one's own probe. */
Test(probe_field, linear_field_of_many_sizes__linear_across_boundaries_of_any_size)
{
    const struct vxb_probe_region bounds = {{0.0f, 0.0f, 0.0f}, {16.0f, 16.0f, 16.0f}};
    const struct vxb_probe_region part = {{5.0f, 3.0f, 6.0f}, {9.0f, 8.0f, 9.5f}};
    struct vxb_probe_field *field =
        probes_field(&bounds, (const uint32_t[3]){16, 16, 16}, (const uint32_t[3]){0, 0, 0});
    probes_allocate(field, &bounds, 8);
    probes_refine(field, &part, 1);
    probes_place(field);
    probes_fill(field, linear, NULL);
    cr_assert(eq(int, vxb_probe_field_sync_borders(NULL, field, NULL), VXB_OK));
    for (uint32_t i = 0; i < 4096; i++) {
        /* Short of the last probe plane, after which each brick repeats its last one. */
        const float p[3] = {(float)(i % 16) * 0.875f, (float)(i / 16 % 16) * 0.875f, (float)(i / 256) * 0.875f};
        struct vxb_probe probe;
        cr_assert(vxb_probe_field_sample(field, p, &probe));
        cr_assert(eq(flt, probe.l00[0], -5.0f + 4.0f * (p[0] - p[1] + p[2] * 7.0f) / 256.0f), "point %" PRIu32, i);
    }
    vxb_probe_field_free(field);
}

/* ---- dilation ---- */

Test(probe_field, any_number_of_threads__same_bytes)
{
    for (uint32_t seed = 0; seed < 20; seed++) {
        struct vxb_probe_field *one = probes_random(seed, (const uint32_t[3]){0, 0, 0});
        struct vxb_probe_field *many = probes_random(seed, (const uint32_t[3]){0, 0, 0});
        uint64_t repaired_one = 0, repaired_many = 0;
        probes_fill_mixed(one, seed);
        probes_fill_mixed(many, seed);
        cr_assert(eq(int, vxb_probe_field_dilate(&one_thread, one, 3, &repaired_one, NULL), VXB_OK));
        cr_assert(eq(int, vxb_probe_field_dilate(&seven_threads, many, 3, &repaired_many, NULL), VXB_OK));
        cr_assert(eq(u64, repaired_one, repaired_many));
        cr_assert(eq(int, vxb_probe_field_sync_borders(&one_thread, one, NULL), VXB_OK));
        cr_assert(eq(int, vxb_probe_field_sync_borders(&seven_threads, many, NULL), VXB_OK));
        cr_assert(eq(u64, probes_hash(one), probes_hash(many)), "seed %" PRIu32, seed);
        vxb_probe_field_free(one);
        vxb_probe_field_free(many);
    }
}

/* Written down, so that another compiler and next year's are held to them. */
Test(probe_field, same_fields__same_bytes_as_ever)
{
    static const uint64_t hashes[] = {0xf3d2368d619fac0a, 0x51dad681b142af10, 0x654530ce154da3a4, 0xc69afb2e4f0a80be};
    for (uint32_t seed = 0; seed < sizeof hashes / sizeof *hashes; seed++) {
        struct vxb_probe_field *field = probes_random(7 + seed, (const uint32_t[3]){0, 0, 0});
        probes_fill_mixed(field, seed);
        cr_assert(eq(int, vxb_probe_field_dilate(NULL, field, 2, NULL, NULL), VXB_OK));
        cr_assert(eq(int, vxb_probe_field_sync_borders(NULL, field, NULL), VXB_OK));
        cr_expect(probes_hash(field) == hashes[seed], "seed %" PRIu32 ": 0x%016" PRIx64, seed, probes_hash(field));
        vxb_probe_field_free(field);
    }
}

/* Against the rule asked of every empty probe, whatever is around it. */
Test(probe_field, fields_of_many_sizes__every_probe_that_can_be_is_repaired)
{
    for (uint32_t seed = 0; seed < 60; seed++) {
        struct vxb_probe_field *field = probes_random(seed, (const uint32_t[3]){0, 0, 0});
        struct vxb_probe_field *before = probes_random(seed, (const uint32_t[3]){0, 0, 0});
        uint64_t *valid = calloc(field->pool->capacity, sizeof *valid);
        uint64_t repaired = 0, expected = 0;
        probes_fill_mixed(field, seed);
        probes_fill_mixed(before, seed);
        for (uint32_t i = 0; i < field->counts.bricks; i++)
            for (uint32_t k = 0; k < 64; k++) {
                const uint32_t at[3] = {k % 4, k / 4 % 4, k / 16};
                /* Few enough that much is out of reach. */
                if (k % 7 || (i + seed) % 5)
                    *vxbi_probe_pool_at(field->pool, field->table[i].slot, at[0], at[1], at[2]) =
                        *vxbi_probe_pool_at(before->pool, before->table[i].slot, at[0], at[1], at[2]) =
                            (struct vxb_probe){.validity = 0.0f};
                valid[field->table[i].slot] |= (uint64_t)(probes_texel(before, i, at)->validity > 0.0f) << k;
            }
        const struct vxk_probes view = vxbi_probe_field_view(before);
        cr_assert(eq(int, vxb_probe_field_dilate(NULL, field, 1, &repaired, NULL), VXB_OK));
        for (uint32_t i = 0; i < field->counts.bricks; i++)
            for (uint32_t k = 0; k < 64; k++) {
                const uint32_t at[3] = {k % 4, k / 4 % 4, k / 16};
                const struct vxk_brick brick = vxbi_probe_brick(&before->table[i]);
                struct vxb_probe probe;
                if (probes_texel(before, i, at)->validity > 0.0f ||
                    !vxk_probe_repair(&view, valid, &brick, at, (float *)&probe))
                    probe = *probes_texel(before, i, at);
                else
                    expected++;
                cr_assert(eq(int, memcmp(probes_texel(field, i, at), &probe, sizeof probe), 0),
                          "seed %" PRIu32 " brick %" PRIu32 " probe %" PRIu32, seed, i, k);
            }
        cr_assert(eq(u64, repaired, expected));
        free(valid);
        vxb_probe_field_free(field);
        vxb_probe_field_free(before);
    }
}

/* Two passes are one pass twice: each reads only what was there before it. */
Test(probe_field, passes_one_by_one__same_as_together)
{
    for (uint32_t seed = 0; seed < 20; seed++) {
        struct vxb_probe_field *together = probes_random(seed, (const uint32_t[3]){0, 0, 0});
        struct vxb_probe_field *single = probes_random(seed, (const uint32_t[3]){0, 0, 0});
        uint64_t all = 0, sum = 0;
        probes_fill_mixed(together, seed);
        probes_fill_mixed(single, seed);
        cr_assert(eq(int, vxb_probe_field_dilate(NULL, together, 4, &all, NULL), VXB_OK));
        for (int pass = 0; pass < 4; pass++) {
            uint64_t repaired = 0;
            cr_assert(eq(int, vxb_probe_field_dilate(NULL, single, 1, &repaired, NULL), VXB_OK));
            sum += repaired;
        }
        cr_assert(eq(u64, all, sum));
        cr_assert(eq(u64, probes_hash(together), probes_hash(single)), "seed %" PRIu32, seed);
        vxb_probe_field_free(together);
        vxb_probe_field_free(single);
    }
}

static struct vxb_probe first_of_first(void *user, const struct vxb_brick *brick, const uint32_t at[3])
{
    (void)user;
    const bool is = !(brick->cell[0] | brick->cell[1] | brick->cell[2] | at[0] | at[1] | at[2]);
    return is ? (struct vxb_probe){.l00 = {3.0f, 2.0f, 1.0f}, .validity = 0.5f, .sun_shadow = 0.25f}
              : (struct vxb_probe){.validity = 0.0f};
}

Test(probe_field, one_probe_and_enough_passes__everything_takes_its_value)
{
    const struct vxb_probe_region bounds = {{0.0f, 0.0f, 0.0f}, {3.0f, 2.0f, 2.0f}};
    struct vxb_probe_field *field = probes_field(&bounds, (const uint32_t[3]){3, 2, 2}, (const uint32_t[3]){0, 0, 0});
    uint64_t repaired = 0;
    probes_allocate(field, &bounds, 1);
    probes_place(field);
    probes_fill(field, first_of_first, NULL);
    cr_assert(eq(int, vxb_probe_field_dilate(NULL, field, 1, &repaired, NULL), VXB_OK));
    cr_assert(eq(u64, repaired, 3));
    /* The farthest is 11 + 7 + 7 steps off. */
    cr_assert(eq(int, vxb_probe_field_dilate(NULL, field, UINT32_MAX, &repaired, NULL), VXB_OK));
    cr_assert(eq(u64, repaired, 12 * 64 - 4));
    const uint32_t last[3] = {3, 3, 3};
    cr_assert(eq(flt, probes_texel(field, 11, last)->l00[0], 3.0f));
    cr_assert(eq(flt, probes_texel(field, 11, last)->validity, 0.5f));
    cr_assert(eq(flt, probes_texel(field, 11, last)->sun_shadow, 0.25f));
    vxb_probe_field_free(field);
}

static struct vxb_probe extreme(void *user, const struct vxb_brick *brick, const uint32_t at[3])
{
    struct vxb_probe probe = {.validity = 0.0f};
    (void)user;
    (void)brick;
    if ((at[0] + at[1] + at[2]) % 2 == 0)
        probe = (struct vxb_probe){.l00 = {3.4e38f, 1e-45f, -3.4e38f}, .validity = at[0] == 1 ? 1e-45f : 1.0f};
    return probe;
}

Test(probe_field, values_at_both_ends_of_f32__nothing_that_is_not_finite)
{
    const struct vxb_probe_region bounds = {{0.0f, 0.0f, 0.0f}, {3.0f, 2.0f, 2.0f}};
    struct vxb_probe_field *field = probes_field(&bounds, (const uint32_t[3]){3, 2, 2}, (const uint32_t[3]){0, 0, 0});
    uint64_t repaired = 0;
    probes_allocate(field, &bounds, 1);
    probes_place(field);
    probes_fill(field, extreme, NULL);
    cr_assert(eq(int, vxb_probe_field_dilate(NULL, field, 2, &repaired, NULL), VXB_OK));
    cr_assert(eq(u64, repaired, 6 * 64));
    cr_assert(eq(int, vxb_probe_field_sync_borders(NULL, field, NULL), VXB_OK));
    const float *values = (const float *)vxb_probe_pool_texels(field->pool);
    for (size_t i = 0; i < (size_t)field->pool->capacity * VXB_BRICK_TEXELS * 14; i++)
        cr_assert(isfinite(values[i]), "value %zu", i);
    vxb_probe_field_free(field);
}

Test(probe_field, nothing_valid__nothing_is_repaired)
{
    struct vxb_probe_field *field = probes_random(3, (const uint32_t[3]){0, 0, 0});
    const uint64_t hash = probes_hash(field);
    uint64_t repaired = 99;
    cr_assert(eq(int, vxb_probe_field_dilate(NULL, field, 5, &repaired, NULL), VXB_OK));
    cr_assert(eq(u64, repaired, 0));
    cr_assert(eq(u64, probes_hash(field), hash));
    vxb_probe_field_free(field);
}

/* ---- sampling ---- */

Test(probe_field, point_outside_or_in_a_hole__no_answer)
{
    const struct vxb_probe_region bounds = {{0.0f, 0.0f, 0.0f}, {4.0f, 4.0f, 4.0f}};
    const struct vxb_probe_region half = {{0.0f, 0.0f, 0.0f}, {2.0f, 4.0f, 4.0f}};
    static const float normal[3] = {1.0f, 0.0f, 0.0f}, none[3];
    struct vxb_probe_field *field = probes_field(&bounds, (const uint32_t[3]){4, 4, 4}, (const uint32_t[3]){0, 0, 0});
    struct vxb_probe probe;
    float light[3];
    probes_allocate(field, &half, 1);
    const float inside[3] = {1.5f, 1.0f, 1.0f};
    cr_assert(not(vxb_probe_field_sample(field, inside, &probe)), "it is not placed yet");
    probes_place(field);
    probes_fill(field, linear, NULL);
    cr_assert(vxb_probe_field_sample(field, inside, &probe));
    static const float points[][3] = {{3.0f, 1.0f, 1.0f},  {2.0f, 0.0f, 0.0f}, {-0.001f, 1.0f, 1.0f},
                                      {1.0f, 4.001f, 1.0f}, {NAN, 1.0f, 1.0f},  {1.0f, INFINITY, 1.0f},
                                      {1.0f, 1.0f, -1e30f}};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        cr_assert(not(vxb_probe_field_sample(field, points[i], &probe)), "point %zu", i);
        cr_assert(eq(flt, probe.validity, 0.0f));
        vxb_probe_field_irradiance(field, points[i], normal, none, light);
        cr_assert(eq(flt, light[0], 0.0f));
    }
    /* The box is closed: its far corner belongs to the last cell. */
    const float corner[3] = {0.0f, 4.0f, 4.0f}, edge[3] = {1.99f, 1.0f, 1.0f};
    cr_assert(vxb_probe_field_sample(field, corner, &probe));
    cr_assert(vxb_probe_field_sample_biased(field, edge, none, none, &probe));
    cr_assert(not(vxb_probe_field_sample_biased(field, edge, normal, none, &probe)), "moved into the hole");
    vxb_probe_field_free(field);
}
