/* SPDX-License-Identifier: MIT */
/*
 * A temporary file without a name, in $TMPDIR or /tmp: nothing is left behind, whatever happens.
 */
#ifndef TACHO_BASE_SCRATCH_H
#define TACHO_BASE_SCRATCH_H

#include <stddef.h>
#include <stdint.h>

/* Mode 0600. Owned; close(). IO. */
int tacho__scratch_open(int *out_fd);
/* All of it, or IO. */
int tacho__scratch_write(int fd, const void *bytes, size_t size, uint64_t offset);
/*
 * Gives the file a name for those who open files by name only: unlink() it as soon as they did.
 * Owned. IO: the file system cannot.
 */
int tacho__scratch_name(int fd, char **out_path);
/* What cannot be done with the file: `action` is "write", "read". */
int tacho__scratch_fail(int error, const char *action);

#endif
