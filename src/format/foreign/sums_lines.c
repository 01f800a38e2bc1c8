/* SPDX-License-Identifier: MIT */
#include "format/foreign/sums_lines.h"

#include <stdlib.h>

#include "base/error.h"
#include "model/result.h"

const struct tacho__foreign_sums_about tacho__foreign_sums_columns[TACHO_SUMS_COLUMNS] = {
	[TACHO_SUMS_COUNT] = {"count", true, false},
	[TACHO_SUMS_TOTAL] = {"total", true, true},
	[TACHO_SUMS_MEAN] = {"mean", false, true},
	[TACHO_SUMS_MEDIAN] = {"median", false, true},
	[TACHO_SUMS_MIN] = {"min", true, true},
	[TACHO_SUMS_MAX] = {"max", true, true},
	[TACHO_SUMS_DEVIATION] = {"deviation", false, true},
	[TACHO_SUMS_SHARE] = {"share", false, false},
};

static uint64_t total_of(const struct tacho__foreign_sums_line *line)
{
	return line->known & 1u << TACHO_SUMS_TOTAL ? line->numbers[TACHO_SUMS_TOTAL].u64 : 0;
}

static int compare_lines(const void *left, const void *right)
{
	const struct tacho__foreign_sums_line *a = left, *b = right;

	if (total_of(a) != total_of(b))
		return total_of(a) > total_of(b) ? -1 : 1;
	return a->number < b->number ? -1 : 1;
}

static int set_rows(struct tacho_result *result, const struct tacho__foreign_sums_lines *lines)
{
	enum tacho_sums_kind kind = lines->about.kind;
	struct tacho_row row = {.kind = kind == TACHO_SUMS_KERNELS     ? TACHO_ROW_KERNEL
					: kind == TACHO_SUMS_TRANSFERS ? TACHO_ROW_TRANSFER
								       : TACHO_ROW_MEASUREMENT};
	int rc = 0;

	for (size_t i = 0; i < lines->count && !rc; i++) {
		row.id = i;
		row.name = lines->lines[i].name;
		rc = tacho__result_set_row(result, i, &row);
	}
	return rc;
}

static int add_column(struct tacho_result *result, const struct tacho__foreign_sums_lines *lines,
		      int index)
{
	const struct tacho__foreign_sums_about *about = &tacho__foreign_sums_columns[index];
	struct tacho_column column = {.name = about->name,
				      .unit = index == TACHO_SUMS_SHARE	 ? "percent"
					      : !about->is_size		 ? ""
					      : lines->about.is_of_bytes ? "bytes"
									 : "nanoseconds",
				      .description = "",
				      .type = about->is_whole ? TACHO_TYPE_U64 : TACHO_TYPE_F64,
				      .note = ""};
	uint8_t *states, bit = (uint8_t)(1u << index);
	const char **notes = tacho__arena_get(&result->arena, lines->count * sizeof(*notes));
	void *data;
	int rc = notes ? tacho__result_add_counted(result, &column, false, &data, &states, NULL)
		       : TACHO_E_NOMEM;

	for (size_t i = 0; i < lines->count && !rc; i++) {
		const struct tacho__foreign_sums_line *line = &lines->lines[i];
		bool is_known = line->known & bit;

		states[i] = is_known ? TACHO_STATE_OK : TACHO_STATE_ABSENT;
		notes[i] = is_known		? ""
			   : line->nought & bit ? "it is rounded to 0 in the file"
						: "the file does not state it";
		if (is_known && column.type == TACHO_TYPE_U64)
			((uint64_t *)data)[i] = line->numbers[index].u64;
		else if (is_known)
			((double *)data)[i] = line->numbers[index].f64;
	}
	if (!rc)
		result->columns[result->column_count - 1].notes = notes;
	return rc;
}

int tacho__foreign_make_sums(struct tacho__foreign_sums_lines *lines,
			     struct tacho_result **out_result)
{
	struct tacho_result *result = NULL;
	int rc = tacho__result_create(lines->count, &result);

	if (rc)
		return rc;
	qsort(lines->lines, lines->count, sizeof(*lines->lines), compare_lines);
	rc = set_rows(result, lines);
	for (int i = 0; i < TACHO_SUMS_COLUMNS && !rc; i++)
		rc = add_column(result, lines, i);
	if (rc)
		tacho_result_destroy(result);
	else
		*out_result = result;
	return rc;
}
