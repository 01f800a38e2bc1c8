/* SPDX-License-Identifier: MIT */
/* Which instance of a block is the busiest: counters whose instances were kept, by kernel. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/sys/values.h>

#include "cli.h"
#include "report/report.h"
#include "table.h"
#include "terminal.h"
#include "text.h"
#include "values.h"

enum {
	SPREAD_COLUMNS = 7,
	LIST_COLUMNS = 4,
	BAR_WIDTH = 20,
};

/* An instance: what it counted in an average launch. */
struct one {
	size_t instance;
	double mean; /* NAN: nothing is known of it */
};

/* A counter of a kernel: its instances, highest first, those that nothing is known of last. */
struct spread {
	const struct tacho_summary_line *line;
	const struct tacho_entry *counter;
	const struct tacho_column *mean;
	size_t row;
	struct one *ones;
	size_t count, known;
	size_t highest; /* how many are as high as the first */
	double average; /* of those that are known */
};

static int compare(const void *left, const void *right)
{
	const struct one *a = left, *b = right;

	if (isnan(a->mean) != isnan(b->mean))
		return isnan(a->mean) ? 1 : -1;
	if (!isnan(a->mean) && a->mean != b->mean)
		return a->mean > b->mean ? -1 : 1;
	return (a->instance > b->instance) - (a->instance < b->instance);
}

static void add_ones(struct spread *spread, const struct tacho_column *columns)
{
	const struct tacho_column *measured = &columns[TACHO_STATISTIC_MEASURED];
	size_t instances = columns->instance_count;

	spread->mean = &columns[TACHO_STATISTIC_MEAN];
	spread->ones = cli_alloc(instances * sizeof(*spread->ones));
	for (size_t i = 0; i < instances; i++) {
		uint8_t state =
			tacho_column_get_state(&columns[TACHO_STATISTIC_TOTAL], spread->row, i);
		bool known = measured->data.u64[spread->row * instances + i] != 0;

		if (!tacho_column_is_present(columns, i) || state & TACHO_MARK_FOREIGN)
			continue;
		spread->ones[spread->count++] =
			(struct one){i, known ? tacho_column_get_value(spread->mean, spread->row, i)
					      : (double)NAN};
	}
}

static void measure(struct spread *spread)
{
	qsort(spread->ones, spread->count, sizeof(*spread->ones), compare);
	while (spread->known < spread->count && !isnan(spread->ones[spread->known].mean))
		spread->average += spread->ones[spread->known++].mean;
	if (spread->known)
		spread->average /= (double)spread->known;
	while (spread->highest < spread->known &&
	       spread->ones[spread->highest].mean == spread->ones[0].mean)
		spread->highest++;
}

/* Whether the line has the counter with its instances; then finish_spread() is needed. */
static bool make_spread(const struct cli_report *report, size_t row, size_t counter,
			struct spread *out_spread)
{
	const struct tacho_column *columns =
		tacho_summary_get_columns(report->summary, TACHO_BY_KERNEL, counter);
	struct spread spread = {.row = row};

	if (!columns || !columns->dimension_count)
		return false;
	spread.line = tacho_summary_get_line(report->summary, TACHO_BY_KERNEL, row);
	spread.counter = tacho_recording_get_counter(report->recording, counter);
	add_ones(&spread, columns);
	if (!spread.count) {
		free(spread.ones);
		return false;
	}
	measure(&spread);
	*out_spread = spread;
	return true;
}

static void finish_spread(struct spread *spread)
{
	free(spread->ones);
}

typedef void (*visit_fn)(const struct cli_report *report, const struct spread *spread, void *user);

/* Calls it for each counter with instances of each kernel that is shown. Returns how many. */
static size_t visit(const struct cli_report *report, visit_fn call, void *user)
{
	size_t lines = tacho_summary_get_line_count(report->summary, TACHO_BY_KERNEL), count = 0;
	size_t shown = 0;
	struct spread spread;

	if (!tacho_recording_get_counting(report->recording))
		return 0;
	for (size_t row = 0; row < lines && (!report->top || shown < report->top); row++) {
		if (!cli_report_shows(report, TACHO_BY_KERNEL, row))
			continue;
		shown++;
		for (size_t i = 0; tacho_recording_get_counter(report->recording, i); i++) {
			if (!make_spread(report, row, i, &spread))
				continue;
			call(report, &spread, user);
			finish_spread(&spread);
			count++;
		}
	}
	return count;
}

static bool are_alike(const struct spread *spread)
{
	return spread->known > 1 && spread->highest == spread->known;
}

