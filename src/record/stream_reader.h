/* SPDX-License-Identifier: MIT */
/* Reading one stream file record by record. Any prefix of any file is fine; nothing in it is
 * trusted. */
#ifndef TACHO_RECORD_STREAM_READER_H
#define TACHO_RECORD_STREAM_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "record/wire.h"

struct tacho__record {
	uint16_t kind;
	bool has_slot;
	struct tacho__slot slot;
	const uint8_t *bytes; /* packed values; borrowed until the next read */
	uint32_t size;
};

struct tacho__stream_reader {
	char *path;
	uint64_t window_start, window_end, at; /* offsets in the file; window_end 0: none is open */
	uint8_t *buffer;
	uint64_t buffer_start;
	uint32_t buffer_size;
	uint64_t unreadable; /* bytes that made no sense */
	bool ended;
};

/* `path` is copied. TACHO_E_NOMEM. Opens nothing yet: a file is open only while it is read. */
int tacho__stream_reader_init(struct tacho__stream_reader *reader, const char *path);
void tacho__stream_reader_finish(struct tacho__stream_reader *reader);

/* 1 and a record, or 0 at the end: of the file or of what can be made sense of. */
int tacho__stream_reader_next(struct tacho__stream_reader *reader,
			      struct tacho__record *out_record);

/*
 * Copies `size` bytes at `offset` of the file, from a fresh read. False when they are not there.
 */
bool tacho__stream_reader_peek(struct tacho__stream_reader *reader, uint64_t offset,
			       void *out_bytes, uint32_t size);

#endif
