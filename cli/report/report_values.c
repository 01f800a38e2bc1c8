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
#include "terminal.h"
#include "text.h"
#include "units.h"
#include "values.h"

enum {
	COLUMNS = 7,
	NAMES_MAX = 4,	 /* of counters with the same reason that are named */
	CHOSEN_MAX = 64, /* a file with more counters has whatever its tool could count */
	SHOWN_MAX = 10,	 /* of those of a line, then */
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

/* A counter of a line, or an instance of it: its statistics. */
struct cell {
	const struct tacho_entry *counter;
	const struct tacho_column *columns;
	size_t line, instance;
};

static uint64_t get_number(const struct cell *cell, enum tacho_statistic what)
{
	const struct tacho_column *column = &cell->columns[what];

	return column->data.u64[cell->line * column->instance_count + cell->instance];
}

static double get_real(const struct cell *cell, enum tacho_statistic what)
{
	return tacho_column_get_value(&cell->columns[what], cell->line, cell->instance);
}

static uint8_t get_state(const struct cell *cell)
{
	return tacho_column_get_state(&cell->columns[TACHO_STATISTIC_TOTAL], cell->line,
				      cell->instance);
}

/* Whether there is such a thing, and the line can have it. */
static bool is_shown(const struct cell *cell)
{
	return tacho_column_is_present(cell->columns, cell->instance) &&
	       !(get_state(cell) & TACHO_MARK_FOREIGN);
}

static bool is_exact(const struct cell *cell)
{
	return cell->columns[TACHO_STATISTIC_TOTAL].type == TACHO_TYPE_U64 &&
	       (get_state(cell) & TACHO_STATE_MASK) != TACHO_STATE_OVERFLOW;
}

static const char *format_total(struct cli_number *number, const struct cell *cell)
{
	if (!get_number(cell, TACHO_STATISTIC_MEASURED) || !adds_up(cell->counter))
		return "-";
	if (is_exact(cell) && !has_own_unit(cell->counter->unit))
		return cli_units_count(number, get_number(cell, TACHO_STATISTIC_TOTAL));
	return cli_report_format_value(number, get_real(cell, TACHO_STATISTIC_TOTAL),
				       cell->counter->unit);
}

/* Short: why stands below the table. Owned. */
static char *format_note(const struct cell *cell, struct cli_remarks *remarks)
{
	uint64_t measured = get_number(cell, TACHO_STATISTIC_MEASURED);
	uint64_t missing = get_number(cell, TACHO_STATISTIC_COUNT) - measured;
	char *words = cli_value_format_state(&cell->columns[TACHO_STATISTIC_MEAN], cell->line,
					     cell->instance, remarks),
	     *note;
	struct cli_number number;

	if (!measured || !missing || get_state(cell) & TACHO_STATE_MASK)
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

static const char *format_statistic(struct cli_number *number, const struct cell *cell,
				    enum tacho_statistic what)
{
	if (!get_number(cell, TACHO_STATISTIC_MEASURED))
		return "-";
	return cli_report_format_value(number, get_real(cell, what), cell->columns[what].unit);
}

/* `name` is taken. */
static void add_row(struct cli_table *table, char *name, const struct cell *cell,
		    struct cli_remarks *remarks)
{
	struct cli_number numbers[5];
	const char *cells[COLUMNS] = {
		cli_table_take(table, name),
		cli_units_count(&numbers[0], get_number(cell, TACHO_STATISTIC_MEASURED)),
		format_total(&numbers[1], cell),
		format_statistic(&numbers[2], cell, TACHO_STATISTIC_MEAN),
		format_statistic(&numbers[3], cell, TACHO_STATISTIC_MIN),
		format_statistic(&numbers[4], cell, TACHO_STATISTIC_MAX),
		cli_table_take(table, format_note(cell, remarks)),
	};

	cli_table_add(table, cells);
}

static bool is_any_shown(struct cell *cell)
{
	for (cell->instance = 0; cell->instance < cell->columns->instance_count; cell->instance++)
		if (is_shown(cell))
			return true;
	return false;
}

/* A row; where there are instances one for each of them, below the counter's name. */
static void add_counter(const struct cli_report *report, struct cli_table *table, struct cell *cell,
			struct cli_remarks *remarks)
{
	char *name = format_name(report, cell->counter);
	const char *heading[COLUMNS] = {name};

	if (cell->columns->instance_count == 1) {
		add_row(table, name, cell, remarks);
		return;
	}
	cli_table_add(table, heading);
	free(name);
	for (cell->instance = 0; cell->instance < cell->columns->instance_count; cell->instance++) {
		if (!is_shown(cell))
			continue;
		name = cli_value_format_position(cell->columns, cell->instance);
		add_row(table, cli_format("    %s", name), cell, remarks);
		free(name);
	}
}

/* Of the counters of a line: nobody has chosen the thousands that files of other tools have. */
static size_t count_shown(const struct cli_report *report)
{
	const struct tacho_run *run = tacho_recording_get_run(report->recording);
	bool is_overview = report->top && !report->key_only;

	return run->import_note && is_overview &&
			       tacho_recording_get_counter(report->recording, CHOSEN_MAX)
		       ? SHOWN_MAX
		       : SIZE_MAX;
}

static void add_more(struct cli_table *table, size_t count)
{
	struct cli_number number;
	const char *cells[COLUMNS] = {cli_table_take(
		table, cli_format("  and %s more", cli_units_count(&number, count)))};

	cli_table_add(table, cells);
}

/* Below the name of the line its counters. Returns how many. */
static size_t add_line(const struct cli_report *report, enum tacho_summary_key key, size_t index,
		       struct cli_table *table, struct cli_remarks *remarks)
{
	const struct tacho_summary_line *line = tacho_summary_get_line(report->summary, key, index);
	const char *heading[COLUMNS] = {*line->name ? line->name : "(no name)"};
	struct cell cell = {.line = index};
	size_t added = 0, shown = count_shown(report);

	for (size_t k = 0; (cell.counter = tacho_recording_get_counter(report->recording, k));
	     k++) {
		cell.columns = tacho_summary_get_columns(report->summary, key, k);
		if (!is_any_shown(&cell))
			continue;
		if (!added++)
			cli_table_add(table, heading);
		if (added <= shown)
			add_counter(report, table, &cell, remarks);
	}
	if (added > shown)
		add_more(table, added - shown);
	return added;
}

static size_t add_lines(const struct cli_report *report, enum tacho_summary_key key,
			struct cli_table *table, struct cli_remarks *remarks)
{
	size_t count = tacho_summary_get_line_count(report->summary, key), added = 0, shown = 0;

	for (size_t i = 0; i < count && (!report->top || shown < report->top); i++) {
		if (!cli_report_shows(report, key, i))
			continue;
		added += add_line(report, key, i, table, remarks);
		shown++;
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
		bool tells_device = key != TACHO_BY_TRANSFER && *counting->device;

		fputc('\n', stream);
		cli_color_begin(stream, CLI_COLOR_HEADING);
		cli_text_print(stream, 0, 2, width, "%s%s%s", heading,
			       !tells_device	  ? ""
			       : is_mixed(report) ? "; what commands do not tell, on "
						  : ", on ",
			       tells_device ? counting->device : "");
		cli_color_end(stream);
		cli_table_print(&table, stream, width);
		if (count_shown(report) != SIZE_MAX)
			cli_text_print(stream, 2, 4, width, "--by kernel shows all counters");
		print_reasons(report, key, &remarks, stream, width);
	}
	cli_table_finish(&table);
}

void cli_report_print_values(const struct cli_report *report, FILE *stream, unsigned width)
{
	if (!tacho_recording_get_counting(report->recording))
		return;
	if (report->key_only && report->key == TACHO_BY_RANGE) {
		print_table(report, TACHO_BY_RANGE, "Counters of launches in ranges", "range",
			    stream, width);
		return;
	}
	if (report->key_only && report->key == TACHO_BY_PASS) {
		print_table(report, TACHO_BY_PASS, "Counters of what ran in passes", "pass", stream,
			    width);
		return;
	}
	if (!report->key_only || report->key == TACHO_BY_KERNEL)
		print_table(report, TACHO_BY_KERNEL, "Counters of kernels, per launch", "kernel",
			    stream, width);
	if (!report->key_only || report->key == TACHO_BY_COMMAND)
		print_table(report, TACHO_BY_COMMAND, "Counters of commands as a whole", "command",
			    stream, width);
	print_table(report, TACHO_BY_TRANSFER, "Counters of transfers", "kind", stream, width);
}

/* ---- JSON ---- */

static void add_value(struct tacho_json *json, const struct cell *cell)
{
	static const char *const keys[] = {"total", "mean", "min", "max"};
	uint64_t measured = get_number(cell, TACHO_STATISTIC_MEASURED);
	const char *note = tacho_column_get_note(cell->columns, cell->line, cell->instance);

	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "name", cell->counter->name);
	tacho_values_add_position(json, cell->columns, cell->instance);
	tacho_json_add_unsigned(json, "count", get_number(cell, TACHO_STATISTIC_COUNT));
	tacho_json_add_unsigned(json, "measured", measured);
	for (int i = TACHO_STATISTIC_TOTAL; i <= TACHO_STATISTIC_MAX; i++) {
		bool is_total = i == TACHO_STATISTIC_TOTAL;

		if (is_total && measured && adds_up(cell->counter) && is_exact(cell))
			tacho_json_add_unsigned(json, keys[i],
						get_number(cell, TACHO_STATISTIC_TOTAL));
		else
			tacho_json_add_real(json, keys[i],
					    measured && (!is_total || adds_up(cell->counter))
						    ? get_real(cell, (enum tacho_statistic)i)
						    : NAN);
	}
	tacho_values_add_state(
		json, get_state(cell),
		tacho_column_get_coverage(cell->columns, cell->line, cell->instance));
	if (*note)
		tacho_json_add_string(json, "note", note);
	tacho_json_end(json);
}

/* Of launches that were left out nothing is told. */
static bool has_values(const struct tacho_result *result, size_t line)
{
	struct cell cell = {.line = line};

	for (size_t i = 0; (cell.columns = tacho_result_get_column(result, i));
	     i += TACHO_STATISTICS)
		if (is_any_shown(&cell))
			return true;
	return false;
}

static void add_values(struct tacho_json *json, const struct cli_report *report,
		       enum tacho_summary_key key, size_t line)
{
	struct cell cell = {.line = line};

