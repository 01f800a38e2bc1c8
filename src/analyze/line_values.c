/* SPDX-License-Identifier: MIT */
/* What was counted, over the launches or transfers of a line. */
#include <math.h>
#include <string.h>

#include "analyze/summary.h"
#include "base/error.h"
#include "model/shape.h"
#include "model/single.h"
#include "record/command.h"

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

static void add_number(struct tacho__sum *sum, const struct tacho_column *column, size_t instance)
{
	union tacho__number *numbers = sum->numbers, *total = &numbers[TACHO_STATISTIC_TOTAL];
	double number = tacho_column_get_value(column, 0, instance);
	bool is_first = !numbers[TACHO_STATISTIC_MEASURED].u64++;

	sum->total += number;
	if (is_first || number < numbers[TACHO_STATISTIC_MIN].f64)
		numbers[TACHO_STATISTIC_MIN].f64 = number;
	if (is_first || number > numbers[TACHO_STATISTIC_MAX].f64)
		numbers[TACHO_STATISTIC_MAX].f64 = number;
	sum->coverage += tacho_column_get_coverage(column, 0, instance);
	sum->state = tacho__state_worse(sum->state, tacho_column_get_state(column, 0, instance));
	if (column->type == TACHO_TYPE_F64) {
		total->f64 = sum->total;
	} else if (__builtin_add_overflow(total->u64, column->data.u64[instance], &total->u64)) {
		total->u64 = UINT64_MAX;
		sum->state = tacho__state_worse(sum->state, TACHO_STATE_OVERFLOW);
	}
}

/* The row of a command. */
struct given {
	enum tacho__row_sort sort;
	const char *note;
};

static int add_value(struct tacho_summary *summary, struct tacho__sum *sum,
		     const struct tacho_column *column, size_t instance, const struct given *row)
{
	uint8_t state = tacho_column_get_state(column, 0, instance);

	if (state & TACHO_MARK_FOREIGN) {
		sum->is_foreign = true;
		return 0;
	}
	sum->numbers[TACHO_STATISTIC_COUNT].u64++;
	if (tacho__state_is_absent(state)) {
		sum->missing_of[row->sort]++;
	} else {
		sum->is_measured_of[row->sort] = true;
		add_number(sum, column, instance);
	}
	return keep_reason(summary, sum, tacho_column_get_note(column, 0, instance), row->note);
}

/* Positions where nothing is take part in nothing. */
static int add_column(struct tacho_summary *summary, struct tacho__sum *sums,
		      const struct tacho_column *column, const struct given *row)
{
	int rc = 0;

	for (size_t i = 0; i < column->instance_count && !rc; i++)
		if (tacho_column_is_present(column, i))
			rc = add_value(summary, &sums[i], column, i, row);
	return rc;
}

/* What is known to be too small is not compared with others; of instances, their sum is. */
static int sample_value(struct tacho_summary *summary, struct tacho__line *line, size_t index,
			const struct tacho_column *column)
{
	const struct tacho_entry *counter = tacho_recording_get_counter(summary->recording, index);
	struct tacho__single room;
	const struct tacho_column *single = tacho__single_make(column, counter->semantic, &room);
	double number = single ? tacho_column_get_value(single, 0, 0) : 0;

	if (!single || !isfinite(number) ||
	    (tacho_column_get_state(single, 0, 0) & TACHO_STATE_MASK) > TACHO_STATE_SCALED)
		return 0;
	return tacho__samples_add_value(summary->samples, line->sampled, index,
					tacho_result_get_column_count(summary->row), number);
}

/* What a file says of instances must not take all memory for each of many kernels. */
static bool has_room(struct tacho__lines *lines, const struct tacho_column *column)
{
	if (!column->dimension_count)
		return true;
	if (column->instance_count > TACHO__INSTANCE_SUMS_MAX - lines->instance_sums) {
		lines->has_unsummed = true;
		return false;
	}
	lines->instance_sums += column->instance_count;
	return true;
}

static int get_sums(struct tacho_summary *summary, struct tacho__line *line)
{
	const struct tacho_column *column;
	size_t count = tacho_result_get_column_count(summary->row);

	line->sums = tacho__arena_get(&summary->arena, (count + 1) * sizeof(line->sums[0]));
	if (!line->sums)
		return TACHO_E_NOMEM;
	for (size_t i = 0; (column = tacho_result_get_column(summary->row, i)); i++) {
		struct tacho__sum *sums;

		if (!has_room(line->of, column))
			continue;
		sums = tacho__arena_get(&summary->arena, column->instance_count * sizeof(*sums));
		if (!sums)
			return TACHO_E_NOMEM;
		for (size_t k = 0; k < column->instance_count; k++)
			sums[k].reason = "";
		line->sums[i] = sums;
	}
	return 0;
}

/* What follows from each command by itself is not that of what stands for several. */
static bool is_of(const struct tacho_summary *summary, size_t column, const struct given *row)
{
	return row->sort != TACHO__ROW_WHOLE ||
	       !tacho_recording_get_counter(summary->recording, column)->is_of_command;
}

int tacho__line_values_add(struct tacho_summary *summary, struct tacho__line *line,
			   const struct tacho_command *command)
{
	const struct tacho_recorded_row *row = tacho_cursor_get_row(summary->cursor);
	struct given given = {.sort = command->draws ? TACHO__ROW_DRAW : TACHO__ROW_LAUNCH};
	const struct tacho_column *column;
	int rc = 0;

	if (!row || !row->is_counted)
		return 0;
	given.note = row->note;
	if (command->kind == TACHO_COMMAND_OTHER)
		given.sort = TACHO__ROW_WHOLE;
	if (given.sort == TACHO__ROW_WHOLE && !tacho__row_is_of_whole(row, command))
		return 0;
	summary->row = row->result;
	if (!line->sums)
		rc = get_sums(summary, line);
	for (size_t i = 0; !rc && (column = tacho_result_get_column(row->result, i)); i++) {
		if (line->sums[i] && is_of(summary, i, &given))
			rc = add_column(summary, line->sums[i], column, &given);
		if (!rc && line->sampled)
			rc = sample_value(summary, line, i, column);
	}
	return rc;
}
