/* SPDX-License-Identifier: MIT */
/*
 * What counting ranges has in a context of CUDA: the library's profiler of it, and for each mode of
 * a plan the library's own plan for what this GPU lets be counted. It outlives collections: making
 * it takes as long as thousands of launches.
 */
#ifndef TACHO_BACKEND_CUPTI_CUPTI_PROFILER_H
#define TACHO_BACKEND_CUPTI_CUPTI_PROFILER_H

#include "backend/cupti/cupti_gpu.h"
#include "backend/cupti/cupti_host.h"

/* The counters of one mode of a plan: passes `first` and on of the plan are those of the config. */
struct tacho__cupti_program {
	void *host; /* NULL: the mode is not there */
	struct tacho__cupti_config config;
	struct tacho__arena arena;
	const struct tacho_entry **entries; /* in the plan's order */
	const char **names;		    /* the same as the library writes them */
	size_t count;
	uint32_t first;
};

struct tacho__cupti_profiler {
	void *object; /* of the library; NULL: not enabled */
	uint8_t *availability;
	struct tacho__cupti_program programs[TACHO_MODE_COUNT];
};

/*
 * The profiler of the device's context, made on the first call. NODEVICE, and what the library's
 * status means: PERM, BUSY, UNSUPPORTED, VERSION.
 */
int tacho__cupti_open_profiler(struct tacho__cupti_device *device,
			       struct tacho__cupti_profiler **out_profiler);

/*
 * The program of a mode of the plan. PASSES: the library makes another number of passes of it here
 * than the plan has. It is made anew when the plan has others than the last one.
 */
int tacho__cupti_make_program(struct tacho__cupti_device *device, const struct tacho_plan *plan,
			      uint32_t mode, struct tacho__cupti_program **out_program);

/* The library's status for the device, when a call of it fails. */
int tacho__cupti_fail_on(const struct tacho__cupti_device *device, enum tacho__cupti_call call,
			 int status);

#endif
