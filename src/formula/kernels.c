/* SPDX-License-Identifier: MIT */
#include "formula/kernels.h"

#include <string.h>

#include "base/array.h"
#include "formula/node.h"

typedef unsigned (*pair_function)(size_t count, struct tacho__span a, struct tacho__span b,
				  void *out);

/* A loop for each way of mixing columns and constants, so that each is a plain one. */
#define PAIR(name, type, expression)                                                          \
	static unsigned name(size_t count, struct tacho__span left, struct tacho__span right, \
			     void *into)                                                      \
	{                                                                                     \
		const type *restrict a = left.data, *restrict b = right.data;                 \
		type *restrict out = into;                                                    \
                                                                                              \
		if (left.step && right.step) {                                                \
			for (size_t i = 0; i < count; i++) {                                  \
				type x = a[i], y = b[i];                                      \
				out[i] = expression;                                          \
			}                                                                     \
		} else if (left.step) {                                                       \
			type y = *b;                                                          \
			for (size_t i = 0; i < count; i++) {                                  \
				type x = a[i];                                                \
				out[i] = expression;                                          \
			}                                                                     \
		} else {                                                                      \
			type x = *a;                                                          \
			for (size_t i = 0; i < count; i++) {                                  \
				type y = b[i * right.step];                                   \
				out[i] = expression;                                          \
			}                                                                     \
		}                                                                             \
		return 0;                                                                     \
	}

PAIR(add, double, x + y)
PAIR(subtract, double, x - y)
PAIR(multiply, double, x *y)
PAIR(least, double, y < x ? y : x)
PAIR(most, double, y > x ? y : x)
PAIR(whole_add, uint64_t, x + y)
PAIR(whole_multiply, uint64_t, x *y)
PAIR(whole_least, uint64_t, y < x ? y : x)
PAIR(whole_most, uint64_t, y > x ? y : x)
PAIR(bit_and, uint64_t, x &y)
PAIR(bit_or, uint64_t, x | y)
PAIR(bit_xor, uint64_t, x ^ y)
PAIR(shift_left, uint64_t, y < 64 ? x << (y & 63) : 0)
PAIR(shift_right, uint64_t, y < 64 ? x >> (y & 63) : 0)
PAIR(less, uint64_t, x < y)
PAIR(less_equal, uint64_t, x <= y)
PAIR(greater, uint64_t, x > y)
PAIR(greater_equal, uint64_t, x >= y)
PAIR(equal, uint64_t, x == y)
PAIR(logical_and, uint64_t, x &&y)
PAIR(logical_or, uint64_t, x || y)

PAIR(plain_divide, double, x / y)
PAIR(careful_divide, double, y == 0 ? 0 : x / (y == 0 ? 1 : y))

/* Whether a value is 0 or -0: twice its bits are 0 then, and only then without a sign either way.
 */
static int has_zero(size_t count, const tacho__word *restrict values)
{
	uint64_t all = UINT64_MAX;

	for (size_t i = 0; i < count; i++) {
		uint64_t twice = values[i] << 1;

		all &= twice | -twice;
	}
	return !(all >> 63);
}

/* x / y, or 0. Nothing is ever divided by 0, which a program may have made a trap. */
static unsigned divide(size_t count, struct tacho__span left, struct tacho__span right, void *into)
{
	int met_zero = has_zero(right.step ? count : 1, right.data);

	(met_zero ? careful_divide : plain_divide)(count, left, right, into);
	return (unsigned)met_zero;
}

/* Modulo 2^64. Returns whether a difference was below 0. */
static unsigned whole_subtract(size_t count, struct tacho__span left, struct tacho__span right,
			       void *into)
{
	const uint64_t *restrict a = left.data, *restrict b = right.data;
	uint64_t *restrict out = into;
	unsigned below = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t x = a[i * left.step], y = b[i * right.step];

		out[i] = x - y;
		below |= x < y;
	}
	return below;
}

static unsigned whole_divide(size_t count, struct tacho__span left, struct tacho__span right,
			     void *into)
{
	const uint64_t *restrict a = left.data, *restrict b = right.data;
	uint64_t *restrict out = into;
	unsigned zeros = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t x = a[i * left.step], y = b[i * right.step];

		out[i] = y ? x / y : 0;
		zeros |= !y;
	}
	return zeros;
}

