/* SPDX-License-Identifier: MIT */
#include "record/stream_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

enum {
	BUFFER_BYTES = 64 * 1024,	      /* at least a record */
	WINDOW_BYTES_MAX = 256 * 1024 * 1024, /* of any version to come */
};

int tacho__stream_reader_init(struct tacho__stream_reader *reader, const char *path)
{
	memset(reader, 0, sizeof(*reader));
	reader->path = strdup(path);
	reader->buffer = malloc(BUFFER_BYTES);
	if (reader->path && reader->buffer)
		return 0;
	tacho__stream_reader_finish(reader);
	return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", path);
}

void tacho__stream_reader_finish(struct tacho__stream_reader *reader)
{
	free(reader->path);
	free(reader->buffer);
	memset(reader, 0, sizeof(*reader));
}

/* Fills the buffer from `offset`. The file is opened each time, so thousands of streams can be
 * read. */
static void fill(struct tacho__stream_reader *reader, uint64_t offset)
{
	int fd = open(reader->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	reader->buffer_start = offset;
	reader->buffer_size = 0;
	if (fd < 0)
		return;
	while (reader->buffer_size < BUFFER_BYTES) {
		ssize_t got = pread(fd, reader->buffer + reader->buffer_size,
				    BUFFER_BYTES - reader->buffer_size,
				    (off_t)(offset + reader->buffer_size));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		reader->buffer_size += (uint32_t)got;
	}
	close(fd);
}

/* `size` bytes at `offset` in the buffer, NULL when the file does not hold them. */
static const uint8_t *view(struct tacho__stream_reader *reader, uint64_t offset, uint32_t size)
{
	for (int tries = 0; tries < 2; tries++) {
		uint64_t skip = offset - reader->buffer_start;

		if (offset >= reader->buffer_start && skip <= reader->buffer_size &&
		    reader->buffer_size - skip >= size)
			return reader->buffer + skip;
		if (!tries)
			fill(reader, offset);
	}
	return NULL;
}

bool tacho__stream_reader_peek(struct tacho__stream_reader *reader, uint64_t offset,
			       void *out_bytes, uint32_t size)
{
	const uint8_t *bytes;

	fill(reader, offset);
	bytes = view(reader, offset, size);
	if (bytes)
		memcpy(out_bytes, bytes, size);
	return bytes != NULL;
}

static bool all_zero(const void *bytes, size_t size)
{
	const uint8_t *b = bytes;

	for (size_t i = 0; i < size; i++)
		if (b[i])
			return false;
	return true;
}

/* Opens the window at window_start. False: there is none, or it makes no sense. */
static bool open_window(struct tacho__stream_reader *reader)
{
	struct tacho__window_header header;
	const uint8_t *bytes = view(reader, reader->window_start, sizeof(header));

	if (!bytes)
		return false;
	memcpy(&header, bytes, sizeof(header));
	if (header.magic != TACHO__WINDOW_MAGIC || header.version != TACHO__WIRE_VERSION ||
	    header.header_bytes < sizeof(header) || header.header_bytes % 8 ||
	    header.window_bytes % TACHO__WINDOW_UNIT || !header.window_bytes ||
	    header.window_bytes > WINDOW_BYTES_MAX) {
		/* A window whose header was never written is all zero and holds nothing. */
		if (!all_zero(&header, sizeof(header)))
			reader->unreadable += sizeof(header);
		return false;
	}
	reader->at = reader->window_start + header.header_bytes;
	reader->window_end = reader->window_start + header.window_bytes;
	return true;
}

static void take(struct tacho__record *record, const uint8_t *bytes, uint64_t word)
{
	uint32_t size = TACHO__WORD_BYTES(word) - 8;

	record->kind = TACHO__WORD_KIND(word);
	record->has_slot = TACHO__WORD_SLOT(word);
	record->bytes = bytes + 8;
	if (record->has_slot) {
		size -= sizeof(record->slot);
		memcpy(&record->slot, record->bytes + size, sizeof(record->slot));
	}
	record->size = size;
}

int tacho__stream_reader_next(struct tacho__stream_reader *reader, struct tacho__record *out_record)
{
	while (!reader->ended) {
		uint64_t word = 0;
		uint32_t bytes, least;
		const uint8_t *at;

		if (!reader->window_end && !open_window(reader)) {
			reader->ended = true;
			break;
		}
		at = reader->window_end - reader->at >= 8 ? view(reader, reader->at, 8) : NULL;
		if (at)
			memcpy(&word, at, 8);
		if (!word) {
			reader->window_start = reader->window_end;
			reader->window_end = 0;
			continue;
		}
		bytes = TACHO__WORD_BYTES(word);
		least = 8 + (TACHO__WORD_SLOT(word) ? (uint32_t)sizeof(struct tacho__slot) : 0);
		at = NULL;
		if (!(word >> 33) && bytes >= least && bytes <= TACHO__RECORD_MAX + 64 &&
		    bytes <= reader->window_end - reader->at)
			at = view(reader, reader->at, bytes);
		if (!at) { /* torn or foreign: nothing after it in this window can be trusted */
			reader->unreadable += reader->window_end - reader->at;
			reader->window_start = reader->window_end;
			reader->window_end = 0;
			continue;
		}
		take(out_record, at, word);
		reader->at += bytes;
		return 1;
	}
	return 0;
}
