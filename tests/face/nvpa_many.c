/* SPDX-License-Identifier: MIT */
/*
 * As many ranges as a session holds and some more, a stack as deep as it can be and deeper, and the
 * largest ids: what is over the limits is counted, and everything else has its value.
 */
#include <stdio.h>
#include <stdlib.h>

#include "nvperfapi_user_impl.h"
#include "tacho/sim.h"

/* What a session holds unless it is told otherwise; fewer where everything takes longer. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { MOST_RANGES = 60000 };
#else
enum { MOST_RANGES = 1 << 20 };
#endif
enum { MOST_LEVELS = 64, MORE_RANGES = 10, MORE_LEVELS = 6 };

static void *ctx;
static NVPA_MetricId metric;

#define EXPECT(condition)                                                         \
	do {                                                                      \
		if (!(condition)) {                                               \
			printf("line %d: not so: %s; %s\n", __LINE__, #condition, \
			       NVPA_GetErrorText());                              \
			exit(1);                                                  \
		}                                                                 \
	} while (0)

static void submit(unsigned warps)
{
	struct tacho_sim_work work = {
		.size = sizeof(work), .grid = {32 * warps}, .workgroup = {32}, .duration_ns = 1};

	EXPECT(!tacho_sim_submit(ctx, &work, NULL));
}

static NVPA_Config *make_config(void)
{
	NVPA_ActivityOptions *options = NULL;
	NVPA_MetricOptions *pipelined = NULL;
	NVPA_Activity *activity = NULL;
	NVPA_Config *config = NULL;
	size_t device = 0, passes = 0;

	EXPECT(!NVPA_Context_GetDeviceIndex(ctx, 0, &device));
	EXPECT(!NVPA_ActivityOptions_Create(&options));
	EXPECT(!NVPA_ActivityOptions_SetActivityKind(options, NVPA_ACTIVITY_KIND_PROFILER));
	EXPECT(!NVPA_Activity_CreateForDevice(device, options, &activity));
	EXPECT(!NVPA_ActivityOptions_Destroy(options));
	EXPECT(!NVPA_MetricOptions_Create(&pipelined));
	EXPECT(!NVPA_MetricOptions_SetSerialized(pipelined, false));
	/* of one unit with one instance: a million values are a million numbers */
	EXPECT(!NVPA_Activity_FindMetricByName(activity, "gpu__time_duration", &metric));
	EXPECT(!NVPA_Activity_EnableMetric(activity, metric, pipelined, NULL));
	EXPECT(!NVPA_MetricOptions_Destroy(pipelined));
	EXPECT(!NVPA_Config_Create(activity, &config));
	EXPECT(!NVPA_Activity_Destroy(activity));
	EXPECT(!NVPA_Config_GetPassCount(config, MOST_LEVELS, &passes) && passes == 1);
	return config;
}

static double get(const NVPA_Results *results, const uint64_t *ids, size_t depth)
{
	NVPA_Value value;
	size_t range;

	EXPECT(!NVPA_Results_FindRange(results, ids, depth, &range));
	EXPECT(!NVPA_Results_GetValue(results, range, metric, false, &value));
	EXPECT(value.state == NVPA_VALUE_OK);
	return value.number;
}

/* Ranges from the largest id down; every 1000th has a work of 1 ns. */
static void many(NVPA_Config *config)
{
	NVPA_SessionOptions options = {sizeof(options), 0, 0, false};
	NVPA_Results *results = NULL;
	uint64_t lost = 0, id;
	size_t count = 0;

	if (MOST_RANGES < 1 << 20)
		options.maxRanges = MOST_RANGES;
	EXPECT(!NVPA_Context_BeginSessionWithOptions(ctx, config, &options));
	EXPECT(!NVPA_Context_BeginPass(ctx));
	for (uint64_t i = 0; i < MOST_RANGES + MORE_RANGES; i++) {
		EXPECT(!NVPA_Object_PushRange(ctx, UINT64_MAX - i));
		if (i % 1000 == 0)
			submit(1);
		EXPECT(!NVPA_Object_PopRange(ctx));
	}
	EXPECT(!NVPA_Context_EndPass(ctx));
	EXPECT(!NVPA_Context_ReadResults(ctx, &results));
	EXPECT(!NVPA_Context_EndSession(ctx));
	EXPECT(!NVPA_Results_GetRangeCount(results, &count) && count == MOST_RANGES);
	EXPECT(!NVPA_Results_GetLostRangeCount(results, &lost) && lost == MORE_RANGES);
	id = UINT64_MAX;
	EXPECT(get(results, &id, 1) == 1);
	id = UINT64_MAX - 1;
	EXPECT(get(results, &id, 1) == 0);
	id = UINT64_MAX - 50000;
	EXPECT(get(results, &id, 1) == 1);
	id = UINT64_MAX - MOST_RANGES;
	EXPECT(NVPA_Results_FindRange(results, &id, 1, &count) == NVPA_STATUS_INVALID_ARGUMENT);
	EXPECT(!NVPA_Results_Destroy(results));
	printf("%d ranges, %d lost\n", MOST_RANGES, MORE_RANGES);
}

/* Each level has a work of 1 ns; what is too deep is in no range but the last that is not. */
static void deep(NVPA_Config *config)
{
	uint64_t ids[MOST_LEVELS + MORE_LEVELS], lost = 0;
	NVPA_Results *results = NULL;
	size_t count = 0;

	EXPECT(!NVPA_Context_BeginSession(ctx, config));
	EXPECT(!NVPA_Context_BeginPass(ctx));
	for (unsigned i = 0; i < MOST_LEVELS + MORE_LEVELS; i++) {
		ids[i] = UINT64_MAX - i % 2;
		EXPECT(!NVPA_Object_PushRange(ctx, ids[i]));
		submit(1);
	}
	EXPECT(!NVPA_Context_EndPass(ctx));
	EXPECT(!NVPA_Context_ReadResults(ctx, &results));
	EXPECT(!NVPA_Context_EndSession(ctx));
	EXPECT(!NVPA_Results_GetRangeCount(results, &count) && count == MOST_LEVELS);
	EXPECT(!NVPA_Results_GetLostRangeCount(results, &lost) && lost == MORE_LEVELS);
	EXPECT(get(results, ids, 1) == 1 && get(results, ids, MOST_LEVELS - 1) == 1);
	EXPECT(NVPA_Results_FindRange(results, ids, MOST_LEVELS + 1, &count) ==
	       NVPA_STATUS_INVALID_ARGUMENT);
	EXPECT(get(results, ids, MOST_LEVELS) == 1 + MORE_LEVELS);
	printf("%d levels, %d lost\n", MOST_LEVELS, MORE_LEVELS);
	EXPECT(!NVPA_Results_Destroy(results));
}

int main(void)
{
	NVPA_Config *config;

	EXPECT(!NVPA_Sim_CreateContext("h200", &ctx));
	config = make_config();
	deep(config);
	many(config);
	EXPECT(!NVPA_Config_Destroy(config));
	EXPECT(!NVPA_UnregisterContext(ctx));
	return 0;
}
