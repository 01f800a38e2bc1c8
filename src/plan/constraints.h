/* SPDX-License-Identifier: MIT */
/* From a config to the packing problem: what the catalog says about blocks, as constraints. */
#ifndef TACHO_PLAN_CONSTRAINTS_H
#define TACHO_PLAN_CONSTRAINTS_H

#include "plan/config.h"
#include "plan/problem.h"
#include "tacho/plan.h"

/* What an item of the problem stands for. */
struct tacho__part {
	struct tacho__need need;
	const struct tacho_block *block; /* NULL: it is counted in none */
	const struct tacho_set *set;	 /* that has to be programmed; NULL: any */
	uint32_t mode;
};

struct tacho__constraints {
	struct tacho__arena arena;
	struct tacho__problem problem;	 /* a group for each entry of the config */
	const struct tacho__part *parts; /* one per item */
	const char **families;		 /* for each resource, how people call all its instances */
	/*
	 * Sets were chosen among several that would do: then bounds of the problem are none of the
	 * config. What is: no plan has fewer passes than this.
	 */
	int has_choice;
	size_t choice_bound;
};

/* NOMEM. Free with tacho__constraints_finish(). */
int tacho__constraints_make(const struct tacho_config *config, uint32_t policy, int no_cap,
			    struct tacho__constraints *out_constraints);
void tacho__constraints_finish(struct tacho__constraints *constraints);

/* For each entry of the config the exclusive set that is programmed for it, or NULL: free. */
int tacho__sets_choose(const struct tacho_config *config, struct tacho__arena *arena,
		       const struct tacho_set ***out_sets, int *out_has_choice, size_t *out_bound);

#endif
