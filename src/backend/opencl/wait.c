/* SPDX-License-Identifier: MIT */
/*
 * Waiting until a queue is idle, for a marker and no longer than some seconds. clFinish() has no
 * limit: work that waits for something which this very thread does later would stop the program.
 */
#include <pthread.h>
#include <stdlib.h>

#include "backend/opencl/parts.h"
#include "base/clock.h"
#include "base/cond.h"
#include "base/error.h"

enum { WAIT_S = 10 };

#define CANNOT_WAIT                          \
	"it cannot be waited for the queue", \
		"finish the queue, and release events that are not needed"

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
				 "the range is to begin and end while the queue is idle");
	}
	drop_waiter(waiter);
	return rc;
}

int tacho__opencl_await(const struct tacho__opencl_queue *cl, cl_handle queue, cl_handle event)
{
	int32_t error = cl->flush(queue);

	return error ? tacho__opencl_fail("clFlush", error, CANNOT_WAIT) : await_event(cl, event);
}

int tacho__opencl_settle(const struct tacho__opencl_queue *cl, cl_handle queue)
{
	cl_handle event = NULL;
	int32_t error = cl->enqueue_marker(queue, 0, NULL, &event);
	int rc;

	if (error)
		return tacho__opencl_fail("clEnqueueMarkerWithWaitList", error, CANNOT_WAIT);
	rc = tacho__opencl_await(cl, queue, event);
	cl->release_event(event);
	return rc;
}
