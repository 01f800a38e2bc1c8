/* SPDX-License-Identifier: MIT */
/*
 * The device behind libGPUPerfAPIfake.so: the handle of a context points to this. Every counter of
 * the n-th range of a pass, from 1, has the value 1000 n.
 */
#ifndef TACHO_TESTS_GPA_FAKE_H
#define TACHO_TESTS_GPA_FAKE_H

#include <stdint.h>

struct gpa_fake {
	const char *arch, *api; /* "gfx8", "cl" */
	/* Codes of tacho that a step fails with; 0: it works. */
	int open_code, begin_code, pass_code, range_begin_code, range_end_code;
	int is_held;	     /* values are not there yet; atomic */
	int blocks;	     /* reading waits for them then; else the time is up at once */
	int waiters;	     /* threads that do; atomic */
	uint8_t state;	     /* of all values */
	const char *doubled; /* a counter with 2000 n; NULL: none */
	int units, collections, ranges; /* that are open */
};

#endif
