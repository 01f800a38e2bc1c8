/* SPDX-License-Identifier: MIT */
/* The page of a comparison: two runs on one scale of time, and what changed. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "analyze/diff/diff.h"
#include "base/array.h"
#include "base/error.h"
#include "base/fs.h"
#include "base/out_stream.h"
#include "base/text.h"
#include "format/format.h"
#include "format/html/html.h"
#include "format/html/html_gather.h"
#include "format/html/html_timeline.h"
#include "tacho/sys/units.h"

/* A side: its first run is drawn. */
struct side {
	struct tacho_recording *recording;
	struct tacho_summary *summary;
	struct tacho__gathering gathering;
};

struct page {
	FILE *stream;
	const struct tacho_diff *diff;
	struct side sides[2];
};

static const char *const letters[] = {"A", "B"};

/* ---- numbers ---- */

static void put_value(FILE *stream, const struct tacho_diff_value *value, const char *unit)
{
	char text[TACHO_UNITS_MAX];

	if (!value->has_value) {
		tacho__html_put_absent(stream, value->reason);
		return;
	}
	fprintf(stream, "<td class=\"num\" data-v=\"%.17g\">", value->value);
	tacho__html_print(stream, "%s%s</td>", tacho_units_value(text, value->value, unit),
			  strcmp(unit, "percent") == 0 ? "%" : "");
}

/* As the text of tacho diff has it: from a doubling on, how many times. */
static void put_percent(FILE *stream, double change)
{
	if (change >= 1)
		fprintf(stream, change >= 9999 && change < 1e9 ? "x %.0f" : "x %.4g", 1 + change);
	else
		fprintf(stream, "%+.1f%%", 100 * change);
}

/* A bar to the left for less, to the right for more; a doubling fills its half. */
static void put_change(FILE *stream, const struct tacho_diff_measure *measure)
{
	double half = fmin(fabs(measure->change), 1) * 50;
	bool is_sure = measure->verdict == TACHO_DIFF_DIFFERS;

	if (!measure->has_change || !isfinite(measure->change)) {
		tacho__html_put_absent(stream, measure->has_difference
						       ? "A is 0: there is no share of it"
						       : "a side has no number");
		return;
	}
	fprintf(stream,
		"<td class=\"num share\" data-v=\"%.9g\"><svg class=\"bar %s\" viewBox=\"0 0 100 "
		"4\" preserveAspectRatio=\"none\" aria-hidden=\"true\" focusable=\"false\"><rect "
		"x=\"%.2f\" width=\"%.2f\" height=\"4\"/></svg>",
		measure->change,
		!is_sure	      ? "unsure"
		: measure->change > 0 ? "more"
				      : "less",
		measure->change < 0 ? 50 - half : 50, half);
	put_percent(stream, measure->change);
	fputs("</td>", stream);
}

static void put_interval(FILE *stream, const struct tacho_diff_measure *measure)
{
	if (measure->has_interval) {
		fprintf(stream, "<td class=\"num\" data-v=\"%.9g\">", measure->low);
		put_percent(stream, measure->low);
		fputs(" to ", stream);
		put_percent(stream, measure->high);
		fputs("</td>", stream);
	} else {
		tacho__html_put_absent(stream, "too few values for an interval");
	}
}

static void put_p(FILE *stream, const struct tacho_diff_measure *measure)
{
	if (measure->has_p)
		fprintf(stream, "<td class=\"num\" data-v=\"%.9g\">%.2g</td>", measure->adjusted_p,
			measure->adjusted_p);
	else
		tacho__html_put_absent(stream, "not tested");
}

