/* SPDX-License-Identifier: MIT */
/* The order of a vendor's plan: of the same counters in the same order it makes the same passes. */
#ifndef TACHO_PLAN_PLAN_ORDER_H
#define TACHO_PLAN_PLAN_ORDER_H

#include "tacho/plan.h"

/* The counters of one mode as a vendor's library was given them. */
struct tacho__plan_order {
	const struct tacho_entry *const *entries;
	size_t count; /* 0: tacho made the passes, or there are none */
};

/* Copies the order. NOMEM. */
int tacho__plan_set_order(struct tacho_plan *plan, uint32_t mode,
			  const struct tacho__plan_order *order);
const struct tacho__plan_order *tacho__plan_get_order(const struct tacho_plan *plan, uint32_t mode);

#endif
