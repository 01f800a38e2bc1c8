/* SPDX-License-Identifier: MIT */
/*
 * Tables of Nsight Compute (ncu --csv): a line for each launch and metric, for each launch (--page
 * raw), or for each kernel and metric (--print-summary per-kernel), between lines of the profiler
 * and of the program. How numbers are written, and which names have several units, is looked for
 * first; then the rows are read.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"
#include "format/foreign/foreign_csv.h"
#include "format/foreign/ncu.h"

enum column {
	ID,
	PID,
	PROCESS,
	KERNEL,
	CONTEXT,
	STREAM,
	BLOCK,
	GRID,
	DEVICE,
	CAPABILITY,
	INVOCATIONS,
	METRIC,
	UNIT,
	VALUE,
	MINIMUM,
	MAXIMUM,
	AVERAGE,
	COLUMNS
};

static const char *const titles[COLUMNS] = {
	[ID] = "ID",
	[PID] = "Process ID",
	[PROCESS] = "Process Name",
	[KERNEL] = "Kernel Name",
	[CONTEXT] = "Context",
	[STREAM] = "Stream",
	[BLOCK] = "Block Size",
	[GRID] = "Grid Size",
	[DEVICE] = "Device",
	[CAPABILITY] = "CC",
	[INVOCATIONS] = "Invocations",
	[METRIC] = "Metric Name",
	[UNIT] = "Metric Unit",
	[VALUE] = "Metric Value",
	[MINIMUM] = "Minimum",
	[MAXIMUM] = "Maximum",
	[AVERAGE] = "Average",
};

/* Of a raw page: what a column has. */
struct metric {
	const char *name; /* NULL: none */
	const char *unit; /* as the second line has it */
};

/* A unit of a metric, and the counter that has its values: a name may have several units. */
struct unit {
	const char *name, *unit;
	struct unit *next;    /* of the same name */
	uint32_t counters[3]; /* the value, or average, smallest and largest; 0: not made yet */
};

struct table {
	struct tacho__foreign *foreign;
	const char *path;
	uint64_t file; /* its number, from 1 */
	bool is_first; /* how things are written is looked for */
	struct tacho__foreign_csv csv;
	int places[COLUMNS]; /* -1: the table has no such column */
	bool has_table, is_raw, wants_units;
	struct metric *metrics; /* of each column of a raw page */
	size_t metric_count, metric_capacity;
	char point;
	bool has_conflict;		 /* numbers of two locales */
	struct tacho__names units;	 /* by name */
	struct tacho__map next_ids;	 /* of each process + 1: behind the last launch's */
	struct tacho__ncu_launch launch; /* whose rows are read */
	uint64_t id;
	bool has_launch, is_known; /* the launch was told before */
	uint64_t launches, averages, invocations, parts, ambiguous, errors;
	struct tacho__buf said; /* the first error */
};

static bool fits(const struct tacho__foreign_file *file)
{
	return strstr(file->head, "\"Process ID\",\"Process Name\"") ||
	       strstr(file->head, "ID,Process ID,Process Name") || strstr(file->head, "==PROF== ");
}

static const char *get(const struct table *table, char *const *cells, size_t count,
		       enum column column)
{
	return tacho__foreign_csv_get(cells, count, table->places[column]);
}

/* ---- heads of tables ---- */

static bool is_head(char *const *cells, size_t count)
{
	return tacho__foreign_csv_find(cells, count, titles[PID]) >= 0 &&
	       tacho__foreign_csv_find(cells, count, titles[KERNEL]) >= 0;
}

/* Whether a column of a raw page has values: those behind the kernel that are none of the others.
 */
static bool is_metric(const struct table *table, const char *title, size_t place)
{
	for (int i = 0; i < COLUMNS; i++)
		if (!strcmp(title, titles[i]))
			return false;
	return (int)place > table->places[KERNEL] && *title && strcmp(title, "Host Name") != 0 &&
	       strcmp(title, "Kernel Time") != 0;
}

