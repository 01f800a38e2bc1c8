/* SPDX-License-Identifier: MIT */
/* The ranked tables: ranges, kernels, transfers, API functions, queues, threads, processes. */
#include "format/html/html.h"

#include <stdbool.h>
#include <string.h>

#include "tacho/sys/units.h"

/* What a column shows of a line. */
enum show {
	SHOW_NAME,
	SHOW_DEVICE,
	SHOW_PID,
	SHOW_THREAD,
	SHOW_COUNT,
	SHOW_LAUNCHES,
	SHOW_FAILED,
	SHOW_TOTAL,
	SHOW_SHARE,
	SHOW_AVERAGE,
	SHOW_MIN,
	SHOW_MAX,
	SHOW_SPREAD,
	SHOW_FIRST,
	SHOW_BYTES,
	SHOW_RATE,
	SHOW_DOMAIN,
	SHOW_OWN,
	SHOW_ON_DEVICES,
	SHOW_END
};

static const struct {
	const char *title, *hint;
	bool is_text;
} shows[] = {
	[SHOW_NAME] = {"", "", true},
	[SHOW_DEVICE] = {"device", "", true},
	[SHOW_PID] = {"process", "id of the process", false},
	[SHOW_THREAD] = {"thread", "id of the thread", false},
	[SHOW_COUNT] = {"calls", "", false},
	[SHOW_LAUNCHES] = {"launches", "kernels that ran by them", false},
	[SHOW_FAILED] = {"failed", "calls that the API failed", false},
	[SHOW_TOTAL] = {"total", "sum of the durations", false},
	[SHOW_SHARE] = {"share", "of the sum of this table", false},
	[SHOW_AVERAGE] = {"average", "mean duration", false},
	[SHOW_MIN] = {"min", "shortest", false},
	[SHOW_MAX] = {"max", "longest", false},
	[SHOW_SPREAD] = {"spread", "how often each duration occurs, from min to max", true},
	[SHOW_FIRST] = {"first", "the first launch: often it contains compilation", false},
	[SHOW_BYTES] = {"bytes", "of those whose size is known", false},
	[SHOW_RATE] = {"rate", "bytes for each second of transfers", false},
	[SHOW_DOMAIN] = {"domain", "the part of the program that named it", true},
	[SHOW_OWN] = {"own", "of the total, what lies in no range within it", false},
	[SHOW_ON_DEVICES] = {"on devices", "durations of what was given to devices in it", false},
};

/* A table: which lines, under which heading, with which columns. */
struct layout {
	const char *id, *title, *caption;
	const char *name_title, *count_title;
	const char *one, *many; /* of the lines */
	const char *without_times;
	enum show shows[14];
};

#define SHOWS(...)                    \
	{                             \
		__VA_ARGS__, SHOW_END \
	}

