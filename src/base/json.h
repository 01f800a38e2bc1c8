/* SPDX-License-Identifier: MIT */
/* JSON: a reader for small files of our own making that trusts nothing. The writer is public (sys).
 */
#ifndef TACHO_BASE_JSON_H
#define TACHO_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum tacho__json_type {
	TACHO__JSON_NULL,
	TACHO__JSON_BOOL,
	TACHO__JSON_NUMBER,
	TACHO__JSON_STRING,
	TACHO__JSON_ARRAY,
	TACHO__JSON_OBJECT,
};

struct tacho__json {
	enum tacho__json_type type;
	bool boolean;
	double number;
	int64_t integer; /* the number when it is one, else 0 */
	bool is_whole;	 /* written with digits only, and not more than 2^64-1: then in `whole` */
	uint64_t whole;
	const char *string;
	const char *key;	   /* of a member, else NULL */
	struct tacho__json *first; /* of an array or object */
	struct tacho__json *next;  /* sibling */
};

/* Parses all of `text`. TACHO_E_PARSE with line and column. Owned by the arena. */
int tacho__json_parse(struct tacho__arena *arena, const char *text, size_t size,
		      struct tacho__json **out_json);

/* Members of an object, NULL or the default when missing or of another type; json may be NULL. */
const struct tacho__json *tacho__json_get(const struct tacho__json *json, const char *key);
const char *tacho__json_string(const struct tacho__json *json, const char *key,
			       const char *otherwise);
int64_t tacho__json_integer(const struct tacho__json *json, const char *key, int64_t otherwise);
/* The position of a string in a list of words; -1 when it is none of them. */
int tacho__json_word(const struct tacho__json *json, const char *key, const char *const *words,
		     size_t count);
/* The first item of an array, NULL when it is empty. */
const struct tacho__json *tacho__json_items(const struct tacho__json *json, const char *key,
					    size_t *out_count);

#endif
