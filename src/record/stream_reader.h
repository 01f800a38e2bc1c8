/* SPDX-License-Identifier: MIT */
/*
 * Reading one stream record by record, of either version. Any prefix of any file is fine; nothing
 * in it is trusted. What cannot be read is noted as a fault of the recording, and the rest goes on.
 */
#ifndef TACHO_RECORD_STREAM_READER_H
#define TACHO_RECORD_STREAM_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pack.h"
#include "record/chunk_reader.h"
#include "record/reader.h"

struct tacho__stream_reader {
	struct tacho_recording *recording;
	const struct tacho__reader_stream *stream;
	uint8_t *buffer; /* NULL while nothing is open */
	bool has_ended;

	/* of version 1 */
	uint64_t window_start, window_end, at; /* offsets in the file; window_end 0: none is open */
	uint64_t buffer_start;
	uint32_t buffer_size;

	/* of version 2 */
	size_t next_chunk;
	struct tacho__chunk_reader chunk;
};

/* Opens nothing yet. The stream stays the recording's. */
void tacho__stream_reader_init(struct tacho__stream_reader *reader,
			       struct tacho_recording *recording,
			       const struct tacho__reader_stream *stream);
void tacho__stream_reader_finish(struct tacho__stream_reader *reader);

/* What its chunk said of a record is `rc`: goes on behind that, as tacho__stream_reader_next(). */
int tacho__stream_reader_go_on(struct tacho__stream_reader *reader, int rc,
			       struct tacho__record *out_record);
/* 1 and a record, 0 at the end, TACHO_E_NOMEM. */
static inline int tacho__stream_reader_next(struct tacho__stream_reader *reader,
					    struct tacho__record *out_record)
{
	int rc = reader->chunk.records_left ? tacho__chunk_next(&reader->chunk, out_record) : 0;

	return rc == 1 && !out_record->is_torn_slot
		       ? 1
		       : tacho__stream_reader_go_on(reader, rc, out_record);
}

/*
 * The earliest end of a record that may come next, without reading; false when that is not known,
 * or when there is none.
 */
bool tacho__stream_reader_peek_tick(const struct tacho__stream_reader *reader, uint64_t *out_tick);

/* stream_v1.c: its part of the above. */
int tacho__stream_v1_next(struct tacho__stream_reader *reader, struct tacho__record *out_record);
/* Copies `size` bytes at `offset` of the file, from a fresh read. False: they are not there. */
bool tacho__stream_v1_peek(struct tacho__stream_reader *reader, uint64_t offset, void *out_bytes,
			   uint32_t size);

#endif
