/* SPDX-License-Identifier: MIT */
/*
 * Packed values: unsigned 64-bit numbers written in as many bytes as they need.
 *
 * Two values share a control byte: the low nibble is the first one's width in bytes (0 to 8), the
 * high nibble the second one's. The control byte precedes both. Small and absent values cost half a
 * byte, a pointer six and a half. Raw bytes may follow a value (its length, for instance); they
 * close the pair, and the next value opens a new one. Encoding is branch-free, because it runs
 * inside profiled programs.
 *
 * The encoder writes up to 8 bytes past the last value, so a buffer needs TACHO__PACK_SLACK more
 * than what is packed into it. Little endian.
 */
#ifndef TACHO_BASE_PACK_H
#define TACHO_BASE_PACK_H

#include <stdint.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { TACHO__PACK_SLACK = 16 };

/*
 * Not left to the compiler: the width is known at many call sites, and this is the hot path. Where
 * nothing is optimized, or each access is watched, thousands of copies only take long to compile.
 */
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TACHO__PACK_INLINE __attribute__((always_inline)) static inline
#else
#define TACHO__PACK_INLINE static inline
#endif

struct tacho__pack {
	uint8_t *at;	  /* where the next byte goes */
	uint8_t *control; /* the open pair's control byte, NULL when none is open */
};

static inline void tacho__pack_begin(struct tacho__pack *pack, uint8_t *buffer)
{
	pack->at = buffer;
	pack->control = NULL;
}

TACHO__PACK_INLINE void tacho__pack_u64(struct tacho__pack *pack, uint64_t value)
{
	unsigned width = value ? 8 - ((unsigned)__builtin_clzll(value) >> 3) : 0;

	if (!pack->control) {
		pack->control = pack->at++;
		*pack->control = (uint8_t)width;
	} else {
		*pack->control |= (uint8_t)(width << 4);
		pack->control = NULL;
	}
	memcpy(pack->at, &value, sizeof(value));
	pack->at += width;
}

/* Signed numbers are folded so that small negative ones stay small (-1 becomes 1, 1 becomes 2). */
TACHO__PACK_INLINE void tacho__pack_i64(struct tacho__pack *pack, int64_t value)
{
	tacho__pack_u64(pack, ((uint64_t)value << 1) ^ (uint64_t)(value >> 63));
}

static inline void tacho__pack_bytes(struct tacho__pack *pack, const void *bytes, size_t size)
{
	pack->control = NULL;
	memcpy(pack->at, bytes, size);
	pack->at += size;
}

struct tacho__unpack {
	const uint8_t *at, *end;
	uint8_t control;
	bool second; /* the next value is the second of its pair */
	bool bad;    /* something was read past the end: every later value is 0 */
};

static inline void tacho__unpack_begin(struct tacho__unpack *unpack, const void *bytes, size_t size)
{
	unpack->at = bytes;
	unpack->end = unpack->at + size;
	unpack->control = 0;
	unpack->second = false;
	unpack->bad = false;
}

static inline uint64_t tacho__unpack_u64(struct tacho__unpack *unpack)
{
	uint64_t value = 0;
	unsigned width;

	if (!unpack->second) {
		if (unpack->at >= unpack->end) {
			unpack->bad = true;
			return 0;
		}
		unpack->control = *unpack->at++;
		width = unpack->control & 15;
	} else {
		width = unpack->control >> 4;
	}
	unpack->second = !unpack->second;
	if (width > 8 || width > (size_t)(unpack->end - unpack->at)) {
		unpack->bad = true;
		unpack->at = unpack->end;
		return 0;
	}
	if (unpack->end - unpack->at >= 8 && width) {
		memcpy(&value, unpack->at, sizeof(value));
		value &= UINT64_MAX >> (64 - 8 * width);
	} else {
		for (unsigned i = 0; i < width; i++)
			value |= (uint64_t)unpack->at[i] << (8 * i);
	}
	unpack->at += width;
	return value;
}

static inline int64_t tacho__unpack_i64(struct tacho__unpack *unpack)
{
	uint64_t folded = tacho__unpack_u64(unpack);

	return (int64_t)(folded >> 1) ^ -(int64_t)(folded & 1);
}

/* `size` raw bytes, or NULL and bad when there are fewer. */
static inline const uint8_t *tacho__unpack_bytes(struct tacho__unpack *unpack, uint64_t size)
{
	const uint8_t *bytes = unpack->at;

	unpack->second = false;
	if (size > (size_t)(unpack->end - unpack->at)) {
		unpack->bad = true;
		unpack->at = unpack->end;
		return NULL;
	}
	unpack->at += size;
	return bytes;
}

#endif
