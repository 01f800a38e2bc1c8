/* SPDX-License-Identifier: MIT */
/*
 * Ranges that the program names, through whichever API: what src/inject makes of NVTX, ROCTX and
 * ITT, and tacho/profile.h, end here. From any thread; no lock, no allocation, no system call.
 */
#ifndef TACHO_INTERCEPT_MARKS_H
#define TACHO_INTERCEPT_MARKS_H

#include <stdint.h>

#include "intercept/intercept.h"
#include "tacho/export.h"

/* The id of BEGIN is made here and written to the note: never 0, once in a process. */
TACHO_API void tacho__marks_tell(struct tacho__range_note *note);

#endif
