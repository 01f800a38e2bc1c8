/* SPDX-License-Identifier: MIT */
/* A recording as a SQLite database; docs/sqlite.md tells the schema. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/out_stream.h"
#include "format/estimate.h"
#include "format/format.h"
#include "format/sqlite/about.h"
#include "format/range_text.h"
#include "format/sqlite/keys.h"
#include "format/template_runs.h"
#include "model/shape.h"
#include "record/command.h"
#include "tacho/sys/json.h"

struct writer {
	bool has_instances; /* the table of them is written */
	struct tacho__sqlite_file file;
	struct tacho__sqlite_keys keys;
	struct tacho__template_numbers templates;
	const struct tacho_recording *recording;
	uint64_t calls, windows;
	FILE *stream; /* into `text`, where the arguments of a call are formatted */
	struct tacho__buf text;
};

/* ---- a call ---- */

/* The arguments as a JSON object, without the end of line. NULL: no memory. */
static const char *format_arguments(struct writer *writer, struct tacho_cursor *cursor)
{
	const char *name, *text;
	struct tacho_json json;

	tacho__buf_clear(&writer->text);
	tacho_json_init(&json, writer->stream, false);
	tacho_json_begin_object(&json, NULL);
	for (size_t i = 0; (text = tacho_cursor_get_argument(cursor, i, &name)); i++)
		tacho_json_add_string(&json, name, text);
	tacho_json_finish(&json);
	if (fflush(writer->stream) || ferror(writer->stream)) {
		writer->file.rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory for arguments");
		return NULL;
	}
	writer->text.text[writer->text.size - 1] = '\0';
	return writer->text.text;
}

static int put_call(struct writer *writer, struct tacho_cursor *cursor,
		    const struct tacho_call *call)
{
	struct tacho__sqlite_file *file = &writer->file;
	const char *arguments = format_arguments(writer, cursor);
	uint64_t thread, function;
	int rc = file->rc;

	if (!rc)
		rc = tacho__sqlite_get_thread(&writer->keys, call->process, call->thread, &thread);
	if (!rc)
		rc = tacho__sqlite_get_function(&writer->keys, call->function, &function);
	if (rc)
		return rc;
	tacho__sqlite_row_begin(file, TACHO__SQLITE_CALL);
	tacho__sqlite_row_id(file, ++writer->calls);
	tacho__sqlite_row_id(file, thread);
	tacho__sqlite_row_unsigned(file, true, call->index);
	tacho__sqlite_row_id(file, function);
	tacho__sqlite_row_unsigned(file, !call->is_bare, call->start_ns);
	tacho__sqlite_row_unsigned(file, !call->is_bare, call->end_ns);
	tacho__sqlite_row_text(file, call->result);
	tacho__sqlite_row_integer(file, call->failed != 0);
	tacho__sqlite_row_text(file, arguments);
	tacho__sqlite_row_unsigned(file, true, call->repeats);
	tacho__sqlite_row_unsigned(file, !call->is_bare, tacho__call_busy_ns(call));
	tacho__sqlite_row_integer(file, call->is_bare != 0);
	tacho__sqlite_row_text(file, call->caller);
	return tacho__sqlite_row_end(file);
}

/* ---- its command ---- */

static void add_object(struct tacho__sqlite_file *file, const struct tacho_object *object)
{
	tacho__sqlite_row_id(file, object ? object->id : 0);
}

static void add_times(struct tacho__sqlite_file *file, const struct tacho_command *command)
{
	bool ok = command->state == TACHO_STATE_OK;
	bool has_queue_times = ok && !command->lacks_queue_times;

	tacho__sqlite_row_unsigned(file, has_queue_times, command->queued_ns);
	tacho__sqlite_row_unsigned(file, has_queue_times, command->submit_ns);
	tacho__sqlite_row_unsigned(file, ok, command->start_ns);
	tacho__sqlite_row_unsigned(file, ok, command->end_ns);
	tacho__sqlite_row_unsigned(file, ok || command->has_duration,
				   command->has_duration ? command->duration_ns
							 : command->end_ns - command->start_ns);
	tacho__sqlite_row_unsigned(file, ok, command->uncertainty_ns);
}

static void add_sizes(struct tacho__sqlite_file *file, uint32_t dimensions, const uint64_t *global,
		      bool has_local, const uint64_t *local)
{
	tacho__sqlite_row_unsigned(file, dimensions != 0, dimensions);
	for (int i = 0; i < 3; i++)
		tacho__sqlite_row_unsigned(file, dimensions != 0, global[i]);
	for (int i = 0; i < 3; i++)
		tacho__sqlite_row_unsigned(file, dimensions && has_local, local[i]);
}

