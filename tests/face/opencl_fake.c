/* SPDX-License-Identifier: MIT */
/* libOpenCL.so.1 as far as the backend for queues calls it. */
#include "opencl_fake.h"

#include <stdlib.h>
#include <string.h>

#define API __attribute__((visibility("default")))

enum {
	QUEUE_DEVICE = 0x1091,
	DEVICE_TYPE = 0x1000,
	DEVICE_VENDOR_ID = 0x1001,
	DEVICE_UNITS = 0x1002,
	DEVICE_TIMER_RESOLUTION = 0x1025,
	DEVICE_NAME = 0x102B,
	DRIVER_VERSION = 0x102D,
	DEVICE_VERSION = 0x102F,
	DEVICE_PLATFORM = 0x1031,
	DEVICE_PCIE_ID = 0x4034,
	DEVICE_BOARD = 0x4038,
	DEVICE_SIMDS = 0x4040,
	DEVICE_GFXIP = 0x404A,

	INVALID_VALUE = -30,
	INVALID_OPERATION = -59,
	OUT_OF_RESOURCES = -5,
};

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
API int32_t clSetEventCallback(void *event, int32_t status,
			       void (*function)(void *, int32_t, void *), void *user);
API void *clGetExtensionFunctionAddressForPlatform(void *platform, const char *name);

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
	if (out_size)
		*out_size = name == QUEUE_DEVICE ? sizeof(fake) : sizeof(fake->properties);
	return 0;
}

static int32_t put_text(const char *text, size_t size, void *value, size_t *out_size)
{
	if (!text || strlen(text) + 1 > size)
		return INVALID_VALUE;
	strcpy(value, text);
	if (out_size)
		*out_size = strlen(text) + 1;
	return 0;
}

static int32_t put_number(uint64_t number, size_t bytes, size_t size, void *value, size_t *out_size)
{
	if (size < bytes)
		return INVALID_VALUE;
	memcpy(value, &number, bytes);
	if (out_size)
		*out_size = bytes;
	return 0;
}

