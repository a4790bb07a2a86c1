/* The table of vxbake's commands, commands.def, and what is looked up in it. */
#include "commands.h"

#include <string.h>

#include "args.h"

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

const char *cli_command_nearest(const char *text)
{
    const char *names[32];
    size_t count = 0;
    for (; cli_commands[count] && count + 1 < sizeof names / sizeof names[0]; count++)
        names[count] = cli_commands[count]->name;
    names[count] = NULL;
    return args_nearest(text, names);
}

void cli_commands_print(void)
{
    cli_out("Usage: vxbake COMMAND [OPTION]... [OPERAND]...\n\n"
            "Bakes and checks the data that a real-time renderer streams.\n\nCommands:\n");
    for (size_t i = 0; cli_commands[i]; i++)
        cli_out("  %-10s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
    cli_out("\n'vxbake help COMMAND' tells more about one; 'vxbake --version' the version.\nSee vxbake(1).\n");
}
