/* SPDX-License-Identifier: MIT */
/*
 * Tables that "nvprof --csv" prints, between lines of its own and of the program: the trace of the
 * GPU's work, that of calls, or both in one, whose units stand in a line below the titles; and
 * metrics and events of kernels, over all launches of each or of each launch. Tables of sums are
 * shown where there is nothing else.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"
#include "format/foreign/cuda_work.h"
#include "format/foreign/foreign_csv.h"
#include "format/foreign/nvprof.h"
#include "format/foreign/nvprof_sums.h"

enum column {
	START,
	DURATION,
	GRID_X,
	GRID_Y,
	GRID_Z,
	BLOCK_X,
	BLOCK_Y,
	BLOCK_Z,
	REGISTERS,
	FIXED,
	DYNAMIC,
	SIZE,
	DEVICE,
	CONTEXT,
	STREAM,
	NAME,
	LINK,
	KERNEL,
	INVOCATIONS,
	METRIC,
	EVENT,
	MINIMUM,
	MAXIMUM,
	AVERAGE,
	COLUMNS
};

static const char *const titles[COLUMNS] = {
	[START] = "Start",
	[DURATION] = "Duration",
	[GRID_X] = "Grid X",
	[GRID_Y] = "Grid Y",
	[GRID_Z] = "Grid Z",
	[BLOCK_X] = "Block X",
	[BLOCK_Y] = "Block Y",
	[BLOCK_Z] = "Block Z",
	[REGISTERS] = "Registers Per Thread",
	[FIXED] = "Static SMem",
	[DYNAMIC] = "Dynamic SMem",
	[SIZE] = "Size",
	[DEVICE] = "Device",
	[CONTEXT] = "Context",
	[STREAM] = "Stream",
	[NAME] = "Name",
	[LINK] = "Correlation_ID",
	[KERNEL] = "Kernel",
	[INVOCATIONS] = "Invocations",
	[METRIC] = "Metric Name",
	[EVENT] = "Event Name",
	[MINIMUM] = "Min",
	[MAXIMUM] = "Max",
	[AVERAGE] = "Avg",
};

enum table { NO_TABLE, TRACE, CALLS, VALUES, LAUNCHES, SUMS, OTHER };

enum { VALUES_MAX = 1000 };

struct nvprof {
	struct tacho__foreign *foreign;
	struct tacho__foreign_csv csv;
	const char *path;
	uint64_t file;	/* its number, from 1 */
	bool is_first;	/* it is only looked which tables there are */
	bool has_trace; /* of work: then tables of calls alone have another time 0 */
	uint32_t process;
	bool has_process;
	enum table table;
	bool is_titled; /* the line of units comes next */
	int places[COLUMNS];
	double units[COLUMNS];	     /* in ns or bytes; 0: none */
	uint32_t values[VALUES_MAX]; /* of launches, by column: titles; 0: it is no value */
	uint64_t launches;
	double step_ns; /* what times are rounded to */
	struct tacho__nvprof_sums sums;
	uint64_t rows, others, apart, odd, faults, lost, rounded, many;
};

/* ---- lines between tables ---- */

static int set_process(struct nvprof *nvprof, uint64_t pid)
{
	nvprof->has_process = true;
	return tacho__foreign_process(nvprof->foreign, nvprof->file << 32 | (pid & UINT32_MAX),
				      (uint32_t)pid, &nvprof->process);
}

/* "==123== NVPROF is profiling process 123, command: ./a.out"; other lines are the program's. */
static int take_line(struct nvprof *nvprof, const char *line)
{
	static const char command[] = ", command: ", invalid[] = " records have invalid timestamps";
	const char *at;
	uint64_t pid;
	char *end;
	int rc = 0;

	if (strncmp(line, "==", 2))
		return 0;
	tacho__nvprof_sums_take_line(&nvprof->sums, line);
	pid = strtoull(line + 2, &end, 10);
	if (end > line + 2 && !strncmp(end, "==", 2))
		rc = set_process(nvprof, pid);
	at = strstr(line, "is profiling process ");
	at = at ? strstr(at, command) : NULL;
	if (at && !rc && nvprof->has_process)
		rc = tacho__foreign_name_process(nvprof->foreign, nvprof->process,
						 at + strlen(command));
	at = strstr(line, "Warning: ");
	if (at && strstr(at, invalid))
		nvprof->lost += strtoull(at + strlen("Warning: "), NULL, 10);
	return rc;
}

