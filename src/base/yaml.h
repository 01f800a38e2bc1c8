/* SPDX-License-Identifier: MIT */
/* YAML as a tree that knows its lines and columns. Trusts nothing: size, depth and aliases are
 * bounded. */
#ifndef TACHO_BASE_YAML_H
#define TACHO_BASE_YAML_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum tacho__yaml_type {
	TACHO__YAML_SCALAR,
	TACHO__YAML_SEQUENCE,
	TACHO__YAML_MAPPING,
};

struct tacho__yaml {
	enum tacho__yaml_type type;
	uint32_t line, column; /* from 1; columns are characters */
	uint8_t is_quoted;
	const char *text; /* of a scalar, ends with NUL; "" otherwise */
	size_t size;
	const char *key; /* of a member of a mapping, else NULL; keys that are no scalars: PARSE */
	uint32_t key_line, key_column;
	struct tacho__yaml *first, *next; /* children, siblings */
};

/*
 * Parses the first document. A key that occurs twice in a mapping is there twice. PARSE with
 * `name`, line and column in the message; NOMEM. Owned by the arena.
 */
int tacho__yaml_parse(struct tacho__arena *arena, const char *name, const char *text, size_t size,
		      const struct tacho__yaml **out_root);
/* The same for a file of at most `max` bytes: as tacho__fs_read(), too. */
int tacho__yaml_read(struct tacho__arena *arena, const char *path, size_t max,
		     const struct tacho__yaml **out_root);

/* How many children it has; 0 for NULL. */
size_t tacho__yaml_count(const struct tacho__yaml *node);
/* The first member of this key, or NULL; NULL for what is no mapping and for NULL. */
const struct tacho__yaml *tacho__yaml_get(const struct tacho__yaml *mapping, const char *key);
/* The first child of the member of this key; NULL for none. */
const struct tacho__yaml *tacho__yaml_first(const struct tacho__yaml *mapping, const char *key);
/* Text of a scalar member, or `otherwise`. */
const char *tacho__yaml_string(const struct tacho__yaml *mapping, const char *key,
			       const char *otherwise);
/* A whole number, decimal or 0x; 0 when it is one, INVAL when not. */
int tacho__yaml_number(const struct tacho__yaml *scalar, uint64_t *out_number);

#endif
