/* SPDX-License-Identifier: MIT */
/* The inner loops: plain arrays in, a plain array out. */
#ifndef TACHO_FORMULA_KERNELS_H
#define TACHO_FORMULA_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* An operand: values one after the other (step 1), or the same everywhere (step 0). */
struct tacho__span {
	const void *data;
	size_t step;
};

/* 64 bits of either type. */
typedef uint64_t __attribute__((may_alias)) tacho__word;

/* Whether an operator of two operands takes and gives u64; else both are f64. */
int tacho__kernel_is_whole(unsigned op);

/* out[i] = a[i] op b[i]. Returns 1 when a divisor was 0 (the result is 0 there), else 0. */
unsigned tacho__kernel_pair(unsigned op, size_t count, struct tacho__span a, struct tacho__span b,
			    void *out);
void tacho__kernel_negate(size_t count, const double *values, double *out);
void tacho__kernel_to_real(size_t count, const uint64_t *values, double *out);
/* Cuts the fraction off. Returns 1 when a value was out of range: it became 0 or the largest. */
unsigned tacho__kernel_to_whole(size_t count, const double *values, uint64_t *out);
/* out[i] = condition[i] != 0 ? yes[i] : no[i], whatever the type of the two. */
void tacho__kernel_choose(size_t count, struct tacho__span condition, struct tacho__span yes,
			  struct tacho__span no, tacho__word *out);

/* out[r][i] = values[r][map[i]], for `rows` rows of `from` and `to` values. */
void tacho__kernel_gather(size_t rows, size_t from, size_t to, const uint32_t *map,
			  const tacho__word *values, tacho__word *out);
void tacho__kernel_gather_bytes(size_t rows, size_t from, size_t to, const uint32_t *map,
				const uint8_t *values, uint8_t *out);

/* Whether a value is out of the range of u64 once its fraction is cut off; not-a-number too. */
static inline int tacho__kernel_is_out(double value)
{
	return !(value > -1.0 && value < 0x1p64);
}

/* 1 when some value is not a finite number. */
unsigned tacho__kernel_has_infinite(size_t count, const double *values);
/* The bits of all bytes together. */
unsigned tacho__kernel_or_bytes(size_t count, const uint8_t *bytes);

#endif
