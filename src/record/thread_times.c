/* SPDX-License-Identifier: MIT */
/* Processor time of threads as the keeper read it: kept as it comes, put in order at the end. */
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "record/read_v2.h"

enum { READINGS_MAX = 1 << 20 }; /* a thread of a year has 5,000: more is no recording of ours */

static int no_memory(const struct tacho_recording *recording)
{
	return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to open %s", recording->path);
}

int tacho__index_take_time(struct tacho__index *index, uint64_t tick, struct tacho__unpack *unpack)
{
	struct tacho__index_time time = {.tick = tick};

	time.serial = (uint32_t)tacho__unpack_u64(unpack);
	time.run_ns = tacho__unpack_u64(unpack);
	time.waited_ns = tacho__unpack_u64(unpack);
	if (unpack->bad || index->time_count >= READINGS_MAX)
		return 0;
	return tacho__array_add(&index->times, &index->time_capacity, &index->time_count, &time,
				sizeof(time))
		       ? no_memory(index->recording)
		       : 0;
}

static int compare(const void *left, const void *right)
{
	const struct tacho_thread_time *a = left, *b = right;

	if (a->process->index != b->process->index)
		return a->process->index < b->process->index ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return a->at_ns < b->at_ns ? -1 : a->at_ns > b->at_ns;
}

int tacho__index_give_times(struct tacho__index *index)
{
	struct tacho_recording *recording = index->recording;
	struct tacho_thread_time *times;

	if (!index->time_count)
		return 0;
	times = recording->thread_times = calloc(index->time_count, sizeof(*times));
	if (!times)
		return no_memory(recording);
	for (size_t i = 0; i < index->time_count; i++) {
		const struct tacho__index_time *time = &index->times[i];
		const struct tacho__index_entry *entry =
			tacho__map_get(&index->entries, time->serial);
		const struct tacho__process *process =
			entry ? tacho__map_get(&index->processes, entry->process) : NULL;

		if (!process)
			continue; /* what said whose it is, is damaged */
		times[recording->thread_time_count++] = (struct tacho_thread_time){
			.process = &process->process,
			.thread = entry->calls.thread,
			.at_ns = tacho__clock_map_convert(&recording->clocks, TACHO__CLOCK_TICK,
							  TACHO__CLOCK_MONOTONIC, time->tick),
			.run_ns = time->run_ns,
			.waited_ns = time->waited_ns,
		};
	}
	if (recording->thread_time_count)
		qsort(times, recording->thread_time_count, sizeof(*times), compare);
	return 0;
}

const struct tacho_thread_time *
tacho_recording_get_thread_time(const struct tacho_recording *recording, size_t index)
{
	return recording && index < recording->thread_time_count ? &recording->thread_times[index]
								 : NULL;
}
