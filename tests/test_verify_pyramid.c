/* verify of a depth pyramid beside a recipe, a new bake and a bake's report: a real one of odd sides, then the same
 * with one thing changed, each change a valid pyramid still. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/bytes.h"
#include "vxbake/bake.h"
#include "vxbake/verify.h"

enum { WIDTH = 7, HEIGHT = 5 };

static char folder[64];

static void put_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    cr_assert(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
}

static void put_text(const char *path, const char *text) { put_file(path, text, strlen(text)); }

/* One texel is nearest, one is sky; scale multiplies them all. */
static void put_frame(const char *path, float scale)
{
    uint8_t bytes[WIDTH * HEIGHT * 4];
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        float value = scale * (i == 3 ? 0.0f : i == 34 ? 0.875f : 0.125f + 0.015625f * (float)(i % 11));
        memcpy(&bytes[4 * i], &value, sizeof value);
    }
    put_file(path, bytes, sizeof bytes);
}

static void put_recipe(const char *path, const char *frame, const char *reduce)
{
    char text[256];
    int size = snprintf(text, sizeof text,
                        "{\"kind\": \"depth-pyramid\", \"reduce\": \"%s\", \"depth\": "
                        "{\"file\": \"%s\", \"size\": [%d, %d]}}",
                        reduce, frame, WIDTH, HEIGHT);
    put_file(path, text, (size_t)size);
}

static void bake(const char *path, const char *output, const char *report)
{
    struct vxb_any_recipe recipe;
    struct vxb_error err = {0};
    const struct vxb_bake_options options = {.size = sizeof options, .output = output, .report_json = report};
    cr_assert(eq(int, vxb_any_recipe_load(NULL, path, NULL, 0, &recipe, &err), VXB_OK), "%s", err.message);
    cr_assert(eq(int, vxb_pyramid_bake(NULL, recipe.pyramid, &options, NULL, &err), VXB_OK), "%s", err.message);
    vxb_any_recipe_clear(&recipe);
}

static void set_up(void)
{
    strcpy(folder, "/tmp/vxbake-pyramid-XXXXXX");
    cr_assert(ne(ptr, mkdtemp(folder), NULL));
    cr_assert(eq(int, chdir(folder), 0));
    put_frame("a.r32", 1.0f);
    put_frame("b.r32", 0.5f);
    put_recipe("a.json", "a.r32", "nearest");
    put_recipe("b.json", "b.r32", "nearest");
    put_recipe("far.json", "a.r32", "farthest");
    bake("a.json", "a.ktx2", "a-report.json");
    bake("b.json", "b.ktx2", "b-report.json");
}

static void tear_down(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    cr_assert(eq(int, system(command), 0));
}

TestSuite(verify_pyramid, .init = set_up, .fini = tear_down);

static struct vxb_verify_report *verify(const char *path, const struct vxb_verify_options *options)
{
    struct vxb_verify_report *report = NULL;
    struct vxb_error err = {0};
    cr_assert(eq(int, vxb_verify(NULL, path, options, &report, &err), VXB_OK), "%s", err.message);
    for (uint32_t i = 0; i < report->finding_count; i++)
        fprintf(stderr, "  %s %s: %s\n", vxb_finding_name(report->findings[i].finding), report->findings[i].pointer,
                report->findings[i].message);
    return report;
}

/* Whether these are the findings, and no others. */
static void expect_findings(const char *path, const struct vxb_verify_options *options, const enum vxb_finding *wanted,
                            uint32_t count)
{
    struct vxb_verify_report *report = verify(path, options);
    cr_assert(eq(u32, report->finding_count, count));
    for (uint32_t i = 0; i < count; i++) {
        bool found = false;
        for (uint32_t k = 0; k < count; k++)
            found = found || report->findings[k].finding == wanted[i];
        cr_assert(found, "%s was not found", vxb_finding_name(wanted[i]));
    }
    cr_assert(eq(int, report->good, count == 0));
    vxb_verify_report_free(report);
}

