/* SPDX-License-Identifier: MIT */
#include "format/rocprofv3/rocpd.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/number.h"
#include "base/sha256.h"
#include "base/text.h"
#include "format/estimate.h"
#include "format/rocprofv3/rocpd_rows.h"
#include "format/rocprofv3/rocprof_csv.h"
#include "model/shape.h"

/* ---- what rows share ---- */

struct string {
	struct string *next; /* with the same hash */
	uint64_t id;
	const char *text;
};

/* Names of functions and of what they do. Between rows only. */
static int get_string(struct tacho__rocpd *rocpd, const char *text, uint64_t *out_id)
{
	uint64_t hash = tacho__hash_text(text);
	struct string *first = tacho__map_get(&rocpd->strings, hash), *string = first;

	while (string && strcmp(string->text, text))
		string = string->next;
	if (string) {
		*out_id = string->id;
		return 0;
	}
	string = tacho__arena_get(&rocpd->arena, sizeof(*string));
	if (!string)
		return TACHO_E_NOMEM;
	string->next = first;
	string->text = tacho__arena_string(&rocpd->arena, text);
	if (!string->text || tacho__map_set(&rocpd->strings, hash, string))
		return TACHO_E_NOMEM;
	*out_id = string->id = tacho__rocpd_row_begin_next(rocpd, TACHO__ROCPD_STRING);
	if (*text)
		tacho__sqlite_row_text(&rocpd->file, text);
	else
		tacho__sqlite_row_empty(&rocpd->file);
	return tacho__sqlite_row_end(&rocpd->file);
}

/* Their rows are written at the end, when names are known. */
static int get_thread(struct tacho__rocpd *rocpd, const struct tacho_process *process, uint32_t tid,
		      uint64_t *out_id)
{
	uint64_t key = (uint64_t)process->index << 32 | tid;
	const struct tacho__rocpd_thread thread = {process, tid};
	uintptr_t id = (uintptr_t)tacho__map_get(&rocpd->thread_ids, key);

	if (!id) {
		if (tacho__array_add(&rocpd->threads, &rocpd->thread_capacity, &rocpd->thread_count,
				     &thread, sizeof(thread)))
			return TACHO_E_NOMEM;
		id = rocpd->thread_count;
		if (tacho__map_set(&rocpd->thread_ids, key, (void *)id))
			return TACHO_E_NOMEM;
	}
	*out_id = id;
	return 0;
}

/* What a row is about: all rows of one call have its number. */
static int put_event(struct tacho__rocpd *rocpd, const char *category, uint64_t call_number,
		     uint64_t *out_id)
{
	uint64_t category_id;
	int rc = get_string(rocpd, category, &category_id);

	if (rc)
		return rc;
	*out_id = tacho__rocpd_row_begin_next(rocpd, TACHO__ROCPD_EVENT);
	tacho__sqlite_row_id(&rocpd->file, category_id);
	tacho__sqlite_row_unsigned(&rocpd->file, true, call_number);
	tacho__sqlite_row_unsigned(&rocpd->file, true, call_number);
	tacho__sqlite_row_null(&rocpd->file); /* no number of somebody else's */
	tacho__sqlite_row_text(&rocpd->file, "{}");
	tacho__sqlite_row_text(&rocpd->file, "{}");
	return tacho__rocpd_row_end(rocpd);
}

static void put_interval(struct tacho__rocpd *rocpd, uint64_t start_ns, uint64_t end_ns)
{
	tacho__sqlite_row_unsigned(&rocpd->file, true, start_ns);
	tacho__sqlite_row_unsigned(&rocpd->file, true, end_ns);
}

static uint64_t get_queue(struct tacho__rocpd *rocpd, const struct tacho_command *command)
{
	if (command->queue && command->queue->id)
		return command->queue->id;
	rocpd->has_unknown_queue = true;
	return TACHO__ROCPROF_UNKNOWN;
}

static uint64_t get_agent(struct tacho__rocpd *rocpd, const struct tacho_command *command)
{
	uint64_t agent = tacho__rocprof_get_agent(rocpd->run, command->device);

	rocpd->has_unknown_agent |= agent == TACHO__ROCPROF_NO_AGENT;
	return agent;
}

/* ---- calls ---- */