/* What can be said of it, in words for people. */
static void put_verdict(FILE *stream, const struct tacho_diff_measure *measure)
{
	static const struct {
		const char *text, *hint;
	} words[] = {
		[TACHO_DIFF_UNKNOWN] = {"unknown", "a side has no number, or a wrong one"},
		[TACHO_DIFF_FEW] = {"too few", "too few values for an interval"},
		[TACHO_DIFF_SAME] = {"same", "all values are the same number"},
		[TACHO_DIFF_NOISE] = {"noise", "the interval holds 0"},
		[TACHO_DIFF_DRIFT] = {"drift", "a run rose or fell by itself, and one run a side "
					       "is no proof"},
		[TACHO_DIFF_DIFFERS] = {"differs", "by more than noise"},
		[TACHO_DIFF_UNSURE] = {"unsure", "the interval lies beside 0, but one run a side "
						 "is no proof"},
	};
	const char *more = measure->change > 0 ? "more" : "less";

	tacho__html_print(stream, "<td><span class=\"verdict %s\" title=\"%s\">%s%s%s</span></td>",
			  measure->verdict == TACHO_DIFF_DIFFERS ? more : "unsure",
			  words[measure->verdict].hint, words[measure->verdict].text,
			  measure->verdict == TACHO_DIFF_DIFFERS && measure->has_change ? ", " : "",
			  measure->verdict == TACHO_DIFF_DIFFERS && measure->has_change ? more
											: "");
}

static void put_measure(FILE *stream, const struct tacho_diff_measure *measure)
{
	put_value(stream, &measure->sides[0], measure->unit);
	put_value(stream, &measure->sides[1], measure->unit);
	put_change(stream, measure);
	put_interval(stream, measure);
	put_p(stream, measure);
	put_verdict(stream, measure);
}

/* ---- sections ---- */

static void begin_section(const struct page *page, const char *id, const char *title)
{
	const struct tacho__html shared = {.stream = page->stream};

	tacho__html_begin_section(&shared, id, title);
}

static void begin_table(const struct page *page, const char *id, const char *caption)
{
	tacho__html_print(page->stream,
			  "<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
			  "aria-labelledby=\"%s-title\">\n<table class=\"data\">\n"
			  "<caption>%s</caption>\n<thead><tr>",
			  id, caption);
}

static void put_top(const struct page *page)
{
	FILE *stream = page->stream;

	fputs("<header>\n<h1>A and B compared</h1>\n<dl class=\"facts\">\n", stream);
	for (int side = 0; side < 2; side++) {
		const struct tacho_run *run = tacho_recording_get_run(page->sides[side].recording);
		size_t count = page->diff->side_runs[side];

		tacho__html_print(stream, "<div><dt>%s</dt><dd>%s", letters[side],
				  tacho_recording_get_path(page->sides[side].recording));
		if (count > 1)
			tacho__html_print(stream, " and %zu more", count - 1);
		tacho__html_print(stream, ": <code>%s%s%s</code></dd></div>\n",
				  tacho__base_name(run->application), *run->arguments ? " " : "",
				  run->arguments);
	}
	fputs("</dl>\n</header>\n"
	      "<nav aria-label=\"Sections\"><ul><li><a href=\"#totals\">Totals</a></li><li><a "
	      "href=\"#timeline\">Timeline</a></li><li><a href=\"#changes\">Changes</a></li><li><a "
	      "href=\"#counters\">Counters</a></li><li><a href=\"#alone\">In one only</a></li><li>"
	      "<a href=\"#method\">Method</a></li></ul></nav>\n<main id=\"main\">\n",
	      stream);
}

static void put_warnings(const struct page *page)
{
	const char *warning = tacho_diff_get_warning(page->diff, 0);
	FILE *stream = page->stream;

	tacho__html_print(stream,
			  "<section id=\"conditions\" class=\"banner %s\" "
			  "aria-labelledby=\"conditions-title\">\n<h2 id=\"conditions-title\">%s"
			  "</h2>\n",
			  warning ? "warn" : "fine",
			  warning ? "Not the same in A and B" : "Same conditions");
	if (!warning)
		fputs("<p>Nothing is known to differ but the program.</p>\n", stream);
	else
		fputs("<ul>\n", stream);
	for (size_t i = 0; (warning = tacho_diff_get_warning(page->diff, i)); i++)
		tacho__html_print(stream, "<li>%s</li>\n", warning);
	fputs(tacho_diff_get_warning(page->diff, 0) ? "</ul>\n</section>\n" : "</section>\n",
	      stream);
}

