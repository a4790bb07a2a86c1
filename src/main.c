/* vxbake: finds the command in the table and runs it. */
#include <string.h>

#include "commands.h"
#include "signals.h"

static int unknown_command(const char *text)
{
    const char *shown = cli_clean(text);
    if (text[0] == '-')
        return cli_usage_error(NULL, "unknown option %s: the command comes first, its options after it", shown);
    const char *near = cli_command_nearest(text);
    if (near)
        return cli_usage_error(NULL, "unknown command '%s': did you mean '%s'?", shown, near);
    return cli_usage_error(NULL, "unknown command '%s'", shown);
}

/* A long one may be cut short, as those of the commands may. */
static bool is_option(const char *text, const char *option, const char *letter)
{
    const size_t length = strlen(text);
    return strcmp(text, letter) == 0 || (length > 2 && strncmp(text, option, length) == 0);
}

static int run(int argc, char **argv)
{
    if (argc < 2)
        return cli_usage_error(NULL, "no command given");
    const char *name = argv[1];
    if (is_option(name, "--help", "-h"))
        name = "help";
    else if (is_option(name, "--version", "-V"))
        name = "version";
    const struct cli_command *command = cli_command_by_name(name);
    return command ? command->run(argc - 1, argv + 1) : unknown_command(name);
}

int main(int argc, char **argv)
{
    cli_start("vxbake");
    signals_install();
    return cli_finish(run(argc, argv));
}