/* ---- titles and units ---- */

static enum table find_table(struct nvprof *nvprof)
{
	const int *places = nvprof->places;

	if (tacho__nvprof_sums_begin(&nvprof->sums, &nvprof->csv, nvprof->path))
		return SUMS;
	if (places[START] == 0 && places[DURATION] == 1 && places[NAME] > 0)
		return places[GRID_X] > 0 ? TRACE : CALLS;
	if (places[DEVICE] || places[KERNEL] < 0)
		return NO_TABLE;
	if (places[CONTEXT] > 0 && places[STREAM] > 0 && places[INVOCATIONS] < 0)
		return LAUNCHES;
	return places[INVOCATIONS] > 0 && places[AVERAGE] > 0 &&
			       (places[METRIC] > 0 || places[EVENT] > 0)
		       ? VALUES
		       : OTHER;
}

static bool take_titles(struct nvprof *nvprof)
{
	const char *first = nvprof->csv.cells[0];
	enum table table;

	if (nvprof->csv.cell_count < 3 || (strcmp(first, "Start") && strcmp(first, "Device") &&
					   strcmp(first, "Type") && strcmp(first, "Time(%)")))
		return false;
	for (int i = 0; i < COLUMNS; i++)
		nvprof->places[i] = tacho__foreign_csv_find(nvprof->csv.cells,
							    nvprof->csv.cell_count, titles[i]);
	table = find_table(nvprof);
	if (table == NO_TABLE)
		return false;
	nvprof->table = table;
	nvprof->is_titled = table == TRACE || table == CALLS || table == SUMS;
	nvprof->has_trace |= table == TRACE;
	nvprof->others += table == OTHER && nvprof->is_first;
	return true;
}

static const char *get(const struct nvprof *nvprof, enum column column)
{
	return tacho__foreign_csv_cell(&nvprof->csv, nvprof->places[column]);
}

static bool get_unsigned(const struct nvprof *nvprof, enum column column, uint64_t *out_value)
{
	return tacho__foreign_csv_unsigned(get(nvprof, column), out_value);
}

static int take_units(struct nvprof *nvprof)
{
	bool is_known;

	nvprof->is_titled = false;
	for (int i = 0; i < COLUMNS; i++) {
		const char *cell = get(nvprof, (enum column)i);

		nvprof->units[i] = i <= DURATION ? tacho__nvprof_time_unit(cell)
						 : tacho__nvprof_size_unit(cell);
	}
	is_known = nvprof->table == SUMS
			   ? tacho__nvprof_sums_take_units(&nvprof->sums, &nvprof->csv)
			   : nvprof->units[START] > 0 && nvprof->units[DURATION] > 0;
	if (is_known)
		return 0;
	return tacho__fail(TACHO_E_PARSE, "below its titles stands no line of units: s, ms, us, ns",
			   "write the table anew: nvprof --csv --print-gpu-trace PROGRAM",
			   "%s, line %" PRIu64 ": the units of the times are not known",
			   nvprof->path, nvprof->csv.line);
}

/* ---- traces ---- */

static bool read_time(struct nvprof *nvprof, const char *cell, enum column column, int64_t *out_ns)
{
	const char *point = strchr(cell, '.');
	double ns, step = nvprof->units[column];

	if (!tacho__foreign_csv_real(cell, &ns) || !(fabs(ns * step) < 9e18))
		return false;
	*out_ns = llround(ns * step);
	for (point = point ? point + 1 : ""; tacho__is_digit(*point); point++)
		step /= 10;
	nvprof->step_ns = fmax(nvprof->step_ns, step);
	return true;
}

