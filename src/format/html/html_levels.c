/* SPDX-License-Identifier: MIT */
#include "format/html/html_levels.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/varint.h"

enum column {
	START,
	TIME,
	NAME,
	FLAGS,
	ROW,
	CALL,
	TEXT,
	WAIT,
	BYTES,
	COUNT,
	BUSY,
	FAILED,
	COLUMNS
};

unsigned tacho__html_lane_place(struct tacho__html_lane *lane)
{
	uint64_t ends[TACHO__HTML_ROWS_OVERLAPPED] = {0};
	unsigned rows = 1;

	if (lane->cell_ns)
		return 1;
	for (size_t i = 0; i < lane->count; i++) {
		struct tacho__html_mark *mark = &lane->marks[i];
		unsigned row = 0;

		while (row + 1 < TACHO__HTML_ROWS_OVERLAPPED && ends[row] > mark->start_ns)
			row++;
		mark->row = (uint8_t)row;
		if (mark->end_ns > ends[row])
			ends[row] = mark->end_ns;
		rows = row + 1 > rows ? row + 1 : rows;
	}
	return rows;
}

static uint64_t fold(uint64_t value, uint64_t before)
{
	return tacho__varint_fold((int64_t)(value - before));
}

static inline uint64_t get(const struct tacho__html_mark *mark,
			   const struct tacho__html_mark *before, enum column column)
{
	switch (column) {
	case START: return mark->start_ns - before->start_ns;
	case TIME: return mark->end_ns - mark->start_ns;
	case NAME: return mark->name;
	case FLAGS: return mark->flags;
	case ROW: return mark->row;
	case CALL: return fold(mark->call, before->call);
	case TEXT: return mark->detail;
	case WAIT:
		return mark->queued_ns && mark->queued_ns < mark->start_ns
			       ? mark->start_ns - mark->queued_ns
			       : 0;
	case BYTES: return mark->bytes;
	case COUNT: return mark->count;
	case BUSY: return mark->busy_ns;
	case FAILED: return mark->failed;
	case COLUMNS: break;
	}
	return 0;
}

/* Made anew for each column, which is known where it is called: it is asked for no mark. */
__attribute__((always_inline)) static inline uint8_t *
put_column(uint8_t *at, const struct tacho__html_mark *marks, size_t count, enum column column)
{
	const struct tacho__html_mark first = {.start_ns = marks[0].start_ns};

	for (size_t i = 0; i < count; i++)
		if (column < COUNT || (marks[i].flags & TACHO__MARK_MANY))
			at = tacho__varint_put(at,
					       get(&marks[i], i ? &marks[i - 1] : &first, column));
	return at;
}

static uint8_t *put_columns(uint8_t *at, const struct tacho__html_mark *marks, size_t count)
{
	at = put_column(at, marks, count, START);
	at = put_column(at, marks, count, TIME);
	at = put_column(at, marks, count, NAME);
	at = put_column(at, marks, count, FLAGS);
	at = put_column(at, marks, count, ROW);
	at = put_column(at, marks, count, CALL);
	at = put_column(at, marks, count, TEXT);
	at = put_column(at, marks, count, WAIT);
	at = put_column(at, marks, count, BYTES);
	at = put_column(at, marks, count, COUNT);
	at = put_column(at, marks, count, BUSY);
	return put_column(at, marks, count, FAILED);
}

static int add_chunk(struct tacho__html_store *store, struct tacho__html_level *level,
		     const struct tacho__html_mark *marks, size_t count, uint8_t *room)
{
	struct tacho__html_chunk chunk = {
		.from_ns = marks[0].start_ns, .call_low = UINT64_MAX, .count = count};
	uint8_t *at = room;
	int rc;

	for (size_t i = 0; i < count; i++) {
		const struct tacho__html_mark *mark = &marks[i];

		chunk.reach_ns = mark->end_ns > chunk.reach_ns ? mark->end_ns : chunk.reach_ns;
		chunk.call_low = mark->call < chunk.call_low ? mark->call : chunk.call_low;
		chunk.call_high = mark->call > chunk.call_high ? mark->call : chunk.call_high;
	}
	at = put_columns(at, marks, count);
	rc = tacho__html_store_add(store, room, (size_t)(at - room),
				   level->is_packed ? TACHO__HTML_NUMBERS : TACHO__HTML_PLAIN,
				   &chunk.piece);
	return rc ? rc
		  : tacho__array_add(&level->chunks, &level->capacity, &level->count, &chunk,
				     sizeof(chunk));
}

int tacho__html_level_write(struct tacho__html_store *store, const struct tacho__html_lane *lane,
			    bool is_packed, struct tacho__html_level *out_level)
{
	struct tacho__html_level level = {
		.cell_ns = lane->cell_ns, .is_packed = is_packed, .marks = lane->count};
	uint8_t *room = malloc((size_t)TACHO__HTML_CHUNK_MARKS * COLUMNS * TACHO__VARINT_MAX);
	int rc = room ? 0 : tacho__fail(TACHO_E_NOMEM, "", "", "no memory for marks");

	for (size_t i = 0; i < lane->count && !rc; i += TACHO__HTML_CHUNK_MARKS) {
		size_t left = lane->count - i;

		rc = add_chunk(store, &level, &lane->marks[i],
			       left < TACHO__HTML_CHUNK_MARKS ? left : TACHO__HTML_CHUNK_MARKS,
			       room);
	}
	free(room);
	if (rc)
		tacho__html_level_finish(&level);
	else
		*out_level = level;
	return rc;
}

void tacho__html_chunk_put(FILE *stream, const struct tacho__html_chunk *chunk, uint64_t first_ns)
{
	fprintf(stream, "[%" PRIu64 ",%" PRIu64 ",%zu,%" PRIu64 ",%" PRIu64 ",%zu,%zu]",
		chunk->from_ns - first_ns, chunk->reach_ns - first_ns, chunk->count,
		chunk->call_low, chunk->call_high, chunk->piece.at, chunk->piece.size);
}

void tacho__html_level_finish(struct tacho__html_level *level)
{
	free(level->chunks);
	*level = (struct tacho__html_level){0};
}
