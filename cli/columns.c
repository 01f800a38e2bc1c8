/* SPDX-License-Identifier: MIT */
/* Layout of tables with wrapped cells. */
#include "columns.h"

#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "terminal.h"
#include "text.h"

enum {
	INDENT = 2,
	GAP = 2,
	COLUMNS_MAX = 16,
	NAME_MIN = 24,
	LONG_TEXT = 40,
	LAST_MIN = 24,
	BELOW = 6
};

struct layout {
	const struct cli_table *table;
	FILE *stream;
	unsigned width;
	size_t count;		   /* of columns beside each other */
	bool is_below;		   /* one more column stands below these */
	size_t shown[COLUMNS_MAX]; /* the columns that have text */
	unsigned widths[COLUMNS_MAX], narrowest[COLUMNS_MAX];
};

static const char *get_cell(const struct layout *layout, size_t row, size_t i)
{
	return layout->table->cells[row * layout->table->column_count + layout->shown[i]];
}

static const char *get_title(const struct layout *layout, size_t i)
{
	return layout->table->columns[layout->shown[i]].title;
}

static bool is_number(const struct layout *layout, size_t i)
{
	return layout->table->columns[layout->shown[i]].is_number;
}

/* The bytes of `text` that go into a line of `columns`: whole words, at least one. */
static size_t take_line(const char *text, unsigned columns)
{
	size_t taken = 0, end = 0, size = strlen(text);

	if (size <= columns)
		return size;
	while (text[end]) {
		char *head;
		unsigned width;

		end += strspn(text + end, " ");
		end += strcspn(text + end, " ");
		head = cli_format("%.*s", (int)end, text);
		width = cli_text_width(head);
		free(head);
		if (taken && width > columns)
			break;
		taken = end;
	}
	return taken;
}

static unsigned get_longest_word(const char *text)
{
	unsigned longest = 0;

	while (*text) {
		size_t size = strcspn(text, " ");
		char *word = cli_format("%.*s", (int)size, text);
		unsigned width = cli_text_width(word);

		longest = width > longest ? width : longest;
		free(word);
		text += size + strspn(text + size, " ");
	}
	return longest;
}