static bool read_times(struct nvprof *nvprof, int64_t *out_start, int64_t *out_end)
{
	int64_t duration_ns;

	return read_time(nvprof, get(nvprof, START), START, out_start) &&
	       read_time(nvprof, get(nvprof, DURATION), DURATION, &duration_ns) &&
	       !__builtin_add_overflow(*out_start, duration_ns, out_end);
}

/* A size to the byte; false: it is not known, or only roughly. Of KB all six digits are exact. */
static bool read_size(const struct nvprof *nvprof, const char *cell, enum column column,
		      uint64_t *out_bytes)
{
	double size, unit = nvprof->units[column];

	if (!tacho__foreign_csv_real(cell, &size) || size < 0 || !(size * unit < 9e18) ||
	    !(unit > 0))
		return false;
	*out_bytes = (uint64_t)llround(size * unit);
	return unit < 1e6;
}

static int take_call(struct nvprof *nvprof)
{
	struct tacho__foreign_call call = {.process = nvprof->process};
	char *name = nvprof->csv.cells[nvprof->places[NAME]];
	uint64_t link;
	int rc;

	if (*name == '[' || !read_times(nvprof, &call.start_ns, &call.end_ns)) {
		nvprof->odd++;
		return 0;
	}
	call.link = tacho__nvprof_cut_call(name);
	if (get_unsigned(nvprof, LINK, &link))
		call.link = link;
	nvprof->rows++;
	rc = tacho__foreign_function(nvprof->foreign, "cuda", name, &call.function);
	return rc ? rc : tacho__foreign_add_call(nvprof->foreign, &call);
}

/* A kernel by its name and facts. */
static int find_kernel(struct nvprof *nvprof, const char *name, int64_t registers,
		       int64_t local_bytes, struct tacho__foreign_command *command)
{
	struct tacho__foreign_kernel kernel = {.process = nvprof->process,
					       .registers = registers,
					       .local_bytes = local_bytes,
					       .private_bytes = -1};
	int rc = tacho__foreign_text(nvprof->foreign, name, &kernel.name);

	if (!rc)
		rc = tacho__foreign_kernel(nvprof->foreign, &kernel, &command->kernel);
	command->kind = TACHO_COMMAND_KERNEL;
	return rc ? rc : tacho__foreign_word(nvprof->foreign, "kernel", &command->name);
}

static int take_kernel(struct nvprof *nvprof, struct tacho__foreign_command *command)
{
	const char *fixed = get(nvprof, FIXED);
	const char *dynamic = get(nvprof, DYNAMIC);
	char *name = nvprof->csv.cells[nvprof->places[NAME]];
	uint64_t link = tacho__nvprof_cut_link(name), value = 0;
	int64_t registers, local_bytes;
	bool is_known;

	if (link && !command->link)
		command->link = link;
	is_known = get_unsigned(nvprof, REGISTERS, &value);
	registers = tacho__foreign_fact(is_known, value);
	is_known = read_size(nvprof, fixed, FIXED, &value);
	local_bytes = tacho__foreign_fact(is_known, value);
	nvprof->rounded += !is_known && *fixed;
	if (!read_size(nvprof, dynamic, DYNAMIC, &value))
		nvprof->rounded += *dynamic != '\0';
	else if (value) {
		command->has_extra_local = 1;
		command->extra_local_bytes = value;
	}
	tacho__cuda_cell_sizes(&nvprof->csv, &nvprof->places[GRID_X], &nvprof->places[BLOCK_X],
			       command);
	return find_kernel(nvprof, name, registers, local_bytes, command);
}

