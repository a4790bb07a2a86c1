/* vxbake verify: whether files are what they should be. The verdict is the exit code; the reports say why. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "reports.h"
#include "verify_jobs.h"
#include "verify_text.h"

static int run(int argc, char **argv);

enum {
    OPT_LEVEL,
    OPT_SEVERITY,
    OPT_RECIPE,
    OPT_REBAKE,
    OPT_REPORT_OF,
    OPT_FORMAT,
    OPT_REPORT,
    OPT_WARNINGS_AS_ERRORS,
    OPT_MAX_FINDINGS,
    OPT_MAX_INVALID,
    OPT_LIST_FINDINGS,
    OPT_EXPLAIN,
    OPT_THREADS,
    OPT_MAX_MEMORY,
    OPT_COUNT
};

static const struct cli_option options[OPT_COUNT + 1] = {
    [OPT_LEVEL] = {"level", 0, "LEVEL",
                   "header: header and tables; hash: the hashes of all\n"
                   "data too; full (default): what it holds too"},
    [OPT_SEVERITY] = {"severity", 'W', "CODE=WHAT",
                      "let a finding, by code or name, count as error,\n"
                      "warning or ignore; may be given again"},
    [OPT_RECIPE] = {"recipe", 0, "RECIPE", "also check that it was baked from this recipe, by\nits identities"},
    [OPT_REBAKE] = {"rebake", 0, "RECIPE", "bake this recipe again and compare the bytes,\ncompression apart"},
    [OPT_REPORT_OF] = {"report-of", 0, "FILE",
                       "also check the bake's report, as written by\nvxbake bake --report json=FILE"},
    [OPT_FORMAT] = {"format", 0, "FORMAT", "text, json or json-lines"},
    [OPT_REPORT] = {"report", 0, "KIND=FILE", "write the report too, KIND json or junit; may be\ngiven again"},
    [OPT_WARNINGS_AS_ERRORS] = {"warnings-as-errors", 0, NULL, "let warnings decide the verdict as errors do"},
    [OPT_MAX_FINDINGS] = {"max-findings", 0, "N", "list at most N findings a file (default 100)"},
    [OPT_MAX_INVALID] = {"max-invalid", 0, "N", "let an irradiance field have at most N invalid probes"},
    [OPT_LIST_FINDINGS] = {"list-findings", 0, NULL, "list every finding there is, and check nothing"},
    [OPT_EXPLAIN] = {"explain", 0, "CODE", "explain a finding, by its code or name"},
    [OPT_THREADS] = {"threads", 0, "N", "threads, 0: one a processor"},
    [OPT_MAX_MEMORY] = {"max-memory", 0, "SIZE", "the most that a file may take (default 1G)"},
};

static const bool once[OPT_COUNT] = {[OPT_RECIPE] = true, [OPT_REBAKE] = true, [OPT_REPORT_OF] = true,
                                     [OPT_EXPLAIN] = true};

const struct cli_command cli_command_verify = {
    .name = "verify",
    .summary = "check grass files, depth pyramids and irradiance fields",
    .usage = "FILE... [OPTION]...",
    .about = "Checks everything in each grass file, depth pyramid or irradiance field that can be\n"
             "wrong. FILE may be -, standard input, or a folder: all .vxg, .ktx2 and .vxp files\n"
             "under it. Exits 0 only where nothing is wrong.",
    .options = options,
    .once = once,
    .run = run,
};

struct request {
    struct args args;
    struct vxb_verify_options verify;
    struct vxb_verify_rule *rules; /* what verify.rules shows */
    struct verify_files files;
    enum cli_format format;
    struct reports reports;
    bool list_findings;
    const char *explain;
};

static bool read_report(struct request *request, char *value)
{
    if (strncmp(value, "json=", 5) == 0 && value[5])
        return reports_add(&request->reports, REPORT_JSON, args_output(value + 5));
    if (strncmp(value, "junit=", 6) == 0 && value[6])
        return reports_add(&request->reports, REPORT_JUNIT, args_output(value + 6));
    cli_usage_error(request->args.command, "--report: '%s' is neither json=FILE nor junit=FILE", cli_clean(value));
    return false;
}

static bool read_level(struct request *request, const char *value)
{
    static const enum vxb_verify_level levels[] = {VXB_VERIFY_HEADER, VXB_VERIFY_HASH, VXB_VERIFY_FULL};
    const char *words[sizeof levels / sizeof levels[0] + 1] = {NULL};
    int which;
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        words[i] = vxb_verify_level_name(levels[i]);
    if (!args_word(&request->args, "--level", value, words, &which))
        return false;
    request->verify.level = levels[which];
    return true;
}

