/* SPDX-License-Identifier: MIT */
/*
 * The boolean part over many clocks whose signals repeat: exactly what it does clock by clock, in
 * steps from one event to the next.
 */
#ifndef TACHO_OA_TRIGGERS_RUN_H
#define TACHO_OA_TRIGGERS_RUN_H

#include "oa/triggers.h"

/* Signals that repeat, and what a programmed unit makes of them. */
struct tacho__oa_pattern {
	const uint16_t *noa, *boolean; /* of `period` clocks; borrowed */
	uint32_t period;
	/* On how many of the first 0 ... period clocks each condition is true. */
	uint32_t *truths[TACHO__OA_CONDITIONS];
};

/* For a unit whose registers have been written. NOMEM. */
int tacho__oa_pattern_init(struct tacho__oa_pattern *pattern,
			   const struct tacho__oa_boolean_unit *unit, const uint16_t *noa,
			   const uint16_t *boolean, uint32_t period);
void tacho__oa_pattern_finish(struct tacho__oa_pattern *pattern);

/*
 * Up to `clocks` clocks pass, the first with the signals at `phase` of the period; it ends after
 * the first on which the unit starts or a report fires. Returns how many passed.
 */
uint64_t tacho__oa_boolean_run(struct tacho__oa_boolean_unit *unit,
			       const struct tacho__oa_pattern *pattern, uint64_t phase,
			       uint64_t clocks, uint32_t *out_reasons);

#endif
