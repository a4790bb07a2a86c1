/* Report files. */
#include "reports.h"

#include <string.h>

#include "names.h"

bool reports_add(struct reports *reports, enum report_kind kind, const char *path)
{
    if (reports->count == REPORTS_MAX) {
        cli_error("--report was given more than %d times", REPORTS_MAX);
        return false;
    }
    reports->files[reports->count++] = (struct report_file){.kind = kind, .path = path};
    return true;
}

int reports_to_standard_output(const struct reports *reports)
{
    int count = 0;
    for (size_t i = 0; i < reports->count; i++)
        count += strcmp(reports->files[i].path, "-") == 0;
    return count;
}

int report_check(const struct args *args, const struct report_file *file, enum cli_format format)
{
    if (!file->path || strcmp(file->path, "-") != 0)
        return CLI_EXIT_OK;
    if (format != CLI_TEXT)
        return cli_usage_error(args->command, "--format prints on standard output, where --report json=- goes: give "
                               "one of them");
    cli_set_summary_to_stderr(true);
    return CLI_EXIT_OK;
}

int report_open(struct report_file *file, const struct vxb_env *env)
{
    struct vxb_error err = {0};
    enum vxb_status status = file->path ? vxb_output_open(env, file->path, &file->output, &err) : VXB_OK;
    return status ? cli_failed(status, &err) : CLI_EXIT_OK;
}

bool report_is_input(const struct report_file *file, const char *input)
{
    if (!input || !file->output || !vxb_output_is(file->output, input))
        return false;
    cli_error("--report: %s is also an input, %s: give the report another name", cli_clean(file->path),
              strcmp(input, "-") == 0 ? "standard input" : cli_clean(input));
    return true;
}

bool report_is_misnamed(const struct args *args, const struct report_file *file)
{
    const bool json = file->kind == REPORT_JSON;
    return names_check(args, "--report", file->path, json ? ".json" : ".xml", json ? "JSON" : "JUnit's XML") !=
           CLI_EXIT_OK;
}

/* A recipe's terrain, maps and rules are inputs too. What is wrong with a recipe is told where it is used; standard
 * input can't be read twice, so a recipe from there only protects itself. */
static bool refuse_inputs_of(const struct report_file *file, const char *path)
{
    struct vxb_env quiet = {.size = sizeof quiet};
    struct vxb_error err = {0};
    struct vxb_any_recipe recipe;
    if (!path)
        return false;
    if (report_is_input(file, path))
        return true;
    if (strcmp(path, "-") == 0 || vxb_any_recipe_load(&quiet, path, NULL, 0, &recipe, &err))
        return false;
    bool refused = false, grass = recipe.kind == VXB_RECIPE_GRASS;
    const char *const *inputs = grass ? recipe.grass->inputs : recipe.pyramid->inputs;
    uint32_t count = grass ? recipe.grass->input_count : recipe.pyramid->input_count;
    for (uint32_t i = 0; i < count && !refused; i++)
        refused = report_is_input(file, inputs[i]);
    vxb_any_recipe_clear(&recipe);
    return refused;
}

static int check_one(const struct reports *reports, size_t index, const struct verify_files *inputs,
                     const struct vxb_verify_options *options)
{
    const struct report_file *file = &reports->files[index];
    if (refuse_inputs_of(file, options->recipe) || refuse_inputs_of(file, options->rebake) ||
        report_is_input(file, options->report_of))
        return CLI_EXIT_REFUSED;
    for (size_t i = 0; i < inputs->count; i++)
        if (report_is_input(file, inputs->places[i].path))
            return CLI_EXIT_REFUSED;
    for (size_t i = 0; i < index; i++)
        if (vxb_output_same(file->output, reports->files[i].output)) {
            cli_error("--report: %s and %s are one file", cli_clean(reports->files[i].path), cli_clean(file->path));
            return CLI_EXIT_REFUSED;
        }
    return CLI_EXIT_OK;
}

int reports_open(struct reports *reports, const struct args *args, const struct vxb_env *env,
                 const struct verify_files *inputs, const struct vxb_verify_options *options)
{
    for (size_t i = 0; i < reports->count; i++) {
        int code = report_open(&reports->files[i], env);
        if (code == CLI_EXIT_OK)
            code = check_one(reports, i, inputs, options);
        if (code == CLI_EXIT_OK && report_is_misnamed(args, &reports->files[i]))
            code = CLI_EXIT_USAGE;
        if (code != CLI_EXIT_OK)
            return code;
    }
    return CLI_EXIT_OK;
}

static bool append(void *user, const char *data, size_t size)
{
    const struct report_target *target = user;
    return vxb_output_append(target->output, data, size, target->err) == VXB_OK;
}

struct vxb_sink report_sink(const struct report_file *file, struct report_target *target, struct vxb_error *err)
{
    *target = (struct report_target){file->output, err};
    return (struct vxb_sink){.user = target, .write = append};
}

enum vxb_status report_commit(struct report_file *file, struct vxb_error *err)
{
    struct vxb_output *output = file->output;
    file->output = NULL;
    return vxb_output_commit(output, err);
}

static enum vxb_status make(enum report_kind kind, const struct vxb_verify_report *const *done, size_t count,
                            uint64_t skipped, const struct vxb_sink *sink, struct vxb_error *err)
{
    return kind == REPORT_JSON ? vxb_verify_json(done, count, skipped, false, sink, err)
                               : vxb_verify_junit(done, count, skipped, sink, err);
}

int reports_write(struct reports *reports, const struct vxb_verify_report *const *done, size_t count, uint64_t skipped)
{
    int code = CLI_EXIT_OK;
    for (size_t i = 0; i < reports->count && !cli_stopped(); i++) {
        struct vxb_error err = {0};
        struct report_file *file = &reports->files[i];
        struct report_target target;
        const struct vxb_sink sink = report_sink(file, &target, &err);
        enum vxb_status status = make(file->kind, done, count, skipped, &sink, &err);
        if (!status)
            status = report_commit(file, &err);
        if (status)
            code = cli_worse(code, cli_failed(status, &err));
    }
    return code;
}

int reports_print(const struct vxb_verify_report *const *done, size_t count, uint64_t skipped, bool lines)
{
    struct vxb_error err = {0};
    struct vxb_sink sink = cli_out_sink();
    enum vxb_status status = vxb_verify_json(done, count, skipped, lines, &sink, &err);
    return status ? cli_failed(status, &err) : CLI_EXIT_OK;
}

void reports_clear(struct reports *reports)
{
    for (size_t i = 0; i < reports->count; i++)
        vxb_output_abort(reports->files[i].output);
    reports->count = 0;
}
