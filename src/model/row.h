/* SPDX-License-Identifier: MIT */
/* Values of one row that can be written, as the only row of a result. */
#ifndef TACHO_MODEL_ROW_H
#define TACHO_MODEL_ROW_H

#include <stdbool.h>

#include "base/arena.h"
#include "model/shape.h"
#include "tacho/catalog.h"

union tacho__number {
	uint64_t u64;
	double f64;
};

/*
 * The values of `count` columns, one behind the other: a column has one, or one for each instance.
 * {0} has none. The memory is an arena's.
 */
struct tacho__row {
	size_t count;
	size_t *firsts; /* where the values of a column begin; of one more column: their number */
	union tacho__number *numbers;
	uint8_t *states;
	double *coverage;
	const char **notes;
};

/*
 * A result of one row with a column for each entry, which the row writes. `shapes`: for each the
 * column whose dimensions and presence it has, or NULL; without any, all have one value. Names and
 * shapes are borrowed; of columns with the same name the first is found by it. Owned:
 * tacho_result_destroy(). NOMEM.
 */
int tacho__row_create(const struct tacho_entry *entries, const struct tacho_column *const *shapes,
		      size_t count, struct tacho__row *out_row, struct tacho_result **out_result);
/*
 * The first row of a result, as it is now, without columns in which nothing is there: those have
 * no place in the copy. NOMEM.
 */
int tacho__row_copy(const struct tacho_result *result, struct tacho__arena *arena,
		    struct tacho__row *out_row);

/* How many values a column has. */
static inline size_t tacho__row_count(const struct tacho__row *row, size_t column)
{
	return row->firsts[column + 1] - row->firsts[column];
}

/* Below, `at` is the place of a value. */
static inline bool tacho__row_is_absent(const struct tacho__row *row, size_t at)
{
	return tacho__state_is_absent(row->states[at]);
}

void tacho__row_put(struct tacho__row *row, size_t at, union tacho__number number);
/* Absent, and why; `mark` is 0 or TACHO_MARK_FOREIGN. */
void tacho__row_miss(struct tacho__row *row, size_t at, const char *why, uint8_t mark);
void tacho__row_miss_all(struct tacho__row *row, const char *why, uint8_t mark);
/* Those values of a column that another row has and this one lacks; both have as many. */
void tacho__row_take_missing(struct tacho__row *row, const struct tacho__row *from, size_t column);

#endif
