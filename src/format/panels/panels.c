/* SPDX-License-Identifier: MIT */
/* Panel files: YAML whose tables have a formula in each cell. docs/panels.md shows them. */
#include "tacho/sys/panels.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fs.h"
#include "base/options.h"
#include "base/yaml.h"
#include "format/panels/panel_formula.h"
#include "model/result.h"
#include "tacho/sys/values.h"

enum { FILES_MAX = 1000, FILE_MAX = 16 << 20, COLUMNS_MAX = 64, COPIES_MAX = 4096 };
enum { CELLS_MAX = 1 << 21 /* of all tables */, RUN_NAME_MAX = 128 };

/* Values of another run, which some formulas are about. */
struct run {
	const char *name;
	struct tacho_result *values; /* NULL: there is no such file */
};

struct tacho_values_panels {
	struct tacho__arena arena;
	struct tacho_values_table *tables;
	size_t table_count, table_capacity;
};

struct reader {
	struct tacho_values_panels *panels;
	const struct tacho_result *values;
	struct tacho_values_panel_options options;
	struct tacho_result *machine;
	struct run *runs;
	size_t run_count, run_capacity;
	const char *denominator;
	size_t cells; /* of the tables by now */
};

/* A row on its way: its columns as the header has them. */
struct line {
	const struct tacho__yaml *header, *metric;
	const char *placeholder, *number; /* each of the former becomes the latter; NULL: none */
	struct tacho_values_cell *cells;
};

static const struct {
	const char *word, *formula;
} normalizations[] = {
	{"per_kernel", "1"},
	{"per_wave", "SQ_WAVES"},
	{"per_cycle", "$GRBM_GUI_ACTIVE_PER_XCD"},
	{"per_second", "((End_Timestamp - Start_Timestamp) / 1000000000)"},
};

/* What a box of a distribution shows of its one formula. */
static const char *const box[][3] = {{"Min", "MIN(", ")"},
				     {"Q1", "QUANTILE(", ", 0.25)"},
				     {"Median", "MEDIAN(", ")"},
				     {"Q3", "QUANTILE(", ", 0.75)"},
				     {"Max", "MAX(", ")"}};

enum { BOX = sizeof(box) / sizeof(box[0]) };

static int find_normalization(struct reader *reader)
{
	const char *word = reader->options.normalize ? reader->options.normalize : "per_kernel";

	for (size_t i = 0; i < sizeof(normalizations) / sizeof(normalizations[0]); i++) {
		if (strcmp(word, normalizations[i].word) != 0)
			continue;
		reader->options.normalize = word;
		reader->denominator = normalizations[i].formula;
		return 0;
	}
	return tacho__fail(TACHO_E_INVAL, "", "write per_wave, per_cycle, per_second or per_kernel",
			   "\"%s\" is no normalization", word);
}

static int keep(struct reader *reader, const char *text, const char **out_text)
{
	*out_text = tacho__arena_string(&reader->panels->arena, text);
	return *out_text ? 0 : TACHO_E_NOMEM;
}

/* Values of FOLDER/NAME.csv; NULL with 0 when there is no such file. */
static int read_file(struct reader *reader, const char *name, struct tacho_result **out_values)
{
	char path[4096];
	int rc;

	*out_values = NULL;
	if (!reader->options.folder || strchr(name, '/') ||
	    snprintf(path, sizeof(path), "%s/%s.csv", reader->options.folder, name) >=
		    (int)sizeof(path))
		return 0;
	rc = tacho_values_read(path, out_values);
	return rc == TACHO_E_NOTFOUND ? 0 : rc;
}

