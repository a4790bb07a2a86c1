/* The PNG reader: every bit of a file matters, and on real files the pixels are those that stb_image's own reader
 * gives. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "make_files.h"
#include "image/png.h"
#include "terrain/ground.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#include <stb/stb_image.h>

static struct vxb_error err;
static unsigned warnings;
static char last_warning[1024];

static void hear(void *user, const struct vxb_diag *diag)
{
    (void)user;
    if (diag->severity == VXB_SEVERITY_WARNING) {
        warnings++;
        strcpy(last_warning, diag->what.message);
    }
}

static const struct vxb_env env = {.size = sizeof env, .diag = hear};

/* A block of exactly that size, so that a sanitizer sees a read beyond. */
static struct vxbi_bytes copy_of(const uint8_t *data, size_t size)
{
    struct vxbi_bytes bytes = {.allocator = vxbi_allocator(NULL), .size = size, .room = size ? size : 1};
    bytes.data = vxbi_new(&bytes.allocator, bytes.room, 1);
    memcpy(bytes.data, data, size);
    vxb_error_clear(&err);
    warnings = 0;
    return bytes;
}

static struct vxb_terrain *read_terrain(const char *name, const uint8_t *data, size_t size)
{
    struct vxb_terrain_desc desc = {.path = name, .allow_8bit = true};
    struct vxbi_bytes file = copy_of(data, size);
    struct vxb_terrain *terrain = NULL;
    enum vxb_terrain_kind kind;
    cr_assert(vxbi_kind_of_name(name, &kind));
    desc.has_metres_per_quad = desc.has_range = kind != VXB_TERRAIN_VXTERRAIN;
    desc.metres_per_quad = 1;
    desc.width = desc.height = kind == VXB_TERRAIN_RAW ? 2 : 0;
    enum vxb_status status = vxbi_terrain_from_bytes(&env, &desc, &file, &terrain, &err);
    cr_assert(status == err.status && (terrain ? status == VXB_OK : status != VXB_OK));
    cr_assert(status == VXB_OK || err.message[0]);
    return terrain;
}

static bool read_map(const uint8_t *data, size_t size, enum vxb_channel channel, struct vxbi_raster *out)
{
    struct vxbi_bytes file = copy_of(data, size);
    enum vxb_status status = vxbi_map_from_bytes(&env, "map.png", channel, &file, out, &err);
    cr_assert(status == err.status);
    cr_assert(status == VXB_OK || err.message[0]);
    return status == VXB_OK;
}

static void read_bad(struct made *made, enum vxb_status status, const char *text)
{
    struct vxb_terrain *terrain = read_terrain("a.png", made->data, made->size);
    made_free(made);
    cr_assert(terrain == NULL, "%s", text);
    cr_assert(err.status == status && strstr(err.message, text) != NULL, "%s (%s) is not: %s", text,
              vxb_status_name(status), err.message);
}

static const uint16_t six[6] = {0x0001, 0x0100, 0x1234, 0xFFFF, 0x0000, 0x8000};

static struct made make_six(void)
{
    struct made made = {0};
    made_png_grey16(&made, 3, 2, six);
    return made;
}

