/* SPDX-License-Identifier: MIT */
#include "fake.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "../../tests/face/opencl_fake.h"

enum { PROFILING = 2, GPU = 4 };

static struct opencl_fake queue = {
	.version = "OpenCL 1.2",
	.properties = PROFILING,
	.now_ns = 1,
	.calls_back = 1,
	.queue_references = 1,
	.type = GPU,
	.name = "a driver that does nothing",
	.units = 1,
};
static int32_t (*enqueue_marker)(void *, uint32_t, void *const *, void **);
static int32_t (*release_event)(void *);
static void **events;

void *fake_open(const char **out_driver)
{
	void *library = dlopen("libOpenCL.so.1", RTLD_NOW);

	*out_driver = "libOpenCL.so.1 is not the fake one";
	if (!library || dlsym(library, "clGetPlatformIDs"))
		return NULL;
	*(void **)&enqueue_marker = dlsym(library, "clEnqueueMarkerWithWaitList");
	*(void **)&release_event = dlsym(library, "clReleaseEvent");
	if (!enqueue_marker || !release_event)
		return NULL;
	*out_driver = queue.name;
	return &queue;
}

static void by_hand(unsigned samples)
{
	if (!events)
		events = calloc(samples, 2 * sizeof(*events));
	if (!events)
		gpa_die("no memory");
	for (unsigned i = 0; i < 2 * samples; i++)
		if (enqueue_marker(&queue, 0, NULL, &events[i]))
			gpa_die("clEnqueueMarkerWithWaitList failed");
}

static void finish(unsigned samples)
{
}

static void drop(unsigned samples)
{
	for (unsigned i = 0; i < 2 * samples; i++)
		release_event(events[i]);
}

const struct gpa_case fake_case = {
	.name = "two markers",
	.by_hand = by_hand,
	.finish = finish,
	.drop = drop,
};