/* The finding of a code or a name; where there is none an error that names the nearest. */
static enum vxb_finding read_finding(const struct request *request, const char *option, const char *text)
{
    const char *names[512];
    size_t count = 0;
    enum vxb_finding finding = vxb_finding_by_text(text);
    if (finding != VXB_FINDING_NONE)
        return finding;
    for (enum vxb_finding f = vxb_finding_next(VXB_FINDING_NONE); f && count + 1 < sizeof names / sizeof names[0];
         f = vxb_finding_next(f))
        names[count++] = vxb_finding_name(f);
    names[count] = NULL;
    const char *near = args_nearest(text, names);
    cli_usage_error(request->args.command, "%s: there is no finding '%s'%s%s%s --list-findings lists them", option,
                    cli_clean(text), near ? ": did you mean " : "", near ? near : "", near ? "?" : ";");
    return VXB_FINDING_NONE;
}

static bool read_severity(struct request *request, char *value)
{
    static const char *const words[] = {"error", "warning", "ignore", NULL};
    char *equals = strchr(value, '='), code[8];
    int which;
    if (!equals) {
        cli_usage_error(request->args.command, "-W: '%s' is not CODE=error, CODE=warning or CODE=ignore",
                        cli_clean(value));
        return false;
    }
    if (!args_word(&request->args, "-W", equals + 1, words, &which))
        return false;
    *equals = 0;
    enum vxb_finding finding = read_finding(request, "-W", value);
    if (finding == VXB_FINDING_NONE)
        return false;
    if (finding == VXB_FINDING_UNCHECKED) {
        cli_usage_error(request->args.command, "-W: %s %s always counts as an error: what was asked for could not be "
                        "looked at", vxb_finding_code(finding, code), vxb_finding_name(finding));
        return false;
    }
    size_t count = request->verify.rule_count;
    struct vxb_verify_rule *rules = realloc(request->rules, (count + 1) * sizeof *rules);
    if (!rules) {
        cli_out_of_memory();
        return false;
    }
    rules[count] = (struct vxb_verify_rule){finding, which == 2,
                                            which == 0 ? VXB_SEVERITY_ERROR : VXB_SEVERITY_WARNING};
    request->verify.rules = request->rules = rules;
    request->verify.rule_count = count + 1;
    return true;
}

static bool read_option(void *user, int which, char *value)
{
    struct request *request = user;
    const struct args *args = &request->args;
    int64_t number;
    switch (which) {
    case OPT_LEVEL: return read_level(request, value);
    case OPT_SEVERITY: return read_severity(request, value);
    case OPT_RECIPE: request->verify.recipe = value; return true;
    case OPT_REBAKE: request->verify.rebake = value; return true;
    case OPT_REPORT_OF: request->verify.report_of = value; return true;
    case OPT_FORMAT: return args_format(args, value, &request->format);
    case OPT_REPORT: return read_report(request, value);
    case OPT_WARNINGS_AS_ERRORS: request->verify.warnings_as_errors = true; return true;
    case OPT_MAX_FINDINGS:
        if (!args_integer(args, "--max-findings", value, 1, 1000000, &number))
            return false;
        request->verify.max_findings = (uint32_t)number;
        return true;
    case OPT_MAX_INVALID:
        if (!args_integer(args, "--max-invalid", value, 0, INT64_MAX, &number))
            return false;
        request->verify.has_max_invalid = true;
        request->verify.max_invalid = (uint64_t)number;
        return true;
    case OPT_LIST_FINDINGS: request->list_findings = true; return true;
    case OPT_EXPLAIN: request->explain = value; return true;
    default: return false;
    }
}

/* Standard input can be read once only. */
static int standard_inputs(const struct request *request)
{
    const char *others[] = {request->verify.recipe, request->verify.rebake, request->verify.report_of};
    int count = 0;
    for (size_t i = 0; i < request->args.operand_count; i++)
        count += strcmp(request->args.operands[i], "-") == 0;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        count += others[i] && strcmp(others[i], "-") == 0;
    return count;
}

