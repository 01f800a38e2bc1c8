/* SPDX-License-Identifier: MIT */
/* The GPU: a thread for each stream, which does the stream's work in order. */
#include <signal.h>
#include <time.h>

#include "fake_driver.h"

static _Thread_local CUstream own_stream; /* of a GPU's thread */

static bool is_ended(void)
{
	bool is;

	pthread_mutex_lock(&fake_driver.lock);
	is = own_stream->is_stopped;
	pthread_mutex_unlock(&fake_driver.lock);
	return is;
}

struct fake_op *fake_op_new(CUstream stream, enum fake_cuda_kind kind)
{
	struct fake_thread *thread = fake_thread_get();
	struct fake_op *op = calloc(1, sizeof(*op));
	struct fake_cuda_work *work = &op->work;

	work->kind = kind;
	work->device = (uint32_t)stream->context->device;
	work->context = stream->context;
	work->context_id = stream->context->id;
	work->stream_id = stream->id;
	work->queued = fake_now();
	for (uint32_t i = 0; i < thread->depth && i < 8; i++) {
		if (thread->api[i] == FAKE_CUDA_RUNTIME_API)
			work->runtime_correlation = thread->correlation[i];
		work->correlation = thread->correlation[i];
	}
	if (work->runtime_correlation && fake_has_word("outer_ids"))
		work->correlation = work->runtime_correlation;
	return op;
}

void fake_op_free(struct fake_op *op)
{
	free(op->after);
	free(op);
}

void fake_op_wait_for(struct fake_op *op, struct fake_point point)
{
	if (op->after_count == op->after_room) {
		op->after_room = op->after_room ? 2 * op->after_room : 4;
		op->after = realloc(op->after, op->after_room * sizeof(*op->after));
	}
	op->after[op->after_count++] = point;
}

/* The legacy stream 0 waits for all that are blocking, and these wait for it. */
static void order(CUstream stream, struct fake_op *op)
{
	CUstream null_stream = stream->context->null_stream;

	if (!stream->is_blocking)
		return;
	for (CUstream other = fake_driver.streams; other; other = other->next)
		if (other != stream && other->context == stream->context && other->is_blocking &&
		    (stream == null_stream || other == null_stream) &&
		    other->done < other->submitted)
			fake_op_wait_for(op, (struct fake_point){other, other->submitted});
}

uint64_t fake_enqueue(CUstream stream, struct fake_op *op)
{
	uint64_t number;

	op->work.submitted = fake_now();
	pthread_mutex_lock(&fake_driver.lock);
	order(stream, op);
	if (stream->last)
		stream->last->next = op;
	else
		stream->first = op;
	stream->last = op;
	number = ++stream->submitted;
	if (op->event)
		op->event->point = (struct fake_point){stream, number};
	pthread_cond_broadcast(&fake_driver.changed);
	pthread_mutex_unlock(&fake_driver.lock);
	return number;
}

CUresult fake_submit(CUstream stream, struct fake_op *op)
{
	if (stream->captured) {
		fake_graph_add(stream->captured, op);
		fake_op_free(op);
		return CUDA_SUCCESS;
	}
	if (op->work.kind == FAKE_CUDA_KERNEL) {
		fake_thread_get()->last = op->work;
		fake_thread_get()->has_last = true;
	}
	fake_enqueue(stream, op);
	return CUDA_SUCCESS;
}

static bool is_ready(const struct fake_op *op)
{
	for (size_t i = 0; i < op->after_count; i++)
		if (op->after[i].stream->done < op->after[i].number)
			return false;
	return true;
}

static void run_kernel(const struct fake_cuda_work *work)
{
	const void *arguments[16];
	struct fake_cuda_run run = {arguments, work->grid, work->block, is_ended};
	size_t offset = 0;

	for (uint32_t i = 0; i < work->function->argument_count; i++) {
		arguments[i] = work->arguments + offset;
		offset += (work->function->argument_bytes[i] + 7u) / 8 * 8;
	}
	work->function->run(&run);
}

static void run_set(const struct fake_op *op)
{
	for (size_t row = 0; row < op->rows; row++)
		for (size_t i = 0; i < op->width; i += op->element)
			memcpy(op->to + row * op->to_pitch + i, &op->work.value, op->element);
}

static void run_op(const struct fake_op *op)
{
	switch (op->work.kind) {
	case FAKE_CUDA_KERNEL: run_kernel(&op->work); break;
	case FAKE_CUDA_COPY:
		for (size_t row = 0; row < op->rows; row++)
			memmove(op->to + row * op->to_pitch, op->from + row * op->from_pitch,
				op->width);
		break;
	case FAKE_CUDA_SET: run_set(op); break;
	case FAKE_CUDA_HOST: op->host(op->host_data); break;
	case FAKE_CUDA_NOTHING: fake_memory_release(op->freed); break;
	}
}