static int find_run(struct reader *reader, const char *name, const struct tacho_result **out_values)
{
	struct run run = {0};
	int rc;

	if (!*name || !strcmp(name, "pmc_perf")) {
		*out_values = reader->values;
		return 0;
	}
	for (size_t i = 0; i < reader->run_count; i++) {
		*out_values = reader->runs[i].values;
		if (!strcmp(reader->runs[i].name, name))
			return 0;
	}
	/* the file that names it is gone when the next one is read */
	rc = keep(reader, name, &run.name);
	if (!rc)
		rc = read_file(reader, name, &run.values);
	if (!rc)
		rc = tacho__array_add(&reader->runs, &reader->run_capacity, &reader->run_count,
				      &run, sizeof(run));
	if (rc)
		tacho_result_destroy(run.values);
	else
		*out_values = run.values;
	return rc;
}

/* Files of one run have a level that was added up beside the other counters, as NAME_ACCUM. */
static bool find_level(const struct reader *reader, const char *run, char out_name[RUN_NAME_MAX])
{
	int size = snprintf(out_name, RUN_NAME_MAX, "%s_ACCUM", run);

	if (size > 0 && size < RUN_NAME_MAX && tacho_result_find_column(reader->values, out_name))
		return true;
	*out_name = '\0';
	return false;
}

/* ---- cells ---- */

static int evaluate(struct reader *reader, const struct tacho_result *counters,
		    const char *accumulated, const char *text, struct tacho_values_cell *out_cell)
{
	const struct tacho__panel_scope scope = {.counters = counters,
						 .base = reader->values,
						 .machine = reader->machine,
						 .denominator = reader->denominator,
						 .accumulated = accumulated};
	struct tacho__arena arena = {0};
	const char *note;
	int rc = tacho__panel_evaluate(&scope, &arena, text, &out_cell->number, &note);

	if (!rc)
		rc = keep(reader, note, &out_cell->text);
	out_cell->kind = !rc && *note ? TACHO_CELL_ABSENT : TACHO_CELL_NUMBER;
	tacho__arena_finish(&arena);
	return rc;
}

/* Every `from` in a text becomes `to`. */
static void put_replaced(struct tacho__buf *buf, const char *text, const char *from, const char *to)
{
	const char *found;

	while (from && *from && (found = strstr(text, from))) {
		tacho__buf_add(buf, text, (size_t)(found - text));
		tacho__buf_put(buf, to);
		text = found + strlen(from);
	}
	tacho__buf_put(buf, text);
}

static bool is_text(const char *key)
{
	static const char *const keys[] = {"unit", "tips", "type", "alias", "coll_level", "style"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!strcmp(key, keys[i]))
			return true;
	return false;
}

/* "(Bytes + $normUnit)" with per_wave is "Bytes per wave". */
static void put_unit(struct reader *reader, struct tacho__buf *buf, const char *text)
{
	char spoken[16];
	size_t size = strlen(text);

	snprintf(spoken, sizeof(spoken), "%s", reader->options.normalize);
	for (char *at = spoken; *at; at++)
		*at = *at == '_' ? ' ' : *at;
	if (!strstr(text, "$normUnit")) {
		tacho__buf_put(buf, text);
		return;
	}
	for (size_t i = 0; i < size; i++) {
		if (!strncmp(text + i, "$normUnit", 9)) {
			tacho__buf_put(buf, spoken);
			i += 8;
		} else if (!strncmp(text + i, "+ ", 2)) {
			i++;
		} else if (!strchr("()", text[i])) {
			tacho__buf_char(buf, text[i]);
		}
	}
}

static int fill_text(struct reader *reader, const char *text, struct tacho_values_cell *out_cell)
{
	struct tacho__buf buf = {0};
	int rc;

	put_unit(reader, &buf, text);
	rc = buf.failed ? TACHO_E_NOMEM : keep(reader, tacho__buf_text(&buf), &out_cell->text);
	tacho__buf_finish(&buf);
	return rc;
}

