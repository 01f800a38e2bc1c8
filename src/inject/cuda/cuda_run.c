/* SPDX-License-Identifier: MIT */
#include "inject/cuda/cuda_run.h"

#include <dlfcn.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/clock.h"
#include "inject/cuda/cuda_calls.h"

enum {
	NOT_READY = 600,      /* CUDA_ERROR_NOT_READY */
	NO_TIMING = 2,	      /* CU_EVENT_DISABLE_TIMING */
	LEGACY_STREAM = 1,    /* CU_STREAM_LEGACY */
	THREAD_STREAM = 2,    /* CU_STREAM_PER_THREAD */
	BUSY_NS = 100 * 1000, /* waits of less are spent awake */
	NAP_NS = 50 * 1000,
};

static struct {
	int (*create)(void **event, unsigned flags);
	int (*destroy)(void *event);
	int (*record)(void *event, void *stream);
	int (*record_context)(void *context, void *event); /* from 12.5 on */
	int (*query)(void *event);
	int (*get_device)(int *device);
	int (*launch)(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
		      unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
		      void *stream, void **arguments, void **extra);
	int (*launch_cooperative)(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
				  unsigned block_x, unsigned block_y, unsigned block_z,
				  unsigned shared_bytes, void *stream, void **arguments);
	int (*launch_ex)(const void *config, void *function, void **arguments, void **extra);
} cuda;

static const struct {
	const char *name;
	void *function;
	bool required;
} symbols[] = {
	{"cuEventCreate", &cuda.create, true},
	{"cuEventDestroy_v2", &cuda.destroy, true},
	{"cuEventRecord", &cuda.record, true},
	{"cuCtxRecordEvent", &cuda.record_context, false},
	{"cuEventQuery", &cuda.query, true},
	{"cuCtxGetDevice", &cuda.get_device, true},
	{"cuLaunchKernel", &cuda.launch, true},
	{"cuLaunchCooperativeKernel", &cuda.launch_cooperative, false},
	{"cuLaunchKernelEx", &cuda.launch_ex, false},
};

const char *tacho__cuda_run_resolve(void)
{
	void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);

	if (!library)
		return "the program's libcuda is not known to the dynamic linker by its name";
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(symbols); i++) {
		*(void **)symbols[i].function = dlsym(library, symbols[i].name);
		if (symbols[i].required && !*(void **)symbols[i].function)
			return "the driver lacks functions that counting needs: install a newer "
			       "one";
	}
	return NULL;
}

/* ---- waiting ---- */

static bool record(struct tacho__cuda_waiter *waiter, int which, void *stream)
{
	void **event = &waiter->events[which];

	if (!*event && cuda.create(event, NO_TIMING)) {
		*event = NULL;
		return false;
	}
	waiter->is_recorded[which] = !cuda.record(*event, stream);
	return waiter->is_recorded[which];
}

static bool record_context(struct tacho__cuda_waiter *waiter, void *context)
{
	void **event = &waiter->events[0];

	if (!cuda.record_context)
		return false;
	if (!*event && cuda.create(event, NO_TIMING)) {
		*event = NULL;
		return false;
	}
	waiter->is_recorded[0] = !cuda.record_context(context, *event);
	return waiter->is_recorded[0];
}

static const char refused[] = "the driver refused to mark the end of what runs";

const char *tacho__cuda_mark_stream(struct tacho__cuda_waiter *waiter, void *stream)
{
	waiter->is_recorded[0] = false;
	return record(waiter, 1, stream) ? NULL : refused;
}

/* Older drivers: all streams that wait for the legacy one, and the one of the launch. */
const char *tacho__cuda_mark_context(struct tacho__cuda_waiter *waiter, void *context, void *stream)
{
	waiter->is_recorded[1] = false;
	if (record_context(waiter, context))
		return NULL;
	return record(waiter, 0, (void *)(uintptr_t)LEGACY_STREAM) && record(waiter, 1, stream)
		       ? NULL
		       : refused;
}

static bool is_over(const struct tacho__cuda_waiter *waiter)
{
	for (int i = 0; i < 2; i++)
		if (waiter->is_recorded[i] && cuda.query(waiter->events[i]) == NOT_READY)
			return false;
	return true;
}

bool tacho__cuda_wait(const struct tacho__cuda_waiter *waiter, uint64_t timeout_ns)
{
	uint64_t begin_ns = tacho__clock_raw_ns(), passed_ns;

	while (!is_over(waiter)) {
		passed_ns = tacho__clock_raw_ns() - begin_ns;
		if (passed_ns >= timeout_ns)
			return false;
		if (passed_ns < BUSY_NS)
			sched_yield();
		else
			nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
	}
	return true;
}

void tacho__cuda_waiter_finish(struct tacho__cuda_waiter *waiter)
{
	for (int i = 0; i < 2; i++)
		if (waiter->events[i])
			cuda.destroy(waiter->events[i]);
	*waiter = (struct tacho__cuda_waiter){.events = {NULL, NULL}};
}

int tacho__cuda_get_device(void)
{
	int device = -1;

	return cuda.get_device(&device) ? -1 : device;
}

/* ---- again ---- */

enum { NOT_FOUND = 500 };

void *tacho__cuda_get_launch_stream(const struct tacho__cuda_launch *launch)
{
	if (launch->stream || !launch->is_per_thread)
		return launch->stream;
	return (void *)(uintptr_t)THREAD_STREAM;
}

static int launch_config(const struct tacho__cuda_launch *launch, void *stream)
{
	struct tacho__cuda_launch_config config;

	memcpy(&config, launch->config, sizeof(config));
	config.stream = stream;
	return cuda.launch_ex
		       ? cuda.launch_ex(&config, launch->function, launch->arguments, launch->extra)
		       : NOT_FOUND;
}

int tacho__cuda_launch_again(const struct tacho__cuda_launch *launch)
{
	const uint32_t *grid = launch->grid, *block = launch->block;
	void *stream = tacho__cuda_get_launch_stream(launch);

	if (launch->config)
		return launch_config(launch, stream);
	if (launch->is_cooperative)
		return cuda.launch_cooperative
			       ? cuda.launch_cooperative(launch->function, grid[0], grid[1],
							 grid[2], block[0], block[1], block[2],
							 launch->shared_bytes, stream,
							 launch->arguments)
			       : NOT_FOUND;
	return cuda.launch(launch->function, grid[0], grid[1], grid[2], block[0], block[1],
			   block[2], launch->shared_bytes, stream, launch->arguments,
			   launch->extra);
}
