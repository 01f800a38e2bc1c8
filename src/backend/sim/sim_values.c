/* SPDX-License-Identifier: MIT */
#include "backend/sim/sim_values.h"

#include <string.h>

#include "tacho/error.h"

int tacho__sim_values_init(struct tacho__sim_values *values, struct tacho__sim_counters *counters)
{
	struct tacho__arena *arena = &counters->arena;

	values->columns = tacho__arena_get(arena, (counters->count + 1) * sizeof(*values->columns));
	values->values = tacho__arena_get(arena, (counters->value_count + 1) * sizeof(uint64_t));
	values->states = tacho__arena_get(arena, counters->value_count + 1);
	values->report_values =
		tacho__arena_get(arena, (counters->value_count + 1) * sizeof(uint64_t));
	values->report_states = tacho__arena_get(arena, counters->value_count + 1);
	if (!values->columns || !values->values || !values->states || !values->report_values ||
	    !values->report_states)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < counters->count; i++) {
		const struct tacho__sim_counter *counter = &counters->counters[i];

		values->columns[i] = counter->column;
		values->columns[i].data.u64 = values->values + counter->offset;
		values->columns[i].states = values->states + counter->offset;
	}
	return 0;
}

/* The number as its counter has it, and its state. */
static uint64_t finish_value(const struct tacho__sim_device *device,
			     const struct tacho__sim_counter *counter, int64_t sum,
			     uint8_t *out_state)
{
	uint64_t value = sum > 0 ? (uint64_t)sum : 0, bits = counter->entry->width_bits;

	*out_state = TACHO_STATE_OK;
	if (counter->rule && *counter->rule->absent) {
		*out_state = TACHO_STATE_ABSENT;
		return 0;
	}
	if (counter->rule && counter->rule->most && value > counter->rule->most)
		value = counter->rule->most;
	if (device->fault == TACHO_SIM_FAULT_OVERFLOW)
		bits = device->fault_number;
	if (bits && bits < 64 && value >> bits) {
		*out_state = TACHO_STATE_OVERFLOW;
		value &= (UINT64_C(1) << bits) - 1;
	}
	return value;
}

/* A value of the row, of the type that its counter has. */
static void put_value(struct tacho__sim_values *values, const struct tacho__sim_counter *counter,
		      size_t at, uint64_t value)
{
	double real = (double)value;

	if (counter->column.type == TACHO_TYPE_F64)
		memcpy(&values->values[at], &real, sizeof(real));
	else
		values->values[at] = value;
}

/* What two reports around the row say, where nothing else is wrong with a value. */
static void read_reports(struct tacho__sim_values *values, const struct tacho__sim_device *device,
			 const struct tacho__sim_boolean *boolean,
			 const struct tacho__sim_counters *counters, const int64_t *sums,
			 const struct tacho__sim_span *span)
{
	memset(values->report_values, 0, counters->value_count * sizeof(*values->report_values));
	memset(values->report_states, 0, counters->value_count);
	tacho__sim_oa_count(device->oa, boolean, counters, sums, span, values->report_values,
			    values->report_states);
	for (size_t i = 0; i < counters->count; i++) {
		const struct tacho__sim_counter *counter = &counters->counters[i];
		size_t at = counter->offset;

		if (values->states[at] == TACHO_STATE_ABSENT ||
		    device->fault == TACHO_SIM_FAULT_OVERFLOW ||
		    (counter->rule && counter->rule->most))
			continue;
		if (values->states[at] < values->report_states[at])
			values->states[at] = values->report_states[at];
		put_value(values, counter, at, values->report_values[at]);
	}
}

void tacho__sim_values_fill(struct tacho__sim_values *values,
			    const struct tacho__sim_device *device,
			    const struct tacho__sim_boolean *boolean,
			    const struct tacho__sim_counters *counters, const int64_t *sums,
			    const struct tacho__sim_span *span)
{
	for (size_t i = 0; i < counters->count; i++) {
		const struct tacho__sim_counter *counter = &counters->counters[i];

		for (size_t k = 0; k < counter->column.instance_count; k++) {
			size_t at = counter->offset + k;

			put_value(values, counter, at,
				  finish_value(device, counter, sums[at], &values->states[at]));
		}
	}
	if (device->oa)
		read_reports(values, device, boolean, counters, sums, span);
}
