/* .vxterrain: what the engine composites, and every fault a file can have. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "make_files.h"
#include "terrain/ground.h"

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

/* Reads size bytes as a .vxterrain; NULL where that fails. */
static struct vxb_terrain *read_bytes(const uint8_t *data, size_t size, enum vxb_flip flip, bool transpose)
{
    struct vxb_env env = {.size = sizeof env, .diag = hear};
    struct vxb_terrain_desc desc = {.path = "t.vxterrain", .flip = flip, .transpose = transpose};
    struct vxbi_bytes file = {.allocator = vxbi_allocator(NULL)};
    struct vxb_terrain *terrain = NULL;
    vxb_error_clear(&err);
    warnings = 0;
    /* A block of exactly that size, so that a sanitizer sees a read beyond. */
    file.data = vxbi_new(&file.allocator, size ? size : 1, 1);
    memcpy(file.data, data, size);
    file.size = size;
    file.room = size ? size : 1;
    enum vxb_status status = vxbi_terrain_from_bytes(&env, &desc, &file, &terrain, &err);
    cr_assert(terrain ? status == VXB_OK : status != VXB_OK);
    cr_assert(status == err.status);
    cr_assert(file.data == NULL);
    return terrain;
}

static void read_bad(const struct made *made, enum vxb_status status, const char *text)
{
    struct vxb_terrain *terrain = read_bytes(made->data, made->size, VXB_FLIP_NONE, false);
    cr_assert(terrain == NULL, "%s", text);
    cr_assert(err.status == status, "%s: %s", vxb_status_name(err.status), err.message);
    cr_assert(strstr(err.message, text) != NULL, "\"%s\" is not in: %s", text, err.message);
}

static uint16_t base[28]; /* 7 x 4 samples: two tiles of four */

static void make_head(struct made *made)
{
    for (int i = 0; i < 28; i++)
        base[i] = (uint16_t)(1000 + i);
    made_vxterrain_head(made, 4, 2, 1, 0.5f, -8, 8, base);
}

/* A whole small file: an edit layer with a chunk, two weight layers, a hole. */
static struct made make_whole(void)
{
    struct made made = {0};
    static const int32_t deltas[3] = {1, 2, 3};
    uint8_t weights[28];
    make_head(&made);
    made_u32(&made, 1);
    made_vxterrain_edit(&made, "Sculpt", 1, true, 1);
    made_vxterrain_chunk(&made, 0, 0, deltas, 3);
    made_u32(&made, 2);
    for (int i = 0; i < 28; i++)
        weights[i] = (uint8_t)(i * 9);
    made_vxterrain_weights(&made, "Grass", weights, 28);
    for (int i = 0; i < 28; i++)
        weights[i] = (uint8_t)(255 - i);
    made_vxterrain_weights(&made, "Dirt", weights, 28);
    made_u32(&made, 1);
    made_u32(&made, 6);
    made_u32(&made, 2);
    return made;
}

static bool hole_at(const struct vxb_terrain *terrain, size_t i)
{
    return terrain->holes[i >> 3] >> (i & 7) & 1;
}

Test(vxterrain, whole_file__is_read_and_turned_with_layers_and_holes)
{
    struct made made = make_whole();
    for (int way = 0; way < 8; way++) {
        enum vxb_flip flip = (enum vxb_flip)(way % 4);
        bool transpose = way >= 4;
        struct vxb_terrain *t = read_bytes(made.data, made.size, flip, transpose);
        cr_assert(t != NULL, "%s", err.message);
        cr_assert(eq(u32, t->samples_x, transpose ? 4 : 7));
        cr_assert(eq(u32, t->samples_z, transpose ? 7 : 4));
        cr_assert(t->metres_per_quad == 0.5f && t->min_height == -8 && t->max_height == 8);
        cr_assert(eq(u32, t->layer_count, 2));
        const struct vxb_layer *dirt = vxb_terrain_layer(t, "Dirt"), *grass = vxb_terrain_layer(t, "Grass");
        cr_assert(dirt == &t->layers[1] && grass == &t->layers[0]);
        cr_assert(dirt->map.width == t->samples_x && dirt->map.file_hash == 0);
        for (uint32_t z = 0; z < 4; z++)
            for (uint32_t x = 0; x < 7; x++) {
                uint32_t tx = flip & 1 ? 6 - x : x, tz = flip & 2 ? 3 - z : z, from = z * 7 + x;
                size_t at = transpose ? tx * 4 + tz : tz * 7 + tx;
                int delta = z == 0 && x < 3 ? (int)x + 1 : 0;
                cr_assert(eq(u16, t->heights[at], (uint16_t)(base[from] + delta)));
                cr_assert(eq(u8, grass->map.samples[at], (uint8_t)(from * 9)));
                cr_assert(eq(u8, dirt->map.samples[at], (uint8_t)(255 - from)));
                cr_assert(eq(int, hole_at(t, at), x == 6 && z == 2));
            }
        cr_assert(eq(u32, warnings, 0));
        vxb_terrain_free(t);
    }
    made_free(&made);
}