static int put_recorded(struct tacho__sqlite_file *file, uint64_t template_id, size_t index,
			const struct tacho_template_command *command)
{
	bool is_kernel = command->kind == TACHO_COMMAND_KERNEL;

	tacho__sqlite_row_begin(file, TACHO__SQLITE_TEMPLATE_COMMAND);
	tacho__sqlite_row_id(file, template_id);
	tacho__sqlite_row_id(file, index + 1);
	tacho__sqlite_row_integer(file, command->kind);
	tacho__sqlite_row_text(file, command->name);
	add_object(file, command->device);
	add_object(file, is_kernel ? command->kernel : NULL);
	add_sizes(file, is_kernel ? command->dimensions : 0, command->global,
		  command->has_local != 0, command->local);
	tacho__sqlite_row_unsigned(file, !is_kernel && command->has_bytes, command->bytes);
	return tacho__sqlite_row_end(file);
}

/* What the command runs, written when it is another than that of the execution before. */
static int get_template(struct writer *writer, const struct tacho_process *process,
			const struct tacho_template *contents, uint64_t *out_id)
{
	struct tacho__sqlite_file *file = &writer->file;
	bool is_new = false;
	int rc =
		tacho__template_numbers_get(&writer->templates, process, contents, out_id, &is_new);

	if (rc || !is_new)
		return rc;
	tacho__sqlite_row_begin(file, TACHO__SQLITE_TEMPLATE);
	tacho__sqlite_row_id(file, *out_id);
	tacho__sqlite_row_integer(file, process->index);
	tacho__sqlite_row_handle(file, contents->handle);
	tacho__sqlite_row_unsigned(file, contents->version != 0, contents->version);
	tacho__sqlite_row_text(file, contents->name);
	tacho__sqlite_row_integer(file, contents->is_known != 0);
	tacho__sqlite_row_text(file, contents->reason);
	tacho__sqlite_row_unsigned(file, contents->is_known, contents->command_count);
	rc = tacho__sqlite_row_end(file);
	for (size_t i = 0; !rc && i < contents->command_count; i++)
		rc = put_recorded(file, *out_id, i, &contents->commands[i]);
	return rc;
}

static int put_command(struct writer *writer, const struct tacho_cursor *cursor,
		       const struct tacho_call *call, const struct tacho_recorded_row *row)
{
	struct tacho__sqlite_file *file = &writer->file;
	const struct tacho_command *command = call->command;
	bool is_kernel = command->kind == TACHO_COMMAND_KERNEL;
	uint64_t type, reason, clock, note, shared, template_id = 0;
	int rc = tacho__sqlite_get_type(&writer->keys, command, &type);

	if (!rc && command->contents)
		rc = get_template(writer, call->process, command->contents, &template_id);
	if (!rc)
		rc = tacho__sqlite_get_shared(&writer->keys, cursor, command->device, &shared);
	if (!rc)
		rc = tacho__sqlite_get_text(&writer->keys, command->reason, &reason);
	if (!rc)
		rc = tacho__sqlite_get_text(&writer->keys,
					    command->state == TACHO_STATE_OK ? command->clock : "",
					    &clock);
	if (!rc)
		rc = tacho__sqlite_get_text(&writer->keys, row ? row->note : "", &note);
	if (rc)
		return rc;
	tacho__sqlite_row_begin(file, TACHO__SQLITE_COMMAND);
	tacho__sqlite_row_id(file, writer->calls);
	tacho__sqlite_row_integer(file, command->kind);
	tacho__sqlite_row_id(file, type);
	add_object(file, command->queue);
	add_object(file, command->device);
	add_object(file, is_kernel ? command->kernel : NULL);
	tacho__sqlite_row_integer(file, command->state);
	tacho__sqlite_row_id(file, reason);
	add_times(file, command);
	tacho__sqlite_row_id(file, clock);
	tacho__sqlite_row_unsigned(file, !is_kernel && command->has_bytes, command->bytes);
	add_sizes(file, is_kernel ? command->dimensions : 0, command->global,
		  command->has_local != 0, command->local);
	tacho__sqlite_row_unsigned(file, is_kernel, command->first_launch != 0);
	tacho__sqlite_row_unsigned(file, row != NULL, row && row->is_counted);
	tacho__sqlite_row_id(file, note);
	tacho__sqlite_row_id(file, template_id);
	tacho__sqlite_row_unsigned(file, command->contents != NULL, command->has_marked_start);
	tacho__sqlite_row_id(file, shared);
	return tacho__sqlite_row_end(file);
}