Test(png, any_bit_flipped__is_refused)
{
    struct made made = make_six();
    for (size_t bit = 0; bit < made.size * 8; bit++) {
        made.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        struct vxb_terrain *terrain = read_terrain("a.png", made.data, made.size);
        cr_assert(terrain == NULL, "bit %zu", bit);
        made.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    made_free(&made);
}

Test(png, cut_anywhere__is_refused)
{
    struct made made = make_six();
    for (size_t size = 0; size < made.size; size++) {
        struct vxb_terrain *terrain = read_terrain("a.png", made.data, size);
        cr_assert(terrain == NULL, "%zu bytes", size);
        cr_assert(strstr(err.message, "cut") != NULL, "%zu bytes: %s", size, err.message);
    }
    made_free(&made);
}

Test(png, bytes_after_the_end__are_left_out_with_a_warning)
{
    struct made made = make_six();
    made_text(&made, "more");
    struct vxb_terrain *terrain = read_terrain("a.png", made.data, made.size);
    cr_assert(terrain != NULL && memcmp(terrain->heights, six, sizeof six) == 0);
    cr_assert(eq(u32, warnings, 1));
    cr_assert(strncmp(last_warning, "4 bytes after the PNG's end", 27) == 0, "%s", last_warning);
    vxb_terrain_free(terrain);
    made_free(&made);
}

Test(png, every_filter__gives_the_pixels_back)
{
    uint8_t pixels[9 * 7 * 8];
    static const unsigned colours[4] = {0, 4, 2, 6};
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(i * i * 31 + i * 7 + (i >> 3));
    for (unsigned depth = 8; depth <= 16; depth += 8)
        for (unsigned channels = 1; channels <= 4; channels++)
            for (unsigned filter = 0; filter <= 5; filter++) {
                struct made made = {0};
                struct vxbi_source source = {.env = &env, .allocator = vxbi_allocator(NULL), .path = "", .pointer = ""};
                struct vxbi_png png;
                struct vxbi_image image;
                size_t row = 9 * channels * depth / 8;
                made_png(&made, 9, 7, depth, colours[channels - 1], pixels, filter);
                struct vxbi_bytes file = copy_of(made.data, made.size);
                cr_assert(eq(int, vxbi_png_scan(&source, &file, &png, &err), VXB_OK));
                cr_assert(eq(int, vxbi_png_pixels(&source, &file, &png, &image, &err), VXB_OK));
                for (size_t z = 0; z < 7; z++)
                    cr_assert(memcmp(image.data + image.first + z * image.pitch, pixels + z * row, row) == 0);
                vxbi_image_clear(&image);
                made_free(&made);
            }
}

/* A PNG from parts: header, then what body puts, then IEND. */
static struct made make_with(uint32_t width, uint32_t height, const uint8_t *idat, size_t size)
{
    struct made made = {0};
    made_png_signature(&made);
    made_png_header(&made, width, height, 16, 0, false);
    made_png_chunk(&made, "IDAT", idat, size);
    made_png_chunk(&made, "IEND", "", 0);
    return made;
}

Test(png, pixels_that_do_not_fit_the_header__are_told)
{
    static const uint8_t rows[64] = {0};
    struct made packed = {0}, made;
    made_zlib(&packed, rows, 14); /* 3 x 2: two rows of 1 + 6 */
    made = make_with(3, 2, packed.data, packed.size);
    struct vxb_terrain *terrain = read_terrain("a.png", made.data, made.size);
    cr_assert(terrain != NULL, "%s", err.message);
    vxb_terrain_free(terrain);
    made_free(&made);
    made = make_with(3, 3, packed.data, packed.size);
    read_bad(&made, VXB_ERR_DATA, "14 bytes came out of the compressed ones, 3 x 3 pixels are 21");
    made = make_with(2, 2, packed.data, packed.size);
    read_bad(&made, VXB_ERR_DATA, "or to more than the 10 that 2 x 2 pixels are");
    made = make_with(3, 2, packed.data, packed.size - 4);
    read_bad(&made, VXB_ERR_DATA, "checksum (Adler-32)");
    made = make_with(3, 2, packed.data, packed.size - 5);
    read_bad(&made, VXB_ERR_DATA, "do not inflate");
    packed.data[packed.size - 1] ^= 1;
    made = make_with(3, 2, packed.data, packed.size);
    read_bad(&made, VXB_ERR_DATA, "checksum (Adler-32) says");
    made = make_with(3, 2, packed.data, 0);
    read_bad(&made, VXB_ERR_DATA, "IDAT is missing or empty");
    made_free(&packed);
    uint8_t bad_filter[14] = {5};
    made_zlib(&packed, bad_filter, 14);
    made = make_with(3, 2, packed.data, packed.size);
    read_bad(&made, VXB_ERR_DATA, "row 0 has filter 5, of 0 to 4");
    made_free(&packed);
}

Test(png, bombs__are_refused_before_memory_is_taken)
{
    static const uint8_t few[16] = {0x78, 0x01};
    struct made made = make_with(46340, 46340, few, sizeof few);
    read_bad(&made, VXB_ERR_LIMIT, "46340 x 46340 pixels; a side has at most 32768");
    made = make_with(32768, 32768, few, sizeof few);
    read_bad(&made, VXB_ERR_DATA, "its 16 compressed bytes can't hold as many");
    struct made packed = {0};
    for (int i = 0; i < 2100000; i++)
        made_u8(&packed, 1);
    made = make_with(32768, 32768, packed.data, packed.size);
    read_bad(&made, VXB_ERR_LIMIT,
             "2147516416 bytes (32768 x 32768 of a 16-bit grey PNG); at most 2147483647 are read: use a raw file");
    made_free(&packed);
    made = make_with(0, 2, few, sizeof few);
    read_bad(&made, VXB_ERR_DATA, "the image is 0 x 2 pixels");
    made = make_with(1, 3, few, sizeof few);
    read_bad(&made, VXB_ERR_LIMIT, "1 x 3 samples; a side has 2 to 32768");
}

Test(png, chunks_out_of_order_or_unknown__are_told)
{
    static const uint8_t rows[14] = {0};
    static const struct {
        const char *chunks; /* four letters each, after the header; d is a part of the pixels */
        enum vxb_status status;
        const char *text;
    } cases[] = {
        {"tEXtd", VXB_OK, ""},
        {"PLTEd", VXB_OK, ""},
        {"dtEXt", VXB_OK, ""},
        {"ddtIME", VXB_OK, ""},
        {"dtIMEd", VXB_ERR_DATA, "IDAT stands apart"},
        {"dPLTE", VXB_ERR_DATA, "PLTE stands where it must not"},
        {"IHDRd", VXB_ERR_DATA, "IHDR stands where it must not"},
        {"JUNKd", VXB_ERR_UNSUPPORTED, "JUNK is critical and not known"},
        {"ju1kd", VXB_ERR_DATA, "a PNG chunk's type is four letters, found 6a 75 31 6b"},
        {"", VXB_ERR_DATA, "IDAT is missing"},
    };
    struct made packed = {0};
    made_zlib(&packed, rows, sizeof rows);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made made = {0};
        size_t parts = 0, part = 0;
        for (const char *p = cases[i].chunks; *p; p += *p == 'd' ? 1 : 4)
            parts += *p == 'd';
        made_png_signature(&made);
        made_png_header(&made, 3, 2, 16, 0, false);
        for (const char *p = cases[i].chunks; *p; p += *p == 'd' ? 1 : 4)
            if (*p == 'd') {
                size_t from = packed.size * part / parts, to = packed.size * (part + 1) / parts;
                made_png_chunk(&made, "IDAT", packed.data + from, to - from);
                part++;
            } else {
                made_png_chunk(&made, p, "abc", 3);
            }
        made_png_chunk(&made, "IEND", "", 0);
        if (cases[i].status) {
            read_bad(&made, cases[i].status, cases[i].text);
            continue;
        }
        struct vxb_terrain *terrain = read_terrain("a.png", made.data, made.size);
        cr_assert(terrain != NULL, "%s: %s", cases[i].chunks, err.message);
        vxb_terrain_free(terrain);
        made_free(&made);
    }
    made_free(&packed);
}

