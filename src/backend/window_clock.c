/* SPDX-License-Identifier: MIT */
#include "backend/window_clock.h"

#include <string.h>

enum { REALTIME, MONOTONIC, RAW, CLOCKS };

/* The first window may have ended before counting began, by its length; other clocks are further
 * away. */
static const uint64_t SLACK_NS = 1000000000;

static uint64_t get_time(const struct tacho__anchor *anchor, int clock)
{
	const uint64_t times[CLOCKS] = {anchor->realtime_ns, anchor->monotonic_ns, anchor->raw_ns};

	return times[clock];
}

static int64_t find_shift(const struct tacho__anchor *anchor, int clock)
{
	return (int64_t)(anchor->monotonic_ns - get_time(anchor, clock));
}

void tacho__window_clock_begin(struct tacho__window_clock *clock)
{
	memset(clock, 0, sizeof(*clock));
	clock->follows = -1;
	tacho__clock_anchor(&clock->begin);
}

static bool may_follow(const struct tacho__window_clock *clock, int which,
		       const struct tacho__anchor *now, uint64_t end_ns)
{
	return end_ns + SLACK_NS >= get_time(&clock->begin, which) &&
	       end_ns <= get_time(now, which) + now->uncertainty_ns;
}

static uint64_t distance(int64_t a, int64_t b)
{
	return a > b ? (uint64_t)(a - b) : (uint64_t)(b - a);
}

/* The first clock that fits; what another one that does is away from it is not known. */
static void find_clock(struct tacho__window_clock *clock, const struct tacho__anchor *now,
		       uint64_t end_ns)
{
	for (int i = 0; i < CLOCKS; i++) {
		if (!may_follow(clock, i, now, end_ns))
			continue;
		if (clock->follows >= 0) {
			clock->uncertainty_ns +=
				distance(find_shift(now, i), find_shift(now, clock->follows));
			continue;
		}
		clock->follows = i;
		clock->uncertainty_ns = now->uncertainty_ns;
	}
}

/* It ended between the begin and now: the middle of that, until a later window says otherwise. */
static void find_middle(struct tacho__window_clock *clock, const struct tacho__anchor *now,
			uint64_t end_ns)
{
	uint64_t passed_ns = now->monotonic_ns - clock->begin.monotonic_ns;

	clock->shift_ns = (int64_t)(now->monotonic_ns - passed_ns / 2 - end_ns);
	clock->uncertainty_ns = passed_ns / 2 + now->uncertainty_ns;
}

void tacho__window_clock_note(struct tacho__window_clock *clock, uint64_t end_ns)
{
	struct tacho__anchor now;
	int64_t most;

	tacho__clock_anchor(&now);
	if (!clock->is_known) {
		find_clock(clock, &now, end_ns);
		if (clock->follows < 0)
			find_middle(clock, &now, end_ns);
	}
	clock->is_known = true;
	if (clock->follows >= 0) {
		clock->shift_ns = find_shift(&now, clock->follows);
		return;
	}
	most = (int64_t)(now.monotonic_ns - end_ns);
	if (clock->shift_ns > most)
		clock->shift_ns = most;
}

void tacho__window_clock_place(const struct tacho__window_clock *clock, uint64_t start_ns,
			       uint64_t end_ns, struct tacho_row *row)
{
	if (!clock->is_known)
		return;
	row->start_ns = start_ns + (uint64_t)clock->shift_ns;
	row->end_ns = end_ns + (uint64_t)clock->shift_ns;
	row->uncertainty_ns = clock->uncertainty_ns;
}
