/* vxbake: finds the command in the table and runs it. */
#include <string.h>

#include "args.h"
#include "cli.h"
#include "signals.h"

#define CLI_COMMAND_DEF(name) extern const struct cli_command cli_command_##name;
#include "commands.def"
#undef CLI_COMMAND_DEF

const struct cli_command *const cli_commands[] = {
#define CLI_COMMAND_DEF(name) &cli_command_##name,
#include "commands.def"
#undef CLI_COMMAND_DEF
    NULL,
};

const struct cli_command *cli_command_by_name(const char *name)
{
    for (size_t i = 0; cli_commands[i]; i++)
        if (strcmp(cli_commands[i]->name, name) == 0)
            return cli_commands[i];
    return NULL;
}

static int unknown_command(const char *text)
{
    const char *shown = cli_clean(text);
    if (text[0] == '-')
        return cli_usage_error(NULL, "unknown option %s: the command comes first, its options after it", shown);
    const char *near = args_nearest_command(text);
    if (near)
        return cli_usage_error(NULL, "unknown command '%s': did you mean '%s'?", shown, near);
    return cli_usage_error(NULL, "unknown command '%s'", shown);
}

static int run(int argc, char **argv)
{
    if (argc < 2)
        return cli_usage_error(NULL, "no command given");
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        name = "help";
    else if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
        name = "version";
    const struct cli_command *command = cli_command_by_name(name);
    return command ? command->run(argc - 1, argv + 1) : unknown_command(name);
}

int main(int argc, char **argv)
{
    cli_start();
    signals_install();
    return cli_finish(run(argc, argv));
}
