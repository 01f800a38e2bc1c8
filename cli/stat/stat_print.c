/* SPDX-License-Identifier: MIT */
/* What `tacho stat` prints around the values of a program as a whole. */
#include <stdlib.h>
#include <string.h>

#include <tacho/sys/json.h>
#include <tacho/sys/values.h>

#include "cli.h"
#include "columns.h"
#include "stat/stat.h"
#include "table.h"
#include "text.h"
#include "values.h"

static const double NS_PER_S = 1e9;

/* The names of all entries with this caveat; NULL when entry `first` is not the first of them. */
static char *list_names(const struct tacho_config *config, size_t first)
{
	const char *caveat = tacho_config_get_definition(config, first)->caveat;
	const struct tacho_entry *entry;
	char *names = NULL;

	for (size_t i = 0; (entry = tacho_config_get_definition(config, i)); i++) {
		if (strcmp(entry->caveat, caveat) != 0)
			continue;
		if (i < first)
			return NULL;
		cli_append(&names, ", ", "%s", entry->name);
	}
	return names;
}

/* What the definitions say about values that were counted, each sentence once. */
static void print_caveats(const struct cli_stat_output *output)
{
	unsigned width = cli_width(output->stream);
	const struct tacho_entry *entry;
	bool is_first = true;

	if (output->info->is_simulated) {
		fputc('\n', output->stream);
		cli_text_print(output->stream, 2, 4, width,
			       "simulated: the program's own work does not reach this device");
		is_first = false;
	}
	for (size_t i = 0; (entry = tacho_config_get_definition(output->config, i)); i++) {
		char *names = *entry->caveat ? list_names(output->config, i) : NULL;

		if (!names)
			continue;
		fputs(is_first ? "\n" : "", output->stream);
		cli_text_print(output->stream, 2, 4, width, "%s: %s", names, entry->caveat);
		is_first = false;
		free(names);
	}
}

static char *format_program(const struct cli_stat_output *output)
{
	char *text = cli_format("%s", output->subject);

	if (output->pid || !output->program[0])
		return text;

	for (size_t i = 1; output->program[i]; i++)
		cli_append(&text, " ", "%s", output->program[i]);
	return text;
}

static void print_heading(struct cli_stat_output *output)
{
	char *program = format_program(output);
	unsigned width = cli_width(output->stream);
	char *shown = cli_text_shorten(program, width > 20 ? width - 20 : width);

	fputc('\n', output->stream);
	cli_text_print(output->stream, 0, 2, width, "%s:%s, %s", output->info->backend,
		       output->info->name, shown);
	fputc('\n', output->stream);
	output->has_heading = true;
	free(shown);
	free(program);
}

static void print_times(const struct cli_stat_output *output, const struct cli_child *child)
{
	fputc('\n', output->stream);
	if (*output->program)
		cli_text_print(output->stream, 2, 2, cli_width(output->stream),
			       "%.6f s elapsed, %.6f s user, %.6f s system",
			       (double)child->elapsed_ns / NS_PER_S,
			       (double)child->user_ns / NS_PER_S,
			       (double)child->system_ns / NS_PER_S);
	else
		fprintf(output->stream, "  %.6f s elapsed\n", (double)child->elapsed_ns / NS_PER_S);
	if (output->run_count < output->runs_needed)
		fprintf(output->stream, "  stopped after run %zu of %zu, one per pass\n",
			output->run_count, output->runs_needed);
	else if (output->run_count > 1)
		fprintf(output->stream, "  the program ran %zu times, once per pass\n",
			output->run_count);
}

/* A line for each value; its row's name is the end of the interval. */
static void print_interval(struct cli_stat_output *output, const struct tacho_result *result,
			   size_t row)
{
	double end_s = strtod(tacho_result_get_row(result, row)->name, NULL);
	const struct tacho_column *column;
	struct cli_remarks remarks = {0};

	for (size_t i = 0; (column = tacho_result_get_column(result, i)); i++) {
		for (size_t at = 0; at < column->instance_count; at++) {
			struct cli_value value;
			char *clean;

			if (!tacho_column_is_present(column, at))
				continue;
			cli_value_format(column, row, at, &remarks, &value);
			clean = cli_text_clean(value.name);
			fprintf(output->stream, "%12.6f %18s  %-12s %s%s%s\n", end_s, value.text,
				value.unit, clean, *value.state ? ", " : "", value.state);
			free(clean);
			cli_value_finish(&value);
		}
	}
}

