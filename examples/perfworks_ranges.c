/* SPDX-License-Identifier: MIT */
/*
 * Ranges of PerfWorks, nested and measured in both modes, on a simulated H200. No GPU is needed:
 *
 *	eval "$(tacho env perfworks)"
 *	cc perfworks_ranges.c $(pkg-config --cflags --libs tacho) && ./a.out
 */
#include <stdio.h>
#include <stdlib.h>

#include <tacho/sim.h>

#include "nvperfapi_user_impl.h"

static const struct {
	const char *name;
	bool is_serialized;
} wanted[] = {
	{"sm__warps_launched_sum", true}, {"sm__warps_launched_sum", false},
	{"gpu__time_duration", true},	  {"gpu__time_duration", false},
	{"tex__sol_pct", true},
};
enum { WANTED = sizeof(wanted) / sizeof(wanted[0]) };

static void check(NVPA_Status status)
{
	if (!status)
		return;
	fprintf(stderr, "%s: %s\n", NVPA_GetStatusText(status), NVPA_GetErrorText());
	exit(EXIT_FAILURE);
}

/* In place of draws: each takes 1 us for a warp. */
static void work(void *ctx, unsigned warps)
{
	struct tacho_sim_work kernel = {.size = sizeof(kernel),
					.grid = {32 * warps},
					.workgroup = {32},
					.bytes_read = 65536 * warps,
					.duration_ns = 1000 * warps};

	if (tacho_sim_submit(ctx, &kernel, NULL))
		exit(EXIT_FAILURE);
}

static NVPA_Config *make_config(void *ctx)
{
	NVPA_ActivityOptions *kind = NULL;
	NVPA_MetricOptions *mode = NULL;
	NVPA_Activity *activity = NULL;
	NVPA_Config *config = NULL;
	NVPA_MetricId metric;
	size_t device;

	check(NVPA_Context_GetDeviceIndex(ctx, 0, &device));
	check(NVPA_ActivityOptions_Create(&kind));
	check(NVPA_ActivityOptions_SetActivityKind(kind, NVPA_ACTIVITY_KIND_PROFILER));
	check(NVPA_Activity_CreateForDevice(device, kind, &activity));
	check(NVPA_ActivityOptions_Destroy(kind));
	check(NVPA_MetricOptions_Create(&mode));
	for (int i = 0; i < WANTED; i++) {
		check(NVPA_MetricOptions_SetSerialized(mode, wanted[i].is_serialized));
		check(NVPA_Activity_FindMetricByName(activity, wanted[i].name, &metric));
		check(NVPA_Activity_EnableMetric(activity, metric, mode, NULL));
	}
	check(NVPA_MetricOptions_Destroy(mode));
	check(NVPA_Config_Create(activity, &config));
	check(NVPA_Activity_Destroy(activity));
	return config;
}

/* {100} and {200}, the latter with {200, 10} in it. */
static void run_pass(void *ctx)
{
	check(NVPA_Context_BeginPass(ctx));
	check(NVPA_Object_PushRange(ctx, 100));
	work(ctx, 10);
	check(NVPA_Object_PopRange(ctx));
	work(ctx, 1000); /* not measured */
	check(NVPA_Object_PushRange(ctx, 200));
	work(ctx, 20);
	check(NVPA_Object_PushRange(ctx, 10));
	work(ctx, 300);
	check(NVPA_Object_PopRange(ctx));
	work(ctx, 40);
	check(NVPA_Context_EndPass(ctx)); /* pops what is open */
}

static void print(const NVPA_Results *results, const NVPA_Config *config)
{
	NVPA_MetricId metric;
	NVPA_Range range;
	NVPA_Value value;
	size_t count;
	bool is_serialized;
	const char *name;

	check(NVPA_Results_GetRangeCount(results, &count));
	for (size_t i = 0; i < count; i++) {
		check(NVPA_Results_GetRange(results, i, &range));
		printf("range");
		for (size_t k = 0; k < range.depth; k++)
			printf(" %llu", (unsigned long long)range.pIds[k]);
		putchar('\n');
		for (size_t k = 0; k < WANTED; k++) {
			check(NVPA_Config_GetMetric(config, k, &metric, &is_serialized, &name));
			check(NVPA_Results_GetValue(results, i, metric, is_serialized, &value));
			printf("  %-22s %-10s %10.6g%s%s\n", name,
			       is_serialized ? "serialized" : "pipelined", value.number,
			       *value.note ? "  " : "", value.note);
		}
	}
}

int main(void)
{
	NVPA_Results *results = NULL;
	NVPA_Config *config;
	size_t pipelined, serialized, runs = 0;
	bool is_ready = false;
	void *ctx;

	check(NVPA_Sim_CreateContext("h200", &ctx));
	config = make_config(ctx);
	check(NVPA_Config_GetPassCounts(config, &pipelined, &serialized));
	check(NVPA_Context_BeginSession(ctx, config));
	for (; !is_ready; runs++) {
		run_pass(ctx);
		check(NVPA_Context_PredictDataReady(ctx, &is_ready));
	}
	check(NVPA_Context_Finish(ctx));
	check(NVPA_Context_ReadResults(ctx, &results));
	check(NVPA_Context_EndSession(ctx));
	printf("%zu pipelined pass, %zu serialized ones for each of 2 levels: %zu runs\n",
	       pipelined, serialized, runs);
	print(results, config);
	check(NVPA_Results_Destroy(results));
	check(NVPA_Config_Destroy(config));
	check(NVPA_UnregisterContext(ctx));
	return EXIT_SUCCESS;
}
