/* SPDX-License-Identifier: MIT */
/*
 * The cost of NVPA_Object_PushRange and NVPA_Object_PopRange beyond the driver's own calls. Prints
 * rows of a Markdown table for RESULTS.md.
 *
 *	perfworks cl|gl|fake|sim [PAIRS [ROUNDS]]
 *
 * In each round PAIRS pairs (default 500) are issued by hand and as many through libnvperfapi.so,
 * which NVPERFAPI_LIBRARY names. Figures are medians of ROUNDS rounds (default 15). fake: an OpenCL
 * driver that does nothing, as tests/face has it; sim: a simulated H200, where there is nothing to
 * do by hand. Exits with 77 when there is no driver.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../gpa/gpa.h"
#include "fake.h"
#include "nvperfapi_user_impl.h"

enum { ROUNDS_MAX = 999 };

struct row {
	const char *name, *metric;
	bool is_serialized;
	bool has_own_ids; /* each pair is a range of its own; else all are the same one */
	const struct gpa_case *hand; /* NULL: there is nothing by hand */
	void (*by_hand)(unsigned samples);
};

static void *ctx;
static size_t device;
static unsigned samples = 500, rounds = 15;

void gpa_die(const char *what)
{
	fprintf(stderr, "perfworks: %s; %s\n", what, NVPA_GetErrorText());
	exit(1);
}

static void check(NVPA_Status status, const char *what)
{
	if (status)
		gpa_die(what);
}

#define CHECK(call) check(call, #call " failed")

static double now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static NVPA_Config *make_config(const struct row *row)
{
	NVPA_ActivityOptions *options = NULL;
	NVPA_MetricOptions *mode = NULL;
	NVPA_Activity *activity = NULL;
	NVPA_Config *config = NULL;
	NVPA_MetricId metric = 0;
	size_t passes = 0;

	CHECK(NVPA_ActivityOptions_Create(&options));
	CHECK(NVPA_ActivityOptions_SetActivityKind(options, NVPA_ACTIVITY_KIND_PROFILER));
	CHECK(NVPA_Activity_CreateForDevice(device, options, &activity));
	CHECK(NVPA_MetricOptions_Create(&mode));
	CHECK(NVPA_MetricOptions_SetSerialized(mode, row->is_serialized));
	CHECK(NVPA_Activity_FindMetricByName(activity, row->metric, &metric));
	CHECK(NVPA_Activity_EnableMetric(activity, metric, mode, NULL));
	CHECK(NVPA_Config_Create(activity, &config));
	CHECK(NVPA_Config_GetPassCount(config, 1, &passes));
	CHECK(NVPA_MetricOptions_Destroy(mode));
	CHECK(NVPA_ActivityOptions_Destroy(options));
	CHECK(NVPA_Activity_Destroy(activity));
	if (passes != 1)
		gpa_die("a metric needs more than one pass");
	return config;
}

/* Nanoseconds for a pair. */
static double time_by_hand(const struct row *row)
{
	double begin, took;

	if (!row->hand)
		return 0;
	if (row->hand->prepare)
		row->hand->prepare(samples);
	begin = now_ns();
	row->by_hand(samples);
	took = now_ns() - begin;
	row->hand->finish(samples);
	row->hand->drop(samples);
	return took / samples;
}

static double time_face(const struct row *row, NVPA_Config *config)
{
	NVPA_Results *results = NULL;
	double begin, took;

	CHECK(NVPA_Context_BeginSession(ctx, config));
	CHECK(NVPA_Context_BeginPass(ctx));
	if (row->hand && row->hand->prepare)
		row->hand->prepare(samples);
	begin = now_ns();
	for (unsigned i = 0; i < samples; i++) {
		if (gpa_cl_is_busy)
			gpa_cl_work();
		if (NVPA_Object_PushRange(ctx, row->has_own_ids ? i : 1) ||
		    NVPA_Object_PopRange(ctx))
			gpa_die("a range failed");
	}
	took = now_ns() - begin;
	if (row->hand)
		row->hand->finish(samples);
	CHECK(NVPA_Context_EndPass(ctx));
	CHECK(NVPA_Context_ReadResults(ctx, &results));
	CHECK(NVPA_Results_Destroy(results));
	CHECK(NVPA_Context_EndSession(ctx));
	return took / samples;
}

