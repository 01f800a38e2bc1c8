/* SPDX-License-Identifier: MIT */
/*
 * What it costs to count launches through the ROCprofiler-SDK face: launches of an API that does
 * nothing, of which a tool wants four counters, or none.
 *
 *	dispatches simulated|commands|cpu COUNT ROUNDS
 *
 * Prints nanoseconds per launch, the median of the rounds and the lowest: while no context is
 * active, while one is and wants nothing of the launch, and with four counters in a LOSSLESS
 *buffer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "intercept/launch_devices.h"
#include "rocprofiler-sdk/registration.h"
#include "rocprofiler-sdk/rocprofiler.h"
#include "tests/unit/rocp_source.h"
#include "tests/unit/rocp_tool.h"

enum { BUFFER_BYTES = 1 << 20, ROUNDS_MAX = 1000 };

static const char *const command_counters[TOOL_COUNTERS] = {"device_time", "start_delay",
							    "work_items", "work_groups"};
static const char *const cpu_counters[TOOL_COUNTERS] = {"task-clock", "page-faults",
							"context-switches", "cpu-migrations"};

static struct {
	const char *const *names;
	rocprofiler_context_id_t context;
	rocprofiler_buffer_id_t buffer;
	rocprofiler_agent_id_t gpu;
	rocprofiler_counter_config_id_t config;
	size_t headers, values;
} bench;

static void check(rocprofiler_status_t status, const char *what)
{
	if (!status)
		return;
	fprintf(stderr, "dispatches: %s: %s\n", what, rocprofiler_get_status_string(status));
	exit(1);
}

static void on_launch(rocprofiler_dispatch_counting_service_data_t data,
		      rocprofiler_counter_config_id_t *config, rocprofiler_user_data_t *user_data,
		      void *unused)
{
	(void)data;
	(void)user_data;
	(void)unused;
	*config = bench.config;
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
			bench.values++;
		else
			bench.headers++;
}

static int initialize(rocprofiler_client_finalize_t finalize, void *unused)
{
	(void)finalize;
	(void)unused;
	if (!tool_list_gpus(&bench.gpu, 1))
		check(ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND, "agents");
	check(rocprofiler_create_context(&bench.context), "context");
	check(rocprofiler_create_buffer(bench.context, BUFFER_BYTES, BUFFER_BYTES / 2,
					ROCPROFILER_BUFFER_POLICY_LOSSLESS, on_records, NULL,
					&bench.buffer),
	      "buffer");
	check(rocprofiler_configure_buffer_dispatch_counting_service(bench.context, bench.buffer,
								     on_launch, NULL),
	      "service");
	return 0;
}

static rocprofiler_tool_configure_result_t *configure_tool(uint32_t version, const char *runtime,
							   uint32_t priority,
							   rocprofiler_client_id_t *id)
{
	static rocprofiler_tool_configure_result_t result = {sizeof(result), initialize, NULL,
							     NULL};

	(void)version;
	(void)runtime;
	(void)priority;
	(void)id;
	return &result;
}

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double run(size_t count)
{
	struct tacho__launch launch = source_launch();
	const struct source_end end = {.has_times = true};
	double start_ns = now_ns();

	for (size_t i = 0; i < count; i++)
		source_run(&launch, &end);
	return (now_ns() - start_ns) / (double)count;
}

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* Median and lowest, as cells of a table. */
static void print(double *values, size_t count, const char *end)
{
	qsort(values, count, sizeof(*values), compare);
	printf(" %.0f (%.0f) |%s", values[count / 2], values[0], end);
}

int main(int argc, char **argv)
{
	static double idle[ROUNDS_MAX], unwanted[ROUNDS_MAX], counted[ROUNDS_MAX];
	rocprofiler_counter_config_id_t config;
	size_t count, rounds;

	if (argc != 4 || !(count = strtoull(argv[2], NULL, 10)) ||
	    !(rounds = strtoull(argv[3], NULL, 10)) || rounds > ROUNDS_MAX) {
		fputs("usage: dispatches simulated|commands|cpu COUNT ROUNDS\n", stderr);
		return 2;
	}
	bench.names = tool_counters;
	if (!strcmp(argv[1], "simulated")) {
		setenv("TACHO_SIM", "mi300x", 1);
	} else {
		bool is_cpu = !strcmp(argv[1], "cpu");

		bench.names = is_cpu ? cpu_counters : command_counters;
		source_add_device(is_cpu ? TACHO__LAUNCH_DEVICE_CPU : TACHO__LAUNCH_DEVICE_GPU);
	}
	check(rocprofiler_force_configure(configure_tool), "tool");
	config = tool_make_config(bench.gpu, bench.names, TOOL_COUNTERS);
	if (!config.handle)
		check(ROCPROFILER_STATUS_ERROR_COUNTER_NOT_FOUND, "config");
	for (size_t i = 0; i < rounds; i++) {
		idle[i] = run(count);
		check(rocprofiler_start_context(bench.context), "start");
		bench.config.handle = 0;
		unwanted[i] = run(count);
		bench.config = config;
		counted[i] = run(count);
		check(rocprofiler_stop_context(bench.context), "stop");
	}
	check(rocprofiler_flush_buffer(bench.buffer), "flush");
	printf("| %s |", argv[1]);
	print(idle, rounds, "");
	print(unwanted, rounds, "");
	print(counted, rounds, "\n");
	return bench.headers == rounds * count ? 0 : 1;
}
