/* The commands of vxbake. */
#ifndef SRC_COMMANDS_H
#define SRC_COMMANDS_H

#include "cli.h"

/* The table of commands, ends with NULL; and the one with a name, NULL where there is none. */
extern const struct cli_command *const cli_commands[];
const struct cli_command *cli_command_by_name(const char *name);

/* The name of the command that text was most likely meant to be; NULL where none is near. */
const char *cli_command_nearest(const char *text);

/* Prints the list of them to standard output. */
void cli_commands_print(void);

#endif