static const struct layout layouts[] = {
	[TACHO_BY_KERNEL] = {"kernels", "Kernels", "by device time", "kernel", "launches", "kernel",
			     "kernels", "launches",
			     SHOWS(SHOW_NAME, SHOW_DEVICE, SHOW_COUNT, SHOW_TOTAL, SHOW_SHARE,
				   SHOW_AVERAGE, SHOW_MIN, SHOW_MAX, SHOW_SPREAD, SHOW_FIRST)},
	[TACHO_BY_API] = {"api", "API functions", "by host time", "function", "calls", "function",
			  "functions", "calls",
			  SHOWS(SHOW_NAME, SHOW_COUNT, SHOW_FAILED, SHOW_TOTAL, SHOW_SHARE,
				SHOW_AVERAGE, SHOW_MIN, SHOW_MAX, SHOW_SPREAD)},
	[TACHO_BY_QUEUE] = {"queues", "Queues", "by device time", "queue", "commands", "queue",
			    "queues", "commands",
			    SHOWS(SHOW_NAME, SHOW_DEVICE, SHOW_PID, SHOW_COUNT, SHOW_LAUNCHES,
				  SHOW_TOTAL, SHOW_SHARE, SHOW_AVERAGE)},
	[TACHO_BY_THREAD] = {"threads", "Threads", "by time in the API", "name", "calls", "thread",
			     "threads", "calls",
			     SHOWS(SHOW_NAME, SHOW_PID, SHOW_THREAD, SHOW_COUNT, SHOW_LAUNCHES,
				   SHOW_FAILED, SHOW_TOTAL, SHOW_SHARE)},
	[TACHO_BY_PROCESS] = {"processes", "Processes", "by time in the API", "process", "calls",
			      "process", "processes", "calls",
			      SHOWS(SHOW_NAME, SHOW_PID, SHOW_COUNT, SHOW_LAUNCHES, SHOW_FAILED,
				    SHOW_TOTAL, SHOW_SHARE)},
	[TACHO_BY_TRANSFER] = {"transfers", "Transfers", "by device time", "kind", "count", "kind",
			       "kinds", "transfers",
			       SHOWS(SHOW_NAME, SHOW_DEVICE, SHOW_COUNT, SHOW_BYTES, SHOW_TOTAL,
				     SHOW_SHARE, SHOW_AVERAGE, SHOW_RATE, SHOW_SPREAD)},
};

static const struct layout of_ranges = {
	"ranges",
	"Ranges",
	"that the program named, by host time; what is in several counts in each",
	"range",
	"count",
	"range",
	"ranges",
	"ranges",
	SHOWS(SHOW_NAME, SHOW_DOMAIN, SHOW_COUNT, SHOW_TOTAL, SHOW_OWN, SHOW_AVERAGE, SHOW_MIN,
	      SHOW_MAX, SHOW_LAUNCHES, SHOW_ON_DEVICES)};

/* One table and facts about all its lines. */
struct table {
	const struct tacho__html *page;
	const struct layout *layout;
	enum tacho_summary_key key;
	size_t count, shown;
	uint64_t total_ns;
	bool several_devices, has_domains;
};

static const struct tacho_summary_line *get_line(const struct table *table, size_t index)
{
	return tacho_summary_get_line(table->page->summary, table->key, index);
}

/* A bar behind the number. */
static void put_share(FILE *stream, uint64_t part, uint64_t whole)
{
	double percent = whole ? 100.0 * (double)part / (double)whole : 0;
	char text[TACHO_UNITS_MAX];

	tacho__html_put_share(stream, percent, tacho_units_share(text, part, whole));
}

/* Of a template, the kernels that ran in it and how often. */
static void put_parts(const struct table *table, size_t index)
{
	enum { PARTS_MAX = 8 };
	const struct tacho__html *page = table->page;
	const struct tacho_summary_part *part =
		tacho_summary_get_part(page->summary, table->key, index, 0);
	char count[TACHO_UNITS_MAX];
	size_t i;

	if (!part)
		return;
	fputs("<small class=\"parts\" title=\"how often each kernel ran; when is known of all "
	      "together only\">",
	      page->stream);
	for (i = 0; part && i < PARTS_MAX;
	     part = tacho_summary_get_part(page->summary, table->key, index, ++i))
		tacho__html_print(page->stream, "%s%s: %s", i ? ", " : "", part->name,
				  tacho_units_count(count, part->count));
	fputs(part ? ", ...</small>" : "</small>", page->stream);
}

/* The name, with the color that it has in the timeline: of the first line of that name. */
static void put_name(const struct table *table, size_t index)
{
	const struct tacho_summary_line *line = get_line(table, index);
	FILE *stream = table->page->stream;
	size_t color = 0;

	while (color < index && color < TACHO__HTML_COLORS &&
	       strcmp(get_line(table, color)->name, line->name) != 0)
		color++;
	fputs("<th scope=\"row\">", stream);
	if (table->key == TACHO_BY_KERNEL || table->key == TACHO_BY_API)
		fprintf(stream, "<i class=\"key %c%zu\" aria-hidden=\"true\"></i>",
			table->key == TACHO_BY_KERNEL ? 'k' : 'a', color);
	tacho__html_print(stream, "<span class=\"name\">%s</span>",
			  *line->name ? line->name : "(no name)");
	put_parts(table, index);
	fputs("</th>", stream);
}

