/* SPDX-License-Identifier: MIT */
/* All that a reader does with a recording that may be damaged. */
#ifndef FUZZ_READ_RECORDING_H
#define FUZZ_READ_RECORDING_H

#include <stdlib.h>
#include <string.h>

#include "tacho/recording.h"
#include "tacho/summary.h"
#include "tacho/sums.h"

/* What the counters of launches are, for folders of recordings. */
static const char fuzz_counting[] =
	"{\"schema\":\"tacho.counting/1\",\"replay\":\"rotate\",\"passes\":2,\"columns\":["
	"{\"name\":\"sum\",\"type\":\"u64\",\"from\":\"session\",\"semantic\":\"event\"},"
	"{\"name\":\"each\",\"type\":\"u64\",\"from\":\"session\",\"semantic\":\"event\"},"
	"{\"name\":\"late\",\"type\":\"f64\",\"from\":\"session\"},"
	"{\"name\":\"work_items\",\"type\":\"u64\",\"from\":\"launch\"}]}";

/* The worst state of what was counted for a command. */
static inline uint8_t fuzz_read_row(const struct tacho_recorded_row *row)
{
	const struct tacho_column *column;
	uint8_t worst = 0;

	for (size_t i = 0; row && (column = tacho_result_get_column(row->result, i)); i++)
		for (size_t k = 0; k < column->instance_count; k++)
			if (tacho_column_is_present(column, k) &&
			    tacho_column_get_value(column, 0, k) >= 0 &&
			    *tacho_column_get_note(column, 0, k) == '\0')
				worst |= tacho_column_get_state(column, 0, k);
	return worst;
}

static inline void fuzz_read_range(void *user, const struct tacho_named_range *range)
{
	*(size_t *)user += strlen(range->name) + strlen(range->domain) + strlen(range->api) +
			   (range->parent ? strlen(range->parent->name) : 0);
}

static inline void fuzz_read_window(void *user, const struct tacho_window *window)
{
	const struct tacho_column *column;

	*(size_t *)user += strlen(window->sampling->device) + (window->end_ns < window->start_ns);
	for (size_t i = 0; (column = tacho_result_get_column(window->result, i)); i++)
		if (tacho_column_get_value(column, 0, 0) >= 0)
			*(size_t *)user += tacho_column_get_state(column, 0, 0) +
					   strlen(window->sampling->counters[i].name) +
					   strlen(window->sampling->counters[i].unit);
}

static inline void fuzz_read_call(const struct tacho_call *call, size_t *sum)
{
	for (size_t i = 0; i < call->range_count; i++)
		fuzz_read_range(sum, call->ranges[i]);
}

/* All values of all tables of sums. */
static inline void fuzz_read_sums(const struct tacho_recording *recording, size_t *sum)
{
	const struct tacho_sums *sums;
	const struct tacho_column *column;

	for (size_t i = 0; (sums = tacho_recording_get_sums(recording, i)); i++) {
		*sum += strlen(sums->file) + strlen(sums->part);
		for (size_t row = 0; row < tacho_result_get_row_count(sums->lines); row++) {
			*sum += strlen(tacho_result_get_row(sums->lines, row)->name);
			for (size_t k = 0; (column = tacho_result_get_column(sums->lines, k)); k++)
				if (tacho_column_get_value(column, row, 0) < 0)
					abort(); /* nothing of it can be */
		}
	}
}

static inline void fuzz_read_recording(const char *path)
{
	struct tacho_recording *recording;
	struct tacho_summary *summary;
	struct tacho_cursor *cursor;
	const struct tacho_call *call;
	size_t sum = 0;

	if (tacho_recording_open(path, &recording))
		return;
	fuzz_read_sums(recording, &sum);
	if (!tacho_cursor_open(recording, &cursor)) {
		tacho_cursor_on_range(cursor, fuzz_read_range, &sum);
		tacho_cursor_on_window(cursor, fuzz_read_window, &sum);
		while (tacho_cursor_next(cursor, &call) == 1) {
			fuzz_read_call(call, &sum);
			tacho_cursor_format_arguments(cursor, ";");
			fuzz_read_row(tacho_cursor_get_row(cursor));
		}
		tacho_cursor_close(cursor);
	}
	if (!tacho_summary_create(recording, &summary))
		tacho_summary_destroy(summary);
	tacho_recording_close(recording);
}

#endif
