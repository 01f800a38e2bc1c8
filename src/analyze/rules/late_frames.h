/* SPDX-License-Identifier: MIT */
/* In which frames a finding's calls were, and how much longer these took than most. */
#ifndef TACHO_ANALYZE_RULES_LATE_FRAMES_H
#define TACHO_ANALYZE_RULES_LATE_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "tacho/recording.h"

enum { TACHO__LATE_FRAMES_OPEN_MAX = 64 };

struct tacho__finding;

/* {0} at first. */
struct tacho__late_frames {
	struct tacho__late_frame {
		uint64_t id; /* of its range */
		struct tacho__finding *finding;
	} open[TACHO__LATE_FRAMES_OPEN_MAX]; /* that calls were in and that have not ended */
	size_t open_count;
	uint64_t unkept;     /* found no place there */
	uint64_t *durations; /* of frames, but the first of each series */
	size_t count, capacity;
	bool is_sorted, has_failed; /* no memory for durations: frames are not told */
};

/* The finding's call is in those frames that the call is in. */
void tacho__late_frames_add(struct tacho__late_frames *frames, struct tacho__finding *finding,
			    const struct tacho_call *call);
/* For tacho_cursor_on_range(), with a struct tacho__late_frames. */
void tacho__late_frames_end(void *frames, const struct tacho_named_range *range);
/* Behind all: puts ", in 3 frames: ..." behind what was said; nothing when it was in none. */
void tacho__late_frames_tell(struct tacho__late_frames *frames,
			     const struct tacho__finding *finding, struct tacho__buf *message);
void tacho__late_frames_finish(struct tacho__late_frames *frames);

#endif
