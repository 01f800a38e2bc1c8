/* SPDX-License-Identifier: MIT */
/* Sums for people. */
#include "report/report_sums.h"

#include <stdlib.h>
#include <string.h>

#include "gaps.h"
#include "report/report_kernels.h"
#include "table.h"
#include "terminal.h"
#include "text.h"
#include "units.h"

enum { LABEL = 13 };

static const struct {
	const char *key, *heading, *title, *counted;
} kinds[TACHO_SUMS_KINDS] = {
	[TACHO_SUMS_KERNELS] = {"kernel", "Kernels, by device time", "kernel", "launches"},
	[TACHO_SUMS_TRANSFERS] = {"transfer", "Transfers, by device time", "transfer", "count"},
	[TACHO_SUMS_COMMANDS] = {"command", "Other work, by device time", "command", "count"},
	[TACHO_SUMS_CALLS] = {"api", "API functions, by host time", "function", "calls"},
	[TACHO_SUMS_RANGES] = {"range", "Ranges, by their time", "range", "count"},
};

static const char *const titles[TACHO_SUMS_COLUMNS] = {
	[TACHO_SUMS_TOTAL] = "total",	[TACHO_SUMS_MEAN] = "average",
	[TACHO_SUMS_MEDIAN] = "median", [TACHO_SUMS_MIN] = "min",
	[TACHO_SUMS_MAX] = "max",	[TACHO_SUMS_DEVIATION] = "deviation",
	[TACHO_SUMS_SHARE] = "share",
};

const char *cli_report_sums_name(enum tacho_sums_kind kind)
{
	return kinds[kind].key;
}

bool cli_report_sums_find(const char *key, enum tacho_sums_kind *out_kind)
{
	for (int i = 0; i < TACHO_SUMS_KINDS; i++)
		if (strcmp(kinds[i].key, key) == 0) {
			*out_kind = (enum tacho_sums_kind)i;
			return true;
		}
	return false;
}

const struct tacho_sums *cli_report_sums_next(const struct cli_report_sums *report, size_t *at)
{
	const struct tacho_sums *sums;

	while ((sums = tacho_recording_get_sums(report->recording, (*at)++)))
		if (!report->is_one || sums->kind == report->kind)
			return sums;
	return NULL;
}

bool cli_report_sums_shows(const struct cli_report_sums *report, const struct tacho_sums *sums,
			   size_t line)
{
	return sums->kind != TACHO_SUMS_KERNELS ||
	       cli_report_kernels_fit(report->kernels,
				      tacho_result_get_row(sums->lines, line)->name);
}

/* ---- what is opened ---- */

static void put_line(FILE *stream, unsigned width, const char *label, const char *text)
{
	fprintf(stream, "%-*s", LABEL, label);
	cli_text_wrap(stream, text, LABEL, LABEL, width);
}

static void put_beginning(const struct cli_report_sums *report, FILE *stream, unsigned width)
{
	const struct tacho_run *run = tacho_recording_get_run(report->recording);
	char *cause = cli_gaps_format(report->recording);

	put_line(stream, width, "recording", tacho_recording_get_path(report->recording));
	if (cause)
		put_line(stream, width, "NOT WHOLE", cause);
	free(cause);
	put_line(stream, width, "recorded by", run->generator);
	put_line(stream, width, "sums only", run->why_empty);
}

/* ---- tables ---- */

static const struct tacho_column *get_column(const struct tacho_sums *sums, int column)
{
	return tacho_result_get_column(sums->lines, (size_t)column);
}

static bool is_known(const struct tacho_sums *sums, int column, size_t line)
{
	return tacho_column_get_state(get_column(sums, column), line, 0) == TACHO_STATE_OK;
}

static const char *format_cell(struct cli_number *number, const struct tacho_sums *sums, int column,
			       size_t line)
{
	double value = tacho_column_get_value(get_column(sums, column), line, 0);

	if (!is_known(sums, column, line))
		return "-";
	if (column == TACHO_SUMS_COUNT)
		return cli_units_count(number, get_column(sums, column)->data.u64[line]);
	if (column != TACHO_SUMS_SHARE)
		return cli_report_format_value(number, value, get_column(sums, column)->unit);
	snprintf(number->text, sizeof(number->text),
		 value > 0 && value < 0.05 ? "<0.1%%" : "%.1f%%", value);
	return number->text;
}

