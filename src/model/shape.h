/* SPDX-License-Identifier: MIT */
/* Shapes: the dimensions of a column, and states of values. */
#ifndef TACHO_MODEL_SHAPE_H
#define TACHO_MODEL_SHAPE_H

#include "tacho/result.h"

/* The product of the extents, or 0 when it is over 2^31 or an extent is 0. */
size_t tacho__shape_count(const struct tacho_dimension *dimensions, uint32_t count);

/* Index of the dimension of this name, or -1. */
int tacho__shape_find(const struct tacho_dimension *dimensions, uint32_t count, const char *name);

/*
 * The position of an instance in each dimension, as the definitions number them (after a selection
 * the original positions). out_positions has room for `count`.
 */
void tacho__shape_position(const struct tacho_dimension *dimensions, uint32_t count,
			   size_t instance, uint32_t *out_positions);

enum { TACHO__STATE_MARKS = TACHO_MARK_DIV0 | TACHO_MARK_DEFAULT | TACHO_MARK_BELOW0 };

static inline int tacho__state_is_absent(uint8_t state)
{
	return (state & TACHO_STATE_MASK) == TACHO_STATE_ABSENT;
}

/* What is marked as below 0 becomes absent. */
static inline uint8_t tacho__state_drop_below(uint8_t state)
{
	if (!(state & TACHO_MARK_BELOW0))
		return state;
	return (uint8_t)((state & TACHO__STATE_MARKS) | TACHO_STATE_ABSENT);
}

/* The worse state, with the marks of both. */
static inline uint8_t tacho__state_worse(uint8_t a, uint8_t b)
{
	uint8_t low_a = a & TACHO_STATE_MASK, low_b = b & TACHO_STATE_MASK;

	return (uint8_t)((low_a > low_b ? low_a : low_b) | ((a | b) & TACHO__STATE_MARKS));
}

#endif
