/* SPDX-License-Identifier: MIT */
/* A launch of a kernel as the program asked for it. */
#ifndef TACHO_INJECT_OPENCL_CL_LAUNCHES_H
#define TACHO_INJECT_OPENCL_CL_LAUNCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tacho__opencl_launch {
	void *queue, *kernel;
	bool is_task;
	uint32_t dimensions;
	const size_t *offset, *global, *local;
	uint32_t wait_count;
	void *const *wait_list;
	/* May lie inside the wait list: written at the end. NULL: nobody wants it. */
	void **event_at;
};

/* Calls the driver, with this list to wait for. */
int32_t tacho__opencl_enqueue(const struct tacho__opencl_launch *launch, uint32_t wait_count,
			      void *const *wait_list, void **event_at);

#endif
