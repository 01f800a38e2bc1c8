/* SPDX-License-Identifier: MIT */
/*
 * Bitcode is a stream of bits: blocks of blocks and records. How records are laid out is told in
 * the stream by abbreviations, so those of a module have to be read to find its functions. What a
 * record of a function begins with is where its name lies in the string table, a block that
 * follows the module.
 */
#include "inject/opencl/bitcode.h"

#include <stdlib.h>
#include <string.h>

enum {
	OPS_MAX = 32, /* of an abbreviation; LLVM's longest of a module has 14 */
	ABBREVIATIONS_MAX = 32,
	WORD_BYTES = 4,
	MAGIC_BYTES = 4,
};

/* Ids of abbreviations that always mean the same. */
enum { END_BLOCK = 0, ENTER_BLOCK, DEFINE_ABBREVIATION, RECORD, FIRST_ABBREVIATION };

enum { BLOCK_MODULE = 8, BLOCK_IDENTIFICATION = 13, BLOCK_STRTAB = 23, BLOCK_SYMTAB = 25 };

/* Codes of records. */
enum { MODULE_VERSION = 1, MODULE_FUNCTION = 8, MODULE_ALIAS = 14, MODULE_IFUNC = 15 };
enum { STRTAB_BLOB = 1 };

enum encoding { LITERAL = 0, FIXED, VBR, ARRAY, CHAR6, BLOB };

struct op {
	enum encoding encoding;
	uint64_t value; /* of a literal, or a width in bits */
};

struct abbreviation {
	size_t count;
	struct op ops[OPS_MAX];
};

struct abbreviations {
	struct abbreviation list[ABBREVIATIONS_MAX];
	size_t count;
};

struct stream {
	const uint8_t *bytes;
	uint64_t at, end;	     /* bits */
	bool is_bad;		     /* something was read that is not there, or makes no sense */
	struct abbreviations *known; /* of the block whose records are read */
};

/* The first values of a record; all that is looked at lies there. */
struct record {
	uint64_t values[3]; /* the code, and two more */
	size_t count;
	const char *blob;
	size_t blob_size;
};

struct block {
	uint64_t id, end; /* bits */
	unsigned width;	  /* of ids of abbreviations */
};

struct names {
	const char *bytes;
	size_t size;
	tacho__bitcode_fn *fn;
	void *user;
	bool has_version;
};

/* 0 past the end, and then the stream is bad. */
static uint64_t read_bits(struct stream *stream, unsigned count)
{
	uint64_t value = 0;

	if (count > 64 || stream->is_bad || stream->end - stream->at < count) {
		stream->is_bad = true;
		return 0;
	}
	for (unsigned i = 0; i < count; i++, stream->at++)
		value |= (uint64_t)(stream->bytes[stream->at / 8] >> (stream->at % 8) & 1) << i;
	return value;
}

/* Chunks of `width` bits, the highest of which says that another one follows. */
static uint64_t read_vbr(struct stream *stream, unsigned width)
{
	uint64_t value = 0, more, chunk;
	unsigned shift = 0;

	if (width < 2 || width > 32) {
		stream->is_bad = true;
		return 0;
	}
	do {
		chunk = read_bits(stream, width);
		more = chunk >> (width - 1);
		chunk &= (UINT64_C(1) << (width - 1)) - 1;
		if (shift >= 64)
			stream->is_bad = true;
		else
			value |= chunk << shift;
		shift += width - 1;
	} while (more && !stream->is_bad);
	return value;
}

static void align(struct stream *stream)
{
	stream->at = (stream->at + 31) / 32 * 32;
	if (stream->at > stream->end)
		stream->is_bad = true;
}

/* After its id of abbreviation. */
static bool enter(struct stream *stream, struct block *out_block)
{
	uint64_t words;

	out_block->id = read_vbr(stream, 8);
	out_block->width = (unsigned)read_vbr(stream, 4);
	align(stream);
	words = read_bits(stream, 32);
	if (stream->is_bad || words > (stream->end - stream->at) / 32 || out_block->width < 2 ||
	    out_block->width > 32)
		return false;
	out_block->end = stream->at + words * 32;
	return true;
}

