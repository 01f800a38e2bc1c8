/* SPDX-License-Identifier: MIT */
/*
 * The samples of NVIDIA's PerfWorks guide, which GUIDE_CODE names, in a context of nvpa_work.h:
 * the ranges have the values that the guide says. C and C++. Exits with 77 without a driver.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef GUIDE_EGL
#define GL_GLEXT_PROTOTYPES 1
#include <EGL/egl.h>
#include <GL/glcorearb.h>
#define GUIDE_ELEMENTS GL_POINTS, 6, GL_UNSIGNED_SHORT, NULL
#endif

#include "nvpa_work.h"
#include "nvperfapi_user_impl.h"

/* ---- what the samples take for granted ---- */

static const uint64_t MyRangeId = UINT64_MAX;
static void *guide_ctx;
static NVPA_Config *guide_config;
static NVPA_Results *guide_results;
static int bad;
static size_t runs;

static void expect(bool is_true, const char *what, int line)
{
	if (is_true)
		return;
	printf("line %d: not so: %s; the last error: %s\n", line, what, NVPA_GetErrorText());
	bad++;
}

#define EXPECT(condition) expect(condition, #condition, __LINE__)

static bool PredictDataReady(void *ctx)
{
	bool is_ready = true;

	EXPECT(!NVPA_Context_PredictDataReady(ctx, &is_ready));
	runs++;
	return is_ready;
}

static void ReadResults(void *ctx)
{
	EXPECT(!NVPA_Context_ReadResults(ctx, &guide_results));
}

static void gpu_commands_not_measured(void)
{
	work_do(1);
}

static void gpu_commands_measured(void)
{
	work_do(2);
}

/* Sums of these tell what is in them. */
enum { AA = 1 + 2, BB = 4 + 8, CC = 16 + 32, DD = 64 + 128, EE = 256 + 512, FF = 1024 + 2048 };
#define DRAW(name, n)                 \
	static void Draw_##name(void) \
	{                             \
		work_do(n);           \
	}
DRAW(AA_0, 1)
DRAW(AA_1, 2)
DRAW(BB_0, 4)
DRAW(BB_1, 8)
DRAW(CC_0, 16)
DRAW(CC_1, 32)
DRAW(DD_0, 64)
DRAW(DD_1, 128)
DRAW(EE_0, 256)
DRAW(EE_1, 512)
DRAW(FF_0, 1024)
DRAW(FF_1, 2048)
DRAW(GG_0, 4096)
DRAW(GG_1, 8192)

#include GUIDE_CODE

/* ---- what comes out ---- */

enum { TIMES = 4, METRICS = 6 };
/* Those of a kind that counts work come last. */
static const char *names[METRICS] = {"gpu__time_duration", "gpu__time_duration", "gpu__time_start",
				     "gpu__time_end"};
static bool serialized[METRICS] = {true, false, false, false, true, false};
static size_t metric_count = TIMES;

static NVPA_Value value_of(const uint64_t *ids, size_t depth, size_t metric)
{
	NVPA_Value value = {0, 0, false, NVPA_VALUE_ABSENT, 0, ""};
	NVPA_MetricId id = 0;
	const char *name = "";
	bool is_serialized = false;
	size_t range = 0;

	EXPECT(!NVPA_Config_GetMetric(guide_config, metric, &id, &is_serialized, &name));
	EXPECT(is_serialized == serialized[metric]);
	EXPECT(!NVPA_Results_FindRange(guide_results, ids, depth, &range));
	EXPECT(!NVPA_Results_GetValue(guide_results, range, id, is_serialized, &value));
	EXPECT(value.state == NVPA_VALUE_OK);
	if (value.state)
		printf("%s, mode %d: state %d, %s\n", name, is_serialized, (int)value.state,
		       value.note);
	return value;
}

static void expect_work(const uint64_t *ids, size_t depth, uint64_t in_serialized,
			uint64_t in_pipelined)
{
	if (!work_metric)
		return;
	for (size_t i = TIMES; i < METRICS; i++) {
		NVPA_Value value = value_of(ids, depth, i);
		uint64_t wanted = serialized[i] ? in_serialized : in_pipelined;

		printf("{%" PRIu64 "%s} %s %s: %.17g%s\n", ids[0], depth > 1 ? ", ..." : "",
		       serialized[i] ? "serialized" : "pipelined", names[i], value.number,
		       value.number == (double)wanted ? "" : " WRONG");
		bad += value.number != (double)wanted;
	}
}

