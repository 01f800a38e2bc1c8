/* SPDX-License-Identifier: MIT */
/* From a recording to the numbers of its run: one summary at a time is in memory. */
#include <stdlib.h>

#include "analyze/diff/diff.h"
#include "analyze/diff/statistics.h"
#include "base/array.h"
#include "base/error.h"
#include "model/shape.h"
#include "model/single.h"

/* ---- measures ---- */

static int add_kind(struct tacho_diff *diff, const char *name, const char *unit)
{
	if (tacho__array_reserve(&diff->kinds, &diff->kind_capacity, diff->kind_count,
				 sizeof(*diff->kinds)))
		return TACHO_E_NOMEM;
	diff->kinds[diff->kind_count] = (struct tacho__diff_kind){
		.name = tacho__diff_text(diff, name), .unit = tacho__diff_text(diff, unit)};
	if (!diff->kinds[diff->kind_count].name || !diff->kinds[diff->kind_count].unit)
		return TACHO_E_NOMEM;
	diff->kind_count++;
	return 0;
}

/* Counters are the same when name and unit are; maps hold their number plus one. */
static int find_counter(struct tacho_diff *diff, const struct tacho_entry *counter,
			size_t *out_kind)
{
	struct tacho__buf *text = &diff->scratch;
	uintptr_t number;
	const char *known;
	int rc;

	tacho__buf_clear(text);
	tacho__buf_printf(text, "%s\n%s", counter->name, counter->unit);
	if (text->failed)
		return tacho__diff_fail_memory();
	number = (uintptr_t)tacho__names_get(&diff->kinds_by_name, tacho__buf_text(text));
	if (!number) {
		number = diff->kind_count + 1;
		known = tacho__arena_string(&diff->arena, tacho__buf_text(text));
		rc = known ? add_kind(diff, counter->name, counter->unit) : TACHO_E_NOMEM;
		if (!rc)
			rc = tacho__names_set(&diff->kinds_by_name, known, (void *)number);
		if (rc)
			return rc;
	}
	*out_kind = number - 1;
	return 0;
}

static int list_counters(struct tacho_diff *diff, struct tacho__diff_run *run)
{
	const struct tacho_entry *counter;
	int rc = 0;

	while (tacho_recording_get_counter(run->recording, run->counter_count))
		run->counter_count++;
	run->counters =
		tacho__arena_get(&diff->arena, (run->counter_count + 1) * sizeof(*run->counters));
	if (!run->counters)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < run->counter_count && !rc; i++) {
		counter = tacho_recording_get_counter(run->recording, i);
		rc = find_counter(diff, counter, &run->counters[i]);
		if (rc)
			break;
		diff->kinds[run->counters[i]].is_simulated |= counter->is_simulated;
		diff->kinds[run->counters[i]].is_in[run->side] = 1;
	}
	return rc;
}

int tacho__diff_list_kinds(struct tacho_diff *diff)
{
	bool has_counters = diff->key == TACHO_BY_KERNEL || diff->key == TACHO_BY_TRANSFER;
	int rc = add_kind(diff, "time", "nanoseconds");

	if (!rc)
		rc = add_kind(diff, "total", "nanoseconds");
	if (!rc)
		rc = add_kind(diff, "count", "");
	if (!rc && diff->key == TACHO_BY_TRANSFER)
		rc = add_kind(diff, "bytes", "bytes");
	for (size_t i = 0; i < diff->run_count && !rc && has_counters; i++)
		rc = list_counters(diff, &diff->runs[i]);
	return rc;
}

/* ---- lines ---- */

static struct tacho__diff_line *make_line(struct tacho_diff *diff, const char *name,
					  const char *device)
{
	struct tacho__diff_line *line = tacho__arena_get(&diff->arena, sizeof(*line));
	size_t cells = diff->run_count * diff->kind_count;

	if (!line)
		return NULL;
	line->line.name_b = "";
	line->line.name = tacho__diff_text(diff, name);
	line->line.device = tacho__diff_text(diff, device);
	line->measures = tacho__arena_get(&diff->arena, diff->kind_count * sizeof(*line->measures));
	line->tests = tacho__arena_get(&diff->arena, diff->kind_count * sizeof(*line->tests));
	line->cells = tacho__arena_get(&diff->arena, cells * sizeof(*line->cells));
	if (!line->line.name || !line->line.device || !line->measures || !line->tests ||
	    !line->cells)
		return NULL;
	line->line.measures = line->measures;
	line->line.measure_count = diff->kind_count;
	for (size_t i = 0; i < cells; i++)
		line->cells[i] = (struct tacho__diff_cell){.reason = "", .wander.drift_p = 1};
	if (tacho__array_add(&diff->lines, &diff->line_capacity, &diff->line_count, &line,
			     sizeof(line)))
		return NULL;
	return line;
}

