/* Terrain: every kind of source, turning, maps, faults told by name, and the engine's own heights. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/os.h"
#include "heap.h"
#include "make_files.h"
#include "own_folder.h"
#include "vxbake/terrain.h"

/* What a load said: all of it in one text, a line each. */
struct said {
    char text[16384];
    unsigned errors, warnings;
};

static void hear(void *user, const struct vxb_diag *diag)
{
    struct said *said = user;
    char line[2048];
    vxb_error_format(&diag->what, line, sizeof line);
    size_t used = strlen(said->text);
    snprintf(said->text + used, sizeof said->text - used, "%s\n", line);
    if (diag->severity == VXB_SEVERITY_ERROR)
        said->errors++;
    else
        said->warnings++;
}

static struct said said;
static struct vxb_error err;

static enum vxb_status load(const struct vxb_terrain_desc *desc, struct vxb_terrain **out)
{
    struct vxb_env env = {.size = sizeof env, .diag = hear, .user = &said};
    said = (struct said){0};
    vxb_error_clear(&err);
    *out = NULL;
    return vxb_terrain_load(&env, desc, out, &err);
}

static struct vxb_terrain *load_good(const struct vxb_terrain_desc *desc)
{
    struct vxb_terrain *terrain;
    enum vxb_status status = load(desc, &terrain);
    cr_assert(status == VXB_OK, "%s: %s", desc->path, said.text);
    cr_assert(eq(int, said.errors, 0));
    return terrain;
}

/* Loads what must fail; the message's line must hold each text. */
static void load_bad(const struct vxb_terrain_desc *desc, enum vxb_status status, const char *pointer, const char *text)
{
    struct vxb_terrain *terrain;
    enum vxb_status got = load(desc, &terrain);
    cr_assert(got == status, "%s: status %s: %s", desc->path, vxb_status_name(got), said.text);
    cr_assert(terrain == NULL);
    cr_assert(err.status == got);
    cr_assert(strcmp(err.pointer, pointer) == 0, "pointer %s: %s", err.pointer, said.text);
    cr_assert(strstr(err.message, text) != NULL, "\"%s\" is not in: %s", text, err.message);
    char first[2048];
    vxb_error_format(&err, first, sizeof first);
    cr_assert(strncmp(said.text, first, strlen(first)) == 0 || said.warnings, "the error went to diag too");
    cr_assert(said.errors >= 1);
}

static struct vxb_terrain_desc desc_of(const char *path)
{
    return (struct vxb_terrain_desc){.path = path, .has_range = true, .range_min = 0, .range_max = 100,
                                     .has_metres_per_quad = true, .metres_per_quad = 2};
}

static void write_made(struct made *made, const char *path)
{
    made_write(made, path);
    made_free(made);
}

static void write_r16(const char *path, const uint16_t *samples, size_t count, bool big)
{
    struct made made = {0};
    for (size_t i = 0; i < count; i++)
        made_u16(&made, big ? (uint16_t)(samples[i] << 8 | samples[i] >> 8) : samples[i]);
    write_made(&made, path);
}

static void write_png16(const char *path, uint32_t width, uint32_t height, const uint16_t *samples)
{
    struct made made = {0};
    made_png_grey16(&made, width, height, samples);
    write_made(&made, path);
}

static void write_png(const char *path, uint32_t width, uint32_t height, unsigned depth, unsigned colour,
                      const uint8_t *pixels)
{
    struct made made = {0};
    made_png(&made, width, height, depth, colour, pixels, 5);
    write_made(&made, path);
}

static const uint16_t six[6] = {0x0001, 0x0100, 0x1234, 0xFFFF, 0x0000, 0x8000};

static void check_six(struct vxb_terrain *terrain)
{
    cr_assert(eq(u32, terrain->samples_x, 3));
    cr_assert(eq(u32, terrain->samples_z, 2));
    cr_assert(memcmp(terrain->heights, six, sizeof six) == 0);
    vxb_terrain_free(terrain);
}

TestSuite(terrain, .init = own_folder_make, .fini = own_folder_remove);

Test(terrain, byte_order__raw_little_raw_big_and_png_give_the_same_heights)
{
    struct vxb_terrain_desc desc = desc_of("a.r16");
    desc.width = 3;
    desc.height = 2;
    write_r16("a.r16", six, 6, false);
    check_six(load_good(&desc));
    write_r16("b.RAW", six, 6, true);
    desc.path = "b.RAW";
    desc.order = VXB_ORDER_BIG;
    check_six(load_good(&desc));
    desc = desc_of("c.png");
    write_png16("c.png", 3, 2, six);
    check_six(load_good(&desc));
    cr_assert(eq(int, said.warnings, 0));
}

