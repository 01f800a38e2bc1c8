/* SPDX-License-Identifier: MIT */
/* Databases that Nsight Systems exports ("nsys export --type sqlite"): what is told of the run. */
#include "format/foreign/nsys.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"

#define KERNELS	 "CUPTI_ACTIVITY_KIND_KERNEL"
#define CALLS	 "CUPTI_ACTIVITY_KIND_RUNTIME"
#define COPIES	 "CUPTI_ACTIVITY_KIND_MEMCPY"
#define SESSION	 "TARGET_INFO_SESSION_START_TIME"
#define STREAMS	 "TARGET_INFO_CUDA_STREAM"
#define META	 "META_DATA_EXPORT"
#define OLD_META "EXPORT_META_DATA"

static bool fits(const struct tacho__foreign_file *file)
{
	static const char *const tables[] = {CALLS, KERNELS,  COPIES, SESSION,
					     META,  OLD_META, STREAMS};

	if (!file->db || !tacho__foreign_db_has(file->db, "StringIds"))
		return false;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (tacho__foreign_db_has(file->db, tables[i]))
			return true;
	return false;
}

/* ---- names ---- */

int tacho__nsys_text(struct tacho__nsys *nsys, const struct tacho__foreign_query *query, int column,
		     uint32_t *out_text)
{
	uintptr_t known;
	int64_t id;
	int rc;

	*out_text = 0;
	if (!tacho__foreign_query_int(query, column, &id))
		return 0;
	known = (uintptr_t)tacho__map_get(&nsys->texts, (uint64_t)id);
	if (!known) {
		rc = tacho__foreign_query_again(&nsys->strings, id);
		if (!rc)
			rc = tacho__foreign_query_next(&nsys->strings);
		if (rc <= 0)
			return rc;
		rc = tacho__foreign_text(nsys->foreign,
					 tacho__foreign_query_text(&nsys->strings, 0), out_text);
		return rc ? rc
			  : tacho__map_set(&nsys->texts, (uint64_t)id,
					   (void *)(uintptr_t)*out_text);
	}
	*out_text = (uint32_t)known;
	return 0;
}

/* Bits 63-56 a machine, 55-48 a virtual one, 47-24 the process, 23-0 the thread. */
uint64_t tacho__nsys_process_key(const struct tacho__nsys *nsys, int64_t global)
{
	return nsys->capture << 40 | (uint64_t)global >> 24;
}

int tacho__nsys_process(struct tacho__nsys *nsys, int64_t global, uint32_t *out_process)
{
	return tacho__foreign_process(nsys->foreign, tacho__nsys_process_key(nsys, global),
				      (uint32_t)((uint64_t)global >> 24 & 0xffffff), out_process);
}

/* ---- things ---- */

static void put_number(struct tacho__buf *text, const char *key,
		       const struct tacho__foreign_query *query, int column)
{
	int64_t value;

	if (tacho__foreign_query_int(query, column, &value) && value > 0)
		tacho__buf_printf(text, "%s=%" PRIi64 "\n", key, value);
}

static void put_text(struct tacho__buf *text, const char *key,
		     const struct tacho__foreign_query *query, int column)
{
	const char *value = tacho__foreign_query_text(query, column);

	if (*value && !strchr(value, '\n'))
		tacho__buf_printf(text, "%s=%s\n", key, value);
}

/* What is known of a GPU by its number in the file, which need not be the runtime's. */
static int describe_device(struct tacho__nsys *nsys, int64_t id, struct tacho__buf *text)
{
	static const char *const columns[] = {"name",	      "busLocation",  "smCount",
					      "computeMajor", "computeMinor", "totalMemory",
					      "uuid"};
	struct tacho__foreign_query query = {0};
	struct tacho__buf rest = {0};
	int64_t minor = 0;
	int rc = TACHO_E_NOMEM;

	tacho__buf_printf(&rest, " WHERE \"%s\" = ?", nsys->gpu_key);
	if (!rest.failed)
		rc = tacho__foreign_query_open(nsys->db, nsys->gpu_table, columns, 7, rest.text,
					       &query);
	tacho__buf_finish(&rest);
	if (!rc)
		rc = tacho__foreign_query_again(&query, id);
	if (!rc)
		rc = tacho__foreign_query_next(&query);
	if (rc == 1) {
		put_text(text, "name", &query, 0);
		put_text(text, "pci", &query, 1);
		put_number(text, "compute_units", &query, 2);
		tacho__foreign_query_int(&query, 4, &minor);
		if (tacho__foreign_query_get(&query, 3) > 0)
			tacho__buf_printf(text, "compute_capability=%" PRIi64 ".%" PRIi64 "\n",
					  tacho__foreign_query_get(&query, 3), minor);
		put_number(text, "memory_bytes", &query, 5);
		put_text(text, "uuid", &query, 6);
	} else if (!rc) {
		tacho__buf_printf(text, "name=GPU %" PRIi64 "\n", id);
	}
	tacho__foreign_query_close(&query);
	return rc < 0 ? rc : 0;
}

