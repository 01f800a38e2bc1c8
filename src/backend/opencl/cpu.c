/* SPDX-License-Identifier: MIT */
/*
 * A driver for CPUs works on threads of this process, which the kernel counts. Which of them are
 * the driver's is not known here, so all are counted; the queue is idle when a range begins and
 * ends, so that the work between is all in it.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "backend/opencl/opencl.h"
#include "backend/opencl/parts.h"
#include "base/array.h"
#include "base/error.h"

enum { WAIT_S = 10 };

/* Its header names things as those here do. */
extern const struct tacho__backend tacho__backend_perf;

struct functions {
	struct tacho__dl dl;
	int32_t (*get_queue_info)(cl_handle queue, uint32_t name, size_t size, void *value,
				  size_t *out_size);
	int32_t (*get_device_info)(cl_handle device, uint32_t name, size_t size, void *value,
				   size_t *out_size);
	int32_t (*get_event_info)(cl_handle event, uint32_t name, size_t size, void *value,
				  size_t *out_size);
	int32_t (*set_callback)(cl_handle event, int32_t status,
				void (*function)(cl_handle event, int32_t status, void *user),
				void *user);
	int32_t (*release_event)(cl_handle event);
	int32_t (*flush)(cl_handle queue);
	int32_t (*enqueue_marker)(cl_handle queue, uint32_t count, const cl_handle *wait,
				  cl_handle *out_event);
};

#define ROW(name, member)                                      \
	{                                                      \
		name, offsetof(struct functions, member), true \
	}

static const struct tacho__dl_symbol symbols[] = {
	ROW("clGetCommandQueueInfo", get_queue_info),
	ROW("clGetDeviceInfo", get_device_info),
	ROW("clGetEventInfo", get_event_info),
	ROW("clSetEventCallback", set_callback),
	ROW("clReleaseEvent", release_event),
	ROW("clFlush", flush),
	ROW("clEnqueueMarkerWithWaitList", enqueue_marker),
};

struct tacho__device {
	struct functions cl;
	cl_handle queue;	    /* held by the part for times */
	struct tacho__device *perf; /* perf's */
};

struct tacho__collection {
	struct tacho__device *device;
	struct tacho__collection *perf; /* perf's */
};

static int is_cpu(const struct functions *cl, cl_handle queue)
{
	cl_handle device = NULL;
	uint64_t type = 0;

	return !cl->get_queue_info(queue, CL__QUEUE_DEVICE, sizeof(device), &device, NULL) &&
	       !cl->get_device_info(device, CL__DEVICE_TYPE, sizeof(type), &type, NULL) &&
	       (type & CL__DEVICE_TYPE_CPU);
}

/* The kernel's device with everything: the first that perf tells of. */
static int open_perf(const struct tacho_probe *probe_, const struct tacho_catalog *catalog,
		     struct tacho__device **out_perf)
{
	const struct tacho__probe_options options = {
		.backends = tacho__backend_perf.name,
		.only_counting = 1,
		.sysroot = tacho__probe_get_sysroot(probe_),
	};
	struct tacho_probe *own = NULL;
	int rc = tacho__probe_create(&options, &own);

	if (!rc)
		rc = tacho__backend_perf.open(own, 0, catalog, out_perf);
	tacho_probe_destroy(own);
	return rc;
}

static int open_device(const struct tacho_probe *probe_, size_t index,
		       const struct tacho_catalog *catalog, struct tacho__device **out_device)
{
	struct tacho__device *device = calloc(1, sizeof(*device));
	int rc;

	if (!device)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a queue");
	device->queue = tacho__probe_get_handle(probe_);
	rc = tacho__opencl_load(symbols, TACHO__ARRAY_SIZE(symbols), &device->cl.dl, &device->cl);
	if (!rc && is_cpu(&device->cl, device->queue))
		rc = open_perf(probe_, catalog, &device->perf);
	if (!rc && device->perf) {
		*out_device = device;
		return 0;
	}
	tacho__dl_close(&device->cl.dl);
	free(device);
	return rc;
}

static void close_device(struct tacho__device *device)
{
	tacho__backend_perf.close(device->perf);
	tacho__dl_close(&device->cl.dl);
	free(device);
}

static void describe(struct tacho__device *device, struct tacho__device_traits *out_traits)
{
	tacho__backend_perf.describe(device->perf, out_traits);
	out_traits->has_windows = 0;
}

static int begin(struct tacho__device *device, const struct tacho__collection_options *options,
		 struct tacho__collection **out_collection)
{
	struct tacho__collection *collection = calloc(1, sizeof(*collection));
	int rc = collection ? tacho__backend_perf.begin(device->perf, options, &collection->perf)
			    : tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a collection");

	if (rc) {
		free(collection);
		return rc;
	}
	collection->device = device;
	*out_collection = collection;
	return 0;
}