/* "[CUDA memcpy HtoD]", "[CUDA memset]", "[Unified Memory Memcpy HtoD]" */
static int take_transfer(struct nvprof *nvprof, struct tacho__foreign_command *command)
{
	const char *name = get(nvprof, NAME), *size = get(nvprof, SIZE);
	bool is_exact = read_size(nvprof, size, SIZE, &command->bytes);

	command->kind = strstr(name, "memset")			       ? TACHO_COMMAND_FILL
			: strstr(name, "HtoD") || strstr(name, "HtoA") ? TACHO_COMMAND_WRITE
			: strstr(name, "DtoH") || strstr(name, "AtoH") ? TACHO_COMMAND_READ
			: strstr(name, "emcpy")			       ? TACHO_COMMAND_COPY
								       : TACHO_COMMAND_OTHER;
	/* what rounds to nothing is not known */
	command->has_bytes = is_exact || command->bytes > 0;
	nvprof->rounded += !is_exact && command->has_bytes;
	return tacho__foreign_text(nvprof->foreign, name, &command->name);
}

/* Without a time it is told that it ran, and that its time is lost. */
static int take_span(struct nvprof *nvprof, struct tacho__foreign_command *command)
{
	bool is_known = read_times(nvprof, &command->start_ns, &command->end_ns);

	command->state = TACHO_STATE_OK;
	if (is_known && (!nvprof->lost || command->end_ns != command->start_ns))
		return 0;
	command->state = TACHO_STATE_LOST;
	return tacho__foreign_text(nvprof->foreign, "nvprof has no valid time for it",
				   &command->reason);
}

static int take_work(struct nvprof *nvprof)
{
	struct tacho__foreign_command command = {.process = nvprof->process};
	uint64_t device, context, stream;
	int rc;

	if (strstr(get(nvprof, NAME), "page fault")) {
		nvprof->faults++;
		return 0;
	}
	nvprof->rows++;
	get_unsigned(nvprof, LINK, &command.link);
	rc = take_span(nvprof, &command);
	if (!rc)
		rc = tacho__cuda_cell_device(nvprof->foreign, nvprof->process, get(nvprof, DEVICE),
					     &command.device, &device);
	if (!rc && get_unsigned(nvprof, CONTEXT, &context) && get_unsigned(nvprof, STREAM, &stream))
		rc = tacho__cuda_queue(nvprof->foreign, nvprof->process, context, stream, device,
				       &command.queue);
	if (!rc)
		rc = *get(nvprof, GRID_X) ? take_kernel(nvprof, &command)
					  : take_transfer(nvprof, &command);
	return rc ? rc : tacho__foreign_add_command(nvprof->foreign, &command);
}

/* ---- values ---- */

/* The command that stands for all launches of a kernel; it is made where its first value is. */
static int find_launches(struct nvprof *nvprof, uint64_t *out_values)
{
	struct tacho__foreign_command command = {.process = nvprof->process,
						 .state = TACHO_STATE_ABSENT};
	const char *device = get(nvprof, DEVICE);
	const char *kernel = get(nvprof, KERNEL);
	struct tacho__buf key = {0};
	size_t before = nvprof->foreign->text_count;
	uint64_t number;
	uint32_t text = 0;
	int rc;

	tacho__buf_printf(&key, "%" PRIu32 "\n%s\n%s", nvprof->process, device, kernel);
	rc = key.failed ? TACHO_E_NOMEM : tacho__foreign_text(nvprof->foreign, key.text, &text);
	tacho__buf_finish(&key);
	*out_values = command.values = text;
	if (rc || nvprof->foreign->text_count == before)
		return rc;
	rc = tacho__cuda_cell_device(nvprof->foreign, nvprof->process, device, &command.device,
				     &number);
	if (!rc)
		rc = find_kernel(nvprof, kernel, -1, -1, &command);
	if (!rc)
		rc = tacho__foreign_text(nvprof->foreign, "nvprof's tables of values have no times",
					 &command.reason);
	return rc ? rc : tacho__foreign_add_command(nvprof->foreign, &command);
}

