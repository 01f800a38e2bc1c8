/* SPDX-License-Identifier: MIT */
#include "inject/opencl/buffer_times.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "inject/handles.h"
#include "inject/opencl/command_buffers.h"
#include "inject/opencl/events.h"
#include "inject/opencl/driver_info.h"
#include "opencl_api.h"
#include "opencl_constants.h"
#include "record/wire.h"

enum {
	SLOT_BITS = 14,
	WINDOW = 16, /* slots in which an event may lie */
};

/* What a device's driver does with a command buffer. */
enum habit {
	HABIT_UNKNOWN = 0,
	HABIT_WHOLE,  /* its event tells when it began and ended */
	HABIT_DOUBTS, /* it does when the event says that it is a command buffer's */
	HABIT_SINGLE, /* it never does: the commands run one by one */
};

/* What goes in front of an execution, to tell when it could start. */
struct marker {
	void *event; /* NULL: there is none */
	enum habit habit;
};

static struct {
	struct tacho__handles habits; /* device to enum habit */
	/* Executions that have not ended: an event has a slot at its hash or behind that. */
	_Atomic(void *) events[(1 << SLOT_BITS) + WINDOW];
	_Atomic(void *) markers[(1 << SLOT_BITS) + WINDOW];
	_Atomic(uint8_t) slot_habits[(1 << SLOT_BITS) + WINDOW];
	atomic_uint count;
} executions;

/* Of the execution that this thread is giving to a queue. */
static _Thread_local __attribute__((tls_model("initial-exec"))) struct marker pending;

/* ---- drivers ---- */

static bool get_platform_text(void *platform, uint32_t name, char *out_text, size_t room)
{
	size_t size = 0;

	if (tacho__opencl_target.clGetPlatformInfo(platform, name, room, out_text, &size) ||
	    !size || size > room)
		return false;
	out_text[size - 1] = '\0';
	return true;
}

/*
 * PoCL up to 6.0 gives out the event of a last command that says it is the command buffer's; from
 * 7.0 on it is a marker's, unless the device runs command buffers by itself.
 */
static enum habit ask_driver(void *device)
{
	char name[64], version[256];
	void *platform = NULL;
	const char *number;
	unsigned major;

	if (tacho__opencl_target.clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof(platform),
						 &platform, NULL) ||
	    !get_platform_text(platform, CL_PLATFORM_NAME, name, sizeof(name)) ||
	    strcmp(name, "Portable Computing Language"))
		return HABIT_WHOLE;
	number = get_platform_text(platform, CL_PLATFORM_VERSION, version, sizeof(version))
			 ? strstr(version, "PoCL ")
			 : NULL;
	return number && sscanf(number, "PoCL %3u.", &major) == 1 && major < 7 ? HABIT_SINGLE
									       : HABIT_DOUBTS;
}

static enum habit get_habit(void *device)
{
	enum habit habit = (enum habit)tacho__handles_get(&executions.habits, device);

	if (habit == HABIT_UNKNOWN) {
		habit = ask_driver(device);
		tacho__handles_set(&executions.habits, device, habit);
	}
	return habit;
}

static void *get_device(void *queue)
{
	return tacho__driver_get_handle(tacho__opencl_target.clGetCommandQueueInfo, queue,
					CL_QUEUE_DEVICE);
}

static bool keeps_order(void *queue)
{
	uint64_t flags = 0;

	return !tacho__opencl_target.clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES,
							   sizeof(flags), &flags, NULL) &&
	       !(flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

/* ---- giving it to a queue ---- */

static void enqueue_marker(void *queue, uint32_t waits, void *const *wait_list)
{
	if (tacho__opencl_target.clEnqueueMarkerWithWaitList(queue, waits, wait_list,
							     &pending.event))
		pending.event = NULL;
}

/* What has ended already: a marker that waits for it, and for nothing else, ends at once. */
static void *make_ended_event(void *queue)
{
	void *context = NULL, *event;
	int32_t rc;

	if (!tacho__opencl_target.clCreateUserEvent ||
	    tacho__opencl_target.clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(context),
						       &context, NULL))
		return NULL;
	event = tacho__opencl_target.clCreateUserEvent(context, &rc);
	if (event)
		tacho__opencl_target.clSetUserEventStatus(event, CL_COMPLETE);
	return event;
}

/*
 * It ends when the execution can start: on a queue that keeps the order, when all before it has
 * ended, and anywhere what the execution waits for. Without a list of that a marker would wait for
 * all on an unordered queue.
 */
static void put_marker(void *queue, bool is_ordered, uint32_t waits, void *const *wait_list)
{
	void *ended;

	if (!tacho__opencl_target.clEnqueueMarkerWithWaitList)
		return;
	if (waits || is_ordered) {
		enqueue_marker(queue, waits, wait_list);
		return;
	}
	ended = make_ended_event(queue);
	if (!ended)
		return;
	enqueue_marker(queue, 1, &ended);
	tacho__opencl_target.clReleaseEvent(ended);
}

static void drop(void *marker)
{
	if (marker)
		tacho__opencl_target.clReleaseEvent(marker);
}

/*
 * Where the queue does not keep the order, the execution waits for the marker, which waits for what
 * the program wants: it cannot start before it. On other queues of several it could.
 */
