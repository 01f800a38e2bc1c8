/* SPDX-License-Identifier: MIT */
#include "values.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/sys/values.h>

#include "cli.h"
#include "columns.h"
#include "text.h"
#include "units.h"

/* More columns do not fit beside each other in any terminal. */
enum { COLUMNS_IN_ROW = 10 };

#define PREFIX "DIMENSION_"

enum remark { SCALED, DIVIDED, REFUSED, OUT_OF_RANGE, DEFAULT, ABSENT, BELOW0, REMARK_COUNT };

static const struct {
	const char *label, *text;
} remark_texts[REMARK_COUNT] = {
	[SCALED] = {"  scaled: ",
		    "counted in that part of the time or of the launches, and extrapolated"},
	[DIVIDED] = {"  * ", "divided by zero, which gives 0"},
	[REFUSED] = {"  * ", "divided by zero, which gives no value with --strict"},
	[OUT_OF_RANGE] = {"  ! ", "a percentage outside 0 to 100: its counters were not measured "
				  "at the same time, or do not fit together on this device"},
	[DEFAULT] = {"  default: ", "rests on what the simulated device takes for what a launch "
				    "does not tell; --kernels FILE says better"},
	[ABSENT] = {"  - ", "a counter that it needs has no value there"},
	[BELOW0] = {"  - ", "a difference in its formula fell below 0, so nobody knows the true "
			    "value"},
};

struct printer {
	const struct tacho_result *result;
	const bool *is_named;
	FILE *stream;
	unsigned width;
	struct cli_remarks remarks;
};

static void add_remark(struct cli_remarks *remarks, enum remark remark)
{
	remarks->bits |= 1u << remark;
}

static void print_remark(const char *label, const char *text, FILE *stream, unsigned width)
{
	fputs(label, stream);
	cli_text_wrap(stream, text, cli_text_width(label), 4, width);
}

void cli_remarks_print(const struct cli_remarks *remarks, FILE *stream, unsigned width)
{
	for (size_t i = 0; i < REMARK_COUNT; i++)
		if (remarks->bits & 1u << i)
			print_remark(remark_texts[i].label, remark_texts[i].text, stream, width);
}

/* ---- one value ---- */

static bool is_absent(const struct tacho_column *column, size_t row, size_t instance)
{
	return (tacho_column_get_state(column, row, instance) & TACHO_STATE_MASK) ==
	       TACHO_STATE_ABSENT;
}

static bool is_time(const struct tacho_column *column)
{
	return strcmp(column->unit, "nanoseconds") == 0;
}

static const char *get_unit(const struct tacho_column *column)
{
	return is_time(column) ? "ms" : column->unit;
}

static char *format_text(const struct tacho_column *column, size_t row, size_t instance)
{
	double value = tacho_column_get_value(column, row, instance);
	struct cli_number number;

	if (is_absent(column, row, instance))
		return cli_format("-");
	if (is_time(column))
		return cli_format(fabs(value) < 1e6 ? "%.6f" : "%.3f", value / 1e6);
	if (column->type == TACHO_TYPE_U64)
		return cli_format(
			"%s",
			cli_units_count(&number,
					column->data.u64[row * column->instance_count + instance]));
	if (value == floor(value) && value >= 0 && value < 1e15)
		return cli_format("%s", cli_units_count(&number, (uint64_t)value));
	return cli_format(fabs(value) >= 1e5 && fabs(value) < 1e15 ? "%.1f" : "%.6g", value);
}

/* The mark of a footnote. */
static const char *get_mark(const struct tacho_column *column, size_t row, size_t instance,
			    struct cli_remarks *remarks)
{
	bool has_none = is_absent(column, row, instance);

	if (tacho_column_get_state(column, row, instance) & TACHO_MARK_DIV0) {
		add_remark(remarks, has_none ? REFUSED : DIVIDED);
		return "*";
	}
	if (tacho_column_is_out_of_range(column, row, instance)) {
		add_remark(remarks, OUT_OF_RANGE);
		return "!";
	}
	if (tacho_column_get_state(column, row, instance) & TACHO_MARK_BELOW0)
		add_remark(remarks, BELOW0);
	else if (has_none && !*column->note && !*tacho_column_get_note(column, row, instance))
		add_remark(remarks, ABSENT);
	return "";
}

