/* pyramid: sizes, both reductions against their definition in words, the engine's own pyramids, what is refused, the
 * check of levels, and the same texels from any number of threads. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pyramid/pyramid.h"
#include "read_vectors.h"
#include "vxk_pyramid.h"

/* Depths with ties, many zeros and both ends of the range; the same on every machine. */
static void fill(float *depth, uint64_t count, uint32_t seed)
{
    for (uint64_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        const uint32_t draw = seed >> 8 & 1023;
        depth[i] = draw < 300 ? 0.0f : draw > 1000 ? 1.0f : (float)(seed >> 18) / 16384.0f;
    }
}

static struct vxb_pyramid *make(uint32_t width, uint32_t height, enum vxb_reduce reduce, uint32_t seed)
{
    struct vxb_pyramid *pyramid = NULL;
    cr_assert(eq(int, vxb_pyramid_new(NULL, width, height, reduce, &pyramid, NULL), VXB_OK));
    fill(vxb_pyramid_depth(pyramid), (uint64_t)width * height, seed);
    cr_assert(eq(int, vxb_pyramid_build(NULL, pyramid, vxb_pyramid_depth(pyramid), (uint64_t)width * height, NULL),
                 VXB_OK));
    return pyramid;
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* The nearest reduction in the words of its definition: the 3x3 block at (2x, 2y) of the level below, clamped. */
static float nearest_by_words(const struct vxb_pyramid_level *below, uint32_t x, uint32_t y)
{
    float result = 0.0f;
    for (uint32_t j = 0; j < 3; j++)
        for (uint32_t i = 0; i < 3; i++)
            result = fmaxf(result, below->texels[least(2 * y + j, below->height - 1) * below->width +
                                                 least(2 * x + i, below->width - 1)]);
    return result;
}

/* The farthest one: the minimum of every texel p of level 0 with min(p >> k, size - 1) = (x, y). Nearest's covering is
 * the maximum of the same. */
static float over_covered(const struct vxb_pyramid *pyramid, uint32_t k, uint32_t x, uint32_t y, bool nearest)
{
    const struct vxb_pyramid_level *at = &pyramid->levels[k];
    float result = nearest ? 0.0f : 1.0f;
    for (uint32_t j = 0; j < pyramid->height; j++)
        for (uint32_t i = 0; i < pyramid->width; i++)
            if (least(i >> k, at->width - 1) == x && least(j >> k, at->height - 1) == y) {
                const float depth = pyramid->levels[0].texels[j * pyramid->width + i];
                result = nearest ? fmaxf(result, depth) : fminf(result, depth);
            }
    return result;
}

/* Asserts in bulk, since an assertion a cell is what would take the time. */
static uint64_t wrong_cells(const struct vxb_pyramid *pyramid)
{
    uint64_t wrong = 0;
    for (uint32_t k = 1; k < pyramid->level_count; k++) {
        const struct vxb_pyramid_level *at = &pyramid->levels[k], *below = at - 1;
        wrong += at->width != (below->width > 1 ? below->width / 2 : 1);
        wrong += at->height != (below->height > 1 ? below->height / 2 : 1);
        for (uint32_t y = 0; y < at->height; y++)
            for (uint32_t x = 0; x < at->width; x++) {
                const float found = at->texels[y * at->width + x];
                if (pyramid->reduce == VXB_REDUCE_NEAREST) {
                    wrong += found != nearest_by_words(below, x, y);
                    wrong += found != vxk_pyramid_nearest_cell(below->texels, below->width, below->height, x, y);
                    wrong += found < over_covered(pyramid, k, x, y, true);
                } else {
                    wrong += found != over_covered(pyramid, k, x, y, false);
                    wrong += found != vxk_pyramid_farthest_cell(below->texels, below->width, below->height, x, y);
                }
            }
    }
    const struct vxb_pyramid_level *top = &pyramid->levels[pyramid->level_count - 1];
    return wrong + (top->width != 1 || top->height != 1);
}

Test(pyramid, every_size_to_17x17__is_what_the_definition_says)
{
    for (uint32_t height = 1; height <= 17; height++)
        for (uint32_t width = 1; width <= 17; width++)
            for (int reduce = 0; reduce < 2; reduce++) {
                struct vxb_pyramid *pyramid = make(width, height, (enum vxb_reduce)reduce, width * 100 + height);
                cr_assert(eq(u64, wrong_cells(pyramid), 0), "%u x %u, %s", width, height,
                          vxb_reduce_name((enum vxb_reduce)reduce));
                vxb_pyramid_free(pyramid);
            }
}

/* Around the bands that threads take (128 rows) and the blocks that rows are made in (1024 cells), odd and prime. */
Test(pyramid, sizes_around_bands_and_blocks__are_what_the_definition_says)
{
    static const uint32_t sizes[][2] = {{3, 127},  {5, 128},  {2, 129},  {7, 130},   {3, 255},   {4, 256},  {1, 257},
                                        {5, 383},  {3, 511},  {2, 1021}, {1, 1025},  {2047, 2},  {2048, 3}, {2049, 1},
                                        {2050, 2}, {4099, 3}, {131, 251}, {97, 389}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int reduce = 0; reduce < 2; reduce++) {
            struct vxb_pyramid *pyramid = make(sizes[i][0], sizes[i][1], (enum vxb_reduce)reduce, (uint32_t)i + 7);
            cr_assert(eq(u64, wrong_cells(pyramid), 0), "%u x %u", sizes[i][0], sizes[i][1]);
            vxb_pyramid_free(pyramid);
        }
}

/* A thread per 2^19 texels, so these take several. */
Test(pyramid, any_number_of_threads__gives_the_same_texels)
{
    static const uint32_t sizes[][2] = {{1031, 769}, {32768, 33}, {33, 32768}, {2048, 513}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const uint32_t width = sizes[i][0], height = sizes[i][1];
        const uint64_t count = (uint64_t)width * height;
        float *depth = malloc(count * sizeof *depth);
        fill(depth, count, 99);
        for (int reduce = 0; reduce < 2; reduce++) {
            struct vxb_pyramid *by[3];
            for (uint32_t threads = 1; threads <= 3; threads++) {
                const struct vxb_env env = {.size = sizeof env, .threads = threads};
                struct vxb_pyramid **out = &by[threads - 1];
                cr_assert(eq(int, vxb_pyramid_new(NULL, width, height, (enum vxb_reduce)reduce, out, NULL), VXB_OK));
                cr_assert(eq(int, vxb_pyramid_build(&env, *out, depth, count, NULL), VXB_OK));
            }
            const size_t bytes = (size_t)vxbi_pyramid_bytes(width, height);
            cr_assert(eq(int, memcmp(by[0]->levels[0].texels, depth, count * sizeof *depth), 0));
            for (uint32_t k = 1; k < 3; k++)
                cr_assert(eq(int, memcmp(by[0]->levels[0].texels, by[k]->levels[0].texels, bytes), 0));
            for (uint32_t k = 0; k < 3; k++)
                vxb_pyramid_free(by[k]);
        }
        free(depth);
    }
}

Test(pyramid, largest_sides__have_sixteen_levels)
{
    struct vxb_pyramid *row = make(32768, 1, VXB_REDUCE_NEAREST, 1), *column = make(1, 32768, VXB_REDUCE_NEAREST, 2);
    cr_assert(eq(u32, row->level_count, 16));
    cr_assert(eq(u32, column->level_count, 16));
    cr_assert(eq(flt, vxb_pyramid_cell(row, 15, 0, 0), 1.0f));
    vxb_pyramid_free(row);
    vxb_pyramid_free(column);
}

/* Faults of the field: "odd sizes lose texels". */
Test(pyramid, one_near_texel_in_the_last_row_and_column__is_in_every_level)
{
    static const uint32_t sizes[][2] = {{5, 3}, {7, 1}, {1, 9}, {1, 1}, {3, 3}, {2, 1}, {101, 67}, {255, 127}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct vxb_pyramid *pyramid = NULL;
        const uint64_t count = (uint64_t)sizes[i][0] * sizes[i][1];
        cr_assert(eq(int, vxb_pyramid_new(NULL, sizes[i][0], sizes[i][1], VXB_REDUCE_NEAREST, &pyramid, NULL), VXB_OK));
        float *depth = vxb_pyramid_depth(pyramid);
        depth[count - 1] = 1.0f;
        cr_assert(eq(int, vxb_pyramid_build(NULL, pyramid, depth, count, NULL), VXB_OK));
        for (uint32_t k = 0; k < pyramid->level_count; k++)
            cr_assert(eq(flt, vxb_pyramid_cell(pyramid, k, 40000, 40000), 1.0f));
        vxb_pyramid_free(pyramid);
    }
}

Test(pyramid, cells_and_levels_outside__are_clamped)
{
    struct vxb_pyramid *pyramid = make(5, 3, VXB_REDUCE_NEAREST, 3);
    uint32_t width, height;
    cr_assert(eq(flt, vxb_pyramid_cell(pyramid, 0, -7, INT32_MIN), pyramid->levels[0].texels[0]));
    cr_assert(eq(flt, vxb_pyramid_cell(pyramid, 0, INT32_MAX, 1), pyramid->levels[0].texels[9]));
    cr_assert(eq(flt, vxb_pyramid_cell(pyramid, 400, 0, 0), pyramid->levels[2].texels[0]));
    vxb_pyramid_size(pyramid, 1, &width, &height);
    cr_assert(width == 2 && height == 1);
    vxb_pyramid_size(pyramid, 400, &width, &height);
    cr_assert(width == 1 && height == 1);
    vxb_pyramid_free(pyramid);
}

Test(pyramid, a_new_one__is_sky)
{
    struct vxb_pyramid *pyramid = NULL;
    cr_assert(eq(int, vxb_pyramid_new(NULL, 6, 10, VXB_REDUCE_FARTHEST, &pyramid, NULL), VXB_OK));
    cr_assert(eq(u32, pyramid->width, 6));
    cr_assert(eq(u32, pyramid->height, 10));
    cr_assert(eq(u32, pyramid->level_count, 4));
    cr_assert(eq(flt, vxb_pyramid_cell(pyramid, 3, 0, 0), 0.0f));
    vxb_pyramid_free(pyramid);
    vxb_pyramid_free(NULL);
}

/* ---- what is refused ---- */

Test(pyramid, wrong_viewport_or_count__is_told_with_its_numbers)
{
    struct vxb_pyramid *pyramid = NULL;
    struct vxb_error err = {0};
    cr_assert(eq(int, vxb_pyramid_new(NULL, 0, 4, VXB_REDUCE_NEAREST, &pyramid, &err), VXB_ERR_USAGE));
    cr_assert(eq(str, err.message, (char *)"the viewport is 0 x 4: a side is at least 1"));
    vxb_error_clear(&err);
    cr_assert(eq(int, vxb_pyramid_new(NULL, 4, 32769, VXB_REDUCE_NEAREST, &pyramid, &err), VXB_ERR_LIMIT));
    cr_assert(eq(str, err.message, (char *)"the viewport is 4 x 32769: a side is at most 32768"));
    vxb_error_clear(&err);
    cr_assert(eq(int, vxb_pyramid_new(NULL, 4, 4, (enum vxb_reduce)2, &pyramid, &err), VXB_ERR_USAGE));
    cr_assert(eq(ptr, pyramid, NULL));
    cr_assert(eq(int, vxb_pyramid_new(NULL, 4, 3, VXB_REDUCE_NEAREST, &pyramid, NULL), VXB_OK));
    vxb_error_clear(&err);
    cr_assert(eq(int, vxb_pyramid_build(NULL, pyramid, vxb_pyramid_depth(pyramid), 16, &err), VXB_ERR_USAGE));
    cr_assert(eq(str, err.message, (char *)"the depth buffer holds 16 texels: 4 x 3 are 12"));
    vxb_pyramid_free(pyramid);
}

Test(pyramid, texels_that_are_no_depth__are_refused_and_the_first_is_named)
{
    static const struct {
        float value;
        const char *text;
    } bad[] = {{NAN, "NaN"}, {-NAN, "NaN"}, {INFINITY, "inf"}, {-INFINITY, "-inf"}, {-1e-30f, "-1e-30"},
               {1.0000001f, "1.0000001"}};
    const uint32_t width = 700, height = 700;
    const uint64_t count = (uint64_t)width * height;
    struct vxb_pyramid *pyramid = make(width, height, VXB_REDUCE_NEAREST, 5);
    float *depth = malloc(count * sizeof *depth);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char right[128];
        struct vxb_error err = {0};
        const struct vxb_env env = {.size = sizeof env, .threads = 3};
        fill(depth, count, 5);
        depth[width * 301 + 13] = bad[i].value;
        depth[width * 302 + 2] = NAN;
        depth[width * 699] = NAN;
        cr_assert(eq(int, vxb_pyramid_build(&env, pyramid, depth, count, &err), VXB_ERR_DATA));
        snprintf(right, sizeof right,
                 "texel (13, 301) of level 0 is %s: a depth is between 0 (sky) and 1 (nearest)", bad[i].text);
        cr_assert(eq(str, err.message, (char *)right));
        memcpy(vxb_pyramid_depth(pyramid), depth, count * sizeof *depth);
        cr_assert(eq(int, vxb_pyramid_build(&env, pyramid, vxb_pyramid_depth(pyramid), count, NULL), VXB_ERR_DATA));
    }
    free(depth);
    vxb_pyramid_free(pyramid);
}

