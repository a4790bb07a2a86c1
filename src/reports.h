/* The report files of a command that writes them itself: opened before the work begins, so that one that can't be
 * written is known then; never one of the inputs; put in place at the end, all of each or nothing. diff, explain
 * and simulate have one, verify several. */
#ifndef SRC_REPORTS_H
#define SRC_REPORTS_H

#include "args.h"
#include "verify_files.h"

enum report_kind { REPORT_JSON, REPORT_JUNIT };

enum { REPORTS_MAX = 16 };

struct report_file {
    enum report_kind kind;
    const char *path; /* NULL: none is asked for */
    struct vxb_output *output;
};

/* Where a report is asked for, standard output takes it or what format prints there, not both: an error, or the text of
 * the command goes to standard error from now on. */
int report_check(const struct args *args, const struct report_file *file, enum cli_format format);

/* Opens the file, where one is asked for. Returns the exit code. */
int report_open(struct report_file *file, const struct vxb_env *env);

/* Whether the file, where one is open, would replace an input, which is said then. input: NULL is none, "-" standard
 * input. */
bool report_is_input(const struct report_file *file, const char *input);

/* Whether its name promises another kind of file, which is said then; asked once it is known to be no input. */
bool report_is_misnamed(const struct args *args, const struct report_file *file);

/* A sink that adds to the open file; target, which has to stay as long, keeps its place. What can't be written is told
 * in err, which a sink's own answer can't carry. */
struct report_target {
    struct vxb_output *output;
    struct vxb_error *err;
};
struct vxb_sink report_sink(const struct report_file *file, struct report_target *target, struct vxb_error *err);

/* Puts the file in place, and closes it whatever comes of that. */
enum vxb_status report_commit(struct report_file *file, struct vxb_error *err);

/* ---- of verify ---- */

struct reports {
    struct report_file files[REPORTS_MAX];
    size_t count;
};

/* False, with the reason printed, where there are too many. */
bool reports_add(struct reports *reports, enum report_kind kind, const char *path);

/* How many of them name standard output. */
int reports_to_standard_output(const struct reports *reports);

/* Opens them all. Returns the exit code: refused where one is an input (a file to check, or one that options names) or
 * two are one file. */
int reports_open(struct reports *reports, const struct args *args, const struct vxb_env *env,
                 const struct verify_files *inputs, const struct vxb_verify_options *options);

/* Writes them and puts them in place, none after a signal. skipped: see vxb_verify_json(). Returns the exit code. */
int reports_write(struct reports *reports, const struct vxb_verify_report *const *done, size_t count, uint64_t skipped);

/* The JSON of reports on standard output, or, lines true, one line each. Returns the exit code. */
int reports_print(const struct vxb_verify_report *const *done, size_t count, uint64_t skipped, bool lines);

/* Throws away what was not put in place. */
void reports_clear(struct reports *reports);

#endif
