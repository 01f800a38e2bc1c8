/* SPDX-License-Identifier: MIT */
/* The ranked tables of the report. */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "table.h"
#include "terminal.h"
#include "text.h"
#include "units.h"

/* What a column shows of a line. */
enum show {
	SHOW_NAME,
	SHOW_DEVICE,
	SHOW_THREAD,
	SHOW_COUNT,
	SHOW_LAUNCHES,
	SHOW_FAILED,
	SHOW_TOTAL,
	SHOW_AVERAGE,
	SHOW_MIN,
	SHOW_MAX,
	SHOW_SHARE,
	SHOW_FIRST,
	SHOW_BYTES,
	SHOW_RATE,
	SHOW_DOMAIN,
	SHOW_KIND,
	SHOW_OWN,
	SHOW_DEVICE_TIME,
	SHOW_END
};

static const struct {
	const char *title;
	bool is_number;
} shows[] = {
	[SHOW_NAME] = {"", false},
	[SHOW_DEVICE] = {"device", false},
	[SHOW_THREAD] = {"thread", true},
	[SHOW_COUNT] = {"calls", true},
	[SHOW_LAUNCHES] = {"launches", true},
	[SHOW_FAILED] = {"failed", true},
	[SHOW_TOTAL] = {"total", true},
	[SHOW_AVERAGE] = {"average", true},
	[SHOW_MIN] = {"min", true},
	[SHOW_MAX] = {"max", true},
	[SHOW_SHARE] = {"share", true},
	[SHOW_FIRST] = {"first", true},
	[SHOW_BYTES] = {"bytes", true},
	[SHOW_RATE] = {"rate", true},
	[SHOW_DOMAIN] = {"domain", false},
	[SHOW_KIND] = {"kind", false},
	[SHOW_OWN] = {"own", true},
	[SHOW_DEVICE_TIME] = {"on devices", true},
};

/* A table of the report: which lines, under which heading, with which columns. */
struct layout {
	const char *heading, *name_title, *count_title;
	const char *without_times; /* what lines count whose times may be missing */
	enum show shows[12];
};

#define SHOWS(...)                    \
	{                             \
		__VA_ARGS__, SHOW_END \
	}

static const struct layout layouts[] = {
	[TACHO_BY_KERNEL] = {"Kernels, by device time", "kernel", "calls", "launches",
			     SHOWS(SHOW_NAME, SHOW_DEVICE, SHOW_COUNT, SHOW_TOTAL, SHOW_AVERAGE,
				   SHOW_MIN, SHOW_MAX, SHOW_SHARE, SHOW_FIRST)},
	[TACHO_BY_API] = {"API functions, by host time", "function", "calls", "calls",
			  SHOWS(SHOW_NAME, SHOW_COUNT, SHOW_FAILED, SHOW_TOTAL, SHOW_AVERAGE,
				SHOW_MIN, SHOW_MAX, SHOW_SHARE)},
	[TACHO_BY_QUEUE] = {"Queues, by device time", "queue", "commands", "commands",
			    SHOWS(SHOW_NAME, SHOW_DEVICE, SHOW_COUNT, SHOW_LAUNCHES, SHOW_TOTAL,
				  SHOW_AVERAGE, SHOW_SHARE)},
	[TACHO_BY_THREAD] = {"Threads, by time in the API", "process", "calls", "calls",
			     SHOWS(SHOW_NAME, SHOW_THREAD, SHOW_COUNT, SHOW_LAUNCHES, SHOW_FAILED,
				   SHOW_TOTAL, SHOW_SHARE)},
	[TACHO_BY_PROCESS] = {"Processes, by time in the API", "process", "calls", "calls",
			      SHOWS(SHOW_NAME, SHOW_COUNT, SHOW_LAUNCHES, SHOW_FAILED, SHOW_TOTAL,
				    SHOW_SHARE)},
	[TACHO_BY_TRANSFER] = {"Transfers, by device time", "transfer", "count", "transfers",
			       SHOWS(SHOW_NAME, SHOW_DEVICE, SHOW_COUNT, SHOW_BYTES, SHOW_TOTAL,
				     SHOW_AVERAGE, SHOW_RATE)},
	[TACHO_BY_RANGE] = {"Ranges, by host time", "range", "count", "ranges and marks",
			    SHOWS(SHOW_NAME, SHOW_DOMAIN, SHOW_KIND, SHOW_COUNT, SHOW_TOTAL,
				  SHOW_OWN, SHOW_LAUNCHES, SHOW_DEVICE_TIME, SHOW_BYTES)},
	[TACHO_BY_GAP] = {"Gaps between commands, by time that the device was idle", "gap", "count",
			  "gaps",
			  SHOWS(SHOW_NAME, SHOW_DEVICE, SHOW_COUNT, SHOW_TOTAL, SHOW_AVERAGE,
				SHOW_MIN, SHOW_MAX, SHOW_SHARE)},
	[TACHO_BY_PASS] = {"Render passes, by device time", "pass", "count", "passes",
			   SHOWS(SHOW_NAME, SHOW_COUNT, SHOW_LAUNCHES, SHOW_TOTAL, SHOW_AVERAGE,
				 SHOW_MIN, SHOW_MAX, SHOW_SHARE)},
	[TACHO_BY_COMMAND] = {"Commands, by device time", "command", "count", "commands",
			      SHOWS(SHOW_NAME, SHOW_DEVICE, SHOW_COUNT, SHOW_BYTES, SHOW_TOTAL,
				    SHOW_AVERAGE, SHOW_MIN, SHOW_MAX, SHOW_SHARE)},
};