Test(pyramid, minus_zero__becomes_zero_copied_or_in_place)
{
    for (int in_place = 0; in_place < 2; in_place++) {
        struct vxb_pyramid *pyramid = NULL;
        cr_assert(eq(int, vxb_pyramid_new(NULL, 19, 1, VXB_REDUCE_FARTHEST, &pyramid, NULL), VXB_OK));
        float depth[19] = {0.5f, -0.0f, [17] = 1.0f, [18] = -0.0f};
        memcpy(vxb_pyramid_depth(pyramid), depth, sizeof depth);
        cr_assert(eq(int, vxb_pyramid_build(NULL, pyramid, in_place ? vxb_pyramid_depth(pyramid) : depth, 19, NULL),
                     VXB_OK));
        int minus = 0;
        for (uint32_t k = 0; k < pyramid->level_count; k++)
            for (uint32_t x = 0; x < pyramid->levels[k].width; x++)
                minus += signbit(pyramid->levels[k].texels[x]) != 0;
        cr_assert(eq(int, minus, 0));
        cr_assert(eq(flt, pyramid->levels[0].texels[17], 1.0f));
        vxb_pyramid_free(pyramid);
    }
}

/* Rows are taken one at a time or two, with the cells on them: each place that a -0 can have in that. */
Test(pyramid, minus_zero_in_any_row__becomes_zero_and_changes_no_cell)
{
    static const uint32_t sizes[][2] = {{5, 2}, {5, 3}, {6, 4}, {3, 7}, {2, 129}, {3, 130}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t row = 0; row < sizes[i][1]; row++)
            for (int kind = 0; kind < 4; kind++) {
                const uint32_t width = sizes[i][0], height = sizes[i][1];
                const uint64_t count = (uint64_t)width * height;
                struct vxb_pyramid *pyramid = NULL;
                float depth[512];
                cr_assert(eq(int, vxb_pyramid_new(NULL, width, height, (enum vxb_reduce)(kind & 1), &pyramid, NULL),
                             VXB_OK));
                fill(depth, count, 77);
                depth[row * width + width - 1] = -0.0f;
                memcpy(vxb_pyramid_depth(pyramid), depth, count * sizeof *depth);
                cr_assert(eq(int, vxb_pyramid_build(NULL, pyramid, kind & 2 ? vxb_pyramid_depth(pyramid) : depth, count,
                                                    NULL), VXB_OK));
                cr_assert(not(signbit(vxb_pyramid_cell(pyramid, 0, (int32_t)width - 1, (int32_t)row))));
                cr_assert(eq(u64, wrong_cells(pyramid), 0), "%u x %u, row %u, kind %d", width, height, row, kind);
                vxb_pyramid_free(pyramid);
            }
}