static int fill_formula(struct reader *reader, const struct line *line, const char *text,
			const char *const *around, struct tacho_values_cell *out_cell)
{
	const char *run = tacho__yaml_string(line->metric, "coll_level", "");
	const struct tacho_result *counters = NULL;
	char level[RUN_NAME_MAX] = "";
	struct tacho__buf buf = {0};
	int rc = find_run(reader, run, &counters);

	if (!*text || !strcmp(text, "None")) {
		*out_cell = (struct tacho_values_cell){.kind = TACHO_CELL_TEXT, .text = ""};
		return rc;
	}
	if (rc)
		return rc;
	if (!counters && find_level(reader, run, level))
		counters = reader->values;
	tacho__buf_put(&buf, around ? around[1] : "");
	put_replaced(&buf, text, line->placeholder, line->number);
	tacho__buf_put(&buf, around ? around[2] : "");
	rc = buf.failed ? TACHO_E_NOMEM
			: evaluate(reader, counters, *level ? level : NULL, tacho__buf_text(&buf),
				   out_cell);
	if (!rc && !counters && out_cell->kind == TACHO_CELL_ABSENT) {
		tacho__buf_clear(&buf);
		tacho__buf_printf(&buf, "there is no %s.csv beside the values", run);
		rc = keep(reader, tacho__buf_text(&buf), &out_cell->text);
	}
	tacho__buf_finish(&buf);
	return rc;
}

/* ---- tables ---- */

static bool is_box(const struct tacho__yaml *table)
{
	return !strcmp(tacho__yaml_string(table, "cli_style", ""), "simple_box");
}

static int name_row(struct reader *reader, const struct line *line)
{
	struct tacho__buf buf = {0};
	int rc;

	put_replaced(&buf, line->metric->key ? line->metric->key : "", line->placeholder,
		     line->number);
	rc = buf.failed ? TACHO_E_NOMEM : keep(reader, tacho__buf_text(&buf), &line->cells[0].text);
	tacho__buf_finish(&buf);
	return rc;
}

static int fill_row(struct reader *reader, const struct line *line, bool has_box)
{
	size_t at = 1;
	int rc = name_row(reader, line);

	for (const struct tacho__yaml *each = line->header->first; each && !rc; each = each->next) {
		const char *key = each->key ? each->key : "";
		const char *text = tacho__yaml_string(line->metric, key, "");

		if (!strcmp(key, "metric"))
			continue;
		if (is_text(key)) {
			rc = fill_text(reader, text, &line->cells[at++]);
			continue;
		}
		if (!has_box || strcmp(key, "expr") != 0)
			rc = fill_formula(reader, line, text, NULL, &line->cells[at++]);
		for (size_t i = 0; has_box && !strcmp(key, "expr") && i < BOX && !rc; i++)
			rc = fill_formula(reader, line, text, box[i], &line->cells[at++]);
	}
	return rc;
}

/* Titles of the columns, those of the row's name first. */
static int list_columns(struct reader *reader, const struct tacho__yaml *header, bool has_box,
			const char **titles, size_t *out_count)
{
	size_t count = 1;
	int rc = keep(reader, tacho__yaml_string(header, "metric", "Metric"), &titles[0]);

	for (const struct tacho__yaml *each = header->first; each && !rc; each = each->next) {
		const char *key = each->key ? each->key : "";
		bool is_of_box = has_box && !strcmp(key, "expr");

		if (!strcmp(key, "metric"))
			continue;
		if (count + BOX > COLUMNS_MAX)
			return tacho__fail(TACHO_E_PARSE, "", "split the table",
					   "a table of line %" PRIu32 " has more than %d columns",
					   header->line, COLUMNS_MAX - BOX);
		if (!is_of_box)
			rc = keep(reader, each->text, &titles[count++]);
		for (size_t i = 0; is_of_box && i < BOX; i++)
			titles[count++] = box[i][0];
	}
	*out_count = count;
	return rc;
}