/* Facts about all lines of a table. */
struct ranking {
	const struct tacho_summary *summary;
	enum tacho_summary_key key;
	const struct layout *layout;
	size_t *order; /* the lines that are not left out; owned */
	size_t count, shown;
	uint64_t total_ns; /* of all, those that are left out too */
	uint64_t parts;	   /* shown at most of a line, 0: all */
	bool several_devices, several_domains, several_kinds, has_bytes;
};

static const struct tacho_summary_line *get_line(const struct ranking *ranking, size_t index)
{
	return tacho_summary_get_line(ranking->summary, ranking->key, ranking->order[index]);
}

static struct ranking make_ranking(const struct cli_report *report, enum tacho_summary_key key)
{
	struct ranking ranking = {report->summary, key, &layouts[key]};
	size_t all = tacho_summary_get_line_count(report->summary, key);

	ranking.order = cli_alloc((all + 1) * sizeof(*ranking.order));
	for (size_t i = 0; i < all; i++) {
		ranking.total_ns += tacho_summary_get_line(report->summary, key, i)->total_ns;
		if (cli_report_shows(report, key, i))
			ranking.order[ranking.count++] = i;
	}
	ranking.parts = report->top;
	ranking.shown =
		report->top && report->top < ranking.count ? (size_t)report->top : ranking.count;
	for (size_t i = 0; i < ranking.count; i++) {
		const struct tacho_summary_line *line = get_line(&ranking, i);

		if (strcmp(line->device, get_line(&ranking, 0)->device) != 0)
			ranking.several_devices = true;
		ranking.several_domains |= key == TACHO_BY_RANGE && *line->domain;
		ranking.several_kinds |= line->range_kind > TACHO_RANGE_NESTED;
		ranking.has_bytes |= key != TACHO_BY_RANGE || line->bytes;
	}
	return ranking;
}

static const char *name_kind(const struct tacho_summary_line *line)
{
	switch (line->range_kind) {
	case TACHO_RANGE_NESTED: return "nested";
	case TACHO_RANGE_PROCESS: return "process";
	case TACHO_RANGE_MARK: return "mark";
	case TACHO_RANGE_FRAME: return "frame";
	case TACHO_RANGE_LABEL: return "label";
	case TACHO_RANGE_PASS: return "pass";
	}
	return "";
}

