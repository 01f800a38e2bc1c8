/* SPDX-License-Identifier: MIT */
/* What was counted, in the report. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/sys/values.h>

#include "cli.h"
#include "report/report.h"
#include "table.h"
#include "text.h"
#include "units.h"
#include "values.h"

enum {
	COLUMNS = 7,
	NAMES_MAX = 4, /* of counters with the same reason that are named */
};

/* Times and sizes carry their unit with them. */
static bool has_own_unit(const char *unit)
{
	return strcmp(unit, "nanoseconds") == 0 || strcmp(unit, "bytes") == 0 ||
	       strcmp(unit, "bytes/second") == 0;
}

const char *cli_report_format_value(struct cli_number *number, double value, const char *unit)
{
	return tacho_units_value(number->text, value, unit);
}

static bool adds_up(const struct tacho_entry *counter)
{
	return strcmp(counter->semantic, "event") == 0 ||
	       strcmp(counter->semantic, "duration") == 0;
}

static uint64_t get_number(const struct tacho_column *columns, enum tacho_statistic what,
			   size_t line)
{
	return columns[what].data.u64[line];
}

static uint8_t get_state(const struct tacho_column *columns, size_t line)
{
	return tacho_column_get_state(&columns[TACHO_STATISTIC_TOTAL], line, 0);
}

static bool is_exact(const struct tacho_column *columns, size_t line)
{
	return columns[TACHO_STATISTIC_TOTAL].type == TACHO_TYPE_U64 &&
	       (get_state(columns, line) & TACHO_STATE_MASK) != TACHO_STATE_OVERFLOW;
}

static const char *format_total(struct cli_number *number, const struct tacho_entry *counter,
				const struct tacho_column *columns, size_t line)
{
	if (!get_number(columns, TACHO_STATISTIC_MEASURED, line) || !adds_up(counter))
		return "-";
	if (is_exact(columns, line) && !has_own_unit(counter->unit))
		return cli_units_count(number, get_number(columns, TACHO_STATISTIC_TOTAL, line));
	return cli_report_format_value(
		number, tacho_column_get_value(&columns[TACHO_STATISTIC_TOTAL], line, 0),
		counter->unit);
}

/* Short: why stands below the table. Owned. */
static char *format_note(const struct tacho_column *columns, size_t line,
			 struct cli_remarks *remarks)
{
	uint64_t measured = get_number(columns, TACHO_STATISTIC_MEASURED, line);
	uint64_t missing = get_number(columns, TACHO_STATISTIC_COUNT, line) - measured;
	char *words = cli_value_format_state(&columns[TACHO_STATISTIC_MEAN], line, 0, remarks),
	     *note;
	struct cli_number number;

	if (!measured || !missing || get_state(columns, line) & TACHO_STATE_MASK)
		return words;
	note = cli_format("%s missing%s%s", cli_units_count(&number, missing), *words ? ", " : "",
			  words);
	free(words);
	return note;
}

/* All counters with this reason. Owned. */
static char *list_counters(const struct cli_report *report,
			   const struct tacho_summary_reason *reason)
{
	const struct tacho_entry *counter;
	char *names = NULL;
	size_t count = 0;

	for (size_t i = 0; (counter = tacho_recording_get_counter(report->recording, i)); i++) {
		if (!reason->is_of[i])
			continue;
		count++;
		cli_append(&names, ", ", "%s", counter->name);
	}
	if (count > NAMES_MAX) {
		free(names);
		names = cli_format("%zu counters", count);
	}
	return names;
}

/* Below the table: each reason once, with the counters that it is about. */
static void print_reasons(const struct cli_report *report, enum tacho_summary_key key,
			  const struct cli_remarks *remarks, FILE *stream, unsigned width)
{
	const struct tacho_summary_reason *reason;

	cli_remarks_print(remarks, stream, width);
	for (size_t i = 0; (reason = tacho_summary_get_reason(report->summary, key, i)); i++) {
		char *names;

		if (reason->is_of_launch)
			continue;
		names = list_counters(report, reason);
		cli_text_print(stream, 2, 4, width, "%s: %s", names, reason->text);
		free(names);
	}
}

/* What is plainly counted needs no unit, nor a name that ends with it. */
static bool names_unit(const char *name, const char *unit)
{
	static const char *const plain[] = {"events", "wavefronts", "requests", "items"};
	size_t size = strlen(unit), length = strlen(name);

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		if (strcmp(unit, plain[i]) == 0)
			return true;
	return !size || (length >= size && strcmp(name + length - size, unit) == 0);
}

/* Of commands and of a device in one table: each says which it is. */
static bool is_mixed(const struct cli_report *report)
{
	const struct tacho_entry *counter;
	bool seen[2] = {false, false};

	for (size_t i = 0; (counter = tacho_recording_get_counter(report->recording, i)); i++)
		seen[counter->is_of_command != 0] = true;
	return seen[0] && seen[1];
}

