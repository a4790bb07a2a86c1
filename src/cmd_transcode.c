/* vxbake transcode: a grass file or an irradiance field in another format, with another compression, or for other
 * programs. */
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "args.h"
#include "names.h"

static int run(int argc, char **argv);

enum {
    OPT_OUTPUT,
    OPT_TO,
    OPT_COMPRESS,
    OPT_SPLIT,
    OPT_LOSSY,
    OPT_SPECIES,
    OPT_ORIGIN,
    OPT_RECIPE,
    OPT_STOMP,
    OPT_FORCE,
    OPT_FORMAT,
    OPT_REPORT,
    OPT_THREADS,
    OPT_MAX_MEMORY,
    OPT_COUNT
};

static const struct cli_option options[OPT_COUNT + 1] = {
    [OPT_OUTPUT] = {"output", 'o', "FILE", "the file to write; - is standard output"},
    [OPT_TO] = {"to", 0, "FORMAT", "1, 2, 3, runtime, ply or csv; ktx2, ply or slices of\n"
                                   "an irradiance field; the file's own (of format 1: 2)\nwhere it is not given"},
    [OPT_COMPRESS] = {"compress", 0, "LEVEL", "compress the data with zstd: 1 (fast) to 22\n(small), below 0 faster "
                                              "still; none (the\ndefault): do not"},
    [OPT_SPLIT] = {"split", 0, NULL, "group the bytes of the blades before compression"},
    [OPT_LOSSY] = {"lossy", 0, NULL, "lose what format 1 has no room for"},
    [OPT_SPECIES] = {"species", 0, "NAME|ID", "the one to take out of a format 3 into a format 2"},
    [OPT_ORIGIN] = {"origin", 0, "X,Y,Z", "the point of the world that the places in runtime\n"
                                          "records and a PLY are relative to"},
    [OPT_RECIPE] = {"recipe", 0, "RECIPE", "take the stomp of runtime records from the recipe\n"
                                           "that the file was baked from"},
    [OPT_STOMP] = {"stomp", 0, "MAP.png", "or from a map, stretched over the field's cells"},
    [OPT_FORCE] = {"force", 'f', NULL, "replace FILE.json, which belongs to runtime\n"
                                      "records, or the files of ktx2, where they exist"},
    [OPT_FORMAT] = {"format", 0, "FORMAT", "how to print the report: text, json or json-lines"},
    [OPT_REPORT] = {"report", 0, "json=FILE", "write the report as JSON"},
    [OPT_THREADS] = {"threads", 0, "N", "threads, 0: one a processor; the bytes stay the\nsame"},
    [OPT_MAX_MEMORY] = {"max-memory", 0, "SIZE", "the most that the file may take (default 1G)"},
};

static const bool once[OPT_COUNT] = {[OPT_OUTPUT] = true, [OPT_SPECIES] = true, [OPT_ORIGIN] = true,
                                     [OPT_RECIPE] = true, [OPT_STOMP] = true, [OPT_REPORT] = true};

const struct cli_command cli_command_transcode = {
    .name = "transcode",
    .summary = "write a grass file or an irradiance field in another format",
    .usage = "FILE -o FILE [OPTION]...",
    .about = "Writes a grass file or an irradiance field in another format, with another\n"
             "compression, or for other programs. FILE may be -, standard input. The output is\n"
             "replaced as a whole, or not at all.",
    .options = options,
    .once = once,
    .run = run,
};

struct request {
    struct args args;
    const char *file;
    struct vxb_transcode_options what;
    enum cli_format format;
};

static bool read_to(struct request *request, const char *value)
{
    const char *words[VXB_TRANSCODE_SLICES + 1] = {NULL};
    int word;
    for (int to = VXB_TRANSCODE_1; to <= VXB_TRANSCODE_SLICES; to++)
        words[to - VXB_TRANSCODE_1] = vxb_transcode_to_name((enum vxb_transcode_to)to);
    if (!args_word(&request->args, "--to", value, words, &word))
        return false;
    request->what.to = (enum vxb_transcode_to)(VXB_TRANSCODE_1 + word);
    return true;
}

static bool read_option(void *user, int which, char *value)
{
    struct request *request = user;
    const struct args *args = &request->args;
    struct vxb_transcode_options *what = &request->what;
    switch (which) {
    case OPT_OUTPUT: what->output = args_output(value); return true;
    case OPT_TO: return read_to(request, value);
    case OPT_COMPRESS: return args_level(args, value, &what->compress, &what->compress_level);
    case OPT_SPLIT: what->split = true; return true;
    case OPT_LOSSY: what->lossy = true; return true;
    case OPT_SPECIES: what->species = value; return true;
    case OPT_ORIGIN:
        what->has_origin = true;
        return args_numbers(args, "--origin", value, "512,0,-512", 3, what->origin);
    case OPT_RECIPE: what->recipe = value; return true;
    case OPT_STOMP: what->stomp = value; return true;
    case OPT_FORCE: what->force = true; return true;
    case OPT_FORMAT: return args_format(args, value, &request->format);
    case OPT_REPORT: return args_report(args, value, &what->report_json);
    default: return false;
    }
}

/* What each format's output is, and how its name ends. */
static const struct {
    const char *ending, *what;
} outputs[] = {
    [VXB_TRANSCODE_1] = {".vxg", "a grass file"},  [VXB_TRANSCODE_2] = {".vxg", "a grass file"},
    [VXB_TRANSCODE_3] = {".vxg", "a grass file"},  [VXB_TRANSCODE_RUNTIME] = {".bin", "bare records"},
    [VXB_TRANSCODE_PLY] = {".ply", "a PLY"},       [VXB_TRANSCODE_CSV] = {".csv", "CSV"},
    [VXB_TRANSCODE_KTX2] = {".ktx2", "KTX2 files"}, [VXB_TRANSCODE_SLICES] = {".png", "a PNG"},
};

