/* SPDX-License-Identifier: MIT */
/* One page that shows a recording, by itself: docs/html.md. */
#include "format/html/html.h"

#include <stdbool.h>

#include "base/error.h"
#include "base/out_stream.h"
#include "base/text.h"
#include "format/format.h"
#include "format/html/html_gather.h"
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

static bool has_processes(const struct tacho__html *page)
{
	return tacho_summary_get_line_count(page->summary, TACHO_BY_PROCESS) != 0;
}

/* Else tables of it are all empty: above the totals stands why. */
static bool has_work(const struct tacho__html *page)
{
	return has_calls(page) || tacho_summary_get_totals(page->summary)->commands ||
	       has_ranges(page) || tacho__html_has_sampled(page) || tacho__html_has_memory(page);
}

static void put_navigation(const struct tacho__html *page)
{
	static const struct {
		const char *id, *title;
		bool (*is_there)(const struct tacho__html *page); /* NULL: always */
	} places[] = {
		{"spent", "Time", has_spent},
		{"totals", "Totals"},
		{"timeline", "Timeline", has_work},
		{"findings", "Findings", has_calls},
		{"notes", "Notes", tacho__html_has_notes},
		{"frames", "Frames", has_frames},
		{"ranges", "Ranges", has_ranges},
		{"kernels", "Kernels", has_work},
		{"occupancy", "Occupancy", has_occupancy},
		{"counters", "Counters", has_counters},
		{"sampled", "Over time", tacho__html_has_sampled},
		{"transfers", "Transfers", has_work},
		{"api", "API", has_work},
		{"queues", "Queues", has_work},
		{"threads", "Threads", has_work},
		{"processes", "Processes", has_processes},
		{"devices", "Devices", has_work},
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

/* What ran, but for its processes: these are there without. */
static void put_work(const struct tacho__html *page)
{
	static const enum tacho_summary_key keys[] = {TACHO_BY_API, TACHO_BY_QUEUE,
						      TACHO_BY_THREAD};

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
}

static int put_page(const struct tacho__html *page)
{
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
	if (has_work(page))
		tacho__html_put_timeline(page);
	tacho__html_put_findings(page);
	tacho__html_put_notes(page);
	rc = tacho__html_put_frames(page);
	if (rc)
		return rc;
	if (has_work(page))
		put_work(page);
	if (has_processes(page))
		tacho__html_put_lines(page, TACHO_BY_PROCESS);
	if (has_work(page))
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
	struct tacho__gathering gathering;
};

static int collect(struct tacho_recording *recording, struct collection *collection)
{
	struct tacho__gathering *gathering = &collection->gathering;
	int rc;

	tacho__gathering_begin(gathering);
	rc = tacho_report_create(recording, NULL, 0, &collection->summary, &collection->findings);
	rc = tacho__gathering_end(gathering, rc);
	return rc ? rc : tacho__timeline_color(gathering->timeline, collection->summary);
}

static int print_page(struct tacho_recording *recording, FILE *stream)
{
	struct collection collection = {.gathering = {.recording = recording,
						      .store_max = TACHO__HTML_STORE_MAX,
						      .has_groups = true}};
	int rc = collect(recording, &collection);

	if (!rc) {
		const struct tacho__html page = {
			.stream = stream,
			.recording = recording,
			.summary = collection.summary,
			.cursor = collection.gathering.cursor,
			.timeline = collection.gathering.timeline,
			.groups = collection.gathering.groups,
			.findings = collection.findings,
		};

		rc = put_page(&page);
	}
	tacho__gathering_finish(&collection.gathering);
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
