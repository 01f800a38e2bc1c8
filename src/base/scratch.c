/* SPDX-License-Identifier: MIT */
#include "base/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

static const char *get_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder == '/' ? folder : "/tmp";
}

int tacho__scratch_fail(int error, const char *action)
{
	errno = error;
	return tacho__fail(TACHO_E_IO, tacho__detail("%s (errno %d)", strerror(error), error),
			   "set TMPDIR to a folder with room for it that you may write to",
			   "cannot %s a temporary file in %s", action, get_folder());
}

/* Where files cannot be made without a name it loses it at once. */
static int open_named(int *out_fd)
{
	char path[4096];
	int fd;

	if (snprintf(path, sizeof(path), "%s/tacho.XXXXXX", get_folder()) >= (int)sizeof(path))
		return tacho__scratch_fail(ENAMETOOLONG, "create");
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return tacho__scratch_fail(errno, "create");
	unlink(path);
	*out_fd = fd;
	return 0;
}

int tacho__scratch_open(int *out_fd)
{
	int fd = open(get_folder(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0)
		return open_named(out_fd);
	*out_fd = fd;
	return 0;
}

int tacho__scratch_name(int fd, char **out_path)
{
	char *path = NULL, link[32];
	int error;

	if (asprintf(&path, "%s/tacho.%ld.%d", get_folder(), (long)getpid(), fd) < 0)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a name");
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	error = linkat(AT_FDCWD, link, AT_FDCWD, path, AT_SYMLINK_FOLLOW) ? errno : 0;
	if (error) {
		free(path);
		return tacho__scratch_fail(error, "name");
	}
	*out_path = path;
	return 0;
}

int tacho__scratch_write(int fd, const void *bytes, size_t size, uint64_t offset)
{
	const char *at = bytes;

	while (size) {
		ssize_t done = pwrite(fd, at, size, (off_t)offset);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return tacho__scratch_fail(done ? errno : EIO, "write");
		at += done;
		offset += (uint64_t)done;
		size -= (size_t)done;
	}
	return 0;
}
