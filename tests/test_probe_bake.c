/* Irradiance fields from recipe to file: identities that are written down, the same bytes for any number of threads,
 * and what a file is compared with. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vxbake.h"

static const char text[] =
    "{\"kind\": \"irradiance-field\", \"bounds\": {\"min\": [-4, 0, -4], \"max\": [4, 8, 4]}, \"cells\": [4, 4, 4],"
    " \"refine\": [{\"min\": [-4, 0, -4], \"max\": [-3, 1, -3], \"size\": 1}], \"rays\": 24, \"bounces\": 2,"
    " \"shapes\": [{\"kind\": \"plane\", \"normal\": [0, 2, 0], \"offset\": 1, \"albedo\": [0.5, 0.4, 0.3]},"
    " {\"kind\": \"sphere\", \"center\": [1, 3, 1], \"radius\": 1.5, \"emission\": [2, 1, 0.5]},"
    " {\"kind\": \"capsule\", \"a\": [-2, 1, 2], \"b\": [-2, 4, 2], \"radius\": 0.5}],"
    " \"sky\": {\"gradient\": {\"ground\": [0.1, 0.1, 0.1], \"horizon\": [1, 0.9, 0.8], \"zenith\": [0.2, 0.4, 0.9]}},"
    " \"sun\": {\"direction\": [1, 2, 0.5], \"irradiance\": [3, 3, 2]}%s}";

static char folder[] = "/tmp/vxbake-light-XXXXXX";
static char recipe_path[64], file_path[64];

static void begin(void)
{
    strcpy(folder, "/tmp/vxbake-light-XXXXXX");
    cr_assert(mkdtemp(folder) != NULL);
    snprintf(recipe_path, sizeof recipe_path, "%s/r.json", folder);
    snprintf(file_path, sizeof file_path, "%s/f.vxp", folder);
}

static void end(void)
{
    unlink(recipe_path);
    unlink(file_path);
    rmdir(folder);
}

static void put_recipe(const char *more)
{
    FILE *out = fopen(recipe_path, "w");
    cr_assert(out != NULL);
    fprintf(out, text, more);
    cr_assert(fclose(out) == 0);
}

static enum vxb_status bake(const struct vxb_env *env, const char *output, struct vxb_probe_report *report,
                            struct vxb_error *err)
{
    const struct vxb_bake_options options = {.size = sizeof options, .output = output};
    struct vxb_any_recipe recipe = {0};
    struct vxb_probe_plan *plan = NULL;
    enum vxb_status status = vxb_any_recipe_load(env, recipe_path, NULL, 0, &recipe, err);
    if (!status)
        status = vxb_probe_plan_new(env, recipe.probes, &plan, err);
    if (!status)
        status = vxb_probe_bake(env, plan, &options, report, err);
    vxb_probe_plan_free(plan);
    vxb_any_recipe_clear(&recipe);
    return status;
}

/* A compiler, a device or a rule that changes a bit changes these. Rules may; then VXB_BAKE_REVISION rises. */
Test(probe_bake, identities__are_those_that_are_written_down, .init = begin, .fini = end)
{
    static const struct {
        const char *more;
        uint64_t bake_id, content_id;
    } known[] = {{"", 0x97db4a0c870e878d, 0xeabb6965dbbf1997},
                 {", \"encoding\": \"f16\"", 0xc94d2bf2198ca789, 0xe94f2d9d416b459b},
                 {", \"dilation\": 0", 0xa6efeb7574db12bd, 0xe8644de1412c7f3f}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            const struct vxb_env env = {.size = sizeof env, .threads = threads};
            struct vxb_probe_report report;
            struct vxb_error err = {0};
            put_recipe(known[i].more);
            cr_assert(eq(int, (int)bake(&env, NULL, &report, &err), VXB_OK), "%s", err.message);
            cr_assert(report.bake_id == known[i].bake_id && report.content_id == known[i].content_id,
                      "%zu: 0x%016llx, 0x%016llx", i, (unsigned long long)report.bake_id,
                      (unsigned long long)report.content_id);
        }
}