/* How many rows a metric with a placeholder makes, 0 when nothing says it; else 1. */
static int count_copies(struct reader *reader, const struct tacho__yaml *metrics,
			const char **out_placeholder, size_t *out_count)
{
	const struct tacho__yaml *range = tacho__yaml_first(metrics, "placeholder_range");
	struct tacho_values_cell cell = {0};
	int rc;

	*out_placeholder = NULL;
	*out_count = 1;
	if (!range)
		return 0;
	*out_placeholder = range->key ? range->key : "";
	rc = evaluate(reader, reader->values, NULL, range->text, &cell);
	*out_count = rc || cell.kind != TACHO_CELL_NUMBER || !(cell.number >= 0) ||
				     !(cell.number <= COPIES_MAX)
			     ? 0
			     : (size_t)cell.number;
	return rc;
}

/* A short file can ask for many copies of long rows. */
static int take_room(struct reader *reader, size_t cells)
{
	reader->cells += cells;
	if (reader->cells <= CELLS_MAX)
		return 0;
	return tacho__fail(TACHO_E_PARSE,
			   tacho__detail("%zu cells were asked for by now; %d are the most",
					 reader->cells, CELLS_MAX),
			   "name fewer files, or make them smaller", "the panels are too large");
}

static int fill_rows(struct reader *reader, const struct tacho__yaml *table,
		     struct tacho_values_table *out)
{
	const struct tacho__yaml *metrics = tacho__yaml_get(table, "metric");
	struct line line = {.header = tacho__yaml_get(table, "header")};
	size_t copies, room;
	char number[24];
	int rc = count_copies(reader, metrics, &line.placeholder, &copies);

	if (rc)
		return rc;
	room = (tacho__yaml_count(metrics) + 1) * (copies + 1) * out->column_count;
	rc = take_room(reader, room);
	line.cells =
		rc ? NULL : tacho__arena_get(&reader->panels->arena, room * sizeof(*line.cells));
	if (!line.cells)
		return rc ? rc : tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a table");
	out->cells = line.cells;
	line.number = number;
	for (size_t i = 0; i < room; i++)
		line.cells[i].text = "";
	line.metric = metrics ? metrics->first : NULL;
	for (; line.metric && !rc; line.metric = line.metric->next) {
		if (!strcmp(line.metric->key ? line.metric->key : "", "placeholder_range"))
			continue;
		for (size_t i = 0; i < copies && !rc; i++, out->row_count++) {
			snprintf(number, sizeof(number), "%zu", i);
			rc = fill_row(reader, &line, is_box(table));
			line.cells += out->column_count;
		}
	}
	return rc;
}

static int add_table(struct reader *reader, const struct tacho_values_table *table)
{
	struct tacho_values_panels *panels = reader->panels;

	return tacho__array_add(&panels->tables, &panels->table_capacity, &panels->table_count,
				table, sizeof(*table));
}

static int read_table(struct reader *reader, const struct tacho__yaml *node, const char *panel)
{
	const struct tacho__yaml *header = tacho__yaml_get(node, "header");
	const char *titles[COLUMNS_MAX];
	struct tacho_values_table table = {0};
	const char **kept;
	int rc;

	if (!header || !header->first)
		return 0; /* of another kind */
	rc = keep(reader, tacho__yaml_string(node, "id", ""), &table.id);
	if (!rc)
		rc = keep(reader, tacho__yaml_string(node, "title", ""), &table.title);
	if (!rc)
		rc = keep(reader, panel, &table.panel);
	if (!rc)
		rc = list_columns(reader, header, is_box(node), titles, &table.column_count);
	if (rc)
		return rc;
	kept = tacho__arena_get(&reader->panels->arena, table.column_count * sizeof(*kept));
	if (!kept)
		return TACHO_E_NOMEM;
	memcpy(kept, titles, table.column_count * sizeof(*kept));
	table.columns = kept;
	rc = fill_rows(reader, node, &table);
	return rc ? rc : add_table(reader, &table);
}

