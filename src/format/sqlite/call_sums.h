/* SPDX-License-Identifier: MIT */
/*
 * Sums of the calls of each function by each thread, as rows of the table call_sum: with them a
 * view tells the time of functions without going through all calls, and needs no index over these.
 */
#ifndef TACHO_FORMAT_SQLITE_CALL_SUMS_H
#define TACHO_FORMAT_SQLITE_CALL_SUMS_H

#include "base/arena.h"
#include "base/map.h"
#include "format/sqlite/sqlite_file.h"
#include "tacho/recording.h"

struct tacho__sqlite_call_sum;

/* {0} at first. Grows with functions times threads. */
struct tacho__sqlite_call_sums {
	struct tacho__arena arena;
	struct tacho__map by_key; /* thread and function */
	struct tacho__sqlite_call_sum *first, *last;
};

void tacho__sqlite_call_sums_finish(struct tacho__sqlite_call_sums *sums);
/* A call that was made, by the ids of its thread and function. NOMEM. */
int tacho__sqlite_call_sums_add(struct tacho__sqlite_call_sums *sums, uint64_t thread,
				uint64_t function, const struct tacho_call *call);
/* Writes the rows, in the order in which they were met first. What the file failed with. */
int tacho__sqlite_call_sums_put(const struct tacho__sqlite_call_sums *sums,
				struct tacho__sqlite_file *file);

#endif
