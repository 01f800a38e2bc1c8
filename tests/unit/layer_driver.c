/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>
#include <string.h>

#include "intercept/intercept.h"
#include "opencl_api.h"
#include "opencl_constants.h"
#include "base/arena.h"
#include "record/wire.h"
#include "record/writer.h"
#include "tacho/recording.h"
#include "layer_driver.h"

int32_t clInitLayer(uint32_t num_entries, const struct tacho__opencl_dispatch *target_dispatch,
		    uint32_t *num_entries_ret,
		    const struct tacho__opencl_dispatch **layer_dispatch_ret);

struct layer_driver driver;

struct layer_seen seen;

const struct tacho__opencl_dispatch *cl;

static void on_call(struct tacho__call *call)
{
	seen.call = *call;
	seen.packed_bytes = call->size;
	memcpy(seen.packed, call->arguments, seen.packed_bytes);
	seen.calls++;
	call->token = seen.wants_times && call->has_slot ? &seen : NULL;
}

static void on_complete(void *token, const struct tacho__times *times)
{
	assert_ptr_equal(token, &seen);
	seen.times = *times;
	seen.completed++;
}

static void on_made(const struct tacho__made *made)
{
	strncat(seen.made, made->attributes, sizeof(seen.made) - strlen(seen.made) - 1);
}

static void on_process(const char *attributes)
{
	strncat(seen.process, attributes, sizeof(seen.process) - strlen(seen.process) - 1);
}

static void on_nested(void)
{
	seen.nested++;
}

static const struct tacho__subscriber subscriber = {.call = on_call,
						    .complete = on_complete,
						    .made = on_made,
						    .process = on_process,
						    .nested = on_nested};

/* In place of the recorder. */
void tacho__record_add_table(uint16_t api, const char *text, size_t size)
{
	assert_int_equal(api, TACHO__API_ID);
	assert_memory_equal(text, "calls 1 opencl\n", 15);
	assert_int_equal(text[size - 1], '\n');
}

bool tacho__record_start(void)
{
	tacho__clock_init();
	return tacho__intercept_subscribe(&subscriber);
}

uint32_t tacho__record_image(void)
{
	return 0;
}

const struct tacho_counting_control *tacho__record_get_control(void)
{
	return NULL;
}

static void *create_queue(void *context, void *device, uint64_t properties, int32_t *errcode_ret)
{
	bool refused = driver.refuses_profiling && (properties & CL_QUEUE_PROFILING_ENABLE);

	driver.flags = properties;
	driver.list_words = 0;
	if (errcode_ret)
		*errcode_ret = refused ? CL_INVALID_QUEUE_PROPERTIES : CL_SUCCESS;
	return refused ? NULL : HANDLE(0x1000 + 64 * ++driver.created);
}

static void *create_queue_with_properties(void *context, void *device, const uint64_t *properties,
					  int32_t *errcode_ret)
{
	uint64_t flags = 0;
	size_t words = 0;
	void *queue;

	for (; properties && properties[words]; words += 2) {
		driver.list[words] = properties[words];
		driver.list[words + 1] = properties[words + 1];
		if (properties[words] == CL_QUEUE_PROPERTIES)
			flags = properties[words + 1];
	}
	queue = create_queue(context, device, flags, errcode_ret);
	driver.list[words] = 0;
	driver.list_words = properties ? words + 1 : 0;
	return queue;
}

void *create_queue_again(void *context, void *device, uint64_t properties, int32_t *errcode_ret)
{
	return driver.rounds && driver.rounds--
		       ? cl->clCreateCommandQueue(context, device, properties, errcode_ret)
		       : create_queue(context, device, properties, errcode_ret);
}

static void *create_list_again(void *context, void *device, const uint64_t *properties,
			       int32_t *errcode_ret)
{
	return driver.rounds && driver.rounds--
		       ? cl->clCreateCommandQueueWithProperties(context, device, properties,
								errcode_ret)
		       : create_queue_with_properties(context, device, properties, errcode_ret);
}

static int32_t answer(const void *value, size_t size, size_t room, void *out, size_t *out_size)
{
	if (out && room < size)
		return CL_INVALID_VALUE;
	if (out)
		memcpy(out, value, size);
	if (out_size)
		*out_size = size;
	return CL_SUCCESS;
}

static int32_t get_queue_info(void *queue, uint32_t name, size_t room, void *value, size_t *size)
{
	void *device = HANDLE(driver.always_tells ? 0xD1 : 0xD0);

	if (name == CL_QUEUE_DEVICE)
		return answer(&device, sizeof(device), room, value, size);
	if (name == CL_QUEUE_PROPERTIES_ARRAY)
		return answer(driver.list, driver.list_words * sizeof(uint64_t), room, value, size);
	return answer(&driver.flags, sizeof(driver.flags), room, value, size);
}

static int32_t get_device_info(void *device, uint32_t name, size_t room, void *value, size_t *size)
{
	uint64_t number = 32;

	if (name == CL_DEVICE_NAME)
		return answer("toy\nbox", 8, room, value, size);
	return answer(&number, sizeof(number), room, value, size);
}

static int32_t get_platform_info(void *platform, uint32_t name, size_t room, void *value,
				 size_t *size)
{
	return answer("toys", 5, room, value, size);
}

