/* vxbake bake: a recipe into a grass field, a depth pyramid or an irradiance field. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "bake_device.h"
#include "bake_probes.h"
#include "bake_text.h"
#include "names.h"

static int run(int argc, char **argv);

enum {
    OPT_OUTPUT,
    OPT_IF_CHANGED,
    OPT_COMPRESS,
    OPT_SPLIT,
    OPT_PREVIEW,
    OPT_PREVIEW_AS,
    OPT_DEPFILE,
    OPT_REPORT,
    OPT_FORMAT,
    OPT_SET,
    OPT_REGION,
    OPT_DRY_RUN,
    OPT_MAX_DROPPED,
    OPT_DEVICE,
    OPT_CROSS_CHECK,
    OPT_INEXACT,
    OPT_THREADS,
    OPT_MAX_MEMORY,
    OPT_COUNT
};

static const struct cli_option options[OPT_COUNT + 1] = {
    [OPT_OUTPUT] = {"output", 'o', "FILE", "the file to write; - is standard output"},
    [OPT_IF_CHANGED] = {"if-changed", 0, NULL, "leave FILE alone, and its time, where it would\nstay the same"},
    [OPT_COMPRESS] = {"compress", 0, "LEVEL", "compress the field's chunks: 1 (fast) to 22\n(small), below 0 faster "
                                              "still; none: do not"},
    [OPT_SPLIT] = {"split", 0, NULL, "group the bytes of the blades before compression"},
    [OPT_PREVIEW] = {"preview", 0, "FILE.png", "draw the field from above, or the pyramid's levels"},
    [OPT_PREVIEW_AS] = {"preview-as", 0, "WHAT", "of a field: species (the default), reason (why\n"
                                                 "nothing grows) or density"},
    [OPT_DEPFILE] = {"depfile", 0, "FILE", "write a Make rule of everything that was read"},
    [OPT_REPORT] = {"report", 0, "json=FILE", "write the report as JSON"},
    [OPT_FORMAT] = {"format", 0, "FORMAT", "how to print the report or the plan: text, json\nor json-lines"},
    [OPT_SET] = {"set", 0, "/POINTER=VALUE", "put a value in the place of the recipe's; may be\ngiven again"},
    [OPT_REGION] = {"region", 0, "X0,Z0,X1,Z1", "only the cells that this rectangle of the world\ntouches; the file is "
                                                "marked as partial"},
    [OPT_DRY_RUN] = {"dry-run", 'n', NULL, "write nothing: print the plan of a field, or what\na pyramid would be"},
    [OPT_MAX_DROPPED] = {"max-dropped", 0, "N", "fail where an irradiance field lacks slots for more\n"
                                                "bricks than this"},
    [OPT_DEVICE] = {"device", 0, "DEVICE", "cpu (the default), opencl, opencl:N, opencl:NAME\nor auto; the bytes "
                                            "stay the same"},
    [OPT_CROSS_CHECK] = {"cross-check", 0, "PERCENT", "compute so much of the cells, or bricks, on the cpu\n"
                                                      "too, and compare"},
    [OPT_INEXACT] = {"inexact", 0, NULL, "take a device that does not give the same bytes;\nthe file says so"},
    [OPT_THREADS] = {"threads", 0, "N", "threads, 0: one a processor; the bytes stay the\nsame"},
    [OPT_MAX_MEMORY] = {"max-memory", 0, "SIZE", "the most that an input may take (default 1G)"},
};

static const bool once[OPT_COUNT] = {[OPT_OUTPUT] = true, [OPT_PREVIEW] = true, [OPT_DEPFILE] = true,
                                     [OPT_REPORT] = true, [OPT_REGION] = true};

const struct cli_command cli_command_bake = {
    .name = "bake",
    .summary = "bake a recipe: grass field, depth pyramid, irradiance field",
    .usage = "RECIPE -o FILE [OPTION]...",
    .about = "Bakes the grass field, the depth pyramid or the irradiance field that a recipe\n"
             "describes. RECIPE is a JSON file, - is standard input; a depth frame (.pfm, .png,\n"
             ".r32, .raw) stands for the recipe of its pyramid. FILE is replaced as a whole, or\n"
             "not at all.",
    .options = options,
    .once = once,
    .run = run,
};

/* What the command line asks for. */
struct request {
    struct args args;
    const char *recipe;
    struct vxb_bake_options bake;
    struct vxb_recipe_set *sets;
    size_t set_count;
    enum cli_format format;
    bool has_format, has_preview_as, has_device;
    bool dry_run;
    struct bake_device device;
    bool has_max_dropped;
    uint64_t max_dropped;
};

