/* SPDX-License-Identifier: MIT */
/* What was counted, over the launches or transfers of a line. */
#include <math.h>
#include <string.h>

#include "analyze/summary.h"
#include "base/error.h"
#include "model/shape.h"

/* The first reason why a value is not plainly there. */
static int keep_reason(struct tacho_summary *summary, struct tacho__sum *sum, const char *note,
		       const char *row_note)
{
	const char *reason = *note ? note : row_note;

	if (*sum->reason || !*reason)
		return 0;
	sum->reason = tacho__summary_text(summary, reason);
	sum->is_of_launch = strcmp(reason, row_note) == 0;
	return sum->reason ? 0 : TACHO_E_NOMEM;
}

static void add_number(struct tacho__sum *sum, const struct tacho_column *column)
{
	union tacho__number *numbers = sum->numbers, *total = &numbers[TACHO_STATISTIC_TOTAL];
	double number = tacho_column_get_value(column, 0, 0);
	bool is_first = !numbers[TACHO_STATISTIC_MEASURED].u64++;

	sum->total += number;
	if (is_first || number < numbers[TACHO_STATISTIC_MIN].f64)
		numbers[TACHO_STATISTIC_MIN].f64 = number;
	if (is_first || number > numbers[TACHO_STATISTIC_MAX].f64)
		numbers[TACHO_STATISTIC_MAX].f64 = number;
	sum->coverage += tacho_column_get_coverage(column, 0, 0);
	sum->state = tacho__state_worse(sum->state, tacho_column_get_state(column, 0, 0));
	if (column->type == TACHO_TYPE_F64) {
		total->f64 = sum->total;
	} else if (__builtin_add_overflow(total->u64, column->data.u64[0], &total->u64)) {
		total->u64 = UINT64_MAX;
		sum->state = tacho__state_worse(sum->state, TACHO_STATE_OVERFLOW);
	}
}

static int add_value(struct tacho_summary *summary, struct tacho__sum *sum,
		     const struct tacho_column *column, const char *row_note)
{
	uint8_t state = tacho_column_get_state(column, 0, 0);

	if (state & TACHO_MARK_FOREIGN)
		return 0;
	sum->numbers[TACHO_STATISTIC_COUNT].u64++;
	if (!tacho__state_is_absent(state))
		add_number(sum, column);
	return keep_reason(summary, sum, tacho_column_get_note(column, 0, 0), row_note);
}

/* What is known to be too small is not compared with others. */
static int sample_value(struct tacho_summary *summary, struct tacho__line *line, size_t index,
			const struct tacho_column *column)
{
	double number = tacho_column_get_value(column, 0, 0);

	if ((tacho_column_get_state(column, 0, 0) & TACHO_STATE_MASK) > TACHO_STATE_SCALED ||
	    !isfinite(number))
		return 0;
	return tacho__samples_add_value(summary->samples, line->sampled, index, line->sum_count,
					number);
}

int tacho__line_values_add(struct tacho_summary *summary, struct tacho__line *line)
{
	const struct tacho_recorded_row *row = tacho_cursor_get_row(summary->cursor);
	const struct tacho_column *column;
	int rc = 0;

	if (!row || !row->is_counted)
		return 0;
	if (!line->sums) {
		line->sum_count = tacho_result_get_column_count(row->result);
		line->sums = tacho__arena_get(&summary->arena,
					      (line->sum_count + 1) * sizeof(*line->sums));
		if (!line->sums)
			return TACHO_E_NOMEM;
		for (size_t i = 0; i < line->sum_count; i++)
			line->sums[i].reason = "";
	}
	for (size_t i = 0; !rc && (column = tacho_result_get_column(row->result, i)); i++) {
		rc = add_value(summary, &line->sums[i], column, row->note);
		if (!rc && line->sampled)
			rc = sample_value(summary, line, i, column);
	}
	return rc;
}
