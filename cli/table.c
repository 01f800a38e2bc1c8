/* SPDX-License-Identifier: MIT */
/* Layout of tables. */
#include "table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "terminal.h"
#include "text.h"

enum { INDENT = 2, NAME_MIN = 14, NAME_GOOD = 20, COLUMNS_MAX = 16 };

void cli_table_init(struct cli_table *table, const struct cli_column *columns, size_t column_count)
{
	memset(table, 0, sizeof(*table));
	table->columns = columns;
	table->column_count = column_count < COLUMNS_MAX ? column_count : COLUMNS_MAX;
}

static const char *get_cell(const struct cli_table *table, size_t row, size_t column)
{
	return table->cells[row * table->column_count + column];
}

static void free_taken(struct cli_table *table)
{
	while (table->taken_count)
		free(table->taken[--table->taken_count]);
}

void cli_table_finish(struct cli_table *table)
{
	free_taken(table);
	free(table->taken);
	for (size_t i = 0; i < table->row_count * table->column_count; i++)
		free(table->cells[i]);
	free(table->cells);
	memset(table, 0, sizeof(*table));
}

void cli_table_add(struct cli_table *table, const char *const *cells)
{
	table->cells = cli_grow(table->cells, table->row_count,
				table->column_count * sizeof(*table->cells));
	for (size_t i = 0; i < table->column_count; i++)
		table->cells[table->row_count * table->column_count + i] =
			cli_text_clean(cells[i] ? cells[i] : "");
	table->row_count++;
	free_taken(table);
}

const char *cli_table_take(struct cli_table *table, char *text)
{
	table->taken = cli_grow(table->taken, table->taken_count, sizeof(*table->taken));
	table->taken[table->taken_count++] = text;
	return text;
}

const char *cli_table_format(struct cli_table *table, const char *format, ...)
{
	char *text;
	va_list list;

	va_start(list, format);
	text = cli_format_list(format, list);
	va_end(list);
	return cli_table_take(table, text);
}

static unsigned get_natural_width(const struct cli_table *table, size_t column)
{
	unsigned width = cli_text_width(table->columns[column].title);

	for (size_t row = 0; row < table->row_count; row++) {
		unsigned cell = cli_text_width(get_cell(table, row, column));

		width = cell > width ? cell : width;
	}
	return width;
}

static unsigned sum_widths(const struct cli_table *table, const unsigned *widths, unsigned gap)
{
	unsigned sum = INDENT;

	for (size_t i = 0; i < table->column_count; i++)
		sum += widths[i] ? widths[i] + (i ? gap : 0) : 0; /* empty ones take no room */
	return sum;
}

/* Takes columns from the widest text until the lines fit. False when names would become too short.
 */
static bool shrink(const struct cli_table *table, unsigned *widths, unsigned gap, unsigned width)
{
	while (sum_widths(table, widths, gap) > width) {
		size_t widest = COLUMNS_MAX;

		for (size_t i = 0; i < table->column_count; i++)
			if (!table->columns[i].is_number && widths[i] > NAME_MIN &&
			    (widest == COLUMNS_MAX || widths[i] > widths[widest]))
				widest = i;
		if (widest == COLUMNS_MAX)
			return false;
		widths[widest]--;
	}
	return true;
}

/* Whether two rows whose names differ would look the same once the names are cut to `columns`. */
static bool is_ambiguous(const struct cli_table *table, unsigned columns)
{
	bool found = false;

	if (get_natural_width(table, 0) <= columns)
		return false;
	for (size_t a = 0; a < table->row_count && !found; a++) {
		char *cut = cli_text_shorten(get_cell(table, a, 0), columns);

		for (size_t b = a + 1; b < table->row_count && !found; b++) {
			char *other = cli_text_shorten(get_cell(table, b, 0), columns);

			found = strcmp(cut, other) == 0 &&
				strcmp(get_cell(table, a, 0), get_cell(table, b, 0)) != 0;
			free(other);
		}
		free(cut);
	}
	return found;
}

