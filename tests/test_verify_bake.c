/* verify beside a recipe, a new bake and a bake's report: a real small bake, then the same with one thing changed. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bad_files.h"
#include "changed_bakes.h"
#include "core/os.h"
#include "core/text.h"
#include "vxbake/bake.h"
#include "vxbake/export.h"

static char folder[64];

static void put_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    cr_assert(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
}

static struct test_file get_file(const char *path)
{
    struct vxbi_bytes bytes;
    cr_assert(eq(int, vxbi_read_all(NULL, path, 1 << 24, &bytes, NULL), VXB_OK));
    struct test_file file = {malloc(bytes.size + 1), bytes.size};
    memcpy(file.data, bytes.data, bytes.size);
    file.data[file.size] = 0;
    vxbi_bytes_clear(&bytes);
    return file;
}

/* A hilly ground of 33 x 33 samples. */
static void put_ground(void)
{
    uint8_t heights[33 * 33 * 2];
    for (int z = 0; z < 33; z++)
        for (int x = 0; x < 33; x++)
            vxbi_store_u16(heights + 2 * (z * 33 + x), (uint16_t)(20000 + 300 * abs(x - 16) + 200 * (z % 7)));
    put_file("ground.r16", heights, sizeof heights);
}

static const char recipe_two[] =
    "{\"kind\": \"grass-field\", \"seed\": 7, \"cell_size\": 16, \"density\": 2,"
    " \"terrain\": {\"file\": \"ground.r16\", \"size\": [33, 33], \"range\": [0, 64], \"metres_per_quad\": 2},"
    " \"budgets\": {\"max_blades\": 5000, \"max_commands\": 9},"
    " \"species\": [{\"name\": \"a\", \"share\": 2, \"mesh\": \"m\", \"lods\": [{\"distance\": 10}, {\"distance\": 20, "
    "\"keep\": 0.5}]}, {\"name\": \"b\", \"material\": \"x\"}]}";
/* Without a budget its blades are compared as they are made; with one that has to choose they are kept first. */
static const char recipe_free[] =
    "{\"kind\": \"grass-field\", \"seed\": 7, \"cell_size\": 16, \"density\": 2, \"density_scale\": 0.9,"
    " \"terrain\": {\"file\": \"ground.r16\", \"size\": [33, 33], \"range\": [0, 64], \"metres_per_quad\": 2},"
    " \"species\": [{\"name\": \"a\", \"share\": 2}, {\"name\": \"b\"}]}";
static const char recipe_one[] =
    "{\"kind\": \"grass-field\", \"density\": 1,"
    " \"terrain\": {\"file\": \"ground.r16\", \"size\": [33, 33], \"range\": [0, 64], \"metres_per_quad\": 2},"
    " \"species\": [{\"name\": \"a\"}]}";

static void bake(const char *recipe_path, const char *output, const char *report, bool compress)
{
    struct vxb_recipe *recipe = NULL;
    struct vxb_error err = {0};
    const struct vxb_bake_options options = {.size = sizeof options, .output = output, .report_json = report,
                                             .compress = compress, .compress_level = 3, .split = compress};
    cr_assert(eq(int, vxb_recipe_load(NULL, recipe_path, NULL, 0, &recipe, &err), VXB_OK), "%s", err.message);
    cr_assert(eq(int, vxb_bake(NULL, recipe, &options, NULL, &err), VXB_OK), "%s", err.message);
    vxb_recipe_free(recipe);
}

static void set_up(void)
{
    strcpy(folder, "/tmp/vxbake verify XXXXXX");
    cr_assert(ne(ptr, mkdtemp(folder), NULL));
    cr_assert(eq(int, chdir(folder), 0));
    put_ground();
    put_file("two.json", recipe_two, sizeof recipe_two - 1);
    put_file("free.json", recipe_free, sizeof recipe_free - 1);
    put_file("one.json", recipe_one, sizeof recipe_one - 1);
    bake("two.json", "two.vxg", "report.json", false);
    bake("free.json", "free.vxg", NULL, false);
    bake("one.json", "one.vxg", NULL, true);
}

