/* SPDX-License-Identifier: MIT */
#include "oa/recording_clock.h"

#include <string.h>

#define WRAP_TICKS (1ull << 32)
/* A report this much before the one before it is out of order; more is a timestamp that ran over.
 */
#define DISORDER_TICKS (1ull << 28)
/* The ring's timestamp register has 36 bits; some kernels give its lower half only. */
#define REGISTER_BITS 36

typedef unsigned __int128 wide;

/* a * b / divisor. */
static uint64_t scale(uint64_t a, uint64_t b, uint64_t divisor)
{
	uint64_t product;

	if (!__builtin_mul_overflow(a, b, &product)) /* nearly always, and much quicker */
		return product / divisor;
	return (uint64_t)((wide)a * b / divisor);
}

/* The pair's whole ticks when its register ran over since the last pair, else as it is. */
static int unwrap_pair(const struct tacho__oa_clock *clock, const struct tacho__oa_pair *last,
		       uint64_t cpu_ns, uint64_t raw, uint64_t *out_ticks)
{
	unsigned bits = clock->raw_ticks < WRAP_TICKS ? 32 : REGISTER_BITS;
	uint64_t size = 1ull << bits, delta, expected;

	if (raw >= clock->raw_ticks) {
		*out_ticks = last->gpu_ticks + (raw - clock->raw_ticks);
		return *out_ticks > last->gpu_ticks;
	}
	if (clock->raw_ticks >= size)
		return 0;
	delta = raw + size - clock->raw_ticks;
	/* Without a frequency a step back of less than half is taken for a mistake. */
	if (!clock->frequency_hz) {
		*out_ticks = last->gpu_ticks + delta;
		return delta < size / 2;
	}
	expected = (uint64_t)((wide)(cpu_ns - last->cpu_ns) * clock->frequency_hz / 1000000000);
	if (expected + size / 2 < delta)
		return 0;
	delta += (expected + size / 2 - delta) / size * size;
	*out_ticks = last->gpu_ticks + delta;
	return *out_ticks > last->gpu_ticks;
}

int tacho__oa_clock_add(struct tacho__oa_clock *clock, uint64_t cpu_ns, uint64_t gpu_ticks)
{
	struct tacho__oa_pair pair = {cpu_ns, gpu_ticks};

	if (clock->count) {
		const struct tacho__oa_pair *last = &clock->pairs[clock->count - 1];

		if (cpu_ns <= last->cpu_ns ||
		    !unwrap_pair(clock, last, cpu_ns, gpu_ticks, &pair.gpu_ticks))
			return 0;
	}
	if (clock->count == TACHO__OA_PAIRS) {
		clock->count /= 2;
		memmove(clock->pairs, clock->pairs + TACHO__OA_PAIRS - clock->count,
			clock->count * sizeof(*clock->pairs));
	}
	clock->raw_ticks = gpu_ticks;
	clock->pairs[clock->count++] = pair;
	return 1;
}

/* The number with these low 32 bits that is nearest to `near`. */
static uint64_t nearest(uint64_t near, uint32_t low)
{
	uint32_t step = low - (uint32_t)near;

	if (step < WRAP_TICKS / 2 || near < WRAP_TICKS - step)
		return near + step;
	return near + step - WRAP_TICKS;
}

static uint64_t follow(uint64_t last, uint32_t low)
{
	uint32_t step = low - (uint32_t)last;

	if (step > WRAP_TICKS - DISORDER_TICKS && last >= WRAP_TICKS - step)
		return last + step - WRAP_TICKS;
	return last + step;
}

uint64_t tacho__oa_clock_unwrap(struct tacho__oa_clock *clock, size_t ahead, uint32_t ticks)
{
	size_t passed = clock->count > ahead ? clock->count - ahead : 0;
	uint64_t whole;

	if (clock->has_last)
		whole = follow(clock->last_ticks, ticks);
	else if (clock->count)
		whole = nearest(clock->pairs[passed ? passed - 1 : 0].gpu_ticks, ticks);
	else
		whole = ticks;
	/*
	 * A report was written after the pair before it in the file, give or take what waited in
	 * the OA buffer: a pause between reports may have been longer than the timestamp.
	 */
	if (clock->has_last && passed) {
		uint64_t before = clock->pairs[passed - 1].gpu_ticks;

		if (before > whole && before - whole > WRAP_TICKS / 2)
			whole = nearest(before, ticks);
	}
	clock->last_ticks = whole;
	clock->has_last = 1;
	return whole;
}

static enum tacho_oa_time by_frequency(const struct tacho__oa_clock *clock, uint64_t gpu_ticks,
				       uint64_t *out_cpu_ns)
{
	const struct tacho__oa_pair *pair = &clock->pairs[0];
	uint64_t ns;

	if (gpu_ticks == pair->gpu_ticks) {
		*out_cpu_ns = pair->cpu_ns;
		return TACHO_OA_TIME_INTERPOLATED;
	}
	if (!clock->frequency_hz)
		return TACHO_OA_TIME_UNKNOWN;
	if (gpu_ticks > pair->gpu_ticks) {
		ns = (uint64_t)((wide)(gpu_ticks - pair->gpu_ticks) * 1000000000 /
				clock->frequency_hz);
		*out_cpu_ns = pair->cpu_ns + ns;
		return TACHO_OA_TIME_EXTRAPOLATED;
	}
	ns = (uint64_t)((wide)(pair->gpu_ticks - gpu_ticks) * 1000000000 / clock->frequency_hz);
	if (ns > pair->cpu_ns)
		return TACHO_OA_TIME_UNKNOWN;
	*out_cpu_ns = pair->cpu_ns - ns;
	return TACHO_OA_TIME_EXTRAPOLATED;
}

enum tacho_oa_time tacho__oa_clock_convert(const struct tacho__oa_clock *clock, uint64_t gpu_ticks,
					   uint64_t *out_cpu_ns)
{
	const struct tacho__oa_pair *from, *to;
	size_t at = clock->count - 1;
	uint64_t ns, period_ns, period_ticks;

	if (!clock->count)
		return TACHO_OA_TIME_UNKNOWN;
	if (clock->count == 1)
		return by_frequency(clock, gpu_ticks, out_cpu_ns);
	while (at && clock->pairs[at].gpu_ticks > gpu_ticks)
		at--;
	if (at == clock->count - 1)
		at--;
	from = &clock->pairs[at];
	to = &clock->pairs[at + 1];
	period_ns = to->cpu_ns - from->cpu_ns;
	period_ticks = to->gpu_ticks - from->gpu_ticks;
	if (gpu_ticks >= from->gpu_ticks) {
		ns = scale(gpu_ticks - from->gpu_ticks, period_ns, period_ticks);
		*out_cpu_ns = from->cpu_ns + ns;
		return gpu_ticks <= to->gpu_ticks ? TACHO_OA_TIME_INTERPOLATED
						  : TACHO_OA_TIME_EXTRAPOLATED;
	}
	ns = (uint64_t)((wide)(from->gpu_ticks - gpu_ticks) * period_ns / period_ticks);
	if (ns > from->cpu_ns)
		return TACHO_OA_TIME_UNKNOWN;
	*out_cpu_ns = from->cpu_ns - ns;
	return TACHO_OA_TIME_EXTRAPOLATED;
}
