/* SPDX-License-Identifier: MIT */
/* The comparison for people: on a terminal, and as Markdown. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/tacho.h>

#include "diff/diff.h"
#include "diff/markdown.h"
#include "report/report.h"
#include "table.h"
#include "terminal.h"
#include "text.h"
#include "units.h"

enum { LABEL = 13, CELLS_MAX = 12, REASONS_MAX = 8 };

struct page {
	const struct cli_diff *diff;
	FILE *stream;
	unsigned width;
	bool is_markdown;
	bool several_devices, several_runs;
	bool several_matches; /* lines were not all matched by their names */
	bool has_totals;      /* in place of intervals, which sums of one run a side have not */
};

static const struct {
	const char *title, *heading;
} layouts[] = {
	{"kernel", "Kernels, by device time of a launch"},
	{"function", "API functions, by host time of a call"},
	{"transfer", "Transfers, by device time of one"},
	{"queue", "Queues, by device time of a command"},
	{"range", "Ranges that the program named, by host time of one"},
	{"gap", "Gaps between commands of a device, by time of one"},
};

/* ---- parts of a page ---- */

static void print_table(const struct page *page, const struct cli_table *table)
{
	if (page->is_markdown)
		cli_markdown_print(table, page->stream);
	else
		cli_table_print(table, page->stream, page->width);
}

static void put_heading(const struct page *page, const char *text)
{
	if (page->is_markdown)
		fprintf(page->stream, "\n#### %s\n", text);
	else
		cli_put_heading(page->stream, text);
}

/* A line of text below a table or heading. */
static void __attribute__((format(printf, 2, 3)))
put_item(const struct page *page, const char *format, ...)
{
	char *text;
	va_list list;

	va_start(list, format);
	text = cli_format_list(format, list);
	va_end(list);
	fputs(page->is_markdown ? "- " : "  ", page->stream);
	if (page->is_markdown) {
		cli_markdown_put(page->stream, text);
		fputc('\n', page->stream);
	} else {
		cli_text_wrap(page->stream, text, 2, 4, page->width);
	}
	free(text);
}

static void put_paragraph(const struct page *page, const char *text)
{
	fputc('\n', page->stream);
	if (page->is_markdown) {
		cli_markdown_put(page->stream, text);
		fputc('\n', page->stream);
	} else {
		cli_text_wrap(page->stream, text, 0, 0, page->width);
	}
}

/* ---- cells ---- */

static const char *format_value(struct cli_number *number, const struct tacho_diff_value *value,
				const char *unit)
{
	return value->has_value ? cli_report_format_value(number, value->value, unit) : "-";
}

static const char *format_share(struct cli_number *number, double change)
{
	double percent = 100 * change;
	bool is_long = change >= 9999 && change < 1e9; /* no "x 2e+05" */

	if (fabs(percent) < 0.05)
		snprintf(number->text, sizeof(number->text), "%s",
			 percent == 0  ? "0%"
			 : percent > 0 ? "<+0.1%"
				       : ">-0.1%");
	else if (fabs(percent) < 999.5)
		snprintf(number->text, sizeof(number->text), "%+.1f%%", percent);
	else
		snprintf(number->text, sizeof(number->text), is_long ? "x %.0f" : "x %.4g",
			 1 + change);
	return number->text;
}

/* Of what was 0 the difference: there is no part of it. */
static const char *format_change(struct cli_number *number,
				 const struct tacho_diff_measure *measure)
{
	struct cli_number size;

	if (measure->has_change)
		return format_share(number, measure->change);
	if (!measure->has_difference)
		return "-";
	snprintf(number->text, sizeof(number->text), "%s%s",
		 measure->difference > 0   ? "+"
		 : measure->difference < 0 ? "-"
					   : "",
		 cli_report_format_value(&size, fabs(measure->difference), measure->unit));
	return number->text;
}

