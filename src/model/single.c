/* SPDX-License-Identifier: MIT */
#include "model/single.h"

#include <string.h>

#include "model/shape.h"

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

bool tacho__semantic_adds_up(const char *semantic)
{
	return !strcmp(semantic, "event") || !strcmp(semantic, "duration");
}

/* Why there is none: what the first instance without a value says. */
static const char *find_note(const struct tacho_column *column)
{
	for (size_t i = 0; i < column->instance_count; i++)
		if (tacho_column_is_present(column, i) &&
		    tacho__state_is_absent(tacho_column_get_state(column, 0, i)))
			return tacho_column_get_note(column, 0, i);
	return "";
}

static bool is_foreign(const struct tacho_column *column)
{
	return tacho_column_get_state(column, 0, 0) & TACHO_MARK_FOREIGN;
}

const struct tacho_column *tacho__single_make(const struct tacho_column *column,
					      const char *semantic,
					      struct tacho__single *out_single)
{
	const struct tacho__value_in in = {.column = column,
					   .data = column->data.u64,
					   .states = column->states,
					   .coverage = column->coverage};
	struct tacho_column *single = &out_single->column;

	if (!column->dimension_count)
		return column;
	if (!tacho__semantic_adds_up(semantic))
		return NULL;
	tacho__values_reduce(&in, &out_single->number, &out_single->state, &out_single->coverage);
	if (is_foreign(column))
		out_single->state |= TACHO_MARK_FOREIGN;
	out_single->note = find_note(column);
	*single = (struct tacho_column){
		.name = column->name,
		.unit = column->unit,
		.description = column->description,
		.type = column->type,
		.instance_count = 1,
		.data.u64 = &out_single->number.u64,
		.states = &out_single->state,
		.coverage = &out_single->coverage,
		.notes = &out_single->note,
		.note = column->note,
	};
	return single;
}
