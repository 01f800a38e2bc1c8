/* SPDX-License-Identifier: MIT */
#include "oa/triggers.h"

#include "tacho/oa.h"

/* Addresses of Gen7.5 to Gen11: each trigger has four registers, each comparator two. */
enum {
	START = 0x2710,
	REPORT = 0x2740,
	TRIGGER_BYTES = 16,
	COMPARATORS = 0x2770,
	COMPARATOR_BYTES = 8,
};

/* The low 3 bits of OACEC. 7 has no name; TestOa uses it where a counter counts every clock. */
enum compare { ANY_EQUAL, GREATER, EQUAL, GREATER_EQUAL, LESS, NOT_EQUAL, LESS_EQUAL, ALWAYS };

enum source { SOURCE_NOA, SOURCE_PREVIOUS, SOURCE_BOOLEAN };

static void write_selects(struct tacho__oa_trigger *trigger, unsigned first, uint32_t value)
{
	for (unsigned i = 0; i < 8; i++)
		trigger->signals[first + i] = (uint8_t)(value >> (4 * i) & 0xf);
}

static void write_trigger(struct tacho__oa_trigger *trigger, unsigned index, uint32_t value,
			  bool is_report)
{
	switch (index) {
	case 0:
		trigger->threshold = (uint16_t)value;
		trigger->edges = is_report ? (uint16_t)(value >> 16) : 0;
		break;
	case 1:
		trigger->invert_inputs = (uint16_t)value;
		trigger->invert_fours = (uint8_t)(value >> 16 & 0xf);
		trigger->invert_pairs = (uint8_t)(value >> 20 & 3);
		trigger->invert_last = (uint8_t)(value >> 22 & 1);
		trigger->has_threshold = value >> 23 & 1;
		trigger->is_enabled = is_report ? value >> 31 : value >> 28 != 0;
		break;
	case 2: write_selects(trigger, 8, value); break;
	default: write_selects(trigger, 0, value);
	}
	trigger->count = 0;
	trigger->has_fired = false;
}

void tacho__oa_boolean_write(struct tacho__oa_boolean_unit *unit, uint32_t address, uint32_t value)
{
	struct tacho__oa_comparator *comparator;

	if (address % 4)
		return;
	if (address >= START && address < START + 2 * TRIGGER_BYTES) {
		write_trigger(&unit->start[(address - START) / TRIGGER_BYTES],
			      address % TRIGGER_BYTES / 4, value, false);
	} else if (address >= REPORT && address < REPORT + 2 * TRIGGER_BYTES) {
		write_trigger(&unit->report[(address - REPORT) / TRIGGER_BYTES],
			      address % TRIGGER_BYTES / 4, value, true);
	} else if (address >= COMPARATORS &&
		   address < COMPARATORS + TACHO__OA_COMPARATORS * COMPARATOR_BYTES) {
		comparator = &unit->comparators[(address - COMPARATORS) / COMPARATOR_BYTES];
		if (address % COMPARATOR_BYTES) {
			comparator->ignored = (uint16_t)value;
			comparator->considered = (uint16_t)(value >> 16);
			return;
		}
		comparator->compare = (uint8_t)(value & 7);
		comparator->value = (uint16_t)(value >> 3);
		comparator->source = (uint8_t)(value >> 19 & 3);
	}
}

/* Whether the logic's last stage is true. */
static bool is_true(struct tacho__oa_trigger *trigger, uint16_t noa)
{
	uint16_t inputs = 0, risen;
	unsigned fours = 0, pairs = 0;

	for (unsigned i = 0; i < TACHO__OA_INPUTS; i++)
		inputs |= (uint16_t)((noa >> trigger->signals[i] & 1) << i);
	inputs ^= trigger->invert_inputs;
	risen = (uint16_t)(inputs & ~trigger->last_inputs);
	trigger->last_inputs = inputs;
	inputs = (uint16_t)((inputs & ~trigger->edges) | (risen & trigger->edges));
	for (unsigned i = 0; i < 4; i++)
		fours |= (unsigned)((inputs >> (4 * i) & 0xf) == 0xf) << i;
	fours ^= trigger->invert_fours;
	for (unsigned i = 0; i < 2; i++)
		pairs |= (unsigned)((fours >> (2 * i) & 3) != 0) << i;
	pairs ^= trigger->invert_pairs;
	return (pairs == 3) ^ trigger->invert_last;
}