static void put_total(FILE *stream, const char *name, const char *unit, const uint32_t has[2],
		      const double values[2])
{
	struct tacho_diff_measure measure = {
		.has_change = has[0] && has[1] && values[0] != 0,
		.has_difference = has[0] && has[1],
		.change = values[0] != 0 ? values[1] / values[0] - 1 : 0,
	};

	tacho__html_print(stream, "<tr><th scope=\"row\">%s</th>", name);
	for (int side = 0; side < 2; side++) {
		measure.sides[side] = (struct tacho_diff_value){
			.value = values[side], .has_value = has[side], .reason = "not recorded"};
		put_value(stream, &measure.sides[side], unit);
	}
	put_change(stream, &measure);
	fputs("</tr>\n", stream);
}

static void put_totals(const struct page *page)
{
	static const char *const titles[] = {"A", "B", "change"};
	const struct tacho_diff_totals *a = tacho_diff_get_totals(page->diff, TACHO_DIFF_A);
	const struct tacho_diff_totals *b = tacho_diff_get_totals(page->diff, TACHO_DIFF_B);
	const uint32_t always[] = {1, 1};
	const struct {
		const char *name, *unit;
		uint32_t has[2];
		double values[2];
	} lines[] = {
		{"wall time", "nanoseconds", {a->has_wall, b->has_wall}, {a->wall_ns, b->wall_ns}},
		{"device busy",
		 "nanoseconds",
		 {a->has_busy, b->has_busy},
		 {a->busy_ns, b->busy_ns}},
		{"device idle",
		 "nanoseconds",
		 {a->has_busy, b->has_busy},
		 {a->idle_ns, b->idle_ns}},
		{"API time", "nanoseconds", {always[0], always[1]}, {a->api_ns, b->api_ns}},
		{"API calls", "", {always[0], always[1]}, {a->calls, b->calls}},
		{"launches", "", {always[0], always[1]}, {a->launches, b->launches}},
		{"transfers", "", {always[0], always[1]}, {a->transfers, b->transfers}},
	};
	FILE *stream = page->stream;

	begin_section(page, "totals", "Whole runs");
	begin_table(page, "totals", "means over runs; not tested");
	fputs("<th scope=\"col\" data-sort=\"text\">total</th>", stream);
	tacho__html_put_titles(stream, true, titles, TACHO__ARRAY_SIZE(titles));
	fputs("</tr></thead>\n<tbody>\n", stream);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(lines); i++)
		put_total(stream, lines[i].name, lines[i].unit, lines[i].has, lines[i].values);
	fputs("</tbody></table></div>\n</section>\n", stream);
}

static void put_timeline(const struct page *page)
{
	FILE *stream = page->stream;

	begin_section(page, "timeline", "Timeline");
	fputs("<p>Both begin where their run began.</p>\n", stream);
	for (int side = 0; side < 2; side++) {
		const struct tacho__html shared = {
			.stream = stream, .timeline = page->sides[side].gathering.timeline};

		tacho__html_print(stream, "<p><b>%s</b> ", letters[side]);
		if (shared.timeline->has_any)
			tacho__html_put_exactness(&shared);
		else
			fputs("There is nothing to draw.", stream);
		fputs("</p>\n", stream);
	}
	fputs("<div id=\"chart\" hidden></div>\n"
	      "<noscript><p class=\"none\">The timeline is drawn by a script; all tables are "
	      "here without it.</p></noscript>\n</section>\n",
	      stream);
}

static void put_line_name(const struct page *page, const struct tacho_diff_line *line)
{
	tacho__html_print(page->stream, "<tr><th scope=\"row\"><span class=\"name\">%s</span>",
			  *line->name ? line->name : "(no name)");
	if (*line->name_b)
		tacho__html_print(page->stream,
				  " <small>in B, by %s: <span class=\"name\">%s</span></small>",
				  tacho_diff_match_to_string(line->match), line->name_b);
	tacho__html_print(page->stream, "</th><td>%s</td>", line->device);
}

static void put_titles(const struct page *page, const char *const *names, size_t count)
{
	static const char *const titles[] = {"A", "B", "change", "interval", "p"};

	tacho__html_put_titles(page->stream, false, names, count);
	tacho__html_put_titles(page->stream, true, titles, TACHO__ARRAY_SIZE(titles));
	fputs("<th scope=\"col\" data-sort=\"text\">that is</th></tr></thead>\n<tbody>\n",
	      page->stream);
}

