/* SPDX-License-Identifier: MIT */
#include "base/deflate.h"

#include <stdlib.h>
#include <zlib.h>

#include "base/error.h"

int tacho__deflate(struct tacho__buf *out, const void *bytes, size_t size,
		   enum tacho__deflate_effort effort)
{
	uLongf room = compressBound(size);
	Bytef *packed = malloc(room);

	if (!packed || compress2(packed, &room, bytes, size, effort) != Z_OK) {
		free(packed);
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to compress %zu bytes", size);
	}
	tacho__buf_add(out, packed, room);
	free(packed);
	return out->failed ? TACHO_E_NOMEM : 0;
}
