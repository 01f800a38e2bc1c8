/* SPDX-License-Identifier: MIT */
/* Tables that never exceed the width: first names are shortened, then rows become records. */
#ifndef TACHO_CLI_TABLE_H
#define TACHO_CLI_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct cli_column {
	const char *title;
	bool is_number; /* to the right, never shortened */
};

struct cli_table {
	const struct cli_column *columns; /* borrowed; the first names the row */
	size_t column_count;
	char **cells; /* row by row, clean */
	size_t row_count;
	char **taken; /* texts of the next row */
	size_t taken_count;
};

void cli_table_init(struct cli_table *table, const struct cli_column *columns, size_t column_count);
void cli_table_finish(struct cli_table *table);

/* Adds a row of column_count cells, which are copied; NULL is "". */
void cli_table_add(struct cli_table *table, const char *const *cells);

/* A text for a cell of the row that is added next, which frees it. */
const char *cli_table_take(struct cli_table *table, char *text);
const char *cli_table_format(struct cli_table *table, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Prints heading and rows, each line indented by two blanks. */
void cli_table_print(const struct cli_table *table, FILE *stream, unsigned width);

#endif
