/* SPDX-License-Identifier: MIT */
/*
 * JSON of any size, read piece by piece: each step gives the next piece of the text, in the order
 * of the file, and memory does not grow with it. Numbers stay text, so that none of their digits is
 * lost. What other tools write though no grammar has it is taken: a comma before the end of a list,
 * "NaN" and "Infinity" as numbers, a backslash before any character, several values one behind the
 * other.
 *
 *	while (!(rc = tacho__foreign_json_next(&json, &piece)) && piece != TACHO__FOREIGN_JSON_END)
 *		...
 */
#ifndef TACHO_FORMAT_FOREIGN_FOREIGN_JSON_H
#define TACHO_FORMAT_FOREIGN_FOREIGN_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "format/foreign/foreign_bytes.h"

enum {
	TACHO__FOREIGN_JSON_DEPTH_MAX = 64, /* of pieces; what is skipped may be deeper */
	TACHO__FOREIGN_TOKEN_MAX = 1024 * 1024,
};

enum tacho__foreign_json_piece {
	TACHO__FOREIGN_JSON_END, /* of the file */
	TACHO__FOREIGN_JSON_OBJECT,
	TACHO__FOREIGN_JSON_OBJECT_END,
	TACHO__FOREIGN_JSON_ARRAY,
	TACHO__FOREIGN_JSON_ARRAY_END,
	TACHO__FOREIGN_JSON_KEY,    /* with text; the value is next */
	TACHO__FOREIGN_JSON_STRING, /* with text */
	TACHO__FOREIGN_JSON_NUMBER, /* with text, which begins like a number; perhaps it is none */
	TACHO__FOREIGN_JSON_TRUE,
	TACHO__FOREIGN_JSON_FALSE,
	TACHO__FOREIGN_JSON_NULL,
};

struct tacho__foreign_json {
	/* Of the last piece, ended by a zero, in UTF-8; borrowed until the next one is asked for.
	 */
	const char *text;
	size_t text_size;
	unsigned depth; /* of objects and arrays that are open */
	/* An error is that the file ends early, or can not be unpacked any further: all pieces
	 * before that were given. */
	bool is_cut;
	/* Characters that are none: bytes that are no UTF-8 have become "?", halves of pairs and
	 * zeros U+FFFD, and backslashes before what they do not go with have stayed. */
	uint64_t mended;

	char *path; /* of the file */

	/* private */
	struct tacho__foreign_bytes *bytes;
	char *buffer;		   /* zeros behind its end */
	size_t at, size, capacity; /* what comes next */
	uint64_t offset;	   /* of the buffer in the file */
	size_t held_at;		   /* where a zero ends the last text, */
	char held;		   /* instead of this, when it is not 0 */
	bool is_end;		   /* of the file: nothing comes behind the buffer */
	bool is_after, is_member;  /* a value has ended; a key waits for one */
	bool is_object[TACHO__FOREIGN_JSON_DEPTH_MAX];
};

/* NOTFOUND, PERM, IO, NOMEM; UNSUPPORTED: the library that unpacks is missing. */
int tacho__foreign_json_open(struct tacho__foreign_json *json, const char *path);
void tacho__foreign_json_close(struct tacho__foreign_json *json);
/* The next piece. IO, NOMEM; PARSE with the place: it is no JSON, is too deep or too long, or, then
 * is_cut is set, ends early. After an error nothing more is read. */
int tacho__foreign_json_next(struct tacho__foreign_json *json,
			     enum tacho__foreign_json_piece *out_piece);
/*
 * Skips the rest of the object or array that is the last piece, or the whole value of the key that
 * it is; nothing for other pieces. Quicker than all its pieces. Errors are those of
 * tacho__foreign_json_next().
 */
int tacho__foreign_json_skip(struct tacho__foreign_json *json, enum tacho__foreign_json_piece last);
/* Bytes of the unpacked file before what comes next. */
uint64_t tacho__foreign_json_offset(const struct tacho__foreign_json *json);
/* Whether the last piece's text is this. Here, because each member of each event is asked. */
static inline bool tacho__foreign_json_is(const struct tacho__foreign_json *json, const char *text)
{
	size_t size = strlen(text);

	return json->text_size == size && !memcmp(json->text, text, size);
}

#endif