/* Lines by range that have no times of a host, and lack none; NULL for all others. */
static const char *why_timeless(const struct tacho_summary_line *line)
{
	if (line->is_outside)
		return "it is in no range";
	return line->range_kind == TACHO_RANGE_MARK ? "a mark is a moment" : NULL;
}

/* Columns that hold durations; all of them are absent when nothing was measured. */
static void put_duration(const struct table *table, enum show show, size_t index)
{
	const struct tacho_summary_line *line = get_line(table, index);
	FILE *stream = table->page->stream;
	uint64_t ns = show == SHOW_TOTAL   ? line->total_ns
		      : show == SHOW_MIN   ? line->min_ns
		      : show == SHOW_MAX   ? line->max_ns
		      : show == SHOW_FIRST ? line->first_ns
		      : show == SHOW_OWN   ? line->own_ns
					   : 0;
	char text[TACHO_UNITS_MAX];

	if (why_timeless(line) || (!line->measured && line->count)) {
		tacho__html_put_absent(stream,
				       why_timeless(line) ? why_timeless(line) : line->reason);
		return;
	}
	if (show == SHOW_AVERAGE)
		ns = line->measured ? line->total_ns / line->measured : 0;
	if (show == SHOW_SHARE)
		put_share(stream, line->total_ns, table->total_ns);
	else if (show == SHOW_FIRST && !line->has_first)
		tacho__html_put_absent(stream, "the first launch has no times, or is not known");
	else if (!line->measured && show != SHOW_TOTAL)
		tacho__html_put_absent(stream, "there is none");
	else
		tacho__html_put_number(stream, ns, tacho_units_time(text, ns, 3));
}

static void put_rate(const struct table *table, size_t index)
{
	const struct tacho_summary_line *line = get_line(table, index);
	char text[TACHO_UNITS_MAX];

	if (*line->why_no_rate) {
		tacho__html_put_absent(table->page->stream, line->why_no_rate);
		return;
	}
	tacho__html_put_number(table->page->stream,
			       (uint64_t)((double)line->bytes * 1e9 / (double)line->total_ns),
			       tacho_units_rate(text, line->bytes, line->total_ns));
}

/* What is launched in a range need not have times. */
static void put_on_devices(const struct table *table, size_t index)
{
	const struct tacho_summary_line *line = get_line(table, index);
	char text[TACHO_UNITS_MAX];

	if (line->commands && !line->device_measured)
		tacho__html_put_absent(table->page->stream, "no command has credible times");
	else
		tacho__html_put_number(table->page->stream, line->device_ns,
				       tacho_units_time(text, line->device_ns, 3));
}

