/* SPDX-License-Identifier: MIT */
/* Inside a plan. */
#ifndef TACHO_PLAN_PLAN_H
#define TACHO_PLAN_PLAN_H

#include "plan/constraints.h"
#include "plan/plan_order.h"

struct tacho_plan {
	struct tacho__arena arena;
	const struct tacho_config *config;
	struct tacho_plan_pass *passes;
	struct tacho_plan_entry *entries;
	struct tacho_plan_summary summary;
	struct tacho__plan_order orders[TACHO_MODE_COUNT];
};

/* What each pass completes, from the passes of the entries. NOMEM. */
int tacho__plan_list_complete(struct tacho_plan *plan);

/*
 * What to leave out to save a pass, as text in the arena: one entry, or the few of the pass that
 * has fewest; "" when nothing as simple does. Bounded in work. NULL: NOMEM.
 */
const char *tacho__plan_advise(const struct tacho_config *config,
			       const struct tacho__constraints *constraints,
			       const struct tacho__packing *packing, struct tacho__arena *arena);

#endif
