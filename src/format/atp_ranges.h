/* SPDX-License-Identifier: MIT */
/*
 * Ranges that the program named, as the section of .atp files for markers. They are kept until the
 * file is written, because a range is known when it ends and its first line stands where it began.
 */
#ifndef TACHO_FORMAT_ATP_RANGES_H
#define TACHO_FORMAT_ATP_RANGES_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "tacho/recording.h"

struct tacho__atp_range {
	char thread[12];
	enum tacho_range_kind kind;
	uint32_t depth;
	uint64_t id, start_ns, end_ns;
	const char *name, *group; /* as they are written; equal ones are the same */
	bool is_open;
};

/* {0} at first. */
struct tacho__atp_ranges {
	struct tacho__arena arena;
	struct tacho__names texts;
	struct tacho__buf scratch;
	struct tacho__atp_range *all;
	size_t count, capacity;
	int rc; /* NOMEM: of taking */
};

void tacho__atp_ranges_finish(struct tacho__atp_ranges *ranges);

/* For tacho_cursor_on_range(), with the ranges; a failure is in their `rc`. */
void tacho__atp_ranges_take(void *user, const struct tacho_named_range *range);

/* Nothing when there are none. NOMEM. */
int tacho__atp_ranges_write(struct tacho__atp_ranges *ranges, FILE *stream);

#endif