/* ---- its values ---- */

/* A column holds signed numbers and doubles: what is neither is near to one, and exact as text. */
static void add_number(struct tacho__sqlite_file *file, const struct tacho_column *column,
		       size_t instance, char exact[24])
{
	*exact = '\0';
	if (tacho__state_is_absent(tacho_column_get_state(column, 0, instance))) {
		tacho__sqlite_row_null(file);
	} else if (column->type == TACHO_TYPE_F64) {
		tacho__sqlite_row_real(file, column->data.f64[instance]);
		if (isnan(column->data.f64[instance]))
			strcpy(exact, "NaN");
	} else if (column->data.u64[instance] <= INT64_MAX) {
		tacho__sqlite_row_integer(file, (int64_t)column->data.u64[instance]);
	} else {
		tacho__sqlite_row_real(file, (double)column->data.u64[instance]);
		snprintf(exact, 24, "%" PRIu64, column->data.u64[instance]);
	}
}

static int put_value(struct writer *writer, size_t index, const struct tacho_column *column,
		     size_t instance)
{
	uint8_t state = tacho_column_get_state(column, 0, instance);
	struct tacho__sqlite_file *file = &writer->file;
	char exact[24];
	uint64_t note;
	int rc;

	if (state & TACHO_MARK_FOREIGN)
		return 0;
	rc = tacho__sqlite_get_text(&writer->keys, tacho_column_get_note(column, 0, instance),
				    &note);
	if (rc)
		return rc;
	tacho__sqlite_row_begin(file, TACHO__SQLITE_VALUE);
	tacho__sqlite_row_id(file, writer->calls);
	tacho__sqlite_row_id(file, index + 1);
	tacho__sqlite_row_unsigned(file, true, instance);
	add_number(file, column, instance, exact);
	tacho__sqlite_row_text(file, exact);
	tacho__sqlite_row_integer(file, state & TACHO_STATE_MASK);
	tacho__sqlite_row_integer(file, (state & TACHO_MARK_DIV0) != 0);
	tacho__sqlite_row_integer(file, (state & TACHO_MARK_DEFAULT) != 0);
	if (tacho__state_is_absent(state))
		tacho__sqlite_row_null(file);
	else
		tacho__sqlite_row_real(file, tacho_column_get_coverage(column, 0, instance));
	tacho__sqlite_row_id(file, note);
	return tacho__sqlite_row_end(file);
}

static int put_instance(struct writer *writer, size_t index, const struct tacho_column *column,
			size_t instance)
{
	struct tacho__sqlite_file *file = &writer->file;
	uint32_t positions[TACHO_DIMENSION_MAX];
	struct tacho__buf text = {0};
	int rc;

	tacho__shape_position(column->dimensions, column->dimension_count, instance, positions);
	for (uint32_t i = 0; i < column->dimension_count; i++)
		tacho__buf_printf(&text, "%s%s=%" PRIu32, i ? ";" : "", column->dimensions[i].name,
				  positions[i]);
	tacho__sqlite_row_begin(file, TACHO__SQLITE_INSTANCE);
	tacho__sqlite_row_id(file, index + 1);
	tacho__sqlite_row_unsigned(file, true, instance);
	tacho__sqlite_row_text(file, tacho__buf_text(&text));
	rc = text.failed ? tacho__fail(TACHO_E_NOMEM, "", "", "no memory for an instance")
			 : tacho__sqlite_row_end(file);
	tacho__buf_finish(&text);
	return rc;
}

typedef int (*instance_fn)(struct writer *writer, size_t index, const struct tacho_column *column,
			   size_t instance);

/* Those that exist, of all columns. */
static int each_instance(struct writer *writer, const struct tacho_result *result, instance_fn fn)
{
	const struct tacho_column *column;
	int rc = 0;

	for (size_t i = 0; (column = tacho_result_get_column(result, i)); i++)
		for (size_t k = 0; k < column->instance_count && !rc; k++)
			if (tacho_column_is_present(column, k) &&
			    (column->dimension_count || fn == put_value))
				rc = fn(writer, i, column, k);
	return rc;
}

/* ---- ranges ---- */

