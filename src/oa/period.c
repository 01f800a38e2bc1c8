/* SPDX-License-Identifier: MIT */
#include "oa/period.h"

static const uint64_t NS_PER_S = 1000000000;

uint64_t tacho__oa_get_period_ns(uint64_t timestamp_hz, uint32_t exponent)
{
	unsigned __int128 ticks = (unsigned __int128)2 << exponent;

	return (uint64_t)((ticks * NS_PER_S + timestamp_hz - 1) / timestamp_hz);
}

uint32_t tacho__oa_find_exponent(uint64_t timestamp_hz, uint64_t period_ns)
{
	uint32_t exponent = 0;

	while (exponent < TACHO__OA_EXPONENT_MAX) {
		uint64_t own_ns = tacho__oa_get_period_ns(timestamp_hz, exponent);

		/* Past the middle between it and twice of it the next one is nearer. */
		if (period_ns <= own_ns || period_ns - own_ns <= own_ns / 2)
			break;
		exponent++;
	}
	return exponent;
}
