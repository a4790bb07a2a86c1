/* The command line. Operands and options may mix, "--" ends the options, and a long option may be cut short as long as
 * it stays the only one that begins so. */
#if defined(HAVE_CONFIG_H)
#include "config.h"
#endif
#include "args.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Options that every command has; they come after its own. */
enum { COMMON_QUIET, COMMON_VERBOSE, COMMON_NO_PROGRESS, COMMON_HELP, COMMON_COUNT };

static const struct cli_option common_options[COMMON_COUNT + 1] = {
    [COMMON_QUIET] = {"quiet", 'q', NULL, "print only errors and warnings"},
    [COMMON_VERBOSE] = {"verbose", 'v', NULL, "print details along the way"},
    [COMMON_NO_PROGRESS] = {"no-progress", 0, NULL, "show no progress bar"},
    [COMMON_HELP] = {"help", 'h', NULL, "print this help"},
};

/* What getopt_long returns for an option: its index in the command's table, common ones counted on from its end. */
enum { FIRST_VALUE = 256 };

static int own_count(const struct cli_command *command)
{
    int count = 0;
    while (command->options[count].name)
        count++;
    return count;
}

static const struct cli_option *option_at(const struct cli_command *command, int index)
{
    int own = own_count(command);
    return index < own ? &command->options[index] : &common_options[index - own];
}

static bool is_optional(const struct cli_option *option)
{
    return option->argument && option->argument[0] == '[';
}

/* False, with the reason printed, where there is no memory. */
static bool begin(struct args *args, const struct cli_command *command, int argc, char **argv)
{
    int count = own_count(command) + COMMON_COUNT;
    struct option *table = calloc((size_t)count + 1, sizeof *table);
    const char **operands = calloc((size_t)argc + 1, sizeof *operands);
    if (!table || !operands) {
        free(table);
        free(operands);
        cli_out_of_memory();
        return false;
    }
    *args = (struct args){.command = command, .argc = argc, .argv = argv, .table = table, .operands = operands};
    /* '-': operands come in order, whatever POSIXLY_CORRECT says. ':': a missing value is told from an unknown
     * option. */
    char *letter = args->letters;
    *letter++ = '-';
    *letter++ = ':';
    for (int i = 0; i < count; i++) {
        const struct cli_option *option = option_at(command, i);
        table[i] = (struct option){option->name,
                                   !option->argument      ? no_argument
                                   : is_optional(option) ? optional_argument
                                                          : required_argument,
                                   NULL, FIRST_VALUE + i};
        if (option->letter) {
            *letter++ = option->letter;
            if (option->argument)
                *letter++ = ':';
        }
    }
    opterr = 0;
    return true;
}

void args_clear(struct args *args)
{
    free(args->table);
    free(args->operands);
    args->table = NULL;
    args->operands = NULL;
}

/* ---- what was meant ---- */