static void tear_down(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    cr_assert(eq(int, system(command), 0));
}

TestSuite(verify_bake, .init = set_up, .fini = tear_down);

static struct vxb_verify_report *verify(const char *path, const char *recipe, const char *rebake, const char *report_of)
{
    const struct vxb_verify_options options = {.size = sizeof options, .recipe = recipe, .rebake = rebake,
                                               .report_of = report_of};
    struct vxb_verify_report *report = NULL;
    struct vxb_error err = {0};
    cr_assert(eq(int, vxb_verify(NULL, path, &options, &report, &err), VXB_OK), "%s", err.message);
    for (uint32_t i = 0; i < report->finding_count; i++)
        fprintf(stderr, "  %s %s: %s\n", vxb_finding_name(report->findings[i].finding), report->findings[i].pointer,
                report->findings[i].message);
    return report;
}

static bool has(const struct vxb_verify_report *report, enum vxb_finding finding, const char *pointer)
{
    for (uint32_t i = 0; i < report->finding_count; i++)
        if (report->findings[i].finding == finding && (!pointer || strcmp(report->findings[i].pointer, pointer) == 0))
            return true;
    return false;
}

Test(verify_bake, own_recipe_and_report__agree)
{
    struct vxb_verify_report *r = verify("two.vxg", "two.json", "two.json", "report.json");
    cr_assert(eq(u32, r->finding_count, 0));
    cr_assert(r->coverage.recipe && r->coverage.rebake && r->coverage.report);
    vxb_verify_report_free(r);
    r = verify("free.vxg", NULL, "free.json", NULL);
    cr_assert(eq(u32, r->finding_count, 0));
    vxb_verify_report_free(r);
    r = verify("one.vxg", NULL, "one.json", NULL);
    cr_assert(eq(u32, r->finding_count, 0));
    cr_assert(r->coverage.rebake && !r->coverage.recipe);
    vxb_verify_report_free(r);
}

/* What a recipe that says something else is told by. */
static const struct {
    const char *from, *to;
    enum vxb_finding finding;
    const char *pointer;
} recipes[] = {
    {"\"seed\": 7", "\"seed\": 8", VXB_FINDING_RECIPE_HEADER, "/header/seed"},
    {"\"cell_size\": 16", "\"cell_size\": 8 ", VXB_FINDING_RECIPE_HEADER, "/header/cell_size"},
    {"\"density\": 2", "\"density\": 3", VXB_FINDING_RECIPE_HEADER, "/header/density"},
    {"5000", "5001", VXB_FINDING_RECIPE_HEADER, "/header/blade_budget"},
    {"\"max_commands\": 9", "\"max_commands\": 8", VXB_FINDING_RECIPE_HEADER, "/header/max_commands"},
    {"[0, 64]", "[0, 65]", VXB_FINDING_RECIPE_BAKE_ID, "/header/bake_id"},
    {"\"name\": \"b\"", "\"name\": \"c\"", VXB_FINDING_RECIPE_SECTION, NULL},
    {"\"share\": 2", "\"share\": 3", VXB_FINDING_RECIPE_SECTION, NULL},
    {"\"mesh\": \"m\"", "\"mesh\": \"n\"", VXB_FINDING_RECIPE_SECTION, NULL},
    {"\"material\": \"x\"", "\"material\": \"y\"", VXB_FINDING_RECIPE_SECTION, NULL},
    {"{\"distance\": 10}", "{\"distance\": 11}", VXB_FINDING_RECIPE_SECTION, NULL},
    {", {\"name\": \"b\", \"material\": \"x\"}", "", VXB_FINDING_RECIPE_SECTIONS, "/header/section_count"},
};