/* "+1.2 to +3.4%" */
static const char *format_interval(struct cli_number *number,
				   const struct tacho_diff_measure *measure)
{
	if (!measure->has_interval)
		return "";
	if (fabs(measure->low) >= 9.995 || fabs(measure->high) >= 9.995)
		snprintf(number->text, sizeof(number->text), "x %.3g to %.3g", 1 + measure->low,
			 1 + measure->high);
	else
		snprintf(number->text, sizeof(number->text), "%+.1f to %+.1f%%", 100 * measure->low,
			 100 * measure->high);
	return number->text;
}

static const char *format_p(struct cli_number *number, const struct tacho_diff_measure *measure)
{
	switch (measure->verdict) {
	case TACHO_DIFF_FEW: return "too few";
	case TACHO_DIFF_SAME: return "same";
	case TACHO_DIFF_NOISE: return "noise";
	case TACHO_DIFF_DRIFT: return "drift";
	case TACHO_DIFF_UNSURE: return "unsure";
	case TACHO_DIFF_DIFFERS: break;
	default: return "-";
	}
	if (!measure->has_p)
		return "differs";
	if (measure->adjusted_p < 0.001)
		return "<0.001";
	snprintf(number->text, sizeof(number->text), "%.3f", measure->adjusted_p);
	return number->text;
}

/* "100", or "100 -> 120". Owned. */
static char *format_counts(const struct tacho_diff_measure *count)
{
	struct cli_number a, b;
	bool known = count->sides[0].has_value && count->sides[1].has_value;

	if (known && count->sides[0].value == count->sides[1].value)
		return cli_format("%s", format_value(&a, &count->sides[0], count->unit));
	return cli_format("%s -> %s", format_value(&a, &count->sides[0], count->unit),
			  format_value(&b, &count->sides[1], count->unit));
}

static char *format_side_note(const struct page *page, const struct tacho_diff_value *value,
			      int side)
{
	uint8_t state = value->state & TACHO_STATE_MASK;
	struct cli_number missing;

	if (state != TACHO_STATE_OK && state != TACHO_STATE_ABSENT)
		return cli_format("%s %s", side ? "B" : "A", tacho_state_to_string(state));
	if (value->has_value && value->measured < value->count)
		return cli_format("%s %s missing", side ? "B" : "A",
				  cli_units_count(&missing, value->count - value->measured));
	if (value->has_value && value->runs < page->diff->groups[side].count)
		return cli_format("%s %u of %zu runs", side ? "B" : "A", value->runs,
				  page->diff->groups[side].count);
	return cli_format("%s", "");
}

/* What the numbers are not plainly; "" when they are. Owned. */
static char *format_note(const struct page *page, const struct tacho_diff_measure *measure)
{
	char *a = format_side_note(page, &measure->sides[0], 0);
	char *b = format_side_note(page, &measure->sides[1], 1);
	uint8_t marks = measure->sides[0].state | measure->sides[1].state;
	bool drifts = measure->is_in_drift && measure->verdict != TACHO_DIFF_DRIFT;
	char *note = cli_format("%s%s", a, marks & TACHO_MARK_DIV0 ? " divided by 0" : "");

	if (*b)
		cli_append(&note, ", ", "%s", b);
	if (marks & TACHO_MARK_DEFAULT)
		cli_append(&note, ", ", "default");
	if (drifts)
		cli_append(&note, ", ", "drifts");

	free(a);
	free(b);
	return note;
}

static bool has_notes(const struct cli_table *table)
{
	for (size_t i = 0; i < table->row_count; i++)
		if (*table->cells[(i + 1) * table->column_count - 1])
			return true;
	return false;
}

/* The last column stays away when it has nothing to say. */
static void print_noted(const struct page *page, const struct cli_table *table)
{
	struct cli_table shown;

	if (has_notes(table)) {
		print_table(page, table);
		return;
	}
	cli_table_init(&shown, table->columns, table->column_count - 1);
	for (size_t i = 0; i < table->row_count; i++)
		cli_table_add(&shown, (const char *const *)&table->cells[i * table->column_count]);
	print_table(page, &shown);
	cli_table_finish(&shown);
}

