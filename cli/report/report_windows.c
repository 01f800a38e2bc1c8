/* SPDX-License-Identifier: MIT */
/* Counters that were sampled beside the program, in windows of time. */
#include <stdlib.h>

#include <tacho/sys/json.h>

#include "cli.h"
#include "report/report.h"
#include "table.h"
#include "text.h"

static const double NS_PER_MS = 1e6;

/* "7 scaled, 1 absent"; "-": all is well. */
static char *format_states(const struct tacho_summary_sampled *sum)
{
	const struct {
		uint64_t count;
		const char *name;
	} states[] = {{sum->scaled, "scaled"},
		      {sum->lost, "lost"},
		      {sum->overflow, "overflow"},
		      {sum->absent, "absent"}};
	char *text = cli_format("%s", "");
	struct cli_number number;

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (states[i].count)
			cli_append(&text, ", ", "%s %s", cli_units_count(&number, states[i].count),
				   states[i].name);
	if (!*text)
		cli_append(&text, "", "%s", "-");
	return text;
}

static void add_line(struct cli_table *table, const struct tacho_summary_sampled *sum)
{
	struct cli_number windows, min, mean, max;
	const char *unit = sum->counter->unit;
	char *states = format_states(sum);
	const char *cells[] = {
		sum->counter->name,
		cli_units_count(&windows, sum->windows),
		sum->windows ? cli_report_format_value(&min, sum->min, unit) : "-",
		sum->windows ? cli_report_format_value(&mean, sum->mean, unit) : "-",
		sum->windows ? cli_report_format_value(&max, sum->max, unit) : "-",
		unit,
		states,
	};

	cli_table_add(table, cells);
	free(states);
}

static void print_remarks(const struct tacho_sampling *sampling, FILE *stream, unsigned width)
{
	struct cli_number number;

	if (sampling->lost)
		cli_text_print(stream, 2, 4, width, "%s of its windows %s lost",
			       cli_units_count(&number, sampling->lost),
			       sampling->lost == 1 ? "is" : "are");
	if (*sampling->ended)
		cli_text_print(stream, 2, 4, width, "sampling ended before the program: %s%s%s",
			       sampling->ended, *sampling->ended_cure ? "; " : "",
			       sampling->ended_cure);
	else if (sampling->is_open)
		cli_text_print(stream, 2, 4, width,
			       "the end of sampling is not there: it goes on, or the tacho that "
			       "sampled was killed, and later windows are missing");
}

void cli_report_print_windows(const struct cli_report *report, FILE *stream, unsigned width)
{
	static const struct cli_column columns[] = {
		{"counter", false}, {"windows", true}, {"min", true},	 {"average", true},
		{"max", true},	    {"unit", false},   {"states", false}};
	const struct tacho_summary_sampled *sum;
	const struct tacho_sampling *sampling;
	struct cli_table table;

	for (size_t i = 0; (sampling = tacho_recording_get_sampling(report->recording, i)); i++) {
		fprintf(stream, "\nCounters over time: %s%s, windows of %g ms\n", sampling->device,
			sampling->is_simulated ? " [simulated]" : "",
			(double)sampling->window_ns / NS_PER_MS);
		cli_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
		for (size_t k = 0; (sum = tacho_summary_get_sampled(report->summary, k)); k++)
			if (sum->sampling == sampling)
				add_line(&table, sum);
		cli_table_print(&table, stream, width);
		cli_table_finish(&table);
		print_remarks(sampling, stream, width);
	}
}

static void add_sum(struct tacho_json *json, const struct tacho_summary_sampled *sum)
{
	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "name", sum->counter->name);
	tacho_json_add_text(json, "unit", sum->counter->unit);
	tacho_json_add_unsigned(json, "windows", sum->windows);
	if (sum->windows) {
		tacho_json_add_real(json, "min", sum->min);
		tacho_json_add_real(json, "mean", sum->mean);
		tacho_json_add_real(json, "max", sum->max);
	} else {
		tacho_json_add_null(json, "min");
		tacho_json_add_null(json, "mean");
		tacho_json_add_null(json, "max");
	}
	tacho_json_add_unsigned(json, "scaled", sum->scaled);
	tacho_json_add_unsigned(json, "lost", sum->lost);
	tacho_json_add_unsigned(json, "overflow", sum->overflow);
	tacho_json_add_unsigned(json, "absent", sum->absent);
	tacho_json_end(json);
}

void cli_report_add_windows(struct tacho_json *json, const struct cli_report *report)
{
	const struct tacho_summary_sampled *sum;
	const struct tacho_sampling *sampling;

	tacho_json_begin_array(json, "sampled");
	for (size_t i = 0; (sampling = tacho_recording_get_sampling(report->recording, i)); i++) {
		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "device", sampling->device);
		tacho_json_add_bool(json, "simulated", sampling->is_simulated != 0);
		tacho_json_add_unsigned(json, "window_ns", sampling->window_ns);
		tacho_json_add_unsigned(json, "windows", sampling->windows);
		tacho_json_add_unsigned(json, "lost", sampling->lost);
		tacho_json_add_bool(json, "open", sampling->is_open != 0);
		tacho_json_add_text(json, "ended", sampling->ended);
		tacho_json_add_text(json, "ended_cure", sampling->ended_cure);
		tacho_json_begin_array(json, "counters");
		for (size_t k = 0; (sum = tacho_summary_get_sampled(report->summary, k)); k++)
			if (sum->sampling == sampling)
				add_sum(json, sum);
		tacho_json_end(json);
		tacho_json_end(json);
	}
	tacho_json_end(json);
}