static const char *format_cell(struct cli_number *number, enum show show,
			       const struct ranking *ranking, const struct tacho_summary_line *line)
{
	switch (show) {
	case SHOW_NAME: return *line->name ? line->name : "(no name)";
	case SHOW_DEVICE: return line->device;
	case SHOW_THREAD:
		snprintf(number->text, sizeof(number->text), "%u/%u", line->pid, line->thread);
		return number->text;
	case SHOW_DOMAIN: return line->domain;
	case SHOW_KIND: return name_kind(line);
	case SHOW_COUNT: return line->is_outside ? "-" : cli_units_count(number, line->count);
	case SHOW_LAUNCHES: return cli_units_count(number, line->launches);
	case SHOW_FAILED: return cli_units_count(number, line->failed);
	case SHOW_BYTES: return line->bytes ? cli_units_bytes(number, line->bytes) : "-";
	case SHOW_FIRST: return line->has_first ? cli_units_time(number, line->first_ns, 3) : "-";
	case SHOW_DEVICE_TIME:
		return line->device_measured ? cli_units_time(number, line->device_ns, 3) : "-";
	default: break;
	}
	if (!line->measured)
		return "-";
	switch (show) {
	case SHOW_TOTAL: return cli_units_time(number, line->total_ns, 3);
	case SHOW_OWN: return cli_units_time(number, line->own_ns, 3);
	case SHOW_AVERAGE: return cli_units_time(number, line->total_ns / line->measured, 3);
	case SHOW_MIN: return cli_units_time(number, line->min_ns, 3);
	case SHOW_MAX: return cli_units_time(number, line->max_ns, 3);
	case SHOW_SHARE: return cli_units_share(number, line->total_ns, ranking->total_ns);
	default: break;
	}
	if (show == SHOW_RATE && !*line->why_no_rate)
		return cli_units_rate(number, line->bytes, line->total_ns);
	return "-";
}

/* The columns that have something to tell in this ranking; returns their number. */
static size_t choose_columns(const struct ranking *ranking, enum show *chosen,
			     struct cli_column *columns)
{
	size_t count = 0;

	for (const enum show *show = ranking->layout->shows; *show != SHOW_END; show++) {
		if ((*show == SHOW_DEVICE && !ranking->several_devices) ||
		    (*show == SHOW_DOMAIN && !ranking->several_domains) ||
		    (*show == SHOW_KIND && !ranking->several_kinds) ||
		    (*show == SHOW_BYTES && !ranking->has_bytes))
			continue;
		chosen[count] = *show;
		columns[count].title = *show == SHOW_NAME    ? ranking->layout->name_title
				       : *show == SHOW_COUNT ? ranking->layout->count_title
							     : shows[*show].title;
		columns[count].is_number = shows[*show].is_number;
		count++;
	}
	return count;
}

/* A kernel of a template, below it: how often it ran, and no times. */
static void add_part(struct cli_table *table, const enum show *chosen,
		     const struct tacho_summary_part *part)
{
	struct cli_number count;
	const char *name = cli_table_format(table, "  %s", part->name), *cells[12];

	for (size_t i = 0; i < table->column_count; i++)
		cells[i] = chosen[i] == SHOW_NAME     ? name
			   : chosen[i] == SHOW_DEVICE ? ""
			   : chosen[i] == SHOW_COUNT  ? cli_units_count(&count, part->count)
						      : "-";
	cli_table_add(table, cells);
}

static void add_parts(const struct ranking *ranking, size_t index, const enum show *chosen,
		      struct cli_table *table)
{
	const struct tacho_summary_part *part;
	struct tacho_summary_part rest = {.name = "others"};

	for (size_t i = 0; (part = tacho_summary_get_part(ranking->summary, ranking->key,
							  ranking->order[index], i));
	     i++) {
		if (!ranking->parts || i < ranking->parts)
			add_part(table, chosen, part);
		else
			rest.count += part->count;
	}
	if (rest.count)
		add_part(table, chosen, &rest);
}

static void print_table(const struct ranking *ranking, FILE *stream, unsigned width)
{
	struct cli_column columns[12];
	struct cli_number numbers[12];
	struct cli_table table;
	enum show chosen[12];
	const char *cells[12];
	size_t count = choose_columns(ranking, chosen, columns);

	cli_table_init(&table, columns, count);
	for (size_t i = 0; i < ranking->shown; i++) {
		for (size_t k = 0; k < count; k++)
			cells[k] =
				format_cell(&numbers[k], chosen[k], ranking, get_line(ranking, i));
		cli_table_add(&table, cells);
		add_parts(ranking, i, chosen, &table);
	}
	cli_table_print(&table, stream, width);
	cli_table_finish(&table);
}

