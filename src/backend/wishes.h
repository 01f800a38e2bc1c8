/* SPDX-License-Identifier: MIT */
/* What a plan's config asks for itself, and what its patterns bring along. */
#ifndef TACHO_BACKEND_WISHES_H
#define TACHO_BACKEND_WISHES_H

#include <stdbool.h>

#include "tacho/plan.h"

/*
 * Whether an entry of this mode that was asked for by its name comes down to the counter. What only
 * patterns bring may have no values; it is no reason to refuse the others. NOMEM.
 */
int tacho__plan_insists(const struct tacho_plan *plan, uint32_t mode,
			const struct tacho_entry *counter, bool *out_insists);

#endif
