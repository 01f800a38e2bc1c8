/* SPDX-License-Identifier: MIT */
#include "format/atp.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/character.h"
#include "base/error.h"
#include "format/header.h"
#include "format/label.h"
#include "tacho/tacho.h"

enum { UNKNOWN_FUNCTION = 146 }; /* what the format calls a function without a number */

/*
 * A thread's block in both sections. The last line waits here while it may still grow: programs
 * that poll make the same call again and again, and the format shows such a row of calls as one.
 */
struct tacho__atp_thread {
	char id[12];
	uint64_t count;
	struct tacho__spill_text calls, times;
	struct tacho__buf waiting;
	uint64_t repeats; /* 0: none waits */
	int number;
	uint64_t start_ns, end_ns;
};

void tacho__atp_init(struct tacho__atp *atp, struct tacho__spill *spill)
{
	memset(atp, 0, sizeof(*atp));
	atp->spill = spill;
}

static void finish_part(struct tacho__atp_part *part)
{
	for (size_t i = 0; i < part->count; i++) {
		tacho__spill_text_finish(&part->threads[i]->calls);
		tacho__spill_text_finish(&part->threads[i]->times);
		tacho__buf_finish(&part->threads[i]->waiting);
		free(part->threads[i]);
	}
	free(part->threads);
	tacho__map_finish(&part->by_id);
}

void tacho__atp_finish(struct tacho__atp *atp)
{
	for (size_t i = 0; i < atp->part_count; i++)
		finish_part(&atp->parts[i]);
	tacho__buf_finish(&atp->line);
	tacho__buf_finish(&atp->times);
	tacho__atp_ranges_finish(&atp->ranges);
	memset(atp, 0, sizeof(*atp));
}

