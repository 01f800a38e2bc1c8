/* SPDX-License-Identifier: MIT */
#include "format/csv_codexl.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "format/header.h"
#include "format/label.h"
#include "tacho/tacho.h"

/* Readers of this file take lines of at most 2,047 bytes. */
enum {
	LINE_BYTES_MAX = 2000,
	KERNEL_BYTES_MAX = 1400, /* leaves room for the other cells at their longest */
};

void tacho__csv_init(struct tacho__csv *csv, struct tacho__spill *spill)
{
	memset(csv, 0, sizeof(*csv));
	csv->spill = spill;
}

void tacho__csv_finish(struct tacho__csv *csv)
{
	tacho__spill_text_finish(&csv->rows);
	tacho__map_finish(&csv->device_numbers);
	tacho__buf_finish(&csv->line);
	memset(csv, 0, sizeof(*csv));
}

/* A name that is too long loses its middle: what tells instances of a template apart is at the
 * ends. */
static void put_kernel(struct tacho__buf *line, const struct tacho_object *kernel)
{
	struct tacho__buf name = {0};

	tacho__label_put_kernel(&name, kernel);
	if (name.size > KERNEL_BYTES_MAX) {
		size_t half = (KERNEL_BYTES_MAX - 3) / 2;

		tacho__buf_add(line, name.text, half);
		tacho__buf_put(line, "...");
		tacho__buf_add(line, name.text + name.size - half, half);
	} else {
		tacho__buf_put(line, tacho__buf_text(&name));
	}
	line->failed |= name.failed;
	tacho__buf_finish(&name);
}

static void put_sizes(struct tacho__buf *line, const uint64_t *sizes, uint32_t dimensions,
		      int width)
{
	for (uint32_t i = 0; i < 3; i++)
		tacho__buf_printf(line, "%s%*" PRIu64, i ? " " : "{", width,
				  i < dimensions ? sizes[i] : 1);
	tacho__buf_char(line, '}');
}

/* Milliseconds with five decimals in 15 columns, whatever the program's locale writes for a point.
 */
static void put_time(struct tacho__buf *line, const struct tacho_command *command)
{
	uint64_t duration_ns, units; /* of 10 ns */

	if (command->state != TACHO_STATE_OK) {
		tacho__buf_put(line, "NA");
		return;
	}
	duration_ns = command->end_ns - command->start_ns;
	units = duration_ns / 10 + (duration_ns % 10 >= 5);
	tacho__buf_printf(line, "%9" PRIu64 ".%05" PRIu64, units / 100000, units % 100000);
}

static const char *local_bytes(const struct tacho_object *kernel)
{
	const char *text = kernel ? tacho_object_get(kernel, "local_bytes") : NULL;

	return text && *text && strlen(text) <= 20 && strspn(text, "0123456789") == strlen(text)
		       ? text
		       : "NA";
}

int tacho__csv_add(struct tacho__csv *csv, const struct tacho_cursor *cursor,
		   const struct tacho_call *call, uint64_t index)
{
	const struct tacho_command *command = call->command;
	struct tacho__buf *line = &csv->line;
	unsigned number;
	int rc = tacho__label_number_device(&csv->device_numbers, cursor, command->device, &number);

	if (rc)
		return rc;
	tacho__buf_clear(line);
	put_kernel(line, command->kernel);
	tacho__buf_printf(line, "__k%" PRIu32 "_", command->kernel ? command->kernel->id : 0);
	tacho__label_put_device(line, command->device);
	tacho__buf_printf(line, "%u, %" PRIu64 ", %" PRIu32 ", %" PRIu64 ", ", number, ++csv->count,
			  call->thread, index);
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
	tacho__buf_printf(line, ", %s, NA, NA, NA\n", local_bytes(command->kernel));
	if (line->failed)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a row");
	return tacho__spill_add(csv->spill, &csv->rows, line->text, line->size);
}

int tacho__csv_write(const struct tacho__csv *csv, const struct tacho_run *run,
		     const struct tacho_cursor *cursor, const char *session, FILE *stream)
{
	const struct tacho__header header = {
		.stream = stream, .prefix = "#", .device_equals = "=", .line_max = LINE_BYTES_MAX};
	int rc;

	fprintf(stream,
		"#ProfileFileVersion=5.6\n#ProfilerVersion=%s\n#Generator=tacho %s\n#API=OpenCL\n",
		TACHO__PROFILER_VERSION, tacho_version());
	rc = tacho__header_put_run(&header, run);
	if (!rc)
		rc = tacho__header_put(&header, "WorkingDirectory", run->working_directory);
	if (!rc)
		rc = tacho__header_put_devices(&header, cursor);
	if (!rc)
		rc = tacho__header_put_system(&header, run, session);
	if (rc)
		return rc;
	fputs("#ListSeparator=,\n#ForceSinglePass=False\n"
	      "Method, ExecutionOrder, ThreadID, CallIndex, GlobalWorkSize, WorkGroupSize, Time, "
	      "LocalMemSize, VGPRs, SGPRs, ScratchRegs\n",
	      stream);
	return tacho__spill_copy(csv->spill, &csv->rows, stream);
}