/* A cell as a value of the launches; `suffix` goes behind the name of the metric. */
static int add_value(struct nvprof *nvprof, const char *name, const char *suffix, const char *cell,
		     uint64_t values)
{
	struct tacho__nvprof_value told = tacho__nvprof_read_value(cell);
	struct tacho__foreign_value value = {.process = nvprof->process,
					     .values = values,
					     .state = (uint32_t)told.state,
					     .number = {.f64 = told.real}};
	struct tacho__buf text = {0};
	int rc;

	tacho__buf_printf(&text, "%s%s", name, suffix);
	rc = text.failed ? TACHO_E_NOMEM
			 : tacho__foreign_counter(nvprof->foreign, text.text, told.unit,
						  TACHO_TYPE_F64, &value.counter);
	tacho__buf_clear(&text);
	if (!rc && told.state != TACHO_STATE_OK) {
		tacho__buf_printf(&text, "nvprof says \"%.100s\"", cell);
		rc = text.failed ? TACHO_E_NOMEM
				 : tacho__foreign_text(nvprof->foreign, text.text, &value.note);
	}
	tacho__buf_finish(&text);
	return rc ? rc : tacho__foreign_add_value(nvprof->foreign, &value);
}

/* Of several launches the average, the least, the highest, and how many they are. */
static int take_value(struct nvprof *nvprof)
{
	const char *name = get(nvprof, nvprof->places[METRIC] > 0 ? METRIC : EVENT);
	const char *launches = get(nvprof, INVOCATIONS);
	uint64_t values;
	int rc;

	if (nvprof->csv.cell_count <= (size_t)nvprof->places[AVERAGE] || !*name) {
		nvprof->odd++;
		return 0;
	}
	nvprof->rows++;
	rc = find_launches(nvprof, &values);
	if (!rc)
		rc = add_value(nvprof, name, "", get(nvprof, AVERAGE), values);
	if (rc || !strcmp(launches, "1"))
		return rc;
	nvprof->many++;
	rc = add_value(nvprof, name, " (min)", get(nvprof, MINIMUM), values);
	if (!rc)
		rc = add_value(nvprof, name, " (max)", get(nvprof, MAXIMUM), values);
	return rc ? rc : add_value(nvprof, titles[INVOCATIONS], "", launches, values);
}

/* ---- values of each launch ---- */

/* All columns but those that say which launch it is. */
static int take_value_titles(struct nvprof *nvprof)
{
	char *const *cells = nvprof->csv.cells;
	static const enum column known[] = {DEVICE, CONTEXT, STREAM, KERNEL, LINK};
	int rc = 0;

	for (size_t i = 0; i < VALUES_MAX && !rc; i++) {
		bool is_value = i < nvprof->csv.cell_count && *cells[i];

		for (size_t k = 0; k < sizeof(known) / sizeof(known[0]); k++)
			is_value = is_value && nvprof->places[known[k]] != (int)i;
		nvprof->values[i] = 0;
		if (is_value)
			rc = tacho__foreign_text(nvprof->foreign, cells[i], &nvprof->values[i]);
	}
	return rc;
}

static int take_launch(struct nvprof *nvprof)
{
	struct tacho__foreign_command command = {.process = nvprof->process,
						 .state = TACHO_STATE_ABSENT,
						 .values = UINT64_C(1) << 40 | ++nvprof->launches};
	char *const *cells = nvprof->csv.cells;
	char *name = cells[nvprof->places[KERNEL]];
	uint64_t device, context, stream;
	int rc;

	tacho__nvprof_cut_link(name);
	rc = tacho__cuda_cell_device(nvprof->foreign, nvprof->process, get(nvprof, DEVICE),
				     &command.device, &device);
	if (!rc && get_unsigned(nvprof, CONTEXT, &context) && get_unsigned(nvprof, STREAM, &stream))
		rc = tacho__cuda_queue(nvprof->foreign, nvprof->process, context, stream, device,
				       &command.queue);
	if (!rc)
		rc = find_kernel(nvprof, name, -1, -1, &command);
	if (!rc)
		rc = tacho__foreign_text(nvprof->foreign, "nvprof's tables of values have no times",
					 &command.reason);
	if (!rc)
		rc = tacho__foreign_add_command(nvprof->foreign, &command);
	for (size_t i = 0; i < nvprof->csv.cell_count && i < VALUES_MAX && !rc; i++)
		if (nvprof->values[i])
			rc = add_value(nvprof, nvprof->foreign->texts[nvprof->values[i] - 1], "",
				       cells[i], command.values);
	nvprof->rows++;
	return rc;
}