int32_t tacho__opencl_enqueue_buffer(uint64_t start, uint32_t num_queues, void **queues,
				     void *command_buffer, uint32_t num_events_in_wait_list,
				     void *const *event_wait_list, void **event)
{
	void *queue = tacho__opencl_find_buffer_queue(num_queues, queues, command_buffer);
	void *device = get_device(queue), *marker;
	uint32_t waits = num_events_in_wait_list;
	void *const *wait_list = event_wait_list;
	bool is_ordered;
	int32_t rc;

	(void)start;
	pending = (struct marker){.habit = device ? get_habit(device) : HABIT_UNKNOWN};
	if ((pending.habit == HABIT_DOUBTS || pending.habit == HABIT_SINGLE) &&
	    tacho__opencl_buffer_has_one_queue(num_queues, command_buffer)) {
		is_ordered = keeps_order(queue);
		put_marker(queue, is_ordered, waits, wait_list);
		marker = pending.event;
		if (marker && !is_ordered) {
			waits = 1;
			wait_list = &marker;
		}
	}
	rc = tacho__opencl_extension_target.clEnqueueCommandBufferKHR(
		num_queues, queues, command_buffer, waits, wait_list, event);
	if (rc) {
		drop(pending.event);
		pending.event = NULL;
	}
	return rc;
}

/* ---- until it has ended ---- */

static size_t window_of(const void *event)
{
	return (size_t)(((uint64_t)(uintptr_t)event * UINT64_C(0x9E3779B97F4A7C15)) >>
			(64 - SLOT_BITS));
}

static bool keep(void *event, const struct marker *marker)
{
	size_t first = window_of(event);

	for (size_t i = first; i < first + WINDOW; i++) {
		void *none = NULL;

		if (atomic_load_explicit(&executions.events[i], memory_order_relaxed) ||
		    !atomic_compare_exchange_strong(&executions.events[i], &none,
						    (void *)&executions))
			continue;
		atomic_store(&executions.markers[i], marker->event);
		atomic_store(&executions.slot_habits[i], (uint8_t)marker->habit);
		atomic_fetch_add(&executions.count, 1);
		atomic_store(&executions.events[i], event);
		return true;
	}
	return false;
}

static bool take(void *event, struct marker *out_marker)
{
	size_t first = window_of(event);

	if (!atomic_load(&executions.count))
		return false;
	for (size_t i = first; i < first + WINDOW; i++) {
		if (atomic_load(&executions.events[i]) != event)
			continue;
		out_marker->event = atomic_load(&executions.markers[i]);
		out_marker->habit = (enum habit)atomic_load(&executions.slot_habits[i]);
		atomic_store(&executions.events[i], NULL);
		atomic_fetch_sub(&executions.count, 1);
		return true;
	}
	return false;
}

/* Nobody can tell its times from wrong ones: then it has none. */
static void complete_without_times(void *token, void *event, bool owned)
{
	const struct tacho__times times = {.code = TACHO__SLOT_NO_START};

	drop(pending.event);
	tacho__intercept_complete(token, &times);
	if (owned)
		tacho__opencl_target.clReleaseEvent(event);
}

void tacho__opencl_watch_buffer(void *token, void *event, bool owned)
{
	int error = errno;

	if (!token) {
		drop(pending.event);
		tacho__opencl_watch(token, event, owned);
	} else if (keep(event, &pending)) {
		tacho__opencl_watch(token, event, owned);
	} else {
		complete_without_times(token, event, owned);
	}
	pending.event = NULL;
	errno = error;
}

/* ---- its times ---- */

static bool get_time(void *event, uint32_t name, uint64_t *out_time)
{
	return !tacho__opencl_target.clGetEventProfilingInfo(event, name, sizeof(*out_time),
							     out_time, NULL);
}

/* NULL for an event of several queues. */
static void *get_event_device(void *event)
{
	return get_device(tacho__driver_get_handle(tacho__opencl_target.clGetEventInfo, event,
						   CL_EVENT_COMMAND_QUEUE));
}

/* Whether the event's start is the execution's. A driver that lied will not be believed again. */
static bool is_whole(void *event, enum habit habit)
{
	uint32_t type = CL_COMMAND_COMMAND_BUFFER_KHR;
	void *device = get_event_device(event);

	if (habit == HABIT_UNKNOWN && device)
		habit = get_habit(device);
	if (habit == HABIT_SINGLE)
		return false;
	if (tacho__opencl_target.clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type,
						NULL) ||
	    type == CL_COMMAND_COMMAND_BUFFER_KHR)
		return true;
	if (device && get_habit(device) == HABIT_WHOLE)
		tacho__handles_set(&executions.habits, device, HABIT_DOUBTS);
	return false;
}

static bool start_at_marker(const struct marker *marker, struct tacho__times *times)
{
	struct tacho__times measured = *times;

	if (!marker->event ||
	    !get_time(marker->event, CL_PROFILING_COMMAND_QUEUED, &measured.queued) ||
	    !get_time(marker->event, CL_PROFILING_COMMAND_SUBMIT, &measured.submit) ||
	    !get_time(marker->event, CL_PROFILING_COMMAND_END, &measured.start) ||
	    measured.start > measured.end)
		return false;
	*times = measured;
	times->code = TACHO__SLOT_MARKED;
	return true;
}

void tacho__opencl_put_right(void *event, struct tacho__times *times)
{
	struct marker marker;

	if (!take(event, &marker))
		return;
	if (times && times->code == TACHO__SLOT_TIMES && !is_whole(event, marker.habit) &&
	    !start_at_marker(&marker, times))
		times->code = TACHO__SLOT_NO_START;
	drop(marker.event);
}
