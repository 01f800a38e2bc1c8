/* SPDX-License-Identifier: MIT */
#include "format/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fs.h"

enum {
	CHUNK_BYTES = 16 * 1024,
	TEXT_BYTES = CHUNK_BYTES - (int)sizeof(uint64_t), /* behind the successor's offset */
	FIRST_CAPACITY = 1024,
};

int tacho__spill_init(struct tacho__spill *spill, const char *beside)
{
	memset(spill, 0, sizeof(*spill));
	spill->fd = -1;
	spill->beside = strdup(beside);
	if (!spill->beside)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to export %s", beside);
	return 0;
}

void tacho__spill_finish(struct tacho__spill *spill)
{
	if (spill->fd >= 0)
		close(spill->fd);
	free(spill->beside);
	memset(spill, 0, sizeof(*spill));
	spill->fd = -1;
}

/* Where files cannot be made without a name it loses it at once. */
static int open_named(struct tacho__spill *spill, char *path)
{
	spill->fd = mkostemp(path, O_CLOEXEC);
	if (spill->fd < 0)
		return tacho__fs_fail(errno, "create", path);
	return unlink(path) ? tacho__fs_fail(errno, "remove", path) : 0;
}

/* A file without a name, so that nothing is left behind whatever happens. */
static int open_file(struct tacho__spill *spill)
{
	char *path, *slash;
	int rc = 0;

	if (spill->fd >= 0)
		return 0;
	if (asprintf(&path, "%s.spill.XXXXXX", spill->beside) < 0)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to export %s", spill->beside);
	slash = strrchr(path, '/');
	if (slash)
		*slash = '\0';
	spill->fd = open(!slash ? "." : *path ? path : "/", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (slash)
		*slash = '/';
	if (spill->fd < 0)
		rc = open_named(spill, path);
	free(path);
	return rc;
}

static int move_at(const struct tacho__spill *spill, void *bytes, size_t size, uint64_t at,
		   bool is_write)
{
	char *next = bytes;

	while (size) {
		ssize_t done = is_write ? pwrite(spill->fd, next, size, (off_t)at)
					: pread(spill->fd, next, size, (off_t)at);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return tacho__fs_fail(done ? errno : EIO,
					      is_write ? "write a temporary file beside"
						       : "read a temporary file beside",
					      spill->beside);
		next += done;
		at += (uint64_t)done;
		size -= (size_t)done;
	}
	return 0;
}

/* Moves a full buffer to its chunk and chooses the chunk for the next one. */
static int flush(struct tacho__spill *spill, struct tacho__spill_text *text)
{
	uint64_t at = text->next, following;
	int rc = open_file(spill);

	if (rc)
		return rc;
	if (!text->chunks) {
		text->first = at = spill->end;
		spill->end += CHUNK_BYTES;
	}
	following = spill->end;
	rc = move_at(spill, &following, sizeof(following), at, true);
	if (!rc)
		rc = move_at(spill, text->buffer, TEXT_BYTES, at + sizeof(following), true);
	if (rc)
		return rc;
	spill->end += CHUNK_BYTES;
	text->next = following;
	text->chunks++;
	text->used = 0;
	return 0;
}

static int grow(struct tacho__spill_text *text, size_t need)
{
	size_t capacity = text->capacity ? text->capacity : FIRST_CAPACITY;
	char *buffer;

	while (capacity < need && capacity < TEXT_BYTES)
		capacity *= 2;
	if (capacity > TEXT_BYTES)
		capacity = TEXT_BYTES;
	if (capacity == text->capacity)
		return 0;
	buffer = realloc(text->buffer, capacity);
	if (!buffer)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a buffer of %zu bytes",
				   capacity);
	text->buffer = buffer;
	text->capacity = capacity;
	return 0;
}

int tacho__spill_add(struct tacho__spill *spill, struct tacho__spill_text *text, const char *bytes,
		     size_t size)
{
	while (size) {
		size_t part;
		int rc = grow(text, text->used + size);

		if (!rc && text->used == TEXT_BYTES)
			rc = flush(spill, text);
		if (rc)
			return rc;
		part = text->capacity - text->used < size ? text->capacity - text->used : size;
		memcpy(text->buffer + text->used, bytes, part);
		text->used += part;
		bytes += part;
		size -= part;
	}
	return 0;
}

int tacho__spill_copy(struct tacho__spill *spill, const struct tacho__spill_text *text,
		      FILE *stream)
{
	uint64_t at = text->first;
	char *chunk = NULL;
	int rc = 0;

	if (text->chunks) {
		chunk = malloc(CHUNK_BYTES);
		if (!chunk)
			return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to export %s",
					   spill->beside);
	}
	for (uint64_t i = 0; i < text->chunks && !rc; i++) {
		rc = move_at(spill, chunk, CHUNK_BYTES, at, false);
		if (rc)
			break;
		memcpy(&at, chunk, sizeof(at));
		fwrite(chunk + sizeof(at), 1, TEXT_BYTES, stream);
	}
	if (!rc && text->used)
		fwrite(text->buffer, 1, text->used, stream);
	free(chunk);
	return rc;
}

void tacho__spill_text_finish(struct tacho__spill_text *text)
{
	free(text->buffer);
	memset(text, 0, sizeof(*text));
}
