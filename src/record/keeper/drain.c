/* SPDX-License-Identifier: MIT */
/*
 * Records out of windows into chunks. Windows are copied first: what a program changes while it is
 * read cannot confuse the keeper. They are freed once their records lie in files.
 */
#include <string.h>

#include "record/keeper/keeper_private.h"

enum {
	RECORD_BYTES = sizeof(struct tacho__pool_record),
	/* What a window can become in a chunk: values and their masks, heads of records, slots. */
	WINDOW_RECORDS = TACHO__POOL_WINDOW_BYTES / RECORD_BYTES,
	WINDOW_WORST = TACHO__POOL_WINDOW_BYTES / 8 * 9 + WINDOW_RECORDS * 30 +
		       TACHO__POOL_WINDOW_BYTES / (RECORD_BYTES + 8) * sizeof(struct tacho__slot),
};

/* A window that is taken: what lies before `at` was taken before. */
struct taking {
	struct keeper *k;
	uint32_t stream;
	struct tacho__pool_stream *shared;
	struct tacho__pool_progress progress;
};

static bool is_sampler(const struct keeper *k, uint32_t stream)
{
	return atomic_load(&k->pool->stream[stream].state) == TACHO__POOL_SAMPLER;
}

static void begin_chunk(struct taking *taking, struct tacho__chunk_writer *writer)
{
	struct keeper *k = taking->k;
	uint32_t process = atomic_load(&taking->shared->state) - TACHO__POOL_OWNED;

	tacho__chunk_begin(writer);
	writer->header.recording = k->files.recording;
	if (process < TACHO__POOL_PROCESSES_MAX) {
		writer->header.stream = taking->shared->serial;
		writer->header.process = k->processes[process].id + 1;
	}
	writer->header.first_record =
		writer == k->calls_writer ? taking->progress.records : taking->progress.kept;
	writer->header.first_call = taking->progress.calls;
}

/* Hands the chunk over to the files, which have room for it. */
static void end_chunk(struct taking *taking, struct tacho__chunk_writer *writer)
{
	struct keeper *k = taking->k;
	bool is_control = writer == k->kept_writer;
	uint32_t bytes = tacho__chunk_end(writer, k->chunk), number;
	uint64_t offset;

	if (!bytes)
		return;
	tacho__keeper_files_add(&k->files, is_control, k->chunk, bytes, &number, &offset);
	if (is_control) {
		taking->progress.kept += writer->header.records;
	} else {
		offset += bytes - writer->header.slots * sizeof(struct tacho__slot);
		tacho__keeper_place_slots(k, writer, number, offset);
		taking->progress.records += writer->header.records;
		taking->progress.calls += writer->header.calls;
		k->added_calls += writer->header.calls;
		k->added_commands += writer->header.slots;
	}
	begin_chunk(taking, writer);
}

/* Objects and facts are never dropped; what was counted, and where a program was, belongs to calls
 * and stays in order with them. */
static bool is_kept(uint16_t kind)
{
	return !TACHO__KIND_API(kind) && kind != TACHO__RECORD_VALUES &&
	       kind != TACHO__RECORD_RANGE && kind != TACHO__RECORD_WINDOW;
}

static void take_record(struct taking *taking, const struct tacho__pool_record *head,
			uint32_t bytes)
{
	struct keeper *k = taking->k;
	const uint8_t *values = (const uint8_t *)(head + 1);
	struct tacho__chunk_record record = {
		.kind = TACHO__WORD_KIND(head->word),
		.has_slot = TACHO__WORD_SLOT(head->word),
		.start = head->start,
		.end = head->end,
		.values = values,
		.size = bytes - RECORD_BYTES,
	};
	struct tacho__chunk_writer *writer =
		is_kept(record.kind) ? k->kept_writer : k->calls_writer;
	uint64_t slot;

	if (record.kind == TACHO__RECORD_TABLE) {
		tacho__keeper_take_table(k, taking->stream, values, record.size);
		return;
	}
	if (is_kept(record.kind) && is_sampler(k, taking->stream)) {
		tacho__keeper_note_sampled(k, &record);
		return;
	}
	if (record.has_slot) {
		record.size -= (uint32_t)sizeof(slot);
		memcpy(&slot, values + record.size, sizeof(slot));
		tacho__keeper_meet_slot(k, taking->stream, (uint32_t)slot, &record);
	}
	if (!tacho__keeper_wants(k, record.kind)) {
		if (record.has_slot)
			tacho__keeper_drop_slot(k, record.slot_number);
		return;
	}
	record.is_poll = tacho__keeper_is_poll(k, record.kind);
	k->added_bare += tacho__keeper_is_bare(k, record.kind);
	if (!tacho__chunk_add(writer, &record)) { /* it has as many kinds as a chunk can */
		end_chunk(taking, writer);
		tacho__chunk_add(writer, &record);
	}
}