/* The registry is printed and nothing is checked, so what asks for a check would be dropped in silence. */
static int check_registry(const struct request *request)
{
    const struct vxb_verify_options *verify = &request->verify;
    const char *unused = request->args.operand_count                  ? request->args.operands[0]
                         : request->explain && request->list_findings ? "--list-findings"
                         : request->reports.count                     ? "--report"
                         : verify->recipe                             ? "--recipe"
                         : verify->rebake                             ? "--rebake"
                         : verify->report_of                          ? "--report-of"
                         : verify->rule_count                         ? "-W"
                         : verify->level != VXB_VERIFY_FULL           ? "--level"
                         : verify->warnings_as_errors                 ? "--warnings-as-errors"
                         : verify->max_findings                       ? "--max-findings"
                         : verify->has_max_invalid                    ? "--max-invalid"
                                                                      : NULL;
    if (!unused)
        return CLI_EXIT_OK;
    return cli_usage_error(request->args.command, "%s checks no file: leave '%s' out",
                           request->explain ? "--explain" : "--list-findings", cli_clean(unused));
}

/* What does not go together, whatever the operands stand for. */
static int check(const struct request *request)
{
    const struct cli_command *command = request->args.command;
    size_t operands = request->args.operand_count;
    if (request->list_findings || request->explain)
        return check_registry(request);
    if (!operands)
        return cli_usage_error(command, "nothing to check: vxbake verify FILE...");
    if (standard_inputs(request) > 1)
        return cli_usage_error(command, "standard input (-) can be read once only");
    if (request->verify.rebake && request->verify.level != VXB_VERIFY_FULL)
        return cli_usage_error(command, "--rebake compares all that a file holds: leave --level %s out",
                               vxb_verify_level_name(request->verify.level));
    int standard = reports_to_standard_output(&request->reports);
    if (standard > 1 || (standard && request->format != CLI_TEXT))
        return cli_usage_error(command, "standard output (-) can take one report only");
    return CLI_EXIT_OK;
}

/* What does not go with that many files. */
static int check_files(const struct request *request)
{
    const struct cli_command *command = request->args.command;
    size_t files = request->files.count;
    /* A recipe from a pipe would be gone after the first file, and a report is of one file. */
    if (files > 1 && request->verify.report_of)
        return cli_usage_error(command, "--report-of is about one file, and %zu are given", files);
    const char *recipe = request->verify.rebake ? request->verify.rebake : request->verify.recipe;
    if (files > 1 && recipe && strcmp(recipe, "-") == 0)
        return cli_usage_error(command, "a recipe from standard input can be checked against one file only");
    return CLI_EXIT_OK;
}

static int read_command_line(struct request *request, int argc, char **argv)
{
    request->verify.size = sizeof request->verify;
    int code = args_read(&request->args, &cli_command_verify, argc, argv, read_option, request);
    return code == CLI_EXIT_OK && !request->args.done ? check(request) : code;
}

/* The registry, or one finding of it. */
static int explain(const struct request *request)
{
    enum vxb_finding only = VXB_FINDING_NONE;
    if (!request->list_findings) {
        only = read_finding(request, "--explain", request->explain);
        if (only == VXB_FINDING_NONE)
            return CLI_EXIT_USAGE;
    }
    if (request->format != CLI_TEXT) {
        struct vxb_error err = {0};
        struct vxb_sink sink = cli_out_sink();
        enum vxb_status status = vxb_findings_json(only, request->format == CLI_JSON_LINES, &sink, &err);
        return status ? cli_failed(status, &err) : CLI_EXIT_OK;
    }
    if (only == VXB_FINDING_NONE)
        verify_text_list();
    else
        verify_text_explain(only);
    return CLI_EXIT_OK;
}

/* All files, their reports in order: the library's, or where a file could not be checked one made here. */
struct results {
    const struct request *request;
    struct verify_job *jobs;
    struct vxb_verify_report *failed;
    const struct vxb_verify_report **reports;
    struct vxb_verify_summary sum;
    size_t finished;
    bool keep;                     /* reports are needed after their turn */
    int code;
};

static void add_sum(struct vxb_verify_summary *sum, const struct vxb_verify_report *report)
{
    struct vxb_verify_summary one;
    vxb_verify_sum(&report, 1, &one);
    sum->files += one.files;
    sum->good += one.good;
    sum->bad += one.bad;
    sum->failed += one.failed;
    sum->errors += one.errors;
    sum->warnings += one.warnings;
    sum->notes += one.notes;
    sum->ignored += one.ignored;
}

static int failed(const struct verify_job *job)
{
    if (job->err)
        return cli_failed(job->status, job->err);
    cli_out_of_memory();
    return cli_exit_code(job->status);
}