void cli_stat_begin_json(struct tacho_json *json, char *const *program, FILE *stream)
{
	tacho_values_begin(json, stream);
	tacho_json_begin_array(json, "program");
	for (size_t i = 0; program[i]; i++)
		tacho_json_add_string(json, NULL, program[i]);
	tacho_json_end(json);
}

static void write_end(struct cli_stat_output *output, const struct tacho_result *result,
		      const struct cli_child *child)
{
	struct tacho_json json;

	cli_stat_begin_json(&json, output->program, output->stream);
	tacho_json_begin_object(&json, "device");
	tacho_json_add_string(&json, "backend", output->info->backend);
	tacho_json_add_string(&json, "name", output->info->name);
	tacho_json_add_bool(&json, "simulated", output->info->is_simulated);
	tacho_json_end(&json);
	tacho_json_add_unsigned(&json, "passes", output->run_count);
	tacho_json_add_integer(&json, "status", child->status);
	tacho_json_add_unsigned(&json, "elapsed_ns", child->elapsed_ns);
	tacho_json_add_known(&json, "user_ns", *output->program, child->user_ns);
	tacho_json_add_known(&json, "system_ns", *output->program, child->system_ns);
	if (output->pid)
		tacho_json_add_unsigned(&json, "pid", output->pid);
	if (result)
		tacho_values_add(&json, result);
	tacho_json_finish(&json);
}

void cli_stat_print_interval(struct cli_stat_output *output, const struct tacho_result *result)
{
	switch (output->format) {
	case CLI_STAT_TEXT:
		if (!output->has_heading)
			print_heading(output);
		for (size_t row = 0; row < tacho_result_get_row_count(result); row++)
			print_interval(output, result, row);
		break;
	case CLI_STAT_CSV:
		if (tacho_result_write_csv(result,
					   output->has_heading ? TACHO_CSV_NEXT : TACHO_CSV_FIRST,
					   output->stream) != 0)
			cli_complain_last();
		output->has_heading = true;
		break;
	case CLI_STAT_JSON: tacho_result_write_json(result, output->stream);
	}
	fflush(output->stream);
	if (output->file)
		cli_output_place(output->file);
}

static bool has_value(const struct tacho_result *result)
{
	const struct tacho_column *column;

	for (size_t i = 0; (column = tacho_result_get_column(result, i)); i++)
		for (size_t row = 0; row < tacho_result_get_row_count(result); row++)
			for (size_t at = 0; at < column->instance_count; at++)
				if (tacho_column_is_present(column, at) &&
				    (tacho_column_get_state(column, row, at) & TACHO_STATE_MASK) !=
					    TACHO_STATE_ABSENT)
					return true;
	return false;
}

void cli_stat_print_end(struct cli_stat_output *output, const struct tacho_result *result,
			const struct cli_child *child)
{
	switch (output->format) {
	case CLI_STAT_TEXT:
		if (!output->has_heading)
			print_heading(output);
		if (result)
			cli_values_print(result, NULL, output->stream, cli_width(output->stream));
		print_caveats(output);
		print_times(output, child);
		break;
	case CLI_STAT_JSON: write_end(output, result, child); break;
	case CLI_STAT_CSV:
		if (result && tacho_result_write_csv(result, TACHO_CSV_WHOLE, output->stream) != 0)
			cli_complain_last();
	}
	fflush(output->stream);
	if (output->pid && result && !has_value(result))
		cli_warn("%s did not run meanwhile: it slept or was stopped, and what does not run "
			 "is not counted. Count for longer (--duration), or give it work",
			 output->subject);
}
