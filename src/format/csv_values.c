/* SPDX-License-Identifier: MIT */
/* What was counted, one row a launch, as RFC 4180 has it; docs/values.md tells the form. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/number.h"
#include "format/csv.h"
#include "format/format.h"
#include "format/values_file.h"

#define SUFFIX ".values.csv"

struct table {
	struct tacho_recording *recording;
	const char *device; /* that values were counted on, where it is not the launch's own */
	size_t count;	    /* of counters */
	uint8_t *has_states;
	bool has_transfers; /* a counter of transfers is among them */
	uint64_t rows;
	bool is_partial; /* then each row says so */
	FILE *stream;
};

static bool is_ok(const struct tacho_value *value)
{
	return value->state == TACHO_STATE_OK;
}

/* Launches, templates as a whole, and transfers where something of them was asked for. */
static const struct tacho_values *get_row(const struct table *table, struct tacho_cursor *cursor,
					  const struct tacho_call *call)
{
	const struct tacho_values *row = tacho_cursor_get_values(cursor);

	if (!row || !row->is_counted)
		return NULL;
	if (call->command->kind == TACHO_COMMAND_KERNEL || call->command->contents)
		return row;
	return table->has_transfers && call->command->kind != TACHO_COMMAND_OTHER ? row : NULL;
}

/* A first look: which counters need a column for states. */
static int look(void *user, struct tacho_cursor *cursor, const struct tacho_call *call)
{
	struct table *table = user;
	const struct tacho_values *row = get_row(table, cursor, call);

	for (size_t i = 0; row && i < row->count && i < table->count; i++)
		table->has_states[i] |= !is_ok(&row->values[i]);
	return 0;
}

static void put_header(const struct table *table)
{
	const struct tacho_recorded_counter *counter;

	fputs("id,name,device", table->stream);
	for (size_t i = 0; (counter = tacho_recording_get_counter(table->recording, i)); i++) {
		putc(',', table->stream);
		tacho__csv_write_text(table->stream, counter->name, "");
		if (!table->has_states[i])
			continue;
		putc(',', table->stream);
		tacho__csv_write_text(table->stream, counter->name, ":state");
	}
	if (table->is_partial)
		fputs(",recording", table->stream);
	fputs("\r\n", table->stream);
}

static void put_value(const struct table *table, size_t index, const struct tacho_value *value)
{
	const struct tacho_recorded_counter *counter =
		tacho_recording_get_counter(table->recording, index);
	char text[TACHO__NUMBER_MAX] = "";

	if ((value->state & TACHO_STATE_MASK) == TACHO_STATE_ABSENT)
		text[0] = '\0';
	else if (counter->type == TACHO_TYPE_U64)
		tacho__number_format_whole(value->data.u64, text);
	else if (isfinite(value->data.f64))
		tacho__number_format(value->data.f64, text);
	fprintf(table->stream, ",%s", text);
	if (!table->has_states[index])
		return;
	putc(',', table->stream);
	tacho__state_write(table->stream, value->state);
}

static int put_row(void *user, struct tacho_cursor *cursor, const struct tacho_call *call)
{
	struct table *table = user;
	const struct tacho_command *command = call->command;
	const struct tacho_values *row = get_row(table, cursor, call);
	const char *device = table->device;

	if (!row)
		return 0;
	fprintf(table->stream, "%" PRIu64 ",", table->rows++);
	tacho__csv_write_text(table->stream,
			      command->contents ? command->contents->name
			      : command->kernel ? command->kernel->name
						: tacho_command_kind_to_string(command->kind),
			      "");
	putc(',', table->stream);
	if (!device)
		device = command->device ? command->device->name : "";
	tacho__csv_write_text(table->stream, device, "");
	for (size_t i = 0; i < row->count && i < table->count; i++)
		put_value(table, i, &row->values[i]);
	if (table->is_partial)
		fputs(",not whole", table->stream);
	fputs("\r\n", table->stream);
	return ferror(table->stream) ? TACHO_E_IO : 0;
}

static int each_call(struct table *table, tacho__call_fn fn)
{
	struct tacho_cursor *cursor;
	int rc = tacho_cursor_open(table->recording, &cursor);

	if (rc)
		return rc;
	rc = tacho__format_each_call(cursor, fn, table);
	tacho_cursor_close(cursor);
	return rc;
}

static int prepare(struct table *table, struct tacho_recording *recording)
{
	const struct tacho_recorded_counting *counting = tacho_recording_get_counting(recording);
	const struct tacho_recorded_counter *counter;

	table->recording = recording;
	if (!counting)
		return tacho__fail(TACHO_E_NOTFOUND, "it was recorded without -m",
				   "record with counters: tacho record -m LIST",
				   "the recording holds no values");
	if (counting->is_simulated)
		table->device = counting->device;
	for (; (counter = tacho_recording_get_counter(recording, table->count)); table->count++)
		table->has_transfers |= counter->is_transfer != 0;
	table->has_states = calloc(table->count + 1, 1);
	return table->has_states ? 0 : tacho__fail(TACHO_E_NOMEM, "", "", "no memory for columns");
}

static int print_values(struct tacho_recording *recording, FILE *stream)
{
	struct table table = {.stream = stream};
	int rc = prepare(&table, recording);

	if (!rc)
		rc = each_call(&table, look);
	if (!rc) {
		table.is_partial = tacho_recording_check(recording) != 0;
		put_header(&table);
		rc = each_call(&table, put_row);
	}
	free(table.has_states);
	return rc;
}

enum { CELL_BYTES = 12, ROW_BYTES = 40 };

static int estimate_row(void *user, struct tacho_cursor *cursor, const struct tacho_call *call)
{
	struct table *table = user;

	table->rows += get_row(table, cursor, call) != NULL;
	return 0;
}

static int estimate_values(struct tacho_recording *recording, uint64_t *out_bytes)
{
	struct table table = {0};
	int rc;

	if (!tacho_recording_get_counting(recording)) {
		*out_bytes = 0;
		return 0;
	}
	rc = prepare(&table, recording);
	if (!rc)
		rc = each_call(&table, estimate_row);
	if (!rc)
		*out_bytes = (table.rows + 1) * (ROW_BYTES + CELL_BYTES * table.count);
	free(table.has_states);
	return rc;
}

const struct tacho__format tacho__format_csv = {
	.format = {.name = "csv",
		   .summary = "what was counted, one row a launch (docs/values.md)",
		   .suffixes = SUFFIX,
		   .is_stream = 1},
	.print = print_values,
	.estimate = estimate_values,
};
