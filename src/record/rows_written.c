/* SPDX-License-Identifier: MIT */
/* Rows of values in streams. They may come long after their calls, from any thread: all are read
 * before the first call is. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "record/rows.h"
#include "record/stream_reader.h"

enum { COLUMNS_MAX = 100000 };

/* A row that is spread over records; they follow one another in their stream. */
struct piece {
	struct tacho__count *values;
	size_t count, capacity;
	struct tacho__values_head head;
	bool is_open;
};

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

static int commit(struct tacho__written_rows *rows, uint32_t process, const struct piece *piece)
{
	const struct tacho__values_head *head = &piece->head;
	uint64_t key = make_key(process, head->thread, head->start);
	struct tacho__written_row *row = tacho__arena_get(
		&rows->arena, sizeof(*row) + piece->count * sizeof(row->values[0]));

	if (!row)
		return TACHO_E_NOMEM;
	row->start = head->start;
	row->process = process;
	row->thread = head->thread;
	row->seen = head->seen;
	row->note =
		head->note_size ? tacho__arena_text(&rows->arena, head->note, head->note_size) : "";
	if (!row->note)
		return TACHO_E_NOMEM;
	row->count = piece->count;
	if (piece->count)
		memcpy(row->values, piece->values, piece->count * sizeof(row->values[0]));
	row->next = tacho__map_get(&rows->map, key);
	rows->count++;
	return tacho__map_set(&rows->map, key, row);
}

static int add_value(struct piece *piece, const struct tacho__count *count)
{
	return tacho__array_add(&piece->values, &piece->capacity, &piece->count, count,
				sizeof(*count));
}

/* A record that cannot be read costs its row. */
static int take(struct tacho__written_rows *rows, uint32_t process, struct tacho__record *record,
		struct piece *piece)
{
	struct tacho__values_head head = {.tick = record->start};
	struct tacho__count count;

	if (!tacho__values_unpack_head(&record->unpack, &head) || piece->count > COLUMNS_MAX) {
		piece->is_open = false;
		return 0;
	}
	if (!piece->is_open || piece->head.thread != head.thread ||
	    piece->head.start != head.start || piece->head.left != head.left + 1)
		piece->count = 0;
	piece->head = head;
	piece->is_open = head.left != 0;
	for (uint32_t i = 0; i < head.count; i++) {
		if (!tacho__values_unpack(&record->unpack, &count)) {
			piece->is_open = false;
			return 0;
		}
		/* instances of a unit that are kept apart have no place in a table of launches */
		if (!count.instance && add_value(piece, &count))
			return TACHO_E_NOMEM;
	}
	return head.left ? 0 : commit(rows, process, piece);
}

static int read_stream(struct tacho__written_rows *rows, struct tacho_recording *recording,
		       uint32_t process, const struct tacho__reader_stream *stream)
{
	struct tacho__stream_reader reader;
	struct tacho__record record;
	struct piece piece = {0};
	int rc;

	tacho__stream_reader_init(&reader, recording, stream);
	while ((rc = tacho__stream_reader_next(&reader, &record)) == 1) {
		if (record.kind == TACHO__RECORD_VALUES)
			rc = take(rows, process, &record, &piece);
		if (rc < 0)
			break;
	}
	tacho__stream_reader_finish(&reader);
	free(piece.values);
	return rc < 0 ? rc : 0;
}

int tacho__written_rows_read(struct tacho_recording *recording,
			     struct tacho__written_rows *out_rows)
{
	int rc = 0;

	for (size_t i = 0; i < recording->process_count; i++) {
		const struct tacho__process *process = recording->processes[i];

		for (size_t k = 0; k < process->stream_count && !rc; k++)
			rc = read_stream(out_rows, recording, process->process.index,
					 &process->streams[k]);
	}
	return rc;
}

void tacho__written_rows_finish(struct tacho__written_rows *rows)
{
	tacho__map_finish(&rows->map);
	tacho__arena_finish(&rows->arena);
}

const struct tacho__written_row *tacho__written_rows_find(const struct tacho__written_rows *rows,
							  uint32_t process, uint32_t thread,
							  uint64_t start)
{
	const struct tacho__written_row *row =
		tacho__map_get(&rows->map, make_key(process, thread, start));

	while (row && (row->process != process || row->thread != thread || row->start != start))
		row = row->next;
	return row;
}
