/* SPDX-License-Identifier: MIT */
/* Opening a recording of version 2, shared by its files: read_v2.c read_notes.c. */
#ifndef TACHO_RECORD_READ_V2_H
#define TACHO_RECORD_READ_V2_H

#include "base/buf.h"
#include "base/map.h"
#include "record/chunk_reader.h"
#include "record/reader.h"

enum { TACHO__SEGMENTS_MAX = 65536 };

/* A stream in both classes of files. */
struct tacho__index_entry {
	struct tacho__reader_stream calls, kept;
	uint32_t process; /* plus 1, 0: not known */
	struct tacho__index_entry *next;
};

/* Processor time of a stream's thread at a tick of the keeper's. */
struct tacho__index_time {
	uint32_t serial;
	uint64_t tick, run_ns, waited_ns;
};

struct tacho__index {
	struct tacho_recording *recording;
	uint32_t crc;		     /* of the recording's stamp */
	struct tacho__map entries;   /* serial -> struct tacho__index_entry */
	struct tacho__map processes; /* id plus 1 -> struct tacho__process */
	struct tacho__index_entry *all;
	uint64_t *segments; /* what the manifest says of their lengths, by number */
	uint32_t segment_count, first_segment;
	uint64_t manifest_calls, indexed_calls;
	bool has_finish;
	struct tacho__buf tables[TACHO__APIS_MAX];
	struct tacho__index_time *times;
	size_t time_count, time_capacity;
};

/* NULL: no memory. */
struct tacho__index_entry *tacho__index_find_entry(struct tacho__index *index, uint32_t serial);
struct tacho__process *tacho__index_find_process(struct tacho__index *index, uint64_t id_plus_1);

/* read_notes.c: takes what the keeper noted out of a chunk of stream 0, which lies in memory. */
int tacho__index_take_notes(struct tacho__index *index, const uint8_t *chunk, uint64_t offset);

/* thread_times.c: takes a reading, and gives the recording all of them while entries have their
 * threads. NOMEM. */
int tacho__index_take_time(struct tacho__index *index, uint64_t tick, struct tacho__unpack *unpack);
int tacho__index_give_times(struct tacho__index *index);

/* read_notes.c: the clocks of a process, when all notes are known. */
void tacho__process_find_shifts(struct tacho__process *process);

#endif
