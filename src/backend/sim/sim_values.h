/* SPDX-License-Identifier: MIT */
/* The values of a row, as its counters have them. */
#ifndef TACHO_BACKEND_SIM_SIM_VALUES_H
#define TACHO_BACKEND_SIM_SIM_VALUES_H

#include "backend/sim/sim_private.h"

/* Of one row. In the arena of its counters. */
struct tacho__sim_values {
	struct tacho_column *columns;
	uint64_t *values;
	uint8_t *states;
	/* What reports say of them, on devices with an OA unit. */
	uint64_t *report_values;
	uint8_t *report_states;
};

/* NOMEM. */
int tacho__sim_values_init(struct tacho__sim_values *values, struct tacho__sim_counters *counters);
/* From what was counted, in a row of this span; boolean as in oa.h. */
void tacho__sim_values_fill(struct tacho__sim_values *values,
			    const struct tacho__sim_device *device,
			    const struct tacho__sim_boolean *boolean,
			    const struct tacho__sim_counters *counters, const int64_t *sums,
			    const struct tacho__sim_span *span);

#endif
