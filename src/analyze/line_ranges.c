/* SPDX-License-Identifier: MIT */
/*
 * Lines by range: host times of ranges when they end, and what was given to devices in them. All
 * ranges of the same name in the same ranges, of one domain and kind, share a line, whatever thread
 * or process they are of. There are bounds, for a program may give each of its steps another name.
 */
#include <inttypes.h>
#include <string.h>

#include "analyze/summary.h"
#include "base/error.h"
#include "base/text.h"
#include "record/command.h"
#include "record/reader.h"
#include "record/told_ranges.h"

enum { LINES_MAX = 20000, TEXT_BYTES_MAX = 16 * 1024 * 1024 };

static const char outside[] = "(outside of ranges)", others[] = "(ranges of further names)";

/* Names of what lies around a range, and its own, with "/" between them. */
static void put_path(struct tacho__buf *text, const struct tacho_named_range *range)
{
	const struct tacho_named_range *path[TACHO__TOLD_DEPTH_MAX];
	size_t count = 0;

	for (; range && count < TACHO__TOLD_DEPTH_MAX; range = range->parent)
		path[count++] = range;
	while (count--) {
		tacho__buf_put(text, path[count]->name);
		if (count)
			tacho__buf_char(text, '/');
	}
}

/* Which of the names that launches are counted in have begun. */
static void note_names(struct tacho_summary *summary, const struct tacho_named_range *range)
{
	const struct tacho_recorded_counting *counting =
		tacho_recording_get_counting(summary->recording);

	if (!counting || range->kind == TACHO_RANGE_MARK)
		return;
	for (size_t i = 0; i < counting->range_count && i < TACHO__CHOSEN_RANGES_MAX; i++)
		if (tacho__recording_fits(summary->recording, counting->ranges[i], range->name))
			summary->ranges.begun |= UINT64_C(1) << i;
}

static struct tacho__line *make_line(struct tacho_summary *summary, const char *name)
{
	struct tacho__lines *lines = &summary->lines[TACHO_BY_RANGE];
	struct tacho__line *line = tacho__lines_make(summary, lines, name, NULL);

	if (!line)
		return NULL;
	line->line.domain = "";
	line->own_name = line->line.name;
	return line;
}

/* The one for all that find no line of their own. */
static struct tacho__line *get_others(struct tacho_summary *summary)
{
	if (!summary->ranges.others)
		summary->ranges.others = make_line(summary, others);
	return summary->ranges.others;
}

/* From now on durations of the line are kept, when such lines are asked for. */
static int sample_line(struct tacho_summary *summary, struct tacho__line *line)
{
	if (!summary->samples || summary->samples->key != TACHO_BY_RANGE)
		return 0;
	line->sampled = tacho__samples_get(summary->samples, line->line.name, line->line.device);
	return line->sampled ? 0 : TACHO_E_NOMEM;
}

/* `key` is kind, domain and path, each behind a line end. */
static struct tacho__line *add_line(struct tacho_summary *summary, const char *key,
				    const struct tacho_named_range *range)
{
	struct tacho__lines *lines = &summary->lines[TACHO_BY_RANGE];
	const char *known, *path = strchr(strchr(key, '\n') + 1, '\n') + 1;
	struct tacho__line *line;

	summary->ranges.bytes += 2 * strlen(key);
	if (lines->count >= LINES_MAX || summary->ranges.bytes > TEXT_BYTES_MAX)
		return get_others(summary);
	known = tacho__arena_string(&summary->arena, key);
	line = known ? make_line(summary, path) : NULL;
	if (!line)
		return NULL;
	line->line.range_kind = range->kind;
	line->own_name += strlen(path) - strlen(range->name); /* a path ends with it */
	line->line.domain = tacho__summary_text(summary, range->domain);
	if (range->kind != TACHO_RANGE_MARK && sample_line(summary, line))
		return NULL;
	return line->line.domain && !tacho__names_set(&lines->by_name, known, line) ? line : NULL;
}

