/* SPDX-License-Identifier: MIT */
/* The OA unit's boolean part in steps from event to event, against clock by clock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "oa/triggers_run.h"

enum { PERIOD = 60, CLOCKS = 1000, CASES = 3000, PATTERNS = 2 };

/* xorshift */
static uint32_t draw(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	return *seed ^= *seed << 5;
}

/* Mostly few different signals: triggers whose 16 inputs are all different are hardly ever true. */
static void write_trigger(struct tacho__oa_boolean_unit *unit, uint32_t first, uint32_t enable,
			  uint32_t *seed)
{
	uint32_t one = draw(seed) % 8 * 0x11111111u;
	uint32_t kind = draw(seed) % 4;

	tacho__oa_boolean_write(unit, first,
				draw(seed) % 40 | (kind ? 0 : draw(seed) & 0xffff0000u));
	tacho__oa_boolean_write(unit, first + 4,
				(kind > 1 ? 0 : draw(seed) & 0x7fffff) |
					(draw(seed) & 7 ? 1u << 23 : 0) |
					(draw(seed) & 3 ? enable : 0));
	tacho__oa_boolean_write(unit, first + 8, kind > 2 ? draw(seed) : one);
	tacho__oa_boolean_write(unit, first + 12, one);
}

static void program(struct tacho__oa_boolean_unit *unit, uint32_t *seed)
{
	memset(unit, 0, sizeof(*unit));
	write_trigger(unit, 0x2710, 0xf0000000, seed);
	write_trigger(unit, 0x2720, 0x10000000, seed);
	write_trigger(unit, 0x2740, 0x80000000, seed);
	write_trigger(unit, 0x2750, 0x80000000, seed);
	for (uint32_t i = 0; i < 8; i++) {
		tacho__oa_boolean_write(unit, 0x2770 + 8 * i, draw(seed) & 0x1fffff);
		tacho__oa_boolean_write(unit, 0x2774 + 8 * i, draw(seed));
	}
}

struct world {
	uint16_t noa[PATTERNS][PERIOD], boolean[PERIOD];
	struct tacho__oa_pattern patterns[PATTERNS];
	struct tacho__oa_boolean_unit fast, slow;
};

static void make_world(struct world *world, uint32_t *seed)
{
	program(&world->fast, seed);
	world->slow = world->fast;
	for (size_t i = 0; i < PERIOD; i++) {
		for (size_t k = 0; k < PATTERNS; k++)
			world->noa[k][i] = (uint16_t)(draw(seed) & draw(seed));
		world->boolean[i] = (uint16_t)draw(seed);
	}
	for (size_t k = 0; k < PATTERNS; k++)
		assert_int_equal(tacho__oa_pattern_init(&world->patterns[k], &world->fast,
							world->noa[k], world->boolean, PERIOD),
				 0);
}

static void check(struct world *world, unsigned *out_starts, unsigned *out_reports, uint32_t *seed)
{
	uint64_t clock = 0;

	while (clock < CLOCKS) {
		size_t pattern = draw(seed) % PATTERNS;
		uint64_t wanted = 1 + draw(seed) % 200, passed;
		bool had_started = tacho__oa_boolean_has_started(&world->slow);
		uint32_t reasons, expected = 0;

		passed = tacho__oa_boolean_run(&world->fast, &world->patterns[pattern],
					       clock % PERIOD, wanted, &reasons);
		assert_true(passed > 0 && passed <= wanted);
		for (uint64_t i = 0; i < passed; i++, clock++) {
			/* An event ends the run. */
			assert_int_equal(expected, 0);
			assert_int_equal(tacho__oa_boolean_has_started(&world->slow), had_started);
			expected = tacho__oa_boolean_clock(&world->slow,
							   world->noa[pattern][clock % PERIOD],
							   world->boolean[clock % PERIOD]);
		}
		assert_int_equal(reasons, expected);
		*out_reports += reasons != 0;
		*out_starts += !had_started && tacho__oa_boolean_has_started(&world->slow);
		if (passed < wanted)
			assert_true(reasons ||
				    tacho__oa_boolean_has_started(&world->slow) != had_started);
		for (size_t i = 0; i < TACHO__OA_COMPARATORS; i++)
			assert_int_equal(world->fast.b[i], world->slow.b[i]);
		for (size_t i = 0; i < 2; i++) {
			assert_int_equal(world->fast.start[i].count, world->slow.start[i].count);
			assert_int_equal(world->fast.report[i].count, world->slow.report[i].count);
		}
	}
}

static void test_steps(void **state)
{
	unsigned starts = 0, reports = 0;
	uint32_t seed = 0x5eed;

	(void)state;
	for (unsigned i = 0; i < CASES; i++) {
		struct world world;

		make_world(&world, &seed);
		check(&world, &starts, &reports, &seed);
		for (size_t k = 0; k < PATTERNS; k++)
			tacho__oa_pattern_finish(&world.patterns[k]);
	}
	/* Enough happened to be compared. */
	assert_true(starts > CASES / 4);
	assert_true(reports > CASES);
}

/* 65535 of signals that are true once in 60 clocks, in one step: the last on clock 3932100. */
static void test_far(void **state)
{
	uint16_t noa[PERIOD] = {[PERIOD - 1] = 1}, boolean[PERIOD] = {0};
	struct tacho__oa_boolean_unit unit = {0};
	struct tacho__oa_pattern pattern;
	uint32_t reasons;

	(void)state;
	tacho__oa_boolean_write(&unit, 0x2740, 65535);
	tacho__oa_boolean_write(&unit, 0x2744, 0x80800000);
	tacho__oa_boolean_write(&unit, 0x2778, 3);
	assert_int_equal(tacho__oa_pattern_init(&pattern, &unit, noa, boolean, PERIOD), 0);
	assert_int_equal(tacho__oa_boolean_run(&unit, &pattern, 0, 3932099, &reasons), 3932099);
	assert_int_equal(reasons, 0);
	assert_int_equal(unit.report[0].count, 65534);
	assert_int_equal(tacho__oa_boolean_run(&unit, &pattern, 3932099 % PERIOD, 100, &reasons),
			 1);
	assert_int_equal(reasons, 0x02);
	assert_int_equal(unit.b[1], 3932100);
	assert_int_equal(tacho__oa_boolean_run(&unit, &pattern, 0, 0, &reasons), 0);
	tacho__oa_pattern_finish(&pattern);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_far),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