/* A line that has another name on this side, or there may be several of them. */
static int take_alias(struct tacho_diff *diff, struct tacho__diff_line *line,
		      const struct tacho__diff_alias *alias)
{
	line->line.match = alias->match;
	if (*alias->name_b && !*line->line.name_b)
		line->line.name_b = tacho__diff_text(diff, alias->name_b);
	return line->line.name_b ? 0 : TACHO_E_NOMEM;
}

static struct tacho__diff_line *find_line(struct tacho_diff *diff, const char *name,
					  const char *device)
{
	struct tacho__buf *text = &diff->scratch;
	struct tacho__diff_line *line;
	const char *known;

	if (diff->by_name)
		device = "";
	tacho__buf_clear(text);
	tacho__buf_printf(text, "%s\n%s", name, device);
	if (text->failed) {
		tacho__diff_fail_memory();
		return NULL;
	}
	line = tacho__names_get(&diff->lines_by_text, tacho__buf_text(text));
	if (line)
		return line;
	known = tacho__arena_string(&diff->arena, tacho__buf_text(text));
	line = known ? make_line(diff, name, device) : NULL;
	return line && tacho__names_set(&diff->lines_by_text, known, line) == 0 ? line : NULL;
}

struct tacho__diff_line *tacho__diff_get_line(struct tacho_diff *diff, enum tacho_diff_side side,
					      const char *name, const char *device)
{
	int rc = 0;
	const struct tacho__diff_alias *alias = tacho__diff_get_alias(diff, side, name, &rc);
	struct tacho__diff_line *line =
		rc ? NULL : find_line(diff, alias ? alias->line : name, device);

	if (line && alias && take_alias(diff, line, alias))
		return NULL;
	return line;
}

/* ---- cells ---- */

static int keep_reason(struct tacho_diff *diff, struct tacho__diff_cell *cell, const char *reason)
{
	if (*cell->reason || !*reason)
		return 0;
	cell->reason = tacho__diff_text(diff, reason);
	return cell->reason ? 0 : TACHO_E_NOMEM;
}

/* A sum that lacks a part is one, but not one to compare. */
static void add_sum(struct tacho__diff_cell *cell, const struct tacho_summary_line *line,
		    uint64_t measured, double value)
{
	cell->count += line->count;
	cell->measured += measured;
	cell->value += value;
	cell->kept = cell->measured;
	cell->has_value = cell->measured != 0;
	cell->state = cell->measured < cell->count ? TACHO_STATE_LOST : TACHO_STATE_OK;
}

static int add_line(struct tacho_diff *diff, size_t run, struct tacho__diff_line *line,
		    const struct tacho_summary_line *from)
{
	struct tacho__diff_cell *time = tacho__diff_get_cell(diff, line, run, TACHO__DIFF_TIME);
	struct tacho__diff_cell *total = tacho__diff_get_cell(diff, line, run, TACHO__DIFF_TOTAL);
	struct tacho__diff_cell *count = tacho__diff_get_cell(diff, line, run, TACHO__DIFF_COUNT);
	enum tacho_diff_side side = diff->runs[run].side;
	int rc;

	line->line.is_in[side] = 1;
	line->total_ns[side] += (double)from->total_ns;
	time->count += from->count;
	time->measured += from->measured;
	if (from->state == TACHO_STATE_LOST)
		time->state = TACHO_STATE_LOST;
	add_sum(total, from, from->measured, (double)from->total_ns);
	add_sum(count, from, from->count, (double)from->count);
	if (diff->key == TACHO_BY_TRANSFER)
		add_sum(tacho__diff_get_cell(diff, line, run, TACHO__DIFF_OTHERS), from,
			from->bytes ? from->count : 0, (double)from->bytes);
	rc = keep_reason(diff, time, from->reason);
	return rc ? rc : keep_reason(diff, total, from->reason);
}

