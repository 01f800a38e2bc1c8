/* SPDX-License-Identifier: MIT */
/* What the keeper noted in control.bin: see wire.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "record/read_v2.h"
#include "record/window_reader.h"

enum { SHIFT_MIN_NS = 1000000 }; /* less is no other time namespace */

static int no_memory(const struct tacho__index *index)
{
	return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to open %s", index->recording->path);
}

static const char *take_text(struct tacho__index *index, struct tacho__unpack *unpack)
{
	uint64_t size = tacho__unpack_u64(unpack);
	const uint8_t *bytes = tacho__unpack_bytes(unpack, size);

	return tacho__arena_text(&index->recording->arena, bytes ? (const char *)bytes : "",
				 bytes ? size : 0);
}

static int take_born(struct tacho__index *index, struct tacho__unpack *unpack)
{
	struct tacho__process *process =
		tacho__index_find_process(index, tacho__unpack_u64(unpack) + 1);
	const char *text;

	if (!process)
		return no_memory(index);
	process->start.tick = tacho__unpack_u64(unpack);
	process->start.raw_ns = tacho__unpack_u64(unpack);
	process->start.monotonic_ns = tacho__unpack_u64(unpack);
	process->start.realtime_ns = tacho__unpack_u64(unpack);
	text = take_text(index, unpack);
	if (!text)
		return TACHO_E_NOMEM;
	if (!unpack->bad)
		tacho__process_describe(index->recording, process, text);
	return 0;
}

static int take_gone(struct tacho__index *index, struct tacho__unpack *unpack)
{
	struct tacho__process *process =
		tacho__index_find_process(index, tacho__unpack_u64(unpack) + 1);
	struct tacho_losses *losses;

	if (!process)
		return no_memory(index);
	losses = &process->process.losses;
	losses->no_window = tacho__unpack_u64(unpack);
	losses->no_space = tacho__unpack_u64(unpack);
	losses->nested = tacho__unpack_u64(unpack);
	losses->too_big = tacho__unpack_u64(unpack);
	losses->no_thread = tacho__unpack_u64(unpack);
	losses->untimed = tacho__unpack_u64(unpack);
	losses->waits = tacho__unpack_u64(unpack);
	if (unpack->at < unpack->end || unpack->second) /* older ones end here */
		losses->unreported = tacho__unpack_u64(unpack);
	if (unpack->at < unpack->end || unpack->second) {
		process->process.cost_calls = tacho__unpack_u64(unpack);
		process->cost_ticks = tacho__unpack_u64(unpack);
	}
	return 0;
}

static int take_stream(struct tacho__index *index, struct tacho__unpack *unpack)
{
	struct tacho__index_entry *entry =
		tacho__index_find_entry(index, (uint32_t)tacho__unpack_u64(unpack));
	const char *name;

	if (!entry)
		return no_memory(index);
	entry->process = (uint32_t)tacho__unpack_u64(unpack) + 1;
	entry->calls.thread = entry->kept.thread = (uint32_t)tacho__unpack_u64(unpack);
	name = take_text(index, unpack);
	if (!name)
		return TACHO_E_NOMEM;
	entry->calls.thread_name = entry->kept.thread_name = name;
	return 0;
}

static int take_piece(struct tacho__index *index, struct tacho__unpack *unpack)
{
	uint64_t first = tacho__unpack_u64(unpack), newest = tacho__unpack_u64(unpack);
	uint64_t bytes = tacho__unpack_u64(unpack), calls = tacho__unpack_u64(unpack);
	uint64_t *segments;

	if (unpack->bad || newest >= TACHO__SEGMENTS_MAX)
		return 0;
	if (newest >= index->segment_count) {
		segments = realloc(index->segments, (newest + 1) * sizeof(*segments));
		if (!segments)
			return no_memory(index);
		memset(segments + index->segment_count, 0,
		       (newest + 1 - index->segment_count) * sizeof(*segments));
		index->segments = segments;
		index->segment_count = (uint32_t)newest + 1;
	}
	index->segments[newest] = bytes;
	index->first_segment = (uint32_t)first;
	index->manifest_calls = calls;
	return 0;
}

static int take_bounded(struct tacho__index *index, struct tacho__unpack *unpack)
{
	struct tacho_recording *recording = index->recording;
	uint64_t api = tacho__unpack_u64(unpack), function = tacho__unpack_u64(unpack);

	if (unpack->bad || api >= TACHO__APIS_MAX || function >= TACHO__FUNCTIONS_MAX)
		return 0;
	for (size_t i = 0; i < recording->bounded_count; i++)
		if (recording->bounded[i].api == api &&
		    recording->bounded[i].function == function) {
			recording->bounded[i].calls = tacho__unpack_u64(unpack);
			return 0;
		}
	if (tacho__array_add(&recording->bounded, &recording->bounded_capacity,
			     &recording->bounded_count,
			     &(struct tacho__bounded){(uint32_t)api, (uint32_t)function,
						      tacho__unpack_u64(unpack)},
			     sizeof(struct tacho__bounded)))
		return no_memory(index);
	return 0;
}

static int take_refused(struct tacho__index *index, struct tacho__unpack *unpack)
{
	uint64_t pid = tacho__unpack_u64(unpack), uid = tacho__unpack_u64(unpack);
	int error = (int)tacho__unpack_i64(unpack);
	const char *stage = take_text(index, unpack);
	char text[256];
	const struct tacho_fault fault = {.what = text, .path = "", .error = error};

	if (!stage)
		return TACHO_E_NOMEM;
	snprintf(text, sizeof(text), "process %llu of user %llu could not record (%s)",
		 (unsigned long long)pid, (unsigned long long)uid, stage);
	return unpack->bad ? 0 : tacho__fault_add(index->recording, &fault, pid);
}

