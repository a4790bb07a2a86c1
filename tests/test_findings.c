/* One bad input for each code of findings.def, through vxb_verify(): it tells that code, the consequences that are
 * named, and nothing else. Who adds a code adds a row: the walk over the registry fails without. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bad_files.h"
#include "changed_bakes.h"
#include "ktx2/format.h"
#include "vxbake/bake.h"
#include "vxbake/pyramid.h"
#include "vxbake/verify.h"

#define F(id) VXB_FINDING_##id
enum { CONSEQUENCES = 5 };

static char folder[64];

/* ---- files ---- */

static void put_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    cr_assert(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
}

static struct test_file get_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    cr_assert(ne(ptr, file, NULL), "%s", path);
    fseek(file, 0, SEEK_END);
    struct test_file got = {.size = (size_t)ftell(file)};
    got.data = calloc(1, got.size + 1);
    rewind(file);
    cr_assert(eq(sz, fread(got.data, 1, got.size, file), got.size));
    fclose(file);
    return got;
}

/* Writes `to` as `from` with the first `what` after `after` replaced by `by`. */
static void put_replaced(const char *from, const char *to, const char *after, const char *what, const char *by)
{
    struct test_file text = get_file(from), changed = {calloc(1, text.size + strlen(by) + 1), 0};
    const char *start = strstr((char *)text.data, after), *at = start ? strstr(start, what) : NULL;
    cr_assert(ne(ptr, (void *)at, NULL), "%s is not in %s", what, from);
    const size_t before = (size_t)(at - (char *)text.data);
    changed.size = (size_t)snprintf((char *)changed.data, text.size + strlen(by) + 1, "%.*s%s%s", (int)before,
                                    (char *)text.data, by, at + strlen(what));
    put_file(to, changed.data, changed.size);
    free(text.data);
    free(changed.data);
}

static const char recipe[] =
    "{\"kind\": \"grass-field\", \"seed\": 7, \"cell_size\": 16, \"density\": 2,"
    " \"terrain\": {\"file\": \"ground.r16\", \"size\": [33, 33], \"range\": [0, 64], \"metres_per_quad\": 2},"
    " \"budgets\": {\"max_blades\": 5000},"
    " \"species\": [{\"name\": \"a\", \"share\": 2, \"lods\": [{\"distance\": 20, \"fade\": 0}]}, {\"name\": \"b\"}]}";

static const char depth_recipe[] =
    "{\"kind\": \"depth-pyramid\", \"depth\": {\"file\": \"other.r32\", \"size\": [7, 5]}}";

/* A depth pyramid, and the recipe of one that is nearer everywhere. */
static void set_up_pyramid(void)
{
    float depth[35];
    uint8_t other[sizeof depth];
    struct vxb_pyramid *pyramid = NULL;
    for (int i = 0; i < 35; i++) {
        depth[i] = (float)(i * 5 % 16) / 16.0f;
        vxbi_store_u32(other + 4 * i, vxbi_f32_bits(depth[i] + 0.03125f));
    }
    cr_assert(eq(int, vxb_pyramid_new(NULL, 7, 5, VXB_REDUCE_NEAREST, &pyramid, NULL), VXB_OK));
    cr_assert(eq(int, vxb_pyramid_build(NULL, pyramid, depth, 35, NULL), VXB_OK));
    cr_assert(eq(int, vxb_pyramid_save(NULL, pyramid, "good.ktx2", NULL), VXB_OK));
    vxb_pyramid_free(pyramid);
    put_file("other.r32", other, sizeof other);
    put_file("other.json", depth_recipe, sizeof depth_recipe - 1);
}

