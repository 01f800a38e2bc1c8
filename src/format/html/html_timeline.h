/* SPDX-License-Identifier: MIT */
/*
 * The timeline: a lane for each thread, its ranges, and each queue, in bounded memory. Shared by
 * its files: html_timeline.c (calls and commands), html_ranges.c (ranges), html_pyramid.c, which
 * makes levels of complete lanes, and html_drawn.c, which puts them into the page with an index
 * for the script.
 */
#ifndef TACHO_FORMAT_HTML_HTML_TIMELINE_H
#define TACHO_FORMAT_HTML_HTML_TIMELINE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "format/html/html.h"
#include "format/html/html_details.h"
#include "format/html/html_lanes.h"
#include "format/html/html_levels.h"
#include "format/html/html_series.h"

enum {
	TACHO__TIMELINE_LANES_MAX = 64,	     /* of each kind; the rest share one */
	TACHO__TIMELINE_LEVELS_MAX = 8,	     /* of ranges in ranges; deeper ones share the last */
	TACHO__TIMELINE_MARKS_MAX = 2000000, /* of all lanes; more are merged */
	TACHO__TIMELINE_NAMES_MAX = 2000,    /* names that are told apart */
	TACHO__TIMELINE_HEIGHT_MAX = 8,	     /* levels of a lane */
	TACHO__TIMELINE_SAMPLINGS_MAX = 8,
	TACHO__TIMELINE_HEAPS_MAX = 64, /* of memory, with a track */
	TACHO__TIMELINE_COLOR_API = 64,
};

enum tacho__timeline_kind {
	TACHO__TIMELINE_THREAD,
	TACHO__TIMELINE_RANGES,
	TACHO__TIMELINE_QUEUE,
	TACHO__TIMELINE_KINDS
};

/* What a lane of ranges holds: a level of a thread or of a queue's labels, from 0, or one of these.
 */
enum { TACHO__TIMELINE_FRAMES = -3, TACHO__TIMELINE_OF_PROCESS = -2, TACHO__TIMELINE_MARKS = -1 };

/* A lane, and whose it is. */
struct tacho__timeline_owner {
	struct tacho__html_lane lane;
	enum tacho__timeline_kind kind;
	bool is_rest; /* of all that found no lane of their own */
	const struct tacho_process *process;
	uint32_t thread;
	int level;			  /* of lanes of ranges */
	const struct tacho_object *queue; /* of queues, and of lanes of their labels */
	const struct tacho_object *device;
	unsigned row_count;
	uint64_t merged; /* what shares a mark with others in the finest level */
	struct tacho__html_level levels[TACHO__TIMELINE_HEIGHT_MAX]; /* the finest first */
	size_t level_count;
	uint64_t order; /* lanes of a thread have the same */
};