Test(terrain, loaded__says_what_the_recipe_and_the_file_say)
{
    struct vxb_terrain_desc desc = desc_of("c.png");
    desc.origin[1] = -7;
    write_png16("c.png", 3, 2, six);
    struct vxb_terrain *terrain = load_good(&desc);
    cr_assert(terrain->kind == VXB_TERRAIN_PNG && terrain->sample == VXB_SAMPLE_U16);
    cr_assert(terrain->min_height == 0 && terrain->max_height == 100 && terrain->origin[1] == -7);
    cr_assert(vxb_terrain_width(terrain) == 4 && vxb_terrain_depth(terrain) == 2);
    cr_assert(terrain->file_hash != 0 && terrain->holes == NULL && terrain->exclude.samples == NULL);
    cr_assert(vxb_terrain_layer(terrain, "Grass") == NULL && vxb_terrain_layer(terrain, NULL) == NULL);
    vxb_terrain_free(terrain);
    vxb_terrain_free(NULL);
}

Test(terrain, floats__are_stored_over_the_range_in_either_byte_order)
{
    static const float heights[6] = {-10, 0, 10, 2.5f, 9.9998f, -9.99985f};
    uint16_t expected[6];
    for (int i = 0; i < 6; i++)
        expected[i] = (uint16_t)floor(((double)heights[i] + 10) / 20 * 65535 + 0.5);
    for (int big = 0; big < 2; big++) {
        struct made made = {0}, raw = {0};
        made_pfm(&made, "Pf", 3, 2, heights, big);
        write_made(&made, "a.pfm");
        struct vxb_terrain_desc desc = desc_of("a.pfm");
        desc.has_range = false;
        struct vxb_terrain *terrain = load_good(&desc);
        cr_assert(terrain->min_height == -10 && terrain->max_height == 10 && terrain->sample == VXB_SAMPLE_F32);
        cr_assert(memcmp(terrain->heights, expected, sizeof expected) == 0);
        vxb_terrain_free(terrain);
        for (int i = 0; i < 6; i++) {
            uint32_t bits;
            memcpy(&bits, &heights[i], sizeof bits);
            made_u32(&raw, big ? __builtin_bswap32(bits) : bits);
        }
        write_made(&raw, "a.r32");
        desc = desc_of("a.r32");
        desc.width = 3;
        desc.height = 2;
        desc.order = big ? VXB_ORDER_BIG : VXB_ORDER_LITTLE;
        desc.range_min = -10;
        desc.range_max = 10;
        terrain = load_good(&desc);
        cr_assert(memcmp(terrain->heights, expected, sizeof expected) == 0);
        vxb_terrain_free(terrain);
    }
}

Test(terrain, flat_floats__are_zero_and_no_division_is_made)
{
    static const float heights[4] = {5, 5, 5, 5};
    struct made made = {0};
    made_pfm(&made, "Pf", 2, 2, heights, false);
    write_made(&made, "a.pfm");
    struct vxb_terrain_desc desc = desc_of("a.pfm");
    desc.has_range = false;
    struct vxb_terrain *terrain = load_good(&desc);
    for (int i = 0; i < 4; i++)
        cr_assert(eq(u16, terrain->heights[i], 0));
    cr_assert(terrain->min_height == 5 && terrain->max_height == 5);
    vxb_terrain_free(terrain);
}

Test(terrain, floats_out_of_range_or_not_finite__are_told_with_their_place)
{
    float heights[6] = {0, 1, 2, 3, 101, 5};
    struct made made = {0};
    made_pfm(&made, "Pf", 3, 2, heights, false);
    write_made(&made, "a.pfm");
    struct vxb_terrain_desc desc = desc_of("a.pfm");
    load_bad(&desc, VXB_ERR_DATA, "/terrain/file", "column 1, row 1 is 101 m, outside the range 0 to 100 (1 of 6");
    heights[4] = NAN;
    made_pfm(&made, "Pf", 3, 2, heights, true);
    write_made(&made, "a.pfm");
    load_bad(&desc, VXB_ERR_DATA, "/terrain/file", "column 1, row 1 is nan");
    heights[4] = -INFINITY;
    made_pfm(&made, "Pf", 3, 2, heights, true);
    write_made(&made, "a.pfm");
    desc.has_range = false;
    load_bad(&desc, VXB_ERR_DATA, "/terrain/file", "column 1, row 1 is -inf");
    heights[4] = 3e30f;
    made_pfm(&made, "Pf", 3, 2, heights, true);
    write_made(&made, "a.pfm");
    load_bad(&desc, VXB_ERR_LIMIT, "/terrain/file", "wrong byte order");
}

