/* SPDX-License-Identifier: MIT */
/* The tables, JSON and CSV of `tacho stat`. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/sys/json.h>

#include "cli.h"
#include "columns.h"
#include "stat/stat.h"
#include "table.h"
#include "text.h"
#include "units.h"

static const double NS_PER_S = 1e9;

/* One value of a result. */
struct cell {
	const struct tacho_column *column;
	size_t row, instance;
};

typedef void (*cell_fn)(void *user, const struct cell *cell);

static void each_cell(const struct tacho_result *result, size_t row, cell_fn fn, void *user)
{
	struct cell cell = {.row = row};

	for (size_t i = 0; (cell.column = tacho_result_get_column(result, i)); i++)
		for (cell.instance = 0; cell.instance < cell.column->instance_count;
		     cell.instance++)
			if (tacho_column_is_present(cell.column, cell.instance))
				fn(user, &cell);
}

static uint8_t state_of(const struct cell *cell)
{
	return tacho_column_get_state(cell->column, cell->row, cell->instance);
}

static bool is_absent(const struct cell *cell)
{
	return (state_of(cell) & TACHO_STATE_MASK) == TACHO_STATE_ABSENT;
}

static uint64_t whole_of(const struct cell *cell)
{
	return cell->column->data.u64[cell->row * cell->column->instance_count + cell->instance];
}

static double coverage_of(const struct cell *cell)
{
	size_t at = cell->row * cell->column->instance_count + cell->instance;

	return cell->column->coverage ? cell->column->coverage[at] : 1;
}

static char *format_name(const struct cell *cell)
{
	return cell->column->instance_count > 1
		       ? cli_format("%s[%zu]", cell->column->name, cell->instance)
		       : cli_format("%s", cell->column->name);
}

/* Value and unit for people. */
static char *format_value(const struct cell *cell, const char **out_unit)
{
	const struct tacho_column *column = cell->column;
	double value = tacho_column_get_value(column, cell->row, cell->instance);
	struct cli_number number;

	*out_unit = column->unit;
	if (is_absent(cell)) {
		*out_unit = "";
		return cli_format("-");
	}
	if (strcmp(column->unit, "nanoseconds") == 0) {
		*out_unit = "ms";
		return cli_format("%.3f", value / 1e6);
	}
	if (column->type == TACHO_TYPE_U64)
		return cli_format("%s", cli_units_count(&number, whole_of(cell)));
	return cli_format("%.6g", value);
}

static char *format_note(const struct cell *cell)
{
	uint8_t state = state_of(cell);
	const char *word = tacho_state_to_string(state);
	const char *zero = state & TACHO_MARK_DIV0 ? "divided by 0" : "";

	switch (state & TACHO_STATE_MASK) {
	case TACHO_STATE_OK: return cli_format("%s", zero);
	case TACHO_STATE_SCALED:
		return cli_format("scaled: counted %.1f%% of the time", 100 * coverage_of(cell));
	case TACHO_STATE_ABSENT:
		return cli_format("%s", *cell->column->note ? cell->column->note : "not counted");
	default: return cli_format("%s", word);
	}
}

static void add_line(void *user, const struct cell *cell)
{
	const char *unit;
	char *name = format_name(cell), *value = format_value(cell, &unit);
	char *note = format_note(cell);
	const char *cells[] = {name, value, unit, note};

	cli_table_add(user, cells);
	free(note);
	free(value);
	free(name);
}

/* The names of all entries with this caveat; NULL when entry `first` is not the first of them. */
static char *list_names(const struct tacho_config *config, size_t first)
{
	const char *caveat = tacho_config_get_definition(config, first)->caveat;
	const struct tacho_entry *entry;
	char *names = NULL;

	for (size_t i = 0; (entry = tacho_config_get_definition(config, i)); i++) {
		char *longer;

		if (strcmp(entry->caveat, caveat) != 0)
			continue;
		if (i < first)
			return NULL;
		longer = cli_format("%s%s%s", names ? names : "", names ? ", " : "", entry->name);
		free(names);
		names = longer;
	}
	return names;
}

