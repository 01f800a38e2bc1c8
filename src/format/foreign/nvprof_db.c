/* SPDX-License-Identifier: MIT */
/*
 * Databases of nvprof and the Visual Profiler (.nvprof): one process, times since 1970, calls as
 * the numbers that CUPTI gives functions, names of kernels as the compiler mangled them.
 */
#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/foreign/cuda_work.h"
#include "format/foreign/nvprof.h"

#define TABLE "CUPTI_ACTIVITY_KIND_"

struct nvprof_db {
	struct tacho__foreign *foreign;
	struct tacho__foreign_db *db;
	struct tacho__foreign_query strings; /* one of them, by its id */
	uint64_t file;			     /* its number, from 1 */
	uint32_t process;
	bool has_process, has_values, has_queue_times;
	struct tacho__map functions[2]; /* of the runtime, of the driver: by their numbers */
	uint64_t rows, unnamed, markers;
};

static bool fits(const struct tacho__foreign_file *file)
{
	static const char *const tables[] = {TABLE "CONCURRENT_KERNEL", TABLE "KERNEL",
					     TABLE "RUNTIME", TABLE "DRIVER", TABLE "MEMCPY"};

	if (!file->db || !tacho__foreign_db_has(file->db, "StringTable"))
		return false;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(tables); i++)
		if (tacho__foreign_db_has(file->db, tables[i]))
			return true;
	return false;
}

/* ---- calls ---- */

/* Each number is looked for once. */
static int find_function(struct nvprof_db *nvprof, bool is_driver, int64_t number,
			 uint32_t *out_function)
{
	struct tacho__map *known = &nvprof->functions[is_driver];
	const char *name;
	char room[64], bare[48];
	int rc;

	*out_function = (uint32_t)(uintptr_t)tacho__map_get(known, (uint64_t)number);
	if (*out_function)
		return 0;
	name = tacho__nvprof_function_name(is_driver, number, room);
	if (!name) {
		snprintf(bare, sizeof(bare), "%scbid %" PRIi64, is_driver ? "driver " : "", number);
		nvprof->unnamed++;
	}
	rc = tacho__foreign_function(nvprof->foreign, "cuda", name ? name : bare, out_function);
	return rc ? rc : tacho__map_set(known, (uint64_t)number, (void *)(uintptr_t)*out_function);
}

static int find_process(struct nvprof_db *nvprof, int64_t pid)
{
	if (nvprof->has_process)
		return 0;
	nvprof->has_process = true;
	return tacho__foreign_process(nvprof->foreign, nvprof->file, (uint32_t)pid,
				      &nvprof->process);
}

static int take_call(struct nvprof_db *nvprof, const struct tacho__foreign_query *query,
		     bool is_driver)
{
	struct tacho__foreign_call call = {0};
	int64_t result;
	char text[32];
	int rc = find_process(nvprof, tacho__foreign_query_get(query, 2));

	if (rc || !tacho__foreign_query_int(query, 0, &call.start_ns) ||
	    !tacho__foreign_query_int(query, 1, &call.end_ns))
		return rc;
	nvprof->rows++;
	call.process = nvprof->process;
	call.thread = (uint32_t)tacho__foreign_query_get(query, 3); /* it is cut, with a sign */
	call.link = (uint64_t)tacho__foreign_query_get(query, 4);
	if (tacho__foreign_query_int(query, 6, &result)) {
		call.failed = tacho__cuda_is_failure(result);
		snprintf(text, sizeof(text), "%" PRIi64, result);
		rc = tacho__foreign_text(nvprof->foreign, text, &call.result);
	}
	if (!rc)
		rc = find_function(nvprof, is_driver, tacho__foreign_query_get(query, 5),
				   &call.function);
	return rc ? rc : tacho__foreign_add_call(nvprof->foreign, &call);
}

