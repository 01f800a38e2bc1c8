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

/*
 * Files that are not whole yet, by the names that they have until then. What the library writes is
 * among them by itself. Nothing happens to them unless the program says so: in a handler of a
 * signal that ends it, since the names would stay behind otherwise. Of more than 64 at a time the
 * rest is not noted.
 *
 * Makes one as mkostemp() does, with O_CLOEXEC, so that no signal comes between it and the note.
 * Its descriptor, or -1 with errno. `path` is borrowed until tacho_unfinished_end().
 */
TACHO_API int tacho_unfinished_create(char *path);
/* It has its own name now, or is gone. Nothing for one that was not noted. */
TACHO_API void tacho_unfinished_end(const char *path);
/*
 * Removes them all, for the process that began them; in a child that it forked nothing. May be
 * called in a handler of signals, by the thread that writes or while no other one does.
 */
TACHO_API void tacho_unfinished_discard(void);

#ifdef __cplusplus
}
#endif

#endif
