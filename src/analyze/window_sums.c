/* SPDX-License-Identifier: MIT */
/* Counters that were sampled beside the program, over all windows. */
#include "analyze/summary.h"

#include <math.h>

#include "base/error.h"

int tacho__window_sums_init(struct tacho_summary *summary)
{
	const struct tacho_sampling *sampling;
	size_t count = 0;

	for (size_t i = 0; (sampling = tacho_recording_get_sampling(summary->recording, i)); i++)
		count += sampling->counter_count;
	summary->sampled =
		tacho__arena_get(&summary->arena, (count + 1) * sizeof(*summary->sampled));
	if (!summary->sampled)
		return TACHO_E_NOMEM;
	for (size_t i = 0; (sampling = tacho_recording_get_sampling(summary->recording, i)); i++)
		for (size_t k = 0; k < sampling->counter_count; k++)
			summary->sampled[summary->sampled_count++] = (struct tacho_summary_sampled){
				.sampling = sampling, .counter = &sampling->counters[k]};
	return 0;
}

static void add(struct tacho_summary_sampled *sum, const struct tacho_column *column)
{
	uint8_t state = tacho_column_get_state(column, 0, 0) & TACHO_STATE_MASK;
	double value = tacho_column_get_value(column, 0, 0);

	sum->scaled += state == TACHO_STATE_SCALED;
	sum->overflow += state == TACHO_STATE_OVERFLOW;
	sum->lost += state == TACHO_STATE_LOST;
	if (state == TACHO_STATE_ABSENT || isnan(value)) {
		sum->absent++;
		return;
	}
	if (state == TACHO_STATE_OVERFLOW)
		return;
	if (!sum->windows || value < sum->min)
		sum->min = value;
	if (!sum->windows || value > sum->max)
		sum->max = value;
	sum->windows++;
	sum->mean += (value - sum->mean) / (double)sum->windows;
}

void tacho__window_sums_add(void *user, const struct tacho_window *window)
{
	struct tacho_summary *summary = user;
	size_t first = 0;

	while (first < summary->sampled_count &&
	       summary->sampled[first].sampling != window->sampling)
		first++;
	for (size_t i = 0; i < window->sampling->counter_count; i++)
		add(&summary->sampled[first + i], tacho_result_get_column(window->result, i));
}

const struct tacho_summary_sampled *tacho_summary_get_sampled(const struct tacho_summary *summary,
							      size_t index)
{
	return summary && index < summary->sampled_count ? &summary->sampled[index] : NULL;
}
