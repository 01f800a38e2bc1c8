/* SPDX-License-Identifier: MIT */
/*
 * The streams of all processes as one, by the time at which their records were committed, so that
 * whatever was made is known before it is used.
 */
#ifndef TACHO_RECORD_MERGE_H
#define TACHO_RECORD_MERGE_H

#include "base/buf.h"
#include "record/reader.h"
#include "record/stream_reader.h"
#include "record/told_ranges.h"

struct tacho__merged_thread {
	uint32_t tid;
	uint64_t calls;
	char name[64];
	struct tacho__told_thread told;
};

/* What the cursor knows of a process by now. */
struct tacho__merged_process {
	struct tacho__process *process;
	struct tacho__time_lines times;
	struct tacho__map handles, threads, templates;
	struct tacho__told_process told;
	uint64_t last_ns; /* when something was last known to go on in it */
};

/* A stream with its next record. */
struct tacho__merged {
	struct tacho__stream_reader reader;
	struct tacho__merged_process *state;
	struct tacho__merged_thread
		*thread; /* whose the stream is; NULL before its first thread record */
	bool is_waiting; /* the record is still to be read */
	struct tacho__record record;
	uint64_t key_ns; /* when it was committed, or will not have been before */
	struct tacho__buf blob;
	uint64_t commands;
};

struct tacho__merge {
	struct tacho_recording *recording;
	struct tacho__merged_process *states; /* as many as the recording has processes */
	struct tacho__merged **heap;	      /* by key_ns; those at their end are left out */
	struct tacho__merged *streams;
	size_t heap_count, stream_count;
	bool was_given;	  /* the record of the first: move on before the next */
	bool skips_calls; /* that can be read and gave nothing to a device; set before it is opened
			   */
};

/* All zero before, but for what is set. Closed by the caller, also when it fails: NOMEM, IO. */
int tacho__merge_open(struct tacho__merge *merge, struct tacho_recording *recording);
void tacho__merge_close(struct tacho__merge *merge);

/* The stream whose record comes next: 1, 0 when all have ended, or an error. */
int tacho__merge_next(struct tacho__merge *merge, struct tacho__merged **out_stream);

/* The function that records of this kind are calls of; NULL: of none that is known. */
static inline struct tacho__function *tacho__merged_function_of(const struct tacho__merged *merged,
								uint16_t kind)
{
	struct tacho__call_table *table = merged->state->process->tables[TACHO__KIND_API(kind)];
	struct tacho__function *function;

	if (!table)
		return NULL;
	function = &table->functions[TACHO__KIND_FUNCTION(kind)];
	return function->known ? function : NULL;
}

static inline struct tacho__function *tacho__merged_function(const struct tacho__merged *merged)
{
	return tacho__merged_function_of(merged, merged->record.kind);
}

/* The thread with this id, made when it is new; NULL: no memory. */
struct tacho__merged_thread *tacho__merge_find_thread(struct tacho__merged_process *state,
						      uint32_t tid);

#endif
