/* SPDX-License-Identifier: MIT */
/* The instances of one row as one value. */
#include <string.h>

#include "model/shape.h"
#include "session/session.h"

int tacho__entry_is_rate(const struct tacho_entry *entry)
{
	return !strcmp(entry->unit, "percent") || !strcmp(entry->semantic, "ratio") ||
	       !strcmp(entry->semantic, "throughput");
}

/* Exact; what is over 2^64 stays at the largest number. */
static uint64_t reduce_whole(const struct tacho__value_in *in, size_t present, uint8_t *state)
{
	const uint64_t *data = in->data;
	uint64_t sum = 0;

	for (size_t i = 0; i < in->column->instance_count; i++) {
		if (!tacho_column_is_present(in->column, i))
			continue;
		if (__builtin_add_overflow(sum, data[i], &sum)) {
			*state = tacho__state_worse(*state, TACHO_STATE_OVERFLOW);
			return UINT64_MAX;
		}
	}
	return in->is_rate && present ? sum / present : sum;
}

static double reduce_real(const struct tacho__value_in *in, size_t present)
{
	const double *data = in->data;
	double sum = 0;

	for (size_t i = 0; i < in->column->instance_count; i++)
		if (tacho_column_is_present(in->column, i))
			sum += data[i];
	return in->is_rate && present ? sum / (double)present : sum;
}

void tacho__values_reduce(const struct tacho__value_in *in, void *out_value, uint8_t *out_state,
			  double *out_coverage)
{
	uint8_t state = TACHO_STATE_OK;
	double coverage = 1, real;
	size_t present = 0;
	uint64_t whole;

	for (size_t i = 0; i < in->column->instance_count; i++) {
		if (!tacho_column_is_present(in->column, i))
			continue;
		present++;
		if (in->states)
			state = tacho__state_worse(state, in->states[i]);
		if (in->coverage && in->coverage[i] < coverage)
			coverage = in->coverage[i];
	}
	if (!present)
		state = TACHO_STATE_ABSENT;
	if (in->column->type == TACHO_TYPE_U64) {
		whole = reduce_whole(in, present, &state);
		memcpy(out_value, &whole, sizeof(whole));
	} else {
		real = reduce_real(in, present);
		memcpy(out_value, &real, sizeof(real));
	}
	*out_state = state;
	*out_coverage = coverage;
}
