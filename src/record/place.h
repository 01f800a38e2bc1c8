/* SPDX-License-Identifier: MIT */
/*
 * Which recording is at a path. A process that outlives its launcher, or forks late, may find
 * another one there than the one it was started for; it must not write into that.
 */
#ifndef TACHO_RECORD_PLACE_H
#define TACHO_RECORD_PLACE_H

#include <stdbool.h>

/* The stamp of a recording in its meta.json, and in the environment of the programs it records. */
#define TACHO__STAMP_KEY      "stamp"
#define TACHO__STAMP_VARIABLE "TACHO_RECORD_STAMP"

enum { TACHO__STAMP_MAX = 64 };

/*
 * Whether the recording at `root` has this stamp. What cannot be read is taken for it, what is not
 * there is not.
 */
bool tacho__place_has_stamp(const char *root, const char *stamp);

/*
 * Marks the directory of a process as written to for as long as the returned descriptor is open;
 * -1 when it cannot be.
 */
int tacho__place_hold(const char *directory);

/* Whether somebody holds the directory that is open as `fd`. */
bool tacho__place_is_held(int fd);

#endif
