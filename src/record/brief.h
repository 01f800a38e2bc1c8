/* SPDX-License-Identifier: MIT */
/* A look at a recording that needs less than all of it. */
#ifndef TACHO_RECORD_BRIEF_H
#define TACHO_RECORD_BRIEF_H

#include "tacho/recording.h"

/*
 * For who wants to know only when calls were, and of what function, and when which device worked
 * for them: calls and commands may lack everything else from then on, which saves the time to read
 * it.
 */
void tacho__cursor_be_brief(struct tacho_cursor *cursor);

#endif