static int keep_metrics(struct table *table, char *const *cells, size_t count)
{
	struct tacho__arena *arena = &table->foreign->recording->arena;
	int rc = 0;

	for (table->metric_count = 0; table->metric_count < count && !rc;) {
		size_t place = table->metric_count;
		const char *name = NULL;

		rc = tacho__array_reserve(&table->metrics, &table->metric_capacity, place,
					  sizeof(*table->metrics));
		if (!rc && is_metric(table, cells[place], place)) {
			name = tacho__arena_string(arena, cells[place]);
			rc = name ? 0 : TACHO_E_NOMEM;
		}
		if (!rc)
			table->metrics[table->metric_count++] = (struct metric){name, ""};
	}
	return rc;
}

static int take_head(struct table *table, char *const *cells, size_t count)
{
	for (int i = 0; i < COLUMNS; i++)
		table->places[i] = tacho__foreign_csv_find(cells, count, titles[i]);
	table->has_table = true;
	table->is_raw = table->wants_units = table->places[METRIC] < 0;
	return table->is_raw ? keep_metrics(table, cells, count) : 0;
}

/* The second line of a raw page. */
static int take_units(struct table *table, char *const *cells, size_t count)
{
	struct tacho__arena *arena = &table->foreign->recording->arena;

	for (size_t i = 0; i < table->metric_count && i < count; i++) {
		if (!table->metrics[i].name)
			continue;
		table->metrics[i].unit = tacho__arena_string(arena, cells[i]);
		if (!table->metrics[i].unit)
			return TACHO_E_NOMEM;
	}
	return 0;
}

/* ---- units and counters ---- */

/* The unit among those of the name; made when it is new. */
static int find_unit(struct table *table, const char *name, const char *unit,
		     struct unit **out_unit)
{
	struct tacho__arena *arena = &table->foreign->recording->arena;
	struct unit *first = tacho__names_get(&table->units, name), *at = first;

	while (at && strcmp(at->unit, unit) != 0)
		at = at->next;
	if (!at) {
		at = tacho__arena_get(arena, sizeof(*at));
		if (!at)
			return TACHO_E_NOMEM;
		at->name = tacho__arena_string(arena, name);
		at->unit = tacho__arena_string(arena, unit);
		at->next = first ? first->next : NULL;
		if (!at->name || !at->unit)
			return TACHO_E_NOMEM;
		if (first)
			first->next = at;
		else if (tacho__names_set(&table->units, at->name, at))
			return TACHO_E_NOMEM;
	}
	*out_unit = at;
	return 0;
}

/* A name with several units is as many counters, told apart by their units. */
static int find_counter(struct table *table, struct unit *unit, enum column which,
			uint32_t *out_counter)
{
	const struct unit *first = tacho__names_get(&table->units, unit->name);
	uint32_t *known = &unit->counters[which == MINIMUM ? 1 : which == MAXIMUM ? 2 : 0];
	struct tacho__buf name = {0};
	int rc = 0;

	if (!*known) {
		tacho__buf_put(&name, unit->name);
		if (first->next && *unit->unit)
			tacho__buf_printf(&name, " (%s)", unit->unit);
		if (which == MINIMUM || which == MAXIMUM)
			tacho__buf_put(&name, which == MINIMUM ? " (min)" : " (max)");
		rc = name.failed ? TACHO_E_NOMEM
				 : tacho__foreign_counter(table->foreign, name.text, unit->unit,
							  TACHO_TYPE_F64, known);
		tacho__buf_finish(&name);
	}
	*out_counter = *known;
	return rc;
}

/* ---- values ---- */

static int add_number(struct table *table, struct unit *unit, enum column which, double real,
		      uint32_t state, const char *why)
{
	struct tacho__foreign_value value = {.process = table->launch.command.process,
					     .values = table->launch.command.values,
					     .state = state,
					     .number = {.f64 = real}};
	int rc = find_counter(table, unit, which, &value.counter);

	if (!rc && *why)
		rc = tacho__foreign_text(table->foreign, why, &value.note);
	return rc ? rc : tacho__foreign_add_value(table->foreign, &value);
}

/* Looks at a cell first, and takes its value later. */
static int take_cell(struct table *table, const char *name, const char *unit_cell, const char *cell,
		     enum column which)
{
	char text[TACHO__NCU_UNIT_MAX], point;
	int power = tacho__ncu_base_unit(unit_cell, text);
	struct tacho__ncu_number number = tacho__ncu_read_number(cell, table->point, power);
	struct unit *unit;
	int rc;

