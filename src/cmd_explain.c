/* vxbake explain: what became of the candidates about a spot, and why. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "explain_text.h"
#include "reports.h"

static int run(int argc, char **argv);

enum {
    OPT_AT,
    OPT_RADIUS,
    OPT_SPECIES,
    OPT_LIMIT,
    OPT_SET,
    OPT_FORMAT,
    OPT_REPORT,
    OPT_THREADS,
    OPT_MAX_MEMORY,
    OPT_COUNT
};

static const struct cli_option options[OPT_COUNT + 1] = {
    [OPT_AT] = {"at", 0, "X,Z", "the spot, in metres of the world"},
    [OPT_RADIUS] = {"radius", 0, "METRES", "how far from it to look; half a metre, or two\nsteps of the grid, where it "
                                           "is not given"},
    [OPT_SPECIES] = {"species", 0, "NAME|ID", "the only species to look at"},
    [OPT_LIMIT] = {"limit", 0, "N", "candidates to tell of, nearest first (default 20);\nall are counted"},
    [OPT_SET] = {"set", 0, "/POINTER=VALUE", "put a value in the place of the recipe's; may be\ngiven again"},
    [OPT_FORMAT] = {"format", 0, "FORMAT", "how to print it: text, json or json-lines"},
    [OPT_REPORT] = {"report", 0, "json=FILE", "write it as JSON too"},
    [OPT_THREADS] = {"threads", 0, "N", "threads, 0: one a processor; the answer stays the\nsame"},
    [OPT_MAX_MEMORY] = {"max-memory", 0, "SIZE", "the most that an input may take (default 1G)"},
};

static const bool once[OPT_COUNT] = {[OPT_AT] = true, [OPT_SPECIES] = true, [OPT_REPORT] = true};

const struct cli_command cli_command_explain = {
    .name = "explain",
    .summary = "tell why grass grows at a spot, or does not",
    .usage = "RECIPE --at X,Z [OPTION]...",
    .about = "Tells what a bake of the recipe does with the candidates about a spot of the\n"
             "world: which test each of them fell to, and the numbers that were compared.\n"
             "RECIPE may be -, standard input.",
    .options = options,
    .once = once,
    .run = run,
};

struct request {
    struct args args;
    const char *recipe;
    struct vxb_explain_options what;
    bool has_at;
    struct vxb_recipe_set *sets;
    size_t set_count;
    enum cli_format format;
    struct report_file report;
};

static bool read_radius(struct request *request, const char *value)
{
    double *radius = &request->what.radius;
    if (vxb_text_number(value, radius) && *radius > 0.0 && *radius <= 1048576.0)
        return true;
    cli_usage_error(request->args.command, "--radius: '%s' is not a number above 0 and up to 1048576",
                    cli_clean(value));
    return false;
}

static bool read_option(void *user, int which, char *value)
{
    struct request *request = user;
    const struct args *args = &request->args;
    double spot[2];
    int64_t number;
    switch (which) {
    case OPT_AT:
        if (!args_numbers(args, "--at", value, "12.5,-40", 2, spot))
            return false;
        request->what.x = spot[0];
        request->what.z = spot[1];
        request->has_at = true;
        return true;
    case OPT_RADIUS: return read_radius(request, value);
    case OPT_SPECIES: request->what.species = value; return true;
    case OPT_LIMIT:
        if (!args_integer(args, "--limit", value, 1, UINT32_MAX, &number))
            return false;
        request->what.limit = (uint32_t)number;
        return true;
    case OPT_SET: return args_set(args, value, &request->sets[request->set_count++]);
    case OPT_FORMAT: return args_format(args, value, &request->format);
    case OPT_REPORT: return args_report(args, value, &request->report.path);
    default: return false;
    }
}

static int check(struct request *request)
{
    const struct cli_command *command = request->args.command;
    int code = args_one_operand(&request->args, "recipe", "vxbake explain RECIPE --at X,Z", &request->recipe);
    if (code != CLI_EXIT_OK)
        return code;
    if (!request->has_at)
        return cli_usage_error(command, "no spot given: vxbake explain %s --at X,Z", cli_clean(request->recipe));
    return report_check(&request->args, &request->report, request->format);
}

static int read_command_line(struct request *request, int argc, char **argv)
{
    request->what.size = sizeof request->what;
    request->sets = calloc((size_t)argc, sizeof *request->sets);
    if (!request->sets)
        return cli_out_of_memory();
    int code = args_read(&request->args, &cli_command_explain, argc, argv, read_option, request);
    return code == CLI_EXIT_OK && !request->args.done ? check(request) : code;
}

/* ---- the report ---- */

