/* SPDX-License-Identifier: MIT */
/* Results for people: a line for each value, or a row for each launch. */
#include "eval/eval.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/sys/values.h>

#include "cli.h"
#include "table.h"
#include "text.h"

/* More columns do not fit beside each other in any terminal. */
enum { METRICS_IN_ROW = 10 };

#define PREFIX "DIMENSION_"

struct printer {
	const struct tacho_result *result;
	const struct cli_eval_list *list;
	FILE *stream;
	unsigned width;
	/* Footnotes that are needed. */
	bool any_div0, any_refused, any_out_of_range, any_absent, any_default;
};

static uint8_t low_state(const struct tacho_column *column, size_t row, size_t instance)
{
	return tacho_column_get_state(column, row, instance) & TACHO_STATE_MASK;
}

static bool is_all_absent(const struct tacho_result *result, const struct tacho_column *column)
{
	for (size_t row = 0; row < tacho_result_get_row_count(result); row++)
		for (size_t i = 0; i < column->instance_count; i++)
			if (tacho_column_is_present(column, i) &&
			    low_state(column, row, i) != TACHO_STATE_ABSENT)
				return false;
	return true;
}

/* A column that nobody named and that has no value is only counted. */
static bool is_shown(const struct printer *printer, size_t index)
{
	return printer->list->is_named[index] ||
	       !is_all_absent(printer->result, tacho_result_get_column(printer->result, index));
}

static char *format_value(const struct tacho_column *column, size_t row, size_t instance)
{
	size_t at = row * column->instance_count + instance;
	double value;

	if (low_state(column, row, instance) == TACHO_STATE_ABSENT)
		return cli_format("-");
	if (column->type == TACHO_TYPE_U64)
		return cli_format("%" PRIu64, column->data.u64[at]);
	value = column->data.f64[at];
	if (fabs(value) >= 1e15 || !isfinite(value))
		return cli_format("%.6g", value);
	if (value == floor(value))
		return cli_format("%.0f", value);
	return cli_format(fabs(value) >= 1e5 ? "%.1f" : "%.6g", value);
}

/* The marks of footnotes: "*", "!". */
static const char *get_mark(struct printer *printer, const struct tacho_column *column, size_t row,
			    size_t instance)
{
	uint8_t state = tacho_column_get_state(column, row, instance);
	bool is_absent = (state & TACHO_STATE_MASK) == TACHO_STATE_ABSENT;

	if (state & TACHO_MARK_DIV0) {
		printer->any_div0 = printer->any_div0 || !is_absent;
		printer->any_refused = printer->any_refused || is_absent;
		return "*";
	}
	if (tacho_column_is_out_of_range(column, row, instance)) {
		printer->any_out_of_range = true;
		return "!";
	}
	printer->any_absent = printer->any_absent || (is_absent && !*column->note);
	return "";
}

/* "lost *", "default": the state in words when it is not ok, and the mark of a footnote. */
static char *format_state(struct printer *printer, const struct tacho_column *column, size_t row,
			  size_t instance)
{
	uint8_t low = low_state(column, row, instance);
	const char *word = low == TACHO_STATE_OK ? "" : tacho_state_to_string(low);
	const char *mark = get_mark(printer, column, row, instance);
	bool is_default = tacho_column_get_state(column, row, instance) & TACHO_MARK_DEFAULT;
	const char *basis = is_default ? "default" : "";

	printer->any_default = printer->any_default || is_default;
	return cli_format("%s%s%s%s%s", word, *word && is_default ? " " : "", basis,
			  (*word || is_default) && *mark ? " " : "", mark);
}

/* "TCC_HIT[3]", "SQ_WAVES[XCC=1 SHADER_ENGINE=0]" */
static char *format_name(const struct tacho_column *column, size_t instance)
{
	uint32_t positions[TACHO_DIMENSION_MAX];
	char *text, *longer;

	if (column->instance_count == 1 && !column->dimension_count)
		return cli_format("%s", column->name);
	tacho_column_get_position(column, instance, positions);
	if (column->dimension_count == 1 &&
	    strcmp(column->dimensions[0].name, PREFIX "INSTANCE") == 0)
		return column->instance_count == 1 && !positions[0]
			       ? cli_format("%s", column->name)
			       : cli_format("%s[%u]", column->name, positions[0]);
	text = cli_format("%s", column->name);
	for (uint32_t i = 0; i < column->dimension_count; i++) {
		const char *name = column->dimensions[i].name;

		if (strncmp(name, PREFIX, strlen(PREFIX)) == 0)
			name += strlen(PREFIX);
		longer = cli_format("%s%c%s=%u", text, i ? ' ' : '[', name, positions[i]);
		free(text);
		text = longer;
	}
	longer = cli_format("%s]", text);
	free(text);
	return longer;
}

static void add_value(struct printer *printer, struct cli_table *table,
		      const struct tacho_column *column, size_t row, size_t instance)
{
	char *name = format_name(column, instance);
	char *value = format_value(column, row, instance);
	char *state = format_state(printer, column, row, instance);

	cli_table_add(table, (const char *const[]){name, value, column->unit, state});
	free(name);
	free(value);
	free(state);
}

static bool has_units(const struct printer *printer)
{
	const struct tacho_column *column;

	for (size_t i = 0; (column = tacho_result_get_column(printer->result, i)); i++)
		if (is_shown(printer, i) && *column->unit)
			return true;
	return false;
}