static void print_line(const struct cli_table *table, FILE *stream, const unsigned *widths,
		       unsigned gap, const char *const *cells)
{
	size_t last = table->column_count - 1;

	while (last && !*cells[last]) /* no blanks at the end of a line */
		last--;
	fprintf(stream, "%*s", INDENT, "");
	for (size_t i = 0; i <= last; i++) {
		bool right = table->columns[i].is_number;
		char *cell = cli_text_shorten(cells[i], widths[i]);

		fprintf(stream, "%*s", i ? (int)gap : 0, "");
		cli_text_pad(stream, cell, i == last && !right ? 0 : widths[i], right);
		free(cell);
	}
	fputc('\n', stream);
}

/* Names that are too long are cut; when little is left or they become alike, they get lines of
 * their own. */
/* Whether the row is more than a name. */
static bool has_more(const struct cli_table *table, size_t row)
{
	for (size_t i = 1; i < table->column_count; i++)
		if (*get_cell(table, row, i))
			return true;
	return false;
}

static void print_rows(const struct cli_table *table, FILE *stream, const unsigned *widths,
		       unsigned gap, unsigned width)
{
	bool own_lines = widths[0] < NAME_GOOD || is_ambiguous(table, widths[0]);
	const char *cells[COLUMNS_MAX];

	for (size_t i = 0; i < table->column_count; i++)
		cells[i] = table->columns[i].title;
	cli_color_begin(stream, CLI_COLOR_TITLE);
	print_line(table, stream, widths, gap, cells);
	cli_color_end(stream);
	for (size_t row = 0; row < table->row_count; row++) {
		for (size_t i = 0; i < table->column_count; i++)
			cells[i] = get_cell(table, row, i);
		if (own_lines && cli_text_width(cells[0]) > widths[0]) {
			char *name = cli_text_shorten(cells[0], width - INDENT);

			fprintf(stream, "%*s%s\n", INDENT, "", name);
			free(name);
			cells[0] = "";
			if (!has_more(table, row))
				continue;
		}
		print_line(table, stream, widths, gap, cells);
	}
}

/* One row as a record: its name, then "title value" pairs below it. */
static void print_record(const struct cli_table *table, FILE *stream, size_t row, unsigned width)
{
	char *name = cli_text_shorten(get_cell(table, row, 0), width - INDENT);
	unsigned used = 0;

	fprintf(stream, "%*s%s", INDENT, "", name);
	free(name);
	for (size_t i = 1; i < table->column_count; i++) {
		const char *title = table->columns[i].title, *cell = get_cell(table, row, i);
		unsigned room = width - 2 * INDENT - cli_text_width(title) - 1, columns;
		char *value;

		if (!*cell)
			continue;
		value = cli_text_shorten(cell, room);
		columns = cli_text_width(title) + 1 + cli_text_width(value);
		if (!used || used + 2 + columns > width) {
			fprintf(stream, "\n%*s", 2 * INDENT, "");
			used = 2 * INDENT;
		} else {
			fputs("  ", stream);
			used += 2;
		}
		fprintf(stream, "%s %s", title, value);
		used += columns;
		free(value);
	}
	fputc('\n', stream);
}

void cli_table_print(const struct cli_table *table, FILE *stream, unsigned width)
{
	unsigned natural[COLUMNS_MAX], widths[COLUMNS_MAX];

	for (size_t i = 0; i < table->column_count; i++)
		natural[i] = get_natural_width(table, i);
	if (sum_widths(table, natural, 2) <= width) {
		print_rows(table, stream, natural, 2, width);
		return;
	}
	memcpy(widths, natural, sizeof(widths));
	if (shrink(table, widths, 1, width)) {
		print_rows(table, stream, widths, 1, width);
		return;
	}
	for (size_t row = 0; row < table->row_count; row++)
		print_record(table, stream, row, width);
}
