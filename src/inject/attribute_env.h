/* SPDX-License-Identifier: MIT */
/* Attributes of an object: "key=value" lines in a buffer of their own, without allocation. */
#ifndef TACHO_INJECT_ATTRIBUTE_ENV_H
#define TACHO_INJECT_ATTRIBUTE_ENV_H

#include <stddef.h>

enum { TACHO__ATTRIBUTES_MAX = 4096 };

/* {0} is empty; text is always terminated. */
struct tacho__attributes {
	char text[TACHO__ATTRIBUTES_MAX];
	size_t size;
};

/* Adds a line; control characters in it become blanks. A line that does not fit is left out. */
void tacho__attributes_add(struct tacho__attributes *attributes, const char *key,
			   const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
