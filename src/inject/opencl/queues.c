/* SPDX-License-Identifier: MIT */
/*
 * Queues are made with profiling, so that commands have times, and the program is not told: it
 * reads back the properties that it asked for. profiling.c does the same for its events.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "inject/handles.h"
#include "inject/opencl/cl_objects.h"
#include "inject/opencl/queue_facts.h"
#include "inject/opencl/cl_settle.h"
#include "inject/opencl/spares.h"
#include "intercept/intercept.h"
#include "opencl_api.h"
#include "opencl_constants.h"

/* How profiling came into a queue's properties. */
enum forced {
	FORCED_NOT = 0,
	FORCED_FLAG, /* a flag more in what the program passed */
	FORCED_PAIR, /* a pair more in the program's list */
	FORCED_LIST, /* the program passed no list */
};

enum {
	LIST_MAX = 64, /* words of a property list that is looked at; longer ones stay alone */
	DEPTH_MAX = 4, /* calls inside each other that are recorded */
};

static struct {
	struct tacho__handles forced; /* queue to enum forced */
	atomic_bool any;
} queues;

/* Calls that make queues, inside each other on this thread. */
static _Thread_local __attribute__((tls_model("initial-exec"))) unsigned depth;

typedef void *create_fn(void *context, void *device, const uint64_t *properties,
			int32_t *errcode_ret);

/* Remembers how the queue was made; a handle may have been another queue's before. */
static bool remember(void *queue, enum forced forced)
{
	if (forced == FORCED_NOT && !tacho__handles_get(&queues.forced, queue))
		return true;
	if (forced != FORCED_NOT)
		atomic_store(&queues.any, true);
	return tacho__handles_set(&queues.forced, queue, forced);
}

bool tacho__opencl_any_queue_is_forced(void)
{
	return atomic_load_explicit(&queues.any, memory_order_relaxed);
}

static enum forced forced_of(void *queue)
{
	if (!tacho__opencl_any_queue_is_forced())
		return FORCED_NOT;
	return (enum forced)tacho__handles_get(&queues.forced, queue);
}

bool tacho__opencl_queue_is_forced(void *queue)
{
	return forced_of(queue) != FORCED_NOT;
}

static bool wants_forcing(uint64_t flags)
{
	return !(flags & (CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_ON_DEVICE)) &&
	       atomic_load_explicit(&tacho__intercept.active, memory_order_relaxed);
}

/* A forced queue is kept only when it can be remembered: else it could not be hidden. */
static bool keep_forced(void *queue, enum forced forced, int32_t *errcode_ret)
{
	if (!queue)
		return false;
	if (!remember(queue, forced)) {
		tacho__opencl_target.clReleaseCommandQueue(queue);
		return false;
	}
	if (errcode_ret)
		*errcode_ret = CL_SUCCESS;
	return true;
}

/*
 * oclgrind's clCreateCommandQueueWithProperties calls itself through the loader, each time by a
 * jump: that goes on for ever, but takes no stack.
 */
bool tacho__opencl_is_too_deep(void)
{
	if (depth < DEPTH_MAX)
		return false;
	tacho__intercept_nested();
	return true;
}

static void *create_with_flags(void *context, void *device, uint64_t properties,
			       int32_t *errcode_ret)
{
	void *queue;
	int32_t rc;

	if (wants_forcing(properties)) {
		queue = tacho__opencl_target.clCreateCommandQueue(
			context, device, properties | CL_QUEUE_PROFILING_ENABLE, &rc);
		if (keep_forced(queue, FORCED_FLAG, errcode_ret))
			return queue;
	}
	queue = tacho__opencl_target.clCreateCommandQueue(context, device, properties, errcode_ret);
	if (queue)
		remember(queue, FORCED_NOT);
	return queue;
}

void *tacho__opencl_create_queue(void *context, void *device, uint64_t properties,
				 int32_t *errcode_ret)
{
	void *queue;

	depth++;
	queue = create_with_flags(context, device, properties, errcode_ret);
	depth--;
	return queue;
}

/*
 * Copies the program's list with profiling put in. Returns how that was done, FORCED_NOT when it
 * need not or cannot be.
 */
static enum forced force_list(const uint64_t *list, uint64_t *out_list)
{
	enum forced forced = list ? FORCED_PAIR : FORCED_LIST;
	uint64_t flags = 0;
	size_t size = 0;

	for (; list && list[size]; size += 2) {
		if (size + 5 > LIST_MAX)
			return FORCED_NOT;
		out_list[size] = list[size];
		out_list[size + 1] = list[size + 1];
		if (list[size] == CL_QUEUE_PROPERTIES) {
			flags = list[size + 1];
			out_list[size + 1] |= CL_QUEUE_PROFILING_ENABLE;
			forced = FORCED_FLAG;
		}
	}
	if (!wants_forcing(flags))
		return FORCED_NOT;
	if (forced != FORCED_FLAG) {
		out_list[size++] = CL_QUEUE_PROPERTIES;
		out_list[size++] = CL_QUEUE_PROFILING_ENABLE;
	}
	out_list[size] = 0;
	return forced;
}