/* ---- the files ---- */

static int take_row(struct nvprof *nvprof)
{
	int rc;

	if (nvprof->table == CALLS && nvprof->has_trace) {
		nvprof->apart++;
		return 0;
	}
	rc = nvprof->has_process ? 0 : set_process(nvprof, 0);
	if (rc || nvprof->table == VALUES)
		return rc ? rc : take_value(nvprof);
	if (nvprof->table == LAUNCHES && nvprof->csv.cell_count > (size_t)nvprof->places[KERNEL])
		return *get(nvprof, KERNEL) ? take_launch(nvprof) : 0;
	if (nvprof->csv.cell_count <= (size_t)nvprof->places[NAME]) { /* the program's line */
		nvprof->odd++;
		return 0;
	}
	return nvprof->table == CALLS || !*get(nvprof, DEVICE) ? take_call(nvprof)
							       : take_work(nvprof);
}

static int take_record(struct nvprof *nvprof)
{
	char **cells = nvprof->csv.cells;

	if (take_titles(nvprof))
		return nvprof->table == LAUNCHES ? take_value_titles(nvprof) : 0;
	if (!strncmp(cells[0], "==", 2)) {
		nvprof->table = NO_TABLE;
		for (size_t i = 1; i < nvprof->csv.cell_count;
		     i++) /* its commas are no separators */
			cells[i][-1] = ',';
		return nvprof->is_first ? 0 : take_line(nvprof, cells[0]);
	}
	if (nvprof->is_first || nvprof->csv.cell_count < 3)
		return 0;
	if (nvprof->is_titled)
		return take_units(nvprof);
	if (nvprof->table == SUMS)
		return tacho__nvprof_sums_take_row(&nvprof->sums, &nvprof->csv, nvprof->path);
	return nvprof->table > NO_TABLE && nvprof->table < SUMS ? take_row(nvprof) : 0;
}

static int walk(struct nvprof *nvprof, const char *path, bool is_first)
{
	uint64_t lines = nvprof->rows + nvprof->apart + nvprof->sums.lines;
	char **cells;
	size_t count;
	int rc = tacho__foreign_csv_open(&nvprof->csv, path);

	nvprof->path = path;
	nvprof->file++;
	nvprof->is_first = is_first;
	nvprof->table = NO_TABLE;
	nvprof->is_titled = nvprof->has_process = false;
	*nvprof->sums.part = '\0';
	while (!rc && !(rc = tacho__foreign_csv_next(&nvprof->csv, &cells, &count)) && count)
		rc = take_record(nvprof);
	lines = nvprof->rows + nvprof->apart + nvprof->sums.lines - lines;
	if (!rc && !is_first)
		rc = tacho__foreign_end_lines(nvprof->foreign, path,
					      nvprof->csv.is_open || nvprof->is_titled, lines);
	tacho__foreign_csv_close(&nvprof->csv);
	return rc;
}

