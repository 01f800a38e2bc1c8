/* SPDX-License-Identifier: MIT */
/*
 * An OpenCL program that is a tool of ROCprofiler-SDK, too: it counts its device while it launches
 * on it. Prints sums over all instances.
 *
 *	device_count_cl [-p PLATFORM] ROUNDS COUNTER...
 *
 * In each round it launches 10 times 4096 work-items in groups of 64, and waits until the launches
 * that have been counted are as many. Values go on from round to round.
 */
#include "cl_program.h"

#include <string.h>
#include <time.h>

#include "rocprofiler-sdk/registration.h"
#include "rocprofiler-sdk/rocprofiler.h"

enum { LAUNCHES = 10, ITEMS = 4096, GROUP = 64, NAMES_MAX = 16, ROOM = 4096, WAIT_S = 20 };

static const char source[] = "kernel void work(global float *x) { size_t i = get_global_id(0);\n"
			     "float f = x[i]; for (int k = 0; k < 2000; k++) f = f * 0.9f + 1;\n"
			     "x[i] = f; }\n";

static struct {
	char **names;
	size_t count;
	rocprofiler_agent_id_t agent;
	rocprofiler_counter_id_t ids[NAMES_MAX];
	rocprofiler_context_id_t context;
	rocprofiler_counter_config_id_t config;
	rocprofiler_counter_record_t records[ROOM];
	double sums[NAMES_MAX];
} tool;

static void call(const char *what, rocprofiler_status_t status)
{
	if (!status)
		return;
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what,
		rocprofiler_get_status_string(status));
	exit(1);
}

/* ---- the tool ---- */

/* The first GPU agent. */
static rocprofiler_status_t take_agent(rocprofiler_agent_version_t version, const void **agents,
				       size_t count, void *user_data)
{
	for (size_t i = 0; i < count && !tool.agent.handle; i++) {
		const rocprofiler_agent_v0_t *agent = agents[i];

		if (agent->type == ROCPROFILER_AGENT_TYPE_GPU) {
			tool.agent = agent->id;
			printf("agent %s\n", agent->product_name);
		}
	}
	return ROCPROFILER_STATUS_SUCCESS;
}

static rocprofiler_status_t take_counters(rocprofiler_agent_id_t agent,
					  rocprofiler_counter_id_t *counters, size_t count,
					  void *user_data)
{
	for (size_t i = 0; i < count; i++) {
		rocprofiler_counter_info_v0_t info;

		call("info", rocprofiler_query_counter_info(
				     counters[i], ROCPROFILER_COUNTER_INFO_VERSION_0, &info));
		for (size_t k = 0; k < tool.count; k++)
			if (!strcmp(info.name, tool.names[k]))
				tool.ids[k] = counters[i];
	}
	return ROCPROFILER_STATUS_SUCCESS;
}

static void choose(rocprofiler_context_id_t context_id, rocprofiler_agent_id_t agent,
		   rocprofiler_device_counting_agent_cb_t set_config, void *user_data)
{
	call("set_config", set_config(context_id, tool.config));
}

static int initialize(rocprofiler_client_finalize_t finalize, void *data)
{
	call("agents",
	     rocprofiler_query_available_agents(ROCPROFILER_AGENT_INFO_VERSION_0, take_agent,
						sizeof(rocprofiler_agent_t), NULL));
	call("counters",
	     rocprofiler_iterate_agent_supported_counters(tool.agent, take_counters, NULL));
	call("config",
	     rocprofiler_create_counter_config(tool.agent, tool.ids, tool.count, &tool.config));
	call("context", rocprofiler_create_context(&tool.context));
	call("service", rocprofiler_configure_device_counting_service(tool.context,
								      (rocprofiler_buffer_id_t){0},
								      tool.agent, choose, NULL));
	return 0;
}

rocprofiler_tool_configure_result_t *rocprofiler_configure(uint32_t version,
							   const char *runtime_version,
							   uint32_t priority,
							   rocprofiler_client_id_t *client)
{
	static rocprofiler_tool_configure_result_t result = {.size = sizeof(result),
							     .initialize = initialize};

	client->name = "device_count_cl";
	return &result;
}

/* ---- the program ---- */

static void sample(void)
{
	size_t count = ROOM;

	call("sample", rocprofiler_sample_device_counting_service(
			       tool.context, (rocprofiler_user_data_t){.value = 0},
			       ROCPROFILER_COUNTER_FLAG_NONE, tool.records, &count));
	memset(tool.sums, 0, sizeof(tool.sums));
	for (size_t i = 0; i < count; i++) {
		rocprofiler_counter_id_t counter;

		call("id", rocprofiler_query_record_counter_id(tool.records[i].id, &counter));
		for (size_t k = 0; k < tool.count; k++)
			if (tool.ids[k].handle == counter.handle)
				tool.sums[k] += tool.records[i].counter_value;
	}
}

static void launch_all(void *kernel)
{
	const size_t items = ITEMS, group = GROUP;

	for (int i = 0; i < LAUNCHES; i++)
		check("clEnqueueNDRangeKernel",
		      cl.clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL,
						NULL));
	check("clFinish", cl.clFinish(queue));
}

/* The first counter tells how many launches are in a sample: it has `each` of every one. */
static void await(double expected)
{
	time_t start = time(NULL);

	do {
		sample();
	} while (tool.sums[0] < expected && time(NULL) - start < WAIT_S);
}

int main(int argc, char **argv)
{
	unsigned platform = 0;
	double each = 0;
	void *kernel;
	int rounds;

	if (argc > 2 && !strcmp(argv[1], "-p")) {
		platform = (unsigned)atoi(argv[2]);
		argv += 2;
		argc -= 2;
	}
	if (argc < 3 || argc - 2 > NAMES_MAX)
		return 2;
	rounds = atoi(argv[1]);
	tool.names = &argv[2];
	tool.count = (size_t)(argc - 2);
	set_up(platform, source);
	kernel = make_kernel(program, "work");
	set_buffer(kernel, 0, make_buffer(MEM_READ_WRITE, ITEMS * sizeof(float), NULL));
	launch_all(kernel); /* nothing counts yet */
	call("start", rocprofiler_start_context(tool.context));
	/* waves of 64, or work-items */
	each = strcmp(tool.names[0], "work_items") ? ITEMS / GROUP : ITEMS;
	for (int round = 1; round <= rounds; round++) {
		launch_all(kernel);
		await(each * LAUNCHES * round);
		printf("round %d", round);
		for (size_t i = 0; i < tool.count; i++)
			printf(" %s %.0f", tool.names[i], tool.sums[i]);
		printf("\n");
	}
	call("stop", rocprofiler_stop_context(tool.context));
	launch_all(kernel);
	return 0;
}
