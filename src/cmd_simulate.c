/* vxbake simulate: what an engine would do with a field along a camera path, and whether that stays within bounds. */
#if defined(HAVE_CONFIG_H)
#include "config.h"
#endif
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "names.h"
#include "reports.h"
#include "simulate_text.h"

static int run(int argc, char **argv);

enum {
    OPT_PATH,
    OPT_RANGE,
    OPT_CAPACITY,
    OPT_HYSTERESIS,
    OPT_DENSITY,
    OPT_MAX_REFUSED,
    OPT_MAX_UPLOAD,
    OPT_MAX_COMMANDS,
    OPT_PLOT,
    OPT_MAP,
    OPT_FORMAT,
    OPT_REPORT,
    OPT_MAX_MEMORY,
    OPT_COUNT
};

static const struct cli_option options[OPT_COUNT + 1] = {
    [OPT_PATH] = {"path", 0, "PATH.json", "the camera path; - is standard input"},
    [OPT_RANGE] = {"range", 0, "METRES", "what the ring holds and the camera sees"},
    [OPT_CAPACITY] = {"capacity", 0, "N", "slots of the ring, 1 to 1048576"},
    [OPT_HYSTERESIS] = {"hysteresis", 0, "PART", "how far past the range a cell survives, as a part\nof it (default "
                                                 "0.15)"},
    [OPT_DENSITY] = {"density", 0, "PART", "the density slider, 0 to 1 (default 1)"},
    [OPT_MAX_REFUSED] = {"max-refused", 0, "N", "fail where a frame refuses more cells"},
    [OPT_MAX_UPLOAD] = {"max-upload", 0, "SIZE", "fail where a frame uploads more bytes"},
    [OPT_MAX_COMMANDS] = {"max-commands", 0, "N", "fail where a frame draws with more commands"},
    [OPT_PLOT] = {"plot", 0, "FILE.png", "draw residency and uploads over time"},
    [OPT_MAP] = {"map", 0, "FILE.png", "draw the path over the field from above"},
    [OPT_FORMAT] = {"format", 0, "FORMAT", "text, json, json-lines or csv (a row a frame)"},
    [OPT_REPORT] = {"report", 0, "json=FILE", "write it as JSON too, whatever the verdict"},
    [OPT_MAX_MEMORY] = {"max-memory", 0, "SIZE", "the most that the file may take (default 1G)"},
};

static const bool once[OPT_COUNT] = {[OPT_PATH] = true, [OPT_PLOT] = true, [OPT_MAP] = true, [OPT_REPORT] = true};

const struct cli_command cli_command_simulate = {
    .name = "simulate",
    .summary = "walk a camera over a field as an engine would",
    .usage = "FILE --path PATH.json --range METRES --capacity N [OPTION]...",
    .about = "Walks a camera path over a grass field with a ring of slots and a culling pass in\n"
             "each frame, and tells what was created, refused, uploaded and drawn.\n"
             "FILE may be -, standard input.",
    .options = options,
    .once = once,
    .run = run,
};

enum format { TEXT, JSON, JSON_LINES, CSV };

struct picture {
    const char *option, *path;  /* path: NULL where none is wanted */
    struct vxb_output *output;
    enum vxb_status (*draw)(const struct vxb_env *env, const struct vxb_simulation *s, struct vxb_output *output,
                            struct vxb_error *err);
};

struct gate {
    bool set;
    uint64_t most;
};

struct request {
    struct args args;
    const char *file, *path;
    struct picture plot, map;
    struct report_file report;
    struct vxb_simulate_options what;
    bool has_range;
    struct gate refused, upload, commands;
    enum format format;
};

static bool read_number(const struct request *request, const char *name, const char *text, float least, float most,
                        float *out)
{
    double value;
    char low[VXB_TEXT_NUMBER_ROOM], high[VXB_TEXT_NUMBER_ROOM];
    if (vxb_text_number(text, &value) && value >= (double)least && value <= (double)most) {
        *out = (float)value;
        return true;
    }
    cli_usage_error(request->args.command, "%s: '%s' is not a number from %s to %s", name, cli_clean(text),
                    vxb_text_f32(least, low), vxb_text_f32(most, high));
    return false;
}

static bool read_gate(const struct request *request, const char *name, const char *text, struct gate *gate)
{
    int64_t number;
    if (!args_integer(&request->args, name, text, 0, UINT32_MAX, &number))
        return false;
    *gate = (struct gate){true, (uint64_t)number};
    return true;
}

