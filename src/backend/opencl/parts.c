/* SPDX-License-Identifier: MIT */
/* The backend for command queues: its parts under one architecture. */
#include "backend/joint.h"
#include "backend/opencl/parts.h"
#include "backend/opencl/queue.h"
#include "base/array.h"
#include "base/error.h"

static const struct tacho__dl_symbol symbols[] = {
	TACHO__DL_SYMBOL(tacho__opencl_queue, get_queue_info, "clGetCommandQueueInfo"),
	TACHO__DL_SYMBOL(tacho__opencl_queue, get_device_info, "clGetDeviceInfo"),
	TACHO__DL_SYMBOL(tacho__opencl_queue, get_event_info, "clGetEventInfo"),
	TACHO__DL_SYMBOL(tacho__opencl_queue, get_profiling, "clGetEventProfilingInfo"),
	TACHO__DL_SYMBOL(tacho__opencl_queue, set_callback, "clSetEventCallback"),
	TACHO__DL_SYMBOL(tacho__opencl_queue, retain_queue, "clRetainCommandQueue"),
	TACHO__DL_SYMBOL(tacho__opencl_queue, release_queue, "clReleaseCommandQueue"),
	TACHO__DL_SYMBOL(tacho__opencl_queue, release_event, "clReleaseEvent"),
	TACHO__DL_SYMBOL(tacho__opencl_queue, flush, "clFlush"),
	TACHO__DL_SYMBOL(tacho__opencl_queue, enqueue_marker, "clEnqueueMarkerWithWaitList"),
	TACHO__DL_SYMBOL(tacho__opencl_queue, enqueue_barrier, "clEnqueueBarrierWithWaitList"),
	TACHO__DL_SYMBOL(tacho__opencl_queue, get_function,
			 "clGetExtensionFunctionAddressForPlatform"),
};

int tacho__opencl_queue_load(struct tacho__opencl_queue *out_queue)
{
	struct tacho__opencl_queue queue = {0};
	int rc = tacho__opencl_load(symbols, TACHO__ARRAY_SIZE(symbols), &queue.dl, &queue);

	if (!rc)
		*out_queue = queue;
	return rc;
}

cl_handle tacho__opencl_get_device(const struct tacho__opencl_queue *cl, cl_handle queue)
{
	cl_handle device = NULL;

	if (cl->get_queue_info(queue, CL__QUEUE_DEVICE, sizeof(device), &device, NULL))
		return NULL;
	return device;
}

bool tacho__opencl_is_over(const struct tacho__opencl_queue *queue, cl_handle event)
{
	int32_t status = CL__COMPLETE;

	return queue->get_event_info(event, CL__EVENT_STATUS, sizeof(status), &status, NULL) ||
	       status <= CL__COMPLETE;
}

int tacho__opencl_fail(const char *function, int32_t error, const char *what, const char *cure)
{
	return tacho__fail_vendor(
		tacho__fail(TACHO_E_VENDOR,
			    tacho__detail("%s said %s", function, tacho__opencl_error(error)), cure,
			    "%s", what),
		error);
}

static int probe(struct tacho_probe *probe_, struct tacho_probe_backend *backend_info)
{
	return tacho__opencl_times.probe(probe_, backend_info);
}

/* The first part says whether the queue can be used at all. */
static const struct tacho__joint_part parts[] = {
	/* what else is counted needs time of its own, which is not the work's */
	{.backend = &tacho__opencl_times, .is_apart = true},
	{.backend = &tacho__opencl_cpu, .group = "CPU"},
	{.backend = &tacho__opencl_amd, .names_arch = true},
};

static int open_device(const struct tacho_probe *probe_, size_t index,
		       const struct tacho_catalog *catalog, struct tacho_device **out_device)
{
	const struct tacho_device *second;
	struct tacho_device *device;
	int rc =
		tacho__joint_open(parts, TACHO__ARRAY_SIZE(parts), probe_, index, catalog, &device);

	/* times may be missing where there is something else to count */
	second = rc ? NULL : tacho__joint_get_part(device, 1);
	if (!rc && (!second || tacho__opencl_cpu_is_refused(second)) &&
	    (rc = tacho__opencl_check_times(tacho__joint_get_part(device, 0))))
		tacho__joint_close(device);
	if (!rc)
		*out_device = device;
	return rc;
}

const struct tacho__backend tacho__backend_opencl_queue = {
	.name = "opencl_queue",
	.summary = "work on an OpenCL command queue of the program: times and counters",
	.is_named_only = 1,
	.probe = probe,
	.open = open_device,
	.close = tacho__joint_close,
	.check_pass = tacho__joint_check_pass,
	.explain = tacho__joint_explain,
	.begin = tacho__joint_begin,
	.begin_pass = tacho__joint_begin_pass,
	.end_pass = tacho__joint_end_pass,
	.begin_range = tacho__joint_begin_range,
	.end_range = tacho__joint_end_range,
	.drain = tacho__joint_drain,
	.end = tacho__joint_end,
};
