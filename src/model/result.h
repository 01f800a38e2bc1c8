/* SPDX-License-Identifier: MIT */
/* Building results: columns of equally many rows, with the constants and expressions that came
 * with the values. */
#ifndef TACHO_MODEL_RESULT_H
#define TACHO_MODEL_RESULT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/map.h"
#include "tacho/result.h"

struct tacho__constant {
	const char *name;
	double value;
};

/* An expression that came with the values. */
struct tacho__named_expression {
	const char *name;
	const char *expression; /* infix */
};

struct tacho_result {
	struct tacho__arena arena; /* owns everything below */
	size_t row_count;
	struct tacho_row *rows;
	struct tacho_column *columns; /* grown by doubling, outside the arena */
	size_t column_count, column_capacity;
	struct tacho__names column_names; /* to the index of the column, plus 1 */
	struct tacho__constant *constants;
	size_t constant_count, constant_capacity;
	struct tacho__named_expression *expressions;
	size_t expression_count, expression_capacity;
	const char *arch; /* that all rows are of, when the values tell; NULL */
	const char *gap;  /* why rows may be missing; NULL: none is, as far as is known */
};

/* An empty result of `row_count` rows with ids 0, 1, ... Owned. NOMEM. */
int tacho__result_create(size_t row_count, struct tacho_result **out_result);

/* What is known of a row; its texts are copied, NULL is "". */
int tacho__result_set_row(struct tacho_result *result, size_t row, const struct tacho_row *info);

/*
 * Adds a column like `about`: its names, dimensions and positions are copied, its instance_count is
 * worked out. out_data is rows x instances values, zeroed, of about->type. EXISTS when the name is
 * taken; INVAL for an extent of 0, a product over 2^31, or too many dimensions.
 */
int tacho__result_add_column(struct tacho_result *result, const struct tacho_column *column,
			     void **out_data);

/* Adds a column as it is: all is borrowed, and a name that is taken still means the earlier one. */
int tacho__result_add_view(struct tacho_result *result, const struct tacho_column *column);

/* State bytes of the last column added, all ok; asked for again, the same ones. */
int tacho__result_add_states(struct tacho_result *result, uint8_t **out_states);
int tacho__result_add_coverage(struct tacho_result *result, double **out_coverage);
/* A copy of the bitmap of positions that exist, for the last column added. */
int tacho__result_set_present(struct tacho_result *result, const uint8_t *present);

/* All of these in one: with states, coverage when it is wanted, and the positions of `column`. */
int tacho__result_add_counted(struct tacho_result *result, const struct tacho_column *column,
			      bool has_coverage, void **out_data, uint8_t **out_states,
			      double **out_coverage);
/* One value a row, which is absent; `note` says why. Name, unit and description are of `named`. */
int tacho__result_add_absent(struct tacho_result *result, const struct tacho_column *named,
			     const char *note);

int tacho__result_set_constant(struct tacho_result *result, const char *name, double value);
/* EXISTS. */
int tacho__result_add_expression(struct tacho_result *result, const char *name,
				 const char *expression);

#endif
