/* SPDX-License-Identifier: MIT */
/* Files: read whole, written whole, never through a symbolic link planted in a shared folder. */
#ifndef TACHO_BASE_FS_H
#define TACHO_BASE_FS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/buf.h"

/* Appends the file at `path` to `out_buf`, at most `max` bytes, else TACHO_E_PARSE. NOTFOUND, IO,
 * PERM. */
int tacho__fs_read(const char *path, size_t max, struct tacho__buf *out_buf);

/*
 * A file that is not there until it is whole: written under a temporary name beside `path`, mode
 * 0600, then renamed. Without `overwrite` an existing `path` is TACHO_E_EXISTS and stays.
 */
struct tacho__fs_new {
	FILE *stream;
	char *path, *temporary;
	bool overwrite;
};

int tacho__fs_create(struct tacho__fs_new *out_file, const char *path, bool overwrite);
/* Closes and renames; on any failure since create the temporary file is removed. */
int tacho__fs_commit(struct tacho__fs_new *file);
/* Closes and removes what was written. For a file that is committed or {0} it does nothing. */
void tacho__fs_discard(struct tacho__fs_new *file);

/* TACHO_E_PERM, NOTFOUND, EXISTS or IO for this errno, with a detail that names path and action. */
int tacho__fs_fail(int error, const char *action, const char *path);

#endif
