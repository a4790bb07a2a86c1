/* vxbake version: of the program, of the rules that make baked bytes, of the formats. */
#include "args.h"

static int run(int argc, char **argv);

static const struct cli_option options[] = {{0}};

const struct cli_command cli_command_version = {
    .name = "version",
    .summary = "print the version",
    .usage = "",
    .about = "Prints the version of vxbake and of the rules that make baked bytes: files\n"
             "of the same recipe are equal as long as the bake revision is.",
    .options = options,
    .run = run,
};

static int run(int argc, char **argv)
{
    struct args args;
    char *value;
    if (!args_begin(&args, &cli_command_version, argc, argv))
        return CLI_EXIT_LIMIT;
    int code = CLI_EXIT_OK;
    if (args_next(&args, &value) == ARGS_STOP)
        code = args.code;
    else if (args.operand_count)
        code = cli_usage_error(&cli_command_version, "nothing is expected here, not '%s'", cli_clean(args.operands[0]));
    else
        cli_out("vxbake %s\nbake revision %d\n", vxb_version(), VXB_BAKE_REVISION);
    args_clear(&args);
    return code;
}