static bool is_in_both(const struct tacho_diff_line *line)
{
	return line->is_in[0] && line->is_in[1];
}

static const char *get_things(const struct page *page)
{
	switch (page->diff->key) {
	case TACHO_BY_API: return "function";
	case TACHO_BY_TRANSFER: return "transfer";
	case TACHO_BY_QUEUE: return "queue";
	case TACHO_BY_RANGE: return "range";
	case TACHO_BY_GAP: return "gap";
	default: return "kernel";
	}
}

static void put_changes(const struct page *page)
{
	const char *const names[] = {get_things(page), "device", "measure"};
	const struct tacho_diff_line *line;
	FILE *stream = page->stream;
	size_t shown = 0, count = 0;

	begin_section(page, "changes", "Changes");
	begin_table(page, "changes", "of what both have, the largest difference of totals first");
	put_titles(page, names, TACHO__ARRAY_SIZE(names));
	for (size_t i = 0; (line = tacho_diff_get_line(page->diff, i)); i++) {
		if (!is_in_both(line) || count++ >= TACHO__HTML_ROWS_MAX)
			continue;
		for (size_t k = 0; k < line->measure_count; k++) {
			if (line->measures[k].is_counter)
				continue;
			put_line_name(page, line);
			tacho__html_print(stream, "<td>%s</td>", line->measures[k].name);
			put_measure(stream, &line->measures[k]);
			fputs("</tr>\n", stream);
		}
		shown++;
	}
	fputs("</tbody></table></div>\n", stream);
	if (!count)
		fputs("<p class=\"none\">nothing is in both</p>\n", stream);
	else if (count > shown)
		tacho__html_print(stream,
				  "<p class=\"rest\">and %zu more: <code>tacho diff A B "
				  "--csv</code> has all</p>\n",
				  count - shown);
	fputs("</section>\n", stream);
}

static void put_counters(const struct page *page)
{
	const char *const names[] = {get_things(page), "device", "counter"};
	const struct tacho_diff_line *line;
	FILE *stream = page->stream;
	size_t shown = 0;

	begin_section(page, "counters", "Counters, of a launch");
	for (size_t i = 0; (line = tacho_diff_get_line(page->diff, i)); i++)
		for (size_t k = 0; k < line->measure_count && shown < TACHO__HTML_ROWS_MAX; k++) {
			const struct tacho_diff_measure *measure = &line->measures[k];

			if (!is_in_both(line) || !measure->is_counter)
				continue;
			if (!shown++) {
				begin_table(page, "counters", "those that were recorded");
				put_titles(page, names, TACHO__ARRAY_SIZE(names));
			}
			put_line_name(page, line);
			tacho__html_print(stream, "<td>%s%s</td>", measure->name,
					  measure->is_simulated ? " [simulated]" : "");
			put_measure(stream, measure);
			fputs("</tr>\n", stream);
		}
	fputs(shown ? "</tbody></table></div>\n</section>\n"
		    : "<p class=\"none\">none were recorded</p>\n</section>\n",
	      stream);
}

static void put_alone(const struct page *page)
{
	static const char *const titles[] = {"time", "total", "count"};
	const char *const names[] = {get_things(page), "device", "only in"};
	const struct tacho_diff_line *line;
	FILE *stream = page->stream;
	size_t shown = 0;

	begin_section(page, "alone", "In one only");
	for (size_t i = 0; (line = tacho_diff_get_line(page->diff, i)); i++) {
		int side = line->is_in[1] ? 1 : 0;

		if (is_in_both(line) || shown >= TACHO__HTML_ROWS_MAX)
			continue;
		if (!shown++) {
			begin_table(page, "alone", "the longest first");
			tacho__html_put_titles(stream, false, names, TACHO__ARRAY_SIZE(names));
			tacho__html_put_titles(stream, true, titles, TACHO__ARRAY_SIZE(titles));
			fputs("</tr></thead>\n<tbody>\n", stream);
		}
		put_line_name(page, line);
		tacho__html_print(stream, "<td>%s</td>", letters[side]);
		for (size_t k = 0; k < TACHO__ARRAY_SIZE(titles); k++)
			put_value(stream, &line->measures[k].sides[side], line->measures[k].unit);
		fputs("</tr>\n", stream);
	}
	fputs(shown ? "</tbody></table></div>\n</section>\n"
		    : "<p class=\"none\">all is in both</p>\n</section>\n",
	      stream);
}

