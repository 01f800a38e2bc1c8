/* SPDX-License-Identifier: MIT */
/* Frames: how long they took, which were far longer than most, and what was in them. */
#include <stdlib.h>

#include <tacho/sys/json.h>

#include "cli.h"
#include "report/report.h"
#include "table.h"
#include "terminal.h"
#include "text.h"

static uint64_t duration_of(const struct tacho_frame *frame)
{
	return frame->end_ns - frame->start_ns;
}

/* ---- in an order ---- */

/* The longest first. */
static int compare(const void *left, const void *right)
{
	const struct tacho_frame *a = *(const struct tacho_frame *const *)left;
	const struct tacho_frame *b = *(const struct tacho_frame *const *)right;

	if (duration_of(a) != duration_of(b))
		return duration_of(a) > duration_of(b) ? -1 : 1;
	return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

/* Owned. */
static const struct tacho_frame **sort(const struct tacho_summary *summary, size_t *out_count)
{
	const struct tacho_frame **sorted;
	size_t count = 0;

	while (tacho_summary_get_frame(summary, count))
		count++;
	sorted = cli_alloc((count + 1) * sizeof(*sorted));
	for (size_t i = 0; i < count; i++)
		sorted[i] = tacho_summary_get_frame(summary, i);
	qsort(sorted, count, sizeof(*sorted), compare);
	*out_count = count;
	return sorted;
}

/* ---- in a sentence ---- */

char *cli_report_format_frames(const struct tacho_summary *summary)
{
	const struct tacho_frames *frames = tacho_summary_get_frames(summary);
	struct cli_number count, stutters, times[4];
	char *text;

	if (!frames)
		return NULL;
	text = cli_format("%s", cli_units_count(&count, frames->count));
	if (!frames->measured)
		return text;
	cli_append(&text, ": ", "half within %s, 95%% within %s, 99%% within %s",
		   cli_units_time(&times[0], frames->p50_ns, 3),
		   cli_units_time(&times[1], frames->p95_ns, 3),
		   cli_units_time(&times[2], frames->p99_ns, 3));
	if (frames->stutters)
		cli_append(&text, "; ", "%s stutter%s, the longest of %s",
			   cli_units_count(&stutters, frames->stutters),
			   frames->stutters == 1 ? "" : "s",
			   cli_units_time(&times[3], frames->max_ns, 3));
	else
		cli_append(&text, "; ", "no stutter");
	return text;
}

/* ---- in a table ---- */

static void add_row(struct cli_table *table, const struct tacho_frame *frame, bool has_series)
{
	struct cli_number number, time, device, submits, draws, dispatches, transfers, shown;
	const char *cells[10];
	size_t count = 0;

	cells[count++] = cli_units_count(&number, frame->number);
	if (has_series)
		cells[count++] = *frame->series ? frame->series : "-";
	cells[count++] = cli_units_time(&time, duration_of(frame), 3);
	cells[count++] = frame->measured ? cli_units_time(&device, frame->device_ns, 3) : "-";
	cells[count++] = cli_units_count(&submits, frame->submits);
	cells[count++] = cli_units_count(&draws, frame->draws);
	cells[count++] = cli_units_count(&dispatches, frame->dispatches);
	cells[count++] = cli_units_count(&transfers, frame->transfers);
	cells[count++] = cli_units_time(&shown, frame->shown_ns, 3);
	cells[count++] = frame->is_first ? "first" : frame->is_stutter ? "stutter" : "";
	cli_table_add(table, cells);
}

static void print_table(const struct tacho_frame *const *sorted, size_t shown, bool has_series,
			FILE *stream, unsigned width)
{
	struct cli_column columns[10] = {{"frame", true}};
	struct cli_table table;
	size_t count = 1;

	if (has_series)
		columns[count++] = (struct cli_column){"series", false};
	columns[count++] = (struct cli_column){"time", true};
	columns[count++] = (struct cli_column){"on devices", true};
	columns[count++] = (struct cli_column){"submits", true};
	columns[count++] = (struct cli_column){"draws", true};
	columns[count++] = (struct cli_column){"dispatches", true};
	columns[count++] = (struct cli_column){"transfers", true};
	columns[count++] = (struct cli_column){"showing", true};
	columns[count++] = (struct cli_column){"remark", false};
	cli_table_init(&table, columns, count);
	for (size_t i = 0; i < shown; i++)
		add_row(&table, sorted[i], has_series);
	cli_table_print(&table, stream, width);
	cli_table_finish(&table);
}

static void print_below(const struct tacho_frames *frames, size_t hidden, FILE *stream,
			unsigned width)
{
	struct cli_number numbers[2];

	if (hidden)
		fprintf(stream, "  and %s more (--top 0 shows all)\n",
			cli_units_count(&numbers[0], hidden));
	if (frames->unkept)
		cli_text_print(stream, 2, 4, width, "%s frames behind the first %s were not kept",
			       cli_units_count(&numbers[0], frames->unkept),
			       cli_units_count(&numbers[1], frames->count - frames->unkept));
	if (frames->stutters)
		cli_text_print(stream, 2, 4, width,
			       "a stutter took longer than %s, twice as long as the frame in the "
			       "middle",
			       cli_units_time(&numbers[0], frames->stutter_ns, 3));
}

void cli_report_print_frames(const struct cli_report *report, FILE *stream, unsigned width)
{
	const struct tacho_frames *frames = tacho_summary_get_frames(report->summary);
	const struct tacho_frame **sorted;
	size_t count, shown;

	cli_put_heading(stream, "Frames, longest first");
	if (!frames) {
		cli_text_print(stream, 2, 4, width,
			       "none: the program handed over no picture to be shown, and told of "
			       "no end of a frame");
		return;
	}
	sorted = sort(report->summary, &count);
	shown = report->top && report->top < count ? (size_t)report->top : count;
	print_table(sorted, shown, frames->series > 1, stream, width);
	print_below(frames, count - shown, stream, width);
	free(sorted);
}

/* ---- for programs ---- */

static void add_frame(struct tacho_json *json, const struct tacho_frame *frame)
{
	tacho_json_begin_object(json, NULL);
	tacho_json_add_unsigned(json, "process", frame->process->index);
	tacho_json_add_string(json, "series", frame->series);
	tacho_json_add_unsigned(json, "number", frame->number);
	tacho_json_add_unsigned(json, "start_ns", frame->start_ns);
	tacho_json_add_unsigned(json, "end_ns", frame->end_ns);
	tacho_json_add_bool(json, "first", frame->is_first != 0);
	tacho_json_add_bool(json, "stutter", frame->is_stutter != 0);
	tacho_json_add_unsigned(json, "submits", frame->submits);
	tacho_json_add_unsigned(json, "draws", frame->draws);
	tacho_json_add_unsigned(json, "dispatches", frame->dispatches);
	tacho_json_add_unsigned(json, "transfers", frame->transfers);
	tacho_json_add_unsigned(json, "commands", frame->commands);
	tacho_json_add_unsigned(json, "measured", frame->measured);
	tacho_json_add_known(json, "device_ns", frame->measured || !frame->commands,
			     frame->device_ns);
	tacho_json_add_unsigned(json, "shown_ns", frame->shown_ns);
	tacho_json_end(json);
}

static void add_sums(struct tacho_json *json, const struct tacho_frames *frames)
{
	static const struct tacho_frames none;
	bool is_known;

	if (!frames)
		frames = &none;
	is_known = frames->measured != 0;
	tacho_json_add_unsigned(json, "count", frames->count);
	tacho_json_add_unsigned(json, "series", frames->series);
	tacho_json_add_unsigned(json, "unkept", frames->unkept);
	tacho_json_add_unsigned(json, "measured", frames->measured);
	tacho_json_add_known(json, "total_ns", is_known, frames->total_ns);
	tacho_json_add_known(json, "min_ns", is_known, frames->min_ns);
	tacho_json_add_known(json, "p50_ns", is_known, frames->p50_ns);
	tacho_json_add_known(json, "p95_ns", is_known, frames->p95_ns);
	tacho_json_add_known(json, "p99_ns", is_known, frames->p99_ns);
	tacho_json_add_known(json, "max_ns", is_known, frames->max_ns);
	tacho_json_add_known(json, "stutter_ns", is_known, frames->stutter_ns);
	tacho_json_add_unsigned(json, "stutters", frames->stutters);
}

void cli_report_add_frames(struct tacho_json *json, const struct cli_report *report)
{
	const struct tacho_frames *frames = tacho_summary_get_frames(report->summary);
	const struct tacho_frame **sorted;
	size_t count;

	tacho_json_begin_object(json, "frames");
	add_sums(json, frames);
	if (report->key == TACHO_BY_FRAME) {
		sorted = sort(report->summary, &count);
		tacho_json_begin_array(json, "longest");
		for (size_t i = 0; i < count && (!report->top || i < report->top); i++)
			add_frame(json, sorted[i]);
		tacho_json_end(json);
		free(sorted);
	}
	tacho_json_end(json);
}
