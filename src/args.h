/* Reading the command line: getopt_long over a command's table of options, the values that options take, and the help
 * that the tables make. */
#ifndef SRC_ARGS_H
#define SRC_ARGS_H

#include "cli.h"

/* The command line of one command. Operands are gathered in order. */
struct args {
    const struct cli_command *command;
    int argc;
    char **argv;
    void *table;               /* struct option for getopt_long */
    char letters[64];
    const char **operands;
    size_t operand_count;
    bool done;                 /* the help was printed, nothing is left to do */
    uint32_t threads;          /* --threads, or where that was not given VXBAKE_THREADS; 0: as many as processors */
    uint64_t max_memory_bytes; /* --max-memory; 0: not given */
};

/* Reads a whole command line. Options that all commands have (--help, --quiet, ...), --threads and --max-memory, in the
 * commands whose tables have them, are dealt with here; take gets each other one: its index in the command's table, and
 * its value where it takes one. False from it, which has printed the reason, ends the reading. take may be NULL for a
 * table without any. Returns the exit code; whatever it is, the caller clears args. */
int args_read(struct args *args, const struct cli_command *command, int argc, char **argv,
              bool (*take)(void *user, int which, char *value), void *user);
void args_clear(struct args *args);
/* The one operand there has to be, a WHAT such as "file"; an error that shows usage where there is none. */
int args_one_operand(const struct args *args, const char *what, const char *usage, const char **out);
/* An error where there is an operand. */
int args_no_operand(const struct args *args);
/* cli_env(), with threads and memory as the command line has them. */
void args_env(const struct args *args, struct vxb_env *env);

/* Values. Each prints an error that names the option, the value and what is allowed, and returns false. name is how the
 * user gave it: "--threads" or "VXBAKE_THREADS". */
bool args_integer(const struct args *args, const char *name, const char *text, int64_t least, int64_t most,
                  int64_t *out);
/* X,Z: a cell. text is written to. */
bool args_cell(const struct args *args, const char *name, char *text, int32_t cell[2]);
/* N, FIRST-LAST (that one included) or FIRST- (*last is UINT32_MAX then). */
bool args_range(const struct args *args, const char *name, const char *text, uint64_t *first, uint64_t *last);
/* Bytes, with K, M, G or T (times 1024), in either case, and, if one likes, iB behind it. */
bool args_bytes(const struct args *args, const char *name, const char *text, uint64_t *out);
/* A level of zstd's, or none: *compress is false. */
bool args_level(const struct args *args, const char *text, bool *compress, int *level);
/* Exactly count finite numbers with commas between them, such as 3.5,-12; example is shown where text is none. */
bool args_numbers(const struct args *args, const char *name, const char *text, const char *example, size_t count,
                  double *out);
/* One of words (ends with NULL): its index. */
bool args_word(const struct args *args, const char *name, const char *text, const char *const *words, int *out);
bool args_format(const struct args *args, const char *text, enum cli_format *out);
/* A value for the recipe, /pointer=value, of which text keeps both parts. */
bool args_set(const struct args *args, char *text, struct vxb_recipe_set *out);
/* The one report of a command, json=FILE. */
bool args_report(const struct args *args, char *text, const char **path);
/* The name of an output: "-" for whatever leads to standard output, such as /dev/stdout, else itself. */
char *args_output(char *text);
/* A file's bytes, told by an option's name, are not for a terminal: the exit code. path NULL: none is asked for. */
int args_data_output(const struct args *args, const char *option, const char *path);
/* Whether an output, "-" apart, would replace what is read as input, which "-" reads from standard input. */
bool args_same_file(const char *output, const char *input);

/* Prints the help of a command to standard output. */
void args_print_help(const struct cli_command *command);

/* The name in names (ends with NULL) that text was most likely meant to be: the nearest, or the only one that begins
 * so; NULL where there is none. */
const char *args_nearest(const char *text, const char *const *names);

#endif
