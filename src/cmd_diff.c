/* vxbake diff: whether two grass files or two irradiance fields hold the same, and what differs. */
#include <inttypes.h>
#include <string.h>

#include "args.h"
#include "reports.h"

static int run(int argc, char **argv);

enum { OPT_FORMAT, OPT_REPORT, OPT_MAX_CHUNKS, OPT_MAX_MEMORY, OPT_COUNT };

static const struct cli_option options[OPT_COUNT + 1] = {
    [OPT_FORMAT] = {"format", 0, "FORMAT", "how to print the differences: text, json or\njson-lines"},
    [OPT_REPORT] = {"report", 0, "json=FILE", "write them as JSON too"},
    [OPT_MAX_CHUNKS] = {"max-chunks", 0, "N", "differing chunks to list (default 100)"},
    [OPT_MAX_MEMORY] = {"max-memory", 0, "SIZE", "the most that a file may take (default 1G)"},
};

static const bool once[OPT_COUNT] = {[OPT_REPORT] = true};

const struct cli_command cli_command_diff = {
    .name = "diff",
    .summary = "compare two grass files or two irradiance fields",
    .usage = "FILE FILE [OPTION]...",
    .about = "Tells whether two grass files or two irradiance fields hold the same, however they\n"
             "are compressed, and what differs: fields, chunks, and blades changed, lost and\n"
             "added; bricks and texels. One FILE may be -, standard input.",
    .options = options,
    .once = once,
    .run = run,
};

struct request {
    struct args args;
    struct vxb_diff_options what;
    enum cli_format format;
    struct report_file report;
};

static bool read_option(void *user, int which, char *value)
{
    struct request *request = user;
    int64_t number;
    switch (which) {
    case OPT_FORMAT: return args_format(&request->args, value, &request->format);
    case OPT_REPORT: return args_report(&request->args, value, &request->report.path);
    case OPT_MAX_CHUNKS:
        if (!args_integer(&request->args, "--max-chunks", value, 1, UINT32_MAX, &number))
            return false;
        request->what.max_chunks = (uint32_t)number;
        return true;
    default: return false;
    }
}

static int read_command_line(struct request *request, int argc, char **argv)
{
    const struct args *args = &request->args;
    request->what.size = sizeof request->what;
    int code = args_read(&request->args, &cli_command_diff, argc, argv, read_option, request);
    if (code != CLI_EXIT_OK || args->done)
        return code;
    if (args->operand_count != 2)
        return cli_usage_error(args->command, "two files are compared, and %zu %s given: vxbake diff FILE FILE",
                               args->operand_count, args->operand_count == 1 ? "is" : "are");
    if (strcmp(args->operands[0], "-") == 0 && strcmp(args->operands[1], "-") == 0)
        return cli_usage_error(args->command, "standard input (-) can be read once only");
    return report_check(args, &request->report, request->format);
}

static const char *shown(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : cli_clean(path);
}

static void counts(const char *what, uint64_t equal, uint64_t changed, uint64_t lost, uint64_t added)
{
    cli_text("  %-8s %" PRIu64 " equal, %" PRIu64 " changed, %" PRIu64 " lost, %" PRIu64 " added\n", what, equal,
             changed, lost, added);
}

static void species(const struct vxb_diff_species *s)
{
    const struct vxb_diff_counts *c = &s->counts;
    cli_text("species 0x%016" PRIx64 "%s%s\n", s->id, s->name[0] ? " " : "", cli_clean(s->name));
    counts("chunks", c->chunks_equal, c->chunks_changed, c->chunks_lost, c->chunks_added);
    counts("blades", c->blades_equal, c->blades_changed, c->blades_lost, c->blades_added);
}