/* All values of a row, one a line. */
static void print_list(struct printer *printer, size_t row)
{
	const struct cli_column columns[] = {{"NAME", false},
					     {"VALUE", true},
					     {has_units(printer) ? "UNIT" : "", false},
					     {"", false}};
	const struct tacho_column *column;
	struct cli_table table;

	cli_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; (column = tacho_result_get_column(printer->result, i)); i++) {
		if (!is_shown(printer, i))
			continue;
		for (size_t at = 0; at < column->instance_count; at++)
			if (tacho_column_is_present(column, at))
				add_value(printer, &table, column, row, at);
	}
	if (table.row_count)
		cli_table_print(&table, printer->stream, printer->width);
	cli_table_finish(&table);
}

static void print_launch_lists(struct printer *printer)
{
	const struct tacho_row *row;

	for (size_t i = 0; (row = tacho_result_get_row(printer->result, i)); i++) {
		char *clean = cli_text_clean(row->name);

		fprintf(printer->stream, "%slaunch %" PRIu64 "%s%s\n\n", i ? "\n" : "", row->id,
			*clean ? ": " : "", clean);
		free(clean);
		print_list(printer, i);
	}
}

/* "12.5", "103 !", "7 lost *", "-" */
static char *format_cell(struct printer *printer, const struct tacho_column *column, size_t row)
{
	char *value = format_value(column, row, 0), *cell;
	char *state = low_state(column, row, 0) == TACHO_STATE_ABSENT /* which the "-" says */
			      ? cli_format("%s", get_mark(printer, column, row, 0))
			      : format_state(printer, column, row, 0);

	cell = cli_format("%s%s%s", value, *state ? " " : "", state);
	free(value);
	free(state);
	return cell;
}

static void add_launch(struct printer *printer, struct cli_table *table, size_t row)
{
	const struct tacho_row *info = tacho_result_get_row(printer->result, row);
	const char *cells[METRICS_IN_ROW + 2];
	char *owned[METRICS_IN_ROW + 1];
	const struct tacho_column *column;
	size_t count = 0;

	owned[0] = cli_format("%" PRIu64, info->id);
	cells[0] = info->name;
	cells[1] = owned[0];
	for (size_t i = 0; (column = tacho_result_get_column(printer->result, i)); i++) {
		if (!is_shown(printer, i))
			continue;
		owned[++count] = format_cell(printer, column, row);
		cells[count + 1] = owned[count];
	}
	cli_table_add(table, cells);
	for (size_t i = 0; i <= count; i++)
		free(owned[i]);
}

static void print_launches(struct printer *printer)
{
	struct cli_column columns[METRICS_IN_ROW + 2] = {{"KERNEL", false}, {"LAUNCH", true}};
	char *titles[METRICS_IN_ROW];
	const struct tacho_column *column;
	struct cli_table table;
	size_t count = 0;

	for (size_t i = 0; (column = tacho_result_get_column(printer->result, i)); i++) {
		if (!is_shown(printer, i))
			continue;
		titles[count] =
			cli_format("%s%s%s", column->name, *column->unit ? ", " : "", column->unit);
		columns[count + 2] = (struct cli_column){titles[count], true};
		count++;
	}
	cli_table_init(&table, columns, count + 2);
	for (size_t row = 0; row < tacho_result_get_row_count(printer->result); row++)
		add_launch(printer, &table, row);
	cli_table_print(&table, printer->stream, printer->width);
	cli_table_finish(&table);
	for (size_t i = 0; i < count; i++)
		free(titles[i]);
}

/* Launches are rows when there are several and their values fit beside each other. */
static bool fits_rows(const struct printer *printer)
{
	const struct tacho_column *column;
	size_t count = 0;

	for (size_t i = 0; (column = tacho_result_get_column(printer->result, i)); i++) {
		if (!is_shown(printer, i))
			continue;
		if (column->instance_count != 1)
			return false;
		count++;
	}
	return count > 0 && count <= METRICS_IN_ROW &&
	       tacho_result_get_row_count(printer->result) > 1;
}

static void print_note(const struct printer *printer, const char *label, const char *text)
{
	fputs(label, printer->stream);
	cli_text_wrap(printer->stream, text, cli_text_width(label), 4, printer->width);
}

static void print_notes(const struct printer *printer)
{
	const struct tacho_column *column;
	size_t hidden = 0, count = 0;
	char *text;

	for (; (column = tacho_result_get_column(printer->result, count)); count++)
		hidden += !is_shown(printer, count);
	if (printer->any_div0)
		print_note(printer, "  * ", "divided by zero, which gives 0");
	if (printer->any_refused)
		print_note(printer, "  * ", "divided by zero, which gives no value with --strict");
	if (printer->any_out_of_range)
		print_note(printer, "  ! ",
			   "a percentage outside 0 to 100: its counters were not measured at the "
			   "same time, or do not fit together on this device");
	if (printer->any_default)
		print_note(printer, "  default: ",
			   "rests on what the simulated device took for what a launch did not "
			   "tell");
	if (printer->any_absent)
		print_note(printer, "  - ", "a counter that it needs has no value there");
	for (size_t i = 0; i < count; i++) {
		column = tacho_result_get_column(printer->result, i);
		if (!is_shown(printer, i) || !*column->note)
			continue;
		text = cli_format("%s: %s", column->name, column->note);
		print_note(printer, "  - ", text);
		free(text);
	}
	if (!hidden)
		return;
	text = cli_format("%zu of %zu have no value here and are left out; --json says why", hidden,
			  count);
	print_note(printer, "  - ", text);
	free(text);
}

void cli_eval_print(const struct tacho_result *result, const struct cli_eval_list *list,
		    FILE *stream, unsigned width)
{
	struct printer printer = {.result = result, .list = list, .stream = stream, .width = width};

	if (tacho_values_is_single(result))
		print_list(&printer, 0);
	else if (fits_rows(&printer))
		print_launches(&printer);
	else
		print_launch_lists(&printer);
	print_notes(&printer);
}
