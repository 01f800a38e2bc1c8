/* SPDX-License-Identifier: MIT */
/*
 * The files of a recording: control.bin, and calls in segments, of which a ring keeps the newest.
 * What could not be written stays in the buffers and is tried again; nobody adds more meanwhile.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/room.h"
#include "record/chunk_reader.h"
#include "record/keeper/keeper_private.h"

enum {
	RING_SEGMENTS = 8, /* the ring loses this part of itself at a time */
	RING_SEGMENT_MIN = 256 * 1024,
	CONTROL_SPARE_BYTES = 128 * 1024,
};

static void name_file(char *into, size_t size, uint32_t number)
{
	if (number == TACHO__KEEPER_CONTROL)
		snprintf(into, size, TACHO__CONTROL_FILE);
	else
		snprintf(into, size, TACHO__CALLS_FORMAT, (unsigned)number);
}

/* Opens the file, and cuts it to `bytes`: what is behind them was not committed. 0 or errno. */
static int open_file(struct tacho__keeper_files *files, struct tacho__keeper_file *file,
		     uint32_t number, uint64_t bytes)
{
	char name[32];
	struct stat status;

	name_file(name, sizeof(name), number);
	file->fd = openat(files->directory_fd, name,
			  O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
	if (file->fd < 0)
		return errno;
	file->number = number;
	file->bytes = bytes;
	if (!fstat(file->fd, &status) && (uint64_t)status.st_size > bytes &&
	    ftruncate(file->fd, (off_t)bytes))
		return errno;
	return 0;
}

static bool prepare(struct tacho__keeper_file *file)
{
	file->fd = -1;
	file->buffer = tacho__room_get(TACHO__KEEPER_BUFFER_BYTES);
	return file->buffer != NULL;
}

int tacho__keeper_files_open(struct tacho__keeper_files *files,
			     const struct tacho__pool_commit *committed)
{
	if (!prepare(&files->control) || !prepare(&files->calls))
		return ENOMEM;
	files->segment_bytes = TACHO__KEEPER_SEGMENT_BYTES;
	if (files->ring_bytes && files->ring_bytes / RING_SEGMENTS < files->segment_bytes)
		files->segment_bytes = files->ring_bytes / RING_SEGMENTS;
	if (files->segment_bytes < RING_SEGMENT_MIN)
		files->segment_bytes = RING_SEGMENT_MIN;
	files->calls.number = committed->segment ? committed->segment : 1;
	files->calls.bytes = committed->segment_bytes;
	files->first_segment = files->calls.number;
	while (files->first_segment > 1 &&
	       tacho__keeper_files_measure(files, files->first_segment - 1))
		files->kept_bytes += tacho__keeper_files_measure(files, --files->first_segment);
	return open_file(files, &files->control, TACHO__KEEPER_CONTROL, committed->control_bytes);
}

/* So that what is known of a recording can be written when its calls no more can. */
static void reserve_control(struct tacho__keeper_files *files)
{
	uint64_t wanted = files->control.bytes + files->control.used + CONTROL_SPARE_BYTES;

	if (wanted <= files->reserved_bytes)
		return;
	files->reserved_bytes = wanted + CONTROL_SPARE_BYTES;
	if (fallocate(files->control.fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)files->reserved_bytes))
		errno = 0; /* then it takes what it gets */
}

static void close_file(struct tacho__keeper_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	tacho__room_put(file->buffer, TACHO__KEEPER_BUFFER_BYTES);
	file->fd = -1;
	file->buffer = NULL;
}

void tacho__keeper_files_close(struct tacho__keeper_files *files)
{
	close_file(&files->control);
	close_file(&files->calls);
}

static bool fail(struct tacho__keeper_files *files, int error)
{
	files->error = error ? error : EIO;
	return false;
}

/* Writes the whole buffer, or as much as goes. */
static bool flush(struct tacho__keeper_files *files, struct tacho__keeper_file *file)
{
	uint32_t done = 0;
	bool good = true;

	if (file->used && file->fd < 0)
		return fail(files, EBADF);
	while (done < file->used && good) {
		ssize_t wrote = pwrite(file->fd, file->buffer + done, file->used - done,
				       (off_t)file->bytes);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0) {
			good = fail(files, wrote < 0 ? errno : ENOSPC);
			break;
		}
		done += (uint32_t)wrote;
		file->bytes += (uint64_t)wrote;
	}
	memmove(file->buffer, file->buffer + done, file->used - done);
	file->used -= done;
	return good;
}

bool tacho__keeper_files_flush(struct tacho__keeper_files *files)
{
	bool good = flush(files, &files->control);

	return flush(files, &files->calls) && good;
}

