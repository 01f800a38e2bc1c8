/* SPDX-License-Identifier: MIT */
/* Values of a batch: rows come in one by one, and become a result. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/columns.h"
#include "base/error.h"
#include "model/result.h"
#include "model/shape.h"

enum { FIRST_CAPACITY = 256 };

static int fail_memory(void)
{
	return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for the values of a batch");
}

static size_t per_row(const struct tacho__values_column *column)
{
	return column->about.instance_count;
}

/* Makes the array at `array` large enough for `capacity` rows. */
static int resize(struct tacho__values_column *column, void *array, size_t capacity, size_t size)
{
	void **at = array;
	void *larger = reallocarray(*at, capacity * per_row(column), size);

	if (!larger)
		return fail_memory();
	*at = larger;
	return 0;
}

/* Room for one more row. */
static int grow(struct tacho__values *values)
{
	size_t capacity = values->capacity ? 2 * values->capacity : FIRST_CAPACITY;
	int rc = 0;

	if (values->rows < values->capacity)
		return 0;
	for (size_t i = 0; i < values->count && !rc; i++) {
		struct tacho__values_column *column = &values->columns[i];

		rc = resize(column, &column->numbers, capacity, sizeof(uint64_t));
		if (!rc)
			rc = resize(column, &column->states, capacity, sizeof(uint8_t));
		if (!rc && column->coverage)
			rc = resize(column, &column->coverage, capacity, sizeof(double));
		if (!rc && column->notes)
			rc = resize(column, &column->notes, capacity, sizeof(char *));
	}
	if (!rc)
		values->capacity = capacity;
	return rc;
}

static int add_columns(struct tacho__values *values, const struct tacho_result *result)
{
	size_t count = tacho_result_get_column_count(result);

	values->columns = calloc(count ? count : 1, sizeof(*values->columns));
	if (!values->columns)
		return fail_memory();
	values->count = count;
	for (size_t i = 0; i < count; i++)
		values->columns[i].about = *tacho_result_get_column(result, i);
	return 0;
}

/* Until a value of a column has a coverage or a note, there is no array of them. */
static int add_coverage(const struct tacho__values *values, struct tacho__values_column *column,
			size_t at)
{
	if (resize(column, &column->coverage, values->capacity, sizeof(double)))
		return TACHO_E_NOMEM;
	for (size_t i = 0; i <= at; i++)
		column->coverage[i] = 1;
	return 0;
}

static int add_notes(const struct tacho__values *values, struct tacho__values_column *column,
		     size_t at)
{
	if (resize(column, &column->notes, values->capacity, sizeof(char *)))
		return TACHO_E_NOMEM;
	for (size_t i = 0; i <= at; i++)
		column->notes[i] = "";
	return 0;
}

static int put_value(const struct tacho__values *values, struct tacho__texts *texts,
		     struct tacho__values_column *column, size_t at,
		     const struct tacho_column *from, size_t instance)
{
	uint8_t state = from ? tacho_column_get_state(from, 0, instance) : TACHO_STATE_ABSENT;
	double coverage = from ? tacho_column_get_coverage(from, 0, instance) : 1;
	const char *note = from ? tacho_column_get_note(from, 0, instance) : "";
	const double nothing = NAN;

	if (!tacho__state_is_absent(state))
		column->numbers[at] = from->data.u64[instance];
	else if (column->about.type == TACHO_TYPE_U64)
		column->numbers[at] = TACHO_UNKNOWN;
	else
		memcpy(&column->numbers[at], &nothing, sizeof(nothing));
	column->states[at] = state;
	if ((coverage != 1 && !column->coverage && add_coverage(values, column, at)) ||
	    (*note && !column->notes && add_notes(values, column, at)))
		return TACHO_E_NOMEM;
	if (column->coverage)
		column->coverage[at] = coverage;
	if (column->notes)
		column->notes[at] = texts->texts[tacho__texts_add(texts, note)];
	return 0;
}

/* NULL: a row of which nothing is known. */
static int put_row(struct tacho__values *values, struct tacho__texts *texts,
		   const struct tacho_result *from)
{
	size_t row = values->rows;

	if (grow(values))
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < values->count; i++) {
		struct tacho__values_column *column = &values->columns[i];
		const struct tacho_column *now = from ? tacho_result_get_column(from, i) : NULL;

		for (size_t k = 0; k < per_row(column); k++)
			if (put_value(values, texts, column, row * per_row(column) + k, now, k))
				return TACHO_E_NOMEM;
	}
	values->rows++;
	return 0;
}

