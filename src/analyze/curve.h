/* SPDX-License-Identifier: MIT */
/*
 * How long something had been busy up to any moment: the length of the union of intervals, which
 * arrive in any order, below that moment.
 *
 * Memory is bounded. Behind the horizon all intervals are kept, and the answer is exact; before it
 * the answer is known at TACHO__CURVE_POINTS moments and between them within bounds that are told.
 * What arrives before the horizon is not counted: late_ns is how much that is. When so many wait
 * behind the horizon that memory would grow, the shortest gaps between them are closed: joined_ns
 * is how much that counts too much.
 */
#ifndef TACHO_ANALYZE_CURVE_H
#define TACHO_ANALYZE_CURVE_H

#include "analyze/busy.h"

enum { TACHO__CURVE_POINTS = 8192, TACHO__CURVE_INTERVALS_MAX = 1 << 17 };

struct tacho__curve {
	struct tacho__interval *intervals; /* disjoint, in order, behind the horizon */
	uint64_t *before;		   /* of each, the length of those in front of it */
	size_t count, capacity, before_capacity;
	struct tacho__waiting waiting; /* for these */
	struct tacho__interval *aside; /* that came in order, until the curve is settled */
	size_t aside_count, aside_capacity;
	size_t near_index; /* the interval that the last question was about */
	struct tacho__curve_span {
		uint64_t from_ns, until_ns; /* answers these moments */
		uint64_t start_ns, sum_ns;  /* so much, and what lies behind start_ns */
	} near;				    /* what is known around that interval */
	uint64_t origin_ns;		    /* what is before that does not count */
	uint64_t horizon_ns;		    /* at first the origin */
	uint64_t horizon_sum_ns;
	uint64_t late_ns, joined_ns;
	unsigned shift;	  /* point `i` is at origin_ns + (i << shift) */
	uint64_t *points; /* their sums, as far as the horizon */
};

/* NOMEM. The curve is all zero before, and finished in any case. */
int tacho__curve_init(struct tacho__curve *curve, uint64_t origin_ns);
void tacho__curve_finish(struct tacho__curve *curve);
/* start_ns <= end_ns, else nothing is added. NOMEM. */
int tacho__curve_add(struct tacho__curve *curve, uint64_t start_ns, uint64_t end_ns);
/*
 * The same for those that come in the order of their ends. They are put aside until the curve is
 * settled, and cost little even where others lie far behind them.
 */
int tacho__curve_append(struct tacho__curve *curve, uint64_t start_ns, uint64_t end_ns);
/* To be called between the last addition and the first question. NOMEM. */
int tacho__curve_settle(struct tacho__curve *curve);
/* The sum up to `ns`; *doubt_ns grows by how far that may be off. */
uint64_t tacho__curve_search(struct tacho__curve *curve, uint64_t ns, uint64_t *doubt_ns);
/* The same. Threads take turns in asking for about the same moments: mostly it is where the last
 * one was. */
static inline uint64_t tacho__curve_at(struct tacho__curve *curve, uint64_t ns, uint64_t *doubt_ns)
{
	const struct tacho__curve_span *near = &curve->near;

	if (ns < near->from_ns || ns > near->until_ns)
		return tacho__curve_search(curve, ns, doubt_ns);
	return near->sum_ns + (ns > near->start_ns ? ns - near->start_ns : 0);
}
/* Moves the horizon of a settled curve to there, if that is further on. */
void tacho__curve_forget(struct tacho__curve *curve, uint64_t ns);

#endif