static void measure(const struct row *row)
{
	static double hand[ROUNDS_MAX], face[ROUNDS_MAX], ratio[ROUNDS_MAX];
	NVPA_Config *config = make_config(row);

	time_by_hand(row); /* warm */
	time_face(row, config);
	for (unsigned i = 0; i < rounds; i++) {
		hand[i] = time_by_hand(row);
		face[i] = time_face(row, config);
		ratio[i] = hand[i] > 0 ? face[i] / hand[i] : 0;
	}
	qsort(hand, rounds, sizeof(*hand), compare);
	qsort(face, rounds, sizeof(*face), compare);
	qsort(ratio, rounds, sizeof(*ratio), compare);
	printf("| %s | %.0f | %.0f | %.0f | %.2f | %.2f to %.2f |\n", row->name, hand[rounds / 2],
	       face[rounds / 2], face[rounds / 2] - hand[rounds / 2], ratio[rounds / 2],
	       ratio[rounds / 4], ratio[rounds * 3 / 4]);
	fflush(stdout);
	CHECK(NVPA_Config_Destroy(config));
}

/* The time in each mode, with ranges of their own; pipelined also with the same one. */
static void measure_times(const struct gpa_case *hand, void (*serialized)(unsigned),
			  void (*pipelined)(unsigned))
{
	const struct row rows[] = {
		{"a time, serialized", "gpu__time_duration", true, true, hand, serialized},
		{"a time, pipelined", "gpu__time_duration", false, true, hand, pipelined},
		{"a time, pipelined, one range again and again", "gpu__time_duration", false, false,
		 hand, pipelined},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		measure(&rows[i]);
}

/* Time stamps of software drivers need a wait before them in any mode: docs/gl.md. */
static void measure_gl(void)
{
	const struct gpa_case *times = &gpa_gl_cases[0], *query = &gpa_gl_cases[2];
	const struct row row = {"a query, pipelined", query->counters, false, true, query,
				query->by_hand};

	measure_times(times, times->by_hand, times->by_hand);
	measure(&row);
}

/* False: there is no driver. */
static bool open_kind(const char *kind, const char **out_driver)
{
	if (!strcmp(kind, "gl")) {
		ctx = gpa_open_gl(out_driver);
	} else if (!strcmp(kind, "cl") || !strcmp(kind, "fake")) {
		ctx = *kind == 'f' ? fake_open(out_driver) : gpa_open_cl(out_driver);
		if (ctx)
			CHECK(NVPA_CL_RegisterCommandQueue(ctx));
	} else {
		*out_driver = "simulated H200";
		CHECK(NVPA_Sim_CreateContext("h200", &ctx));
	}
	return ctx != NULL;
}

/* The queue as it is in programs: it has something to do when a range begins; and idle. */
static void measure_cl(void)
{
	const struct gpa_case *hand = &gpa_cl_cases[0];
	const struct row row = {"a time, serialized, with work before",
				"gpu__time_duration",
				true,
				true,
				hand,
				hand->by_hand_alone};

	gpa_cl_is_busy = 1;
	measure(&row);
	gpa_cl_is_busy = 0;
	measure_times(hand, hand->by_hand_alone, hand->by_hand);
}

static void measure_kind(const char *kind)
{
	if (!strcmp(kind, "gl"))
		measure_gl();
	else if (!strcmp(kind, "cl"))
		measure_cl();
	else if (!strcmp(kind, "fake"))
		measure_times(&fake_case, fake_case.by_hand, fake_case.by_hand);
	else
		measure_times(NULL, NULL, NULL);
}

int main(int count, char **arguments)
{
	const char *driver = "", *kind = count > 1 ? arguments[1] : "";

	if (strcmp(kind, "cl") != 0 && strcmp(kind, "gl") != 0 && strcmp(kind, "fake") != 0 &&
	    strcmp(kind, "sim") != 0)
		gpa_die("usage: perfworks cl|gl|fake|sim [PAIRS [ROUNDS]]");
	if (count > 2)
		samples = (unsigned)strtoul(arguments[2], NULL, 10);
	if (count > 3)
		rounds = (unsigned)strtoul(arguments[3], NULL, 10);
	if (!samples || samples > 100000 || !rounds || rounds > ROUNDS_MAX)
		gpa_die("PAIRS is 1 to 100000, ROUNDS 1 to 999");
	if (!open_kind(kind, &driver)) {
		fprintf(stderr, "perfworks: %s\n", driver);
		return 77;
	}
	CHECK(NVPA_Context_GetDeviceIndex(ctx, 0, &device));
	printf("%s, %u pairs in a round, medians of %u rounds:\n\n", driver, samples, rounds);
	puts("| pair | by hand, ns | ranges, ns | more, ns | ratio | quartiles |\n"
	     "|---|---|---|---|---|---|");
	measure_kind(kind);
	CHECK(NVPA_UnregisterContext(ctx));
	return 0;
}
