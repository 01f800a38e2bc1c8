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

struct tacho__html_details {
	struct tacho__html_store *store;
	size_t limit;		/* characters of the store that they may fill */
	uint32_t count;		/* of all texts */
	struct tacho__buf list; /* the piece that is being made */
	struct tacho__html_piece *pieces;
	size_t piece_count, capacity;
};

/* Whether another one may come. */
bool tacho__html_details_have_room(const struct tacho__html_details *details);
/* "" has no number: 0. NOMEM. */
int tacho__html_details_add(struct tacho__html_details *details, const char *text,
			    uint32_t *out_number);
/* The last piece. NOMEM. */
int tacho__html_details_complete(struct tacho__html_details *details);
void tacho__html_details_finish(struct tacho__html_details *details);

#endif
