/* SPDX-License-Identifier: MIT */
/* Frames, while a recording is read: what was given to devices in each, and how long each took. */
#ifndef TACHO_ANALYZE_FRAMES_H
#define TACHO_ANALYZE_FRAMES_H

#include "base/arena.h"
#include "base/map.h"
#include "tacho/summary.h"

/* {0} at first. */
struct tacho__frames {
	struct tacho_frames info;
	struct tacho_frame *all;
	size_t count, capacity;
	struct tacho__open_frame {
		uint64_t id; /* of its range */
		struct tacho_frame frame;
	} * open; /* those that calls were in and that have not ended */
	size_t open_count, open_capacity;
	struct tacho__names series; /* "process/name" */
	bool has_failed;	    /* no memory */
};

/* For those of its ranges that are frames. */
void tacho__frames_add_call(struct tacho__frames *frames, const struct tacho_call *call);
/* Nothing when the range is none. Texts are copied to the arena. */
void tacho__frames_end(struct tacho__frames *frames, struct tacho__arena *arena,
		       const struct tacho_named_range *range);
/* Behind all of them. NOMEM, also of what failed before. */
int tacho__frames_complete(struct tacho__frames *frames);
void tacho__frames_finish(struct tacho__frames *frames);

#endif
