/* SPDX-License-Identifier: MIT */
/*
 * The program's thread puts a job into the ring, and the queue's thread takes jobs in that order. A
 * job is free again when its times were told. Waking a thread takes a system call, so the queue's
 * naps before it sleeps: of submits that follow one another closely only the first wakes it, and
 * those that fill the ring.
 */
#include "inject/vulkan/vk_worker.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/thread.h"
#include "inject/vulkan/vk_clock.h"
#include "inject/vulkan/vk_counted.h"
#include "inject/vulkan/vk_devices.h"
#include "inject/vulkan/vk_host.h"
#include "intercept/intercept.h"
#include "record/wire.h"
#include "vulkan_constants.h"

enum {
	JOBS_MAX = 256, /* that a queue's submits wait in; a power of two */
	LOOK_NS = 100000000,
	LOOKS_AT_END = 10,
	DRIFT_NS = 1000000,
	NAP_NS = 1000000,
	NAP_JOBS = JOBS_MAX / 4, /* that a nap ends at */
};

enum { AWAKE, NAPS, SLEEPS };

#define NOT_CREDIBLE_NS (UINT64_MAX / 2)

struct vk_worker {
	struct vk_queue *queue;
	pthread_t thread;
	pid_t pid; /* a forked child has no such thread */
	sem_t wakes;
	atomic_int state; /* AWAKE or, until `wakes` is posted, one of the others */
	atomic_bool stops;
	struct vk_job jobs[JOBS_MAX];
	struct vk_job *ring[JOBS_MAX];
	atomic_uint put; /* by who has the queue */
	atomic_uint taken;
	struct vk_clock clock;
};

/* ---- telling times ---- */

/* What a time may be beside the submit's: clocks drift between two readings of both. */
static bool is_credible(const struct vk_device *device, const struct tacho__times *times,
			uint64_t from_ns, uint64_t to_ns)
{
	uint64_t slack = device->uncertainty_ns + DRIFT_NS;

	if (times->end < times->start)
		return false;
	if (!device->is_calibrated)
		return times->end - times->start <= to_ns - from_ns + slack;
	return times->start + slack >= from_ns && times->end <= to_ns + slack;
}

/* A result is the ticks, and whether there are any. */
static uint64_t convert(struct vk_worker *worker, const struct vk_queue *queue,
			const uint64_t *result)
{
	uint32_t bits = queue->device->families[queue->family].valid_bits;

	return tacho__vulkan_clock_convert(queue->device, &worker->clock, bits, result[0]);
}

/*
 * Of a draw for several views a driver writes a time into the first of the queries and 0 into the
 * others, or one for each view: then the draw took as long as all of these together.
 */
static uint64_t add_views(struct vk_worker *worker, const struct vk_queue *queue,
			  const uint64_t *begins, const uint64_t *ends, uint32_t views)
{
	uint64_t sum_ns = 0;

	for (uint32_t i = 1; i < views; i++) {
		const uint64_t *begin = begins + 2 * i, *end = ends + 2 * i;

		uint64_t from, to;

		if (!begin[0] || !begin[1] || !end[0] || !end[1])
			continue;
		from = convert(worker, queue, begin);
		to = convert(worker, queue, end);
		if (to < from)
			return NOT_CREDIBLE_NS;
		sum_ns += to - from;
	}
	return sum_ns;
}

/* `now_ns`: the job was seen to have ended before. */
static struct tacho__times read_times(struct vk_worker *worker, const struct vk_job *job,
				      const struct vk_row *row, uint64_t now_ns)
{
	const uint64_t *begin = job->results + 2 * (uint64_t)row->query;
	const uint64_t *end = job->results + 2 * (uint64_t)row->end;
	const struct vk_queue *queue = job->queue;
	struct tacho__times times = {.code = TACHO__SLOT_NO_PROFILING};

	if (!begin[1] || !end[1])
		return times;
	times.start = convert(worker, queue, begin);
	times.end = convert(worker, queue, end);
	times.end += add_views(worker, queue, begin, end, row->views);
	if (!is_credible(queue->device, &times, job->submit_ns, now_ns))
		return (struct tacho__times){.code = TACHO__SLOT_ODD};
	times.queued = times.start;
	times.code = TACHO__SLOT_UNQUEUED;
	if (queue->device->is_calibrated) {
		times.code = TACHO__SLOT_TIMES;
		times.queued = job->submit_ns < times.start ? job->submit_ns : times.start;
	}
	times.submit = times.queued;
	return times;
}

static void tell(struct vk_worker *worker, struct vk_job *job)
{
	uint64_t now_ns = tacho__vulkan_clock_now_ns();

	tacho__vulkan_clock_refresh(job->queue->device, &worker->clock);
	for (uint32_t i = 0; i < job->row_count; i++) {
		const struct vk_row *row = &job->rows[i];
		struct tacho__times times = {.code = row->why};

		if (!row->why)
			times = read_times(worker, job, row, now_ns);
		tacho__intercept_complete(row->token, &times);
	}
	tacho__vulkan_counted_tell(job);
	tacho__vulkan_job_empty(job);
}