/* It fires when its logic was true on as many clocks as the threshold says; with 0 at once. */
static bool fires(struct tacho__oa_trigger *trigger, uint16_t noa)
{
	bool is_met = is_true(trigger, noa);

	if (!trigger->has_threshold)
		return is_met;
	trigger->count += is_met;
	return trigger->count >= trigger->threshold;
}

bool tacho__oa_boolean_has_started(const struct tacho__oa_boolean_unit *unit)
{
	bool has_started = true;

	/* One that is not enabled holds nothing up. */
	for (unsigned i = 0; i < 2; i++)
		has_started &= !unit->start[i].is_enabled || unit->start[i].has_fired;
	return has_started;
}

static bool start(struct tacho__oa_boolean_unit *unit, uint16_t noa)
{
	for (unsigned i = 0; i < 2; i++) {
		struct tacho__oa_trigger *trigger = &unit->start[i];

		if (trigger->is_enabled && !trigger->has_fired)
			trigger->has_fired = fires(trigger, noa);
	}
	return tacho__oa_boolean_has_started(unit);
}

static bool compare(const struct tacho__oa_comparator *comparator, uint16_t input)
{
	uint16_t left = (uint16_t)(input & ~comparator->ignored);
	uint16_t right = (uint16_t)(comparator->value & ~comparator->ignored);

	switch (comparator->compare) {
	case ANY_EQUAL: return (uint16_t)(~(left ^ right)) & comparator->considered;
	case GREATER: return left > right;
	case EQUAL: return left == right;
	case GREATER_EQUAL: return left >= right;
	case LESS: return left < right;
	case NOT_EQUAL: return left != right;
	case LESS_EQUAL: return left <= right;
	default: return true;
	}
}

/* Bit i: what comparator i says. */
static uint8_t compare_all(const struct tacho__oa_boolean_unit *unit, uint16_t noa,
			   uint16_t boolean)
{
	bool previous = false;
	uint8_t truths = 0;

	for (unsigned i = 0; i < TACHO__OA_COMPARATORS; i++) {
		const struct tacho__oa_comparator *comparator = &unit->comparators[i];
		uint16_t input = comparator->source == SOURCE_NOA	 ? noa
				 : comparator->source == SOURCE_PREVIOUS ? previous
									 : boolean;

		previous = compare(comparator, input);
		truths |= (uint8_t)(previous << i);
	}
	return truths;
}

uint16_t tacho__oa_boolean_look(struct tacho__oa_boolean_unit *unit, uint16_t noa, uint16_t boolean)
{
	uint16_t truths = 0;

	for (unsigned i = 0; i < 2; i++) {
		truths |= (uint16_t)(is_true(&unit->start[i], noa) << (TACHO__OA_START + i));
		truths |= (uint16_t)(is_true(&unit->report[i], noa) << (TACHO__OA_REPORT + i));
	}
	return truths | (uint16_t)(compare_all(unit, noa, boolean) << TACHO__OA_COMPARE);
}

uint32_t tacho__oa_boolean_clock(struct tacho__oa_boolean_unit *unit, uint16_t noa,
				 uint16_t boolean)
{
	uint32_t reasons = 0;
	uint8_t truths;

	if (!start(unit, noa))
		return 0;
	truths = compare_all(unit, noa, boolean);
	for (unsigned i = 0; i < TACHO__OA_COMPARATORS; i++)
		unit->b[i] += truths >> i & 1;
	for (unsigned i = 0; i < 2; i++) {
		struct tacho__oa_trigger *trigger = &unit->report[i];

		if (!trigger->is_enabled || !fires(trigger, noa))
			continue;
		trigger->count = 0;
		reasons |= i ? TACHO_OA_REASON_TRIGGER2 : TACHO_OA_REASON_TRIGGER1;
	}
	return reasons;
}

uint16_t tacho__oa_test_pattern(uint64_t clock)
{
	return (uint16_t)((clock & 1) << 3 | (clock % 3) << 4);
}
