/* SPDX-License-Identifier: MIT */
/*
 * What is told of single calls and commands: texts, numbered from 1 in the order in which they
 * come. They go to the page's store as they come, so that memory holds them compressed only. A
 * piece is a list of JSON with TACHO__HTML_DETAILS_OF_PIECE of them.
 */
#ifndef TACHO_FORMAT_HTML_HTML_DETAILS_H
#define TACHO_FORMAT_HTML_HTML_DETAILS_H

#include <stdint.h>

#include "format/html/html_store.h"

enum { TACHO__HTML_DETAILS_OF_PIECE = 1024 };

/* A piece, and how often there was room for a text up to its end. */
struct tacho__html_details_piece {
	struct tacho__html_piece piece;
	uint64_t taken;
};

struct tacho__html_details {
	struct tacho__html_store *store; /* nobody else adds to it meanwhile */
	size_t limit;			 /* characters of the store that they may fill */
	uint64_t taken;			 /* how often there was room for a text, "" among them */
	uint32_t count;			 /* of all texts */
	struct tacho__buf list;		 /* the piece that is being made */
	struct tacho__html_details_piece *pieces;
	size_t piece_count, capacity;
};

/* Whether another one may come, which then does. */
bool tacho__html_details_take_room(struct tacho__html_details *details);
/* "" has no number: 0. NOMEM. */
int tacho__html_details_add(struct tacho__html_details *details, const char *text,
			    uint32_t *out_number);
/* The last piece. NOMEM. */
int tacho__html_details_complete(struct tacho__html_details *details);
/*
 * Of complete ones: forgets what would have found no room, had the limit been this, and returns for
 * how many there was room too much. Numbers beyond the count have no text any more.
 */
uint64_t tacho__html_details_cut(struct tacho__html_details *details, size_t limit);
void tacho__html_details_finish(struct tacho__html_details *details);

#endif