int tacho__nsys_device(struct tacho__nsys *nsys, uint32_t process, int64_t id, uint32_t *out_device)
{
	uint64_t handle = (uint64_t)id + 1;
	struct tacho__buf text = {0};
	int rc = 0;

	*out_device = tacho__foreign_find(nsys->foreign, process, TACHO_OBJECT_DEVICE, handle);
	if (*out_device)
		return 0;
	tacho__buf_printf(&text, "type=gpu\nvendor=NVIDIA\nnumber=%" PRIi64 "\n", id);
	if (nsys->gpu_table)
		rc = describe_device(nsys, id, &text);
	else
		tacho__buf_printf(&text, "name=GPU %" PRIi64 "\n", id);
	if (!rc)
		rc = tacho__foreign_thing(nsys->foreign, process, TACHO_OBJECT_DEVICE, handle,
					  &text, out_device);
	tacho__buf_finish(&text);
	return rc;
}

/* ---- the run ---- */

/* "Nsight Systems 2024.5.1.113 (schema 3.13.2)" */
static int read_version(struct tacho__nsys *nsys)
{
	static const char *const columns[] = {"name", "value"};
	const char *table = tacho__foreign_db_has(nsys->db, META) ? META : OLD_META;
	struct tacho__buf product = {0}, schema = {0}, text = {0};
	struct tacho__foreign_query query;
	int rc = tacho__foreign_query_open(nsys->db, table, columns, 2, "", &query);

	while (!rc && (rc = tacho__foreign_query_next(&query)) == 1) {
		const char *name = tacho__foreign_query_text(&query, 0);
		struct tacho__buf *into = !strcmp(name, "EXPORT_PRODUCT_VERSION")  ? &product
					  : !strcmp(name, "EXPORT_SCHEMA_VERSION") ? &schema
										   : NULL;

		if (into && !into->size)
			tacho__buf_put(into, tacho__foreign_query_text(&query, 1));
		rc = 0;
	}
	tacho__foreign_query_close(&query);
	tacho__buf_printf(&text, "Nsight Systems%s%s, SQLite export", product.size ? " " : "",
			  tacho__buf_text(&product));
	if (schema.size)
		tacho__buf_printf(&text, " of schema %s", schema.text);
	else
		tacho__buf_put(&text, " without a schema version");
	if (!rc)
		rc = product.failed || schema.failed || text.failed
			     ? TACHO_E_NOMEM
			     : tacho__foreign_set_tool(nsys->foreign, text.text);
	tacho__buf_finish(&product);
	tacho__buf_finish(&schema);
	tacho__buf_finish(&text);
	return rc;
}

static int read_epoch(struct tacho__nsys *nsys)
{
	static const char *const columns[] = {"utcEpochNs"};
	struct tacho__foreign_query query;
	int64_t ns;
	int rc = tacho__foreign_query_open(nsys->db, SESSION, columns, 1, "", &query);

	if (!rc)
		rc = tacho__foreign_query_next(&query);
	if (rc == 1 && tacho__foreign_query_int(&query, 0, &ns))
		tacho__foreign_set_epoch(nsys->foreign, ns);
	tacho__foreign_query_close(&query);
	return rc < 0 ? rc : 0;
}

/* Names of those processes that did something. */
static int read_processes(struct tacho__nsys *nsys)
{
	static const char *const columns[] = {"globalPid", "name"};
	struct tacho__foreign_query query;
	int64_t global;
	int rc = tacho__foreign_query_open(nsys->db, "PROCESSES", columns, 2, "", &query);

	while (!rc && (rc = tacho__foreign_query_next(&query)) == 1) {
		uintptr_t known = 0;

		if (tacho__foreign_query_int(&query, 0, &global))
			known = (uintptr_t)tacho__map_get(&nsys->foreign->processes,
							  tacho__nsys_process_key(nsys, global));
		rc = known ? tacho__foreign_name_process(nsys->foreign, (uint32_t)known - 1,
							 tacho__foreign_query_text(&query, 1))
			   : 0;
	}
	tacho__foreign_query_close(&query);
	return rc;
}

