/* SPDX-License-Identifier: MIT */
/*
 * The same work counted through PerfWorks, GPUPerfAPI and tacho's own functions: what is to be said
 * of a device for that.
 */
#ifndef TACHO_TESTS_NVPA_CROSS_H
#define TACHO_TESTS_NVPA_CROSS_H

#include <stdbool.h>

#include "tacho/session.h"

enum cross_side { CROSS_GPA, CROSS_NVPA, CROSS_OWN };

struct cross_world {
	int samples;
	void *gpa, *nvpa;	   /* contexts; the latter is known to PerfWorks already */
	struct tacho_device *unit; /* opened through tacho */
	void (*work)(enum cross_side side, int sample);
	bool (*is_compared)(const char *counter);
};

/* Compares all counters of GPUPerfAPI's library in all samples. The number that was compared. */
int cross_compare(const char *library, const struct cross_world *world);

#endif
