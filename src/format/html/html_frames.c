/* SPDX-License-Identifier: MIT */
/* Frames: a row for each, the longest first. */
#include <stdlib.h>

#include "base/error.h"
#include "format/html/html.h"
#include "tacho/sys/units.h"

static uint64_t duration_of(const struct tacho_frame *frame)
{
	return frame->end_ns - frame->start_ns;
}

/* The longest first. */
static int compare(const void *left, const void *right)
{
	const struct tacho_frame *a = *(const struct tacho_frame *const *)left;
	const struct tacho_frame *b = *(const struct tacho_frame *const *)right;

	if (duration_of(a) != duration_of(b))
		return duration_of(a) > duration_of(b) ? -1 : 1;
	return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

/* Owned; NULL with the error set: no memory. */
static const struct tacho_frame **sort(const struct tacho_summary *summary, size_t *out_count)
{
	const struct tacho_frame **sorted;
	size_t count = 0;

	while (tacho_summary_get_frame(summary, count))
		count++;
	sorted = malloc((count + 1) * sizeof(*sorted));
	if (!sorted) {
		tacho__fail(TACHO_E_NOMEM, "", "", "no memory for frames");
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		sorted[i] = tacho_summary_get_frame(summary, i);
	qsort(sorted, count, sizeof(*sorted), compare);
	*out_count = count;
	return sorted;
}

static void put_count(FILE *stream, uint64_t count)
{
	char text[TACHO_UNITS_MAX];

	tacho__html_put_number(stream, count, tacho_units_count(text, count));
}

static void put_row(const struct tacho__html *page, const struct tacho_frame *frame,
		    bool has_series)
{
	uint64_t zero_ns = tacho_recording_get_run(page->recording)->start_ns;
	FILE *stream = page->stream;
	char text[TACHO_UNITS_MAX];

	fprintf(stream, "<tr><th scope=\"row\" class=\"num\" data-v=\"%llu\">%s</th>",
		(unsigned long long)frame->number, tacho_units_count(text, frame->number));
	if (has_series)
		tacho__html_print(stream, "<td>%s</td>", frame->series);
	if (frame->start_ns >= zero_ns)
		tacho__html_put_number(stream, frame->start_ns - zero_ns,
				       tacho_units_time(text, frame->start_ns - zero_ns, 4));
	else
		tacho__html_put_absent(stream, "it is not known when the run began");
	tacho__html_put_number(stream, duration_of(frame),
			       tacho_units_time(text, duration_of(frame), 3));
	if (frame->measured || !frame->commands)
		tacho__html_put_number(stream, frame->device_ns,
				       tacho_units_time(text, frame->device_ns, 3));
	else
		tacho__html_put_absent(stream, "no command has credible times");
	put_count(stream, frame->commands);
	put_count(stream, frame->draws);
	put_count(stream, frame->dispatches);
	put_count(stream, frame->transfers);
	put_count(stream, frame->submits);
	fprintf(stream, "<td>%s</td></tr>\n",
		frame->is_first	    ? "first"
		: frame->is_stutter ? "stutter"
				    : "");
}

static void put_head(FILE *stream, bool has_series)
{
	static const char *const number[] = {"frame"}, *const series[] = {"series"};
	static const char *const numbers[] = {"start", "time",	     "on devices", "commands",
					      "draws", "dispatches", "transfers",  "submits"};
	static const char *const remark[] = {"remark"};

	fputs("<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
	      "aria-labelledby=\"frames-title\">\n<table class=\"data\">\n<caption>from when one "
	      "picture was handed over to be shown to when the next one was, the longest first; on "
	      "devices: durations of the commands in it that have times</caption>\n<thead><tr>",
	      stream);
	tacho__html_put_titles(stream, true, number, 1);
	if (has_series)
		tacho__html_put_titles(stream, false, series, 1);
	tacho__html_put_titles(stream, true, numbers, sizeof(numbers) / sizeof(numbers[0]));
	tacho__html_put_titles(stream, false, remark, 1);
	fputs("</tr></thead>\n<tbody>\n", stream);
}

/* Behind the table: how many there are, and what a stutter is. */
static void put_remarks(const struct tacho__html *page, const struct tacho_frames *frames,
			size_t hidden)
{
	char text[2][TACHO_UNITS_MAX];

	fputs("<ul class=\"reasons\">\n<li>", page->stream);
	tacho__html_put_count(page, frames->count, "frame", "frames");
	if (frames->measured)
		tacho__html_print(page->stream, ": half within %s, 99%% within %s",
				  tacho_units_time(text[0], frames->p50_ns, 3),
				  tacho_units_time(text[1], frames->p99_ns, 3));
	fputs("</li>\n", page->stream);
	if (frames->stutters)
		tacho__html_print(page->stream,
				  "<li>%s stuttered: took longer than %s, twice as long as the "
				  "frame in the middle</li>\n",
				  tacho_units_count(text[0], frames->stutters),
				  tacho_units_time(text[1], frames->stutter_ns, 3));
	if (hidden)
		tacho__html_print(page->stream, "<li>%s more are shorter and not here</li>\n",
				  tacho_units_count(text[0], hidden));
	if (frames->unkept)
		tacho__html_print(page->stream,
				  "<li>%s came behind those that are kept, and are not here</li>\n",
				  tacho_units_count(text[0], frames->unkept));
	fputs("</ul>\n", page->stream);
}

int tacho__html_put_frames(const struct tacho__html *page)
{
	const struct tacho_frames *frames = tacho_summary_get_frames(page->summary);
	const struct tacho_frame **sorted;
	size_t count, shown;

	if (!frames)
		return 0;
	sorted = sort(page->summary, &count);
	if (!sorted)
		return TACHO_E_NOMEM;
	shown = count < TACHO__HTML_ROWS_MAX ? count : TACHO__HTML_ROWS_MAX;
	tacho__html_begin_section(page, "frames", "Frames");
	put_head(page->stream, frames->series > 1);
	for (size_t i = 0; i < shown; i++)
		put_row(page, sorted[i], frames->series > 1);
	fputs("</tbody></table></div>\n", page->stream);
	put_remarks(page, frames, count - shown);
	fputs("</section>\n", page->stream);
	free(sorted);
	return 0;
}