/* What the definitions say about values that were counted, each sentence once. */
static void print_caveats(const struct cli_stat_output *output)
{
	unsigned width = cli_width(output->stream);
	const struct tacho_entry *entry;
	bool is_first = true;

	if (output->is_simulated) {
		fputs("\n  ", output->stream);
		cli_text_wrap(output->stream,
			      "simulated: the program's own work does not reach this device", 2, 4,
			      width);
		is_first = false;
	}
	for (size_t i = 0; (entry = tacho_config_get_definition(output->config, i)); i++) {
		char *names = *entry->caveat ? list_names(output->config, i) : NULL, *line;

		if (!names)
			continue;
		line = cli_format("%s: %s", names, entry->caveat);
		fputs(is_first ? "\n  " : "  ", output->stream);
		cli_text_wrap(output->stream, line, 2, 4, width);
		is_first = false;
		free(line);
		free(names);
	}
}

static char *format_program(const struct cli_stat_output *output)
{
	char *text = cli_format("%s", output->program[0]);

	for (size_t i = 1; output->program[i]; i++) {
		char *longer = cli_format("%s %s", text, output->program[i]);

		free(text);
		text = longer;
	}
	return text;
}

static void print_heading(struct cli_stat_output *output)
{
	char *program = format_program(output), *line;
	unsigned width = cli_width(output->stream);
	char *shown = cli_text_shorten(program, width > 20 ? width - 20 : width);

	line = cli_format("%s:%s, %s", output->info->backend, output->info->name, shown);
	fputc('\n', output->stream);
	cli_text_wrap(output->stream, line, 0, 2, width);
	fputc('\n', output->stream);
	output->has_heading = true;
	free(line);
	free(shown);
	free(program);
}

static void print_table(struct cli_stat_output *output, const struct tacho_result *result)
{
	static const struct cli_column columns[] = {
		{"counter", false}, {"value", true}, {"unit", false}, {"note", false}};
	unsigned width = cli_width(output->stream);

	for (size_t row = 0; row < tacho_result_get_row_count(result); row++) {
		struct cli_table table;

		if (row)
			fputc('\n', output->stream);
		cli_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
		each_cell(result, row, add_line, &table);
		cli_columns_print(&table, output->stream, width);
		cli_table_finish(&table);
	}
}

static void print_times(const struct cli_stat_output *output, const struct cli_child *child)
{
	fprintf(output->stream, "\n  %.6f s elapsed, %.6f s user, %.6f s system\n",
		(double)child->elapsed_ns / NS_PER_S, (double)child->user_ns / NS_PER_S,
		(double)child->system_ns / NS_PER_S);
	if (output->run_count < output->runs_needed)
		fprintf(output->stream, "  stopped after run %zu of %zu, one per pass\n",
			output->run_count, output->runs_needed);
	else if (output->run_count > 1)
		fprintf(output->stream, "  the program ran %zu times, once per pass\n",
			output->run_count);
}

struct line {
	struct cli_stat_output *output;
	struct tacho_json *json;
	const char *time; /* seconds */
};

static void print_interval_line(void *user, const struct cell *cell)
{
	const struct line *line = user;
	const char *unit;
	char *name = format_name(cell), *value = format_value(cell, &unit);
	char *note = format_note(cell), *clean = cli_text_clean(name);

	fprintf(line->output->stream, "%12.6f %18s  %-12s %s%s%s\n", strtod(line->time, NULL),
		value, unit, clean, *note ? ", " : "", note);
	free(clean);
	free(note);
	free(value);
	free(name);
}

static void put_quoted(FILE *stream, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, stream);
		return;
	}
	fputc('"', stream);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', stream);
		fputc(*text, stream);
	}
	fputc('"', stream);
}

static void put_number(FILE *stream, const struct cell *cell)
{
	if (is_absent(cell))
		return;
	if (cell->column->type == TACHO_TYPE_U64)
		fprintf(stream, "%" PRIu64, whole_of(cell));
	else
		fprintf(stream, "%.17g",
			tacho_column_get_value(cell->column, cell->row, cell->instance));
}