static size_t smallest(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Edits from a to b, case apart, a swap of neighbours counting as one; large where one of them is long. */
static size_t distance(const char *a, const char *b)
{
    enum { MOST = 40 };
    size_t rows = strlen(a), columns = strlen(b);
    size_t cost[MOST + 1][MOST + 1];
    if (rows > MOST || columns > MOST)
        return MOST;
    for (size_t i = 0; i <= rows; i++)
        for (size_t k = 0; k <= columns; k++) {
            if (i == 0 || k == 0) {
                cost[i][k] = i + k;
                continue;
            }
            cost[i][k] = smallest(cost[i - 1][k] + 1, cost[i][k - 1] + 1,
                                  cost[i - 1][k - 1] + (lower(a[i - 1]) != lower(b[k - 1])));
            if (i > 1 && k > 1 && lower(a[i - 1]) == lower(b[k - 2]) && lower(a[i - 2]) == lower(b[k - 1]) &&
                cost[i - 2][k - 2] + 1 < cost[i][k])
                cost[i][k] = cost[i - 2][k - 2] + 1;
        }
    return cost[rows][columns];
}

const char *args_nearest(const char *text, const char *const *names)
{
    const char *best = NULL, *begun = NULL;
    const size_t length = strlen(text);
    size_t best_distance = length / 3 + 2, begin = 0;
    for (; *names; names++) {
        size_t d = distance(text, *names);
        if (d < best_distance && d < strlen(*names)) {
            best = *names;
            best_distance = d;
        }
        if (length > 1 && strncmp(text, *names, length) == 0) {
            begun = *names;
            begin++;
        }
    }
    return best || begin != 1 ? best : begun;
}

/* ---- errors ---- */

/* An unknown or ambiguous long option; text starts with its dashes. */
static int unknown_long(const struct args *args, const char *text)
{
    const struct option *table = args->table;
    const char *names[64];
    size_t count = 0, begins = 0;
    char typed[64], matches[256] = "";
    snprintf(typed, sizeof typed, "%.*s", (int)strcspn(text + 2, "="), text + 2);
    for (; table[count].name && count + 1 < sizeof names / sizeof names[0]; count++) {
        names[count] = table[count].name;
        if (strncmp(names[count], typed, strlen(typed)) == 0) {
            size_t used = strlen(matches);
            snprintf(matches + used, sizeof matches - used, "%s--%s", begins++ ? ", " : "", names[count]);
        }
    }
    names[count] = NULL;
    const char *shown = cli_clean(typed);
    if (begins > 1)
        return cli_usage_error(args->command, "--%s could be any of %s", shown, matches);
    const char *near = args_nearest(typed, names);
    if (near)
        return cli_usage_error(args->command, "unknown option --%s: did you mean --%s?", shown, near);
    return cli_usage_error(args->command, "unknown option --%s", shown);
}

static int bad_option(const struct args *args, int what)
{
    if (optopt >= FIRST_VALUE) {
        const struct cli_option *option = option_at(args->command, optopt - FIRST_VALUE);
        if (what == ':')
            return cli_usage_error(args->command, "--%s needs a value: --%s %s", option->name, option->name,
                                   option->argument);
        return cli_usage_error(args->command, "--%s takes no value", option->name);
    }
    if (optopt == 0)
        return unknown_long(args, args->argv[optind - 1]);
    char letter[2] = {(char)optopt, 0};
    if (what == ':')
        return cli_usage_error(args->command, "-%s needs a value", letter);
    return cli_usage_error(args->command, "unknown option -%s", cli_clean(letter));
}

static int index_of_letter(const struct args *args, int letter)
{
    const struct option *table = args->table;
    for (int i = 0; table[i].name; i++)
        if (option_at(args->command, i)->letter == letter)
            return i;
    return -1;
}

/* The next option: its index in the command's table, and its value where it takes one. END: all is read, the operands
 * are complete. STOP: leave with *code; the help or the error is printed. */
enum { END = -1, STOP = -2 };

static int next_option(struct args *args, char **value, int *code)
{
    for (;;) {
        int c = getopt_long(args->argc, args->argv, args->letters, args->table, NULL);
        *value = optarg;
        if (c == -1) {
            while (optind < args->argc)
                args->operands[args->operand_count++] = args->argv[optind++];
            return END;
        }
        if (c == 1) {
            args->operands[args->operand_count++] = optarg;
            continue;
        }
        if (c == '?' || c == ':') {
            *code = bad_option(args, c);
            return STOP;
        }
        int index = c >= FIRST_VALUE ? c - FIRST_VALUE : index_of_letter(args, c);
        int own = own_count(args->command);
        if (index < own)
            return index;
        switch (index - own) {
        case COMMON_QUIET:
            cli_set_talk(CLI_QUIET);
            break;
        case COMMON_VERBOSE:
            cli_set_talk(CLI_VERBOSE);
            break;
        case COMMON_NO_PROGRESS:
            cli_set_progress(false);
            break;
        default:
            args_print_help(args->command);
            args->done = true;
            *code = CLI_EXIT_OK;
            return STOP;
        }
    }
}

static bool has_option(const struct cli_command *command, const char *name)
{
    for (const struct cli_option *option = command->options; option->name; option++)
        if (strcmp(option->name, name) == 0)
            return true;
    return false;
}

static bool read_threads(struct args *args, const char *text)
{
    const char *name = "--threads";
    int64_t number = 0;
    if (!text) {
        name = "VXBAKE_THREADS";
        text = getenv(name);
        if (!text || !text[0])
            return true;
    }
    if (!args_integer(args, name, text, 0, 256, &number))
        return false;
    args->threads = (uint32_t)number;
    return true;
}

/* What a second value would drop in silence. */
static bool is_second(const struct args *args, int which, const char *value, uint64_t *seen)
{
    const uint64_t bit = (uint64_t)1 << which;
    const bool second = args->command->once && args->command->once[which] && (*seen & bit);
    *seen |= bit;
    if (second)
        cli_usage_error(args->command, "--%s: '%s' is a second value, and there can be only one",
                        args->command->options[which].name, cli_clean(value));
    return second;
}

int args_read(struct args *args, const struct cli_command *command, int argc, char **argv,
              bool (*take)(void *user, int which, char *value), void *user)
{
    const char *threads = NULL;
    char *value;
    int which, code;
    uint64_t seen = 0;
    if (!begin(args, command, argc, argv))
        return CLI_EXIT_LIMIT;
    while ((which = next_option(args, &value, &code)) >= 0) {
        const char *name = command->options[which].name;
        bool good = true;
        if (is_second(args, which, value, &seen))
            return CLI_EXIT_USAGE;
        if (strcmp(name, "threads") == 0)
            threads = value;
        else if (strcmp(name, "max-memory") == 0)
            good = args_bytes(args, "--max-memory", value, &args->max_memory_bytes);
        else
            good = take(user, which, value);
        if (!good)
            return CLI_EXIT_USAGE;
    }
    if (which == STOP)
        return code;
    return has_option(command, "threads") && !read_threads(args, threads) ? CLI_EXIT_USAGE : CLI_EXIT_OK;
}

int args_one_operand(const struct args *args, const char *what, const char *usage, const char **out)
{
    if (args->operand_count == 0)
        return cli_usage_error(args->command, "no %s given: %s", what, usage);
    if (args->operand_count > 1)
        return cli_usage_error(args->command, "one %s at a time, and '%s' is a second one: %s", what,
                               cli_clean(args->operands[1]), usage);
    *out = args->operands[0];
    return CLI_EXIT_OK;
}

int args_no_operand(const struct args *args)
{
    if (args->operand_count == 0)
        return CLI_EXIT_OK;
    return cli_usage_error(args->command, "nothing is expected here, not '%s'", cli_clean(args->operands[0]));
}

void args_env(const struct args *args, struct vxb_env *env)
{
    cli_env(env);
    env->threads = args->threads;
    env->max_memory_bytes = args->max_memory_bytes;
}

/* ---- values ---- */

static bool whole(const char *text, int64_t least, int64_t most, int64_t *out)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    bool digits = text[0] == '-' || (text[0] >= '0' && text[0] <= '9');
    *out = number;
    return digits && end != text && !*end && !errno && number >= least && number <= most;
}

