/* SPDX-License-Identifier: MIT */
/*
 * The program's thread puts a job into the ring and wakes the queue's thread, which takes jobs in
 * that order. A job is free again when its times were told.
 */
#include "inject/vulkan/vk_worker.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "inject/vulkan/vk_clock.h"
#include "inject/vulkan/vk_devices.h"
#include "intercept/intercept.h"
#include "record/wire.h"
#include "vulkan_constants.h"

enum {
	JOBS_MAX = 256, /* that a queue's submits wait in; a power of two */
	LOOK_NS = 100000000,
	LOOKS_AT_END = 10,
};

struct vk_worker {
	struct vk_queue *queue;
	pthread_t thread;
	pid_t pid; /* a forked child has no such thread */
	sem_t wakes;
	atomic_bool stops;
	struct vk_job jobs[JOBS_MAX];
	struct vk_job *ring[JOBS_MAX];
	uint32_t put; /* by who has the queue */
	uint32_t taken;
	struct vk_clock clock;
};

/* ---- telling times ---- */

static struct tacho__times read_times(struct vk_worker *worker, const struct vk_job *job,
				      const uint64_t *result)
{
	const struct vk_queue *queue = job->queue;
	uint32_t bits = queue->device->families[queue->family].valid_bits;
	struct tacho__times times = {.code = TACHO__SLOT_NO_PROFILING};

	if (!result[1] || !result[3])
		return times;
	times.start = tacho__vulkan_clock_convert(queue->device, &worker->clock, bits, result[0]);
	times.end = tacho__vulkan_clock_convert(queue->device, &worker->clock, bits, result[2]);
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
	tacho__vulkan_clock_refresh(job->queue->device, &worker->clock);
	for (uint32_t i = 0; i < job->row_count; i++) {
		const struct vk_row *row = &job->rows[i];
		struct tacho__times times = {.code = row->why};

		if (!row->why)
			times = read_times(worker, job, job->results + 2 * row->query);
		tacho__intercept_complete(row->token, &times);
	}
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
	if (rc)
		tacho__vulkan_job_give_up(job);
	else if (tacho__vulkan_job_is_mixed(job))
		tacho__vulkan_job_drop(job);
	else
		tell(worker, job);
}

static void *work(void *user)
{
	struct vk_worker *worker = user;

	for (;;) {
		while (sem_wait(&worker->wakes))
			;
		if (worker->taken == __atomic_load_n(&worker->put, __ATOMIC_ACQUIRE))
			return NULL; /* woken for no job: it stops */
		finish(worker, worker->ring[worker->taken % JOBS_MAX]);
		worker->taken++;
	}
}

/* ---- its life ---- */

/* No signal of the program's is handled on our thread. */
static bool start_thread(struct vk_worker *worker)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&worker->thread, NULL, work, worker);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return !error;
}

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
		if (start_thread(worker))
			return worker;
		sem_destroy(&worker->wakes);
	}
	free(worker);
	return NULL;
}

struct vk_job *tacho__vulkan_job_take(struct vk_queue *queue)
{
	if (!queue->worker)
		queue->worker = start_worker(queue);
	for (int i = 0; queue->worker && i < JOBS_MAX; i++) {
		struct vk_job *job = &queue->worker->jobs[i];

		if (atomic_load_explicit(&job->is_busy, memory_order_acquire))
			continue;
		return job->pool || tacho__vulkan_job_make(job) ? job : NULL;
	}
	return NULL;
}

void tacho__vulkan_job_watch(struct vk_job *job)
{
	struct vk_worker *worker = job->queue->worker;

	atomic_store(&job->is_busy, true);
	worker->ring[worker->put % JOBS_MAX] = job;
	__atomic_store_n(&worker->put, worker->put + 1, __ATOMIC_RELEASE);
	sem_post(&worker->wakes);
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
		if (worker->jobs[i].pool)
			tacho__vulkan_job_free(&worker->jobs[i]);
	sem_destroy(&worker->wakes);
	free(worker);
}
