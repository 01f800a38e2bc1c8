/* SPDX-License-Identifier: MIT */
/*
 * How GPUPerfAPI 2.23 splits counters into passes, as an oracle: metrics in the order of enabling,
 * each first by itself into as few parts as first fit needs, then the parts into consecutive passes
 * from the first one on where all of them fit.
 */
#ifndef TACHO_TESTS_GPA_SPLITTER_H
#define TACHO_TESTS_GPA_SPLITTER_H

#include <stddef.h>
#include <stdint.h>

/* A hardware counter as the splitter knows it. */
struct gpa_counter {
	uint32_t block;	 /* instance */
	uint32_t event;	 /* within its block */
	uint32_t stage;	 /* of the sequencer's counters: its family from 1; 0: another block's */
	uint8_t is_time; /* of the group GPUTime */
};

struct gpa_catalog {
	const struct gpa_counter *counters;
	size_t counter_count;
	const uint32_t *block_slots;
	size_t block_count;
	uint32_t stage_slots; /* different counters of a stage in a pass */
	uint32_t cap;
};

struct gpa_metric {
	const uint32_t *counters;
	size_t count;
};

enum gpa_splitter { GPA_CONSOLIDATED, GPA_ONE_PER_PASS, GPA_MAX_PER_PASS };

/* The number of passes for metrics enabled in this order. */
size_t gpa_splitter_count(const struct gpa_catalog *catalog,
			  const struct gpa_metric *const *metrics, size_t count,
			  enum gpa_splitter how);

#endif
