/* SPDX-License-Identifier: MIT */
/* Planning reductions, and the states of their results; the loops are in reduce_loops.c. */
#include "formula/reduce.h"

#include <string.h>

#include "base/error.h"
#include "model/shape.h"

/* Whether the values of the largest run of neighbours go to groups of their own. */
static uint8_t keeps_neighbours(const struct tacho__layout *from, const struct tacho__layout *to)
{
	for (uint32_t i = from->count; i-- > 0;)
		if (from->dimensions[i].extent > 1)
			return tacho__shape_find(to->dimensions, to->count,
						 from->dimensions[i].name) >= 0;
	return 1;
}

/* Finds the runs, or only counts them when `runs` is NULL. */
static size_t find_runs(const struct tacho__layout *from, const uint32_t *groups, uint8_t is_kept,
			struct tacho__run *runs)
{
	struct tacho__run run = {0};
	size_t count = 0;

	for (size_t i = 0; i < from->instances; i++) {
		if (!tacho__layout_has(from, i))
			continue;
		if (run.length && run.in + run.length == i &&
		    groups[i] == run.out + (is_kept ? run.length : 0)) {
			run.length++;
			continue;
		}
		if (run.length && runs)
			runs[count] = run;
		count += run.length != 0;
		run = (struct tacho__run){.in = (uint32_t)i, .out = groups[i], .length = 1};
	}
	if (run.length && runs)
		runs[count] = run;
	return count + (run.length != 0);
}

static int note_presence(struct tacho__arena *arena, struct tacho__reduction_plan *plan,
			 const uint8_t **out_present)
{
	uint8_t *present = tacho__arena_get(arena, (plan->to + 7) / 8);

	if (!present)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < plan->to; i++) {
		present[i / 8] |= (uint8_t)((plan->counts[i] != 0) << (i % 8));
		plan->has_empty |= !plan->counts[i];
	}
	/* A single value is always there; over no unit at all it is absent. */
	*out_present = plan->has_empty && plan->to > 1 ? present : NULL;
	return 0;
}

int tacho__reduction_plan(struct tacho__arena *arena, const struct tacho__layout *from,
			  const struct tacho__layout *to, struct tacho__reduction_plan **out_plan,
			  const uint8_t **out_present)
{
	struct tacho__reduction_plan *plan = tacho__arena_get(arena, sizeof(*plan));
	const uint32_t *groups;
	uint32_t *identity = NULL;
	int rc;

	rc = plan ? tacho__layout_map(arena, to, from, &groups) : TACHO_E_NOMEM;
	if (rc)
		return rc;
	if (!groups) {
		identity = tacho__arena_get(arena, from->instances * sizeof(*identity));
		for (size_t i = 0; identity && i < from->instances; i++)
			identity[i] = (uint32_t)i;
		groups = identity;
	}
	plan->from = from->instances;
	plan->to = to->instances;
	plan->is_kept = keeps_neighbours(from, to);
	plan->counts = tacho__arena_get(arena, to->instances * sizeof(*plan->counts));
	plan->wide = tacho__arena_get(arena, to->instances * sizeof(*plan->wide));
	if (!groups || !plan->counts || !plan->wide)
		return TACHO_E_NOMEM;
	plan->run_count = find_runs(from, groups, plan->is_kept, NULL);
	plan->runs = tacho__arena_get(arena, plan->run_count * sizeof(*plan->runs));
	if (!plan->runs)
		return TACHO_E_NOMEM;
	find_runs(from, groups, plan->is_kept, plan->runs);
	for (size_t i = 0; i < from->instances; i++)
		plan->counts[groups[i]] += (uint32_t)tacho__layout_has(from, i);
	plan->shift = 64;
	for (size_t i = 0; i < to->instances; i++)
		while (plan->shift && (uint64_t)plan->counts[i] > UINT64_C(1) << (64 - plan->shift))
			plan->shift--;
	rc = note_presence(arena, plan, out_present);
	if (!rc)
		*out_plan = plan;
	return rc;
}

void tacho__reduce_states(const struct tacho__reduction_plan *plan, size_t rows,
			  const uint8_t *states, uint8_t *out)
{
	for (size_t row = 0; row < rows; row++, out += plan->to) {
		for (size_t i = 0; i < plan->to; i++)
			out[i] = plan->counts[i] ? TACHO_STATE_OK : TACHO_STATE_ABSENT;
		for (size_t i = 0; states && i < plan->run_count; i++) {
			const struct tacho__run *run = &plan->runs[i];
			const uint8_t *from = states + row * plan->from + run->in;
			uint8_t *into = out + run->out;

			for (uint32_t k = 0; k < run->length; k++, into += plan->is_kept)
				*into = tacho__state_worse(*into, from[k]);
		}
	}
}

void tacho__reduce_coverage(const struct tacho__reduction_plan *plan, size_t rows,
			    const double *coverage, double *out)
{
	for (size_t row = 0; row < rows; row++, coverage += plan->from, out += plan->to) {
		for (size_t i = 0; i < plan->to; i++)
			out[i] = 1;
		for (size_t i = 0; i < plan->run_count; i++) {
			const struct tacho__run *run = &plan->runs[i];
			double *into = out + run->out;

			for (uint32_t k = 0; k < run->length; k++, into += plan->is_kept)
				*into = coverage[run->in + k] < *into ? coverage[run->in + k]
								      : *into;
		}
	}
}

void tacho__reduce_mean(const struct tacho__reduction_plan *plan, size_t rows, const double *sums,
			double *out)
{
	for (size_t row = 0; row < rows; row++, sums += plan->to, out += plan->to)
		for (size_t i = 0; i < plan->to; i++)
			out[i] = plan->counts[i] ? sums[i] / plan->counts[i] : 0;
}