static unsigned max(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

static void measure_column(struct layout *layout, size_t column)
{
	size_t i = layout->count;
	unsigned title = cli_text_width(layout->table->columns[column].title), text = 0, word = 0;

	layout->shown[i] = column;
	for (size_t row = 0; row < layout->table->row_count; row++) {
		const char *cell = get_cell(layout, row, i);

		text = max(text, cli_text_width(cell));
		if (!is_number(layout, i))
			word = max(word, get_longest_word(cell));
	}
	if (!text)
		return;
	layout->widths[i] = max(text, title);
	layout->narrowest[i] = max(title, column ? word : NAME_MIN);
	if (is_number(layout, i))
		layout->narrowest[i] = layout->widths[i];
	layout->count++;
}

/* What is left for the last column. */
static unsigned get_room(const struct layout *layout)
{
	unsigned used = INDENT;

	for (size_t i = 0; i + 1 < layout->count; i++)
		used += layout->widths[i] + GAP;
	return used < layout->width ? layout->width - used : 0;
}

/* Narrows columns until the last one has `wanted`. False when words do not fit. */
static bool fit(struct layout *layout, unsigned wanted)
{
	size_t last = layout->count - 1;

	wanted = max(wanted, layout->narrowest[last]);
	if (wanted > layout->widths[last])
		wanted = layout->widths[last];
	while (get_room(layout) < wanted) {
		size_t widest = COLUMNS_MAX;

		for (size_t i = 0; i < last; i++)
			if (layout->widths[i] > layout->narrowest[i] &&
			    (widest == COLUMNS_MAX || layout->widths[i] > layout->widths[widest]))
				widest = i;
		if (widest == COLUMNS_MAX)
			return false;
		layout->widths[widest]--;
	}
	if (get_room(layout) < layout->widths[last])
		layout->widths[last] = get_room(layout);
	return true;
}

/*
 * All columns beside each other, else the last one below the others. False: the others do not fit
 * either.
 */
static bool arrange(struct layout *layout)
{
	struct layout beside, below;
	unsigned name = max(NAME_MIN, layout->width / 3);
	bool is_long = layout->widths[layout->count - 1] > LONG_TEXT;

	if (get_room(layout) >= layout->widths[layout->count - 1])
		return true;
	if (layout->widths[0] > name)
		layout->widths[0] = name;
	beside = below = *layout;
	if (fit(&beside, is_long ? LONG_TEXT : LAST_MIN)) {
		*layout = beside;
		return true;
	}
	below.count--;
	below.is_below = true;
	if (layout->count < 3 || !fit(&below, 0))
		return false;
	*layout = below;
	return true;
}

/* One line: the next part of each cell, which is taken from it. */
static void print_line(const struct layout *layout, const char **cells)
{
	unsigned blanks = INDENT;

	for (size_t i = 0; i < layout->count; i++) {
		size_t size = take_line(cells[i], layout->widths[i]);
		char *part = cli_format("%.*s", (int)size, cells[i]);
		unsigned width = cli_text_width(part);
		unsigned pad = width < layout->widths[i] ? layout->widths[i] - width : 0;

		if (width) {
			blanks += is_number(layout, i) ? pad : 0;
			fprintf(layout->stream, "%*s%s", (int)blanks, "", part);
			blanks = GAP + (is_number(layout, i) ? 0 : pad);
		} else {
			blanks += pad + GAP;
		}
		free(part);
		cells[i] += size;
		cells[i] += strspn(cells[i], " ");
	}
	fputc('\n', layout->stream);
}

static void print_row(const struct layout *layout, const char **cells)
{
	bool any = true;

	if (cli_text_width(cells[0]) > layout->widths[0]) {
		fprintf(layout->stream, "%*s%s\n", INDENT, "", cells[0]);
		cells[0] = "";
	}
	while (any) {
		print_line(layout, cells);
		any = false;
		for (size_t i = 0; i < layout->count; i++)
			any = any || *cells[i];
	}
	if (layout->is_below && *cells[layout->count]) {
		fprintf(layout->stream, "%*s", BELOW, "");
		cli_text_wrap(layout->stream, cells[layout->count], BELOW, BELOW, layout->width);
	}
}

/* The name, then "title value" of the other columns, and the last one below it. */
static void print_record(const struct layout *layout, size_t row)
{
	size_t last = layout->count - 1;
	char *text = cli_format("%s", "");

	fprintf(layout->stream, "%*s", INDENT, "");
	cli_text_wrap(layout->stream, get_cell(layout, row, 0), INDENT, 2 * INDENT, layout->width);
	for (size_t i = 1; i < last; i++) {
		const char *cell = get_cell(layout, row, i);

		if (*cell)
			cli_append(&text, ", ", "%s %s", get_title(layout, i), cell);
	}
	if (*text) {
		fprintf(layout->stream, "%*s", 2 * INDENT, "");
		cli_text_wrap(layout->stream, text, 2 * INDENT, 2 * INDENT, layout->width);
	}
	free(text);
	if (last && *get_cell(layout, row, last)) {
		fprintf(layout->stream, "%*s", 2 * INDENT, "");
		cli_text_wrap(layout->stream, get_cell(layout, row, last), 2 * INDENT, 2 * INDENT,
			      layout->width);
	}
}

void cli_columns_print(const struct cli_table *table, FILE *stream, unsigned width)
{
	struct layout layout = {.table = table, .stream = stream, .width = width};
	const char *cells[COLUMNS_MAX];

	for (size_t i = 0; i < table->column_count && i < COLUMNS_MAX; i++)
		measure_column(&layout, i);
	if (!layout.count)
		return;
	if (!arrange(&layout)) {
		for (size_t row = 0; row < table->row_count; row++)
			print_record(&layout, row);
		return;
	}
	for (size_t i = 0; i < layout.count + layout.is_below; i++)
		cells[i] = layout.is_below && i == layout.count ? "" : get_title(&layout, i);
	cli_color_begin(stream, CLI_COLOR_TITLE);
	print_row(&layout, cells);
	cli_color_end(stream);
	for (size_t row = 0; row < table->row_count; row++) {
		for (size_t i = 0; i < layout.count + layout.is_below; i++)
			cells[i] = get_cell(&layout, row, i);
		print_row(&layout, cells);
	}
}
