/* SPDX-License-Identifier: MIT */
#include "format/csv_codexl.h"

#include <inttypes.h>
#include <string.h>

#include "base/character.h"
#include "base/error.h"
#include "base/utf8.h"
#include "base/number.h"
#include "format/atp.h"
#include "format/header.h"
#include "format/import/import.h"
#include "format/label.h"
#include "model/single.h"
#include "tacho/tacho.h"

/* Readers of this file take lines of at most 2,047 bytes. */
enum {
	LINE_BYTES_MAX = 2000,
	KERNEL_BYTES_MAX = 1400, /* leaves room for the other cells at their longest */
	NAME_BYTES_MIN = 100,
	CELL_BYTES = 24, /* of a counter, at most */
};

void tacho__csv_init(struct tacho__csv *csv, struct tacho__spill *spill,
		     const struct tacho_recording *recording)
{
	memset(csv, 0, sizeof(*csv));
	csv->spill = spill;
	csv->recording = recording;
}

void tacho__csv_finish(struct tacho__csv *csv)
{
	tacho__spill_text_finish(&csv->rows);
	tacho__map_finish(&csv->device_numbers);
	tacho__buf_finish(&csv->line);
	memset(csv, 0, sizeof(*csv));
}

/* Counters take their room from the names of kernels. */
static size_t get_name_max(const struct tacho__csv *csv)
{
	size_t taken = 0;

	while (tacho_recording_get_counter(csv->recording, taken / CELL_BYTES))
		taken += CELL_BYTES;
	return taken < KERNEL_BYTES_MAX - NAME_BYTES_MIN ? KERNEL_BYTES_MAX - taken
							 : NAME_BYTES_MIN;
}

/* A name that is too long loses its middle: what tells instances of a template apart is at the
 * ends. */
static void put_kernel(struct tacho__buf *line, const struct tacho_object *kernel, size_t max)
{
	struct tacho__buf name = {0};

	tacho__label_put_kernel(&name, kernel);
	if (name.size > max) {
		size_t half = (max - 3) / 2;
		const char *tail = name.text + name.size - half;

		while (tacho_character_read(tail).kind == TACHO_CHARACTER_BAD)
			tail++; /* the rest of one that is cut */
		tacho__buf_add(line, name.text, tacho__utf8_fit(name.text, name.size, half));
		tacho__buf_put(line, "...");
		tacho__buf_put(line, tail);
	} else {
		tacho__buf_put(line, tacho__buf_text(&name));
	}
	line->failed |= name.failed;
	tacho__buf_finish(&name);
}

/* A number at the right of so many columns. */
static void put_right(struct tacho__buf *line, uint64_t number, size_t width)
{
	char text[TACHO__NUMBER_MAX];
	size_t size = tacho__number_format_whole(number, text);

	if (size < width)
		tacho__buf_pad(line, line->size, width - size);
	tacho__buf_add(line, text, size);
}

static void put_sizes(struct tacho__buf *line, const uint64_t *sizes, uint32_t dimensions,
		      size_t width)
{
	for (uint32_t i = 0; i < 3; i++) {
		tacho__buf_char(line, i ? ' ' : '{');
		put_right(line, i < dimensions ? sizes[i] : 1, width);
	}
	tacho__buf_char(line, '}');
}

/* Milliseconds with five decimals in 15 columns, whatever the program's locale writes for a point.
 */
static void put_time(struct tacho__buf *line, const struct tacho_command *command)
{
	uint64_t duration_ns, units; /* of 10 ns */

	if (command->state != TACHO_STATE_OK && !command->has_duration) {
		tacho__buf_put(line, "NA");
		return;
	}
	duration_ns =
		command->has_duration ? command->duration_ns : command->end_ns - command->start_ns;
	units = duration_ns / 10 + (duration_ns % 10 >= 5);
	put_right(line, units / 100000, 9);
	tacho__buf_char(line, '.');
	for (uint64_t place = 10000; place; place /= 10)
		tacho__buf_char(line, (char)('0' + units / place % 10));
}

/* A whole number that the driver, or the session file that it was read from, states. */
static const char *get_fact(const struct tacho_object *kernel, const char *key)
{
	const char *text = kernel ? tacho_object_get(kernel, key) : NULL;

	return text && *text && strlen(text) <= 20 && strspn(text, "0123456789") == strlen(text)
		       ? text
		       : "NA";
}

