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

/* A counter among the others. */
struct place {
	const struct tacho_entry *counter;
	const struct tacho_column *shape;
	size_t index;
	bool is_unsummed; /* there are too many instances */
};

/* Of each instance; NULL: none are kept. */
static struct tacho__sum *get_sums(const struct tacho__lines *lines, size_t line,
				   const struct place *place)
{
	struct tacho__sum **sums = lines->all[line]->sums;

	return sums && !place->is_unsummed ? sums[place->index] : NULL;
}

/* What all columns of a counter have, a value for each line and instance. */
struct shared {
	union tacho__number *numbers; /* statistic by statistic */
	uint8_t *states;
	double *coverage;
	const char **notes;
	size_t count;
};

static int get_shared(struct tacho__arena *arena, size_t count, struct shared *out_shared)
{
	*out_shared = (struct shared){
		.numbers = tacho__arena_get(arena, TACHO_STATISTICS * count *
							   sizeof(*out_shared->numbers)),
		.states = tacho__arena_get(arena, count),
		.coverage = tacho__arena_get(arena, count * sizeof(*out_shared->coverage)),
		.notes = tacho__arena_get(arena, count * sizeof(*out_shared->notes)),
		.count = count,
	};
	return out_shared->numbers && out_shared->states && out_shared->coverage &&
			       out_shared->notes
		       ? 0
		       : TACHO_E_NOMEM;
}

/* The columns of one counter have the same states. */
static void share(const struct tacho__sum *sum, struct shared *shared, size_t at)
{
	bool is_measured = sum->numbers[TACHO_STATISTIC_MEASURED].u64 != 0;

	shared->states[at] = is_measured ? sum->state
			     : sum->numbers[TACHO_STATISTIC_COUNT].u64
				     ? TACHO_STATE_ABSENT
				     : TACHO_STATE_ABSENT | TACHO_MARK_FOREIGN;
	shared->coverage[at] = is_measured ? sum->coverage : 1;
	shared->notes[at] = sum->reason;
	for (int what = 0; what < TACHO_STATISTICS; what++)
		shared->numbers[(size_t)what * shared->count + at] = sum->numbers[what];
}

static int add_statistic(struct tacho_result *result, const struct place *place,
			 const struct shared *shared, enum tacho_statistic what)
{
	const struct tacho_entry *counter = place->counter;
	bool is_of_values = what < TACHO_STATISTIC_COUNT;
	struct tacho_column column = *place->shape;

	column.name = make_name(&result->arena, counter->name, suffixes[what]);
	column.unit = is_of_values ? counter->unit : "";
	column.description = "";
	column.type = what == TACHO_STATISTIC_TOTAL ? counter->type
		      : is_of_values		    ? TACHO_TYPE_F64
						    : TACHO_TYPE_U64;
	column.data.u64 = &shared->numbers[(size_t)what * shared->count].u64;
	column.states = is_of_values ? shared->states : NULL;
	column.coverage = is_of_values ? shared->coverage : NULL;
	column.notes = is_of_values ? shared->notes : NULL;
	column.note = "";
	return column.name ? tacho__result_add_view(result, &column) : TACHO_E_NOMEM;
}

static int add_columns(struct tacho_result *result, const struct place *place,
		       const struct tacho__lines *lines)
{
	static const struct tacho__sum none = {.reason = ""};
	size_t instances = place->shape->instance_count;
	struct shared shared;
	int rc = get_shared(&result->arena, lines->count * instances, &shared);

	for (size_t i = 0; i < lines->count && !rc; i++) {
		const struct tacho__sum *sums = get_sums(lines, i, place);

		for (size_t k = 0; k < instances; k++)
			share(sums ? &sums[k] : &none, &shared, i * instances + k);
	}
	for (int what = 0; what < TACHO_STATISTICS && !rc; what++)
		rc = add_statistic(result, place, &shared, (enum tacho_statistic)what);
	return rc;
}

/* ---- reasons ---- */