static bool yes(void *user)
{
    ++*(int *)user;
    return true;
}

Test(pyramid, cancelling__ends_the_build)
{
    int asked = 0;
    const struct vxb_env env = {.size = sizeof env, .user = &asked, .cancelled = yes};
    struct vxb_pyramid *pyramid = make(16, 16, VXB_REDUCE_NEAREST, 1);
    cr_assert(eq(int, vxb_pyramid_build(&env, pyramid, vxb_pyramid_depth(pyramid), 256, NULL), VXB_ERR_CANCELLED));
    cr_assert(asked > 0);
    vxb_pyramid_free(pyramid);
}

/* ---- the check ---- */

struct findings {
    int count, errors;
    enum vxb_finding last;
    char pointer[64], message[1024];
};

static void add(void *user, const struct vxbi_found *found)
{
    struct findings *findings = user;
    findings->count++;
    findings->errors += found->severity == VXB_SEVERITY_ERROR;
    findings->last = found->finding;
    snprintf(findings->pointer, sizeof findings->pointer, "%s", found->pointer);
    snprintf(findings->message, sizeof findings->message, "%s", found->message);
}

static struct findings check(const struct vxb_pyramid *pyramid)
{
    struct findings findings = {0};
    struct vxbi_collect collect = {.add = add, .user = &findings};
    cr_assert(eq(int, vxbi_pyramid_check(NULL, pyramid, &collect, NULL), VXB_OK));
    return findings;
}

