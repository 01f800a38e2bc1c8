/* SPDX-License-Identifier: MIT */
/* Databases of Nsight Systems: calls, kernels, transfers, named ranges. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "format/foreign/cuda_work.h"
#include "format/foreign/nsys.h"

#define API "cuda"

/* ---- calls ---- */

/* Names of the runtime's functions carry the version since which they are so: "_v3020". */
static void cut_version(char *name)
{
	char *at = strstr(name, "_v"), *end;

	for (; at; at = strstr(at + 1, "_v")) {
		end = at + 2;
		while (isdigit((unsigned char)*end))
			end++;
		if (end - at >= 6 && (!*end || *end == '_')) {
			memmove(at, end, strlen(end) + 1);
			return;
		}
	}
}

static int find_function(struct tacho__nsys *nsys, uint32_t text, struct tacho__map *functions,
			 uint32_t *out_function)
{
	char name[256];
	int rc;

	*out_function = (uint32_t)(uintptr_t)tacho__map_get(functions, text);
	if (*out_function)
		return 0;
	strncpy(name, text ? nsys->foreign->texts[text - 1] : "(no name)", sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	cut_version(name);
	rc = tacho__foreign_function(nsys->foreign, API, name, out_function);
	return rc ? rc : tacho__map_set(functions, text, (void *)(uintptr_t)*out_function);
}

static int take_result(struct tacho__nsys *nsys, const struct tacho__foreign_query *query,
		       int column, struct tacho__foreign_call *call)
{
	char text[32];
	int64_t value;
	int rc;

	if (!tacho__foreign_query_int(query, column, &value))
		return 0;
	call->failed = tacho__cuda_is_failure(value);
	call->result = (uint32_t)(uintptr_t)tacho__map_get(&nsys->results, (uint64_t)value);
	if (call->result)
		return 0;
	snprintf(text, sizeof(text), "%" PRIi64, value);
	rc = tacho__foreign_text(nsys->foreign, text, &call->result);
	return rc ? rc
		  : tacho__map_set(&nsys->results, (uint64_t)value,
				   (void *)(uintptr_t)call->result);
}

static int take_call(struct tacho__nsys *nsys, const struct tacho__foreign_query *query,
		     struct tacho__map *functions)
{
	struct tacho__foreign_call call = {0};
	int64_t global;
	uint32_t name;
	int rc;

	if (!tacho__foreign_query_int(query, 0, &call.start_ns) ||
	    !tacho__foreign_query_int(query, 2, &global))
		return 0;
	if (!tacho__foreign_query_int(query, 1, &call.end_ns))
		call.end_ns = call.start_ns;
	call.thread = (uint32_t)(global & 0xffffff);
	call.link = (uint64_t)tacho__foreign_query_get(query, 3);
	rc = tacho__nsys_process(nsys, global, &call.process);
	if (!rc)
		rc = tacho__nsys_text(nsys, query, 4, &name);
	if (!rc)
		rc = find_function(nsys, name, functions, &call.function);
	if (!rc)
		rc = take_result(nsys, query, 5, &call);
	return rc ? rc : tacho__foreign_add_call(nsys->foreign, &call);
}

int tacho__nsys_read_calls(struct tacho__nsys *nsys)
{
	static const char *const columns[] = {"start",	       "end",	 "globalTid",
					      "correlationId", "nameId", "returnValue"};
	struct tacho__map functions = {0};
	struct tacho__foreign_query query;
	int rc = tacho__foreign_query_open(nsys->db, "CUPTI_ACTIVITY_KIND_RUNTIME", columns, 6, "",
					   &query);

	while (!rc && (rc = tacho__foreign_query_next(&query)) == 1)
		rc = take_call(nsys, &query, &functions);
	tacho__foreign_query_close(&query);
	tacho__map_finish(&functions);
	return rc;
}

/* ---- work of devices ---- */

/* Columns that all tables of work have, in front of each one's own. */
#define PLACE_COLUMNS \
	"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid"

enum { PLACE_COLUMN_COUNT = 7 };

static int take_place(struct tacho__nsys *nsys, const struct tacho__foreign_query *query,
		      struct tacho__foreign_command *command)
{
	int64_t device = tacho__foreign_query_get(query, 2);
	int64_t global = tacho__foreign_query_get(query, 6), link = 0;
	int rc = tacho__nsys_process(nsys, global, &command->process);

	if (!rc)
		rc = tacho__nsys_device(nsys, command->process, device, &command->device);
	if (!rc)
		rc = tacho__cuda_queue(nsys->foreign, command->process,
				       (uint64_t)tacho__foreign_query_get(query, 3),
				       (uint64_t)tacho__foreign_query_get(query, 4),
				       (uint64_t)device, &command->queue);
	if (tacho__foreign_query_int(query, 5, &link))
		command->link = (uint64_t)link;
	nsys->commands++;
	nsys->unlinked += !command->link;
	command->state = TACHO_STATE_OK;
	if (!rc && (!tacho__foreign_query_int(query, 0, &command->start_ns) ||
		    !tacho__foreign_query_int(query, 1, &command->end_ns))) {
		command->state = TACHO_STATE_ABSENT;
		rc = tacho__foreign_text(nsys->foreign, "the file has no time for it",
					 &command->reason);
	}
	return rc;
}

static int name_command(struct tacho__nsys *nsys, struct tacho__foreign_command *command,
			enum tacho_command_kind kind, const char *name)
{
	command->kind = kind;
	return tacho__foreign_word(nsys->foreign, name, &command->name);
}

static int64_t get_fact(const struct tacho__foreign_query *query, int column)
{
	int64_t value;

	return tacho__foreign_query_int(query, column, &value) ? value : -1;
}

static int find_kernel(struct tacho__nsys *nsys, const struct tacho__foreign_query *query,
		       uint32_t name, struct tacho__foreign_command *command)
{
	const struct tacho__foreign_kernel kernel = {.process = command->process,
						     .name = name,
						     .registers = get_fact(query, 8),
						     .local_bytes = get_fact(query, 15),
						     .private_bytes = get_fact(query, 17)};

	return tacho__foreign_kernel(nsys->foreign, &kernel, &command->kernel);
}

static int take_kernel(void *user, const struct tacho__foreign_query *query)
{
	struct tacho__nsys *nsys = user;
	struct tacho__foreign_command command = {0};
	int64_t extra_bytes;
	uint32_t name;
	int rc = take_place(nsys, query, &command);

	if (!rc)
		rc = tacho__nsys_text(nsys, query, 7, &name);
	if (!rc)
		rc = find_kernel(nsys, query, name, &command);
	if (!rc)
		rc = name_command(nsys, &command, TACHO_COMMAND_KERNEL, "kernel");
	if (rc)
		return rc;
	tacho__cuda_row_sizes(query, 9, 12, &command);
	command.has_extra_local =
		tacho__foreign_query_int(query, 16, &extra_bytes) && extra_bytes > 0;
	command.extra_local_bytes = command.has_extra_local ? (uint64_t)extra_bytes : 0;
	return tacho__foreign_add_command(nsys->foreign, &command);
}

int tacho__nsys_read_kernels(struct tacho__nsys *nsys)
{
	static const char *const columns[] = {PLACE_COLUMNS,
					      "demangledName",
					      "registersPerThread",
					      "gridX",
					      "gridY",
					      "gridZ",
					      "blockX",
					      "blockY",
					      "blockZ",
					      "staticSharedMemory",
					      "dynamicSharedMemory",
					      "localMemoryPerThread"};

	return tacho__foreign_db_each_row(nsys->db, "CUPTI_ACTIVITY_KIND_KERNEL", columns,
					  PLACE_COLUMN_COUNT + 11, take_kernel, nsys);
}

static void take_bytes(const struct tacho__foreign_query *query, int column,
		       struct tacho__foreign_command *command)
{
	int64_t bytes;

	command->has_bytes = tacho__foreign_query_int(query, column, &bytes) && bytes >= 0;
	command->bytes = command->has_bytes ? (uint64_t)bytes : 0;
}

static int take_copy(void *user, const struct tacho__foreign_query *query)
{
	struct tacho__nsys *nsys = user;
	struct tacho__foreign_command command = {0};
	const char *name;
	enum tacho_command_kind kind = tacho__cuda_copy(tacho__foreign_query_get(query, 8), &name);
	int rc = take_place(nsys, query, &command);

	take_bytes(query, 7, &command);
	if (!rc)
		rc = name_command(nsys, &command, kind, name);
	return rc ? rc : tacho__foreign_add_command(nsys->foreign, &command);
}

int tacho__nsys_read_copies(struct tacho__nsys *nsys)
{
	static const char *const columns[] = {PLACE_COLUMNS, "bytes", "copyKind"};

	return tacho__foreign_db_each_row(nsys->db, "CUPTI_ACTIVITY_KIND_MEMCPY", columns,
					  PLACE_COLUMN_COUNT + 2, take_copy, nsys);
}

static int take_fill(void *user, const struct tacho__foreign_query *query)
{
	struct tacho__nsys *nsys = user;
	struct tacho__foreign_command command = {0};
	int rc = take_place(nsys, query, &command);

	take_bytes(query, 7, &command);
	if (!rc)
		rc = name_command(nsys, &command, TACHO_COMMAND_FILL, "memset");
	return rc ? rc : tacho__foreign_add_command(nsys->foreign, &command);
}

int tacho__nsys_read_fills(struct tacho__nsys *nsys)
{
	static const char *const columns[] = {PLACE_COLUMNS, "bytes"};

	return tacho__foreign_db_each_row(nsys->db, "CUPTI_ACTIVITY_KIND_MEMSET", columns,
					  PLACE_COLUMN_COUNT + 1, take_fill, nsys);
}

static int take_graph(void *user, const struct tacho__foreign_query *query)
{
	struct tacho__nsys *nsys = user;
	struct tacho__foreign_command command = {0};
	int rc = take_place(nsys, query, &command);

	nsys->graphs++;
	if (!rc)
		rc = name_command(nsys, &command, TACHO_COMMAND_OTHER, "graph");
	return rc ? rc : tacho__foreign_add_command(nsys->foreign, &command);
}

int tacho__nsys_read_graphs(struct tacho__nsys *nsys)
{
	static const char *const columns[] = {PLACE_COLUMNS};

	return tacho__foreign_db_each_row(nsys->db, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", columns,
					  PLACE_COLUMN_COUNT, take_graph, nsys);
}

/* ---- named ranges ---- */

/* eventType */
enum { NVTX_MARK = 34, NVTX_PUSH_POP = 59, NVTX_START_END = 60, NVTX_DOMAIN = 75 };

static const char *const nvtx_columns[] = {"start",  "end",	  "eventType", "text",
					   "textId", "globalTid", "domainId",  "color"};

/* The text itself, or the id of a string. */
static int take_name(struct tacho__nsys *nsys, const struct tacho__foreign_query *query,
		     uint32_t *out_name)
{
	const char *text = tacho__foreign_query_text(query, 3);

	return *text ? tacho__foreign_text(nsys->foreign, text, out_name)
		     : tacho__nsys_text(nsys, query, 4, out_name);
}

static uint64_t domain_key(uint32_t process, int64_t id)
{
	return (uint64_t)process << 32 | (uint32_t)id;
}

static int take_domain(struct tacho__nsys *nsys, const struct tacho__foreign_query *query)
{
	int64_t global = tacho__foreign_query_get(query, 5);
	uint32_t process, name;
	int rc = tacho__nsys_process(nsys, global, &process);

	if (!rc)
		rc = take_name(nsys, query, &name);
	if (rc || !name)
		return rc;
	return tacho__map_set(&nsys->domains,
			      domain_key(process, tacho__foreign_query_get(query, 6)),
			      (void *)(uintptr_t)name);
}

static int take_range(struct tacho__nsys *nsys, const struct tacho__foreign_query *query)
{
	struct tacho__foreign_range range = {0};
	int64_t type = tacho__foreign_query_get(query, 2), global = 0, color;
	int rc;

	if (!tacho__foreign_query_int(query, 0, &range.start_ns) ||
	    !tacho__foreign_query_int(query, 5, &global))
		return 0;
	range.kind = type == NVTX_MARK	      ? TACHO_RANGE_MARK
		     : type == NVTX_START_END ? TACHO_RANGE_PROCESS
					      : TACHO_RANGE_NESTED;
	range.thread = (uint32_t)(global & 0xffffff);
	range.has_end = tacho__foreign_query_int(query, 1, &range.end_ns);
	if (tacho__foreign_query_int(query, 7, &color)) {
		range.has_color = 1;
		range.color = (uint32_t)color;
	}
	rc = tacho__nsys_process(nsys, global, &range.process);
	if (!rc)
		rc = take_name(nsys, query, &range.name);
	if (!rc)
		rc = tacho__foreign_word(nsys->foreign, "nvtx", &range.api);
	range.domain = (uint32_t)(uintptr_t)tacho__map_get(
		&nsys->domains, domain_key(range.process, tacho__foreign_query_get(query, 6)));
	return rc ? rc : tacho__foreign_add_range(nsys->foreign, &range);
}

static int read_domains(struct tacho__nsys *nsys)
{
	struct tacho__foreign_query query;
	int rc = tacho__foreign_query_open(nsys->db, "NVTX_EVENTS", nvtx_columns, 8, "", &query);

	while (!rc && (rc = tacho__foreign_query_next(&query)) == 1)
		rc = tacho__foreign_query_get(&query, 2) == NVTX_DOMAIN ? take_domain(nsys, &query)
									: 0;
	tacho__foreign_query_close(&query);
	return rc;
}

int tacho__nsys_read_ranges(struct tacho__nsys *nsys)
{
	struct tacho__foreign_query query;
	int rc = read_domains(nsys);

	if (!rc)
		rc = tacho__foreign_query_open(nsys->db, "NVTX_EVENTS", nvtx_columns, 8, "",
					       &query);
	else
		return rc;
	while (!rc && (rc = tacho__foreign_query_next(&query)) == 1) {
		int64_t type = tacho__foreign_query_get(&query, 2);

		rc = type == NVTX_MARK || type == NVTX_PUSH_POP || type == NVTX_START_END
			     ? take_range(nsys, &query)
			     : 0;
	}
	tacho__foreign_query_close(&query);
	return rc;
}