static struct vxb_verify_report *verify(const struct vxb_verify_options *with)
{
    struct vxb_verify_options options = *with;
    struct vxb_verify_report *report = NULL;
    struct vxb_error err = {0};
    options.size = sizeof options;
    cr_assert(eq(int, (int)vxb_verify(NULL, file_path, &options, &report, &err), VXB_OK), "%s", err.message);
    return report;
}

static bool has(const struct vxb_verify_report *report, enum vxb_finding finding)
{
    for (uint32_t i = 0; i < report->finding_count; i++)
        if (report->findings[i].finding == finding)
            return true;
    return false;
}

Test(probe_bake, file__is_compared_with_its_recipe_and_a_new_bake, .init = begin, .fini = end)
{
    const struct vxb_verify_options rebake = {.rebake = recipe_path, .recipe = recipe_path};
    put_recipe("");
    cr_assert(bake(NULL, file_path, NULL, NULL) == VXB_OK);
    struct vxb_verify_report *report = verify(&rebake);
    cr_assert(report->good && report->coverage.recipe && report->coverage.rebake && report->coverage.complete);
    vxb_verify_report_free(report);
    put_recipe(", \"slots\": [4, 4, 4], \"encoding\": \"f16\"");
    report = verify(&rebake);
    cr_assert(report->good == false && !report->coverage.rebake);
    cr_assert(has(report, VXB_FINDING_PROBE_RECIPE) && has(report, VXB_FINDING_RECIPE_BAKE_ID));
    vxb_verify_report_free(report);
}

/* A file that claims a recipe which gives other light: its ids are right, its probes are not. */
Test(probe_bake, other_light_under_a_right_bake_id__is_found_by_a_new_bake, .init = begin, .fini = end)
{
    const struct vxb_verify_options rebake = {.rebake = recipe_path};
    struct vxb_probe_report report;
    struct vxb_probe_file *file;
    struct vxb_probe_field *field;
    put_recipe("");
    cr_assert(bake(NULL, NULL, &report, NULL) == VXB_OK);
    put_recipe(", \"max_distance\": 3");
    cr_assert(bake(NULL, file_path, NULL, NULL) == VXB_OK);
    put_recipe("");
    cr_assert(vxb_probe_file_open(NULL, file_path, &file, NULL) == VXB_OK);
    cr_assert(vxb_probe_file_field(NULL, file, &field, NULL) == VXB_OK);
    vxb_probe_file_close(file);
    const struct vxb_probe_save_options save = {.size = sizeof save, .bake_id = report.bake_id};
    cr_assert(vxb_probe_field_save(NULL, field, file_path, &save, NULL) == VXB_OK);
    vxb_probe_field_free(field);
    struct vxb_verify_report *found = verify(&rebake);
    cr_assert(found->good == false && found->coverage.rebake && has(found, VXB_FINDING_PROBE_REBAKE));
    cr_assert(eq(u64, found->errors, 1));
    vxb_verify_report_free(found);
}

Test(probe_bake, invalid_probes__are_counted_and_gated, .init = begin, .fini = end)
{
    put_recipe(", \"dilation\": 0");
    cr_assert(bake(NULL, file_path, NULL, NULL) == VXB_OK);
    struct vxb_verify_report *report = verify(&(struct vxb_verify_options){0});
    const uint64_t invalid = report->coverage.probes_invalid;
    cr_assert(report->good && invalid > 0);
    vxb_verify_report_free(report);
    report = verify(&(struct vxb_verify_options){.has_max_invalid = true, .max_invalid = invalid});
    cr_assert(report->good);
    vxb_verify_report_free(report);
    report = verify(&(struct vxb_verify_options){.has_max_invalid = true, .max_invalid = invalid - 1});
    cr_assert(report->good == false && has(report, VXB_FINDING_PROBE_INVALID));
    vxb_verify_report_free(report);
}