static void note_rows(struct nvprof *nvprof)
{
	struct tacho__foreign *foreign = nvprof->foreign;

	tacho__foreign_note(foreign, "Threads of calls, what calls returned, and when work was "
				     "queued and submitted are not in tables of nvprof.");
	if (nvprof->step_ns > 1.5)
		tacho__foreign_note(foreign, "Times are rounded to %.0f ns there.",
				    nvprof->step_ns);
	if (nvprof->rounded)
		tacho__foreign_note(foreign, "Sizes in MB or GB are rounded: those of transfers "
					     "are here as they stand there, those of shared "
					     "memory are left out.");
	if (nvprof->many)
		tacho__foreign_note(foreign, "The launches of a kernel are one here, with the "
					     "average of each value, its least (min) and highest "
					     "(max), and how many they are (Invocations).");
	if (nvprof->lost)
		tacho__foreign_note(foreign,
				    "nvprof says that %" PRIu64 " records have invalid "
				    "timestamps: such work has lost its times, or is not there "
				    "(nvprof --device-buffer-size).",
				    nvprof->lost);
}

static void note_left_out(struct nvprof *nvprof)
{
	const struct {
		uint64_t count;
		const char *what;
	} left[] = {
		{nvprof->others, "tables of other columns"},
		{nvprof->faults, "lines of page faults"},
		{nvprof->odd + nvprof->sums.odd,
		 "lines of markers, or without times, names or all columns"},
		{nvprof->apart, "calls in tables whose time 0 is not that of the GPU's work (print "
				"both into one: nvprof --csv --print-gpu-trace --print-api-trace)"},
	};

	for (size_t i = 0; i < sizeof(left) / sizeof(left[0]); i++)
		if (left[i].count)
			tacho__foreign_note(nvprof->foreign, "Left out: %s: %" PRIu64 ".",
					    left[i].what, left[i].count);
}

static int conclude(struct nvprof *nvprof)
{
	if (!nvprof->rows && !nvprof->sums.lines && nvprof->others)
		return tacho__fail(TACHO_E_UNSUPPORTED, "its tables have columns that nobody knows",
				   "write the rows: nvprof --csv --print-gpu-trace "
				   "--print-api-trace PROGRAM",
				   "%s is no recording", nvprof->path);
	tacho__foreign_explain_sums(
		nvprof->foreign,
		"it has sums of nvprof over all launches of a kernel and calls of a function, and "
		"no row of a single one",
		"write the rows: nvprof --csv --print-gpu-trace --print-api-trace PROGRAM; or, of "
		"a .nvprof file, nvprof -i FILE with the same options");
	if (nvprof->rows)
		note_rows(nvprof);
	else if (!nvprof->sums.lines)
		nvprof->foreign->recording->run.why_empty = "The tables have no rows.";
	note_left_out(nvprof);
	return tacho__foreign_set_tool(nvprof->foreign, "nvprof --csv");
}

static int read_files(struct tacho__foreign *foreign, const struct tacho__foreign_file *files,
		      size_t count)
{
	struct nvprof nvprof = {.foreign = foreign, .sums = {.foreign = foreign}};
	int rc = 0;

	for (size_t i = 0; i < count && !rc; i++)
		rc = walk(&nvprof, files[i].path, true);
	nvprof.file = 0;
	for (size_t i = 0; i < count && !rc; i++) {
		tacho__foreign_begin_file(foreign);
		rc = walk(&nvprof, files[i].path, false);
	}
	return rc ? rc : conclude(&nvprof);
}

static bool fits(const struct tacho__foreign_file *file)
{
	static const char *const lines[] = {"\"Start\",\"Duration\",\"Grid X\",",
					    "\"Start\",\"Duration\",\"Name\"",
					    "\"Device\",\"Kernel\",\"Invocations\",",
					    "\"Device\",\"Context\",\"Stream\",\"Kernel\",",
					    "\"Type\",\"Time(%)\",\"Time\",",
					    "\"Time(%)\",\"Time\",\"Calls\",",
					    "\"Device\",\"Count\",\"Avg Size\","};

	return tacho__foreign_has_line(file, lines, TACHO__ARRAY_SIZE(lines));
}

const struct tacho__foreign_reader tacho__foreign_nvprof_csv = {
	.name = "nvprof-csv",
	.title = "nvprof, tables",
	.fits = fits,
	.read = read_files,
};
