/* SPDX-License-Identifier: MIT */
/*
 * Tables that "nsys stats --format csv" prints: traces of a GPU's work (cuda_gpu_trace) and of
 * calls (cuda_api_trace), perhaps several in one file between lines of the tool. Titles tell units,
 * which differ: "Start (ns)", "Start(sec)". Tables of sums have no rows of single things: they are
 * shown where there is no trace.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"
#include "format/foreign/cuda_work.h"
#include "format/foreign/foreign_csv.h"
#include "format/foreign/nsys_sums.h"

enum column {
	START,
	DURATION,
	LINK,
	GRID_X,
	GRID_Y,
	GRID_Z,
	BLOCK_X,
	BLOCK_Y,
	BLOCK_Z,
	REGISTERS,
	FIXED,
	DYNAMIC,
	BYTES,
	DEVICE,
	CONTEXT,
	STREAM,
	NAME,
	RESULT,
	PID,
	TID,
	COLUMNS
};

static const char *const titles[COLUMNS] = {
	[START] = "Start",  [DURATION] = "Duration", [LINK] = "CorrId",	  [GRID_X] = "GrdX",
	[GRID_Y] = "GrdY",  [GRID_Z] = "GrdZ",	     [BLOCK_X] = "BlkX",  [BLOCK_Y] = "BlkY",
	[BLOCK_Z] = "BlkZ", [REGISTERS] = "Reg/Trd", [FIXED] = "StcSMem", [DYNAMIC] = "DymSMem",
	[BYTES] = "Bytes",  [DEVICE] = "Device",     [CONTEXT] = "Ctx",	  [STREAM] = "Strm",
	[NAME] = "Name",    [RESULT] = "Result",     [PID] = "Pid",	  [TID] = "Tid",
};

enum table { NO_TABLE, GPU_TABLE, CALL_TABLE, SUM_TABLE };

struct stats {
	struct tacho__foreign *foreign;
	const char *path;
	bool is_first; /* only processes are looked for */
	struct tacho__foreign_csv csv;
	enum table table;
	int places[COLUMNS];	/* -1: the table has no such column */
	int powers[COLUMNS];	/* of ten, from the title's unit to ns or bytes; -1: not exact */
	uint64_t pid;		/* of calls */
	bool has_pid, has_pids; /* one; several */
	uint32_t process;	/* of the GPU's work */
	struct tacho__nsys_sums sums;
	uint64_t rows, odd, rounded;
};

/* ---- titles ---- */

/* "ns)" or "nsec)" is 0, "MB)" 6: what is not known is 0, too. */
static int read_unit(const char *unit)
{
	static const struct {
		const char *word;
		int power;
	} words[] = {{"us", 3}, {"ms", 6}, {"sec", 9}, {"s)", 9}, {"KB", 3}, {"MB", 6}, {"GB", 9}};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strncmp(unit, words[i].word, strlen(words[i].word)))
			return words[i].power;
	return 0;
}

static int find(const struct tacho__foreign_csv *csv, enum column column, int *out_power)
{
	const char *unit;

	for (size_t i = 0; i < csv->cell_count; i++)
		if (tacho__nsys_has_title(csv->cells[i], titles[column], &unit)) {
			*out_power = read_unit(unit);
			return (int)i;
		}
	return -1;
}

/* The table that a line of titles begins; NO_TABLE: it is none. */
static enum table find_table(struct stats *stats)
{
	const struct tacho__foreign_csv *csv = &stats->csv;
	int places[COLUMNS], powers[COLUMNS] = {0};

	if (csv->cell_count < 4)
		return NO_TABLE;
	if (tacho__nsys_sums_begin(&stats->sums, csv, stats->path))
		return SUM_TABLE;
	for (int i = 0; i < COLUMNS; i++)
		places[i] = find(csv, (enum column)i, &powers[i]);
	if (places[START] || places[DURATION] != 1 || places[NAME] < 0)
		return NO_TABLE;
	memcpy(stats->places, places, sizeof(places));
	memcpy(stats->powers, powers, sizeof(powers));
	return places[GRID_X] >= 0 ? GPU_TABLE : places[PID] >= 0 ? CALL_TABLE : NO_TABLE;
}

