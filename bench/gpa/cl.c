/* SPDX-License-Identifier: MIT */
/* Markers on an OpenCL queue with times, with and without a user event that holds it back. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "gpa.h"

enum { PLATFORMS_MAX = 8, DEVICE_NAME = 0x102b, PROFILING = 2 };

static struct {
	int32_t (*clGetPlatformIDs)(uint32_t, void **, uint32_t *);
	int32_t (*clGetDeviceIDs)(void *, uint64_t, uint32_t, void **, uint32_t *);
	int32_t (*clGetDeviceInfo)(void *, uint32_t, size_t, void *, size_t *);
	void *(*clCreateContext)(const intptr_t *, uint32_t, void *const *, void *, void *,
				 int32_t *);
	void *(*clCreateCommandQueue)(void *, void *, uint64_t, int32_t *);
	void *(*clCreateUserEvent)(void *, int32_t *);
	int32_t (*clSetUserEventStatus)(void *, int32_t);
	int32_t (*clEnqueueMarkerWithWaitList)(void *, uint32_t, void *const *, void **);
	int32_t (*clReleaseEvent)(void *);
	int32_t (*clFinish)(void *);
} cl;

static void *context, *queue, *gate, **events;
int gpa_cl_is_busy;

static int load(void)
{
	void *library = dlopen("libOpenCL.so.1", RTLD_NOW);

	if (!library)
		return 0;
#define F(name)                                     \
	*(void **)&cl.name = dlsym(library, #name); \
	if (!cl.name)                               \
		return 0;
	F(clGetPlatformIDs)
	F(clGetDeviceIDs)
	F(clGetDeviceInfo)
	F(clCreateContext)
	F(clCreateCommandQueue)
	F(clCreateUserEvent)
	F(clSetUserEventStatus)
	F(clEnqueueMarkerWithWaitList)
	F(clReleaseEvent)
	F(clFinish)
#undef F
	return 1;
}

void *gpa_open_cl(const char **out_driver)
{
	static char name[256];
	void *platforms[PLATFORMS_MAX], *device = NULL;
	uint32_t count = 0;
	int32_t error = 0;

	*out_driver = "no OpenCL driver";
	if (!load() || cl.clGetPlatformIDs(PLATFORMS_MAX, platforms, &count))
		return NULL;
	for (uint32_t i = 0; i < count && i < PLATFORMS_MAX && !device; i++)
		cl.clGetDeviceIDs(platforms[i], 0xffffffff, 1, &device, NULL);
	if (!device)
		return NULL;
	cl.clGetDeviceInfo(device, DEVICE_NAME, sizeof(name) - 1, name, NULL);
	context = cl.clCreateContext(NULL, 1, &device, NULL, NULL, &error);
	if (context)
		queue = cl.clCreateCommandQueue(context, device, PROFILING, &error);
	if (queue)
		*out_driver = name;
	return queue;
}

static void *add_marker(uint32_t count, void *const *wait)
{
	void *event = NULL;

	if (cl.clEnqueueMarkerWithWaitList(queue, count, wait, &event))
		gpa_die("clEnqueueMarkerWithWaitList failed");
	return event;
}

static void hold_back(unsigned samples)
{
	int32_t error = 0;

	gate = cl.clCreateUserEvent(context, &error);
	if (!gate)
		gpa_die("clCreateUserEvent failed");
	cl.clReleaseEvent(add_marker(1, &gate));
}

/* The events are kept: their times are read in the end. */
static void by_hand(unsigned samples)
{
	if (!events)
		events = calloc(samples, 2 * sizeof(*events));
	if (!events)
		gpa_die("no memory");
	for (unsigned i = 0; i < samples; i++) {
		events[2 * i] = add_marker(0, NULL);
		events[2 * i + 1] = add_marker(0, NULL);
	}
}

void gpa_cl_work(void)
{
	cl.clReleaseEvent(add_marker(0, NULL));
}

/* Each with the queue to itself: its work begins and ends while the program waits. */
static void by_hand_alone(unsigned samples)
{
	if (!events)
		events = calloc(samples, 2 * sizeof(*events));
	if (!events)
		gpa_die("no memory");
	for (unsigned i = 0; i < samples; i++) {
		if (gpa_cl_is_busy)
			gpa_cl_work();
		cl.clFinish(queue);
		events[2 * i] = add_marker(0, NULL);
		events[2 * i + 1] = add_marker(0, NULL);
		cl.clFinish(queue);
	}
}

static void finish(unsigned samples)
{
	if (gate) {
		cl.clSetUserEventStatus(gate, 0);
		cl.clReleaseEvent(gate);
		gate = NULL;
	}
	cl.clFinish(queue);
}

static void drop(unsigned samples)
{
	for (unsigned i = 0; i < 2 * samples; i++)
		cl.clReleaseEvent(events[i]);
}

const struct gpa_case gpa_cl_cases[] = {
	{"GPUTime: two markers", "GPUTime", 2, NULL, by_hand, finish, drop, by_hand_alone},
	{"the same on a queue that is held back", "GPUTime", 2, hold_back, by_hand, finish, drop},
	{0},
};
