/* SPDX-License-Identifier: MIT */
#include "model/result.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "model/shape.h"

const char *tacho_state_to_string(uint8_t state)
{
	static const char *const names[] = {"ok", "scaled", "overflow", "lost", "absent"};
	unsigned low = state & TACHO_STATE_MASK;

	return low < TACHO__ARRAY_SIZE(names) ? names[low] : "unknown";
}

const char *tacho_row_kind_to_string(enum tacho_row_kind kind)
{
	static const char *const names[] = {"launch",	   "range",  "window",
					    "measurement", "kernel", "transfer"};

	return kind < TACHO__ARRAY_SIZE(names) ? names[kind] : "unknown";
}

int tacho__result_create(size_t row_count, struct tacho_result **out_result)
{
	struct tacho_result *result = calloc(1, sizeof(*result));

	if (!result)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a result");
	result->row_count = row_count;
	if (row_count > SIZE_MAX / 2 / sizeof(*result->rows)) {
		tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %zu rows", row_count);
		goto fail;
	}
	result->rows = tacho__arena_get(&result->arena, row_count * sizeof(*result->rows));
	if (!result->rows)
		goto fail;
	for (size_t row = 0; row < row_count; row++)
		result->rows[row] = (struct tacho_row){.id = row, .name = "", .device = ""};
	*out_result = result;
	return 0;
fail:
	tacho_result_destroy(result);
	return TACHO_E_NOMEM;
}

void tacho_result_destroy(struct tacho_result *result)
{
	if (!result)
		return;
	free(result->columns);
	free(result->constants);
	free(result->expressions);
	tacho__names_finish(&result->column_names);
	tacho__arena_finish(&result->arena);
	free(result);
}

static const char *copy_text(struct tacho_result *result, const char *text)
{
	return text && *text ? tacho__arena_string(&result->arena, text) : "";
}

int tacho__result_set_row(struct tacho_result *result, size_t row, const struct tacho_row *info)
{
	struct tacho_row copy = *info;

	if (row >= result->row_count)
		return tacho__fail(TACHO_E_INVAL,
				   tacho__detail("there are %zu rows", result->row_count), "",
				   "there is no row %zu", row);
	copy.name = copy_text(result, info->name);
	copy.device = copy_text(result, info->device);
	if (!copy.name || !copy.device)
		return TACHO_E_NOMEM;
	result->rows[row] = copy;
	return 0;
}

static int copy_dimension(struct tacho__arena *arena, struct tacho_dimension *dimension)
{
	uint32_t *positions;

	dimension->name = tacho__arena_string(arena, dimension->name);
	if (!dimension->name)
		return TACHO_E_NOMEM;
	if (!dimension->positions)
		return 0;
	positions = tacho__arena_get(arena, dimension->extent * sizeof(*positions));
	if (!positions)
		return TACHO_E_NOMEM;
	memcpy(positions, dimension->positions, dimension->extent * sizeof(*positions));
	dimension->positions = positions;
	return 0;
}

/* `column` is a copy of what the caller gave; its texts and arrays become the result's own. */
static int copy_column(struct tacho_result *result, struct tacho_column *column, void **out_data)
{
	struct tacho__arena *arena = &result->arena;
	void *data;

	column->name = tacho__arena_string(arena, column->name);
	column->unit = copy_text(result, column->unit);
	column->description = copy_text(result, column->description);
	column->note = copy_text(result, column->note);
	if (!column->name || !column->unit || !column->description || !column->note)
		return TACHO_E_NOMEM;
	for (uint32_t i = 0; i < column->dimension_count; i++)
		if (copy_dimension(arena, &column->dimensions[i]))
			return TACHO_E_NOMEM;
	if (result->row_count && column->instance_count > SIZE_MAX / 16 / result->row_count)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %zu rows of %zu values",
				   result->row_count, column->instance_count);
	data = tacho__arena_get(arena, result->row_count * column->instance_count * 8);
	if (!data)
		return TACHO_E_NOMEM;
	column->data.u64 = data;
	column->states = NULL;
	column->coverage = NULL;
	column->present = NULL;
	column->notes = NULL;
	*out_data = data;
	return 0;
}

