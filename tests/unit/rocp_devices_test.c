/* SPDX-License-Identifier: MIT */
/*
 * The process's own devices as agents of the ROCprofiler-SDK face: a driver for CPUs that runs
 * kernels on the thread that launches, and a GPU of which nothing but launches is known.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "face/rocprofiler/rocprofiler.h"
#include "intercept/launch_devices.h"
#include "record/wire.h"

#define OK ROCPROFILER_STATUS_SUCCESS

enum { API = 1, CPU_DEVICE = 111, GPU_DEVICE = 222, ROOM = 64, WORK_NS = 20000000 };

static size_t list_devices(struct tacho__launch_device *devices, size_t room)
{
	const struct tacho__launch_device own[] = {
		{.handle = CPU_DEVICE,
		 .name = "made-up cpu",
		 .vendor = "nobody",
		 .driver = "1.0",
		 .memory_bytes = 1 << 30,
		 .local_bytes = 65536,
		 .workgroup_max = 4096,
		 .compute_units = 3,
		 .clock_mhz = 2000,
		 .kind = TACHO__LAUNCH_DEVICE_CPU,
		 .api = API},
		{.handle = GPU_DEVICE,
		 .name = "made-up gpu",
		 .kind = TACHO__LAUNCH_DEVICE_GPU,
		 .api = API},
	};

	for (size_t i = 0; i < 2 && i < room; i++)
		devices[i] = own[i];
	return 2;
}

/* ---- the tool ---- */

static struct {
	rocprofiler_context_id_t contexts[3]; /* of agents 1 and 2 */
	rocprofiler_counter_config_id_t config;
	rocprofiler_counter_record_t records[ROOM];
	size_t count;
} tool;

static rocprofiler_agent_id_t agent_id(size_t index)
{
	return tacho__rocp_agent_get(index)->info.id;
}

static void choose(rocprofiler_context_id_t context, rocprofiler_agent_id_t agent,
		   rocprofiler_device_counting_agent_cb_t set_config, void *user_data)
{
	(void)agent;
	(void)user_data;
	assert_int_equal(set_config(context, tool.config), OK);
}

static int initialize(rocprofiler_client_finalize_t finalize, void *data)
{
	(void)finalize;
	(void)data;
	for (size_t i = 1; i <= 2; i++) {
		assert_int_equal(rocprofiler_create_context(&tool.contexts[i]), OK);
		assert_int_equal(rocprofiler_configure_device_counting_service(
					 tool.contexts[i], (rocprofiler_buffer_id_t){0},
					 agent_id(i), choose, NULL),
				 OK);
	}
	return 0;
}

static rocprofiler_tool_configure_result_t *
configure(uint32_t version, const char *text, uint32_t priority, rocprofiler_client_id_t *client)
{
	static rocprofiler_tool_configure_result_t result = {.size = sizeof(result),
							     .initialize = initialize};

	(void)version;
	(void)text;
	(void)priority;
	client->name = "test";
	return &result;
}

static int set_up(void **state)
{
	(void)state;
	unsetenv("TACHO_SIM");
	assert_true(tacho__launch_devices_add(list_devices));
	assert_int_equal(rocprofiler_force_configure(configure), OK);
	return 0;
}

/* ---- queries ---- */

struct counters {
	rocprofiler_counter_id_t ids[1024];
	size_t count;
};

static rocprofiler_status_t take_counters(rocprofiler_agent_id_t agent,
					  rocprofiler_counter_id_t *ids, size_t count, void *user)
{
	struct counters *counters = user;

	(void)agent;
	assert_true(count <= 1024);
	memcpy(counters->ids, ids, count * sizeof(*ids));
	counters->count = count;
	return OK;
}