static void *create_with_list(create_fn *create, void *context, void *device,
			      const uint64_t *properties, int32_t *errcode_ret)
{
	uint64_t list[LIST_MAX];
	enum forced forced = force_list(properties, list);
	void *queue = NULL;
	bool is_kept = false;
	int32_t rc;

	depth++;
	if (forced != FORCED_NOT) {
		queue = create(context, device, list, &rc);
		is_kept = keep_forced(queue, forced, errcode_ret);
	}
	if (!is_kept) {
		queue = create(context, device, properties, errcode_ret);
		if (queue)
			remember(queue, FORCED_NOT);
	}
	depth--;
	return queue;
}

void *tacho__opencl_create_queue_with_properties(void *context, void *device,
						 const uint64_t *properties, int32_t *errcode_ret)
{
	return create_with_list(tacho__opencl_target.clCreateCommandQueueWithProperties, context,
				device, properties, errcode_ret);
}

void *tacho__opencl_create_queue_with_properties_khr(void *context, void *device,
						     const uint64_t *properties,
						     int32_t *errcode_ret)
{
	return create_with_list(
		tacho__opencl_extension_target.clCreateCommandQueueWithPropertiesKHR, context,
		device, properties, errcode_ret);
}

/* Takes out of the driver's list what we put in; returns the words that are left. */
static size_t unforce_list(uint64_t *list, size_t size, enum forced forced)
{
	if (forced == FORCED_LIST)
		return 0;
	for (size_t i = 0; i + 1 < size && list[i]; i += 2) {
		if (list[i] != CL_QUEUE_PROPERTIES)
			continue;
		if (forced == FORCED_FLAG) {
			list[i + 1] &= ~(uint64_t)CL_QUEUE_PROFILING_ENABLE;
			continue;
		}
		memmove(&list[i], &list[i + 2], (size - i - 2) * sizeof(*list));
		return size - 2;
	}
	return size;
}

static int32_t get_hidden_list(void *queue, enum forced forced, size_t room, void *value,
			       size_t *size_ret)
{
	uint64_t list[LIST_MAX];
	size_t bytes = 0;
	int32_t rc = tacho__opencl_target.clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY,
								sizeof(list), list, &bytes);

	if (rc)
		return rc;
	bytes = unforce_list(list, bytes / sizeof(*list), forced) * sizeof(*list);
	if (value && room < bytes)
		return CL_INVALID_VALUE;
	if (value)
		memcpy(value, list, bytes);
	if (size_ret)
		*size_ret = bytes;
	return CL_SUCCESS;
}

int32_t tacho__opencl_get_queue_info(void *command_queue, uint32_t param_name,
				     size_t param_value_size, void *param_value,
				     size_t *param_value_size_ret)
{
	enum forced forced = forced_of(command_queue);
	uint64_t flags;
	int32_t rc;

	if (param_name == CL_QUEUE_REFERENCE_COUNT) {
		tacho__spares_drop(NULL);
		tacho__opencl_settle();
	}
	if (forced != FORCED_NOT && param_name == CL_QUEUE_PROPERTIES_ARRAY)
		return get_hidden_list(command_queue, forced, param_value_size, param_value,
				       param_value_size_ret);
	rc = tacho__opencl_target.clGetCommandQueueInfo(command_queue, param_name, param_value_size,
							param_value, param_value_size_ret);
	if (!rc && forced != FORCED_NOT && param_name == CL_QUEUE_PROPERTIES && param_value &&
	    param_value_size >= sizeof(flags)) {
		memcpy(&flags, param_value, sizeof(flags));
		flags &= ~(uint64_t)CL_QUEUE_PROFILING_ENABLE;
		memcpy(param_value, &flags, sizeof(flags));
	}
	return rc;
}

/*
 * OpenCL 1.0 lets a program turn profiling on later: then its events have times. oclgrind says that
 * it did and writes nothing.
 */
int32_t tacho__opencl_set_queue_property(void *command_queue, uint64_t properties, uint32_t enable,
					 uint64_t *old_properties)
{
	const uint64_t unwritten = UINT64_MAX;
	enum forced forced = forced_of(command_queue);
	uint64_t old = unwritten;
	int32_t rc = tacho__opencl_target.clSetCommandQueueProperty(
		command_queue, properties, enable, old_properties ? &old : NULL);

	if (old != unwritten)
		*old_properties = !rc && forced != FORCED_NOT
					  ? old & ~(uint64_t)CL_QUEUE_PROFILING_ENABLE
					  : old;
	if (!rc && enable && (properties & CL_QUEUE_PROFILING_ENABLE))
		remember(command_queue, FORCED_NOT);
	if (!rc)
		tacho__opencl_new_queue(command_queue);
	return rc;
}
