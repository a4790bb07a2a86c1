/* vxbake verify: whether files are what they should be. The verdict is the exit code; the reports say why. */
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "reports.h"
#include "verify_jobs.h"
#include "verify_text.h"

static int run(int argc, char **argv);

enum {
    OPT_RECIPE,
    OPT_REBAKE,
    OPT_REPORT_OF,
    OPT_FORMAT,
    OPT_REPORT,
    OPT_WARNINGS_AS_ERRORS,
    OPT_MAX_FINDINGS,
    OPT_LIST_FINDINGS,
    OPT_EXPLAIN,
    OPT_THREADS,
    OPT_MAX_MEMORY,
    OPT_COUNT
};

static const struct cli_option options[OPT_COUNT + 1] = {
    [OPT_RECIPE] = {"recipe", 0, "RECIPE", "also check that it was baked from this recipe, by\nits identities"},
    [OPT_REBAKE] = {"rebake", 0, "RECIPE", "bake this recipe again and compare the bytes,\ncompression apart"},
    [OPT_REPORT_OF] = {"report-of", 0, "FILE", 
                       "also check the bake's report, as written by\nvxbake bake --report json=FILE"},
    [OPT_FORMAT] = {"format", 0, "FORMAT", "text, json or json-lines"},
    [OPT_REPORT] = {"report", 0, "KIND=FILE", "write the report too, KIND json or junit; may be\ngiven again"},
    [OPT_WARNINGS_AS_ERRORS] = {"warnings-as-errors", 0, NULL, "let warnings decide the verdict as errors do"},
    [OPT_MAX_FINDINGS] = {"max-findings", 0, "N", "list at most N findings a file (default 100)"},
    [OPT_LIST_FINDINGS] = {"list-findings", 0, NULL, "list every finding there is, and check nothing"},
    [OPT_EXPLAIN] = {"explain", 0, "CODE", "explain a finding, by its code or name"},
    [OPT_THREADS] = {"threads", 0, "N", "threads, 0: one a processor"},
    [OPT_MAX_MEMORY] = {"max-memory", 0, "SIZE", "the most that a file may take (default 1G)"},
};

const struct cli_command cli_command_verify = {
    .name = "verify",
    .summary = "check grass files and depth pyramids",
    .usage = "FILE... [OPTION]...",
    .about = "Checks everything in each grass file or depth pyramid that can be wrong. FILE may\n"
             "be -, standard input. Exits 0 only where nothing is.",
    .options = options,
    .run = run,
};

