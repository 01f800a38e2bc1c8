/* SPDX-License-Identifier: MIT */
/* What rules found, each with its evidence. */
#include "format/html/html.h"

#include "tacho/sys/units.h"

enum { SHOWN_MAX = 100 };

static void put_example(const struct tacho__html *page, const struct tacho_finding_example *example)
{
	const struct tacho_run *run = tacho_recording_get_run(page->recording);
	FILE *stream = page->stream;
	char text[TACHO_UNITS_MAX];

	tacho__html_print(stream, "<li><code>%s</code>, process %u, thread %u", example->function,
			  example->process ? example->process->pid : 0, example->thread);
	if (example->start_ns >= run->start_ns)
		tacho__html_print(stream, ", %s after the start",
				  tacho_units_time(text, example->start_ns - run->start_ns, 4));
	if (example->cost_ns)
		tacho__html_print(stream, ": %s", tacho_units_time(text, example->cost_ns, 3));
	tacho__html_print(stream, "%s%s</li>\n", *example->text ? ", " : "", example->text);
}

static void put_examples(const struct tacho__html *page, const struct tacho_finding *finding)
{
	if (!finding->example_count)
		return;
	fputs("<ul>\n", page->stream);
	for (size_t i = 0; i < finding->example_count; i++)
		put_example(page, &finding->examples[i]);
	fputs("</ul>\n", page->stream);
}

/* One line that opens. */
static void put_finding(const struct tacho__html *page, const struct tacho_finding *finding)
{
	const char *severity =
		finding->is_remark ? "remark" : tacho_severity_to_string(finding->rule->severity);
	FILE *stream = page->stream;
	char low[TACHO_UNITS_MAX], high[TACHO_UNITS_MAX];

	tacho__html_print(stream,
			  "<details class=\"finding %s\"><summary><b class=\"severity\">%s</b> %s "
			  "<small>%s, ",
			  severity, severity, finding->message, finding->rule->name);
	tacho__html_put_count(page, finding->count, "time", "times");
	tacho_units_time(low, finding->gain_low_ns, 3);
	tacho_units_time(high, finding->gain_high_ns, 3);
	if (finding->has_gain && finding->gain_low_ns == finding->gain_high_ns)
		tacho__html_print(stream, ", %s to gain", high);
	else if (finding->has_gain && finding->gain_low_ns)
		tacho__html_print(stream, ", %s to %s to gain", low, high);
	else if (finding->has_gain)
		tacho__html_print(stream, ", at most %s to gain", high);
	tacho__html_print(stream, "</small></summary>\n<p>%s%s", finding->rule->summary,
			  *finding->subject ? ": " : "");
	if (*finding->subject)
		tacho__html_print(stream, "<span class=\"subject\">%s</span>", finding->subject);
	tacho__html_print(stream, "</p>\n<p><b>%s</b></p>\n", finding->rule->cure);
	put_examples(page, finding);
	fputs("</details>\n", stream);
}

static void put_notes(const struct tacho__html *page)
{
	const char *note;
	size_t told = 0;

	for (size_t i = 0; (note = tacho_findings_get_note(page->findings, i)); i++) {
		if (!told++)
			fputs("<details><summary>What could not be judged</summary><ul>\n",
			      page->stream);
		tacho__html_print(page->stream, "<li>%s</li>\n", note);
	}
	if (told)
		fputs("</ul></details>\n", page->stream);
}

void tacho__html_put_findings(const struct tacho__html *page)
{
	size_t count;
	FILE *stream = page->stream;

	if (!tacho_summary_get_totals(page->summary)->calls)
		return;
	tacho__html_begin_section(page, "findings", "Findings");
	count = tacho_findings_get_count(page->findings);
	if (count) {
		for (size_t i = 0; i < count && i < SHOWN_MAX; i++)
			put_finding(page, tacho_findings_get(page->findings, i));
	} else {
		fputs("<p class=\"none\">no rule found anything</p>\n", stream);
	}
	if (count > SHOWN_MAX)
		fprintf(stream, "<p class=\"rest\">and %zu more</p>\n", count - SHOWN_MAX);
	put_notes(page);
	fputs("</section>\n", stream);
}
