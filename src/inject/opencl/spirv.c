/* SPDX-License-Identifier: MIT */
#include "inject/opencl/spirv.h"

#include <string.h>

enum {
	MAGIC = 0x07230203,
	HEADER_WORDS = 5,
	SETS_MAX = 8, /* of extended instructions; OpenCL knows one, and those for debuggers */
};

enum opcode {
	OP_LINE = 8,
	OP_EXT_INST_IMPORT = 11,
	OP_EXT_INST = 12,
	OP_ENTRY_POINT = 15,
	OP_FUNCTION = 54,
	OP_FUNCTION_END = 56,
	OP_DECORATE = 71,
	OP_NO_LINE = 317,
};

enum { MODEL_KERNEL = 6, DECORATION_LINKAGE = 41, OPENCL_STD_PRINTF = 184 };

struct reader {
	const uint8_t *bytes;
	const char *kernel;
	uint32_t sets[SETS_MAX]; /* ids of OpenCL.std */
	size_t set_count;
	struct tacho__spirv spirv;
};

/* One instruction; its words follow in `bytes`. */
struct instruction {
	const uint8_t *bytes;
	uint32_t opcode, words;
};

static uint32_t word(const uint8_t *bytes, size_t index)
{
	uint32_t value;

	memcpy(&value, bytes + index * sizeof(value), sizeof(value));
	return value;
}

bool tacho__spirv_is(const uint8_t *bytes, size_t size)
{
	return size >= HEADER_WORDS * 4 && word(bytes, 0) == MAGIC &&
	       (word(bytes, 1) & 0xff0000ff) == 0 && word(bytes, 1) >> 16 == 1 &&
	       word(bytes, 4) == 0;
}

/* The text that begins at a word; NULL when it does not end inside the instruction. */
static const char *text(const struct instruction *one, uint32_t at)
{
	const char *begin = (const char *)one->bytes + (size_t)at * 4;

	if (at >= one->words || !memchr(begin, '\0', (size_t)(one->words - at) * 4))
		return NULL;
	return begin;
}

static bool read_import(struct reader *reader, const struct instruction *one)
{
	const char *name = text(one, 2);

	if (!name)
		return false;
	if (strstr(name, "Printf")) /* NonSemantic.DebugPrintf */
		reader->spirv.prints = true;
	if (strcmp(name, "OpenCL.std") != 0)
		return true;
	if (reader->set_count == SETS_MAX)
		return false;
	reader->sets[reader->set_count++] = word(one->bytes, 1);
	return true;
}

static bool read_extended(struct reader *reader, const struct instruction *one)
{
	if (one->words < 5)
		return false;
	for (size_t i = 0; i < reader->set_count; i++)
		if (word(one->bytes, 3) == reader->sets[i] &&
		    word(one->bytes, 4) == OPENCL_STD_PRINTF)
			reader->spirv.prints = true;
	return true;
}

/* A function that is linked in from elsewhere. */
static bool read_decoration(struct reader *reader, const struct instruction *one)
{
	const char *name;

	if (one->words < 4 || word(one->bytes, 2) != DECORATION_LINKAGE)
		return one->words >= 3;
	name = text(one, 3);
	if (name && strstr(name, "printf"))
		reader->spirv.prints = true;
	return name != NULL;
}

static bool read_entry(struct reader *reader, const struct instruction *one)
{
	const char *name = text(one, 3);

	if (!name)
		return false;
	if (word(one->bytes, 1) == MODEL_KERNEL &&
	    (!reader->kernel || !strcmp(name, reader->kernel)))
		reader->spirv.has_kernel = true;
	return true;
}

static bool read_one(struct reader *reader, const struct instruction *one)
{
	switch (one->opcode) {
	case OP_EXT_INST_IMPORT: return read_import(reader, one);
	case OP_EXT_INST: return read_extended(reader, one);
	case OP_DECORATE: return read_decoration(reader, one);
	case OP_ENTRY_POINT: return read_entry(reader, one);
	default: return true;
	}
}

/* Functions are a module's last part: what follows them and is none is no part of it. */
static bool is_behind(uint32_t last, uint32_t opcode)
{
	return last == OP_FUNCTION_END && opcode != OP_FUNCTION && opcode != OP_LINE &&
	       opcode != OP_NO_LINE && opcode != OP_EXT_INST;
}

bool tacho__spirv_read(const uint8_t *bytes, size_t size, const char *kernel,
		       struct tacho__spirv *out_spirv)
{
	struct reader reader = {.bytes = bytes, .kernel = kernel};
	size_t at = HEADER_WORDS, count = size / 4;
	uint32_t last = 0;

	if (!tacho__spirv_is(bytes, size))
		return false;
	while (at < count) {
		uint32_t first = word(bytes, at);
		struct instruction one = {bytes + at * 4, first & 0xffff, first >> 16};

		if (is_behind(last, one.opcode))
			break;
		if (!one.words || one.words > count - at || !read_one(&reader, &one))
			return false;
		if (one.opcode != OP_LINE && one.opcode != OP_NO_LINE && one.opcode != OP_EXT_INST)
			last = one.opcode;
		at += one.words;
	}
	if (last != OP_FUNCTION_END)
		return false; /* cut off */
	reader.spirv.size = at * 4;
	*out_spirv = reader.spirv;
	return true;
}
