/* SPDX-License-Identifier: MIT */
/* Files as bytes that can be read: from the disk, unpacked, and UTF-16 made UTF-8. */
#include "format/foreign/foreign_bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fs.h"

enum { ROOM = 64 * 1024 };

/* Bytes between two steps; what was taken is before `at`. */
struct stage {
	unsigned char bytes[ROOM];
	size_t at, size;
	bool is_end; /* nothing comes behind them */
};

enum encoding { UTF8, UTF16_LITTLE, UTF16_BIG };

struct tacho__foreign_bytes {
	int fd;
	char *path;
	uint64_t offset;
	struct tacho__foreign_unpack *unpack; /* NULL: it is not packed */
	bool is_between;		      /* behind a whole packed stream */
	enum encoding encoding;
	uint32_t high; /* the first half of a character in UTF-16; 0: none */
	struct stage raw, plain;
};

static size_t left(const struct stage *stage)
{
	return stage->size - stage->at;
}

/* Moves what is left to the front. */
static void make_room(struct stage *stage)
{
	memmove(stage->bytes, stage->bytes + stage->at, left(stage));
	stage->size -= stage->at;
	stage->at = 0;
}

static int fill_raw(struct tacho__foreign_bytes *bytes)
{
	struct stage *raw = &bytes->raw;
	size_t got;
	int error;

	make_room(raw);
	if (raw->is_end || raw->size == ROOM)
		return 0;
	error = tacho__fs_read_at(bytes->fd, raw->bytes + raw->size, ROOM - raw->size,
				  bytes->offset, &got);
	if (error)
		return tacho__fs_fail(error, "read", bytes->path);
	bytes->offset += got;
	raw->size += got;
	raw->is_end = got == 0;
	return 0;
}

static int fail_cut(const struct tacho__foreign_bytes *bytes)
{
	return tacho__fail(TACHO_E_PARSE,
			   tacho__detail("it has %llu bytes", (unsigned long long)bytes->offset),
			   "copy the file again, or let the tool write it again",
			   "%s ends in the middle of its packed bytes", bytes->path);
}

/* A step of unpacking. PARSE: it needs bytes that the file does not have. */
static int unpack_some(struct tacho__foreign_bytes *bytes)
{
	struct stage *raw = &bytes->raw, *plain = &bytes->plain;
	size_t used, made;
	bool is_end = false;
	int rc;

	if (bytes->is_between && !left(raw) && raw->is_end) {
		plain->is_end = true;
		return 0;
	}
	rc = tacho__foreign_unpack_some(bytes->unpack, raw->bytes + raw->at, left(raw),
					plain->bytes + plain->size, ROOM - plain->size, &used,
					&made, &is_end);
	if (rc == TACHO_E_PARSE)
		rc = tacho__fail(rc, tacho__detail("%s", tacho_error_last()->cause),
				 "copy the file again, or let the tool write it again",
				 "the packed bytes of %s are damaged", bytes->path);
	raw->at += used;
	plain->size += made;
	if (used || made)
		bytes->is_between = is_end;
	if (!rc && !used && !made && raw->is_end && plain->size < ROOM)
		rc = fail_cut(bytes);
	return rc;
}

static void copy_some(struct tacho__foreign_bytes *bytes)
{
	struct stage *raw = &bytes->raw, *plain = &bytes->plain;
	size_t size = left(raw) < ROOM - plain->size ? left(raw) : ROOM - plain->size;

	memcpy(plain->bytes + plain->size, raw->bytes + raw->at, size);
	raw->at += size;
	plain->size += size;
	plain->is_end = raw->is_end && !left(raw);
}

/* At least one more plain byte, or the end of them. */
static int fill_plain(struct tacho__foreign_bytes *bytes)
{
	struct stage *plain = &bytes->plain;
	size_t had;
	int rc = 0;

	make_room(plain);
	had = plain->size;
	while (!rc && plain->size == had && !plain->is_end) {
		rc = fill_raw(bytes);
		if (!rc && bytes->unpack)
			rc = unpack_some(bytes);
		else if (!rc)
			copy_some(bytes);
	}
	return plain->size > had ? 0 : rc; /* what failed fails again behind these */
}

/* ---- UTF-16 ---- */

static uint32_t take_unit(struct tacho__foreign_bytes *bytes)
{
	const unsigned char *at = bytes->plain.bytes + bytes->plain.at;

	bytes->plain.at += 2;
	return bytes->encoding == UTF16_BIG ? (uint32_t)at[0] << 8 | at[1]
					    : (uint32_t)at[1] << 8 | at[0];
}

/* One character from units; 0: it was the first half of one. */
static uint32_t take_character(struct tacho__foreign_bytes *bytes)
{
	uint32_t unit = take_unit(bytes), high = bytes->high;

	bytes->high = 0;
	if (unit >= 0xd800 && unit < 0xdc00) {
		bytes->high = unit;
		return high ? 0xfffd : 0;
	}
	if (unit >= 0xdc00 && unit < 0xe000)
		return high ? 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00) : 0xfffd;
	return unit;
}