static void put_method(const struct page *page)
{
	const struct tacho_diff *diff = page->diff;
	FILE *stream = page->stream;

	begin_section(page, "method", "Method");
	if (diff->side_runs[0] > 1 && diff->side_runs[1] > 1)
		fprintf(stream,
			"<p>A and B are means over runs of the middle three quarters of the values "
			"of each run. The %s were compared by a t test, all lines together: of "
			"100 comparisons of equal programs %.4g show a change anywhere in a "
			"column, and the intervals hold together. \"noise\" is an interval that "
			"holds 0.</p>\n",
			diff->is_paired ? "ratios of pairs" : "runs", 100 * diff->level);
	else
		fprintf(stream,
			"<p>One run of a side cannot tell what differs from run to run, so no "
			"change is proved here. The intervals of one run a side take %.4g %% for "
			"that, and what each run did over its own length. \"noise\" is an interval "
			"that holds 0, \"unsure\" one beside 0, \"drift\" one beside 0 of a run "
			"that rose or fell by itself.</p>\n",
			100 * diff->run_effect);
	fputs("</section>\n</main>\n", stream);
	tacho__html_print(stream,
			  "<footer><p>Written by tacho %s. It needs no network and loads "
			  "nothing.</p></footer>\n",
			  TACHO_VERSION);
}

/* ---- the whole page ---- */

/* The same name has the same color in both: that of its rank in A. */
static int collect(struct page *page, int index)
{
	struct side *side = &page->sides[index];
	int rc;

	side->gathering.recording = side->recording;
	side->gathering.store_max = TACHO__HTML_STORE_MAX / 2;
	tacho__gathering_begin(&side->gathering);
	rc = tacho_summary_create(side->recording, &side->summary);
	rc = tacho__gathering_end(&side->gathering, rc);
	return rc ? rc : tacho__timeline_color(side->gathering.timeline, page->sides[0].summary);
}

static void put_page(const struct page *page)
{
	tacho__html_put_head(page->stream, "A and B compared");
	fputs("<body>\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n", page->stream);
	put_top(page);
	put_warnings(page);
	put_totals(page);
	put_timeline(page);
	put_changes(page);
	put_counters(page);
	put_alone(page);
	put_method(page);
	for (int side = 0; side < 2; side++) {
		const struct tacho__timeline_view view = {
			.stream = page->stream,
			.timeline = page->sides[side].gathering.timeline,
			.recording = page->sides[side].recording,
			.cursor = page->sides[side].gathering.cursor,
			.suffix = side ? "-b" : "-a",
			.title = letters[side],
		};

		tacho__timeline_put_data(&view);
	}
	tacho__html_put_scripts(page->stream);
}

int tacho_diff_export_to(const struct tacho_diff *diff, const struct tacho_sink *sink)
{
	struct page page = {.diff = diff};
	int rc = 0;

	if (!diff || !sink || !sink->write)
		return tacho__fail(TACHO_E_INVAL, "comparison or sink is missing", "",
				   "cannot write a page");
	page.sides[0].recording = diff->runs[0].recording;
	page.sides[1].recording = diff->runs[diff->side_runs[0]].recording;
	for (int side = 0; side < 2 && !rc; side++)
		rc = collect(&page, side);
	if (!rc) {
		page.stream = tacho__stream_open_sink(sink);
		rc = page.stream ? 0 : TACHO_E_NOMEM;
	}
	if (!rc) {
		put_page(&page);
		if (fclose(page.stream))
			rc = tacho__fs_fail(errno, "write", "the page");
	}
	for (int side = 0; side < 2; side++) {
		tacho__gathering_finish(&page.sides[side].gathering);
		tacho_summary_destroy(page.sides[side].summary);
	}
	return rc;
}