static char *format_name(const struct cli_report *report, const struct tacho_entry *counter)
{
	bool has_unit = !has_own_unit(counter->unit) && !names_unit(counter->name, counter->unit);

	if (counter->is_simulated && is_mixed(report)) /* the report of one kind has room for it */
		return cli_format("  %s%s [simulated]", counter->name,
				  strcmp(counter->unit, "percent") == 0 ? ", %" : "");
	return cli_format("  %s%s%s", counter->name, has_unit ? ", " : "",
			  has_unit ? counter->unit : "");
}

static const char *format_statistic(struct cli_number *number, const struct tacho_column *columns,
				    enum tacho_statistic what, size_t line)
{
	if (!get_number(columns, TACHO_STATISTIC_MEASURED, line))
		return "-";
	return cli_report_format_value(number, tacho_column_get_value(&columns[what], line, 0),
				       columns[what].unit);
}

static void add_row(const struct cli_report *report, struct cli_table *table,
		    const struct tacho_entry *counter, const struct tacho_column *columns,
		    size_t line, struct cli_remarks *remarks)
{
	struct cli_number numbers[5];
	const char *cells[COLUMNS] = {
		cli_table_take(table, format_name(report, counter)),
		cli_units_count(&numbers[0], get_number(columns, TACHO_STATISTIC_MEASURED, line)),
		format_total(&numbers[1], counter, columns, line),
		format_statistic(&numbers[2], columns, TACHO_STATISTIC_MEAN, line),
		format_statistic(&numbers[3], columns, TACHO_STATISTIC_MIN, line),
		format_statistic(&numbers[4], columns, TACHO_STATISTIC_MAX, line),
		cli_table_take(table, format_note(columns, line, remarks)),
	};

	cli_table_add(table, cells);
}

/* The name of each line, and below it a row per counter. */
static size_t add_lines(const struct cli_report *report, enum tacho_summary_key key,
			struct cli_table *table, struct cli_remarks *remarks)
{
	size_t count = tacho_summary_get_line_count(report->summary, key), added = 0;

	for (size_t i = 0; i < count && (!report->top || i < report->top); i++) {
		const struct tacho_summary_line *line =
			tacho_summary_get_line(report->summary, key, i);
		const char *heading[COLUMNS] = {*line->name ? line->name : "(no name)"};
		const struct tacho_entry *counter;
		const struct tacho_column *columns;
		bool is_first = true;

		for (size_t k = 0; (counter = tacho_recording_get_counter(report->recording, k));
		     k++) {
			columns = tacho_summary_get_columns(report->summary, key, k);
			if (get_state(columns, i) & TACHO_MARK_FOREIGN)
				continue;
			if (is_first)
				cli_table_add(table, heading);
			is_first = false;
			add_row(report, table, counter, columns, i, remarks);
			added++;
		}
	}
	return added;
}

static void print_table(const struct cli_report *report, enum tacho_summary_key key,
			const char *heading, const char *title, FILE *stream, unsigned width)
{
	const struct tacho_recorded_counting *counting =
		tacho_recording_get_counting(report->recording);
	const struct cli_column columns[COLUMNS] = {
		{title, false}, {"counted", true}, {"total", true}, {"average", true},
		{"min", true},	{"max", true},	   {"", false},
	};
	struct cli_remarks remarks = {0};
	struct cli_table table;

	cli_table_init(&table, columns, COLUMNS);
	if (add_lines(report, key, &table, &remarks)) {
		bool tells_device = key == TACHO_BY_KERNEL && *counting->device;

		fputc('\n', stream);
		cli_text_print(stream, 0, 2, width, "%s%s%s", heading,
			       !tells_device	  ? ""
			       : is_mixed(report) ? "; what commands do not tell, on "
						  : ", on ",
			       tells_device ? counting->device : "");
		cli_table_print(&table, stream, width);
		print_reasons(report, key, &remarks, stream, width);
	}
	cli_table_finish(&table);
}

void cli_report_print_values(const struct cli_report *report, FILE *stream, unsigned width)
{
	if (!tacho_recording_get_counting(report->recording))
		return;
	print_table(report, TACHO_BY_KERNEL, "Counters of kernels, per launch", "kernel", stream,
		    width);
	print_table(report, TACHO_BY_TRANSFER, "Counters of transfers", "kind", stream, width);
}

/* ---- JSON ---- */

