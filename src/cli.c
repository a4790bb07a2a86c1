/* The program's voice: standard output, standard error, exit codes. Nothing else in src/ prints.
 *
 * Invariant: a write to standard output that failed is known by the time the program ends, and decides its exit
 * code. */
#if defined(HAVE_CONFIG_H)
#include "config.h"
#endif
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "signals.h"
#include "wording.h"

static struct {
    const char *program;
    enum cli_talk talk;
    bool colour;           /* on standard error */
    bool progress;
    bool summary_to_stderr;
    bool out_failed;
    int out_errno;         /* why */
    bool out_cut;          /* no more is taken, a signal having come */
    bool said_error;       /* an error came through the diag callback */
    char first_error[WORDING_ROOM];
    double work_began;     /* when the work that progress tells of began */
    double bar_drawn;      /* when the bar was drawn last; 0: none is shown */
    const char *work;      /* what progress tells of */
} cli;

void cli_set_talk(enum cli_talk talk) { cli.talk = talk; }
enum cli_talk cli_talk(void) { return cli.talk; }

void cli_set_progress(bool wanted)
{
    cli.progress = cli.progress && wanted;
}

void cli_start(const char *program)
{
    cli.program = program;
    /* A closed descriptor gets one that can't be used the way ours is: the first write or read then fails, as it
     * should. */
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
            exit(CLI_EXIT_IO);
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    bool terminal = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
    cli.colour = terminal && !(no_colour && no_colour[0]);
    cli.progress = terminal;
}

/* ---- standard output ---- */

static void out_result(bool good)
{
    if (!good && !cli.out_failed) {
        cli.out_failed = true;
        cli.out_errno = errno;
    }
}

void cli_out(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    out_result(vfprintf(stdout, format, args) >= 0);
    va_end(args);
}

static bool sink_write(void *user, const char *data, size_t size)
{
    (void)user;
    out_result(fwrite(data, 1, size, stdout) == size);
    cli.out_cut = signals_caught() != 0;
    return !cli.out_failed && !cli.out_cut;
}

struct vxb_sink cli_out_sink(void)
{
    return (struct vxb_sink){.write = sink_write};
}

void cli_set_summary_to_stderr(bool to_stderr)
{
    cli.summary_to_stderr = to_stderr;
}

CLI_PRINTF(1, 0)
static void text(const char *format, va_list args)
{
    if (cli.summary_to_stderr)
        vfprintf(stderr, format, args);
    else
        out_result(vfprintf(stdout, format, args) >= 0);
}

void cli_summary(const char *format, ...)
{
    if (cli.talk == CLI_QUIET)
        return;
    va_list args;
    va_start(args, format);
    text(format, args);
    va_end(args);
}

void cli_text(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text(format, args);
    va_end(args);
}

int cli_finish(int code)
{
    cli_progress_clear();
    /* Flushing, and closing, may be what tells that the disk is full. */
    out_result(fflush(stdout) == 0);
    out_result(close(STDOUT_FILENO) == 0 || errno == EBADF);
    signals_raise_again();
    if (cli.out_failed) {
        cli_error("cannot write to standard output: %s", strerror(cli.out_errno));
        code = cli_worse(code, CLI_EXIT_IO);
    }
    return code;
}

/* ---- standard error ---- */

CLI_PRINTF(3, 0)
static void say(const char *kind, const char *colour, const char *format, va_list args)
{
    cli_progress_clear();
    out_result(fflush(stdout) == 0); /* where both are one terminal or file, in the order it was said */
    bool colours = cli.colour && colour;
    fprintf(stderr, "%s: %s%s%s%s", cli.program, colours ? colour : "", kind, colours ? "\033[0m" : "",
            kind[0] ? ": " : "");
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

#define COLOUR_ERROR "\033[1;31m"
#define COLOUR_WARNING "\033[1;35m"

void cli_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("error", COLOUR_ERROR, format, args);
    va_end(args);
}

void cli_warning(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("warning", COLOUR_WARNING, format, args);
    va_end(args);
}

void cli_note(const char *format, ...)
{
    if (cli.talk == CLI_QUIET)
        return;
    va_list args;
    va_start(args, format);
    say("note", NULL, format, args);
    va_end(args);
}

void cli_detail(const char *format, ...)
{
    if (cli.talk != CLI_VERBOSE)
        return;
    va_list args;
    va_start(args, format);
    say("", NULL, format, args);
    va_end(args);
}

int cli_usage_error(const struct cli_command *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("error", COLOUR_ERROR, format, args);
    va_end(args);
    if (command && command->is_program)
        fprintf(stderr, "Try '%s --help'.\n", command->name);
    else
        fprintf(stderr, "Try 'vxbake help%s%s'.\n", command ? " " : "", command ? command->name : "");
    return CLI_EXIT_USAGE;
}

/* ---- errors of the library ---- */