static int read_calls(struct nvprof_db *nvprof, const char *table, bool is_driver)
{
	static const char *const columns[] = {"start",	       "end",  "processId",  "threadId",
					      "correlationId", "cbid", "returnValue"};
	struct tacho__foreign_query query;
	int rc = tacho__foreign_query_open(nvprof->db, table, columns, TACHO__ARRAY_SIZE(columns),
					   "", &query);

	while (!rc && (rc = tacho__foreign_query_next(&query)) == 1)
		rc = take_call(nvprof, &query, is_driver);
	tacho__foreign_query_close(&query);
	return rc;
}

/* ---- work ---- */

/* Columns that all tables of work have, in front of each one's own. */
#define PLACE_COLUMNS "start", "end", "deviceId", "contextId", "streamId", "correlationId"

enum { OWN = 6 };

static struct tacho__nvprof_file file_of(struct nvprof_db *nvprof)
{
	return (struct tacho__nvprof_file){.foreign = nvprof->foreign,
					   .db = nvprof->db,
					   .strings = &nvprof->strings,
					   .process = nvprof->process};
}

static int take_device(struct nvprof_db *nvprof, uint64_t id, uint32_t *out_device)
{
	const struct tacho__nvprof_file file = file_of(nvprof);
	struct tacho__buf text = {0};
	int rc;

	*out_device =
		tacho__foreign_find(nvprof->foreign, nvprof->process, TACHO_OBJECT_DEVICE, id + 1);
	if (*out_device)
		return 0;
	rc = tacho__nvprof_describe_device(&file, id, &text);
	if (!rc)
		rc = tacho__foreign_thing(nvprof->foreign, nvprof->process, TACHO_OBJECT_DEVICE,
					  id + 1, &text, out_device);
	tacho__buf_finish(&text);
	return rc;
}

static int take_place(struct nvprof_db *nvprof, const struct tacho__foreign_query *query,
		      struct tacho__foreign_command *command)
{
	uint64_t device = (uint64_t)tacho__foreign_query_get(query, 2) & UINT32_MAX;
	int rc = find_process(nvprof, 0);

	nvprof->rows++;
	command->process = nvprof->process;
	command->link = (uint64_t)tacho__foreign_query_get(query, 5);
	command->state = TACHO_STATE_OK;
	if (!rc)
		rc = take_device(nvprof, device, &command->device);
	if (!rc)
		rc = tacho__cuda_queue(nvprof->foreign, nvprof->process,
				       (uint64_t)tacho__foreign_query_get(query, 3) & UINT32_MAX,
				       (uint64_t)tacho__foreign_query_get(query, 4), device,
				       &command->queue);
	if (rc || (tacho__foreign_query_int(query, 0, &command->start_ns) &&
		   tacho__foreign_query_int(query, 1, &command->end_ns) && command->start_ns > 0))
		return rc;
	command->state = TACHO_STATE_LOST;
	return tacho__foreign_text(nvprof->foreign, "nvprof has no valid time for it",
				   &command->reason);
}

/* The kernel by its name and facts. */
static int find_kernel(struct nvprof_db *nvprof, const struct tacho__foreign_query *query,
		       struct tacho__foreign_command *command)
{
	const struct tacho__nvprof_file file = file_of(nvprof);
	struct tacho__foreign_kernel kernel = {.process = nvprof->process};
	int64_t *const facts[] = {&kernel.registers, &kernel.local_bytes, &kernel.private_bytes};
	const char *name;
	int rc = tacho__nvprof_find_string(&file, tacho__foreign_query_get(query, OWN), &name);

	if (rc)
		return rc;
	name = *name ? name : "(no name)";
	for (int i = 0; i < 3; i++)
		if (!tacho__foreign_query_int(query, OWN + 7 + i, facts[i]))
			*facts[i] = -1;
	rc = tacho__foreign_text(nvprof->foreign, name, &kernel.name);
	return rc ? rc : tacho__foreign_kernel(nvprof->foreign, &kernel, &command->kernel);
}