/* The outer range has not the time of the inner one when pipelined, and has it when serialized. */
static void expect_times(void)
{
	static const uint64_t outer[1] = {200}, inner[2] = {200, 10};
	uint64_t least_ns = work_get_shortest_ns(256) + work_get_shortest_ns(512);
	uint64_t whole_ns = value_of(outer, 1, 0).whole, outer_ns = value_of(outer, 1, 1).whole;
	uint64_t inner_ns = value_of(inner, 2, 1).whole;
	uint64_t begin_ns = value_of(outer, 1, 2).whole, end_ns = value_of(outer, 1, 3).whole;

	printf("{200}: serialized %" PRIu64 " ns, pipelined %" PRIu64 " ns and %" PRIu64
	       " ns in {200, 10} of %" PRIu64 " ns\n",
	       whole_ns, outer_ns, inner_ns, end_ns - begin_ns);
	EXPECT(begin_ns < end_ns);
	EXPECT(outer_ns + inner_ns <= end_ns - begin_ns);
	EXPECT(inner_ns >= least_ns);
	EXPECT(whole_ns >= least_ns);
}

static void check_detailed(void)
{
	static const uint64_t bb[1] = {100}, outer[1] = {200}, inner[2] = {200, 10};
	size_t count = 0, passes = 0, pipelined_count = 0, serialized_count = 0;

	EXPECT(!NVPA_Config_GetPassCount(guide_config, 2, &passes));
	EXPECT(!NVPA_Config_GetPassCounts(guide_config, &pipelined_count, &serialized_count));
	printf("%zu runs: %zu pipelined passes and %zu serialized ones, twice\n", runs,
	       pipelined_count, serialized_count);
	EXPECT(runs == passes && passes == pipelined_count + 2 * serialized_count);
	EXPECT(!NVPA_Results_GetRangeCount(guide_results, &count) && count == 3);
	expect_work(bb, 1, BB, BB);
	expect_work(outer, 1, DD + EE + FF, DD + FF);
	expect_work(inner, 2, EE, EE);
	expect_times();
}

static void drop_results(void)
{
	EXPECT(!NVPA_Results_Destroy(guide_results));
	guide_results = NULL;
	runs = 0;
}

#ifdef GUIDE_ELEMENTS
/* The guide's example is one pass: the session is around it. */
static void run_egl(void)
{
	static const uint64_t a[1] = {'A'}, b[1] = {'B'};

	EXPECT(!NVPA_Context_BeginSession(guide_ctx, guide_config));
	do
		SimpleExample1_EGL();
	while (!PredictDataReady(guide_ctx));
	ReadResults(guide_ctx);
	EXPECT(!NVPA_Context_EndSession(guide_ctx));
	expect_work(a, 1, 12, 12);
	expect_work(b, 1, 6, 6);
	drop_results();
}
#else
static void run_egl(void)
{
	EXPECT(NVPA_EGL_PushRange('A') != NVPA_STATUS_SUCCESS);
	EXPECT(NVPA_EGL_PopRange() != NVPA_STATUS_SUCCESS);
}
#endif

int main(void)
{
	static const uint64_t mine[1] = {UINT64_MAX};
	const char *reason = "";

	guide_ctx = work_open(&reason);
	if (!guide_ctx) {
		printf("SKIP: %s\n", reason);
		return 77;
	}
	if (work_metric) {
		names[TIMES] = names[TIMES + 1] = work_metric;
		metric_count = METRICS;
	}
	guide_config = CreateConfig(metric_count, names, serialized);
	range_based_profiling();
	expect_work(mine, 1, 2, 2);
	drop_results();
	detailed_pseudo_code();
	check_detailed();
	drop_results();
	run_egl();
	EXPECT(!NVPA_Config_Destroy(guide_config));
	work_close();
	printf("%d bad\n", bad);
	return bad != 0;
}