static bool read_option(void *user, int which, char *value)
{
    struct request *request = user;
    static const char *const formats[] = {"text", "json", "json-lines", "csv", NULL};
    const struct args *args = &request->args;
    int64_t number;
    int word;
    switch (which) {
    case OPT_PATH: request->path = value; return true;
    case OPT_RANGE:
        request->has_range = true;
        return read_number(request, "--range", value, 0.0f, VXB_RING_RANGE_MAX, &request->what.range);
    case OPT_CAPACITY:
        if (!args_integer(args, "--capacity", value, 1, VXB_RING_CAPACITY_MAX, &number))
            return false;
        request->what.capacity = (uint32_t)number;
        return true;
    case OPT_HYSTERESIS:
        return read_number(request, "--hysteresis", value, -VXB_RING_HYSTERESIS_MAX, VXB_RING_HYSTERESIS_MAX,
                           &request->what.hysteresis);
    case OPT_DENSITY: return read_number(request, "--density", value, 0.0f, 1.0f, &request->what.density);
    case OPT_MAX_REFUSED: return read_gate(request, "--max-refused", value, &request->refused);
    case OPT_MAX_UPLOAD:
        request->upload = (struct gate){.set = true};
        return strcmp(value, "0") == 0 || args_bytes(args, "--max-upload", value, &request->upload.most);
    case OPT_MAX_COMMANDS: return read_gate(request, "--max-commands", value, &request->commands);
    case OPT_PLOT: request->plot.path = args_output(value); return true;
    case OPT_MAP: request->map.path = args_output(value); return true;
    case OPT_FORMAT:
        if (!args_word(args, "--format", value, formats, &word))
            return false;
        request->format = (enum format)word;
        return true;
    case OPT_REPORT: return args_report(args, value, &request->report.path);
    default: return false;
    }
}

static int check_request(struct request *request)
{
    const struct cli_command *command = request->args.command;
    int code = args_one_operand(&request->args, "file",
                                "vxbake simulate FILE --path PATH.json --range METRES --capacity N", &request->file);
    if (code != CLI_EXIT_OK)
        return code;
    if (!request->path)
        return cli_usage_error(command, "no path given: --path PATH.json");
    if (!request->has_range)
        return cli_usage_error(command, "no range given: --range METRES");
    if (!request->what.capacity)
        return cli_usage_error(command, "no capacity given: --capacity N");
    if (strcmp(request->file, "-") == 0 && strcmp(request->path, "-") == 0)
        return cli_usage_error(command, "standard input (-) can be read once only");
    if ((request->plot.path && strcmp(request->plot.path, "-") == 0) ||
        (request->map.path && strcmp(request->map.path, "-") == 0))
        return cli_usage_error(command, "--plot and --map write files, not standard output");
    return report_check(&request->args, &request->report, request->format == TEXT ? CLI_TEXT : CLI_JSON);
}

static int read_command_line(struct request *request, int argc, char **argv)
{
    request->what = vxb_simulate_options_default();
    request->plot = (struct picture){.option = "--plot", .draw = vxb_simulation_plot};
    request->map = (struct picture){.option = "--map", .draw = vxb_simulation_map};
    int code = args_read(&request->args, &cli_command_simulate, argc, argv, read_option, request);
    return code == CLI_EXIT_OK && !request->args.done ? check_request(request) : code;
}

/* ---- pictures and the report ---- */

static bool is_input(const struct request *request, const struct picture *picture)
{
    if (!vxb_output_is(picture->output, request->file) && !vxb_output_is(picture->output, request->path))
        return false;
    cli_error("%s: %s is an input: give the picture another name", picture->option, cli_clean(picture->path));
    return true;
}

static enum vxb_status open_picture(const struct vxb_env *env, struct picture *picture, struct vxb_error *err)
{
    return picture->path ? vxb_output_open(env, picture->path, &picture->output, err) : VXB_OK;
}

static bool are_one(const char *option, const struct vxb_output *a, const char *other, const struct vxb_output *b,
                    const char *path)
{
    if (!a || !b || !vxb_output_same(a, b))
        return false;
    cli_error("%s and %s: %s is both: give one of them another name", option, other, cli_clean(path));
    return true;
}

/* Before the walk: one that can't be written, or would replace something, is told at once. */
static int open_outputs(struct request *request, const struct vxb_env *env)
{
    struct picture *plot = &request->plot, *map = &request->map;
    struct vxb_error err = {0};
    enum vxb_status status = open_picture(env, plot, &err);
    if (!status)
        status = open_picture(env, map, &err);
    if (status)
        return cli_failed(status, &err);
    if ((plot->output && is_input(request, plot)) || (map->output && is_input(request, map)))
        return CLI_EXIT_REFUSED;
    const int code = report_open(&request->report, env);
    if (code != CLI_EXIT_OK)
        return code;
    const struct vxb_output *report = request->report.output;
    if (report_is_input(&request->report, request->file) || report_is_input(&request->report, request->path) ||
        are_one("--plot", plot->output, "--map", map->output, map->path) ||
        are_one("--plot", plot->output, "--report", report, plot->path) ||
        are_one("--map", map->output, "--report", report, map->path))
        return CLI_EXIT_REFUSED;
    const bool misnamed = names_check(&request->args, "--plot", plot->path, ".png", "a PNG") ||
                          names_check(&request->args, "--map", map->path, ".png", "a PNG") ||
                          report_is_misnamed(&request->args, &request->report);
    return misnamed ? CLI_EXIT_USAGE : CLI_EXIT_OK;
}

