/* recipe: grass recipes, their rules, overrides and messages. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <dirent.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "heap.h"
#include "recipe/vxgrass.h"
#include "vxbake/recipe.h"

#define SIMPLE "{\"kind\":\"grass-field\",\"terrain\":{\"file\":\"h.vxterrain\"},\"species\":[{\"name\":\"Meadow\"}]}"

/* Everything said in one call, a line each: "error: ...". */
static char said[16384];

static void collect(void *user, const struct vxb_diag *diag)
{
    static const char *const words[] = {"note", "warning", "error"};
    char line[2048];
    (void)user;
    size_t used = strlen(said);
    snprintf(said + used, sizeof said - used, "%s: %s\n", words[diag->severity],
             vxb_error_format(&diag->what, line, sizeof line));
    cr_assert_eq(diag->severity == VXB_SEVERITY_ERROR, diag->what.status != VXB_OK);
}

static void count_diag(void *user, const struct vxb_diag *diag)
{
    (void)diag;
    ++*(unsigned *)user;
}

static struct vxb_env collecting = {.size = sizeof(struct vxb_env), .diag = collect};

static enum vxb_status parse_with(const char *text, const struct vxb_recipe_set *sets, size_t count,
                                  struct vxb_recipe **out)
{
    struct vxb_error err = {0};
    struct vxb_recipe *recipe = NULL;
    said[0] = 0;
    enum vxb_status status =
        vxb_recipe_parse(&collecting, text, strlen(text), "", "r.json", sets, count, &recipe, &err);
    cr_assert_eq(status, err.status);
    /* *err is the first of the errors that were said. */
    const char *first = strstr(said, "error: ");
    char line[2048];
    if (status) {
        cr_assert_not_null(first);
        vxb_error_format(&err, line, sizeof line);
        cr_assert(strncmp(first + 7, line, strlen(line)) == 0, "first said %s, returned %s", first, line);
    } else {
        cr_assert_null(first, "accepted, but said %s", said);
    }
    if (out)
        *out = recipe;
    else
        vxb_recipe_free(recipe);
    return status;
}

static struct vxb_recipe *must_parse(const char *text)
{
    struct vxb_recipe *recipe = NULL;
    cr_assert_eq(parse_with(text, NULL, 0, &recipe), VXB_OK, "%s", said);
    return recipe;
}

/* A recipe of one species with members put in: at the top, in the terrain, in the species. */
static enum vxb_status parse_parts(const char *top, const char *terrain, const char *species)
{
    char text[4096];
    snprintf(text, sizeof text,
             "{\"kind\":\"grass-field\"%s,\"terrain\":{\"file\":\"h.vxterrain\"%s},"
             "\"species\":[{\"name\":\"a\"%s}]}", top,
             terrain, species);
    return parse_with(text, NULL, 0, NULL);
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "wb");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

static char here[] = "/tmp/vxbake-recipe-XXXXXX";

static void enter(void)
{
    cr_assert_not_null(mkdtemp(here));
    cr_assert_eq(chdir(here), 0);
}

static void leave(void)
{
    DIR *folder = opendir(".");
    for (struct dirent *entry; (entry = readdir(folder));)
        unlink(entry->d_name);
    closedir(folder);
    cr_assert_eq(chdir("/"), 0);
    rmdir(here);
}

TestSuite(recipe, .init = enter, .fini = leave);

/* ---- values ---- */

Test(recipe, least_recipe__gets_every_default)
{
    struct vxb_recipe *r = must_parse(SIMPLE);
    const struct vxb_recipe_species *s = &r->species[0];
    cr_assert(eq(u32, r->seed, 0));
    cr_assert(eq(flt, r->cell_size, 32));
    cr_assert(eq(flt, r->density, 16));
    cr_assert(eq(flt, r->density_scale, 1));
    cr_assert(eq(str, (char *)r->terrain.path, (char *)"h.vxterrain"));
    cr_assert(not(r->terrain.has_range || r->terrain.has_metres_per_quad));
    cr_assert(not(r->budgets.has_max_blades || r->budgets.has_gpu_bytes));
    cr_assert(eq(u32, r->species_count, 1));
    cr_assert(eq(str, (char *)s->material, (char *)"Meadow"));
    cr_assert(eq(str, (char *)s->mesh, (char *)""));
    cr_assert(eq(ptr, (void *)s->layer, NULL));
    cr_assert(eq(flt, s->share, 1));
    cr_assert(eq(flt, s->mesh_radius, 1));
    cr_assert(eq(flt, s->min_weight, 0.15f));
    cr_assert(eq(flt, s->max_weight, 0.6f));
    cr_assert(eq(flt, s->jitter, 0.8f));
    cr_assert(eq(flt, s->min_scale, 0.7f));
    cr_assert(eq(flt, s->max_scale, 1.3f));
    cr_assert(s->random_yaw);
    cr_assert(eq(flt, s->align_to_normal, 0.35f));
    cr_assert(eq(flt, s->max_slope, 0.785398163f));
    cr_assert(eq(u32, s->lod_count, 1));
    cr_assert(isinf(s->lods[0].distance) && isinf(s->lods[0].fade));
    cr_assert(eq(flt, s->lods[0].keep, 1));
    cr_assert(eq(u32, s->pass_count, 1));
    cr_assert(eq(str, (char *)s->passes[0], (char *)"main"));
    cr_assert(eq(u32, r->input_count, 1));
    vxb_recipe_free(r);
}

