/* SPDX-License-Identifier: MIT */
/* What to leave out to save a pass. */
#include "plan/plan.h"

#include <string.h>

#include "base/buf.h"
#include "base/error.h"

enum {
	TRIALS_MAX = 2000, /* groups x items: below, each entry is left out once for trial */
	NAMES_MAX = 3,
};

struct advising {
	const struct tacho_config *config;
	const struct tacho__constraints *constraints;
	const struct tacho__packing *packing;
	struct tacho__buf text;
	int has_failed; /* memory ran out */
};

/* Whether the passes become fewer without a group. */
static int helps(struct advising *advising, struct tacho__group *groups, size_t without)
{
	struct tacho__problem problem = advising->constraints->problem;
	struct tacho__packing packing;
	size_t item_count = groups[without].item_count;
	int does, rc;

	problem.groups = groups;
	problem.is_quick = 1;
	groups[without].item_count = 0;
	rc = tacho__problem_pack(&problem, &packing);
	groups[without].item_count = item_count;
	advising->has_failed |= rc == TACHO_E_NOMEM;
	if (rc)
		return 0;
	does = packing.pass_count < advising->packing->pass_count;
	tacho__packing_finish(&packing);
	return does;
}

static void add_name(struct advising *advising, size_t entry, size_t number, const char *between)
{
	tacho__buf_printf(&advising->text, "%s%s", number ? between : "leave out ",
			  advising->config->entries[entry].column);
}

/* Entries of which each one saves a pass. */
static size_t try_each(struct advising *advising, struct tacho__arena *arena)
{
	const struct tacho__problem *problem = &advising->constraints->problem;
	struct tacho__group *groups;
	size_t found = 0;

	if (problem->group_count * problem->item_count > TRIALS_MAX)
		return 0;
	groups = tacho__arena_get(arena, (problem->group_count + 1) * sizeof(*groups));
	advising->has_failed = !groups;
	if (!groups)
		return 0;
	memcpy(groups, problem->groups, problem->group_count * sizeof(*groups));
	for (size_t i = 0; i < problem->group_count && found < NAMES_MAX && !advising->has_failed;
	     i++)
		if (groups[i].item_count && helps(advising, groups, i))
			add_name(advising, i, found++, " or ");
	return found;
}

static int is_in_pass(const struct advising *advising, size_t group, size_t pass)
{
	for (size_t i = 0; i < advising->constraints->problem.groups[group].item_count; i++)
		if (advising->packing->group_passes[group][i] == pass)
			return 1;
	return 0;
}

/* The entries of the pass that has fewest of them. */
static size_t try_pass(struct advising *advising)
{
	size_t groups = advising->constraints->problem.group_count, best = 0, fewest = 0,
	       number = 0;

	for (size_t pass = 0; pass < advising->packing->pass_count; pass++) {
		size_t count = 0;

		for (size_t i = 0; i < groups; i++)
			count += is_in_pass(advising, i, pass);
		if (!fewest || count < fewest) {
			fewest = count;
			best = pass;
		}
	}
	if (fewest > NAMES_MAX)
		return 0;
	for (size_t i = 0; i < groups; i++)
		if (is_in_pass(advising, i, best))
			add_name(advising, i, number++, " and ");
	return number;
}

/* Entries that need counters. */
static size_t count_groups(const struct tacho__constraints *constraints)
{
	size_t count = 0;

	for (size_t i = 0; i < constraints->problem.group_count; i++)
		count += constraints->problem.groups[i].item_count > 0;
	return count;
}

const char *tacho__plan_advise(const struct tacho_config *config,
			       const struct tacho__constraints *constraints,
			       const struct tacho__packing *packing, struct tacho__arena *arena)
{
	struct advising advising = {
		.config = config, .constraints = constraints, .packing = packing};
	const char *advice = "";

	if (packing->pass_count > 1 && count_groups(constraints) > 1 &&
	    (try_each(&advising, arena) || try_pass(&advising))) {
		tacho__buf_put(&advising.text, " to need one pass less");
		advice = tacho__arena_string(arena, tacho__buf_text(&advising.text));
	}
	if (advising.has_failed || advising.text.failed) {
		tacho__fail(TACHO_E_NOMEM, "", "", "no memory for what to leave out");
		advice = NULL;
	}
	tacho__buf_finish(&advising.text);
	return advice;
}