int cli_exit_code(enum vxb_status status)
{
    switch (status) {
    case VXB_OK: return CLI_EXIT_OK;
    case VXB_ERR_USAGE: return CLI_EXIT_USAGE;
    case VXB_ERR_FORMAT:
    case VXB_ERR_DATA:
    case VXB_ERR_UNSUPPORTED: return CLI_EXIT_INPUT;
    case VXB_ERR_LIMIT:
    case VXB_ERR_MEMORY: return CLI_EXIT_LIMIT;
    case VXB_ERR_IO: return CLI_EXIT_IO;
    case VXB_ERR_REFUSED: return CLI_EXIT_REFUSED;
    case VXB_ERR_DEVICE: return CLI_EXIT_DEVICE;
    case VXB_ERR_CANCELLED:
    case VXB_ERR_BUG: return CLI_EXIT_BUG;
    }
    return CLI_EXIT_BUG;
}

int cli_out_of_memory(void)
{
    cli_error("out of memory");
    return CLI_EXIT_LIMIT;
}

int cli_worse(int a, int b)
{
    return a > b ? a : b;
}

int cli_failed(enum vxb_status status, const struct vxb_error *err)
{
    char text[WORDING_ROOM];
    wording_format(err, text);
    bool said = cli.said_error && strcmp(text, cli.first_error) == 0;
    /* Where a signal ends the work it says so itself; a full disk or a file size limit is worth the reason too, a
     * reader that has gone, or output that was cut short because of it, is not. */
    bool by_signal = signals_caught() && (status != VXB_ERR_IO || signals_caught() == SIGPIPE || cli.out_cut);
    if (!said && !by_signal && !cli.out_failed)
        cli_error("%s", text);
    cli.said_error = false;
    return cli_exit_code(status);
}

static void on_diag(void *user, const struct vxb_diag *diag)
{
    (void)user;
    char text[WORDING_ROOM];
    wording_format(&diag->what, text);
    switch (diag->severity) {
    case VXB_SEVERITY_ERROR:
        if (!cli.said_error)
            memcpy(cli.first_error, text, sizeof text);
        cli.said_error = true;
        cli_error("%s", text);
        break;
    case VXB_SEVERITY_WARNING:
        cli_warning("%s", text);
        break;
    case VXB_SEVERITY_NOTE:
        cli_note("%s", text);
        break;
    }
}

/* ---- progress ---- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void cli_progress_clear(void)
{
    if (cli.bar_drawn > 0)
        fputs("\r\033[K", stderr);
    cli.bar_drawn = 0;
}

static void on_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    static const double patience = 1.0, between = 0.1; /* seconds */
    enum { WIDTH = 30 };
    (void)user;
    double at = now();
    if (!cli.work || strcmp(cli.work, what) != 0) {
        cli.work = what;
        cli.work_began = at;
    }
    if (done >= total) {
        cli_progress_clear();
        return;
    }
    if (at - cli.work_began < patience || at - cli.bar_drawn < between)
        return;
    double part = (double)done / (double)total;
    int filled = (int)(part * WIDTH);
    fprintf(stderr, "\r%s [%.*s%*s] %3d %%\033[K", what, filled, "##############################", WIDTH - filled, "",
            (int)(part * 100));
    fflush(stderr);
    cli.bar_drawn = at;
}

bool cli_stopped(void)
{
    return signals_caught() != 0;
}

static bool on_cancelled(void *user)
{
    (void)user;
    return cli_stopped();
}

void cli_env(struct vxb_env *env)
{
    *env = (struct vxb_env){.size = sizeof *env, .diag = on_diag, .cancelled = on_cancelled};
    if (cli.progress && cli.talk != CLI_QUIET)
        env->progress = on_progress;
}

/* ---- text from outside ---- */

const char *cli_clean(const char *text)
{
    static char slots[CLI_CLEAN_SLOTS][1200];
    static unsigned next;
    char *slot = slots[next++ % CLI_CLEAN_SLOTS];
    vxb_text_escape(slot, sizeof slots[0], text, strlen(text));
    return slot;
}

const char *cli_counted(uint64_t count, const char *one)
{
    static char slots[CLI_CLEAN_SLOTS][64];
    static unsigned next;
    char *slot = slots[next++ % CLI_CLEAN_SLOTS];
    snprintf(slot, sizeof slots[0], "%" PRIu64 " %s%s", count, one, count == 1 ? "" : "s");
    return slot;
}

const char *cli_column(const char *text, unsigned columns)
{
    static char slots[CLI_CLEAN_SLOTS][512];
    static unsigned next;
    char *slot = slots[next++ % CLI_CLEAN_SLOTS];
    const char *from = cli_clean(text);
    size_t used = 0;
    unsigned shown = 0;
    for (; *from && used + columns + 8 < sizeof slots[0]; from++) {
        bool starts = ((unsigned char)*from & 0xC0) != 0x80;
        if (starts && shown == columns)
            break;
        shown += starts;
        slot[used++] = *from;
    }
    for (; shown < columns && used + 1 < sizeof slots[0]; shown++)
        slot[used++] = ' ';
    slot[used] = 0;
    return slot;
}