Test(recipe, every_key__lands_where_it_belongs)
{
    struct vxb_recipe *r = must_parse(
        "{\"kind\":\"grass-field\",\"version\":1,\"seed\":4294967295,\"cell_size\":64,\"density\":2.5,"
        "\"density_scale\":0.25,\"terrain\":{\"file\":\"d/h.r16\",\"size\":[65,129],\"sample\":\"u16\","
        "\"order\":\"big\",\"range\":[-10,200],\"metres_per_quad\":0.5,\"origin\":[1,-2,3],\"allow_8bit\":true,"
        "\"flip\":\"z\",\"transpose\":true,\"layers\":{\"G\":\"g.png\",\"D\":{\"file\":\"m.png\",\"channel\":\"b\"}},"
        "\"exclude\":\"m.png\",\"scale\":{\"file\":\"s.png\"},\"stomp\":\"/abs/t.png\"},"
        "\"budgets\":{\"max_blades\":10,\"gpu_bytes\":9007199254740991,\"file_bytes\":12,\"max_commands\":13,"
        "\"updates_per_frame\":4294967294},\"species\":[{\"name\":\"a\",\"id\":\"0xFedcBA9876543210\",\"share\":2,"
        "\"material\":\"m\",\"mesh\":\"q\",\"mesh_radius\":0.5,\"layer\":\"G\",\"min_weight\":0.25,\"max_weight\":0.5,"
        "\"jitter\":0,\"min_scale\":0.5,\"max_scale\":2,\"random_yaw\":false,\"align_to_normal\":1,"
        "\"max_slope_degrees\":90,\"altitude\":[-5,5],\"lods\":[{\"distance\":10,\"fade\":8,\"keep\":0.5,"
        "\"index_count\":4294967295,\"first_index\":2,\"vertex_offset\":-2147483648},{\"distance\":null,\"keep\":0.5}],"
        "\"passes\":[\"p\",\"q\"]}]}");
    const struct vxb_recipe_species *s = &r->species[0];
    const struct vxb_terrain_desc *t = &r->terrain;
    cr_assert(eq(u32, r->seed, 4294967295u));
    cr_assert(r->cell_size == 64 && r->density == 2.5f && r->density_scale == 0.25f);
    cr_assert(t->width == 65 && t->height == 129 && t->sample == VXB_SAMPLE_U16 && t->order == VXB_ORDER_BIG);
    cr_assert(t->has_range && t->range_min == -10 && t->range_max == 200);
    cr_assert(t->has_metres_per_quad && t->metres_per_quad == 0.5f);
    cr_assert(t->origin[0] == 1 && t->origin[1] == -2 && t->origin[2] == 3);
    cr_assert(t->allow_8bit && t->flip == VXB_FLIP_Z && t->transpose && t->layer_count == 2);
    cr_assert(eq(str, (char *)t->layers[1].name, (char *)"D"));
    cr_assert(t->layers[0].map.channel == VXB_CHANNEL_GREY && t->layers[1].map.channel == VXB_CHANNEL_B);
    cr_assert(eq(str, (char *)t->stomp.path, (char *)"/abs/t.png"));
    cr_assert(r->budgets.has_max_blades && r->budgets.max_blades == 10 && r->budgets.has_file_bytes);
    cr_assert(eq(u64, r->budgets.gpu_bytes, 9007199254740991u));
    cr_assert(r->budgets.file_bytes == 12 && r->budgets.max_commands == 13);
    cr_assert(eq(u32, r->budgets.updates_per_frame, 4294967294u));
    cr_assert(s->has_id);
    cr_assert(eq(u64, s->id, 0xFEDCBA9876543210u));
    cr_assert(s->share == 2 && s->mesh_radius == 0.5f && s->min_weight == 0.25f && s->max_weight == 0.5f);
    cr_assert(s->jitter == 0 && s->min_scale == 0.5f && s->max_scale == 2 && !s->random_yaw && s->align_to_normal == 1);
    cr_assert(eq(flt, s->max_slope, 1.57079632679f));
    cr_assert(s->has_altitude && s->altitude[0] == -5 && s->altitude[1] == 5);
    cr_assert(s->lod_count == 2 && s->lods[0].fade == 8 && s->lods[0].index_count == UINT32_MAX);
    cr_assert(s->lods[0].vertex_offset == INT32_MIN && isinf(s->lods[1].distance) && s->lods[1].keep == 0.5f);
    cr_assert(s->pass_count == 2 && strcmp(s->passes[1], "q") == 0);
    static const char *const inputs[] = {"d/h.r16", "g.png", "m.png", "s.png", "/abs/t.png"};
    cr_assert(eq(u32, r->input_count, 5));
    for (int i = 0; i < 5; i++)
        cr_assert(eq(str, (char *)r->inputs[i], (char *)inputs[i]));
    vxb_recipe_free(r);
}

Test(recipe, integers__are_what_json_schema_calls_so)
{
    struct vxb_recipe *r = must_parse("{\"kind\":\"grass-field\",\"seed\":1e3,\"version\":1.0,"
                                      "\"terrain\":{\"file\":\"h.vxterrain\"},\"species\":[{\"name\":\"a\"}]}");
    cr_assert(eq(u32, r->seed, 1000));
    vxb_recipe_free(r);
    static const char *const wrong[] = {"1.5", "-1", "4294967296", "1e300", "9007199254740993", "18446744073709551615",
                                        "\"7\"", "true", "null", "[1]"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char top[64];
        snprintf(top, sizeof top, ",\"seed\":%s", wrong[i]);
        cr_assert_eq(parse_parts(top, "", ""), VXB_ERR_USAGE, "%s", wrong[i]);
        cr_assert_not_null(strstr(said, "/seed: found "), "%s", said);
        cr_assert_not_null(strstr(said, "; allowed: an integer from 0 to 4294967295\n"), "%s", said);
    }
}