static void chunk(const struct vxb_diff_report *report, const struct vxb_diff_chunk *c)
{
    const char *name = report->species[c->species].name;
    if (!c->in_b)
        cli_text("- %s cell %" PRId32 ",%" PRId32 ": %s\n", cli_clean(name), c->cell_x, c->cell_z,
                 cli_counted(c->blades_a, "blade"));
    else if (!c->in_a)
        cli_text("+ %s cell %" PRId32 ",%" PRId32 ": %s\n", cli_clean(name), c->cell_x, c->cell_z,
                 cli_counted(c->blades_b, "blade"));
    else
        cli_text("! %s cell %" PRId32 ",%" PRId32 ": %" PRIu32 " and %s, %" PRIu32 " changed, %" PRIu32
                 " lost, %" PRIu32 " added%s\n", cli_clean(name), c->cell_x, c->cell_z, c->blades_a,
                 cli_counted(c->blades_b, "blade"), c->changed, c->lost, c->added, c->heights ? "; other heights" : "");
}

static void print_text(const struct vxb_diff_report *report)
{
    const struct vxb_diff_counts *t = &report->total;
    const uint64_t differing = t->chunks_changed + t->chunks_lost + t->chunks_added;
    if (report->equal) {
        cli_summary("%s and %s are equal%s\n", shown(report->path_a), shown(report->path_b),
                    report->compression_differs ? " but for compression" : "");
        return;
    }
    cli_text("%s and %s differ\n", shown(report->path_a), shown(report->path_b));
    for (uint32_t i = 0; i < report->field_count; i++) {
        const struct vxb_diff_field *f = &report->fields[i];
        cli_text("%s: %s | %s\n", f->pointer, f->a ? f->a : "not there", f->b ? f->b : "not there");
    }
    for (uint32_t i = 0; i < report->species_count; i++)
        species(&report->species[i]);
    for (uint32_t i = 0; i < report->chunk_count; i++)
        chunk(report, &report->chunks[i]);
    if (differing > report->chunk_count)
        cli_text("and %s more\n", cli_counted(differing - report->chunk_count, "chunk"));
}

static enum vxb_status print(const struct request *request, const struct vxb_diff_report *report, struct vxb_error *err)
{
    struct vxb_sink sink = cli_out_sink();
    if (request->format != CLI_TEXT)
        return vxb_diff_json(report, request->format == CLI_JSON_LINES, &sink, err);
    print_text(report);
    return VXB_OK;
}

/* Opened before the work, and never one of what is compared. */
static int open_report(struct request *request, const struct vxb_env *env)
{
    const int code = report_open(&request->report, env);
    const bool refused = code == CLI_EXIT_OK && (report_is_input(&request->report, request->args.operands[0]) ||
                                                 report_is_input(&request->report, request->args.operands[1]));
    if (refused)
        return CLI_EXIT_REFUSED;
    return code == CLI_EXIT_OK && report_is_misnamed(&request->args, &request->report) ? CLI_EXIT_USAGE : code;
}

static enum vxb_status write_report(struct request *request, const struct vxb_diff_report *report,
                                    struct vxb_error *err)
{
    struct report_target target;
    if (!request->report.output)
        return VXB_OK;
    const struct vxb_sink sink = report_sink(&request->report, &target, err);
    enum vxb_status status = vxb_diff_json(report, false, &sink, err);
    return status ? status : report_commit(&request->report, err);
}

static int diff(struct request *request)
{
    struct vxb_env env;
    struct vxb_error err = {0};
    struct vxb_diff_report *report = NULL;
    args_env(&request->args, &env);
    int code = open_report(request, &env);
    if (code != CLI_EXIT_OK)
        return code;
    enum vxb_status status =
        vxb_diff(&env, request->args.operands[0], request->args.operands[1], &request->what, &report, &err);
    if (!status)
        status = print(request, report, &err);
    if (!status)
        status = write_report(request, report, &err);
    code = status ? cli_failed(status, &err) : report->equal ? CLI_EXIT_OK : CLI_EXIT_NO;
    vxb_diff_report_free(report);
    return code;
}

static int run(int argc, char **argv)
{
    struct request request = {0};
    int code = read_command_line(&request, argc, argv);
    if (code == CLI_EXIT_OK && !request.args.done)
        code = diff(&request);
    vxb_output_abort(request.report.output);
    args_clear(&request.args);
    return code;
}
