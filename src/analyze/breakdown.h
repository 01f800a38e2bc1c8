/* SPDX-License-Identifier: MIT */
/*
 * What the wall time went to, while it is gathered: breakdown.c takes calls in the order in which
 * they came to an end, breakdown_parts.c chooses the main thread and makes its parts.
 *
 * A thread's time is tiles, one behind the other without a gap: the time in front of a call, and
 * the call. A tile waits in a queue until it is likely that all device times up to its end are
 * known; then its part without a busy device is added to what the thread did. As a tile is what
 * lies behind the one before, the sum over them is the wall time, whatever arrives how late.
 *
 * Who reads the calls finds out whose they are and what they did. All else is the lane's, beside
 * the reading: curves, tiles and sums of threads are its own until the end.
 */
#ifndef TACHO_ANALYZE_BREAKDOWN_H
#define TACHO_ANALYZE_BREAKDOWN_H

#include "analyze/curve.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/lane.h"
#include "base/map.h"
#include "tacho/summary.h"

enum { TACHO__TILES_MAX = 1 << 14 };

/* What a thread can do: one of a fixed few, and from TACHO__DEEDS on a function of some kind. */
enum tacho__deed {
	TACHO__DEED_OUTSIDE,
	TACHO__DEED_START,
	TACHO__DEED_END,
	TACHO__DEED_OTHERS,
	TACHO__DEEDS
};

struct tacho__deeds_of_thread {
	const struct tacho_process *process;
	uint32_t thread;
	uint64_t seen_ns;		 /* end of its last call */
	uint64_t at_ns, busy_ns, any_ns; /* up to where tiles are done, and the curves there */
	uint64_t doubt_ns;
	uint64_t any_there_ns, turn; /* the curve `any` at at_ns as looked up in that turn */
	struct tacho__deed_sum {
		uint64_t ns, calls;
	} * sums; /* by deed */
	size_t capacity;
};

/* A stretch of a thread up to end_ns: the first part of it for one deed, the rest outside. */
struct tacho__tile {
	struct tacho__deeds_of_thread *thread;
	uint64_t end_ns, deed_ns;
	size_t deed;
};

/* What a call or a command took, on its way to the lane. */
struct tacho__spell {
	struct tacho__deeds_of_thread *thread; /* NULL: a command */
	uint64_t start_ns, end_ns;
	uint64_t busy_ns, repeats; /* of calls */
	uint32_t deed;
	bool is_timed, is_transfer; /* of commands */
};

struct tacho__breakdown {
	/* Of who reads the calls. */
	struct tacho__arena *arena; /* borrowed */
	uint64_t end_ns;	    /* of the run; UINT64_MAX: not known */
	bool is_begun;
	struct tacho__map functions, by_thread;
	struct tacho__names by_deed;
	struct tacho__buf scratch;
	struct tacho__deeds_of_thread **threads, *recent;
	uint64_t recent_key;
	size_t thread_count, thread_capacity;
	struct tacho_spent_part *deeds; /* from TACHO__DEEDS on: kind and function */
	size_t deed_count, deed_capacity;
	struct tacho__lane lane; /* of struct tacho__spell */
	/* Of the lane. */
	uint64_t last_ns;	   /* the latest moment that was met */
	struct tacho__curve busy;  /* devices */
	struct tacho__curve any;   /* devices, or any thread in the API */
	struct tacho__busy work;   /* devices, with something else than transfers */
	struct tacho__tile *tiles; /* a ring */
	size_t first_tile, tile_count;
	uint64_t later_ns; /* the first end of tiles behind the first half, but of late ones */
	uint64_t turn;	   /* how often tiles were done */
	uint64_t untimed;
	/* Of the end. */
	struct tacho_breakdown info;
	struct tacho_spent_part *parts;
	size_t part_count, part_capacity;
};

/* All zero before. Texts and what else is kept live in the arena. NOMEM. */
int tacho__breakdown_init(struct tacho__breakdown *breakdown, struct tacho__arena *arena,
			  const struct tacho_run *run);
void tacho__breakdown_finish(struct tacho__breakdown *breakdown);
/* A call, and what it gave to a device; `cursor` is at it. NOMEM. */
int tacho__breakdown_add(struct tacho__breakdown *breakdown, struct tacho_cursor *cursor,
			 const struct tacho_call *call);
/* Behind all calls: writes info and parts. NOMEM. */
int tacho__breakdown_complete(struct tacho__breakdown *breakdown);

/* The next tile of the thread, up to there, of which deed_ns are the deed's. NOMEM. */
int tacho__tile_add(struct tacho__breakdown *breakdown, struct tacho__deeds_of_thread *thread,
		    size_t deed, uint64_t end_ns, uint64_t deed_ns);
/* Does all tiles that are left. NOMEM. */
int tacho__tiles_do(struct tacho__breakdown *breakdown);

/* headline.c: the sentence. NULL: no memory. */
const char *tacho__headline_make(const struct tacho__breakdown *breakdown);

#endif