static enum vxb_status commit_picture(struct picture *picture, struct vxb_error *err)
{
    struct vxb_output *output = picture->output;
    picture->output = NULL;
    return output ? vxb_output_commit(output, err) : VXB_OK;
}

static enum vxb_status write_outputs(struct request *request, const struct vxb_env *env,
                                     const struct vxb_simulation *s, struct vxb_error *err)
{
    struct picture *plot = &request->plot, *map = &request->map;
    struct report_file *report = &request->report;
    struct report_target target;
    const struct vxb_sink sink = report_sink(report, &target, err);
    enum vxb_status status = plot->output ? plot->draw(env, s, plot->output, err) : VXB_OK;
    if (!status && map->output)
        status = map->draw(env, s, map->output, err);
    if (!status && report->output)
        status = vxb_simulation_json(s, false, &sink, err);
    if (!status)
        status = commit_picture(plot, err);
    if (!status)
        status = commit_picture(map, err);
    return status || !report->output ? status : report_commit(report, err);
}

/* ---- the verdict ---- */

static bool exceeds(const struct request *request, const char *option, const struct gate *gate,
                    const struct vxb_simulation_worst *worst, const char *what)
{
    if (!gate->set || worst->value <= gate->most)
        return false;
    cli_error("%s: %s: frame %" PRIu32 " has %" PRIu64 " %s; at most %" PRIu64 " are allowed", option,
              strcmp(request->file, "-") == 0 ? "standard input" : cli_clean(request->file), worst->frame,
              worst->value, what, gate->most);
    return true;
}

static int verdict(const struct request *request, const struct vxb_simulation *s)
{
    bool no = exceeds(request, "--max-refused", &request->refused, &s->most_refused, "cells refused");
    no |= exceeds(request, "--max-upload", &request->upload, &s->most_uploaded, "bytes to upload");
    no |= exceeds(request, "--max-commands", &request->commands, &s->most_commands, "commands");
    return no ? CLI_EXIT_NO : CLI_EXIT_OK;
}

static enum vxb_status print(const struct request *request, const struct vxb_simulation *s, struct vxb_error *err)
{
    const struct vxb_sink sink = cli_out_sink();
    switch (request->format) {
    case JSON:
    case JSON_LINES: return vxb_simulation_json(s, request->format == JSON_LINES, &sink, err);
    case CSV: return vxb_simulation_csv(s, &sink, err);
    case TEXT: break;
    }
    simulate_text(s, request->file, request->path);
    return VXB_OK;
}

static enum vxb_status open_field(const char *path, const struct vxb_env *env, struct vxb_file *out,
                                  struct vxb_error *err)
{
    const enum vxb_status status = vxb_file_open(env, path, out, err);
    if (status || out->kind == VXB_FILE_GRASS)
        return status;
    err->status = VXB_ERR_FORMAT;
    snprintf(err->path, sizeof err->path, "%s", path);
    snprintf(err->message, sizeof err->message, "this is %s: a walk is over a grass file",
             out->kind == VXB_FILE_PROBES ? "an irradiance field" : "a KTX2 file");
    return err->status;
}

static enum vxb_status work(struct request *request, const struct vxb_env *env, int *code, struct vxb_error *err)
{
    struct vxb_path *path = NULL;
    struct vxb_file field = {0};
    struct vxb_simulation *s = NULL;
    enum vxb_status status = vxb_path_load(env, request->path, &path, err);
    if (!status)
        status = open_field(request->file, env, &field, err);
    if (!status)
        status = vxb_simulate(env, field.grass, path, &request->what, &s, err);
    if (!status)
        status = print(request, s, err);
    if (!status)
        status = write_outputs(request, env, s, err);
    if (!status)
        *code = verdict(request, s);
    vxb_simulation_free(s);
    vxb_file_close(&field);
    vxb_path_free(path);
    return status;
}

static int run(int argc, char **argv)
{
    struct request request = {0};
    int code = read_command_line(&request, argc, argv);
    if (code == CLI_EXIT_OK && !request.args.done) {
        struct vxb_env env;
        struct vxb_error err = {0};
        args_env(&request.args, &env);
        code = open_outputs(&request, &env);
        if (code == CLI_EXIT_OK) {
            enum vxb_status status = work(&request, &env, &code, &err);
            code = status ? cli_failed(status, &err) : code;
            if (err.finding == VXB_FINDING_MAGIC)
                cli_note("a walk is over a grass file");
        }
        vxb_output_abort(request.plot.output);
        vxb_output_abort(request.map.output);
        vxb_output_abort(request.report.output);
    }
    args_clear(&request.args);
    return code;
}