Test(terrain, pfm_header__crlf_scale_and_faults)
{
    static const struct {
        const char *header;
        size_t bytes;
        enum vxb_status status;
        const char *text;
    } cases[] = {
        {"Pf\r\n2 2\r\n-1.0\r\n", 16, VXB_OK, ""},
        {"Pf 2 2 -1 ", 16, VXB_OK, ""},
        {"Pf\n2 2\n-2.5\n", 16, VXB_OK, "scale is -2.5"},
        {"PF\n2 2\n-1.0\n", 48, VXB_ERR_UNSUPPORTED, "three channels"},
        {"Pf\n2 2\n-1.0\n", 15, VXB_ERR_DATA, "has 15 bytes, but 2 x 2 heights of 4 bytes are 16: it is cut"},
        {"Pf\n2 2\n-1.0\n", 17, VXB_ERR_DATA, "too long"},
        {"Pf\n2 2\n0\n", 16, VXB_ERR_DATA, "the scale \"0\""},
        {"Pf\n2 2\nnan\n", 16, VXB_ERR_DATA, "the scale \"nan\""},
        {"Pf\n2 -2\n-1.0\n", 16, VXB_ERR_DATA, "the height \"-2\""},
        {"Pf\n2x 2\n-1.0\n", 16, VXB_ERR_DATA, "the width \"2x\""},
        {"Pf\n99999999999999999999 2\n-1.0\n", 16, VXB_ERR_LIMIT,
         "has the width 99999999999999999999: at most 32768 is read"},
        {"Pf\n1 2\n-1.0\n", 8, VXB_ERR_LIMIT, "a side has 2 to 32768"},
        {"Pf\n2", 0, VXB_ERR_DATA, "the width"},
        {"Pfx\n2 2\n-1\n", 16, VXB_ERR_FORMAT, "not a PFM"},
        {"P5\n2 2\n255\n", 16, VXB_ERR_FORMAT, "this is a binary PGM although its name says .pfm"},
    };
    struct vxb_terrain_desc desc = desc_of("a.pfm");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made made = {0};
        made_text(&made, cases[i].header);
        for (size_t k = 0; k < cases[i].bytes; k++)
            made_u8(&made, 0);
        write_made(&made, "a.pfm");
        if (cases[i].status) {
            load_bad(&desc, cases[i].status, "/terrain/file", cases[i].text);
        } else {
            vxb_terrain_free(load_good(&desc));
            cr_assert(strstr(said.text, cases[i].text) && said.warnings == (*cases[i].text != 0), "%s", said.text);
        }
    }
}

/* Where sample (x, z) of a w x h file stands after flip and transpose, by the words of the recipe's page. */
static size_t turned(uint32_t x, uint32_t z, uint32_t w, uint32_t h, enum vxb_flip flip, bool transpose)
{
    if (flip == VXB_FLIP_X || flip == VXB_FLIP_XZ)
        x = w - 1 - x;
    if (flip == VXB_FLIP_Z || flip == VXB_FLIP_XZ)
        z = h - 1 - z;
    return transpose ? (size_t)x * h + z : (size_t)z * w + x;
}