static int take_finish(struct tacho__index *index, struct tacho__unpack *unpack)
{
	struct tacho_losses *losses = &index->recording->losses;
	const struct tacho_fault fault = {
		.what = "a program wrote over records of its own that were not written yet",
		.path = ""};
	uint64_t spoilt;

	index->manifest_calls = tacho__unpack_u64(unpack);
	losses->unwritten = tacho__unpack_u64(unpack);
	losses->untimed += tacho__unpack_u64(unpack);
	spoilt = tacho__unpack_u64(unpack);
	losses->io_error = (int)tacho__unpack_u64(unpack);
	index->has_finish = true;
	return spoilt && !unpack->bad ? tacho__fault_add(index->recording, &fault, 0) : 0;
}

static int take_note(struct tacho__index *index, struct tacho__record *record)
{
	struct tacho_run *run = &index->recording->run;
	struct tacho__unpack unpack = record->unpack;
	uint64_t ring_bytes;

	switch (record->kind) {
	case TACHO__RECORD_ANCHOR:
		return tacho__clock_map_take(&index->recording->clocks, tacho__unpack_u64(&unpack),
					     &unpack);
	case TACHO__RECORD_TABLE: tacho__tables_take(index->tables, &unpack); return 0;
	case TACHO__RECORD_BORN: return take_born(index, &unpack);
	case TACHO__RECORD_GONE: return take_gone(index, &unpack);
	case TACHO__RECORD_STREAM: return take_stream(index, &unpack);
	case TACHO__RECORD_PIECE: return take_piece(index, &unpack);
	case TACHO__RECORD_BOUNDED: return take_bounded(index, &unpack);
	case TACHO__RECORD_REFUSED: return take_refused(index, &unpack);
	case TACHO__RECORD_SAMPLED:
	case TACHO__RECORD_SAMPLED_COLUMN:
	case TACHO__RECORD_SAMPLED_END:
		return tacho__sampling_take(index->recording, record->kind, &unpack);
	case TACHO__RECORD_BOUNDS:
		run->max_bytes = tacho__unpack_u64(&unpack);
		ring_bytes = tacho__unpack_u64(&unpack);
		if (ring_bytes) /* a reader that finished the recording knows of none */
			run->ring_bytes = ring_bytes;
		tacho__unpack_u64(&unpack);		       /* how much is recorded now */
		if (unpack.at < unpack.end || unpack.second) { /* older ones end here */
			run->max_calls = tacho__unpack_u64(&unpack);
			run->max_launches = tacho__unpack_u64(&unpack);
		}
		return 0;
	case TACHO__RECORD_THREAD_TIME:
		return tacho__index_take_time(index, record->start, &unpack);
	case TACHO__RECORD_FINISH: return take_finish(index, &unpack);
	default: return 0;
	}
}

int tacho__index_take_notes(struct tacho__index *index, const uint8_t *chunk, uint64_t offset)
{
	struct tacho__chunk_reader reader = {0};
	struct tacho__record record;
	int rc = TACHO_E_PARSE;

	if (!tacho__chunk_open(&reader, chunk))
		while ((rc = tacho__chunk_next(&reader, &record)) == 1 &&
		       !(rc = take_note(index, &record)))
			;
	if (rc == TACHO_E_PARSE)
		rc = tacho__fault_add_of_file(index->recording, 0, "is damaged", 0,
					      reader.header.bytes, 0, offset);
	tacho__chunk_reader_finish(&reader);
	return rc;
}

/* A process in another time namespace has other monotonic clocks than the keeper. */
void tacho__process_find_shifts(struct tacho__process *process)
{
	const struct tacho__anchor *start = &process->start;
	const struct tacho__clock_map *clocks = process->clocks;
	int64_t raw, monotonic;
	uint64_t tick = start->tick;

	if (!start->tick || !clocks->count)
		return;
	if (strcmp(process->process.clock, "tsc")) /* ticks are its own, then: by CLOCK_REALTIME */
		tick = tacho__clock_map_convert(clocks, TACHO__CLOCK_REALTIME, TACHO__CLOCK_TICK,
						start->realtime_ns);
	raw = (int64_t)(start->raw_ns - tacho__clock_map_convert(clocks, TACHO__CLOCK_TICK,
								 TACHO__CLOCK_RAW, tick));
	monotonic = (int64_t)(start->monotonic_ns -
			      tacho__clock_map_convert(clocks, TACHO__CLOCK_TICK,
						       TACHO__CLOCK_MONOTONIC, tick));
	if (raw > -SHIFT_MIN_NS && raw < SHIFT_MIN_NS && monotonic > -SHIFT_MIN_NS &&
	    monotonic < SHIFT_MIN_NS)
		return;
	process->shifts[TACHO__CLOCK_RAW] = (uint64_t)raw;
	process->shifts[TACHO__CLOCK_MONOTONIC] = (uint64_t)monotonic;
	if (tick == start->tick)
		return;
	process->shifts[TACHO__CLOCK_TICK] = start->tick - tick;
	process->process.clock_uncertainty_ns += SHIFT_MIN_NS;
}
