/* SPDX-License-Identifier: MIT */
#include "record/clock_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

void tacho__clock_map_finish(struct tacho__clock_map *map)
{
	free(map->anchors);
	memset(map, 0, sizeof(*map));
}

int tacho__clock_map_add(struct tacho__clock_map *map, const struct tacho__anchor *anchor)
{
	if (map->count) {
		const struct tacho__anchor *last = &map->anchors[map->count - 1];

		if (anchor->tick <= last->tick || anchor->raw_ns <= last->raw_ns ||
		    anchor->monotonic_ns <= last->monotonic_ns)
			return 0;
	}
	if (tacho__array_add(&map->anchors, &map->capacity, &map->count, anchor, sizeof(*anchor)))
		return TACHO_E_NOMEM;
	if (anchor->uncertainty_ns > map->uncertainty_ns)
		map->uncertainty_ns = anchor->uncertainty_ns;
	return 0;
}

int tacho__clock_map_take(struct tacho__clock_map *map, uint64_t tick, struct tacho__unpack *unpack)
{
	struct tacho__anchor anchor = {.tick = tick};

	anchor.raw_ns = tacho__unpack_u64(unpack);
	anchor.monotonic_ns = tacho__unpack_u64(unpack);
	anchor.realtime_ns = tacho__unpack_u64(unpack);
	anchor.uncertainty_ns = tacho__unpack_u64(unpack);
	return unpack->bad ? 0 : tacho__clock_map_add(map, &anchor);
}

static uint64_t on(const struct tacho__anchor *anchor, enum tacho__clock clock)
{
	static const size_t offsets[TACHO__CLOCKS] = {
		offsetof(struct tacho__anchor, tick),
		offsetof(struct tacho__anchor, raw_ns),
		offsetof(struct tacho__anchor, monotonic_ns),
		offsetof(struct tacho__anchor, realtime_ns),
	};

	return *(const uint64_t *)(const void *)((const char *)anchor + offsets[clock]);
}

/* The anchor that begins the segment of `time`; the first or last one for times outside. */
static size_t find(const struct tacho__clock_map *map, enum tacho__clock clock, uint64_t time)
{
	size_t low = 0, high = map->count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (on(&map->anchors[middle], clock) <= time)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/*
 * Where the line of the anchor `a` ends, and from where on it holds: as find() chooses. The time of
 * day may be set back, so that another anchor is found for a time close by: each asks anew.
 */
static void bound_line(const struct tacho__clock_map *map, enum tacho__clock from, size_t i,
		       uint64_t time, struct tacho__clock_line *line)
{
	uint64_t base = on(&map->anchors[i], from);

	if (from == TACHO__CLOCK_REALTIME)
		return;
	if (time < base) {
		line->until = base;
		return;
	}
	line->first = base;
	line->until = i + 1 == map->count ? UINT64_MAX : on(&map->anchors[i + 1], from);
}

struct tacho__clock_line tacho__clock_map_find_line(const struct tacho__clock_map *map,
						    enum tacho__clock from, enum tacho__clock to,
						    uint64_t time)
{
	struct tacho__clock_line line = {.rate = 1};
	const struct tacho__anchor *base, *a, *b;
	size_t i;

	if (!map->count || from == to)
		return (struct tacho__clock_line){.until = UINT64_MAX, .is_same = true};
	i = find(map, from, time);
	base = a = &map->anchors[i];
	b = a + 1;
	if (i + 1 == map->count || time < on(a, from)) { /* outside: the longest baseline */
		a = &map->anchors[0];
		b = &map->anchors[map->count - 1];
	}
	if (on(b, from) > on(a, from) && on(b, to) > on(a, to))
		line.rate = (double)(on(b, to) - on(a, to)) / (double)(on(b, from) - on(a, from));
	line.base_from = on(base, from);
	line.base_to = on(base, to);
	bound_line(map, from, i, time, &line);
	return line;
}

uint64_t tacho__clock_map_convert(const struct tacho__clock_map *map, enum tacho__clock from,
				  enum tacho__clock to, uint64_t time)
{
	struct tacho__clock_line line = tacho__clock_map_find_line(map, from, to, time);

	return tacho__clock_line_convert(&line, time);
}

const char *tacho__clock_to_string(enum tacho__clock clock)
{
	static const char *const names[] = {"tick", "CLOCK_MONOTONIC_RAW", "CLOCK_MONOTONIC",
					    "CLOCK_REALTIME"};

	return (unsigned)clock < TACHO__CLOCKS ? names[clock] : "unknown";
}
