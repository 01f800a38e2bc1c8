/* SPDX-License-Identifier: MIT */
/*
 * The clock of a device's windows of time, placed on the host's CLOCK_MONOTONIC. A library may tell
 * times of one of the host's clocks without saying of which: that is found out. Where it is none of
 * them, a window cannot have ended before counting began, nor after it was read.
 */
#ifndef TACHO_BACKEND_WINDOW_CLOCK_H
#define TACHO_BACKEND_WINDOW_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "tacho/result.h"

struct tacho__window_clock {
	struct tacho__anchor begin; /* when counting began */
	bool is_known;
	int follows;	  /* which clock of the host; -1: none */
	int64_t shift_ns; /* to be added to the device's times */
	uint64_t uncertainty_ns;
};

/* Counting is about to begin. */
void tacho__window_clock_begin(struct tacho__window_clock *clock);
/* A window that was just read ended then, in the device's nanoseconds. */
void tacho__window_clock_note(struct tacho__window_clock *clock, uint64_t end_ns);
/* Puts a window into a row: 0 where nothing is known yet. */
void tacho__window_clock_place(const struct tacho__window_clock *clock, uint64_t start_ns,
			       uint64_t end_ns, struct tacho_row *row);

#endif
