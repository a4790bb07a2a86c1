/* The pool of probe bricks: the engine's own sequences and samples, what is refused, and memory that runs out. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "probes/pool.h"
#include "read_arrays.h"
#include "read_vectors.h"

static struct vxb_probe_pool *pool_of(uint32_t x, uint32_t y, uint32_t z)
{
    struct vxb_probe_pool *pool = NULL;
    cr_assert(eq(int, vxb_probe_pool_new(NULL, (const uint32_t[3]){x, y, z}, &pool, NULL), VXB_OK));
    return pool;
}

static uint32_t take(struct vxb_probe_pool *pool)
{
    uint32_t slot = UINT32_MAX;
    cr_assert(vxb_probe_pool_try_allocate(pool, &slot));
    return slot;
}

static const struct vxb_probe grey = {.l00 = {1.0f, 2.0f, 3.0f}, .l11 = {0.25f, 0.5f, -1.0f}, .validity = 1.0f};

/* ---- against the engine ---- */

Test(probe_pool, engines_sequence__same_slots_and_counts)
{
    cJSON *json = vectors_json("irradiance-pool.json");
    uint32_t slots[3], resolution[3], expected[3];
    arrays_u32(cJSON_GetObjectItem(json, "slots"), slots, 3);
    struct vxb_probe_pool *pool = pool_of(slots[0], slots[1], slots[2]);
    cr_assert(eq(u32, vxb_probe_pool_capacity(pool), arrays_number(json, "capacity")));
    vxb_probe_pool_texel_resolution(pool, resolution);
    arrays_u32(cJSON_GetObjectItem(json, "texel_resolution"), expected, 3);
    cr_assert(eq(int, memcmp(resolution, expected, sizeof expected), 0));

    uint32_t slot = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(json, "origins"))
    {
        uint32_t origin[3];
        arrays_u32(item, expected, 3);
        cr_assert(eq(int, vxb_probe_pool_origin(pool, slot++, origin, NULL), VXB_OK));
        cr_assert(eq(int, memcmp(origin, expected, sizeof expected), 0), "slot %" PRIu32, slot);
    }
    cr_assert(eq(u32, slot, vxb_probe_pool_capacity(pool)));

    uint32_t ops = 0;
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(json, "ops"))
    {
        const cJSON *number = cJSON_GetObjectItem(item, "slot");
        if (strcmp(cJSON_GetObjectItem(item, "op")->valuestring, "allocate") == 0) {
            uint32_t got = UINT32_MAX;
            const bool there_is = cJSON_IsNumber(number) && number->valueint >= 0;
            cr_assert(eq(int, vxb_probe_pool_try_allocate(pool, &got), there_is), "op %" PRIu32, ops);
            if (there_is)
                cr_assert(eq(u32, got, (uint32_t)number->valueint), "op %" PRIu32, ops);
        } else {
            const bool ok = cJSON_IsTrue(cJSON_GetObjectItem(item, "ok"));
            cr_assert(eq(int, vxb_probe_pool_release(pool, (uint32_t)number->valueint, NULL),
                         ok ? VXB_OK : VXB_ERR_USAGE), "op %" PRIu32, ops);
        }
        cr_assert(eq(u32, vxb_probe_pool_count(pool), arrays_number(item, "count")), "op %" PRIu32, ops);
        ops++;
    }
    cr_assert(lt(u32, 100, ops));
    vxb_probe_pool_free(pool);
    cJSON_Delete(json);
}

/* The engine's cube root is one too large for perfect cubes. */
Test(probe_pool, of_capacity__smallest_cube_that_has_room)
{
    cJSON *json = vectors_json("irradiance-pool.json");
    const cJSON *pair;
    uint32_t seen = 0, same = 0;
    cJSON_ArrayForEach(pair, cJSON_GetObjectItem(json, "of_capacity"))
    {
        uint32_t numbers[2];
        arrays_u32(pair, numbers, 2);
        const uint32_t side = vxbi_probe_cube_side(numbers[0]);
        cr_assert(ge(u32, side * side * side, numbers[0]));
        cr_assert(lt(u32, (side - 1) * (side - 1) * (side - 1), numbers[0]));
        cr_assert(side == numbers[1] || (side * side * side == numbers[0] && side + 1 == numbers[1]));
        same += side == numbers[1];
        seen++;
    }
    cr_assert(lt(u32, seen / 2, same));
    cJSON_Delete(json);
}

