/* SPDX-License-Identifier: MIT */
/* Times of a process: its clocks are the keeper's, or run beside them in another time namespace. */
#include "record/reader.h"

static uint64_t convert(struct tacho__time_lines *times, enum tacho__clock from,
			enum tacho__clock to, uint64_t time)
{
	struct tacho__clock_line *line = &times->lines[from][to];

	if (time < line->first || time >= line->until)
		*line = tacho__clock_map_find_line(times->process->clocks, from, to, time);
	return tacho__clock_line_convert(line, time);
}

uint64_t tacho__time_lines_own(struct tacho__time_lines *times, enum tacho__clock clock,
			       uint64_t tick)
{
	const uint64_t *shifts = times->process->shifts;

	return convert(times, TACHO__CLOCK_TICK, clock, tick - shifts[TACHO__CLOCK_TICK]) +
	       shifts[clock];
}

uint64_t tacho__time_lines_own_to_host_ns(struct tacho__time_lines *times, enum tacho__clock clock,
					  uint64_t time)
{
	return convert(times, clock, TACHO__CLOCK_MONOTONIC, time - times->process->shifts[clock]);
}

uint64_t tacho__process_host_ns(const struct tacho__process *process, uint64_t tick)
{
	return tacho__clock_map_convert(process->clocks, TACHO__CLOCK_TICK, TACHO__CLOCK_MONOTONIC,
					tick - process->shifts[TACHO__CLOCK_TICK]);
}
