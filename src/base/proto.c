/* SPDX-License-Identifier: MIT */
/* https://protobuf.dev/programming-guides/encoding/ */
#include "base/proto.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tacho/sys/character.h"

enum { FIRST_CAPACITY = 4096, VARINT_MAX = 10 };

/* Readers refuse longer messages. */
#define BYTES_MAX ((size_t)1 << 28)

enum wire_type { VARINT = 0, FIXED64 = 1, LENGTH = 2 };

void tacho__proto_finish(struct tacho__proto *proto)
{
	free(proto->bytes);
	memset(proto, 0, sizeof(*proto));
}

void tacho__proto_clear(struct tacho__proto *proto)
{
	proto->size = 0;
	proto->depth = 0;
}

static void refuse(struct tacho__proto *proto, const char *cause)
{
	proto->rc = tacho__fail(TACHO_E_INVAL, cause, "", "cannot write a message");
}

static bool reserve(struct tacho__proto *proto, size_t size)
{
	size_t capacity = proto->capacity ? proto->capacity : FIRST_CAPACITY;
	uint8_t *bytes;

	if (proto->rc)
		return false;
	if (size > BYTES_MAX || proto->size > BYTES_MAX - size) {
		refuse(proto, "it is longer than 256 MiB");
		return false;
	}
	if (size <= proto->capacity - proto->size)
		return true;
	while (capacity - proto->size < size)
		capacity *= 2;
	bytes = realloc(proto->bytes, capacity);
	if (!bytes) {
		proto->rc = tacho__fail(TACHO_E_NOMEM, "", "",
					"no memory for a message of %zu bytes", capacity);
		return false;
	}
	proto->bytes = bytes;
	proto->capacity = capacity;
	return true;
}

static size_t put_varint(uint8_t *to, uint64_t value)
{
	size_t size = 0;

	for (; value >= 0x80; value >>= 7)
		to[size++] = (uint8_t)(value | 0x80);
	to[size++] = (uint8_t)value;
	return size;
}

/* Room for the number and type of a field and `size` bytes, and the former put there. */
static bool begin_field(struct tacho__proto *proto, uint32_t field, enum wire_type type,
			size_t size)
{
	if (!reserve(proto, VARINT_MAX + size))
		return false;
	proto->size += put_varint(proto->bytes + proto->size, (uint64_t)field << 3 | type);
	return true;
}

void tacho__proto_add_unsigned(struct tacho__proto *proto, uint32_t field, uint64_t value)
{
	if (begin_field(proto, field, VARINT, VARINT_MAX))
		proto->size += put_varint(proto->bytes + proto->size, value);
}

void tacho__proto_add_signed(struct tacho__proto *proto, uint32_t field, int64_t value)
{
	tacho__proto_add_unsigned(proto, field, (uint64_t)value);
}

void tacho__proto_add_fixed64(struct tacho__proto *proto, uint32_t field, uint64_t value)
{
	if (!begin_field(proto, field, FIXED64, sizeof(value)))
		return;
	for (unsigned i = 0; i < sizeof(value); i++)
		proto->bytes[proto->size++] = (uint8_t)(value >> 8 * i);
}

void tacho__proto_add_double(struct tacho__proto *proto, uint32_t field, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	tacho__proto_add_fixed64(proto, field, bits);
}

void tacho__proto_add_bytes(struct tacho__proto *proto, uint32_t field, const void *bytes,
			    size_t size)
{
	if (size > BYTES_MAX) {
		refuse(proto, "a text is longer than 256 MiB");
		return;
	}
	if (!begin_field(proto, field, LENGTH, VARINT_MAX + size))
		return;
	proto->size += put_varint(proto->bytes + proto->size, size);
	if (size)
		memcpy(proto->bytes + proto->size, bytes, size);
	proto->size += size;
}

static bool is_ascii(const char *string, size_t size)
{
	unsigned char any = 0;

	for (size_t i = 0; i < size; i++)
		any |= (unsigned char)string[i];
	return any < 0x80;
}

/* As a message is written, because the length is known only when all is repaired. */
static void add_repaired(struct tacho__proto *proto, uint32_t field, const char *string)
{
	tacho__proto_begin(proto, field);
	while (*string && reserve(proto, TACHO_CHARACTER_SPELLED_MAX)) {
		struct tacho_character character = tacho_character_read(string);
		char *to = (char *)proto->bytes + proto->size;

		if (character.kind == TACHO_CHARACTER_BAD) {
			proto->size += tacho_character_spell(&character, to);
		} else {
			memcpy(to, string, character.length);
			proto->size += character.length;
		}
		string += character.length;
	}
	tacho__proto_end(proto);
}

void tacho__proto_add_string(struct tacho__proto *proto, uint32_t field, const char *string)
{
	size_t size = strlen(string);

	if (is_ascii(string, size))
		tacho__proto_add_bytes(proto, field, string, size);
	else
		add_repaired(proto, field, string);
}

void tacho__proto_begin(struct tacho__proto *proto, uint32_t field)
{
	if (proto->depth == TACHO__PROTO_DEPTH_MAX && !proto->rc)
		refuse(proto, "it is nested too deep");
	if (!begin_field(proto, field, LENGTH, 1))
		return;
	proto->open[proto->depth++] = proto->size++;
}

/* One byte was left for the length; most messages need no more. */
void tacho__proto_end(struct tacho__proto *proto)
{
	size_t at, size, more;
	uint8_t length[VARINT_MAX];

	if (proto->rc || !proto->depth)
		return;
	at = proto->open[--proto->depth];
	size = proto->size - at - 1;
	more = put_varint(length, size) - 1;
	if (more) {
		if (!reserve(proto, more))
			return;
		memmove(proto->bytes + at + 1 + more, proto->bytes + at + 1, size);
		proto->size += more;
	}
	memcpy(proto->bytes + at, length, more + 1);
}