static void print_csv_line(void *user, const struct cell *cell)
{
	const struct line *line = user;
	FILE *stream = line->output->stream;
	char *name = format_name(cell);

	fprintf(stream, "%s,", line->time);
	put_quoted(stream, name);
	fputc(',', stream);
	put_number(stream, cell);
	fputc(',', stream);
	put_quoted(stream, cell->column->unit);
	fprintf(stream, ",%s,%.6g\r\n", tacho_state_to_string(state_of(cell)), coverage_of(cell));
	free(name);
}

static void write_value(void *user, const struct cell *cell)
{
	const struct line *line = user;
	struct tacho_json *json = line->json;
	char *name = format_name(cell);

	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "name", name);
	if (is_absent(cell))
		tacho_json_add_null(json, "value");
	else if (cell->column->type == TACHO_TYPE_U64)
		tacho_json_add_unsigned(json, "value", whole_of(cell));
	else
		tacho_json_add_real(
			json, "value",
			tacho_column_get_value(cell->column, cell->row, cell->instance));
	tacho_json_add_string(json, "unit", cell->column->unit);
	tacho_json_add_string(json, "state", tacho_state_to_string(state_of(cell)));
	tacho_json_add_real(json, "coverage", coverage_of(cell));
	if (state_of(cell) & TACHO_MARK_DIV0)
		tacho_json_add_bool(json, "div0", true);
	tacho_json_end(json);
	free(name);
}

static void write_values(struct cli_stat_output *output, struct tacho_json *json,
			 const struct tacho_result *result, size_t row)
{
	struct line line = {.output = output, .json = json};

	tacho_json_begin_array(json, "values");
	each_cell(result, row, write_value, &line);
	tacho_json_end(json);
}

static void begin_json(struct cli_stat_output *output, struct tacho_json *json, bool indent)
{
	tacho_json_init(json, output->stream, indent);
	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "schema", "tacho.stat/1");
}

static void write_end(struct cli_stat_output *output, const struct tacho_result *result,
		      const struct cli_child *child)
{
	struct tacho_json json;

	begin_json(output, &json, result != NULL);
	tacho_json_add_string(&json, "generator", "tacho " TACHO_VERSION);
	tacho_json_begin_array(&json, "program");
	for (size_t i = 0; output->program[i]; i++)
		tacho_json_add_string(&json, NULL, output->program[i]);
	tacho_json_end(&json);
	tacho_json_begin_object(&json, "device");
	tacho_json_add_string(&json, "backend", output->info->backend);
	tacho_json_add_string(&json, "name", output->info->name);
	tacho_json_add_bool(&json, "simulated", output->is_simulated);
	tacho_json_end(&json);
	tacho_json_add_unsigned(&json, "passes", output->run_count);
	tacho_json_add_integer(&json, "status", child->status);
	tacho_json_add_unsigned(&json, "elapsed_ns", child->elapsed_ns);
	tacho_json_add_unsigned(&json, "user_ns", child->user_ns);
	tacho_json_add_unsigned(&json, "system_ns", child->system_ns);
	if (result) {
		tacho_json_begin_array(&json, "rows");
		for (size_t row = 0; row < tacho_result_get_row_count(result); row++) {
			tacho_json_begin_object(&json, NULL);
			tacho_json_add_unsigned(&json, "id", tacho_result_get_row(result, row)->id);
			tacho_json_add_string(&json, "name",
					      tacho_result_get_row(result, row)->name);
			write_values(output, &json, result, row);
			tacho_json_end(&json);
		}
		tacho_json_end(&json);
	}
	tacho_json_finish(&json);
}

static void print_csv_heading(struct cli_stat_output *output)
{
	if (!output->has_heading)
		fputs("time_s,counter,value,unit,state,coverage\r\n", output->stream);
	output->has_heading = true;
}

