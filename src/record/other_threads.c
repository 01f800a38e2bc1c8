/* SPDX-License-Identifier: MIT */
/*
 * Streams for calls of other threads. They are never given back: nobody hears when such a thread
 * ends. A thread that has a stream of its own as well has two, which readers merge by time.
 */
#include "record/recorder.h"

enum { THREADS_MAX = 2048 }; /* a quarter of all streams */

/* Open addressing by thread id; none is ever removed, but all at once in a forked child. */
static struct {
	uint32_t generation;
	unsigned count;
	struct tacho__stream *streams[2 * THREADS_MAX];
} others;

static void begin_generation(uint32_t generation)
{
	if (others.generation == generation)
		return;
	others.generation = generation;
	others.count = 0;
	for (unsigned i = 0; i < 2 * THREADS_MAX; i++)
		others.streams[i] = NULL;
}

struct tacho__stream *tacho__stream_of(uint32_t thread)
{
	unsigned at = thread * UINT32_C(2654435769) >> 20;
	struct tacho__stream *stream;

	if (!tacho__recorder_alive())
		return NULL;
	begin_generation(tacho__recorder.page->generation);
	while (others.streams[at] && others.streams[at]->thread != thread)
		at = (at + 1) % (2 * THREADS_MAX);
	if (others.streams[at])
		return others.streams[at];
	stream = others.count < THREADS_MAX ? tacho__stream_claim(thread) : NULL;
	if (!stream) {
		tacho__process_add(lost_no_thread);
		return NULL;
	}
	others.streams[at] = stream;
	others.count++;
	return stream;
}
