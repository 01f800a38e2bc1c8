/* SPDX-License-Identifier: MIT */
/* Lines of markers as ranges: which are open on a thread, and what a line ends. */
#ifndef TACHO_FORMAT_IMPORT_IMPORT_RANGES_H
#define TACHO_FORMAT_IMPORT_IMPORT_RANGES_H

#include "base/buf.h"
#include "base/map.h"
#include "format/import/read_atp.h"
#include "record/told_ranges.h"

/* {.recorded_process = ...} at first. */
struct tacho__import_ranges {
	const struct tacho_process *recorded_process;
	struct tacho__told told;
	struct tacho__told_process process;
	struct tacho__map threads; /* their ids to struct tacho__import_stack */
	uint64_t last_key;
	uint64_t last_ns; /* of all that was read */
	struct tacho__buf name, group;
};

void tacho__import_ranges_finish(struct tacho__import_ranges *ranges);

/* 1 and what has ended, borrowed until the next call; 0 when nothing has; NOMEM. */
int tacho__import_ranges_take(struct tacho__import_ranges *ranges, uint32_t thread,
			      const struct tacho__atp_marker *marker,
			      const struct tacho_named_range **out_ended);

/* In which a call of the thread was made that began then; borrowed likewise. NOMEM. */
int tacho__import_ranges_find(struct tacho__import_ranges *ranges, uint32_t thread,
			      uint64_t start_ns, const struct tacho_named_range *const **out_ranges,
			      size_t *out_count);

/* Another one that did not end, behind all lines; NULL when there is none. */
const struct tacho_named_range *tacho__import_ranges_close(struct tacho__import_ranges *ranges);

#endif
