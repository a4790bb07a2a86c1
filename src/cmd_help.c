/* vxbake help: the list of commands, or the help of one. */
#include "args.h"
#include "commands.h"

static int run(int argc, char **argv);

static const struct cli_option options[] = {{0}};

const struct cli_command cli_command_help = {
    .name = "help",
    .summary = "list the commands, or explain one",
    .usage = "[COMMAND]",
    .about = "Lists the commands, or prints the help of one.",
    .options = options,
    .run = run,
};

static int help_on(const char *name)
{
    const struct cli_command *command = cli_command_by_name(name);
    if (command) {
        args_print_help(command);
        return CLI_EXIT_OK;
    }
    const char *near = cli_command_nearest(name);
    if (near)
        return cli_usage_error(NULL, "unknown command '%s': did you mean '%s'?", cli_clean(name), near);
    return cli_usage_error(NULL, "unknown command '%s'", cli_clean(name));
}

static int run(int argc, char **argv)
{
    struct args args = {0};
    int code = args_read(&args, &cli_command_help, argc, argv, NULL, NULL);
    if (code == CLI_EXIT_OK && !args.done) {
        if (args.operand_count > 1)
            code = cli_usage_error(&cli_command_help, "one command at a time, not %zu", args.operand_count);
        else if (args.operand_count == 1)
            code = help_on(args.operands[0]);
        else
            cli_commands_print();
    }
    args_clear(&args);
    return code;
}