Test(verify_bake, another_recipe__each_difference_is_told)
{
    for (size_t i = 0; i < sizeof recipes / sizeof recipes[0]; i++) {
        char text[sizeof recipe_two + 16];
        const char *at = strstr(recipe_two, recipes[i].from);
        cr_assert(ne(ptr, (void *)at, NULL));
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - recipe_two), recipe_two, recipes[i].to,
                 at + strlen(recipes[i].from));
        put_file("other.json", text, strlen(text));
        struct vxb_verify_report *r = verify("two.vxg", "other.json", NULL, NULL);
        cr_assert(has(r, recipes[i].finding, recipes[i].pointer), "%s", recipes[i].to);
        cr_assert(has(r, VXB_FINDING_RECIPE_BAKE_ID, "/header/bake_id"));
        vxb_verify_report_free(r);
        /* And a bake of it is not even begun. */
        r = verify("two.vxg", NULL, "other.json", NULL);
        cr_assert(not(r->coverage.rebake));
        vxb_verify_report_free(r);
    }
}

/* Found by fuzz_report.c: what is missing was looked into. */
Test(verify_bake, report_without_members__is_told_member_by_member)
{
    static const char *const short_ones[] = {
        "{\"kind\": \"bake-report\"}",
        "{\"kind\": \"bake-report\", \"field\": null, \"output\": 5, \"species\": [1, 2]}",
        "{\"kind\": \"bake-report\", \"field\": {\"reasons\": []}, \"species\": [{\"ledger\": 1}, {}]}"};
    for (size_t i = 0; i < sizeof short_ones / sizeof short_ones[0]; i++) {
        put_file("short.json", short_ones[i], strlen(short_ones[i]));
        struct vxb_verify_report *r = verify("two.vxg", NULL, NULL, "short.json");
        cr_assert(has(r, VXB_FINDING_REPORT_MEMBER, "/field/candidates"));
        cr_assert(has(r, VXB_FINDING_REPORT_MEMBER, "/output/content_id"));
        vxb_verify_report_free(r);
    }
}

Test(verify_bake, object_without_a_kind__is_no_report)
{
    const struct vxb_verify_options options = {.size = sizeof options, .report_of = "empty.json"};
    struct vxb_verify_report *report = NULL;
    static const char *const others[] = {"{}", "[]", "null", "\"bake-report\"", "{\"kind\": {}}"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        put_file("empty.json", others[i], strlen(others[i]));
        cr_assert(eq(int, vxb_verify(NULL, "two.vxg", &options, &report, NULL), VXB_ERR_DATA), "%s", others[i]);
        cr_assert(eq(ptr, report, NULL));
    }
}

/* Changes the file and repairs its hashes: the file alone is good, the bake of its recipe is not it. */
static struct vxb_verify_report *rebake_changed(bool budget, void (*change)(struct test_file *file))
{
    struct test_file file = get_file(budget ? "two.vxg" : "free.vxg");
    change(&file);
    test_file_repair(&file);
    put_file("changed.vxg", file.data, file.size);
    free(file.data);
    return verify("changed.vxg", NULL, budget ? "two.json" : "free.json", NULL);
}

static void change_tint(struct test_file *file) { file->data[test_file_at(file, BAD_DATA, 3) + 16 + 12] ^= 1; }
static void set_partial(struct test_file *file) { file->data[24] |= VXB_GRASS_PARTIAL; }
static void set_revision(struct test_file *file) { file->data[26]++; }

Test(verify_bake, changed_file__differs_from_a_new_bake)
{
    for (int budget = 0; budget < 2; budget++) {
        struct vxb_verify_report *r = rebake_changed(budget, change_tint);
        cr_assert(has(r, VXB_FINDING_REBAKE_BLADES, "/chunks/3/blades/1"));
        cr_assert(has(r, VXB_FINDING_REBAKE_HEADER, "/header/content_id"));
        cr_assert(eq(u32, r->finding_count, 2));
        vxb_verify_report_free(r);
        r = rebake_changed(budget, raise_rank_limit);
        cr_assert(has(r, VXB_FINDING_REBAKE_SECTION, "/sections/0/rank_limit"));
        cr_assert(eq(u32, r->finding_count, 1));
        vxb_verify_report_free(r);
        r = rebake_changed(budget, raise_a_chunk);
        cr_assert(has(r, VXB_FINDING_REBAKE_CHUNK, "/chunks/5"));
        cr_assert(has(r, VXB_FINDING_REBAKE_BLADES, NULL));
        vxb_verify_report_free(r);
        r = rebake_changed(budget, move_last_chunk);
        cr_assert(has(r, VXB_FINDING_REBAKE_CHUNK_MISSING, NULL));
        cr_assert(has(r, VXB_FINDING_REBAKE_CHUNK_EXTRA, NULL));
        vxb_verify_report_free(r);
    }
}