static size_t put_character(unsigned char *out, uint32_t character)
{
	if (character < 0x80) {
		out[0] = (unsigned char)character;
		return 1;
	}
	if (character < 0x800) {
		out[0] = (unsigned char)(0xc0 | character >> 6);
		out[1] = (unsigned char)(0x80 | (character & 0x3f));
		return 2;
	}
	if (character < 0x10000) {
		out[0] = (unsigned char)(0xe0 | character >> 12);
		out[1] = (unsigned char)(0x80 | (character >> 6 & 0x3f));
		out[2] = (unsigned char)(0x80 | (character & 0x3f));
		return 3;
	}
	out[0] = (unsigned char)(0xf0 | character >> 18);
	out[1] = (unsigned char)(0x80 | (character >> 12 & 0x3f));
	out[2] = (unsigned char)(0x80 | (character >> 6 & 0x3f));
	out[3] = (unsigned char)(0x80 | (character & 0x3f));
	return 4;
}

static size_t decode(struct tacho__foreign_bytes *bytes, unsigned char *out, size_t room)
{
	size_t size = 0;

	while (left(&bytes->plain) >= 2 && room - size >= 4) {
		uint32_t character = take_character(bytes);

		if (character)
			size += put_character(out + size, character);
	}
	return size;
}

/* ---- reading ---- */

/* Of a file that is as it was meant, straight from the disk, once what was looked at is given. */
static int read_straight(struct tacho__foreign_bytes *bytes, void *into, size_t room,
			 size_t *out_got)
{
	int error = tacho__fs_read_at(bytes->fd, into, room, bytes->offset, out_got);

	bytes->offset += *out_got;
	bytes->raw.is_end = bytes->plain.is_end = !error && !*out_got;
	return error ? tacho__fs_fail(error, "read", bytes->path) : 0;
}

int tacho__foreign_bytes_read(struct tacho__foreign_bytes *bytes, void *into, size_t room,
			      size_t *out_got)
{
	struct stage *plain = &bytes->plain;
	int rc = 0;

	*out_got = 0;
	if (!bytes->unpack && bytes->encoding == UTF8 && !left(plain) && !left(&bytes->raw) &&
	    !plain->is_end)
		return read_straight(bytes, into, room, out_got);
	while (!rc && !*out_got) {
		if (!left(plain) || (bytes->encoding != UTF8 && left(plain) < 2)) {
			if (plain->is_end)
				return 0;
			rc = fill_plain(bytes);
		} else if (bytes->encoding != UTF8) {
			*out_got = decode(bytes, into, room);
		} else {
			*out_got = left(plain) < room ? left(plain) : room;
			memcpy(into, plain->bytes + plain->at, *out_got);
			plain->at += *out_got;
		}
	}
	return rc;
}

/* By the mark at its front, which is no part of the text. */
static void find_encoding(struct tacho__foreign_bytes *bytes)
{
	struct stage *plain = &bytes->plain;
	const unsigned char *head = plain->bytes;

	if (plain->size >= 2 && head[0] == 0xff && head[1] == 0xfe)
		bytes->encoding = UTF16_LITTLE;
	else if (plain->size >= 2 && head[0] == 0xfe && head[1] == 0xff)
		bytes->encoding = UTF16_BIG;
	if (bytes->encoding != UTF8)
		plain->at = 2;
	else if (plain->size >= 3 && !memcmp(head, "\xef\xbb\xbf", 3))
		plain->at = 3;
}

static int begin(struct tacho__foreign_bytes *bytes)
{
	int rc;

	bytes->fd = open(bytes->path, O_RDONLY | O_CLOEXEC);
	if (bytes->fd < 0)
		return tacho__fs_fail(errno, "open", bytes->path);
	rc = fill_raw(bytes);
	if (!rc)
		rc = tacho__foreign_unpack_open(bytes->raw.bytes, bytes->raw.size, &bytes->unpack);
	if (!rc)
		rc = fill_plain(bytes);
	if (!rc)
		find_encoding(bytes);
	return rc;
}

int tacho__foreign_bytes_open(const char *path, struct tacho__foreign_bytes **out_bytes)
{
	struct tacho__foreign_bytes *bytes = calloc(1, sizeof(*bytes));
	int rc;

	if (!bytes)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", path);
	bytes->fd = -1;
	bytes->path = strdup(path);
	rc = bytes->path ? begin(bytes)
			 : tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", path);
	if (rc)
		tacho__foreign_bytes_close(bytes);
	else
		*out_bytes = bytes;
	return rc;
}

void tacho__foreign_bytes_close(struct tacho__foreign_bytes *bytes)
{
	if (!bytes)
		return;
	tacho__foreign_unpack_close(bytes->unpack);
	if (bytes->fd >= 0)
		close(bytes->fd);
	free(bytes->path);
	free(bytes);
}
