/* SPDX-License-Identifier: MIT */
/*
 * When a device did nothing for long. Commands that are closer together than gap_ns count as one;
 * when there are too many pieces, gap_ns doubles, so memory is bounded and no gap that is longer
 * than it is lost. Intervals may arrive in any order.
 */
#ifndef TACHO_ANALYZE_RULES_GAPS_H
#define TACHO_ANALYZE_RULES_GAPS_H

#include "analyze/busy.h"

enum { TACHO__GAPS_PIECES_MAX = 8192 };

struct tacho__gaps {
	struct tacho__interval *pieces; /* disjoint, in order, at least gap_ns apart */
	size_t count, capacity;
	size_t near;	 /* the piece that was asked for last */
	uint64_t gap_ns; /* set before the first addition; at least 1 */
};

void tacho__gaps_finish(struct tacho__gaps *gaps);
/* start_ns <= end_ns, else nothing is added. NOMEM. */
int tacho__gaps_add(struct tacho__gaps *gaps, uint64_t start_ns, uint64_t end_ns);
/* The time between the pieces. */
uint64_t tacho__gaps_sum_ns(const struct tacho__gaps *gaps);
/* How much of start_ns to end_ns lies between pieces. */
uint64_t tacho__gaps_overlap_ns(struct tacho__gaps *gaps, uint64_t start_ns, uint64_t end_ns);
/* The length of the gap that ends at `ns`, 0 when none does. */
uint64_t tacho__gaps_before_ns(const struct tacho__gaps *gaps, uint64_t ns);

#endif
