/* SPDX-License-Identifier: MIT */
#include "diff/markdown.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

void cli_markdown_put(FILE *stream, const char *text)
{
	char *clean = cli_text_clean(text);

	for (const char *c = clean; *c; c++) {
		if (strchr("\\`*_|<>[]~&", *c))
			fputc('\\', stream);
		fputc(*c, stream);
	}
	free(clean);
}

void cli_markdown_print(const struct cli_table *table, FILE *stream)
{
	fputc('\n', stream);
	for (size_t i = 0; i < table->column_count; i++) {
		fputs("| ", stream);
		cli_markdown_put(stream, table->columns[i].title);
		fputc(' ', stream);
	}
	fputs("|\n", stream);
	for (size_t i = 0; i < table->column_count; i++)
		fputs(table->columns[i].is_number ? "|--:" : "|---", stream);
	fputs("|\n", stream);
	for (size_t row = 0; row < table->row_count; row++) {
		for (size_t i = 0; i < table->column_count; i++) {
			fputs("| ", stream);
			cli_markdown_put(stream, table->cells[row * table->column_count + i]);
			fputc(' ', stream);
		}
		fputs("|\n", stream);
	}
}
