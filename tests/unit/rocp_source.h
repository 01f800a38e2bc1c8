/* SPDX-License-Identifier: MIT */
/*
 * Launches of a made-up API for tests and benches of the ROCprofiler face: kernels end as soon as
 * they are let go, on the thread that lets them.
 */
#ifndef TACHO_TESTS_ROCP_SOURCE_H
#define TACHO_TESTS_ROCP_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "intercept/launches.h"

enum { SOURCE_API = 9, SOURCE_DEVICE = 100, SOURCE_PROGRAM = 200, SOURCE_KERNEL = 300 };

/* 1024 work-items in groups of 64, of the kernel "add" on the first device. */
struct tacho__launch source_launch(void);

/* The API has this device, of a kind of intercept/launch_devices.h. */
void source_add_device(uint32_t kind);

/* What becomes of it, when it is let go. {0}: it ends, without times. */
struct source_end {
	uint32_t end;
	bool has_times;		   /* CLOCK_MONOTONIC, around the time that it is let go */
	struct tacho__times times; /* without: these */
	void (*work)(void);	   /* what the kernel does, where it is let go; NULL: nothing */
};

/* Launches it and comes back when it has ended. True when it was held. */
bool source_run(const struct tacho__launch *launch, const struct source_end *end);

#endif
