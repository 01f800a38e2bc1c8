/* SPDX-License-Identifier: MIT */
/*
 * What is told of single calls and commands: texts, numbered from 1 in the order in which they
 * come. They go to the page's store as they come, so that memory holds them compressed only. A
 * piece is a list of JSON with TACHO__HTML_DETAILS_OF_PIECE of them. What was told lately is not
 * told again: it has its number already.
 */
#ifndef TACHO_FORMAT_HTML_HTML_DETAILS_H
#define TACHO_FORMAT_HTML_HTML_DETAILS_H

#include <stdint.h>

#include "format/html/html_known.h"
#include "format/html/html_store.h"

enum { TACHO__HTML_DETAILS_OF_PIECE = 1024 };

struct tacho__html_details {
	struct tacho__html_store *store; /* nobody else adds to it meanwhile */
	size_t limit;			 /* characters of the store that they may fill */
	uint32_t count;			 /* of all texts */
	struct tacho__html_known known;
	struct tacho__buf list; /* the piece that is being made */
	struct tacho__html_piece *pieces;
	size_t piece_count, capacity;
};

bool tacho__html_details_have_room(const struct tacho__html_details *details);
/* Whether the text of this key was told, and its number: 0 when it was "". */
bool tacho__html_details_find(const struct tacho__html_details *details,
			      const struct tacho__html_key *key, uint32_t *out_number);
/* One that was not found, whose text is this. "" has no number: 0. NOMEM. */
int tacho__html_details_add(struct tacho__html_details *details, const struct tacho__html_key *key,
			    const char *text, uint32_t *out_number);
/* The last piece. NOMEM. */
int tacho__html_details_complete(struct tacho__html_details *details);
/*
 * Of complete ones: forgets pieces that begin where this limit is reached. Numbers beyond the count
 * have no text any more.
 */
void tacho__html_details_cut(struct tacho__html_details *details, size_t limit);
void tacho__html_details_finish(struct tacho__html_details *details);

#endif
