/* SPDX-License-Identifier: MIT */
/* The parts of tacho plan. */
#ifndef TACHO_CLI_PLAN_H
#define TACHO_CLI_PLAN_H

#include <stdio.h>

#include <tacho/plan.h>
#include <tacho/sys/json.h>

#include "catalog.h"

void cli_plan_print(const struct tacho_plan *plan, FILE *stream, unsigned width);
void cli_plan_write(const struct tacho_plan *plan, const struct tacho_plan_options *options,
		    FILE *stream);

#endif
