/* SPDX-License-Identifier: MIT */
/*
 * Values of launches, kept while a summary is made: all of a line up to a limit, then an equal
 * chance for each. Memory does not grow with the launches.
 */
#ifndef TACHO_ANALYZE_COUNTED_H
#define TACHO_ANALYZE_COUNTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "tacho/summary.h"

struct tacho__sample {
	uint64_t index; /* of the value in its series: the order in time */
	double value;
};

/* {0} is an empty series. */
struct tacho__series {
	struct tacho__sample *samples;
	size_t count, capacity;
	uint64_t seen;	 /* values that were given */
	uint64_t random; /* state of the choice, the same in every run */
	bool is_full;	 /* from now on values replace others */
};

/* What a line of the summary gave. */
struct tacho__sampled {
	struct tacho__series time; /* nanoseconds */
	struct tacho__series *values;
	size_t value_count;
	double items;	/* work-items of its launches, summed */
	uint64_t sized; /* launches with a known number of them */
	struct tacho__sampled *next;
};

struct tacho__samples {
	enum tacho_summary_key key; /* of the lines that are sampled */
	bool by_name;		    /* devices are not told apart */
	size_t limit;		    /* values of a series */
	size_t budget;		    /* values that may still be asked for, over all series */
	/* The name under which a line is kept; NULL with the error set: no memory. NULL: its own.
	 */
	const char *(*rename)(void *user, const char *name);
	void *rename_user;
	struct tacho__names by_text;
	struct tacho__sampled *all;
	struct tacho__arena arena;
	struct tacho__buf scratch;
};

/* `limit` is not 0. */
void tacho__samples_init(struct tacho__samples *samples, enum tacho_summary_key key, bool by_name,
			 size_t limit);
void tacho__samples_finish(struct tacho__samples *samples);

/* What is kept of a line; NULL with the error set when memory ran out. Borrowed. */
struct tacho__sampled *tacho__samples_get(struct tacho__samples *samples, const char *name,
					  const char *device);
int tacho__samples_add(struct tacho__samples *samples, struct tacho__series *series, double value);
/* A value of counter `index` of `count`. */
int tacho__samples_add_value(struct tacho__samples *samples, struct tacho__sampled *line,
			     size_t index, size_t count, double value);

/* Puts what was kept into the order of time. */
void tacho__series_sort(struct tacho__series *series);

#endif
