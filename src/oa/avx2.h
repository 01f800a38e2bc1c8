/* SPDX-License-Identifier: MIT */
/*
 * The two loops that every report goes through: for any machine, in report.c and accumulate.c, and
 * for those that have AVX2, twice as fast.
 */
#ifndef TACHO_OA_AVX2_H
#define TACHO_OA_AVX2_H

#include "oa/report.h"

/* The values of all runs, one run after another. */
void tacho__oa_decode_runs(const struct tacho__oa_run *runs, const uint8_t *bytes,
			   uint64_t *values);
/* sums += after - before, modulo the width of each; all three begin with the header's values. */
void tacho__oa_add_runs(const struct tacho__oa_run *runs, const uint64_t *before,
			const uint64_t *after, uint64_t *sums);

#if defined(__x86_64__)
static inline int tacho__oa_has_avx2(void)
{
	return __builtin_cpu_supports("avx2");
}

void tacho__oa_decode_runs_avx2(const struct tacho__oa_run *runs, const uint8_t *bytes,
				uint64_t *values);
void tacho__oa_add_runs_avx2(const struct tacho__oa_run *runs, const uint64_t *before,
			     const uint64_t *after, uint64_t *sums);
#else
static inline int tacho__oa_has_avx2(void)
{
	return 0;
}

static inline void tacho__oa_decode_runs_avx2(const struct tacho__oa_run *runs,
					      const uint8_t *bytes, uint64_t *values)
{
	(void)runs, (void)bytes, (void)values;
}

static inline void tacho__oa_add_runs_avx2(const struct tacho__oa_run *runs, const uint64_t *before,
					   const uint64_t *after, uint64_t *sums)
{
	(void)runs, (void)before, (void)after, (void)sums;
}
#endif

#endif