int tacho__result_add_view(struct tacho_result *result, const struct tacho_column *column)
{
	if (tacho__array_add(&result->columns, &result->column_capacity, &result->column_count,
			     column, sizeof(*column)))
		return TACHO_E_NOMEM;
	if (tacho__names_get(&result->column_names, column->name))
		return 0;
	/* The index and not the address, which moves; 0 would say that the name is free. */
	if (!tacho__names_set(&result->column_names, column->name,
			      (void *)(uintptr_t)result->column_count))
		return 0;
	result->column_count--;
	return TACHO_E_NOMEM;
}

int tacho__result_add_column(struct tacho_result *result, const struct tacho_column *info,
			     void **out_data)
{
	struct tacho_column column = *info;
	void *data = NULL;
	int rc;

	if (column.dimension_count > TACHO_DIMENSION_MAX)
		return tacho__fail(
			TACHO_E_INVAL, tacho__detail("it has %u", column.dimension_count), "",
			"%s has more than %d dimensions", column.name, TACHO_DIMENSION_MAX);
	column.instance_count = tacho__shape_count(column.dimensions, column.dimension_count);
	if (!column.instance_count)
		return tacho__fail(TACHO_E_INVAL,
				   "an extent is 0, or all of them together are more than 2^31", "",
				   "the dimensions of %s cannot be used", column.name);
	if (tacho__names_get(&result->column_names, column.name))
		return tacho__fail(TACHO_E_EXISTS, "", "", "there are two columns with the name %s",
				   column.name);
	rc = copy_column(result, &column, &data);
	if (!rc)
		rc = tacho__result_add_view(result, &column);
	if (!rc)
		*out_data = data;
	return rc;
}

static struct tacho_column *last_column(struct tacho_result *result)
{
	return &result->columns[result->column_count - 1];
}

int tacho__result_add_states(struct tacho_result *result, uint8_t **out_states)
{
	struct tacho_column *column = last_column(result);

	if (!column->states)
		column->states = tacho__arena_get(&result->arena,
						  result->row_count * column->instance_count);
	if (!column->states)
		return TACHO_E_NOMEM;
	*out_states = (uint8_t *)column->states;
	return 0;
}

int tacho__result_add_coverage(struct tacho_result *result, double **out_coverage)
{
	struct tacho_column *column = last_column(result);
	size_t count = result->row_count * column->instance_count;
	double *coverage;

	if (!column->coverage) {
		coverage = tacho__arena_get(&result->arena, count * sizeof(*coverage));
		if (!coverage)
			return TACHO_E_NOMEM;
		for (size_t i = 0; i < count; i++)
			coverage[i] = 1;
		column->coverage = coverage;
	}
	*out_coverage = (double *)column->coverage;
	return 0;
}

int tacho__result_set_present(struct tacho_result *result, const uint8_t *present)
{
	struct tacho_column *column = last_column(result);
	size_t size = (column->instance_count + 7) / 8;
	uint8_t *copy = tacho__arena_get(&result->arena, size);

	if (!copy)
		return TACHO_E_NOMEM;
	memcpy(copy, present, size);
	column->present = copy;
	return 0;
}

int tacho__result_add_counted(struct tacho_result *result, const struct tacho_column *column,
			      bool has_coverage, void **out_data, uint8_t **out_states,
			      double **out_coverage)
{
	int rc = tacho__result_add_column(result, column, out_data);

	if (!rc)
		rc = tacho__result_add_states(result, out_states);
	if (!rc && has_coverage)
		rc = tacho__result_add_coverage(result, out_coverage);
	if (!rc && column->present)
		rc = tacho__result_set_present(result, column->present);
	return rc;
}

int tacho__result_add_absent(struct tacho_result *result, const struct tacho_column *named,
			     const char *note)
{
	struct tacho_column column = {.name = named->name,
				      .unit = named->unit,
				      .description = named->description,
				      .type = TACHO_TYPE_F64,
				      .note = note};
	uint8_t *states;
	void *data;
	int rc = tacho__result_add_counted(result, &column, false, &data, &states, NULL);

	if (!rc)
		memset(states, TACHO_STATE_ABSENT, result->row_count);
	return rc;
}