static const char *name_kernel(const struct spread *spread)
{
	return *spread->line->name ? spread->line->name : "(no name)";
}

/* "XCC=0 SHADER_ENGINE=1"; of a block that is there once it is said so. Owned. */
static char *format_position(const struct spread *spread, size_t instance)
{
	char *position = cli_value_format_position(spread->mean, instance);

	if (*position)
		return position;
	free(position);
	return cli_format("the only one");
}

/* Owned. */
static char *format_highest(const struct spread *spread)
{
	char *position, *text;

	if (!spread->known)
		return cli_format("-");
	if (are_alike(spread))
		return cli_format("all are alike");
	position = format_position(spread, spread->ones[0].instance);
	if (spread->highest == 1)
		return position;
	text = cli_format("%s, %zu more", position, spread->highest - 1);
	free(position);
	return text;
}

struct table_state {
	struct cli_table table;
	size_t row; /* of the last kernel that has a heading */
	bool any;
};

static void add_spread(const struct cli_report *report, const struct spread *spread, void *user)
{
	struct table_state *state = user;
	const char *heading[SPREAD_COLUMNS] = {name_kernel(spread)};
	const char *unit = spread->mean->unit;
	struct cli_number low, average, high;
	bool known = spread->known != 0;
	const char *cells[SPREAD_COLUMNS];

	(void)report;
	if (!state->any || state->row != spread->row)
		cli_table_add(&state->table, heading);
	state->any = true;
	state->row = spread->row;
	cells[0] = cli_table_format(&state->table, "  %s", spread->counter->name);
	cells[1] = spread->known == spread->count
			   ? cli_table_format(&state->table, "%zu", spread->count)
			   : cli_table_format(&state->table, "%zu of %zu", spread->known,
					      spread->count);
	cells[2] = known ? cli_report_format_value(&low, spread->ones[spread->known - 1].mean, unit)
			 : "-";
	cells[3] = known ? cli_report_format_value(&average, spread->average, unit) : "-";
	cells[4] = known ? cli_report_format_value(&high, spread->ones[0].mean, unit) : "-";
	cells[5] = spread->average > 0 ? cli_table_format(&state->table, "%.3g",
							  spread->ones[0].mean / spread->average)
				       : "-";
	cells[6] = cli_table_take(&state->table, format_highest(spread));
	cli_table_add(&state->table, cells);
}

struct list_state {
	struct cli_remarks remarks;
	FILE *stream;
	unsigned width;
};

static void add_one(struct cli_table *table, const struct spread *spread, const struct one *one,
		    struct cli_remarks *remarks)
{
	double highest = spread->ones[0].mean;
	char bar[BAR_WIDTH + 1] = "";
	struct cli_number number;
	const char *cells[LIST_COLUMNS] = {
		cli_table_take(table, format_position(spread, one->instance)),
		isnan(one->mean) ? "-"
				 : cli_report_format_value(&number, one->mean, spread->mean->unit),
		bar,
		cli_table_take(table, cli_value_format_state(spread->mean, spread->row,
							     one->instance, remarks)),
	};

	memset(bar, '.', BAR_WIDTH);
	if (one->mean > 0)
		memset(bar, '#', (size_t)(one->mean / highest * BAR_WIDTH + 0.5));
	cli_table_add(table, cells);
}

/* What the list leaves out, in one line. */
static void print_rest(const struct cli_report *report, const struct spread *spread,
		       const struct list_state *state)
{
	const char *unit = spread->mean->unit;
	size_t left = spread->count - report->top;
	struct cli_number low, high;
	bool are_same;

	if (spread->known <= report->top)
		return;
	cli_report_format_value(&low, spread->ones[spread->known - 1].mean, unit);
	cli_report_format_value(&high, spread->ones[report->top].mean, unit);
	are_same = strcmp(low.text, high.text) == 0;
	cli_text_print(state->stream, 2, 4, state->width, "%zu more, %s%s%s; --top 0 shows all",
		       left, low.text, are_same ? "" : " to ", are_same ? "" : high.text);
}

