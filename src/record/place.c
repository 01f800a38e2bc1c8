/* SPDX-License-Identifier: MIT */
#include "record/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "record/recorder.h"

enum { HEAD_BYTES = 1024 }; /* the stamp is among the first keys of meta.json */

bool tacho__place_has_stamp(const char *root, const char *stamp)
{
	char path[TACHO__PATH_MAX + sizeof("/" TACHO__META_FILE)], head[HEAD_BYTES];
	char wanted[TACHO__STAMP_MAX + 2];
	ssize_t got;
	int fd;

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", root, TACHO__META_FILE) >= sizeof(path))
		return true;
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return errno != ENOENT && errno != ENOTDIR;
	got = read(fd, head, sizeof(head) - 1);
	close(fd);
	if (got < 0)
		return true;
	head[got] = '\0';
	snprintf(wanted, sizeof(wanted), "\"%s\"", stamp);
	return strstr(head, wanted);
}

int tacho__place_hold(const char *directory)
{
	int fd = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0 && flock(fd, LOCK_SH | LOCK_NB)) {
		close(fd);
		return -1;
	}
	return fd;
}

bool tacho__place_is_held(int fd)
{
	if (flock(fd, LOCK_EX | LOCK_NB))
		return errno == EWOULDBLOCK;
	flock(fd, LOCK_UN);
	return false;
}