static bool read_percent(struct request *request, const char *value)
{
    int64_t percent;
    if (!args_integer(&request->args, "--cross-check", value, 0, 100, &percent))
        return false;
    request->bake.cross_check = (double)percent;
    return true;
}

static bool read_max_dropped(struct request *request, const char *value)
{
    int64_t most;
    if (!args_integer(&request->args, "--max-dropped", value, 0, INT64_MAX, &most))
        return false;
    request->has_max_dropped = true;
    request->max_dropped = (uint64_t)most;
    return true;
}

static bool read_option(void *user, int which, char *value)
{
    struct request *request = user;
    static const char *const previews[] = {[VXB_PREVIEW_SPECIES] = "species", [VXB_PREVIEW_REASON] = "reason",
                                           [VXB_PREVIEW_DENSITY] = "density", NULL};
    const struct args *args = &request->args;
    int word;
    switch (which) {
    case OPT_OUTPUT: request->bake.output = args_output(value); return true;
    case OPT_IF_CHANGED: request->bake.if_changed = true; return true;
    case OPT_COMPRESS: return args_level(args, value, &request->bake.compress, &request->bake.compress_level);
    case OPT_SPLIT: request->bake.split = true; return true;
    case OPT_PREVIEW: request->bake.preview = args_output(value); return true;
    case OPT_PREVIEW_AS:
        if (!args_word(args, "--preview-as", value, previews, &word))
            return false;
        request->bake.preview_as = (enum vxb_preview_as)word;
        request->has_preview_as = true;
        return true;
    case OPT_DEPFILE: request->bake.depfile = args_output(value); return true;
    case OPT_REPORT: return args_report(args, value, &request->bake.report_json);
    case OPT_FORMAT: request->has_format = true; return args_format(args, value, &request->format);
    case OPT_SET: return args_set(args, value, &request->sets[request->set_count++]);
    case OPT_REGION:
        request->bake.has_region = true;
        return args_numbers(args, "--region", value, "0,0,64,64", 4, request->bake.region);
    case OPT_DRY_RUN: request->dry_run = true; return true;
    case OPT_MAX_DROPPED: return read_max_dropped(request, value);
    case OPT_DEVICE: request->has_device = true, request->device.choice = value; return true;
    case OPT_CROSS_CHECK: request->has_device = true; return read_percent(request, value);
    case OPT_INEXACT: request->has_device = request->device.inexact = true; return true;
    default: return false;
    }
}

/* How many of what is asked for would go to standard output. */
static int standard_outputs(const struct request *request)
{
    const char *names[] = {request->bake.output, request->bake.preview, request->bake.depfile,
                           request->bake.report_json};
    int count = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        count += names[i] && strcmp(names[i], "-") == 0;
    return count;
}

static const char *ending_of(enum vxb_recipe_kind kind)
{
    return kind == VXB_RECIPE_GRASS ? ".vxg" : kind == VXB_RECIPE_PYRAMID ? ".ktx2" : ".vxp";
}

