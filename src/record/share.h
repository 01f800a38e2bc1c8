/* SPDX-License-Identifier: MIT */
/* A cursor of several owners. */
#ifndef TACHO_RECORD_SHARE_H
#define TACHO_RECORD_SHARE_H

#include "tacho/recording.h"

/* One owner more, who closes it, too: the last one does. All of one thread. Returns the cursor. */
struct tacho_cursor *tacho__cursor_share(struct tacho_cursor *cursor);

#endif