static bool fits(const struct tacho__foreign_file *file)
{
	static const char *const lines[] = {"Start (ns),Dur", "Start (us),Dur",	 "Start (ms),Dur",
					    "Start (s),Dur",  "Start (sec),Dur", "Start(",
					    "Time (%),Total", "Time(%),Total",	 "Total (MB),Count",
					    "Total (",	      "Total,Operations"};

	return tacho__foreign_has_line(file, lines, TACHO__ARRAY_SIZE(lines));
}

/* ---- cells ---- */

static const char *get(const struct stats *stats, enum column column)
{
	return tacho__foreign_csv_cell(&stats->csv, stats->places[column]);
}

static bool get_unsigned(const struct stats *stats, enum column column, uint64_t *out_value)
{
	return tacho__foreign_csv_unsigned(get(stats, column), out_value);
}

/* A number times a power of ten, rounded down, exactly; the point may be a comma. */
static bool read_scaled(const char *cell, int power, int64_t *out_value)
{
	bool is_negative = *cell == '-', has_digit = false, is_fraction = false;
	int64_t value = 0;

	if (!*cell)
		return false;
	for (cell += is_negative; *cell || power > 0; cell += *cell != '\0') {
		if ((*cell == '.' || *cell == ',') && !is_fraction) {
			is_fraction = true;
			continue;
		}
		if (*cell && !tacho__is_digit(*cell))
			return false;
		if (!*cell || is_fraction)
			power--;
		if (is_fraction && power < 0)
			continue; /* finer than what it is read in */
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, *cell ? *cell - '0' : 0, &value))
			return false;
		has_digit |= *cell != '\0';
	}
	*out_value = is_negative ? -value : value;
	return has_digit;
}

static bool get_scaled(const struct stats *stats, enum column column, int64_t *out_value)
{
	return read_scaled(get(stats, column), stats->powers[column], out_value);
}

/* ---- calls ---- */

static int take_call(struct stats *stats)
{
	struct tacho__foreign *foreign = stats->foreign;
	struct tacho__foreign_call call = {0};
	const char *result = get(stats, RESULT);
	int64_t duration_ns, number = 0;
	uint64_t pid, thread = 0;
	int rc;

	if (!get_scaled(stats, DURATION, &duration_ns) ||
	    !get_scaled(stats, START, &call.start_ns) || !get_unsigned(stats, PID, &pid) ||
	    __builtin_add_overflow(call.start_ns, duration_ns, &call.end_ns)) {
		stats->odd += stats->is_first;
		return 0;
	}
	if (stats->is_first) {
		stats->has_pids |= stats->has_pid && stats->pid != pid;
		stats->has_pid = true;
		stats->pid = pid;
		return 0;
	}
	stats->rows++;
	get_unsigned(stats, TID, &thread);
	get_unsigned(stats, LINK, &call.link);
	call.thread = (uint32_t)thread;
	call.failed = tacho__foreign_csv_integer(result, &number) && tacho__cuda_is_failure(number);
	rc = tacho__foreign_process(foreign, pid + 1, (uint32_t)pid, &call.process);
	if (!rc && *result)
		rc = tacho__foreign_text(foreign, result, &call.result);
	if (!rc)
		rc = tacho__foreign_function(foreign, "cuda", get(stats, NAME), &call.function);
	return rc ? rc : tacho__foreign_add_call(foreign, &call);
}

/* ---- the GPU's work ---- */

static int take_queue(struct stats *stats, uint64_t device, struct tacho__foreign_command *command)
{
	uint64_t context, stream;

	if (!get_unsigned(stats, CONTEXT, &context) || !get_unsigned(stats, STREAM, &stream))
		return 0;
	return tacho__cuda_queue(stats->foreign, stats->process, context, stream, device,
				 &command->queue);
}