Test(png, header_values_that_png_has_not__are_told)
{
    for (unsigned colour = 0; colour < 9; colour++)
        for (unsigned depth = 0; depth < 34; depth++) {
            static const unsigned depths[9][6] = {{1, 2, 4, 8, 16}, {0}, {8, 16}, {1, 2, 4, 8}, {8, 16}, {0}, {8, 16}};
            bool known = false;
            struct made made = {0};
            for (int i = 0; i < 5; i++)
                known |= depth != 0 && depths[colour][i] == depth;
            made_png_signature(&made);
            made_png_header(&made, 3, 2, depth, colour, false);
            made_png_chunk(&made, "IEND", "", 0);
            read_bad(&made, VXB_ERR_DATA, known ? "IDAT is missing" : "is not one that PNG has");
        }
}

/* ---- real files ---- */

static bool read_file(const char *path, struct vxbi_bytes *out)
{
    return vxbi_read_all(NULL, path, 1 << 24, out, NULL) == VXB_OK;
}

/* Calls with every file below folder of the shared data; returns how many. */
static unsigned walk(const char *folder, void (*visit)(const char *path, const struct vxbi_bytes *file))
{
    unsigned count = 0;
    DIR *dir = opendir(folder);
    if (!dir)
        return 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        char path[1024];
        struct stat st;
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
            count += walk(path, visit);
            continue;
        }
        struct vxbi_bytes file;
        if (!read_file(path, &file))
            continue; /* an empty file, which the loader refuses as such */
        visit(path, &file);
        vxbi_bytes_clear(&file);
        count++;
    }
    closedir(dir);
    return count;
}

