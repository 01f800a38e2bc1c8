/* SPDX-License-Identifier: MIT */
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

static int log_fd = -1;
static enum { OUTSIDE, BEHIND_ESCAPE, IN_CODE } place; /* of what was written last */

static bool write_all(int fd, const char *bytes, size_t size)
{
	while (size) {
		ssize_t done = write(fd, bytes, size);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		bytes += done;
		size -= (size_t)done;
	}
	return true;
}

/* Codes of colours are ESC, "[", digits, "m". What else is behind an ESC is text. */
static bool is_of_code(char c)
{
	if (c == '\033') {
		place = BEHIND_ESCAPE;
		return true;
	}
	if (place == BEHIND_ESCAPE && c == '[') {
		place = IN_CODE;
		return true;
	}
	if (place == IN_CODE && (c == 'm' || c == ';' || (c >= '0' && c <= '9'))) {
		place = c == 'm' ? OUTSIDE : IN_CODE;
		return true;
	}
	place = OUTSIDE;
	return false;
}

static void log_bytes(const char *bytes, size_t size)
{
	size_t start = 0;

	for (size_t i = 0; i < size; i++) {
		if (!is_of_code(bytes[i]))
			continue;
		write_all(log_fd, bytes + start, i - start);
		start = i + 1;
	}
	write_all(log_fd, bytes + start, size - start);
}

/* The terminal comes first: a full disk takes nothing from it. */
static ssize_t take(void *user, const char *bytes, size_t size)
{
	(void)user;
	log_bytes(bytes, size);
	return write_all(STDERR_FILENO, bytes, size) ? (ssize_t)size : 0;
}

static int refuse(const char *path, const char *cause)
{
	cli_complain(cause, "take another file with --log", "%s cannot be written to", path);
	return -1;
}

static int open_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
		      0600);
	struct stat status;

	if (fd < 0)
		return refuse(path, errno == ELOOP ? "it is a symbolic link" : strerror(errno));
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink <= 1)
		return fd;
	close(fd);
	return refuse(path,
		      "it is no file of its own, but a device, a pipe or another file's name");
}

bool cli_log_open(const char *path)
{
	static const cookie_io_functions_t functions = {.write = take};
	FILE *stream;

	if (log_fd >= 0)
		return true;
	log_fd = open_file(path);
	if (log_fd < 0)
		return false;
	stream = fopencookie(NULL, "w", functions);
	if (!stream)
		cli_out_of_memory();
	setvbuf(stream, NULL, _IOLBF, 0);
	stderr = stream;
	return true;
}
