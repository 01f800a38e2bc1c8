/* SPDX-License-Identifier: MIT */
/*
 * Writing messages in the encoding of Protocol Buffers, into one growing buffer.
 *
 * Fields are added in any order; a message inside a message is opened and closed around its fields.
 * The buffer is kept when it is cleared, so that a message like the one before costs no allocation.
 */
#ifndef TACHO_BASE_PROTO_H
#define TACHO_BASE_PROTO_H

#include <stddef.h>
#include <stdint.h>

enum { TACHO__PROTO_DEPTH_MAX = 16 };

/* {0} is an empty buffer. */
struct tacho__proto {
	uint8_t *bytes;
	size_t size, capacity;
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

/* Types uint32, uint64, bool, enum. */
void tacho__proto_add_unsigned(struct tacho__proto *proto, uint32_t field, uint64_t value);
/* Types int32, int64. */
void tacho__proto_add_signed(struct tacho__proto *proto, uint32_t field, int64_t value);
void tacho__proto_add_fixed64(struct tacho__proto *proto, uint32_t field, uint64_t value);
void tacho__proto_add_double(struct tacho__proto *proto, uint32_t field, double value);
/* Types bytes, and messages that were written elsewhere. */
void tacho__proto_add_bytes(struct tacho__proto *proto, uint32_t field, const void *bytes,
			    size_t size);
/* Type string, which must be UTF-8: bytes that are not become U+FFFD. */
void tacho__proto_add_string(struct tacho__proto *proto, uint32_t field, const char *string);

/* A message as a field; every begin has an end. */
void tacho__proto_begin(struct tacho__proto *proto, uint32_t field);
void tacho__proto_end(struct tacho__proto *proto);

#endif
