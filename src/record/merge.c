/* SPDX-License-Identifier: MIT */
#include "record/merge.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "record/templates.h"

static void sift_down(struct tacho__merge *merge, size_t i)
{
	struct tacho__merged **heap = merge->heap;

	for (;;) {
		size_t least = i, left = 2 * i + 1, right = left + 1;
		struct tacho__merged *swap;

		if (left < merge->heap_count && heap[left]->key_ns < heap[least]->key_ns)
			least = left;
		if (right < merge->heap_count && heap[right]->key_ns < heap[least]->key_ns)
			least = right;
		if (least == i)
			return;
		swap = heap[i];
		heap[i] = heap[least];
		heap[least] = swap;
		i = least;
	}
}

/* Most records are such. */
static bool is_mere_call(const struct tacho__merged *merged)
{
	return TACHO__KIND_API(merged->record.kind) && !merged->record.has_slot && merged->thread &&
	       !merged->record.unpack.bad && tacho__merged_function(merged);
}

/* The same of whole kinds, where all records are of one thread. */
static bool is_of_calls(const void *user, uint16_t kind)
{
	const struct tacho__merged *merged = user;

	return TACHO__KIND_API(kind) && merged->thread && tacho__merged_function_of(merged, kind);
}

/* Reads the next record of a stream: 1, 0 at its end, or an error. */
static int load(const struct tacho__merge *merge, struct tacho__merged *merged)
{
	int rc;

	do
		rc = tacho__stream_reader_next(&merged->reader, &merged->record);
	while (rc == 1 && merge->skips_calls && is_mere_call(merged));
	if (rc != 1)
		return rc;
	if (merged->record.kind == TACHO__RECORD_THREAD)
		return 1; /* comes at once: it was written after the end of the call behind it */
	merged->key_ns = tacho__time_lines_host_ns(&merged->state->times, merged->record.end);
	return 1;
}

/*
 * Moves on to the next record of a stream; of a chunk that is not open yet it waits for its turn
 * unread. Else as load().
 */
static int go_on(const struct tacho__merge *merge, struct tacho__merged *merged)
{
	uint64_t tick;
	bool has_waited = merged->is_waiting;

	merged->is_waiting = false;
	if (has_waited || merged->reader.buffer ||
	    !tacho__stream_reader_peek_tick(&merged->reader, &tick))
		return load(merge, merged);
	merged->is_waiting = true;
	merged->key_ns = tacho__time_lines_host_ns(&merged->state->times, tick);
	return 1;
}

int tacho__merge_next(struct tacho__merge *merge, struct tacho__merged **out_stream)
{
	bool was_given = merge->was_given;

	merge->was_given = true;
	while (merge->heap_count) {
		struct tacho__merged *first = merge->heap[0];
		int rc;

		if (!was_given && !first->is_waiting) {
			*out_stream = first;
			return 1;
		}
		was_given = false;
		rc = go_on(merge, first);
		if (rc < 0)
			return rc;
		if (!rc)
			merge->heap[0] = merge->heap[--merge->heap_count];
		sift_down(merge, 0);
	}
	return 0;
}

struct tacho__merged_thread *tacho__merge_find_thread(struct tacho__merged_process *state,
						      uint32_t tid)
{
	struct tacho__merged_thread *thread = tacho__map_get(&state->threads, tid);

	if (thread)
		return thread;
	thread = calloc(1, sizeof(*thread));
	if (!thread || tacho__map_set(&state->threads, tid, thread)) {
		free(thread);
		tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a thread");
		return NULL;
	}
	thread->tid = tid;
	return thread;
}

static int open_source(struct tacho__merge *merge, struct tacho__merged_process *state,
		       const struct tacho__reader_stream *stream)
{
	struct tacho__merged *merged = &merge->streams[merge->stream_count++];
	int rc;

	merged->state = state;
	tacho__stream_reader_init(&merged->reader, merge->recording, stream);
	if (merge->skips_calls)
		tacho__chunk_reader_pass_over(&merged->reader.chunk, is_of_calls, merged);
	if (stream->has_thread) {
		merged->thread = tacho__merge_find_thread(state, stream->thread);
		if (!merged->thread)
			return TACHO_E_NOMEM;
		snprintf(merged->thread->name, sizeof(merged->thread->name), "%s",
			 stream->thread_name);
	}
	rc = go_on(merge, merged);
	if (rc == 1)
		merge->heap[merge->heap_count++] = merged;
	return rc < 0 ? rc : 0;
}

int tacho__merge_open(struct tacho__merge *merge, struct tacho_recording *recording)
{
	size_t total = 0;
	int rc = 0;

	merge->recording = recording;
	atomic_fetch_add(&recording->readings, 1);
	atomic_store(&recording->read_bytes, 0);
	for (size_t i = 0; i < recording->process_count; i++)
		total += recording->processes[i]->stream_count;
	merge->states = calloc(recording->process_count + 1, sizeof(*merge->states));
	merge->streams = calloc(total + 1, sizeof(*merge->streams));
	merge->heap = calloc(total + 1, sizeof(struct tacho__merged *));
	if (!merge->states || !merge->streams || !merge->heap)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %zu streams", total);
	for (size_t i = 0; i < recording->process_count && !rc; i++) {
		struct tacho__process *process = recording->processes[i];

		merge->states[i].process = process;
		merge->states[i].times.process = process;
		for (size_t k = 0; !rc && k < process->stream_count; k++)
			rc = open_source(merge, &merge->states[i], &process->streams[k]);
	}
	for (size_t i = merge->heap_count / 2; i-- > 0;)
		sift_down(merge, i);
	return rc;
}

static void destroy_state(struct tacho__merged_process *state)
{
	for (size_t i = 0; i < state->threads.capacity; i++) {
		struct tacho__merged_thread *thread = state->threads.entries[i].value;

		if (thread)
			tacho__told_finish_thread(&thread->told);
		free(thread);
	}
	tacho__told_finish_process(&state->told);
	tacho__map_finish(&state->threads);
	tacho__map_finish(&state->handles);
	tacho__templates_finish_process(&state->templates);
}

void tacho__merge_close(struct tacho__merge *merge)
{
	for (size_t i = 0; i < merge->stream_count; i++) {
		tacho__stream_reader_finish(&merge->streams[i].reader);
		tacho__buf_finish(&merge->streams[i].blob);
	}
	for (size_t i = 0; merge->states && i < merge->recording->process_count; i++)
		destroy_state(&merge->states[i]);
	free(merge->states);
	free(merge->streams);
	free(merge->heap);
}
