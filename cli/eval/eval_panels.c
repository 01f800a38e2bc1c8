/* SPDX-License-Identifier: MIT */
/* tacho eval --panels: tables of panel files. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <tacho/error.h>
#include <tacho/sys/csv.h>
#include <tacho/sys/json.h>
#include <tacho/sys/panels.h>

#include "cli.h"
#include "columns.h"
#include "eval/eval.h"
#include "text.h"

enum { COLUMNS_MAX = 64 };

static const struct tacho_values_cell *get_cell(const struct tacho_values_table *table, size_t row,
						size_t column)
{
	return &table->cells[row * table->column_count + column];
}

/* ---- text ---- */

static char *format_cell(const struct tacho_values_cell *cell)
{
	if (cell->kind == TACHO_CELL_TEXT)
		return cli_format("%s", cell->text);
	return cell->kind == TACHO_CELL_NUMBER ? cli_format("%.6g", cell->number) : cli_format("-");
}

/* Why cells are absent: each reason once, with the row that has it first. */
static void print_reasons(const struct tacho_values_table *table, FILE *stream, unsigned width)
{
	size_t count = table->row_count * table->column_count;

	for (size_t i = 0; i < count; i++) {
		const struct tacho_values_cell *cell = &table->cells[i];
		size_t before = 0;
		char *text;

		while (cell->kind == TACHO_CELL_ABSENT && before < i &&
		       (table->cells[before].kind != TACHO_CELL_ABSENT ||
			strcmp(table->cells[before].text, cell->text) != 0))
			before++;
		if (cell->kind != TACHO_CELL_ABSENT || before < i)
			continue;
		text = cli_format("%s: %s", get_cell(table, i / table->column_count, 0)->text,
				  cell->text);
		fputs("  - ", stream);
		cli_text_wrap(stream, text, 4, 4, width);
		free(text);
	}
}

static void print_table(const struct tacho_values_table *panel, FILE *stream, unsigned width)
{
	struct cli_column columns[COLUMNS_MAX] = {0};
	const char *cells[COLUMNS_MAX];
	struct cli_table table;

	for (size_t i = 0; i < panel->column_count; i++) {
		columns[i].title = panel->columns[i];
		for (size_t row = 0; row < panel->row_count; row++)
			columns[i].is_number |= get_cell(panel, row, i)->kind == TACHO_CELL_NUMBER;
	}
	cli_table_init(&table, columns, panel->column_count);
	for (size_t row = 0; row < panel->row_count; row++) {
		for (size_t i = 0; i < panel->column_count; i++)
			cells[i] = cli_table_take(&table, format_cell(get_cell(panel, row, i)));
		cli_table_add(&table, cells);
	}
	if (*panel->id || *panel->title)
		fprintf(stream, "%s%s%s\n", panel->id, *panel->id ? " " : "", panel->title);
	cli_columns_print(&table, stream, width);
	cli_table_finish(&table);
	print_reasons(panel, stream, width);
}

/* ---- for programs ---- */

static void add_cell(struct tacho_json *json, const char *title,
		     const struct tacho_values_cell *cell)
{
	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "column", title);
	if (cell->kind == TACHO_CELL_TEXT) {
		tacho_json_add_string(json, "text", cell->text);
	} else if (cell->kind == TACHO_CELL_NUMBER) {
		tacho_json_add_real(json, "value", cell->number);
	} else {
		tacho_json_add_null(json, "value");
		tacho_json_add_string(json, "note", cell->text);
	}
	tacho_json_end(json);
}

static void add_table(struct tacho_json *json, const struct tacho_values_table *table)
{
	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "id", table->id);
	tacho_json_add_string(json, "panel", table->panel);
	tacho_json_add_string(json, "title", table->title);
	tacho_json_begin_array(json, "rows");
	for (size_t row = 0; row < table->row_count; row++) {
		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "name", get_cell(table, row, 0)->text);
		tacho_json_begin_array(json, "cells");
		for (size_t i = 1; i < table->column_count; i++)
			add_cell(json, table->columns[i], get_cell(table, row, i));
		tacho_json_end(json);
		tacho_json_end(json);
	}
	tacho_json_end(json);
	tacho_json_end(json);
}

