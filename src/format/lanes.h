/* SPDX-License-Identifier: MIT */
/*
 * Where intervals of one owner are drawn, so that none is cut by another: each is placed on a lane.
 *
 * The owner is a queue, whose commands never contain each other: on one lane no two overlap. Or it
 * is a thread, whose calls arrive in the order in which they end and may contain others: on one
 * lane two intervals are apart or one contains the other.
 *
 * A lane is written as two marks per interval, begin and end, in the order of arrival, and read
 * sorted by time, marks of one time in the order in which they were written. So two intervals of a
 * thread that begin at the same time cannot share a lane when the one that contains the other
 * arrives last, as it would be read as the inner one.
 *
 * An interval that is known before it ends can be opened: its begin mark is written then, and what
 * lies in it finds room on its lane however much that is.
 *
 * Memory is bounded: a lane remembers its last outermost intervals, TACHO__LANE_SPANS or half as
 * many, and takes nothing that begins before the end of a forgotten one.
 */
#ifndef TACHO_FORMAT_LANES_H
#define TACHO_FORMAT_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TACHO__LANE_SPANS = 512, TACHO__LANES_MAX = 256, TACHO__LANE_OPEN_MAX = 128 };

struct tacho__lane {
	struct tacho__lane_span {
		uint64_t start_ns, end_ns;
	} spans[TACHO__LANE_SPANS]; /* apart from each other, in order */
	size_t count;
	uint64_t floor_ns;			/* the end of the last one that was forgotten */
	uint64_t open_ns[TACHO__LANE_OPEN_MAX]; /* starts of those that are open, each in the one
						   before */
	size_t open_count;
};

/* {.nests = ...} has no lane yet. */
struct tacho__lanes {
	bool nests; /* the owner is a thread */
	struct tacho__lane *all;
	size_t count, capacity;
};

void tacho__lanes_finish(struct tacho__lanes *lanes);

/*
 * The first lane that has room for the interval, which is then taken; a new one when none has.
 * TACHO__LANES_MAX when there are so many already, and nothing is taken. start_ns <= end_ns. NOMEM.
 */
int tacho__lanes_place(struct tacho__lanes *lanes, uint64_t start_ns, uint64_t end_ns,
		       size_t *out_lane);

/*
 * The same for one of a thread that has not ended: it lies in those that are open on its lane, or
 * it gets another one.
 */
int tacho__lanes_open(struct tacho__lanes *lanes, uint64_t start_ns, size_t *out_lane);
/* The last one that was opened on the lane has ended. */
void tacho__lanes_close(struct tacho__lanes *lanes, size_t lane, uint64_t end_ns);

#endif
