/* SPDX-License-Identifier: MIT */
#include "analyze/diff/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/options.h"

enum { VALUE_LIMIT = 4096 };
#define LEVEL	   0.05
#define RUN_EFFECT 0.03

const char *tacho_diff_verdict_to_string(enum tacho_diff_verdict verdict)
{
	static const char *const names[] = {"unknown", "few",	  "same",  "noise",
					    "drift",   "differs", "unsure"};

	return (unsigned)verdict < sizeof(names) / sizeof(names[0]) ? names[verdict] : "unknown";
}

const char *tacho_diff_match_to_string(enum tacho_diff_match match)
{
	static const char *const names[] = {"name", "place", "pair"};

	return (unsigned)match < sizeof(names) / sizeof(names[0]) ? names[match] : "name";
}

int tacho_diff_is_by_name(const struct tacho_diff *diff)
{
	return diff && diff->by_name;
}

int tacho__diff_fail_memory(void)
{
	return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to compare recordings");
}

const char *tacho__diff_text(struct tacho_diff *diff, const char *text)
{
	return tacho__printable(&diff->arena, text);
}

int tacho_diff_is_paired(const struct tacho_diff *diff)
{
	return diff && diff->is_paired && diff->side_runs[TACHO_DIFF_A] > 1;
}

int tacho_diff_is_of_means(const struct tacho_diff *diff)
{
	return diff && diff->is_of_means;
}

static int check(size_t a_count, size_t b_count, const struct tacho_diff_options *options)
{
	if (!a_count || !b_count)
		return tacho__fail(TACHO_E_INVAL, "a side has no recording",
				   "give one recording or more for each side",
				   "cannot compare recordings");
	if (options->paired && a_count != b_count)
		return tacho__fail(TACHO_E_INVAL,
				   tacho__detail("A has %zu and B %zu", a_count, b_count),
				   "leave out what has no partner, or compare them without pairs",
				   "recordings that were made in pairs are as many on both sides");
	if (options->key != TACHO_BY_KERNEL && options->key != TACHO_BY_API &&
	    options->key != TACHO_BY_QUEUE && options->key != TACHO_BY_TRANSFER &&
	    options->key != TACHO_BY_RANGE && options->key != TACHO_BY_GAP)
		return tacho__fail(TACHO_E_INVAL,
				   "threads and processes have no names that last from run to run",
				   "compare by kernel, api, queue, transfer, range or gap",
				   "cannot compare by this key");
	if (options->level != 0 && !(options->level > 0 && options->level < 1))
		return tacho__fail(TACHO_E_INVAL, tacho__detail("it is %g", options->level),
				   "give a number between 0 and 1, such as 0.05",
				   "the level cannot be used");
	if (!(options->run_effect >= 0 && options->run_effect < 1))
		return tacho__fail(TACHO_E_INVAL, tacho__detail("it is %g", options->run_effect),
				   "give a number from 0 to 1, such as 0.03",
				   "the run effect cannot be used");
	return 0;
}

static int add_runs(struct tacho_diff *diff, struct tacho_recording *const *a, size_t a_count,
		    struct tacho_recording *const *b, size_t b_count)
{
	diff->run_count = a_count + b_count;
	diff->side_runs[TACHO_DIFF_A] = a_count;
	diff->side_runs[TACHO_DIFF_B] = b_count;
	diff->runs = tacho__arena_get(&diff->arena, diff->run_count * sizeof(*diff->runs));
	if (!diff->runs)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < diff->run_count; i++) {
		diff->runs[i].side = i < a_count ? TACHO_DIFF_A : TACHO_DIFF_B;
		diff->runs[i].recording = i < a_count ? a[i] : b[i - a_count];
		diff->runs[i].devices = "";
	}
	return 0;
}

static void sum_totals(struct tacho_diff *diff)
{
	for (size_t i = 0; i < diff->run_count; i++) {
		const struct tacho__diff_run *run = &diff->runs[i];
		struct tacho_diff_totals *totals = &diff->totals[run->side];

		totals->runs++;
		totals->has_calls += !run->has_sums;
		totals->has_wall += run->totals.has_wall;
		totals->has_busy += run->has_busy;
		totals->wall_ns += (double)run->totals.wall_ns;
		totals->busy_ns += run->has_busy ? (double)run->busy_ns : 0;
		totals->idle_ns += run->has_busy ? (double)run->idle_ns : 0;
		totals->api_ns += (double)run->totals.api_ns;
		totals->calls += (double)run->totals.calls;
		totals->launches += (double)run->totals.launches;
		totals->transfers += (double)run->totals.transfers;
	}
	for (int side = 0; side < 2; side++) {
		struct tacho_diff_totals *totals = &diff->totals[side];

		totals->wall_ns /= totals->has_wall ? totals->has_wall : 1;
		totals->busy_ns /= totals->has_busy ? totals->has_busy : 1;
		totals->idle_ns /= totals->has_busy ? totals->has_busy : 1;
		totals->api_ns /= totals->has_calls ? totals->has_calls : 1;
		totals->calls /= totals->has_calls ? totals->has_calls : 1;
		totals->launches /= totals->has_calls ? totals->has_calls : 1;
		totals->transfers /= totals->has_calls ? totals->has_calls : 1;
	}
}