/* A negative zero in a LOD reached the file, while the bake id took it for the 0 that it is: one id, two files. */
Test(recipe, negative_zero__is_zero)
{
    write_file("r.vxgrass", "name: a\njitter: -0\n");
    struct vxb_recipe *r = must_parse(
        "{\"kind\":\"grass-field\",\"terrain\":{\"file\":\"h.vxterrain\",\"origin\":[-0.0,-1e-99,0]},"
        "\"species\":[{\"rule\":"
        "\"r.vxgrass\",\"max_slope_degrees\":-0,\"min_weight\":-0,"
        "\"lods\":[{\"distance\":3,\"keep\":-0,\"fade\":-0}]}]}");
    const struct vxb_recipe_species *s = &r->species[0];
    const float zeros[] = {s->lods[0].keep,      s->lods[0].fade,      s->min_weight, s->max_slope, s->jitter,
                           r->terrain.origin[0], r->terrain.origin[1]};
    for (size_t i = 0; i < sizeof zeros / sizeof zeros[0]; i++)
        cr_assert(zeros[i] == 0.0f && !signbit(zeros[i]), "number %zu is %g", i, (double)zeros[i]);
    vxb_recipe_free(r);
}

Test(recipe, values_in_other_locales__are_the_same)
{
    setlocale(LC_ALL, "de_DE.UTF-8");
    struct vxb_recipe *r = must_parse("{\"kind\":\"grass-field\",\"density\":0.5,"
                                      "\"terrain\":{\"file\":\"h.vxterrain\"},"
                                      "\"species\":[{\"name\":\"a\"}]}");
    cr_assert(eq(flt, r->density, 0.5f));
    vxb_recipe_free(r);
    parse_parts(",\"density_scale\":1.5", "", "");
    cr_assert(eq(str, said, (char *)"error: r.json: /density_scale: found 1.5; allowed: a number from 0 to 1\n"));
}

/* ---- faults ---- */

Test(recipe, wrong_values__are_refused_and_named)
{
    static const struct {
        const char *top, *terrain, *species, *message;
    } cases[] = {
        {",\"densty\":1", "", "", "/densty: no such key; did you mean \"density\"?"},
        {",\"Density\":1", "", "", "/Density: no such key; did you mean \"density\"?"},
        {",\"colour\":1", "", "", "/colour: no such key; allowed: kind, version, seed"},
        {",\"density\":0", "", "", "/density: found 0; allowed: a number above 0, at most 16777216"},
        {",\"version\":2", "", "", "/version: found 2; this build reads version 1"},
        {",\"version\":\"1\"", "", "", "/version: found \"1\"; allowed: 1"},
        {",\"cell_size\":0.5", "", "", "/cell_size: found 0.5; allowed: a number from 1 to 1024"},
        {",\"budgets\":{\"max_blades\":4294967295}", "", "", "/budgets/max_blades: found 4294967295; allowed: an "
         "integer"},
        {",\"budgets\":{\"gpu_bytes\":9007199254740993}", "", "", "/budgets/gpu_bytes: found 9007199254740992; "
         "allowed"},
        {"", ",\"size\":[1,2]", "", "/terrain/size/0: found 1; allowed: an integer from 2 to 32768"},
        {"", ",\"size\":[2]", "", "/terrain/size: found an array of 1; allowed: an array of 2, each an integer"},
        {"", ",\"range\":[5,4]", "", "/terrain/range: its first, 5, is above its second, 4"},
        {"", ",\"flip\":\"y\"", "", "/terrain/flip: found \"y\"; allowed: \"none\", \"x\", \"z\" or \"xz\""},
        {"", ",\"exclude\":\"\"", "", "/terrain/exclude: found \"\"; allowed: the path of a file"},
        {"", ",\"exclude\":{}", "", "/terrain/exclude: the key \"file\" is missing"},
        {"", ",\"layers\":{\"\":\"g\"}", "", "/terrain/layers/: the name of a layer has 0 bytes"},
        {"", ",\"layers\":{\"a/b\":7}", "", "/terrain/layers/a~1b: found 7; allowed: the path of a file, or an object"},
        {"", "", ",\"id\":\"0x0\"", "/species/0/id: found \"0x0\"; allowed: a text of \"0x\""},
        {"", "", ",\"id\":\"0x12345678901234567\"", "/species/0/id: found"},
        {"", "", ",\"id\":7", "/species/0/id: found 7; allowed"},
        {"", "", ",\"share\":0", "/species/0/share: found 0; allowed: a number from 1e-06 to 1000000"},
        {"", "", ",\"material\":\"\"", "/species/0/material: found \"\"; allowed: a text of 1 to 255 bytes"},
        {"", "", ",\"min_weight\":0.7", "/species/0: min_weight, 0.7, is above max_weight, 0.6"},
        {"", "", ",\"min_scale\":2", "/species/0: min_scale, 2, is above max_scale, 1.3"},
        {"", "", ",\"altitude\":[2,1]", "/species/0: altitude's first, 2, is above its second, 1"},
        {"", "", ",\"max_slope\":1,\"max_slope_degrees\":2", "/species/0: has both max_slope and max_slope_degrees"},
        {"", "", ",\"max_slope\":45",
         "/species/0/max_slope: found 45; allowed: a number from 0 to 1.5708, in radians: max_slope_degrees takes "
         "degrees"},
        {"", "", ",\"max_slope_degrees\":91", "/species/0/max_slope_degrees: found 91; allowed: a number from 0 to 90"},
        {"", "", ",\"lods\":[]", "/species/0/lods: found an array of 0; allowed: an array of 1 to 8 LODs"},
        {"", "", ",\"lods\":[{}]", "/species/0/lods/0: the key \"distance\" is missing"},
        {"", "", ",\"lods\":[{\"distance\":null},{\"distance\":9}]", "/species/0/lods/1/distance: the LOD before this "
         "one"},
        {"", "", ",\"lods\":[{\"distance\":9},{\"distance\":9.0000001}]",
         "/species/0/lods/1/distance: found 9; allowed: above 9, as distances ascend strictly"},
        {"", "", ",\"lods\":[{\"distance\":1e-60}]", "/species/0/lods/0/distance: found 0; allowed: above 0"},
        {"", "", ",\"lods\":[{\"distance\":9,\"fade\":10}]", "/species/0/lods/0/fade: fade, 10, is above distance, 9"},
        {"", "", ",\"lods\":[{\"distance\":9,\"keep\":0.5},{\"distance\":10}]",
         "/species/0/lods/1/keep: found 1; allowed: at most 0.5, as keep does not rise"},
        {"", "", ",\"passes\":[\"a\",\"b\",\"a\"]", "/species/0/passes/2: the pass \"a\" is named already"},
        {"", "", ",\"passes\":[\"\"]", "/species/0/passes/0: found \"\"; allowed: a text of 1 to 255 bytes"},
        {"", "", ",\"rule\":\"missing.vxgrass\"", "missing.vxgrass: /species/0/rule: cannot open: No such file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_assert_neq(parse_parts(cases[i].top, cases[i].terrain, cases[i].species), VXB_OK, "accepted: %s",
                      cases[i].message);
        cr_assert_not_null(strstr(said, cases[i].message), "said %s, not %s", said, cases[i].message);
        cr_assert(strchr(said, '\n') == strrchr(said, '\n'), "more than one message: %s", said);
    }
}

