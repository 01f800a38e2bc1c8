/* SPDX-License-Identifier: MIT */
/* How a recording is told from another one, and its memory found. */
#ifndef TACHO_RECORD_PLACE_H
#define TACHO_RECORD_PLACE_H

/* The stamp of a recording in its meta.json, and in the environment of the programs it records. */
#define TACHO__STAMP_KEY      "stamp"
#define TACHO__STAMP_VARIABLE "TACHO_RECORD_STAMP"

enum { TACHO__STAMP_MAX = 64 };

/* Where the pool of a recording is, in its meta.json. */
#define TACHO__POOL_KEY "pool"

/* In end.json of a recording that was saved while it was written: its first piece, 0: it has none.
 */
#define TACHO__SNAPSHOT_KEY "snapshot"

#endif