Test(verify_pyramid, own_recipe_and_report__agree)
{
    const struct vxb_verify_options options = {.size = sizeof options, .recipe = "a.json", .rebake = "a.json",
                                               .report_of = "a-report.json"};
    struct vxb_verify_report *report = verify("a.ktx2", &options);
    cr_assert(eq(u32, report->finding_count, 0));
    cr_assert(report->good && report->coverage.complete);
    cr_assert(report->coverage.recipe && report->coverage.rebake && report->coverage.report);
    vxb_verify_report_free(report);
}

Test(verify_pyramid, other_frame__is_found_in_level_0_and_by_a_new_bake_in_all)
{
    const struct vxb_verify_options recipe = {.size = sizeof recipe, .recipe = "b.json"};
    const struct vxb_verify_options rebake = {.size = sizeof rebake, .rebake = "b.json"};
    const enum vxb_finding depth[] = {VXB_FINDING_RECIPE_DEPTH}, level[] = {VXB_FINDING_REBAKE_LEVEL};
    expect_findings("a.ktx2", &recipe, depth, 1);
    expect_findings("a.ktx2", &rebake, level, 1);
    struct vxb_verify_report *report = verify("a.ktx2", &rebake);
    cr_assert(eq(u64, report->findings[0].count, 3), "a finding a level");
    vxb_verify_report_free(report);
}

Test(verify_pyramid, other_reduction__is_found_and_so_are_its_levels)
{
    const struct vxb_verify_options recipe = {.size = sizeof recipe, .recipe = "far.json"};
    const struct vxb_verify_options rebake = {.size = sizeof rebake, .rebake = "far.json"};
    const enum vxb_finding header[] = {VXB_FINDING_RECIPE_HEADER};
    const enum vxb_finding all[] = {VXB_FINDING_RECIPE_HEADER, VXB_FINDING_REBAKE_HEADER, VXB_FINDING_REBAKE_LEVEL};
    expect_findings("a.ktx2", &recipe, header, 1);
    expect_findings("a.ktx2", &rebake, all, 3);
}

Test(verify_pyramid, other_size__is_found_and_nothing_else_compared)
{
    const struct vxb_verify_options options = {.size = sizeof options, .recipe = "wide.json", .rebake = "wide.json"};
    const enum vxb_finding header[] = {VXB_FINDING_RECIPE_HEADER};
    put_text("wide.json", "{\"kind\": \"depth-pyramid\", \"depth\": {\"file\": \"a.r32\", \"size\": [5, 7]}}");
    expect_findings("a.ktx2", &options, header, 1);
}

/* Of other rules, or of another tool: a valid pyramid, which no recipe of ours can be held to. */
Test(verify_pyramid, other_writer__can_not_be_compared_with_a_recipe)
{
    const struct vxb_verify_options options = {.size = sizeof options, .recipe = "a.json"};
    const enum vxb_finding revision[] = {VXB_FINDING_COMPARE_REVISION};
    static const char writer[] = "vxbake, bake revision ";
    uint8_t bytes[4096];
    FILE *file = fopen("a.ktx2", "rb");
    size_t size = fread(bytes, 1, sizeof bytes, file), at = 0;
    fclose(file);
    while (at + sizeof writer < size && memcmp(&bytes[at], writer, sizeof writer - 1) != 0)
        at++;
    cr_assert(at + sizeof writer < size);
    bytes[at + sizeof writer - 1]++;
    put_file("later.ktx2", bytes, size);
    expect_findings("later.ktx2", NULL, NULL, 0);
    expect_findings("later.ktx2", &options, revision, 1);
    bytes[at] = 'V';
    put_file("foreign.ktx2", bytes, size);
    expect_findings("foreign.ktx2", NULL, NULL, 0);
    expect_findings("foreign.ktx2", &options, revision, 1);
}