Test(recipe, all_faults__are_told_in_one_run_in_the_order_of_the_text)
{
    cr_assert(eq(int, parse_with("{\"kind\":\"grass-field\",\"species\":[{\"name\":\"\"},{\"jitter\":2,\"name\":\"b\"}"
                                 "],\"seed\":-1,\"terrain\":{\"file\":7,\"flip\":\"q\"},\"x\":1}", NULL, 0, NULL),
                 VXB_ERR_USAGE));
    static const char *const expected[] = {"/species/0/name", "/species/1/jitter", "/seed", "/terrain/file",
                                           "/terrain/flip", "/x", "\"density\" is missing"};
    const char *at = said;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const char *found = strstr(at, expected[i]);
        cr_assert_not_null(found, "%s is not said, or not in this place: %s", expected[i], said);
        at = found;
    }
}

Test(recipe, a_flood_of_faults__is_cut_short)
{
    char *text = malloc(200000), *at = text + sprintf(text, "{\"kind\":\"grass-field\"");
    for (int i = 0; i < 10000; i++)
        at += sprintf(at, ",\"key%d\":1", i);
    strcpy(at, "}");
    struct vxb_env silent = {.size = sizeof silent};
    struct vxb_error err = {0};
    struct vxb_recipe *r = NULL;
    cr_assert(eq(int, vxb_recipe_parse(&silent, text, strlen(text), "", "r.json", NULL, 0, &r, &err), VXB_ERR_USAGE));
    cr_assert(eq(str, err.pointer, (char *)"/key0"));
    unsigned count = 0;
    struct vxb_env counting = {.size = sizeof counting, .user = &count, .diag = count_diag};
    vxb_recipe_parse(&counting, text, strlen(text), "", "r.json", NULL, 0, &r, NULL);
    cr_assert(eq(u32, count, 201));
    free(text);
}

/* They were told without the recipe's name, and only where it had no other fault. */
Test(recipe, what_the_terrain_s_file_lacks__is_told_among_the_other_faults)
{
    cr_assert(eq(int, parse_with("{\"kind\":\"grass-field\",\"terrain\":{\"file\":\"h.png\",\"size\":[2,2]},\"sed\":1,"
                                 "\"density\":1,\"species\":[{\"name\":\"a\"}]}", NULL, 0, NULL), VXB_ERR_USAGE));
    static const char *const expected[] = {"r.json: /terrain/size: \"size\"",
                                           "r.json: /terrain/range: \"range\" is missing",
                                           "r.json: /terrain/metres_per_quad: \"metres_per_quad\" is missing",
                                           "r.json: /sed: no such key"};
    const char *at = said;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const char *found = strstr(at, expected[i]);
        cr_assert_not_null(found, "%s is not said, or not in this place: %s", expected[i], said);
        at = found;
    }
    /* Of a value that is wrong nobody is told that it is missing. */
    cr_assert(eq(int, parse_with("{\"kind\":\"grass-field\",\"terrain\":{\"file\":\"h.png\",\"range\":7},"
                                 "\"density\":1,\"species\":[{\"name\":\"a\"}]}", NULL, 0, NULL), VXB_ERR_USAGE));
    cr_assert_not_null(strstr(said, "/terrain/range: found 7"));
    cr_assert(eq(ptr, strstr(said, "missing"), NULL));
}

