/* Radiance pictures: what the header says, the three ways of packing, files that are damaged; real ones against
 * stb_image. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/os.h"
#include "make_files.h"
#include "probes/sky_map.h"
#include "said.h"

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_STDIO
#if defined(__GNUC__) || defined(__clang__)
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
#include <stb/stb_image.h>

static const struct vxb_env env = {.size = sizeof env, .diag = on_diag, .max_memory_bytes = 64 << 20};

static enum vxb_status read_made(struct made *made, float intensity, struct vxb_sky_map **map, struct vxb_error *err)
{
    const struct vxbi_bytes file = {.data = made->data, .size = made->size};
    *map = NULL;
    said[0] = 0;
    vxb_error_clear(err);
    const enum vxb_status status = vxbi_sky_map_from_bytes(&env, "sky.hdr", &file, intensity, map, err);
    const bool made_one = *map != NULL;
    cr_assert(made_one == (status == VXB_OK));
    return status;
}

/* A header with these lines of variables, and a size line. */
static void head(struct made *made, const char *variables, const char *size)
{
    made_text(made, "#?RADIANCE\n");
    made_text(made, variables);
    made_text(made, "\n");
    made_text(made, size);
    made_text(made, "\n");
}

static void texel(struct made *made, uint8_t r, uint8_t g, uint8_t b, uint8_t e)
{
    made_u8(made, r);
    made_u8(made, g);
    made_u8(made, b);
    made_u8(made, e);
}

/* One texel of (128, 64, 32) * 2^(129 - 136). */
static void one_texel(struct made *made, const char *variables)
{
    head(made, variables, "-Y 1 +X 1");
    texel(made, 128, 64, 32, 129);
}

static void refused(struct made *made, enum vxb_status expected, const char *words)
{
    struct vxb_sky_map *map;
    struct vxb_error err;
    const enum vxb_status status = read_made(made, 1.0f, &map, &err);
    cr_expect(eq(int, status, expected), "%s: %s", words, err.message);
    cr_expect(strstr(err.message, words) != NULL, "%s: %s", words, err.message);
    vxb_sky_map_free(map);
    made_free(made);
    *made = (struct made){0};
}

/* ---- the header ---- */

Test(hdr, exposures__multiply_and_intensity_too)
{
    struct made made = {0};
    struct vxb_sky_map *map;
    struct vxb_error err;
    one_texel(&made, "# a comment\nFORMAT=32-bit_rle_rgbe\nEXPOSURE=2\nEXPOSURE= 0.25 \nGAMMA=1\n");
    cr_assert(eq(int, read_made(&made, 3.0f, &map, &err), VXB_OK), "%s", err.message);
    cr_assert(map->width == 1 && map->height == 1 && map->file_hash != 0);
    cr_assert(map->texels[0] == 6.0f && map->texels[1] == 3.0f && map->texels[2] == 1.5f, "%g", (double)map->texels[0]);
    cr_assert(said[0] == 0);
    vxb_sky_map_free(map);
    made_free(&made);
}

Test(hdr, exposure_that_is_none__is_refused)
{
    static const char *const values[] = {"0", "-1", "inf", "nan", "1e999", "1 2", "", "x", "0x10", "1,5"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct made made = {0};
        char line[64];
        snprintf(line, sizeof line, "EXPOSURE=%s\n", values[i]);
        one_texel(&made, line);
        refused(&made, VXB_ERR_DATA, "EXPOSURE");
    }
    struct made made = {0};
    one_texel(&made, "EXPOSURE=1e300\nEXPOSURE=1e300\n");
    refused(&made, VXB_ERR_DATA, "multiply");
}

Test(hdr, texel_beyond_a_float__is_named)
{
    struct made made = {0};
    head(&made, "EXPOSURE=1e-6\n", "-Y 2 +X 3");
    for (int i = 0; i < 6; i++)
        texel(&made, 128, 128, 128, i == 4 ? 255 : 128);
    refused(&made, VXB_ERR_DATA, "texel (1, 1) is ");
}

