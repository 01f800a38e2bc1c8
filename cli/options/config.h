/* SPDX-License-Identifier: MIT */
/*
 * What options are when the command's line does not say: environment variables, then the
 * configuration file. docs/config.md describes both.
 */
#ifndef TACHO_CLI_CONFIG_H
#define TACHO_CLI_CONFIG_H

#include "options/store.h"

/*
 * The commands that sections and keys of the file are looked up in; ends with NULL. Called once, at
 * the start.
 */
void cli_config_set_commands(const struct cli_command *const *commands);

/* Stores what applies to the command. False: something is wrong with it, and that was said. */
bool cli_config_apply(const struct cli_command *command, void *settings);

/* Warns of environment variables that look like tacho's, and are read by nobody. */
void cli_config_check_variables(void);

/* The class of its failure: USAGE, or what the system refused. */
enum cli_exit cli_config_get_class(void);

/* Something that is set, for an option of the command. */
typedef void (*cli_config_fn)(void *user, const struct cli_command *command,
			      const struct cli_option *option, const char *value,
			      const struct cli_origin *origin);

/* Tells all that is set for the command, the weaker first; false: as above. */
bool cli_config_walk(const struct cli_command *command, cli_config_fn fn, void *user);

/* Where the file is, or would be. Owned; NULL: none is to be read. */
char *cli_config_get_path(void);

#endif