static int add_reason(struct tacho_summary *summary, struct tacho__lines *lines,
		      const struct tacho__sum *sum, size_t counter)
{
	struct tacho_summary_reason *reasons = lines->reasons;
	uint8_t *is_of;
	size_t at = 0;

	while (at < lines->reason_count && strcmp(reasons[at].text, sum->reason) != 0)
		at++;
	if (at == lines->reason_count) {
		is_of = tacho__arena_get(&summary->arena,
					 tacho_result_get_column_count(summary->row));
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

static int list_reasons(struct tacho_summary *summary, struct tacho__lines *lines,
			const struct place *place)
{
	size_t instances = place->shape->instance_count;
	int rc = 0;

	for (size_t i = 0; i < lines->count; i++) {
		const struct tacho__sum *sums = get_sums(lines, i, place);

		for (size_t k = 0; sums && k < instances && !rc; k++)
			if (*sums[k].reason)
				rc = add_reason(summary, lines, &sums[k], place->index);
	}
	return rc;
}

/* ---- all ---- */

/*
 * Where a render pass is counted as a whole its draws are not, and the other way round: what none
 * of a sort has is then not missing.
 */
static void leave_sorts(struct tacho__sum *sum)
{
	union tacho__number *numbers = sum->numbers;

	if (!sum->is_measured_of[TACHO__ROW_WHOLE] && !sum->missing_of[TACHO__ROW_WHOLE])
		return;
	for (int i = 0; i < TACHO__ROW_SORTS; i++)
		if (!sum->is_measured_of[i] && (numbers[TACHO_STATISTIC_MEASURED].u64 ||
						(i == TACHO__ROW_WHOLE && sum->is_foreign)))
			numbers[TACHO_STATISTIC_COUNT].u64 -= sum->missing_of[i];
	if (numbers[TACHO_STATISTIC_COUNT].u64 == numbers[TACHO_STATISTIC_MEASURED].u64)
		sum->reason = "";
}

static void complete_sum(struct tacho__sum *sum, enum tacho_type type, bool takes_turns)
{
	double measured, count;

	leave_sorts(sum);
	measured = (double)sum->numbers[TACHO_STATISTIC_MEASURED].u64;
	count = (double)sum->numbers[TACHO_STATISTIC_COUNT].u64;
	if (!measured)
		return;
	sum->numbers[TACHO_STATISTIC_MEAN].f64 = sum->total / measured;
	sum->coverage /= measured;
	if (takes_turns && measured < count)
		extrapolate(sum, type, count / measured);
}

static void complete_sums(const struct tacho_summary *summary, const struct place *place,
			  struct tacho__lines *lines)
{
	const struct tacho_recorded_counting *counting =
		tacho_recording_get_counting(summary->recording);
	bool takes_turns = counting && counting->replay == TACHO_REPLAY_ROTATE;

	for (size_t i = 0; i < lines->count; i++) {
		struct tacho__sum *sums = get_sums(lines, i, place);

		for (size_t k = 0; sums && k < place->shape->instance_count; k++)
			complete_sum(&sums[k], place->counter->type, takes_turns);
	}
}

static int describe_rows(struct tacho_summary *summary, struct tacho__lines *lines)
{
	enum tacho_row_kind kind = lines == &summary->lines[TACHO_BY_TRANSFER] ? TACHO_ROW_TRANSFER
				   : lines == &summary->lines[TACHO_BY_KERNEL] ? TACHO_ROW_KERNEL
									       : TACHO_ROW_RANGE;
	int rc = tacho__result_create(lines->count, &lines->values);

	for (size_t i = 0; i < lines->count && !rc; i++)
		lines->values->rows[i] = (struct tacho_row){.kind = kind,
							    .id = i,
							    .name = lines->all[i]->line.name,
							    .device = lines->all[i]->line.device};
	return rc;
}

/* Whether a result has room for all lines and instances. */
static bool has_room(const struct tacho_summary *summary, const struct tacho__lines *lines)
{
	const struct tacho_column *column;
	size_t count = 0;

	for (size_t i = 0; (column = tacho_result_get_column(summary->row, i)); i++)
		count += column->dimension_count ? column->instance_count : 0;
	return !count || lines->count <= TACHO__INSTANCE_SUMS_MAX / count;
}

/* Without any row nobody knows of instances. */
static void find_shape(const struct tacho_summary *summary, const struct tacho__lines *lines,
		       struct place *place)
{
	static const struct tacho_column plain = {.instance_count = 1};

	place->shape = tacho_result_get_column(summary->row, place->index);
	place->is_unsummed = place->shape && place->shape->dimension_count && lines->has_unsummed;
	if (!place->shape || place->is_unsummed)
		place->shape = &plain;
}

int tacho__line_values_complete(struct tacho_summary *summary, struct tacho__lines *lines)
{
	struct place place = {0};
	int rc;

	if (!tacho_recording_get_counter(summary->recording, 0))
		return 0;
	lines->has_unsummed |= !has_room(summary, lines);
	rc = describe_rows(summary, lines);
	for (;
	     !rc && (place.counter = tacho_recording_get_counter(summary->recording, place.index));
	     place.index++) {
		find_shape(summary, lines, &place);
		if (lines != &summary->lines[TACHO_BY_PASS]) /* which were done by range */
			complete_sums(summary, &place, lines);
		rc = add_columns(lines->values, &place, lines);
		if (!rc)
			rc = list_reasons(summary, lines, &place);
	}
	return rc;
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
