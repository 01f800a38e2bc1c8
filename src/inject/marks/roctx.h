/* SPDX-License-Identifier: MIT */
/*
 * Between the library that stands in front of ROCTX in programs, which is small because it is in
 * all of them, and libtacho-marks.so, which is loaded at the first range.
 */
#ifndef TACHO_INJECT_MARKS_ROCTX_H
#define TACHO_INJECT_MARKS_ROCTX_H

#include <stdint.h>

#include "tacho/export.h"

struct tacho__roctx_source {
	void (*push)(const char *name);
	void (*pop)(void);
	void (*begin)(uint64_t range, const char *name); /* as the program's ROCTX numbers it */
	void (*end)(uint64_t range);
	void (*mark)(const char *name);
	void (*pause)(void);
	void (*resume)(void);
	void (*name_thread)(const char *name); /* the calling one */
};

#define TACHO__ROCTX_SOURCE "tacho__roctx_get_source"

/* NULL: the process is not recorded. Static. */
TACHO_API const struct tacho__roctx_source *tacho__roctx_get_source(void);

#endif
