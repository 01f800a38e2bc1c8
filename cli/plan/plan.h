/* SPDX-License-Identifier: MIT */
/* The parts of tacho plan. */
#ifndef TACHO_CLI_PLAN_H
#define TACHO_CLI_PLAN_H

#include <stdio.h>

#include <tacho/plan.h>
#include <tacho/sys/json.h>

#include "catalog.h"

/* `device`: that the plan is for, "BACKEND:NAME"; NULL: any of the architecture. */
void cli_plan_print(const struct tacho_plan *plan, const char *device, FILE *stream,
		    unsigned width);
void cli_plan_write(const struct tacho_plan *plan, const struct tacho_plan_options *options,
		    const char *device, FILE *stream);

#endif
