/* SPDX-License-Identifier: MIT */
/* Launches of kernels: as the program asked, or counted. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inject/counting.h"
#include "inject/opencl/callbacks.h"
#include "inject/opencl/copies.h"
#include "inject/opencl/cl_kernels.h"
#include "inject/opencl/cl_launches.h"
#include "inject/opencl/cl_objects.h"
#include "inject/opencl/cl_replay.h"
#include "inject/opencl/driver_info.h"
#include "inject/opencl/gates.h"
#include "inject/opencl/queue_facts.h"
#include "intercept/launches.h"
#include "opencl_api.h"
#include "opencl_constants.h"

/* A launch, and what became of it. */
struct launch {
	struct tacho__opencl_launch asked; /* first */
	struct tacho__opencl_kernel *known;
	struct tacho__replay replay;
	void *event; /* of the last run */
	int32_t result;
};

int32_t tacho__opencl_enqueue(const struct tacho__opencl_launch *launch, uint32_t wait_count,
			      void *const *wait_list, void **event_at)
{
	if (launch->is_task)
		return tacho__opencl_target.clEnqueueTask(launch->queue, launch->kernel, wait_count,
							  wait_list, event_at);
	return tacho__opencl_target.clEnqueueNDRangeKernel(
		launch->queue, launch->kernel, launch->dimensions, launch->offset, launch->global,
		launch->local, wait_count, wait_list, event_at);
}

static int32_t enqueue(const struct tacho__opencl_launch *launch, void **event_at)
{
	return tacho__opencl_enqueue(launch, launch->wait_count, launch->wait_list, event_at);
}

/* A command waited for in another queue runs only when that queue was flushed. */
static void flush_queue_of(void *event)
{
	void *queue = tacho__driver_get_handle(tacho__opencl_target.clGetEventInfo, event,
					       CL_EVENT_COMMAND_QUEUE);

	if (queue)
		tacho__opencl_target.clFlush(queue);
}

static const char *drain(void *user, uint64_t timeout_ns)
{
	const struct tacho__opencl_launch *launch = user;
	const char *why = NULL;
	void *marker = NULL;

	if (tacho__opencl_is_in_callback())
		return "it was launched inside a callback, which must not wait";
	if (tacho__opencl_count_user_events())
		return "the program has an event of its own that it has not set yet";
	if (launch->wait_count && !launch->wait_list)
		return "its list of events is missing";
	for (uint32_t i = 0; i < launch->wait_count; i++)
		flush_queue_of(launch->wait_list[i]);
	for (uint32_t i = 0; i < launch->wait_count && !why; i++)
		why = tacho__opencl_await(launch->wait_list[i], timeout_ns);
	if (why)
		return why;
	if (tacho__opencl_target.clEnqueueMarkerWithWaitList
		    ? tacho__opencl_target.clEnqueueMarkerWithWaitList(launch->queue, 0, NULL,
								       &marker)
		    : tacho__opencl_target.clEnqueueMarker(launch->queue, &marker))
		return "the queue takes no marker";
	tacho__opencl_target.clFlush(launch->queue);
	why = tacho__opencl_await(marker, timeout_ns);
	tacho__opencl_target.clReleaseEvent(marker);
	return why;
}

static const char *save(void *user, uint64_t limit_bytes)
{
	struct launch *launch = user;

	return tacho__replay_save(&launch->replay, launch->asked.queue, launch->asked.kernel,
				  launch->known, limit_bytes);
}

static enum tacho__restored restore(void *user)
{
	struct launch *launch = user;

	return tacho__copies_bring_back(&launch->replay);
}

static bool run(void *user)
{
	struct launch *launch = user;
	void *event = NULL;

	launch->result = enqueue(&launch->asked, &event);
	if (launch->result)
		return false;
	if (launch->event)
		tacho__opencl_target.clReleaseEvent(launch->event);
	launch->event = event;
	tacho__opencl_target.clFlush(launch->asked.queue);
	return true;
}

static const char *await(void *user, uint64_t timeout_ns)
{
	struct launch *launch = user;

	return tacho__opencl_await(launch->event, timeout_ns);
}

static void finish(void *user)
{
	struct launch *launch = user;

	tacho__replay_finish(&launch->replay);
}

static const struct tacho__count_calls calls = {
	.drain = drain,
	.save = save,
	.restore = restore,
	.run = run,
	.wait = await,
	.finish = finish,
};