static void write_json(const struct tacho_values_panels *panels)
{
	const struct tacho_values_table *table;
	struct tacho_json json;

	tacho_json_init(&json, stdout, false);
	tacho_json_begin_object(&json, NULL);
	tacho_json_add_string(&json, "schema", "tacho.panels/1");
	tacho_json_begin_array(&json, "tables");
	for (size_t i = 0; (table = tacho_values_panels_get(panels, i)); i++)
		add_table(&json, table);
	tacho_json_end(&json);
	tacho_json_end(&json);
	tacho_json_finish(&json);
}

/* A line for each cell: id, table, row, column, value or text, why there is none. */
static void write_csv(const struct tacho_values_panels *panels)
{
	const struct tacho_values_table *table;

	printf("id,table,row,column,value,note\r\n");
	for (size_t i = 0; (table = tacho_values_panels_get(panels, i)); i++) {
		for (size_t at = 0; at < table->row_count * table->column_count; at++) {
			const struct tacho_values_cell *cell = &table->cells[at];
			size_t column = at % table->column_count;

			if (!column)
				continue;
			tacho_csv_write_text(stdout, table->id);
			putchar(',');
			tacho_csv_write_quoted(stdout, table->title);
			putchar(',');
			tacho_csv_write_quoted(stdout,
					       get_cell(table, at / table->column_count, 0)->text);
			putchar(',');
			tacho_csv_write_quoted(stdout, table->columns[column]);
			putchar(',');
			if (cell->kind == TACHO_CELL_NUMBER)
				printf("%.17g", cell->number);
			else if (cell->kind == TACHO_CELL_TEXT)
				tacho_csv_write_quoted(stdout, cell->text);
			putchar(',');
			if (cell->kind == TACHO_CELL_ABSENT)
				tacho_csv_write_quoted(stdout, cell->text);
			printf("\r\n");
		}
	}
}

static bool has_number(const struct tacho_values_panels *panels)
{
	const struct tacho_values_table *table;

	for (size_t i = 0; (table = tacho_values_panels_get(panels, i)); i++)
		for (size_t at = 0; at < table->row_count * table->column_count; at++)
			if (table->cells[at].kind == TACHO_CELL_NUMBER)
				return true;
	return false;
}

/* Why no table has a number: of many reasons the first. */
static void explain_nothing(const struct cli_eval_panels *wanted,
			    const struct tacho_values_panels *panels)
{
	const struct tacho_values_table *table = tacho_values_panels_get(panels, 0);
	const char *cause = table ? "the tables have no rows" : "the panels have no tables";

	for (size_t i = 0; (table = tacho_values_panels_get(panels, i)); i++)
		for (size_t at = 0; at < table->row_count * table->column_count; at++)
			if (table->cells[at].kind == TACHO_CELL_ABSENT) {
				cause = table->cells[at].text;
				goto out;
			}
out:
	if (!tacho_result_get_row_count(wanted->values))
		cause = "there is no row of values";
	cli_complain(cause, "measure the counters that the panels need",
		     "no value can be worked out from %s",
		     wanted->path ? wanted->path : "nothing: --values FILE is missing");
}

/* Where the files beside the values are: in the same folder, or in the one that is the values. */
static char *find_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct stat info;

	if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
		return cli_format("%s", path);
	return slash ? cli_format("%.*s", (int)(slash - path + 1), path) : cli_format(".");
}

int cli_eval_panels(const struct cli_eval_panels *wanted)
{
	char *folder = find_folder(wanted->path ? wanted->path : "");
	struct tacho_values_panel_options options = {
		.size = sizeof(options),
		.panels = wanted->panels,
		.folder = wanted->path && strcmp(wanted->path, "-") != 0 ? folder : NULL,
		.normalize = wanted->normalize,
		.expressions = wanted->expressions,
		.expression_count = wanted->expression_count};
	const struct tacho_values_table *table;
	struct tacho_values_panels *panels;
	int rc = tacho_values_panels_run(wanted->values, &options, &panels);

	free(folder);
	if (rc)
		return (int)cli_complain_last();
	if (wanted->json)
		write_json(panels);
	else if (wanted->csv)
		write_csv(panels);
	for (size_t i = 0;
	     !wanted->json && !wanted->csv && (table = tacho_values_panels_get(panels, i)); i++) {
		fputs(i ? "\n" : "", stdout);
		print_table(table, stdout, cli_page_width());
	}
	rc = has_number(panels) ? CLI_OK : CLI_NOTHING;
	if (rc)
		explain_nothing(wanted, panels);
	tacho_values_panels_destroy(panels);
	return rc;
}
