/* SPDX-License-Identifier: MIT */
/* The OpenCL layer between a program and a driver that is made here, and what it reports. */
#ifndef LAYER_DRIVER_H
#define LAYER_DRIVER_H

#include <stdbool.h>
#include "intercept/intercept.h"
#include "opencl_api.h"
#include "opencl_constants.h"
#include "record/wire.h"

#define HANDLE(n) ((void *)(uintptr_t)(n))

/* The driver. */
struct layer_driver {
	bool refuses_profiling, refuses_callbacks, has_no_times;
	bool always_tells; /* times, whatever the queue */
	bool ignores_properties;
	uint64_t list[16]; /* of the last queue */
	size_t list_words;
	uint64_t flags;
	int created, references; /* of queues made, of the event */
	void (*callback)(void *event, int32_t status, void *user);
	void *callback_user;
	uint64_t local_bytes;
	void *extension;
	void *queue;	/* of all events */
	size_t rounds;	/* queue functions that call themselves through the loader so often */
	int32_t status; /* of all events; 0 is CL_COMPLETE, reset() sets CL_QUEUED */
};

extern struct layer_driver driver;

/* What was reported. */
struct layer_seen {
	struct tacho__call call;
	unsigned calls, completed, nested;
	struct tacho__times times;
	bool wants_times;
	uint8_t packed[TACHO__ARGUMENTS_MAX];
	size_t packed_bytes;
	char made[4096], process[512];
};

extern struct layer_seen seen;
extern const struct tacho__opencl_dispatch *cl;

/* As oclgrind does. */
void *create_queue_again(void *context, void *device, uint64_t properties, int32_t *errcode_ret);

int reset(void **state);

#endif
