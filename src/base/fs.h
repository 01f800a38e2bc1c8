/* SPDX-License-Identifier: MIT */
/* Files: read whole, written whole, never through a symbolic link planted in a shared folder. */
#ifndef TACHO_BASE_FS_H
#define TACHO_BASE_FS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/buf.h"

/*
 * Appends the file at `path` to `out_buf`. PARSE: it has more than `max` bytes; IO: it is no
 * regular file, or cannot be read; NOTFOUND, PERM, NOMEM.
 */
int tacho__fs_read(const char *path, size_t max, struct tacho__buf *out_buf);

/* Reads all of `size` bytes, 0 or errno; *out_got may be less at the end of the file. */
int tacho__fs_read_at(int fd, void *into, size_t size, uint64_t offset, size_t *out_got);

/*
 * Reads what one read() gives of the beginning of a file such as those of /proc, terminated,
 * without memory of its own. Returns how many bytes; 0 and "" when it cannot be read.
 */
size_t tacho__fs_read_start(const char *path, char *text, size_t room);

/* Names of what is in a folder. */
struct tacho__fs_names {
	const char **names;
	size_t count, capacity;
};

/*
 * All names in the folder but those that begin with a dot, in their natural order (a2 before a10),
 * at most `max`. Names belong to the arena, the array to the caller: free(). NOTFOUND, PERM, IO,
 * NOMEM.
 */
int tacho__fs_list(struct tacho__arena *arena, const char *path, size_t max,
		   struct tacho__fs_names *out_names);

/*
 * A file that is not there until it is whole: written under a temporary name beside `path`, mode
 * 0600, then renamed. Without `overwrite` an existing `path` is TACHO_E_EXISTS and stays.
 */
struct tacho__fs_new {
	FILE *stream; /* tacho_stream_open()'s: what fails stays failed until the commit */
	char *path, *temporary;
	bool overwrite;
};

int tacho__fs_create(struct tacho__fs_new *out_file, const char *path, bool overwrite);
/* The same, where nothing may be yet. */
int tacho__fs_create_in(struct tacho__fs_new *out_file, const char *folder, const char *name);
/* Closes and renames; on any failure since create the temporary file is removed. */
int tacho__fs_commit(struct tacho__fs_new *file);
/* Closes and removes what was written. For a file that is committed or {0} it does nothing. */
void tacho__fs_discard(struct tacho__fs_new *file);

/* Which kind of file is there, S_IFREG or another; 0: nothing is. PERM, IO. */
int tacho__fs_get_kind(const char *path, mode_t *out_kind);
/* "a directory", "a pipe" ... Static. */
const char *tacho__fs_kind_to_string(mode_t kind);

/* TACHO_E_PERM, NOTFOUND, EXISTS or IO for this errno, with a detail that names path and action. */
int tacho__fs_fail(int error, const char *action, const char *path);

#endif