static void put_cell(const struct table *table, enum show show, size_t index)
{
	const struct tacho_summary_line *line = get_line(table, index);
	FILE *stream = table->page->stream;
	char text[TACHO_UNITS_MAX];

	switch (show) {
	case SHOW_NAME: put_name(table, index); break;
	case SHOW_DEVICE: tacho__html_print(stream, "<td>%s</td>", line->device); break;
	case SHOW_PID:
		snprintf(text, sizeof(text), "%u", line->pid);
		tacho__html_put_number(stream, line->pid, line->pid ? text : "");
		break;
	case SHOW_THREAD:
		snprintf(text, sizeof(text), "%u", line->thread);
		tacho__html_put_number(stream, line->thread, text);
		break;
	case SHOW_COUNT:
		if (line->is_outside)
			tacho__html_put_absent(stream, why_timeless(line));
		else
			tacho__html_put_number(stream, line->count,
					       tacho_units_count(text, line->count));
		break;
	case SHOW_LAUNCHES:
		tacho__html_put_number(stream, line->launches,
				       tacho_units_count(text, line->launches));
		break;
	case SHOW_FAILED:
		tacho__html_put_number(stream, line->failed, tacho_units_count(text, line->failed));
		break;
	case SHOW_BYTES:
		if (line->bytes)
			tacho__html_put_number(stream, line->bytes,
					       tacho_units_bytes(text, line->bytes));
		else
			tacho__html_put_absent(stream, "no size is known");
		break;
	case SHOW_SPREAD:
		fputs("<td class=\"spread\">", stream);
		tacho__html_put_spread(table->page, table->key, index);
		fputs("</td>", stream);
		break;
	case SHOW_RATE: put_rate(table, index); break;
	case SHOW_DOMAIN: tacho__html_print(stream, "<td>%s</td>", line->domain); break;
	case SHOW_ON_DEVICES: put_on_devices(table, index); break;
	default: put_duration(table, show, index); break;
	}
}

/* The next column that has something to tell, from `show` on; NULL at the end. */
static const enum show *skip_hidden(const struct table *table, const enum show *show)
{
	if ((*show == SHOW_DEVICE && !table->several_devices) ||
	    (*show == SHOW_DOMAIN && !table->has_domains))
		show++;
	return *show == SHOW_END ? NULL : show;
}

/* The counters that lines of this table may have, each a column. */
static const struct tacho_entry *get_counter(const struct table *table, size_t index)
{
	enum { COLUMNS_MAX = 8 };
	const struct tacho_entry *counter = NULL;

	if (table->key == TACHO_BY_KERNEL && index < COLUMNS_MAX)
		counter = tacho_recording_get_counter(table->page->recording, index);
	return counter;
}

/* What has instances, or is never of a launch, has no cell here. */
static bool has_cell(const struct table *table, const struct tacho_entry *counter, size_t index)
{
	const struct tacho_column *columns =
		tacho_summary_get_columns(table->page->summary, table->key, index);

	return !counter->is_of_transfers && columns && columns->instance_count == 1;
}

static void put_titles(const struct table *table)
{
	const struct tacho_entry *counter;
	FILE *stream = table->page->stream;

	fputs("<thead><tr>", stream);
	for (const enum show *show = table->layout->shows; (show = skip_hidden(table, show));
	     show++)
		tacho__html_print(stream, "<th scope=\"col\" data-sort=\"%s\" title=\"%s\">%s</th>",
				  shows[*show].is_text ? *show == SHOW_SPREAD ? "no" : "text"
						       : "number",
				  shows[*show].hint,
				  *show == SHOW_NAME	? table->layout->name_title
				  : *show == SHOW_COUNT ? table->layout->count_title
							: shows[*show].title);
	for (size_t i = 0; (counter = get_counter(table, i)); i++)
		if (has_cell(table, counter, i))
			tacho__html_print(
				stream,
				"<th scope=\"col\" data-sort=\"number\" class=\"counter\" "
				"title=\"%s; mean of a launch%s\">%s%s</th>",
				counter->description,
				counter->is_simulated ? "; on a simulated device" : "",
				counter->name, counter->is_simulated ? " [simulated]" : "");
	fputs("</tr></thead>\n", stream);
}

static void put_row(const struct table *table, size_t index)
{
	const struct tacho_entry *counter;

	fputs("<tr>", table->page->stream);
	for (const enum show *show = table->layout->shows; (show = skip_hidden(table, show));
	     show++)
		put_cell(table, *show, index);
	for (size_t i = 0; (counter = get_counter(table, i)); i++)
		if (has_cell(table, counter, i))
			tacho__html_put_value(
				table->page,
				tacho_summary_get_columns(table->page->summary, table->key, i),
				index);
	fputs("</tr>\n", table->page->stream);
}