/* 0: it has none of this name. */
static uint64_t find(size_t agent, const char *name)
{
	static struct counters counters;
	rocprofiler_counter_info_v1_t info;

	assert_int_equal(rocprofiler_iterate_agent_supported_counters(agent_id(agent),
								      take_counters, &counters),
			 OK);
	for (size_t i = 0; i < counters.count; i++) {
		assert_int_equal(rocprofiler_query_counter_info(counters.ids[i],
								ROCPROFILER_COUNTER_INFO_VERSION_1,
								&info),
				 OK);
		assert_true(*info.description != '\0');
		assert_int_equal(info.dimensions_instances_count, 1);
		if (!strcmp(info.name, name))
			return counters.ids[i].handle;
	}
	return 0;
}

static void test_agents(void **state)
{
	const struct tacho__rocp_agent *cpu = tacho__rocp_agent_get(1);
	const struct tacho__rocp_agent *gpu = tacho__rocp_agent_get(2);

	(void)state;
	assert_int_equal(tacho__rocp_agent_get(0)->info.type, ROCPROFILER_AGENT_TYPE_CPU);
	assert_null(tacho__rocp_agent_get(3));
	assert_int_equal(cpu->info.type, ROCPROFILER_AGENT_TYPE_GPU);
	assert_string_equal(cpu->info.name, "made-up cpu");
	assert_string_equal(cpu->info.vendor_name, "nobody");
	assert_int_equal(cpu->info.cu_count, 3);
	assert_int_equal(cpu->info.lds_size_in_kb, 64);
	assert_int_equal(cpu->info.workgroup_max_size, 4096);
	assert_int_equal(cpu->info.local_mem_size, 1 << 30);
	assert_int_equal(cpu->info.max_engine_clk_fcompute, 2000);
	assert_ptr_equal(tacho__rocp_agent_of_launch(API, CPU_DEVICE), cpu);
	assert_ptr_equal(tacho__rocp_agent_of_launch(API, GPU_DEVICE), gpu);
	assert_null(tacho__rocp_agent_of_launch(API, 333));
	assert_null(tacho__rocp_agent_of_launch(API + 1, CPU_DEVICE));
}

/* Where this process may not count itself, a driver for CPUs has what launches tell alone. */
static bool has_kernel_counters(void)
{
	struct tacho__rocp_edition *edition;
	bool has_device;

	assert_int_equal(tacho__rocp_edition_take(&edition), OK);
	has_device = tacho__rocp_edition_get(edition, tacho__rocp_agent_get(1))->device != NULL;
	tacho__rocp_edition_release(edition);
	return has_device;
}

static void test_counters(void **state)
{
	rocprofiler_counter_id_t created;

	(void)state;
	if (!has_kernel_counters())
		skip();
	assert_true(find(1, "task-clock") != 0); /* the kernel counts it everywhere */
	assert_true(find(1, "device_time") != 0);
	assert_true(find(1, "work_items") != 0);
	assert_int_equal(find(1, "transfer_bytes"), 0); /* no launch has it */
	assert_int_equal(find(1, "wavefronts"), 0);	/* nor is it told of */
	assert_int_equal(find(2, "task-clock"), 0);
	assert_true(find(2, "device_time") != 0);
	assert_true(find(2, "device_time") != find(1, "device_time"));
	assert_int_equal(rocprofiler_create_counter("N", 1, "work_items", 10, NULL, 0, agent_id(2),
						    &created),
			 ROCPROFILER_STATUS_ERROR_AGENT_ARCH_NOT_SUPPORTED);
}

/* ---- launches ---- */

static uint64_t cpu_time_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void work(void *user)
{
	uint64_t start = cpu_time_ns();

	(void)user;
	while (cpu_time_ns() - start < WORK_NS)
		continue;
}

static void ignore(void *user)
{
	(void)user;
}

