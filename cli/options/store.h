/* SPDX-License-Identifier: MIT */
/* Values of options, from wherever they come, into settings. */
#ifndef TACHO_CLI_STORE_H
#define TACHO_CLI_STORE_H

#include "options/options.h"

enum { CLI_OPTIONS_MAX = 64 }; /* of a command */

/* Later ones win. */
enum cli_source {
	CLI_SOURCE_DEFAULT,
	CLI_SOURCE_FILE,    /* for all commands */
	CLI_SOURCE_SECTION, /* for this one */
	CLI_SOURCE_ENVIRONMENT,
	CLI_SOURCE_LINE,
};

struct cli_origin {
	enum cli_source source;
	const char *place; /* for messages: "FILE:LINE"; NULL: the command's own line */
};

/*
 * Stores the value, NULL for a flag that stands alone, unless something stronger said otherwise. A
 * list replaces a weaker one. False: it is no value of this option, and that was said. What is no
 * copy is borrowed from `value`.
 */
bool cli_option_store(const struct cli_command *command, size_t index, const char *value,
		      const struct cli_origin *origin, void *settings);

/* Whether the command's own line has it. */
bool cli_option_is_given(const struct cli_command *command, size_t index);

/* SIZE_MAX: the command has no option of this long name. */
size_t cli_command_find_option(const struct cli_command *command, const char *name);

#endif