	if (number.kind == TACHO__NCU_NUMBER_NONE)
		return 0;
	if (table->is_first) {
		point = tacho__ncu_find_point(cell);
		table->has_conflict |= point && table->point && point != table->point;
		table->point = table->point ? table->point : point;
		return find_unit(table, name, text, &unit);
	}
	rc = find_unit(table, name, text, &unit);
	if (rc)
		return rc;
	table->parts += number.has_parts;
	if (number.kind == TACHO__NCU_NUMBER_AMBIGUOUS) {
		table->ambiguous++;
		return add_number(table, unit, which, 0, TACHO_STATE_ABSENT,
				  "nothing in the file says whether its point begins a fraction");
	}
	if (which == VALUE)
		tacho__ncu_take_metric(&table->launch, name, number.real);
	return add_number(table, unit, which, number.real,
			  number.is_doubtful ? TACHO_STATE_LOST : TACHO_STATE_OK, "");
}

static void take_attribute(struct table *table, const char *name, const char *cell)
{
	struct tacho__ncu_number number = tacho__ncu_read_number(cell, table->point, 0);
	struct tacho__ncu_value value = {0};

	if (number.kind == TACHO__NCU_NUMBER && number.real >= 0 && number.real < 9e15 &&
	    number.real == floor(number.real)) {
		value.is_real = value.is_whole = true;
		value.real = number.real;
		value.whole = (uint64_t)number.real;
	} else {
		value.text.bytes = (const uint8_t *)cell;
		value.text.size = strlen(cell);
	}
	tacho__ncu_put_attribute(&table->launch.device, name, &value);
}

static int take_raw_values(struct table *table, char *const *cells, size_t count)
{
	int rc = 0;

	for (size_t i = 0; i < count && i < table->metric_count && !rc; i++) {
		const struct metric *metric = &table->metrics[i];

		if (!metric->name)
			continue;
		if (!strncmp(metric->name, TACHO__NCU_DEVICE, strlen(TACHO__NCU_DEVICE)))
			take_attribute(table, metric->name, cells[i]);
		else
			rc = take_cell(table, metric->name, metric->unit, cells[i], VALUE);
	}
	return rc;
}

static int take_values(struct table *table, char *const *cells, size_t count)
{
	static const enum column summary[] = {AVERAGE, MINIMUM, MAXIMUM};
	const char *name = get(table, cells, count, METRIC);
	const char *unit = get(table, cells, count, UNIT);
	int rc = 0;

	if (table->is_raw)
		return take_raw_values(table, cells, count);
	if (!*name) /* what a rule says */
		return 0;
	if (table->places[VALUE] >= 0)
		return take_cell(table, name, unit, get(table, cells, count, VALUE), VALUE);
	for (size_t i = 0; i < sizeof(summary) / sizeof(summary[0]) && !rc; i++)
		rc = take_cell(table, name, unit, get(table, cells, count, summary[i]), summary[i]);
	return rc;
}

/* ---- launches ---- */

static int end_launch(struct table *table)
{
	struct tacho__ncu_launch *launch = &table->launch;
	int rc = table->has_launch && !table->is_known
			 ? tacho__ncu_add_launch(table->foreign, launch)
			 : 0;

	tacho__buf_finish(&launch->device);
	*launch = (struct tacho__ncu_launch){0};
	table->has_launch = false;
	return rc;
}

/* "(1024, 1, 1)"; nothing where it is none. */
static void read_sizes(const char *cell, uint64_t *sizes)
{
	uint64_t read[3];
	char *end;

	cell += strspn(cell, " (");
	for (int i = 0; i < 3; i++) {
		if (!tacho__is_digit(*cell))
			return;
		read[i] = strtoull(cell, &end, 10);
		cell = end + strspn(end, ", ");
	}
	memcpy(sizes, read, sizeof(read));
}