/* Time that a thread spent in something. */
struct region {
	const struct tacho_process *process;
	uint32_t thread;
	const char *category, *name;
	uint64_t call_number; /* 0: it is no call */
	uint64_t start_ns, end_ns;
};

static int put_region(struct tacho__rocpd *rocpd, const struct region *region)
{
	uint64_t thread, name, event;
	int rc = get_thread(rocpd, region->process, region->thread, &thread);

	if (!rc)
		rc = get_string(rocpd, region->name, &name);
	if (!rc)
		rc = put_event(rocpd, region->category, region->call_number, &event);
	if (rc)
		return rc;
	tacho__rocpd_row_begin_next(rocpd, TACHO__ROCPD_REGION);
	tacho__rocpd_row_owner(rocpd, region->process);
	tacho__sqlite_row_id(&rocpd->file, thread);
	put_interval(rocpd, region->start_ns, region->end_ns);
	tacho__sqlite_row_id(&rocpd->file, name);
	tacho__sqlite_row_id(&rocpd->file, event);
	return tacho__rocpd_row_end(rocpd);
}

int tacho__rocpd_add_call(struct tacho__rocpd *rocpd, const struct tacho_call *call,
			  uint64_t call_number)
{
	char category[64];
	const struct region region = {call->process,	    call->thread, category,
				      call->function->name, call_number,  call->start_ns,
				      call->end_ns};

	if (call->is_bare)
		return 0;
	snprintf(category, sizeof(category), "%.50s_API", call->function->api);
	for (char *c = category; *c; c++)
		*c = (char)toupper((unsigned char)*c);
	return put_region(rocpd, &region);
}

int tacho__rocpd_add_range(struct tacho__rocpd *rocpd, const struct tacho_named_range *range)
{
	const struct region region = {range->process,
				      range->thread,
				      range->kind == TACHO_RANGE_MARK ? TACHO__ROCPROF_MARK
								      : TACHO__ROCPROF_RANGE,
				      range->name,
				      0,
				      range->start_ns,
				      range->end_ns};

	return range->is_open ? 0 : put_region(rocpd, &region);
}

/* ---- transfers ---- */

static const char *name_transfer(enum tacho_command_kind kind)
{
	switch (kind) {
	case TACHO_COMMAND_WRITE: return "MEMORY_COPY_HOST_TO_DEVICE";
	case TACHO_COMMAND_READ: return "MEMORY_COPY_DEVICE_TO_HOST";
	case TACHO_COMMAND_COPY: return "MEMORY_COPY_DEVICE_TO_DEVICE";
	default: return NULL;
	}
}

/* From where to where; the addresses are not known. */
static void put_ends(struct tacho__rocpd *rocpd, enum tacho_command_kind kind, uint64_t agent)
{
	tacho__rocpd_row_id(rocpd, kind == TACHO_COMMAND_READ ? TACHO__ROCPROF_HOST : agent);
	tacho__sqlite_row_null(&rocpd->file);
	tacho__rocpd_row_id(rocpd, kind == TACHO_COMMAND_WRITE ? TACHO__ROCPROF_HOST : agent);
	tacho__sqlite_row_null(&rocpd->file);
}

int tacho__rocpd_add_transfer(struct tacho__rocpd *rocpd, const struct tacho_call *call,
			      uint64_t call_number)
{
	const struct tacho_command *command = call->command;
	const char *what = name_transfer(command->kind);
	uint64_t thread, name, region, event, queue, agent;
	int rc;

	if (!what || command->state != TACHO_STATE_OK || !command->has_bytes)
		return 0;
	rc = get_thread(rocpd, call->process, call->thread, &thread);
	if (!rc)
		rc = get_string(rocpd, what, &name);
	if (!rc)
		rc = get_string(rocpd, "", &region);
	if (!rc)
		rc = put_event(rocpd, "MEMORY_COPY", call_number, &event);
	if (rc)
		return rc;
	queue = get_queue(rocpd, command);
	agent = get_agent(rocpd, command);
	tacho__rocpd_row_begin_next(rocpd, TACHO__ROCPD_MEMORY_COPY);
	tacho__rocpd_row_owner(rocpd, call->process);
	tacho__sqlite_row_id(&rocpd->file, thread);
	put_interval(rocpd, command->start_ns, command->end_ns);
	tacho__sqlite_row_id(&rocpd->file, name);
	put_ends(rocpd, command->kind, agent);
	tacho__sqlite_row_unsigned(&rocpd->file, true, command->bytes);
	tacho__rocpd_row_id(rocpd, queue);
	tacho__rocpd_row_id(rocpd, queue);
	tacho__sqlite_row_id(&rocpd->file, region);
	tacho__sqlite_row_id(&rocpd->file, event);
	return tacho__rocpd_row_end(rocpd);
}