void cli_stat_print_interval(struct cli_stat_output *output, const struct tacho_result *result)
{
	for (size_t row = 0; row < tacho_result_get_row_count(result); row++) {
		const struct tacho_row *info = tacho_result_get_row(result, row);
		char *time = *info->name ? cli_format("%s", info->name)
					 : cli_format("%.9f", (double)(info->id + 1) *
								      (double)output->interval_ns /
								      NS_PER_S);
		struct line line = {.output = output, .time = time};
		struct tacho_json json;

		switch (output->format) {
		case CLI_STAT_TEXT:
			if (!output->has_heading)
				print_heading(output);
			each_cell(result, row, print_interval_line, &line);
			break;
		case CLI_STAT_CSV:
			print_csv_heading(output);
			each_cell(result, row, print_csv_line, &line);
			break;
		case CLI_STAT_JSON:
			begin_json(output, &json, false);
			tacho_json_add_real(&json, "time_s", strtod(time, NULL));
			write_values(output, &json, result, row);
			tacho_json_finish(&json);
		}
		free(time);
	}
	fflush(output->stream);
	if (output->file)
		cli_output_place(output->file);
}

void cli_stat_print_end(struct cli_stat_output *output, const struct tacho_result *result,
			const struct cli_child *child)
{
	struct line line = {.output = output};
	char *time;

	switch (output->format) {
	case CLI_STAT_TEXT:
		if (!output->has_heading)
			print_heading(output);
		if (result)
			print_table(output, result);
		print_caveats(output);
		print_times(output, child);
		break;
	case CLI_STAT_JSON: write_end(output, result, child); break;
	case CLI_STAT_CSV:
		print_csv_heading(output);
		time = cli_format("%.9f", (double)child->elapsed_ns / NS_PER_S);
		line.time = time;
		for (size_t row = 0; result && row < tacho_result_get_row_count(result); row++)
			each_cell(result, row, print_csv_line, &line);
		free(time);
	}
	fflush(output->stream);
}

static bool is_countable(const struct tacho_entry *entry)
{
	return entry->kind == TACHO_ENTRY_COUNTER ||
	       (entry->kind == TACHO_ENTRY_METRIC && *entry->expression);
}

static bool is_refused(const struct tacho_entry *entry)
{
	return entry->kind == TACHO_ENTRY_METRIC && !*entry->expression;
}

/* All that is refused for the same reason as entry `first`, unless an earlier one was. */
static void list_refused(const struct tacho_arch *arch, size_t first, FILE *stream)
{
	const struct tacho_entry *entry = tacho_arch_get_entry(arch, first), *other;
	char *names = cli_format("%s", ""),
	     *reason = cli_format("cannot be counted: %s", entry->caveat);
	unsigned width = cli_width(stream);
	bool is_new = true;

	for (size_t i = 0; is_new && (other = tacho_arch_get_entry(arch, i)); i++) {
		char *longer;

		if (!is_refused(other) || strcmp(other->caveat, entry->caveat) != 0)
			continue;
		is_new = i >= first;
		longer = cli_format("%s%s%s", names, *names ? " " : "", other->name);
		free(names);
		names = longer;
	}
	if (is_new) {
		fputs("\n  ", stream);
		cli_text_wrap(stream, reason, 2, 4, width);
		fputs("    ", stream);
		cli_text_wrap(stream, names, 4, 4, width);
	}
	free(reason);
	free(names);
}

void cli_stat_list(const struct tacho_arch *arch, FILE *stream)
{
	static const struct cli_column columns[] = {
		{"counter", false}, {"unit", false}, {"what it says", false}};
	const struct tacho_entry *entry;
	struct cli_table table;

	cli_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; (entry = tacho_arch_get_entry(arch, i)); i++) {
		char *text = cli_format("%s%s%s", entry->description, *entry->caveat ? "; " : "",
					entry->caveat);
		const char *cells[] = {entry->name, entry->unit, text};

		if (is_countable(entry))
			cli_table_add(&table, cells);
		free(text);
	}
	cli_columns_print(&table, stream, cli_width(stream));
	cli_table_finish(&table);
	for (size_t i = 0; (entry = tacho_arch_get_entry(arch, i)); i++)
		if (is_refused(entry))
			list_refused(arch, i, stream);
}