static int describe_launch(struct table *table, char *const *cells, size_t count)
{
	struct tacho__ncu_launch *launch = &table->launch;
	const char *capability = get(table, cells, count, CAPABILITY);
	int rc = tacho__foreign_text(table->foreign, get(table, cells, count, KERNEL),
				     &launch->name);

	if (!rc)
		rc = tacho__foreign_name_process(table->foreign, launch->command.process,
						 get(table, cells, count, PROCESS));
	read_sizes(get(table, cells, count, GRID), launch->grid);
	read_sizes(get(table, cells, count, BLOCK), launch->block);
	launch->has_stream =
		tacho__foreign_csv_unsigned(get(table, cells, count, STREAM), &launch->stream) &&
		tacho__foreign_csv_unsigned(get(table, cells, count, CONTEXT), &launch->context);
	launch->has_device = tacho__foreign_csv_unsigned(get(table, cells, count, DEVICE),
							 &launch->device_number);
	if (*capability)
		tacho__buf_printf(&launch->device, "compute_capability=%s\n", capability);
	if (launch->device.failed)
		return TACHO_E_NOMEM;
	return rc;
}

/* Rows of one number are of one launch, which is told once. */
static int begin_launch(struct table *table, uint32_t process, uint64_t id, char *const *cells,
			size_t count)
{
	uintptr_t next = (uintptr_t)tacho__map_get(&table->next_ids, process + 1);

	table->has_launch = true;
	table->is_known = id < next;
	table->id = id;
	table->launch.command.process = process;
	table->launch.command.values = id + 1;
	if (!table->is_known) {
		table->launches++;
		if (tacho__map_set(&table->next_ids, process + 1, (void *)(uintptr_t)(id + 1)))
			return TACHO_E_NOMEM;
	}
	return describe_launch(table, cells, count);
}

/* A kernel of a summary, in place of a launch: its number is that of its texts. */
static int number_summary(struct table *table, char *const *cells, size_t count, uint64_t *out_id)
{
	struct tacho__buf key = {0};
	uint32_t text = 0;
	int rc;

	tacho__buf_printf(&key, "%s\n%s\n%s\n%s", get(table, cells, count, KERNEL),
			  get(table, cells, count, GRID), get(table, cells, count, BLOCK),
			  get(table, cells, count, DEVICE));
	rc = key.failed ? TACHO_E_NOMEM : tacho__foreign_text(table->foreign, key.text, &text);
	tacho__buf_finish(&key);
	*out_id = text;
	return rc;
}

static int begin_summary(struct table *table, uint32_t process, uint64_t id, char *const *cells,
			 size_t count)
{
	uint64_t invocations = 0;
	int rc = begin_launch(table, process, id, cells, count);

	tacho__foreign_csv_unsigned(get(table, cells, count, INVOCATIONS), &invocations);
	table->averages += !table->is_known;
	table->invocations += table->is_known ? 0 : invocations;
	table->launch.reason = "the file has averages over several launches";
	return rc;
}

/* 1: a row of a launch; 0: a line of another sort. */
static int find_launch(struct table *table, char *const *cells, size_t count)
{
	bool is_summary = table->places[AVERAGE] >= 0;
	uint32_t process;
	uint64_t pid, id;
	int rc = 0;

	if (!tacho__foreign_csv_unsigned(get(table, cells, count, PID), &pid) || pid > UINT32_MAX)
		return 0;
	if (!is_summary &&
	    (!tacho__foreign_csv_unsigned(get(table, cells, count, ID), &id) || id > INT64_MAX))
		return 0;
	if (table->is_first)
		return 1;
	if (is_summary)
		rc = number_summary(table, cells, count, &id);
	if (!rc)
		rc = tacho__foreign_process(table->foreign, table->file << 32 | pid, (uint32_t)pid,
					    &process);
	if (rc ||
	    (table->has_launch && table->id == id && table->launch.command.process == process))
		return rc ? rc : 1;
	rc = end_launch(table);
	if (!rc)
		rc = is_summary ? begin_summary(table, process, id, cells, count)
				: begin_launch(table, process, id, cells, count);
	return rc ? rc : 1;
}

/* ---- lines ---- */

enum { ERRORS_MAX = 3 };

/* What the profiler said that went wrong. */
static void take_error(struct table *table, const char *line)
{
	if (!table->is_first || ++table->errors > ERRORS_MAX)
		return;
	line += strlen("==ERROR==");
	line += strspn(line, " ");
	tacho__foreign_note(table->foreign, "Nsight Compute said: %.300s", line);
	if (!table->said.size)
		tacho__buf_printf(&table->said, "Nsight Compute said: %.300s", line);
}