Test(terrain, turning__moves_heights_and_maps_alike)
{
    for (uint32_t w = 2; w <= 67; w += 65)
        for (uint32_t h = 2; h <= 67; h += 65) {
            uint16_t *samples = malloc(w * h * 2);
            uint8_t *map = malloc((w + 1) * h);
            for (uint32_t i = 0; i < w * h; i++)
                samples[i] = (uint16_t)(i * 7 + 1);
            for (uint32_t i = 0; i < (w + 1) * h; i++)
                map[i] = (uint8_t)(i * 11 + i / 256);
            write_r16("a.r16", samples, w * h, false);
            write_png("m.png", w + 1, h, 8, 0, map);
            for (int way = 0; way < 8; way++) {
                struct vxb_layer_desc layer = {.name = "Grass", .map.path = "m.png"};
                struct vxb_terrain_desc desc = desc_of("a.r16");
                desc.width = w;
                desc.height = h;
                desc.flip = (enum vxb_flip)(way % 4);
                desc.transpose = way >= 4;
                desc.layers = &layer;
                desc.layer_count = 1;
                struct vxb_terrain *terrain = load_good(&desc);
                cr_assert(eq(u32, terrain->samples_x, desc.transpose ? h : w));
                cr_assert(eq(u32, terrain->samples_z, desc.transpose ? w : h));
                for (uint32_t z = 0; z < h; z++)
                    for (uint32_t x = 0; x < w; x++)
                        cr_assert(terrain->heights[turned(x, z, w, h, desc.flip, desc.transpose)] ==
                                  samples[z * w + x]);
                const struct vxb_map *got = &vxb_terrain_layer(terrain, "Grass")->map;
                cr_assert(eq(u32, got->width, desc.transpose ? h : w + 1));
                for (uint32_t z = 0; z < h; z++)
                    for (uint32_t x = 0; x < w + 1; x++)
                        cr_assert(got->samples[turned(x, z, w + 1, h, desc.flip, desc.transpose)] ==
                                  map[z * (w + 1) + x]);
                vxb_terrain_free(terrain);
            }
            free(samples);
            free(map);
        }
}

Test(terrain, raw_size_that_does_not_match__gives_both_sizes_and_what_it_could_be)
{
    static const struct {
        size_t bytes;
        const char *text;
    } cases[] = {
        {131071, "has 131071 bytes, but 256 x 256 samples of 2 bytes (u16) are 131072"},
        {131073, "has 131073 bytes, but 256 x 256 samples of 2 bytes (u16) are 131072"},
        {131122, "131122"},
        {65536, "it has one byte a sample"},
        {262144, "\"sample\": \"f32\""},
        {257 * 257 * 2, "it would be 257 x 257"},
    };
    struct vxb_terrain_desc desc = desc_of("a.r16");
    desc.width = desc.height = 256;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made made = {0};
        for (size_t k = 0; k < cases[i].bytes; k++)
            made_u8(&made, 1);
        write_made(&made, "a.r16");
        load_bad(&desc, VXB_ERR_DATA, "/terrain/file", cases[i].text);
    }
    desc.sample = VXB_SAMPLE_F32;
    write_made(&(struct made){0}, "a.r16");
    load_bad(&desc, VXB_ERR_FORMAT, "/terrain/file", "the file is empty");
    desc.path = ".";
    load_bad(&desc, VXB_ERR_USAGE, "/terrain/file", "the file's kind is told by its name's ending");
    desc.path = "missing.r16";
    load_bad(&desc, VXB_ERR_IO, "/terrain/file", "cannot open");
    cr_assert(strcmp(err.path, "missing.r16") == 0);
}

