/* SPDX-License-Identifier: MIT */
#include "base/proto_read.h"

#include <string.h>

#include "base/varint.h"

/* Little-endian, of 4 or 8 bytes. */
static bool take_fixed(struct tacho__proto_reader *reader, unsigned size, uint64_t *out_value)
{
	if ((size_t)(reader->end - reader->at) < size)
		return false;
	*out_value = 0;
	for (unsigned i = 0; i < size; i++)
		*out_value |= (uint64_t)*reader->at++ << 8 * i;
	return true;
}

static bool take_bytes(struct tacho__proto_reader *reader, struct tacho__proto_field *field)
{
	uint64_t size;

	if (!tacho__varint_get(&reader->at, reader->end, &size) ||
	    size > (size_t)(reader->end - reader->at))
		return false;
	field->bytes = reader->at;
	field->size = (size_t)size;
	reader->at += size;
	return true;
}

static bool take_value(struct tacho__proto_reader *reader, struct tacho__proto_field *field)
{
	switch (field->wire) {
	case TACHO__PROTO_VARINT: return tacho__varint_get(&reader->at, reader->end, &field->value);
	case TACHO__PROTO_FIXED64: return take_fixed(reader, 8, &field->value);
	case TACHO__PROTO_BYTES: return take_bytes(reader, field);
	case TACHO__PROTO_FIXED32: return take_fixed(reader, 4, &field->value);
	}
	return false; /* groups: nobody writes them any more */
}

int tacho__proto_next(struct tacho__proto_reader *reader, struct tacho__proto_field *out_field)
{
	struct tacho__proto_field field = {0};
	uint64_t key;

	if (reader->at == reader->end)
		return 0;
	if (tacho__varint_get(&reader->at, reader->end, &key) && key >> 3 && key >> 3 < 1 << 29) {
		field.number = (uint32_t)(key >> 3);
		field.wire = (enum tacho__proto_wire)(key & 7);
		if (take_value(reader, &field)) {
			*out_field = field;
			return 1;
		}
	}
	reader->at = reader->end;
	return -1;
}

struct tacho__proto_reader tacho__proto_open(const struct tacho__proto_field *field)
{
	if (!field->size) /* perhaps it has no bytes at all */
		return (struct tacho__proto_reader){0};
	return (struct tacho__proto_reader){field->bytes, field->bytes + field->size};
}

bool tacho__proto_get_real(const struct tacho__proto_field *field, double *out_value)
{
	uint32_t bits = (uint32_t)field->value;
	float narrow;

	if (field->wire == TACHO__PROTO_FIXED64) {
		memcpy(out_value, &field->value, sizeof(*out_value));
	} else if (field->wire == TACHO__PROTO_FIXED32) {
		memcpy(&narrow, &bits, sizeof(narrow));
		*out_value = narrow;
	} else {
		return false;
	}
	return true;
}