/* NULL: no memory. */
static struct tacho__line *get_line(struct tacho_summary *summary,
				    const struct tacho_named_range *range)
{
	const size_t place = range->id % TACHO__RECENT_RANGES;
	struct tacho__recent_range *recent = &summary->ranges.recent[place];
	struct tacho__buf *text = &summary->scratch;
	struct tacho__line *line;

	if (recent->id == range->id)
		return recent->line;
	tacho__buf_clear(text);
	tacho__buf_signed(text, (int)range->kind);
	tacho__buf_char(text, '\n');
	tacho__buf_put(text, range->domain);
	tacho__buf_char(text, '\n');
	put_path(text, range);
	if (text->failed)
		return NULL;
	note_names(summary, range);
	line = tacho__names_get(&summary->lines[TACHO_BY_RANGE].by_name, tacho__buf_text(text));
	if (!line)
		line = add_line(summary, tacho__buf_text(text), range);
	*recent = (struct tacho__recent_range){line ? range->id : 0, line};
	return line;
}

/* ---- ends ---- */

static bool lacks_times(const struct tacho_named_range *range)
{
	return (range->kind == TACHO_RANGE_LABEL || range->kind == TACHO_RANGE_PASS) &&
	       !range->has_device_times;
}

static const char *why_untimed(const struct tacho_named_range *range)
{
	return range->kind == TACHO_RANGE_MARK ? "a mark is a moment"
					       : "no command in it has times";
}

static void count_time(struct tacho_summary_line *line, uint64_t duration_ns)
{
	line->total_ns += duration_ns;
	if (!line->measured || duration_ns < line->min_ns)
		line->min_ns = duration_ns;
	if (duration_ns > line->max_ns)
		line->max_ns = duration_ns;
	line->measured++;
}

void tacho__range_lines_end(void *user, const struct tacho_named_range *range)
{
	struct tacho_summary *summary = user;
	struct tacho__line *line = get_line(summary, range), *around;
	uint64_t duration_ns = range->end_ns - range->start_ns;

	tacho__frames_end(&summary->frames, &summary->arena, range);
	if (!line) {
		summary->ranges.has_failed = true;
		return;
	}
	if (range->kind == TACHO_RANGE_FRAME && range->is_open)
		return; /* it was never shown */
	line->line.count++;
	if (range->kind == TACHO_RANGE_MARK || lacks_times(range)) {
		line->line.reason = why_untimed(range);
		return;
	}
	count_time(&line->line, duration_ns);
	line->line.own_ns += duration_ns;
	if (line->sampled && !range->is_open &&
	    tacho__samples_add(summary->samples, &line->sampled->time, (double)duration_ns))
		summary->ranges.has_failed = true;
	summary->ranges.open += range->is_open;
	if (!range->parent)
		return;
	around = get_line(summary, range->parent);
	if (around)
		around->line.own_ns -= duration_ns; /* wraps until that one has ended, too */
	else
		summary->ranges.has_failed = true;
}

/* ---- calls ---- */

static int add_work(struct tacho_summary *summary, struct tacho__line *line,
		    const struct tacho_command *command)
{
	struct tacho_summary_line *info = &line->line;
	bool is_transfer = tacho__command_is_transfer(command);

	if (line->last_call == summary->ranges.calls)
		return 0; /* two ranges of the process with one name */
	line->last_call = summary->ranges.calls;
	info->launches += tacho__command_kernels(command);
	info->bytes += is_transfer && command->has_bytes ? command->bytes : 0;
	info->commands++;
	if (command->has_duration || command->state == TACHO_STATE_OK) {
		info->device_measured++;
		info->device_ns += command->has_duration ? command->duration_ns
							 : command->end_ns - command->start_ns;
	}
	return is_transfer ? 0 : tacho__line_values_add(summary, line, command);
}

/* It is no line before it is known that there are others. */
static struct tacho__line *get_outside(struct tacho_summary *summary)
{
	struct tacho__line *line = summary->ranges.outside;

