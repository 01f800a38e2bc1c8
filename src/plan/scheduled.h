/* SPDX-License-Identifier: MIT */
/* Plans for architectures of which a vendor's library decides what goes into a pass. */
#ifndef TACHO_PLAN_SCHEDULED_H
#define TACHO_PLAN_SCHEDULED_H

#include "catalog/library.h"
#include "tacho/plan.h"

/*
 * The library's plan for the order in which it makes the fewest passes, of those that were tried.
 * Bound and optimality are unknown. As tacho_plan_create().
 */
int tacho__plan_create_scheduled(const struct tacho_config *config,
				 const struct tacho_plan_options *options,
				 struct tacho_plan **out_plan);

/* A library that is asked for passes, and what it is asked for. */
struct tacho__ordering {
	const struct tacho__arch_library *library;
	void *user;
	const struct tacho_entry **entries; /* put in order here */
	size_t count;
	size_t trial_count; /* how often the library was asked */
	size_t vain_count;  /* of these the last ones that found nothing better */
	size_t given_count; /* passes of the order that was given */
	size_t pass_count;  /* of the order found */
};

/*
 * Looks for an order with fewer passes: the number that the library makes depends on it. Tries a
 * bounded number of them, always the same ones; never ends with more passes than were given. What
 * the library fails with; NOMEM.
 */
int tacho__ordering_search(struct tacho__ordering *ordering);

#endif
