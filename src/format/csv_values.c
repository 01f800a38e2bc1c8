/* SPDX-License-Identifier: MIT */
/* The values of a recording's launches as rows of CSV; docs/values.md tells the form. */
#include "base/error.h"
#include "format/estimate.h"
#include "format/format.h"
#include "format/range_text.h"
#include "format/values_file.h"

#define SUFFIX ".values.csv"

struct export
{
	struct tacho_recording *recording;
	const char *device; /* that values were counted on, where it is not the launch's own */
	bool has_transfers; /* a counter of transfers is among them */
	bool has_ranges;    /* that a row was launched in */
	struct tacho__buf ranges; /* of a row */
	uint64_t rows, cells;
	size_t counters;
	struct tacho_result *columns; /* without rows; NULL: not made yet */
	struct tacho__csv_table table;
};

/* Launches, templates as a whole, and transfers where something of them was asked for. */
static const struct tacho_recorded_row *
get_row(const struct export *export, struct tacho_cursor *cursor, const struct tacho_call *call)
{
	const struct tacho_recorded_row *row = tacho_cursor_get_row(cursor);

	if (!row || !row->is_counted)
		return NULL;
	if (call->command->kind == TACHO_COMMAND_KERNEL || call->command->contents)
		return row;
	return export->has_transfers && call->command->kind != TACHO_COMMAND_OTHER ? row : NULL;
}

/* What the header is written of; `row` is NULL when the recording has none. */
static int create_columns(struct export *export, const struct tacho_result *row)
{
	const struct tacho_entry *counter;
	int rc = tacho__result_create(0, &export->columns);

	for (size_t i = 0; !rc && (counter = tacho_recording_get_counter(export->recording, i));
	     i++) {
		struct tacho_column column = {.name = counter->name, .instance_count = 1};
		const struct tacho_column *like = row ? tacho_result_get_column(row, i) : &column;
		void *nothing;

		rc = like->dimension_count
			     ? tacho__result_add_column(export->columns, like, &nothing)
			     : tacho__result_add_view(export->columns, &column);
		if (!rc && like->present)
			rc = tacho__result_set_present(export->columns, like->present);
	}
	return rc;
}

/* A first look: which columns the rows need. */
static int look(void *user, struct tacho_cursor *cursor, const struct tacho_call *call)
{
	struct export *export = user;
	const struct tacho_recorded_row *row = get_row(export, cursor, call);
	int rc = 0;

	export->has_ranges |= row && call->range_count;
	if (row && !export->columns)
		rc = create_columns(export, row->result);
	return rc || !row ? rc : tacho__csv_table_look(&export->table, row->result);
}

/* Whether it is around another one of the call, whose path has its name. */
static bool is_around(const struct tacho_call *call, const struct tacho_named_range *range)
{
	for (size_t i = 0; i < call->range_count; i++)
		if (call->ranges[i]->parent == range)
			return true;
	return false;
}

static const char *format_ranges(struct export *export, const struct tacho_call *call)
{
	struct tacho__buf *text = &export->ranges;

	tacho__buf_clear(text);
	for (size_t i = 0; i < call->range_count; i++) {
		if (is_around(call, call->ranges[i]))
			continue;
		tacho__buf_put(text, text->size ? ";" : "");
		tacho__range_put_path(text, call->ranges[i]);
	}
	return tacho__buf_text(text);
}

static int put_row(void *user, struct tacho_cursor *cursor, const struct tacho_call *call)
{
	struct export *export = user;
	const struct tacho_command *command = call->command;
	const struct tacho_recorded_row *row = get_row(export, cursor, call);
	const struct tacho_row info = {
		.id = export->rows,
		.name = command && command->contents ? command->contents->name
			: command && command->kernel ? command->kernel->name
			: command		     ? tacho_command_kind_to_string(command->kind)
						     : "",
		.device = export->device	       ? export->device
			  : command && command->device ? command->device->name
						       : "",
	};

	if (!row)
		return 0;
	export->rows++;
	if (export->has_ranges)
		export->table.ranges = format_ranges(export, call);
	if (export->ranges.failed)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a row");
	tacho__csv_table_write_row(&export->table, &info, row->result, 0);
	return ferror(export->table.stream) ? TACHO_E_IO : 0;
}

static int prepare(struct export *export, struct tacho_recording *recording)
{
	const struct tacho_recorded_counting *counting = tacho_recording_get_counting(recording);
	const struct tacho_entry *counter;

	export->recording = recording;
	if (!counting)
		return tacho__fail(TACHO_E_NOTFOUND, "it was recorded without -m",
				   "record with counters: tacho record -m LIST",
				   "the recording holds no values");
	if (counting->is_simulated)
		export->device = counting->device;
	for (; (counter = tacho_recording_get_counter(recording, export->counters));
	     export->counters++)
		export->has_transfers |= counter->is_of_transfers != 0;
	return 0;
}

static int print_values(struct tacho_recording *recording, FILE *stream)
{
	struct export export = {.table.stream = stream};
	int rc = prepare(&export, recording);

	if (!rc)
		rc = tacho__format_walk(recording, NULL, look, &export);
	if (!rc && !export.columns)
		rc = create_columns(&export, NULL);
	if (!rc)
		rc = tacho__csv_table_look(&export.table, export.columns);
	if (!rc) {
		export.table.has_device = true;
		export.table.ranges = export.has_ranges ? "" : NULL;
		export.table.remark = tacho_recording_check(recording) ? "not whole" : NULL;
		rc = tacho__csv_table_write_header(&export.table, export.columns);
	}
	if (!rc)
		rc = tacho__format_walk(recording, NULL, put_row, &export);
	tacho__csv_table_finish(&export.table);
	tacho_result_destroy(export.columns);
	tacho__buf_finish(&export.ranges);
	return rc;
}

enum { CELL_BYTES = 12, ROW_BYTES = 40 };

static int count_row(void *user, struct tacho_cursor *cursor, const struct tacho_call *call)
{
	struct export *export = user;
	const struct tacho_recorded_row *row = get_row(export, cursor, call);

	export->rows += row != NULL;
	if (row)
		export->cells += tacho__estimate_values(row->result);
	return 0;
}

static int estimate_values(struct tacho_recording *recording, uint64_t *out_bytes)
{
	struct export export = {0};
	int rc;

	if (!tacho_recording_get_counting(recording)) {
		*out_bytes = 0;
		return 0;
	}
	rc = prepare(&export, recording);
	if (!rc)
		rc = tacho__format_walk(recording, NULL, count_row, &export);
	if (!rc)
		*out_bytes = (export.rows + 1) * ROW_BYTES +
			     (export.cells + export.counters) * CELL_BYTES;
	return rc;
}

const struct tacho__format tacho__format_csv = {
	.format = {.name = "csv",
		   .summary = "what was counted, one row a launch (docs/values.md)",
		   .suffixes = SUFFIX,
		   .is_stream = 1},
	.is_csv = true,
	.print = print_values,
	.estimate = estimate_values,
};
