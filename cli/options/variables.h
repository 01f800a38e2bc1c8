/* SPDX-License-Identifier: MIT */
/*
 * Environment variables whose names begin with TACHO_: of options, and others. docs/config.md has
 * the same list.
 */
#ifndef TACHO_CLI_VARIABLES_H
#define TACHO_CLI_VARIABLES_H

#include "options/options.h"

/* TACHO_RECORD_MAX_SIZE; without a command, of an option that all have, TACHO_COLOR. Owned. */
char *cli_variable_format(const struct cli_command *command, const struct cli_option *option);

/*
 * Warns of each that is set and that nobody reads, with the name that was probably meant. The list
 * ends with NULL; NULL: nothing is said.
 */
void cli_variables_check(const struct cli_command *const *commands);

#endif
