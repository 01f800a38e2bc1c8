/* SPDX-License-Identifier: MIT */
/*
 * How long something was busy: the length of the union of intervals that arrive in any order.
 *
 * Memory is bounded: at most TACHO__BUSY_INTERVALS_MAX disjoint intervals are kept. When there are
 * more, the older half is summed up and given up, and the end of it is the horizon. What arrives
 * below the horizon later is not counted, as it may have been counted already: late_ns tells how
 * much that was, so the true time is between the sum and the sum + late_ns.
 */
#ifndef TACHO_ANALYZE_BUSY_H
#define TACHO_ANALYZE_BUSY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TACHO__BUSY_INTERVALS_MAX = 16384, TACHO__WAITING_MAX = 512 };

struct tacho__interval {
	uint64_t start_ns, end_ns;
};

/* Of intervals that are disjoint and in order, the first that ends at or behind `ns`. */
size_t tacho__intervals_find(const struct tacho__interval *intervals, size_t count, uint64_t ns);
/* The same, looked for from `near` on, where it is likely to lie. */
size_t tacho__intervals_find_near(const struct tacho__interval *intervals, size_t count,
				  uint64_t ns, size_t near);

/*
 * Intervals in any order that are still to be added to others. Devices run the commands of several
 * queues at once: one put among thousands moves those behind it, many at once move them once.
 */
struct tacho__waiting {
	struct tacho__interval all[TACHO__WAITING_MAX];
	size_t count;
};

/*
 * Has one more wait for intervals that are disjoint and in order, and makes room there for all that
 * wait; when there is no place any more, those before it are added. NOMEM.
 */
int tacho__intervals_wait(struct tacho__interval **intervals, size_t *count, size_t *capacity,
			  struct tacho__waiting *waiting, struct tacho__interval interval);
/* Adds those that wait. */
void tacho__intervals_settle(struct tacho__interval *intervals, size_t *count,
			     struct tacho__waiting *waiting);
/*
 * Adds others that are in the order of their starts, in place of those that they touch. There is
 * room for all of them behind the last.
 */
void tacho__intervals_join(struct tacho__interval *intervals, size_t *count,
			   const struct tacho__interval *others, size_t other_count);

/* {0} is nothing. */
struct tacho__busy {
	struct tacho__interval *intervals; /* disjoint, in order */
	size_t count, capacity;
	struct tacho__waiting waiting; /* for these */
	uint64_t horizon_ns, given_up_ns;
	uint64_t late_ns;
	uint64_t first_ns, last_ns; /* of all starts and ends; valid when has_any */
	bool has_any;
};

void tacho__busy_finish(struct tacho__busy *busy);
/* start_ns <= end_ns, else nothing is added. NOMEM. */
int tacho__busy_add(struct tacho__busy *busy, uint64_t start_ns, uint64_t end_ns);
/* Leaves nothing waiting: before the intervals are looked at. */
void tacho__busy_settle(struct tacho__busy *busy);
/* The length of the union. */
uint64_t tacho__busy_sum_ns(struct tacho__busy *busy);

#endif
