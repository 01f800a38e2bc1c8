/* SPDX-License-Identifier: MIT */
/* Counters over time, of launches and of what was sampled beside the program. */
#include <string.h>

#include "format/html/html_timeline.h"

static bool adds_up(const struct tacho_entry *counter)
{
	return strcmp(counter->semantic, "event") == 0 ||
	       strcmp(counter->semantic, "duration") == 0;
}

/* What is held of values leaves room for calls. */
static size_t share_values(const struct tacho__timeline *timeline)
{
	return timeline->store_max / 40 / (timeline->sampling_count + 1);
}

static void name_windows(struct tacho__timeline *timeline, const struct tacho_recording *recording)
{
	const struct tacho_sampling *sampling;

	for (size_t i = 0; (sampling = tacho_recording_get_sampling(recording, i)); i++) {
		struct tacho__html_series *windows;

		if (i >= TACHO__TIMELINE_SAMPLINGS_MAX) {
			timeline->counters_left += sampling->counter_count;
			continue;
		}
		windows = &timeline->windows[i];
		timeline->samplings[timeline->sampling_count++] = sampling;
		windows->kind = "windows";
		windows->label = sampling->device;
		for (size_t k = 0;
		     k < sampling->counter_count && k < TACHO__HTML_SERIES_COLUMNS_MAX; k++)
			windows->columns[windows->column_count++] =
				(struct tacho__html_series_column){
					.name = sampling->counters[k].name,
					.unit = sampling->counters[k].unit,
					.adds_up = adds_up(&sampling->counters[k]),
					.is_simulated = sampling->is_simulated != 0};
		timeline->counters_left += sampling->counter_count - windows->column_count;
	}
	for (size_t i = 0; i < timeline->sampling_count; i++)
		timeline->windows[i].values_max = share_values(timeline);
}

void tacho__timeline_name_counters(struct tacho__timeline *timeline,
				   struct tacho_recording *recording)
{
	struct tacho__html_series *launches = &timeline->launches;
	const struct tacho_entry *counter;

	name_windows(timeline, recording);
	launches->values_max = share_values(timeline);
	launches->kind = "launches";
	launches->label = "counters of launches";
	for (size_t i = 0; (counter = tacho_recording_get_counter(recording, i)); i++) {
		/* What every command tells by itself is in the timeline already. */
		if (counter->is_of_command || counter->is_of_transfers)
			continue;
		if (launches->column_count == TACHO__HTML_SERIES_COLUMNS_MAX) {
			timeline->counters_left++;
			continue;
		}
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

static int add_window(struct tacho__timeline *timeline, const struct tacho_window *window)
{
	struct tacho__html_series *series = NULL;
	double values[TACHO__HTML_SERIES_COLUMNS_MAX];
	uint8_t states[TACHO__HTML_SERIES_COLUMNS_MAX];

	for (size_t i = 0; i < timeline->sampling_count; i++)
		if (timeline->samplings[i] == window->sampling)
			series = &timeline->windows[i];
	if (!series || !window->end_ns || window->end_ns < window->start_ns)
		return 0;
	if (!timeline->has_any || window->start_ns < timeline->first_ns)
		timeline->first_ns = window->start_ns;
	if (!timeline->has_any || window->end_ns > timeline->last_ns)
		timeline->last_ns = window->end_ns;
	timeline->has_any = true;
	for (size_t i = 0; i < series->column_count; i++)
		states[i] = read_value(window->result, i, &values[i]);
	return tacho__html_series_add(
		series,
		&(struct tacho__html_series_row){.start_ns = window->start_ns,
						 .time_ns = window->end_ns - window->start_ns},
		values, states);
}

void tacho__timeline_add_window(void *user, const struct tacho_window *window)
{
	struct tacho__timeline *timeline = user;

	if (!timeline->rc)
		timeline->rc = add_window(timeline, window);
}

int tacho__timeline_write_counters(struct tacho__timeline *timeline)
{
	int rc = tacho__html_series_write(&timeline->launches, &timeline->store);

	for (size_t i = 0; i < timeline->sampling_count && !rc; i++)
		rc = tacho__html_series_write(&timeline->windows[i], &timeline->store);
	return rc ? rc : tacho__timeline_write_memory(timeline);
}

/* Launches, windows, memory; NULL past the last. */
static const struct tacho__html_series *get_series(const struct tacho__timeline *timeline,
						   size_t index)
{
	if (!index)
		return &timeline->launches;
	if (index <= timeline->sampling_count)
		return &timeline->windows[index - 1];
	index -= timeline->sampling_count + 1;
	return index < timeline->heap_count ? &timeline->heaps[index].series : NULL;
}

void tacho__timeline_put_counters(FILE *stream, const struct tacho__timeline *timeline)
{
	const struct tacho__html_series *series;
	bool is_first = true;

	for (size_t i = 0; (series = get_series(timeline, i)); i++) {
		if (!series->count)
			continue;
		fputs(is_first ? "" : ",\n", stream);
		tacho__html_series_put(stream, series, timeline->first_ns, timeline->last_ns);
		is_first = false;
	}
}

void tacho__timeline_finish_counters(struct tacho__timeline *timeline)
{
	tacho__html_series_finish(&timeline->launches);
	for (size_t i = 0; i < timeline->sampling_count; i++)
		tacho__html_series_finish(&timeline->windows[i]);
	for (size_t i = 0; i < timeline->heap_count; i++)
		tacho__html_series_finish(&timeline->heaps[i].series);
}