static void print_list(const struct cli_report *report, const struct spread *spread, void *user)
{
	static const struct cli_column columns[LIST_COLUMNS] = {
		{"instance", false}, {"average", true}, {"of the highest", true}, {"", false}};
	struct list_state *state = user;
	struct cli_table table;

	if (are_alike(spread) || spread->count < 2)
		return;
	fputc('\n', state->stream);
	cli_text_print(state->stream, 0, 2, state->width, "%s of %s%s%s", spread->counter->name,
		       name_kernel(spread), *spread->mean->unit ? ", " : "", spread->mean->unit);
	cli_table_init(&table, columns, LIST_COLUMNS);
	for (size_t i = 0; i < spread->count && (!report->top || i < report->top); i++)
		add_one(&table, spread, &spread->ones[i], &state->remarks);
	cli_table_print(&table, state->stream, state->width);
	cli_table_finish(&table);
	if (report->top && spread->count > report->top)
		print_rest(report, spread, state);
}

/* What has no instances, and how they are recorded. */
static void print_sums(const struct cli_report *report, FILE *stream, unsigned width)
{
	const struct tacho_entry *counter;
	const char *first = NULL;
	char *names = NULL;

	for (size_t i = 0; (counter = tacho_recording_get_counter(report->recording, i)); i++) {
		if (counter->is_of_command || counter->has_instances)
			continue;
		first = first ? first : counter->name;
		cli_append(&names, ", ", "%s", counter->name);
	}
	if (names) {
		fputc('\n', stream);
		cli_text_print(stream, 2, 4, width,
			       "one value for all instances was recorded of: %s. Where a counter's "
			       "block is there several times, -m '%s:instances' records each; what "
			       "a formula makes one value of stays one",
			       names, first);
	}
	free(names);
}

void cli_report_print_instances(const struct cli_report *report, FILE *stream, unsigned width)
{
	static const struct cli_column columns[SPREAD_COLUMNS] = {
		{"kernel", false}, {"instances", true}, {"min", true},	    {"average", true},
		{"max", true},	   {"max/avg", true},	{"highest", false},
	};
	const struct tacho_recorded_counting *counting =
		tacho_recording_get_counting(report->recording);
	struct list_state list = {.stream = stream, .width = width};
	struct table_state state = {0};

	fputc('\n', stream);
	if (!counting) {
		cli_text_print(stream, 2, 4, width,
			       "no counter was recorded; record with -m 'NAME:instances'");
		return;
	}
	cli_table_init(&state.table, columns, SPREAD_COLUMNS);
	if (visit(report, add_spread, &state)) {
		cli_color_begin(stream, CLI_COLOR_HEADING);
		cli_text_print(stream, 0, 2, width,
			       "Instances of counters, averages per launch, on %s",
			       counting->device);
		cli_color_end(stream);
		cli_table_print(&state.table, stream, width);
		visit(report, print_list, &list);
		cli_remarks_print(&list.remarks, stream, width);
	} else {
		cli_text_print(stream, 2, 4, width, "no instances are in the recording");
	}
	cli_table_finish(&state.table);
	print_sums(report, stream, width);
}

/* ---- JSON ---- */

static void add_place(struct tacho_json *json, const struct spread *spread, size_t place)
{
	tacho_json_begin_object(json, NULL);
	tacho_values_add_position(json, spread->mean, spread->ones[place].instance);
	tacho_json_add_real(json, "mean", spread->ones[place].mean);
	tacho_json_end(json);
}

static void add_json(const struct cli_report *report, const struct spread *spread, void *user)
{
	struct tacho_json *json = user;
	bool known = spread->known != 0;

	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "kernel", spread->line->name);
	if (*spread->line->device)
		tacho_json_add_string(json, "device", spread->line->device);
	tacho_json_add_string(json, "counter", spread->counter->name);
	tacho_json_add_string(json, "unit", spread->mean->unit);
	tacho_json_add_unsigned(json, "count", spread->count);
	tacho_json_add_unsigned(json, "measured", spread->known);
	tacho_json_add_real(json, "min",
			    known ? spread->ones[spread->known - 1].mean : (double)NAN);
	tacho_json_add_real(json, "mean", known ? spread->average : (double)NAN);
	tacho_json_add_real(json, "max", known ? spread->ones[0].mean : (double)NAN);
	tacho_json_begin_array(json, "highest");
	for (size_t i = 0; i < spread->highest; i++)
		add_place(json, spread, i);
	tacho_json_end(json);
	tacho_json_begin_array(json, "instances");
	for (size_t i = 0; i < spread->count && (!report->top || i < report->top); i++)
		add_place(json, spread, i);
	tacho_json_end(json);
	tacho_json_end(json);
}

void cli_report_add_instances(struct tacho_json *json, const struct cli_report *report)
{
	if (!report->per_instance)
		return;
	tacho_json_begin_array(json, "instances");
	visit(report, add_json, json);
	tacho_json_end(json);
}