/* Groups: lines of both sides, of A alone, of B alone. */
static int place_of(const struct tacho_diff_line *line)
{
	return line->is_in[TACHO_DIFF_A] && line->is_in[TACHO_DIFF_B] ? 0
	       : line->is_in[TACHO_DIFF_A]			      ? 1
								      : 2;
}

static double weight_of(const struct tacho__diff_line *line)
{
	const struct tacho_diff_measure *total = &line->measures[TACHO__DIFF_TOTAL];

	if (!place_of(&line->line))
		return total->has_difference ? fabs(total->difference) : 0;
	return total->sides[line->line.is_in[TACHO_DIFF_A] ? TACHO_DIFF_A : TACHO_DIFF_B].value;
}

static int compare_lines(const void *left, const void *right)
{
	const struct tacho__diff_line *a = *(struct tacho__diff_line *const *)left;
	const struct tacho__diff_line *b = *(struct tacho__diff_line *const *)right;
	int order = place_of(&a->line) - place_of(&b->line);

	if (order)
		return order;
	if (weight_of(a) != weight_of(b))
		return weight_of(a) > weight_of(b) ? -1 : 1;
	order = strcmp(a->line.name, b->line.name);
	return order ? order : strcmp(a->line.device, b->line.device);
}

int tacho_diff_create(struct tacho_recording *const *a, size_t a_count,
		      struct tacho_recording *const *b, size_t b_count,
		      const struct tacho_diff_options *options, struct tacho_diff **out_diff)
{
	struct tacho_diff_options own;
	struct tacho_diff *diff;
	int rc;

	if (!a || !b || !out_diff)
		return tacho__fail_null(__func__);
	rc = tacho__options_take(&own, sizeof(own), options, "tacho_diff_options");
	if (!rc)
		rc = check(a_count, b_count, &own);
	if (rc)
		return rc;
	diff = calloc(1, sizeof(*diff));
	if (!diff)
		return tacho__diff_fail_memory();
	diff->key = own.key;
	diff->by_name = own.by_name != 0;
	diff->is_paired = own.paired != 0;
	diff->level = own.level > 0 ? own.level : LEVEL;
	diff->run_effect = own.run_effect > 0 ? own.run_effect : RUN_EFFECT;
	diff->value_limit = own.value_limit && own.value_limit < SIZE_MAX ? (size_t)own.value_limit
									  : VALUE_LIMIT;
	rc = add_runs(diff, a, a_count, b, b_count);
	if (!rc)
		rc = tacho__diff_look_for_sums(diff);
	if (!rc)
		rc = tacho__diff_find_aliases(diff, &own);
	if (!rc)
		rc = tacho__diff_list_kinds(diff);
	for (size_t i = 0; i < diff->run_count && !rc; i++)
		rc = diff->runs[i].has_sums ? tacho__diff_read_sums(diff, i)
					    : tacho__diff_read_run(diff, i);
	if (!rc)
		rc = tacho__diff_compare(diff);
	if (!rc) {
		sum_totals(diff);
		if (diff->line_count)
			qsort(diff->lines, diff->line_count, sizeof(*diff->lines), compare_lines);
		rc = tacho__diff_warn(diff);
	}
	if (rc)
		tacho_diff_destroy(diff);
	else
		*out_diff = diff;
	return rc;
}

void tacho_diff_destroy(struct tacho_diff *diff)
{
	if (!diff)
		return;
	tacho__names_finish(&diff->kinds_by_name);
	tacho__names_finish(&diff->lines_by_text);
	tacho__diff_finish_aliases(&diff->aliases);
	free(diff->kinds);
	free(diff->lines);
	tacho__sentences_finish(&diff->warnings);
	tacho__buf_finish(&diff->scratch);
	tacho__arena_finish(&diff->arena);
	free(diff);
}

const struct tacho_diff_line *tacho_diff_get_line(const struct tacho_diff *diff, size_t index)
{
	return diff && index < diff->line_count ? &diff->lines[index]->line : NULL;
}

const struct tacho_diff_totals *tacho_diff_get_totals(const struct tacho_diff *diff,
						      enum tacho_diff_side side)
{
	return diff ? &diff->totals[side == TACHO_DIFF_B] : NULL;
}

const char *tacho_diff_get_measure_name(const struct tacho_diff *diff, size_t index)
{
	return diff && index < diff->kind_count ? diff->kinds[index].name : NULL;
}

const char *tacho_diff_get_warning(const struct tacho_diff *diff, size_t index)
{
	return diff ? tacho__sentences_get(&diff->warnings, index) : NULL;
}