static void launch(uint64_t device, uint64_t duration_ns, bool has_times)
{
	const struct tacho__held_calls calls = {.let_go = work, .release = ignore};
	const struct tacho__launch own = {.device = device,
					  .name = "kernel",
					  .grid = {100, 2, 1},
					  .workgroup = {64, 1, 1},
					  .local_bytes = 512,
					  .api = API};
	const struct tacho__launch_outcome outcome = {
		.why = "",
		.times = {.code = has_times ? TACHO__SLOT_TIMES : TACHO__SLOT_NO_PROFILING,
			  .queued = 100,
			  .submit = 150,
			  .start = 1000,
			  .end = 1000 + duration_ns}};
	struct tacho__held *held = tacho__launch_hold(&own, &calls, NULL);

	assert_non_null(held);
	tacho__launch_ready(held);
	tacho__launch_end(held, &outcome);
	tacho__launch_drop(held);
}

static void sample(size_t agent)
{
	tool.count = ROOM;
	assert_int_equal(rocprofiler_sample_device_counting_service(
				 tool.contexts[agent], (rocprofiler_user_data_t){.value = 0}, 0,
				 tool.records, &tool.count),
			 OK);
}

/* -1: it has no record. */
static double value_of(size_t agent, const char *name)
{
	uint64_t counter = find(agent, name);

	for (size_t i = 0; i < tool.count; i++)
		if (tool.records[i].id == counter << 48)
			return tool.records[i].counter_value;
	return -1;
}

static void start(size_t agent, const char *const *names, size_t count)
{
	rocprofiler_counter_id_t ids[16];

	for (size_t i = 0; i < count; i++)
		ids[i].handle = find(agent, names[i]);
	tool.config.handle = 0;
	assert_int_equal(
		rocprofiler_create_counter_config(agent_id(agent), ids, count, &tool.config), OK);
	assert_int_equal(rocprofiler_start_context(tool.contexts[agent]), OK);
}

/* Launches run on this thread, which worked between them, too: that is not counted. */
static void test_cpu(void **state)
{
	static const char *const names[] = {"task-clock", "work_items", "work_groups"};

	(void)state;
	if (!has_kernel_counters())
		skip();
	start(1, names, 3);
	sample(1);
	assert_int_equal(tool.count, 3);
	assert_true(value_of(1, "task-clock") == 0);
	launch(CPU_DEVICE, 500, true);
	work(NULL);
	work(NULL);
	work(NULL);
	work(NULL);
	launch(CPU_DEVICE, 500, true);
	sample(1);
	assert_int_equal(tool.count, 3);
	assert_true(value_of(1, "task-clock") > 1.5 * WORK_NS); /* two clocks */
	assert_true(value_of(1, "task-clock") < 4.0 * WORK_NS);
	assert_true(value_of(1, "work_items") == 400);
	assert_true(value_of(1, "work_groups") == 2 * 2 * 2); /* 100 / 64, rounded up */
	assert_int_equal(rocprofiler_stop_context(tool.contexts[1]), OK);
}

/* No session at all: sums of what launches tell. */
static void test_gpu(void **state)
{
	static const char *const names[] = {"device_time", "queued_delay", "submit_delay",
					    "start_delay", "local_memory", "work_items"};

	(void)state;
	start(2, names, 6);
	launch(GPU_DEVICE, 500, true);
	launch(GPU_DEVICE, 250, true);
	sample(2);
	assert_int_equal(tool.count, 6);
	assert_true(value_of(2, "device_time") == 750);
	assert_true(value_of(2, "queued_delay") == 100);
	assert_true(value_of(2, "submit_delay") == 1700);
	assert_true(value_of(2, "start_delay") == 1800);
	assert_true(value_of(2, "local_memory") == 512); /* of a work-group: no sum */
	/* a launch without times: the sum is not known any more, and never too small */
	launch(GPU_DEVICE, 250, false);
	sample(2);
	assert_int_equal(tool.count, 2);
	assert_true(value_of(2, "device_time") == -1);
	assert_true(value_of(2, "work_items") == 600);
	assert_int_equal(rocprofiler_stop_context(tool.contexts[2]), OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_agents),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_cpu),
		cmocka_unit_test(test_gpu),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
