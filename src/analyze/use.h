/* SPDX-License-Identifier: MIT */
/*
 * How long a device was busy for sure, idle for sure, and neither: a command without times ran at
 * some time between its call and the report of its end, and as long as nobody knows when, the
 * device is not idle then.
 */
#ifndef TACHO_ANALYZE_USE_H
#define TACHO_ANALYZE_USE_H

#include "analyze/busy.h"
#include "tacho/recording.h"

/* {0} is nothing. */
struct tacho__use {
	struct tacho__busy busy;  /* while some command ran */
	struct tacho__busy maybe; /* the same, and while one may have run; only with has_doubt */
	bool has_doubt;
	bool is_open; /* something may have run from open_ns on without a known end */
	uint64_t open_ns;
};

struct tacho__use_times {
	uint64_t busy_ns, idle_ns, unknown_ns;
	uint64_t late_ns; /* at most so much busy time is missing */
};

void tacho__use_finish(struct tacho__use *use);

/* Takes a command into account that ran on the device, or partly on it. NOMEM. */
int tacho__use_add(struct tacho__use *use, const struct tacho_command *command);

/* Something may have run at any time in between; from 0, or until UINT64_MAX, if need be. NOMEM. */
int tacho__use_doubt(struct tacho__use *use, uint64_t from_ns, uint64_t until_ns);

/* Calls fn for each time when something ran, or may have. What fn returns ends it if not 0. */
int tacho__use_each_time(struct tacho__use *use,
			 int (*fn)(void *user, uint64_t from_ns, uint64_t until_ns), void *user);

/* Between the first start and the last end of what is known. NOMEM. */
int tacho__use_complete(struct tacho__use *use, struct tacho__use_times *out_times);

/*
 * Calls fn for each device that a command worked on, the command's own first; with NULL when none
 * is known. What fn returns, when it is not 0, ends it.
 */
int tacho__use_each_device(const struct tacho_command *command,
			   int (*fn)(void *user, const struct tacho_object *device), void *user);

#endif