/* Where they are known at all: 0 is not. */
static void take_queue_times(struct nvprof_db *nvprof, const struct tacho__foreign_query *query,
			     struct tacho__foreign_command *command)
{
	int64_t queued = tacho__foreign_query_get(query, OWN + 11);
	int64_t submitted = tacho__foreign_query_get(query, OWN + 12);

	if (command->state != TACHO_STATE_OK || queued <= 0 || submitted < queued ||
	    submitted > command->start_ns)
		return;
	command->has_queue_times = nvprof->has_queue_times = true;
	command->queued_ns = queued;
	command->submit_ns = submitted;
}

static int take_kernel(void *user, const struct tacho__foreign_query *query)
{
	struct nvprof_db *nvprof = user;
	struct tacho__foreign_command command = {.kind = TACHO_COMMAND_KERNEL};
	int64_t extra = 0;
	int rc = take_place(nvprof, query, &command);

	if (!rc)
		rc = find_kernel(nvprof, query, &command);
	if (!rc)
		rc = tacho__foreign_text(nvprof->foreign, "kernel", &command.name);
	tacho__cuda_row_sizes(query, OWN + 1, OWN + 4, &command);
	take_queue_times(nvprof, query, &command);
	command.values = nvprof->has_values ? command.link : 0;
	if (tacho__foreign_query_int(query, OWN + 10, &extra) && extra > 0) {
		command.has_extra_local = 1;
		command.extra_local_bytes = (uint64_t)extra;
	}
	return rc ? rc : tacho__foreign_add_command(nvprof->foreign, &command);
}

static int take_transfer(void *user, const struct tacho__foreign_query *query)
{
	struct nvprof_db *nvprof = user;
	struct tacho__foreign_command command = {0};
	const char *name = "memset";
	int64_t bytes, kind;
	int rc = take_place(nvprof, query, &command);

	command.kind = TACHO_COMMAND_FILL;
	if (tacho__foreign_query_int(query, OWN + 1, &kind))
		command.kind = tacho__cuda_copy(kind, &name);
	if (tacho__foreign_query_int(query, OWN, &bytes) && bytes >= 0) {
		command.has_bytes = 1;
		command.bytes = (uint64_t)bytes;
	}
	if (!rc)
		rc = tacho__foreign_text(nvprof->foreign, name, &command.name);
	return rc ? rc : tacho__foreign_add_command(nvprof->foreign, &command);
}

static int read_all_work(struct nvprof_db *nvprof)
{
	static const char *const kernels[] = {PLACE_COLUMNS,
					      "name",
					      "gridX",
					      "gridY",
					      "gridZ",
					      "blockX",
					      "blockY",
					      "blockZ",
					      "registersPerThread",
					      "staticSharedMemory",
					      "localMemoryPerThread",
					      "dynamicSharedMemory",
					      "queued",
					      "submitted"};
	static const char *const transfers[] = {PLACE_COLUMNS, "bytes", "copyKind"};
	int rc = tacho__foreign_db_each_row(nvprof->db, TABLE "CONCURRENT_KERNEL", kernels,
					    TACHO__ARRAY_SIZE(kernels), take_kernel, nvprof);

	if (!rc)
		rc = tacho__foreign_db_each_row(nvprof->db, TABLE "KERNEL", kernels,
						TACHO__ARRAY_SIZE(kernels), take_kernel, nvprof);
	if (!rc)
		rc = tacho__foreign_db_each_row(nvprof->db, TABLE "MEMCPY", transfers, OWN + 2,
						take_transfer, nvprof);
	if (!rc) /* between devices */
		rc = tacho__foreign_db_each_row(nvprof->db, TABLE "MEMCPY2", transfers, OWN + 2,
						take_transfer, nvprof);
	return rc ? rc
		  : tacho__foreign_db_each_row(nvprof->db, TABLE "MEMSET", transfers, OWN + 1,
					       take_transfer, nvprof);
}

/* ---- the file ---- */

