/* SPDX-License-Identifier: MIT */
/* Bytes made smaller: a zlib stream (RFC 1950), as browsers and most languages read it. */
#ifndef TACHO_BASE_DEFLATE_H
#define TACHO_BASE_DEFLATE_H

#include <stddef.h>

#include "base/buf.h"

/* Appends the stream. NOMEM. */
int tacho__deflate(struct tacho__buf *out, const void *bytes, size_t size);

#endif