Test(probe_pool, engines_points__same_coordinates_and_samples)
{
    struct arrays arrays = arrays_open("irradiance-sample");
    uint32_t slots[3], rows, count;
    arrays_u32(cJSON_GetObjectItem(arrays.json, "slots"), slots, 3);
    struct vxb_probe_pool *pool = pool_of(slots[0], slots[1], slots[2]);
    const float *texels = arrays_find(&arrays, "texels", &rows);
    memcpy(pool->texels, texels, (size_t)pool->capacity * VXB_BRICK_TEXELS * sizeof *pool->texels);
    float most = 0.0f;
    for (size_t i = 0; i < (size_t)pool->capacity * VXB_BRICK_TEXELS * 14; i++)
        most = fmaxf(most, fabsf(texels[i]));
    const float *points = arrays_find(&arrays, "points_slot_local", &count);
    const float *coordinates = arrays_find(&arrays, "texture_coordinates", &rows);
    const float *samples = arrays_find(&arrays, "samples", &rows);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t slot = (uint32_t)points[4 * i];
        float at[3];
        struct vxb_probe probe;
        cr_assert(eq(int, vxb_probe_pool_texture_coordinate(pool, slot, points + 4 * i + 1, at, NULL), VXB_OK));
        for (int a = 0; a < 3; a++)
            cr_assert(epsilon_eq(flt, at[a], coordinates[3 * i + a], 1e-6f), "point %" PRIu32, i);
        cr_assert(eq(int, vxb_probe_pool_sample(pool, slot, points + 4 * i + 1, &probe, NULL), VXB_OK));
        for (int k = 0; k < 14; k++)
            cr_assert(epsilon_eq(flt, ((const float *)&probe)[k], samples[14 * i + k], 1e-5f * most),
                      "point %" PRIu32 ", value %d", i, k);
    }
    vxb_probe_pool_free(pool);
    arrays_close(&arrays);
}

Test(probe_pool, engines_probes__same_irradiance)
{
    struct arrays arrays = arrays_open("irradiance-sh");
    uint32_t count, rows;
    const float *normals = arrays_find(&arrays, "normals", &count), *probes = arrays_find(&arrays, "probes", &rows);
    const float *expected = arrays_find(&arrays, "irradiance", &rows);
    for (uint32_t i = 0; i < count; i++) {
        struct vxb_probe probe;
        float found[3];
        memcpy(&probe, probes + 14 * i, sizeof probe);
        vxb_probe_irradiance(&probe, normals + 3 * i, found);
        for (int c = 0; c < 3; c++)
            cr_assert(epsilon_eq(flt, found[c], expected[3 * i + c], 1e-6f), "probe %" PRIu32, i);
    }
    arrays_close(&arrays);
}

/* ---- slots ---- */

Test(probe_pool, pool_full__answers_no_and_stays)
{
    struct vxb_probe_pool *pool = pool_of(2, 1, 1);
    uint32_t slot = 77;
    cr_assert(eq(u32, take(pool), 0));
    cr_assert(eq(u32, take(pool), 1));
    cr_assert(not(vxb_probe_pool_try_allocate(pool, &slot)));
    cr_assert(eq(u32, slot, 77));
    cr_assert(eq(u32, vxb_probe_pool_count(pool), 2));
    vxb_probe_pool_free(pool);
}

Test(probe_pool, slot_released__its_texels_are_zero_and_its_neighbours_stay)
{
    static const struct vxb_probe empty;
    struct vxb_probe_pool *pool = pool_of(2, 2, 2);
    struct vxb_probe probe;
    for (uint32_t slot = 0; slot < 8; slot++) {
        cr_assert(eq(u32, take(pool), slot));
        for (uint32_t i = 0; i < VXB_BRICK_TEXELS; i++)
            *vxbi_probe_pool_at(pool, slot, i % 5, i / 5 % 5, i / 25) = grey;
    }
    cr_assert(eq(int, vxb_probe_pool_release(pool, 5, NULL), VXB_OK));
    for (uint32_t slot = 0; slot < 8; slot++)
        for (uint32_t i = 0; i < VXB_BRICK_TEXELS; i++) {
            const uint32_t at[3] = {i % 5, i / 5 % 5, i / 25};
            cr_assert(eq(int, vxb_probe_pool_get(pool, slot, at, &probe, NULL), VXB_OK));
            cr_assert(eq(int, memcmp(&probe, slot == 5 ? &empty : &grey, sizeof probe), 0));
        }
    cr_assert(eq(u32, take(pool), 5));
    vxb_probe_pool_clear(pool);
    cr_assert(eq(u32, vxb_probe_pool_count(pool), 0));
    for (uint32_t i = 0; i < 8 * VXB_BRICK_TEXELS; i++)
        cr_assert(eq(int, memcmp(&vxb_probe_pool_texels(pool)[i], &empty, sizeof empty), 0));
    cr_assert(eq(u32, take(pool), 0));
    vxb_probe_pool_free(pool);
}