static void read_op(struct stream *stream, struct op *op)
{
	uint64_t value;

	if (read_bits(stream, 1)) {
		*op = (struct op){LITERAL, read_vbr(stream, 8)};
		return;
	}
	value = read_bits(stream, 3);
	*op = (struct op){(enum encoding)value, 0};
	if (value < FIXED || value > BLOB)
		stream->is_bad = true;
	if (value == FIXED || value == VBR) {
		op->value = read_vbr(stream, 5);
		if (!op->value)
			op->encoding = LITERAL; /* no bits: always 0 */
	}
}

static void define(struct stream *stream)
{
	struct abbreviation *abbreviation = &stream->known->list[stream->known->count];
	uint64_t count = read_vbr(stream, 5);

	if (stream->known->count == ABBREVIATIONS_MAX || !count || count > OPS_MAX) {
		stream->is_bad = true;
		return;
	}
	abbreviation->count = (size_t)count;
	for (size_t i = 0; i < count; i++)
		read_op(stream, &abbreviation->ops[i]);
	stream->known->count++;
}

static uint64_t read_scalar(struct stream *stream, const struct op *op)
{
	switch (op->encoding) {
	case LITERAL: return op->value;
	case FIXED: return read_bits(stream, (unsigned)op->value);
	case VBR: return read_vbr(stream, (unsigned)op->value);
	case CHAR6: return read_bits(stream, 6);
	default: stream->is_bad = true; return 0;
	}
}

static void add_value(struct record *record, uint64_t value)
{
	if (record->count < sizeof(record->values) / sizeof(record->values[0]))
		record->values[record->count] = value;
	record->count++;
}

static void read_blob(struct stream *stream, struct record *record)
{
	uint64_t size = read_vbr(stream, 6);

	align(stream);
	if (stream->is_bad || size > (stream->end - stream->at) / 8) {
		stream->is_bad = true;
		return;
	}
	record->blob = (const char *)stream->bytes + stream->at / 8;
	record->blob_size = (size_t)size;
	stream->at += size * 8;
	align(stream);
}

static void read_abbreviated(struct stream *stream, const struct abbreviation *abbreviation,
			     struct record *record)
{
	for (size_t i = 0; i < abbreviation->count && !stream->is_bad; i++) {
		const struct op *op = &abbreviation->ops[i];
		uint64_t size;

		if (op->encoding == BLOB) {
			read_blob(stream, record);
		} else if (op->encoding != ARRAY) {
			add_value(record, read_scalar(stream, op));
		} else if (++i < abbreviation->count) {
			size = read_vbr(stream, 6);
			op = &abbreviation->ops[i];
			/* elements without bits would make an endless array */
			if (op->encoding == LITERAL)
				stream->is_bad = true;
			while (size-- && !stream->is_bad)
				add_value(record, read_scalar(stream, op));
		} else {
			stream->is_bad = true;
		}
	}
}

static void read_plain(struct stream *stream, struct record *record)
{
	uint64_t count;

	add_value(record, read_vbr(stream, 6));
	count = read_vbr(stream, 6);
	while (count-- && !stream->is_bad)
		add_value(record, read_vbr(stream, 6));
}

/* False when there is no such. */
static bool read_by_id(struct stream *stream, uint64_t id, struct record *record)
{
	if (id == RECORD)
		read_plain(stream, record);
	else if (id - FIRST_ABBREVIATION < stream->known->count)
		read_abbreviated(stream, &stream->known->list[id - FIRST_ABBREVIATION], record);
	else
		stream->is_bad = true;
	return !stream->is_bad;
}

