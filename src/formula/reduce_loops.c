/* SPDX-License-Identifier: MIT */
/*
 * The loops of reductions. Several partial results side by side let them run as fast as memory
 * delivers: one alone would wait for the addition before it.
 */
#include "formula/reduce.h"

#include <string.h>

enum { LANES = 8 };

static double real_of_wide(unsigned __int128 value)
{
	return value >> 64 ? (double)value : (double)(uint64_t)value;
}

static void put_real(uint64_t *into, double value)
{
	memcpy(into, &value, sizeof(value));
}

/* One row's sums when they may not fit into 64 bits. */
static void sum_wide(const struct tacho__reduction_plan *plan, const uint64_t *values,
		     uint64_t *out)
{
	memset(plan->wide, 0, plan->to * sizeof(*plan->wide));
	for (size_t i = 0; i < plan->run_count; i++) {
		const struct tacho__run *run = &plan->runs[i];
		unsigned __int128 *into = plan->wide + run->out;

		for (uint32_t k = 0; k < run->length; k++, into += plan->is_kept)
			*into += values[run->in + k];
	}
	for (size_t i = 0; i < plan->to; i++)
		put_real(&out[i], real_of_wide(plan->wide[i]));
}

/* The sum of neighbours, modulo 2^64; the bits of all of them are or-ed to out_bits. */
static uint64_t sum_run(const uint64_t *restrict values, size_t length, uint64_t *out_bits)
{
	uint64_t sum = 0, bits = 0;

	for (size_t i = 0; i < length; i++) {
		sum += values[i];
		bits |= values[i];
	}
	*out_bits |= bits;
	return sum;
}

static uint64_t add_run(const uint64_t *restrict values, size_t length, uint64_t *restrict out)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < length; i++) {
		out[i] += values[i];
		bits |= values[i];
	}
	return bits;
}

static void sum_whole(const struct tacho__reduction_plan *plan, size_t rows, const uint64_t *values,
		      uint64_t *out)
{
	for (size_t row = 0; row < rows; row++, values += plan->from, out += plan->to) {
		uint64_t bits = 0;

		memset(out, 0, plan->to * sizeof(*out));
		for (size_t i = 0; i < plan->run_count; i++) {
			const struct tacho__run *run = &plan->runs[i];

			if (plan->is_kept)
				bits |= add_run(values + run->in, run->length, out + run->out);
			else
				out[run->out] += sum_run(values + run->in, run->length, &bits);
		}
		if (plan->shift < 64 && bits >> plan->shift) {
			sum_wide(plan, values, out);
			continue;
		}
		for (size_t i = 0; i < plan->to; i++)
			put_real(&out[i], (double)out[i]);
	}
}

/* The best of neighbours and `start`. */
#define BEST_RUN(name, type, better)                                             \
	static type name(const type *restrict values, size_t length, type start) \
	{                                                                        \
		type lanes[LANES], best = start;                                 \
		size_t i = 0;                                                    \
                                                                                 \
		for (size_t k = 0; k < LANES; k++)                               \
			lanes[k] = start;                                        \
		for (; i + LANES <= length; i += LANES)                          \
			for (size_t k = 0; k < LANES; k++) {                     \
				type v = values[i + k];                          \
				lanes[k] = v better lanes[k] ? v : lanes[k];     \
			}                                                        \
		for (size_t k = 0; k < LANES; k++)                               \
			best = lanes[k] better best ? lanes[k] : best;           \
		for (; i < length; i++)                                          \
			best = values[i] better best ? values[i] : best;         \
		return best;                                                     \
	}

BEST_RUN(least_whole, uint64_t, <)
BEST_RUN(most_whole, uint64_t, >)
BEST_RUN(least_real, double, <)
BEST_RUN(most_real, double, >)

static void best_whole(const struct tacho__reduction_plan *plan, uint8_t is_least, size_t rows,
		       const uint64_t *values, uint64_t *out)
{
	for (size_t row = 0; row < rows; row++, values += plan->from, out += plan->to) {
		for (size_t i = 0; i < plan->to; i++)
			out[i] = is_least && plan->counts[i] ? UINT64_MAX : 0;
		for (size_t i = 0; i < plan->run_count; i++) {
			const struct tacho__run *run = &plan->runs[i];
			const uint64_t *from = values + run->in;
			uint64_t *into = out + run->out;

			for (uint32_t k = 0; plan->is_kept && k < run->length; k++)
				into[k] = (is_least ? from[k] < into[k] : from[k] > into[k])
						  ? from[k]
						  : into[k];
			if (!plan->is_kept)
				*into = (is_least ? least_whole : most_whole)(from, run->length,
									      *into);
		}
		for (size_t i = 0; i < plan->to; i++)
			put_real(&out[i], (double)out[i]);
	}
}

void tacho__reduce_whole(const struct tacho__reduction_plan *plan, enum tacho__reduction reduction,
			 size_t rows, const uint64_t *values, double *out)
{
	/* The sums lie where the results will: both have 64 bits. */
	if (reduction == TACHO__SUM)
		sum_whole(plan, rows, values, (uint64_t *)(void *)out);
	else
		best_whole(plan, reduction == TACHO__MIN, rows, values, (uint64_t *)(void *)out);
}

static double sum_real_run(const double *restrict values, size_t length)
{
	double lanes[LANES] = {0}, sum = 0;
	size_t i = 0;

	for (; i + LANES <= length; i += LANES)
		for (size_t k = 0; k < LANES; k++)
			lanes[k] += values[i + k];
	for (; i < length; i++)
		sum += values[i];
	for (size_t k = 0; k < LANES; k++)
		sum += lanes[k];
	return sum;
}

static void add_real_run(const double *restrict values, size_t length, double *restrict out)
{
	for (size_t i = 0; i < length; i++)
		out[i] += values[i];
}

static void best_real_run(const double *restrict values, size_t length, uint8_t is_least,
			  double *restrict out)
{
	for (size_t i = 0; is_least && i < length; i++)
		out[i] = values[i] < out[i] ? values[i] : out[i];
	for (size_t i = 0; !is_least && i < length; i++)
		out[i] = values[i] > out[i] ? values[i] : out[i];
}

static void reduce_real_run(const struct tacho__reduction_plan *plan,
			    enum tacho__reduction reduction, const struct tacho__run *run,
			    const double *values, double *out)
{
	const double *from = values + run->in;
	double *into = out + run->out;

	if (plan->is_kept && reduction == TACHO__SUM)
		add_real_run(from, run->length, into);
	else if (plan->is_kept)
		best_real_run(from, run->length, reduction == TACHO__MIN, into);
	else if (reduction == TACHO__SUM)
		*into += sum_real_run(from, run->length);
	else
		*into = (reduction == TACHO__MIN ? least_real : most_real)(from, run->length,
									   *into);
}

void tacho__reduce_real(const struct tacho__reduction_plan *plan, enum tacho__reduction reduction,
			size_t rows, const double *values, double *out)
{
	double start = reduction == TACHO__SUM	 ? 0
		       : reduction == TACHO__MIN ? __builtin_inf()
						 : -__builtin_inf();

	for (size_t row = 0; row < rows; row++, values += plan->from, out += plan->to) {
		for (size_t i = 0; i < plan->to; i++)
			out[i] = plan->counts[i] ? start : 0;
		for (size_t i = 0; i < plan->run_count; i++)
			reduce_real_run(plan, reduction, &plan->runs[i], values, out);
	}
}
