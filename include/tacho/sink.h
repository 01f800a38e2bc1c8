/* SPDX-License-Identifier: MIT */
/* A function that takes bytes: where a caller wants text to go. */
#ifndef TACHO_SINK_H
#define TACHO_SINK_H

#include <stddef.h>

struct tacho_sink {
	/* Takes all of the bytes and returns 0; else a number of errno, and is not called again. */
	int (*write)(void *user, const void *bytes, size_t size);
	void *user;
};

#endif
