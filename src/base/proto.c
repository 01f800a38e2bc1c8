/* SPDX-License-Identifier: MIT */
/* https://protobuf.dev/programming-guides/encoding/ */
#include "base/proto.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tacho/sys/character.h"

enum { FIRST_CAPACITY = 4096 };

/* Readers refuse longer messages. */
#define BYTES_MAX ((size_t)1 << 28)

enum wire_type { FIXED64 = 1, BYTES = TACHO__PROTO_LENGTH };

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
	proto->capacity = 0;
}

bool tacho__proto_grow(struct tacho__proto *proto, size_t size)
{
	size_t capacity = proto->capacity ? proto->capacity : FIRST_CAPACITY;
	uint8_t *bytes;

	if (proto->rc)
		return false;
	if (size > BYTES_MAX || proto->size > BYTES_MAX - size) {
		refuse(proto, "it is longer than 256 MiB");
		return false;
	}
	while (capacity - proto->size < size)
		capacity *= 2;
	bytes = realloc(proto->bytes, capacity);
	if (!bytes) {
		proto->rc = tacho__fail(TACHO_E_NOMEM, "", "",
					"no memory for a message of %zu bytes", capacity);
		proto->capacity = 0;
		return false;
	}
	proto->bytes = bytes;
	proto->capacity = capacity;
	return true;
}

/* Room for the number and type of a field and `size` bytes, and the former put there. */
static bool begin_field(struct tacho__proto *proto, uint32_t field, enum wire_type type,
			size_t size)
{
	uint8_t *at = tacho__proto_room(proto, TACHO__VARINT_MAX + size);

	if (!at)
		return false;
	at = tacho__varint_put(at, (uint64_t)field << 3 | type);
	proto->size = (size_t)(at - proto->bytes);
	return true;
}

static void put_varint(struct tacho__proto *proto, uint64_t value)
{
	uint8_t *at = tacho__varint_put(proto->bytes + proto->size, value);

	proto->size = (size_t)(at - proto->bytes);
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
	if (!begin_field(proto, field, BYTES, TACHO__VARINT_MAX + size))
		return;
	put_varint(proto, size);
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
	while (*string && tacho__proto_room(proto, TACHO_CHARACTER_SPELLED_MAX)) {
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

void tacho__proto_refuse_depth(struct tacho__proto *proto)
{
	if (!proto->rc)
		refuse(proto, "it is nested too deep");
}

void tacho__proto_end_long(struct tacho__proto *proto, size_t at, size_t size)
{
	uint8_t length[TACHO__VARINT_MAX];
	size_t more = (size_t)(tacho__varint_put(length, size) - length) - 1;

	if (!tacho__proto_room(proto, more))
		return;
	memmove(proto->bytes + at + 1 + more, proto->bytes + at + 1, size);
	proto->size += more;
	memcpy(proto->bytes + at, length, more + 1);
}
