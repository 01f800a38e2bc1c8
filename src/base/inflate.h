/* SPDX-License-Identifier: MIT */
/* Data that tools/embed packed when tacho was built. */
#ifndef TACHO_BASE_INFLATE_H
#define TACHO_BASE_INFLATE_H

#include <stddef.h>

/* A file in the library, packed. Made by tools/embed --pack from data/. */
struct tacho__packed {
	const char *name; /* NULL: past the last */
	const unsigned char *bytes;
	size_t packed_size, size;
};

/* Unpacks into `out`, which has room for packed->size bytes. NOMEM; PARSE: the bytes are damaged.
 */
int tacho__inflate(const struct tacho__packed *packed, char *out);

#endif