Test(verify_bake, region_or_other_revision__nothing_is_concluded)
{
    struct vxb_verify_report *r = rebake_changed(true, set_partial);
    cr_assert(has(r, VXB_FINDING_COMPARE_PARTIAL, NULL));
    cr_assert(eq(u64, r->errors, 1));
    vxb_verify_report_free(r);
    r = rebake_changed(true, set_revision);
    cr_assert(has(r, VXB_FINDING_COMPARE_REVISION, NULL));
    cr_assert(eq(u64, r->errors, 1));
    cr_assert(not(r->coverage.rebake));
    vxb_verify_report_free(r);
}

/* What a report that says something else is told by. key's number is counted up. */
static const struct {
    const char *after, *key;
    enum vxb_finding finding;
} reports[] = {
    {"", "\"seed\": ", VXB_FINDING_REPORT_DIFFERS},
    {"", "\"parts\": ", VXB_FINDING_REPORT_DIFFERS},
    {"", "\"placed\": ", VXB_FINDING_REPORT_LEDGER},
    {"", "\"slope\": ", VXB_FINDING_REPORT_LEDGER},
    {"", "\"commands\": ", VXB_FINDING_REPORT_SUM},
    {"\"field\"", "\"bytes\": ", VXB_FINDING_REPORT_SUM},
    {"\"field\"", "\"candidates\": ", VXB_FINDING_REPORT_LEDGER},
    {"", "\"file_bytes\": ", VXB_FINDING_REPORT_DIFFERS},
    {"", "\"content_id\": \"0x", VXB_FINDING_REPORT_DIFFERS},
    {"", "\"asked\": ", VXB_FINDING_REPORT_DIFFERS},
    {"", "\"cell_size\": ", VXB_FINDING_REPORT_DIFFERS},
    {"\"ledger\"", "\"name\": \"", VXB_FINDING_REPORT_DIFFERS},
    {"\"ledger\"", "\"material\": \"", VXB_FINDING_REPORT_DIFFERS},
    {"", "\"material_index\": ", VXB_FINDING_REPORT_DIFFERS},
    {"", "\"blade_budget\": ", VXB_FINDING_REPORT_DIFFERS},
    {"\"bound_by\"", "\"lods\": ", VXB_FINDING_REPORT_DIFFERS},
    {"", "\"blades\": ", VXB_FINDING_REPORT_DIFFERS},
};

Test(verify_bake, changed_report__is_told)
{
    struct test_file whole = get_file("report.json");
    char *text = (char *)whole.data;
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++) {
        char *from = strstr(text, reports[i].after);
        if (strcmp(reports[i].key, "\"file_bytes\": ") == 0)
            from = strstr(text, "\"output\"");
        char *digit = strstr(from, reports[i].key) + strlen(reports[i].key), was = *digit;
        *digit = was == '9' ? '1' : (char)(was == 'f' ? '0' : was == '0' ? '1' : '9');
        put_file("other-report.json", text, whole.size);
        *digit = was;
        struct vxb_verify_report *r = verify("two.vxg", NULL, NULL, "other-report.json");
        cr_assert(has(r, reports[i].finding, NULL), "%s", reports[i].key);
        vxb_verify_report_free(r);
    }
    char *pass = strstr(strstr(text, "\"passes\""), "\"main\"");
    pass[1] = 'p';
    put_file("other-report.json", text, whole.size);
    pass[1] = 'm';
    struct vxb_verify_report *other = verify("two.vxg", NULL, NULL, "other-report.json");
    cr_assert(has(other, VXB_FINDING_REPORT_DIFFERS, "/species/0/passes"));
    cr_assert(eq(u32, other->finding_count, 1));
    vxb_verify_report_free(other);
    char *commands = strstr(text, "\"commands\"");
    commands[1] = 'k';
    put_file("other-report.json", text, whole.size);
    struct vxb_verify_report *r = verify("two.vxg", NULL, NULL, "other-report.json");
    cr_assert(has(r, VXB_FINDING_REPORT_MEMBER, NULL));
    vxb_verify_report_free(r);
    free(whole.data);
}