Test(check, own_pyramids__have_no_findings)
{
    static const uint32_t sizes[][2] = {{1, 1}, {1, 7}, {17, 31}, {241, 137}, {300, 2}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int reduce = 0; reduce < 2; reduce++) {
            struct vxb_pyramid *pyramid = make(sizes[i][0], sizes[i][1], (enum vxb_reduce)reduce, 11);
            cr_assert(eq(int, check(pyramid).count, 0));
            vxb_pyramid_free(pyramid);
        }
}

/* What most tools do: 2x2 blocks of floored sizes, which never read an odd side's last row and column. */
static void reduce_by_2x2(struct vxb_pyramid *pyramid)
{
    for (uint32_t k = 1; k < pyramid->level_count; k++) {
        const struct vxb_pyramid_level *at = &pyramid->levels[k], *below = at - 1;
        for (uint32_t y = 0; y < at->height; y++)
            for (uint32_t x = 0; x < at->width; x++) {
                const uint32_t x1 = least(2 * x + 1, below->width - 1), y1 = least(2 * y + 1, below->height - 1);
                const float *top = below->texels + least(2 * y, y1) * below->width;
                const float *bottom = below->texels + y1 * below->width;
                vxbi_pyramid_row(pyramid, k, y)[x] =
                    fmaxf(fmaxf(top[least(2 * x, x1)], top[x1]), fmaxf(bottom[least(2 * x, x1)], bottom[x1]));
            }
    }
}

