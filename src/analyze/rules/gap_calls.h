/* SPDX-License-Identifier: MIT */
/*
 * Which functions threads were in while a device did nothing, gathered while its gaps are still
 * being found. What of a call lies between pieces is kept with the moment that its gap begins at;
 * at the end those shares count whose gap is still there. So a call is to be added when all
 * commands up to its end are likely to be known. Where one comes later all the same, in a gap that
 * was looked at already, the shares are not to be believed: is_missed.
 */
#ifndef TACHO_ANALYZE_RULES_GAP_CALLS_H
#define TACHO_ANALYZE_RULES_GAP_CALLS_H

#include "analyze/rules/gaps.h"

enum { TACHO__GAP_SHARES_MAX = 1 << 17 };

struct tacho__gap_share {
	const char *function; /* borrowed, and told apart by where it lies; NULL: free */
	uint64_t gap_ns;      /* where the gap begins */
	uint64_t ns;	      /* of all calls of the function, in that gap */
};

/* {0} has none. */
struct tacho__gap_calls {
	struct tacho__gap_share *shares; /* open addressing */
	size_t count, capacity;
	size_t near;	  /* the piece that was asked for last */
	uint64_t done_ns; /* calls that end up to then may have been added */
	bool is_missed;	  /* or more shares were needed than may be kept */
};

void tacho__gap_calls_finish(struct tacho__gap_calls *calls);
/* Before an interval is added to the gaps. */
void tacho__gap_calls_expect(struct tacho__gap_calls *calls, const struct tacho__gaps *gaps,
			     uint64_t start_ns, uint64_t end_ns);
/* A call. What is behind the last piece is a gap whose end is not known yet. NOMEM. */
int tacho__gap_calls_add(struct tacho__gap_calls *calls, const struct tacho__gaps *gaps,
			 const char *function, uint64_t start_ns, uint64_t end_ns);
/* Whether the gap of a share is there, when all are known. */
bool tacho__gap_share_counts(const struct tacho__gap_share *share, const struct tacho__gaps *gaps);

#endif