static bool is_between_commands(const struct tacho_named_range *range)
{
	return range->kind == TACHO_RANGE_LABEL || range->kind == TACHO_RANGE_PASS;
}

/* A failure stays in the file, whose next row tells. */
static void put_range(void *user, const struct tacho_named_range *range)
{
	struct tacho__sqlite_file *file = &((struct writer *)user)->file;

	tacho__sqlite_row_begin(file, TACHO__SQLITE_RANGE);
	tacho__sqlite_row_id(file, range->id);
	tacho__sqlite_row_text(file, tacho__range_kind_to_string(range->kind));
	if (*range->name)
		tacho__sqlite_row_text(file, range->name);
	else
		tacho__sqlite_row_empty(file);
	tacho__sqlite_row_text(file, range->domain);
	tacho__sqlite_row_text(file, range->api);
	tacho__sqlite_row_unsigned(file, true, range->process->index);
	tacho__sqlite_row_unsigned(file, true, range->thread);
	tacho__sqlite_row_unsigned(file, true, range->depth);
	tacho__sqlite_row_id(file, range->parent ? range->parent->id : 0);
	tacho__sqlite_row_unsigned(file, true, range->start_ns);
	tacho__sqlite_row_unsigned(file, !range->is_open, range->end_ns);
	tacho__sqlite_row_unsigned(file, true, range->end_ns);
	tacho__sqlite_row_unsigned(file, range->has_color, range->color);
	tacho__sqlite_row_unsigned(file, range->number != 0, range->number);
	tacho__sqlite_row_id(file, range->queue ? range->queue->id : 0);
	tacho__sqlite_row_unsigned(file, is_between_commands(range), range->has_device_times);
	tacho__sqlite_row_end(file);
}

static int put_call_ranges(struct writer *writer, const struct tacho_call *call)
{
	struct tacho__sqlite_file *file = &writer->file;

	for (size_t i = 0; i < call->range_count && !file->rc; i++) {
		tacho__sqlite_row_begin(file, TACHO__SQLITE_CALL_RANGE);
		tacho__sqlite_row_id(file, writer->calls);
		tacho__sqlite_row_id(file, i + 1);
		tacho__sqlite_row_id(file, call->ranges[i]->id);
		tacho__sqlite_row_end(file);
	}
	return file->rc;
}

/* ---- windows ---- */

static int put_window_value(struct writer *writer, uint64_t counter,
			    const struct tacho_column *column)
{
	struct tacho__sqlite_file *file = &writer->file;
	uint8_t state = tacho_column_get_state(column, 0, 0);
	char exact[24];

	tacho__sqlite_row_begin(file, TACHO__SQLITE_WINDOW_VALUE);
	tacho__sqlite_row_id(file, writer->windows);
	tacho__sqlite_row_id(file, counter);
	add_number(file, column, 0, exact);
	tacho__sqlite_row_text(file, exact);
	tacho__sqlite_row_integer(file, state & TACHO_STATE_MASK);
	tacho__sqlite_row_integer(file, (state & TACHO_MARK_DIV0) != 0);
	if (tacho__state_is_absent(state))
		tacho__sqlite_row_null(file);
	else
		tacho__sqlite_row_real(file, tacho_column_get_coverage(column, 0, 0));
	return tacho__sqlite_row_end(file);
}

/* A failure stays in the file, whose next row tells. */
static void put_window(void *user, const struct tacho_window *window)
{
	struct writer *writer = user;
	struct tacho__sqlite_file *file = &writer->file;
	const struct tacho_column *column;
	uint64_t sampling = 1;

	while (tacho_recording_get_sampling(writer->recording, sampling - 1) != window->sampling)
		sampling++;
	tacho__sqlite_row_begin(file, TACHO__SQLITE_WINDOW);
	tacho__sqlite_row_id(file, ++writer->windows);
	tacho__sqlite_row_id(file, sampling);
	tacho__sqlite_row_unsigned(file, true, window->index);
	tacho__sqlite_row_unsigned(file, true, window->start_ns);
	tacho__sqlite_row_unsigned(file, true, window->end_ns);
	tacho__sqlite_row_unsigned(file, true, window->uncertainty_ns);
	tacho__sqlite_row_end(file);
	for (size_t i = 0; !file->rc && (column = tacho_result_get_column(window->result, i)); i++)
		put_window_value(writer, tacho__sqlite_sampled_id(sampling, i), column);
}

/* ---- all of a call ---- */

