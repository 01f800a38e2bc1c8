/* SPDX-License-Identifier: MIT */
/* MessagePack: the format's specification at msgpack.org. Numbers are big-endian. */
#include "analyze/occupancy/msgpack.h"

enum type { BAD, NUMBER, OTHER, TEXT, BYTES, ARRAY, MAP };

struct token {
	enum type type;
	uint64_t number;      /* the value, or how many bytes, elements or pairs follow */
	const uint8_t *after; /* the first byte behind the token's head */
};

static uint64_t read_big(const uint8_t *at, unsigned width)
{
	uint64_t number = 0;

	for (unsigned i = 0; i < width; i++)
		number = number << 8 | at[i];
	return number;
}

/* The heads from 0xc0 to 0xdf: their type and the width of the number that follows. */
static const struct {
	uint8_t type, width;
} heads[32] = {
	[0x00] = {OTHER, 0},  [0x02] = {NUMBER, 0}, [0x03] = {NUMBER, 0}, [0x04] = {BYTES, 1},
	[0x05] = {BYTES, 2},  [0x06] = {BYTES, 4},  [0x07] = {BYTES, 1},  [0x08] = {BYTES, 2},
	[0x09] = {BYTES, 4},  [0x0a] = {OTHER, 4},  [0x0b] = {OTHER, 8},  [0x0c] = {NUMBER, 1},
	[0x0d] = {NUMBER, 2}, [0x0e] = {NUMBER, 4}, [0x0f] = {NUMBER, 8}, [0x10] = {OTHER, 1},
	[0x11] = {OTHER, 2},  [0x12] = {OTHER, 4},  [0x13] = {OTHER, 8},  [0x14] = {OTHER, 2},
	[0x15] = {OTHER, 3},  [0x16] = {OTHER, 5},  [0x17] = {OTHER, 9},  [0x18] = {OTHER, 17},
	[0x19] = {TEXT, 1},   [0x1a] = {TEXT, 2},   [0x1b] = {TEXT, 4},	  [0x1c] = {ARRAY, 2},
	[0x1d] = {ARRAY, 4},  [0x1e] = {MAP, 2},    [0x1f] = {MAP, 4},
};

static struct token read_long(const struct tacho__msgpack *pack, uint8_t head)
{
	unsigned width = heads[head - 0xc0].width;
	struct token token = {.type = heads[head - 0xc0].type, .after = pack->at + 1 + width};

	if ((size_t)(pack->end - pack->at) < 1 + width)
		return (struct token){.type = BAD};
	if (head == 0xc2 || head == 0xc3)
		token.number = head == 0xc3;
	else if (token.type != OTHER)
		token.number = read_big(pack->at + 1, width);
	/* extensions have a byte for their kind behind their size */
	if (head >= 0xc7 && head <= 0xc9)
		token.number++;
	return token;
}

static struct token read_token(const struct tacho__msgpack *pack)
{
	struct token token = {.type = BAD};
	uint8_t head;

	if (pack->at >= pack->end)
		return token;
	head = *pack->at;
	token.after = pack->at + 1;
	if (head < 0x80) {
		token.type = NUMBER;
		token.number = head;
	} else if (head < 0x90) {
		token.type = MAP;
		token.number = head & 15;
	} else if (head < 0xa0) {
		token.type = ARRAY;
		token.number = head & 15;
	} else if (head < 0xc0) {
		token.type = TEXT;
		token.number = head & 31;
	} else if (head < 0xe0) {
		token = read_long(pack, head);
	} else {
		token.type = OTHER; /* a negative number */
	}
	if ((token.type == TEXT || token.type == BYTES) &&
	    token.number > (uint64_t)(pack->end - token.after))
		token.type = BAD;
	return token;
}

static bool take(struct tacho__msgpack *pack, enum type type, uint64_t *out_number)
{
	struct token token = read_token(pack);

	if (token.type != type)
		return false;
	pack->at = token.after;
	*out_number = token.number;
	return true;
}

bool tacho__msgpack_map(struct tacho__msgpack *pack, uint32_t *out_count)
{
	uint64_t count;

	if (!take(pack, MAP, &count))
		return false;
	*out_count = (uint32_t)count;
	return true;
}

bool tacho__msgpack_array(struct tacho__msgpack *pack, uint32_t *out_count)
{
	uint64_t count;

	if (!take(pack, ARRAY, &count))
		return false;
	*out_count = (uint32_t)count;
	return true;
}

bool tacho__msgpack_text(struct tacho__msgpack *pack, const char **out_text, size_t *out_size)
{
	uint64_t size;

	if (!take(pack, TEXT, &size))
		return false;
	*out_text = (const char *)pack->at;
	*out_size = (size_t)size;
	pack->at += size;
	return true;
}

bool tacho__msgpack_number(struct tacho__msgpack *pack, uint64_t *out_number)
{
	return take(pack, NUMBER, out_number);
}

/* Each value that is still to come has a byte at least, so the sum cannot run away. */
bool tacho__msgpack_skip(struct tacho__msgpack *pack)
{
	uint64_t pending = 1;

	for (; pending; pending--) {
		struct token token = read_token(pack);

		if (token.type == BAD)
			return false;
		pack->at = token.after;
		if (token.type == TEXT || token.type == BYTES)
			pack->at += token.number;
		else if (token.type == ARRAY)
			pending += token.number;
		else if (token.type == MAP)
			pending += 2 * token.number;
		if (pending > (uint64_t)(pack->end - pack->at) + 1)
			return false;
	}
	return true;
}