Test(recipe, comments_and_schema__are_passed_over_in_any_object)
{
    cr_assert_eq(parse_with("{\"kind\":\"grass-field\",\"$comment\":[1,{\"a\":2}],\"$schema\":\"s\",\"terrain\":{"
                            "\"file\":\"h.pfm\",\"metres_per_quad\":1,\"$comment\":1,\"layers\":{\"$comment\":{},"
                            "\"G\":{\"$schema\":0,\"file\":\"g\"}}},\"species\":[{\"name\":\"a\",\"$comment\":\"x\","
                            "\"lods\":[{\"$comment\":null,\"distance\":1}]}]}", NULL, 0, NULL),
                 VXB_OK, "%s", said);
}

Test(recipe, another_kind_or_version__is_refused_and_nothing_else_is_said)
{
    cr_assert(eq(int, parse_with("{\"kind\":\"bake-report\",\"whatever\":1}", NULL, 0, NULL), VXB_ERR_USAGE));
    cr_assert(eq(str, said, (char *)"error: r.json: /kind: found \"bake-report\"; allowed: \"grass-field\"\n"));
    cr_assert(eq(int, parse_with("{\"version\":2,\"whatever\":1}", NULL, 0, NULL), VXB_ERR_UNSUPPORTED));
    cr_assert(eq(str, said, (char *)"error: r.json: /version: found 2; this build reads version 1\n"));
    cr_assert(eq(int, parse_with("{}", NULL, 0, NULL), VXB_ERR_USAGE));
    cr_assert(eq(int, parse_with("[]", NULL, 0, NULL), VXB_ERR_USAGE));
    cr_assert(eq(str, said, (char *)"error: r.json: found an array of 0; allowed: an object, the recipe\n"));
}

Test(recipe, names__are_measured_in_bytes_and_escaped_where_printed)
{
    char species[1024] = ",\"material\":\"", *at = species + strlen(species);
    for (int i = 0; i < 127; i++)
        at += sprintf(at, "\xc3\xa9");
    strcpy(at, "x\"");
    cr_assert_eq(parse_parts("", "", species), VXB_OK, "%s", said);
    strcpy(at, "xx\"");
    cr_assert(eq(int, parse_parts("", "", species), VXB_ERR_USAGE));
    cr_assert(eq(int, parse_parts("", "", ",\"id\":\"\\u001b[31m\""), VXB_ERR_USAGE));
    cr_assert_null(strchr(said, 27));
}

Test(recipe, species_with_one_name_or_id__are_told_apart)
{
    parse_with("{\"kind\":\"grass-field\",\"density\":1,\"terrain\":{\"file\":\"h.vxterrain\"},"
               "\"species\":[{\"name\":\"a\","
               "\"id\":\"0x1\"},{\"name\":\"A\",\"id\":\"0x01\"},{\"name\":\"a\"}]}", NULL, 0, NULL);
    cr_assert(eq(str, said, (char *)
                 "error: r.json: /species/1: has the id 0x0000000000000001, which /species/0 has already\n"
                 "error: r.json: /species/2: has the name \"a\", which /species/0 has already\n"));
}

/* ---- where it comes from ---- */

Test(recipe, file__may_have_a_mark_and_carriage_returns)
{
    struct vxb_recipe *r = NULL;
    struct vxb_error err = {0};
    write_file("m.json", "\xef\xbb\xbf{\r\n\"kind\":\"grass-field\",\r\n\"terrain\":{\"file\":\"h.vxterrain\"},\r\n"
                         "\"species\":[{\"name\":\"Meadow\"}]}\r\n");
    cr_assert(eq(int, vxb_recipe_load(NULL, "m.json", NULL, 0, &r, &err), VXB_OK));
    cr_assert(eq(str, (char *)r->path, (char *)"m.json"));
    vxb_recipe_free(r);
}

Test(recipe, paths__start_from_the_folder_of_the_recipe)
{
    struct vxb_recipe *r = NULL;
    struct vxb_error err = {0};
    char path[256];
    write_file("m.json", SIMPLE);
    snprintf(path, sizeof path, "%s/m.json", here);
    cr_assert(eq(int, vxb_recipe_load(NULL, path, NULL, 0, &r, &err), VXB_OK));
    snprintf(path, sizeof path, "%s/h.vxterrain", here);
    cr_assert(eq(str, (char *)r->terrain.path, path));
    vxb_recipe_free(r);
}

/* To what opens it later, "-" would be standard input. */
Test(recipe, file_named_dash__stays_a_file)
{
    struct vxb_recipe *r = must_parse("{\"kind\":\"grass-field\",\"terrain\":{\"file\":\"h.vxterrain\","
                                      "\"stomp\":\"-\"},"
                                      "\"species\":[{\"name\":\"a\"}]}");
    cr_assert(eq(str, (char *)r->terrain.stomp.path, (char *)"./-"));
    vxb_recipe_free(r);
}

Test(recipe, path_of_the_longest_kind__is_refused)
{
    char terrain[5000] = ",\"exclude\":\"", *end = terrain + strlen(terrain);
    memset(end, 'p', 4096);
    strcpy(end + 4096, "\"");
    char text[6000];
    snprintf(text, sizeof text,
             "{\"kind\":\"grass-field\",\"terrain\":{\"file\":\"h.vxterrain\"%s},"
             "\"species\":[{\"name\":\"a\"}]}", terrain);
    cr_assert(eq(int, parse_with(text, NULL, 0, NULL), VXB_ERR_USAGE));
    cr_assert_not_null(strstr(said, "/terrain/exclude: this path is too long"));
}

