/* SPDX-License-Identifier: MIT */
/* Numbers in as few bytes as they need, seven bits a byte, low ones first (LEB128). */
#ifndef TACHO_BASE_VARINT_H
#define TACHO_BASE_VARINT_H

#include <stdbool.h>
#include <stdint.h>

enum { TACHO__VARINT_MAX = 10 }; /* bytes of one */

/* Returns where the next one goes. */
static inline uint8_t *tacho__varint_put(uint8_t *at, uint64_t value)
{
	while (value >= 0x80) {
		*at++ = (uint8_t)value | 0x80;
		value >>= 7;
	}
	*at++ = (uint8_t)value;
	return at;
}

/* Reads one at *at, before `end`, and moves on. False when there is none. */
static inline bool tacho__varint_get(const uint8_t **at, const uint8_t *end, uint64_t *out_value)
{
	const uint8_t *byte = *at;
	uint64_t value = 0;

	if (byte < end && *byte < 0x80) { /* most are small */
		*out_value = *byte;
		*at = byte + 1;
		return true;
	}
	if (end - byte >= 2 && byte[1] < 0x80) {
		*out_value = (uint64_t)(byte[0] & 0x7f) | (uint64_t)byte[1] << 7;
		*at = byte + 2;
		return true;
	}
	for (unsigned shift = 0; byte < end && shift < 64; shift += 7) {
		value |= (uint64_t)(*byte & 0x7f) << shift;
		if (*byte++ & 0x80)
			continue;
		*at = byte;
		*out_value = value;
		return true;
	}
	return false;
}

/* Signed ones fold: 0, -1, 1, -2 become 0, 1, 2, 3. */
static inline uint64_t tacho__varint_fold(int64_t value)
{
	return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

static inline int64_t tacho__varint_unfold(uint64_t value)
{
	return (int64_t)(value >> 1 ^ (~(value & 1) + 1));
}

#endif
