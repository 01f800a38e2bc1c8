/* SPDX-License-Identifier: MIT */
#include "model/row.h"

#include <stdlib.h>

#include "base/error.h"
#include "model/result.h"

/* Places for as many values as each column has. */
static int get_memory(struct tacho__row *row, struct tacho__arena *arena, const size_t *counts)
{
	size_t total = 0;

	row->firsts = tacho__arena_get(arena, (row->count + 1) * sizeof(*row->firsts));
	if (!row->firsts)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < row->count; i++) {
		row->firsts[i] = total;
		total += counts[i];
	}
	row->firsts[row->count] = total;
	row->numbers = tacho__arena_get(arena, (total + 1) * sizeof(*row->numbers));
	row->states = tacho__arena_get(arena, total + 1);
	row->coverage = tacho__arena_get(arena, (total + 1) * sizeof(*row->coverage));
	row->notes = tacho__arena_get(arena, (total + 1) * sizeof(*row->notes));
	return row->numbers && row->states && row->coverage && row->notes ? 0 : TACHO_E_NOMEM;
}

static int add_view(struct tacho_result *result, const struct tacho__row *row, size_t index,
		    const struct tacho_entry *entry, const struct tacho_column *shape)
{
	struct tacho_column column = {.instance_count = 1};
	size_t first = row->firsts[index];

	if (shape)
		column = *shape;
	column.name = entry->name;
	column.unit = entry->unit;
	column.description = "";
	column.type = entry->type;
	column.data.u64 = &row->numbers[first].u64;
	column.states = &row->states[first];
	column.coverage = &row->coverage[first];
	column.notes = &row->notes[first];
	column.note = "";
	return tacho__result_add_view(result, &column);
}

int tacho__row_create(const struct tacho_entry *entries, const struct tacho_column *const *shapes,
		      size_t count, struct tacho__row *out_row, struct tacho_result **out_result)
{
	struct tacho_result *result = NULL;
	struct tacho__row row = {.count = count};
	size_t *counts = calloc(count + 1, sizeof(*counts));
	int rc = counts ? tacho__result_create(1, &result)
			: tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %zu columns", count);

	for (size_t i = 0; i < count && !rc; i++)
		counts[i] = shapes && shapes[i] ? shapes[i]->instance_count : 1;
	if (!rc)
		rc = get_memory(&row, &result->arena, counts);
	for (size_t i = 0; i < count && !rc; i++)
		rc = add_view(result, &row, i, &entries[i], shapes ? shapes[i] : NULL);
	free(counts);
	if (rc) {
		tacho_result_destroy(result);
		return rc;
	}
	tacho__row_miss_all(&row, "", 0);
	*out_row = row;
	*out_result = result;
	return 0;
}

static bool has_value(const struct tacho_column *column)
{
	for (size_t i = 0; i < column->instance_count; i++)
		if (!tacho__state_is_absent(tacho_column_get_state(column, 0, i)))
			return true;
	return false;
}

static int copy_column(const struct tacho_column *column, struct tacho__arena *arena,
		       struct tacho__row *row, size_t first)
{
	for (size_t i = 0; i < column->instance_count; i++) {
		const char *note = tacho_column_get_note(column, 0, i);

		row->numbers[first + i].u64 = column->data.u64[i];
		row->states[first + i] = tacho_column_get_state(column, 0, i);
		row->coverage[first + i] = tacho_column_get_coverage(column, 0, i);
		row->notes[first + i] = *note ? tacho__arena_string(arena, note) : "";
		if (!row->notes[first + i])
			return TACHO_E_NOMEM;
	}
	return 0;
}

int tacho__row_copy(const struct tacho_result *result, struct tacho__arena *arena,
		    struct tacho__row *out_row)
{
	struct tacho__row row = {.count = result->column_count};
	size_t *counts = tacho__arena_get(arena, (row.count + 1) * sizeof(*counts));
	int rc = counts ? 0 : TACHO_E_NOMEM;

	for (size_t i = 0; i < row.count && !rc; i++)
		counts[i] = has_value(&result->columns[i]) ? result->columns[i].instance_count : 0;
	if (!rc)
		rc = get_memory(&row, arena, counts);
	for (size_t i = 0; i < row.count && !rc; i++)
		if (counts[i])
			rc = copy_column(&result->columns[i], arena, &row, row.firsts[i]);
	if (!rc)
		*out_row = row;
	return rc;
}

void tacho__row_put(struct tacho__row *row, size_t at, union tacho__number number)
{
	row->numbers[at] = number;
	row->states[at] = TACHO_STATE_OK;
	row->coverage[at] = 1;
	row->notes[at] = "";
}

void tacho__row_miss(struct tacho__row *row, size_t at, const char *why, uint8_t mark)
{
	row->numbers[at].u64 = 0;
	row->states[at] = (uint8_t)(TACHO_STATE_ABSENT | mark);
	row->coverage[at] = 1;
	row->notes[at] = why;
}

void tacho__row_miss_all(struct tacho__row *row, const char *why, uint8_t mark)
{
	for (size_t at = 0; row->count && at < row->firsts[row->count]; at++)
		tacho__row_miss(row, at, why, mark);
}

void tacho__row_take_missing(struct tacho__row *row, const struct tacho__row *from, size_t column)
{
	size_t count = tacho__row_count(row, column);

	for (size_t i = 0; i < count; i++) {
		size_t at = row->firsts[column] + i, source = from->firsts[column] + i;

		if (!tacho__row_is_absent(row, at) || tacho__row_is_absent(from, source))
			continue;
		row->numbers[at] = from->numbers[source];
		row->states[at] = from->states[source];
		row->coverage[at] = from->coverage[source];
		row->notes[at] = from->notes[source];
	}
}