/* ---- launches ---- */

/* Names of dimensions come out of the recording: what could end a text of JSON is left out. */
static void put_name(struct tacho__buf *text, const char *name)
{
	tacho__buf_put(text, text->size > 1 ? ", \"" : "\"");
	for (; *name; name++)
		if (tacho__is_name(*name))
			tacho__buf_char(text, *name);
	tacho__buf_put(text, "\": ");
}

/* What the columns of the table do not say: which instance it is, and whether it was scaled. */
static void describe_value(struct tacho__buf *text, const struct tacho_column *column,
			   size_t instance)
{
	uint8_t state = tacho_column_get_state(column, 0, instance) & TACHO_STATE_MASK;
	uint32_t positions[TACHO_DIMENSION_MAX];
	char number[TACHO__NUMBER_MAX];

	tacho__buf_clear(text);
	tacho__buf_char(text, '{');
	tacho__shape_position(column->dimensions, column->dimension_count, instance, positions);
	for (uint32_t i = 0; i < column->dimension_count; i++) {
		put_name(text, column->dimensions[i].name);
		tacho__buf_printf(text, "%" PRIu32, positions[i]);
	}
	if (state == TACHO_STATE_SCALED) {
		tacho__number_format(tacho_column_get_coverage(column, 0, instance), number);
		put_name(text, "coverage");
		tacho__buf_put(text, number);
	}
	tacho__buf_char(text, '}');
}

static int put_value(struct tacho__rocpd *rocpd, const struct tacho_column *column, size_t index,
		     size_t instance, uint64_t event)
{
	describe_value(&rocpd->text, column, instance);
	if (rocpd->text.failed)
		return TACHO_E_NOMEM;
	tacho__rocpd_row_begin_next(rocpd, TACHO__ROCPD_PMC_EVENT);
	tacho__sqlite_row_id(&rocpd->file, event);
	tacho__sqlite_row_id(&rocpd->file, index + 1);
	tacho__sqlite_row_real(&rocpd->file, tacho_column_get_value(column, 0, instance));
	tacho__sqlite_row_text(&rocpd->file, rocpd->text.text);
	return tacho__sqlite_row_end(&rocpd->file);
}

/* A row for each instance that has a value. */
static int put_values(struct tacho__rocpd *rocpd, const struct tacho_result *values, uint64_t event)
{
	const struct tacho_column *column;
	int rc = 0;

	for (size_t i = 0; !rc && (column = tacho_result_get_column(values, i)); i++) {
		if (!tacho__rocprof_has_column(column))
			continue;
		for (size_t k = 0; !rc && k < column->instance_count; k++)
			if (tacho_column_is_present(column, k) &&
			    (tacho_column_get_state(column, 0, k) & TACHO_STATE_MASK) <=
				    TACHO_STATE_SCALED)
				rc = put_value(rocpd, column, i, k, event);
	}
	return rc;
}

static void put_sizes(struct tacho__rocpd *rocpd, const struct tacho__rocprof_launch *launch)
{
	uint64_t grid[3], workgroup[3];
	bool has_grid = tacho__rocprof_get_grid(launch->command, grid);
	bool has_workgroup = tacho__rocprof_get_workgroup(launch->command, workgroup);
	const struct tacho__rocprof_resources *resources = &launch->resources;

	tacho__sqlite_row_unsigned(&rocpd->file, resources->scratch_bytes.is_known,
				   resources->scratch_bytes.value);
	tacho__sqlite_row_unsigned(&rocpd->file, resources->local_bytes.is_known,
				   resources->local_bytes.value);
	for (int i = 0; i < 3; i++)
		tacho__rocpd_row_needed(rocpd, has_workgroup, workgroup[i]);
	for (int i = 0; i < 3; i++)
		tacho__rocpd_row_needed(rocpd, has_grid, grid[i]);
}

