/* SPDX-License-Identifier: MIT */
#include "base/fs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/out_stream.h"
#include "tacho/sys/file.h"

/* What to do where a right is missing. */
static const char *find_right(const char *action)
{
	static const char *const looking[] = {"read", "open", "look at"};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(looking); i++)
		if (!strcmp(action, looking[i]))
			return "have its owner let you read it and the folders that it is in";
	return "choose a folder that you may write to";
}

int tacho__fs_fail(int error, const char *action, const char *path)
{
	const char *cause = tacho__detail("%s (errno %d)", strerror(error), error);

	errno = error;
	switch (error) {
	case ENOENT:
	case ENOTDIR:
		return tacho__fail(TACHO_E_NOTFOUND, cause,
				   "check the path: each folder in it has to be there",
				   "cannot %s %s", action, path);
	case EACCES:
	case EPERM:
	case EROFS:
		return tacho__fail(TACHO_E_PERM, cause, find_right(action), "cannot %s %s", action,
				   path);
	case EEXIST:
		return tacho__fail(TACHO_E_EXISTS, cause, "give another name, or -f to replace it",
				   "cannot %s %s", action, path);
	case ENOMEM: return tacho__fail(TACHO_E_NOMEM, cause, "", "cannot %s %s", action, path);
	default: return tacho__fail(TACHO_E_IO, cause, "", "cannot %s %s", action, path);
	}
}

int tacho__fs_get_kind(const char *path, mode_t *out_kind)
{
	struct stat status;

	if (!stat(path, &status))
		*out_kind = status.st_mode & S_IFMT;
	else if (errno == ENOENT || errno == ENOTDIR)
		*out_kind = 0;
	else
		return tacho__fs_fail(errno, "look at", path);
	return 0;
}

const char *tacho__fs_kind_to_string(mode_t kind)
{
	switch (kind) {
	case S_IFREG: return "a regular file";
	case S_IFDIR: return "a directory";
	case S_IFIFO: return "a pipe";
	case S_IFSOCK: return "a socket";
	default: return "a device";
	}
}

static int compare_names(const void *a, const void *b)
{
	return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

static int add_name(struct tacho__arena *arena, struct tacho__fs_names *names, const char *name)
{
	const char *copy = tacho__arena_string(arena, name);

	if (!copy)
		return TACHO_E_NOMEM;
	return tacho__array_add(&names->names, &names->capacity, &names->count, &copy,
				sizeof(copy));
}

int tacho__fs_list(struct tacho__arena *arena, const char *path, size_t max,
		   struct tacho__fs_names *out_names)
{
	struct tacho__fs_names names = {0};
	struct dirent *entry;
	DIR *folder = opendir(path);
	int rc = 0;

	if (!folder)
		return tacho__fs_fail(errno, "read", path);
	while (!rc && names.count < max) {
		errno = 0;
		entry = readdir(folder);
		if (!entry && errno)
			rc = tacho__fs_fail(errno, "read", path);
		if (!entry)
			break;
		if (*entry->d_name != '.')
			rc = add_name(arena, &names, entry->d_name);
	}
	closedir(folder);
	if (rc) {
		free(names.names);
		return rc;
	}
	if (names.count)
		qsort(names.names, names.count, sizeof(*names.names), compare_names);
	*out_names = names;
	return 0;
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
	fd = tacho_unfinished_create(file.temporary);
	if (fd < 0) {
		rc = tacho__fs_fail(errno, "create", path);
		goto out;
	}
	file.stream = tacho_stream_open(fd);
	if (!file.stream) {
		rc = TACHO_E_NOMEM;
		unlink(file.temporary);
		tacho_unfinished_end(file.temporary);
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

int tacho__fs_create_in(struct tacho__fs_new *out_file, const char *folder, const char *name)
{
	char *path;
	int rc;

	if (asprintf(&path, "%s/%s", folder, name) < 0)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %s", name);
	rc = tacho__fs_create(out_file, path, false);
	free(path);
	return rc;
}

static void forget(struct tacho__fs_new *file)
{
	tacho_unfinished_end(file->temporary);
	free(file->path);
	free(file->temporary);
	memset(file, 0, sizeof(*file));
}

/* 0 or -1 with errno. */
static int give_name(const struct tacho__fs_new *file)
{
	if (file->overwrite)
		return rename(file->temporary, file->path);
	if (!renameat2(AT_FDCWD, file->temporary, AT_FDCWD, file->path, RENAME_NOREPLACE))
		return 0;
	/* Not every file system can rename so; those that cannot have hard links. */
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	return link(file->temporary, file->path) ? -1 : unlink(file->temporary);
}

int tacho__fs_commit(struct tacho__fs_new *file)
{
	int rc = 0;
	bool failed = fclose(file->stream) != 0;

	file->stream = NULL;
	if (failed) {
		rc = tacho__fs_fail(errno, "write", file->path);
	} else if (give_name(file)) {
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
