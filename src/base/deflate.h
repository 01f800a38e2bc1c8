/* SPDX-License-Identifier: MIT */
/* Bytes made smaller: a zlib stream (RFC 1950), as browsers and most languages read it. */
#ifndef TACHO_BASE_DEFLATE_H
#define TACHO_BASE_DEFLATE_H

#include <stddef.h>

#include "base/buf.h"

/* Quickly, or with more effort, as zlib's levels are. */
enum tacho__deflate_effort { TACHO__DEFLATE_QUICKLY = 1, TACHO__DEFLATE_WELL = 3 };

/* Appends the stream. NOMEM. */
int tacho__deflate(struct tacho__buf *out, const void *bytes, size_t size,
		   enum tacho__deflate_effort effort);

#endif