static int begin_pass(struct tacho__collection *collection, uint32_t pass)
{
	return tacho__backend_perf.begin_pass(collection->perf, pass);
}

static int end_pass(struct tacho__collection *collection)
{
	return tacho__backend_perf.end_pass(collection->perf);
}

/* ---- until the queue is idle ---- */

/* Held by the thread that waits, and by the driver until it called. */
struct waiter {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned references;
	bool is_done;
};

static void drop_waiter(struct waiter *waiter)
{
	unsigned left;

	pthread_mutex_lock(&waiter->lock);
	left = --waiter->references;
	pthread_mutex_unlock(&waiter->lock);
	if (left)
		return;
	pthread_cond_destroy(&waiter->changed);
	pthread_mutex_destroy(&waiter->lock);
	free(waiter);
}

static void on_done(cl_handle event, int32_t status, void *user)
{
	struct waiter *waiter = user;

	pthread_mutex_lock(&waiter->lock);
	waiter->is_done = true;
	pthread_cond_signal(&waiter->changed);
	pthread_mutex_unlock(&waiter->lock);
	drop_waiter(waiter);
}

static struct waiter *create_waiter(void)
{
	struct waiter *waiter = calloc(1, sizeof(*waiter));
	pthread_condattr_t attributes;

	if (!waiter)
		return NULL;
	waiter->references = 1;
	pthread_mutex_init(&waiter->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&waiter->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	return waiter;
}

static bool await(struct waiter *waiter)
{
	struct timespec end;
	bool is_done;
	int error = 0;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += WAIT_S;
	pthread_mutex_lock(&waiter->lock);
	while (!waiter->is_done && error != ETIMEDOUT)
		error = pthread_cond_timedwait(&waiter->changed, &waiter->lock, &end);
	is_done = waiter->is_done;
	pthread_mutex_unlock(&waiter->lock);
	return is_done;
}

static int fail_call(const char *function, int32_t error)
{
	return tacho__fail_vendor(
		tacho__fail(TACHO_E_VENDOR,
			    tacho__detail("%s said %s", function, tacho__opencl_error(error)),
			    "finish the queue, and release events that are not needed",
			    "it cannot be waited for the queue"),
		error);
}

/*
 * A callback wakes this thread once: looking at the event again and again would be counted. A
 * command that failed is over too.
 */
static int await_event(const struct functions *cl, cl_handle event)
{
	struct waiter *waiter;
	int32_t status = 1, error;
	int rc = 0;

	if (!cl->get_event_info(event, CL__EVENT_STATUS, sizeof(status), &status, NULL) &&
	    status <= CL__COMPLETE)
		return 0;
	waiter = create_waiter();
	if (!waiter)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to wait for a queue");
	waiter->references++;
	error = cl->set_callback(event, CL__COMPLETE, on_done, waiter);
	if (error) {
		waiter->references--;
		rc = fail_call("clSetEventCallback", error);
	} else if (!await(waiter)) {
		rc = tacho__fail(TACHO_E_TIMEOUT,
				 tacho__detail("it is not idle after %d s", (int)WAIT_S),
				 "put no work into a range that waits for something behind it",
				 "what a CPU does is counted when the queue is idle");
	}
	drop_waiter(waiter);
	return rc;
}

static int settle(const struct tacho__device *device)
{
	const struct functions *cl = &device->cl;
	cl_handle event = NULL;
	int32_t error = cl->enqueue_marker(device->queue, 0, NULL, &event);
	int rc;

	if (error)
		return fail_call("clEnqueueMarkerWithWaitList", error);
	error = cl->flush(device->queue);
	rc = error ? fail_call("clFlush", error) : await_event(cl, event);
	cl->release_event(event);
	return rc;
}

static int begin_range(struct tacho__collection *collection, uint64_t key, uint64_t parent)
{
	int rc = settle(collection->device);

	return rc ? rc : tacho__backend_perf.begin_range(collection->perf, key, parent);
}

/* A range whose work has not ended stays open, and never has values. */
static int end_range(struct tacho__collection *collection, uint64_t key)
{
	int rc = settle(collection->device);

	return rc ? rc : tacho__backend_perf.end_range(collection->perf, key);
}

static int drain(struct tacho__collection *collection, uint64_t timeout_ns)
{
	return tacho__backend_perf.drain(collection->perf, timeout_ns);
}

static void end(struct tacho__collection *collection)
{
	tacho__backend_perf.end(collection->perf);
	free(collection);
}

const struct tacho__backend tacho__opencl_cpu = {
	.size = sizeof(struct tacho__backend),
	.name = "opencl_cpu",
	.open = open_device,
	.close = close_device,
	.describe = describe,
	.begin = begin,
	.begin_pass = begin_pass,
	.end_pass = end_pass,
	.begin_range = begin_range,
	.end_range = end_range,
	.drain = drain,
	.end = end,
};
