/* SPDX-License-Identifier: MIT */
/* What was counted, over the launches or transfers of a line. */
#include <math.h>
#include <string.h>

#include "analyze/summary.h"
#include "base/error.h"
#include "model/shape.h"

/* The first reason why a value is not plainly there. */
static int keep_reason(struct tacho_summary *summary, struct tacho_summary_value *sum,
		       const char *note, const char *row_note)
{
	const char *reason = *note ? note : row_note;

	if (*sum->reason || !*reason)
		return 0;
	sum->reason = tacho__summary_text(summary, reason);
	sum->is_of_launch = strcmp(reason, row_note) == 0;
	return sum->reason ? 0 : TACHO_E_NOMEM;
}

static void add_number(struct tacho_summary_value *sum, const struct tacho_column *column)
{
	double number = tacho_column_get_value(column, 0, 0);

	sum->total += number;
	if (!sum->measured || number < sum->min)
		sum->min = number;
	if (!sum->measured || number > sum->max)
		sum->max = number;
	sum->coverage += tacho_column_get_coverage(column, 0, 0);
	sum->measured++;
	sum->state = tacho__state_worse(sum->state, tacho_column_get_state(column, 0, 0));
	if (column->type == TACHO_TYPE_U64 &&
	    __builtin_add_overflow(sum->whole, column->data.u64[0], &sum->whole))
		sum->state = tacho__state_worse(sum->state, TACHO_STATE_OVERFLOW);
}

static int add_value(struct tacho_summary *summary, struct tacho_summary_value *sum,
		     const struct tacho_column *column, const char *row_note)
{
	uint8_t state = tacho_column_get_state(column, 0, 0);

	if (state & TACHO_MARK_FOREIGN)
		return 0;
	sum->count++;
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
	return tacho__samples_add_value(summary->samples, line->sampled, index, line->value_count,
					number);
}

int tacho__line_values_add(struct tacho_summary *summary, struct tacho__line *line)
{
	const struct tacho_recorded_row *row = tacho_cursor_get_row(summary->cursor);
	const struct tacho_column *column;
	int rc = 0;

	if (!row || !row->is_counted)
		return 0;
	if (!line->values) {
		line->value_count = tacho_result_get_column_count(row->result);
		line->values = tacho__arena_get(&summary->arena,
						(line->value_count + 1) * sizeof(*line->values));
		if (!line->values)
			return TACHO_E_NOMEM;
		for (size_t i = 0; i < line->value_count; i++)
			line->values[i].reason = "";
	}
	for (size_t i = 0; !rc && (column = tacho_result_get_column(row->result, i)); i++) {
		rc = add_value(summary, &line->values[i], column, row->note);
		if (!rc && line->sampled)
			rc = sample_value(summary, line, i, column);
	}
	return rc;
}

/* Launches that took turns stand for all of their kernel. */
static void extrapolate(struct tacho_summary_value *sum, enum tacho_type type)
{
	double scale = (double)sum->count / (double)sum->measured;

	sum->total *= scale;
	sum->coverage /= scale;
	if ((sum->state & TACHO_STATE_MASK) == TACHO_STATE_OK)
		sum->state |= TACHO_STATE_SCALED;
	if (type == TACHO_TYPE_U64 && sum->total < 1.8e19)
		sum->whole = (uint64_t)(sum->total + 0.5);
	else if (type == TACHO_TYPE_U64 && (sum->state & TACHO_STATE_MASK) < TACHO_STATE_OVERFLOW)
		sum->state = (sum->state & (uint8_t)~TACHO_STATE_MASK) | TACHO_STATE_OVERFLOW;
}

void tacho__line_values_complete(const struct tacho_summary *summary, struct tacho__line *line)
{
	const struct tacho_recorded_counting *counting =
		tacho_recording_get_counting(summary->recording);
	bool takes_turns = counting && strcmp(counting->replay, "rotate") == 0;
	const struct tacho_entry *counter;

	for (size_t i = 0; i < line->value_count; i++) {
		struct tacho_summary_value *sum = &line->values[i];

		if (!sum->measured) {
			sum->state = TACHO_STATE_ABSENT;
			continue;
		}
		sum->mean = sum->total / (double)sum->measured;
		sum->coverage /= (double)sum->measured;
		counter = tacho_recording_get_counter(summary->recording, i);
		if (takes_turns && sum->measured < sum->count && counter)
			extrapolate(sum, counter->type);
		if ((sum->state & TACHO_STATE_MASK) == TACHO_STATE_OVERFLOW)
			sum->whole = 0;
	}
}

const struct tacho_summary_value *tacho_summary_get_value(const struct tacho_summary *summary,
							  enum tacho_summary_key key, size_t index,
							  size_t counter)
{
	const struct tacho__line *line = NULL;

	if (summary && (key == TACHO_BY_KERNEL || key == TACHO_BY_TRANSFER) &&
	    index < summary->lines[key].count)
		line = summary->lines[key].all[index];
	return line && counter < line->value_count && line->values[counter].count
		       ? &line->values[counter]
		       : NULL;
}