static void check_terrain(const char *path, const struct vxb_terrain *terrain, const void *oracle, int channels,
                          int deep)
{
    for (size_t i = 0; i < (size_t)terrain->samples_x * terrain->samples_z; i++) {
        uint16_t value = deep ? ((const uint16_t *)oracle)[i * channels]
                              : (uint16_t)(((const uint8_t *)oracle)[i * channels] * 257);
        cr_assert(terrain->heights[i] == value, "%s, sample %zu", path, i);
    }
}

static void check_maps(const char *path, const struct vxbi_bytes *file, const uint8_t *oracle, int channels)
{
    static const enum vxb_channel named[5][4] = {{0}, {VXB_CHANNEL_GREY}, {VXB_CHANNEL_GREY, VXB_CHANNEL_A},
                                                 {VXB_CHANNEL_R, VXB_CHANNEL_G, VXB_CHANNEL_B},
                                                 {VXB_CHANNEL_R, VXB_CHANNEL_G, VXB_CHANNEL_B, VXB_CHANNEL_A}};
    for (int c = 0; c < channels; c++) {
        struct vxbi_raster map;
        cr_assert(read_map(file->data, file->size, named[channels][c], &map), "%s: %s", path, err.message);
        for (size_t i = 0; i < (size_t)map.width * map.height; i++)
            cr_assert(map.samples[i] == oracle[i * channels + c], "%s, channel %d, sample %zu", path, c, i);
        free(map.samples);
    }
}

/* A valid PNG: as heights and as a map its pixels are what stb_image gives, or the refusal names depth and colour. */
static void compare_valid(const char *path, const struct vxbi_bytes *file)
{
    int width, height, channels;
    if (!strstr(path, ".png"))
        return;
    unsigned depth = file->data[24], colour = file->data[25];
    struct vxb_terrain *terrain = read_terrain("a.png", file->data, file->size);
    if (depth < 8 || colour == 3) {
        struct vxbi_raster map;
        cr_assert(terrain == NULL && err.status == VXB_ERR_UNSUPPORTED, "%s", path);
        cr_assert(strstr(err.message, "bit depth") && strstr(err.message, "colour type"), "%s: %s", path, err.message);
        cr_assert(not(read_map(file->data, file->size, VXB_CHANNEL_GREY, &map)));
        cr_assert(err.status == VXB_ERR_UNSUPPORTED);
        return;
    }
    cr_assert(terrain != NULL, "%s: %s", path, err.message);
    static const int in_file[7] = {1, 0, 3, 0, 2, 0, 4};
    void *oracle =
        depth == 16
            ? (void *)stbi_load_16_from_memory(file->data, (int)file->size, &width, &height, &channels, in_file[colour])
            : (void *)stbi_load_from_memory(file->data, (int)file->size, &width, &height, &channels, in_file[colour]);
    cr_assert(oracle != NULL && (uint32_t)width == terrain->samples_x && (uint32_t)height == terrain->samples_z, "%s",
              path);
    check_terrain(path, terrain, oracle, in_file[colour], depth == 16);
    vxb_terrain_free(terrain);
    if (depth == 8) {
        check_maps(path, file, oracle, in_file[colour]);
    } else {
        struct vxbi_raster map;
        cr_assert(not(read_map(file->data, file->size, VXB_CHANNEL_R, &map)));
        cr_assert(strstr(err.message, "16-bit") != NULL, "%s: %s", path, err.message);
    }
    stbi_image_free(oracle);
}

static void walk_shared(const char *folder, unsigned at_least, void (*visit)(const char *, const struct vxbi_bytes *))
{
    char path[1024];
    snprintf(path, sizeof path, "%s/data/%s", TEST_SHARED, folder);
    if (!vxbi_path_exists(path))
        cr_skip_test("%s is not there", path);
    unsigned count = walk(path, visit);
    cr_assert(count >= at_least, "%s: %u files", path, count);
}

Test(png, pngsuite_16_bit__pixels_are_right_or_the_refusal_names_the_type)
{
    walk_shared("damaged/png/pngsuite/16bit", 20, compare_valid);
}