int tacho__result_set_constant(struct tacho_result *result, const char *name, double value)
{
	char *copy;

	for (size_t i = 0; i < result->constant_count; i++) {
		if (!strcmp(result->constants[i].name, name)) {
			result->constants[i].value = value;
			return 0;
		}
	}
	if (tacho__array_reserve(&result->constants, &result->constant_capacity,
				 result->constant_count, sizeof(*result->constants)))
		return TACHO_E_NOMEM;
	copy = tacho__arena_string(&result->arena, name);
	if (!copy)
		return TACHO_E_NOMEM;
	result->constants[result->constant_count++] = (struct tacho__constant){copy, value};
	return 0;
}

int tacho__result_add_expression(struct tacho_result *result, const char *name,
				 const char *expression)
{
	struct tacho__named_expression named;

	for (size_t i = 0; i < result->expression_count; i++)
		if (!strcmp(result->expressions[i].name, name))
			return tacho__fail(TACHO_E_EXISTS, "", "",
					   "there are two expressions with the name %s", name);
	named.name = tacho__arena_string(&result->arena, name);
	named.expression = tacho__arena_string(&result->arena, expression);
	if (!named.name || !named.expression)
		return TACHO_E_NOMEM;
	return tacho__array_add(&result->expressions, &result->expression_capacity,
				&result->expression_count, &named, sizeof(named));
}

size_t tacho_result_get_row_count(const struct tacho_result *result)
{
	return result ? result->row_count : 0;
}

const char *tacho_result_get_gap(const struct tacho_result *result)
{
	return result ? result->gap : NULL;
}

size_t tacho_result_get_column_count(const struct tacho_result *result)
{
	return result ? result->column_count : 0;
}

const struct tacho_row *tacho_result_get_row(const struct tacho_result *result, size_t row)
{
	return result && row < result->row_count ? &result->rows[row] : NULL;
}

const struct tacho_column *tacho_result_get_column(const struct tacho_result *result, size_t index)
{
	return result && index < result->column_count ? &result->columns[index] : NULL;
}

const struct tacho_column *tacho_result_find_column(const struct tacho_result *result,
						    const char *name)
{
	uintptr_t number =
		result && name ? (uintptr_t)tacho__names_get(&result->column_names, name) : 0;

	return number ? &result->columns[number - 1] : NULL;
}

uint8_t tacho_column_get_state(const struct tacho_column *column, size_t row, size_t instance)
{
	if (!column)
		return TACHO_STATE_ABSENT;
	return column->states ? column->states[row * column->instance_count + instance]
			      : (uint8_t)TACHO_STATE_OK;
}

double tacho_column_get_value(const struct tacho_column *column, size_t row, size_t instance)
{
	size_t at;

	if (!column)
		return 0;
	at = row * column->instance_count + instance;
	if (tacho__state_is_absent(tacho_column_get_state(column, row, instance)))
		return 0;
	return column->type == TACHO_TYPE_U64 ? (double)column->data.u64[at] : column->data.f64[at];
}

double tacho_column_get_coverage(const struct tacho_column *column, size_t row, size_t instance)
{
	if (!column)
		return 0;
	return column->coverage ? column->coverage[row * column->instance_count + instance] : 1;
}

const char *tacho_column_get_note(const struct tacho_column *column, size_t row, size_t instance)
{
	const char *note = column && column->notes
				   ? column->notes[row * column->instance_count + instance]
				   : "";

	if (!*note && column && tacho_column_get_state(column, row, instance) & TACHO_MARK_BELOW0)
		return "a difference in its formula fell below 0, so nobody knows the true value";
	return note;
}

int tacho_column_is_present(const struct tacho_column *column, size_t instance)
{
	if (!column)
		return 0;
	return !column->present || (column->present[instance / 8] >> instance % 8 & 1);
}
