/* SPDX-License-Identifier: MIT */
/* How durations are spread: counts in bins, four for each power of two. */
#include "analyze/summary.h"
#include "tacho/error.h"

static size_t bin_of(uint64_t ns)
{
	unsigned exponent;

	if (ns < 4)
		return (size_t)ns;
	exponent = 63 - (unsigned)__builtin_clzll(ns);
	return 4 * (exponent - 1) + (ns >> (exponent - 2) & 3);
}

uint64_t tacho_duration_bin_start_ns(size_t bin)
{
	if (bin < 4)
		return bin;
	if (bin >= TACHO_DURATION_BINS)
		return UINT64_MAX;
	return (uint64_t)(4 + bin % 4) << (bin / 4 - 1);
}

int tacho__durations_add(struct tacho_summary *summary, struct tacho__line *line,
			 uint64_t duration_ns)
{
	if (!line->durations)
		line->durations = tacho__arena_get(&summary->arena,
						   TACHO_DURATION_BINS * sizeof(*line->durations));
	if (!line->durations)
		return TACHO_E_NOMEM;
	line->durations[bin_of(duration_ns)]++;
	return 0;
}

const uint64_t *tacho_summary_get_durations(const struct tacho_summary *summary,
					    enum tacho_summary_key key, size_t index)
{
	if (!summary)
		return NULL;
	if (index >= tacho_summary_get_line_count(summary, key))
		return NULL;
	return summary->lines[key].all[index]->durations;
}