static void print_part_reason(const struct ranking *ranking, FILE *stream, unsigned width)
{
	for (size_t i = 0; i < ranking->shown; i++) {
		if (!tacho_summary_get_part(ranking->summary, ranking->key, ranking->order[i], 0))
			continue;
		cli_text_print(stream, 2, 6, width,
			       "- of a kernel in a command buffer: " CLI_PART_REASON);
		return;
	}
}

/* Below a table: why values are missing, one sentence for each reason. */
static void print_reasons(const struct ranking *ranking, FILE *stream, unsigned width)
{
	for (size_t i = 0; i < ranking->count; i++) {
		const char *reason = get_line(ranking, i)->reason;
		uint64_t missing = 0, all = 0;
		struct cli_number numbers[2];
		bool told = false;

		if (get_line(ranking, i)->measured == get_line(ranking, i)->count)
			continue;
		for (size_t k = 0; k < ranking->count; k++) {
			const struct tacho_summary_line *line = get_line(ranking, k);

			if (strcmp(line->reason, reason) != 0 || line->measured == line->count)
				continue;
			told = told || k < i;
			missing += line->count - line->measured;
			all += line->count;
		}
		if (!told)
			cli_text_print(stream, 2, 6, width, "- : %s of %s %s have no times: %s",
				       cli_units_count(&numbers[0], missing),
				       cli_units_count(&numbers[1], all),
				       ranking->layout->without_times,
				       *reason ? reason : "the reason is not known");
	}
}

/* Why there is no rate where bytes and time are there. */
static void print_rateless(const struct ranking *ranking, FILE *stream, unsigned width)
{
	for (size_t i = 0; i < ranking->shown; i++) {
		const struct tacho_summary_line *line = get_line(ranking, i);

		if (*line->why_no_rate && line->bytes && line->measured == line->count)
			cli_text_print(stream, 2, 6, width, "- of %s%s%s: no rate, as %s",
				       line->name, ranking->several_devices ? " on " : "",
				       ranking->several_devices ? line->device : "",
				       line->why_no_rate);
	}
}

static void print_below(const struct ranking *ranking, FILE *stream, unsigned width)
{
	struct cli_number number;

	if (ranking->shown < ranking->count)
		fprintf(stream, "  and %s more (--top 0 shows all)\n",
			cli_units_count(&number, ranking->count - ranking->shown));
	print_part_reason(ranking, stream, width);
	if (get_line(ranking, ranking->shown - 1)->is_outside)
		cli_text_print(stream, 2, 6, width,
			       "- of what is outside of ranges: it is no range, and has no times "
			       "of a host");
	print_reasons(ranking, stream, width);
	print_rateless(ranking, stream, width);
}

static void print_ranking(const struct cli_report *report, enum tacho_summary_key key, FILE *stream,
			  unsigned width)
{
	struct ranking ranking = make_ranking(report, key);

	cli_put_heading(stream, ranking.layout->heading);
	if (ranking.count) {
		print_table(&ranking, stream, width);
		print_below(&ranking, stream, width);
	} else {
		fputs("  none\n", stream);
	}
	free(ranking.order);
}

void cli_report_print_lines(const struct cli_report *report, FILE *stream, unsigned width)
{
	print_ranking(report, report->key, stream, width);
}

void cli_report_print_api(const struct cli_report *report, FILE *stream, unsigned width)
{
	print_ranking(report, TACHO_BY_API, stream, width);
}

void cli_report_print_ranges(const struct cli_report *report, FILE *stream, unsigned width)
{
	if (tacho_summary_get_line_count(report->summary, TACHO_BY_RANGE))
		print_ranking(report, TACHO_BY_RANGE, stream, width);
}

void cli_report_print_transfers(const struct cli_report *report, FILE *stream, unsigned width)
{
	print_ranking(report, TACHO_BY_TRANSFER, stream, width);
}