/* Of instances that add up what their sum has: it is there when all of them are. */
static int add_value(struct tacho_diff *diff, struct tacho__diff_cell *cell,
		     const struct tacho_column *columns, size_t line)
{
	size_t instances = columns->instance_count, first = line * instances;
	const uint64_t *counts = columns[TACHO_STATISTIC_COUNT].data.u64 + first;
	const uint64_t *measured = columns[TACHO_STATISTIC_MEASURED].data.u64 + first;
	uint64_t count = 0, least = UINT64_MAX;
	int rc = 0;

	for (size_t i = 0; i < instances && !rc; i++) {
		if (!tacho_column_is_present(columns, i))
			continue;
		count = counts[i] > count ? counts[i] : count;
		least = measured[i] < least ? measured[i] : least;
		if (measured[i])
			cell->state = tacho__state_worse(cell->state,
							 tacho_column_get_state(columns, line, i));
		rc = keep_reason(diff, cell, tacho_column_get_note(columns, line, i));
	}
	cell->count += count;
	cell->measured += least < count ? least : count;
	return rc;
}

static bool adds_up(const struct tacho__diff_run *run, size_t counter)
{
	return tacho__semantic_adds_up(
		tacho_recording_get_counter(run->recording, counter)->semantic);
}

static int add_values(struct tacho_diff *diff, size_t run, struct tacho__diff_line *line,
		      const struct tacho_summary *summary, size_t index)
{
	const struct tacho__diff_run *from = &diff->runs[run];
	int rc = 0;

	for (size_t i = 0; i < from->counter_count && !rc; i++) {
		const struct tacho_column *columns =
			tacho_summary_get_columns(summary, diff->key, i);
		struct tacho__diff_kind *kind = &diff->kinds[from->counters[i]];
		struct tacho__diff_cell *cell =
			tacho__diff_get_cell(diff, line, run, from->counters[i]);

		if (columns->dimension_count && !adds_up(from, i))
			kind->has_no_sum = 1;
		else
			rc = add_value(diff, cell, columns, index);
	}
	return rc;
}

/* `diff` knows whether this run is one of several, whose means are compared. */
static int finish_cell(const struct tacho_diff *diff, struct tacho__diff_cell *cell,
		       struct tacho__series *series)
{
	size_t count = series->count;
	double *values;

	if (!count) {
		if (!cell->measured)
			cell->state = TACHO_STATE_ABSENT;
		return 0;
	}
	values = malloc(2 * count * sizeof(*values));
	if (!values)
		return tacho__diff_fail_memory();
	tacho__series_sort(series);
	for (size_t i = 0; i < count; i++)
		values[i] = series->samples[i].value;
	tacho__wander_measure(values, count, values + count, &cell->wander);
	tacho__sort(values, count);
	cell->value = diff->run_count > 2 ? tacho__middle_mean(values, count)
					  : tacho__median(values, count);
	cell->gap = tacho__smallest_gap(values, count);
	cell->kept = count;
	cell->has_value = 1;
	free(values);
	return 0;
}

/* What sums are compared with is the mean of all, not the middle of some. */
static void take_mean(struct tacho_diff *diff, size_t run, struct tacho__diff_line *line)
{
	struct tacho__diff_cell *time = tacho__diff_get_cell(diff, line, run, TACHO__DIFF_TIME);
	const struct tacho__diff_cell *total =
		tacho__diff_get_cell(diff, line, run, TACHO__DIFF_TOTAL);

	if (!time->has_value || !total->measured)
		return;
	time->value = total->value / (double)total->measured;
	time->kept = time->measured;
	time->gap = 0;
}

