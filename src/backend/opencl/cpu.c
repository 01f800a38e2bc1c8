/* SPDX-License-Identifier: MIT */
/*
 * A driver for CPUs works on threads of this process, which the kernel counts. Which of them are
 * the driver's is not known here, so all are counted; the queue is idle when a range begins and
 * ends, so that the work between is all in it.
 */
#include <pthread.h>
#include <stdlib.h>

#include "backend/opencl/opencl.h"
#include "backend/opencl/parts.h"
#include "base/clock.h"
#include "base/cond.h"
#include "base/error.h"

enum { WAIT_S = 10 };

#define CANNOT_WAIT                          \
	"it cannot be waited for the queue", \
		"finish the queue, and release events that are not needed"

/* Its header names things as those here do. */
extern const struct tacho__backend tacho__backend_perf;

struct cpu_device {
	struct tacho_device base;
	struct tacho__opencl_queue cl;
	cl_handle queue; /* held by the part for times */
	struct tacho_device *perf;
};

struct cpu_collection {
	struct tacho__collection base;
	struct cpu_device *device;
	struct tacho__collection *perf;
};

static int is_cpu(const struct tacho__opencl_queue *cl, cl_handle queue)
{
	cl_handle device = tacho__opencl_get_device(cl, queue);

	return device && tacho__opencl_get_number(cl->get_device_info, device, CL__DEVICE_TYPE) &
				 CL__DEVICE_TYPE_CPU;
}

/* The kernel's device with everything: the first that perf tells of. */
static int open_perf(const struct tacho_probe *probe_, const struct tacho_catalog *catalog,
		     struct tacho_device **out_perf)
{
	const struct tacho__probe_options options = {
		.backends = tacho__backend_perf.name,
		.only_counting = 1,
		.sysroot = tacho__probe_get_options(probe_)->sysroot,
	};
	struct tacho_probe *own = NULL;
	int rc = tacho__probe_create(&options, &own);

	if (!rc)
		rc = tacho__backend_perf.open(own, 0, catalog, out_perf);
	tacho_probe_destroy(own);
	return rc;
}

static int open_device(const struct tacho_probe *probe_, size_t index,
		       const struct tacho_catalog *catalog, struct tacho_device **out_device)
{
	struct cpu_device *device = calloc(1, sizeof(*device));
	int rc;

	if (!device)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a queue");
	device->queue = tacho__probe_get_options(probe_)->handle;
	rc = tacho__opencl_queue_load(&device->cl);
	if (!rc && is_cpu(&device->cl, device->queue))
		rc = open_perf(probe_, catalog, &device->perf);
	if (!rc && device->perf) {
		device->base.traits = device->perf->traits;
		device->base.traits.has_windows = 0;
		*out_device = &device->base;
		return 0;
	}
	tacho__dl_close(&device->cl.dl);
	free(device);
	return rc;
}

static void close_device(struct tacho_device *base)
{
	struct cpu_device *device = TACHO__OWN(struct cpu_device, base);
	tacho__backend_perf.close(device->perf);
	tacho__dl_close(&device->cl.dl);
	free(device);
}

static int begin(struct tacho_device *base, const struct tacho__collection_options *options,
		 struct tacho__collection **out_collection)
{
	struct cpu_device *device = TACHO__OWN(struct cpu_device, base);
	struct cpu_collection *collection = tacho__collection_create(sizeof(*collection), options);
	int rc;

	if (!collection)
		return TACHO_E_NOMEM;
	collection->device = device;
	rc = tacho__backend_perf.begin(device->perf, options, &collection->perf);
	if (rc)
		tacho__collection_destroy(&collection->base);
	else
		*out_collection = &collection->base;
	return rc;
}

static int begin_pass(struct tacho__collection *base, uint32_t pass)
{
	struct cpu_collection *collection = TACHO__OWN(struct cpu_collection, base);
	return tacho__backend_perf.begin_pass(collection->perf, pass);
}

static int end_pass(struct tacho__collection *base)
{
	struct cpu_collection *collection = TACHO__OWN(struct cpu_collection, base);
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

	if (!waiter)
		return NULL;
	waiter->references = 1;
	pthread_mutex_init(&waiter->lock, NULL);
	tacho__cond_init(&waiter->changed);
	return waiter;
}

static bool await(struct waiter *waiter)
{
	uint64_t end_ns = tacho__clock_monotonic_ns() + WAIT_S * UINT64_C(1000000000);
	bool is_done, in_time = true;

	pthread_mutex_lock(&waiter->lock);
	while (!waiter->is_done && in_time)
		in_time = tacho__cond_wait(&waiter->changed, &waiter->lock, end_ns);
	is_done = waiter->is_done;
	pthread_mutex_unlock(&waiter->lock);
	return is_done;
}

/*
 * A callback wakes this thread once: looking at the event again and again would be counted. A
 * command that failed is over too.
 */
static int await_event(const struct tacho__opencl_queue *cl, cl_handle event)
{
	struct waiter *waiter;
	int32_t error;
	int rc = 0;

	if (tacho__opencl_is_over(cl, event))
		return 0;
	waiter = create_waiter();
	if (!waiter)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to wait for a queue");
	waiter->references++;
	error = cl->set_callback(event, CL__COMPLETE, on_done, waiter);
	if (error) {
		waiter->references--;
		rc = tacho__opencl_fail("clSetEventCallback", error, CANNOT_WAIT);
	} else if (!await(waiter)) {
		rc = tacho__fail(TACHO_E_TIMEOUT,
				 tacho__detail("it is not idle after %d s", (int)WAIT_S),
				 "put no work into a range that waits for something behind it",
				 "what a CPU does is counted when the queue is idle");
	}
	drop_waiter(waiter);
	return rc;
}

static int settle(const struct cpu_device *device)
{
	const struct tacho__opencl_queue *cl = &device->cl;
	cl_handle event = NULL;
	int32_t error = cl->enqueue_marker(device->queue, 0, NULL, &event);
	int rc;

	if (error)
		return tacho__opencl_fail("clEnqueueMarkerWithWaitList", error, CANNOT_WAIT);
	error = cl->flush(device->queue);
	rc = error ? tacho__opencl_fail("clFlush", error, CANNOT_WAIT) : await_event(cl, event);
	cl->release_event(event);
	return rc;
}

static int begin_range(struct tacho__collection *base, uint64_t key, uint64_t parent)
{
	struct cpu_collection *collection = TACHO__OWN(struct cpu_collection, base);
	int rc = settle(collection->device);

	return rc ? rc : tacho__backend_perf.begin_range(collection->perf, key, parent);
}

/* A range whose work has not ended stays open, and never has values. */
static int end_range(struct tacho__collection *base, uint64_t key)
{
	struct cpu_collection *collection = TACHO__OWN(struct cpu_collection, base);
	int rc = settle(collection->device);

	return rc ? rc : tacho__backend_perf.end_range(collection->perf, key);
}

static void end(struct tacho__collection *base)
{
	struct cpu_collection *collection = TACHO__OWN(struct cpu_collection, base);
	tacho__backend_perf.end(collection->perf);
	tacho__collection_destroy(base);
}

const struct tacho__backend tacho__opencl_cpu = {
	.name = "opencl_cpu",
	.open = open_device,
	.close = close_device,
	.begin = begin,
	.begin_pass = begin_pass,
	.end_pass = end_pass,
	.begin_range = begin_range,
	.end_range = end_range,
	.end = end,
};