Test(verify_bake, what_is_no_report__is_an_error_of_the_call)
{
    const struct vxb_verify_options options = {.size = sizeof options, .report_of = "two.json"};
    struct vxb_verify_report *report = NULL;
    struct vxb_error err = {0};
    cr_assert(eq(int, vxb_verify(NULL, "two.vxg", &options, &report, &err), VXB_ERR_DATA));
    cr_assert(eq(str, err.pointer, (char *)"/kind"));
    cr_assert(eq(ptr, report, NULL));
}

Test(verify_bake, report_of_another_version__is_an_error_of_the_call)
{
    const struct vxb_verify_options options = {.size = sizeof options, .report_of = "later.json"};
    static const char later[] = "{\"kind\": \"bake-report\", \"version\": 2}";
    struct vxb_verify_report *report = NULL;
    struct vxb_error err = {0};
    put_file("later.json", later, sizeof later - 1);
    cr_assert(eq(int, vxb_verify(NULL, "two.vxg", &options, &report, &err), VXB_ERR_UNSUPPORTED));
    cr_assert(eq(str, err.pointer, (char *)"/version"));
}

/* Verify once fell over a report that had its kind right and nothing in it. */
Test(verify_bake, report_with_nothing_in_it__misses_its_members)
{
    static const char *const texts[] = {"{\"kind\": \"bake-report\"}",
                                        "{\"kind\": \"bake-report\", \"output\": 1, \"field\": [], \"species\": [1]}",
                                        "{\"kind\": \"bake-report\", \"field\": {\"reasons\": 1}, \"species\": [{}]}"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        put_file("empty.json", texts[i], strlen(texts[i]));
        struct vxb_verify_report *report = verify("two.vxg", NULL, NULL, "empty.json");
        cr_assert(has(report, VXB_FINDING_REPORT_MEMBER, "/output/content_id"));
        cr_assert(has(report, VXB_FINDING_REPORT_MEMBER, "/field/candidates"));
        cr_assert(report->errors > 5 && !report->good);
        vxb_verify_report_free(report);
    }
}

Test(verify_bake, junit__is_well_formed_whatever_the_path)
{
    const struct vxb_finding_record finding = {.finding = VXB_FINDING_MAGIC,
                                               .severity = VXB_SEVERITY_ERROR,
                                               .message = "a <\x01> & \"b\" \xff",
                                               .pointer = "/x",
                                               .has_offset = true,
                                               .offset = 5,
                                               .count = 2};
    const struct vxb_verify_report report = {.path = "a\x1b&<b>\"\n\xef\xbf\xbf", .findings = &finding,
                                             .finding_count = 1, .errors = 2};
    const struct vxb_verify_report *const reports_[1] = {&report};
    struct vxb_text text = {0};
    const struct vxb_sink sink = {.user = &text, .write = vxb_text_write};
    cr_assert(eq(int, vxb_verify_junit(reports_, 1, 0, &sink, NULL), VXB_OK));
    cr_assert(ne(ptr, strstr(text.data, "&amp;&lt;b&gt;&quot;"), NULL));
    cr_assert(ne(ptr, strstr(text.data, "failures=\"1\""), NULL));
    /* U+FFFF, which XML has no place for, and every control but the line's end; a bare byte that is no UTF-8. */
    cr_assert(eq(ptr, strstr(text.data, "\xEF\xBF\xBF"), NULL));
    cr_assert(vxbi_utf8_valid(text.data, text.size));
    for (size_t i = 0; i < text.size; i++)
        cr_assert(text.data[i] == '\n' || (unsigned char)text.data[i] >= 0x20);
    vxb_text_free(&text);
}
