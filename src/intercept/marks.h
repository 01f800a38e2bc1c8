/* SPDX-License-Identifier: MIT */
/*
 * Ranges that the program names, through whichever API: what src/inject makes of NVTX, ROCTX and
 * ITT, and tacho/profile.h, end here. From any thread; no lock, no allocation, no system call.
 */
#ifndef TACHO_INTERCEPT_MARKS_H
#define TACHO_INTERCEPT_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#include "intercept/intercept.h"
#include "tacho/export.h"

/*
 * The id of BEGIN is made here and written to the note: never 0, once in a process. A POP without a
 * PUSH on its stack since somebody listens, in this process, goes no further.
 */
TACHO_API void tacho__marks_tell(struct tacho__range_note *note);

/* Whether launches in ranges of this name are to be counted. From any thread. */
typedef bool (*tacho__range_chooser)(const char *name);
/* Asked for each PUSH and BEGIN from now on. Once, before the first of them. */
TACHO_API void tacho__marks_choose(tacho__range_chooser chooser);
/*
 * Whether the calling thread, or the process, is in a range that was chosen. Of a thread up to 64
 * levels of four domains at a time can be, of the process 256 ranges at a time; further ones are
 * not looked at.
 */
TACHO_API bool tacho__marks_have_chosen(void);

#endif
