/* SPDX-License-Identifier: MIT */
/*
 * Called by a program about itself: what it is doing, by name, and which part of it is to be
 * counted while `tacho record` or `tacho stat` runs it. Without such a run these calls do nothing
 * that shows. All are safe from any thread at any time, and take no lock.
 */
#ifndef TACHO_PROFILE_H
#define TACHO_PROFILE_H

#include <stdint.h>

#include <tacho/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Launches from now on are not counted, by whichever thread, until tacho_profile_resume(); they are
 * recorded all the same. Both from any thread, any number of times: the last call holds. With
 * --start-paused the first resume begins. A pause by a signal to tacho is not undone by these.
 */
TACHO_API void tacho_profile_pause(void);
/* Launches from now on are counted again. */
TACHO_API void tacho_profile_resume(void);

/* 1 while the last of these calls was a pause. */
TACHO_API int tacho_profile_is_paused(void);

/*
 * Named ranges: they stand in the recording, in reports (--by range), pages and traces, and select
 * launches to be counted (--range NAME). A name is kept up to 255 bytes; NULL is "". Other APIs for
 * the same (NVTX, ROCTX, ITT) become the same ranges.
 *
 * push and pop nest, and belong to the thread that calls them; a pop without a push does nothing.
 * begin and end are ranges of the whole process, may overlap, and may be called from different
 * threads. begin returns a number for end, never 0. A mark is a moment.
 */
TACHO_API void tacho_profile_push(const char *name);
/* Ends the range that this thread pushed last. */
TACHO_API void tacho_profile_pop(void);
/* Begins a range of the process; the number that it returns ends it. */
TACHO_API uint64_t tacho_profile_begin(const char *name);
/* Ends the range of the process for which begin returned the number; 0 does nothing. */
TACHO_API void tacho_profile_end(uint64_t range);
/* Names this moment. */
TACHO_API void tacho_profile_mark(const char *name);

#ifdef __cplusplus
}
#endif

#endif