/* ---- tables ---- */

static const char *get_name(const struct tacho_diff_line *line)
{
	return *line->name ? line->name : "(no name)";
}

static char *format_confidence(const struct page *page)
{
	return cli_format("%.4g%% interval", 100 * (1 - page->diff->level));
}

static size_t count_shown(const struct page *page)
{
	size_t common = page->diff->common_count;

	return page->diff->top && page->diff->top < common ? (size_t)page->diff->top : common;
}

/* Below a table: why values are missing, each reason once. */
static void print_reasons(const struct page *page, bool of_counters)
{
	const char *told[REASONS_MAX];
	size_t count = 0;

	for (size_t i = 0; i < count_shown(page); i++)
		for (size_t k = 0; k < 2 * page->diff->lines[i]->measure_count; k++) {
			const struct tacho_diff_measure *measure =
				&page->diff->lines[i]->measures[k / 2];
			const struct tacho_diff_value *value = &measure->sides[k % 2];
			bool is_told = false;

			if ((of_counters ? !measure->is_counter : k > 1) || !*value->reason)
				continue;
			for (size_t n = 0; n < count; n++)
				is_told = is_told || strcmp(told[n], value->reason) == 0;
			if (is_told || count == REASONS_MAX)
				continue;
			told[count++] = value->reason;
			if (page->is_markdown && count == 1)
				fputc('\n', page->stream);
			put_item(page, "%s of %s in %s: %s", measure->name,
				 get_name(page->diff->lines[i]), k % 2 ? "B" : "A", value->reason);
		}
}

static void put_rest(const struct page *page, size_t shown, size_t count)
{
	struct cli_number number;

	if (shown >= count)
		return;
	if (page->is_markdown)
		fputc('\n', page->stream);
	put_item(page, "and %s more (--top 0 shows all)", cli_units_count(&number, count - shown));
}

static void add_line(const struct page *page, struct cli_table *table,
		     const struct tacho_diff_line *line)
{
	const struct tacho_diff_measure *time = &line->measures[0], *total = &line->measures[1];
	struct cli_number numbers[7];
	const char *cells[CELLS_MAX];
	size_t count = 0;

	cells[count++] = get_name(line);
	if (page->several_devices)
		cells[count++] = line->device;
	if (page->several_matches)
		cells[count++] = tacho_diff_match_to_string(line->match);
	cells[count++] = format_value(&numbers[0], &time->sides[0], time->unit);
	cells[count++] = format_value(&numbers[1], &time->sides[1], time->unit);
	cells[count++] = format_change(&numbers[2], time);
	if (page->has_totals) {
		cells[count++] = format_value(&numbers[3], &total->sides[0], total->unit);
		cells[count++] = format_value(&numbers[5], &total->sides[1], total->unit);
		cells[count++] = format_change(&numbers[6], total);
	} else {
		cells[count++] = format_interval(&numbers[3], time);
	}
	cells[count++] = format_p(&numbers[4], time);
	cells[count++] = cli_table_take(table, format_counts(&line->measures[2]));
	cells[count++] = cli_table_take(table, format_note(page, time));
	cli_table_add(table, cells);
	if (*line->name_b)
		cli_table_add(table, (const char *const[CELLS_MAX]){
					     cli_table_format(table, "  in B: %s", line->name_b)});
}