/* The output's name to suggest where none was given: the recipe's with the ending of what it makes, or just FILE. */
static void suggest(const struct request *request, char *out, size_t room)
{
    static const char *const endings[] = {".json", ".pfm", ".png", ".r32", ".raw", NULL};
    const struct vxb_env quiet = {.size = sizeof quiet};
    const char *slash = strrchr(request->recipe, '/'), *base = slash ? slash + 1 : request->recipe;
    const char *dot = strrchr(base, '.');
    struct vxb_any_recipe recipe = {0};
    struct vxb_error err = {0};
    size_t length = strlen(base);
    snprintf(out, room, "FILE");
    if (strcmp(base, "-") == 0 || length > 200 ||
        vxb_any_recipe_load(&quiet, request->recipe, request->sets, request->set_count, &recipe, &err))
        return;
    for (int i = 0; endings[i] && dot && dot > base; i++)
        if (strcmp(dot, endings[i]) == 0)
            length = (size_t)(dot - base);
    snprintf(out, room, "%.*s%s", (int)length, base, ending_of(recipe.kind));
    vxb_any_recipe_clear(&recipe);
}

/* Files that are asked for, and that a dry run does not write; -o tells what the run without it would be. */
static void tell_unwritten(const struct request *request)
{
    const bool preview = request->bake.preview, depfile = request->bake.depfile;
    if (preview || depfile)
        cli_note("--dry-run writes nothing: %s%s%s no effect", preview ? "--preview" : "",
                 preview && depfile ? " and " : "", !depfile ? " has" : preview ? "--depfile have" : "--depfile has");
}

/* What the options only tell together. */
static int check(struct request *request)
{
    const struct cli_command *command = request->args.command;
    int code = args_one_operand(&request->args, "recipe", "vxbake bake RECIPE -o FILE", &request->recipe);
    if (code != CLI_EXIT_OK)
        return code;
    if (request->bake.split && !request->bake.compress)
        return cli_usage_error(command, "--split only helps compression: give --compress LEVEL with it");
    if (request->has_preview_as && !request->bake.preview)
        return cli_usage_error(command, "--preview-as needs the picture's name: --preview FILE.png");
    if (request->dry_run && request->bake.report_json)
        return cli_usage_error(command, "--dry-run bakes nothing to report on: print the plan with --format json");
    if (request->dry_run && request->bake.has_region)
        return cli_usage_error(command, "--dry-run plans the whole field, whatever --region is baked of it");
    if (request->dry_run) {
        tell_unwritten(request);
        return CLI_EXIT_OK;
    }
    if (!request->bake.output) {
        char name[256];
        suggest(request, name, sizeof name);
        return cli_usage_error(command, "no output given: vxbake bake %s -o %s", cli_clean(request->recipe),
                               cli_clean(name));
    }
    int taken = standard_outputs(request);
    if (taken > 1)
        return cli_usage_error(command, "standard output (-) can take one output only, and %d are to go there", taken);
    if (taken && request->format != CLI_TEXT)
        return cli_usage_error(command, "--format prints the report on standard output, where another output goes: "
                               "give --report json=FILE in its place");
    cli_set_summary_to_stderr(taken > 0);
    code = args_data_output(&request->args, "-o", request->bake.output);
    return code ? code : args_data_output(&request->args, "--preview", request->bake.preview);
}

static int read_command_line(struct request *request, int argc, char **argv)
{
    request->bake.size = sizeof request->bake;
    request->sets = calloc((size_t)argc, sizeof *request->sets);
    if (!request->sets)
        return cli_out_of_memory();
    int code = args_read(&request->args, &cli_command_bake, argc, argv, read_option, request);
    if (code != CLI_EXIT_OK || request->args.done)
        return code;
    bake_device_of_environment(&request->device);
    return check(request);
}

static enum vxb_status print_json(const struct request *request, const struct vxb_plan *plan,
                                  const struct vxb_bake_report *report, struct vxb_error *err)
{
    const struct vxb_sink sink = cli_out_sink();
    const bool line = request->format == CLI_JSON_LINES;
    return report ? vxb_bake_report_json(plan, report, line, &sink, err) : vxb_plan_json(plan, line, &sink, err);
}

struct grass {
    const struct vxb_plan *plan;
    struct vxb_bake_report *report;
};

static enum vxb_status bake_planned(void *user, const struct vxb_env *env, const struct vxb_bake_options *with,
                                    struct vxb_error *err)
{
    const struct grass *grass = user;
    return vxb_bake_planned(env, grass->plan, with, grass->report, err);
}

