/* SPDX-License-Identifier: MIT */
/* Rows of values in streams. They may come long after their calls, from any thread: all are found
 * before the first call is read. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "record/rows.h"

static const char was_cut[] = "a part of its values was lost while recording";

/* A row that is spread over records; they follow one another in their stream. */
struct piece {
	struct tacho__count *values;
	size_t count, capacity;
	struct tacho__values_head head;
	char note[TACHO__VALUES_NOTE_MAX];
	uint32_t records;     /* of it that came */
	size_t chunk, record; /* where the first of them is */
	bool is_open, is_damaged;
};

/* ---- finding ---- */

static uint64_t mix(uint64_t value)
{
	value ^= value >> 33;
	value *= UINT64_C(0xff51afd7ed558ccd);
	value ^= value >> 33;
	value *= UINT64_C(0xc4ceb9fe1a85ec53);
	return value ^ value >> 33;
}

static uint64_t make_key(uint32_t process, uint32_t thread, uint64_t start)
{
	return mix(start ^ mix((uint64_t)process << 32 | thread));
}

static size_t get_chunk(const struct tacho__stream_reader *reader)
{
	return reader->next_chunk - 1;
}

/* Of the record that was read last, in its chunk. */
static size_t get_record(const struct tacho__stream_reader *reader)
{
	return reader->chunk.header.records - reader->chunk.records_left - 1;
}

/* What was not told is not missing. */
static bool is_whole(const struct piece *piece)
{
	return !piece->is_damaged && !piece->head.left &&
	       (!piece->head.total || piece->head.total == piece->records);
}

static const char *keep_note(struct tacho__written_rows *rows, const struct piece *piece)
{
	if (piece->head.note_size)
		return tacho__arena_text(&rows->arena, piece->note, piece->head.note_size);
	return is_whole(piece) ? "" : was_cut;
}

/* A long row of version 2 is read again when it is asked for. */
static int commit(struct tacho__written_rows *rows, uint32_t process,
		  const struct tacho__reader_stream *stream, struct piece *piece)
{
	const struct tacho__values_head *head = &piece->head;
	bool stays = piece->records > 1 && !stream->path;
	uint64_t key = make_key(process, head->thread, head->start);
	size_t count = stays ? 0 : piece->count;
	struct tacho__written_row *row =
		tacho__arena_get(&rows->arena, sizeof(*row) + count * sizeof(row->values[0]));

	piece->is_open = false;
	if (!row)
		return TACHO_E_NOMEM;
	row->start = head->start;
	row->tick = head->tick;
	row->process = process;
	row->thread = head->thread;
	row->seen = head->seen;
	row->note = keep_note(rows, piece);
	if (!row->note)
		return TACHO_E_NOMEM;
	row->stream = stays ? stream : NULL;
	row->chunk = piece->chunk;
	row->record = piece->record;
	row->count = count;
	if (count)
		memcpy(row->values, piece->values, count * sizeof(row->values[0]));
	row->next = tacho__map_get(&rows->map, key);
	rows->count++;
	return tacho__map_set(&rows->map, key, row);
}

/* ---- values ---- */

/*
 * Whether it is a value of a column that there is: instances that are there, and one value where
 * there are none. Where the shape was lost, or older tachos told none, any instance may be.
 */
static bool can_be(const struct tacho__written_rows *rows, const struct tacho__count *count)
{
	const struct tacho_counting *counting = rows->recording->counting;
	const struct tacho_column *shape;

	if (count->column >= counting->column_count ||
	    counting->columns[count->column].from != TACHO_FROM_SESSION)
		return false;
	shape = rows->shapes->columns[count->column];
	if (!shape)
		return true;
	return count->instance && count->instance <= shape->instance_count &&
	       tacho_column_is_present(shape, count->instance - 1);
}

static int add_value(struct piece *piece, const struct tacho__count *count)
{
	return tacho__array_add(&piece->values, &piece->capacity, &piece->count, count,
				sizeof(*count));
}