static void print_times(const struct page *page)
{
	static const char *const counted[] = {"launches", "calls", "count",
					      "commands", "count", "count"};
	char *interval = format_confidence(page);
	struct cli_column columns[CELLS_MAX];
	struct cli_table table;
	size_t count = 0, shown = count_shown(page);

	columns[count++] = (struct cli_column){layouts[page->diff->key].title, false};
	if (page->several_devices)
		columns[count++] = (struct cli_column){"device", false};
	if (page->several_matches)
		columns[count++] = (struct cli_column){"by", false};
	columns[count++] = (struct cli_column){"A", true};
	columns[count++] = (struct cli_column){"B", true};
	columns[count++] = (struct cli_column){"change", true};
	if (page->has_totals) {
		columns[count++] = (struct cli_column){"total A", true};
		columns[count++] = (struct cli_column){"total B", true};
		columns[count++] = (struct cli_column){"change", true};
	} else {
		columns[count++] = (struct cli_column){interval, true};
	}
	columns[count++] = (struct cli_column){"p", true};
	columns[count++] = (struct cli_column){counted[page->diff->key], true};
	columns[count++] = (struct cli_column){"note", false};
	put_heading(page, layouts[page->diff->key].heading);
	cli_table_init(&table, columns, count);
	for (size_t i = 0; i < shown; i++)
		add_line(page, &table, page->diff->lines[i]);
	if (shown)
		print_noted(page, &table);
	else
		put_item(page, "none that both have");
	put_rest(page, shown, page->diff->common_count);
	print_reasons(page, false);
	cli_table_finish(&table);
	free(interval);
}

static void print_only(const struct page *page, enum tacho_diff_side side)
{
	const struct cli_diff *diff = page->diff;
	struct cli_column columns[] = {{layouts[diff->key].title, false},
				       {"time", true},
				       {"total", true},
				       {"count", true}};
	struct cli_table table;
	size_t count = 0;

	cli_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = diff->common_count; i < diff->line_count; i++) {
		const struct tacho_diff_line *line = diff->lines[i];
		struct cli_number numbers[3];

		if (!line->is_in[side] || (diff->top && count++ >= diff->top))
			continue;
		cli_table_add(&table,
			      (const char *const[]){
				      get_name(line),
				      format_value(&numbers[0], &line->measures[0].sides[side],
						   line->measures[0].unit),
				      format_value(&numbers[1], &line->measures[1].sides[side],
						   line->measures[1].unit),
				      format_value(&numbers[2], &line->measures[2].sides[side],
						   line->measures[2].unit)});
	}
	if (table.row_count) {
		put_heading(page, side ? "Only in B" : "Only in A");
		print_table(page, &table);
		put_rest(page, table.row_count, count);
	}
	cli_table_finish(&table);
}

/* The name of each line, and below it a row per counter. */
static void add_counters(const struct page *page, struct cli_table *table,
			 const struct tacho_diff_line *line)
{
	bool is_first = true;

	for (size_t i = 0; i < line->measure_count; i++) {
		const struct tacho_diff_measure *measure = &line->measures[i];
		struct cli_number numbers[5];

		if (!measure->is_counter || !cli_diff_has(measure))
			continue;
		if (is_first)
			cli_table_add(table, (const char *const[CELLS_MAX]){get_name(line)});
		is_first = false;
		cli_table_add(table,
			      (const char *const[]){
				      cli_table_format(table, "  %s%s", measure->name,
						       measure->is_simulated ? " [simulated]" : ""),
				      format_value(&numbers[0], &measure->sides[0], measure->unit),
				      format_value(&numbers[1], &measure->sides[1], measure->unit),
				      format_change(&numbers[2], measure),
				      format_interval(&numbers[3], measure),
				      format_p(&numbers[4], measure),
				      cli_table_take(table, format_note(page, measure))});
	}
}

static void print_counters(const struct page *page)
{
	char *interval = format_confidence(page);
	struct cli_column columns[] = {{layouts[page->diff->key].title, false},
				       {"A", true},
				       {"B", true},
				       {"change", true},
				       {interval, true},
				       {"p", true},
				       {"note", false}};
	struct cli_table table;

	cli_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < count_shown(page); i++)
		add_counters(page, &table, page->diff->lines[i]);
	if (table.row_count) {
		put_heading(page, "Counters, of a launch");
		print_noted(page, &table);
		print_reasons(page, true);
	}
	cli_table_finish(&table);
	free(interval);
}