Test(vxterrain, cut_anywhere_or_longer__is_refused)
{
    struct made made = make_whole();
    for (size_t size = 0; size < made.size; size += size > 100 && size < 16000 ? 97 : 1) {
        struct vxb_terrain *t = read_bytes(made.data, size, VXB_FLIP_NONE, false);
        cr_assert(t == NULL, "%zu of %zu bytes", size, made.size);
        cr_assert(err.status == (size < 8 ? VXB_ERR_FORMAT : VXB_ERR_DATA), "%zu: %s", size, err.message);
    }
    made_u8(&made, 0);
    read_bad(&made, VXB_ERR_DATA, "1 bytes follow the .vxterrain's end");
    made_free(&made);
}

static void set_u32(struct made *made, size_t at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        made->data[at + i] = (uint8_t)(value >> 8 * i);
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return bits;
}

Test(vxterrain, header_faults__are_named)
{
    const struct {
        size_t at;
        uint32_t value;
        enum vxb_status status;
        const char *text;
    } cases[] = {
        {0, 0, VXB_ERR_FORMAT, "not a .vxterrain"},
        {8, 0, VXB_ERR_UNSUPPORTED, "has version 0; this build reads version 1"},
        {8, 2, VXB_ERR_UNSUPPORTED, "has version 2"},
        {12, 5, VXB_ERR_DATA, "tile side is 5; allowed is a power of two from 4 to 1024"},
        {12, 2, VXB_ERR_DATA, "tile side is 2"},
        {12, 2048, VXB_ERR_DATA, "tile side is 2048"},
        {12, 0x80000000u, VXB_ERR_DATA, "tile side is -2147483648"},
        {16, 0, VXB_ERR_DATA, "has 0 tiles along x"},
        {20, 0xFFFFFFFFu, VXB_ERR_DATA, "has -1 tiles along z"},
        {16, 0x7FFFFFFFu, VXB_ERR_LIMIT, "at most 32768 samples"},
        {16, 10922, VXB_ERR_DATA, "32767 x 4 heights are 262136 bytes, but"},
        {24, bits_of(NAN), VXB_ERR_DATA, "metres per quad is nan; allowed is 0.001 to 1000"},
        {24, bits_of(0), VXB_ERR_DATA, "metres per quad is 0"},
        {24, bits_of(1001), VXB_ERR_DATA, "metres per quad is 1001"},
        {28, bits_of(NAN), VXB_ERR_DATA, "minimum height is nan"},
        {28, bits_of(-INFINITY), VXB_ERR_DATA, "minimum height is -inf"},
        {32, bits_of(-8.5f), VXB_ERR_DATA, "maximum height is -8.5; allowed is -8 to 1048576"},
        {32, bits_of(NAN), VXB_ERR_DATA, "maximum height is nan"},
        {36 + 56, 0xFFFFFFFFu, VXB_ERR_DATA, "-1 edit layers"},
        {36 + 56, 0x7FFFFFFFu, VXB_ERR_DATA, "2147483647 edit layers"},
        {36 + 60, 0xFFFFFFFFu, VXB_ERR_DATA, "-1 bytes of an edit layer's name"},
        {36 + 60, 0x7FFFFFFFu, VXB_ERR_DATA, "bytes of an edit layer's name"},
        {36 + 60 + 14, bits_of(NAN), VXB_ERR_DATA, "height alpha is nan"},
        {36 + 60 + 14, bits_of(1e6f), VXB_ERR_DATA, "height alpha is 1000000; allowed is -65536 to 65536"},
        {36 + 60 + 26, 0x80000000u, VXB_ERR_DATA, "edit chunks of at least 16392 bytes"},
        {36 + 60 + 26, 2, VXB_ERR_DATA, "2 edit chunks of at least 16392 bytes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made made = make_whole();
        set_u32(&made, cases[i].at, cases[i].value);
        read_bad(&made, cases[i].status, cases[i].text);
        made_free(&made);
    }
}

/* The height of sample 0 after edit layers of one delta each. */
static uint16_t edited(uint16_t height, const int32_t *deltas, const float *alphas, const bool *visible, size_t count)
{
    struct made made = {0};
    for (int i = 0; i < 28; i++)
        base[i] = height;
    made_vxterrain_head(&made, 4, 2, 1, 1, 0, 1, base);
    made_u32(&made, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        made_vxterrain_edit(&made, "e", alphas[i], visible[i], 1);
        made_vxterrain_chunk(&made, 0, 0, &deltas[i], 1);
    }
    made_u32(&made, 0);
    made_u32(&made, 0);
    struct vxb_terrain *t = read_bytes(made.data, made.size, VXB_FLIP_NONE, false);
    made_free(&made);
    cr_assert(t != NULL, "%s", err.message);
    uint16_t got = t->heights[0];
    cr_assert(eq(u16, t->heights[1], height));
    vxb_terrain_free(t);
    return got;
}

Test(vxterrain, edits__round_half_to_even_and_take_the_low_16_bits)
{
    static const struct {
        int32_t delta;
        float alpha;
        int change;
    } cases[] = {{1, 0.5f, 0},        {3, 0.5f, 2},         {5, 0.5f, 2},  {-1, 0.5f, 0},   {-3, 0.5f, -2},
                 {-5, 0.5f, -2},      {7, 0.25f, 2},        {5, 0.25f, 1}, {-7, 0.25f, -2}, {0x12345, 1, 0x2345},
                 {0xFFFF, 1, -1},     {0x8000, 1, -0x8000}, {100, 0, 0},   {10, -1, -10},   {10, 0.33f, 3},
                 {1, 0.49999997f, 0}, {1, 0.50000006f, 1}};
    bool visible = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_assert(edited(0x9000, &cases[i].delta, &cases[i].alpha, &visible, 1) == 0x9000 + cases[i].change, "%d * %g",
                  cases[i].delta, (double)cases[i].alpha);
}

Test(vxterrain, layers__are_summed_before_one_clamp_and_hidden_ones_left_out)
{
    const bool both[2] = {true, true}, second[2] = {false, true};
    const float ones[2] = {1, 1}, large[2] = {65536, -65536};
    cr_assert(eq(u16, edited(60000, (const int32_t[]){30000, -30000}, ones, both, 2), 60000));
    cr_assert(eq(u16, edited(100, (const int32_t[]){-30000, 30000}, ones, both, 2), 100));
    cr_assert(eq(u16, edited(60000, (const int32_t[]){30000, 1}, ones, both, 2), 65535));
    cr_assert(eq(u16, edited(100, (const int32_t[]){-30000, 1}, ones, both, 2), 0));
    cr_assert(eq(u16, edited(100, (const int32_t[]){-30000, 1}, ones, second, 2), 101));
    cr_assert(eq(u16, edited(100, (const int32_t[]){-32768, -32768}, large, both, 2), 100));
}

Test(vxterrain, chunks_and_holes_outside__are_left_out_with_one_warning_each)
{
    struct made made = {0};
    static const int32_t deltas[1] = {5};
    make_head(&made);
    made_u32(&made, 1);
    made_vxterrain_edit(&made, "e", 1, true, 4);
    made_vxterrain_chunk(&made, 64, 0, deltas, 1);
    made_vxterrain_chunk(&made, 0, 1, deltas, 1);
    made_vxterrain_chunk(&made, -1, 0, deltas, 1);
    made_vxterrain_chunk(&made, 0, (int32_t)0x80000000u, deltas, 1);
    made_u32(&made, 0);
    size_t before_holes = made.size;
    made_u32(&made, 0);
    struct vxb_terrain *t = read_bytes(made.data, made.size, VXB_FLIP_NONE, false);
    cr_assert(t != NULL, "%s", err.message);
    cr_assert(eq(u32, warnings, 1));
    cr_assert(eq(str, last_warning,
                 (char *)"4 edit chunks outside the terrain are left out (the engine's editor writes such)"));
    cr_assert(memcmp(t->heights, base, sizeof base) == 0 && t->holes == NULL);
    vxb_terrain_free(t);
    made.size = before_holes;
    made_u32(&made, 3);
    static const int32_t holes[3][2] = {{7, 0}, {-1, 2}, {0, 4}};
    for (int i = 0; i < 3; i++) {
        made_u32(&made, (uint32_t)holes[i][0]);
        made_u32(&made, (uint32_t)holes[i][1]);
    }
    t = read_bytes(made.data, made.size, VXB_FLIP_NONE, false);
    cr_assert(t != NULL && t->holes == NULL);
    cr_assert(eq(u32, warnings, 2));
    cr_assert(eq(str, last_warning, (char *)"3 holes outside the terrain are left out"));
    vxb_terrain_free(t);
    made_free(&made);
}

Test(vxterrain, names__must_be_unique_text)
{
    static const char *const names[] = {"", "\xff", "Grass"};
    static const char *const texts[] = {"weight layer 1 has 0 bytes", "weight layer 1 has 1 bytes",
                                        "weight layers 0 and 1 have the same name, \"Grass\""};
    uint8_t weights[28] = {0};
    for (int i = 0; i < 3; i++) {
        struct made made = {0};
        make_head(&made);
        made_u32(&made, 0);
        made_u32(&made, 2);
        made_vxterrain_weights(&made, "Grass", weights, 28);
        made_vxterrain_weights(&made, names[i], weights, 28);
        made_u32(&made, 0);
        read_bad(&made, VXB_ERR_DATA, texts[i]);
        made_free(&made);
    }
}

Test(vxterrain, one_chunk_twice_in_a_layer__is_refused)
{
    struct made made = {0};
    make_head(&made);
    made_u32(&made, 1);
    made_vxterrain_edit(&made, "e", 1, true, 2);
    made_vxterrain_chunk(&made, 0, 0, NULL, 0);
    made_vxterrain_chunk(&made, 0, 0, NULL, 0);
    made_u32(&made, 0);
    made_u32(&made, 0);
    read_bad(&made, VXB_ERR_DATA, "edit layer 0 has the chunk (0, 0) twice");
    made_free(&made);
}

/* ---- the engine's own files ---- */

static bool read_shared(const char *name, struct vxbi_bytes *out)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", TEST_SHARED, name);
    if (!vxbi_path_exists(path))
        return false;
    cr_assert(eq(int, vxbi_read_all(NULL, path, 1 << 24, out, NULL), VXB_OK));
    return true;
}