	for (size_t i = 0; (cell.counter = tacho_recording_get_counter(report->recording, i));
	     i++) {
		cell.columns = tacho_summary_get_columns(report->summary, key, i);
		for (cell.instance = 0; cell.instance < cell.columns->instance_count;
		     cell.instance++)
			if (is_shown(&cell))
				add_value(json, &cell);
	}
}

void cli_report_add_values(struct tacho_json *json, const struct cli_report *report,
			   enum tacho_summary_key key, size_t line)
{
	if (!tacho_recording_get_counting(report->recording) ||
	    (key != TACHO_BY_KERNEL && key != TACHO_BY_TRANSFER && key != TACHO_BY_RANGE &&
	     !tacho_summary_get_values(report->summary, key)))
		return;
	tacho_json_begin_array(json, "values");
	add_values(json, report, key, line);
	tacho_json_end(json);
}

static void add_columns(struct tacho_json *json, const struct cli_report *report)
{
	const struct tacho_entry *counter;

	tacho_json_begin_array(json, "columns");
	for (size_t i = 0; (counter = tacho_recording_get_counter(report->recording, i)); i++) {
		tacho_values_begin_column(json, counter->name, counter->unit, counter->type,
					  counter->description);
		tacho_values_add_dimensions(
			json, tacho_summary_get_columns(report->summary, TACHO_BY_KERNEL, i));
		if (counter->is_simulated)
			tacho_json_add_bool(json, "simulated", true);
		tacho_json_end(json);
	}
	tacho_json_end(json);
}

void cli_report_add_rows(struct tacho_json *json, const struct cli_report *report)
{
	static const enum tacho_summary_key keys[] = {TACHO_BY_KERNEL, TACHO_BY_TRANSFER,
						      TACHO_BY_COMMAND};
	const struct tacho_row *row;

	add_columns(json, report);
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
	add_columns(json, report);
	add_uncounted(json, report->recording);
	tacho_json_end(json);
}