/* A baked field with its report, and a depth pyramid. */
static void set_up(void)
{
    uint8_t heights[33 * 33 * 2];
    struct vxb_recipe *parsed = NULL;
    struct vxb_error err = {0};
    const struct vxb_bake_options options = {.size = sizeof options, .output = "good.vxg",
                                             .report_json = "report.json"};
    strcpy(folder, "/tmp/vxbake-findings-XXXXXX");
    cr_assert(ne(ptr, mkdtemp(folder), NULL));
    cr_assert(eq(int, chdir(folder), 0));
    for (int i = 0; i < 33 * 33; i++)
        vxbi_store_u16(heights + 2 * i, (uint16_t)(20000 + 300 * abs(i % 33 - 16) + 200 * (i / 33 % 7)));
    put_file("ground.r16", heights, sizeof heights);
    put_file("recipe.json", recipe, sizeof recipe - 1);
    cr_assert(eq(int, vxb_recipe_load(NULL, "recipe.json", NULL, 0, &parsed, &err), VXB_OK), "%s", err.message);
    cr_assert(eq(int, vxb_bake(NULL, parsed, &options, NULL, &err), VXB_OK), "%s", err.message);
    vxb_recipe_free(parsed);
    set_up_pyramid();
}

static void tear_down(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    cr_assert(eq(int, system(command), 0));
}

TestSuite(findings, .init = set_up, .fini = tear_down);

/* ---- the check ---- */

static struct vxb_verify_report *verify(const char *path, const struct vxb_verify_options *options)
{
    struct vxb_verify_report *report = NULL;
    struct vxb_error err = {0};
    cr_assert(eq(int, vxb_verify(NULL, path, options, &report, &err), VXB_OK), "%s", err.message);
    return report;
}

static bool has(const struct vxb_verify_report *report, enum vxb_finding finding)
{
    for (uint32_t i = 0; i < report->finding_count; i++)
        if (report->findings[i].finding == finding)
            return true;
    return false;
}

static int wrong;

/* Exactly the finding and its consequences. */
static void expect(const char *path, const struct vxb_verify_options *options, enum vxb_finding finding,
                   const enum vxb_finding consequences[CONSEQUENCES])
{
    struct vxb_verify_report *report = verify(path, options);
    bool good = has(report, finding);
    for (int k = 0; k < CONSEQUENCES && consequences[k]; k++)
        good = good && has(report, consequences[k]);
    for (uint32_t i = 0; i < report->finding_count; i++) {
        bool named = report->findings[i].finding == finding;
        for (int k = 0; k < CONSEQUENCES && consequences[k]; k++)
            named = named || consequences[k] == report->findings[i].finding;
        good = good && named;
    }
    if (!good) {
        wrong++;
        fprintf(stderr, "%s:\n", vxb_finding_name(finding));
        for (uint32_t i = 0; i < report->finding_count; i++)
            fprintf(stderr, "    %s %s: %s\n", vxb_finding_name(report->findings[i].finding),
                    report->findings[i].pointer, report->findings[i].message);
    }
    vxb_verify_report_free(report);
}

/* ---- a field beside its recipe, a new bake and the report ---- */

static void set_partial(struct test_file *file) { file->data[24] |= VXB_GRASS_PARTIAL; }
static void set_revision(struct test_file *file) { file->data[26]++; }
static void change_updates(struct test_file *file) { vxbi_store_u32(file->data + 56, 77); }
static void change_tint(struct test_file *file) { file->data[test_file_at(file, BAD_DATA, 3) + 12] ^= 1; }

/* No bake writes it, and a file that holds it is no bake of the recipe byte for byte. */
static void fade_from_minus_zero(struct test_file *file)
{
    for (uint32_t k = 0; k < vxbi_load_u32(file->data + 40); k++) {
        uint8_t *fade = file->data + test_file_at(file, BAD_LOD, k) + 8;
        if (vxbi_load_u32(fade) == 0)
            vxbi_store_u32(fade, 0x80000000);
    }
}

