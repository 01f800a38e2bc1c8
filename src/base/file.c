/* SPDX-License-Identifier: MIT */
/* Reading what a path names, which may be anything. */
#include "tacho/sys/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fs.h"

enum { WAIT_MS = 2000, STEP_MS = 10 };

static int fail_kind(const char *path, mode_t kind)
{
	errno = 0;
	return tacho__fail(
		TACHO_E_IO,
		tacho__detail("it is %s, not a regular file", tacho__fs_kind_to_string(kind)),
		"name a file", "cannot read %s", path);
}

/* Opens it without waiting for anybody; what it is must be one of `kinds`. */
static int open_kind(const char *path, bool takes_pipe, int *out_fd, struct stat *out_status)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), rc = 0;

	if (fd < 0)
		return tacho__fs_fail(errno, "read", path);
	if (fstat(fd, out_status))
		rc = tacho__fs_fail(errno, "read", path);
	else if (!S_ISREG(out_status->st_mode) && !(takes_pipe && S_ISFIFO(out_status->st_mode)))
		rc = fail_kind(path, out_status->st_mode & S_IFMT);
	if (rc)
		close(fd);
	else
		*out_fd = fd;
	return rc;
}

static int fail_size(const char *path, uintmax_t size, size_t max)
{
	const char *cause = size > max ? tacho__detail("it has %ju bytes, more than %zu", size, max)
				       : tacho__detail("it is larger than %zu bytes", max);

	return tacho__fail(TACHO_E_PARSE, cause, "", "cannot read %s", path);
}

/* Files of /proc and /sys state no size. */
int tacho__fs_read(const char *path, size_t max, struct tacho__buf *out_buf)
{
	struct tacho_file file = {.name = path, .is_own = 1};
	size_t got, total = 0;
	char chunk[16384];
	struct stat status;
	int rc = open_kind(path, false, &file.fd, &status);

	if (rc)
		return rc;
	if ((uintmax_t)status.st_size > max)
		rc = fail_size(path, (uintmax_t)status.st_size, max);
	while (!rc && !(rc = tacho_file_read(&file, chunk, sizeof(chunk), &got)) && got) {
		total += got;
		if (total > max)
			rc = fail_size(path, 0, max);
		else
			tacho__buf_add(out_buf, chunk, got);
		if (out_buf->failed)
			rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", path);
	}
	tacho_file_close(&file);
	return rc;
}

int tacho_file_read_text(const char *path, size_t max, char **out_text, size_t *out_size)
{
	struct tacho__buf buf = {0};
	int rc = tacho__fs_read(path, max, &buf);

	if (!rc && !buf.text && !(buf.text = strdup("")))
		rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", path);
	if (!rc && memchr(buf.text, '\0', buf.size))
		rc = tacho__fail(TACHO_E_PARSE, tacho__detail("byte %zu is 0", strlen(buf.text)),
				 "", "%s is no text", path);
	if (rc) {
		tacho__buf_finish(&buf);
		return rc;
	}
	*out_text = buf.text;
	*out_size = buf.size;
	return 0;
}

int tacho_file_open(const char *path, struct tacho_file *out_file)
{
	struct tacho_file file = {.name = path, .is_own = 1};
	struct stat status;
	int rc;

	if (!strcmp(path, "-")) {
		*out_file = (struct tacho_file){.name = "standard input", .fd = STDIN_FILENO};
		return 0;
	}
	rc = open_kind(path, true, &file.fd, &status);
	if (rc)
		return rc;
	file.is_awaited = S_ISFIFO(status.st_mode);
	file.size_bytes = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
	*out_file = file;
	return 0;
}

int tacho_file_read(struct tacho_file *file, void *bytes, size_t size, size_t *out_size)
{
	int waited_ms = 0;

	for (;;) {
		ssize_t got = read(file->fd, bytes, size);

		if (got > 0 || (got == 0 && !file->is_awaited)) {
			file->is_awaited = 0;
			*out_size = (size_t)got;
			return 0;
		}
		if (got == 0) {
			if (waited_ms >= WAIT_MS)
				return tacho__fail(TACHO_E_IO, "it is a pipe that nobody writes to",
						   "", "cannot read %s", file->name);
			poll(NULL, 0, STEP_MS);
			waited_ms += STEP_MS;
		} else if (errno == EAGAIN) {
			file->is_awaited = 0;
			poll(&(struct pollfd){.fd = file->fd, .events = POLLIN}, 1, -1);
		} else if (errno != EINTR) {
			return tacho__fs_fail(errno, "read", file->name);
		}
	}
}

void tacho_file_close(struct tacho_file *file)
{
	if (file->is_own)
		close(file->fd);
	*file = (struct tacho_file){.name = file->name, .fd = -1};
}

int tacho__fs_read_at(int fd, void *into, size_t size, uint64_t offset, size_t *out_got)
{
	*out_got = 0;
	while (*out_got < size) {
		ssize_t got = pread(fd, (uint8_t *)into + *out_got, size - *out_got,
				    (off_t)(offset + *out_got));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return errno;
		if (!got)
			break;
		*out_got += (size_t)got;
	}
	return 0;
}

size_t tacho__fs_read_start(const char *path, char *text, size_t room)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, text, room - 1);

	if (fd >= 0)
		close(fd);
	text[got > 0 ? got : 0] = '\0';
	return got > 0 ? (size_t)got : 0;
}
