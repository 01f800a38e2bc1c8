/* SPDX-License-Identifier: MIT */
/* Counters that were sampled beside the program: a table of what they were over their windows. */
#include <string.h>

#include "base/array.h"
#include "format/html/html.h"
#include "tacho/sys/units.h"

bool tacho__html_has_sampled(const struct tacho__html *page)
{
	return tacho_summary_get_sampled(page->summary, 0) != NULL;
}

static void put_value(FILE *stream, double value, const char *unit)
{
	char text[TACHO_UNITS_MAX];

	fprintf(stream, "<td class=\"num\" data-v=\"%.17g\">", value);
	tacho__html_print(stream, "%s%s</td>", tacho_units_value(text, value, unit),
			  strcmp(unit, "percent") == 0 ? "%" : "");
}

static void put_row(FILE *stream, const struct tacho_summary_sampled *sampled)
{
	const char *unit = sampled->counter->unit;
	const double values[] = {sampled->min, sampled->mean, sampled->max};
	char text[TACHO_UNITS_MAX];

	tacho__html_print(
		stream, "<tr><th scope=\"row\"><span class=\"name\">%s</span>%s</th><td>%s</td>",
		sampled->counter->name, sampled->sampling->is_simulated ? " [simulated]" : "",
		sampled->sampling->device);
	tacho__html_put_number(stream, sampled->sampling->window_ns,
			       tacho_units_time(text, sampled->sampling->window_ns, 3));
	tacho__html_put_number(stream, sampled->windows, tacho_units_count(text, sampled->windows));
	tacho__html_put_number(stream, sampled->absent + sampled->overflow,
			       tacho_units_count(text, sampled->absent + sampled->overflow));
	tacho__html_put_number(stream, sampled->sampling->lost,
			       tacho_units_count(text, sampled->sampling->lost));
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(values); i++)
		if (sampled->windows)
			put_value(stream, values[i], unit);
		else
			tacho__html_put_absent(stream, "no window has a value");
	tacho__html_print(stream, "<td>%s</td></tr>\n", unit);
}

void tacho__html_put_sampled(const struct tacho__html *page)
{
	static const char *const names[] = {"counter", "device"};
	static const char *const titles[] = {"asked for", "windows", "without", "lost",
					     "min",	  "mean",    "max"};
	static const char *const units[] = {"unit"};
	const struct tacho_summary_sampled *sampled;
	FILE *stream = page->stream;

	if (!tacho__html_has_sampled(page))
		return;
	tacho__html_begin_section(page, "sampled", "Counters over time");
	fputs("<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
	      "aria-labelledby=\"sampled-title\">\n<table class=\"data\">\n<caption>sampled beside "
	      "the program in windows of time; means of windows, each counts the same</caption>\n"
	      "<thead><tr>",
	      stream);
	tacho__html_put_titles(stream, false, names, TACHO__ARRAY_SIZE(names));
	tacho__html_put_titles(stream, true, titles, TACHO__ARRAY_SIZE(titles));
	tacho__html_put_titles(stream, false, units, TACHO__ARRAY_SIZE(units));
	fputs("</tr></thead>\n<tbody>\n", stream);
	for (size_t i = 0; (sampled = tacho_summary_get_sampled(page->summary, i)); i++)
		put_row(stream, sampled);
	fputs("</tbody></table></div>\n</section>\n", stream);
}