static void put_fact(struct tacho__buf *line, const struct tacho_object *kernel, const char *key,
		     bool has_compiled, uint64_t compiled)
{
	const char *fact = get_fact(kernel, key);

	tacho__buf_put(line, ", ");
	if (has_compiled && !strcmp(fact, "NA"))
		tacho__buf_unsigned(line, compiled);
	else
		tacho__buf_put(line, fact);
}

/* What nobody stated may stand in the compiled program. Scratch is counted in registers. */
static void put_resources(const struct tacho__csv *csv, struct tacho__buf *line,
			  const struct tacho_command *command)
{
	struct tacho_compiled_kernel found = {.why = ""};
	const struct tacho_object *kernel = command->kernel;
	int rc = csv->kept || tacho_kernel_is_stated(kernel)
			 ? tacho_kept_find(csv->kept, kernel, command->device, &found)
			 : TACHO_E_NOTFOUND;
	bool has = !rc && !*found.why;

	line->failed |= rc == TACHO_E_NOMEM;
	if (command->has_extra_local && (has || strcmp(get_fact(kernel, "local_bytes"), "NA"))) {
		tacho__buf_put(line, ", ");
		tacho__buf_unsigned(line,
				    tacho_command_get_local_bytes(command, found.local_bytes));
	} else {
		put_fact(line, kernel, "local_bytes", has, found.local_bytes);
	}
	put_fact(line, kernel, "vgprs", has, found.vector);
	put_fact(line, kernel, "sgprs", has && found.has_scalar, found.scalar);
	put_fact(line, kernel, "scratch_registers", has, (found.scratch_bytes + 3) / 4);
}

/* 100 times a real number, rounded; false when it does not fit. */
static bool get_hundredths(double value, uint64_t *out_hundredths)
{
	double scaled = value * 100 + 0.5;

	if (!(scaled >= 0 && scaled < 1e18))
		return false;
	*out_hundredths = (uint64_t)scaled;
	return true;
}

/* Whole numbers as they are, real ones with two decimals in 12 columns, whatever the locale. */
static void put_value(struct tacho__buf *line, const struct tacho_column *column)
{
	bool is_whole = column->type == TACHO_TYPE_U64;
	double real = is_whole ? 0 : column->data.f64[0];
	bool is_negative = real < 0;
	uint64_t hundredths;
	char text[32];

	if ((tacho_column_get_state(column, 0, 0) & TACHO_STATE_MASK) > TACHO_STATE_SCALED) {
		tacho__buf_put(line, ", NA");
	} else if (is_whole) {
		tacho__buf_put(line, ", ");
		tacho__buf_unsigned(line, column->data.u64[0]);
	} else if (get_hundredths(is_negative ? -real : real, &hundredths)) {
		snprintf(text, sizeof(text), "%s%" PRIu64 ".%02u", is_negative ? "-" : "",
			 hundredths / 100, (unsigned)(hundredths % 100));
		tacho__buf_printf(line, ", %12s", text);
	} else {
		tacho__buf_put(line, ", NA");
	}
}

/* Rows are launches, and columns of an .occupancy that was read belong to that file. */
static bool has_column(const struct tacho_entry *counter)
{
	return !counter->is_of_transfers && strcmp(counter->group, TACHO__IMPORT_OCCUPANCY_GROUP);
}

/* Wrong numbers are not printed: the format has no place for their state. Nor has it one for
 * instances: of those there is the sum. */
static void put_values(struct tacho__csv *csv, struct tacho__buf *line,
		       const struct tacho_recorded_row *row)
{
	const struct tacho_entry *counter;
	const struct tacho_column *single;
	struct tacho__single room;

	if (row)
		csv->row = row->result;
	for (size_t i = 0; (counter = tacho_recording_get_counter(csv->recording, i)); i++) {
		if (!has_column(counter))
			continue;
		single = row ? tacho__single_make(tacho_result_get_column(row->result, i),
						  counter->semantic, &room)
			     : NULL;
		if (single)
			put_value(line, single);
		else
			tacho__buf_put(line, ", NA");
	}
}

static void put_name(const char *name, FILE *stream)
{
	struct tacho__buf word = {0};

	tacho__label_put_word(&word, name, SIZE_MAX);
	fputs(tacho__buf_show(&word), stream);
	tacho__buf_finish(&word);
}