struct request {
    struct args args;
    struct vxb_verify_options verify;
    enum cli_format format;
    struct reports reports;
    bool warnings_as_errors, list_findings;
    const char *explain;
    uint32_t threads;
    uint64_t max_memory_bytes;
    bool done;
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

static bool read_option(struct request *request, int which, char *value, const char **threads)
{
    const struct args *args = &request->args;
    int64_t number;
    switch (which) {
    case OPT_RECIPE: request->verify.recipe = value; return true;
    case OPT_REBAKE: request->verify.rebake = value; return true;
    case OPT_REPORT_OF: request->verify.report_of = value; return true;
    case OPT_FORMAT: return args_format(args, value, &request->format);
    case OPT_REPORT: return read_report(request, value);
    case OPT_WARNINGS_AS_ERRORS: request->warnings_as_errors = true; return true;
    case OPT_MAX_FINDINGS:
        if (!args_integer(args, "--max-findings", value, 1, 1000000, &number))
            return false;
        request->verify.max_findings = (uint32_t)number;
        return true;
    case OPT_LIST_FINDINGS: request->list_findings = true; return true;
    case OPT_EXPLAIN: request->explain = value; return true;
    case OPT_THREADS: *threads = value; return true;
    case OPT_MAX_MEMORY: return args_bytes(args, "--max-memory", value, &request->max_memory_bytes);
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

static int check(const struct request *request)
{
    const struct cli_command *command = request->args.command;
    size_t files = request->args.operand_count;
    if (request->list_findings || request->explain)
        return files ? cli_usage_error(command, "%s checks no file: leave '%s' out",
                                       request->explain ? "--explain" : "--list-findings",
                                       cli_clean(request->args.operands[0]))
                     : CLI_EXIT_OK;
    if (!files)
        return cli_usage_error(command, "nothing to check: vxbake verify FILE...");
    if (standard_inputs(request) > 1)
        return cli_usage_error(command, "standard input (-) can be read once only");
    /* A recipe from a pipe would be gone after the first file, and a report is of one file. */
    if (files > 1 && request->verify.report_of)
        return cli_usage_error(command, "--report-of is about one file, and %zu are given", files);
    const char *recipe = request->verify.rebake ? request->verify.rebake : request->verify.recipe;
    if (files > 1 && recipe && strcmp(recipe, "-") == 0)
        return cli_usage_error(command, "a recipe from standard input can be checked against one file only");
    int standard = reports_to_standard_output(&request->reports);
    if (standard > 1 || (standard && request->format != CLI_TEXT))
        return cli_usage_error(command, "standard output (-) can take one report only");
    return CLI_EXIT_OK;
}

static int read_command_line(struct request *request, int argc, char **argv)
{
    const char *threads = NULL;
    char *value;
    int which;
    request->verify.size = sizeof request->verify;
    if (!args_begin(&request->args, &cli_command_verify, argc, argv))
        return CLI_EXIT_LIMIT;
    while ((which = args_next(&request->args, &value)) >= 0)
        if (!read_option(request, which, value, &threads))
            return CLI_EXIT_USAGE;
    if (which == ARGS_STOP) {
        request->done = true;
        return request->args.code;
    }
    if (!args_threads(&request->args, threads, &request->threads))
        return CLI_EXIT_USAGE;
    return check(request);
}

static int explain(const struct request *request)
{
    if (request->list_findings) {
        verify_text_list();
        return CLI_EXIT_OK;
    }
    enum vxb_finding finding = vxb_finding_by_text(request->explain);
    if (finding == VXB_FINDING_NONE)
        return cli_usage_error(request->args.command, "--explain: there is no finding '%s'; --list-findings lists them",
                               cli_clean(request->explain));
    verify_text_explain(finding);
    return CLI_EXIT_OK;
}

static int verdict(const struct request *request, const struct vxb_verify_report *report)
{
    return report->errors || (request->warnings_as_errors && report->warnings) ? CLI_EXIT_NO : CLI_EXIT_OK;
}

/* All files of a command line, their reports in its order: the library's, or where a file could not be checked one made
 * here. */
struct results {
    const struct request *request;
    struct verify_job *jobs;
    struct vxb_verify_report *failed;
    const struct vxb_verify_report **reports;
    size_t finished;
    int code;
};

static void finished(void *user, size_t index)
{
    struct results *results = user;
    struct verify_job *job = &results->jobs[index];
    const struct request *request = results->request;
    if (job->status) {
        results->failed[index] = (struct vxb_verify_report){.path = job->path, .failure = job->err.message};
        results->reports[index] = &results->failed[index];
        results->code = cli_worse(results->code, cli_failed(job->status, &job->err));
    } else {
        results->reports[index] = job->report;
        results->code = cli_worse(results->code, verdict(request, job->report));
    }
    results->finished = index + 1;
    if (cli_stopped())
        return;
    if (request->format == CLI_TEXT && job->report)
        verify_text_report(job->report);
    else if (request->format == CLI_JSON_LINES)
        results->code = cli_worse(results->code, reports_print(&results->reports[index], 1, true));
}

static void verify_all(struct request *request, const struct vxb_env *env, struct results *results, size_t count)
{
    for (size_t i = 0; i < count; i++)
        results->jobs[i].path = request->args.operands[i];
    results->code = reports_open(&request->reports, env, &request->args, &request->verify);
    if (results->code != CLI_EXIT_OK)
        return;
    /* A bake takes all threads for itself, and errors of a recipe would be told by each file at once. */
    bool one_by_one = request->verify.recipe || request->verify.rebake;
    verify_jobs_run(env, &request->verify, one_by_one, results->jobs, count, finished, results);
    if (request->format == CLI_JSON && !cli_stopped())
        results->code = cli_worse(results->code, reports_print(results->reports, results->finished, false));
    if (!cli_stopped())
        results->code =
            cli_worse(results->code, reports_write(&request->reports, results->reports, results->finished));
}

static int verify(struct request *request, const struct vxb_env *env)
{
    size_t count = request->args.operand_count;
    struct results results = {
        .request = request,
        .jobs = calloc(count, sizeof *results.jobs),
        .failed = calloc(count, sizeof *results.failed),
        .reports = calloc(count, sizeof *results.reports),
    };
    cli_set_summary_to_stderr(reports_to_standard_output(&request->reports) > 0);
    if (results.jobs && results.failed && results.reports)
        verify_all(request, env, &results, count);
    else
        results.code = cli_out_of_memory();
    reports_clear(&request->reports);
    for (size_t i = 0; results.jobs && i < count; i++)
        vxb_verify_report_free(results.jobs[i].report);
    free(results.jobs);
    free(results.failed);
    free(results.reports);
    return results.code;
}

static int run(int argc, char **argv)
{
    struct request request = {0};
    int code = read_command_line(&request, argc, argv);
    if (code == CLI_EXIT_OK && !request.done) {
        struct vxb_env env;
        cli_env(&env);
        env.threads = request.threads;
        env.max_memory_bytes = request.max_memory_bytes;
        code = request.list_findings || request.explain ? explain(&request) : verify(&request, &env);
    }
    args_clear(&request.args);
    return code;
}