/* No row has more than each of its values once. */
static bool has_room(const struct tacho__written_rows *rows, const struct piece *piece)
{
	return piece->count < rows->shapes->value_count + TACHO__COUNT_VALUES_MAX;
}

/* The values of a record whose head was read: 0, PARSE when some make no sense, or NOMEM. */
static int take_values(struct tacho__written_rows *rows, uint32_t process,
		       struct tacho__record *record, struct piece *piece)
{
	struct tacho__count count;
	int rc = 0;

	for (uint32_t i = 0; i < piece->head.count; i++) {
		if (!tacho__values_unpack(&record->unpack, &count))
			return TACHO_E_PARSE;
		if (tacho__count_shapes_differ(rows->shapes, process, count.column))
			continue;
		if (!can_be(rows, &count) || !has_room(rows, piece))
			rc = TACHO_E_PARSE;
		else if (add_value(piece, &count))
			return TACHO_E_NOMEM;
	}
	return rc;
}

/* Whether the record goes on with the row that is open; records between them may be lost. */
static bool goes_on(const struct piece *piece, const struct tacho__values_head *head)
{
	return piece->is_open && piece->head.thread == head->thread &&
	       piece->head.start == head->start && piece->head.total == head->total &&
	       piece->head.left > head->left;
}

static void begin(struct piece *piece, const struct tacho__stream_reader *reader)
{
	piece->count = 0;
	piece->records = 0;
	piece->is_damaged = false;
	if (reader->stream->path)
		return;
	piece->chunk = get_chunk(reader);
	piece->record = get_record(reader);
}

/* 0, PARSE when something in it makes no sense: the rest of it is taken all the same. NOMEM. */
static int take(struct tacho__written_rows *rows, uint32_t process,
		struct tacho__stream_reader *reader, struct tacho__record *record,
		struct piece *piece)
{
	struct tacho__values_head head = {.tick = record->start};
	int rc = 0, damage;

	if (!tacho__values_unpack_head(&record->unpack, &head))
		return TACHO_E_PARSE;
	if (piece->is_open && !goes_on(piece, &head))
		rc = commit(rows, process, reader->stream, piece);
	if (rc)
		return rc;
	if (!piece->is_open)
		begin(piece, reader);
	else
		piece->is_damaged |= piece->head.left != head.left + 1;
	piece->is_open = true;
	piece->records++;
	piece->head = head;
	if (head.note_size)
		memcpy(piece->note, head.note, head.note_size);
	damage = take_values(rows, process, record, piece);
	if (damage == TACHO_E_NOMEM)
		return damage;
	piece->is_damaged |= damage != 0;
	if (!head.left)
		rc = commit(rows, process, reader->stream, piece);
	return rc ? rc : damage;
}

/* ---- streams ---- */

static int note_damage(const struct tacho__stream_reader *reader,
		       const struct tacho__record *record)
{
	static const char what[] = "holds counters of a launch that make no sense";
	const struct tacho__reader_stream *stream = reader->stream;
	const struct tacho__chunk_place *place;

	if (stream->path)
		return tacho__fault_add(reader->recording,
					&(struct tacho_fault){.what = what,
							      .path = stream->path,
							      .bytes = record->size},
					reader->at);
	place = &stream->chunks[get_chunk(reader)];
	return tacho__fault_add_of_file(reader->recording, place->file, what, 0, record->size, 0,
					place->offset);
}

static int read_stream(struct tacho__written_rows *rows, uint32_t process,
		       const struct tacho__reader_stream *stream)
{
	struct tacho__stream_reader reader;
	struct tacho__record record;
	struct piece piece = {0};
	int rc;

	tacho__stream_reader_init(&reader, rows->recording, stream);
	while ((rc = tacho__stream_reader_next(&reader, &record)) == 1) {
		if (record.kind == TACHO__RECORD_VALUES)
			rc = take(rows, process, &reader, &record, &piece);
		if (rc == TACHO_E_PARSE)
			rc = note_damage(&reader, &record);
		if (rc < 0)
			break;
	}
	if (!rc && piece.is_open)
		rc = commit(rows, process, stream, &piece);
	tacho__stream_reader_finish(&reader);
	free(piece.values);
	return rc < 0 ? rc : 0;
}

