/* SPDX-License-Identifier: MIT */
/* What a formula of a panel works with: one number, or one for each launch. NAN: not there. */
#ifndef TACHO_FORMAT_PANELS_PANEL_VALUE_H
#define TACHO_FORMAT_PANELS_PANEL_VALUE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct tacho__panel_value {
	double *numbers; /* NULL: memory ran out */
	size_t count;
	bool is_column; /* of launches; else one number */
};

typedef double (*tacho__panel_pair)(double left, double right);

/* A number; `count` launches without numbers. */
struct tacho__panel_value tacho__panel_number(struct tacho__arena *arena, double number);
struct tacho__panel_value tacho__panel_column(struct tacho__arena *arena, size_t count);

/* Launch by launch; a single number stands for all launches, a launch that one lacks is absent. */
struct tacho__panel_value tacho__panel_join(struct tacho__arena *arena,
					    const struct tacho__panel_value *left,
					    const struct tacho__panel_value *right,
					    tacho__panel_pair pair);
/* `yes` where the condition holds, else `no`. */
struct tacho__panel_value tacho__panel_choose(struct tacho__arena *arena,
					      const struct tacho__panel_value *condition,
					      const struct tacho__panel_value *yes,
					      const struct tacho__panel_value *no);

/* The function of a binary operator: "+" ... "!=". */
tacho__panel_pair tacho__panel_operator(const char *text, size_t size);

/*
 * A function by name: of one value over all launches (AVG, MIN, MAX, MEDIAN, STD, which leave out
 * what is not there), of one value launch by launch (TO_INT), of two (MIN, MAX, ROUND, MOD;
 * QUANTILE over launches). false: there is none of this name that takes so many values.
 */
bool tacho__panel_call(struct tacho__arena *arena, const char *name, size_t size,
		       const struct tacho__panel_value *values, size_t count,
		       struct tacho__panel_value *out_value);

/* Whether a function has this name, with whatever number of values. */
bool tacho__panel_is_function(const char *name, size_t size);

/* Why a formula without a mistake has no value. */
#define TACHO__PANEL_NO_VALUE "no launch has a value: divided by zero, or its condition never holds"

#endif