static void add_value(struct tacho_json *json, const struct tacho_entry *counter,
		      const struct tacho_column *columns, size_t line)
{
	static const char *const keys[] = {"total", "mean", "min", "max"};
	uint64_t measured = get_number(columns, TACHO_STATISTIC_MEASURED, line);
	const char *note = tacho_column_get_note(columns, line, 0);

	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "name", counter->name);
	tacho_json_add_unsigned(json, "count", get_number(columns, TACHO_STATISTIC_COUNT, line));
	tacho_json_add_unsigned(json, "measured", measured);
	for (int i = TACHO_STATISTIC_TOTAL; i <= TACHO_STATISTIC_MAX; i++) {
		bool is_total = i == TACHO_STATISTIC_TOTAL;

		if (is_total && measured && adds_up(counter) && is_exact(columns, line))
			tacho_json_add_unsigned(json, keys[i], columns->data.u64[line]);
		else
			tacho_json_add_real(json, keys[i],
					    measured && (!is_total || adds_up(counter))
						    ? tacho_column_get_value(&columns[i], line, 0)
						    : NAN);
	}
	tacho_values_add_state(json, get_state(columns, line),
			       tacho_column_get_coverage(columns, line, 0));
	if (*note)
		tacho_json_add_string(json, "note", note);
	tacho_json_end(json);
}

/* Of launches that were left out nothing is told. */
static bool has_values(const struct tacho_result *result, size_t line)
{
	const struct tacho_column *columns;

	for (size_t i = 0; (columns = tacho_result_get_column(result, i)); i += TACHO_STATISTICS)
		if (!(get_state(columns, line) & TACHO_MARK_FOREIGN))
			return true;
	return false;
}

static void add_values(struct tacho_json *json, const struct cli_report *report,
		       enum tacho_summary_key key, size_t line)
{
	const struct tacho_column *columns;
	const struct tacho_entry *counter;

	for (size_t i = 0; (counter = tacho_recording_get_counter(report->recording, i)); i++) {
		columns = tacho_summary_get_columns(report->summary, key, i);
		if (!(get_state(columns, line) & TACHO_MARK_FOREIGN))
			add_value(json, counter, columns, line);
	}
}

void cli_report_add_values(struct tacho_json *json, const struct cli_report *report,
			   enum tacho_summary_key key, size_t line)
{
	if (!tacho_recording_get_counting(report->recording) ||
	    (key != TACHO_BY_KERNEL && key != TACHO_BY_TRANSFER))
		return;
	tacho_json_begin_array(json, "values");
	add_values(json, report, key, line);
	tacho_json_end(json);
}

static void add_columns(struct tacho_json *json, const struct tacho_recording *recording)
{
	const struct tacho_entry *counter;

	tacho_json_begin_array(json, "columns");
	for (size_t i = 0; (counter = tacho_recording_get_counter(recording, i)); i++) {
		tacho_values_begin_column(json, counter->name, counter->unit, counter->type,
					  counter->description);
		if (counter->is_simulated)
			tacho_json_add_bool(json, "simulated", true);
		tacho_json_end(json);
	}
	tacho_json_end(json);
}

void cli_report_add_rows(struct tacho_json *json, const struct cli_report *report)
{
	static const enum tacho_summary_key keys[] = {TACHO_BY_KERNEL, TACHO_BY_TRANSFER};
	const struct tacho_row *row;

	add_columns(json, report->recording);
	tacho_json_begin_array(json, "rows");
	for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
		const struct tacho_result *result =
			tacho_summary_get_values(report->summary, keys[k]);

		for (size_t i = 0; (row = tacho_result_get_row(result, i)); i++) {
			if (!has_values(result, i))
				continue;
			tacho_values_begin_row(json, row);
			add_values(json, report, keys[k], i);
			tacho_json_end(json);
			tacho_json_end(json);
		}
	}
	tacho_json_end(json);
}

/* Processes in which no launch was counted, or none any more. */
static void add_uncounted(struct tacho_json *json, const struct tacho_recording *recording)
{
	const struct tacho_process *process;

	tacho_json_begin_array(json, "uncounted");
	for (size_t i = 0; (process = tacho_recording_get_process(recording, i)); i++) {
		if (!*process->uncounted)
			continue;
		tacho_json_begin_object(json, NULL);
		tacho_json_add_unsigned(json, "pid", process->pid);
		tacho_json_add_string(json, "executable", process->executable);
		tacho_json_add_unsigned(json, "from_ns", process->uncounted_ns);
		tacho_json_add_string(json, "why", process->uncounted);
		tacho_json_add_string(json, "cure", process->uncounted_cure);
		tacho_json_end(json);
	}
	tacho_json_end(json);
}

void cli_report_add_counting(struct tacho_json *json, const struct cli_report *report)
{
	const struct tacho_recorded_counting *counting =
		tacho_recording_get_counting(report->recording);

	if (!counting)
		return;
	tacho_json_begin_object(json, "counting");
	tacho_json_add_text(json, "device", counting->device);
	tacho_json_add_bool(json, "simulated", counting->is_simulated);
	tacho_json_add_unsigned(json, "passes", counting->pass_count);
	tacho_json_add_string(json, "replay", tacho_replay_to_string(counting->replay));
	add_columns(json, report->recording);
	add_uncounted(json, report->recording);
	tacho_json_end(json);
}