/* Bytes that are told in larger units are rounded: of memory of kernels they say too little. */
static int64_t get_fact(struct stats *stats, enum column column)
{
	const char *cell = get(stats, column);
	bool is_rounded = column != REGISTERS && stats->powers[column];
	uint64_t value = 0;
	bool is_known = !is_rounded && tacho__foreign_csv_unsigned(cell, &value);

	stats->rounded += is_rounded && *cell;
	return tacho__foreign_fact(is_known, value);
}

static int take_kernel(struct stats *stats, struct tacho__foreign_command *command)
{
	struct tacho__foreign_kernel kernel = {.process = stats->process,
					       .registers = get_fact(stats, REGISTERS),
					       .local_bytes = get_fact(stats, FIXED),
					       .private_bytes = -1};
	uint64_t extra;
	int rc = tacho__foreign_text(stats->foreign, get(stats, NAME), &kernel.name);

	command->kind = TACHO_COMMAND_KERNEL;
	if (!stats->powers[DYNAMIC] && get_unsigned(stats, DYNAMIC, &extra) && extra) {
		command->has_extra_local = 1;
		command->extra_local_bytes = extra;
	}
	tacho__cuda_cell_sizes(&stats->csv, &stats->places[GRID_X], &stats->places[BLOCK_X],
			       command);
	return rc ? rc : tacho__foreign_kernel(stats->foreign, &kernel, &command->kernel);
}

/* "[CUDA memcpy HtoD]", "[CUDA memcpy Host-to-Device]"; names the command without brackets. */
static int take_transfer(struct stats *stats, struct tacho__foreign_command *command,
			 const char **out_name)
{
	const char *name = get(stats, NAME);
	int64_t bytes;

	command->kind = strstr(name, "memset") ? TACHO_COMMAND_FILL
			: strstr(name, "HtoD") || strstr(name, "Host-to-Device") ||
					strstr(name, "HtoA") || strstr(name, "Host-to-Array")
				? TACHO_COMMAND_WRITE
			: strstr(name, "DtoH") || strstr(name, "Device-to-Host") ||
					strstr(name, "AtoH") || strstr(name, "Array-to-Host")
				? TACHO_COMMAND_READ
			: strstr(name, "memcpy") ? TACHO_COMMAND_COPY
						 : TACHO_COMMAND_OTHER;
	*out_name = name;
	/* what rounds to nothing is not known */
	if (get_scaled(stats, BYTES, &bytes) && (bytes > 0 || !stats->powers[BYTES])) {
		command->has_bytes = bytes >= 0;
		command->bytes = bytes >= 0 ? (uint64_t)bytes : 0;
	}
	stats->rounded += stats->powers[BYTES] && *get(stats, BYTES);
	return 0;
}

static int take_work(struct stats *stats)
{
	struct tacho__foreign_command command = {.process = stats->process,
						 .state = TACHO_STATE_OK};
	const char *name = "kernel";
	int64_t duration_ns;
	uint64_t device;
	int rc;

	if (!get_scaled(stats, START, &command.start_ns) ||
	    !get_scaled(stats, DURATION, &duration_ns) ||
	    __builtin_add_overflow(command.start_ns, duration_ns, &command.end_ns)) {
		stats->odd += stats->is_first;
		return 0;
	}
	if (stats->is_first)
		return 0;
	stats->rows++;
	if (!stats->has_pids)
		get_unsigned(stats, LINK, &command.link);
	rc = tacho__cuda_cell_device(stats->foreign, stats->process, get(stats, DEVICE),
				     &command.device, &device);
	if (!rc)
		rc = take_queue(stats, device, &command);
	if (!rc)
		rc = *get(stats, GRID_X) ? take_kernel(stats, &command)
					 : take_transfer(stats, &command, &name);
	if (!rc)
		rc = tacho__foreign_text(stats->foreign, name, &command.name);
	return rc ? rc : tacho__foreign_add_command(stats->foreign, &command);
}

/* ---- the files ---- */

