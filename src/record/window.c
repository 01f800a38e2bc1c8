/* SPDX-License-Identifier: MIT */
/* Growing streams: files, their blocks and their mappings. Only the helper runs this. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "record/recorder.h"

enum {
	METADATA_CHUNK_BYTES = 64 * 1024,
	SPARE_BYTES = 1024 * 1024, /* of disk that are left to the program */
};

/* The helper's own memory; it belongs to the process image like the recorder's state. */
static struct {
	uint8_t *at, *end;
	struct tacho__window *free_windows;
	uint32_t generation;
} metadata;

static void renew_metadata(void)
{
	if (metadata.generation == tacho__recorder.page->generation)
		return;
	memset(&metadata, 0, sizeof(metadata));
	metadata.generation = tacho__recorder.page->generation;
}

void *tacho__metadata_get(size_t bytes)
{
	void *memory;

	renew_metadata();
	bytes = (bytes + 63) & ~(size_t)63;
	if (bytes > (size_t)(metadata.end - metadata.at)) {
		memory = mmap(NULL, METADATA_CHUNK_BYTES, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (memory == MAP_FAILED)
			return NULL;
		metadata.at = memory;
		metadata.end = metadata.at + METADATA_CHUNK_BYTES;
	}
	memory = metadata.at;
	metadata.at += bytes;
	return memory;
}

static int write_zeros(int fd, off_t offset, off_t bytes)
{
	static const char zeros[65536];

	while (bytes > 0) {
		size_t piece = bytes < (off_t)sizeof(zeros) ? (size_t)bytes : sizeof(zeros);
		ssize_t done = pwrite(fd, zeros, piece, offset);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return done ? errno : ENOSPC;
		offset += done;
		bytes -= done;
	}
	return 0;
}

/* Real blocks for the window, so that no store into it can ever find the disk full. */
static int allocate(int fd, uint64_t offset, uint32_t bytes)
{
	struct rlimit limit;
	struct statvfs fs;

	if (!getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY &&
	    offset + bytes > limit.rlim_cur)
		return EFBIG;
	if (!fstatvfs(fd, &fs) && fs.f_blocks &&
	    (uint64_t)fs.f_bavail * fs.f_frsize < (uint64_t)bytes + SPARE_BYTES)
		return ENOSPC;
	while (fallocate(fd, 0, (off_t)offset, (off_t)bytes)) {
		if (errno == EINTR)
			continue;
		if (errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL)
			return write_zeros(fd, (off_t)offset, (off_t)bytes);
		return errno;
	}
	return 0;
}

static int open_file(struct tacho__stream *stream)
{
	char path[sizeof(tacho__recorder.directory) + 32];
	int length = snprintf(path, sizeof(path), "%s/", tacho__recorder.directory);
	int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;

	if (stream->serial)
		snprintf(path + length, sizeof(path) - (size_t)length, TACHO__STREAM_FORMAT,
			 stream->serial);
	else
		snprintf(path + length, sizeof(path) - (size_t)length, TACHO__CONTROL_FILE);
	if (!stream->created)
		flags |= O_CREAT | O_EXCL;
	return open(path, flags, 0600);
}

/* Takes the write faults, which MAP_POPULATE leaves to the first store into a shared page. */
static void touch(struct tacho__window *window)
{
	uint32_t page = (uint32_t)sysconf(_SC_PAGESIZE);

	for (uint32_t offset = 0; offset < window->bytes; offset += page)
		*(volatile uint8_t *)(window->base + offset) = 0;
}

static void write_header(struct tacho__stream *stream, struct tacho__window *window)
{
	struct tacho__window_header *header = (void *)window->base;

	window->first = sizeof(*header);
	if (!stream->serial && !stream->windows)
		window->first += sizeof(struct tacho__live);
	header->version = TACHO__WIRE_VERSION;
	header->header_bytes = (uint16_t)window->first;
	header->window_bytes = window->bytes;
	header->index = stream->windows;
	header->serial = stream->serial;
	header->pid = tacho__recorder.pid;
	__atomic_store_n(&header->magic, TACHO__WINDOW_MAGIC, __ATOMIC_RELEASE);
}

static struct tacho__window *take_struct(void)
{
	struct tacho__window *window;

	renew_metadata();
	window = metadata.free_windows;
	if (!window)
		return tacho__metadata_get(sizeof(*window));
	metadata.free_windows = window->link;
	memset(window, 0, sizeof(*window));
	return window;
}

int tacho__window_create(struct tacho__stream *stream, struct tacho__window **out_window)
{
	struct tacho__window *window = take_struct();
	int fd = -1, error = 0;

	if (!window)
		return ENOMEM;
	window->bytes = stream->next_bytes;
	fd = open_file(stream);
	if (fd < 0) {
		error = errno;
		goto out;
	}
	stream->created = true;
	error = allocate(fd, stream->file_bytes, window->bytes);
	if (error)
		goto out;
	window->base = mmap(NULL, window->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			    (off_t)stream->file_bytes);
	if (window->base == MAP_FAILED) {
		error = errno;
		goto out;
	}
	atomic_store(&window->outstanding, 1);
	touch(window);
	write_header(stream, window);
	stream->windows++;
	stream->file_bytes += window->bytes;
	if (stream->next_bytes < TACHO__WINDOW_MAX)
		stream->next_bytes *= 2;
	*out_window = window;
out:
	if (fd >= 0)
		close(fd);
	if (error) {
		window->link = metadata.free_windows;
		metadata.free_windows = window;
	}
	return error;
}

void tacho__window_destroy(struct tacho__window *window)
{
	munmap(window->base, window->bytes);
	renew_metadata();
	window->link = metadata.free_windows;
	metadata.free_windows = window;
}
