/* SPDX-License-Identifier: MIT */
/* Plans that somebody else made: a vendor's library, or the command for the program it counts. */
#ifndef TACHO_PLAN_FROM_PASSES_H
#define TACHO_PLAN_FROM_PASSES_H

#include "tacho/plan.h"

/*
 * A plan of these passes: counters, mode and set of each are copied, uses and entries are not
 * looked at. A counter may be a metric that the vendor works out itself. `entries` has the passes
 * of each entry of the config; NULL: an entry takes its inputs from the first pass that has all of
 * them, else from all passes that have some; what nobody counts has no pass. Bound and optimality
 * are unknown. NOMEM. Owned; tacho_plan_destroy().
 */
int tacho__plan_create_from_passes(const struct tacho_config *config,
				   const struct tacho_plan_pass *passes, size_t count,
				   const struct tacho_plan_entry *entries,
				   struct tacho_plan **out_plan);

#endif
