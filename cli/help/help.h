/* SPDX-License-Identifier: MIT */
/* Texts made from the tables of commands: help, man page parts, shell completion. Lists of commands
 * end with NULL. */
#ifndef TACHO_CLI_HELP_H
#define TACHO_CLI_HELP_H

#include <stdbool.h>
#include <stdio.h>

#include "options/options.h"

/* All, in the order of the help; ends with NULL. Static. */
const struct cli_command *const *cli_command_get_all(void);
/* NULL for none. Static. */
const struct cli_command *cli_command_find(const char *name);

/* The overview of all commands. */
void cli_help_print_all(FILE *stream, unsigned width);

/* The first half of the man page of `command` in scdoc's language; NULL is tacho(1). */
void cli_man_print(const struct cli_command *const *commands, const struct cli_command *command,
		   FILE *stream);

/* What is set by the configuration file and the environment, and where. Returns the status. */
int cli_help_print_config(const struct cli_command *const *commands, FILE *stream, unsigned width);

/* Whether `name` is an error of tacho/error.h, or is written as one; any case, with or without
 * TACHO_ and E_. */
bool cli_help_is_error(const char *name);
/* Explains one; complains with the nearest when there is no such. Both return the status. */
int cli_help_print_error(const char *name, FILE *stream, unsigned width);
int cli_help_print_errors(FILE *stream, unsigned width);

typedef void cli_completion_print(const struct cli_command *const *commands, FILE *stream);
cli_completion_print cli_completion_print_bash, cli_completion_print_zsh, cli_completion_print_fish;

#endif