Test(probe_pool, texels__x_fastest_from_each_slots_origin)
{
    struct vxb_probe_pool *pool = pool_of(3, 2, 2);
    uint32_t resolution[3], origin[3];
    vxb_probe_pool_texel_resolution(pool, resolution);
    for (uint32_t slot = 0; slot < 12; slot++)
        take(pool);
    for (uint32_t slot = 0; slot < 12; slot++) {
        const uint32_t at[3] = {slot % 4, slot / 4, 3 - slot % 3};
        cr_assert(eq(int, vxb_probe_pool_set(pool, slot, at, &grey, NULL), VXB_OK));
        cr_assert(eq(int, vxb_probe_pool_origin(pool, slot, origin, NULL), VXB_OK));
        const uint32_t texel =
            ((origin[2] + at[2]) * resolution[1] + origin[1] + at[1]) * resolution[0] + origin[0] + at[0];
        cr_assert(eq(flt, vxb_probe_pool_texels(pool)[texel].l00[2], 3.0f), "slot %" PRIu32, slot);
    }
    vxb_probe_pool_free(pool);
}

Test(probe_pool, sample_at_a_texel__exactly_that_texel)
{
    struct vxb_probe_pool *pool = pool_of(1, 1, 1);
    struct vxb_probe probe;
    take(pool);
    for (uint32_t i = 0; i < VXB_BRICK_TEXELS; i++)
        *vxbi_probe_pool_at(pool, 0, i % 5, i / 5 % 5, i / 25) =
            (struct vxb_probe){.l00 = {(float)i * 0.1f, 1e6f + (float)i, -0.3f}, .validity = 1.0f / (float)(i + 1)};
    for (uint32_t i = 0; i < VXB_BRICK_TEXELS; i++) {
        const uint32_t at[3] = {i % 5, i / 5 % 5, i / 25};
        const float local[3] = {(float)at[0] / 4.0f, (float)at[1] / 4.0f, (float)at[2] / 4.0f};
        cr_assert(eq(int, vxb_probe_pool_sample(pool, 0, local, &probe, NULL), VXB_OK));
        cr_assert(eq(int, memcmp(&probe, vxbi_probe_pool_at(pool, 0, at[0], at[1], at[2]), sizeof probe), 0));
    }
    vxb_probe_pool_free(pool);
}

Test(probe_pool, local_outside_or_not_a_number__clamped)
{
    struct vxb_probe_pool *pool = pool_of(1, 1, 1);
    struct vxb_probe probe;
    float at[3];
    take(pool);
    *vxbi_probe_pool_at(pool, 0, 0, 4, 0) = grey;
    cr_assert(eq(int, vxb_probe_pool_sample(pool, 0, (const float[3]){-7.0f, INFINITY, NAN}, &probe, NULL), VXB_OK));
    cr_assert(eq(flt, probe.l00[1], 2.0f));
    cr_assert(eq(int, vxb_probe_pool_texture_coordinate(pool, 0, (const float[3]){-7.0f, INFINITY, NAN}, at, NULL),
                 VXB_OK));
    cr_assert(eq(flt, at[0], 0.1f));
    cr_assert(eq(flt, at[1], 0.9f));
    cr_assert(eq(flt, at[2], 0.1f));
    vxb_probe_pool_free(pool);
}

/* ---- what is refused ---- */

static void check_says(enum vxb_status found, enum vxb_status status, const struct vxb_error *err, const char *part)
{
    cr_assert(eq(int, found, status));
    cr_assert(ne(ptr, strstr(err->message, part), NULL), "\"%s\" says nothing of \"%s\"", err->message, part);
}

