/* SPDX-License-Identifier: MIT */
/* Clock conversions worked out by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "record/clock_map.h"

static struct tacho__clock_map map;

/* Ticks at 2 per ns; monotonic gains 1000 ns over raw in the second millisecond; real steps back.
 */
static int set_up(void **state)
{
	static const struct tacho__anchor anchors[] = {
		{.tick = 2000000,
		 .raw_ns = 5000000,
		 .monotonic_ns = 7000000,
		 .realtime_ns = 900000000},
		{.tick = 4000000,
		 .raw_ns = 6000000,
		 .monotonic_ns = 8000000,
		 .realtime_ns = 901000000},
		{.tick = 6000000,
		 .raw_ns = 7000000,
		 .monotonic_ns = 9001000,
		 .realtime_ns = 802000000},
	};

	for (int i = 0; i < 3; i++)
		assert_int_equal(tacho__clock_map_add(&map, &anchors[i]), 0);
	return 0;
}

static int tear_down(void **state)
{
	tacho__clock_map_finish(&map);
	return 0;
}

static uint64_t convert(enum tacho__clock from, enum tacho__clock to, uint64_t time)
{
	return tacho__clock_map_convert(&map, from, to, time);
}

static void test_between_anchors(void **state)
{
	assert_int_equal(convert(TACHO__CLOCK_TICK, TACHO__CLOCK_RAW, 3000000), 5500000);
	assert_int_equal(convert(TACHO__CLOCK_RAW, TACHO__CLOCK_TICK, 5500000), 3000000);
	assert_int_equal(convert(TACHO__CLOCK_RAW, TACHO__CLOCK_MONOTONIC, 6000000), 8000000);
	assert_int_equal(convert(TACHO__CLOCK_RAW, TACHO__CLOCK_MONOTONIC, 6500000), 8500500);
	assert_int_equal(convert(TACHO__CLOCK_RAW, TACHO__CLOCK_RAW, 123), 123);
}

/* Beyond the ends at the rate of the whole: 2,001,000 ns of monotonic in 2,000,000 ns of raw. */
static void test_beyond_anchors(void **state)
{
	assert_int_equal(convert(TACHO__CLOCK_RAW, TACHO__CLOCK_MONOTONIC, 9000000), 11002000);
	assert_int_equal(convert(TACHO__CLOCK_RAW, TACHO__CLOCK_MONOTONIC, 3000000), 4999000);
	assert_int_equal(convert(TACHO__CLOCK_TICK, TACHO__CLOCK_RAW, 0), 4000000);
}

static void test_anchors_out_of_order_are_left_out(void **state)
{
	struct tacho__anchor late = {.tick = 5000000, .raw_ns = 8000000, .monotonic_ns = 10000000};

	assert_int_equal(tacho__clock_map_add(&map, &late), 0);
	assert_int_equal(map.count, 3);
}

/* Found by fuzzing: a rate that no 64-bit number holds. */
static void test_absurd_anchors_do_no_harm(void **state)
{
	struct tacho__clock_map absurd = {0};
	struct tacho__anchor first = {.tick = 1, .raw_ns = 1, .monotonic_ns = 1};
	struct tacho__anchor last = {
		.tick = 2, .raw_ns = UINT64_MAX, .monotonic_ns = UINT64_MAX, .realtime_ns = 5};

	tacho__clock_map_add(&absurd, &first);
	tacho__clock_map_add(&absurd, &last);
	assert_int_equal(tacho__clock_map_convert(&absurd, TACHO__CLOCK_TICK, TACHO__CLOCK_RAW,
						  UINT64_MAX / 2),
			 UINT64_MAX);
	tacho__clock_map_finish(&absurd);
}

static void test_without_anchors_time_is_itself(void **state)
{
	struct tacho__clock_map empty = {0};

	assert_int_equal(tacho__clock_map_convert(&empty, TACHO__CLOCK_TICK, TACHO__CLOCK_RAW, 42),
			 42);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_between_anchors),
		cmocka_unit_test(test_beyond_anchors),
		cmocka_unit_test(test_anchors_out_of_order_are_left_out),
		cmocka_unit_test(test_absurd_anchors_do_no_harm),
		cmocka_unit_test(test_without_anchors_time_is_itself),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
