/* SPDX-License-Identifier: MIT */
/*
 * Recording inside a program. docs/recording.md describes it as a whole.
 *
 * Threads own streams; each writes records into windows of the pool, memory that it shares with the
 * keeper, a process outside of the program that writes them into files. After the start in a
 * process nothing here makes a system call. A fork is noticed through a page that the kernel wipes
 * in the child, which then goes on as a process of its own in the same pool.
 */
#ifndef TACHO_RECORD_WRITER_H
#define TACHO_RECORD_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tacho/export.h"
#include "tacho/sys/counting.h"

/*
 * Makes a call table (calls.h; static storage) part of the recording. To be called before the first
 * call of its API is recorded, from one thread at a time.
 */
TACHO_API void tacho__record_add_table(uint16_t api, const char *text, size_t size);

/*
 * Starts recording in this process when its environment asks for it: TACHO_POOL names the pool.
 * Returns whether it records. Idempotent, from any thread. Keeps errno, the signal mask and all
 * descriptors of the program.
 */
TACHO_API bool tacho__record_start(void);

/* What the launcher says of counting; NULL where nothing is recorded. */
TACHO_API const struct tacho_counting_control *tacho__record_get_control(void);

/* A number that a forked child does not share with its parent; 0 where nothing is recorded. */
TACHO_API uint32_t tacho__record_image(void);

#endif
