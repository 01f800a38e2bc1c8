/* SPDX-License-Identifier: MIT */
/* Variables of a device that the user gives: "L3BankTotalCount=8", or a file of such lines. */
#ifndef TACHO_CLI_OA_VARIABLES_H
#define TACHO_CLI_OA_VARIABLES_H

#include <stddef.h>

#include <tacho/catalog.h>

#include "options/options.h"

struct cli_oa_variables {
	struct tacho_property *properties; /* names are owned */
	size_t count;
};

/*
 * Adds what the texts say: NAME=VALUE, decimal or 0x, or @FILE with one a line; blank lines and
 * what follows # do not count. Otherwise it says what is wrong and returns the exit status.
 */
int cli_oa_variables_parse(const struct cli_texts *texts, struct cli_oa_variables *variables);
void cli_oa_variables_finish(struct cli_oa_variables *variables);

#endif
