/* What the commands share: the table of commands, exit codes, and everything that is printed. Data goes to standard
 * output, talk to standard error; cli.c alone prints. */
#ifndef SRC_CLI_H
#define SRC_CLI_H

#include <vxbake.h>

#if defined(__GNUC__) || defined(__clang__)
#define CLI_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define CLI_PRINTF(fmt, first)
#endif

enum cli_exit {
#define CLI_EXIT_DEF(name, code, sentence) CLI_EXIT_##name = code,
#include "exits.def"
#undef CLI_EXIT_DEF
};

/* One option of a command; a table of them ends with one that has no name. */
struct cli_option {
    const char *name;     /* long, without the dashes */
    char letter;          /* short, 0: none */
    const char *argument; /* how the help calls its value; NULL: it takes none, "[=VALUE]": it need not have one */
    const char *help;     /* a line, or more with line breaks; each fits 50 columns */
};

/* A command: one cmd_<name>.c; or a program that is one command alone. */
struct cli_command {
    const char *name;
    bool is_program;      /* name is the program's own, not a command of vxbake */
    const char *summary;  /* for the list of commands: a few words, capital and full stop left out */
    const char *usage;    /* what stands after the name */
    const char *about;    /* a paragraph for --help, with line breaks */
    const struct cli_option *options;
    const bool *once;     /* by the options' indices: those whose second value would drop the first; NULL: none */
    /* argv[0] is the command's name. Returns the exit code; prints what there is to say itself. */
    int (*run)(int argc, char **argv);
};

enum cli_format { CLI_TEXT, CLI_JSON, CLI_JSON_LINES };

/* How talkative the program is; set while the options are read. */
enum cli_talk { CLI_QUIET = -1, CLI_NORMAL = 0, CLI_VERBOSE = 1 };
void cli_set_talk(enum cli_talk talk);
enum cli_talk cli_talk(void);
void cli_set_progress(bool wanted);

/* Before anything else: takes the name that messages begin with, looks at the terminal and makes sure that descriptors
 * 0 to 2 are open, so that no file of ours is taken for one of them. */
void cli_start(const char *program);

/* Closes standard output and tells the exit code: that of a failed write where one failed, else code. A signal that
 * came meanwhile is raised again here, and then this does not return. */
int cli_finish(int code);

/* Data, on standard output. Texts from files and from the command line go through cli_clean() first. */
void cli_out(const char *format, ...) CLI_PRINTF(1, 2);
/* A vxb_sink that writes to standard output. */
struct vxb_sink cli_out_sink(void);
/* The report of a command for people: on standard output, or on standard error where that carries data. cli_summary()
 * is silent with -q, cli_text() never. */
void cli_set_summary_to_stderr(bool to_stderr);
void cli_summary(const char *format, ...) CLI_PRINTF(1, 2);
void cli_text(const char *format, ...) CLI_PRINTF(1, 2);

/* Talk, on standard error, each a line "PROGRAM: error: ...". Notes are silenced by -q, details need -v. */
void cli_error(const char *format, ...) CLI_PRINTF(1, 2);
void cli_warning(const char *format, ...) CLI_PRINTF(1, 2);
void cli_note(const char *format, ...) CLI_PRINTF(1, 2);
void cli_detail(const char *format, ...) CLI_PRINTF(1, 2);

/* An error of the command line: the message, then where the help is. Returns CLI_EXIT_USAGE. command may be NULL. */
int cli_usage_error(const struct cli_command *command, const char *format, ...) CLI_PRINTF(2, 3);

/* Prints the error of a failed call, unless it was printed already when it came through the diag callback or a signal
 * is the reason, and returns the exit code of its status. */
int cli_failed(enum vxb_status status, const struct vxb_error *err);

/* Says that there is no memory; returns CLI_EXIT_LIMIT. */
int cli_out_of_memory(void);

/* The exit code of a status. */
int cli_exit_code(enum vxb_status status);

/* The worse of two exit codes: the higher one. */
int cli_worse(int a, int b);

/* Whether a signal asks to end. */
bool cli_stopped(void);

/* The environment for calls into the library: diagnostics, progress and cancelling lead here. Threads and memory are
 * the caller's to fill in. */
void cli_env(struct vxb_env *env);

/* Removes the progress bar, if one is shown. */
void cli_progress_clear(void);

/* Text from outside, made fit to print: control characters and bytes that are no UTF-8 escaped, cut where it is very
 * long. The result lives until CLI_CLEAN_SLOTS more calls have been made. */
#define CLI_CLEAN_SLOTS 8
const char *cli_clean(const char *text);

/* "1 brick", "2 bricks"; the result lives as long. */
const char *cli_counted(uint64_t count, const char *one);

/* The same text, filled up with spaces to a number of columns (code points), or cut to it. */
const char *cli_column(const char *text, unsigned columns);

#endif