bool tacho__atp_has_section(const char *api)
{
	size_t size = strlen(api);

	return size && size < TACHO__ATP_NAME_MAX && strcasecmp(api, "hsa") &&
	       strcasecmp(api, "ocl") &&
	       size == strspn(api, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789_-");
}

/* NULL when it has none, or there are too many. */
static struct tacho__atp_part *get_part(struct tacho__atp *atp, const char *api)
{
	struct tacho__atp_part *part = atp->parts;

	for (; part < atp->parts + atp->part_count; part++)
		if (!strcmp(part->api, api))
			return part;
	if (atp->part_count == TACHO__ATP_PARTS_MAX || !tacho__atp_has_section(api))
		return NULL;
	memcpy(part->api, api, strlen(api) + 1);
	atp->part_count++;
	return part;
}

static int get_thread(struct tacho__atp_part *part, uint32_t id,
		      struct tacho__atp_thread **out_thread)
{
	struct tacho__atp_thread *thread = tacho__map_get(&part->by_id, id);
	int rc;

	if (thread) {
		*out_thread = thread;
		return 0;
	}
	if (tacho__array_reserve(&part->threads, &part->capacity, part->count,
				 sizeof(*part->threads)))
		return TACHO_E_NOMEM;
	thread = calloc(1, sizeof(*thread));
	if (!thread)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for thread %" PRIu32, id);
	snprintf(thread->id, sizeof(thread->id), "%" PRIu32, id);
	rc = tacho__map_set(&part->by_id, id, thread);
	if (rc) {
		free(thread);
		return rc;
	}
	part->threads[part->count++] = thread;
	*out_thread = thread;
	return 0;
}

/* Columns are as wide as the format says, and one that is too long moves the others. */
static void put_text(struct tacho__buf *line, const char *text, size_t width)
{
	size_t start = line->size;

	tacho__buf_put(line, text);
	tacho__buf_pad(line, start, width);
}

static void put_number(struct tacho__buf *line, int64_t number, size_t width)
{
	size_t start = line->size;

	tacho__buf_signed(line, number);
	tacho__buf_pad(line, start, width);
}

static void put_amount(struct tacho__buf *line, uint64_t amount, size_t width)
{
	size_t start = line->size;

	tacho__buf_unsigned(line, amount);
	tacho__buf_pad(line, start, width);
}

static void put_times(struct tacho__buf *line, int number, const char *name, uint64_t start_ns,
		      uint64_t end_ns)
{
	put_number(line, number < 0 ? UNKNOWN_FUNCTION : number, 5);
	put_text(line, name, 45);
	put_amount(line, start_ns, 21);
	put_amount(line, end_ns, 21);
}

static int add(struct tacho__atp *atp, struct tacho__spill_text *text, struct tacho__buf *line)
{
	tacho__buf_char(line, '\n');
	if (line->failed)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a line");
	return tacho__spill_add(atp->spill, text, line->text, line->size);
}

/* Writes out the row of equal calls that waits. */
static int flush_waiting(struct tacho__atp *atp, struct tacho__atp_thread *thread)
{
	int rc;

	if (!thread->repeats)
		return 0;
	if (thread->repeats > 1)
		tacho__buf_printf(&thread->waiting, " /*%" PRIu64 " consecutive calls*/",
				  thread->repeats);
	thread->repeats = 0;
	rc = add(atp, &thread->calls, &thread->waiting);
	if (rc)
		return rc;
	tacho__buf_clear(&atp->times);
	put_times(&atp->times, thread->number, TACHO__ATP_POLLED, thread->start_ns, thread->end_ns);
	return add(atp, &thread->times, &atp->times);
}

static void put_handle(struct tacho__buf *line, uint64_t handle)
{
	size_t start = line->size;

	if (handle)
		tacho__buf_hex(line, handle);
	else
		tacho__buf_put(line, "NULL");
	tacho__buf_pad(line, start, 25);
}

/* The format counts queues and contexts from 0; -1 is one that was not seen to be made. */
static void put_object(struct tacho__buf *line, const struct tacho_object *object)
{
	put_number(line, object ? (int64_t)object->id - 1 : -1, 10);
	put_handle(line, object ? object->handle : 0);
}

static void put_sizes(struct tacho__buf *line, const uint64_t *sizes, uint32_t dimensions)
{
	tacho__buf_char(line, '{');
	for (uint32_t i = 0; i < dimensions && i < 3; i++) {
		if (i)
			tacho__buf_char(line, ',');
		tacho__buf_unsigned(line, sizes[i]);
	}
	tacho__buf_char(line, '}');
}

static void put_launch(struct tacho__buf *line, const struct tacho_command *command)
{
	put_handle(line, command->kernel ? command->kernel->handle : 0);
	tacho__label_put_kernel(line, command->kernel);
	tacho__buf_put(line, "      ");
	put_sizes(line, command->global, command->dimensions);
	tacho__buf_put(line, "     ");
	if (command->has_local)
		put_sizes(line, command->local, command->dimensions);
	else
		tacho__buf_put(line, "{NULL}");
	tacho__buf_put(line, "        ");
}

/* What OpenCL calls it; in other sections the kind, which their readers have no list for. */
static const char *name_of(const struct tacho_command *command, bool is_opencl)
{
	if (is_opencl)
		return command->name;
	return command->kind == TACHO_COMMAND_BUFFER ? "other"
						     : tacho_command_kind_to_string(command->kind);
}

/* What the device did; a call without such a tail gave it no work or its times are not known. */
static void put_command(struct tacho__buf *line, const struct tacho_command *command,
			bool is_opencl)
{
	size_t start;

	put_amount(line, command->code, 8);
	put_text(line, name_of(command, is_opencl), 40);
	put_amount(line, command->queued_ns, 21);
	put_amount(line, command->submit_ns, 21);
	put_amount(line, command->start_ns, 21);
	put_amount(line, command->end_ns, 21);
	put_object(line, command->queue);
	put_object(line, command->queue ? command->queue->context : NULL);
	start = line->size;
	tacho__label_put_device(line, command->device);
	tacho__buf_pad(line, start, 30);
	if (command->kind == TACHO_COMMAND_KERNEL)
		put_launch(line, command);
	else if (command->kind != TACHO_COMMAND_UNMAP && command->kind != TACHO_COMMAND_OTHER &&
		 command->has_bytes)
		put_amount(line, command->bytes, 20);
}

/* Readers of OpenCL's know their names; others are told. */
static void put_arguments(struct tacho__buf *line, struct tacho_cursor *cursor,
			  const struct tacho_call *call)
{
	const char *name, *text;

	if (!strcmp(call->function->api, TACHO__ATP_API)) {
		tacho__text_put(line, tacho_cursor_format_arguments(cursor, ";"));
		return;
	}
	for (size_t i = 0; (text = tacho_cursor_get_argument(cursor, i, &name)); i++) {
		tacho__buf_put(line, i ? ";" : "");
		tacho__text_put(line, name);
		tacho__buf_char(line, '=');
		tacho__text_put(line, text);
	}
}

/* What results and names tell of OpenCL's calls, and what no call of it is. */
static void put_remarks(struct tacho__buf *line, const struct tacho_call *call)
{
	if (!strcmp(call->function->api, TACHO__ATP_API))
		return;
	if (call->failed)
		tacho__buf_put(line, " /*failed*/");
	if (call->is_bare)
		tacho__buf_put(line, " /*no call*/");
	if (call->repeats)
		tacho__buf_printf(line, " /*%" PRIu64 " consecutive calls*/", call->repeats + 1);
}

static void put_call(struct tacho__buf *line, struct tacho_cursor *cursor,
		     const struct tacho_call *call)
{
	tacho__text_put(line, *call->result ? call->result : "void");
	tacho__buf_put(line, " = ");
	tacho__text_put(line, call->function->name);
	tacho__buf_put(line, " ( ");
	put_arguments(line, cursor, call);
	tacho__buf_put(line, " )");
	put_remarks(line, call);
}

/* A call of the kind that is polled: joins the row that waits when it is equal, else starts one. */
static int add_polled(struct tacho__atp *atp, struct tacho__atp_thread *thread,
		      const struct tacho_call *call)
{
	int rc;

	if (thread->repeats && thread->waiting.size == atp->line.size &&
	    !memcmp(thread->waiting.text, atp->line.text, atp->line.size)) {
		thread->repeats += 1 + call->repeats;
		thread->end_ns = call->end_ns;
		return 0;
	}
	rc = flush_waiting(atp, thread);
	if (rc)
		return rc;
	tacho__buf_clear(&thread->waiting);
	tacho__buf_add(&thread->waiting, atp->line.text, atp->line.size);
	thread->number = call->function->number;
	thread->start_ns = call->start_ns;
	thread->end_ns = call->end_ns;
	thread->repeats = 1 + call->repeats;
	thread->count++;
	return 0;
}

static int add_single(struct tacho__atp *atp, struct tacho__atp_thread *thread,
		      const struct tacho_call *call)
{
	int rc = flush_waiting(atp, thread);

	if (!rc)
		rc = add(atp, &thread->calls, &atp->line);
	if (rc)
		return rc;
	tacho__buf_clear(&atp->line);
	put_times(&atp->line, call->function->number, call->function->name, call->start_ns,
		  call->end_ns);
	if (call->command && call->command->state == TACHO_STATE_OK)
		put_command(&atp->line, call->command,
			    !strcmp(call->function->api, TACHO__ATP_API));
	thread->count++;
	return add(atp, &thread->times, &atp->line);
}

int tacho__atp_add(struct tacho__atp *atp, struct tacho_cursor *cursor,
		   const struct tacho_call *call, uint64_t *out_index)
{
	struct tacho__atp_part *part = get_part(atp, call->function->api);
	struct tacho__atp_thread *thread = NULL;
	int rc;

	if (!part)
		return 1;
	rc = get_thread(part, call->thread, &thread);
	if (rc)
		return rc;
	tacho__buf_clear(&atp->line);
	put_call(&atp->line, cursor, call);
	if (atp->line.failed)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a line");
	if (!strcmp(call->function->name, TACHO__ATP_POLLED) && !strcmp(part->api, TACHO__ATP_API))
		rc = add_polled(atp, thread, call);
	else
		rc = add_single(atp, thread, call);
	if (!rc)
		*out_index = thread->count - 1;
	return rc;
}

static int compare_ids(const void *left, const void *right)
{
	const struct tacho__atp_thread *const *a = left, *const *b = right;

	return strcmp((*a)->id, (*b)->id);
}

static int put_section(const struct tacho__atp *atp, const struct tacho__atp_part *part,
		       const char *title, bool times, FILE *stream)
{
	int rc = 0;

	fprintf(stream, "=====%s %s Output=====\n",
		!part || !strcmp(part->api, TACHO__ATP_API) ? "ocl" : part->api, title);
	for (size_t i = 0; part && i < part->count && !rc; i++) {
		const struct tacho__atp_thread *thread = part->threads[i];

		fprintf(stream, "%s\n%" PRIu64 "\n", thread->id, thread->count);
		rc = tacho__spill_copy(atp->spill, times ? &thread->times : &thread->calls, stream);
	}
	return rc;
}

/* Both sections of an API; NULL when there is none. */
static int put_part(struct tacho__atp *atp, struct tacho__atp_part *part, FILE *stream)
{
	int rc = 0;

	for (size_t i = 0; part && i < part->count && !rc; i++)
		rc = flush_waiting(atp, part->threads[i]);
	if (rc)
		return rc;
	if (part)
		qsort(part->threads, part->count, sizeof(*part->threads), compare_ids);
	rc = put_section(atp, part, "API Trace", false, stream);
	return rc ? rc : put_section(atp, part, "Timestamp", true, stream);
}

static int compare_parts(const void *left, const void *right)
{
	const struct tacho__atp_part *a = left, *b = right;
	int others = !!strcmp(a->api, TACHO__ATP_API) - !!strcmp(b->api, TACHO__ATP_API);

	return others ? others : strcmp(a->api, b->api);
}

static int put_header(const struct tacho_recording *recording, const struct tacho_cursor *cursor,
		      const char *session, FILE *stream)
{
	const struct tacho__header header = {
		.stream = stream, .prefix = "", .device_equals = " = "};
	const struct tacho_run *run = tacho_recording_get_run(recording);
	int rc;

	fprintf(stream, "TraceFileVersion=3.2\nProfilerVersion=%s\nGenerator=tacho %s\n",
		TACHO__PROFILER_VERSION, tacho_version());
	rc = tacho__header_put_run(&header, run);
	if (!rc)
		rc = tacho__header_put(&header, "WorkingDirectory", run->working_directory);
	fputs("UserTimer=False\n", stream);
	if (!rc)
		rc = tacho__header_put_system(&header, run, session);
	fputs("CLExcludedAPIs=\n", stream);
	if (!rc)
		rc = tacho__header_put_devices(&header, cursor);
	return rc ? rc : tacho__header_put_gaps(&header, recording);
}

int tacho__atp_write(struct tacho__atp *atp, const struct tacho_recording *recording,
		     const struct tacho_cursor *cursor, const char *session, FILE *stream)
{
	int rc = put_header(recording, cursor, session, stream);

	qsort(atp->parts, atp->part_count, sizeof(atp->parts[0]), compare_parts);
	if (!rc && !atp->part_count)
		rc = put_part(atp, NULL, stream);
	for (size_t i = 0; i < atp->part_count && !rc; i++)
		rc = put_part(atp, &atp->parts[i], stream);
	return rc ? rc : tacho__atp_ranges_write(&atp->ranges, stream);
}
