/* SPDX-License-Identifier: MIT */
#include "oa/avx2.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2")))

enum { LANES = 4 };

AVX2 static void decode32(const uint8_t *low, size_t count, uint64_t *values)
{
	size_t i = 0;
	uint32_t word;

	for (; i + LANES <= count; i += LANES) {
		__m128i words = _mm_loadu_si128((const __m128i_u *)(low + 4 * i));

		_mm256_storeu_si256((__m256i_u *)(values + i), _mm256_cvtepu32_epi64(words));
	}
	for (; i < count; i++) {
		memcpy(&word, low + 4 * i, sizeof(word));
		values[i] = word;
	}
}

AVX2 static void decode40(const uint8_t *low, const uint8_t *high, size_t count, uint64_t *values)
{
	size_t i = 0;
	uint32_t word;

	for (; i + LANES <= count; i += LANES) {
		__m128i words = _mm_loadu_si128((const __m128i_u *)(low + 4 * i)), bytes;
		__m256i upper;

		memcpy(&word, high + i, sizeof(word));
		bytes = _mm_cvtsi32_si128((int)word);
		upper = _mm256_slli_epi64(_mm256_cvtepu8_epi64(bytes), 32);
		_mm256_storeu_si256((__m256i_u *)(values + i),
				    _mm256_or_si256(upper, _mm256_cvtepu32_epi64(words)));
	}
	for (; i < count; i++) {
		memcpy(&word, low + 4 * i, sizeof(word));
		values[i] = (uint64_t)high[i] << 32 | word;
	}
}

AVX2 void tacho__oa_decode_runs_avx2(const struct tacho__oa_run *runs, const uint8_t *bytes,
				     uint64_t *values)
{
	for (; runs->count; runs++) {
		size_t count = runs->count;

		if (runs->width_bits == 64)
			memcpy(values, bytes + runs->offset, 8 * count);
		else if (runs->width_bits == 40)
			decode40(bytes + runs->offset, bytes + runs->high, count, values);
		else
			decode32(bytes + runs->offset, count, values);
		values += count;
	}
}

AVX2 static void add(const uint64_t *before, const uint64_t *after, uint64_t mask, size_t count,
		     uint64_t *sums)
{
	const __m256i masks = _mm256_set1_epi64x((long long)mask);
	size_t i = 0;

	for (; i + LANES <= count; i += LANES) {
		__m256i from = _mm256_loadu_si256((const __m256i_u *)(before + i));
		__m256i to = _mm256_loadu_si256((const __m256i_u *)(after + i));
		__m256i sum = _mm256_loadu_si256((const __m256i_u *)(sums + i));
		__m256i delta = _mm256_and_si256(_mm256_sub_epi64(to, from), masks);

		_mm256_storeu_si256((__m256i_u *)(sums + i), _mm256_add_epi64(sum, delta));
	}
	for (; i < count; i++)
		sums[i] += (after[i] - before[i]) & mask;
}

AVX2 void tacho__oa_add_runs_avx2(const struct tacho__oa_run *runs, const uint64_t *before,
				  const uint64_t *after, uint64_t *sums)
{
	size_t at = TACHO__OA_HEADER_VALUES;

	while (runs->count) {
		uint32_t width_bits = runs->width_bits;
		uint64_t mask = width_bits < 64 ? (UINT64_C(1) << width_bits) - 1 : UINT64_MAX;
		size_t count = 0;

		/* Values of one width lie next to each other, in whatever blocks they are. */
		for (; runs->count && runs->width_bits == width_bits; runs++)
			count += runs->count;
		add(before + at, after + at, mask, count, sums + at);
		at += count;
	}
}
#endif