int tacho__rocpd_add_launch(struct tacho__rocpd *rocpd, const struct tacho__rocprof_launch *launch)
{
	const struct tacho_command *command = launch->command;
	uint64_t kernel = command->kernel ? command->kernel->id : TACHO__ROCPROF_UNKNOWN;
	uint64_t thread, region, event, queue, agent;
	int rc;

	if (command->state != TACHO_STATE_OK)
		return 0;
	rc = get_thread(rocpd, launch->call->process, launch->call->thread, &thread);
	if (!rc)
		rc = get_string(rocpd, "", &region);
	if (!rc)
		rc = put_event(rocpd, "KERNEL_DISPATCH", launch->call_number, &event);
	if (rc)
		return rc;
	rocpd->has_unknown_kernel |= kernel == TACHO__ROCPROF_UNKNOWN;
	agent = get_agent(rocpd, command);
	queue = get_queue(rocpd, command);
	tacho__rocpd_row_begin(rocpd, TACHO__ROCPD_KERNEL_DISPATCH, launch->dispatch);
	tacho__rocpd_row_owner(rocpd, launch->call->process);
	tacho__sqlite_row_id(&rocpd->file, thread);
	tacho__rocpd_row_id(rocpd, agent);
	tacho__rocpd_row_id(rocpd, kernel);
	tacho__rocpd_row_id(rocpd, launch->dispatch);
	tacho__rocpd_row_id(rocpd, queue);
	tacho__rocpd_row_id(rocpd, queue);
	put_interval(rocpd, command->start_ns, command->end_ns);
	put_sizes(rocpd, launch);
	tacho__sqlite_row_id(&rocpd->file, region);
	tacho__sqlite_row_id(&rocpd->file, event);
	rc = tacho__rocpd_row_end(rocpd);
	return rc || !launch->values ? rc : put_values(rocpd, launch->values, event);
}

/* ---- the file ---- */

/* One recording has one, whenever it is written: of what tells it from others. */
static int make_guid(const struct tacho_recording *recording, char out_guid[TACHO__ROCPD_GUID_SIZE])
{
	const struct tacho_run *run = tacho_recording_get_run(recording);
	const struct tacho_process *process;
	uint8_t digest[TACHO__SHA256_SIZE];
	struct tacho__buf text = {0};
	char *to = out_guid;

	tacho__buf_printf(&text, "%s\n%s\n%s\n%" PRIu64 "\n%" PRId64 "\n", run->host,
			  run->application, run->arguments, run->start_ns, run->realtime_offset_ns);
	for (size_t i = 0; (process = tacho_recording_get_process(recording, i)); i++)
		tacho__buf_printf(&text, "%s %" PRIu64 "\n", process->directory, process->start_ns);
	if (text.failed) {
		tacho__buf_finish(&text);
		return TACHO_E_NOMEM;
	}
	tacho__sha256(text.text, text.size, digest);
	tacho__buf_finish(&text);
	digest[6] = (uint8_t)(0x80 | (digest[6] & 0x0f)); /* RFC 9562: version 8 is one's own */
	digest[8] = (uint8_t)(0x80 | (digest[8] & 0x3f));
	for (int i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			*to++ = '-';
		to += snprintf(to, 3, "%02x", digest[i]);
	}
	return 0;
}

int tacho__rocpd_create(struct tacho__rocpd *rocpd, const struct tacho__rocprof_run *run,
			const char *path, bool overwrite)
{
	int rc = make_guid(run->recording, rocpd->guid);

	rocpd->run = run;
	if (!rc)
		rc = tacho__rocpd_schema_make(&rocpd->schema, rocpd->guid);
	return rc ? rc
		  : tacho__sqlite_file_create(&rocpd->file, path, overwrite, &rocpd->schema.schema);
}

void tacho__rocpd_finish(struct tacho__rocpd *rocpd)
{
	tacho__sqlite_file_finish(&rocpd->file);
	tacho__rocpd_schema_finish(&rocpd->schema);
	tacho__map_finish(&rocpd->strings);
	tacho__map_finish(&rocpd->thread_ids);
	free(rocpd->threads);
	tacho__buf_finish(&rocpd->text);
	tacho__arena_finish(&rocpd->arena);
}