char *cli_value_format_state(const struct tacho_column *column, size_t row, size_t instance,
			     struct cli_remarks *remarks)
{
	uint8_t state = tacho_column_get_state(column, row, instance),
		low = state & TACHO_STATE_MASK;
	const char *word = low == TACHO_STATE_OK || low == TACHO_STATE_ABSENT
				   ? ""
				   : tacho_state_to_string(state);
	const char *basis = state & TACHO_MARK_DEFAULT ? "default" : "";
	const char *mark = get_mark(column, row, instance, remarks);
	char part[16] = "";

	if (*basis)
		add_remark(remarks, DEFAULT);
	if (low == TACHO_STATE_SCALED) {
		add_remark(remarks, SCALED);
		snprintf(part, sizeof(part), " %.3g%%",
			 100 * tacho_column_get_coverage(column, row, instance));
	}
	return cli_format("%s%s%s%s%s%s", word, part, *word && *basis ? ", " : "", basis,
			  (*word || *basis) && *mark ? " " : "", mark);
}

static const char *get_dimension(const struct tacho_column *column, uint32_t index)
{
	const char *name = column->dimensions[index].name;

	return strncmp(name, PREFIX, strlen(PREFIX)) == 0 ? name + strlen(PREFIX) : name;
}

static char *format_name(const struct tacho_column *column, size_t instance)
{
	uint32_t positions[TACHO_DIMENSION_MAX];
	char *text;

	tacho_column_get_position(column, instance, positions);
	if (!column->dimension_count)
		return cli_format("%s", column->name);
	if (column->dimension_count == 1 &&
	    strcmp(column->dimensions[0].name, PREFIX "INSTANCE") == 0)
		return column->instance_count == 1 && !positions[0]
			       ? cli_format("%s", column->name)
			       : cli_format("%s[%u]", column->name, positions[0]);
	text = cli_format("%s", column->name);
	for (uint32_t i = 0; i < column->dimension_count; i++)
		cli_append(&text, i ? " " : "[", "%s=%u", get_dimension(column, i), positions[i]);
	cli_append(&text, "", "]");
	return text;
}

char *cli_value_format_position(const struct tacho_column *column, size_t instance)
{
	uint32_t positions[TACHO_DIMENSION_MAX];
	char *text = NULL;

	tacho_column_get_position(column, instance, positions);
	for (uint32_t i = 0; i < column->dimension_count; i++)
		if (column->dimensions[i].extent > 1)
			cli_append(&text, " ", "%s=%u", get_dimension(column, i), positions[i]);
	return text ? text : cli_format("%s", "");
}

void cli_value_format(const struct tacho_column *column, size_t row, size_t instance,
		      struct cli_remarks *remarks, struct cli_value *out_value)
{
	*out_value = (struct cli_value){
		.name = format_name(column, instance),
		.text = format_text(column, row, instance),
		.state = cli_value_format_state(column, row, instance, remarks),
		.unit = is_absent(column, row, instance) ? "" : get_unit(column),
	};
}

void cli_value_finish(struct cli_value *value)
{
	free(value->name);
	free(value->text);
	free(value->state);
}

/* ---- tables ---- */

static bool is_all_absent(const struct tacho_result *result, const struct tacho_column *column)
{
	for (size_t row = 0; row < tacho_result_get_row_count(result); row++)
		for (size_t i = 0; i < column->instance_count; i++)
			if (tacho_column_is_present(column, i) && !is_absent(column, row, i))
				return false;
	return true;
}

/* A column that nobody named and that has no value is only counted. */
static bool is_shown(const struct printer *printer, size_t index)
{
	return !printer->is_named || printer->is_named[index] ||
	       !is_all_absent(printer->result, tacho_result_get_column(printer->result, index));
}

/* All values of a row, one a line. */
static void print_list(struct printer *printer, size_t row)
{
	static const struct cli_column columns[] = {
		{"name", false}, {"value", true}, {"unit", false}, {"", false}};
	const struct tacho_column *column;
	struct cli_table table;
	struct cli_value value;

	cli_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; (column = tacho_result_get_column(printer->result, i)); i++) {
		for (size_t at = 0; is_shown(printer, i) && at < column->instance_count; at++) {
			if (!tacho_column_is_present(column, at))
				continue;
			cli_value_format(column, row, at, &printer->remarks, &value);
			cli_table_add(&table, (const char *const[]){value.name, value.text,
								    value.unit, value.state});
			cli_value_finish(&value);
		}
	}
	if (table.row_count)
		cli_columns_print(&table, printer->stream, printer->width);
	cli_table_finish(&table);
}