Test(probe_pool, shape_that_is_none__refused)
{
    static const struct {
        uint32_t slots[3];
        enum vxb_status status;
        const char *says;
    } cases[] = {
        {{0, 1, 1}, VXB_ERR_USAGE, "0 slots along x"},
        {{3, 2, 0}, VXB_ERR_USAGE, "0 slots along z"},
        {{1048577, 1, 1}, VXB_ERR_LIMIT, "1048577 x 1 x 1"},
        {{1024, 1024, 2}, VXB_ERR_LIMIT, "1048576"},
        {{65536, 65536, 65536}, VXB_ERR_LIMIT, "slots"},
        {{4294967295u, 4294967295u, 4294967295u}, VXB_ERR_LIMIT, "slots"},
        {{1024, 1024, 1}, VXB_ERR_LIMIT, "7340032000 bytes of memory, more than the limit of 1073741824"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct vxb_probe_pool *pool = (struct vxb_probe_pool *)&cases;
        struct vxb_error err = {0};
        check_says(vxb_probe_pool_new(NULL, cases[i].slots, &pool, &err), cases[i].status, &err, cases[i].says);
        cr_assert(eq(ptr, pool, (void *)&cases));
    }
}

Test(probe_pool, capacity_that_is_none__refused)
{
    struct vxb_probe_pool *pool = NULL;
    struct vxb_error err = {0};
    check_says(vxb_probe_pool_of_capacity(NULL, 0, &pool, &err), VXB_ERR_USAGE, &err, "capacity is 0");
    vxb_error_clear(&err);
    check_says(vxb_probe_pool_of_capacity(NULL, 1048577, &pool, &err), VXB_ERR_LIMIT, &err, "1048577");
    cr_assert(eq(int, vxb_probe_pool_of_capacity(NULL, 27, &pool, NULL), VXB_OK));
    cr_assert(eq(u32, vxb_probe_pool_capacity(pool), 27));
    vxb_probe_pool_free(pool);
}

Test(probe_pool, slot_or_texel_that_is_none__refused)
{
    struct vxb_probe_pool *pool = pool_of(2, 1, 1);
    struct vxb_probe probe = grey;
    uint32_t origin[3];
    float at[3];
    static const float local[3];
    static const uint32_t corner[3], far_corner[3] = {4, 4, 4}, outside[3] = {0, 5, 0}, huge[3] = {0, 0, UINT32_MAX};
    struct vxb_error err = {0};
    cr_assert(eq(u32, take(pool), 0));
#define REFUSED(call, says) (vxb_error_clear(&err), check_says(call, VXB_ERR_USAGE, &err, says))
    REFUSED(vxb_probe_pool_release(pool, 1, &err), "slot 1 is free");
    REFUSED(vxb_probe_pool_release(pool, 2, &err), "slot 2 is not one of the pool's 2");
    REFUSED(vxb_probe_pool_origin(pool, 2, origin, &err), "slot 2");
    REFUSED(vxb_probe_pool_sample(pool, 2, local, &probe, &err), "slot 2");
    REFUSED(vxb_probe_pool_texture_coordinate(pool, UINT32_MAX, local, at, &err), "slot 4294967295");
    REFUSED(vxb_probe_pool_get(pool, 2, corner, &probe, &err), "slot 2");
    REFUSED(vxb_probe_pool_get(pool, 0, outside, &probe, &err), "y is 5; 0 to 4");
    REFUSED(vxb_probe_pool_set(pool, 0, far_corner, &probe, &err), "x is 4, on the border");
    REFUSED(vxb_probe_pool_set(pool, 0, huge, &probe, &err), "z is 4294967295; 0 to 3");
    REFUSED(vxb_probe_pool_set(pool, 1, corner, &probe, &err), "slot 1 is free");
    probe.sun_shadow = NAN;
    REFUSED(vxb_probe_pool_set(pool, 0, corner, &probe, &err), "value 13 of the probe is not finite");
    probe = grey;
    probe.l10[1] = INFINITY;
    REFUSED(vxb_probe_pool_set(pool, 0, corner, &probe, &err), "value 7");
#undef REFUSED
    cr_assert(not(vxb_probe_pool_is_allocated(pool, 2)));
    cr_assert(eq(int, vxb_probe_pool_get(pool, 0, far_corner, &probe, NULL), VXB_OK));
    vxb_probe_pool_free(pool);
    vxb_probe_pool_free(NULL);
}