static void finished(void *user, size_t index)
{
    struct results *results = user;
    struct verify_job *job = &results->jobs[index];
    const struct request *request = results->request;
    const struct vxb_verify_report **report = &results->reports[index];
    results->failed[index] = (struct vxb_verify_report){
        .path = job->path, .failure = job->err ? job->err->message : "out of memory",
        .coverage.level = request->verify.level};
    *report = job->status ? &results->failed[index] : job->report;
    int code = job->status ? failed(job) : job->report->good ? CLI_EXIT_OK : CLI_EXIT_NO;
    results->code = cli_worse(results->code, code);
    results->finished = index + 1;
    add_sum(&results->sum, *report);
    if (cli_stopped())
        return;
    if (request->format == CLI_TEXT && job->report)
        verify_text_report(job->report);
    else if (request->format == CLI_JSON_LINES)
        results->code = cli_worse(results->code, reports_print(report, 1, 0, true));
    if (!results->keep) {
        vxb_verify_report_free(job->report);
        job->report = NULL;
        *report = NULL;
    }
}

/* What is known before a file is read. */
static bool make_jobs(const struct verify_files *files, struct verify_job *jobs)
{
    for (size_t i = 0; i < files->count; i++) {
        const struct verify_place *place = &files->places[i];
        jobs[i].path = place->path;
        if (!place->failure)
            continue;
        struct vxb_error *err = calloc(1, sizeof *err);
        if (!err)
            return false;
        err->status = VXB_ERR_IO;
        snprintf(err->path, sizeof err->path, "%s", cli_clean(place->path));
        snprintf(err->message, sizeof err->message, "%s", place->failure);
        jobs[i].err = err;
        jobs[i].status = VXB_ERR_IO;
        jobs[i].done = true;
    }
    return true;
}

static int verify_all(struct request *request, const struct vxb_env *env, struct results *results)
{
    const struct verify_files *files = &request->files;
    int code = reports_open(&request->reports, &request->args, env, files, &request->verify);
    if (code != CLI_EXIT_OK)
        return code;
    /* A bake takes all threads for itself, and errors of a recipe would be told by each file at once. */
    bool one_by_one = request->verify.recipe || request->verify.rebake;
    verify_jobs_run(env, &request->verify, one_by_one, results->jobs, files->count, finished, results);
    code = results->code;
    if (cli_stopped())
        return code;
    if (request->format == CLI_JSON)
        code = cli_worse(code, reports_print(results->reports, results->finished, files->skipped, false));
    else if (request->format == CLI_TEXT && (files->count > 1 || files->folders))
        verify_text_summary(&results->sum, files->folders, files->skipped);
    else if (request->format == CLI_JSON_LINES && files->folders)
        cli_note("%s; %s in folders skipped", cli_counted(results->sum.files, "file"),
                 cli_counted(files->skipped, "other"));
    return cli_worse(code, reports_write(&request->reports, results->reports, results->finished, files->skipped));
}

static int verify(struct request *request, const struct vxb_env *env)
{
    size_t count = request->files.count;
    struct results results = {
        .request = request,
        .jobs = calloc(count, sizeof *results.jobs),
        .failed = calloc(count, sizeof *results.failed),
        .reports = calloc(count, sizeof *results.reports),
        .keep = request->format == CLI_JSON || request->reports.count > 0,
    };
    cli_set_summary_to_stderr(reports_to_standard_output(&request->reports) > 0);
    int code = results.jobs && results.failed && results.reports && make_jobs(&request->files, results.jobs)
                   ? verify_all(request, env, &results)
                   : cli_out_of_memory();
    for (size_t i = 0; results.jobs && i < count; i++) {
        vxb_verify_report_free(results.jobs[i].report);
        free(results.jobs[i].err);
    }
    free(results.jobs);
    free(results.failed);
    free(results.reports);
    return code;
}

/* Operands to files, and these checked. */
static int find_and_verify(struct request *request)
{
    struct vxb_env env;
    int code = verify_files_find(request->args.operands, request->args.operand_count, &request->files);
    if (code == CLI_EXIT_OK)
        code = check_files(request);
    if (code == CLI_EXIT_OK && request->files.count && !cli_stopped()) {
        args_env(&request->args, &env);
        code = verify(request, &env);
    }
    return request->files.empty ? cli_worse(code, CLI_EXIT_USAGE) : code;
}

static int run(int argc, char **argv)
{
    struct request request = {0};
    int code = read_command_line(&request, argc, argv);
    if (code == CLI_EXIT_OK && !request.args.done)
        code = request.list_findings || request.explain ? explain(&request) : find_and_verify(&request);
    reports_clear(&request.reports);
    verify_files_clear(&request.files);
    free(request.rules);
    args_clear(&request.args);
    return code;
}
