/* SPDX-License-Identifier: MIT */
/* What was counted, in the report. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "report/report.h"
#include "table.h"
#include "text.h"
#include "units.h"

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

static bool adds_up(const struct tacho_recorded_counter *counter)
{
	return strcmp(counter->semantic, "event") == 0 ||
	       strcmp(counter->semantic, "duration") == 0;
}

static const char *format_total(struct cli_number *number,
				const struct tacho_recorded_counter *counter,
				const struct tacho_summary_value *value)
{
	if (!value->measured || !adds_up(counter))
		return "-";
	if (counter->type == TACHO_TYPE_U64 && !has_own_unit(counter->unit) &&
	    (value->state & TACHO_STATE_MASK) != TACHO_STATE_OVERFLOW)
		return cli_units_count(number, value->whole);
	return cli_report_format_value(number, value->total, counter->unit);
}

/* What a number is not plainly; "" when it is. Owned. */
static char *format_state(const struct tacho_summary_value *value)
{
	uint8_t state = value->state & TACHO_STATE_MASK;
	struct cli_number missing;

	if (state == TACHO_STATE_SCALED)
		return cli_format("scaled %.3g%%", 100 * value->coverage);
	if (state == TACHO_STATE_OVERFLOW || state == TACHO_STATE_LOST)
		return cli_format("%s", tacho_state_to_string(state));
	if (value->measured && value->measured < value->count)
		return cli_format("%s missing",
				  cli_units_count(&missing, value->count - value->measured));
	return cli_format("%s", "");
}

/* Short: why stands below the table. Owned. */
static char *format_note(const struct tacho_summary_value *value)
{
	bool is_default = value->state & TACHO_MARK_DEFAULT;
	bool is_div0 = value->state & TACHO_MARK_DIV0;
	char *state = format_state(value);
	char *note = cli_format(
		"%s%s%s%s%s", state, *state && is_default ? ", " : "", is_default ? "default" : "",
		is_div0 && (*state || is_default) ? ", " : "", is_div0 ? "divided by 0" : "");

	free(state);
	return note;
}

/* What the notes of the table are about: a counter, and a reason that it has somewhere. */
static bool has_reason(const struct cli_report *report, enum tacho_summary_key key, size_t counter,
		       const char *reason)
{
	const struct tacho_summary_value *value;

	for (size_t i = 0; i < tacho_summary_get_line_count(report->summary, key); i++) {
		value = tacho_summary_get_value(report->summary, key, i, counter);
		if (value && strcmp(value->reason, reason) == 0)
			return true;
	}
	return false;
}

/* All counters with this reason; NULL when it was told with an earlier one. */
static char *list_counters(const struct cli_report *report, enum tacho_summary_key key,
			   size_t first, const char *reason)
{
	const struct tacho_recorded_counter *counter;
	char *names = cli_format("%s", ""), *longer;
	size_t count = 0;

	for (size_t i = 0; (counter = tacho_recording_get_counter(report->recording, i)); i++) {
		if (!has_reason(report, key, i, reason))
			continue;
		if (i < first) {
			free(names);
			return NULL;
		}
		count++;
		longer = cli_format("%s%s%s", names, *names ? ", " : "", counter->name);
		free(names);
		names = longer;
	}
	if (count > NAMES_MAX) {
		free(names);
		names = cli_format("%zu counters", count);
	}
	return names;
}

/* Whether some value has this mark, or else this state. */
static bool has_state(const struct cli_report *report, enum tacho_summary_key key, uint8_t mark,
		      uint8_t state)
{
	for (size_t i = 0; i < tacho_summary_get_line_count(report->summary, key); i++)
		for (size_t k = 0; tacho_recording_get_counter(report->recording, k); k++) {
			const struct tacho_summary_value *value =
				tacho_summary_get_value(report->summary, key, i, k);

			if (value && (value->state & mark ||
				      (state && (value->state & TACHO_STATE_MASK) == state)))
				return true;
		}
	return false;
}

