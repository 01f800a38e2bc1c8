/* SPDX-License-Identifier: MIT */
/*
 * Processor time of the program's threads, which the kernel counts anyway: read from outside now
 * and then, so that no thread makes a system call for it. What a thread did between two readings
 * is known as a sum. Young threads are read often, and old ones ever more seldom, so that a long
 * run has not many more readings than a short one.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/fs.h"
#include "record/keeper/keeper_private.h"

#define SAMPLE_NS UINT64_C(10000000) /* the least between two readings of a thread */

enum {
	AGE_PARTS = 256, /* of its age lie between two readings of a thread */
	TURN_MAX = 32,	 /* readings of one turn: a few microseconds each */
	TEXT_BYTES = 128,
};

/* What the kernel says of the thread: true, and how long it ran and waited for a processor. */
static bool read_times(pid_t pid, uint32_t tid, struct tacho__kept_times *out_times)
{
	char path[64], text[TEXT_BYTES], *at = text;
	uint64_t turns;

	snprintf(path, sizeof(path), "/proc/%d/task/%u/schedstat", (int)pid, (unsigned)tid);
	out_times->tick = tacho__tick();
	if (!tacho__fs_read_start(path, text, sizeof(text)))
		return false;
	out_times->run_ns = strtoull(at, &at, 10);
	out_times->waited_ns = strtoull(at, &at, 10);
	turns = strtoull(at, &at, 10);
	return turns != 0; /* it is running: a kernel that says it never did does not count */
}

void tacho__keeper_flush_threads(struct keeper *k)
{
	if (k->sample_count)
		tacho__keeper_note_times(k, k->samples, k->sample_count);
	k->sample_count = 0;
}

static void put(struct keeper *k, const struct tacho__kept_times *times)
{
	if (k->sample_count == TACHO__KEEPER_SAMPLES)
		tacho__keeper_flush_threads(k);
	k->samples[k->sample_count++] = *times;
}

/* Of a time in which it did not run only the beginning and the end are noted. */
static void take(struct keeper *k, struct tacho__kept_thread *thread,
		 const struct tacho__kept_times *times)
{
	bool has_run = !thread->is_noted || times->run_ns != thread->last.run_ns;

	if (has_run && thread->is_idle)
		put(k, &thread->last);
	if (has_run)
		put(k, times);
	thread->is_idle = !has_run;
	thread->is_noted = true;
	thread->last = *times;
}

/* Whether the stream is still the thread's. */
static bool is_same(const struct keeper *k, const struct tacho__kept_thread *thread)
{
	const struct tacho__pool_stream *shared = &k->pool->stream[thread->stream];

	return atomic_load_explicit(&shared->state, memory_order_acquire) == thread->owner &&
	       shared->serial == thread->last.serial && !atomic_load(&shared->has_ended);
}

/* False: nothing more is to be learnt of it. */
static bool look_at(struct keeper *k, struct tacho__kept_thread *thread, uint64_t now_ns)
{
	struct tacho__kept_times times = {.serial = thread->last.serial};
	uint64_t part_ns = (now_ns - thread->since_ns) / AGE_PARTS;

	if (!is_same(k, thread) || !read_times(thread->pid, thread->tid, &times))
		return false;
	take(k, thread, &times);
	thread->next_ns = now_ns + (part_ns > SAMPLE_NS ? part_ns : SAMPLE_NS);
	return true;
}

static bool is_known(const struct keeper *k, uint32_t stream)
{
	for (size_t i = 0; i < k->thread_count; i++)
		if (k->threads[i].stream == stream && is_same(k, &k->threads[i]))
			return true;
	return false;
}

/* Threads of another pid namespace have other numbers here. */
static void add(struct keeper *k, uint32_t stream, uint64_t now_ns)
{
	const struct tacho__pool_stream *shared = &k->pool->stream[stream];
	unsigned owner = atomic_load(&shared->state), process = owner - TACHO__POOL_OWNED;
	const struct tacho__kept_process *kept = &k->processes[process];

	if (process >= TACHO__POOL_PROCESSES_MAX || !kept->pid ||
	    (uint32_t)kept->pid != k->pool->process[process].pid || is_known(k, stream) ||
	    k->thread_count == TACHO__KEEPER_THREADS)
		return;
	k->threads[k->thread_count++] = (struct tacho__kept_thread){
		.stream = stream,
		.owner = owner,
		.pid = kept->pid,
		.tid = shared->tid,
		.since_ns = now_ns,
		.next_ns = now_ns,
		.last = {.serial = shared->serial},
	};
}

/* All streams are looked through only when a thread has begun one. */
static void find_threads(struct keeper *k, uint64_t now_ns)
{
	unsigned begun = atomic_load_explicit(&k->pool->begun, memory_order_acquire);
	bool is_all = true;

	if (begun == k->begun_seen)
		return;
	for (uint32_t i = 0; i < TACHO__POOL_STREAMS_MAX; i++) {
		unsigned state =
			atomic_load_explicit(&k->pool->stream[i].state, memory_order_acquire);

		if (state < TACHO__POOL_OWNED || state == TACHO__POOL_SAMPLER)
			continue;
		if (tacho__keeper_meet_stream(k, i))
			add(k, i, now_ns);
		else
			is_all = false; /* it is about to begin */
	}
	if (is_all)
		k->begun_seen = begun;
}

void tacho__keeper_sample_threads(struct keeper *k)
{
	uint64_t now_ns = tacho__clock_raw_ns();
	size_t looked = 0;

	if (k->files.error)
		return;
	find_threads(k, now_ns);
	for (size_t i = 0; i < k->thread_count && looked < TURN_MAX; i++) {
		size_t at = k->next_thread++ % k->thread_count;

		if (k->threads[at].next_ns > now_ns)
			continue;
		looked++;
		if (!look_at(k, &k->threads[at], now_ns))
			k->threads[at] = k->threads[--k->thread_count];
		if (!k->thread_count)
			break;
	}
}