static void add_total(struct cli_table *table, const char *name, const char *unit, bool known_a,
		      double a, bool known_b, double b)
{
	struct cli_number numbers[3];

	cli_table_add(table,
		      (const char *const[]){
			      name, known_a ? cli_report_format_value(&numbers[0], a, unit) : "-",
			      known_b ? cli_report_format_value(&numbers[1], b, unit) : "-",
			      known_a && known_b && a != 0 ? format_share(&numbers[2], (b - a) / a)
							   : "-"});
}

static void print_totals(const struct page *page)
{
	static const struct cli_column columns[] = {
		{"", false}, {"A", true}, {"B", true}, {"change", true}};
	const struct tacho_diff_totals *a = tacho_diff_get_totals(page->diff->diff, TACHO_DIFF_A);
	const struct tacho_diff_totals *b = tacho_diff_get_totals(page->diff->diff, TACHO_DIFF_B);
	struct cli_table table;

	if (!a->has_calls && !b->has_calls) /* sums tell nothing of a whole run */
		return;
	cli_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	if (!page->diff->turns) /* these have a table of their own */
		add_total(&table, "wall time", "nanoseconds", a->has_wall, a->wall_ns, b->has_wall,
			  b->wall_ns);
	add_total(&table, "device busy", "nanoseconds", a->has_busy, a->busy_ns, b->has_busy,
		  b->busy_ns);
	add_total(&table, "device idle", "nanoseconds", a->has_busy, a->idle_ns, b->has_busy,
		  b->idle_ns);
	add_total(&table, "API time", "nanoseconds", a->has_calls, a->api_ns, b->has_calls,
		  b->api_ns);
	add_total(&table, "API calls", "", a->has_calls, a->calls, b->has_calls, b->calls);
	add_total(&table, "launches", "", a->has_calls, a->launches, b->has_calls, b->launches);
	add_total(&table, "transfers", "", a->has_calls, a->transfers, b->has_calls, b->transfers);
	put_heading(page, page->several_runs ? "Whole runs, means; not tested"
					     : "Whole runs, not tested");
	print_table(page, &table);
	cli_table_finish(&table);
}

static void print_wall(const struct page *page, const struct tacho_diff_measure *wall)
{
	struct cli_number number;
	char *text = cli_format("B against A: %s", format_change(&number, wall));

	if (wall->has_interval)
		cli_append(&text, ", ", "%.4g%% interval %s", 100 * (1 - page->diff->level),
			   format_interval(&number, wall));
	cli_append(&text, "; ", "%s%s",
		   wall->verdict == TACHO_DIFF_DIFFERS && wall->has_p ? "p " : "",
		   format_p(&number, wall));
	if (page->is_markdown)
		fputc('\n', page->stream);
	put_item(page, "%s", text);
	free(text);
}

static void print_programs(const struct page *page)
{
	struct cli_table table;

	cli_turns_fill_table(page->diff->turns, &table);
	put_heading(page, "Programs, wall time with the recorder in them");
	print_table(page, &table);
	cli_table_finish(&table);
	print_wall(page, &page->diff->wall);
}

static void print_turns(const struct page *page)
{
	char *text = cli_turns_describe(page->diff->turns);

	put_paragraph(page, text);
	free(text);
}

/* ---- below the tables ---- */

static void print_condition(const struct page *page, const struct cli_condition *condition)
{
	put_item(page, "%s: %s", condition->text,
		 !cli_condition_can_tell(page->diff) ? "cannot be told of one run a side"
		 : condition->line_count	     ? "true"
						     : "false");
	for (size_t i = 0; i < condition->line_count; i++) {
		const struct tacho_diff_measure *measure =
			cli_condition_get_measure(condition, condition->lines[i]);
		bool has_p = measure->has_p && measure->verdict == TACHO_DIFF_DIFFERS;
		struct cli_number numbers[4];
		char *text =
			cli_format("%s: %s, %s -> %s, %s%s", get_name(condition->lines[i]),
				   format_change(&numbers[0], measure),
				   format_value(&numbers[1], &measure->sides[0], measure->unit),
				   format_value(&numbers[2], &measure->sides[1], measure->unit),
				   has_p ? "p " : "", format_p(&numbers[3], measure));

		if (page->is_markdown) {
			fputs("  ", page->stream);
			put_item(page, "%s", text);
		} else {
			cli_text_print(page->stream, 4, 6, page->width, "%s", text);
		}
		free(text);
	}
}

