/* SPDX-License-Identifier: MIT */
/*
 * The lanes of a timeline: marks with a start and an end, as many as arrive, in bounded memory. A
 * lane keeps each mark as it is while they are few. When they are more than its limit, neighbours
 * that are short are merged: those that begin in the same cell of time, where the cells have the
 * smallest size, a power of two, that makes the lane fit. What is longer than a cell stays alone.
 */
#ifndef TACHO_FORMAT_HTML_HTML_LANES_H
#define TACHO_FORMAT_HTML_HTML_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TACHO__HTML_CELLS = 63 }; /* sizes of cells; the largest takes what is longer, too */

enum tacho__html_mark_flag {
	TACHO__MARK_FAILED = 1,
	TACHO__MARK_JOINED = 2, /* a call and the command that it gave have each other's `call` */
	TACHO__MARK_MANY = 4,	/* it stands for several */
	TACHO__MARK_KERNEL = 8,
	TACHO__MARK_TRANSFER = 16,
};

struct tacho__html_mark {
	uint64_t start_ns, end_ns;
	uint64_t busy_ns;    /* the durations of all that were merged, summed up */
	uint64_t longest_ns; /* the longest of them, whose name it has */
	uint64_t count;	     /* how many it stands for */
	uint64_t call;	     /* the call's position in the recording, of the first one */
	uint64_t queued_ns;  /* when a command was queued; 0 for calls */
	uint64_t bytes;	     /* that a transfer moved, plus one; 0: not known */
	uint32_t failed;
	uint32_t name, detail;
	uint8_t flags; /* enum tacho__html_mark_flag */
	uint8_t row;
	bool is_merged;
};

/* {.limit = N} is an empty one that gives at most N marks; N is at least 8. */
struct tacho__html_lane {
	size_t limit;
	struct tacho__html_mark *marks;
	size_t count, capacity;
	uint64_t cell_ns; /* 0: nothing was merged */
	uint64_t total;	  /* all that were added */
	uint64_t last_ns; /* the last start */
	bool unsorted;
};

void tacho__html_lane_finish(struct tacho__html_lane *lane);
/* One more; its end must not be before its start. NOMEM. */
int tacho__html_lane_add(struct tacho__html_lane *lane, const struct tacho__html_mark *mark);
/*
 * Adds how many marks there would be with cells of 1, 2, 4 ... ns, which takes one look at them and
 * changes nothing but their order.
 */
void tacho__html_lane_count(struct tacho__html_lane *lane, uint64_t counts[TACHO__HTML_CELLS]);
/* The smallest cell, of so much at least, with which there are no more than so many; or all. */
uint64_t tacho__html_choose_cell(const uint64_t counts[TACHO__HTML_CELLS], uint64_t least_ns,
				 uint64_t limit);
/* Merges with cells of this size at least, a power of two. */
void tacho__html_lane_coarsen(struct tacho__html_lane *lane, uint64_t cell_ns);
/*
 * Sorts by start and keeps the limit. Afterwards nothing is added; with a lower limit it may be
 * completed again.
 */
void tacho__html_lane_complete(struct tacho__html_lane *lane);

#endif
