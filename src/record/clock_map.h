/* SPDX-License-Identifier: MIT */
/*
 * From one clock to another through a process's anchors: linear between two of them, and beyond the
 * first and the last at the rate of the longest baseline there is. Continuous.
 */
#ifndef TACHO_RECORD_CLOCK_MAP_H
#define TACHO_RECORD_CLOCK_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/pack.h"

enum tacho__clock {
	TACHO__CLOCK_TICK,
	TACHO__CLOCK_RAW,
	TACHO__CLOCK_MONOTONIC,
	TACHO__CLOCK_REALTIME,
	TACHO__CLOCKS,
};

/* {0} has no anchors: it maps every time to itself. */
struct tacho__clock_map {
	struct tacho__anchor *anchors;
	size_t count, capacity;
	uint64_t uncertainty_ns; /* the worst of all anchors */
};

void tacho__clock_map_finish(struct tacho__clock_map *map);
/* Anchors come in order of their ticks; one that does not is left out. TACHO_E_NOMEM. */
int tacho__clock_map_add(struct tacho__clock_map *map, const struct tacho__anchor *anchor);
/* Adds the anchor with this tick whose other members are packed; a cut one is left out. NOMEM. */
int tacho__clock_map_take(struct tacho__clock_map *map, uint64_t tick,
			  struct tacho__unpack *unpack);

/* What a conversion is for times that are close together: one straight line. {0} is for none. */
struct tacho__clock_line {
	uint64_t first, until; /* it holds for these times, `until` not among them */
	uint64_t base_from, base_to;
	double rate;
	bool is_same; /* both clocks are one: times stay as they are */
};

/* The line that a time of clock `from` is brought to clock `to` by. */
struct tacho__clock_line tacho__clock_map_find_line(const struct tacho__clock_map *map,
						    enum tacho__clock from, enum tacho__clock to,
						    uint64_t time);

/* A span on another clock. Anchors of a damaged file may ask for what no number holds. */
static inline uint64_t tacho__clock_stretch(uint64_t span, double rate)
{
	double stretched = (double)(int64_t)span * rate;

	if (!(stretched > -9e18 && stretched < 9e18))
		return 0;
	return (uint64_t)(int64_t)(stretched < 0 ? stretched - 0.5 : stretched + 0.5);
}

static inline uint64_t tacho__clock_line_convert(const struct tacho__clock_line *line,
						 uint64_t time)
{
	return line->is_same
		       ? time
		       : line->base_to + tacho__clock_stretch(time - line->base_from, line->rate);
}

/* A time of clock `from` on clock `to`. */
uint64_t tacho__clock_map_convert(const struct tacho__clock_map *map, enum tacho__clock from,
				  enum tacho__clock to, uint64_t time);

/* "CLOCK_MONOTONIC_RAW" and so on; "tick". Static. */
const char *tacho__clock_to_string(enum tacho__clock clock);

#endif