/* The next record of a block, without the blocks inside. False at the end, and when it is bad. */
static bool next(struct stream *stream, const struct block *block, struct record *out_record)
{
	struct block inner;
	uint64_t id;

	while (stream->at < block->end) {
		id = read_bits(stream, block->width);
		*out_record = (struct record){.count = 0};
		switch (id) {
		case END_BLOCK: return false;
		case DEFINE_ABBREVIATION: define(stream); break;
		case ENTER_BLOCK:
			stream->is_bad |= !enter(stream, &inner);
			if (!stream->is_bad)
				stream->at = inner.end;
			break;
		default: return read_by_id(stream, id, out_record);
		}
		if (stream->is_bad)
			return false;
	}
	stream->is_bad = true; /* no END_BLOCK */
	return false;
}

/* False when a record is not as it must be. */
static bool read_record(struct names *names, const struct record *record)
{
	uint64_t at = record->values[1], size = record->values[2];

	switch (record->values[0]) {
	case MODULE_VERSION: /* older ones have no string table */
		names->has_version = true;
		return record->count >= 2 && at == 2;
	case MODULE_FUNCTION:
	case MODULE_ALIAS:
	case MODULE_IFUNC:
		if (!names->has_version || record->count < 3 || at > names->size ||
		    size > names->size - at)
			return false;
		names->fn(names->bytes + at, (size_t)size, names->user);
		return true;
	default: return true;
	}
}

static bool read_module(struct stream stream, const struct block *block, struct names *names)
{
	struct record record;

	stream.known->count = 0;
	while (next(&stream, block, &record))
		if (!read_record(names, &record))
			return false;
	return !stream.is_bad && names->has_version;
}

static bool read_strtab(struct stream stream, const struct block *block, struct names *names)
{
	struct record record;

	stream.known->count = 0;
	while (next(&stream, block, &record))
		if (record.values[0] == STRTAB_BLOB && record.blob) {
			names->bytes = record.blob;
			names->size = record.blob_size;
			return true;
		}
	return false;
}

/* Finds a module and the string table behind it, and tells whether nothing else is there. */
static bool find_blocks(struct stream *stream, struct block *module, struct stream *in_module,
			struct names *names)
{
	struct block block = {.id = 0};
	bool has_module = false;

	for (;;) {
		if (read_bits(stream, 2) != ENTER_BLOCK || !enter(stream, &block))
			return false;
		switch (block.id) {
		case BLOCK_IDENTIFICATION:
		case BLOCK_SYMTAB: break;
		case BLOCK_MODULE:
			if (has_module)
				return false;
			has_module = true;
			*module = block;
			*in_module = *stream;
			break;
		case BLOCK_STRTAB:
			if (!has_module || !read_strtab(*stream, &block, names))
				return false;
			stream->at = block.end;
			return true;
		default: return false;
		}
		stream->at = block.end;
	}
}

/* Several modules can be written one behind the other; only the first has a magic. */
static bool another_follows(struct stream stream)
{
	struct block block;

	return read_bits(&stream, 2) == ENTER_BLOCK && enter(&stream, &block) &&
	       (block.id == BLOCK_IDENTIFICATION || block.id == BLOCK_MODULE);
}

bool tacho__bitcode_is(const uint8_t *bytes, size_t size)
{
	static const uint8_t magic[MAGIC_BYTES] = {'B', 'C', 0xC0, 0xDE};

	return size >= MAGIC_BYTES && !memcmp(bytes, magic, MAGIC_BYTES);
}

bool tacho__bitcode_functions(const uint8_t *bytes, size_t size, tacho__bitcode_fn *fn, void *user,
			      size_t *out_size)
{
	struct stream stream = {.bytes = bytes, .at = MAGIC_BYTES * 8}, in_module;
	struct names names = {.fn = fn, .user = user};
	struct block module;
	bool worked = false;

	if (!tacho__bitcode_is(bytes, size) || size > UINT64_MAX / 8)
		return false;
	stream.end = (uint64_t)(size / WORD_BYTES * WORD_BYTES) * 8;
	stream.known = malloc(sizeof(*stream.known));
	if (stream.known && find_blocks(&stream, &module, &in_module, &names) &&
	    !another_follows(stream) && read_module(in_module, &module, &names)) {
		*out_size = (size_t)(stream.at / 8);
		worked = true;
	}
	free(stream.known);
	return worked;
}
