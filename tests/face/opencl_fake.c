/* SPDX-License-Identifier: MIT */
/* libOpenCL.so.1 as far as the backend for queues calls it. */
#include "opencl_fake.h"

#include <stdlib.h>
#include <string.h>

#define API __attribute__((visibility("default")))

enum { QUEUE_DEVICE = 0x1091, DEVICE_NAME = 0x102B, DEVICE_VERSION = 0x102F };

struct event {
	struct opencl_fake *fake;
	uint64_t end_ns;
};

API int32_t clGetCommandQueueInfo(void *queue, uint32_t name, size_t size, void *value,
				  size_t *out_size);
API int32_t clGetDeviceInfo(void *device, uint32_t name, size_t size, void *value,
			    size_t *out_size);
API int32_t clGetEventInfo(void *event, uint32_t name, size_t size, void *value, size_t *out_size);
API int32_t clGetEventProfilingInfo(void *event, uint32_t name, size_t size, void *value,
				    size_t *out_size);
API int32_t clRetainCommandQueue(void *queue);
API int32_t clReleaseCommandQueue(void *queue);
API int32_t clReleaseEvent(void *event);
API int32_t clFlush(void *queue);
API int32_t clEnqueueMarkerWithWaitList(void *queue, uint32_t count, void *const *wait,
					void **out_event);
API int32_t clEnqueueBarrierWithWaitList(void *queue, uint32_t count, void *const *wait,
					 void **out_event);

int32_t clGetCommandQueueInfo(void *queue, uint32_t name, size_t size, void *value,
			      size_t *out_size)
{
	struct opencl_fake *fake = queue;

	if (fake->info_error)
		return fake->info_error;
	if (name == QUEUE_DEVICE)
		*(void **)value = fake;
	else
		memcpy(value, &fake->properties, sizeof(fake->properties));
	return 0;
}

int32_t clGetDeviceInfo(void *device, uint32_t name, size_t size, void *value, size_t *out_size)
{
	const struct opencl_fake *fake = device;

	strncpy(value, name == DEVICE_VERSION ? fake->version : "Fake", size);
	return name == DEVICE_VERSION || name == DEVICE_NAME ? 0 : -30;
}

int32_t clGetEventInfo(void *event, uint32_t name, size_t size, void *value, size_t *out_size)
{
	memcpy(value, &((struct event *)event)->fake->status, sizeof(int32_t));
	return 0;
}

int32_t clGetEventProfilingInfo(void *event, uint32_t name, size_t size, void *value,
				size_t *out_size)
{
	const struct event *made = event;

	if (made->fake->status)
		return -7; /* CL_PROFILING_INFO_NOT_AVAILABLE */
	memcpy(value, &made->end_ns, sizeof(made->end_ns));
	return 0;
}

int32_t clRetainCommandQueue(void *queue)
{
	struct opencl_fake *fake = queue;

	fake->queue_references += !fake->retain_error;
	return fake->retain_error;
}

int32_t clReleaseCommandQueue(void *queue)
{
	((struct opencl_fake *)queue)->queue_references--;
	return 0;
}

int32_t clReleaseEvent(void *event)
{
	((struct event *)event)->fake->events--;
	free(event);
	return 0;
}

int32_t clFlush(void *queue)
{
	((struct opencl_fake *)queue)->flushes++;
	return 0;
}

static int32_t enqueue(struct opencl_fake *fake, int *counted, void **out_event)
{
	struct event *event;

	if (fake->enqueue_error)
		return fake->enqueue_error;
	event = calloc(1, sizeof(*event));
	*event = (struct event){.fake = fake, .end_ns = fake->now_ns};
	fake->events++;
	++*counted;
	*out_event = event;
	return 0;
}

int32_t clEnqueueMarkerWithWaitList(void *queue, uint32_t count, void *const *wait,
				    void **out_event)
{
	struct opencl_fake *fake = queue;

	return enqueue(fake, &fake->markers, out_event);
}

int32_t clEnqueueBarrierWithWaitList(void *queue, uint32_t count, void *const *wait,
				     void **out_event)
{
	struct opencl_fake *fake = queue;

	return enqueue(fake, &fake->barriers, out_event);
}
