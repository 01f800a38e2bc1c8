/* SPDX-License-Identifier: MIT */
/* Threads that run tasks one after the other; who makes a thread is told before and after. */
#include "face/rocprofiler/rocp_threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/thread.h"
#include "face/rocprofiler/rocprofiler.h"

struct thread {
	pthread_t id;
	pthread_mutex_t lock;
	pthread_cond_t posted;
	struct tacho__rocp_task *first, *last;
	bool is_ending;
};

/* Who wants to hear of threads. */
struct listener {
	rocprofiler_internal_thread_library_cb_t before, after;
	void *data;
};

enum { LISTENERS_MAX = 64, SHARED = 0 };

/* Held while a thread is made or listeners come, not while they are called. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct thread *_Atomic threads[TACHO__ROCP_THREADS_MAX];
static uint64_t made = SHARED + 1; /* handles that were given out, with the shared one's */
static struct listener listeners[LISTENERS_MAX];
static atomic_uint listener_count;
static _Thread_local bool is_own;

static struct tacho__rocp_task *take(struct thread *thread)
{
	struct tacho__rocp_task *task;

	pthread_mutex_lock(&thread->lock);
	while (!thread->first && !thread->is_ending)
		pthread_cond_wait(&thread->posted, &thread->lock);
	task = thread->first;
	if (task) {
		thread->first = task->next;
		atomic_store(&task->is_posted, false);
	}
	pthread_mutex_unlock(&thread->lock);
	return task;
}

static void *run(void *user)
{
	struct thread *thread = user;
	struct tacho__rocp_task *task;

	is_own = true;
	while ((task = take(thread)))
		task->run(task);
	return NULL;
}

static struct thread *start(void)
{
	struct thread *thread = calloc(1, sizeof(*thread));
	unsigned count = atomic_load(&listener_count);
	int error;

	if (!thread)
		return NULL;
	pthread_mutex_init(&thread->lock, NULL);
	pthread_cond_init(&thread->posted, NULL);
	for (unsigned i = 0; i < count; i++)
		if (listeners[i].before)
			listeners[i].before(ROCPROFILER_LIBRARY, listeners[i].data);
	error = tacho__thread_start(&thread->id, run, thread);
	for (unsigned i = 0; i < count; i++)
		if (listeners[i].after)
			listeners[i].after(ROCPROFILER_LIBRARY, listeners[i].data);
	if (!error)
		return thread;
	tacho__rocp_log_error("a thread for callbacks cannot be made (errno %d)", error);
	free(thread);
	return NULL;
}

bool tacho__rocp_thread_make_shared(void)
{
	struct thread *thread, *none = NULL;

	if (atomic_load(&threads[SHARED]))
		return true;
	thread = start();
	if (!thread)
		return false;
	if (atomic_compare_exchange_strong(&threads[SHARED], &none, thread))
		return true;
	/* Somebody else has made it meanwhile. */
	pthread_mutex_lock(&thread->lock);
	thread->is_ending = true;
	pthread_cond_signal(&thread->posted);
	pthread_mutex_unlock(&thread->lock);
	pthread_join(thread->id, NULL);
	free(thread);
	return true;
}

bool tacho__rocp_thread_make(uint64_t *out_handle)
{
	uint64_t handle = 0;
	struct thread *thread;

	pthread_mutex_lock(&lock);
	if (made < TACHO__ROCP_THREADS_MAX)
		handle = made++;
	pthread_mutex_unlock(&lock);
	thread = handle ? start() : NULL;
	if (!thread)
		return false;
	atomic_store(&threads[handle], thread);
	*out_handle = handle;
	return true;
}

bool tacho__rocp_thread_exists(uint64_t handle)
{
	return handle < TACHO__ROCP_THREADS_MAX && atomic_load(&threads[handle]);
}

void tacho__rocp_thread_post(uint64_t handle, struct tacho__rocp_task *task)
{
	struct thread *thread = atomic_load(&threads[handle]);

	if (!thread)
		return;
	pthread_mutex_lock(&thread->lock);
	if (!thread->is_ending && !atomic_exchange(&task->is_posted, true)) {
		task->next = NULL;
		if (thread->first)
			thread->last->next = task;
		else
			thread->first = task;
		thread->last = task;
		pthread_cond_signal(&thread->posted);
	}
	pthread_mutex_unlock(&thread->lock);
}

bool tacho__rocp_thread_is_own(void)
{
	return is_own;
}

/* The struct stays: somebody may be about to post to it. */
static void end(struct thread *thread)
{
	pthread_mutex_lock(&thread->lock);
	thread->is_ending = true;
	pthread_cond_signal(&thread->posted);
	pthread_mutex_unlock(&thread->lock);
	if (pthread_equal(thread->id, pthread_self()))
		pthread_detach(thread->id);
	else
		pthread_join(thread->id, NULL);
}

void tacho__rocp_threads_end(void)
{
	for (size_t i = 0; i < TACHO__ROCP_THREADS_MAX; i++)
		if (atomic_load(&threads[i]))
			end(atomic_load(&threads[i]));
}

rocprofiler_status_t
rocprofiler_at_internal_thread_create(rocprofiler_internal_thread_library_cb_t precreate,
				      rocprofiler_internal_thread_library_cb_t postcreate, int libs,
				      void *data)
{
	rocprofiler_status_t status = ROCPROFILER_STATUS_SUCCESS;
	unsigned count;

	if (libs && !(libs & ROCPROFILER_LIBRARY))
		return status; /* tacho makes no threads for others */
	pthread_mutex_lock(&lock);
	count = atomic_load(&listener_count);
	if (count < LISTENERS_MAX) {
		listeners[count] = (struct listener){precreate, postcreate, data};
		atomic_store(&listener_count, count + 1);
	} else {
		status = ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
	}
	pthread_mutex_unlock(&lock);
	return status;
}

rocprofiler_status_t rocprofiler_create_callback_thread(rocprofiler_callback_thread_t *cb_thread_id)
{
	if (!cb_thread_id)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	if (tacho__rocp_is_locked())
		return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
	return tacho__rocp_thread_make(&cb_thread_id->handle) ? ROCPROFILER_STATUS_SUCCESS
							      : ROCPROFILER_STATUS_ERROR;
}