Test(recipe, missing_empty_or_folder__is_told_with_its_path)
{
    struct vxb_recipe *r = NULL;
    struct vxb_error err = {0};
    said[0] = 0;
    cr_assert(eq(int, vxb_recipe_load(&collecting, "none.json", NULL, 0, &r, &err), VXB_ERR_IO));
    vxb_error_clear(&err);
    write_file("empty.json", "");
    cr_assert(eq(int, vxb_recipe_load(&collecting, "empty.json", NULL, 0, &r, &err), VXB_ERR_USAGE));
    cr_assert(eq(int, err.status, VXB_ERR_USAGE));
    vxb_error_clear(&err);
    cr_assert(eq(int, vxb_recipe_load(&collecting, ".", NULL, 0, &r, &err), VXB_ERR_IO));
    cr_assert(eq(str, said, (char *)"error: none.json: cannot open: No such file or directory\n"
                                    "error: empty.json: the file is empty\n"
                                    "error: .: cannot read: Is a directory\n"));
    cr_assert(eq(ptr, r, NULL));
}

/* ---- overrides ---- */

Test(recipe, overrides__change_add_and_append)
{
    static const struct vxb_recipe_set sets[] = {
        {"/terrain/file", "h.pfm"}, {"/terrain/metres_per_quad", "1"}, {"/seed", "7"}, {"/density", "12.5"},
        {"/terrain/origin", "[1,2,3]"}, {"/terrain/layers", "{}"},
        {"/terrain/layers/a~1b~0", "map one.png"}, {"/species/0/name", "Dry grass"}, {"/species/-", "{\"name\":\"b\"}"},
        {"/species/1/share", "3"}, {"/species/2", "{\"name\":\"007\"}"}, {"/seed", "8"},
    };
    struct vxb_recipe *r = NULL;
    cr_assert_eq(parse_with(SIMPLE, sets, sizeof sets / sizeof sets[0], &r), VXB_OK, "%s", said);
    cr_assert(eq(u32, r->seed, 8));
    cr_assert(r->density == 12.5f && r->terrain.origin[2] == 3 && r->species_count == 3 && r->species[1].share == 3);
    cr_assert(eq(str, (char *)r->species[0].name, (char *)"Dry grass"));
    cr_assert(eq(str, (char *)r->terrain.layers[0].name, (char *)"a/b~"));
    cr_assert(eq(str, (char *)r->terrain.layers[0].map.path, (char *)"map one.png"));
    vxb_recipe_free(r);
}