/* Early versions have another table. */
static void find_devices(struct tacho__nsys *nsys)
{
	if (tacho__foreign_db_has(nsys->db, "TARGET_INFO_GPU")) {
		nsys->gpu_table = "TARGET_INFO_GPU";
		nsys->gpu_key = "id";
	} else if (tacho__foreign_db_has(nsys->db, "TARGET_INFO_CUDA_GPU")) {
		nsys->gpu_table = "TARGET_INFO_CUDA_GPU";
		nsys->gpu_key = "deviceId";
	}
}

/* Why there is no work of a device, as far as the tool said so. */
static int explain_empty(struct tacho__nsys *nsys)
{
	static const char *const columns[] = {"text"};
	struct tacho_run *run = &nsys->foreign->recording->run;
	struct tacho__foreign_query query;
	int rc = tacho__foreign_query_open(nsys->db, "DIAGNOSTIC_EVENT", columns, 1,
					   " ORDER BY \"severity\" DESC", &query);

	if (!rc)
		rc = tacho__foreign_query_next(&query);
	if (nsys->foreign->has_time)
		tacho__foreign_note(
			nsys->foreign,
			"The file has no kernel and no transfer: they were not traced.");
	else
		run->why_empty = "The file holds no CUDA call and no work of a device.";
	if (rc == 1 && *tacho__foreign_query_text(&query, 0))
		tacho__foreign_note(nsys->foreign, "Nsight Systems said: %.300s",
				    tacho__foreign_query_text(&query, 0));
	tacho__foreign_query_close(&query);
	return rc < 0 ? rc : 0;
}

/* The program is the process that made the first call. */
static int name_program(struct tacho__nsys *nsys)
{
	struct tacho_recording *recording = nsys->foreign->recording;

	if (recording->process_count)
		recording->run.application = recording->processes[0]->process.executable;
	return 0;
}

static int note_what_lacks(struct tacho__nsys *nsys)
{
	struct tacho__foreign *foreign = nsys->foreign;

	if (!nsys->commands)
		return explain_empty(nsys);
	tacho__foreign_note(foreign,
			    "When work was queued and submitted, and what calls were given, "
			    "is not in such files.");
	tacho__foreign_note_count(
		foreign, nsys->unlinked,
		"piece of work names no call, such as migrations of unified memory.",
		"pieces of work name no call, such as migrations of unified memory.");
	tacho__foreign_note_count(foreign, nsys->graphs,
				  "launch of a graph was traced as a whole: its kernels are not in "
				  "the file (nsys profile --cuda-graph-trace=node).",
				  "launches of graphs were traced as a whole: their kernels are "
				  "not in the file (nsys profile --cuda-graph-trace=node).");
	return 0;
}

static int read_all(struct tacho__nsys *nsys)
{
	static int (*const parts[])(struct tacho__nsys *) = {read_version,
							     read_epoch,
							     tacho__nsys_read_calls,
							     tacho__nsys_read_kernels,
							     tacho__nsys_read_copies,
							     tacho__nsys_read_fills,
							     tacho__nsys_read_graphs,
							     tacho__nsys_read_ranges,
							     read_processes,
							     name_program,
							     note_what_lacks,
							     tacho__nsys_note_left};
	static const char *const columns[] = {"value"};
	int rc = tacho__foreign_query_open(nsys->db, "StringIds", columns, 1, " WHERE \"id\" = ?",
					   &nsys->strings);

	find_devices(nsys);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && !rc; i++)
		rc = parts[i](nsys);
	tacho__foreign_query_close(&nsys->strings);
	return rc;
}

static int read_file(struct tacho__foreign *foreign, const struct tacho__foreign_file *file)
{
	struct tacho__nsys nsys = {.foreign = foreign, .db = file->db, .capture = file->number};
	int rc = file->db ? read_all(&nsys) : 0;

	tacho__map_finish(&nsys.texts);
	tacho__map_finish(&nsys.results);
	tacho__map_finish(&nsys.domains);
	return rc;
}

const struct tacho__foreign_reader tacho__foreign_nsys = {
	.name = "nsys-sqlite",
	.title = "Nsight Systems, SQLite export",
	.fits = fits,
	.read_file = read_file,
};