static int put_all(void *user, struct tacho_cursor *cursor, const struct tacho_call *call)
{
	struct writer *writer = user;
	const struct tacho_recorded_row *row = tacho_cursor_get_row(cursor);
	int rc = put_call(writer, cursor, call);

	if (!rc)
		rc = put_call_ranges(writer, call);
	if (!rc && call->command)
		rc = put_command(writer, cursor, call, row);
	if (rc || !call->command || !row || !row->is_counted)
		return rc;
	if (!writer->has_instances)
		rc = each_instance(writer, row->result, put_instance);
	writer->has_instances = true;
	return rc ? rc : each_instance(writer, row->result, put_value);
}

/* ---- the file ---- */

static int write_rows(struct writer *writer, struct tacho_recording *recording)
{
	struct tacho_cursor *cursor = NULL;
	int rc = tacho_cursor_open(recording, &cursor);

	if (rc)
		return rc;
	tacho_cursor_on_range(cursor, put_range, writer);
	tacho_cursor_on_window(cursor, put_window, writer);
	rc = tacho__format_each_call(cursor, put_all, writer);
	if (!rc)
		rc = tacho__sqlite_put_threads(&writer->keys, cursor);
	if (!rc)
		rc = tacho__sqlite_put_about(&writer->file, recording, cursor, writer->calls);
	tacho_cursor_close(cursor);
	return rc;
}

static int write_sqlite(struct tacho_recording *recording, const char *base,
			const struct tacho__export *how)
{
	char *path = tacho__format_path(base, ".sqlite");
	struct writer writer = {.recording = recording, .keys = {.file = &writer.file}};
	const struct tacho_sink to_text = tacho__stream_sink_to_buf(&writer.text);
	struct tacho__sqlite_schema schema;
	int rc = TACHO_E_NOMEM;

	tacho__sqlite_get_own(&schema);
	if (path)
		writer.stream = tacho__stream_open_sink(&to_text);
	if (writer.stream)
		rc = tacho__sqlite_file_create(&writer.file, path, how->overwrite, &schema);
	if (!rc)
		rc = write_rows(&writer, recording);
	if (!rc)
		rc = tacho__export_check(recording, how);
	if (!rc)
		rc = tacho__sqlite_file_commit(&writer.file);
	tacho__sqlite_file_finish(&writer.file);
	tacho__sqlite_keys_finish(&writer.keys);
	tacho__template_numbers_finish(&writer.templates);
	if (writer.stream)
		fclose(writer.stream);
	tacho__buf_finish(&writer.text);
	free(path);
	return rc;
}

/* What a row takes, its places in indexes with it. */
enum {
	CALL_BYTES = 90,
	COMMAND_BYTES = 110,
	PER_ARGUMENT_BYTE = 3,
	VALUE_BYTES = 16,
	RECORDED_BYTES = 50,
	RANGE_BYTES = 24 /* a call in it, with its place in the index */
};

static int estimate_call(void *user, struct tacho_cursor *cursor, const struct tacho_call *call)
{
	const struct tacho_recorded_row *row = tacho_cursor_get_row(cursor);
	struct tacho__estimate *estimate = user;
	uint64_t commands;
	int rc = tacho__estimate_template(estimate, call, &commands);

	if (rc)
		return rc;
	estimate->bytes += RECORDED_BYTES * commands + CALL_BYTES + strlen(call->result) +
			   PER_ARGUMENT_BYTE * tacho__sampler_add(&estimate->arguments, cursor);
	estimate->bytes += RANGE_BYTES * call->range_count;
	if (call->command)
		estimate->bytes += COMMAND_BYTES;
	if (row && row->is_counted)
		estimate->bytes += VALUE_BYTES * tacho__estimate_values(row->result);
	return 0;
}

static int estimate_sqlite(struct tacho_recording *recording, uint64_t *out_bytes)
{
	enum { EMPTY_BYTES = 120000, PROCESS_BYTES = 700 }; /* a page for each table, and views */

	return tacho__estimate(recording, EMPTY_BYTES, PROCESS_BYTES, estimate_call, out_bytes);
}

const struct tacho__format tacho__format_sqlite = {
	.format = {.name = "sqlite",
		   .summary = "a SQLite database (docs/sqlite.md)",
		   .suffixes = ".sqlite"},
	.write = write_sqlite,
	.why_no_stream =
		"SQLite writes a database anywhere in its file, not from its beginning to its end",
	.estimate = estimate_sqlite,
};
