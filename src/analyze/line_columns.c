/* SPDX-License-Identifier: MIT */
/* What was counted of all lines: a result, and the reasons why values lack. */
#include <stdlib.h>
#include <string.h>

#include "analyze/summary.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "model/result.h"
#include "model/row.h"

/* Launches that took turns stand for all of their kernel. */
static void extrapolate(struct tacho__sum *sum, enum tacho_type type, double scale)
{
	union tacho__number *total = &sum->numbers[TACHO_STATISTIC_TOTAL];

	sum->total *= scale;
	sum->coverage /= scale;
	sum->state = tacho__state_worse(sum->state, TACHO_STATE_SCALED);
	if (type == TACHO_TYPE_F64) {
		total->f64 = sum->total;
	} else if (sum->total < 1.8e19) {
		total->u64 = (uint64_t)(sum->total + 0.5);
	} else {
		total->u64 = UINT64_MAX;
		sum->state = tacho__state_worse(sum->state, TACHO_STATE_OVERFLOW);
	}
}

/* ---- columns ---- */

static const char *const suffixes[TACHO_STATISTICS] = {
	[TACHO_STATISTIC_TOTAL] = "",	    [TACHO_STATISTIC_MEAN] = ":mean",
	[TACHO_STATISTIC_MIN] = ":min",	    [TACHO_STATISTIC_MAX] = ":max",
	[TACHO_STATISTIC_COUNT] = ":count", [TACHO_STATISTIC_MEASURED] = ":measured",
};

static const char *make_name(struct tacho__arena *arena, const char *name, const char *suffix)
{
	struct tacho__buf text = {0};

	tacho__buf_printf(&text, "%s%s", name, suffix);
	return tacho__buf_keep(&text, arena);
}

/* The columns of one counter have the same states. */
static int add_columns(struct tacho_result *result, const struct tacho_entry *counter,
		       const struct tacho__lines *lines, size_t index)
{
	static const struct tacho__sum none = {.reason = ""};
	struct tacho__arena *arena = &result->arena;
	size_t rows = lines->count;
	union tacho__number *numbers =
		tacho__arena_get(arena, TACHO_STATISTICS * rows * sizeof(*numbers));
	uint8_t *states = tacho__arena_get(arena, rows);
	double *coverage = tacho__arena_get(arena, rows * sizeof(*coverage));
	const char **notes = tacho__arena_get(arena, rows * sizeof(*notes));
	int rc = 0;

	if (!numbers || !states || !coverage || !notes)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < rows; i++) {
		const struct tacho__line *line = lines->all[i];
		const struct tacho__sum *sum = line->sums ? &line->sums[index] : &none;

		states[i] = sum->numbers[TACHO_STATISTIC_MEASURED].u64 ? sum->state
			    : sum->numbers[TACHO_STATISTIC_COUNT].u64
				    ? TACHO_STATE_ABSENT
				    : TACHO_STATE_ABSENT | TACHO_MARK_FOREIGN;
		coverage[i] = sum->numbers[TACHO_STATISTIC_MEASURED].u64 ? sum->coverage : 1;
		notes[i] = sum->reason;
		for (int what = 0; what < TACHO_STATISTICS; what++)
			numbers[(size_t)what * rows + i] = sum->numbers[what];
	}
	for (int what = 0; what < TACHO_STATISTICS && !rc; what++) {
		bool is_of_values = what < TACHO_STATISTIC_COUNT;
		struct tacho_column column = {
			.name = make_name(arena, counter->name, suffixes[what]),
			.unit = is_of_values ? counter->unit : "",
			.type = what == TACHO_STATISTIC_TOTAL ? counter->type
				: is_of_values		      ? TACHO_TYPE_F64
							      : TACHO_TYPE_U64,
			.instance_count = 1,
			.data.u64 = &numbers[(size_t)what * rows].u64,
			.states = is_of_values ? states : NULL,
			.coverage = is_of_values ? coverage : NULL,
			.notes = is_of_values ? notes : NULL,
			.note = "",
		};

		rc = column.name ? tacho__result_add_view(result, &column) : TACHO_E_NOMEM;
	}
	return rc;
}

/* ---- reasons ---- */