static int finish_line(struct tacho_diff *diff, size_t run, struct tacho__diff_line *line)
{
	struct tacho__diff_run *from = &diff->runs[run];
	struct tacho__sampled *sampled = line->sampled;
	int rc = finish_cell(diff, tacho__diff_get_cell(diff, line, run, TACHO__DIFF_TIME),
			     &sampled->time);

	if (diff->is_of_means)
		take_mean(diff, run, line);
	for (size_t i = 0; i < sampled->value_count && i < from->counter_count && !rc; i++)
		rc = finish_cell(diff, tacho__diff_get_cell(diff, line, run, from->counters[i]),
				 &sampled->values[i]);
	line->items[from->side] += sampled->items;
	line->sized[from->side] += sampled->sized;
	line->sampled = NULL;
	return rc;
}

/* ---- runs ---- */

static int name_devices(struct tacho_diff *diff, struct tacho__diff_run *run,
			const struct tacho_summary *summary)
{
	const struct tacho_summary_device *use;
	struct tacho__buf *text = &diff->scratch;

	tacho__buf_clear(text);
	for (size_t i = 0; (use = tacho_summary_get_device(summary, i)); i++) {
		const char *driver = tacho_object_get(use->device, "driver");

		tacho__buf_printf(text, "%s%s", i ? ", " : "", use->device->name);
		if (driver && *driver)
			tacho__buf_printf(text, " (driver %s)", driver);
		run->has_busy = use->state != TACHO_STATE_ABSENT && !use->unknown_ns &&
				(!i || run->has_busy);
		run->has_unknown |= use->unknown_ns != 0;
		run->busy_ns += use->busy_ns;
		run->idle_ns += use->idle_ns;
	}
	if (text->failed)
		return tacho__diff_fail_memory();
	run->devices = tacho__diff_text(diff, tacho__buf_text(text));
	return run->devices ? 0 : TACHO_E_NOMEM;
}

/* Sums may lack them; 1 when it is not known how many. */
static uint64_t count_lost(const struct tacho_recording *recording,
			   const struct tacho_losses *losses)
{
	uint64_t calls = losses->no_window + losses->no_space + losses->nested + losses->too_big +
			 losses->no_thread + losses->unwritten + losses->missing +
			 losses->unreported;

	return calls ? calls : losses->unreadable || tacho_recording_get_fault(recording, 0);
}

static int take_facts(struct tacho_diff *diff, struct tacho__diff_run *run,
		      const struct tacho_summary *summary)
{
	run->totals = *tacho_summary_get_totals(summary);
	run->lost_calls = count_lost(run->recording, &run->totals.losses);
	return name_devices(diff, run, summary);
}

struct side {
	struct tacho_diff *diff;
	enum tacho_diff_side side;
};

/* Kernels that are one line share what is sampled of them. */
static const char *rename_line(void *user, const char *name)
{
	const struct side *side = user;
	int rc = 0;
	const struct tacho__diff_alias *alias =
		tacho__diff_get_alias(side->diff, side->side, name, &rc);

	return rc ? NULL : alias ? alias->line : name;
}

int tacho__diff_read_run(struct tacho_diff *diff, size_t run)
{
	struct side side = {diff, diff->runs[run].side};
	struct tacho_summary *summary = NULL;
	struct tacho__samples samples;
	struct tacho__diff_line *line;
	int rc;

	tacho__samples_init(&samples, diff->key, diff->by_name, diff->value_limit);
	samples.rename = rename_line;
	samples.rename_user = &side;
	rc = tacho__summary_create_sampled(diff->runs[run].recording, &samples, &summary);
	if (!rc)
		rc = take_facts(diff, &diff->runs[run], summary);
	for (size_t i = 0; !rc && i < summary->lines[diff->key].count; i++) {
		const struct tacho__line *from = summary->lines[diff->key].all[i];

		if (from->line.is_outside)
			continue; /* it has no time of a host */
		line = tacho__diff_get_line(diff, side.side, from->line.name, from->line.device);
		if (!line)
			rc = TACHO_E_NOMEM;
		if (!rc)
			rc = add_line(diff, run, line, &from->line);
		if (!rc)
			rc = add_values(diff, run, line, summary, i);
		if (!rc)
			line->sampled = from->sampled;
	}
	for (size_t i = 0; !rc && i < diff->line_count; i++)
		if (diff->lines[i]->sampled)
			rc = finish_line(diff, run, diff->lines[i]);
	tacho_summary_destroy(summary);
	tacho__samples_finish(&samples);
	return rc;
}