/* The ring loses its oldest part, but never the one that the last calls are in. */
static void shorten(struct tacho__keeper_files *files)
{
	while (files->ring_bytes && files->first_segment + 1 < files->calls.number &&
	       tacho__keeper_files_bytes(files) + files->segment_bytes > files->ring_bytes) {
		struct stat status;
		char name[32];

		name_file(name, sizeof(name), files->first_segment++);
		if (fstatat(files->directory_fd, name, &status, AT_SYMLINK_NOFOLLOW))
			continue;
		if (!unlinkat(files->directory_fd, name, 0))
			files->kept_bytes -= files->kept_bytes < (uint64_t)status.st_size
						     ? files->kept_bytes
						     : (uint64_t)status.st_size;
	}
}

/* Calls go on in a new file. */
static bool next_segment(struct tacho__keeper_files *files)
{
	int error;

	if (!flush(files, &files->calls))
		return false;
	if (files->calls.number >= TACHO__KEEPER_SEGMENTS_MAX)
		return fail(files, EFBIG);
	if (files->is_synced)
		fdatasync(files->calls.fd);
	close(files->calls.fd);
	files->calls.fd = -1;
	files->kept_bytes += files->calls.bytes;
	error = open_file(files, &files->calls, files->calls.number + 1, 0);
	if (error)
		return fail(files, error);
	shorten(files);
	return true;
}

bool tacho__keeper_files_is_full(const struct tacho__keeper_files *files)
{
	return files->calls.bytes + files->calls.used >= files->segment_bytes;
}

bool tacho__keeper_files_turn(struct tacho__keeper_files *files)
{
	return !tacho__keeper_files_is_full(files) || next_segment(files);
}

/* Whether the file is open and its buffer has room. */
static bool make_room(struct tacho__keeper_files *files, struct tacho__keeper_file *file)
{
	int error;

	if (file->fd < 0) {
		error = open_file(files, file, file->number, file->bytes);
		if (error)
			return fail(files, error);
	}
	return file->used <= TACHO__KEEPER_BUFFER_BYTES / 2 || flush(files, file);
}

bool tacho__keeper_files_make_room(struct tacho__keeper_files *files)
{
	if (!make_room(files, &files->control))
		return false;
	reserve_control(files);
	return make_room(files, &files->calls);
}

void tacho__keeper_files_add(struct tacho__keeper_files *files, bool is_control,
			     const uint8_t *chunk, uint32_t bytes, uint32_t *out_number,
			     uint64_t *out_offset)
{
	struct tacho__keeper_file *file = is_control ? &files->control : &files->calls;

	memcpy(file->buffer + file->used, chunk, bytes);
	*out_number = file->number;
	*out_offset = file->bytes + file->used;
	file->used += bytes;
}

bool tacho__keeper_files_patch(struct tacho__keeper_files *files, uint32_t number, uint64_t offset,
			       const void *bytes, size_t size)
{
	int fd = files->calls.fd;
	ssize_t wrote;
	char name[32];

	if (number < files->first_segment)
		return true; /* the ring lost it */
	if (number != files->calls.number) {
		name_file(name, sizeof(name), number);
		fd = openat(files->directory_fd, name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
	}
	do
		wrote = pwrite(fd, bytes, size, (off_t)offset);
	while (wrote < 0 && errno == EINTR);
	if (fd >= 0 && fd != files->calls.fd)
		close(fd);
	return wrote == (ssize_t)size;
}

uint64_t tacho__keeper_files_salvage(struct tacho__keeper_files *files,
				     const struct tacho__pool_commit *committed)
{
	struct tacho__keeper_file *file = &files->calls;
	struct tacho__chunk_header header;
	uint64_t offset = committed->segment_bytes, calls = 0;

	if (file->fd < 0 || file->number != committed->segment)
		return 0;
	while (pread(file->fd, &header, sizeof(header), (off_t)offset) == sizeof(header) &&
	       !tacho__chunk_check_header(&header) && offset + header.bytes <= file->bytes) {
		calls += header.calls;
		offset += header.bytes;
	}
	if (ftruncate(file->fd, (off_t)offset))
		return 0;
	file->bytes = offset;
	file->used = 0;
	return calls;
}

uint64_t tacho__keeper_files_bytes(const struct tacho__keeper_files *files)
{
	return files->kept_bytes + files->calls.bytes + files->calls.used;
}

uint64_t tacho__keeper_files_measure(const struct tacho__keeper_files *files, uint32_t number)
{
	struct stat status;
	char name[32];

	name_file(name, sizeof(name), number);
	return fstatat(files->directory_fd, name, &status, AT_SYMLINK_NOFOLLOW)
		       ? 0
		       : (uint64_t)status.st_size;
}