Test(verify_pyramid, report_of_another_bake__differs)
{
    const struct vxb_verify_options options = {.size = sizeof options, .report_of = "b-report.json"};
    const struct vxb_verify_options partial = {.size = sizeof options, .report_of = "partial.json"};
    struct vxb_verify_report *report = verify("a.ktx2", &options);
    bool farthest = false, nearest = false;
    for (uint32_t i = 0; i < report->finding_count; i++) {
        cr_assert(eq(int, report->findings[i].finding, VXB_FINDING_REPORT_DIFFERS));
        farthest = farthest || strcmp(report->findings[i].pointer, "/depth/farthest") == 0;
        nearest = nearest || strcmp(report->findings[i].pointer, "/depth/nearest") == 0;
    }
    cr_assert(farthest && nearest && report->finding_count == 2);
    vxb_verify_report_free(report);
    put_text("partial.json", "{\"kind\": \"pyramid-report\", \"reduce\": 1, \"width\": 7, \"height\": 5}");
    report = verify("a.ktx2", &partial);
    for (uint32_t i = 0; i < report->finding_count; i++)
        cr_assert(eq(int, report->findings[i].finding, VXB_FINDING_REPORT_MEMBER));
    cr_assert(eq(u64, report->errors, 8));
    vxb_verify_report_free(report);
}

Test(verify_pyramid, what_is_of_another_kind__is_refused_with_the_reason)
{
    struct vxb_verify_report *report = NULL;
    struct vxb_error err = {0};
    struct vxb_verify_options options = {.size = sizeof options, .recipe = "grass.json"};
    put_text("grass.json",
             "{\"kind\": \"grass-field\", \"density\": 1, \"terrain\": {\"file\": \"g.raw\", \"size\": [2, 2], "
             "\"range\": [0, 1], \"metres_per_quad\": 1}, \"species\": [{\"name\": \"a\"}]}");
    cr_assert(eq(int, vxb_verify(NULL, "a.ktx2", &options, &report, &err), VXB_ERR_USAGE), "%s", err.message);
    cr_assert(ne(ptr, strstr(err.message, "grass-field"), NULL), "%s", err.message);
    vxb_error_clear(&err);
    put_text("grass-report.json", "{\"kind\": \"bake-report\"}");
    options = (struct vxb_verify_options){.size = sizeof options, .report_of = "grass-report.json"};
    cr_assert(eq(int, vxb_verify(NULL, "a.ktx2", &options, &report, &err), VXB_ERR_DATA));
    cr_assert(ne(ptr, strstr(err.message, "pyramid-report"), NULL), "%s", err.message);
    options = (struct vxb_verify_options){.size = sizeof options, .report_of = "a-report.json",
                                          .level = VXB_VERIFY_HEADER};
    cr_assert(eq(int, vxb_verify(NULL, "a.ktx2", &options, &report, NULL), VXB_ERR_USAGE));
    cr_assert(eq(ptr, report, NULL));
}

/* KTX2 stores no hashes, so the two lower levels are one: neither reads a texel. */
Test(verify_pyramid, lower_levels__leave_the_texels_alone)
{
    uint8_t bytes[4096];
    FILE *file = fopen("a.ktx2", "rb");
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    memset(&bytes[size - 4], 0xFF, 4);
    put_file("nan.ktx2", bytes, size);
    const enum vxb_finding texel[] = {VXB_FINDING_PYRAMID_TEXEL};
    expect_findings("nan.ktx2", NULL, texel, 1);
    for (int level = VXB_VERIFY_HASH; level <= VXB_VERIFY_HEADER; level++) {
        const struct vxb_verify_options options = {.size = sizeof options, .level = (enum vxb_verify_level)level,
                                                   .recipe = "a.json"};
        struct vxb_verify_report *report = verify("nan.ktx2", &options);
        cr_assert(report->good && report->coverage.complete && report->coverage.recipe);
        cr_assert(eq(u64, report->coverage.texels_checked, 0));
        cr_assert(report->coverage.header && report->coverage.tables && !report->coverage.levels);
        vxb_verify_report_free(report);
    }
}