int tacho__written_rows_read(struct tacho_recording *recording,
			     struct tacho__written_rows *out_rows)
{
	int rc = 0;

	out_rows->recording = recording;
	for (size_t i = 0; i < recording->process_count; i++) {
		const struct tacho__process *process = recording->processes[i];

		for (size_t k = 0; k < process->stream_count && !rc; k++)
			rc = read_stream(out_rows, process->process.index, &process->streams[k]);
	}
	return rc;
}

void tacho__written_rows_finish(struct tacho__written_rows *rows)
{
	tacho__stream_reader_finish(&rows->reader);
	free(rows->values);
	tacho__map_finish(&rows->map);
	tacho__arena_finish(&rows->arena);
}

const struct tacho__written_row *tacho__written_rows_find(const struct tacho__written_rows *rows,
							  uint32_t process, uint32_t thread,
							  uint64_t start)
{
	const struct tacho__written_row *found = NULL, *row;

	for (row = tacho__map_get(&rows->map, make_key(process, thread, start)); row;
	     row = row->next)
		if (row->process == process && row->thread == thread && row->start == start &&
		    (!found || row->tick > found->tick))
			found = row;
	return found;
}

/* ---- reading again ---- */

/* Brings the reader in front of the row's first record, or not far before. */
static void seek(struct tacho__written_rows *rows, const struct tacho__written_row *row)
{
	struct tacho__stream_reader *reader = &rows->reader;

	if (reader->stream == row->stream && reader->buffer && get_chunk(reader) == row->chunk &&
	    reader->chunk.header.records - reader->chunk.records_left <= row->record)
		return;
	tacho__stream_reader_finish(reader);
	tacho__stream_reader_init(reader, rows->recording, row->stream);
	reader->next_chunk = row->chunk;
}

/* Whether the record that was read last is the row's first one, or behind it. */
static bool is_behind(const struct tacho__stream_reader *reader,
		      const struct tacho__written_row *row)
{
	return get_chunk(reader) > row->chunk ||
	       (get_chunk(reader) == row->chunk && get_record(reader) >= row->record);
}

/* The record's values, when it is of the row: 1, 0 when it is not, or NOMEM. */
static int load_record(struct tacho__written_rows *rows, const struct tacho__written_row *row,
		       struct tacho__record *record, struct piece *piece)
{
	struct tacho__values_head head = {.tick = record->start};

	if (!tacho__values_unpack_head(&record->unpack, &head) || head.thread != row->thread ||
	    head.start != row->start || (piece->is_open && !goes_on(piece, &head)))
		return 0;
	piece->is_open = true;
	piece->head = head;
	if (take_values(rows, row->process, record, piece) == TACHO_E_NOMEM)
		return TACHO_E_NOMEM;
	return head.left != 0;
}

static int load(struct tacho__written_rows *rows, const struct tacho__written_row *row,
		struct piece *piece)
{
	struct tacho__record record;
	int rc;

	seek(rows, row);
	while ((rc = tacho__stream_reader_next(&rows->reader, &record)) == 1) {
		if (record.kind != TACHO__RECORD_VALUES || !is_behind(&rows->reader, row))
			continue;
		rc = load_record(rows, row, &record, piece);
		if (rc != 1)
			break;
	}
	return rc < 0 ? rc : 0;
}

int tacho__written_rows_load(struct tacho__written_rows *rows, const struct tacho__written_row *row,
			     const struct tacho__count **out_values, size_t *out_count)
{
	struct piece piece = {.values = rows->values, .capacity = rows->value_capacity};
	int rc = 0;

	if (!row->stream) {
		*out_values = row->values;
		*out_count = row->count;
		return 0;
	}
	rc = load(rows, row, &piece);
	rows->values = piece.values;
	rows->value_capacity = piece.capacity;
	*out_values = piece.values;
	*out_count = piece.count;
	return rc;
}