/* At the end of the device a job is waited for a second long, and given up. */
static void finish(struct vk_worker *worker, struct vk_job *job)
{
	const struct vk_device *device = worker->queue->device;
	int32_t rc = VK_TIMEOUT;

	for (int looks = 0; rc == VK_TIMEOUT && looks < LOOKS_AT_END;) {
		rc = device->table.vkWaitForFences(device->handle, 1, &job->fence, 1, LOOK_NS);
		looks += atomic_load(&worker->stops);
	}
	if (!rc && worker->queue->is_by_host)
		tacho__vulkan_host_read(job);
	if (rc || device->table.vkResetFences(device->handle, 1, &job->fence))
		tacho__vulkan_job_give_up(job);
	else if (tacho__vulkan_job_is_mixed(job))
		tacho__vulkan_job_drop(job);
	else
		tell(worker, job);
}

static uint32_t count_jobs(struct vk_worker *worker)
{
	return atomic_load(&worker->put) - atomic_load(&worker->taken);
}

static void nap(struct vk_worker *worker)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_nsec += NAP_NS;
	if (end.tv_nsec >= 1000000000) {
		end.tv_nsec -= 1000000000;
		end.tv_sec++;
	}
	atomic_store(&worker->state, NAPS);
	if (!atomic_load(&worker->stops))
		sem_timedwait(&worker->wakes, &end);
}

/* Either of the two sees what the other has stored: a job, or that somebody sleeps. */
static void sleep_until_job(struct vk_worker *worker)
{
	atomic_store(&worker->state, SLEEPS);
	while (!count_jobs(worker) && !atomic_load(&worker->stops))
		sem_wait(&worker->wakes);
	atomic_store(&worker->state, AWAKE);
}

static void *work(void *user)
{
	struct vk_worker *worker = user;

	for (;;) {
		for (; count_jobs(worker); atomic_fetch_add(&worker->taken, 1))
			finish(worker, worker->ring[worker->taken % JOBS_MAX]);
		if (atomic_load(&worker->stops))
			return NULL;
		nap(worker);
		sleep_until_job(worker);
	}
}

static void wake(struct vk_worker *worker)
{
	int state = atomic_load(&worker->state);

	if ((state == SLEEPS || (state == NAPS && count_jobs(worker) >= NAP_JOBS)) &&
	    atomic_exchange(&worker->state, AWAKE) != AWAKE)
		sem_post(&worker->wakes);
}

/* ---- its life ---- */

static struct vk_worker *start_worker(struct vk_queue *queue)
{
	struct vk_worker *worker = calloc(1, sizeof(*worker));

	if (!worker)
		return NULL;
	worker->queue = queue;
	worker->pid = getpid();
	for (int i = 0; i < JOBS_MAX; i++)
		worker->jobs[i].queue = queue;
	if (!sem_init(&worker->wakes, 0, 0)) {
		if (!tacho__thread_start(&worker->thread, work, worker))
			return worker;
		sem_destroy(&worker->wakes);
	}
	free(worker);
	return NULL;
}

static bool is_free(const struct vk_job *job)
{
	return !atomic_load_explicit(&job->is_busy, memory_order_acquire);
}

struct vk_job *tacho__vulkan_job_take(struct vk_queue *queue, struct vk_job *wanted)
{
	if (wanted && wanted->queue == queue && is_free(wanted))
		return wanted->fence || tacho__vulkan_job_make(wanted) ? wanted : NULL;
	if (!queue->worker)
		queue->worker = start_worker(queue);
	for (int i = 0; queue->worker && i < JOBS_MAX; i++) {
		struct vk_job *job = &queue->worker->jobs[i];

		if (is_free(job))
			return job->fence || tacho__vulkan_job_make(job) ? job : NULL;
	}
	return NULL;
}

void tacho__vulkan_job_watch(struct vk_job *job)
{
	struct vk_worker *worker = job->queue->worker;
	uint32_t put = atomic_load_explicit(&worker->put, memory_order_relaxed);

	atomic_store(&job->is_busy, true);
	worker->ring[put % JOBS_MAX] = job;
	atomic_store(&worker->put, put + 1);
	wake(worker);
}

void tacho__vulkan_stop_worker(struct vk_queue *queue)
{
	struct vk_worker *worker = queue->worker;

	if (!worker)
		return;
	queue->worker = NULL;
	if (worker->pid != getpid())
		return;
	atomic_store(&worker->stops, true);
	sem_post(&worker->wakes);
	pthread_join(worker->thread, NULL);
	for (int i = 0; i < JOBS_MAX; i++)
		if (worker->jobs[i].fence)
			tacho__vulkan_job_free(&worker->jobs[i]);
	sem_destroy(&worker->wakes);
	free(worker);
}
