/* SPDX-License-Identifier: MIT */
/* How the page begins: what the wall time went to. */
#include "format/html/html.h"
#include "tacho/sys/units.h"

static void put_row(FILE *stream, const struct tacho_spent_part *part, uint64_t whole_ns)
{
	double percent = whole_ns ? 100.0 * (double)part->ns / (double)whole_ns : 0;
	char text[TACHO_UNITS_MAX];

	tacho__html_print(stream, "<tr><th scope=\"row\">%s", tacho_spent_get_title(part->spent));
	if (*part->function)
		tacho__html_print(stream, " <span class=\"name\">%s</span>", part->function);
	fputs("</th>", stream);
	tacho__html_put_number(stream, part->ns, tacho_units_time(text, part->ns, 3));
	tacho__html_put_share(stream, percent, tacho_units_share(text, part->ns, whole_ns));
	tacho__html_put_number(stream, part->calls,
			       part->calls ? tacho_units_count(text, part->calls) : "");
	fputs("</tr>\n", stream);
}

/* Whose calls these are, and how far the numbers can be trusted. */
static void put_remarks(const struct tacho__html *page, const struct tacho_breakdown *breakdown)
{
	FILE *stream = page->stream;
	char text[TACHO_UNITS_MAX];

	fputs("<ul class=\"reasons\">\n<li>host: no device was known to be busy", stream);
	if (breakdown->process)
		tacho__html_print(stream,
				  "; the calls are those of thread %u/%u, which was in the API "
				  "longest meanwhile",
				  breakdown->process->pid, breakdown->thread);
	fputs("</li>\n", stream);
	if (breakdown->untimed)
		tacho__html_print(stream,
				  "<li>devices were busy for longer: %s of their commands have no "
				  "times</li>\n",
				  tacho_units_count(text, breakdown->untimed));
	if (breakdown->uncertain_ns > breakdown->total_ns / 1000)
		tacho__html_print(stream,
				  "<li>at most %s stand in a wrong line: device times came "
				  "late</li>\n",
				  tacho_units_time(text, breakdown->uncertain_ns, 3));
	fputs("</ul>\n", stream);
}

void tacho__html_put_spent(const struct tacho__html *page)
{
	static const char *const names[] = {"what"};
	static const char *const numbers[] = {"time", "share", "calls"};
	const struct tacho_breakdown *breakdown = tacho_summary_get_breakdown(page->summary);
	const struct tacho_spent_part *part;
	FILE *stream = page->stream;

	if (!breakdown)
		return;
	tacho__html_begin_section(page, "spent", "Where the time went");
	tacho__html_print(stream, "<p><b>%s</b></p>\n", breakdown->headline);
	fputs("<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
	      "aria-labelledby=\"spent-title\">\n<table class=\"data\">\n<thead><tr>",
	      stream);
	tacho__html_put_titles(stream, false, names, 1);
	tacho__html_put_titles(stream, true, numbers, 3);
	fputs("</tr></thead>\n<tbody>\n", stream);
	for (size_t i = 0; (part = tacho_summary_get_spent(page->summary, i)); i++)
		if (part->ns >= breakdown->total_ns / 1000)
			put_row(stream, part, breakdown->total_ns);
	fputs("</tbody>\n</table>\n</div>\n", stream);
	put_remarks(page, breakdown);
	fputs("</section>\n", stream);
}