Test(check, a_pyramid_that_drops_the_last_row__is_caught_and_told_where)
{
    struct vxb_pyramid *pyramid = NULL;
    cr_assert(eq(int, vxb_pyramid_new(NULL, 5, 3, VXB_REDUCE_NEAREST, &pyramid, NULL), VXB_OK));
    vxb_pyramid_depth(pyramid)[14] = 1.0f;
    reduce_by_2x2(pyramid);
    vxbi_pyramid_of(pyramid)->assumed = true;
    struct findings findings = check(pyramid);
    cr_assert(eq(int, findings.errors, 2));
    cr_assert(eq(int, (int)findings.last, VXB_FINDING_PYRAMID_COVER));
    cr_assert(eq(str, findings.pointer, (char *)"/levels/2"));
    cr_assert(eq(str, findings.message,
                 (char *)"level 2: cell (0, 0) is 0: texel (4, 2) of level 0, which it covers, is nearer (1); 1 of 1 "
                         "cells miss a surface (the texel is in the last row or column, which halving an odd side "
                         "leaves over)"));
    vxb_pyramid_free(pyramid);
}

/* On power-of-two sides 2x2 blocks cover: another reduction than ours, and no fault where none was promised. */
Test(check, another_reduction_that_covers__is_a_warning_without_the_key_and_an_error_with_it)
{
    struct vxb_pyramid *pyramid = make(16, 8, VXB_REDUCE_NEAREST, 21);
    reduce_by_2x2(pyramid);
    vxbi_pyramid_of(pyramid)->assumed = true;
    struct findings findings = check(pyramid);
    cr_assert(findings.count > 0);
    cr_assert(eq(int, findings.errors, 0));
    vxbi_pyramid_of(pyramid)->assumed = false;
    findings = check(pyramid);
    cr_assert(findings.errors > 0);
    cr_assert(eq(int, (int)findings.last, VXB_FINDING_PYRAMID_LEVEL));
    vxb_pyramid_free(pyramid);
}

