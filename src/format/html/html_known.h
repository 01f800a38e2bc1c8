/* SPDX-License-Identifier: MIT */
/*
 * Texts that were told before: most programs make the same calls over and over, and the page has
 * each text once. Found by a key, by which texts are known to be the same before they are made. Old
 * ones are forgotten, which only costs room: so memory and time are bounded whatever a recording
 * holds.
 */
#ifndef TACHO_FORMAT_HTML_HTML_KNOWN_H
#define TACHO_FORMAT_HTML_HTML_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TACHO__HTML_KNOWN_BYTES = 112 }; /* of a key; those of longer ones are never known */

/* Bytes, and the number of what they are of: calls of one function, for one. */
struct tacho__html_key {
	uint64_t of;
	const void *bytes; /* borrowed */
	size_t size;
};

struct tacho__html_known_table;

/* {0} is an empty one. */
struct tacho__html_known {
	struct tacho__html_known_table *table;
};

void tacho__html_known_finish(struct tacho__html_known *known);
bool tacho__html_known_find(const struct tacho__html_known *known,
			    const struct tacho__html_key *key, uint32_t *out_number);
/* One that was not found. NOMEM. */
int tacho__html_known_add(struct tacho__html_known *known, const struct tacho__html_key *key,
			  uint32_t number);

#endif