static enum vxb_status bake(const struct request *request, const struct vxb_env *env, const struct vxb_plan *plan,
                            struct vxb_error *err)
{
    struct vxb_bake_report report = {0};
    struct grass grass = {plan, &report};
    if (request->dry_run) {
        if (request->format != CLI_TEXT)
            return print_json(request, plan, NULL, err);
        bake_text_plan(plan);
        return VXB_OK;
    }
    const enum vxb_status status = bake_on_device(&request->device, env, vxb_bake_candidates(plan, &request->bake),
                                                  &request->bake, bake_planned, &grass, err);
    if (status)
        return status;
    if (request->format != CLI_TEXT)
        return print_json(request, plan, &report, err);
    bake_text_report(plan, &report, request->bake.output);
    return VXB_OK;
}

static enum vxb_status bake_grass(const struct request *request, const struct vxb_env *env,
                                  const struct vxb_recipe *recipe, struct vxb_error *err)
{
    struct vxb_terrain *terrain = NULL;
    struct vxb_plan *plan = NULL;
    enum vxb_status status = vxb_terrain_load(env, &recipe->terrain, &terrain, err);
    if (!status)
        status = vxb_plan_new(env, recipe, terrain, &plan, err);
    if (!status) {
        cli_detail("%" PRIu64 " candidates in %" PRIu32 " x %" PRIu32 " cells", plan->candidates, plan->cells_x,
                   plan->cells_z);
        status = bake(request, env, plan, err);
    }
    vxb_plan_free(plan);
    vxb_terrain_free(terrain);
    return status;
}

static enum vxb_status print_pyramid_json(const struct request *request, const struct vxb_pyramid_recipe *recipe,
                                          const struct vxb_pyramid_report *report, struct vxb_error *err)
{
    const struct vxb_sink sink = cli_out_sink();
    return vxb_pyramid_report_json(recipe, report, request->format == CLI_JSON_LINES, &sink, err);
}

static enum vxb_status bake_pyramid(const struct request *request, const struct vxb_env *env,
                                    const struct vxb_pyramid_recipe *recipe, struct vxb_error *err)
{
    struct vxb_bake_options wanted = request->bake;
    struct vxb_pyramid_report report = {0};
    /* Known only now that the recipe is read. VXBAKE_DEVICE is no such wish: it stands for every bake. */
    const char *wrong =
        request->has_preview_as    ? "--preview-as is for grass: the picture of a depth pyramid shows its levels"
        : request->bake.compress   ? "--compress is not for depth pyramids: engines read their texels where they stand"
        : request->bake.has_region ? "--region is for grass: a depth pyramid is baked whole"
        : request->has_device      ? "--device, --cross-check and --inexact are not for depth pyramids, which are made "
                                     "on the cpu"
                                   : NULL;
    if (wrong) {
        err->status = VXB_ERR_USAGE;
        snprintf(err->message, sizeof err->message, "%s", wrong);
        return err->status;
    }
    if (request->dry_run)
        wanted = (struct vxb_bake_options){.size = sizeof wanted};
    enum vxb_status status = vxb_pyramid_bake(env, recipe, &wanted, &report, err);
    cli_progress_clear();
    if (status)
        return status;
    if (request->format != CLI_TEXT)
        return print_pyramid_json(request, recipe, &report, err);
    bake_text_pyramid(recipe, &report, request->dry_run ? NULL : request->bake.output);
    return VXB_OK;
}

static enum vxb_status bake_light(const struct request *request, const struct vxb_env *env,
                                  const struct vxb_probe_recipe *recipe, bool *gate, struct vxb_error *err)
{
    const struct bake_probes b = {.bake = &request->bake,
                                  .device = &request->device,
                                  .format = request->format,
                                  .dry_run = request->dry_run,
                                  .has_preview_as = request->has_preview_as,
                                  .has_max_dropped = request->has_max_dropped,
                                  .max_dropped = request->max_dropped};
    return bake_probes(&b, env, recipe, gate, err);
}

