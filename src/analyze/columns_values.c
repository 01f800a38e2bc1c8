/* SPDX-License-Identifier: MIT */
/* Values of a batch: rows come in one by one, and become a result. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/columns.h"
#include "base/error.h"
#include "model/result.h"
#include "model/shape.h"

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

static int grow(struct tacho_batch *batch)
{
	size_t capacity = batch->command_capacity;
	int rc = 0;

	for (size_t i = 0; i < batch->values_count && !rc; i++) {
		struct tacho__values_column *column = &batch->values[i];

		rc = resize(column, &column->numbers, capacity, sizeof(uint64_t));
		if (!rc)
			rc = resize(column, &column->states, capacity, sizeof(uint8_t));
		if (!rc && column->coverage)
			rc = resize(column, &column->coverage, capacity, sizeof(double));
		if (!rc && column->notes)
			rc = resize(column, &column->notes, capacity, sizeof(char *));
	}
	if (!rc)
		batch->values_capacity = capacity;
	return rc;
}

static int add_columns(struct tacho_batch *batch, const struct tacho_result *result)
{
	size_t count = tacho_result_get_column_count(result);

	batch->values = calloc(count ? count : 1, sizeof(*batch->values));
	if (!batch->values)
		return fail_memory();
	batch->values_count = count;
	for (size_t i = 0; i < count; i++)
		batch->values[i].about = *tacho_result_get_column(result, i);
	return 0;
}

/* Until a value of a column has a coverage or a note, there is no array of them. */
static int add_coverage(struct tacho_batch *batch, struct tacho__values_column *column, size_t at)
{
	if (resize(column, &column->coverage, batch->values_capacity, sizeof(double)))
		return TACHO_E_NOMEM;
	for (size_t i = 0; i <= at; i++)
		column->coverage[i] = 1;
	return 0;
}

static int add_notes(struct tacho_batch *batch, struct tacho__values_column *column, size_t at)
{
	if (resize(column, &column->notes, batch->values_capacity, sizeof(char *)))
		return TACHO_E_NOMEM;
	for (size_t i = 0; i <= at; i++)
		column->notes[i] = "";
	return 0;
}

static int put_value(struct tacho_batch *batch, struct tacho__values_column *column, size_t at,
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
	if ((coverage != 1 && !column->coverage && add_coverage(batch, column, at)) ||
	    (*note && !column->notes && add_notes(batch, column, at)))
		return TACHO_E_NOMEM;
	if (column->coverage)
		column->coverage[at] = coverage;
	if (column->notes)
		column->notes[at] = batch->texts->texts[tacho__texts_add(batch->texts, note)];
	return 0;
}

static int put_row(struct tacho_batch *batch, size_t row, const struct tacho_result *from)
{
	for (size_t i = 0; i < batch->values_count; i++) {
		struct tacho__values_column *column = &batch->values[i];
		const struct tacho_column *now = from ? tacho_result_get_column(from, i) : NULL;

		for (size_t k = 0; k < per_row(column); k++)
			if (put_value(batch, column, row * per_row(column) + k, now, k))
				return TACHO_E_NOMEM;
	}
	return 0;
}

int tacho__batch_add_values(struct tacho_batch *batch, const struct tacho_recorded_row *row)
{
	size_t at = batch->commands.count - 1;
	int rc = 0;

	if (!row && !batch->values)
		return 0;
	if (!batch->values) {
		rc = add_columns(batch, row->result);
		if (!rc)
			rc = grow(batch);
		for (size_t i = 0; i < at && !rc; i++)
			rc = put_row(batch, i, NULL);
	}
	if (!rc && batch->values_capacity < batch->commands.count)
		rc = grow(batch);
	return rc ? rc : put_row(batch, at, row && row->is_counted ? row->result : NULL);
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

static void set_rows(const struct tacho_batch *batch, struct tacho_result *result)
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

int tacho__batch_finish_values(struct tacho_batch *batch)
{
	int rc;

	if (!batch->values)
		return 0;
	rc = tacho__result_create(batch->commands.count, &batch->result);
	if (rc)
		return rc;
	set_rows(batch, batch->result);
	for (size_t i = 0; i < batch->values_count && !rc; i++)
		rc = finish_column(batch->result, &batch->values[i]);
	if (!rc)
		tacho__batch_free_values(batch);
	return rc;
}

void tacho__batch_free_values(struct tacho_batch *batch)
{
	for (size_t i = 0; i < batch->values_count; i++) {
		free(batch->values[i].numbers);
		free(batch->values[i].states);
		free(batch->values[i].coverage);
		free(batch->values[i].notes);
	}
	free(batch->values);
	batch->values = NULL;
	batch->values_count = 0;
}