/* Colours of other primaries were read as Rec. 709 without a word. */
Test(hdr, primaries_of_another_space__are_told)
{
    static const struct {
        const char *line;
        bool told;
    } cases[] = {
        {"PRIMARIES=0.708 0.292 0.170 0.797 0.131 0.046 0.3127 0.3290\n", true},
        {"PRIMARIES=0.64 0.33 0.29 0.60 0.15 0.06\n", true},
        {"PRIMARIES=x\n", true},
        {"PRIMARIES= 0.640 0.330 0.290 0.600 0.150 0.060 0.333 0.333\n", false},
        {"PRIMARIES=0.64 0.33 0.3 0.6 0.15 0.06 0.3127 0.329\n", false},
        {"PRIMARIES=0 0 0 0 0 0 0 0\n", false},
        {"SOFTWARE=none\n", false},
    };
    struct vxb_error err = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct made made = {0};
        struct vxb_sky_map *map;
        one_texel(&made, cases[i].line);
        cr_assert(eq(int, read_made(&made, 1.0f, &map, &err), VXB_OK));
        const bool told = strstr(said, "PRIMARIES") != NULL;
        cr_expect(told == cases[i].told, "%s", cases[i].line);
        vxb_sky_map_free(map);
        made_free(&made);
    }
}

/* "this is a PNG although its name says .png" was said of a picture that is what its name says. */
Test(hdr, another_kind__contradicts_only_a_name_that_promised_this_one)
{
    static const struct {
        const char *path, *text;
    } cases[] = {
        {"sky.png", "this is a PNG; a Radiance picture is expected"},
        {"sky.hdr", "this is a PNG although its name says .hdr; a Radiance picture is expected"},
        {"a.hdr/sky", "this is a PNG; a Radiance picture is expected"},
    };
    uint8_t bytes[] = "\x89PNG\r\n\x1a\n0123456789";
    const struct vxbi_bytes file = {.data = bytes, .size = sizeof bytes - 1};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct vxb_sky_map *map = NULL;
        struct vxb_error err = {0};
        const enum vxb_status status = vxbi_sky_map_from_bytes(&env, cases[i].path, &file, 1.0f, &map, &err);
        cr_assert(eq(int, status, VXB_ERR_FORMAT));
        cr_expect(strcmp(err.message, cases[i].text) == 0, "%s: %s", cases[i].path, err.message);
    }
}

Test(hdr, headers_that_are_none__are_refused)
{
    struct made made = {0};
    made_text(&made, "P6\n1 1\n255\nabc");
    refused(&made, VXB_ERR_FORMAT, "a Radiance picture");
    made_text(&made, "#?RADIANT\n\n-Y 1 +X 1\nabcd");
    refused(&made, VXB_ERR_FORMAT, "#?RADIANT");
    made_text(&made, "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n");
    refused(&made, VXB_ERR_DATA, "does not end");
    made_text(&made, "#?RADIANCE\n\n-Y 1 +X 1");
    refused(&made, VXB_ERR_DATA, "ends before the line with its size");
    one_texel(&made, "FORMAT=32-bit_rle_xyze\n");
    refused(&made, VXB_ERR_UNSUPPORTED, "32-bit_rle_xyze");
    one_texel(&made, "COLORCORR=1 2 3\n");
    refused(&made, VXB_ERR_UNSUPPORTED, "COLORCORR");
    static const char *const turned[] = {"+Y 1 +X 1", "-Y 1 -X 1", "+X 1 -Y 1", "-X 1 +Y 1"};
    for (size_t i = 0; i < 4; i++) {
        head(&made, "", turned[i]);
        texel(&made, 1, 2, 3, 128);
        refused(&made, VXB_ERR_UNSUPPORTED, "-Y height +X width");
    }
    head(&made, "", "1 1");
    refused(&made, VXB_ERR_DATA, "size line");
    head(&made, "", "-Y 0 +X 1");
    refused(&made, VXB_ERR_LIMIT, "1 x 0");
    head(&made, "", "-Y 40000 +X 40000");
    refused(&made, VXB_ERR_LIMIT, "40000 x 40000");
    head(&made, "", "-Y 32768 +X 32768");
    refused(&made, VXB_ERR_LIMIT, "bytes");
    head(&made, "", "-Y 99999999999 +X 1");
    refused(&made, VXB_ERR_UNSUPPORTED, "size line");
}

/* ---- texels ---- */

static void pack_channel(struct made *made, uint8_t value, uint32_t width)
{
    for (uint32_t x = 0; x < width;) {
        const uint32_t n = width - x < 127 ? width - x : 127;
        made_u8(made, (uint8_t)(128 + n));
        made_u8(made, value);
        x += n;
    }
}

static void packed_head(struct made *made, uint32_t width)
{
    texel(made, 2, 2, (uint8_t)(width >> 8), (uint8_t)width);
}