/* 1 x 1 images among them are too small for a terrain, so only those of 2 x 2 and more are compared. */
static void compare_primary(const char *path, const struct vxbi_bytes *file)
{
    if (!strstr(path, "/s01"))
        compare_valid(path, file);
}

Test(png, pngsuite_primary__pixels_are_right_or_the_refusal_names_the_type)
{
    walk_shared("damaged/png/pngsuite/primary", 70, compare_primary);
}

Test(png, pngsuite_unused_chunks__pixels_are_right_or_the_refusal_names_the_type)
{
    walk_shared("damaged/png/pngsuite/unused", 50, compare_valid);
}

Test(png, real_heightmaps__pixels_are_right)
{
    walk_shared("heightmaps", 8, compare_valid);
}

Test(png, real_splats__pixels_are_right)
{
    walk_shared("splat", 3, compare_valid);
}

static void refuse(const char *path, const struct vxbi_bytes *file)
{
    struct vxbi_raster map;
    if (!strstr(path, ".png"))
        return;
    cr_assert(read_terrain("a.png", file->data, file->size) == NULL, "%s", path);
    cr_assert(not(read_map(file->data, file->size, VXB_CHANNEL_GREY, &map)));
    cr_assert(not(read_map(file->data, file->size, VXB_CHANNEL_R, &map)));
}

Test(png, pngsuite_corrupt__is_refused)
{
    walk_shared("damaged/png/pngsuite/corrupt", 11, refuse);
}

Test(png, libpng_crashers__are_refused)
{
    walk_shared("damaged/png/libpng_crashers", 20, refuse);
}

static void refuse_apple(const char *path, const struct vxbi_bytes *file)
{
    refuse(path, file);
    cr_assert(strstr(err.message, "Apple's CgBI") != NULL, "%s: %s", path, err.message);
}

Test(png, apple_variant__is_named)
{
    walk_shared("damaged/png/pngsuite/iphone", 7, refuse_apple);
}

/* A file that is no terrain, under every ending and as a map: a refusal that says why, or, for a PNG, what is valid. */
static void try_as_all(const char *path, const struct vxbi_bytes *file)
{
    static const char *const names[] = {"a.png", "a.pfm", "a.r16", "a.r32", "a.raw", "a.vxterrain"};
    const char *dot = strrchr(path, '.');
    bool png = dot && strcasecmp(dot, ".png") == 0;
    struct vxbi_raster map;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct vxb_terrain *terrain = read_terrain(names[i], file->data, file->size);
        bool raw = i >= 2 && i <= 4 && (file->size == 8 || file->size == 16);
        cr_assert(terrain == NULL || (png && i == 0) || raw, "%s as %s", path, names[i]);
        vxb_terrain_free(terrain);
    }
    if (read_map(file->data, file->size, VXB_CHANNEL_GREY, &map)) {
        cr_assert(png, "%s", path);
        free(map.samples);
    }
}

Test(png, damaged_png__no_crash_under_any_name)
{
    walk_shared("damaged/png", 200, try_as_all);
}

Test(png, damaged_hdr__no_crash_under_any_name)
{
    walk_shared("damaged/hdr", 3, try_as_all);
}

Test(png, damaged_pnm__no_crash_under_any_name)
{
    walk_shared("damaged/pnm", 3, try_as_all);
}

Test(png, damaged_gltf__no_crash_under_any_name)
{
    walk_shared("damaged/gltf", 100, try_as_all);
}

Test(png, damaged_zstd__no_crash_under_any_name)
{
    walk_shared("damaged/zstd", 3, try_as_all);
}

static unsigned fine;

static void expect_fine(const char *path, const struct vxbi_bytes *file)
{
    struct vxbi_raster map;
    if (!strstr(path, "oiio_exif") && !strstr(path, "oiio_xmp"))
        return;
    cr_assert(read_map(file->data, file->size, VXB_CHANNEL_GREY, &map), "%s: %s", path, err.message);
    cr_assert(map.width == 1 && map.height == 1);
    free(map.samples);
    fine++;
}

Test(png, odd_metadata_but_fine_pixels__are_taken)
{
    walk_shared("damaged/png", 200, expect_fine);
    cr_assert(eq(u32, fine, 3));
}
