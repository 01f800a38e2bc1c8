/* SPDX-License-Identifier: MIT */
/* From times of AMD's library to ticks of calls and to CLOCK_MONOTONIC, on which devices' times
 * lie. */
#ifndef TACHO_INJECT_ROCM_ROCM_CLOCK_H
#define TACHO_INJECT_ROCM_ROCM_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* One instant on three clocks. */
struct tacho__rocm_instant {
	uint64_t library_ns; /* rocprofiler_get_timestamp() */
	uint64_t monotonic_ns;
	uint64_t tick;
};

/* The best of several tries at reading them together. False: the library gives no time. */
bool tacho__rocm_clock_read(struct tacho__rocm_instant *out_now);

/*
 * Times between two instants. The two clocks of the kernel run alike; ticks are taken to run evenly
 * between two instants, and as fast before the first and behind the second one.
 */
struct tacho__rocm_span {
	struct tacho__rocm_instant first, last;
};

uint64_t tacho__rocm_span_get_tick(const struct tacho__rocm_span *span, uint64_t library_ns);
uint64_t tacho__rocm_span_get_monotonic(const struct tacho__rocm_span *span, uint64_t library_ns);

#endif