static void print_conditions(const struct page *page)
{
	if (!page->diff->condition_count)
		return;
	put_heading(page, "Conditions");
	for (size_t i = 0; i < page->diff->condition_count; i++)
		print_condition(page, &page->diff->conditions[i]);
}

static void print_warnings(const struct page *page)
{
	const char *warning;

	if (!tacho_diff_get_warning(page->diff->diff, 0))
		return;
	put_heading(page, "Not the same in A and B");
	for (size_t i = 0; (warning = tacho_diff_get_warning(page->diff->diff, i)); i++) {
		char *text = cli_turns_shorten(page->diff->turns, warning);

		put_item(page, "%s", text);
		free(text);
	}
}

static bool is_sampled(const struct cli_diff *diff)
{
	for (size_t i = 0; i < diff->line_count; i++)
		for (size_t k = 0; k < diff->lines[i]->measure_count; k++)
			for (int side = 0; side < 2; side++) {
				const struct tacho_diff_measure *measure =
					&diff->lines[i]->measures[k];

				if ((!k || measure->is_counter) && measure->sides[side].has_value &&
				    measure->sides[side].kept < measure->sides[side].measured)
					return true;
			}
	return false;
}

static void print_method(const struct page *page)
{
	char *text = cli_diff_describe_method(page->diff);

	put_paragraph(page, text);
	free(text);
	if (is_sampled(page->diff))
		put_paragraph(page, "Of lines with more than 4,096 values a side, that many were "
				    "compared, chosen by a fixed random sequence.");
}

static void print_side(const struct page *page, int side)
{
	const struct cli_diff_group *group = &page->diff->groups[side];
	const struct cli_turns *turns = page->diff->turns;
	char *names = cli_format("%s", turns ? turns->lines[side].text : "");

	for (size_t i = 0; !turns && i < group->count; i++)
		cli_append(&names, ", ", "%s", tacho_recording_get_path(group->recordings[i]));
	if (page->is_markdown) {
		fprintf(page->stream, "- %s: ", side ? "B" : "A");
		cli_markdown_put(page->stream, names);
		fputc('\n', page->stream);
	} else {
		fprintf(page->stream, "%-*s", LABEL, side ? "B" : "A");
		cli_text_wrap(page->stream, names, LABEL, LABEL, page->width);
	}
	free(names);
}

static bool has_several_devices(const struct cli_diff *diff)
{
	for (size_t i = 1; i < diff->common_count; i++)
		if (strcmp(diff->lines[i]->device, diff->lines[0]->device) != 0)
			return true;
	return false;
}

void cli_diff_print(const struct cli_diff *diff, FILE *stream, unsigned width, bool is_markdown)
{
	struct page page = {diff, stream, width, is_markdown};

	page.several_devices = has_several_devices(diff);
	for (size_t i = 0; i < diff->common_count; i++)
		page.several_matches |= diff->lines[i]->match != TACHO_DIFF_MATCH_NAME;
	page.has_totals = tacho_diff_is_of_means(diff->diff) &&
			  diff->groups[0].count + diff->groups[1].count == 2;
	page.several_runs = diff->groups[0].count + diff->groups[1].count > 2;
	if (is_markdown)
		fputs("### tacho diff\n\n", stream);
	print_side(&page, 0);
	print_side(&page, 1);
	if (diff->turns)
		print_programs(&page);
	print_totals(&page);
	print_times(&page);
	print_only(&page, TACHO_DIFF_A);
	print_only(&page, TACHO_DIFF_B);
	print_counters(&page);
	print_conditions(&page);
	print_warnings(&page);
	if (diff->turns)
		print_turns(&page);
	print_method(&page);
}
