/* SPDX-License-Identifier: MIT */
/* Values as records: one per instance, in the order of the config's counters. */
#include <stdlib.h>
#include <string.h>

#include "face/rocprofiler/rocprofiler.h"

struct making {
	const struct tacho__rocp_config *config;
	const struct tacho_result *result;
	size_t row;
	const struct tacho__rocp_numbers *numbers;
	struct tacho__rocp_values values;
	size_t room;
};

/* Why a counter has no value, or not all of its values. */
static void miss(struct making *making, const char *why)
{
	if (!making->values.missing++)
		making->values.note = why;
}

static void put(struct making *making, uint64_t id, double value)
{
	making->values.records[making->values.count++] = (rocprofiler_counter_record_t){
		.id = id,
		.counter_value = value,
		.agent_id = making->config->agent->info.id,
	};
}

static void put_alone(struct making *making, const struct tacho__rocp_wanted *wanted, double value)
{
	static const struct tacho_column one = {.instance_count = 1};
	uint64_t id = 0;

	tacho__rocp_instance_id(wanted->counter, &one, 0, &id);
	put(making, id, value);
}

/* A value with its number, however it came about. */
static bool is_there(uint8_t state)
{
	switch (state & TACHO_STATE_MASK) {
	case TACHO_STATE_OK:
	case TACHO_STATE_SCALED: return true;
	default: return false;
	}
}

/* Notes of results end with them, so that these are told by their states. */
static const char *describe(uint8_t state)
{
	switch (state & TACHO_STATE_MASK) {
	case TACHO_STATE_OVERFLOW: return "a counter ran over";
	case TACHO_STATE_LOST: return "the device lost them";
	default: return "they were not counted";
	}
}

static void make_column(struct making *making, const struct tacho__rocp_wanted *wanted)
{
	const struct tacho_column *column =
		making->result ? tacho_result_get_column(making->result, wanted->index) : NULL;
	struct tacho__rocp_places places;

	if (!column && making->numbers && !making->numbers->launches)
		put_alone(making, wanted, 0); /* there was nothing to count */
	else if (!column)
		miss(making, "nothing was counted");
	if (!column)
		return;
	tacho__rocp_places_read(column, &places);
	for (size_t i = 0; i < column->instance_count; i++) {
		uint8_t state = tacho_column_get_state(column, making->row, i);
		uint64_t id;

		if (!tacho_column_is_present(column, i))
			continue;
		if (!is_there(state)) {
			miss(making, describe(state));
		} else if (!tacho__rocp_places_get_id(&places, wanted->counter, i, &id)) {
			miss(making, "their positions have no room in an instance id");
		} else {
			put(making, id, tacho_column_get_value(column, making->row, i));
		}
	}
}

static void make_number(struct making *making, const struct tacho__rocp_wanted *wanted)
{
	const struct tacho__rocp_numbers *numbers = making->numbers;

	if (!numbers || numbers->unknown >> wanted->index & 1)
		miss(making, "the driver does not tell them");
	else
		put_alone(making, wanted, (double)numbers->values[wanted->index]);
}

static void make_constant(struct making *making, const struct tacho__rocp_wanted *wanted)
{
	const struct tacho__rocp_unit *unit = making->config->unit;
	double value;

	if (tacho_arch_get_constant(unit->arch, wanted->entry, unit->model, &value))
		miss(making, "the model does not say them");
	else
		put_alone(making, wanted, value);
}

static size_t count_values(const struct making *making)
{
	size_t count = 0;

	for (size_t i = 0; i < making->config->counter_count; i++) {
		const struct tacho__rocp_wanted *wanted = &making->config->counters[i];
		const struct tacho_column *column = NULL;

		if (wanted->from == TACHO__ROCP_COLUMN && making->result)
			column = tacho_result_get_column(making->result, wanted->index);
		count += column ? column->instance_count : 1;
	}
	return count;
}

rocprofiler_status_t tacho__rocp_values_make(const struct tacho__rocp_config *config,
					     const struct tacho_result *result, size_t row,
					     const struct tacho__rocp_numbers *numbers,
					     struct tacho__rocp_values *out_values)
{
	struct making making = {.config = config, .result = result, .row = row, .numbers = numbers};

	making.values.records =
		malloc((count_values(&making) + 1) * sizeof(*making.values.records));
	if (!making.values.records)
		return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
	for (size_t i = 0; i < config->counter_count; i++) {
		const struct tacho__rocp_wanted *wanted = &config->counters[i];

		if (wanted->from == TACHO__ROCP_COLUMN)
			make_column(&making, wanted);
		else if (wanted->from == TACHO__ROCP_NUMBER)
			make_number(&making, wanted);
		else
			make_constant(&making, wanted);
	}
	*out_values = making.values;
	return ROCPROFILER_STATUS_SUCCESS;
}