/* How much of the copied window behind `from` is whole records. */
static uint32_t copy_window(struct keeper *k, uint32_t window, uint32_t from)
{
	const uint8_t *base = tacho__pool_at(k->pool, window);
	uint32_t at = from;

	while (TACHO__POOL_WINDOW_BYTES - at >= RECORD_BYTES) {
		uint64_t word = __atomic_load_n((const uint64_t *)(const void *)(base + at),
						__ATOMIC_ACQUIRE);
		uint32_t bytes = TACHO__WORD_BYTES(word);

		if (!word || bytes > TACHO__POOL_WINDOW_BYTES - at)
			break;
		at += bytes;
		if (!bytes)
			break;
	}
	memcpy(k->window + from, base + from, at - from);
	return at;
}

/* Whether it can be a record: the least that everything behind relies on. */
static bool is_record(uint64_t word, uint32_t room)
{
	uint32_t bytes = TACHO__WORD_BYTES(word), least = RECORD_BYTES;

	if (TACHO__WORD_SLOT(word))
		least += (uint32_t)sizeof(uint64_t);
	return !(word >> 33) && bytes >= least && bytes <= room &&
	       bytes <= TACHO__POOL_RECORD_MAX + RECORD_BYTES;
}

/* Takes what is new in the current window. */
static void take_window(struct taking *taking, uint32_t window)
{
	struct keeper *k = taking->k;
	uint32_t at = taking->progress.offset, end = copy_window(k, window, at);

	k->taken += end - at;
	while (at < end) {
		const struct tacho__pool_record *record =
			(const struct tacho__pool_record *)(const void *)(k->window + at);
		uint32_t bytes = TACHO__WORD_BYTES(record->word);

		if (!is_record(record->word, end - at)) { /* the program has spoilt it */
			atomic_fetch_add(&k->pool->damaged, 1);
			at = TACHO__POOL_WINDOW_BYTES;
			break;
		}
		take_record(taking, record, bytes);
		at += bytes;
	}
	taking->progress.offset = at;
}

static bool is_window_of(const struct keeper *k, uint32_t window, uint32_t stream)
{
	return window < k->pool->window_count &&
	       atomic_load(&k->pool->windows[window]) == TACHO__POOL_OWNED + stream;
}

/* The window behind the current one, plus 1; 0 when there is none, or none that can be. */
static uint32_t find_next(const struct taking *taking)
{
	uint32_t window = taking->progress.window;
	uint32_t next = window ? atomic_load_explicit(
					 &tacho__pool_window(taking->k->pool, window - 1)->next,
					 memory_order_acquire)
			       : atomic_load_explicit(&taking->shared->first, memory_order_acquire);

	return next && is_window_of(taking->k, next - 1, taking->stream) ? next : 0;
}

/* Chunks hold all that one more window can be, and the files have room for what comes of it. */
static bool make_room(struct taking *taking)
{
	struct keeper *k = taking->k;

	if (!tacho__keeper_files_make_room(&k->files))
		return false;
	tacho__keeper_watch_budget(k);
	if (k->calls_writer->size + k->calls_writer->header.slots * sizeof(struct tacho__slot) >
	    TACHO__CHUNK_MAX - WINDOW_WORST)
		end_chunk(taking, k->calls_writer);
	if (k->kept_writer->size > TACHO__CHUNK_MAX - WINDOW_WORST)
		end_chunk(taking, k->kept_writer);
	return true;
}

/* Window by window, up to what is not written yet. True: there is more. */
static bool take_windows(struct taking *taking)
{
	struct keeper *k = taking->k;

	for (int turn = 0; make_room(taking); turn++) {
		uint32_t next = find_next(taking), window = taking->progress.window;

		if (window && !is_window_of(k, window - 1, taking->stream))
			return false;
		if (turn == TACHO__KEEPER_TURN_WINDOWS ||
		    (turn && tacho__keeper_files_is_full(&k->files)))
			return true;
		/* In this order: all that is in the window was there before it had a next one. */
		if (window)
			take_window(taking, window - 1);
		if (!next)
			return false;
		if (window && k->to_free_count < TACHO__POOL_WINDOWS_MAX)
			k->to_free[k->to_free_count++] = window - 1;
		taking->progress.window = next;
		taking->progress.offset = sizeof(struct tacho__pool_window);
	}
	return false;
}

static void make_known(struct keeper *k, uint32_t stream)
{
	struct tacho__pool_stream *shared = &k->pool->stream[stream];

	if (k->streams[stream])
		return;
	k->streams[stream] = TACHO__STREAM_LIVE;
	if (stream >= k->stream_bound)
		k->stream_bound = stream + 1;
	if (is_sampler(k, stream)) {
		shared->serial = TACHO__STREAM_OF_SAMPLER;
		return;
	}
	if (!shared->serial)
		shared->serial = ++k->pool->stream_serials;
	tacho__keeper_note_stream(k, stream);
}