Test(check, one_changed_cell__is_named)
{
    struct vxb_pyramid *pyramid = make(40, 30, VXB_REDUCE_FARTHEST, 31);
    vxbi_pyramid_row(pyramid, 1, 4)[7] = 1.0f;
    const struct findings findings = check(pyramid);
    cr_assert(findings.count >= 2);
    cr_assert(eq(int, findings.errors, findings.count));
    vxb_pyramid_free(pyramid);
}

/* Either way, by the least that a float can change. */
Test(check, any_cell_an_ulp_off__is_an_error)
{
    static const uint32_t sizes[][2] = {{5, 3}, {13, 11}, {1, 7}, {7, 1}, {16, 8}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int reduce = 0; reduce < 2; reduce++) {
            struct vxb_pyramid *pyramid = make(sizes[i][0], sizes[i][1], (enum vxb_reduce)reduce, 41);
            for (uint32_t k = 1; k < pyramid->level_count; k++)
                for (uint32_t c = 0; c < pyramid->levels[k].width * pyramid->levels[k].height; c++) {
                    float *cell = vxbi_pyramid_row(pyramid, k, 0) + c;
                    const float kept = *cell;
                    for (float to = -1.0f; to <= 2.0f; to += 3.0f) {
                        *cell = nextafterf(kept, to);
                        cr_assert(check(pyramid).errors > 0, "%u x %u, level %u, cell %u", sizes[i][0],
                                  sizes[i][1], k, c);
                    }
                    *cell = kept;
                }
            cr_assert(eq(int, check(pyramid).count, 0));
            vxb_pyramid_free(pyramid);
        }
}

/* ---- the engine's ---- */

Test(pyramid, the_engines_pyramids__are_ours_bit_for_bit)
{
    size_t count, at = 0;
    int pyramids = 0;
    float *values = vectors_floats("pyramid-build.bin", &count);
    cJSON *json = vectors_json("pyramid-build.json"), *each;
    cJSON_ArrayForEach(each, cJSON_GetObjectItem(json, "pyramids"))
    {
        const cJSON *size = cJSON_GetObjectItem(each, "size");
        const uint32_t width = (uint32_t)cJSON_GetArrayItem(size, 0)->valueint;
        const uint32_t height = (uint32_t)cJSON_GetArrayItem(size, 1)->valueint;
        const size_t texels = (size_t)vxbi_pyramid_bytes(width, height) / 4;
        struct vxb_pyramid *pyramid = NULL;
        cr_assert(eq(int, vxb_pyramid_new(NULL, width, height, VXB_REDUCE_NEAREST, &pyramid, NULL), VXB_OK));
        cr_assert(eq(u32, pyramid->level_count, (uint32_t)cJSON_GetObjectItem(each, "levels")->valueint));
        cr_assert(at + texels <= count);
        cr_assert(eq(int, vxb_pyramid_build(NULL, pyramid, values + at, (uint64_t)width * height, NULL), VXB_OK));
        cr_assert(eq(int, memcmp(pyramid->levels[0].texels, values + at, texels * sizeof *values), 0), "%u x %u", width,
                  height);
        vxb_pyramid_free(pyramid);
        at += texels;
        pyramids++;
    }
    cr_assert(pyramids > 10);
    cr_assert(eq(sz, at, count));
    cJSON_Delete(json);
    free(values);
}
