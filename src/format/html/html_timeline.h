/* SPDX-License-Identifier: MIT */
/*
 * The timeline: a lane for each thread, its ranges, and each queue, in bounded memory. Shared by
 * its files: html_timeline.c (calls and commands), html_ranges.c (ranges), html_drawn.c, which puts
 * it into the page as JSON, columns of numbers with the differences of neighbours; the script draws
 * them.
 */
#ifndef TACHO_FORMAT_HTML_HTML_TIMELINE_H
#define TACHO_FORMAT_HTML_HTML_TIMELINE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "format/html/html.h"
#include "format/html/html_lanes.h"

enum {
	TACHO__TIMELINE_LANES_MAX = 64,	    /* of each kind; the rest share one */
	TACHO__TIMELINE_LEVELS_MAX = 8,	    /* of ranges in ranges; deeper ones share the last */
	TACHO__TIMELINE_RANGES_MAX = 20000, /* of all lanes of ranges */
	TACHO__TIMELINE_RANGE_LANE_MAX = 5000,
	TACHO__TIMELINE_NAMES_MAX = 2000, /* names that are told apart */
	TACHO__TIMELINE_DETAIL_BYTES = 1500000,
	TACHO__TIMELINE_COLOR_API = 64,
};

enum tacho__timeline_kind {
	TACHO__TIMELINE_THREAD,
	TACHO__TIMELINE_RANGES,
	TACHO__TIMELINE_QUEUE,
	TACHO__TIMELINE_KINDS
};

/* What a lane of ranges holds: a level of a thread, from 0, or one of these. */
enum { TACHO__TIMELINE_OF_PROCESS = -2, TACHO__TIMELINE_MARKS = -1 };

/* A lane, and whose it is. */
struct tacho__timeline_owner {
	struct tacho__html_lane lane;
	enum tacho__timeline_kind kind;
	bool is_rest; /* of all that found no lane of their own */
	const struct tacho_process *process;
	uint32_t thread;
	int level; /* of lanes of ranges */
	const struct tacho_object *queue;
	const struct tacho_object *device;
	size_t detail_bytes;
	uint64_t order; /* lanes of a thread have the same */
};

struct tacho__timeline {
	struct tacho__arena arena;
	struct tacho__map by_thread, by_queue, by_level;
	struct tacho__map thread_orders;
	struct tacho__timeline_owner **owners;
	size_t count, capacity;
	size_t lane_counts[TACHO__TIMELINE_KINDS];
	size_t lane_limit;
	struct tacho__names by_name, by_range; /* one more than the position in names */
	const char **names;
	unsigned char *colors; /* of the names: a rank, + 64 for API functions */
	uint32_t *tints;       /* of the names: 0xRRGGBB + 1, as the program wants it; 0: none */
	size_t name_count, name_capacity, color_capacity, tint_capacity;
	struct tacho__names kernel_ranks, api_ranks; /* one more than the rank */
	const char **details;			     /* 0: none */
	size_t detail_count, detail_capacity;
	size_t detail_bytes;
	struct tacho__buf scratch;
	uint64_t calls, first_ns, last_ns;
	uint64_t undrawn; /* commands without times that can be drawn */
	bool has_any;
	int rc; /* of ranges */
};

/* The number of a name. NOMEM. */
int tacho__timeline_get_name(struct tacho__timeline *timeline, enum tacho__timeline_kind kind,
			     const char *name, size_t *out_index);

/* Whether a mark's detail is worth to be made: a lane that merges its marks has none. */
bool tacho__timeline_has_room(const struct tacho__timeline *timeline,
			      const struct tacho__timeline_owner *owner);
/* The scratch text, for as long as a lane shows each of its marks and there is room. NOMEM. */
int tacho__timeline_keep_detail(struct tacho__timeline *timeline,
				struct tacho__timeline_owner *owner, size_t *out_index);

/* The lane of this key, a new one, or the one of the rest. NULL: no memory. */
struct tacho__timeline_owner *tacho__timeline_get_owner(struct tacho__timeline *timeline,
							enum tacho__timeline_kind kind,
							struct tacho__map *map, uint64_t key);
/* Lanes of one thread stand together, in the order in which threads came. NOMEM. */
int tacho__timeline_give_order(struct tacho__timeline *timeline,
			       struct tacho__timeline_owner *owner);

int tacho__timeline_add_mark(struct tacho__timeline *timeline, struct tacho__timeline_owner *owner,
			     struct tacho__html_mark *mark);

#endif
