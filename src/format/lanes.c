/* SPDX-License-Identifier: MIT */
#include "format/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

void tacho__lanes_finish(struct tacho__lanes *lanes)
{
	free(lanes->all);
	lanes->all = NULL;
	lanes->count = lanes->capacity = 0;
}

/* Gives up the older half. */
static void forget(struct tacho__lane *lane)
{
	enum { HALF = TACHO__LANE_SPANS / 2 };

	lane->floor_ns = lane->spans[HALF - 1].end_ns;
	lane->count -= HALF;
	memmove(lane->spans, lane->spans + HALF, lane->count * sizeof(lane->spans[0]));
}

/* Puts the interval in the place of spans `from` to before `to`, which it contains. */
static void replace(struct tacho__lane *lane, size_t from, size_t to, struct tacho__lane_span span)
{
	if (from == to && lane->count == TACHO__LANE_SPANS) {
		size_t before = lane->count;

		forget(lane);
		before -= lane->count;
		if (from < before)
			return; /* it is below the floor, too */
		from -= before;
		to -= before;
	}
	memmove(lane->spans + from + 1, lane->spans + to, (lane->count - to) * sizeof(span));
	lane->spans[from] = span;
	lane->count -= to - from;
	lane->count++;
}

/*
 * What is before may end when the interval starts: its end mark was written earlier. What is behind
 * must start later than the interval ends, as its begin mark was written earlier, too.
 */
static bool take(struct tacho__lane *lane, bool nests, struct tacho__lane_span span)
{
	size_t from = lane->count, to;

	if (span.start_ns < lane->floor_ns)
		return false;
	while (from && lane->spans[from - 1].end_ns > span.start_ns)
		from--;
	to = from;
	while (nests && to < lane->count && lane->spans[to].start_ns > span.start_ns &&
	       lane->spans[to].end_ns <= span.end_ns)
		to++;
	if (to < lane->count && lane->spans[to].start_ns <= span.end_ns)
		return false;
	replace(lane, from, to, span);
	return true;
}

int tacho__lanes_place(struct tacho__lanes *lanes, uint64_t start_ns, uint64_t end_ns,
		       size_t *out_lane)
{
	struct tacho__lane_span span = {start_ns, end_ns};
	size_t lane = 0;

	while (lane < lanes->count && !take(&lanes->all[lane], lanes->nests, span))
		lane++;
	if (lane == lanes->count && lane < TACHO__LANES_MAX) {
		if (tacho__array_reserve(&lanes->all, &lanes->capacity, lanes->count,
					 sizeof(*lanes->all)))
			return TACHO_E_NOMEM;
		memset(&lanes->all[lane], 0, sizeof(*lanes->all));
		lanes->count++;
		take(&lanes->all[lane], lanes->nests, span);
	}
	*out_lane = lane;
	return 0;
}