struct tacho__timeline {
	struct tacho__arena arena;
	struct tacho__map by_thread, by_queue, by_level;
	struct tacho__map thread_orders;
	struct tacho__map by_function; /* its own number */
	struct tacho__timeline_owner **owners;
	size_t count, capacity;
	size_t lane_counts[TACHO__TIMELINE_KINDS];
	uint64_t mark_count;		       /* that lanes hold */
	uint64_t cell_ns;		       /* 0: no lane had to be merged */
	uint64_t detail_least_ns;	       /* what is shorter is told without arguments */
	struct tacho__names by_name, by_range; /* one more than the position in names */
	const char **names;
	unsigned char *kinds;  /* of the names: whose they were first, enum tacho__timeline_kind */
	unsigned char *colors; /* of the names: a rank, + 64 for API functions */
	uint32_t *tints;       /* of the names: 0xRRGGBB + 1, as the program wants it; 0: none */
	size_t name_count, name_capacity, kind_capacity, tint_capacity;
	struct tacho__html_series launches;
	struct tacho__html_series windows[TACHO__TIMELINE_SAMPLINGS_MAX];
	const struct tacho_sampling *samplings[TACHO__TIMELINE_SAMPLINGS_MAX]; /* of the windows */
	size_t sampling_count;
	struct tacho__timeline_heap {
		const struct tacho_object *device;
		uint32_t number;
		uint64_t since_ns; /* it has been so since then; 0: nothing is known yet */
		double used_bytes;
		struct tacho__html_series series;
	} heaps[TACHO__TIMELINE_HEAPS_MAX];
	size_t heap_count;
	struct tacho__map heaps_left;			 /* those without a track, by heap_key() */
	size_t counters_left;				 /* without a track */
	size_t counters[TACHO__HTML_SERIES_COLUMNS_MAX]; /* of the launches' columns */
	struct tacho__html_store store;
	size_t store_max;  /* characters */
	uint64_t met;	   /* calls and commands */
	bool expects_many; /* more than marks */
	struct tacho__html_details details;
	uint64_t untold; /* calls and commands whose arguments found no room */
	struct tacho__buf scratch;
	uint64_t calls, first_ns, last_ns;
	uint64_t undrawn; /* commands without times that can be drawn */
	bool has_any;
	int rc; /* of ranges */
};

/* The number of a name. NOMEM. */
int tacho__timeline_get_name(struct tacho__timeline *timeline, enum tacho__timeline_kind kind,
			     const char *name, uint32_t *out_index);

/* Whether anything is told of a mark that takes so long. */
bool tacho__timeline_may_tell(struct tacho__timeline *timeline, uint64_t time_ns);
/* The scratch text: its number, 0 where there is no room for it. *out_number is 0 before. NOMEM. */
int tacho__timeline_tell(struct tacho__timeline *timeline, uint32_t *out_number);

/* The lane of this key, a new one, or the one of the rest. NULL: no memory. */
struct tacho__timeline_owner *tacho__timeline_get_owner(struct tacho__timeline *timeline,
							enum tacho__timeline_kind kind,
							struct tacho__map *map, uint64_t key);
/* Lanes of one thread stand together, in the order in which threads came. NOMEM. */
int tacho__timeline_give_order(struct tacho__timeline *timeline,
			       struct tacho__timeline_owner *owner);

int tacho__timeline_add_mark(struct tacho__timeline *timeline, struct tacho__timeline_owner *owner,
			     struct tacho__html_mark *mark);

/* html_counters.c: which there are, those of the current call's command, and all as JSON. NOMEM. */
void tacho__timeline_name_counters(struct tacho__timeline *timeline,
				   struct tacho_recording *recording);
int tacho__timeline_add_values(struct tacho__timeline *timeline, struct tacho_cursor *cursor,
			       const struct tacho_command *command, uint32_t name);
int tacho__timeline_write_counters(struct tacho__timeline *timeline);
void tacho__timeline_put_counters(FILE *stream, const struct tacho__timeline *timeline);
void tacho__timeline_finish_counters(struct tacho__timeline *timeline);

/* html_memory.c: what heaps held last goes to the end; with the counters. NOMEM. */
int tacho__timeline_write_memory(struct tacho__timeline *timeline);

/* html_pyramid.c: the levels of all lanes, when nothing more is added. NOMEM. */
int tacho__timeline_make_levels(struct tacho__timeline *timeline);
/* Merges until lanes hold no more marks than `limit`. */
void tacho__timeline_reduce(struct tacho__timeline *timeline, uint64_t limit);

/* What a timeline's data is written with. */
struct tacho__timeline_view {
	FILE *stream;
	const struct tacho__timeline *timeline;
	struct tacho_recording *recording;
	const struct tacho_cursor *cursor; /* at the end */
	const char *suffix;		   /* of the elements' ids, on a page of several runs */
	const char *title;		   /* of the run */
};

/* html_drawn.c: the elements that the script reads. Nothing when there is no mark. */
void tacho__timeline_put_data(const struct tacho__timeline_view *view);

#endif
