/* SPDX-License-Identifier: MIT */
/*
 * The marks of a lane in a store, as they are and merged ever more coarsely, so that a browser
 * reads few of them however much time it shows. A level is a row of chunks of marks sorted by
 * start; the finest level has what the page knows, the coarsest is small and not compressed.
 *
 * A chunk is columns of numbers, one behind the other, each number a varint (base/varint.h):
 *
 *   start    after the one before; the first one after the chunk's
 *   time     from start to end
 *   name     number of a name
 *   flags    enum tacho__html_mark_flag
 *   row      of marks that overlap, in levels that are not merged
 *   call     position of the call in the recording, folded difference to the one before
 *   text     number of what is told of it, 0: nothing; many tell the same
 *   wait     from being queued to the start
 *   bytes    that a transfer moved, plus one; 0: not known, or no transfer
 *   count, busy, failed   of marks with the flag MANY only: how many it stands for, the sum of
 *            their times, how many of them failed
 */
#ifndef TACHO_FORMAT_HTML_HTML_LEVELS_H
#define TACHO_FORMAT_HTML_HTML_LEVELS_H

#include <stdio.h>

#include "format/html/html_lanes.h"
#include "format/html/html_store.h"

enum { TACHO__HTML_CHUNK_MARKS = 4096, TACHO__HTML_ROWS_OVERLAPPED = 4 };

struct tacho__html_chunk {
	struct tacho__html_piece piece;
	uint64_t from_ns;	      /* where its first mark starts */
	uint64_t reach_ns;	      /* the latest end */
	uint64_t call_low, call_high; /* of its marks */
	size_t count;
};

struct tacho__html_level {
	uint64_t cell_ns; /* 0: nothing is merged */
	bool is_packed;
	struct tacho__html_chunk *chunks;
	size_t count, capacity;
	size_t marks;
};

/* Gives each mark of a complete lane that is not merged its row; returns how many there are. */
unsigned tacho__html_lane_place(struct tacho__html_lane *lane);
/* The marks of a complete lane. NOMEM. */
int tacho__html_level_write(struct tacho__html_store *store, const struct tacho__html_lane *lane,
			    bool is_packed, struct tacho__html_level *out_level);
/* As JSON: [from, reach, marks, least call, largest call, where it stands, characters]. */
void tacho__html_chunk_put(FILE *stream, const struct tacho__html_chunk *chunk, uint64_t first_ns);
void tacho__html_level_finish(struct tacho__html_level *level);

#endif
