/* SPDX-License-Identifier: MIT */
/* What the keeper itself knows, as records of stream 0 in control.bin: see wire.h. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "record/keeper/keeper_private.h"

enum {
	TABLE_PIECE_BYTES = 4 * 1024,
	TEXT_MAX = 7 * 1024,
	COMMAND_MAX = 3 * 1024,
	ANCHOR_TRIES = 20,
	ANCHOR_GOOD_NS = 500,
};

static void begin(struct keeper *k)
{
	tacho__chunk_begin(k->notes_writer);
	k->notes_writer->header.recording = k->files.recording;
	k->notes_writer->header.first_record = k->notes;
}

/* A note that finds no room is lost; only a disk that takes nothing for long comes to that. */
static void end(struct keeper *k)
{
	uint32_t bytes = tacho__chunk_end(k->notes_writer, k->chunk), number;
	uint64_t offset;

	if (!bytes || k->files.control.used + bytes > TACHO__KEEPER_BUFFER_BYTES)
		return;
	tacho__keeper_files_add(&k->files, true, k->chunk, bytes, &number, &offset);
	k->notes += k->notes_writer->header.records;
}

/* Puts a note into the chunk that is open. */
static void add_at(struct keeper *k, uint64_t tick, uint16_t kind, const uint8_t *packed,
		   const struct tacho__pack *pack)
{
	uint8_t padded[TACHO__CHUNK_VALUES_MAX] = {0};
	struct tacho__chunk_record record = {.kind = kind, .start = tick, .end = tick};
	uint32_t size = (uint32_t)(pack->at - packed);

	if (k->notes_writer->size > TACHO__CHUNK_MAX / 2) {
		end(k);
		begin(k);
	}
	memcpy(padded, packed, size);
	record.values = padded;
	record.size = (size + 7) & ~7u;
	tacho__chunk_add(k->notes_writer, &record);
}

static void add(struct keeper *k, uint16_t kind, const uint8_t *packed,
		const struct tacho__pack *pack)
{
	add_at(k, tacho__tick(), kind, packed, pack);
}

static void add_alone(struct keeper *k, uint16_t kind, const uint8_t *packed,
		      const struct tacho__pack *pack)
{
	begin(k);
	add(k, kind, packed, pack);
	end(k);
}

void tacho__keeper_note_sampled(struct keeper *k, const struct tacho__chunk_record *record)
{
	const struct tacho__pack pack = {.at = (uint8_t *)record->values + record->size};

	begin(k);
	add(k, record->kind, record->values, &pack);
	end(k);
}

static void pack_text(struct tacho__pack *pack, const char *text, size_t size)
{
	tacho__pack_u64(pack, size);
	tacho__pack_bytes(pack, text, size);
}

void tacho__keeper_note_anchor(struct keeper *k)
{
	uint8_t packed[64 + TACHO__PACK_SLACK];
	struct tacho__anchor anchor;
	struct tacho__pack pack;

	for (int i = 0; i < ANCHOR_TRIES; i++) { /* until nobody has come between */
		tacho__clock_anchor(&anchor);
		if (anchor.uncertainty_ns <= ANCHOR_GOOD_NS)
			break;
	}
	tacho__pack_begin(&pack, packed);
	tacho__pack_u64(&pack, anchor.tick);
	tacho__pack_u64(&pack, anchor.raw_ns);
	tacho__pack_u64(&pack, anchor.monotonic_ns);
	tacho__pack_u64(&pack, anchor.realtime_ns);
	tacho__pack_u64(&pack, anchor.uncertainty_ns);
	add_alone(k, TACHO__RECORD_ANCHOR, packed, &pack);
}

/* The arguments of a process, joined by blanks; line ends would end the attribute. */
static void read_command(pid_t pid, char *text, size_t size)
{
	char path[64];
	size_t got;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
	got = tacho__fs_read_start(path, text, size);
	while (got && !text[got - 1])
		got--;
	for (size_t i = 0; i < got; i++)
		if (!text[i] || text[i] == '\n')
			text[i] = ' ';
	text[got] = '\0';
}

static void read_executable(pid_t pid, char *text, size_t size)
{
	char path[64];
	ssize_t length;

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	length = readlink(path, text, size - 1);
	text[length < 0 ? 0 : length] = '\0';
	for (char *at = text; (at = strchr(at, '\n'));)
		*at = ' ';
}

