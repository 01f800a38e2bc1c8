/* SPDX-License-Identifier: MIT */
#include "oa/triggers_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

int tacho__oa_pattern_init(struct tacho__oa_pattern *pattern,
			   const struct tacho__oa_boolean_unit *unit, const uint16_t *noa,
			   const uint16_t *boolean, uint32_t period)
{
	struct tacho__oa_boolean_unit copy = *unit;
	uint32_t *all = calloc((size_t)TACHO__OA_CONDITIONS * (period + 1), sizeof(*all));

	if (!all)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for an OA unit's triggers");
	*pattern = (struct tacho__oa_pattern){.noa = noa, .boolean = boolean, .period = period};
	for (size_t i = 0; i < TACHO__OA_CONDITIONS; i++)
		pattern->truths[i] = all + i * (period + 1);
	/* The clock before the first one is the last: edges are those of signals that repeat. */
	tacho__oa_boolean_look(&copy, noa[period - 1], boolean[period - 1]);
	for (uint32_t clock = 0; clock < period; clock++) {
		uint16_t truths = tacho__oa_boolean_look(&copy, noa[clock], boolean[clock]);

		for (size_t i = 0; i < TACHO__OA_CONDITIONS; i++)
			pattern->truths[i][clock + 1] =
				pattern->truths[i][clock] + (truths >> i & 1u);
	}
	return 0;
}

void tacho__oa_pattern_finish(struct tacho__oa_pattern *pattern)
{
	free(pattern->truths[0]);
	memset(pattern, 0, sizeof(*pattern));
}

/* On so many of the first `clocks` clocks from the period's beginning on. */
static uint64_t count_from_begin(const struct tacho__oa_pattern *pattern, size_t condition,
				 uint64_t clocks)
{
	const uint32_t *truths = pattern->truths[condition];

	return clocks / pattern->period * truths[pattern->period] +
	       truths[clocks % pattern->period];
}

static uint64_t count(const struct tacho__oa_pattern *pattern, size_t condition, uint64_t phase,
		      uint64_t clocks)
{
	return count_from_begin(pattern, condition, phase + clocks) -
	       count_from_begin(pattern, condition, phase);
}

/* After how many clocks a condition was true `needed` times; UINT64_MAX: never. */
static uint64_t find(const struct tacho__oa_pattern *pattern, size_t condition, uint64_t phase,
		     uint64_t needed)
{
	const uint32_t *truths = pattern->truths[condition];
	uint64_t target = truths[phase] + needed, rest;
	uint32_t whole = truths[pattern->period], low = 1, high = pattern->period;

	if (!whole)
		return UINT64_MAX;
	rest = (target - 1) % whole + 1;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (truths[middle] >= rest)
			high = middle;
		else
			low = middle + 1;
	}
	return (target - 1) / whole * pattern->period + low - phase;
}

/* The number of the clock on which a trigger fires, from 1; UINT64_MAX: never. */
static uint64_t find_fire(const struct tacho__oa_pattern *pattern, size_t condition,
			  const struct tacho__oa_trigger *trigger, uint64_t phase)
{
	if (!trigger->has_threshold)
		return find(pattern, condition, phase, 1);
	if (trigger->count >= trigger->threshold)
		return 1;
	return find(pattern, condition, phase, trigger->threshold - trigger->count);
}

static bool waits(const struct tacho__oa_boolean_unit *unit, unsigned index)
{
	return unit->start[index].is_enabled && !unit->start[index].has_fired;
}

/* How many clocks pass before that of the next event. */
static uint64_t find_quiet(const struct tacho__oa_boolean_unit *unit,
			   const struct tacho__oa_pattern *pattern, uint64_t phase, uint64_t clocks)
{
	bool has_started = tacho__oa_boolean_has_started(unit);
	uint64_t quiet = clocks;

	for (unsigned i = 0; i < 2; i++) {
		uint64_t fire = UINT64_MAX;

		if (!has_started && waits(unit, i))
			fire = find_fire(pattern, TACHO__OA_START + i, &unit->start[i], phase);
		else if (has_started && unit->report[i].is_enabled)
			fire = find_fire(pattern, TACHO__OA_REPORT + i, &unit->report[i], phase);
		if (fire <= quiet)
			quiet = fire - 1;
	}
	return quiet;
}

static void skip_trigger(struct tacho__oa_trigger *trigger, const struct tacho__oa_pattern *pattern,
			 size_t condition, uint64_t phase, uint64_t clocks)
{
	if (trigger->has_threshold)
		trigger->count += (uint32_t)count(pattern, condition, phase, clocks);
}

/* Clocks without an event. */
static void skip(struct tacho__oa_boolean_unit *unit, const struct tacho__oa_pattern *pattern,
		 uint64_t phase, uint64_t clocks)
{
	struct tacho__oa_boolean_unit copy = *unit;
	uint64_t last = (phase + clocks - 1) % pattern->period;
	bool has_started = tacho__oa_boolean_has_started(unit);

	if (!clocks)
		return;
	tacho__oa_boolean_look(&copy, pattern->noa[last], pattern->boolean[last]);
	for (unsigned i = 0; i < 2; i++) {
		if (!has_started && waits(unit, i)) {
			skip_trigger(&unit->start[i], pattern, TACHO__OA_START + i, phase, clocks);
			unit->start[i].last_inputs = copy.start[i].last_inputs;
		} else if (has_started && unit->report[i].is_enabled) {
			skip_trigger(&unit->report[i], pattern, TACHO__OA_REPORT + i, phase,
				     clocks);
			unit->report[i].last_inputs = copy.report[i].last_inputs;
		}
	}
	for (size_t i = 0; has_started && i < TACHO__OA_COMPARATORS; i++)
		unit->b[i] += count(pattern, TACHO__OA_COMPARE + i, phase, clocks);
}

uint64_t tacho__oa_boolean_run(struct tacho__oa_boolean_unit *unit,
			       const struct tacho__oa_pattern *pattern, uint64_t phase,
			       uint64_t clocks, uint32_t *out_reasons)
{
	bool had_started = tacho__oa_boolean_has_started(unit);
	uint64_t passed = 0;

	*out_reasons = 0;
	/*
	 * The signals before the first clock may have been others, which edges depend on, and so is
	 * that after which something fires: those clocks pass alone.
	 */
	while (passed < clocks) {
		uint64_t at = (phase + passed) % pattern->period, quiet;

		*out_reasons =
			tacho__oa_boolean_clock(unit, pattern->noa[at], pattern->boolean[at]);
		passed++;
		if (*out_reasons || tacho__oa_boolean_has_started(unit) != had_started)
			break;
		at = (phase + passed) % pattern->period;
		quiet = find_quiet(unit, pattern, at, clocks - passed);
		skip(unit, pattern, at, quiet);
		passed += quiet;
	}
	return passed;
}