/* False when it is none that can be: then the driver says what is wrong. */
static bool describe_sizes(const struct tacho__opencl_launch *launch, uint64_t out_grid[3],
			   uint32_t out_workgroup[3])
{
	if (launch->dimensions < 1 || launch->dimensions > 3 ||
	    (!launch->is_task && !launch->global))
		return false;
	for (uint32_t i = 0; i < 3; i++) {
		bool is_used = !launch->is_task && i < launch->dimensions;

		out_grid[i] = is_used ? launch->global[i] : 1;
		out_workgroup[i] = 0;
		if (is_used && launch->local)
			out_workgroup[i] = (uint32_t)launch->local[i];
		else if (launch->is_task || launch->local)
			out_workgroup[i] = 1;
	}
	return true;
}

static bool run_counted(struct launch *launch, uint64_t start)
{
	struct tacho__count_launch info = {.start = start};
	const struct tacho__opencl_queue *queue;

	launch->known = tacho__opencl_find_kernel(launch->asked.kernel);
	if (!launch->known || !describe_sizes(&launch->asked, info.grid, info.workgroup))
		return false;
	queue = tacho__opencl_find_queue(launch->asked.queue);
	info.is_elsewhere = queue && queue->is_elsewhere;
	info.kernel = &launch->known->counted;
	if (!tacho__counting_run(&info, &calls, launch))
		return false;
	if (!launch->result && launch->asked.event_at)
		*launch->asked.event_at = launch->event;
	else if (launch->event)
		tacho__opencl_target.clReleaseEvent(launch->event);
	return true;
}

/* Behind a gate, when somebody wants to count it. */
static bool run_gated(struct launch *launch, uint64_t start)
{
	const struct tacho__opencl_launch *asked = &launch->asked;
	const struct tacho__opencl_queue *queue = tacho__opencl_find_queue(asked->queue);
	struct tacho__launch told = {.start = start, .api = TACHO__API_ID};
	const struct tacho__opencl_kernel *kernel;

	if (!queue || !describe_sizes(asked, told.grid, told.workgroup))
		return false;
	kernel = tacho__opencl_know_kernel(asked->kernel, queue->device);
	if (!kernel)
		return false;
	told.device = (uintptr_t)queue->root;
	told.is_elsewhere = queue->is_elsewhere;
	told.queue = (uintptr_t)asked->queue;
	told.kernel = (uintptr_t)asked->kernel;
	told.program = (uintptr_t)kernel->program;
	told.name = kernel->counted.name;
	told.local_bytes = tacho__opencl_local_bytes(asked->kernel);
	told.private_bytes = kernel->private_bytes;
	return tacho__opencl_launch_gated(asked, &told, &launch->result);
}

static int32_t launch_watched(const struct tacho__opencl_launch *asked, uint64_t start)
{
	struct launch launch = {.asked = *asked};

	if (tacho__counting_is_on() && run_counted(&launch, start))
		return launch.result;
	if (tacho__launches_are_wanted() && run_gated(&launch, start))
		return launch.result;
	return enqueue(asked, asked->event_at);
}

static int32_t launch_any(const struct tacho__opencl_launch *asked, uint64_t start)
{
	if (tacho__counting_is_on() || tacho__launches_are_wanted())
		return launch_watched(asked, start);
	return enqueue(asked, asked->event_at);
}

int32_t tacho__opencl_launch_kernel(uint64_t start, void *command_queue, void *kernel,
				    uint32_t work_dim, const size_t *global_work_offset,
				    const size_t *global_work_size, const size_t *local_work_size,
				    uint32_t num_events_in_wait_list, void *const *event_wait_list,
				    void **event)
{
	const struct tacho__opencl_launch launch = {
		.queue = command_queue,
		.kernel = kernel,
		.dimensions = work_dim,
		.offset = global_work_offset,
		.global = global_work_size,
		.local = local_work_size,
		.wait_count = num_events_in_wait_list,
		.wait_list = event_wait_list,
		.event_at = event,
	};

	return launch_any(&launch, start);
}

int32_t tacho__opencl_launch_task(uint64_t start, void *command_queue, void *kernel,
				  uint32_t num_events_in_wait_list, void *const *event_wait_list,
				  void **event)
{
	const struct tacho__opencl_launch launch = {
		.queue = command_queue,
		.kernel = kernel,
		.is_task = true,
		.dimensions = 1,
		.wait_count = num_events_in_wait_list,
		.wait_list = event_wait_list,
		.event_at = event,
	};

	return launch_any(&launch, start);
}