static void log_work(const struct fake_cuda_work *work, const uint64_t *times)
{
	static const char *const names[] = {"", "kernel", "copy", "set"};

	if (work->kind > FAKE_CUDA_SET)
		return;
	if (work->kind == FAKE_CUDA_KERNEL)
		fake_log("%s %u %u %llu %s %llu %llu %llu %llu %llu %llu",
			 work->is_own ? "again" : names[work->kind], work->correlation,
			 work->stream_id, (unsigned long long)work->graph_node,
			 work->function->name, (unsigned long long)work->start,
			 (unsigned long long)work->end, (unsigned long long)times[0],
			 (unsigned long long)times[1], (unsigned long long)times[2],
			 (unsigned long long)times[3]);
	else
		fake_log("%s %u %u %llu %llu %llu %llu %llu %llu %llu %llu", names[work->kind],
			 work->correlation, work->stream_id, (unsigned long long)work->graph_node,
			 (unsigned long long)work->bytes, (unsigned long long)work->start,
			 (unsigned long long)work->end, (unsigned long long)times[0],
			 (unsigned long long)times[1], (unsigned long long)times[2],
			 (unsigned long long)times[3]);
}

static void do_work(struct fake_op *op)
{
	struct timespec longer;
	uint64_t longer_ns = 0, times[4];

	FAKE_EACH_OBSERVER(observer)
	if (observer->begin)
		longer_ns += observer->begin(&op->work);
	longer.tv_sec = (time_t)(longer_ns / 1000000000);
	longer.tv_nsec = (long)(longer_ns % 1000000000);
	times[0] = fake_monotonic_ns();
	op->work.start = fake_now();
	times[1] = fake_monotonic_ns();
	run_op(op);
	if (longer_ns)
		nanosleep(&longer, NULL);
	times[2] = fake_monotonic_ns();
	op->work.end = fake_now();
	times[3] = fake_monotonic_ns();
	log_work(&op->work, times);
	FAKE_EACH_OBSERVER(observer)
	if (observer->end)
		observer->end(&op->work);
}

static void *work_on(void *user)
{
	CUstream stream = user;

	own_stream = stream;
	pthread_mutex_lock(&fake_driver.lock);
	for (;;) {
		struct fake_op *op = stream->first;

		if (!op && stream->is_dead)
			break;
		if (!op || (!stream->is_stopped && !is_ready(op))) {
			pthread_cond_wait(&fake_driver.changed, &fake_driver.lock);
			continue;
		}
		stream->first = op->next;
		if (!op->next)
			stream->last = NULL;
		if (!stream->is_stopped || op->freed) {
			pthread_mutex_unlock(&fake_driver.lock);
			do_work(op);
			pthread_mutex_lock(&fake_driver.lock);
		}
		if (op->event && op->event->point.number == stream->done + 1 &&
		    op->event->point.stream == stream)
			op->event->time_ns = op->work.end;
		stream->done++;
		pthread_cond_broadcast(&fake_driver.changed);
		fake_op_free(op);
	}
	pthread_mutex_unlock(&fake_driver.lock);
	return NULL;
}

void fake_start_stream(CUstream stream)
{
	pthread_t thread;
	pthread_attr_t attributes;
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	if (pthread_create(&thread, &attributes, work_on, stream))
		abort();
	pthread_attr_destroy(&attributes);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static bool is_context_idle(CUcontext context)
{
	for (CUstream stream = fake_driver.streams; stream; stream = stream->next)
		if ((!context || stream->context == context) && stream->done < stream->submitted)
			return false;
	return true;
}

/* Waits for a change, until the deadline. */
static bool wait_change(uint64_t deadline)
{
	struct timespec time = {.tv_sec = (time_t)(deadline / 1000000000),
				.tv_nsec = (long)(deadline % 1000000000)};

	if (deadline == UINT64_MAX)
		return pthread_cond_wait(&fake_driver.changed, &fake_driver.lock) == 0;
	return pthread_cond_timedwait(&fake_driver.changed, &fake_driver.lock, &time) == 0;
}

static uint64_t deadline_of(uint64_t limit_ns)
{
	return limit_ns == UINT64_MAX ? limit_ns : fake_monotonic_ns() + limit_ns;
}

bool fake_wait_point(struct fake_point point, uint64_t limit_ns)
{
	uint64_t deadline = deadline_of(limit_ns);
	bool is_done;

	pthread_mutex_lock(&fake_driver.lock);
	while (!(is_done = point.stream->done >= point.number) && limit_ns)
		if (!wait_change(deadline))
			limit_ns = 0;
	pthread_mutex_unlock(&fake_driver.lock);
	return is_done;
}

bool fake_wait_context(CUcontext context, uint64_t limit_ns)
{
	uint64_t deadline = deadline_of(limit_ns);
	bool is_done;

	pthread_mutex_lock(&fake_driver.lock);
	while (!(is_done = is_context_idle(context)) && limit_ns)
		if (!wait_change(deadline))
			limit_ns = 0;
	pthread_mutex_unlock(&fake_driver.lock);
	return is_done;
}