	if (line)
		return line;
	line = tacho__arena_get(&summary->arena, sizeof(*line));
	if (!line)
		return NULL;
	line->of = &summary->lines[TACHO_BY_RANGE];
	line->line = (struct tacho_summary_line){
		.name = outside, .device = "", .reason = "", .domain = "", .is_outside = 1};
	summary->ranges.outside = line;
	return line;
}

int tacho__range_lines_add_call(struct tacho_summary *summary, const struct tacho_call *call)
{
	struct tacho__line *line;
	int rc = 0;

	if (!call->command)
		return 0;
	summary->ranges.calls++;
	for (size_t i = 0; i < call->range_count && !rc; i++) {
		line = get_line(summary, call->ranges[i]);
		rc = line ? add_work(summary, line, call->command) : TACHO_E_NOMEM;
	}
	if (call->range_count)
		return rc;
	line = get_outside(summary);
	return line ? add_work(summary, line, call->command) : TACHO_E_NOMEM;
}

int tacho__range_lines_complete(struct tacho_summary *summary)
{
	struct tacho__lines *lines = &summary->lines[TACHO_BY_RANGE];
	struct tacho__line *line = summary->ranges.outside;
	int rc = 0;

	for (size_t i = 0; i < lines->count && !rc; i++)
		if (lines->all[i]->line.range_kind == TACHO_RANGE_PASS)
			rc = tacho__lines_add(&summary->lines[TACHO_BY_PASS], lines->all[i]);
	return !rc && line && lines->count ? tacho__lines_add(lines, line) : rc;
}

/* ---- notes ---- */

/* Names that --range takes, each once. NOMEM. */
static int list_names(const struct tacho_summary *summary, struct tacho__buf *text)
{
	enum { SHOWN = 3 };
	const struct tacho__lines *lines = &summary->lines[TACHO_BY_RANGE];
	struct tacho__names seen = {0};
	size_t count = 0;
	int rc = 0;

	for (size_t i = 0; i < lines->count && !rc; i++) {
		struct tacho__line *line = lines->all[i];

		if (line->line.is_outside || line->line.range_kind == TACHO_RANGE_MARK ||
		    tacho__names_get(&seen, line->own_name))
			continue;
		rc = tacho__names_set(&seen, line->own_name, line);
		if (count++ < SHOWN)
			tacho__buf_printf(text, "%s%s", count > 1 ? ", " : "", line->own_name);
	}
	if (count > SHOWN)
		tacho__buf_printf(text, ", %zu other%s", count - SHOWN,
				  tacho__plural(count - SHOWN));
	tacho__names_finish(&seen);
	return text->failed ? tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a note") : rc;
}

static int tell_missing(struct tacho_summary *summary, const char *pattern)
{
	struct tacho__buf names = {0};
	int rc = list_names(summary, &names);

	if (!rc)
		rc = tacho__note_add(
			summary, "No range named \"%s\" began, so none chose launches. %s%s.",
			pattern, names.size ? "Ranges that did: " : "The program named no range",
			tacho__buf_text(&names));
	tacho__buf_finish(&names);
	return rc;
}

int tacho__notes_tell_ranges(struct tacho_summary *summary)
{
	const struct tacho_recorded_counting *counting =
		tacho_recording_get_counting(summary->recording);
	size_t count = counting ? counting->range_count : 0;
	int rc = 0;

	for (size_t i = 0; i < count && i < TACHO__CHOSEN_RANGES_MAX && !rc; i++)
		if (!(summary->ranges.begun >> i & 1))
			rc = tell_missing(summary, counting->ranges[i]);
	if (!rc && summary->ranges.open)
		rc = tacho__note_add(
			summary,
			"%" PRIu64 " named range%s not ended when recording did: %s time is up to "
			"the last thing that is known of the process.",
			summary->ranges.open, summary->ranges.open == 1 ? " had" : "s had",
			summary->ranges.open == 1 ? "its" : "their");
	if (!rc && summary->ranges.others)
		rc = tacho__note_add(summary, "There are too many names of ranges to show each: "
					      "the rest share a line.");
	return rc;
}
