/* SPDX-License-Identifier: MIT */
/*
 * The cost of GPA_BeginSample and GPA_EndSample beyond the driver's own queries. Prints rows of a
 * Markdown table for RESULTS.md.
 *
 *	gpa cl|gl LIBRARY [SAMPLES [ROUNDS [PART]]]
 *
 * In each round SAMPLES pairs (default 500) are issued by hand and as many through LIBRARY, which
 * is libGPUPerfAPICL.so or libGPUPerfAPIGL.so. Figures are medians of ROUNDS rounds (default 15).
 * PART: only rows with it in their name.
 * Exits with 77 when there is no driver.
 */
#include "gpa.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS_MAX = 999 };

static struct gpa api;
static unsigned samples = 500, rounds = 15;

void gpa_die(const char *what)
{
	fprintf(stderr, "gpa: %s\n", what);
	exit(1);
}

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

static void check(GPA_Status status, const char *what)
{
	if (status)
		gpa_die(what);
}

static void load(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);

	if (!library)
		gpa_die(dlerror());
#define X(name)                                             \
	*(void **)&api.name = dlsym(library, "GPA_" #name); \
	if (!api.name)                                      \
		gpa_die("GPA_" #name " is not in the library");
	GPA_USED(X)
#undef X
}

/* False: the driver lacks a counter. */
static int enable(const char *counters)
{
	char names[512], *rest = NULL;
	gpa_uint32 passes = 0;

	snprintf(names, sizeof(names), "%s", counters);
	check(api.DisableAllCounters(), "GPA_DisableAllCounters failed");
	for (char *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
		if (api.EnableCounterStr(name))
			return 0;
	check(api.GetPassCount(&passes), "GPA_GetPassCount failed");
	if (passes != 1)
		gpa_die("the counters of a row need more than one pass");
	return 1;
}

/* Nanoseconds for a pair. */
static double time_by_hand(const struct gpa_case *row)
{
	double begin, took;

	if (row->prepare)
		row->prepare(samples);
	begin = now_ns();
	row->by_hand(samples);
	took = now_ns() - begin;
	row->finish(samples);
	row->drop(samples);
	return took / samples;
}

static double time_face(const struct gpa_case *row)
{
	gpa_uint32 session;
	gpa_bool ready = 0;
	double begin, took;

	check(api.BeginSession(&session), "GPA_BeginSession failed");
	check(api.BeginPass(), "GPA_BeginPass failed");
	if (row->prepare)
		row->prepare(samples);
	begin = now_ns();
	for (gpa_uint32 i = 0; i < samples; i++)
		if (api.BeginSample(i) || api.EndSample())
			gpa_die("a sample failed");
	took = now_ns() - begin;
	row->finish(samples);
	check(api.EndPass(), "GPA_EndPass failed");
	check(api.EndSession(), "GPA_EndSession failed");
	while (!ready)
		check(api.IsSessionReady(&ready, session), "GPA_IsSessionReady failed");
	return took / samples;
}

static void measure(const struct gpa_case *row)
{
	static double hand[ROUNDS_MAX], face[ROUNDS_MAX], ratio[ROUNDS_MAX];

	if (!enable(row->counters))
		return;
	time_by_hand(row); /* warm */
	time_face(row);
	for (unsigned i = 0; i < rounds; i++) {
		hand[i] = time_by_hand(row);
		face[i] = time_face(row);
		ratio[i] = face[i] / hand[i];
	}
	qsort(hand, rounds, sizeof(*hand), compare);
	qsort(face, rounds, sizeof(*face), compare);
	qsort(ratio, rounds, sizeof(*ratio), compare);
	printf("| %s | %u | %.0f | %.0f | %.0f | %.2f | %.2f to %.2f |\n", row->name, row->queries,
	       hand[rounds / 2], face[rounds / 2], face[rounds / 2] - hand[rounds / 2],
	       ratio[rounds / 2], ratio[rounds / 4], ratio[rounds * 3 / 4]);
	fflush(stdout);
}

int main(int count, char **arguments)
{
	int is_gl = count > 1 && !strcmp(arguments[1], "gl");
	const struct gpa_case *rows = is_gl ? gpa_gl_cases : gpa_cl_cases;
	const char *driver = "";
	void *handle;

	if (count < 3 || (!is_gl && strcmp(arguments[1], "cl") != 0))
		gpa_die("usage: gpa cl|gl LIBRARY [SAMPLES [ROUNDS [PART]]]");
	if (count > 3)
		samples = (unsigned)strtoul(arguments[3], NULL, 10);
	if (count > 4)
		rounds = (unsigned)strtoul(arguments[4], NULL, 10);
	if (!samples || samples > 100000 || !rounds || rounds > ROUNDS_MAX)
		gpa_die("SAMPLES is 1 to 100000, ROUNDS 1 to 999");
	handle = is_gl ? gpa_open_gl(&driver) : gpa_open_cl(&driver);
	if (!handle) {
		fprintf(stderr, "gpa: %s\n", driver);
		return 77;
	}
	load(arguments[2]);
	check(api.Initialize(), "GPA_Initialize failed");
	check(api.OpenContext(handle), "GPA_OpenContext failed");
	printf("%s, %u pairs in a round, medians of %u rounds:\n\n", driver, samples, rounds);
	puts("| pair | queries | by hand, ns | samples, ns | more, ns | ratio | quartiles |\n"
	     "|---|---|---|---|---|---|---|");
	for (; rows->name; rows++)
		if (count < 6 || strstr(rows->name, arguments[5]))
			measure(rows);
	check(api.CloseContext(), "GPA_CloseContext failed");
	return 0;
}
