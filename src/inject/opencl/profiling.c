/* SPDX-License-Identifier: MIT */
/*
 * Times of events whose queue has profiling only because of us: the program gets what it would have
 * got without. Most drivers refuse; some tell times whatever the queue, and programs may use them.
 */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inject/handles.h"
#include "inject/opencl/cl_objects.h"
#include "inject/opencl/driver_info.h"
#include "opencl_api.h"
#include "opencl_constants.h"

enum answer { ANSWER_UNKNOWN = 0, ANSWER_REFUSES, ANSWER_TELLS };

static struct {
	struct tacho__handles answers; /* device to enum answer */
} profiling;

/* Asks the driver on a queue of our own that has no profiling. */
static enum answer try_driver(void *context, void *device)
{
	enum answer answer = ANSWER_REFUSES;
	void *queue, *event = NULL;
	uint64_t time;
	int32_t rc;

	queue = tacho__opencl_target.clCreateCommandQueue(context, device, 0, &rc);
	if (!queue)
		return ANSWER_REFUSES;
	if (!tacho__opencl_target.clEnqueueMarker(queue, &event)) {
		tacho__opencl_target.clFinish(queue);
		if (!tacho__opencl_target.clGetEventProfilingInfo(
			    event, CL_PROFILING_COMMAND_QUEUED, sizeof(time), &time, NULL))
			answer = ANSWER_TELLS;
		tacho__opencl_target.clReleaseEvent(event);
	}
	tacho__opencl_target.clReleaseCommandQueue(queue);
	return answer;
}

static bool would_refuse(void *queue)
{
	const tacho__driver_info_fn of_queue = tacho__opencl_target.clGetCommandQueueInfo;
	void *device = tacho__driver_get_handle(of_queue, queue, CL_QUEUE_DEVICE);
	enum answer answer;

	if (!device)
		return true;
	answer = (enum answer)tacho__handles_get(&profiling.answers, device);
	if (answer == ANSWER_UNKNOWN) {
		answer = try_driver(tacho__driver_get_handle(of_queue, queue, CL_QUEUE_CONTEXT),
				    device);
		tacho__handles_set(&profiling.answers, device, answer);
	}
	return answer == ANSWER_REFUSES;
}

int32_t tacho__opencl_get_profiling_info(void *event, uint32_t param_name, size_t param_value_size,
					 void *param_value, size_t *param_value_size_ret)
{
	void *queue = NULL;
	int error = errno;
	bool refuse = tacho__opencl_any_queue_is_forced() &&
		      !tacho__opencl_target.clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE,
							   sizeof(queue), &queue, NULL) &&
		      queue && tacho__opencl_queue_is_forced(queue) && would_refuse(queue);

	errno = error;
	if (refuse)
		return CL_PROFILING_INFO_NOT_AVAILABLE;
	return tacho__opencl_target.clGetEventProfilingInfo(event, param_name, param_value_size,
							    param_value, param_value_size_ret);
}