static const struct comparison {
    enum vxb_finding finding;
    void (*change)(struct test_file *file);      /* of the file; NULL: none */
    const char *edited, *after, *what, *by;      /* of "recipe.json" or "report.json"; NULL: none */
    enum { RECIPE, REBAKE, REPORT } with;
    enum vxb_finding consequences[CONSEQUENCES];
} comparisons[] = {
    {F(COMPARE_PARTIAL), set_partial, NULL, NULL, NULL, NULL, RECIPE, {F(PARTIAL_FIELD)}},
    {F(COMPARE_REVISION), set_revision, NULL, NULL, NULL, NULL, REBAKE, {0}},
    {F(RECIPE_BAKE_ID), NULL, "recipe.json", "", "[0, 64]", "[0, 65]", RECIPE, {0}},
    {F(RECIPE_HEADER), change_updates, NULL, NULL, NULL, NULL, RECIPE, {0}},
    {F(RECIPE_SECTIONS), NULL, "recipe.json", "", ", {\"name\": \"b\"}", "", RECIPE,
     {F(RECIPE_BAKE_ID), F(RECIPE_HEADER)}},
    {F(RECIPE_SECTION), NULL, "recipe.json", "", "\"share\": 2", "\"share\": 3", RECIPE, {F(RECIPE_BAKE_ID)}},
    {F(RECIPE_SECTION), fade_from_minus_zero, NULL, NULL, NULL, NULL, RECIPE, {0}},
    {F(RECIPE_SECTION), fade_from_minus_zero, NULL, NULL, NULL, NULL, REBAKE, {0}},
    {F(REBAKE_HEADER), change_tint, NULL, NULL, NULL, NULL, REBAKE, {F(REBAKE_BLADES)}},
    {F(REBAKE_SECTION), raise_rank_limit, NULL, NULL, NULL, NULL, REBAKE, {0}},
    {F(REBAKE_CHUNK_MISSING), move_last_chunk, NULL, NULL, NULL, NULL, REBAKE,
     {F(REBAKE_CHUNK_EXTRA), F(REBAKE_HEADER)}},
    {F(REBAKE_CHUNK_EXTRA), move_last_chunk, NULL, NULL, NULL, NULL, REBAKE,
     {F(REBAKE_CHUNK_MISSING), F(REBAKE_HEADER)}},
    {F(REBAKE_CHUNK), raise_a_chunk, NULL, NULL, NULL, NULL, REBAKE, {F(REBAKE_BLADES), F(REBAKE_HEADER)}},
    {F(REBAKE_BLADES), change_tint, NULL, NULL, NULL, NULL, REBAKE, {F(REBAKE_HEADER)}},
    {F(REPORT_MEMBER), NULL, "report.json", "", "\"commands\"", "\"kommands\"", REPORT, {0}},
    {F(REPORT_LEDGER), NULL, "report.json", "", "\"slope\": ", "\"slope\": 1", REPORT, {F(REPORT_SUM)}},
    {F(REPORT_SUM), NULL, "report.json", "\"field\"", "\"commands\": ", "\"commands\": 1", REPORT, {0}},
    {F(REPORT_DIFFERS), NULL, "report.json", "", "\"seed\": ", "\"seed\": 1", REPORT, {0}},
};

static void compare(const struct comparison *c)
{
    struct test_file file = get_file("good.vxg");
    struct vxb_verify_options options = {.size = sizeof options};
    const char *beside = c->with == REPORT ? "report.json" : "recipe.json";
    if (c->change)
        c->change(&file);
    test_file_repair(&file);
    put_file("bad.vxg", file.data, file.size);
    free(file.data);
    if (c->edited) {
        put_replaced(c->edited, "edited.json", c->after, c->what, c->by);
        beside = "edited.json";
    }
    *(c->with == RECIPE ? &options.recipe : c->with == REBAKE ? &options.rebake : &options.report_of) = beside;
    expect("bad.vxg", &options, c->finding, c->consequences);
}

/* ---- textures ---- */

static const float zeros[64];

static enum vxb_status append(void *user, const void *data, size_t size, struct vxb_error *err)
{
    struct test_file *file = user;
    (void)err;
    file->data = realloc(file->data, file->size + size);
    memcpy(file->data + file->size, data, size);
    file->size += size;
    return VXB_OK;
}

/* A texture in another format, with fewer levels than a chain has, or with other keys. */
static void other_texture(struct test_file *file, uint32_t vk, uint32_t side, uint32_t levels, uint32_t first_key,
                          uint32_t keys)
{
    static const struct vxbi_ktx2_value values[3] = {
        {"KTXswizzle", "000r", 5}, {"KTXwriter", "t", 2}, {"vxbake.reduce", "mearest", 8}};
    const void *level[3] = {zeros, zeros, zeros};
    const struct vxbi_ktx2_desc desc = {.format = vxbi_ktx2_format(vk), .width = side, .height = side, .faces = 1,
                                        .levels = levels, .values = values + first_key, .value_count = keys};
    const struct vxbi_ktx2_sink sink = {file, append};
    file->size = 0;
    cr_assert(eq(int, vxbi_ktx2_write(NULL, &desc, level, &sink, NULL), VXB_OK));
}

