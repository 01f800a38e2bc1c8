/* SPDX-License-Identifier: MIT */
/*
 * Clocks. A tick is the cheapest time that this machine vouches for: TSC cycles where the CPU's
 * flags and the kernel's clock source say that they run evenly on all cores, else nanoseconds of
 * CLOCK_MONOTONIC_RAW. Anchors tie ticks to the system's clocks.
 */
#ifndef TACHO_BASE_CLOCK_H
#define TACHO_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "tacho/export.h"

/* One instant on all clocks; the reads lie within uncertainty_ns of each other. */
struct tacho__anchor {
	uint64_t tick;
	uint64_t raw_ns, monotonic_ns, realtime_ns;
	uint64_t uncertainty_ns;
};

/* Set once by tacho__clock_init() before any tick is read; then only read. */
TACHO_API extern bool tacho__tick_is_tsc;

/* Chooses the tick. Idempotent; call it before the first tick of a process. */
TACHO_API void tacho__clock_init(void);

/* The same, where somebody who looked knows: the files that tell may be out of reach. */
void tacho__clock_choose(bool is_tsc);

/* "tsc" or "clock_gettime". Static. */
const char *tacho__clock_name(void);

TACHO_API uint64_t tacho__clock_raw_ns(void);
uint64_t tacho__clock_monotonic_ns(void);

/* The clocks that anchors read. Tests put others in their place; a program never does. */
struct tacho__clock_table {
	uint64_t (*raw_ns)(void);
	uint64_t (*monotonic_ns)(void);
	uint64_t (*realtime_ns)(void);
};
extern struct tacho__clock_table tacho__clock_table;

/* The best of several tries at reading all clocks together. */
void tacho__clock_anchor(struct tacho__anchor *out_anchor);

static inline uint64_t tacho__tick(void)
{
#if defined(__x86_64__)
	if (tacho__tick_is_tsc)
		return __builtin_ia32_rdtsc();
#endif
	return tacho__clock_raw_ns();
}

#endif