static const struct {
	pair_function function;
	int is_whole;
} pairs[] = {
	[TACHO__OP_ADD] = {add, 0},
	[TACHO__OP_SUBTRACT] = {subtract, 0},
	[TACHO__OP_MULTIPLY] = {multiply, 0},
	[TACHO__OP_DIVIDE] = {divide, 0},
	[TACHO__OP_MIN] = {least, 0},
	[TACHO__OP_MAX] = {most, 0},
	[TACHO__OP_WHOLE_ADD] = {whole_add, 1},
	[TACHO__OP_WHOLE_SUBTRACT] = {whole_subtract, 1},
	[TACHO__OP_WHOLE_MULTIPLY] = {whole_multiply, 1},
	[TACHO__OP_WHOLE_DIVIDE] = {whole_divide, 1},
	[TACHO__OP_WHOLE_MIN] = {whole_least, 1},
	[TACHO__OP_WHOLE_MAX] = {whole_most, 1},
	[TACHO__OP_BIT_AND] = {bit_and, 1},
	[TACHO__OP_BIT_OR] = {bit_or, 1},
	[TACHO__OP_BIT_XOR] = {bit_xor, 1},
	[TACHO__OP_SHIFT_LEFT] = {shift_left, 1},
	[TACHO__OP_SHIFT_RIGHT] = {shift_right, 1},
	[TACHO__OP_LESS] = {less, 1},
	[TACHO__OP_LESS_EQUAL] = {less_equal, 1},
	[TACHO__OP_GREATER] = {greater, 1},
	[TACHO__OP_GREATER_EQUAL] = {greater_equal, 1},
	[TACHO__OP_EQUAL] = {equal, 1},
	[TACHO__OP_LOGICAL_AND] = {logical_and, 1},
	[TACHO__OP_LOGICAL_OR] = {logical_or, 1},
};

int tacho__kernel_is_whole(unsigned op)
{
	return op < TACHO__ARRAY_SIZE(pairs) && pairs[op].is_whole;
}

unsigned tacho__kernel_pair(unsigned op, size_t count, struct tacho__span a, struct tacho__span b,
			    void *out)
{
	return pairs[op].function(count, a, b, out);
}

void tacho__kernel_negate(size_t count, const double *restrict values, double *restrict out)
{
	for (size_t i = 0; i < count; i++)
		out[i] = -values[i];
}

static inline double real_of_bits(uint64_t bits)
{
	double real;

	memcpy(&real, &bits, sizeof(real));
	return real;
}

/*
 * The halves become the low bits of 2^84 + high * 2^32 and of 2^52 + low, both exact; the one
 * rounding is that of the last addition, as a conversion's. Unlike a conversion it needs no branch
 * and no instruction that only the newest processors have.
 */
void tacho__kernel_to_real(size_t count, const uint64_t *restrict values, double *restrict out)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t v = values[i];
		double high = real_of_bits(v >> 32 | UINT64_C(0x4530000000000000));
		double low = real_of_bits((v & 0xffffffff) | UINT64_C(0x4330000000000000));

		out[i] = (high - 0x1.00000001p84) + low;
	}
}

unsigned tacho__kernel_to_whole(size_t count, const double *restrict values, uint64_t *restrict out)
{
	unsigned is_out = 0;

	for (size_t i = 0; i < count; i++) {
		double v = values[i];

		if (tacho__kernel_is_out(v)) {
			out[i] = v >= 0x1p64 ? UINT64_MAX : 0;
			is_out = 1;
		} else {
			out[i] = v < 0 ? 0 : (uint64_t)v;
		}
	}
	return is_out;
}

void tacho__kernel_choose(size_t count, struct tacho__span condition, struct tacho__span yes,
			  struct tacho__span no, tacho__word *restrict out)
{
	const double *restrict c = condition.data;
	const tacho__word *restrict a = yes.data, *restrict b = no.data;

	for (size_t i = 0; i < count; i++)
		out[i] = c[i * condition.step] != 0 ? a[i * yes.step] : b[i * no.step];
}

void tacho__kernel_gather(size_t rows, size_t from, size_t to, const uint32_t *restrict map,
			  const tacho__word *restrict values, tacho__word *restrict out)
{
	for (size_t row = 0; row < rows; row++, values += from, out += to)
		for (size_t i = 0; i < to; i++)
			out[i] = values[map[i]];
}

void tacho__kernel_gather_bytes(size_t rows, size_t from, size_t to, const uint32_t *restrict map,
				const uint8_t *restrict values, uint8_t *restrict out)
{
	for (size_t row = 0; row < rows; row++, values += from, out += to)
		for (size_t i = 0; i < to; i++)
			out[i] = values[map[i]];
}

unsigned tacho__kernel_has_infinite(size_t count, const double *restrict values)
{
	uint64_t found = 0;

	for (size_t i = 0; i < count; i++)
		found |= (uint64_t)(values[i] - values[i] != 0); /* else it is not a number */
	return found != 0;
}

unsigned tacho__kernel_or_bytes(size_t count, const uint8_t *restrict bytes)
{
	uint8_t all = 0;

	for (size_t i = 0; i < count; i++)
		all |= bytes[i];
	return all;
}
