/* SPDX-License-Identifier: MIT */
/*
 * Writing a recording from inside a profiled program. docs/recording.md describes it as a whole.
 *
 * Threads own streams; each writes records into a window of its stream's file that is mapped
 * shared, so that a record is in the file the instant it is committed. One helper thread per
 * process makes windows ahead of need; it alone opens files, in a descriptor table of its own. A
 * fork is noticed through a page that the kernel wipes in the child, which then starts over with
 * its own directory.
 */
#ifndef TACHO_RECORD_WRITER_H
#define TACHO_RECORD_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tacho/export.h"

/*
 * Makes a call table (calls.h; static storage) part of every process directory that this process
 * writes. To be called before tacho__record_start().
 */
TACHO_API void tacho__record_add_table(uint16_t api, const char *text, size_t size);

/*
 * Starts recording in this process when its environment asks for it: TACHO_RECORD names the
 * directory, TACHO_ONLY_PID the one process that is to be recorded. Returns whether it records.
 * Idempotent, from any thread. Keeps errno, the signal mask and all descriptors of the program.
 */
TACHO_API bool tacho__record_start(void);

#endif