static int32_t enqueue(void *queue, void *kernel, uint32_t work_dim, const size_t *offset,
		       const size_t *global, const size_t *local, uint32_t waits,
		       void *const *wait_list, void **event)
{
	if (work_dim > 3)
		return CL_INVALID_WORK_DIMENSION;
	if (event) {
		*event = HANDLE(0xE0);
		driver.references = 1;
	}
	return CL_SUCCESS;
}

static int32_t set_callback(void *event, int32_t status, void *callback, void *user)
{
	if (driver.refuses_callbacks)
		return CL_OUT_OF_RESOURCES;
	driver.callback = (void (*)(void *, int32_t, void *))callback;
	driver.callback_user = user;
	return CL_SUCCESS;
}

static int32_t retain_event(void *event)
{
	driver.references++;
	return CL_SUCCESS;
}

static int32_t release_event(void *event)
{
	driver.references--;
	return CL_SUCCESS;
}

static int32_t get_profiling(void *event, uint32_t name, size_t room, void *value, size_t *size)
{
	uint64_t time = name;

	bool refuses = !driver.always_tells && !(driver.flags & CL_QUEUE_PROFILING_ENABLE);

	return driver.has_no_times || refuses ? CL_PROFILING_INFO_NOT_AVAILABLE
					      : answer(&time, sizeof(time), room, value, size);
}

static int32_t mark(void *queue, void **event)
{
	*event = HANDLE(0xE1);
	return CL_SUCCESS;
}

static int32_t finish(void *queue)
{
	return CL_SUCCESS;
}

static int32_t get_event_info(void *event, uint32_t name, size_t room, void *value, size_t *size)
{
	void *queue = driver.queue;

	if (name == CL_EVENT_REFERENCE_COUNT)
		return answer(&driver.references, sizeof(driver.references), room, value, size);
	if (name == CL_EVENT_COMMAND_EXECUTION_STATUS)
		return answer(&driver.status, sizeof(driver.status), room, value, size);
	return answer(&queue, sizeof(queue), room, value, size);
}

static int32_t get_platforms(uint32_t room, void **platforms, uint32_t *count)
{
	/* A driver writes what there is, not what there is room for. */
	for (uint32_t i = 0; platforms && i < room && i < 2; i++)
		platforms[i] = HANDLE(0xA + i);
	if (count)
		*count = 2;
	return CL_SUCCESS;
}

static int32_t set_kernel_arg(void *kernel, uint32_t index, size_t size, const void *value)
{
	driver.local_bytes += value ? 0 : size;
	return CL_SUCCESS;
}

static int32_t get_kernel_info(void *kernel, uint32_t name, size_t room, void *value, size_t *size)
{
	void *program = HANDLE(0x9000);

	return name == CL_KERNEL_FUNCTION_NAME
		       ? answer("add", 4, room, value, size)
		       : answer(&program, sizeof(program), room, value, size);
}

static int32_t get_program_info(void *program, uint32_t name, size_t room, void *value,
				size_t *size)
{
	void *device = HANDLE(0xD0);

	return answer(&device, sizeof(device), room, value, size);
}

static int32_t get_group_info(void *kernel, void *device, uint32_t name, size_t room, void *value,
			      size_t *size)
{
	return answer(&driver.local_bytes, sizeof(driver.local_bytes), room, value, size);
}

static void *get_extension(void *platform, const char *name)
{
	return driver.extension;
}

static int32_t set_queue_property(void *queue, uint64_t properties, uint32_t enable, uint64_t *old)
{
	if (driver.ignores_properties)
		return CL_SUCCESS;
	if (old)
		*old = driver.flags;
	driver.flags = enable ? driver.flags | properties : driver.flags & ~properties;
	return CL_SUCCESS;
}

static void open_layer(struct tacho__opencl_dispatch *target)
{
	uint32_t count = 0;

	*target = (struct tacho__opencl_dispatch){
		.clGetPlatformIDs = get_platforms,
		.clCreateCommandQueue = create_queue_again,
		.clCreateCommandQueueWithProperties = create_list_again,
		.clGetCommandQueueInfo = get_queue_info,
		.clReleaseCommandQueue = release_event,
		.clSetCommandQueueProperty = set_queue_property,
		.clGetDeviceInfo = get_device_info,
		.clGetPlatformInfo = get_platform_info,
		.clEnqueueNDRangeKernel = enqueue,
		.clSetEventCallback = set_callback,
		.clRetainEvent = retain_event,
		.clEnqueueMarker = mark,
		.clFinish = finish,
		.clReleaseEvent = release_event,
		.clGetEventInfo = get_event_info,
		.clGetEventProfilingInfo = get_profiling,
		.clSetKernelArg = set_kernel_arg,
		.clGetKernelInfo = get_kernel_info,
		.clGetProgramInfo = get_program_info,
		.clGetKernelWorkGroupInfo = get_group_info,
		.clGetExtensionFunctionAddressForPlatform = get_extension,
	};
	assert_int_equal(clInitLayer(TACHO__DISPATCH_COUNT, target, &count, &cl), CL_SUCCESS);
	assert_int_equal(count, TACHO__DISPATCH_COUNT);
}

int reset(void **state)
{
	static struct tacho__opencl_dispatch target;
	int created = driver.created;

	memset(&driver, 0, sizeof(driver));
	memset(&seen, 0, sizeof(seen));
	driver.created = created;
	driver.status = 3; /* CL_QUEUED */
	seen.wants_times = true;
	if (!cl)
		open_layer(&target);
	return 0;
}
