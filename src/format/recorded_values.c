/* SPDX-License-Identifier: MIT */
/* Values of launches in a recording as rows of a result, for tacho eval. */
#include "format/recorded_values.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/fs.h"
#include "base/number.h"
#include "format/foreign/foreign_kind.h"
#include "format/format.h"
#include "record/objects.h"

/* Of all columns together. */
enum { VALUES_MAX = 1 << 27 };

struct column {
	void *data; /* of the type of its counter */
	uint8_t *states;
};

struct columns {
	struct tacho_recording *recording;
	struct tacho_result *result;
	struct column *columns;
	size_t column_count, row_count;
	const struct tacho_object *device; /* of the first row */
	bool has_devices;		   /* several */
};

static const struct tacho_recorded_row *get_row(struct tacho_cursor *cursor,
						const struct tacho_call *call)
{
	const struct tacho_recorded_row *row = tacho_cursor_get_row(cursor);

	return row && row->is_counted && call->command->kind == TACHO_COMMAND_KERNEL ? row : NULL;
}

static int count_row(void *user, struct tacho_cursor *cursor, const struct tacho_call *call)
{
	struct columns *columns = user;

	columns->row_count += get_row(cursor, call) != NULL;
	return 0;
}

static int create(struct columns *columns)
{
	const struct tacho_entry *counter;
	int rc;

	while (tacho_recording_get_counter(columns->recording, columns->column_count))
		columns->column_count++;
	if (columns->column_count && columns->row_count > VALUES_MAX / columns->column_count)
		return tacho__fail(TACHO_E_UNSUPPORTED,
				   tacho__detail("%zu launches with %zu counters",
						 columns->row_count, columns->column_count),
				   "", "%s has too many values",
				   tacho_recording_get_path(columns->recording));
	columns->columns = calloc(columns->column_count + 1, sizeof(*columns->columns));
	rc = columns->columns ? tacho__result_create(columns->row_count, &columns->result)
			      : tacho__fail(TACHO_E_NOMEM, "", "", "no memory for values");
	columns->row_count = 0;
	for (size_t i = 0; !rc && (counter = tacho_recording_get_counter(columns->recording, i));
	     i++) {
		const struct tacho_column about = {.name = counter->name,
						   .unit = counter->unit,
						   .description = counter->description,
						   .type = counter->type};
		double *coverage;

		rc = tacho__result_add_counted(columns->result, &about, false,
					       &columns->columns[i].data,
					       &columns->columns[i].states, &coverage);
	}
	return rc;
}

static void put_value(struct column *into, size_t at, const struct tacho_column *from)
{
	into->states[at] = tacho_column_get_state(from, 0, 0);
	if ((into->states[at] & TACHO_STATE_MASK) == TACHO_STATE_ABSENT)
		return;
	if (from->type == TACHO_TYPE_U64)
		((uint64_t *)into->data)[at] = from->data.u64[0];
	else
		((double *)into->data)[at] = from->data.f64[0];
}

static bool is_other(const struct tacho_object *left, const struct tacho_object *right)
{
	return strcmp(((const struct tacho__object *)left)->text,
		      ((const struct tacho__object *)right)->text) != 0;
}

static int put_row(void *user, struct tacho_cursor *cursor, const struct tacho_call *call)
{
	struct columns *columns = user;
	const struct tacho_recorded_row *row = get_row(cursor, call);
	const struct tacho_command *command = call->command;
	struct tacho_row info = {.id = columns->row_count};

	if (!row)
		return 0;
	info.name = command->kernel ? command->kernel->name : "";
	if (command->device) {
		info.device = command->device->name;
		columns->has_devices |=
			columns->device && is_other(columns->device, command->device);
		columns->device = columns->device ? columns->device : command->device;
	}
	for (size_t i = 0; i < columns->column_count; i++)
		put_value(&columns->columns[i], columns->row_count,
			  tacho_result_get_column(row->result, i));
	return tacho__result_set_row(columns->result, columns->row_count++, &info);
}

/* What the file says of the device beside its launches, by the names that formulas have for it. */
static int put_constants(struct columns *columns)
{
	const struct tacho__object *device = (const struct tacho__object *)columns->device;
	int rc = 0;

	for (size_t i = 0; device && !columns->has_devices && i < device->pair_count && !rc; i++) {
		const struct tacho__pair *pair = &device->pairs[i];
		double value;

		if (strstr(pair->key, "__") &&
		    !tacho__number_parse(pair->value, strlen(pair->value), &value))
			rc = tacho__result_set_constant(columns->result, pair->key, value);
	}
	return rc;
}

static int put_arch(struct columns *columns)
{
	const char *arch = columns->device && !columns->has_devices
				   ? tacho_object_get(columns->device, "architecture")
				   : NULL;

	if (!arch)
		return 0;
	/* features stand behind a colon */
	columns->result->arch =
		tacho__arena_text(&columns->result->arena, arch, strcspn(arch, ":"));
	return columns->result->arch ? 0 : TACHO_E_NOMEM;
}

/* Known behind the last row. */
static int put_gap(struct columns *columns)
{
	struct tacho_result *result = columns->result;
	int rc = tacho_recording_check(columns->recording);

	if (rc != TACHO_E_LOST)
		return rc;
	result->gap = tacho__arena_string(&result->arena, tacho_error_last()->cause);
	return result->gap ? 0 : TACHO_E_NOMEM;
}

static int read_rows(struct columns *columns, const char *path)
{
	int rc = 0;

	if (!tacho_recording_get_counter(columns->recording, 0))
		return tacho__fail(TACHO_E_PARSE, "no launch in it has values of counters", "",
				   "%s has no values", path);
	rc = tacho__format_walk(columns->recording, NULL, count_row, columns);
	if (!rc)
		rc = create(columns);
	if (!rc)
		rc = tacho__format_walk(columns->recording, NULL, put_row, columns);
	if (!rc)
		rc = put_constants(columns);
	if (!rc)
		rc = put_gap(columns);
	return rc ? rc : put_arch(columns);
}

int tacho__values_read_recording(const char *path, const char *kind,
				 struct tacho_result **out_result)
{
	struct columns columns = {0};
	bool is_one = kind != NULL;
	mode_t mode = 0;
	int rc = tacho__fs_get_kind(path, &mode);

	*out_result = NULL;
	if (!rc && mode == S_IFREG && !kind)
		rc = tacho__foreign_has_values(path, &is_one);
	if (!rc && mode == S_IFDIR)
		is_one = true;
	if (rc || !is_one)
		return rc;
	rc = tacho_recording_open_files(&path, 1, kind, &columns.recording);
	if (!rc)
		rc = read_rows(&columns, path);
	if (rc)
		tacho_result_destroy(columns.result);
	else
		*out_result = columns.result;
	if (columns.recording)
		tacho_recording_close(columns.recording);
	free(columns.columns);
	return rc;
}