static void print_lists(struct printer *printer)
{
	const struct tacho_row *row;

	for (size_t i = 0; (row = tacho_result_get_row(printer->result, i)); i++) {
		char *clean = cli_text_clean(row->name);

		fprintf(printer->stream, "%s%s %" PRIu64 "%s%s\n\n", i ? "\n" : "",
			tacho_row_kind_to_string(row->kind), row->id, *clean ? ": " : "", clean);
		free(clean);
		print_list(printer, i);
	}
}

/* "12.5", "103 !", "7 lost *", "-" */
static char *format_cell(struct printer *printer, const struct tacho_column *column, size_t row)
{
	struct cli_value value;
	char *cell;

	cli_value_format(column, row, 0, &printer->remarks, &value);
	cell = cli_format("%s%s%s", value.text, *value.state ? " " : "", value.state);
	cli_value_finish(&value);
	return cell;
}

static void add_row(struct printer *printer, struct cli_table *table, size_t row)
{
	const struct tacho_row *info = tacho_result_get_row(printer->result, row);
	const char *cells[COLUMNS_IN_ROW + 2] = {info->name,
						 cli_table_format(table, "%" PRIu64, info->id)};
	const struct tacho_column *column;
	size_t count = 2;

	for (size_t i = 0; (column = tacho_result_get_column(printer->result, i)); i++)
		if (is_shown(printer, i))
			cells[count++] = cli_table_take(table, format_cell(printer, column, row));
	cli_table_add(table, cells);
}

static void print_rows(struct printer *printer)
{
	enum tacho_row_kind kind = tacho_result_get_row(printer->result, 0)->kind;
	struct cli_column columns[COLUMNS_IN_ROW + 2] = {
		{kind == TACHO_ROW_LAUNCH ? "kernel" : "name", false},
		{tacho_row_kind_to_string(kind), true}};
	char *titles[COLUMNS_IN_ROW];
	const struct tacho_column *column;
	struct cli_table table;
	size_t count = 0;

	for (size_t i = 0; (column = tacho_result_get_column(printer->result, i)); i++) {
		if (!is_shown(printer, i))
			continue;
		titles[count] = cli_format("%s%s%s", column->name, *column->unit ? ", " : "",
					   get_unit(column));
		columns[count + 2] = (struct cli_column){titles[count], true};
		count++;
	}
	cli_table_init(&table, columns, count + 2);
	for (size_t row = 0; row < tacho_result_get_row_count(printer->result); row++)
		add_row(printer, &table, row);
	cli_table_print(&table, printer->stream, printer->width);
	cli_table_finish(&table);
	for (size_t i = 0; i < count; i++)
		free(titles[i]);
}

/* Whether there are several rows, and their values fit beside each other. */
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
	return count > 0 && count <= COLUMNS_IN_ROW &&
	       tacho_result_get_row_count(printer->result) > 1;
}

static void print_notes(const struct printer *printer)
{
	const struct tacho_column *column;
	size_t hidden = 0, count = 0;
	char *text;

	cli_remarks_print(&printer->remarks, printer->stream, printer->width);
	for (; (column = tacho_result_get_column(printer->result, count)); count++) {
		hidden += !is_shown(printer, count);
		if (!is_shown(printer, count) || !*column->note)
			continue;
		text = cli_format("%s: %s", column->name, column->note);
		print_remark("  - ", text, printer->stream, printer->width);
		free(text);
	}
	if (!hidden)
		return;
	text = cli_format("%zu of %zu have no value here and are left out; --json says why", hidden,
			  count);
	print_remark("  - ", text, printer->stream, printer->width);
	free(text);
}

void cli_values_print(const struct tacho_result *result, const bool *is_named, FILE *stream,
		      unsigned width)
{
	struct printer printer = {
		.result = result, .is_named = is_named, .stream = stream, .width = width};
	const struct tacho_row *first = tacho_result_get_row(result, 0);

	if (first && first->kind != TACHO_ROW_LAUNCH && tacho_result_get_row_count(result) == 1)
		print_list(&printer, 0);
	else if (fits_rows(&printer))
		print_rows(&printer);
	else
		print_lists(&printer);
	print_notes(&printer);
}
