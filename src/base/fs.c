/* SPDX-License-Identifier: MIT */
#include "base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

int tacho__fs_fail(int error, const char *action, const char *path)
{
	const char *cause = tacho__detail("%s (errno %d)", strerror(error), error);

	errno = error;
	switch (error) {
	case ENOENT:
	case ENOTDIR: return tacho__fail(TACHO_E_NOTFOUND, cause, "", "cannot %s %s", action, path);
	case EACCES:
	case EPERM:
	case EROFS:
		return tacho__fail(TACHO_E_PERM, cause, "choose a folder that you may write to",
				   "cannot %s %s", action, path);
	case EEXIST:
		return tacho__fail(TACHO_E_EXISTS, cause, "give another name, or -f to replace it",
				   "cannot %s %s", action, path);
	case ENOMEM: return tacho__fail(TACHO_E_NOMEM, cause, "", "cannot %s %s", action, path);
	default: return tacho__fail(TACHO_E_IO, cause, "", "cannot %s %s", action, path);
	}
}

int tacho__fs_read(const char *path, size_t max, struct tacho__buf *out_buf)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), rc = 0;
	char chunk[16384];
	size_t total = 0;
	ssize_t got;

	if (fd < 0)
		return tacho__fs_fail(errno, "read", path);
	while ((got = read(fd, chunk, sizeof(chunk))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			rc = tacho__fs_fail(errno, "read", path);
			break;
		}
		total += (size_t)got;
		if (total > max) {
			rc = tacho__fail(TACHO_E_PARSE,
					 tacho__detail("it is larger than %zu bytes", max), "",
					 "cannot read %s", path);
			break;
		}
		tacho__buf_add(out_buf, chunk, (size_t)got);
	}
	close(fd);
	if (!rc && out_buf->failed)
		rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", path);
	return rc;
}

int tacho__fs_create(struct tacho__fs_new *out_file, const char *path, bool overwrite)
{
	struct tacho__fs_new file = {.overwrite = overwrite};
	int fd = -1, rc = 0;

	if (!overwrite && faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		return tacho__fs_fail(EEXIST, "create", path);
	file.path = strdup(path);
	if (!file.path || asprintf(&file.temporary, "%s.XXXXXX", path) < 0) {
		file.temporary = NULL;
		rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory to create %s", path);
		goto out;
	}
	fd = mkostemp(file.temporary, O_CLOEXEC); /* exclusive, 0600, follows no link */
	if (fd < 0) {
		rc = tacho__fs_fail(errno, "create", path);
		goto out;
	}
	file.stream = fdopen(fd, "w");
	if (!file.stream) {
		rc = tacho__fs_fail(errno, "create", path);
		unlink(file.temporary);
		close(fd);
		goto out;
	}
	*out_file = file;
	return 0;
out:
	free(file.path);
	free(file.temporary);
	return rc;
}

static void forget(struct tacho__fs_new *file)
{
	free(file->path);
	free(file->temporary);
	memset(file, 0, sizeof(*file));
}

int tacho__fs_commit(struct tacho__fs_new *file)
{
	int rc = 0, error = 0;

	if (ferror(file->stream) | fflush(file->stream))
		error = errno ? errno : EIO;
	if (fclose(file->stream) && !error)
		error = errno;
	file->stream = NULL;
	if (error) {
		rc = tacho__fs_fail(error, "write", file->path);
	} else if (file->overwrite) {
		if (rename(file->temporary, file->path))
			rc = tacho__fs_fail(errno, "create", file->path);
	} else if (link(file->temporary, file->path) == 0) {
		unlink(file->temporary);
	} else if (errno == EEXIST ||
		   renameat2(AT_FDCWD, file->temporary, AT_FDCWD, file->path, RENAME_NOREPLACE)) {
		/* file systems without hard links still have the rename */
		rc = tacho__fs_fail(errno, "create", file->path);
	}
	if (rc)
		unlink(file->temporary);
	forget(file);
	return rc;
}

void tacho__fs_discard(struct tacho__fs_new *file)
{
	if (!file->temporary)
		return;
	if (file->stream)
		fclose(file->stream);
	unlink(file->temporary);
	forget(file);
}
