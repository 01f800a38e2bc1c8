/* SPDX-License-Identifier: MIT */
/* The OA unit of a simulated GPU: counters that are read through reports. */
#ifndef TACHO_BACKEND_SIM_OA_H
#define TACHO_BACKEND_SIM_OA_H

#include "backend/sim/oa_boolean.h"
#include "backend/sim/sim_rules.h"
#include "oa/report.h"

struct tacho__sim_oa {
	const struct tacho_oa_format *format;
	enum tacho_oa_gen gen;
	struct tacho_oa_limits limits;
	/* The counters as they stand: they are in the power context, and outlive passes and RC6. */
	uint64_t totals[TACHO_OA_VALUE_MAX];
	uint32_t report_number; /* id of the next report that a command writes */
};

/* NULL in *out_oa for devices without. In the arena. NOMEM. */
int tacho__sim_oa_create(struct tacho__arena *arena, const struct tacho__sim_device *device,
			 struct tacho__sim_oa **out_oa);

/* How long a row took, and how long of that the device was busy. */
struct tacho__sim_span {
	uint64_t elapsed_ns, busy_ns;
};

/*
 * Two reports of MI_REPORT_PERF_COUNT around a row that counted `sums`, encoded, decoded and
 * subtracted. Where the set programs comparators they decide the B counters; `boolean` NULL: it
 * programs none. Values and states have one place for each counter's.
 */
void tacho__sim_oa_count(struct tacho__sim_oa *oa, const struct tacho__sim_boolean *boolean,
			 const struct tacho__sim_counters *counters, const int64_t *sums,
			 const struct tacho__sim_span *span, uint64_t *out_values,
			 uint8_t *out_states);

#endif
