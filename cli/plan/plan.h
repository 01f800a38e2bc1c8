/* SPDX-License-Identifier: MIT */
/* The parts of tacho plan. */
#ifndef TACHO_CLI_PLAN_H
#define TACHO_CLI_PLAN_H

#include <stdio.h>

#include <tacho/plan.h>
#include <tacho/sys/json.h>

#include "catalog.h"

/* Entries that are to be counted. */
struct cli_plan_list {
	struct tacho_config_entry *entries;
	size_t count, capacity;
	size_t left_out; /* of lists such as "all": what cannot be counted */
};

/* Adds one that is known to be countable; the name is borrowed. */
void cli_plan_add_name(struct cli_plan_list *list, const char *name);
/*
 * Adds what a list of names, or of "@FILE", stands for. What cannot be counted is left out when a
 * pattern or a set brought it, and told in one warning; a name of its own is an error. Otherwise it
 * says why not and returns the exit status.
 */
int cli_plan_add_names(struct cli_plan_list *list, const char *names,
		       const struct cli_catalog_choice *choice, const struct tacho_arch *arch,
		       const struct tacho_model *model);
/* One warning for all that was left out. */
void cli_plan_warn_left_out(const struct cli_plan_list *list, const struct tacho_arch *arch);
void cli_plan_finish(struct cli_plan_list *list);

void cli_plan_print(const struct tacho_plan *plan, FILE *stream, unsigned width);
void cli_plan_write(const struct tacho_plan *plan, const struct tacho_plan_options *options,
		    FILE *stream);

#endif