static uint8_t *key(struct test_file *file, const char *name)
{
    uint8_t *found = memmem(file->data, file->size, name, strlen(name));
    cr_assert(ne(ptr, found, NULL), "%s is not in the file", name);
    return found;
}

static uint8_t *level(struct test_file *file, uint32_t number)
{
    return file->data + vxbi_load_u64(file->data + 80 + 24 * number);
}

static void ktx1(struct test_file *file) { file->data[5] = '1'; }
static void lose_a_byte(struct test_file *file) { file->size--; }
static void one_byte_more(struct test_file *file) { append(file, "", 1, NULL); }
static void compressed(struct test_file *file) { file->data[44] = 2; }
static void two_faces(struct test_file *file) { file->data[36] = 2; }
static void other_sample(struct test_file *file) { file->data[vxbi_load_u32(file->data + 48) + 16] ^= 1; }
static void long_value(struct test_file *file) { key(file, "KTXwriter")[-3] = 1; }
static void unknown_key(struct test_file *file) { key(file, "KTXwriter")[8] = 'x'; }
static void no_writer(struct test_file *file) { memcpy(key(file, "KTXwriter"), "JXX", 3); }
static void level_moved(struct test_file *file) { file->data[80 + 8] ^= 1; }
static void value_padding(struct test_file *file) { key(file, "KTXwriter")[34] = 1; }
static void half_floats(struct test_file *file) { other_texture(file, 76, 5, 3, 1, 1); }
static void two_levels(struct test_file *file) { other_texture(file, 100, 5, 2, 1, 1); }
static void other_reduce(struct test_file *file) { other_texture(file, 100, 5, 3, 1, 2); }
static void red_is_zero(struct test_file *file) { other_texture(file, 100, 5, 3, 0, 2); }

/* levelCount 0 asks whoever loads it for the others: also where there are none. */
static void asks_for_levels(struct test_file *file)
{
    other_texture(file, 100, 1, 1, 1, 1);
    vxbi_store_u32(file->data + 40, 0);
}
static void not_a_number(struct test_file *file) { vxbi_store_u32(level(file, 0) + 12, 0x7FC00000); }
static void nearer_cell(struct test_file *file) { vxbi_store_u32(level(file, 2), 0x3F800000); }

/* Another tool's, and a cell is nearer than its block. It covers, so it may be meant. */
static void other_tool(struct test_file *file)
{
    key(file, "vxbake, bake")[0] = 'w';
    nearer_cell(file);
}

/* And one that misses a surface. */
static void missing_surface(struct test_file *file) { vxbi_store_u32(level(file, 2), 0); }

static const struct texture {
    enum vxb_finding finding;
    void (*change)(struct test_file *file);
    enum vxb_finding consequences[CONSEQUENCES];
} textures[] = {
    {F(KTX2_IDENTIFIER), ktx1, {0}},
    {F(KTX2_TRUNCATED), lose_a_byte, {0}},
    {F(KTX2_TRAILING), one_byte_more, {0}},
    {F(KTX2_UNSUPPORTED), compressed, {0}},
    {F(KTX2_HEADER), two_faces, {0}},
    {F(KTX2_DFD), other_sample, {0}},
    {F(KTX2_KEY_VALUES), long_value, {0}},
    {F(KTX2_KEY_UNKNOWN), unknown_key, {0}},
    {F(KTX2_WRITER), no_writer, {0}},
    {F(KTX2_LEVEL_INDEX), level_moved, {0}},
    {F(KTX2_PADDING), value_padding, {0}},
    {F(PYRAMID_SHAPE), half_floats, {0}},
    {F(PYRAMID_CHAIN), two_levels, {0}},
    {F(PYRAMID_CHAIN), asks_for_levels, {0}},
    {F(PYRAMID_KEY), red_is_zero, {0}},
    {F(PYRAMID_REDUCE), other_reduce, {0}},
    {F(PYRAMID_TEXEL), not_a_number, {0}},
    {F(PYRAMID_LEVEL), nearer_cell, {0}},
    {F(PYRAMID_OTHER), other_tool, {0}},
    {F(PYRAMID_COVER), missing_surface, {F(PYRAMID_LEVEL)}},
};

