/* SPDX-License-Identifier: MIT */
/* From two readings to a value with its state. */
#include <math.h>

#include "backend/perf/perf.h"

void tacho__perf_difference(const struct tacho__perf_reading *begin,
			    const struct tacho__perf_reading *end, double scale,
			    struct tacho__perf_value *out_value)
{
	/* the kernel's times go on while they are read: a small step back is none */
	uint64_t enabled =
		end->enabled_ns > begin->enabled_ns ? end->enabled_ns - begin->enabled_ns : 0;
	uint64_t running =
		end->running_ns > begin->running_ns ? end->running_ns - begin->running_ns : 0;
	uint64_t count = end->count - begin->count;
	struct tacho__perf_value value = {.coverage = 1, .state = TACHO_STATE_OK};

	if (running >= enabled && (running || begin->running_ns)) {
		value.whole = count;
		value.real = (double)count * scale;
	} else if (running && enabled) {
		double real = (double)count * ((double)enabled / (double)running);

		value.coverage = (double)running / (double)enabled;
		value.state = TACHO_STATE_SCALED;
		/* the largest double below 2^64 */
		value.whole = (uint64_t)fmin(floor(real + 0.5), 18446744073709549568.0);
		value.real = real * scale;
	} else {
		value.coverage = 0;
		value.state = TACHO_STATE_ABSENT;
	}
	*out_value = value;
}
