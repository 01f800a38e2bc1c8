/* SPDX-License-Identifier: MIT */
/*
 * Files that the command is given, and streams that it prints to. Whatever a path names, reading it
 * is bounded and the error says what it is. For the command and tests: no ABI promise.
 */
#ifndef TACHO_SYS_FILE_H
#define TACHO_SYS_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <tacho/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads a whole file of at most `max` bytes. PARSE: it is larger, or has bytes that are 0; IO: it
 * is no regular file, or cannot be read; NOTFOUND, PERM, NOMEM. Ends with NUL. Owned; free().
 */
TACHO_API int tacho_file_read_text(const char *path, size_t max, char **out_text, size_t *out_size);

/* What is read once, from its beginning to its end. */
struct tacho_file {
	const char *name; /* for messages: the path, which is borrowed, or "standard input" */
	int fd;
	uint64_t size_bytes; /* of a regular file, else 0 */
	int is_own;	     /* close it */
	int is_awaited;	     /* a pipe that nobody was seen to write to yet */
};

/*
 * Opens a regular file, a pipe, or standard input for "-". IO: it is something else; NOTFOUND,
 * PERM.
 */
TACHO_API int tacho_file_open(const char *path, struct tacho_file *out_file);
/*
 * Reads some bytes, `size` at most; 0 only at the end. A pipe is waited for as long as somebody has
 * it open, and 2 s for somebody to open it. IO.
 */
TACHO_API int tacho_file_read(struct tacho_file *file, void *bytes, size_t size, size_t *out_size);
TACHO_API void tacho_file_close(struct tacho_file *file);

/*
 * A stream that prints to the descriptor. Interrupted and short writes are gone on with; after a
 * failure nothing more is written, and fclose(), which closes the descriptor, fails with the errno
 * of that failure. NULL: memory ran out; then the descriptor is open.
 */
TACHO_API FILE *tacho_stream_open(int fd);

#ifdef __cplusplus
}
#endif

#endif