static int take_record(struct stats *stats)
{
	enum table table = find_table(stats);

	if (table != NO_TABLE) {
		stats->table = table;
		return 0;
	}
	if (stats->csv.cell_count < 4) { /* between tables */
		stats->table = NO_TABLE;
		return tacho__nsys_sums_take_heading(&stats->sums, stats->csv.cells[0]);
	}
	if (stats->table == SUM_TABLE)
		return stats->is_first
			       ? 0
			       : tacho__nsys_sums_take_row(&stats->sums, &stats->csv, stats->path);
	return stats->table == GPU_TABLE    ? take_work(stats)
	       : stats->table == CALL_TABLE ? take_call(stats)
					    : 0;
}

static int walk(struct stats *stats, const char *path, bool is_first)
{
	uint64_t lines = stats->rows + stats->sums.lines;
	char **cells;
	size_t count;
	int rc = tacho__foreign_csv_open(&stats->csv, path);

	stats->path = path;
	stats->is_first = is_first;
	stats->table = NO_TABLE;
	tacho__buf_clear(&stats->sums.part);
	stats->sums.size_scale = 0;
	while (!rc && !(rc = tacho__foreign_csv_next(&stats->csv, &cells, &count)) && count)
		rc = take_record(stats);
	if (!rc && !is_first)
		rc = tacho__foreign_end_lines(stats->foreign, path, stats->csv.is_open,
					      stats->rows + stats->sums.lines - lines);
	tacho__foreign_csv_close(&stats->csv);
	return rc;
}

static int find_process(struct stats *stats)
{
	bool is_known = stats->has_pid && !stats->has_pids;

	return tacho__foreign_process(stats->foreign, is_known ? stats->pid + 1 : 0,
				      is_known ? (uint32_t)stats->pid : 0, &stats->process);
}

/* What tables of calls and of the GPU's work leave open. */
static void note_rows(const struct stats *stats)
{
	struct tacho__foreign *foreign = stats->foreign;

	tacho__foreign_note(foreign, "When work was queued and submitted, and what calls were "
				     "given, is not in such tables.");
	if (!stats->has_pid)
		tacho__foreign_note(foreign,
				    "There is no table of calls, which say their process.");
	if (stats->has_pids)
		tacho__foreign_note(foreign,
				    "Calls of several processes are here, and the table of the "
				    "GPU's work does not say of which it is: they are not joined.");
	if (stats->rounded)
		tacho__foreign_note(
			foreign, "Sizes are rounded in these tables: those of transfers are "
				 "here as they stand there, those of shared memory are left out.");
}

static void conclude(const struct stats *stats)
{
	struct tacho__foreign *foreign = stats->foreign;
	uint64_t odd = stats->odd + stats->sums.odd;

	tacho__foreign_explain_sums(
		foreign, "it has sums of kernels, calls or transfers, and no row of a single one",
		"open the .sqlite that they were made of; or write the traces: nsys stats "
		"--report cuda_gpu_trace,cuda_api_trace --format csv FILE");
	if (stats->rows)
		note_rows(stats);
	else if (!foreign->sums.table_count)
		foreign->recording->run.why_empty = "The tables have no rows.";
	if (odd)
		tacho__foreign_note(foreign, "%" PRIu64 " line%s without times %s left out.", odd,
				    tacho__plural(odd), odd == 1 ? "is" : "are");
}

static int read_files(struct tacho__foreign *foreign, const struct tacho__foreign_file *files,
		      size_t count)
{
	struct stats stats = {.foreign = foreign, .sums = {.foreign = foreign}};
	int rc = 0;

	for (size_t i = 0; i < count && !rc; i++)
		rc = walk(&stats, files[i].path, true);
	if (!rc)
		rc = find_process(&stats);
	for (size_t i = 0; i < count && !rc; i++)
		rc = walk(&stats, files[i].path, false);
	if (!rc)
		conclude(&stats);
	tacho__nsys_sums_finish(&stats.sums);
	return rc;
}

const struct tacho__foreign_reader tacho__foreign_nsys_stats = {
	.name = "nsys-stats",
	.title = "Nsight Systems, tables of nsys stats",
	.fits = fits,
	.read = read_files,
};
