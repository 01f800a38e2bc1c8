/* SPDX-License-Identifier: MIT */
/* Reductions over instances: the values of a group come down to one. */
#ifndef TACHO_FORMULA_REDUCE_H
#define TACHO_FORMULA_REDUCE_H

#include "formula/layout.h"

/* Neighbours that are reduced together. */
struct tacho__run {
	uint32_t in, out, length;
};

struct tacho__reduction_plan {
	size_t from, to; /* values of a row before and after */
	struct tacho__run *runs;
	size_t run_count;
	uint8_t is_kept; /* run[i] belongs to group out + i; else all of it to group `out` */
	uint8_t has_empty;
	uint32_t *counts;	 /* values of each group, without positions where no unit is */
	uint32_t shift;		 /* a sum of values below 2^shift fits into 64 bits */
	unsigned __int128 *wide; /* room for one row of sums */
};

/*
 * Plans a reduction from one layout to another, whose dimensions are a part of it. out_present: of
 * the result: NULL when all groups have a value. All in the arena. NOMEM.
 */
int tacho__reduction_plan(struct tacho__arena *arena, const struct tacho__layout *from,
			  const struct tacho__layout *to, struct tacho__reduction_plan **out_plan,
			  const uint8_t **out_present);

/* Empty groups become 0. Sums of u64 are exact before they are turned into a real number. */
void tacho__reduce_whole(const struct tacho__reduction_plan *plan, enum tacho__reduction reduction,
			 size_t rows, const uint64_t *values, double *out);
void tacho__reduce_real(const struct tacho__reduction_plan *plan, enum tacho__reduction reduction,
			size_t rows, const double *values, double *out);
/* The worst state of each group; an empty group is absent. `states` may be NULL: all ok. */
void tacho__reduce_states(const struct tacho__reduction_plan *plan, size_t rows,
			  const uint8_t *states, uint8_t *out);
/* The least coverage of each group; an empty group has all. */
void tacho__reduce_coverage(const struct tacho__reduction_plan *plan, size_t rows,
			    const double *coverage, double *out);
/* Sums by the numbers of values in them. */
void tacho__reduce_mean(const struct tacho__reduction_plan *plan, size_t rows, const double *sums,
			double *out);

#endif
