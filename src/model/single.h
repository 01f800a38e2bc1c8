/* SPDX-License-Identifier: MIT */
/* The instances of one row as one value. */
#ifndef TACHO_MODEL_SINGLE_H
#define TACHO_MODEL_SINGLE_H

#include <stdbool.h>
#include <stdint.h>

#include "tacho/result.h"

/* The sum or mean over the instances that exist. Out: the value in the column's type, state,
 * coverage. */
struct tacho__value_in {
	const struct tacho_column *column;
	const void *data; /* of one row */
	const uint8_t *states;
	const double *coverage;
	int is_rate;
};
void tacho__values_reduce(const struct tacho__value_in *in, void *out_value, uint8_t *out_state,
			  double *out_coverage);

/* A column of one row and one value, where there is room for no more. */
struct tacho__single {
	struct tacho_column column;
	union {
		uint64_t u64;
		double f64;
	} number;
	double coverage;
	const char *note;
	uint8_t state;
};

/* Whether values of this semantic add up: "event", "duration". */
bool tacho__semantic_adds_up(const char *semantic);

/*
 * The only value of a column of one row, or the sum of its instances; it points into *out_single.
 * NULL: it has instances, and values of this semantic do not add up.
 */
const struct tacho_column *tacho__single_make(const struct tacho_column *column,
					      const char *semantic,
					      struct tacho__single *out_single);

#endif
