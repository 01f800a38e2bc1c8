/* SPDX-License-Identifier: MIT */
/* Blocks of LZ4, after its "LZ4 Block Format Description". */
#include <string.h>

#include "analyze/occupancy/compiled.h"

enum { MATCH_MIN = 4 };

struct reader {
	const uint8_t *at, *end;
};

/* A length of four bits goes on in bytes while they are 255. */
static bool read_length(struct reader *reader, size_t *length)
{
	uint8_t more;

	if (*length != 15)
		return true;
	do {
		if (reader->at == reader->end)
			return false;
		more = *reader->at++;
		*length += more;
	} while (more == 255);
	return true;
}

bool tacho__lz4_decode(const uint8_t *bytes, size_t size, uint8_t *out_bytes, size_t out_size)
{
	struct reader reader = {bytes, bytes + size};
	size_t out = 0;

	while (reader.at < reader.end) {
		uint8_t token = *reader.at++;
		size_t literals = token >> 4, match = token & 15, distance;

		if (!read_length(&reader, &literals) ||
		    literals > (size_t)(reader.end - reader.at) || literals > out_size - out)
			return false;
		memcpy(out_bytes + out, reader.at, literals);
		reader.at += literals;
		out += literals;
		if (reader.at == reader.end)
			break;
		if (reader.end - reader.at < 2)
			return false;
		distance = tacho__u16(reader.at);
		reader.at += 2;
		if (!read_length(&reader, &match))
			return false;
		match += MATCH_MIN;
		if (!distance || distance > out || match > out_size - out)
			return false;
		/* bytes may overlap with those that they become */
		for (; match; match--, out++)
			out_bytes[out] = out_bytes[out - distance];
	}
	return out == out_size;
}
