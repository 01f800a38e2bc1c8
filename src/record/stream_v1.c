/* SPDX-License-Identifier: MIT */
/* Streams of version 1 (wire.h): a file of windows each. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fs.h"
#include "record/stream_reader.h"

enum {
	BUFFER_BYTES = 64 * 1024,	      /* at least a record */
	WINDOW_BYTES_MAX = 256 * 1024 * 1024, /* of any version to come */
};

static int fault(struct tacho__stream_reader *reader, const char *what, int error, uint64_t bytes,
		 uint64_t offset)
{
	const struct tacho_fault info = {
		.what = what, .path = reader->stream->path, .error = error, .bytes = bytes};

	return tacho__fault_add(reader->recording, &info, offset);
}

/* Fills the buffer from `offset`. The file is opened each time, so thousands of streams can be
 * read. An error is none of the file's ends. */
static int fill(struct tacho__stream_reader *reader, uint64_t offset)
{
	size_t got;
	int fd, error;

	reader->buffer_start = offset;
	reader->buffer_size = 0;
	if (!reader->buffer)
		reader->buffer = malloc(BUFFER_BYTES);
	if (!reader->buffer)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s",
				   reader->stream->path);
	fd = open(reader->stream->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return fault(reader, "cannot be opened", errno, 0, 0);
	error = tacho__fs_read_at(fd, reader->buffer, BUFFER_BYTES, offset, &got);
	reader->buffer_size = (uint32_t)got;
	close(fd);
	return error ? fault(reader, "cannot be read", error, 0, offset) : 0;
}

/* `size` bytes at `offset` in the buffer into *out_bytes, NULL when the file does not hold them. */
static int view(struct tacho__stream_reader *reader, uint64_t offset, uint32_t size,
		const uint8_t **out_bytes)
{
	int rc = 0;

	*out_bytes = NULL;
	for (int tries = 0; tries < 2 && !rc; tries++) {
		uint64_t skip = offset - reader->buffer_start;

		if (offset >= reader->buffer_start && skip <= reader->buffer_size &&
		    reader->buffer_size - skip >= size) {
			*out_bytes = reader->buffer + skip;
			return 0;
		}
		if (!tries)
			rc = fill(reader, offset);
	}
	return rc;
}

bool tacho__stream_v1_peek(struct tacho__stream_reader *reader, uint64_t offset, void *out_bytes,
			   uint32_t size)
{
	const uint8_t *bytes = NULL;

	if (fill(reader, offset) || view(reader, offset, size, &bytes) || !bytes)
		return false;
	memcpy(out_bytes, bytes, size);
	return true;
}

static bool all_zero(const void *bytes, size_t size)
{
	const uint8_t *b = bytes;

	for (size_t i = 0; i < size; i++)
		if (b[i])
			return false;
	return true;
}

/* Windows are there as a whole from the start: a file that ends inside of one was cut. */
static int check_length(struct tacho__stream_reader *reader, uint64_t least)
{
	struct stat status;
	uint64_t size;

	if (stat(reader->stream->path, &status))
		return fault(reader, "cannot be looked at", errno, 0, 0);
	size = (uint64_t)status.st_size;
	return size < least ? fault(reader, size ? "is cut" : "is empty", 0, least - size,
				    reader->window_start)
			    : 0;
}

static bool is_window(const struct tacho__window_header *header)
{
	return header->magic == TACHO__WINDOW_MAGIC && header->version == TACHO__WIRE_VERSION &&
	       header->header_bytes >= sizeof(*header) && !(header->header_bytes % 8) &&
	       !(header->window_bytes % TACHO__WINDOW_UNIT) && header->window_bytes &&
	       header->window_bytes <= WINDOW_BYTES_MAX;
}

/* Opens the window at window_start: 1, 0 when there is none that makes sense, or an error. */
static int open_window(struct tacho__stream_reader *reader)
{
	struct tacho__window_header header;
	const uint8_t *bytes;
	int rc = view(reader, reader->window_start, sizeof(header), &bytes);

	if (rc)
		return rc;
	if (!bytes) /* every stream has a first window */
		return reader->window_start ? 0 : check_length(reader, sizeof(header));
	memcpy(&header, bytes, sizeof(header));
	if (!is_window(&header)) {
		/* A window whose header was never written is all zero and holds nothing. */
		return all_zero(&header, sizeof(header))
			       ? 0
			       : fault(reader, "makes no sense from some place on", 0,
				       sizeof(header), reader->window_start);
	}
	reader->at = reader->window_start + header.header_bytes;
	reader->window_end = reader->window_start + header.window_bytes;
	rc = check_length(reader, reader->window_end);
	return rc ? rc : 1;
}

static void next_window(struct tacho__stream_reader *reader)
{
	reader->window_start = reader->window_end;
	reader->window_end = 0;
}

static void take(struct tacho__record *record, const uint8_t *bytes, uint64_t word)
{
	uint32_t size = TACHO__WORD_BYTES(word) - 8;

	memset(record, 0, sizeof(*record));
	record->kind = TACHO__WORD_KIND(word);
	record->has_slot = TACHO__WORD_SLOT(word);
	record->size = size + 8;
	bytes += 8;
	if (record->has_slot) {
		size -= sizeof(record->slot);
		memcpy(&record->slot, bytes + size, sizeof(record->slot));
	}
	tacho__unpack_begin(&record->unpack, bytes, size);
	record->start = record->end = tacho__unpack_u64(&record->unpack);
	if (TACHO__KIND_API(record->kind))
		record->end += tacho__unpack_u64(&record->unpack);
	record->sum = record->end - record->start;
}

/* The record with this first word; NULL: torn or foreign. */
static int find_record(struct tacho__stream_reader *reader, uint64_t word,
		       const uint8_t **out_bytes)
{
	uint32_t bytes = TACHO__WORD_BYTES(word);
	uint32_t least = 8 + (TACHO__WORD_SLOT(word) ? (uint32_t)sizeof(struct tacho__slot) : 0);

	*out_bytes = NULL;
	if (word >> 33 || bytes < least || bytes > TACHO__RECORD_MAX + 64 ||
	    bytes > reader->window_end - reader->at)
		return 0;
	return view(reader, reader->at, bytes, out_bytes);
}

/* The word of the next record, 0 at the end of the window. */
static int read_word(struct tacho__stream_reader *reader, uint64_t *out_word)
{
	const uint8_t *at = NULL;
	int rc = 0;

	*out_word = 0;
	if (reader->window_end - reader->at >= 8)
		rc = view(reader, reader->at, 8, &at);
	if (at)
		memcpy(out_word, at, 8);
	return rc;
}

int tacho__stream_v1_next(struct tacho__stream_reader *reader, struct tacho__record *out_record)
{
	int rc = 0;

	while (!reader->has_ended) {
		uint64_t word;
		const uint8_t *at;

		if (!reader->window_end) {
			rc = open_window(reader);
			reader->has_ended = rc != 1;
			if (rc < 1)
				return rc;
		}
		rc = read_word(reader, &word);
		if (!rc && word)
			rc = find_record(reader, word, &at);
		if (rc)
			return rc;
		if (word && at) {
			take(out_record, at, word);
			reader->at += TACHO__WORD_BYTES(word);
			return 1;
		}
		/* nothing after a torn record in this window can be trusted */
		if (word)
			rc = fault(reader, "makes no sense from some place on", 0,
				   reader->window_end - reader->at, reader->at);
		if (rc)
			return rc;
		next_window(reader);
	}
	return 0;
}