int32_t clGetDeviceInfo(void *device, uint32_t name, size_t size, void *value, size_t *out_size)
{
	const struct opencl_fake *fake = device;

	switch (name) {
	case DEVICE_VERSION: return put_text(fake->version, size, value, out_size);
	case DEVICE_NAME: return put_text(fake->name ? fake->name : "Fake", size, value, out_size);
	case DEVICE_BOARD: return put_text(fake->board, size, value, out_size);
	case DRIVER_VERSION: return put_text("3.14 (fake)", size, value, out_size);
	case DEVICE_TYPE: return put_number(fake->type, 8, size, value, out_size);
	case DEVICE_VENDOR_ID: return put_number(fake->vendor, 4, size, value, out_size);
	case DEVICE_UNITS: return put_number(fake->units, 4, size, value, out_size);
	case DEVICE_TIMER_RESOLUTION:
		return put_number(fake->has_no_clock ? 0 : 1, sizeof(size_t), size, value,
				  out_size);
	case DEVICE_SIMDS: return put_number(4, 4, size, value, out_size);
	case DEVICE_PCIE_ID: return put_number(0x67df, 4, size, value, out_size);
	case DEVICE_PLATFORM:
		return put_number((uintptr_t)device, sizeof(void *), size, value, out_size);
	case DEVICE_GFXIP:
		return fake->gfxip ? put_number(fake->gfxip, 4, size, value, out_size)
				   : INVALID_VALUE;
	default: return INVALID_VALUE;
	}
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
	++*counted;
	if (!out_event) {
		free(event);
		return 0;
	}
	fake->events++;
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

int32_t clSetEventCallback(void *event, int32_t status, void (*function)(void *, int32_t, void *),
			   void *user)
{
	struct opencl_fake *fake = ((struct event *)event)->fake;

	if (fake->callback_error)
		return fake->callback_error;
	fake->callbacks++;
	fake->late = fake->calls_back ? NULL : function;
	fake->late_user = user;
	if (fake->calls_back)
		function(event, status, user);
	return 0;
}

/* ---- AMD's counters ---- */

static void *create_counter(void *device, const uint64_t *properties, int32_t *out_error)
{
	struct opencl_fake *fake = device;
	struct opencl_fake_counter *counter = calloc(1, sizeof(*counter));

	*counter = (struct opencl_fake_counter){.fake = fake};
	for (; *properties; properties += 2) {
		if (properties[0] == 3)
			counter->block = properties[1];
		else if (properties[0] == 4)
			counter->register_ = properties[1];
		else if (properties[0] == 5)
			counter->event = properties[1];
		else
			*out_error = INVALID_VALUE;
	}
	if (fake->create_error)
		*out_error = fake->create_error;
	else if (fake->denied_block == counter->block + 1)
		*out_error = OUT_OF_RESOURCES;
	if (*out_error) {
		free(counter);
		return NULL;
	}
	fake->counters++;
	fake->created++;
	return counter;
}

static int32_t release_counter(void *counter)
{
	((struct opencl_fake_counter *)counter)->fake->counters--;
	free(counter);
	return 0;
}

/* Registers exist, and each counts one event. */
static int check_registers(const struct opencl_fake *fake, uint32_t count,
			   struct opencl_fake_counter **counters)
{
	for (uint32_t i = 0; i < count; i++) {
		if (counters[i]->register_ >= fake->get_slots(counters[i]->block))
			return OUT_OF_RESOURCES;
		for (uint32_t k = 0; k < i; k++)
			if (counters[i]->block == counters[k]->block &&
			    counters[i]->register_ == counters[k]->register_)
				return INVALID_VALUE;
	}
	return 0;
}

static int32_t begin_counters(void *queue, uint32_t count, struct opencl_fake_counter **counters,
			      uint32_t wait_count, void *const *wait, void **out_event)
{
	struct opencl_fake *fake = queue;
	int32_t error = fake->begin_error;

	if (!error && (!count || fake->counting))
		error = INVALID_OPERATION;
	if (!error)
		error = check_registers(fake, count, counters);
	for (uint32_t i = 0; i < count && !error; i++) {
		if (counters[i]->is_begun)
			return INVALID_OPERATION;
		counters[i]->is_begun = 1;
	}
	if (error)
		return error;
	fake->begins++;
	fake->counting = (int)count;
	if (fake->most < (int)count)
		fake->most = (int)count;
	return out_event ? enqueue(fake, &fake->begins, out_event) : 0;
}

static int32_t end_counters(void *queue, uint32_t count, struct opencl_fake_counter **counters,
			    uint32_t wait_count, void *const *wait, void **out_event)
{
	struct opencl_fake *fake = queue;
	int ends = 0;

	if (fake->end_error)
		return fake->end_error;
	if (fake->counting != (int)count)
		return INVALID_OPERATION;
	for (uint32_t i = 0; i < count; i++) {
		if (!counters[i]->is_begun || counters[i]->is_ended)
			return INVALID_OPERATION;
		counters[i]->is_ended = 1;
	}
	fake->counting = 0;
	return enqueue(fake, &ends, out_event);
}

static int32_t get_counter_info(struct opencl_fake_counter *counter, uint32_t name, size_t size,
				void *value, size_t *out_size)
{
	const struct opencl_fake *fake = counter->fake;

	if (!counter->is_ended)
		return INVALID_OPERATION;
	if (fake->status || fake->data_error)
		return fake->data_error ? fake->data_error : -7;
	return name == 2 ? put_number(fake->get_value(counter->block, counter->event), 8, size,
				      value, out_size)
			 : INVALID_VALUE;
}

void *clGetExtensionFunctionAddressForPlatform(void *platform, const char *name)
{
	static const struct {
		const char *name;
		void *function;
	} functions[] = {
		{"clCreatePerfCounterAMD", (void *)create_counter},
		{"clReleasePerfCounterAMD", (void *)release_counter},
		{"clEnqueueBeginPerfCounterAMD", (void *)begin_counters},
		{"clEnqueueEndPerfCounterAMD", (void *)end_counters},
		{"clGetPerfCounterInfoAMD", (void *)get_counter_info},
	};

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (((struct opencl_fake *)platform)->has_counters &&
		    !strcmp(functions[i].name, name))
			return functions[i].function;
	return NULL;
}