static void note_what_lacks(struct nvprof_db *nvprof)
{
	struct tacho__foreign *foreign = nvprof->foreign;

	if (!nvprof->rows)
		foreign->recording->run.why_empty =
			"The file holds no CUDA call and no work of a device.";
	if (!nvprof->has_queue_times)
		tacho__foreign_note(foreign,
				    "When work was queued and submitted is not in this file.");
	if (nvprof->unnamed)
		tacho__foreign_note(foreign,
				    "Such files have numbers for functions: of %" PRIu64
				    " the name is not known, \"cbid\".",
				    nvprof->unnamed);
}

int tacho__nvprof_find_string(const struct tacho__nvprof_file *file, int64_t id,
			      const char **out_text)
{
	int rc = tacho__foreign_query_again(file->strings, id);

	if (!rc)
		rc = tacho__foreign_query_next(file->strings);
	*out_text = rc == 1 ? tacho__foreign_query_text(file->strings, 0) : "";
	return rc < 0 ? rc : 0;
}

static int read_markers(struct nvprof_db *nvprof)
{
	const struct tacho__nvprof_file file = file_of(nvprof);

	return tacho__nvprof_read_markers(&file, &nvprof->markers);
}

static int read_values(struct nvprof_db *nvprof)
{
	int rc = nvprof->has_values ? find_process(nvprof, 0) : 0;
	const struct tacho__nvprof_file file = file_of(nvprof);

	return rc ? rc : tacho__nvprof_read_values(&file);
}

/* Of devices and contexts, and of the tool's own work, nothing is missed. */
static int note_tables(struct nvprof_db *nvprof)
{
	static const char *const known[] = {TABLE "CONCURRENT_KERNEL",
					    TABLE "KERNEL",
					    TABLE "MEMCPY",
					    TABLE "MEMSET",
					    TABLE "RUNTIME",
					    TABLE "DRIVER",
					    TABLE "EVENT",
					    TABLE "METRIC",
					    TABLE "MARKER",
					    TABLE "DEVICE",
					    TABLE "CONTEXT",
					    TABLE "FUNCTION",
					    TABLE "MODULE",
					    TABLE "OVERHEAD",
					    TABLE "SYNCHRONIZATION",
					    "StringTable",
					    "Version",
					    "sqlite_"};

	return tacho__foreign_note_tables(nvprof->foreign, nvprof->db, known,
					  TACHO__ARRAY_SIZE(known));
}

static int read_all(struct nvprof_db *nvprof)
{
	static const char *const columns[] = {"value"};
	int rc = tacho__foreign_query_open(nvprof->db, "StringTable", columns, 1,
					   " WHERE \"_id_\" = ?", &nvprof->strings);

	tacho__foreign_set_epoch(nvprof->foreign, 0); /* its times count from 1970 */
	if (!rc)
		rc = read_calls(nvprof, TABLE "RUNTIME", false);
	if (!rc)
		rc = read_calls(nvprof, TABLE "DRIVER", true);
	nvprof->has_values = tacho__nvprof_has_values(nvprof->db);
	if (!rc)
		rc = read_all_work(nvprof);
	if (!rc)
		rc = read_values(nvprof);
	if (!rc)
		rc = read_markers(nvprof);
	tacho__foreign_query_close(&nvprof->strings);
	for (int i = 0; i < 2; i++)
		tacho__map_finish(&nvprof->functions[i]);
	note_what_lacks(nvprof);
	if (!rc)
		rc = note_tables(nvprof);
	return rc ? rc : tacho__foreign_set_tool(nvprof->foreign, "nvprof");
}

static int read_file(struct tacho__foreign *foreign, const struct tacho__foreign_file *file)
{
	struct nvprof_db nvprof = {.foreign = foreign, .db = file->db, .file = file->number};

	return file->db ? read_all(&nvprof) : 0;
}

const struct tacho__foreign_reader tacho__foreign_nvprof_db = {
	.name = "nvprof-sqlite",
	.title = "nvprof, databases",
	.fits = fits,
	.read_file = read_file,
};