/* Why values are missing, a sentence for each reason; `first` is the first line that has it. */
static bool is_first_with_reason(const struct table *table, size_t first, const char *reason)
{
	for (size_t i = 0; i < first; i++)
		if (get_line(table, i)->measured != get_line(table, i)->count &&
		    strcmp(get_line(table, i)->reason, reason) == 0)
			return false;
	return true;
}

static void put_reason(const struct table *table, const char *reason)
{
	uint64_t missing = 0, all = 0;
	char numbers[2][TACHO_UNITS_MAX];

	for (size_t i = 0; i < table->count; i++) {
		const struct tacho_summary_line *line = get_line(table, i);

		if (strcmp(line->reason, reason) != 0 || line->measured == line->count)
			continue;
		missing += line->count - line->measured;
		all += line->count;
	}
	tacho__html_print(table->page->stream, "<li><b>-</b> %s of %s %s have no times: %s</li>\n",
			  tacho_units_count(numbers[0], missing),
			  tacho_units_count(numbers[1], all), table->layout->without_times,
			  *reason ? reason : "the reason is not known");
}

static void put_reasons(const struct table *table)
{
	enum { REASONS_MAX = 20 };
	size_t told = 0;

	for (size_t i = 0; i < table->count && told < REASONS_MAX; i++) {
		const struct tacho_summary_line *line = get_line(table, i);

		if (line->measured == line->count || why_timeless(line) ||
		    !is_first_with_reason(table, i, line->reason))
			continue;
		if (!told++)
			fputs("<ul class=\"reasons\">\n", table->page->stream);
		put_reason(table, line->reason);
	}
	if (told)
		fputs("</ul>\n", table->page->stream);
}

static void put_rest(const struct table *table)
{
	if (table->shown == table->count)
		return;
	fputs("<p class=\"rest\">and ", table->page->stream);
	tacho__html_put_count(table->page, table->count - table->shown, "more", "more");
	fputs(": <code>tacho report NAME --top 0</code> shows all</p>\n", table->page->stream);
}

void tacho__html_put_lines(const struct tacho__html *page, enum tacho_summary_key key)
{
	struct table table = {page, key == TACHO_BY_RANGE ? &of_ranges : &layouts[key], key};
	FILE *stream = page->stream;

	table.count = tacho_summary_get_line_count(page->summary, key);
	table.shown = table.count < TACHO__HTML_ROWS_MAX ? table.count : TACHO__HTML_ROWS_MAX;
	for (size_t i = 0; i < table.count; i++) {
		table.total_ns += get_line(&table, i)->total_ns;
		if (strcmp(get_line(&table, i)->device, get_line(&table, 0)->device) != 0)
			table.several_devices = true;
		table.has_domains |= *get_line(&table, i)->domain != '\0';
	}
	tacho__html_begin_section(page, table.layout->id, table.layout->title);
	if (!table.count) {
		fputs("<p class=\"none\">none</p>\n</section>\n", stream);
		return;
	}
	tacho__html_print(stream,
			  "<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
			  "aria-labelledby=\"%s-title\">\n<table class=\"data\">\n<caption>",
			  table.layout->id);
	tacho__html_put_count(page, table.count, table.layout->one, table.layout->many);
	tacho__html_print(stream, ", %s", table.layout->caption);
	if (!table.several_devices && *get_line(&table, 0)->device)
		tacho__html_print(stream, ", on %s", get_line(&table, 0)->device);
	fputs("</caption>\n", stream);
	put_titles(&table);
	fputs("<tbody>\n", stream);
	for (size_t i = 0; i < table.shown; i++)
		put_row(&table, i);
	fputs("</tbody></table></div>\n", stream);
	put_rest(&table);
	put_reasons(&table);
	if (key == TACHO_BY_KERNEL)
		tacho__html_put_value_reasons(page, key);
	fputs("</section>\n", stream);
}
