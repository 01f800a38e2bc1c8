/* SPDX-License-Identifier: MIT */
/*
 * Reading messages in the encoding of Protocol Buffers, field by field, where nothing of them is
 * trusted. What is inside is borrowed from the bytes that are read; a message inside a message is
 * read with a reader of its own.
 */
#ifndef TACHO_BASE_PROTO_READ_H
#define TACHO_BASE_PROTO_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tacho__proto_reader {
	const uint8_t *at, *end;
};

enum tacho__proto_wire {
	TACHO__PROTO_VARINT = 0,
	TACHO__PROTO_FIXED64 = 1,
	TACHO__PROTO_BYTES = 2, /* texts, messages, packed numbers */
	TACHO__PROTO_FIXED32 = 5,
};

struct tacho__proto_field {
	uint32_t number;
	enum tacho__proto_wire wire;
	uint64_t value; /* of the three others: the bits */
	const uint8_t *bytes;
	size_t size;
};

/* 1: a field; 0: no more; -1: the bytes are no message, and nothing more can be read of them. */
int tacho__proto_next(struct tacho__proto_reader *reader, struct tacho__proto_field *out_field);

/* Reads the message in a field; one without a field where it is none. */
struct tacho__proto_reader tacho__proto_open(const struct tacho__proto_field *field);

/* A number of types float and double, by the size of the field; false: it is none. */
bool tacho__proto_get_real(const struct tacho__proto_field *field, double *out_value);

#endif
