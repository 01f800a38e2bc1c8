/* SPDX-License-Identifier: MIT */
/* Rows of all but calls: the run, processes, objects, counters, notes. */
#ifndef TACHO_FORMAT_SQLITE_ABOUT_H
#define TACHO_FORMAT_SQLITE_ABOUT_H

#include "format/sqlite/sqlite_file.h"
#include "tacho/recording.h"

/* Behind the last call, when all is known. `calls` is how many there were. IO, NOMEM. */
int tacho__sqlite_put_about(struct tacho__sqlite_file *file,
			    const struct tacho_recording *recording,
			    const struct tacho_cursor *cursor, uint64_t calls);

/* The key of a counter that was sampled: the sampling is one of few, the counters are 256 at most.
 */
static inline uint64_t tacho__sqlite_sampled_id(uint64_t sampling, size_t index)
{
	return sampling * 1000 + index;
}

#endif