bool args_integer(const struct args *args, const char *name, const char *text, int64_t least, int64_t most,
                  int64_t *out)
{
    if (whole(text, least, most, out))
        return true;
    cli_usage_error(args->command, "%s: '%s' is not a whole number from %" PRId64 " to %" PRId64, name, cli_clean(text),
                    least, most);
    return false;
}

bool args_cell(const struct args *args, const char *name, char *text, int32_t cell[2])
{
    char *comma = strchr(text, ',');
    int64_t x, z;
    if (!comma) {
        cli_usage_error(args->command, "%s: '%s' is not a cell X,Z, such as 3,-12", name, cli_clean(text));
        return false;
    }
    *comma = 0;
    if (!args_integer(args, name, text, INT32_MIN, INT32_MAX, &x) ||
        !args_integer(args, name, comma + 1, INT32_MIN, INT32_MAX, &z))
        return false;
    cell[0] = (int32_t)x;
    cell[1] = (int32_t)z;
    return true;
}

static bool read_index(const char *text, size_t size, uint64_t *out)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        value = 10 * value + (uint64_t)(text[i] - '0');
        if (value > UINT32_MAX)
            return false;
    }
    *out = value;
    return size > 0;
}

bool args_range(const struct args *args, const char *name, const char *text, uint64_t *first, uint64_t *last)
{
    const char *dash = strchr(text, '-');
    const size_t length = dash ? (size_t)(dash - text) : strlen(text);
    bool good = read_index(text, length, first);
    *last = UINT32_MAX;
    if (good && !dash)
        *last = *first;
    else if (good && dash[1])
        good = read_index(dash + 1, strlen(dash + 1), last) && *last >= *first;
    if (!good)
        cli_usage_error(args->command, "%s: '%s' is not a range: a number from 0 to %" PRIu32 ", or FIRST-LAST, or "
                        "FIRST- to the end", name, cli_clean(text), UINT32_MAX);
    return good;
}

bool args_bytes(const struct args *args, const char *name, const char *text, uint64_t *out)
{
    static const char units[] = "KMGTkmgt";
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    bool good = text[0] >= '0' && text[0] <= '9' && !errno && number > 0;
    const char *unit = *end ? strchr(units, *end) : NULL;
    unsigned shift = 0;
    if (unit) {
        shift = 10 * ((unsigned)(unit - units) % 4 + 1);
        end += strcmp(end + 1, "iB") == 0 ? 3 : 1;
    }
    if (!good || *end || number > UINT64_MAX >> shift) {
        cli_usage_error(args->command, "%s: '%s' is not a size: a whole number above 0, of bytes or with K, M, G or T "
                        "behind it", name, cli_clean(text));
        return false;
    }
    *out = number << shift;
    return true;
}

/* zstd's own range. Its fastest levels only give up density for speed; beyond 22 there is nothing. */
enum { LEVEL_MIN = -131072, LEVEL_MAX = 22 };

