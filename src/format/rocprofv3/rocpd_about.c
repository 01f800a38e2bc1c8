/* SPDX-License-Identifier: MIT */
/* What a rocpd database says once: the machine, processes, threads, agents, kernels, counters. */
#include <stdio.h>
#include <string.h>

#include "format/estimate.h"
#include "format/rocprofv3/rocpd_rows.h"
#include "tacho/tacho.h"

static int put_metadata(struct tacho__rocpd *rocpd, const char *tag, const char *value)
{
	tacho__rocpd_row_begin_next(rocpd, TACHO__ROCPD_METADATA);
	tacho__sqlite_row_text(&rocpd->file, tag);
	tacho__sqlite_row_text(&rocpd->file, value);
	return tacho__sqlite_row_end(&rocpd->file);
}

int tacho__rocpd_put_note(struct tacho__rocpd *rocpd, const char *sentence)
{
	return put_metadata(rocpd, "tacho_note", sentence);
}

/* Of a process that nobody knows there is no row, and nothing that belongs to one. */
static bool has_processes(const struct tacho__rocpd *rocpd)
{
	return tacho_recording_get_process_count(rocpd->run->recording) != 0;
}

static void put_node(struct tacho__rocpd *rocpd)
{
	const struct tacho_run *run = tacho_recording_get_run(rocpd->run->recording);
	const char *host = *run->host ? run->host : "unknown";
	uint64_t hash = tacho__hash_text(host) >> 1;

	tacho__rocpd_row_begin(rocpd, TACHO__ROCPD_NODE, TACHO__ROCPD_NODE_ID);
	tacho__sqlite_row_unsigned(&rocpd->file, true, hash);
	tacho__sqlite_row_text(&rocpd->file, host);
	tacho__sqlite_row_text(&rocpd->file, run->os_name);
	tacho__sqlite_row_text(&rocpd->file, run->host);
	tacho__sqlite_row_text(&rocpd->file, run->os_release);
	for (int i = 0; i < 3; i++) /* version, hardware, domain */
		tacho__sqlite_row_null(&rocpd->file);
	tacho__sqlite_row_end(&rocpd->file);
}

static void put_process(struct tacho__rocpd *rocpd, const struct tacho_process *process)
{
	tacho__rocpd_row_begin(rocpd, TACHO__ROCPD_PROCESS, process->index + 1u);
	tacho__sqlite_row_integer(&rocpd->file, TACHO__ROCPD_NODE_ID);
	tacho__sqlite_row_unsigned(&rocpd->file, true, process->parent_pid);
	tacho__sqlite_row_unsigned(&rocpd->file, true, process->pid);
	tacho__sqlite_row_unsigned(&rocpd->file, true, process->start_ns);
	tacho__sqlite_row_null(&rocpd->file);
	tacho__sqlite_row_unsigned(&rocpd->file, true, process->start_ns);
	tacho__sqlite_row_null(&rocpd->file);
	tacho__sqlite_row_text(&rocpd->file, process->command);
	tacho__sqlite_row_text(&rocpd->file, "{}");
	tacho__rocpd_row_end(rocpd);
}

static void put_thread(struct tacho__rocpd *rocpd, size_t index, const struct tacho_cursor *cursor)
{
	const struct tacho__rocpd_thread *thread = &rocpd->threads[index];

	tacho__rocpd_row_begin(rocpd, TACHO__ROCPD_THREAD, index + 1);
	tacho__sqlite_row_integer(&rocpd->file, TACHO__ROCPD_NODE_ID);
	tacho__sqlite_row_unsigned(&rocpd->file, true, thread->process->parent_pid);
	tacho__sqlite_row_unsigned(&rocpd->file, true, thread->process->index + 1u);
	tacho__sqlite_row_unsigned(&rocpd->file, true, thread->tid);
	tacho__sqlite_row_text(&rocpd->file,
			       tacho_cursor_get_thread_name(cursor, thread->process, thread->tid));
	tacho__sqlite_row_null(&rocpd->file);
	tacho__sqlite_row_null(&rocpd->file);
	tacho__rocpd_row_end(rocpd);
}