Test(hdr, packed_rows__are_unpacked)
{
    struct made made = {0};
    struct vxb_sky_map *map;
    struct vxb_error err;
    head(&made, "", "-Y 1 +X 300");
    packed_head(&made, 300);
    for (int c = 0; c < 2; c++)
        pack_channel(&made, (uint8_t)(100 + c), 300);
    for (uint32_t x = 0; x < 300; x += 100) { /* listed, not repeated */
        made_u8(&made, 100);
        for (uint32_t i = 0; i < 100; i++)
            made_u8(&made, (uint8_t)(x + i));
    }
    pack_channel(&made, 136, 300);
    cr_assert(eq(int, read_made(&made, 1.0f, &map, &err), VXB_OK), "%s", err.message);
    for (uint32_t x = 0; x < 300; x++)
        cr_assert(map->texels[3 * x] == 100.0f && map->texels[3 * x + 1] == 101.0f &&
                  map->texels[3 * x + 2] == (float)(uint8_t)x);
    vxb_sky_map_free(map);
    made_free(&made);
}

Test(hdr, old_repeats__are_unpacked)
{
    struct made made = {0};
    struct vxb_sky_map *map;
    struct vxb_error err;
    head(&made, "", "-Y 1 +X 700");
    texel(&made, 10, 20, 30, 136);
    texel(&made, 1, 1, 1, 41);  /* 41 + 2 * 256 more */
    texel(&made, 1, 1, 1, 2);
    texel(&made, 40, 50, 60, 136);
    texel(&made, 1, 1, 1, 145);
    cr_assert(eq(int, read_made(&made, 1.0f, &map, &err), VXB_OK), "%s", err.message);
    for (uint32_t x = 0; x < 700; x++)
        cr_assert(map->texels[3 * x] == (x < 554 ? 10.0f : 40.0f), "%u", x);
    vxb_sky_map_free(map);
    made_free(&made);
}

Test(hdr, rows_that_are_damaged__are_named)
{
    struct made made = {0};
    head(&made, "", "-Y 2 +X 2");
    for (int i = 0; i < 3; i++)
        texel(&made, 9, 9, 9, 128);
    refused(&made, VXB_ERR_DATA, "row 1: the file ends there");
    head(&made, "", "-Y 1 +X 8");
    packed_head(&made, 9);
    refused(&made, VXB_ERR_DATA, "another width");
    head(&made, "", "-Y 1 +X 8");
    packed_head(&made, 8);
    pack_channel(&made, 1, 9);
    refused(&made, VXB_ERR_DATA, "a run goes beyond the row");
    head(&made, "", "-Y 1 +X 8");
    packed_head(&made, 8);
    made_u8(&made, 0);
    refused(&made, VXB_ERR_DATA, "a run has no length");
    head(&made, "", "-Y 1 +X 8");
    packed_head(&made, 8);
    pack_channel(&made, 1, 8);
    made_u8(&made, 5);
    refused(&made, VXB_ERR_DATA, "the file ends there");
    head(&made, "", "-Y 1 +X 8");
    texel(&made, 1, 1, 1, 8);
    refused(&made, VXB_ERR_DATA, "begins with a repeat");
    head(&made, "", "-Y 1 +X 8");
    texel(&made, 7, 1, 1, 8);
    texel(&made, 1, 1, 1, 8);
    refused(&made, VXB_ERR_DATA, "a repeat goes beyond the row");
    head(&made, "", "-Y 1 +X 8"); /* repeats of nothing have an end too */
    texel(&made, 7, 1, 1, 8);
    for (int i = 0; i < 100; i++)
        texel(&made, 1, 1, 1, 0);
    refused(&made, VXB_ERR_DATA, "a repeat goes beyond the row");
}

Test(hdr, bytes_after_the_last_row__are_told_of)
{
    struct made made = {0};
    struct vxb_sky_map *map;
    struct vxb_error err;
    one_texel(&made, "");
    made_text(&made, "more");
    cr_assert(eq(int, read_made(&made, 1.0f, &map, &err), VXB_OK));
    cr_assert(strstr(said, "4 bytes after") != NULL, "%s", said);
    vxb_sky_map_free(map);
    made_free(&made);
}

