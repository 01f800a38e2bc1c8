/* SPDX-License-Identifier: MIT */
/*
 * Writing messages in the encoding of Protocol Buffers, into one growing buffer.
 *
 * Fields are added in any order; a message inside a message is opened and closed around its fields.
 * The buffer is kept when it is cleared, so that a message like the one before costs no allocation.
 */
#ifndef TACHO_BASE_PROTO_H
#define TACHO_BASE_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/varint.h"

enum { TACHO__PROTO_DEPTH_MAX = 16 };

/* {0} is an empty buffer. */
struct tacho__proto {
	uint8_t *bytes;
	size_t size, capacity; /* capacity: 0 with rc, so that nothing has room any more */
	size_t open[TACHO__PROTO_DEPTH_MAX]; /* where the lengths of open messages stand */
	unsigned depth;
	/*
	 * 0, or why something could not be added: nothing more is added then, look once at the end.
	 * NOMEM; INVAL: more than 256 MiB or deeper than TACHO__PROTO_DEPTH_MAX.
	 */
	int rc;
};

void tacho__proto_finish(struct tacho__proto *proto);
/* Empty again, with its memory; rc stays. */
void tacho__proto_clear(struct tacho__proto *proto);

/* Makes room for `size` bytes more; false with rc. */
bool tacho__proto_grow(struct tacho__proto *proto, size_t size);

/* Where `size` bytes more have room; NULL with rc. Here, as an export adds dozens for each call. */
static inline uint8_t *tacho__proto_room(struct tacho__proto *proto, size_t size)
{
	if (proto->size + size > proto->capacity && !tacho__proto_grow(proto, size))
		return NULL;
	return proto->bytes + proto->size;
}

/* Types uint32, uint64, bool, enum. */
static inline void tacho__proto_add_unsigned(struct tacho__proto *proto, uint32_t field,
					     uint64_t value)
{
	uint8_t *at = tacho__proto_room(proto, 2 * TACHO__VARINT_MAX);

	if (!at)
		return;
	at = tacho__varint_put(at, (uint64_t)field << 3);
	at = tacho__varint_put(at, value);
	proto->size = (size_t)(at - proto->bytes);
}

/* Types int32, int64. */
static inline void tacho__proto_add_signed(struct tacho__proto *proto, uint32_t field,
					   int64_t value)
{
	tacho__proto_add_unsigned(proto, field, (uint64_t)value);
}

void tacho__proto_add_fixed64(struct tacho__proto *proto, uint32_t field, uint64_t value);
void tacho__proto_add_double(struct tacho__proto *proto, uint32_t field, double value);
/* Types bytes, and messages that were written elsewhere. */
void tacho__proto_add_bytes(struct tacho__proto *proto, uint32_t field, const void *bytes,
			    size_t size);
/* Type string, which must be UTF-8: bytes that are not become U+FFFD. */
void tacho__proto_add_string(struct tacho__proto *proto, uint32_t field, const char *string);

/* What begins deeper than can be; and an end whose length takes more than a byte. */
void tacho__proto_refuse_depth(struct tacho__proto *proto);
void tacho__proto_end_long(struct tacho__proto *proto, size_t at, size_t size);

enum { TACHO__PROTO_LENGTH = 2 }; /* the type of fields that begin with their length */

/* A message as a field; every begin has an end. */
static inline void tacho__proto_begin(struct tacho__proto *proto, uint32_t field)
{
	uint8_t *at;

	if (proto->depth == TACHO__PROTO_DEPTH_MAX)
		tacho__proto_refuse_depth(proto);
	at = tacho__proto_room(proto, TACHO__VARINT_MAX + 1);
	if (!at)
		return;
	at = tacho__varint_put(at, (uint64_t)field << 3 | TACHO__PROTO_LENGTH);
	proto->size = (size_t)(at - proto->bytes);
	proto->open[proto->depth++] = proto->size++;
}

/* One byte was left for the length; most messages need no more. */
static inline void tacho__proto_end(struct tacho__proto *proto)
{
	size_t at, size;

	if (proto->rc || !proto->depth)
		return;
	at = proto->open[--proto->depth];
	size = proto->size - at - 1;
	if (size < 0x80)
		proto->bytes[at] = (uint8_t)size;
	else
		tacho__proto_end_long(proto, at, size);
}

#endif
