/* SPDX-License-Identifier: MIT */
/* The time of reports: 32 bits of ticks made whole, and put on the CPU's clock. */
#ifndef TACHO_OA_RECORDING_CLOCK_H
#define TACHO_OA_RECORDING_CLOCK_H

#include "tacho/sys/oa_recording.h"

/* Older pairs than these are forgotten: reports come in the order of time, nearly. */
enum { TACHO__OA_PAIRS = 256 };

/* Both clocks read at the same moment; ticks with what ran over added. */
struct tacho__oa_pair {
	uint64_t cpu_ns, gpu_ticks;
};

struct tacho__oa_clock {
	uint64_t frequency_hz; /* of the ticks; 0: not known */
	struct tacho__oa_pair pairs[TACHO__OA_PAIRS];
	size_t count;
	uint64_t raw_ticks; /* of the last pair, as recorded */
	uint64_t last_ticks;
	uint8_t has_last;
};

/*
 * Adds a pair that lies behind all others in the file. Returns 0 for one that goes back in time,
 * which is left out.
 */
int tacho__oa_clock_add(struct tacho__oa_clock *clock, uint64_t cpu_ns, uint64_t gpu_ticks);

/*
 * The whole timestamp of the next report in the file. `ahead` pairs, of the last ones, lie behind
 * the report in the file.
 */
uint64_t tacho__oa_clock_unwrap(struct tacho__oa_clock *clock, size_t ahead, uint32_t ticks);

/* A whole timestamp on the CPU's clock. */
enum tacho_oa_time tacho__oa_clock_convert(const struct tacho__oa_clock *clock, uint64_t gpu_ticks,
					   uint64_t *out_cpu_ns);

#endif
