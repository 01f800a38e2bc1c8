/* SPDX-License-Identifier: MIT */
#include "record/reader.h"
#include "record/whole.h"

uint64_t tacho__recording_count_stated(const struct tacho_recording *recording)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < recording->process_count; i++) {
		const struct tacho__process *process = recording->processes[i];

		for (size_t k = 0; k < process->stream_count; k++)
			for (size_t n = 0; n < process->streams[k].chunk_count; n++)
				calls += process->streams[k].chunks[n].calls;
	}
	return calls;
}
