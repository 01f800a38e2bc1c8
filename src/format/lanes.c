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

/* Whether it begins before an open one and ends in it. */
static bool cuts_open(const struct tacho__lane *lane, struct tacho__lane_span span)
{
	size_t i = lane->open_count;

	while (i && lane->open_ns[i - 1] > span.start_ns)
		if (lane->open_ns[--i] <= span.end_ns)
			return true;
	return false;
}

/*
 * What is before may end when the interval starts: its end mark was written earlier. What is behind
 * must start later than the interval ends, as its begin mark was written earlier, too.
 */
static bool take(struct tacho__lane *lane, bool nests, struct tacho__lane_span span)
{
	size_t from = lane->count, to;

	if (span.start_ns < lane->floor_ns || cuts_open(lane, span))
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

static int add_lane(struct tacho__lanes *lanes)
{
	if (tacho__array_reserve(&lanes->all, &lanes->capacity, lanes->count, sizeof(*lanes->all)))
		return TACHO_E_NOMEM;
	memset(&lanes->all[lanes->count++], 0, sizeof(*lanes->all));
	return 0;
}

int tacho__lanes_place(struct tacho__lanes *lanes, uint64_t start_ns, uint64_t end_ns,
		       size_t *out_lane)
{
	struct tacho__lane_span span = {start_ns, end_ns};
	size_t lane = 0;

	while (lane < lanes->count && !take(&lanes->all[lane], lanes->nests, span))
		lane++;
	if (lane == lanes->count && lane < TACHO__LANES_MAX) {
		if (add_lane(lanes))
			return TACHO_E_NOMEM;
		take(&lanes->all[lane], lanes->nests, span);
	}
	*out_lane = lane;
	return 0;
}

/* Nothing on the lane begins before it and ends in it, or begins with it and was written before. */
static bool has_room(const struct tacho__lane *lane, uint64_t start_ns)
{
	size_t i = lane->count;

	if (lane->open_count == TACHO__LANE_OPEN_MAX || start_ns < lane->floor_ns ||
	    (lane->open_count && start_ns < lane->open_ns[lane->open_count - 1]))
		return false;
	while (i && lane->spans[i - 1].end_ns > start_ns)
		if (lane->spans[--i].start_ns <= start_ns)
			return false;
	return !i || lane->spans[i - 1].start_ns < start_ns;
}

int tacho__lanes_open(struct tacho__lanes *lanes, uint64_t start_ns, size_t *out_lane)
{
	size_t lane = 0;

	while (lane < lanes->count && !has_room(&lanes->all[lane], start_ns))
		lane++;
	if (lane == lanes->count && lane < TACHO__LANES_MAX && add_lane(lanes))
		return TACHO_E_NOMEM;
	*out_lane = lane;
	if (lane < TACHO__LANES_MAX)
		lanes->all[lane].open_ns[lanes->all[lane].open_count++] = start_ns;
	return 0;
}

void tacho__lanes_close(struct tacho__lanes *lanes, size_t lane, uint64_t end_ns)
{
	struct tacho__lane *own = &lanes->all[lane];
	struct tacho__lane_span span = {own->open_ns[--own->open_count], end_ns};
	size_t from = own->count;

	while (from && own->spans[from - 1].start_ns >= span.start_ns)
		from--;
	replace(own, from, own->count, span);
}