/* Counters with instances that do not add up. */
static void put_unsummed(const struct tacho__csv *csv, FILE *stream)
{
	const struct tacho_entry *counter;
	const struct tacho_column *column;
	size_t count = 0, taken = 0;

	for (size_t i = 0;
	     taken < LINE_BYTES_MAX && (counter = tacho_recording_get_counter(csv->recording, i));
	     i++) {
		column = tacho_result_get_column(csv->row, i);
		if (!column || !column->dimension_count || !has_column(counter) ||
		    tacho__semantic_adds_up(counter->semantic))
			continue;
		taken += strlen(counter->name) + 1;
		fputs(count++ ? " " : "#NotSummed=", stream);
		if (taken < LINE_BYTES_MAX - CELL_BYTES)
			put_name(counter->name, stream);
		else
			fputs("...", stream);
	}
	if (count)
		putc('\n', stream);
}

static void put_titles(const struct tacho__csv *csv, FILE *stream)
{
	const struct tacho_entry *counter;

	for (size_t i = 0; (counter = tacho_recording_get_counter(csv->recording, i)); i++) {
		if (!has_column(counter))
			continue;
		fputs(", ", stream);
		put_name(counter->name, stream);
	}
	putc('\n', stream);
}

static void put_cells(struct tacho__buf *line, const uint64_t *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		tacho__buf_unsigned(line, numbers[i]);
		tacho__buf_put(line, ", ");
	}
}

int tacho__csv_add(struct tacho__csv *csv, struct tacho_cursor *cursor,
		   const struct tacho_call *call, uint64_t index)
{
	const struct tacho_command *command = call->command;
	struct tacho__buf *line = &csv->line;
	unsigned number;
	int rc = tacho__label_number_device(&csv->device_numbers, cursor, command->device, &number);

	if (rc)
		return rc;
	if (!csv->count && strcmp(call->function->api, TACHO__ATP_API))
		snprintf(csv->api, sizeof(csv->api), "%s", call->function->api);
	tacho__buf_clear(line);
	put_kernel(line, command->kernel, get_name_max(csv));
	tacho__buf_put(line, "__k");
	tacho__buf_unsigned(line, command->kernel ? command->kernel->id : 0);
	tacho__buf_char(line, '_');
	tacho__label_put_device(line, command->device);
	put_cells(line, (const uint64_t[]){number, ++csv->count, call->thread, index}, 4);
	if (command->dimensions)
		put_sizes(line, command->global, command->dimensions, 7);
	else
		tacho__buf_put(line, "NULL");
	tacho__buf_put(line, ", ");
	if (command->has_local && command->dimensions)
		put_sizes(line, command->local, command->dimensions, 5);
	else
		tacho__buf_put(line, "NULL");
	tacho__buf_put(line, ", ");
	put_time(line, command);
	put_resources(csv, line, command);
	put_values(csv, line, tacho_cursor_get_row(cursor));
	tacho__buf_char(line, '\n');
	if (line->failed)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a row");
	return tacho__spill_add(csv->spill, &csv->rows, line->text, line->size);
}

int tacho__csv_write(const struct tacho__csv *csv, const struct tacho_recording *recording,
		     const struct tacho_cursor *cursor, const char *session, FILE *stream)
{
	const struct tacho__header header = {
		.stream = stream, .prefix = "#", .device_equals = "=", .line_max = LINE_BYTES_MAX};
	const struct tacho_run *run = tacho_recording_get_run(recording);
	const struct tacho_recorded_counting *counting;
	int rc;

	fprintf(stream,
		"#ProfileFileVersion=5.6\n#ProfilerVersion=%s\n#Generator=tacho %s\n#API=%s\n",
		TACHO__PROFILER_VERSION, tacho_version(), *csv->api ? csv->api : "OpenCL");
	rc = tacho__header_put_run(&header, run);
	if (!rc)
		rc = tacho__header_put(&header, "WorkingDirectory", run->working_directory);
	if (!rc)
		rc = tacho__header_put_devices(&header, cursor);
	if (!rc)
		rc = tacho__header_put_system(&header, run, session);
	if (!rc)
		rc = tacho__header_put_gaps(&header, recording);
	if (rc)
		return rc;
	fputs("#ListSeparator=,\n#ForceSinglePass=False\n", stream);
	if (csv->templates)
		fprintf(stream, "#CommandBuffers=%" PRIu64 "\n", csv->templates);
	counting = tacho_recording_get_counting(csv->recording);
	if (counting && counting->is_simulated)
		rc = tacho__header_put(&header, "CountersFrom", counting->device);
	put_unsummed(csv, stream);
	fputs("Method, ExecutionOrder, ThreadID, CallIndex, GlobalWorkSize, WorkGroupSize, Time, "
	      "LocalMemSize, VGPRs, SGPRs, ScratchRegs",
	      stream);
	put_titles(csv, stream);
	return rc ? rc : tacho__spill_copy(csv->spill, &csv->rows, stream);
}