static void compare_with_engine(const char *name, unsigned warnings_expected)
{
    char path[128];
    struct vxbi_bytes file, heights;
    snprintf(path, sizeof path, "vectors/%s.vxterrain", name);
    if (!read_shared(path, &file))
        cr_skip_test("%s is not there", path);
    snprintf(path, sizeof path, "vectors/%s.r16", name);
    cr_assert(read_shared(path, &heights));
    struct vxb_terrain *t = read_bytes(file.data, file.size, VXB_FLIP_NONE, false);
    cr_assert(t != NULL, "%s", err.message);
    cr_assert(eq(sz, heights.size, (size_t)t->samples_x * t->samples_z * 2));
    for (size_t i = 0; i < heights.size / 2; i++)
        cr_assert(t->heights[i] == (heights.data[2 * i] | heights.data[2 * i + 1] << 8), "%s, sample %zu", name, i);
    cr_assert(eq(u32, warnings, warnings_expected));
    vxb_terrain_free(t);
    vxbi_bytes_clear(&file);
    vxbi_bytes_clear(&heights);
}

Test(vxterrain, engine_edit__gives_the_engines_heights)
{
    compare_with_engine("terrain-edit", 0);
}

Test(vxterrain, engine_edit_chunks__gives_the_engines_heights)
{
    compare_with_engine("terrain-edit-chunks", 0);
}

Test(vxterrain, engine_edit_outside__gives_the_engines_heights_with_a_warning)
{
    compare_with_engine("terrain-edit-outside", 1);
}

Test(vxterrain, engine_meadow__has_its_layers)
{
    struct vxbi_bytes file;
    if (!read_shared("data/vixen/03-PbrShowcase/Terrain/Meadow.vxterrain", &file))
        cr_skip_test("Meadow.vxterrain is not there");
    struct vxb_terrain *t = read_bytes(file.data, file.size, VXB_FLIP_NONE, false);
    cr_assert(t != NULL, "%s", err.message);
    cr_assert(t->samples_x == 127 && t->samples_z == 127 && t->metres_per_quad == 1);
    cr_assert(t->min_height == -16 && t->max_height == 16 && t->layer_count >= 2);
    vxb_terrain_free(t);
    vxbi_bytes_clear(&file);
}
