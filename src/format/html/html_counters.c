/* SPDX-License-Identifier: MIT */
/* Counters of launches over time: a series of the timeline. */
#include <string.h>

#include "format/html/html_timeline.h"

static bool adds_up(const struct tacho_entry *counter)
{
	return strcmp(counter->semantic, "event") == 0 ||
	       strcmp(counter->semantic, "duration") == 0;
}

void tacho__timeline_name_counters(struct tacho__timeline *timeline,
				   struct tacho_recording *recording)
{
	struct tacho__html_series *launches = &timeline->launches;
	const struct tacho_entry *counter;

	launches->kind = "launches";
	launches->label = "counters of launches";
	for (size_t i = 0; (counter = tacho_recording_get_counter(recording, i)) &&
			   launches->column_count < TACHO__HTML_SERIES_COLUMNS_MAX;
	     i++) {
		/* What every command tells by itself is in the timeline already. */
		if (counter->is_of_command || counter->is_of_transfers)
			continue;
		timeline->counters[launches->column_count] = i;
		launches->columns[launches->column_count++] = (struct tacho__html_series_column){
			.name = counter->name,
			.unit = counter->unit,
			.adds_up = adds_up(counter),
			.is_simulated = counter->is_simulated != 0};
	}
}

/* Of what was kept for each instance there is no one value. */
static uint8_t read_value(const struct tacho_result *result, size_t index, double *out_value)
{
	const struct tacho_column *column = tacho_result_get_column(result, index);
	uint8_t state = TACHO_STATE_ABSENT;

	if (column && column->instance_count == 1)
		state = tacho_column_get_state(column, 0, 0);
	*out_value = (state & TACHO_STATE_MASK) == TACHO_STATE_ABSENT
			     ? 0
			     : tacho_column_get_value(column, 0, 0);
	return state;
}

int tacho__timeline_add_values(struct tacho__timeline *timeline, struct tacho_cursor *cursor,
			       const struct tacho_command *command, uint32_t name)
{
	struct tacho__html_series *launches = &timeline->launches;
	const struct tacho_recorded_row *row =
		launches->column_count ? tacho_cursor_get_row(cursor) : NULL;
	double values[TACHO__HTML_SERIES_COLUMNS_MAX];
	uint8_t states[TACHO__HTML_SERIES_COLUMNS_MAX];

	if (!row || !row->is_counted || command->kind != TACHO_COMMAND_KERNEL)
		return 0;
	for (size_t i = 0; i < launches->column_count; i++)
		states[i] = read_value(row->result, timeline->counters[i], &values[i]);
	return tacho__html_series_add(
		launches,
		&(struct tacho__html_series_row){.start_ns = command->start_ns,
						 .time_ns = command->end_ns - command->start_ns,
						 .call = timeline->calls,
						 .name = name},
		values, states);
}
