/* SPDX-License-Identifier: MIT */
#include "backend/sim/oa_boolean.h"

#include <string.h>

#include "base/error.h"
#include "catalog/arch.h"
#include "formula/program.h"
#include "tacho/oa.h"

/* What the signals of NOA are true on: bits of their numbers. */
enum {
	ALWAYS = 1 << 0,
	RUNS = 1 << 1,	 /* while a kernel runs */
	BEGINS = 1 << 2, /* on the first clock of a kernel */
	ENDS = 1 << 6,	 /* on the first clock after one */
	TENTH = 1 << 7,	 /* on the last one of 10 clocks, and so on */
	HUNDREDTH = 1 << 8,
	THOUSANDTH = 1 << 9,
};

/* Addresses of the comparators' registers, Gen7.5 to Gen11: two each. */
enum { COMPARATORS = 0x2770, COMPARATOR_BYTES = 8 };

static uint16_t get_signals(uint64_t clock, bool is_running)
{
	return (uint16_t)(ALWAYS | (is_running ? RUNS : 0) | tacho__oa_test_pattern(clock) |
			  (clock % 10 == 9 ? TENTH : 0) | (clock % 100 == 99 ? HUNDREDTH : 0) |
			  (clock % 1000 == 999 ? THOUSANDTH : 0));
}

static int write_registers(struct tacho__sim_boolean *boolean, const struct tacho_arch *arch,
			   const struct tacho_model *model, const struct tacho_set *set)
{
	struct tacho__arch_scope scope;

	tacho__arch_scope_init(&scope, arch, model);
	for (size_t i = 0; i < set->register_count; i++) {
		const struct tacho_register *each = &set->registers[i];
		uint32_t place = each->address - COMPARATORS;
		bool is_false = false;

		if (strcmp(each->kind, "OA") != 0)
			continue;
		if (each->availability &&
		    tacho__condition_judge(each->availability, "oa", &scope.scope, &is_false))
			return TACHO_E_NOMEM;
		if (is_false)
			continue;
		tacho__oa_boolean_write(&boolean->unit, each->address, each->value);
		if (place < TACHO__OA_COMPARATORS * COMPARATOR_BYTES)
			boolean->comparators |= (uint8_t)(1u << place / COMPARATOR_BYTES);
	}
	return 0;
}

int tacho__sim_boolean_init(struct tacho__sim_boolean *boolean, const struct tacho_arch *arch,
			    const struct tacho_model *model, const struct tacho_set *set)
{
	int rc = 0;

	memset(boolean, 0, sizeof(*boolean));
	if (set)
		rc = write_registers(boolean, arch, model, set);
	for (uint64_t clock = 0; clock < TACHO__SIM_SIGNAL_PERIOD; clock++) {
		boolean->noa[0][clock] = get_signals(clock, false);
		boolean->noa[1][clock] = get_signals(clock, true);
		boolean->boolean[clock] = tacho__oa_test_pattern(clock);
	}
	for (size_t i = 0; i < 2 && !rc; i++)
		rc = tacho__oa_pattern_init(&boolean->patterns[i], &boolean->unit, boolean->noa[i],
					    boolean->boolean, TACHO__SIM_SIGNAL_PERIOD);
	if (rc)
		tacho__sim_boolean_finish(boolean);
	return rc;
}

void tacho__sim_boolean_finish(struct tacho__sim_boolean *boolean)
{
	for (size_t i = 0; i < 2; i++)
		tacho__oa_pattern_finish(&boolean->patterns[i]);
}

bool tacho__sim_boolean_has_started(const struct tacho__sim_boolean *boolean)
{
	return tacho__oa_boolean_has_started(&boolean->unit);
}

