/* SPDX-License-Identifier: MIT */
#include "model/row.h"

#include "base/error.h"
#include "model/result.h"

static int get_memory(struct tacho__row *row, struct tacho__arena *arena, size_t count)
{
	row->count = count;
	row->numbers = tacho__arena_get(arena, (count + 1) * sizeof(*row->numbers));
	row->states = tacho__arena_get(arena, count + 1);
	row->coverage = tacho__arena_get(arena, (count + 1) * sizeof(*row->coverage));
	row->notes = tacho__arena_get(arena, (count + 1) * sizeof(*row->notes));
	return row->numbers && row->states && row->coverage && row->notes ? 0 : TACHO_E_NOMEM;
}

int tacho__row_create(const struct tacho_entry *entries, size_t count, struct tacho__row *out_row,
		      struct tacho_result **out_result)
{
	struct tacho_result *result = NULL;
	struct tacho__row row = {0};
	int rc = tacho__result_create(1, &result);

	if (!rc)
		rc = get_memory(&row, &result->arena, count);
	for (size_t i = 0; i < count && !rc; i++) {
		struct tacho_column column = {
			.name = entries[i].name,
			.unit = entries[i].unit,
			.type = entries[i].type,
			.instance_count = 1,
			.data.u64 = &row.numbers[i].u64,
			.states = &row.states[i],
			.coverage = &row.coverage[i],
			.notes = &row.notes[i],
			.note = "",
		};

		rc = tacho__result_add_view(result, &column);
	}
	if (rc) {
		tacho_result_destroy(result);
		return rc;
	}
	tacho__row_miss_all(&row, "", 0);
	*out_row = row;
	*out_result = result;
	return 0;
}

int tacho__row_copy(const struct tacho_result *result, struct tacho__arena *arena,
		    struct tacho__row *out_row)
{
	struct tacho__row row;

	if (get_memory(&row, arena, result->column_count))
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < row.count; i++) {
		const struct tacho_column *column = &result->columns[i];

		row.numbers[i].u64 = column->data.u64[0];
		row.states[i] = tacho_column_get_state(column, 0, 0);
		row.coverage[i] = tacho_column_get_coverage(column, 0, 0);
		row.notes[i] = tacho__arena_string(arena, tacho_column_get_note(column, 0, 0));
		if (!row.notes[i])
			return TACHO_E_NOMEM;
	}
	*out_row = row;
	return 0;
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
	for (size_t i = 0; i < row->count; i++)
		tacho__row_miss(row, i, why, mark);
}

void tacho__row_take(struct tacho__row *row, const struct tacho__row *from, size_t at)
{
	row->numbers[at] = from->numbers[at];
	row->states[at] = from->states[at];
	row->coverage[at] = from->coverage[at];
	row->notes[at] = from->notes[at];
}