/* `type` is "CPU", "GPU", or another word for what is neither. */
static void put_agent(struct tacho__rocpd *rocpd, uint64_t id, const char *name, const char *type,
		      const struct tacho_object *device)
{
	bool is_known = !strcmp(type, "CPU") || !strcmp(type, "GPU");
	const char *board = device ? tacho_object_get(device, "board_name") : NULL;

	tacho__rocpd_row_begin(rocpd, TACHO__ROCPD_AGENT, id);
	tacho__rocpd_row_owner(rocpd, device ? device->process : NULL);
	tacho__sqlite_row_text(&rocpd->file, is_known ? type : NULL);
	tacho__sqlite_row_unsigned(&rocpd->file, id != TACHO__ROCPROF_NO_AGENT, id);
	tacho__sqlite_row_unsigned(&rocpd->file, id != TACHO__ROCPROF_NO_AGENT, id);
	tacho__sqlite_row_null(&rocpd->file); /* among those of its type */
	tacho__sqlite_row_null(&rocpd->file);
	tacho__sqlite_row_text(&rocpd->file, name);
	tacho__sqlite_row_null(&rocpd->file);
	tacho__sqlite_row_text(&rocpd->file, device ? tacho_object_get(device, "vendor") : NULL);
	tacho__sqlite_row_text(&rocpd->file, board);
	tacho__sqlite_row_null(&rocpd->file);
	tacho__rocpd_row_end(rocpd);
}

/* A queue of ours is their queue and stream. */
static void put_queue(struct tacho__rocpd *rocpd, uint64_t id, const struct tacho_object *queue)
{
	static const enum tacho__rocpd_table tables[] = {TACHO__ROCPD_QUEUE, TACHO__ROCPD_STREAM};
	char name[40] = "";

	if (queue)
		snprintf(name, sizeof(name), "Queue %u", (unsigned)queue->id);
	for (size_t i = 0; i < 2; i++) {
		tacho__rocpd_row_begin(rocpd, tables[i], id);
		tacho__rocpd_row_owner(rocpd, queue ? queue->process : NULL);
		tacho__sqlite_row_text(&rocpd->file, name);
		tacho__rocpd_row_end(rocpd);
	}
}

/* A program is a code object; nothing is known of where it was loaded. */
static void put_code_object(struct tacho__rocpd *rocpd, uint64_t id,
			    const struct tacho_object *program)
{
	tacho__rocpd_row_begin(rocpd, TACHO__ROCPD_CODE_OBJECT, id);
	tacho__rocpd_row_owner(rocpd, program ? program->process : NULL);
	for (int i = 0; i < 6; i++)
		tacho__sqlite_row_null(&rocpd->file);
	tacho__rocpd_row_end(rocpd);
}

static int put_kernel(struct tacho__rocpd *rocpd, uint64_t id, const struct tacho_object *kernel)
{
	struct tacho__rocprof_resources resources;
	int rc = tacho__rocprof_get_resources(rocpd->run, kernel, NULL, &resources);

	if (rc)
		return rc;
	tacho__rocpd_row_begin(rocpd, TACHO__ROCPD_KERNEL_SYMBOL, id);
	tacho__rocpd_row_owner(rocpd, kernel ? kernel->process : NULL);
	tacho__rocpd_row_id(rocpd, kernel && kernel->program ? kernel->program->id
							     : TACHO__ROCPROF_UNKNOWN);
	tacho__sqlite_row_text(&rocpd->file, kernel ? kernel->name : NULL);
	tacho__sqlite_row_text(&rocpd->file, kernel ? kernel->name : NULL);
	for (int i = 0; i < 3; i++) /* the object, its arguments' size and alignment */
		tacho__sqlite_row_null(&rocpd->file);
	tacho__sqlite_row_unsigned(&rocpd->file, resources.local_bytes.is_known,
				   resources.local_bytes.value);
	tacho__sqlite_row_unsigned(&rocpd->file, resources.scratch_bytes.is_known,
				   resources.scratch_bytes.value);
	tacho__sqlite_row_unsigned(&rocpd->file, resources.scalar.is_known, resources.scalar.value);
	tacho__sqlite_row_unsigned(&rocpd->file, resources.vector.is_known, resources.vector.value);
	tacho__sqlite_row_unsigned(&rocpd->file, resources.accumulation.is_known,
				   resources.accumulation.value);
	return tacho__rocpd_row_end(rocpd);
}

static int put_object(struct tacho__rocpd *rocpd, const struct tacho_object *object)
{
	switch (object->kind) {
	case TACHO_OBJECT_DEVICE:
		put_agent(rocpd, tacho__rocprof_get_agent(rocpd->run, object), object->name,
			  tacho__rocprof_get_type(object), object);
		return rocpd->file.rc;
	case TACHO_OBJECT_QUEUE: put_queue(rocpd, object->id, object); return rocpd->file.rc;
	case TACHO_OBJECT_PROGRAM:
		put_code_object(rocpd, object->id, object);
		return rocpd->file.rc;
	case TACHO_OBJECT_KERNEL: return put_kernel(rocpd, object->id, object);
	default: return 0;
	}
}

