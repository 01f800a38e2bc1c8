/* SPDX-License-Identifier: MIT */
#include "inject/cuda/cuda_clock.h"

#include <time.h>

#include "base/clock.h"
#include "inject/cuda/cuda_functions.h"

enum { TRIES = 8, TRIES_AGAIN = 64, SLACK = 2 };

static struct {
	bool is_ours;		 /* CUPTI asks us for the time */
	uint64_t uncertainty_ns; /* that no reading exceeds; 0: none was taken */
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

/* The clocks were read within so many ns of each other; UINT64_MAX: CUPTI does not tell its time.
 */
static uint64_t read_once(struct tacho__cuda_instant *out_now)
{
	uint64_t before = tacho__cuda_clock_monotonic_ns(), after, tick = tacho__tick();

	if (!state.is_ours && tacho__cuda.cuptiGetTimestamp(&out_now->record_ns))
		return UINT64_MAX;
	out_now->tick = tick + (tacho__tick() - tick) / 2;
	after = tacho__cuda_clock_monotonic_ns();
	out_now->monotonic_ns = before + (after - before) / 2;
	if (state.is_ours)
		out_now->record_ns = out_now->monotonic_ns;
	return after - before;
}

/* The first reading says how well it can be done. */
bool tacho__cuda_clock_read(struct tacho__cuda_instant *out_now, bool *out_is_near)
{
	uint64_t best = UINT64_MAX, width;
	struct tacho__cuda_instant now;

	if (!state.is_ours && !tacho__cuda.cuptiGetTimestamp)
		return false;
	for (int i = 0;
	     i < TRIES || (i < TRIES_AGAIN && state.uncertainty_ns && best > state.uncertainty_ns);
	     i++) {
		width = read_once(&now);
		if (width >= best)
			continue;
		best = width;
		*out_now = now;
	}
	if (!state.uncertainty_ns && best != UINT64_MAX)
		state.uncertainty_ns = SLACK * best + 1;
	*out_is_near = best <= state.uncertainty_ns;
	return best != UINT64_MAX;
}

uint64_t tacho__cuda_clock_get_uncertainty_ns(void)
{
	return state.is_ours ? 0 : state.uncertainty_ns;
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