Test(terrain, content_that_is_not_what_the_name_says__is_named)
{
    static const struct {
        const char *path, *head, *text;
    } cases[] = {
        {"a.r16", "\x89PNG\r\n\x1a\n0123456789", "this is a PNG although its name says .r16"},
        {"a.png", "\xff\xd8\xff\xe0 JFIF 0123456", "this is a JPEG although its name says .png"},
        {"a.png", "0123456789012", "not a PNG: it begins with 30 31 32 33"},
        {"a.png", "VXTERRA1 0123456789", "this is a .vxterrain although its name says .png"},
        {"a.vxterrain", "0123456789012", "not a .vxterrain"},
        {"a.png", "\x89VXG\r\n\x1a\n 0123456", "this is a grass file although its name says .png"},
        {"a.r16", "\x89VXP\r\n\x1a\n 0123456", "this is an irradiance field although its name says .r16"},
        {"a.vxterrain", "Pf\n2 2\n-1\n0123456789", "this is a PFM although its name says .vxterrain"},
        {"a.pfm", "#?RADIANCE\n\n-Y 1 +X 1\n", "this is a Radiance HDR image although its name says .pfm"},
        {"a.r32", "VXTERRA1", "this is a .vxterrain although its name says .r32"},
        {"a.png", "P\x89NG\r\n\x1a\n0123456789", "not a PNG"},
        {"a.png", "\x89PNG\n\x1a\n0123456789", "signature is damaged, as by a transfer as text"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct vxb_terrain_desc desc = desc_of(cases[i].path);
        struct made made = {0};
        made_text(&made, cases[i].head);
        write_made(&made, cases[i].path);
        if (strcmp(cases[i].path, "a.r16") == 0 || strcmp(cases[i].path, "a.r32") == 0)
            desc.width = desc.height = 2;
        if (strcmp(cases[i].path, "a.vxterrain") == 0)
            desc.has_range = desc.has_metres_per_quad = false;
        load_bad(&desc, VXB_ERR_FORMAT, "/terrain/file", cases[i].text);
    }
    struct made tiff = {0};
    made_put(&tiff, "II*\0\10\0\0\0", 8);
    write_made(&tiff, "a.png");
    struct vxb_terrain_desc desc = desc_of("a.png");
    load_bad(&desc, VXB_ERR_FORMAT, "/terrain/file", "this is a TIFF although its name says .png");
}

Test(terrain, png_depths__8_bit_needs_leave_and_colour_is_told)
{
    static const uint8_t pixels[4 * 2 * 4] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
                                              17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32};
    static const unsigned colours[4] = {0, 4, 2, 6};
    struct vxb_terrain_desc desc = desc_of("a.png");
    for (unsigned channels = 1; channels <= 4; channels++) {
        write_png("a.png", 2, 2, 8, colours[channels - 1], pixels);
        desc.allow_8bit = false;
        load_bad(&desc, VXB_ERR_UNSUPPORTED, "/terrain/file", "(bit depth 8, colour type");
        cr_assert(strstr(err.message, "\"allow_8bit\": true") != NULL);
        desc.allow_8bit = true;
        struct vxb_terrain *terrain = load_good(&desc);
        cr_assert(eq(u32, said.warnings, channels > 1 ? 2 : 1));
        for (unsigned i = 0; i < 4; i++)
            cr_assert(eq(u16, terrain->heights[i], (uint16_t)(pixels[i * channels] * 257)));
        vxb_terrain_free(terrain);
        write_png("a.png", 2, 2, 16, colours[channels - 1], pixels);
        terrain = load_good(&desc);
        cr_assert(eq(u32, said.warnings, channels > 1 ? 1 : 0));
        for (unsigned i = 0; i < 4; i++)
            cr_assert(eq(u16, terrain->heights[i],
                         (uint16_t)(pixels[i * channels * 2] << 8 | pixels[i * channels * 2 + 1])));
        vxb_terrain_free(terrain);
    }
}

Test(terrain, maps__take_the_channel_that_is_named_and_refuse_one_that_is_not_there)
{
    static const uint8_t pixels[2 * 3 * 4] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                                              13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24};
    static const unsigned colours[4] = {0, 4, 2, 6};
    /* The byte of a pixel for each enum vxb_channel, -1 for an error. */
    static const int at[4][5] = {{0, -1, -1, -1, -1}, {0, -1, -1, -1, 1}, {-1, 0, 1, 2, -1}, {-1, 0, 1, 2, 3}};
    write_png16("h.png", 3, 2, six);
    for (int channels = 1; channels <= 4; channels++)
        for (int channel = 0; channel < 5; channel++) {
            struct vxb_terrain_desc desc = desc_of("h.png");
            desc.scale = (struct vxb_map_desc){.path = "m.png", .channel = (enum vxb_channel)channel};
            write_png("m.png", 2, 3, 8, colours[channels - 1], pixels);
            int byte = at[channels - 1][channel];
            if (byte < 0) {
                load_bad(&desc, VXB_ERR_DATA, "/terrain/scale", "channel");
                cr_assert(strcmp(err.path, "m.png") == 0);
                continue;
            }
            struct vxb_terrain *terrain = load_good(&desc);
            cr_assert(eq(u32, terrain->scale.width, 2));
            cr_assert(eq(u32, terrain->scale.height, 3));
            cr_assert(terrain->scale.channel == (enum vxb_channel)channel && terrain->scale.file_hash != 0);
            for (int i = 0; i < 6; i++)
                cr_assert(eq(u8, terrain->scale.samples[i], pixels[i * channels + byte]));
            cr_assert(eq(u32, said.warnings, channels == 2 && channel == 0));
            vxb_terrain_free(terrain);
        }
}

