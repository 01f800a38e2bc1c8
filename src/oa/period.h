/* SPDX-License-Identifier: MIT */
/* Periods of the OA unit's timer: 2^(exponent + 1) ticks of the timestamp. */
#ifndef TACHO_OA_PERIOD_H
#define TACHO_OA_PERIOD_H

#include <stdint.h>

enum { TACHO__OA_EXPONENT_MAX = 31 };

/* Rounded up to whole ns, as the kernel does. */
uint64_t tacho__oa_get_period_ns(uint64_t timestamp_hz, uint32_t exponent);
/* The exponent with the nearest period. */
uint32_t tacho__oa_find_exponent(uint64_t timestamp_hz, uint64_t period_ns);

#endif