static int take_record(struct table *table, char *const *cells, size_t count)
{
	int rc;

	if (!strncmp(cells[0], "==ERROR==", 9)) {
		take_error(table, cells[0]);
		return 0;
	}
	if (is_head(cells, count))
		return take_head(table, cells, count);
	if (!table->has_table)
		return 0;
	if (table->wants_units && !*get(table, cells, count, ID) && count >= table->metric_count) {
		table->wants_units = false;
		return take_units(table, cells, count);
	}
	rc = find_launch(table, cells, count);
	return rc == 1 ? take_values(table, cells, count) : rc;
}

static int walk(struct table *table, bool is_first)
{
	char **cells;
	size_t count;
	int rc = tacho__foreign_csv_open(&table->csv, table->path);

	table->is_first = is_first;
	table->has_table = false;
	while (!rc && !(rc = tacho__foreign_csv_next(&table->csv, &cells, &count)) && count)
		rc = take_record(table, cells, count);
	if (!rc && !is_first)
		rc = end_launch(table);
	if (!rc && !is_first)
		tacho__foreign_note_end(table->foreign, table->path, table->csv.is_open);
	tacho__foreign_csv_close(&table->csv);
	return rc;
}

/* ---- the file ---- */

static void note_what_lacks(struct table *table)
{
	struct tacho__foreign *foreign = table->foreign;

	if (table->averages)
		tacho__foreign_note(
			foreign,
			"This is a summary: each kernel stands for its launches (%" PRIu64
			" in all), and its values are averages, with the smallest and "
			"largest beside them.",
			table->invocations);
	else if (table->launches)
		tacho__foreign_note(
			foreign, TACHO__NCU_NO_TIMES
			": kernels have durations, in the order in which they were "
			"profiled, and each ran alone, with the clocks and caches that were "
			"asked for.");
	if (table->parts)
		tacho__foreign_note(foreign,
				    "Of %" PRIu64 " value%s with parts, for units or lines, the "
				    "parts are not read.",
				    table->parts, tacho__plural(table->parts));
	if (table->ambiguous)
		tacho__foreign_note(foreign,
				    "%" PRIu64 " value%s can be read in two ways, and %s left out.",
				    table->ambiguous, tacho__plural(table->ambiguous),
				    table->ambiguous == 1 ? "is" : "are");
}

static int check(const struct table *table)
{
	if (!table->has_table)
		return tacho__fail(TACHO_E_PARSE,
				   table->said.size ? tacho__buf_show(&table->said)
						    : "no line has the titles of one",
				   "let it write one: ncu --csv, or ncu --import FILE --csv",
				   "%s has no table of Nsight Compute", table->path);
	if (table->has_conflict)
		return tacho__fail(TACHO_E_PARSE,
				   "some of its numbers have a point before the fraction, some a "
				   "comma",
				   "write it in one locale: LC_ALL=C ncu --csv",
				   "cannot read the numbers of %s", table->path);
	return 0;
}

static int read_file(struct tacho__foreign *foreign, const struct tacho__foreign_file *file)
{
	struct table table = {.foreign = foreign, .path = file->path, .file = file->number};
	struct tacho_recording *recording = foreign->recording;
	int rc = walk(&table, true);

	if (!rc)
		rc = check(&table);
	if (!rc)
		rc = walk(&table, false);
	if (!rc && recording->process_count)
		recording->run.application = recording->processes[0]->process.executable;
	if (!rc && !table.launches)
		recording->run.why_empty = "The table has no row of a profiled kernel.";
	if (!rc)
		note_what_lacks(&table);
	tacho__buf_finish(&table.launch.device);
	tacho__buf_finish(&table.said);
	tacho__names_finish(&table.units);
	tacho__map_finish(&table.next_ids);
	free(table.metrics);
	return rc;
}

const struct tacho__foreign_reader tacho__foreign_ncu_csv = {
	.name = "ncu-csv",
	.title = "Nsight Compute, table",
	.fits = fits,
	.read_file = read_file,
};