/* Columns without any value are told below the table. Returns how many are left. */
static size_t choose_columns(const struct tacho_sums *sums, int *chosen, struct cli_column *columns,
			     char **missing)
{
	size_t lines = tacho_result_get_row_count(sums->lines), count = 0;

	for (int i = 0; i < TACHO_SUMS_COLUMNS; i++) {
		const char *title = i == TACHO_SUMS_COUNT ? kinds[sums->kind].counted : titles[i];
		size_t line = 0;

		while (line < lines && !is_known(sums, i, line))
			line++;
		if (line == lines) {
			cli_append(missing, ", ", "%s", title);
			continue;
		}
		chosen[count] = i;
		columns[++count] = (struct cli_column){title, true};
	}
	return count;
}

/* The lines that are shown; *out_count is how many there are. */
static void fill_table(const struct cli_report_sums *report, const struct tacho_sums *sums,
		       const int *chosen, struct cli_table *table, size_t *out_count)
{
	struct cli_number numbers[TACHO_SUMS_COLUMNS];
	const char *cells[TACHO_SUMS_COLUMNS + 1];

	*out_count = 0;
	for (size_t i = 0; i < tacho_result_get_row_count(sums->lines); i++) {
		if (!cli_report_sums_shows(report, sums, i))
			continue;
		if ((*out_count)++ >= report->top && report->top)
			continue;
		cells[0] = tacho_result_get_row(sums->lines, i)->name;
		for (size_t k = 1; k < table->column_count; k++)
			cells[k] = format_cell(&numbers[k - 1], sums, chosen[k - 1], i);
		cli_table_add(table, cells);
	}
}

static bool has_gaps(const struct cli_table *table)
{
	for (size_t i = 0; i < table->row_count * table->column_count; i++)
		if (i % table->column_count && strcmp(table->cells[i], "-") == 0)
			return true;
	return false;
}

/* What a table is of beside its kind: the part of the file, and the file where there are several.
 */
static void put_heading(const struct cli_report_sums *report, const struct tacho_sums *sums,
			FILE *stream)
{
	const struct tacho_sums *other;
	bool has_files = false;
	char *text = cli_format("%s%s%s",
				sums->kind == TACHO_SUMS_TRANSFERS && sums->is_of_bytes
					? "Transfers, by bytes"
					: kinds[sums->kind].heading,
				*sums->part ? ": " : "", sums->part);
	char *clean;

	for (size_t i = 0; (other = tacho_recording_get_sums(report->recording, i)); i++)
		has_files |= strcmp(other->file, sums->file) != 0;
	if (has_files)
		cli_append(&text, " ", "(%s)", sums->file);
	clean = cli_text_clean(text);
	cli_put_heading(stream, clean);
	free(clean);
	free(text);
}

static void print_table(const struct cli_report_sums *report, const struct tacho_sums *sums,
			FILE *stream, unsigned width)
{
	struct cli_column columns[TACHO_SUMS_COLUMNS + 1] = {{kinds[sums->kind].title, false}};
	char *missing = cli_format("%s", "");
	int chosen[TACHO_SUMS_COLUMNS];
	size_t count = choose_columns(sums, chosen, columns, &missing), all;
	struct cli_number number;
	struct cli_table table;

	cli_table_init(&table, columns, count + 1);
	fill_table(report, sums, chosen, &table, &all);
	put_heading(report, sums, stream);
	if (table.row_count)
		cli_table_print(&table, stream, width);
	else
		fputs("  none\n", stream);
	if (table.row_count < all)
		fprintf(stream, "  and %s more (--top 0 shows all)\n",
			cli_units_count(&number, all - table.row_count));
	if (has_gaps(&table))
		cli_text_print(stream, 2, 6, width, "- : the file does not state it%s",
			       sums->is_of_bytes ? ", or rounds it to 0" : "");
	if (*missing && table.row_count)
		cli_text_print(stream, 2, 6, width, "not stated in the file%s: %s",
			       sums->is_of_bytes ? ", or rounded to 0 there" : "", missing);
	cli_table_finish(&table);
	free(missing);
}

void cli_report_sums_print(const struct cli_report_sums *report, FILE *stream, unsigned width)
{
	const char *note = tacho_recording_get_run(report->recording)->import_note;
	const struct tacho_sums *sums;
	bool any = false;
	size_t at = 0;

	put_beginning(report, stream, width);
	while ((sums = cli_report_sums_next(report, &at))) {
		print_table(report, sums, stream, width);
		any = true;
	}
	if (!any) {
		cli_put_heading(stream, kinds[report->kind].heading);
		fputs("  none: no table of them is in the file\n", stream);
	}
	if (tacho_recording_get_fault(report->recording, 0)) {
		cli_put_heading(stream, "Lost");
		cli_gaps_print_faults(report->recording, stream, width);
	}
	if (note && *note) {
		cli_put_heading(stream, "Notes");
		cli_text_print(stream, 2, 4, width, "%s", note);
	}
}
