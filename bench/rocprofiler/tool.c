/* SPDX-License-Identifier: MIT */
/*
 * A tool of ROCprofiler-SDK for measurements: it has each launch on the first GPU agent counted,
 * in a LOSSLESS buffer. At the end it prints a line: what it was asked, what it got.
 *
 *	BENCH_COUNTERS	names, with commas between them; "": it is asked of each launch, and wants
 *			nothing; not set: it starts nothing
 */
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rocp_tool.h"

enum { BUFFER_BYTES = 1 << 20, NAMES_MAX = 16 };

static struct {
	rocprofiler_context_id_t context;
	rocprofiler_buffer_id_t buffer;
	rocprofiler_counter_config_id_t config;
	rocprofiler_agent_id_t gpu;
	const char *names[NAMES_MAX];
	size_t name_count;
	atomic_size_t asked;
	size_t headers, values;
} tool;

static void on_launch(rocprofiler_dispatch_counting_service_data_t data,
		      rocprofiler_counter_config_id_t *config, rocprofiler_user_data_t *user_data,
		      void *unused)
{
	(void)user_data;
	(void)unused;
	atomic_fetch_add(&tool.asked, 1);
	if (data.dispatch_info.agent_id.handle == tool.gpu.handle)
		*config = tool.config;
}

static void on_records(rocprofiler_context_id_t context, rocprofiler_buffer_id_t buffer,
		       rocprofiler_record_header_t **records, size_t count, void *unused,
		       uint64_t dropped)
{
	(void)context;
	(void)buffer;
	(void)unused;
	(void)dropped;
	for (size_t i = 0; i < count; i++)
		if (records[i]->kind == ROCPROFILER_COUNTER_RECORD_VALUE)
			tool.values++;
		else
			tool.headers++;
}

static void read_names(const char *text)
{
	static char own[1024];

	snprintf(own, sizeof(own), "%s", text);
	for (char *at = own; at && *at && tool.name_count < NAMES_MAX;) {
		char *end = strchr(at, ',');

		if (end)
			*end = '\0';
		tool.names[tool.name_count++] = at;
		at = end ? end + 1 : NULL;
	}
}

static int initialize(rocprofiler_client_finalize_t finalize, void *unused)
{
	const char *text = getenv("BENCH_COUNTERS");

	(void)finalize;
	(void)unused;
	if (!tool_list_gpus(&tool.gpu, 1) || rocprofiler_create_context(&tool.context) ||
	    rocprofiler_create_buffer(tool.context, BUFFER_BYTES, BUFFER_BYTES / 2,
				      ROCPROFILER_BUFFER_POLICY_LOSSLESS, on_records, NULL,
				      &tool.buffer) ||
	    rocprofiler_configure_buffer_dispatch_counting_service(tool.context, tool.buffer,
								   on_launch, NULL))
		return 1;
	if (!text)
		return 0;
	read_names(text);
	if (tool.name_count)
		tool.config = tool_make_config(tool.gpu, tool.names, tool.name_count);
	if (tool.name_count && !tool.config.handle) {
		fprintf(stderr, "bench tool: \"%s\" cannot be counted\n", text);
		return 1;
	}
	return rocprofiler_start_context(tool.context) ? 1 : 0;
}

static void finalize(void *unused)
{
	(void)unused;
	fprintf(stderr, "asked %zu headers %zu values %zu\n", atomic_load(&tool.asked),
		tool.headers, tool.values);
}

rocprofiler_tool_configure_result_t *rocprofiler_configure(uint32_t version, const char *runtime,
							   uint32_t priority,
							   rocprofiler_client_id_t *id)
{
	static rocprofiler_tool_configure_result_t result = {sizeof(result), initialize, finalize,
							     NULL};

	(void)version;
	(void)runtime;
	(void)priority;
	id->name = "bench";
	return &result;
}
