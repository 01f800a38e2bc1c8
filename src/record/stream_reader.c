/* SPDX-License-Identifier: MIT */
/* Streams of version 2: chunks, each read whole when its first record is asked for. */
#include "record/stream_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fs.h"

void tacho__stream_reader_init(struct tacho__stream_reader *reader,
			       struct tacho_recording *recording,
			       const struct tacho__reader_stream *stream)
{
	memset(reader, 0, sizeof(*reader));
	reader->recording = recording;
	reader->stream = stream;
}

/* Between chunks nothing is kept: thousands of streams can wait for their turn. */
static void close_chunk(struct tacho__stream_reader *reader)
{
	tacho__chunk_reader_finish(&reader->chunk);
	free(reader->buffer);
	reader->buffer = NULL;
}

void tacho__stream_reader_finish(struct tacho__stream_reader *reader)
{
	close_chunk(reader);
	memset(reader, 0, sizeof(*reader));
}

static int fault(struct tacho__stream_reader *reader, const struct tacho__chunk_place *place,
		 const char *what, int error)
{
	return tacho__fault_add_of_file(reader->recording, place->file, what, error, place->bytes,
					place->calls, place->offset);
}

/* Reads the chunk into the buffer. False: it cannot be, and *out_error says why; 0: it is cut. */
static bool load(struct tacho__stream_reader *reader, const struct tacho__chunk_place *place,
		 int *out_error)
{
	char path[4096];
	size_t got;
	int fd;

	tacho__recording_name_file(reader->recording, place->file, path, sizeof(path));
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	*out_error = errno;
	if (fd < 0)
		return false;
	*out_error = tacho__fs_read_at(fd, reader->buffer, place->bytes, place->offset, &got);
	close(fd);
	return got == place->bytes;
}

/* Opens the next chunk: 1, 0 when it cannot be read, which is noted, or an error. */
static int open_chunk(struct tacho__stream_reader *reader)
{
	const struct tacho__chunk_place *place = &reader->stream->chunks[reader->next_chunk++];
	int error = 0, rc;

	free(reader->buffer);
	reader->buffer = malloc(place->bytes);
	if (!reader->buffer)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s",
				   reader->recording->path);
	atomic_fetch_add_explicit(&reader->recording->read_bytes, place->bytes,
				  memory_order_relaxed);
	if (!load(reader, place, &error))
		rc = fault(reader, place, error ? "cannot be read" : "is cut", error);
	else if (tacho__chunk_open(&reader->chunk, reader->buffer))
		rc = fault(reader, place, "is damaged", 0);
	else
		return 1;
	return rc;
}

int tacho__stream_reader_go_on(struct tacho__stream_reader *reader, int rc,
			       struct tacho__record *out_record)
{
	if (reader->stream->path)
		return tacho__stream_v1_next(reader, out_record);
	for (;; rc = tacho__chunk_next(&reader->chunk, out_record)) {
		if (rc == 1) {
			if (out_record->is_torn_slot && !reader->recording->clocks_known) /* once */
				reader->recording->losses.untimed++;
			return 1;
		}
		if (rc == TACHO_E_PARSE)
			rc = fault(reader, &reader->stream->chunks[reader->next_chunk - 1],
				   "makes no sense from some place on", 0);
		if (rc)
			return rc;
		if (reader->next_chunk == reader->stream->chunk_count)
			break;
		rc = open_chunk(reader);
		if (rc < 0)
			return rc;
		if (!rc) {
			free(reader->buffer);
			reader->buffer = NULL;
		}
	}
	close_chunk(reader);
	return 0;
}

bool tacho__stream_reader_peek_tick(const struct tacho__stream_reader *reader, uint64_t *out_tick)
{
	if (reader->stream->path || reader->buffer ||
	    reader->next_chunk == reader->stream->chunk_count)
		return false;
	*out_tick = reader->stream->chunks[reader->next_chunk].first_tick;
	return true;
}
