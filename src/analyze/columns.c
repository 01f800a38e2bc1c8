/* SPDX-License-Identifier: MIT */
/* Recordings as columns: a cursor whose calls are put into arrays. */
#include "analyze/columns.h"

#include <stdlib.h>

#include "base/error.h"

struct tacho_columns {
	struct tacho_recording *recording;
	struct tacho_cursor *cursor;
	struct tacho__texts *texts;
	struct tacho_batch *batch; /* that ranges and windows go to */
	uint64_t calls, commands, ranges, windows;
	int told_error; /* of the callbacks, which cannot return it */
	int is_done;
};

static void take_range(void *user, const struct tacho_named_range *range)
{
	struct tacho_columns *columns = user;

	if (!columns->told_error)
		columns->told_error = tacho__batch_add_range(columns->batch, range);
}

static void take_window(void *user, const struct tacho_window *window)
{
	struct tacho_columns *columns = user;
	uint32_t sampling = 0;

	while (tacho_recording_get_sampling(columns->recording, sampling) != window->sampling)
		sampling++;
	if (!columns->told_error)
		columns->told_error = tacho__batch_add_window(columns->batch, window, sampling);
	if (!columns->told_error)
		columns->told_error =
			tacho__batch_add_window_values(columns->batch, window, sampling);
}

int tacho_columns_open(struct tacho_recording *recording, struct tacho_columns **out_columns)
{
	struct tacho_columns *columns;
	int rc;

	if (!recording || !out_columns)
		return tacho__fail_null(__func__);
	columns = calloc(1, sizeof(*columns));
	if (!columns)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for columns");
	columns->recording = recording;
	rc = tacho__texts_create(&columns->texts);
	if (!rc)
		rc = tacho_cursor_open(recording, &columns->cursor);
	if (rc) {
		tacho_columns_close(columns);
		return rc;
	}
	tacho_cursor_on_range(columns->cursor, take_range, columns);
	tacho_cursor_on_window(columns->cursor, take_window, columns);
	*out_columns = columns;
	return 0;
}

void tacho_columns_close(struct tacho_columns *columns)
{
	if (!columns)
		return;
	tacho_cursor_close(columns->cursor);
	tacho__texts_release(columns->texts);
	free(columns);
}

void tacho_batch_destroy(struct tacho_batch *batch)
{
	if (!batch)
		return;
	tacho__batch_free_values(batch);
	tacho__batch_free_rows(batch);
	tacho__texts_release(batch->texts);
	free(batch);
}

static int create_batch(struct tacho_columns *columns, struct tacho_batch **out_batch)
{
	struct tacho_batch *batch = calloc(1, sizeof(*batch));

	if (!batch)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a batch");
	while (tacho_recording_get_sampling(columns->recording, batch->sampling_count))
		batch->sampling_count++;
	batch->window_values = calloc(batch->sampling_count + 1, sizeof(*batch->window_values));
	if (!batch->window_values) {
		free(batch);
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a batch");
	}
	batch->is_import = tacho_recording_get_run(columns->recording)->import_note != NULL;
	batch->calls.first = columns->calls;
	batch->commands.first = columns->commands;
	batch->ranges.first = columns->ranges;
	batch->windows.first = columns->windows;
	batch->texts = columns->texts;
	atomic_fetch_add(&columns->texts->holders, 1);
	*out_batch = batch;
	return 0;
}

static int take_call(struct tacho_columns *columns, const struct tacho_call *call)
{
	struct tacho_batch *batch = columns->batch;
	const struct tacho_recorded_row *row = tacho_cursor_get_row(columns->cursor);
	int rc = tacho__batch_add_call(batch, call,
				       call->command ? columns->commands : TACHO_UNKNOWN);

	if (rc || !call->command)
		return rc;
	columns->commands++;
	rc = tacho__batch_add_command(batch, call, columns->calls, row);
	return rc ? rc : tacho__batch_add_values(batch, row);
}

static int fill_batch(struct tacho_columns *columns, size_t call_max)
{
	const struct tacho_call *call;
	int rc;

	for (size_t i = 0; !call_max || i < call_max; i++) {
		rc = tacho_cursor_next(columns->cursor, &call);
		columns->is_done = rc <= 0;
		if (rc < 0 || columns->told_error)
			return rc < 0 ? rc : columns->told_error;
		if (!rc)
			break;
		rc = take_call(columns, call);
		if (rc)
			return rc;
		columns->calls++;
	}
	if (columns->texts->arena.failed)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for the texts of a batch");
	return tacho__batch_finish_values(columns->batch);
}

int tacho_columns_next(struct tacho_columns *columns, size_t call_max,
		       struct tacho_batch **out_batch)
{
	int rc;

	if (!columns || !out_batch)
		return tacho__fail_null(__func__);
	if (columns->is_done)
		return 0;
	rc = create_batch(columns, &columns->batch);
	if (rc)
		return rc;
	rc = fill_batch(columns, call_max);
	columns->is_done |= rc != 0;
	columns->ranges += columns->batch->ranges.count;
	columns->windows += columns->batch->windows.count;
	if (rc || (!columns->batch->calls.count && !columns->batch->ranges.count &&
		   !columns->batch->windows.count)) {
		tacho_batch_destroy(columns->batch);
		return rc;
	}
	*out_batch = columns->batch;
	return 1;
}

const struct tacho_call_columns *tacho_batch_get_calls(const struct tacho_batch *batch)
{
	return batch ? &batch->calls : NULL;
}

const struct tacho_command_columns *tacho_batch_get_commands(const struct tacho_batch *batch)
{
	return batch ? &batch->commands : NULL;
}

const struct tacho_range_columns *tacho_batch_get_ranges(const struct tacho_batch *batch)
{
	return batch ? &batch->ranges : NULL;
}

const struct tacho_result *tacho_batch_get_values(const struct tacho_batch *batch)
{
	return batch ? batch->values.result : NULL;
}

const struct tacho_window_columns *tacho_batch_get_windows(const struct tacho_batch *batch)
{
	return batch ? &batch->windows : NULL;
}

const struct tacho_result *tacho_batch_get_window_values(const struct tacho_batch *batch,
							 size_t sampling)
{
	return batch && sampling < batch->sampling_count ? batch->window_values[sampling].result
							 : NULL;
}

const char *tacho_columns_get_text(const struct tacho_columns *columns, uint32_t text)
{
	return columns && text < columns->texts->count ? columns->texts->texts[text] : NULL;
}

const struct tacho_cursor *tacho_columns_get_cursor(const struct tacho_columns *columns)
{
	return columns ? columns->cursor : NULL;
}