void tacho__keeper_note_process(struct keeper *k, uint32_t process)
{
	const struct tacho__pool_process *shared = &k->pool->process[process];
	const struct tacho__kept_process *kept = &k->processes[process];
	char text[TEXT_MAX], command[COMMAND_MAX] = "", executable[COMMAND_MAX] = "";
	uint8_t packed[TEXT_MAX + 256];
	struct tacho__pack pack;
	int size;

	if (kept->pid) {
		read_command(kept->pid, command, sizeof(command));
		read_executable(kept->pid, executable, sizeof(executable));
	}
	size = snprintf(text, sizeof(text),
			"pid=%u\nparent=%u\nclock=%s\nexecutable=%s\ncommand=%s\n", shared->pid,
			shared->parent_pid, tacho__clock_name(), executable, command);
	tacho__pack_begin(&pack, packed);
	tacho__pack_u64(&pack, kept->id);
	tacho__pack_u64(&pack, shared->tick);
	tacho__pack_u64(&pack, shared->raw_ns);
	tacho__pack_u64(&pack, shared->monotonic_ns);
	tacho__pack_u64(&pack, shared->realtime_ns);
	pack_text(&pack, text, size < (int)sizeof(text) ? (size_t)size : sizeof(text) - 1);
	add_alone(k, TACHO__RECORD_BORN, packed, &pack);
	tacho__keeper_note_anchor(k); /* two tell a clock's rate, whatever happens from here on */
}

void tacho__keeper_note_end(struct keeper *k, uint32_t process)
{
	struct tacho__pool_process *shared = &k->pool->process[process];
	uint8_t packed[128 + TACHO__PACK_SLACK];
	struct tacho__pack pack;

	tacho__pack_begin(&pack, packed);
	tacho__pack_u64(&pack, k->processes[process].id);
	tacho__pack_u64(&pack, atomic_load(&shared->lost_no_window));
	tacho__pack_u64(&pack, atomic_load(&shared->lost_no_space));
	tacho__pack_u64(&pack, atomic_load(&shared->lost_nested));
	tacho__pack_u64(&pack, atomic_load(&shared->lost_too_big));
	tacho__pack_u64(&pack, atomic_load(&shared->lost_no_thread));
	tacho__pack_u64(&pack, atomic_load(&shared->untimed));
	tacho__pack_u64(&pack, atomic_load(&shared->waits));
	tacho__pack_u64(&pack, atomic_load(&shared->lost_unreported));
	tacho__pack_u64(&pack, atomic_load(&shared->cost_calls));
	tacho__pack_u64(&pack, atomic_load(&shared->cost_ticks));
	add_alone(k, TACHO__RECORD_GONE, packed, &pack);
	atomic_fetch_add(&k->pool->lost, tacho__pool_count_lost(shared));
	atomic_fetch_add(&k->pool->lost_late, tacho__pool_count_late(shared));
	atomic_fetch_add(&k->pool->lost_times, atomic_load(&shared->untimed));
}

/* The thread's name; "" when it is over, or in another namespace. */
static void read_name(pid_t pid, uint32_t thread, char *text, size_t size)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%u/comm", (int)pid, (unsigned)thread);
	tacho__fs_read_start(path, text, size);
	text[strcspn(text, "\n")] = '\0';
}

void tacho__keeper_note_stream(struct keeper *k, uint32_t stream)
{
	const struct tacho__pool_stream *shared = &k->pool->stream[stream];
	uint32_t process = atomic_load(&shared->state) - TACHO__POOL_OWNED;
	char name[32] = "";
	uint8_t packed[128 + TACHO__PACK_SLACK];
	struct tacho__pack pack;

	tacho__pack_begin(&pack, packed);
	tacho__pack_u64(&pack, shared->serial);
	tacho__pack_u64(&pack, k->processes[process].id);
	tacho__pack_u64(&pack, shared->tid);
	if (k->processes[process].pid)
		read_name(k->processes[process].pid, shared->tid, name, sizeof(name));
	pack_text(&pack, name, strlen(name));
	add_alone(k, TACHO__RECORD_STREAM, packed, &pack);
}

void tacho__keeper_note_times(struct keeper *k, const struct tacho__kept_times *times, size_t count)
{
	uint8_t packed[64 + TACHO__PACK_SLACK];

	begin(k);
	for (size_t i = 0; i < count; i++) {
		struct tacho__pack pack;

		tacho__pack_begin(&pack, packed);
		tacho__pack_u64(&pack, times[i].serial);
		tacho__pack_u64(&pack, times[i].run_ns);
		tacho__pack_u64(&pack, times[i].waited_ns);
		add_at(k, times[i].tick, TACHO__RECORD_THREAD_TIME, packed, &pack);
	}
	end(k);
}

