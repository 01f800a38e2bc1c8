/* SPDX-License-Identifier: MIT */
/* One page that shows a recording, by itself: docs/html.md. */
#include "format/html/html.h"

#include <stdbool.h>

#include "base/error.h"
#include "base/out_stream.h"
#include "base/text.h"
#include "format/format.h"
#include "tacho/sys/report.h"
#include "tacho/sys/units.h"

void tacho__html_put_count(const struct tacho__html *page, uint64_t count, const char *one,
			   const char *many)
{
	char text[TACHO_UNITS_MAX];

	tacho__html_print(page->stream, "%s %s", tacho_units_count(text, count),
			  count == 1 ? one : many);
}

void tacho__html_begin_section(const struct tacho__html *page, const char *id, const char *title)
{
	tacho__html_print(page->stream,
			  "<section id=\"%s\" aria-labelledby=\"%s-title\">\n"
			  "<h2 id=\"%s-title\">%s</h2>\n",
			  id, id, id, title);
}

static bool has_calls(const struct tacho__html *page)
{
	return tacho_summary_get_totals(page->summary)->calls != 0;
}

static bool has_counters(const struct tacho__html *page)
{
	return tacho_recording_get_counting(page->recording) != NULL;
}

static bool has_occupancy(const struct tacho__html *page)
{
	return tacho__groups_are_known(page->groups);
}

static bool has_spent(const struct tacho__html *page)
{
	return tacho_summary_get_breakdown(page->summary) != NULL;
}

static bool has_ranges(const struct tacho__html *page)
{
	return tacho_summary_get_line_count(page->summary, TACHO_BY_RANGE) != 0;
}

static bool has_frames(const struct tacho__html *page)
{
	return tacho_summary_get_frames(page->summary) != NULL;
}

static void put_navigation(const struct tacho__html *page)
{
	static const struct {
		const char *id, *title;
		bool (*is_there)(const struct tacho__html *page); /* NULL: always */
	} places[] = {
		{"totals", "Totals"},
		{"spent", "Time", has_spent},
		{"timeline", "Timeline"},
		{"findings", "Findings", has_calls},
		{"notes", "Notes", tacho__html_has_notes},
		{"frames", "Frames", has_frames},
		{"ranges", "Ranges", has_ranges},
		{"kernels", "Kernels"},
		{"occupancy", "Occupancy", has_occupancy},
		{"counters", "Counters", has_counters},
		{"sampled", "Over time", tacho__html_has_sampled},
		{"transfers", "Transfers"},
		{"api", "API"},
		{"queues", "Queues"},
		{"threads", "Threads"},
		{"processes", "Processes"},
		{"devices", "Devices"},
		{"memory", "Memory", tacho__html_has_memory},
		{"source", "Source"},
		{"commands", "Commands"},
	};

	fputs("<nav aria-label=\"Sections\"><ul>", page->stream);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (!places[i].is_there || places[i].is_there(page))
			fprintf(page->stream, "<li><a href=\"#%s\">%s</a></li>", places[i].id,
				places[i].title);
	fputs("</ul></nav>\n", page->stream);
}

static int put_page(const struct tacho__html *page)
{
	static const enum tacho_summary_key keys[] = {TACHO_BY_API, TACHO_BY_QUEUE, TACHO_BY_THREAD,
						      TACHO_BY_PROCESS};
	const struct tacho_run *run = tacho_recording_get_run(page->recording);
	FILE *stream = page->stream;
	int rc;

	tacho__html_put_head(stream,
			     *run->application ? tacho__base_name(run->application) : "recording");
	fputs("<body>\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n", stream);
	tacho__html_put_run(page);
	put_navigation(page);
	fputs("<main id=\"main\">\n", stream);
	rc = tacho__html_put_lost(page);
	if (rc)
		return rc;
	tacho__html_put_spent(page);
	tacho__html_put_totals(page);
	tacho__html_put_timeline(page);
	tacho__html_put_findings(page);
	tacho__html_put_notes(page);
	rc = tacho__html_put_frames(page);
	if (rc)
		return rc;
	if (has_ranges(page))
		tacho__html_put_lines(page, TACHO_BY_RANGE);
	tacho__html_put_lines(page, TACHO_BY_KERNEL);
	tacho__html_put_spreads(page);
	tacho__html_put_occupancy(page);
	tacho__html_put_values(page);
	tacho__html_put_sampled(page);
	tacho__html_put_lines(page, TACHO_BY_TRANSFER);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		tacho__html_put_lines(page, keys[i]);
	tacho__html_put_devices(page);
	tacho__html_put_memory(page);
	tacho__html_put_source(page);
	tacho__html_put_commands(page);
	tacho__html_print(stream,
			  "</main>\n<footer><p>Written by tacho %s from a recording that was made "
			  "by %s. It needs no network and loads nothing.</p></footer>\n",
			  TACHO_VERSION, *run->generator ? run->generator : "an unknown program");
	tacho__html_put_timeline_data(page);
	tacho__html_put_scripts(stream);
	return 0;
}

