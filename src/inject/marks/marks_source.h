/* SPDX-License-Identifier: MIT */
/*
 * The way of all sources of ranges (NVTX, ITT, ROCTX) into the recording. From any thread; errno
 * stays.
 */
#ifndef TACHO_INJECT_MARKS_MARKS_SOURCE_H
#define TACHO_INJECT_MARKS_MARKS_SOURCE_H

#include <stdbool.h>
#include <wchar.h>

#include "intercept/intercept.h"

/* Whether a launcher wants this process recorded. A source takes no part otherwise. */
bool tacho__source_is_wanted(void);

/* As tacho__marks_tell(). Recording starts with the first one: who names nothing is left alone. */
void tacho__source_tell(struct tacho__range_note *note);

/* The name of a thread, which is kept when it is the calling one. NULL is none. */
void tacho__source_name_thread(uint64_t thread, const char *name);

enum tacho__source_loss {
	TACHO__LOST_NAMES, /* there are too many different ones */
	TACHO__LOST_OPEN,  /* too many ranges are open at once */
	TACHO__LOSSES
};

/* What is not recorded is told once. */
void tacho__source_lose(enum tacho__source_loss loss);

enum { TACHO__WIDE_BYTES = TACHO__RANGE_NAME_MAX + 1 };

/* As UTF-8, as much as fits in whole characters; U+FFFD for what is none. Returns `out`. */
const char *tacho__source_narrow(const wchar_t *text, char out[TACHO__WIDE_BYTES]);

#endif
