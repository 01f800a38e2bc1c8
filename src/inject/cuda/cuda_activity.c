/* SPDX-License-Identifier: MIT */
#include "inject/cuda/cuda_activity.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <time.h>

#include "base/futex.h"
#include "base/thread.h"
#include "inject/cuda/cuda_clock.h"
#include "inject/cuda/cuda_functions.h"
#include "inject/cuda/cuda_notes.h"
#include "inject/cuda/cuda_records.h"
#include "intercept/intercept.h"

enum {
	BUFFERS = 64,
	BUFFER_BYTES = 512 << 10,
	PERIOD_NS = 100000000,
	PERIOD_OF_WAITS_NS = 10000000, /* not more often for programs that wait often */
	CALM_PERIODS = 3,	       /* without work, until nobody asks */
	PATIENCE_S = 2,
};

static struct {
	uint8_t *memory;
	_Atomic(uint64_t) used;		/* a bit for each buffer */
	_Atomic(uint64_t) flushed_ns;	/* CLOCK_MONOTONIC */
	_Atomic(uint64_t) ended_before; /* tick: work that was given before has ended */
	atomic_uint news;		/* what the thread sleeps on */
	pthread_mutex_t asking;		/* held by the thread while it asks */
	bool has_ended;			/* under it */
} activity = {.asking = PTHREAD_MUTEX_INITIALIZER};

/* ---- buffers ---- */

/* Whoever has a buffer from here gives it back through on_complete(). */
static void on_request(uint8_t **buffer, size_t *size, size_t *max_records)
{
	uint64_t used = atomic_load(&activity.used);

	*buffer = NULL;
	*size = 0;
	*max_records = 0;
	while (~used) {
		unsigned free = (unsigned)__builtin_ctzll(~used);

		if (!atomic_compare_exchange_weak(&activity.used, &used,
						  used | UINT64_C(1) << free))
			continue;
		*buffer = activity.memory + (size_t)free * BUFFER_BYTES;
		*size = BUFFER_BYTES;
		return;
	}
}

static bool is_ours(const uint8_t *buffer)
{
	return buffer >= activity.memory &&
	       buffer < activity.memory + (size_t)BUFFERS * BUFFER_BYTES &&
	       !((size_t)(buffer - activity.memory) % BUFFER_BYTES);
}

static void on_complete(void *context, uint32_t stream, uint8_t *buffer, size_t size,
			size_t valid_size)
{
	int error = errno;

	(void)size;
	if (buffer && is_ours(buffer)) {
		if (valid_size > BUFFER_BYTES)
			valid_size = BUFFER_BYTES;
		tacho__cuda_records_take(context, stream, buffer, valid_size);
		atomic_fetch_and(
			&activity.used,
			~(UINT64_C(1) << (size_t)(buffer - activity.memory) / BUFFER_BYTES));
	}
	errno = error;
}

/* ---- asking ---- */

static void flush(uint32_t flag)
{
	atomic_store(&activity.flushed_ns, tacho__cuda_clock_monotonic_ns());
	tacho__cuda.cuptiActivityFlushAll(flag);
}

void tacho__cuda_activity_flush(void)
{
	if (activity.memory)
		flush(TACHO__CUDA_FLUSH_ALL);
}

void tacho__cuda_activity_wait_ended(uint64_t since)
{
	uint64_t since_ns;

	if (since)
		atomic_store_explicit(&activity.ended_before, since, memory_order_relaxed);
	if (!activity.memory || !tacho__cuda_note_count_awaited())
		return;
	since_ns = tacho__cuda_clock_monotonic_ns() - atomic_load(&activity.flushed_ns);
	if (since_ns > PERIOD_OF_WAITS_NS)
		tacho__futex_raise(&activity.news);
}

/* False: the process ends, and libcupti with it. */
static bool ask(void)
{
	bool has_ended;

	pthread_mutex_lock(&activity.asking);
	has_ended = activity.has_ended;
	if (!has_ended)
		flush(TACHO__CUDA_FLUSH_ALL);
	pthread_mutex_unlock(&activity.asking);
	return !has_ended;
}

/* A driver that hangs does not keep the program from ending. */
static void stop_asking(void)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += PATIENCE_S;
	if (pthread_mutex_timedlock(&activity.asking, &until))
		return;
	activity.has_ended = true;
	pthread_mutex_unlock(&activity.asking);
}

/* It works while there is work, and then for a while: graphs have no calls that wait for times. */
static void *keep_flushing(void *unused)
{
	uint64_t begun = 0, begun_before = 0;
	unsigned calm = 0;

	(void)unused;
	for (;;) {
		unsigned news = atomic_load(&activity.news);

		tacho__futex_wait(&activity.news, news, PERIOD_NS);
		begun = tacho__cuda_note_count_begun();
		calm = begun == begun_before && !tacho__cuda_note_count_awaited() ? calm + 1 : 0;
		begun_before = begun;
		if (calm < CALM_PERIODS && !ask())
			break;
	}
	return NULL;
}

static bool start_thread(void)
{
	pthread_t thread;

	if (tacho__thread_start(&thread, keep_flushing, NULL))
		return false;
	pthread_detach(thread);
	return true;
}

/* ---- the start and the end ---- */

static bool has_functions(void)
{
	return tacho__cuda.cuptiActivityRegisterCallbacks && tacho__cuda.cuptiActivityEnable &&
	       tacho__cuda.cuptiActivityFlushAll && tacho__cuda.cuptiActivityGetNextRecord;
}

static int enable(void)
{
	static const uint32_t kinds[] = {TACHO__CUDA_ACTIVITY_KERNEL, TACHO__CUDA_ACTIVITY_COPY,
					 TACHO__CUDA_ACTIVITY_PEER_COPY, TACHO__CUDA_ACTIVITY_SET};
	int status = tacho__cuda.cuptiActivityRegisterCallbacks(on_request, on_complete);

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && !status; i++)
		status = tacho__cuda.cuptiActivityEnable(kinds[i]);
	return status;
}

const char *tacho__cuda_activity_start(int *out_status)
{
	void *memory;

	*out_status = 0;
	if (!has_functions())
		return "times of kernels and copies: libcupti lacks the functions for them";
	memory = mmap(NULL, (size_t)BUFFERS * BUFFER_BYTES, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		return "times of kernels and copies: there is no memory for them";
	activity.memory = memory;
	tacho__cuda_clock_start();
	if (!tacho__cuda_records_start())
		return "times of kernels and copies: libcupti does not tell its time";
	*out_status = enable();
	if (*out_status)
		return "times of kernels and copies: libcupti refuses them";
	return start_thread() ? NULL
			      : "times of kernels and copies come late: there is no thread to ask "
				"for them";
}

bool tacho__cuda_activity_finish(void)
{
	if (!activity.memory)
		return true;
	stop_asking();
	flush(TACHO__CUDA_FLUSH_ALL);
	flush(TACHO__CUDA_FLUSH_FORCED);
	return !tacho__cuda_records_finish(atomic_load(&activity.ended_before));
}