bool args_level(const struct args *args, const char *text, bool *compress, int *level)
{
    int64_t number = 0;
    *compress = strcmp(text, "none") != 0;
    if (*compress && !whole(text, LEVEL_MIN, LEVEL_MAX, &number)) {
        cli_usage_error(args->command, "--compress: '%s' is not a level: a whole number from %d to %d, or none",
                        cli_clean(text), LEVEL_MIN, LEVEL_MAX);
        return false;
    }
    *level = (int)number;
    return true;
}

bool args_numbers(const struct args *args, const char *name, const char *text, const char *example, size_t count,
                  double *out)
{
    const char *at = text;
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        char *end;
        /* Decimal numbers only: strtod knows hexadecimal ones, infinities and nan too. */
        good = strspn(at, "+-.0123456789eE") > 0 && at[strspn(at, "+-.0123456789eE")] == (i + 1 < count ? ',' : 0);
        out[i] = strtod(at, &end);
        good = good && end != at && *end == (i + 1 < count ? ',' : 0) && out[i] - out[i] == 0.0;
        at = end + 1;
    }
    if (!good)
        cli_usage_error(args->command, "%s: '%s' is not %zu numbers with commas between them, such as %s", name,
                        cli_clean(text), count, example);
    return good;
}

bool args_word(const struct args *args, const char *name, const char *text, const char *const *words, int *out)
{
    char all[256] = "";
    for (int i = 0; words[i]; i++) {
        if (strcmp(text, words[i]) == 0) {
            *out = i;
            return true;
        }
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
    }
    cli_usage_error(args->command, "%s: '%s' is not one of its values: %s", name, cli_clean(text), all);
    return false;
}

bool args_format(const struct args *args, const char *text, enum cli_format *out)
{
    static const char *const words[] = {[CLI_TEXT] = "text", [CLI_JSON] = "json", [CLI_JSON_LINES] = "json-lines",
                                        NULL};
    int which;
    if (!args_word(args, "--format", text, words, &which))
        return false;
    *out = (enum cli_format)which;
    return true;
}

bool args_set(const struct args *args, char *text, struct vxb_recipe_set *out)
{
    char *equals = strchr(text, '=');
    if (text[0] != '/' || !equals) {
        cli_usage_error(args->command, "--set: '%s' is not /pointer=value, such as /density=12.5", cli_clean(text));
        return false;
    }
    *equals = 0;
    *out = (struct vxb_recipe_set){text, equals + 1};
    return true;
}

bool args_report(const struct args *args, char *text, const char **path)
{
    if (strncmp(text, "json=", 5) != 0 || !text[5]) {
        cli_usage_error(args->command, "--report: '%s' is not json=FILE", cli_clean(text));
        return false;
    }
    *path = args_output(text + 5);
    return true;
}

char *args_output(char *text)
{
    static char standard[] = "-";
    return vxb_output_is_standard(text) ? standard : text;
}

int args_data_output(const struct args *args, const char *option, const char *path)
{
    if (!path || strcmp(path, "-") != 0 || !isatty(STDOUT_FILENO))
        return CLI_EXIT_OK;
    return cli_usage_error(args->command, "%s -: standard output is a terminal, which a file's bytes are not for: name "
                           "a file, or pipe them to what reads them", option);
}

bool args_same_file(const char *output, const char *input)
{
    struct stat out, in;
    return strcmp(output, "-") != 0 && stat(output, &out) == 0 &&
           (strcmp(input, "-") == 0 ? fstat(STDIN_FILENO, &in) : stat(input, &in)) == 0 && S_ISREG(in.st_mode) &&
           out.st_dev == in.st_dev && out.st_ino == in.st_ino;
}

/* ---- help ---- */

static void print_options(const struct cli_option *options)
{
    enum { INDENT = 28 };
    for (; options->name; options++) {
        char left[64], letter[8] = "    ";
        if (options->letter)
            snprintf(letter, sizeof letter, "-%c, ", options->letter);
        const char *between = options->argument && !is_optional(options) ? " " : "";
        int n = snprintf(left, sizeof left, "  %s--%s%s%s", letter, options->name, between,
                         options->argument ? options->argument : "");
        cli_out("%s", left);
        if (n >= INDENT - 1) {
            cli_out("\n");
            n = 0;
        }
        for (const char *line = options->help; *line; n = 0) {
            size_t length = strcspn(line, "\n");
            cli_out("%*s%.*s\n", INDENT - n, "", (int)length, line);
            line += length + (line[length] == '\n');
        }
    }
}

void args_print_help(const struct cli_command *command)
{
    cli_out("Usage: %s%s%s%s\n\n%s\n\nOptions:\n", command->is_program ? "" : "vxbake ", command->name,
            command->usage[0] ? " " : "", command->usage, command->about);
    print_options(command->options);
    print_options(common_options);
    cli_out("\nSee %s%s(1).\n", command->is_program ? "" : "vxbake-", command->name);
}