static int read_panel(struct reader *reader, const char *path)
{
	const struct tacho__yaml *root, *panel, *sources;
	struct tacho__arena arena = {0};
	int rc = tacho__yaml_read(&arena, path, FILE_MAX, &root);

	panel = rc ? NULL : tacho__yaml_get(root, "Panel Config");
	sources = tacho__yaml_get(panel, "data source");
	if (!rc && (!sources || sources->type != TACHO__YAML_SEQUENCE))
		rc = tacho__fail(TACHO_E_PARSE, "it has no \"Panel Config\" with a \"data source\"",
				 "name a folder of panel files, or one of them",
				 "%s is no panel file", path);
	for (const struct tacho__yaml *each = rc ? NULL : sources->first; each && !rc;
	     each = each->next) {
		const struct tacho__yaml *table = tacho__yaml_get(each, "metric_table");

		if (table)
			rc = read_table(reader, table, tacho__yaml_string(panel, "title", ""));
	}
	tacho__arena_finish(&arena);
	return rc;
}

static bool is_yaml(const char *name)
{
	size_t size = strlen(name);

	return size > 5 && !strcmp(name + size - 5, ".yaml");
}

static int read_folder(struct reader *reader, const char *folder)
{
	struct tacho__fs_names names = {0};
	struct tacho__arena arena = {0};
	char path[4096];
	size_t found = 0;
	int rc = tacho__fs_list(&arena, folder, FILES_MAX, &names);

	for (size_t i = 0; i < names.count && !rc; i++) {
		if (!is_yaml(names.names[i]))
			continue;
		found++;
		snprintf(path, sizeof(path), "%s/%s", folder, names.names[i]);
		rc = read_panel(reader, path);
	}
	if (!rc && !found)
		rc = tacho__fail(TACHO_E_NOTFOUND, "it has no file *.yaml",
				 "name a folder of panel files, or one of them", "no panels in %s",
				 folder);
	free(names.names);
	tacho__arena_finish(&arena);
	return rc;
}

/* ---- the caller's formulas ---- */

/* A number of a formula's, of one launch or of none. */
struct number {
	const char *formula;
	const struct tacho_row *launch; /* NULL: it is of none, or of all */
	struct tacho_values_cell cell;
};

struct numbers {
	struct number *all;
	size_t count, capacity;
	bool has_launches;
};

static int add_number(struct numbers *numbers, const char *formula, const struct tacho_row *launch,
		      double value, const char *note)
{
	struct number number = {.formula = formula, .launch = launch};

	number.cell.kind = *note ? TACHO_CELL_ABSENT : TACHO_CELL_NUMBER;
	number.cell.text = note;
	number.cell.number = *note ? NAN : value;
	numbers->has_launches |= launch != NULL;
	return tacho__array_add(&numbers->all, &numbers->capacity, &numbers->count, &number,
				sizeof(number));
}

static int add_numbers(struct reader *reader, const char *formula, struct numbers *numbers)
{
	static const char nothing[] =
		"this launch has no value: divided by zero, or its condition does not hold";
	const struct tacho__panel_scope scope = {.counters = reader->values,
						 .base = reader->values,
						 .machine = reader->machine,
						 .denominator = reader->denominator};
	struct tacho__panel_value value = {0};
	struct tacho__arena arena = {0};
	const char *note;
	int rc = tacho__panel_evaluate_all(&scope, &arena, formula, &value, &note);
	bool by_launch = !rc && !*note && value.is_column && value.count > 1;

	if (!rc)
		rc = keep(reader, note, &note);
	if (!rc && by_launch)
		rc = take_room(reader, value.count * 4);
	for (size_t i = 0; i < value.count && by_launch && !rc; i++)
		rc = add_number(numbers, formula, &reader->values->rows[i], value.numbers[i],
				isfinite(value.numbers[i]) ? "" : nothing);
	if (!rc && !by_launch)
		rc = add_number(numbers, formula, NULL, value.numbers[0],
				*note || isfinite(value.numbers[0]) ? note : TACHO__PANEL_NO_VALUE);
	tacho__arena_finish(&arena);
	return rc;
}