static const char *const *inputs_of(const struct vxb_any_recipe *recipe, uint32_t *count)
{
    *count = recipe->grass     ? recipe->grass->input_count
             : recipe->pyramid ? recipe->pyramid->input_count
                               : recipe->probes->input_count;
    return recipe->grass     ? recipe->grass->inputs
           : recipe->pyramid ? recipe->pyramid->inputs
                             : recipe->probes->inputs;
}

/* Whether a name promises another kind of file than is written; known only now that the recipe is read. An input's name
 * is left to what refuses to replace it. */
static bool bad_name(const struct request *request, const struct vxb_any_recipe *recipe, const char *option,
                     const char *path, const char *ending, const char *what)
{
    uint32_t count;
    const char *const *inputs = inputs_of(recipe, &count);
    for (uint32_t i = 0; path && i < count; i++)
        if (args_same_file(path, inputs[i]))
            return false;
    return names_check(&request->args, option, path, ending, what) != CLI_EXIT_OK;
}

static bool bad_names(const struct request *request, const struct vxb_any_recipe *recipe)
{
    static const char *const whats[] = {[VXB_RECIPE_GRASS] = "a grass file", [VXB_RECIPE_PYRAMID] = "a depth pyramid",
                                        [VXB_RECIPE_PROBES] = "an irradiance field"};
    const struct vxb_bake_options *bake = &request->bake;
    return !request->dry_run && (bad_name(request, recipe, "-o", bake->output, ending_of(recipe->kind),
                                          whats[recipe->kind]) ||
                                 bad_name(request, recipe, "--preview", bake->preview, ".png", "a PNG") ||
                                 bad_name(request, recipe, "--depfile", bake->depfile, ".d", "a Make rule") ||
                                 bad_name(request, recipe, "--report", bake->report_json, ".json", "JSON"));
}

static void tell_inputs(const struct vxb_any_recipe *recipe)
{
    uint32_t count;
    const char *const *inputs = inputs_of(recipe, &count);
    for (uint32_t i = 0; i < count; i++)
        cli_detail("input %s", cli_clean(inputs[i]));
}

/* gate: a limit that was asked for was exceeded, which is no error but decides the exit code. Returns that. */
static int work(const struct request *request)
{
    struct vxb_error failure = {0}, *err = &failure;
    bool gate = false;
    struct vxb_env env;
    struct vxb_any_recipe recipe = {0};
    args_env(&request->args, &env);
    enum vxb_status status = vxb_any_recipe_load(&env, request->recipe, request->sets, request->set_count, &recipe,
                                                 err);
    if (status)
        return cli_failed(status, err);
    tell_inputs(&recipe);
    if (bad_names(request, &recipe)) {
        vxb_any_recipe_clear(&recipe);
        return CLI_EXIT_USAGE;
    }
    if (request->has_max_dropped && recipe.kind != VXB_RECIPE_PROBES) {
        err->status = status = VXB_ERR_USAGE;
        snprintf(err->message, sizeof err->message,
                 "--max-dropped is for irradiance fields, and this recipe is for a %s",
                 vxb_recipe_kind_name(recipe.kind));
    } else if (recipe.kind == VXB_RECIPE_GRASS) {
        status = bake_grass(request, &env, recipe.grass, err);
    } else if (recipe.kind == VXB_RECIPE_PYRAMID) {
        status = bake_pyramid(request, &env, recipe.pyramid, err);
    } else {
        status = bake_light(request, &env, recipe.probes, &gate, err);
    }
    vxb_any_recipe_clear(&recipe);
    return status ? cli_failed(status, err) : gate ? CLI_EXIT_NO : CLI_EXIT_OK;
}

static int run(int argc, char **argv)
{
    struct request request = {0};
    int code = read_command_line(&request, argc, argv);
    if (code == CLI_EXIT_OK && !request.args.done)
        code = work(&request);
    free(request.sets);
    args_clear(&request.args);
    return code;
}