static bool belongs_to_known(const struct keeper *k, uint32_t stream)
{
	unsigned state = atomic_load(&k->pool->stream[stream].state);

	return state == TACHO__POOL_SAMPLER ||
	       (state >= TACHO__POOL_OWNED &&
		state - TACHO__POOL_OWNED < TACHO__POOL_PROCESSES_MAX &&
		k->processes[state - TACHO__POOL_OWNED].is_live);
}

/* Its thread says who it is after it has claimed the stream, and before anything else. */
static bool has_begun(const struct tacho__pool_stream *shared)
{
	return atomic_load_explicit(&shared->first, memory_order_acquire) ||
	       atomic_load_explicit(&shared->has_ended, memory_order_acquire);
}

bool tacho__keeper_meet_stream(struct keeper *k, uint32_t stream)
{
	if (!belongs_to_known(k, stream) || !has_begun(&k->pool->stream[stream]))
		return false;
	make_known(k, stream);
	return true;
}

bool tacho__keeper_drain(struct keeper *k, uint32_t stream)
{
	struct taking taking = {.k = k, .stream = stream, .shared = &k->pool->stream[stream]};
	bool has_more;

	if (!tacho__keeper_meet_stream(k, stream))
		return false;
	taking.progress = taking.shared->now;
	begin_chunk(&taking, k->calls_writer);
	begin_chunk(&taking, k->kept_writer);
	has_more = take_windows(&taking);
	end_chunk(&taking, k->kept_writer);
	end_chunk(&taking, k->calls_writer);
	k->progress[k->progress_count++] =
		(struct tacho__progress){.stream = stream, .next = taking.progress};
	return has_more;
}

/*
 * Says first how long the files will be and how far the streams: whoever comes after this keeper
 * was killed then knows from the files' lengths whether it was done.
 */
static void intend(struct keeper *k)
{
	struct tacho__pool_commit *intended = &k->pool->intended;
	uint32_t round = k->pool->committed.round + 1;

	for (size_t i = 0; i < k->progress_count; i++) {
		struct tacho__pool_stream *shared = &k->pool->stream[k->progress[i].stream];

		shared->next = k->progress[i].next;
		shared->round = round;
	}
	intended->segment = k->files.calls.number;
	intended->segment_bytes = k->files.calls.bytes + k->files.calls.used;
	intended->control_bytes = k->files.control.bytes + k->files.control.used;
	intended->notes = k->notes;
	intended->calls = k->pool->committed.calls + k->added_calls;
	intended->commands = k->pool->committed.commands + k->added_commands;
	__atomic_store_n(&intended->round, round, __ATOMIC_RELEASE);
}

/* Its number comes last: until then a commit is one that was not seen through. */
void tacho__keeper_conclude(struct keeper *k)
{
	struct tacho__pool_commit done = k->pool->intended;
	uint32_t round = done.round;

	done.round = k->pool->committed.round;
	k->pool->committed = done;
	__atomic_store_n(&k->pool->committed.round, round, __ATOMIC_RELEASE);
}

bool tacho__keeper_commit(struct keeper *k)
{
	intend(k);
	if (!tacho__keeper_files_flush(&k->files))
		return false;
	for (size_t i = 0; i < k->progress_count; i++)
		k->pool->stream[k->progress[i].stream].now = k->progress[i].next;
	tacho__keeper_conclude(k);
	k->committed_calls = k->pool->committed.calls;
	atomic_store(&k->pool->calls, k->pool->committed.calls);
	atomic_store(&k->pool->commands, k->pool->committed.commands);
	atomic_fetch_add(&k->pool->bare, k->added_bare);
	k->added_calls = k->added_commands = k->added_bare = 0;
	for (size_t i = 0; i < k->to_free_count; i++)
		tacho__keeper_free_window(k, k->to_free[i]);
	k->progress_count = k->to_free_count = 0;
	return true;
}

static uint64_t count_calls(struct keeper *k, uint32_t window, uint32_t from)
{
	uint32_t end = copy_window(k, window, from);
	uint64_t calls = 0;

	while (from < end) {
		uint64_t word;

		memcpy(&word, k->window + from, sizeof(word));
		if (!is_record(word, end - from))
			break;
		calls += TACHO__KIND_API(TACHO__WORD_KIND(word)) != 0;
		from += TACHO__WORD_BYTES(word);
	}
	return calls;
}

uint64_t tacho__keeper_count_left(struct keeper *k)
{
	uint64_t calls = 0;

	for (uint32_t i = 0; i < TACHO__POOL_STREAMS_MAX; i++) {
		struct taking taking = {.k = k, .stream = i, .shared = &k->pool->stream[i]};
		uint32_t bound = k->pool->window_count, next;

		taking.progress = taking.shared->now;
		if (!belongs_to_known(k, i))
			continue;
		do { /* as far as the chain goes; a program may have made a circle of it */
			next = find_next(&taking);
			if (taking.progress.window)
				calls += count_calls(k, taking.progress.window - 1,
						     taking.progress.offset);
			taking.progress.window = next;
			taking.progress.offset = sizeof(struct tacho__pool_window);
		} while (next && bound--);
	}
	return calls;
}
