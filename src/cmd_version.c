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
    struct args args = {0};
    int code = args_read(&args, &cli_command_version, argc, argv, NULL, NULL);
    if (code == CLI_EXIT_OK && !args.done)
        code = args_no_operand(&args);
    if (code == CLI_EXIT_OK && !args.done)
        cli_out("vxbake %s\nbake revision %d\n", vxb_version(), VXB_BAKE_REVISION);
    args_clear(&args);
    return code;
}
