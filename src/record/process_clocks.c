/* SPDX-License-Identifier: MIT */
/* Times of a process: its clocks are the keeper's, or run beside them in another time namespace. */
#include "record/reader.h"

uint64_t tacho__process_host_ns(const struct tacho__process *process, uint64_t tick)
{
	return tacho__clock_map_convert(process->clocks, TACHO__CLOCK_TICK, TACHO__CLOCK_MONOTONIC,
					tick - process->shifts[TACHO__CLOCK_TICK]);
}
