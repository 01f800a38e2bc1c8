/* SPDX-License-Identifier: MIT */
/*
 * A model of the OA unit's boolean part, clock by clock: start triggers, report triggers and the
 * comparators that the B counters count (CEC). docs/oa.md says what of it is not documented.
 */
#ifndef TACHO_OA_TRIGGERS_H
#define TACHO_OA_TRIGGERS_H

#include <stdbool.h>
#include <stdint.h>

enum { TACHO__OA_INPUTS = 16, TACHO__OA_COMPARATORS = 8 };

/* Four stages: 16 inputs, and-ed in fours, these or-ed in pairs, these two and-ed. */
struct tacho__oa_trigger {
	uint16_t threshold;
	uint16_t edges; /* inputs whose rise counts, not their level: of report triggers */
	uint16_t invert_inputs;
	uint8_t invert_fours, invert_pairs, invert_last;
	bool has_threshold, is_enabled;
	uint8_t signals[TACHO__OA_INPUTS]; /* of NOA, for each input */
	uint16_t last_inputs;
	uint32_t count; /* clocks on which it was true, since it fired last */
	bool has_fired;
};

struct tacho__oa_comparator {
	uint8_t compare, source;
	uint16_t value, ignored, considered;
};

/* {0}: nothing is programmed; what is then counted is what registers of 0 say. */
struct tacho__oa_boolean_unit {
	struct tacho__oa_trigger start[2], report[2];
	struct tacho__oa_comparator comparators[TACHO__OA_COMPARATORS];
	uint64_t b[TACHO__OA_COMPARATORS];
};

/* A register of the unit is written; others are left alone. */
void tacho__oa_boolean_write(struct tacho__oa_boolean_unit *unit, uint32_t address, uint32_t value);
/*
 * One clock: the signals of NOA, and those of the boolean events. Returns TACHO_OA_REASON_TRIGGER1
 * and 2 when they make a report. Before both start triggers have fired nothing counts or reports.
 */
uint32_t tacho__oa_boolean_clock(struct tacho__oa_boolean_unit *unit, uint16_t noa,
				 uint16_t boolean);
/* Whether every start trigger that is enabled has fired. */
bool tacho__oa_boolean_has_started(const struct tacho__oa_boolean_unit *unit);

/* Places of conditions among their truths: two start triggers, two report triggers, comparators. */
enum { TACHO__OA_START, TACHO__OA_REPORT = 2, TACHO__OA_COMPARE = 4, TACHO__OA_CONDITIONS = 12 };

/* A bit for each condition's truth on a clock, enabled or not. Nothing counts, nothing fires. */
uint16_t tacho__oa_boolean_look(struct tacho__oa_boolean_unit *unit, uint16_t noa,
				uint16_t boolean);

/*
 * The boolean events that TestOa routes, on clock number `clock`: bit 3 changes with each, bits 4
 * and 5 count 0, 1, 2.
 */
uint16_t tacho__oa_test_pattern(uint64_t clock);

#endif
