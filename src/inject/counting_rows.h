/* SPDX-License-Identifier: MIT */
/* From a session's result to the counters of a launch, as the interception takes them. */
#ifndef TACHO_INJECT_COUNTING_ROWS_H
#define TACHO_INJECT_COUNTING_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "intercept/intercept.h"
#include "tacho/config.h"
#include "tacho/session.h"
#include "tacho/sys/counting.h"

struct tacho__row_writer {
	const struct tacho_counting *counting;
	uint32_t *columns; /* by entry: which of counting.json's columns it is */
	uint64_t *needed;  /* by entry: what a simulated value follows from */
	size_t *instances; /* by entry: how many were told to readers; 0: none yet */
	uint64_t known;	   /* of the launch at hand: what of it is known */
	struct tacho__count *counts;
	size_t capacity;
};

struct tacho__row_info {
	uint64_t start;	 /* tick of the launch's call */
	uint32_t thread; /* that launched; 0: the calling one */
	const char *note;
	size_t row; /* of the result */
};

/* NOMEM. It lives as long as the process. */
int tacho__row_writer_init(struct tacho__row_writer *writer, const struct tacho_counting *counting,
			   const struct tacho_device *device, const struct tacho_config *config);

/*
 * Writes a row of the result; an empty one when it is NULL or has no such row. INVAL when a
 * counter has other instances than in rows before; NOMEM.
 */
int tacho__row_writer_write(struct tacho__row_writer *writer, const struct tacho__row_info *info,
			    const struct tacho_result *result, uint64_t seen);

#endif