static int add_reason(struct tacho_summary *summary, struct tacho__lines *lines,
		      const struct tacho__sum *sum, size_t counter, size_t counter_count)
{
	struct tacho_summary_reason *reasons = lines->reasons;
	uint8_t *is_of;
	size_t at = 0;

	while (at < lines->reason_count && strcmp(reasons[at].text, sum->reason) != 0)
		at++;
	if (at == lines->reason_count) {
		is_of = tacho__arena_get(&summary->arena, counter_count);
		if (!is_of || tacho__array_reserve(&lines->reasons, &lines->reason_capacity, at,
						   sizeof(*reasons)))
			return TACHO_E_NOMEM;
		reasons = lines->reasons;
		reasons[lines->reason_count++] = (struct tacho_summary_reason){
			.text = sum->reason, .is_of = is_of, .is_of_launch = 1};
	}
	((uint8_t *)reasons[at].is_of)[counter] = 1;
	reasons[at].is_of_launch &= sum->is_of_launch;
	return 0;
}

static int list_reasons(struct tacho_summary *summary, struct tacho__lines *lines, size_t count)
{
	int rc = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < lines->count && !rc; k++) {
			const struct tacho__line *line = lines->all[k];

			if (line->sums && *line->sums[i].reason)
				rc = add_reason(summary, lines, &line->sums[i], i, count);
		}
	return rc;
}

/* ---- all ---- */

static void complete_sums(const struct tacho_summary *summary, struct tacho__line *line)
{
	const struct tacho_recorded_counting *counting =
		tacho_recording_get_counting(summary->recording);
	bool takes_turns = counting && counting->replay == TACHO_REPLAY_ROTATE;

	for (size_t i = 0; line->sums && i < line->sum_count; i++) {
		struct tacho__sum *sum = &line->sums[i];
		double measured = (double)sum->numbers[TACHO_STATISTIC_MEASURED].u64;
		double count = (double)sum->numbers[TACHO_STATISTIC_COUNT].u64;

		if (!measured)
			continue;
		sum->numbers[TACHO_STATISTIC_MEAN].f64 = sum->total / measured;
		sum->coverage /= measured;
		if (takes_turns && measured < count)
			extrapolate(sum, tacho_recording_get_counter(summary->recording, i)->type,
				    count / measured);
	}
}

int tacho__line_values_complete(struct tacho_summary *summary, struct tacho__lines *lines)
{
	const struct tacho_entry *counter;
	size_t count = 0;
	int rc;

	if (!tacho_recording_get_counter(summary->recording, 0))
		return 0;
	for (size_t i = 0; i < lines->count; i++)
		complete_sums(summary, lines->all[i]);
	rc = tacho__result_create(lines->count, &lines->values);
	for (size_t i = 0; i < lines->count && !rc; i++)
		lines->values->rows[i] = (struct tacho_row){
			.kind = lines == &summary->lines[TACHO_BY_TRANSFER] ? TACHO_ROW_TRANSFER
									    : TACHO_ROW_KERNEL,
			.id = i,
			.name = lines->all[i]->line.name,
			.device = lines->all[i]->line.device};
	for (; !rc && (counter = tacho_recording_get_counter(summary->recording, count)); count++)
		rc = add_columns(lines->values, counter, lines, count);
	return rc ? rc : list_reasons(summary, lines, count);
}

static const struct tacho__lines *get_lines(const struct tacho_summary *summary,
					    enum tacho_summary_key key)
{
	return summary && (unsigned)key < TACHO__SUMMARY_KEYS ? &summary->lines[key] : NULL;
}

const struct tacho_result *tacho_summary_get_values(const struct tacho_summary *summary,
						    enum tacho_summary_key key)
{
	const struct tacho__lines *lines = get_lines(summary, key);

	return lines ? lines->values : NULL;
}

const struct tacho_column *tacho_summary_get_columns(const struct tacho_summary *summary,
						     enum tacho_summary_key key, size_t counter)
{
	return tacho_result_get_column(tacho_summary_get_values(summary, key),
				       counter * TACHO_STATISTICS);
}

const struct tacho_summary_reason *tacho_summary_get_reason(const struct tacho_summary *summary,
							    enum tacho_summary_key key,
							    size_t index)
{
	const struct tacho__lines *lines = get_lines(summary, key);

	return lines && index < lines->reason_count ? &lines->reasons[index] : NULL;
}