/* Opened before the work, and never one of what is read. */
static int open_report(struct request *request, const struct vxb_env *env, const struct vxb_recipe *recipe)
{
    int code = report_open(&request->report, env);
    for (uint32_t i = 0; i <= recipe->input_count && code == CLI_EXIT_OK; i++)
        if (report_is_input(&request->report, i < recipe->input_count ? recipe->inputs[i] : recipe->path))
            code = CLI_EXIT_REFUSED;
    return code == CLI_EXIT_OK && report_is_misnamed(&request->args, &request->report) ? CLI_EXIT_USAGE : code;
}

static enum vxb_status write_report(struct request *request, const struct vxb_plan *plan,
                                    const struct vxb_explanation *explanation, struct vxb_error *err)
{
    struct report_target target;
    if (!request->report.output)
        return VXB_OK;
    const struct vxb_sink sink = report_sink(&request->report, &target, err);
    enum vxb_status status = vxb_explanation_json(plan, explanation, false, &sink, err);
    return status ? status : report_commit(&request->report, err);
}

static enum vxb_status print(const struct request *request, const struct vxb_plan *plan,
                             const struct vxb_explanation *explanation, struct vxb_error *err)
{
    const struct vxb_sink sink = cli_out_sink();
    if (request->format != CLI_TEXT)
        return vxb_explanation_json(plan, explanation, request->format == CLI_JSON_LINES, &sink, err);
    explain_text(plan, explanation);
    return VXB_OK;
}

/* ---- the whole ---- */

static enum vxb_status explain(struct request *request, const struct vxb_env *env, const struct vxb_recipe *recipe,
                               struct vxb_error *err)
{
    struct vxb_terrain *terrain = NULL;
    struct vxb_plan *plan = NULL;
    struct vxb_explanation *explanation = NULL;
    enum vxb_status status = vxb_terrain_load(env, &recipe->terrain, &terrain, err);
    if (!status)
        status = vxb_plan_new(env, recipe, terrain, &plan, err);
    if (!status) {
        cli_detail("%" PRIu64 " candidates in %" PRIu32 " x %" PRIu32 " cells", plan->candidates, plan->cells_x,
                   plan->cells_z);
        status = vxb_explain(env, plan, &request->what, &explanation, err);
    }
    cli_progress_clear();
    if (!status)
        status = print(request, plan, explanation, err);
    if (!status)
        status = write_report(request, plan, explanation, err);
    vxb_explanation_free(explanation);
    vxb_plan_free(plan);
    vxb_terrain_free(terrain);
    return status;
}

static int work(struct request *request)
{
    struct vxb_env env;
    struct vxb_error err = {0};
    struct vxb_recipe *recipe = NULL;
    args_env(&request->args, &env);
    enum vxb_status status =
        vxb_recipe_load(&env, request->recipe, request->sets, request->set_count, &recipe, &err);
    if (status)
        return cli_failed(status, &err);
    for (uint32_t i = 0; i < recipe->input_count; i++)
        cli_detail("input %s", cli_clean(recipe->inputs[i]));
    int code = open_report(request, &env, recipe);
    if (code == CLI_EXIT_OK) {
        status = explain(request, &env, recipe, &err);
        code = status ? cli_failed(status, &err) : CLI_EXIT_OK;
    }
    vxb_output_abort(request->report.output);
    vxb_recipe_free(recipe);
    return code;
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