/* The clock on which a kernel begins or ends has a signal of its own. */
static uint32_t pass_border(struct tacho__sim_boolean *boolean, bool is_running)
{
	uint64_t phase = boolean->clock % TACHO__SIM_SIGNAL_PERIOD;

	boolean->was_running = is_running;
	return tacho__oa_boolean_clock(
		&boolean->unit,
		(uint16_t)(boolean->noa[is_running][phase] | (is_running ? BEGINS : ENDS)),
		boolean->boolean[phase]);
}

uint32_t tacho__sim_boolean_advance(struct tacho__sim_boolean *boolean, bool is_running,
				    uint64_t until)
{
	uint32_t reasons = 0;

	while (boolean->clock < until && !reasons) {
		bool had_started = tacho__sim_boolean_has_started(boolean);
		uint64_t passed = 1;

		if (is_running != boolean->was_running)
			reasons = pass_border(boolean, is_running);
		else
			passed = tacho__oa_boolean_run(&boolean->unit,
						       &boolean->patterns[is_running],
						       boolean->clock % TACHO__SIM_SIGNAL_PERIOD,
						       until - boolean->clock, &reasons);
		boolean->clock += passed;
		/* The clock that starts the unit is counted. */
		if (!had_started)
			boolean->start_clock =
				boolean->clock - tacho__sim_boolean_has_started(boolean);
	}
	boolean->report_counts[0] += (reasons & TACHO_OA_REASON_TRIGGER1) != 0;
	boolean->report_counts[1] += (reasons & TACHO_OA_REASON_TRIGGER2) != 0;
	return reasons;
}

/* Until all phases of the signals met all borders of kernels, or something happened. */
static uint32_t try(struct tacho__sim_boolean *copy, uint64_t clocks)
{
	uint32_t reasons = 0;

	if (tacho__sim_boolean_has_started(copy) && !copy->unit.report[0].is_enabled &&
	    !copy->unit.report[1].is_enabled)
		return 0;
	for (unsigned i = 0; i < 2 * TACHO__SIM_SIGNAL_PERIOD && !reasons; i++) {
		bool had_started = tacho__sim_boolean_has_started(copy);

		reasons = tacho__sim_boolean_advance(copy, i % 2 == 0, copy->clock + clocks);
		if (!had_started && tacho__sim_boolean_has_started(copy))
			break;
	}
	return reasons;
}

/* With one trigger alone, which fires when its logic is true once. */
static void isolate(const struct tacho__sim_boolean *boolean, unsigned index, bool is_report,
		    struct tacho__sim_boolean *out_copy)
{
	struct tacho__oa_trigger *trigger;

	*out_copy = *boolean;
	for (unsigned i = 0; i < 2; i++) {
		out_copy->unit.start[i].is_enabled &= !is_report && i == index;
		out_copy->unit.report[i].is_enabled &= is_report && i == index;
	}
	trigger = is_report ? &out_copy->unit.report[index] : &out_copy->unit.start[index];
	trigger->has_threshold = false;
	/* A rise that only the beginning makes does not come again. */
	trigger->last_inputs = UINT16_MAX;
}

static bool is_at_once(const struct tacho__oa_trigger *trigger)
{
	return trigger->has_threshold && !trigger->threshold;
}

unsigned tacho__sim_boolean_find_never(const struct tacho__sim_boolean *boolean, uint64_t clocks)
{
	for (unsigned i = 0; i < 2; i++) {
		struct tacho__sim_boolean copy;

		if (!boolean->unit.start[i].is_enabled || is_at_once(&boolean->unit.start[i]))
			continue;
		isolate(boolean, i, false, &copy);
		try(&copy, clocks);
		if (!tacho__sim_boolean_has_started(&copy))
			return i + 1;
	}
	return 0;
}

bool tacho__sim_boolean_is_never(const struct tacho__sim_boolean *boolean, unsigned report,
				 uint64_t clocks)
{
	struct tacho__sim_boolean copy;

	if (is_at_once(&boolean->unit.report[report]))
		return false;
	isolate(boolean, report, true, &copy);
	return !try(&copy, clocks);
}
