/* SPDX-License-Identifier: MIT */
#include "inject/rocm/rocm_clock.h"

#include <time.h>

#include "base/clock.h"
#include "inject/rocm/rocm_functions.h"

enum { TRIES = 8 };

static uint64_t read_monotonic(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

bool tacho__rocm_clock_read(struct tacho__rocm_instant *out_now)
{
	uint64_t best = UINT64_MAX;
	struct tacho__rocm_instant now;

	for (int i = 0; i < TRIES; i++) {
		uint64_t before = read_monotonic(), after, tick = tacho__tick();

		if (tacho__rocm.get_timestamp(&now.library_ns))
			return false;
		now.tick = tick + (tacho__tick() - tick) / 2;
		after = read_monotonic();
		now.monotonic_ns = before + (after - before) / 2;
		if (after - before >= best)
			continue;
		best = after - before;
		*out_now = now;
	}
	return true;
}

uint64_t tacho__rocm_span_get_tick(const struct tacho__rocm_span *span, uint64_t library_ns)
{
	uint64_t wide = span->last.library_ns - span->first.library_ns;
	int64_t from = (int64_t)(library_ns - span->first.library_ns);

	if (!wide)
		return span->first.tick;
	return span->first.tick +
	       (uint64_t)((__int128)from * (__int128)(span->last.tick - span->first.tick) /
			  (__int128)wide);
}

/* From the newer end: a machine that slept in between moved one clock and not the other. */
uint64_t tacho__rocm_span_get_monotonic(const struct tacho__rocm_span *span, uint64_t library_ns)
{
	return library_ns - span->last.library_ns + span->last.monotonic_ns;
}