/* Without --to the output is of the input's own kind, whichever that is. */
static int check_name(const struct request *request)
{
    const struct vxb_transcode_options *what = &request->what;
    const enum vxb_transcode_to to = what->to;
    const char *inputs[] = {request->file, what->recipe, what->stomp};
    /* What would replace an input is refused for that. */
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++)
        if (inputs[i] && args_same_file(what->output, inputs[i]))
            return CLI_EXIT_OK;
    if (to != VXB_TRANSCODE_DEFAULT)
        return names_check(&request->args, "-o", what->output, outputs[to].ending, outputs[to].what);
    const char *promise = names_promise(what->output, ".vxg"), *dot = strrchr(what->output, '.');
    if (!promise || !names_promise(what->output, ".vxp"))
        return CLI_EXIT_OK;
    for (int meant = VXB_TRANSCODE_PLY; meant <= VXB_TRANSCODE_SLICES; meant++)
        if (strcasecmp(dot, outputs[meant].ending) == 0)
            return cli_usage_error(request->args.command, "-o: %s ends as %s does, and without --to what is written is "
                                   "of the file's own kind: say --to %s, or give it a name that ends in .vxg or .vxp",
                                   cli_clean(what->output), promise,
                                   vxb_transcode_to_name((enum vxb_transcode_to)meant));
    return cli_usage_error(request->args.command, "-o: %s ends as %s does, and without --to what is written is of the "
                           "file's own kind: give it a name that ends in .vxg or .vxp", cli_clean(what->output),
                           promise);
}

/* What the options only tell together; which of them go with which format the library says. */
static int check(const struct request *request)
{
    const struct cli_command *command = request->args.command;
    const struct vxb_transcode_options *what = &request->what;
    if (!what->output)
        return cli_usage_error(command, "no output given: vxbake transcode %s -o FILE", cli_clean(request->file));
    int code = check_name(request);
    if (code == CLI_EXIT_OK)
        code = names_check(&request->args, "--report", what->report_json, ".json", "JSON");
    if (code != CLI_EXIT_OK)
        return code;
    const bool data_there = strcmp(what->output, "-") == 0;
    const bool report_there = what->report_json && strcmp(what->report_json, "-") == 0;
    if (data_there && report_there)
        return cli_usage_error(command, "standard output (-) can take one output only, and 2 are to go there");
    if ((data_there || report_there) && request->format != CLI_TEXT)
        return cli_usage_error(command, "--format prints the report on standard output, where another output goes: "
                               "give --report json=FILE in its place");
    cli_set_summary_to_stderr(data_there || report_there);
    return what->to == VXB_TRANSCODE_CSV ? CLI_EXIT_OK : args_data_output(&request->args, "-o", what->output);
}

static int read_command_line(struct request *request, int argc, char **argv)
{
    const struct args *args = &request->args;
    request->what.size = sizeof request->what;
    int code = args_read(&request->args, &cli_command_transcode, argc, argv, read_option, request);
    if (code != CLI_EXIT_OK || args->done)
        return code;
    code = args_one_operand(args, "file", "vxbake transcode FILE -o FILE", &request->file);
    return code == CLI_EXIT_OK ? check(request) : code;
}

/* How long a name is without the ending that the names of the five volumes get anew. */
static int stem_length(const char *name)
{
    static const char ending[] = ".ktx2";
    const size_t length = strlen(name), n = sizeof ending - 1;
    return (int)(length > n && strcmp(name + length - n, ending) == 0 ? length - n : length);
}

static enum vxb_status tell(const struct request *request, const struct vxb_transcode_report *report,
                            struct vxb_error *err)
{
    const struct vxb_sink sink = cli_out_sink();
    if (request->format != CLI_TEXT)
        return vxb_transcode_report_json(request->file, &request->what, report, request->format == CLI_JSON_LINES,
                                         &sink, err);
    const char *output = request->what.output;
    const char *name = strcmp(output, "-") == 0 ? "standard output" : cli_clean(output);
    if (report->target == VXB_TRANSCODE_KTX2)
        cli_summary("%.*s.*.ktx2: %s in %s, %" PRIu64 " bytes in 5 files\n", stem_length(name), name,
                    cli_counted(report->probe_count, "probe"), cli_counted(report->brick_count, "brick"),
                    report->file_bytes);
    else if (report->probe_count)
        cli_summary("%s: %s in %s, %" PRIu64 " bytes\n", name, cli_counted(report->probe_count, "probe"),
                    cli_counted(report->brick_count, "brick"), report->file_bytes);
    else
        cli_summary("%s: %s in %s, %" PRIu64 " bytes\n", name, cli_counted(report->blade_count, "blade"),
                    cli_counted(report->chunk_count, "chunk"), report->file_bytes);
    if (report->to)
        cli_summary("format %" PRIu32 " from format %" PRIu32 "\n", report->to, report->from);
    if (report->content_id)
        cli_summary("content id 0x%016" PRIx64 "\n", report->content_id);
    return VXB_OK;
}

static int run(int argc, char **argv)
{
    struct request request = {0};
    int code = read_command_line(&request, argc, argv);
    if (code == CLI_EXIT_OK && !request.args.done) {
        struct vxb_env env;
        struct vxb_error err = {0};
        struct vxb_transcode_report report = {0};
        args_env(&request.args, &env);
        enum vxb_status status = vxb_transcode(&env, request.file, &request.what, &report, &err);
        cli_progress_clear();
        if (!status)
            status = tell(&request, &report, &err);
        if (status)
            code = cli_failed(status, &err);
    }
    args_clear(&request.args);
    return code;
}
