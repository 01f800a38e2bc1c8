/* SPDX-License-Identifier: MIT */
#include "base/deflate.h"

#include <stdint.h>

#include "base/error.h"

#if TACHO_WITH_ZLIB

#include <stdlib.h>
#include <zlib.h>

int tacho__deflate(struct tacho__buf *out, const void *bytes, size_t size)
{
	uLongf room = compressBound(size);
	Bytef *packed = malloc(room);

	if (!packed || compress2(packed, &room, bytes, size, 6) != Z_OK) {
		free(packed);
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to compress %zu bytes", size);
	}
	tacho__buf_add(out, packed, room);
	free(packed);
	return out->failed ? TACHO_E_NOMEM : 0;
}

#else

static uint32_t add_up(const uint8_t *bytes, size_t size)
{
	uint32_t low = 1, high = 0;

	for (size_t i = 0; i < size; i++) {
		low = (low + bytes[i]) % 65521;
		high = (high + low) % 65521;
	}
	return high << 16 | low;
}

int tacho__deflate(struct tacho__buf *out, const void *bytes, size_t size)
{
	enum { BLOCK = 65535 };
	const uint8_t *at = bytes;
	uint32_t sum = add_up(bytes, size);
	size_t left = size;

	tacho__buf_add(out, "\x78\x01", 2);
	do {
		uint16_t part = (uint16_t)(left < BLOCK ? left : BLOCK), other = (uint16_t)~part;
		const uint8_t head[] = {left == part, (uint8_t)part, (uint8_t)(part >> 8),
					(uint8_t)other, (uint8_t)(other >> 8)};

		tacho__buf_add(out, head, sizeof(head));
		tacho__buf_add(out, at, part);
		at += part;
		left -= part;
	} while (left);
	tacho__buf_add(out,
		       (const uint8_t[]){(uint8_t)(sum >> 24), (uint8_t)(sum >> 16),
					 (uint8_t)(sum >> 8), (uint8_t)sum},
		       4);
	return out->failed ? TACHO_E_NOMEM : 0;
}

#endif