void tacho__keeper_note_table(struct keeper *k, uint32_t api, const char *text, size_t size)
{
	uint8_t packed[TABLE_PIECE_BYTES + 128];

	begin(k);
	for (size_t offset = 0; offset < size; offset += TABLE_PIECE_BYTES) {
		size_t left = size - offset;
		struct tacho__pack pack;

		tacho__pack_begin(&pack, packed);
		tacho__pack_u64(&pack, api);
		tacho__pack_u64(&pack, offset);
		tacho__pack_u64(&pack, size);
		pack_text(&pack, text + offset,
			  left < TABLE_PIECE_BYTES ? left : TABLE_PIECE_BYTES);
		add(k, TACHO__RECORD_TABLE, packed, &pack);
	}
	end(k);
}

void tacho__keeper_note_refusal(struct keeper *k, const struct tacho__pool_refusal *refusal)
{
	uint8_t packed[128 + TACHO__PACK_SLACK];
	struct tacho__pack pack;

	tacho__pack_begin(&pack, packed);
	tacho__pack_u64(&pack, refusal->pid);
	tacho__pack_u64(&pack, refusal->uid);
	tacho__pack_i64(&pack, refusal->error);
	pack_text(&pack, refusal->stage, strnlen(refusal->stage, sizeof(refusal->stage)));
	add_alone(k, TACHO__RECORD_REFUSED, packed, &pack);
}

static void add_piece(struct keeper *k)
{
	uint8_t packed[64 + TACHO__PACK_SLACK];
	struct tacho__pack pack;

	tacho__pack_begin(&pack, packed);
	tacho__pack_u64(&pack, k->files.first_segment);
	tacho__pack_u64(&pack, k->pool->committed.segment);
	tacho__pack_u64(&pack, k->pool->committed.segment_bytes);
	tacho__pack_u64(&pack, k->committed_calls);
	add(k, TACHO__RECORD_PIECE, packed, &pack);
}

static void add_bounds(struct keeper *k)
{
	uint8_t packed[64 + TACHO__PACK_SLACK];
	struct tacho__pack pack;

	tacho__pack_begin(&pack, packed);
	tacho__pack_u64(&pack, k->limits.max_bytes);
	tacho__pack_u64(&pack, k->limits.ring_bytes);
	tacho__pack_u64(&pack, k->level);
	tacho__pack_u64(&pack, k->limits.max_calls);
	tacho__pack_u64(&pack, k->limits.max_launches);
	add(k, TACHO__RECORD_BOUNDS, packed, &pack);
}

static void add_bounded(struct keeper *k, uint32_t api)
{
	const uint64_t *bounded = k->apis[api].bounded;

	for (uint32_t i = 0; bounded && i < TACHO__POOL_FUNCTIONS_MAX; i++) {
		uint8_t packed[64 + TACHO__PACK_SLACK];
		struct tacho__pack pack;

		if (!bounded[i])
			continue;
		tacho__pack_begin(&pack, packed);
		tacho__pack_u64(&pack, api);
		tacho__pack_u64(&pack, i);
		tacho__pack_u64(&pack, bounded[i]);
		add(k, TACHO__RECORD_BOUNDED, packed, &pack);
	}
}

void tacho__keeper_note_state(struct keeper *k)
{
	uint64_t bounded = atomic_load(&k->pool->bounded);

	begin(k);
	if (k->noted_segment != k->pool->committed.segment ||
	    k->noted_bytes != k->pool->committed.segment_bytes)
		add_piece(k);
	if (k->noted_level != k->level || k->noted_bounded != bounded)
		add_bounds(k);
	for (uint32_t api = 0; k->noted_bounded != bounded && api < TACHO__POOL_APIS_MAX; api++)
		add_bounded(k, api);
	end(k);
	k->noted_bounded = bounded;
	k->noted_level = k->level;
	k->noted_segment = k->pool->committed.segment;
	k->noted_bytes = k->pool->committed.segment_bytes;
}

void tacho__keeper_note_finish(struct keeper *k)
{
	uint8_t packed[64 + TACHO__PACK_SLACK];
	struct tacho__pack pack;

	tacho__keeper_note_anchor(k);
	tacho__keeper_note_state(k);
	tacho__pack_begin(&pack, packed);
	tacho__pack_u64(&pack, k->committed_calls);
	tacho__pack_u64(&pack, atomic_load(&k->pool->unwritten));
	tacho__pack_u64(&pack, atomic_load(&k->pool->unwritten_times));
	tacho__pack_u64(&pack, atomic_load(&k->pool->damaged));
	tacho__pack_u64(&pack, atomic_load(&k->pool->write_error));
	add_alone(k, TACHO__RECORD_FINISH, packed, &pack);
}