Test(terrain, faults_of_several_files__are_all_told_each_with_its_place)
{
    struct vxb_layer_desc layers[3] = {{.name = "a/b~c", .map.path = "missing.png"},
                                       {.name = "Grass", .map.path = "h.png"},
                                       {.name = "Dirt", .map = {.path = "rgb.png", .channel = VXB_CHANNEL_A}}};
    struct vxb_terrain_desc desc = desc_of("h8.png");
    static const uint8_t pixels[12] = {0};
    write_png16("h.png", 3, 2, six);
    write_png("h8.png", 2, 2, 8, 0, pixels);
    write_png("rgb.png", 2, 2, 8, 2, pixels);
    desc.has_range = false;
    desc.layers = layers;
    desc.layer_count = 3;
    desc.exclude.path = "h8.png";
    desc.stomp.path = ".";
    load_bad(&desc, VXB_ERR_USAGE, "/terrain/range", "\"range\" is missing");
    cr_assert(eq(u32, said.errors, 6));
    static const char *const texts[] = {"h8.png: /terrain/file: an 8-bit grey PNG",
                                        "missing.png: /terrain/layers/a~1b~0c: cannot open",
                                        "h.png: /terrain/layers/Grass: a 16-bit grey PNG",
                                        "rgb.png: /terrain/layers/Dirt: an 8-bit RGB PNG has no channel \"a\"",
                                        ".: /terrain/stomp: cannot read: Is a directory"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        cr_assert(strstr(said.text, texts[i]) != NULL, "\"%s\" is not in:\n%s", texts[i], said.text);
}

Test(terrain, one_file_for_several_maps__each_gets_its_channel)
{
    static const uint8_t pixels[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    struct vxb_layer_desc layers[2] = {{.name = "r", .map = {.path = "m.png", .channel = VXB_CHANNEL_R}},
                                       {.name = "b", .map = {.path = "m.png", .channel = VXB_CHANNEL_B}}};
    struct vxb_terrain_desc desc = desc_of("h.png");
    write_png16("h.png", 3, 2, six);
    write_png("m.png", 2, 2, 8, 2, pixels);
    desc.layers = layers;
    desc.layer_count = 2;
    desc.exclude = (struct vxb_map_desc){.path = "m.png", .channel = VXB_CHANNEL_G};
    struct vxb_terrain *terrain = load_good(&desc);
    for (int i = 0; i < 4; i++) {
        cr_assert(eq(u8, terrain->layers[0].map.samples[i], pixels[i * 3]));
        cr_assert(eq(u8, terrain->layers[1].map.samples[i], pixels[i * 3 + 2]));
        cr_assert(eq(u8, terrain->exclude.samples[i], pixels[i * 3 + 1]));
    }
    vxb_terrain_free(terrain);
}

Test(terrain, recipe_faults__name_the_key)
{
    struct vxb_terrain_desc good = desc_of("h.png"), desc;
    struct vxb_layer_desc twice[2] = {{.name = "a", .map.path = "h8.png"}, {.name = "a", .map.path = "h8.png"}};
    static const uint8_t pixels[4] = {0};
    write_png16("h.png", 3, 2, six);
    write_r16("h.r16", six, 6, false);
    write_png("h8.png", 2, 2, 8, 0, pixels);
    desc = good;
    desc.has_metres_per_quad = false;
    load_bad(&desc, VXB_ERR_USAGE, "/terrain/metres_per_quad", "is missing");
    desc = good;
    desc.metres_per_quad = 0;
    load_bad(&desc, VXB_ERR_USAGE, "/terrain/metres_per_quad", "allowed is 0.001 to 1000");
    desc = good;
    desc.metres_per_quad = NAN;
    load_bad(&desc, VXB_ERR_USAGE, "/terrain/metres_per_quad", "is nan");
    desc = good;
    desc.range_min = 101;
    load_bad(&desc, VXB_ERR_USAGE, "/terrain/range", "[101, 100]");
    desc = good;
    desc.range_max = INFINITY;
    load_bad(&desc, VXB_ERR_USAGE, "/terrain/range", "[0, inf]");
    desc = good;
    desc.width = 3;
    load_bad(&desc, VXB_ERR_USAGE, "/terrain/size", "for raw files only");
    desc = good;
    desc.order = VXB_ORDER_BIG;
    load_bad(&desc, VXB_ERR_USAGE, "/terrain/order", "for raw files only");
    desc = good;
    desc.sample = VXB_SAMPLE_F32;
    load_bad(&desc, VXB_ERR_USAGE, "/terrain/sample", "for raw files only");
    desc = good;
    desc.origin[2] = -2e9f;
    load_bad(&desc, VXB_ERR_USAGE, "/terrain/origin", "\"origin\" has -2000000000");
    desc = good;
    desc.path = "h.r16";
    load_bad(&desc, VXB_ERR_USAGE, "/terrain/size", "\"size\" is missing");
    desc.width = 51200;
    desc.height = 51200;
    load_bad(&desc, VXB_ERR_LIMIT, "/terrain/size", "51200 x 51200 samples; a side has 2 to 32768");
    desc = good;
    desc.path = "h.jpg";
    load_bad(&desc, VXB_ERR_USAGE, "/terrain/file", ".png, .pfm, .r16, .r32, .raw or .vxterrain");
    desc = good;
    desc.layers = twice;
    desc.layer_count = 2;
    load_bad(&desc, VXB_ERR_USAGE, "/terrain/layers/a", "two layers have the name \"a\"");
    desc = good;
    desc.layers = &(struct vxb_layer_desc){.name = "\xff", .map.path = "h8.png"};
    desc.layer_count = 1;
    load_bad(&desc, VXB_ERR_USAGE, "/terrain/layers/\\xff", "1 to 255 bytes of UTF-8");
    desc = good;
    desc.path = NULL;
    load_bad(&desc, VXB_ERR_USAGE, "/terrain/file", "\"file\" is missing");
}

static bool yes(void *user)
{
    (void)user;
    return true;
}

Test(terrain, cancelled__ends_with_nothing_loaded_and_is_said_once)
{
    struct vxb_env env = {.size = sizeof env, .cancelled = yes, .diag = hear, .user = &said};
    struct vxb_terrain_desc desc = desc_of("h.png");
    struct vxb_terrain *terrain = NULL;
    write_png16("h.png", 3, 2, six);
    desc.exclude.path = desc.scale.path = "h.png";
    said = (struct said){0};
    cr_assert(eq(int, vxb_terrain_load(&env, &desc, &terrain, NULL), VXB_ERR_CANCELLED));
    cr_assert(terrain == NULL && said.errors == 1);
    desc.has_range = false; /* a fault of the recipe comes first */
    said = (struct said){0};
    cr_assert(eq(int, vxb_terrain_load(&env, &desc, &terrain, NULL), VXB_ERR_USAGE));
    cr_assert(eq(u32, said.errors, 2));
}

Test(terrain, more_layers_than_allowed__are_refused_by_count)
{
    struct vxb_terrain_desc desc = desc_of("h.png");
    struct vxb_layer_desc *layers = calloc(1025, sizeof *layers);
    write_png16("h.png", 3, 2, six);
    desc.layers = layers;
    desc.layer_count = 1025;
    load_bad(&desc, VXB_ERR_LIMIT, "/terrain/layers", "there are 1025 weight layers; allowed are at most 1024");
    free(layers);
}

/* Loads desc with 0, 1, 2, ... allocations until it succeeds; nothing may be left allocated, sizes told to the
 * allocator included. */
static void starve(const struct vxb_terrain_desc *desc)
{
    for (uint64_t n = 1;; n++) {
        struct heap heap = {.fail_at = n};
        const struct vxb_env env = heap_env(&heap);
        struct vxb_terrain *terrain = NULL;
        vxb_error_clear(&err);
        enum vxb_status status = vxb_terrain_load(&env, desc, &terrain, &err);
        if (status)
            cr_assert(status == VXB_ERR_MEMORY && err.status == VXB_ERR_MEMORY, "%s", err.message);
        vxb_terrain_free(terrain);
        cr_assert(eq(u64, heap.now, 0));
        if (!status) {
            cr_assert(n > 4);
            return;
        }
    }
}

Test(terrain, too_little_memory__fails_cleanly_wherever_it_ends)
{
    static const uint8_t pixels[18] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18};
    static const float heights[6] = {1, 2, 3, 4, 5, 6};
    static const int32_t deltas[1] = {5};
    uint16_t base[28] = {0};
    struct vxb_layer_desc layers[2] = {{.name = "r", .map = {.path = "m.png", .channel = VXB_CHANNEL_R}},
                                       {.name = "b", .map = {.path = "m.png", .channel = VXB_CHANNEL_B}}};
    struct vxb_terrain_desc desc = desc_of("h.png");
    struct made made = {0};
    desc.allow_8bit = desc.transpose = true;
    desc.layers = layers;
    desc.layer_count = 2;
    desc.exclude = (struct vxb_map_desc){.path = "m.png", .channel = VXB_CHANNEL_G};
    write_png("m.png", 3, 2, 8, 2, pixels);
    write_png("h.png", 3, 2, 8, 0, pixels);
    starve(&desc);
    write_png16("h.png", 3, 2, six);
    starve(&desc);
    made_pfm(&made, "Pf", 3, 2, heights, false);
    write_made(&made, "h.pfm");
    desc.path = "h.pfm";
    starve(&desc);
    write_r16("h.r16", six, 6, false);
    desc.path = "h.r16";
    desc.width = 3;
    desc.height = 2;
    starve(&desc);
    made_vxterrain_head(&made, 4, 2, 1, 1, 0, 1, base);
    made_u32(&made, 1);
    made_vxterrain_edit(&made, "edit", 1, true, 1);
    made_vxterrain_chunk(&made, 0, 0, deltas, 1);
    made_u32(&made, 2);
    for (int i = 0; i < 2; i++)
        made_vxterrain_weights(&made, i ? "Grass" : "Dirt", (const uint8_t *)base, 28);
    made_u32(&made, 1);
    made_u32(&made, 3);
    made_u32(&made, 2);
    write_made(&made, "h.vxterrain");
    desc = (struct vxb_terrain_desc){.path = "h.vxterrain", .transpose = true,
                                     .exclude = {.path = "m.png", .channel = VXB_CHANNEL_G}};
    starve(&desc);
}

Test(terrain, more_memory_than_allowed__is_refused_before_it_is_taken)
{
    struct vxb_env env = {.size = sizeof env, .max_memory_bytes = 40};
    struct vxb_terrain_desc desc = desc_of("h.png");
    struct vxb_terrain *terrain = NULL;
    write_png16("h.png", 3, 2, six);
    cr_assert(eq(int, vxb_terrain_load(&env, &desc, &terrain, &err), VXB_ERR_LIMIT));
    cr_assert(strstr(err.message, "bytes of memory, more than the limit of 40") != NULL, "%s", err.message);
    cr_assert(eq(str, (char *)err.remedy, (char *)"max_memory_bytes"));
}

/* ---- real files ---- */

static const char *shared_path(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/data/%s", TEST_SHARED, name);
    if (access(path, R_OK) != 0)
        cr_skip_test("%s is not there", path);
    return path;
}

Test(terrain, real_pfm_in_both_byte_orders__is_one_picture)
{
    struct vxb_terrain_desc desc = desc_of(shared_path("depth/hopper_le.pfm"));
    desc.has_range = false;
    struct vxb_terrain *le = load_good(&desc);
    desc.path = shared_path("depth/hopper_be.pfm");
    struct vxb_terrain *be = load_good(&desc);
    cr_assert(le->samples_x == 128 && le->samples_z == 128 && le->min_height == be->min_height);
    cr_assert(memcmp(le->heights, be->heights, 128 * 128 * 2) == 0);
    cr_assert(le->file_hash != be->file_hash);
    vxb_terrain_free(le);
    vxb_terrain_free(be);
}

Test(terrain, real_floats_below_zero__span_the_whole_range)
{
    struct vxb_terrain_desc desc = desc_of(shared_path("derived/topobathy_120x91.pfm"));
    desc.has_range = false;
    struct vxb_terrain *t = load_good(&desc);
    uint16_t low = 65535, high = 0;
    for (size_t i = 0; i < 120 * 91; i++) {
        low = t->heights[i] < low ? t->heights[i] : low;
        high = t->heights[i] > high ? t->heights[i] : high;
    }
    cr_assert(t->samples_x == 120 && t->samples_z == 91 && t->min_height < 0 && t->max_height > 0);
    cr_assert(low == 0 && high == 65535);
    vxb_terrain_free(t);
}

Test(terrain, real_raw__is_read_at_its_size_and_at_no_other)
{
    struct vxb_terrain_desc desc = desc_of(shared_path("heightmaps/0ad_alpine_mountains_257.r16"));
    desc.width = desc.height = 257;
    struct vxb_terrain *t = load_good(&desc);
    cr_assert(t->samples_x == 257 && t->heights[0] != 0);
    vxb_terrain_free(t);
    desc.width = 256;
    load_bad(&desc, VXB_ERR_DATA, "/terrain/file", "it would be 257 x 257");
}