/* What others refer to without knowing it. */
static int put_unknown(struct tacho__rocpd *rocpd)
{
	if (rocpd->has_unknown_agent)
		put_agent(rocpd, TACHO__ROCPROF_NO_AGENT, NULL, "", NULL);
	if (rocpd->has_unknown_queue)
		put_queue(rocpd, TACHO__ROCPROF_UNKNOWN, NULL);
	put_code_object(rocpd, TACHO__ROCPROF_UNKNOWN, NULL); /* of kernels without a program */
	return rocpd->has_unknown_kernel ? put_kernel(rocpd, TACHO__ROCPROF_UNKNOWN, NULL)
					 : rocpd->file.rc;
}

static void put_counter(struct tacho__rocpd *rocpd, const struct tacho_entry *counter, size_t index)
{
	bool has_agent =
		!counter->is_of_command && tacho__rocprof_get_counting_device(rocpd->run) != NULL;

	tacho__rocpd_row_begin(rocpd, TACHO__ROCPD_PMC, index + 1);
	tacho__rocpd_row_owner(rocpd, NULL);
	tacho__sqlite_row_unsigned(&rocpd->file, has_agent, TACHO__ROCPROF_COUNTS);
	tacho__sqlite_row_text(&rocpd->file, counter->is_simulated ? "GPU" : NULL);
	tacho__sqlite_row_null(&rocpd->file); /* the event */
	tacho__sqlite_row_null(&rocpd->file); /* the instance */
	tacho__sqlite_row_text(&rocpd->file, counter->name);
	tacho__sqlite_row_text(&rocpd->file, counter->name);
	tacho__sqlite_row_text(&rocpd->file, counter->description);
	tacho__sqlite_row_null(&rocpd->file); /* the long description */
	tacho__sqlite_row_text(&rocpd->file, "tacho");
	tacho__sqlite_row_text(&rocpd->file, counter->unit);
	tacho__sqlite_row_text(&rocpd->file, "ABS");
	for (int i = 0; i < 4; i++) /* block, expression, whether it is constant, or derived */
		tacho__sqlite_row_null(&rocpd->file);
	tacho__rocpd_row_end(rocpd);
}

/* Of all processes: they are written as the first one's. */
static void put_counters(struct tacho__rocpd *rocpd)
{
	const struct tacho_recorded_counting *counting =
		tacho_recording_get_counting(rocpd->run->recording);
	const char *device = tacho__rocprof_get_counting_device(rocpd->run);
	const struct tacho_entry *counter;

	put_agent(rocpd, TACHO__ROCPROF_HOST, "host", "CPU", NULL);
	if (device)
		put_agent(rocpd, TACHO__ROCPROF_COUNTS, device, counting->is_simulated ? "GPU" : "",
			  NULL);
	for (size_t i = 0; (counter = tacho_recording_get_counter(rocpd->run->recording, i)); i++)
		put_counter(rocpd, counter, i);
}

static int put_metadata_of_all(struct tacho__rocpd *rocpd)
{
	char suffix[48], generator[64];

	tacho__rocpd_format_suffix(rocpd->guid, suffix);
	snprintf(generator, sizeof(generator), "tacho %s", tacho_version());
	put_metadata(rocpd, "schema_version", "3");
	put_metadata(rocpd, "uuid", suffix);
	put_metadata(rocpd, "guid", rocpd->guid);
	return put_metadata(rocpd, "generator", generator);
}

int tacho__rocpd_put_about(struct tacho__rocpd *rocpd, const struct tacho_cursor *cursor)
{
	const struct tacho_process *process;
	const struct tacho_object *object;
	int rc = put_metadata_of_all(rocpd);

	put_node(rocpd);
	if (!has_processes(rocpd))
		return rocpd->file.rc;
	for (size_t i = 0; (process = tacho_recording_get_process(rocpd->run->recording, i)); i++)
		put_process(rocpd, process);
	for (size_t i = 0; i < rocpd->thread_count; i++)
		put_thread(rocpd, i, cursor);
	put_counters(rocpd);
	if (!rc)
		rc = put_unknown(rocpd);
	for (size_t i = 0; !rc && (object = tacho_cursor_get_object(cursor, i)); i++)
		if (object->id)
			rc = put_object(rocpd, object);
	return rc ? rc : rocpd->file.rc;
}
