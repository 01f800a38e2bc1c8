/* SPDX-License-Identifier: MIT */
/*
 * Called by a program about itself: which part of it is to be counted while `tacho record -m` or
 * `tacho stat -m` runs it. Without such a run these calls do nothing that shows.
 */
#ifndef TACHO_PROFILE_H
#define TACHO_PROFILE_H

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
TACHO_API void tacho_profile_resume(void);

/* 1 while the last of these calls was a pause. */
TACHO_API int tacho_profile_is_paused(void);

#ifdef __cplusplus
}
#endif

#endif
