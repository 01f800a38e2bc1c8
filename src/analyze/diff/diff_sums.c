/* SPDX-License-Identifier: MIT */
/*
 * Recordings that have sums only: the count, the total and the mean of each line, one number a run.
 * What they are compared with gives its means, too.
 */
#include "analyze/diff/diff.h"
#include "base/array.h"
#include "base/error.h"
#include "tacho/sums.h"

/* What of sums is compared by a key. */
static const struct {
	enum tacho_summary_key key;
	enum tacho_sums_kind kind;
	const char *name, *option;
} kinds[] = {
	{TACHO_BY_KERNEL, TACHO_SUMS_KERNELS, "kernels", "kernel"},
	{TACHO_BY_API, TACHO_SUMS_CALLS, "calls", "api"},
	{TACHO_BY_TRANSFER, TACHO_SUMS_TRANSFERS, "transfers", "transfer"},
	{TACHO_BY_RANGE, TACHO_SUMS_RANGES, "ranges", "range"},
};

static bool has_kind(const struct tacho_recording *recording, enum tacho_sums_kind kind)
{
	const struct tacho_sums *sums;

	for (size_t i = 0; (sums = tacho_recording_get_sums(recording, i)); i++)
		if (sums->kind == kind)
			return true;
	return false;
}

/* The number in `kinds` of the key; their count when sums are of nothing such. */
static size_t find_kind(const struct tacho_diff *diff)
{
	size_t at = 0;

	while (at < TACHO__ARRAY_SIZE(kinds) && kinds[at].key != diff->key)
		at++;
	return at;
}

static int refuse(const struct tacho_diff *diff, const struct tacho_recording *recording, size_t at)
{
	const char *cure = "";

	for (size_t i = TACHO__ARRAY_SIZE(kinds); i--;)
		if (has_kind(recording, kinds[i].kind))
			cure = tacho__detail("compare by %s (tacho diff --by %s)", kinds[i].option,
					     kinds[i].option);
	return tacho__fail(TACHO_E_UNSUPPORTED, tacho_recording_get_run(recording)->why_empty, cure,
			   at < TACHO__ARRAY_SIZE(kinds) ? "%s has no sums of %s"
							 : "%s has no sums of queues or gaps",
			   tacho_recording_get_path(recording),
			   at < TACHO__ARRAY_SIZE(kinds) ? kinds[at].name : "");
}

int tacho__diff_look_for_sums(struct tacho_diff *diff)
{
	size_t at = find_kind(diff);

	for (size_t i = 0; i < diff->run_count; i++) {
		const struct tacho_recording *recording = diff->runs[i].recording;

		diff->runs[i].has_sums = tacho_recording_get_sums(recording, 0) != NULL;
		if (!diff->runs[i].has_sums)
			continue;
		diff->is_of_means = diff->by_name = true;
		if (at == TACHO__ARRAY_SIZE(kinds) || !has_kind(recording, kinds[at].kind))
			return refuse(diff, recording, at);
	}
	return 0;
}

/* ---- numbers ---- */

/* False: the file does not state it. */
static bool get_number(const struct tacho_sums *sums, enum tacho_sums_column column, size_t line,
		       double *out_value)
{
	const struct tacho_column *values = tacho_result_get_column(sums->lines, column);

	*out_value = tacho_column_get_value(values, line, 0);
	return tacho_column_get_state(values, line, 0) == TACHO_STATE_OK;
}

/* Lines of one name are one: files of several processes or backends, launches of several shapes. */
static void add_number(struct tacho__diff_cell *cell, bool is_known, double value, uint64_t count)
{
	cell->count += count;
	cell->measured += is_known ? count : 0;
	cell->kept = cell->measured;
	cell->value += is_known ? value : 0;
	cell->has_value |= is_known;
	cell->state = !cell->has_value		     ? TACHO_STATE_ABSENT
		      : cell->measured < cell->count ? TACHO_STATE_LOST
						     : TACHO_STATE_OK;
	if (!is_known)
		cell->reason = "the file does not state it";
}

/* The mean out of the sums, which is exact; or as the file has it, where that is all. */
static void set_mean(struct tacho__diff_cell *time, const struct tacho__diff_cell *total,
		     double stated, bool is_stated)
{
	bool is_first = !time->count;

	time->count = total->count;
	time->measured = time->kept = total->measured;
	time->state = total->state;
	time->reason = total->reason;
	time->has_value = total->has_value && total->measured;
	if (time->has_value) {
		time->value = total->value / (double)total->measured;
	} else if (is_stated && is_first) {
		time->has_value = 1;
		time->value = stated;
		time->state = TACHO_STATE_OK;
		time->measured = time->kept = time->count;
		time->reason = "";
	}
}

static int add_line(struct tacho_diff *diff, size_t run, const struct tacho_sums *sums, size_t at)
{
	enum tacho_diff_side side = diff->runs[run].side;
	const char *name = tacho_result_get_row(sums->lines, at)->name;
	struct tacho__diff_line *line = tacho__diff_get_line(diff, side, name, "");
	struct tacho__diff_cell *cells;
	double count, total, mean;
	bool has_count = get_number(sums, TACHO_SUMS_COUNT, at, &count);
	bool has_total = get_number(sums, TACHO_SUMS_TOTAL, at, &total);
	bool has_mean = get_number(sums, TACHO_SUMS_MEAN, at, &mean);
	uint64_t times = has_count ? (uint64_t)count : 1;

	if (!line)
		return TACHO_E_NOMEM;
	cells = tacho__diff_get_cell(diff, line, run, 0);
	line->line.is_in[side] = 1;
	if (sums->is_of_bytes) {
		if (!cells[TACHO__DIFF_COUNT].count)
			add_number(&cells[TACHO__DIFF_COUNT], has_count, count, times);
		add_number(&cells[TACHO__DIFF_OTHERS], has_total, total, times);
		return 0;
	}
	line->total_ns[side] += has_total ? total : 0;
	add_number(&cells[TACHO__DIFF_COUNT], has_count, count, times);
	add_number(&cells[TACHO__DIFF_TOTAL], has_total, total, times);
	set_mean(&cells[TACHO__DIFF_TIME], &cells[TACHO__DIFF_TOTAL], mean,
		 has_mean && (!has_total || !has_count));
	return 0;
}

int tacho__diff_read_sums(struct tacho_diff *diff, size_t run)
{
	enum tacho_sums_kind kind = kinds[find_kind(diff)].kind;
	const struct tacho_sums *sums;
	int rc = 0;

	/* those of bytes come last: their counts are not told twice */
	for (size_t i = 0; !rc && (sums = tacho_recording_get_sums(diff->runs[run].recording, i));
	     i++)
		for (size_t k = 0;
		     !rc && sums->kind == kind && k < tacho_result_get_row_count(sums->lines); k++)
			rc = add_line(diff, run, sums, k);
	return rc;
}