/* Below the table: each reason once, with the counters that it is about. */
static void print_reasons(const struct cli_report *report, enum tacho_summary_key key, FILE *stream,
			  unsigned width)
{
	size_t lines = tacho_summary_get_line_count(report->summary, key);

	if (has_state(report, key, 0, TACHO_STATE_SCALED)) {
		fputs("  ", stream);
		cli_text_wrap(stream,
			      "scaled: counted in that part of the time or of the launches; the "
			      "total is extrapolated",
			      2, 4, width);
	}
	if (has_state(report, key, TACHO_MARK_DEFAULT, 0)) {
		fputs("  ", stream);
		cli_text_wrap(stream,
			      "default: rests on what the simulated device takes for what a launch "
			      "does not tell; --kernels FILE says better",
			      2, 4, width);
	}
	for (size_t i = 0; tacho_recording_get_counter(report->recording, i); i++) {
		const char *before = "";

		for (size_t k = 0; k < lines; k++) {
			const struct tacho_summary_value *value =
				tacho_summary_get_value(report->summary, key, k, i);
			char *names, *text;

			if (!value || !*value->reason || value->is_of_launch ||
			    strcmp(value->reason, before) == 0)
				continue;
			before = value->reason;
			names = list_counters(report, key, i, before);
			if (!names)
				continue;
			text = cli_format("%s: %s", names, before);
			fputs("  ", stream);
			cli_text_wrap(stream, text, 2, 4, width);
			free(text);
			free(names);
		}
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
	const struct tacho_recorded_counter *counter;
	bool seen[2] = {false, false};

	for (size_t i = 0; (counter = tacho_recording_get_counter(report->recording, i)); i++)
		seen[counter->is_launch != 0] = true;
	return seen[0] && seen[1];
}

static char *format_name(const struct cli_report *report,
			 const struct tacho_recorded_counter *counter)
{
	bool has_unit = !has_own_unit(counter->unit) && !names_unit(counter->name, counter->unit);

	if (counter->is_simulated && is_mixed(report)) /* the report of one kind has room for it */
		return cli_format("  %s%s [simulated]", counter->name,
				  strcmp(counter->unit, "percent") == 0 ? ", %" : "");
	return cli_format("  %s%s%s", counter->name, has_unit ? ", " : "",
			  has_unit ? counter->unit : "");
}

static void add_row(const struct cli_report *report, struct cli_table *table,
		    const struct tacho_recorded_counter *counter,
		    const struct tacho_summary_value *value)
{
	struct cli_number numbers[5];
	char *note = format_note(value), *name = format_name(report, counter);
	bool has_value = value->measured != 0;
	const char *cells[COLUMNS] = {
		name,
		cli_units_count(&numbers[0], value->measured),
		format_total(&numbers[1], counter, value),
		has_value ? cli_report_format_value(&numbers[2], value->mean, counter->unit) : "-",
		has_value ? cli_report_format_value(&numbers[3], value->min, counter->unit) : "-",
		has_value ? cli_report_format_value(&numbers[4], value->max, counter->unit) : "-",
		note,
	};

	cli_table_add(table, cells);
	free(name);
	free(note);
}

/* The name of each line, and below it a row per counter. */
static size_t add_lines(const struct cli_report *report, enum tacho_summary_key key,
			struct cli_table *table)
{
	size_t count = tacho_summary_get_line_count(report->summary, key), added = 0;

	for (size_t i = 0; i < count && (!report->top || i < report->top); i++) {
		const struct tacho_summary_line *line =
			tacho_summary_get_line(report->summary, key, i);
		const char *heading[COLUMNS] = {*line->name ? line->name : "(no name)"};
		const struct tacho_recorded_counter *counter;
		const struct tacho_summary_value *value;
		bool is_first = true;

		for (size_t k = 0; (counter = tacho_recording_get_counter(report->recording, k));
		     k++) {
			value = tacho_summary_get_value(report->summary, key, i, k);
			if (!value)
				continue;
			if (is_first)
				cli_table_add(table, heading);
			is_first = false;
			add_row(report, table, counter, value);
			added++;
		}
	}
	return added;
}

static bool has_notes(const struct cli_table *table)
{
	for (size_t i = 0; i < table->row_count; i++)
		if (*table->cells[i * table->column_count + COLUMNS - 1])
			return true;
	return false;
}

/* The last column stays away when it has nothing to say. */
static void print_rows(const struct cli_table *table, FILE *stream, unsigned width)
{
	struct cli_table shown;

	if (has_notes(table)) {
		cli_table_print(table, stream, width);
		return;
	}
	cli_table_init(&shown, table->columns, COLUMNS - 1);
	for (size_t i = 0; i < table->row_count; i++)
		cli_table_add(&shown, (const char *const *)&table->cells[i * COLUMNS]);
	cli_table_print(&shown, stream, width);
	cli_table_finish(&shown);
}

static void print_table(const struct cli_report *report, enum tacho_summary_key key,
			const char *heading, const char *title, FILE *stream, unsigned width)
{
	const struct tacho_recorded_counting *counting =
		tacho_recording_get_counting(report->recording);
	const struct cli_column columns[COLUMNS] = {
		{title, false}, {"counted", true}, {"total", true}, {"average", true},
		{"min", true},	{"max", true},	   {"note", false},
	};
	struct cli_table table;

	cli_table_init(&table, columns, COLUMNS);
	if (add_lines(report, key, &table)) {
		bool tells_device = key == TACHO_BY_KERNEL && *counting->device;
		char *text = cli_format("%s%s%s", heading,
					!tells_device	   ? ""
					: is_mixed(report) ? "; what commands do not tell, on "
							   : ", on ",
					tells_device ? counting->device : "");

		fputc('\n', stream);
		cli_text_wrap(stream, text, 0, 2, width);
		print_rows(&table, stream, width);
		print_reasons(report, key, stream, width);
		free(text);
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

static void add_number(struct tacho_json *json, const char *key, bool known, double value)
{
	if (known)
		tacho_json_add_real(json, key, value);
	else
		tacho_json_add_null(json, key);
}

void cli_report_add_values(struct tacho_json *json, const struct cli_report *report,
			   enum tacho_summary_key key, size_t line)
{
	const struct tacho_recorded_counter *counter;

	if (!tacho_recording_get_counting(report->recording) ||
	    (key != TACHO_BY_KERNEL && key != TACHO_BY_TRANSFER))
		return;
	tacho_json_begin_array(json, "values");
	for (size_t i = 0; (counter = tacho_recording_get_counter(report->recording, i)); i++) {
		const struct tacho_summary_value *value =
			tacho_summary_get_value(report->summary, key, line, i);
		bool known;

		if (!value)
			continue;
		known = value->measured != 0;
		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "name", counter->name);
		tacho_json_add_string(json, "unit", *counter->unit ? counter->unit : NULL);
		tacho_json_add_bool(json, "simulated", counter->is_simulated);
		tacho_json_add_unsigned(json, "count", value->count);
		tacho_json_add_unsigned(json, "measured", value->measured);
		if (known && adds_up(counter) && counter->type == TACHO_TYPE_U64 &&
		    (value->state & TACHO_STATE_MASK) != TACHO_STATE_OVERFLOW)
			tacho_json_add_unsigned(json, "total", value->whole);
		else
			add_number(json, "total", known && adds_up(counter), value->total);
		add_number(json, "mean", known, value->mean);
		add_number(json, "min", known, value->min);
		add_number(json, "max", known, value->max);
		tacho_json_add_string(json, "state", tacho_state_to_string(value->state));
		if (value->state & TACHO_MARK_DIV0)
			tacho_json_add_bool(json, "div0", true);
		if (value->state & TACHO_MARK_DEFAULT)
			tacho_json_add_bool(json, "default", true);
		add_number(json, "coverage", known, value->coverage);
		tacho_json_add_string(json, "note", *value->reason ? value->reason : NULL);
		tacho_json_end(json);
	}
	tacho_json_end(json);
}

/* Processes in which no launch was counted, or none any more. */
static void add_uncounted(struct tacho_json *json, const struct tacho_recording *recording)
{
	size_t count = tacho_recording_get_process_count(recording);

	tacho_json_begin_array(json, "uncounted");
	for (size_t i = 0; i < count; i++) {
		const struct tacho_process *process = tacho_recording_get_process(recording, i);

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
	tacho_json_add_string(json, "device", *counting->device ? counting->device : NULL);
	tacho_json_add_bool(json, "simulated", counting->is_simulated);
	tacho_json_add_unsigned(json, "passes", counting->pass_count);
	tacho_json_add_string(json, "replay", tacho_replay_to_string(counting->replay));
	add_uncounted(json, report->recording);
	tacho_json_end(json);
}
