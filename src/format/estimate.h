/* SPDX-License-Identifier: MIT */
/* The length of arguments as text, estimated by formatting some of them: that is what costs time.
 */
#ifndef TACHO_FORMAT_ESTIMATE_H
#define TACHO_FORMAT_ESTIMATE_H

#include <stdint.h>

#include "tacho/recording.h"

/* {0} at first. */
struct tacho__sampler {
	uint64_t calls, sampled, bytes;
};

/* The length of the current call's arguments, or the mean of those before it. */
uint64_t tacho__sampler_add(struct tacho__sampler *sampler, struct tacho_cursor *cursor);

/* FNV-1a. */
uint64_t tacho__hash_text(const char *text);

#endif