int tacho__batch_add_values(struct tacho_batch *batch, const struct tacho_recorded_row *row)
{
	struct tacho__values *values = &batch->values;
	size_t at = batch->commands.count - 1;
	int rc = 0;

	if (!row && !values->columns)
		return 0;
	if (!values->columns)
		rc = add_columns(values, row->result);
	while (!rc && values->rows < at)
		rc = put_row(values, batch->texts, NULL);
	return rc ? rc : put_row(values, batch->texts, row && row->is_counted ? row->result : NULL);
}

int tacho__batch_add_window_values(struct tacho_batch *batch, const struct tacho_window *window,
				   uint32_t sampling)
{
	struct tacho__values *values = &batch->window_values[sampling];
	int rc = values->columns ? 0 : add_columns(values, window->result);

	return rc ? rc : put_row(values, batch->texts, window->result);
}

static int finish_column(struct tacho_result *result, struct tacho__values_column *column)
{
	size_t count = result->row_count * per_row(column);
	uint8_t *states;
	double *coverage;
	const char **notes = NULL;
	void *data;
	int rc = tacho__result_add_counted(result, &column->about, column->coverage != NULL, &data,
					   &states, &coverage);

	if (!rc && column->notes) {
		notes = tacho__arena_get(&result->arena, count * sizeof(*notes));
		rc = notes ? 0 : TACHO_E_NOMEM;
	}
	if (rc)
		return rc;
	memcpy(data, column->numbers, count * sizeof(uint64_t));
	memcpy(states, column->states, count);
	if (column->coverage)
		memcpy(coverage, column->coverage, count * sizeof(*coverage));
	if (notes)
		memcpy(notes, column->notes, count * sizeof(*notes));
	result->columns[result->column_count - 1].notes = notes;
	return 0;
}

static void set_command_rows(const struct tacho_batch *batch, struct tacho_result *result)
{
	const struct tacho_command_columns *commands = &batch->commands;
	const char *const *texts = batch->texts->texts;

	for (size_t i = 0; i < result->row_count; i++) {
		bool is_kernel = commands->kind[i] == TACHO_COMMAND_KERNEL;

		result->rows[i] = (struct tacho_row){
			.kind = is_kernel ? TACHO_ROW_LAUNCH : TACHO_ROW_TRANSFER,
			.id = commands->first + i,
			.name = texts[is_kernel ? commands->kernel_name[i] : commands->name[i]],
			.device = texts[commands->device_name[i]],
		};
	}
}

static void set_window_rows(const struct tacho_batch *batch, uint32_t sampling,
			    struct tacho_result *result)
{
	const struct tacho_window_columns *windows = &batch->windows;
	struct tacho_row *row = result->rows;

	for (size_t i = 0; i < windows->count; i++)
		if (windows->sampling[i] == sampling)
			*row++ = (struct tacho_row){
				.kind = TACHO_ROW_WINDOW,
				.id = windows->first + i,
				.name = "",
				.device = "",
				.start_ns = windows->start_ns[i],
				.end_ns = windows->end_ns[i],
				.uncertainty_ns = windows->uncertainty_ns[i],
			};
}

static void free_values(struct tacho__values *values)
{
	for (size_t i = 0; i < values->count; i++) {
		free(values->columns[i].numbers);
		free(values->columns[i].states);
		free(values->columns[i].coverage);
		free(values->columns[i].notes);
	}
	free(values->columns);
	values->columns = NULL;
	values->count = 0;
}

/* The columns of rows that are set then. */
static int make_result(struct tacho__values *values)
{
	int rc = tacho__result_create(values->rows, &values->result);

	for (size_t i = 0; i < values->count && !rc; i++)
		rc = finish_column(values->result, &values->columns[i]);
	if (!rc)
		free_values(values);
	return rc;
}

int tacho__batch_finish_values(struct tacho_batch *batch)
{
	int rc = 0;

	if (batch->values.columns)
		rc = make_result(&batch->values);
	if (!rc && batch->values.result)
		set_command_rows(batch, batch->values.result);
	for (uint32_t i = 0; i < batch->sampling_count && !rc; i++) {
		struct tacho__values *values = &batch->window_values[i];

		if (values->columns)
			rc = make_result(values);
		if (!rc && values->result)
			set_window_rows(batch, i, values->result);
	}
	return rc;
}

void tacho__batch_free_values(struct tacho_batch *batch)
{
	free_values(&batch->values);
	tacho_result_destroy(batch->values.result);
	for (size_t i = 0; i < batch->sampling_count && batch->window_values; i++) {
		free_values(&batch->window_values[i]);
		tacho_result_destroy(batch->window_values[i].result);
	}
	free(batch->window_values);
}