Test(recipe, overrides_that_lead_nowhere__are_refused)
{
    static const struct {
        struct vxb_recipe_set set;
        const char *message;
    } cases[] = {
        {{"seed", "7"}, "seed: cannot be set: a JSON pointer begins with '/'"},
        {{"", "7"}, "cannot be set: a JSON pointer begins with '/'"},
        {{"/nowhere/x", "7"}, "/nowhere/x: cannot be set: the recipe has nothing there to set it in: no nowhere"},
        {{"/species/1/share", "7"}, "/species/1/share: cannot be set: the recipe has nothing there to set it in: no 1"},
        {{"/species/00/share", "7"}, "no 00"},
        {{"/species/2", "{}"}, "/species/2: cannot be set: not an index of this array"},
        {{"/species/x", "{}"}, "not an index of this array"},
        {{"/species/99999999999999999999", "{}"}, "not an index of this array"},
        {{"/kind/x", "1"}, "/kind/x: cannot be set: its parent is neither an object nor an array"},
        {{"/a~2", "1"}, "/a~2: cannot be set: after '~'"},
        {{"/a~", "1"}, "/a~: cannot be set: after '~'"},
        {{"/seed", "{\"a\":1"}, "/seed: cannot be set: the value is not valid JSON: "},
        {{"/seed", "\xff"}, "/seed: cannot be set: the value is not UTF-8"},
        {{"/\xff", "1"}, "cannot be set: the pointer is not UTF-8"},
        {{"/seed", "007"}, "/seed: found \"007\"; allowed: an integer"},
        {{"/seed", ""}, "/seed: found \"\"; allowed: an integer"},
        {{"/new", "1"}, "/new: no such key"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_assert_eq(parse_with(SIMPLE, &cases[i].set, 1, NULL), VXB_ERR_USAGE, "accepted: %s", cases[i].message);
        cr_assert_not_null(strstr(said, cases[i].message), "said %s, not %s", said, cases[i].message);
    }
}

/* ---- rules ---- */

#define RULED "{\"kind\":\"grass-field\",\"terrain\":{\"file\":\"h.vxterrain\"}," \
    "\"species\":[{\"rule\":\"r.vxgrass\"%s}%s]%s}"

static enum vxb_status parse_ruled(const char *rule, const char *species, const char *others, const char *top,
                                   struct vxb_recipe **out)
{
    char text[2048];
    write_file("r.vxgrass", rule);
    snprintf(text, sizeof text, RULED, species, others, top);
    enum vxb_status status = parse_with(text, NULL, 0, out);
    if (status == VXB_ERR_UNSUPPORTED)
        cr_skip("built without libyaml");
    return status;
}

static const char meadow[] =
    "# a comment\nname: Meadow\nlayer: Grass\nminWeight: 0.2\nmaxWeight: 0.5\ndensity: 24\njitter: 0.5\nminScale: 0.6\n"
    "maxScale: 1.5\nrandomYaw: false\nalignToNormal: 0.25\nmaxSlope: 0.8\nstartCullDistance: 30\nendCullDistance: 42\n"
    "albedo: grass.png\nmesh: blade\nwind:\n  direction: 1 0.3\n  strength: 0.12\n  height: 0.6\n";

Test(recipe, rule__gives_what_the_recipe_leaves_out)
{
    struct vxb_recipe *r = NULL;
    cr_assert_eq(parse_ruled(meadow, "", "", "", &r), VXB_OK, "%s", said);
    const struct vxb_recipe_species *s = &r->species[0];
    cr_assert(eq(str, (char *)s->name, (char *)"Meadow"));
    cr_assert(eq(str, (char *)s->material, (char *)"Meadow"));
    cr_assert(eq(str, (char *)s->mesh, (char *)"blade"));
    cr_assert(eq(str, (char *)s->layer, (char *)"Grass"));
    cr_assert(r->density == 24 && s->rule_has_density && s->rule_density == 24);
    cr_assert(s->min_weight == 0.2f && s->max_weight == 0.5f && s->jitter == 0.5f && s->min_scale == 0.6f);
    cr_assert(s->max_scale == 1.5f && !s->random_yaw && s->align_to_normal == 0.25f && s->max_slope == 0.8f);
    cr_assert(s->lod_count == 1 && s->lods[0].distance == 42 && s->lods[0].fade == 30 && s->lods[0].keep == 1);
    cr_assert(eq(str, said, (char *)"note: r.vxgrass: albedo and wind are not baked; the engine reads them from the"
                                    " rule\n"));
    cr_assert(eq(u32, r->input_count, 2));
    cr_assert(eq(str, (char *)r->inputs[1], (char *)"r.vxgrass"));
    vxb_recipe_free(r);
}

Test(recipe, recipe__overrides_its_rule)
{
    struct vxb_recipe *r = NULL;
    cr_assert_eq(parse_ruled(meadow, ",\"name\":\"n\",\"layer\":null,\"min_weight\":0.25,\"max_slope_degrees\":0,"
                             "\"random_yaw\":true,\"mesh\":\"\",\"lods\":[{\"distance\":5}]", "", ",\"density\":3", &r),
                 VXB_OK, "%s", said);
    const struct vxb_recipe_species *s = &r->species[0];
    cr_assert(eq(str, (char *)s->name, (char *)"n"));
    cr_assert(eq(str, (char *)s->mesh, (char *)""));
    cr_assert(eq(ptr, (void *)s->layer, NULL));
    cr_assert(r->density == 3 && s->min_weight == 0.25f && s->max_weight == 0.5f && s->max_slope == 0 && s->random_yaw);
    cr_assert(s->lod_count == 1 && s->lods[0].distance == 5 && s->lods[0].fade == 5);
    vxb_recipe_free(r);
}

Test(recipe, rules_and_recipe_that_do_not_fit__are_told)
{
    cr_assert(eq(int, parse_ruled(meadow, ",\"max_weight\":0.1", "", "", NULL), VXB_ERR_USAGE));
    cr_assert_not_null(strstr(said, "/species/0: min_weight, 0.2, is above max_weight, 0.1"));
    cr_assert(eq(int, parse_ruled("layer: G\n", "", "", "", NULL), VXB_ERR_USAGE));
    cr_assert_not_null(strstr(said, "/species/0: the key \"name\" is missing, and the rule has no name either"));
}

Test(recipe, several_species__need_one_density_and_are_told_which_the_rules_meant)
{
    struct vxb_recipe *r = NULL;
    cr_assert(eq(int, parse_ruled(meadow, "", ",{\"name\":\"b\"}", "", NULL), VXB_ERR_USAGE));
    cr_assert_not_null(strstr(said, "error: r.json: the key \"density\" is missing: 2 species share one density; the "
                              "rules' own would be \"density\": 40 and the shares 24, 16, in order"), "%s", said);
    cr_assert(eq(int, parse_ruled(meadow, "", ",{\"name\":\"b\"}", ",\"density\":9", &r), VXB_OK));
    cr_assert(eq(flt, r->density, 9));
    cr_assert_not_null(strstr(said, "warning: r.json: /density: the rules' own densities are ignored, as the species "
                              "share one; \"density\": 40 and the shares 24, 16, in order, would give them"));
    vxb_recipe_free(r);
}

Test(recipe, faults_in_a_rule__are_told_with_line_and_column)
{
    static const struct {
        const char *rule, *message;
    } cases[] = {
        {"name: a\njitter: 2\n", "r.vxgrass:2:9: /species/0/rule: jitter: found 2; allowed: a number from 0 to 1"},
        {"name: a\njitter: 0,5\n", "r.vxgrass:2:9: /species/0/rule: jitter: found 0,5; allowed: a number from 0 to 1"},
        {"name: a\ndensity: .inf\n", "density: found .inf; allowed: a number above 0, at most 16777216"},
        {"name: a\nrandomYaw: 1\n", "randomYaw: found 1; allowed: true or false"},
        {"name: a\nname: b\n", "r.vxgrass:2:1: /species/0/rule: the key \"name\" is here twice"},
        {"name: a\nwind: 3\n", "r.vxgrass:2:7: /species/0/rule: wind: found 3; allowed: a mapping of direction"},
        {"name: a\nwind:\n  direction: north\n", "r.vxgrass:3:14: /species/0/rule: direction: found north; allowed"},
        {"name: a\nwind:\n  strength: strong\n", "r.vxgrass:3:13: /species/0/rule: strength: found strong; allowed"},
        {"name: [a]\n", "r.vxgrass:1:7: /species/0/rule: name: found a list or a mapping; allowed: one value"},
        {"name: a\nstartCullDistance: 5\nendCullDistance: 4\n", "r.vxgrass:2:20: /species/0/rule: startCullDistance"},
        {"name: &x a\nmesh: *x\n", "r.vxgrass:2:7: /species/0/rule: an alias (*name)"},
        {"name: \"a\\0b\"\n", "name: found a; allowed: a text of at most 255 bytes without a NUL"},
        {"name: a\n---\nname: b\n", "a second YAML document"},
        {"- a\n", "r.vxgrass:1:1: /species/0/rule: a rule is a mapping of keys to values"},
        {"# nothing\n", "the file holds no YAML document"},
        {"name: a\n\tjitter: 1\n", "r.vxgrass:2:1: /species/0/rule: not valid YAML: "},
        {"name: \"a\n", "not valid YAML: "},
        {"a\xff: 1\n", "not valid YAML: "},
        {"", "r.vxgrass: /species/0/rule: the file is empty"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_assert_eq(parse_ruled(cases[i].rule, "", "", "", NULL), VXB_ERR_DATA, "accepted, or another fault: %s",
                     said);
        cr_assert_not_null(strstr(said, cases[i].message), "said %s, not %s", said, cases[i].message);
    }
}

Test(recipe, unknown_keys_of_a_rule__are_warnings)
{
    cr_assert_eq(parse_ruled("name: a\nminWieght: 0.5\nfuture: {a: [1, 2], b: {c: d}}\nlayer:\nwind:\n  gusts: 1\n", "",
                             "", "", NULL), VXB_OK, "%s", said);
    cr_assert_not_null(strstr(said, "warning: r.vxgrass:2:1: /species/0/rule: the key \"minWieght\" is not known and "
                              "is ignored; did you mean minWeight?"), "%s", said);
    cr_assert_not_null(strstr(said, "warning: r.vxgrass:3:1: /species/0/rule: the key \"future\" is not known and is "
                              "ignored\n"), "%s", said);
    cr_assert_not_null(strstr(said, "r.vxgrass:6:3: "), "%s", said);
}

Test(recipe, rule_that_is_deep_or_large__is_refused)
{
    char *rule = malloc(70001);
    strcpy(rule, "name: a\nx: ");
    memset(rule + strlen(rule), '[', 1000);
    rule[1000] = 0;
    cr_assert(eq(int, parse_ruled(rule, "", "", "", NULL), VXB_ERR_DATA));
    cr_assert_not_null(strstr(said, "nested more than 16 levels deep"), "%s", said);
    memset(rule, '#', 70000);
    rule[70000] = 0;
    cr_assert(eq(int, parse_ruled(rule, "", "", "", NULL), VXB_ERR_DATA));
    cr_assert_not_null(strstr(said, "more than 65536 bytes"), "%s", said);
    free(rule);
}

Test(recipe, rule_of_the_showcase__is_read_without_a_warning)
{
    struct vxb_recipe *r = NULL;
    static const char text[] = "{\"kind\":\"grass-field\",\"terrain\":{\"file\":\"Showcase.vxterrain\"},"
                               "\"species\":[{\"rule\":\"Meadow.vxgrass\"}]}";
    struct vxb_error err = {0};
    if (access(TEST_SHARED "/data/vixen/03-PbrShowcase/Terrain/Meadow.vxgrass", R_OK))
        cr_skip("no ../shared/data/vixen here");
    said[0] = 0;
    enum vxb_status status = vxb_recipe_parse(&collecting, text, strlen(text),
                                              TEST_SHARED "/data/vixen/03-PbrShowcase/Terrain", "r.json", NULL, 0, &r,
                                              &err);
    if (status == VXB_ERR_UNSUPPORTED)
        cr_skip("built without libyaml");
    cr_assert_eq(status, VXB_OK, "%s", said);
    cr_assert_null(strstr(said, "warning"), "%s", said);
    cr_assert(r->density == 24 && r->species[0].max_slope == 0.8f && r->species[0].lods[0].distance == 42);
    vxb_recipe_free(r);
}

/* ---- robustness ---- */

Test(recipe, json_test_suite_as_recipe__is_refused_with_a_reason)
{
    DIR *folder = opendir(TEST_SHARED "/data/damaged/json");
    if (!folder)
        cr_skip("no ../shared/data/damaged/json here");
    unsigned count = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        struct vxb_recipe *r = NULL;
        struct vxb_error err = {0};
        char path[1024];
        struct stat st;
        snprintf(path, sizeof path, "%s/data/damaged/json/%s", TEST_SHARED, entry->d_name);
        if (stat(path, &st) || !S_ISREG(st.st_mode))
            continue;
        cr_expect_eq(vxb_recipe_load(NULL, path, NULL, 0, &r, &err), VXB_ERR_USAGE, "%s", entry->d_name);
        cr_expect(err.path[0] && err.message[0], "%s: says nothing", entry->d_name);
        count++;
    }
    closedir(folder);
    cr_assert_gt(count, 300);
}

Test(recipe, allocation_that_fails__is_told_and_nothing_leaks)
{
    static const struct vxb_recipe_set set = {"/seed", "7"};
    char text[1024];
    write_file("r.vxgrass", meadow);
    snprintf(text, sizeof text, RULED, ",\"layer\":\"G\"", "", "");
    for (uint64_t n = 1;; n++) {
        struct heap heap = {.fail_at = n};
        const struct vxb_env env = heap_env(&heap);
        struct vxb_recipe *r = NULL;
        struct vxb_error err = {0};
        enum vxb_status status = vxb_recipe_parse(&env, text, strlen(text), "", "r.json", &set, 1, &r, &err);
        if (status == VXB_ERR_UNSUPPORTED)
            cr_skip("built without libyaml");
        vxb_recipe_free(r);
        cr_assert(eq(u64, heap.now, 0));
        if (!status) {
            cr_assert_gt(n, 6);
            break;
        }
        cr_assert_eq(status, VXB_ERR_MEMORY, "%" PRIu64 ": %s", n, err.message);
    }
}
