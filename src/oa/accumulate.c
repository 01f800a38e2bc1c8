/* SPDX-License-Identifier: MIT */
/* Differences of reports, modulo the widths of their counters. */
#include "oa/accumulate.h"

#include "oa/avx2.h"

#ifndef __clang__ /* which vectorizes as it is */
#pragma GCC optimize("O3")
#endif

static uint64_t mask_of(uint32_t width_bits)
{
	return width_bits < 64 ? (1ull << width_bits) - 1 : UINT64_MAX;
}

static void worsen(uint8_t *state, uint8_t other)
{
	if (*state < other)
		*state = other;
}

uint64_t tacho__oa_elapsed(const struct tacho_oa_format *format, const struct tacho_oa_report *from,
			   const struct tacho_oa_report *to)
{
	return (to->values[0] - from->values[0]) & mask_of(tacho__oa_time_bits(format));
}

/*
 * No counter grows by more than this in a clock: booleans count clocks; for the others one a clock
 * in each EU is the bound that IGT's checks of real reports rely on.
 */
static uint64_t growth_of(const struct tacho__oa_run *run, uint64_t eu_count)
{
	return run->block == TACHO__OA_B ? 1 : eu_count;
}

/* a * b / divisor, at most UINT64_MAX. */
static uint64_t scale(uint64_t a, uint64_t b, uint64_t divisor)
{
	unsigned __int128 product;
	uint64_t narrow;

	if (!__builtin_mul_overflow(a, b, &narrow)) /* nearly always, and much quicker */
		return narrow / divisor;
	product = (unsigned __int128)a * b / divisor;
	return product > UINT64_MAX ? UINT64_MAX : (uint64_t)product;
}

/*
 * Marks what can have wrapped more than once while the clock went on by `clocks`. The caller has
 * seen that a counter can have.
 */
static void mark_wraps(const struct tacho_oa_format *format, uint64_t clocks, uint64_t eu_count,
		       struct tacho_oa_sums *sums)
{
	size_t at = TACHO__OA_HEADER_VALUES;

	for (const struct tacho__oa_run *run = tacho__oa_layout(format)->runs; run->count; run++) {
		uint64_t most = scale(clocks, growth_of(run, eu_count), 1);
		size_t end = at + run->count;

		for (; at < end; at++)
			if (most > mask_of(run->width_bits))
				worsen(&sums->states[at], TACHO_STATE_OVERFLOW);
	}
}

/*
 * Whether it is so short that not even 32 bits can have run over anywhere, which is so between
 * nearly all reports and told without a division. One more for the part of a tick that the
 * timestamps do not show.
 */
static int is_short(const struct tacho_oa_limits *limits, uint64_t elapsed)
{
	uint64_t clocks, counts, most;

	return !__builtin_mul_overflow(elapsed + 1, limits->clock_max_hz, &clocks) &&
	       !__builtin_mul_overflow(clocks, limits->eu_count ? limits->eu_count : 1, &counts) &&
	       !__builtin_mul_overflow(UINT32_MAX, limits->timestamp_hz, &most) && counts <= most;
}

static void check_wraps(const struct tacho_oa_format *format, const struct tacho_oa_limits *limits,
			uint64_t elapsed, uint64_t clock, uint32_t clock_bits,
			struct tacho_oa_sums *sums)
{
	uint64_t clocks;

	if (!limits->timestamp_hz || !limits->clock_max_hz || is_short(limits, elapsed))
		return;
	clocks = scale(elapsed + 1, limits->clock_max_hz, limits->timestamp_hz);
	if (clock_bits && clocks > mask_of(clock_bits))
		worsen(&sums->states[1], TACHO_STATE_OVERFLOW);
	else if (clock_bits && clock < clocks)
		clocks = clock;
	if (scale(clocks, limits->eu_count ? limits->eu_count : 1, 1) > UINT32_MAX)
		mark_wraps(format, clocks, limits->eu_count, sums);
}

void tacho__oa_add_runs(const struct tacho__oa_run *run, const uint64_t *restrict before,
			const uint64_t *restrict after, uint64_t *restrict sums)
{
	size_t at = TACHO__OA_HEADER_VALUES;

	for (; run->count; run++) {
		uint64_t mask = mask_of(run->width_bits);
		size_t end = at + run->count;

		for (; at < end; at++)
			sums[at] += (after[at] - before[at]) & mask;
	}
}

void tacho_oa_sums_add(const struct tacho_oa_format *format, const struct tacho_oa_limits *limits,
		       const struct tacho_oa_report *from, const struct tacho_oa_report *to,
		       uint64_t elapsed_ticks, struct tacho_oa_sums *sums)
{
	const struct tacho__oa_run *runs;
	const uint64_t *before, *after;
	uint64_t elapsed, clock;
	uint32_t clock_bits;

	if (!format || !from || !to || !sums)
		return;
	runs = tacho__oa_layout(format)->runs;
	before = from->values;
	after = to->values;
	clock_bits = tacho__oa_clock_bits(format);
	elapsed = elapsed_ticks ? elapsed_ticks : tacho__oa_elapsed(format, from, to);
	clock = clock_bits ? (after[1] - before[1]) & mask_of(clock_bits) : 0;
	sums->values[0] += elapsed;
	sums->values[1] += clock;
	if (!clock_bits)
		sums->states[1] = TACHO_STATE_ABSENT;
	if (tacho__oa_has_avx2())
		tacho__oa_add_runs_avx2(runs, before, after, sums->values);
	else
		tacho__oa_add_runs(runs, before, after, sums->values);
	if (limits)
		check_wraps(format, limits, elapsed, clock, clock_bits, sums);
	sums->interval_count++;
}

void tacho_oa_sums_mark(const struct tacho_oa_format *format, enum tacho_state state,
			struct tacho_oa_sums *sums)
{
	if (!format || !sums)
		return;
	for (size_t i = 0; i < format->value_count; i++)
		worsen(&sums->states[i], (uint8_t)state);
}