Test(hdr, intensity_that_makes_no_sense__is_refused)
{
    static const float values[] = {-1.0f, INFINITY, NAN};
    for (int i = 0; i < 3; i++) {
        struct vxb_sky_map *map = NULL;
        struct vxb_error err = {0};
        cr_assert(eq(int, vxb_sky_map_load(&env, "none.hdr", values[i], &map, &err), VXB_ERR_USAGE));
        cr_assert(strstr(err.message, "intensity") != NULL && map == NULL);
    }
    struct vxb_sky_map *map = NULL;
    struct vxb_error err = {0};
    cr_assert(eq(int, vxb_sky_map_load(&env, "/nowhere/none.hdr", 1.0f, &map, &err), VXB_ERR_IO));
    cr_assert(eq(str, err.path, "/nowhere/none.hdr"));
}

/* ---- real ones ---- */

static struct vxb_sky_map *load_shared(const char *name, enum vxb_status expected)
{
    char path[512];
    struct vxb_sky_map *map = NULL;
    struct vxb_error err = {0};
    snprintf(path, sizeof path, "%s/data/%s", TEST_SHARED, name);
    if (!vxbi_path_exists(path))
        cr_skip_test("%s is not here", path);
    const enum vxb_status status = vxb_sky_map_load(&env, path, 1.0f, &map, &err);
    cr_assert(eq(int, status, expected), "%s: %s", name, err.message);
    return map;
}

Test(hdr, real_pictures__are_read_as_stb_image_reads_them)
{
    static const char *const names[] = {"hdr/imgrs_image1.hdr", "hdr/imgrs_overexposed_gradient.hdr",
                                        "hdr/imgrs_rgbr4x4.hdr", "hdr/rooitou_park_1k.hdr", "hdr/venice_sunset_1k.hdr",
                                        "damaged/hdr/oiio_fuzz_seed.hdr"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct vxb_sky_map *map = load_shared(names[i], VXB_OK);
        char path[512];
        struct vxbi_bytes file;
        int width, height, channels;
        snprintf(path, sizeof path, "%s/data/%s", TEST_SHARED, names[i]);
        cr_assert(eq(int, vxbi_read_all(NULL, path, 1 << 26, &file, NULL), VXB_OK));
        float *right = stbi_loadf_from_memory(file.data, (int)file.size, &width, &height, &channels, 3);
        cr_assert(right != NULL && (uint32_t)width == map->width && (uint32_t)height == map->height, "%s", names[i]);
        cr_assert(memcmp(right, map->texels, 12 * (size_t)width * (size_t)height) == 0, "%s", names[i]);
        stbi_image_free(right);
        vxbi_bytes_clear(&file);
        vxb_sky_map_free(map);
    }
}

Test(hdr, picture_packed_the_old_way__is_a_picture)
{
    struct vxb_sky_map *map = load_shared("hdr/imgrs_old-rle.hdr", VXB_OK);
    double sum = 0.0;
    cr_assert(map->width == 551 && map->height == 276);
    for (size_t i = 0; i < 3 * 551 * 276; i++) {
        cr_assert(map->texels[i] >= 0.0f && map->texels[i] < 1000.0f);
        sum += (double)map->texels[i];
    }
    cr_assert(sum > 0.0);
    vxb_sky_map_free(map);
}

Test(hdr, damaged_pictures__are_refused)
{
    cr_assert(load_shared("damaged/hdr/oiio_bomb-40000.hdr", VXB_ERR_LIMIT) == NULL);
    cr_assert(load_shared("damaged/hdr/oiio_crash-res.hdr", VXB_ERR_FORMAT) == NULL);
}

/* Cut anywhere: an error, at once. */
Test(hdr, picture_cut_anywhere__is_refused)
{
    struct made made = {0};
    struct vxb_sky_map *map;
    struct vxb_error err;
    head(&made, "EXPOSURE=1\n", "-Y 3 +X 40");
    for (int row = 0; row < 3; row++) {
        packed_head(&made, 40);
        for (int c = 0; c < 4; c++)
            pack_channel(&made, (uint8_t)(c + 100), 40);
    }
    const size_t size = made.size;
    for (made.size = 1; made.size < size; made.size++) {
        struct made exact = {0}; /* in a block of its size, so that a sanitizer sees a read beyond */
        made_put(&exact, made.data, made.size);
        const struct vxbi_bytes file = {.data = exact.data, .size = exact.size};
        cr_assert(vxbi_sky_map_from_bytes(&env, "sky.hdr", &file, 1.0f, &map, &err) != VXB_OK, "%zu", made.size);
        vxb_error_clear(&err);
        made_free(&exact);
    }
    cr_assert(eq(int, read_made(&made, 1.0f, &map, &err), VXB_OK));
    vxb_sky_map_free(map);
    made_free(&made);
}