static int fill_number(struct reader *reader, const struct number *number, bool has_launches,
		       struct tacho_values_cell *cells)
{
	char id[24] = "";
	int rc = keep(reader, number->formula, &cells[0].text);

	if (!has_launches) {
		cells[1] = number->cell;
		return rc;
	}
	if (number->launch)
		snprintf(id, sizeof(id), "%" PRIu64, number->launch->id);
	if (!rc)
		rc = keep(reader, number->launch ? number->launch->name : "", &cells[1].text);
	if (!rc)
		rc = keep(reader, id, &cells[2].text);
	cells[3] = number->cell;
	return rc;
}

/* The caller's formulas are a table, too: with a row for each launch where they have a value each.
 */
static int add_expressions(struct reader *reader)
{
	static const char *const plain[] = {"expression", "value"};
	static const char *const by_launch[] = {"expression", "kernel", "launch", "value"};
	struct tacho_values_table table = {.id = "", .title = "", .panel = ""};
	struct numbers numbers = {0};
	struct tacho_values_cell *cells = NULL;
	int rc = 0;

	for (size_t i = 0; i < reader->options.expression_count && !rc; i++)
		rc = add_numbers(reader, reader->options.expressions[i], &numbers);
	table.columns = numbers.has_launches ? by_launch : plain;
	table.column_count = numbers.has_launches ? 4 : 2;
	if (!rc)
		cells = tacho__arena_get(&reader->panels->arena,
					 (numbers.count + 1) * table.column_count * sizeof(*cells));
	if (!rc && !cells)
		rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a table");
	table.cells = cells;
	for (; table.row_count < numbers.count && !rc; cells += table.column_count)
		rc = fill_number(reader, &numbers.all[table.row_count++], numbers.has_launches,
				 cells);
	if (!rc && numbers.count)
		rc = add_table(reader, &table);
	free(numbers.all);
	return rc;
}

static int run_all(struct reader *reader)
{
	struct stat info;
	const char *panels = reader->options.panels;
	int rc = find_normalization(reader);

	if (!rc)
		rc = read_file(reader, "sysinfo", &reader->machine);
	if (!rc)
		rc = add_expressions(reader);
	if (rc || !panels)
		return rc;
	return stat(panels, &info) == 0 && S_ISREG(info.st_mode) ? read_panel(reader, panels)
								 : read_folder(reader, panels);
}

int tacho_values_panels_run(const struct tacho_result *values,
			    const struct tacho_values_panel_options *options,
			    struct tacho_values_panels **out_panels)
{
	struct reader reader = {.values = values};
	int rc;

	if (!values || !out_panels)
		return tacho__fail_null(__func__);
	rc = tacho__options_take(&reader.options, sizeof(reader.options), options,
				 "tacho_values_panel_options");
	if (rc)
		return rc;
	reader.panels = calloc(1, sizeof(*reader.panels));
	if (!reader.panels)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for panels");
	rc = run_all(&reader);
	for (size_t i = 0; i < reader.run_count; i++)
		tacho_result_destroy(reader.runs[i].values);
	free(reader.runs);
	tacho_result_destroy(reader.machine);
	if (rc)
		tacho_values_panels_destroy(reader.panels);
	else
		*out_panels = reader.panels;
	return rc;
}

void tacho_values_panels_destroy(struct tacho_values_panels *panels)
{
	if (!panels)
		return;
	free(panels->tables);
	tacho__arena_finish(&panels->arena);
	free(panels);
}

const struct tacho_values_table *tacho_values_panels_get(const struct tacho_values_panels *panels,
							 size_t index)
{
	return panels && index < panels->table_count ? &panels->tables[index] : NULL;
}
