/* SPDX-License-Identifier: MIT */
/*
 * Several threads, each with contexts of its own, through one libnvperfapi.so: each has its own
 * numbers. The first calls of all load the library at the same time. One config is used by all.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nvperfapi_user_impl.h"
#include "tacho/sim.h"

/* Making a context takes the most time: it reads all definitions. */
enum { THREADS = 6, ROUNDS = 3, SESSIONS = 5, RANGES = 40 };

static pthread_barrier_t start;

#define EXPECT(condition)                                                         \
	do {                                                                      \
		if (!(condition)) {                                               \
			printf("line %d: not so: %s; %s\n", __LINE__, #condition, \
			       NVPA_GetErrorText());                              \
			exit(1);                                                  \
		}                                                                 \
	} while (0)

static void submit(void *ctx, unsigned warps)
{
	struct tacho_sim_work work = {.size = sizeof(work),
				      .grid = {32 * warps},
				      .workgroup = {32},
				      .per_wave = {.valu = 1}};

	EXPECT(!tacho_sim_submit(ctx, &work, NULL));
}

static NVPA_Config *make_config(void *ctx, NVPA_MetricId *out_metric)
{
	NVPA_ActivityOptions *options = NULL;
	NVPA_MetricOptions *pipelined = NULL;
	NVPA_Activity *activity = NULL;
	NVPA_Config *config = NULL;
	size_t device = 0;

	EXPECT(!NVPA_Context_GetDeviceIndex(ctx, 0, &device));
	EXPECT(!NVPA_ActivityOptions_Create(&options));
	EXPECT(!NVPA_ActivityOptions_SetActivityKind(options, NVPA_ACTIVITY_KIND_PROFILER));
	EXPECT(!NVPA_Activity_CreateForDevice(device, options, &activity));
	EXPECT(!NVPA_ActivityOptions_Destroy(options));
	EXPECT(!NVPA_MetricOptions_Create(&pipelined));
	EXPECT(!NVPA_MetricOptions_SetSerialized(pipelined, false));
	EXPECT(!NVPA_Activity_FindMetricByName(activity, "sm__warps_launched_sum", out_metric));
	EXPECT(!NVPA_Activity_EnableMetric(activity, *out_metric, NULL, NULL));
	EXPECT(!NVPA_Activity_EnableMetric(activity, *out_metric, pipelined, NULL));
	EXPECT(!NVPA_MetricOptions_Destroy(pipelined));
	EXPECT(!NVPA_Config_Create(activity, &config));
	EXPECT(!NVPA_Activity_Destroy(activity));
	return config;
}

/* Range 7 holds `seed` and one more warp in each range inside of it. */
static void run_pass(void *ctx, unsigned seed)
{
	EXPECT(!NVPA_Context_BeginPass(ctx));
	EXPECT(!NVPA_Object_PushRange(ctx, 7));
	submit(ctx, seed);
	for (unsigned i = 0; i < RANGES; i++) {
		EXPECT(!NVPA_Object_PushRange(ctx, i));
		submit(ctx, 1);
		EXPECT(!NVPA_Object_PopRange(ctx));
	}
	EXPECT(!NVPA_Context_EndPass(ctx));
}

static void check(const NVPA_Results *results, NVPA_MetricId metric, unsigned seed)
{
	static const uint64_t outer = 7, inner[2] = {7, 5};
	NVPA_Value value;
	size_t count = 0, range = 0;

	EXPECT(!NVPA_Results_GetRangeCount(results, &count) && count == RANGES + 1);
	EXPECT(!NVPA_Results_FindRange(results, &outer, 1, &range));
	EXPECT(!NVPA_Results_GetValue(results, range, metric, true, &value));
	EXPECT(value.state == NVPA_VALUE_OK && value.number == seed + RANGES);
	EXPECT(!NVPA_Results_GetValue(results, range, metric, false, &value));
	EXPECT(value.state == NVPA_VALUE_OK && value.number == seed);
	EXPECT(!NVPA_Results_FindRange(results, inner, 2, &range));
	EXPECT(!NVPA_Results_GetValue(results, range, metric, true, &value) && value.number == 1);
}

static void run_session(void *ctx, NVPA_Config *config, NVPA_MetricId metric, unsigned seed)
{
	NVPA_Results *results = NULL;
	bool is_ready = false;

	EXPECT(!NVPA_Context_BeginSession(ctx, config));
	for (int runs = 0; !is_ready; runs++) {
		EXPECT(runs < 3);
		run_pass(ctx, seed);
		EXPECT(!NVPA_Context_PredictDataReady(ctx, &is_ready));
	}
	EXPECT(!NVPA_Context_Finish(ctx));
	EXPECT(!NVPA_Context_ReadResults(ctx, &results));
	EXPECT(!NVPA_Context_EndSession(ctx));
	check(results, metric, seed);
	EXPECT(!NVPA_Results_Destroy(results));
}

/* Each failure is told to the thread that saw it. */
static void fail(unsigned seed)
{
	char model[16], text[64];
	void *ctx = NULL;

	snprintf(model, sizeof(model), "h%u", seed);
	snprintf(text, sizeof(text), "\"%s\"", model);
	EXPECT(NVPA_Sim_CreateContext(model, &ctx) && !ctx);
	EXPECT(strstr(NVPA_GetErrorText(), text));
}

/* Of the device that all have, made by one of the threads. */
static struct {
	NVPA_Config *config;
	NVPA_MetricId metric;
	void *ctx;
} shared;

static void make_shared(void)
{
	size_t count = 0;

	pthread_barrier_wait(&start);
	EXPECT(!NVPA_GetDeviceCount(&count) && !count);
	if (pthread_barrier_wait(&start) == PTHREAD_BARRIER_SERIAL_THREAD) {
		EXPECT(!NVPA_Sim_CreateContext("h200", &shared.ctx));
		shared.config = make_config(shared.ctx, &shared.metric);
	}
	pthread_barrier_wait(&start);
}

static void *work(void *argument)
{
	unsigned seed = *(unsigned *)argument;

	make_shared();
	for (unsigned i = 0; i < ROUNDS; i++) {
		NVPA_MetricId metric = 0;
		NVPA_Config *config;
		void *ctx = NULL;

		EXPECT(!NVPA_Sim_CreateContext("h200", &ctx));
		config = make_config(ctx, &metric);
		for (unsigned k = 0; k < SESSIONS; k++)
			run_session(ctx, k % 2 ? shared.config : config, metric, seed + i + k);
		EXPECT(metric == shared.metric);
		fail(seed);
		EXPECT(!NVPA_UnregisterContext(ctx));
		EXPECT(!NVPA_Config_Destroy(config));
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	unsigned seeds[THREADS];

	pthread_barrier_init(&start, NULL, THREADS);
	for (unsigned i = 0; i < THREADS; i++) {
		seeds[i] = 1000 * (i + 1);
		EXPECT(!pthread_create(&threads[i], NULL, work, &seeds[i]));
	}
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	EXPECT(!NVPA_Config_Destroy(shared.config));
	EXPECT(!NVPA_UnregisterContext(shared.ctx));
	printf("%d sessions\n", THREADS * ROUNDS * SESSIONS);
	return 0;
}
