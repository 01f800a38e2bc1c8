/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a file from its beginning to its end, as the program that wrote it meant them:
 * unpacked when they are packed with gzip or zstd, in UTF-8 when they are UTF-16. Memory does not
 * grow with the file.
 */
#ifndef TACHO_FORMAT_FOREIGN_FOREIGN_BYTES_H
#define TACHO_FORMAT_FOREIGN_FOREIGN_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tacho__foreign_bytes;

/* NOTFOUND, PERM, IO, NOMEM; UNSUPPORTED: the library that unpacks is missing. */
int tacho__foreign_bytes_open(const char *path, struct tacho__foreign_bytes **out_bytes);
void tacho__foreign_bytes_close(struct tacho__foreign_bytes *bytes);
/*
 * The next ones, at most `room`, which is at least 4; *out_got is 0 at the end. What is whole of a
 * damaged or cut file is given first. IO, NOMEM; PARSE: the packed bytes end early or are damaged.
 */
int tacho__foreign_bytes_read(struct tacho__foreign_bytes *bytes, void *into, size_t room,
			      size_t *out_got);

/* ---- between the parts: foreign_unpack.c ---- */

struct tacho__foreign_unpack;

/* Of a stream that begins so; *out_unpack is NULL when it is not packed. UNSUPPORTED, NOMEM. */
int tacho__foreign_unpack_open(const unsigned char *head, size_t size,
			       struct tacho__foreign_unpack **out_unpack);
void tacho__foreign_unpack_close(struct tacho__foreign_unpack *unpack);
/*
 * Takes *out_used of the bytes at `in` and gives *out_made to `out`; neither only when it needs
 * more than it was given. *out_is_end: a whole stream has ended there. PARSE, NOMEM.
 */
int tacho__foreign_unpack_some(struct tacho__foreign_unpack *unpack, const unsigned char *in,
			       size_t in_size, unsigned char *out, size_t room, size_t *out_used,
			       size_t *out_made, bool *out_is_end);

#endif
