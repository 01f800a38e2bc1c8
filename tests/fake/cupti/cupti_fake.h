/* SPDX-License-Identifier: MIT */
/*
 * A made-up chip, GF100, and what both fakes know of it. Unit a has a__x00 to a__x11 and room for
 * four of them in a pass, unit b has b__y0 to b__y3 and room for two; a__rate needs two of a,
 * a__throughput four; b__limit.sum needs nothing. A plan fills one pass after the other and never
 * goes back to one, so that the order of the metrics decides how many there are.
 */
#ifndef TESTS_FAKE_CUPTI_CUPTI_FAKE_H
#define TESTS_FAKE_CUPTI_CUPTI_FAKE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	COUNTERS_A = 12,
	COUNTERS_B = 4,
	COUNTERS = COUNTERS_A + COUNTERS_B,
	SLOTS_A = 4,
	SLOTS_B = 2
};
enum { PASSES_MAX = 64 };

/* A plan, as the image has it: which counters each pass collects, as bits. */
struct image {
	char magic[4];
	uint32_t pass_count;
	uint32_t passes[PASSES_MAX];
};

/* What a GPU lets be counted: bits of counters. */
struct available {
	char magic[4];
	uint32_t counters;
};

static const char *const fake_counters[COUNTERS] = {
	"a__x00", "a__x01", "a__x02", "a__x03", "a__x04", "a__x05", "a__x06", "a__x07",
	"a__x08", "a__x09", "a__x10", "a__x11", "b__y0",  "b__y1",  "b__y2",  "b__y3",
};

static inline int fake_ends(const char *text, const char *const *endings)
{
	for (; *endings; endings++)
		if (!strcmp(text, *endings))
			return 1;
	return 0;
}

static const char *const fake_counter_endings[] = {
	".avg", ".max", ".min", ".sum", ".sum.per_second", NULL};
static const char *const fake_ratio_endings[] = {".pct", ".ratio", NULL};
static const char *const fake_throughput_endings[] = {".avg.pct_of_peak_sustained_elapsed", NULL};

/* The type of a metric, whole or only its base; -1: there is none. *out_needs: its counters. */
static inline int fake_find(const char *name, int must_be_whole, uint32_t *out_needs)
{
	for (int i = 0; i < COUNTERS; i++) {
		size_t size = strlen(fake_counters[i]);

		if (strncmp(name, fake_counters[i], size) != 0)
			continue;
		*out_needs = 1u << i;
		if (!name[size])
			return must_be_whole ? -1 : 0;
		return fake_ends(name + size, fake_counter_endings) ? 0 : -1;
	}
	*out_needs = 0;
	if (!strcmp(name, "b__limit") || !strcmp(name, "b__limit.sum"))
		return must_be_whole && !strchr(name, '.') ? -1 : 0;
	*out_needs = 3;
	if (!strncmp(name, "a__rate", 7))
		return name[7] ? (fake_ends(name + 7, fake_ratio_endings) ? 1 : -1)
			       : (must_be_whole ? -1 : 1);
	*out_needs = 15;
	if (!strncmp(name, "a__throughput", 13))
		return name[13] ? (fake_ends(name + 13, fake_throughput_endings) ? 2 : -1)
				: (must_be_whole ? -1 : 2);
	*out_needs = 0;
	if (!strcmp(name, "c__device") || !strcmp(name, "c__device.sum"))
		return must_be_whole && !strchr(name, '.') ? -1 : 0;
	return -1;
}

/* cupti_samples.c: values of a sample of an image. */
int fake_samples_evaluate(const void *image, size_t index, const char *const *names, size_t count,
			  double *values);

/* What a test wants to go wrong: FAKE_CUPTI has this word. */
static inline int fake_is(const char *word)
{
	const char *words = getenv("FAKE_CUPTI");

	return words && strstr(words, word);
}

#endif