/* What is collected of all calls; the page borrows it. */
struct collection {
	struct tacho_summary *summary;
	struct tacho_findings *findings;
	struct tacho_cursor *cursor;
	struct tacho__timeline *timeline;
	struct tacho__groups *groups;
};

static int take_call(void *user, struct tacho_cursor *cursor, const struct tacho_call *call)
{
	struct collection *collection = user;
	int rc = tacho__timeline_add(collection->timeline, cursor, call);

	return rc || !call->command ? rc : tacho__groups_add(collection->groups, call->command);
}

static int collect(struct tacho_recording *recording, struct collection *collection)
{
	int rc = tacho_report_create(recording, NULL, 0, &collection->summary,
				     &collection->findings);

	if (!rc)
		rc = tacho_cursor_open(recording, &collection->cursor);
	if (!rc)
		rc = tacho__timeline_create(recording, collection->summary, collection->summary,
					    TACHO__HTML_STORE_MAX, &collection->timeline);
	if (!rc)
		rc = tacho__groups_create(collection->cursor, &collection->groups);
	if (!rc) {
		tacho_cursor_on_range(collection->cursor, tacho__timeline_add_range,
				      collection->timeline);
		tacho_cursor_on_window(collection->cursor, tacho__timeline_add_window,
				       collection->timeline);
		tacho_cursor_on_memory(collection->cursor, tacho__timeline_add_memory,
				       collection->timeline);
		rc = tacho__format_each_call(collection->cursor, take_call, collection);
	}
	return rc ? rc : tacho__timeline_complete(collection->timeline);
}

static int print_page(struct tacho_recording *recording, FILE *stream)
{
	struct collection collection = {0};
	int rc = collect(recording, &collection);

	if (!rc) {
		const struct tacho__html page = {
			.stream = stream,
			.recording = recording,
			.summary = collection.summary,
			.cursor = collection.cursor,
			.timeline = collection.timeline,
			.groups = collection.groups,
			.findings = collection.findings,
		};

		rc = put_page(&page);
	}
	tacho__groups_destroy(collection.groups);
	tacho__timeline_destroy(collection.timeline);
	tacho_cursor_close(collection.cursor);
	tacho_findings_destroy(collection.findings);
	tacho_summary_destroy(collection.summary);
	return rc;
}

static int count_bytes(void *sum, const void *bytes, size_t size)
{
	*(uint64_t *)sum += size;
	return 0;
}

/* The page itself, written to nowhere: it is small, and reading the recording is what takes time.
 */
static int estimate_html(struct tacho_recording *recording, uint64_t *out_bytes)
{
	uint64_t bytes = 0;
	const struct tacho_sink counter = {count_bytes, &bytes};
	FILE *stream = tacho__stream_open_sink(&counter);
	int rc = stream ? print_page(recording, stream) : TACHO_E_NOMEM;

	if (stream)
		fclose(stream);
	if (!rc)
		*out_bytes = bytes;
	return rc;
}

const struct tacho__format tacho__format_html = {
	.format = {.name = "html",
		   .summary = "one page for a browser, with tables and a timeline (docs/html.md)",
		   .suffixes = ".html",
		   .is_stream = 1},
	.print = print_page,
	.estimate = estimate_html,
};
