/* SPDX-License-Identifier: MIT */
#include "inject/cuda/cuda_clock.h"

#include <stdatomic.h>
#include <time.h>

#include "base/clock.h"
#include "inject/cuda/cuda_functions.h"

enum { TRIES = 8 };

static struct {
	bool is_ours; /* CUPTI asks us for the time */
	atomic_uint_least64_t uncertainty_ns;
} state;

uint64_t tacho__cuda_clock_monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void tacho__cuda_clock_start(void)
{
	state.is_ours =
		tacho__cuda.cuptiActivityRegisterTimestampCallback &&
		!tacho__cuda.cuptiActivityRegisterTimestampCallback(tacho__cuda_clock_monotonic_ns);
}

bool tacho__cuda_clock_read(struct tacho__cuda_instant *out_now)
{
	uint64_t best = UINT64_MAX;
	struct tacho__cuda_instant now;

	if (!state.is_ours && !tacho__cuda.cuptiGetTimestamp)
		return false;
	for (int i = 0; i < TRIES; i++) {
		uint64_t before = tacho__cuda_clock_monotonic_ns(), after, tick = tacho__tick();

		if (!state.is_ours && tacho__cuda.cuptiGetTimestamp(&now.record_ns))
			return false;
		now.tick = tick + (tacho__tick() - tick) / 2;
		after = tacho__cuda_clock_monotonic_ns();
		now.monotonic_ns = before + (after - before) / 2;
		if (state.is_ours)
			now.record_ns = now.monotonic_ns;
		if (after - before >= best)
			continue;
		best = after - before;
		*out_now = now;
	}
	atomic_store_explicit(&state.uncertainty_ns, best, memory_order_relaxed);
	return true;
}

uint64_t tacho__cuda_clock_get_uncertainty_ns(void)
{
	return atomic_load_explicit(&state.uncertainty_ns, memory_order_relaxed);
}

uint64_t tacho__cuda_span_get_tick(const struct tacho__cuda_span *span, uint64_t record_ns)
{
	uint64_t wide = span->last.record_ns - span->first.record_ns;
	int64_t from = (int64_t)(record_ns - span->first.record_ns);

	if (!wide)
		return span->first.tick;
	return span->first.tick +
	       (uint64_t)((__int128)from * (__int128)(span->last.tick - span->first.tick) /
			  (__int128)wide);
}

/* From the newer end: a machine that slept in between moved one clock and not the other. */
uint64_t tacho__cuda_span_get_monotonic(const struct tacho__cuda_span *span, uint64_t record_ns)
{
	return record_ns - span->last.record_ns + span->last.monotonic_ns;
}
