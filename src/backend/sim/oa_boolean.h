/* SPDX-License-Identifier: MIT */
/*
 * The boolean part of a simulated OA unit, as a set's registers program it, over the device's
 * signals. docs/sim.md has the signals.
 */
#ifndef TACHO_BACKEND_SIM_OA_BOOLEAN_H
#define TACHO_BACKEND_SIM_OA_BOOLEAN_H

#include "oa/triggers_run.h"
#include "tacho/catalog.h"

/* Clocks after which the signals repeat, as long as a kernel runs, or none does. */
enum { TACHO__SIM_SIGNAL_PERIOD = 3000 };

struct tacho__sim_boolean {
	struct tacho__oa_boolean_unit unit;
	uint16_t noa[2][TACHO__SIM_SIGNAL_PERIOD]; /* while no kernel runs, while one does */
	uint16_t boolean[TACHO__SIM_SIGNAL_PERIOD];
	struct tacho__oa_pattern patterns[2];
	uint8_t comparators; /* a bit for each that the set programs: it decides its B counter */
	bool was_running;
	uint64_t clock;	      /* so many passed */
	uint64_t start_clock; /* of these passed before the unit started */
	uint64_t report_counts[2];
};

/*
 * Programs what the set has of triggers and comparators. In place: the struct must not be moved.
 * NOMEM, and as tacho__condition_judge() for the registers' conditions: those that are false
 * are left out. set NULL: none.
 */
int tacho__sim_boolean_init(struct tacho__sim_boolean *boolean, const struct tacho_arch *arch,
			    const struct tacho_model *model, const struct tacho_set *set);
void tacho__sim_boolean_finish(struct tacho__sim_boolean *boolean);

/*
 * Lets clocks pass up to number `until`, during which a kernel runs or none does; it ends after the
 * first that makes a report. Returns TACHO_OA_REASON_TRIGGER1 and 2.
 */
uint32_t tacho__sim_boolean_advance(struct tacho__sim_boolean *boolean, bool is_running,
				    uint64_t until);
bool tacho__sim_boolean_has_started(const struct tacho__sim_boolean *boolean);

/*
 * The number of a start trigger, from 1, that never fires where a kernel runs for so many clocks
 * and nothing for as many, again and again; 0: there is none.
 */
unsigned tacho__sim_boolean_find_never(const struct tacho__sim_boolean *boolean, uint64_t clocks);
/* Whether report trigger 0 or 1 never fires there once the unit has started. */
bool tacho__sim_boolean_is_never(const struct tacho__sim_boolean *boolean, unsigned report,
				 uint64_t clocks);

#endif