static void look_at_texture(const struct texture *t)
{
    struct test_file file = get_file("good.ktx2");
    t->change(&file);
    put_file("bad.ktx2", file.data, file.size);
    free(file.data);
    expect("bad.ktx2", NULL, t->finding, t->consequences);
}

/* ---- what takes more than a file ---- */

static void other_depth(void)
{
    const struct vxb_verify_options options = {.size = sizeof options, .recipe = "other.json"};
    expect("good.ktx2", &options, F(RECIPE_DEPTH), (const enum vxb_finding[CONSEQUENCES]){0});
}

static void other_levels(void)
{
    const struct vxb_verify_options options = {.size = sizeof options, .rebake = "other.json"};
    expect("good.ktx2", &options, F(REBAKE_LEVEL), (const enum vxb_finding[CONSEQUENCES]){0});
}

/* Nobody minds the magic, and so nothing behind it was looked at. */
static void passed_over(void)
{
    const struct vxb_verify_rule rule = {.finding = F(MAGIC), .ignore = true};
    const struct vxb_verify_options options = {.size = sizeof options, .rules = &rule, .rule_count = 1};
    put_file("bad.vxg", "no field", 8);
    expect("bad.vxg", &options, F(UNCHECKED), (const enum vxb_finding[CONSEQUENCES]){F(MAGIC)});
}

static const struct occasion {
    enum vxb_finding finding;
    void (*look)(void);
} occasions[] = {{F(RECIPE_DEPTH), other_depth}, {F(REBAKE_LEVEL), other_levels}, {F(UNCHECKED), passed_over}};

/* ---- all ---- */

Test(findings, good_files__have_none)
{
    const struct vxb_verify_options all = {.size = sizeof all, .recipe = "recipe.json", .rebake = "recipe.json",
                                           .report_of = "report.json"};
    struct vxb_verify_report *field = verify("good.vxg", &all), *pyramid = verify("good.ktx2", NULL);
    cr_assert(eq(u32, field->finding_count + pyramid->finding_count, 0));
    cr_assert(field->coverage.recipe && field->coverage.rebake && field->coverage.report && pyramid->coverage.levels);
    vxb_verify_report_free(field);
    vxb_verify_report_free(pyramid);
}

/* test_verify.c looks at every one of bad_files.c; here the first of each code goes the whole way. Codes of irradiance
 * fields are walked in test_probe_file.c. */
Test(findings, every_code__is_told_of_a_bad_file_of_its_own)
{
    int codes = 0;
    for (enum vxb_finding f = vxb_finding_next(VXB_FINDING_NONE); f && f < F(PROBE_MAGIC);
         f = vxb_finding_next(f), codes++) {
        bool found = false;
        for (size_t i = 0; i < bad_file_count && !found; i++)
            if (bad_files[i].finding == f) {
                struct test_file file = bad_file_make(&bad_files[i]);
                put_file("bad.vxg", file.data, file.size);
                free(file.data);
                expect("bad.vxg", NULL, f, bad_files[i].consequences);
                found = true;
            }
        for (size_t i = 0; i < sizeof comparisons / sizeof comparisons[0]; i++)
            if (comparisons[i].finding == f) {
                compare(&comparisons[i]);
                found = true;
            }
        for (size_t i = 0; i < sizeof textures / sizeof textures[0]; i++)
            if (textures[i].finding == f) {
                look_at_texture(&textures[i]);
                found = true;
            }
        for (size_t i = 0; i < sizeof occasions / sizeof occasions[0]; i++)
            if (occasions[i].finding == f) {
                occasions[i].look();
                found = true;
            }
        cr_assert(found, "%s has no bad file", vxb_finding_name(f));
    }
    cr_assert(eq(int, wrong, 0));
    cr_assert(lt(int, 100, codes));
}
