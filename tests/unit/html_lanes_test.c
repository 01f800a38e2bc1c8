/* SPDX-License-Identifier: MIT */
/* Lanes of the timeline: each mark while they are few, merged ones that add up when they are many.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "format/html/html_lanes.h"

static void add(struct tacho__html_lane *lane, uint64_t start_ns, uint64_t time_ns, size_t name)
{
	const struct tacho__html_mark mark = {.start_ns = start_ns,
					      .end_ns = start_ns + time_ns,
					      .busy_ns = time_ns,
					      .longest_ns = time_ns,
					      .count = 1,
					      .call = lane->total,
					      .name = name,
					      .detail = 1};

	assert_int_equal(tacho__html_lane_add(lane, &mark), 0);
}

static void check_sums(const struct tacho__html_lane *lane, uint64_t count, uint64_t busy_ns)
{
	for (size_t i = 0; i < lane->count; i++) {
		count -= lane->marks[i].count;
		busy_ns -= lane->marks[i].busy_ns;
		if (i)
			assert_true(lane->marks[i].start_ns >= lane->marks[i - 1].start_ns);
	}
	assert_true(count == 0 && busy_ns == 0);
}

static void test_lane_of_few(void **state)
{
	struct tacho__html_lane lane = {.limit = 8};

	add(&lane, 30, 5, 1);
	add(&lane, 10, 5, 2); /* arrives late */
	add(&lane, 10, 9, 3); /* contains it */
	tacho__html_lane_complete(&lane);
	assert_int_equal(lane.count, 3);
	assert_int_equal(lane.cell_ns, 0);
	assert_int_equal(lane.marks[0].name, 3);
	assert_int_equal(lane.marks[1].name, 2);
	assert_int_equal(lane.marks[2].name, 1);
	assert_int_equal(lane.marks[2].detail, 1);
	tacho__html_lane_finish(&lane);
}

/* 100 short ones in 10 microseconds, one of 5 us behind: cells of 2048 ns make at most 8. */
static void test_lane_of_many(void **state)
{
	struct tacho__html_lane lane = {.limit = 8};

	for (uint64_t i = 0; i < 100; i++)
		add(&lane, i * 100, i == 50 ? 60 : 40, i == 50 ? 5 : 2);
	add(&lane, 10100, 5000, 7);
	tacho__html_lane_complete(&lane);
	assert_true(lane.count <= 8);
	assert_int_equal(lane.total, 101);
	assert_int_equal(lane.cell_ns, 2048);
	check_sums(&lane, 101, 100 * 40 + 20 + 5000);
	assert_int_equal(lane.marks[lane.count - 1].name, 7);
	assert_int_equal(lane.marks[lane.count - 1].count, 1);
	/* the third cell, from 4096 on, holds those at 4100 to 6100; the longest is at 5000 */
	assert_int_equal(lane.marks[2].start_ns, 4100);
	assert_int_equal(lane.marks[2].end_ns, 6140);
	assert_int_equal(lane.marks[2].count, 21);
	assert_int_equal(lane.marks[2].name, 5);
	assert_int_equal(lane.marks[2].detail, 0);
	tacho__html_lane_finish(&lane);
}

/* Times that no clock has end as well. */
static void test_lane_of_anything(void **state)
{
	struct tacho__html_lane lane = {.limit = 8};
	uint64_t random = 1;

	for (size_t i = 0; i < 5000; i++) {
		struct tacho__html_mark mark = {.count = 1};

		random = random * 6364136223846793005 + 1442695040888963407;
		mark.start_ns = random >> (i % 60);
		mark.end_ns = i % 3 ? UINT64_MAX : mark.start_ns;
		assert_int_equal(tacho__html_lane_add(&lane, &mark), 0);
	}
	tacho__html_lane_complete(&lane);
	assert_true(lane.count <= 8);
	check_sums(&lane, 5000, 0);
	tacho__html_lane_finish(&lane);
}

/* What is counted for each size of cells is what merging with it makes. */
static void test_count(void **state)
{
	uint64_t random = 1;

	for (unsigned bits = 6; bits < TACHO__HTML_CELLS; bits++) {
		struct tacho__html_lane lane = {.limit = 100000};
		uint64_t counts[TACHO__HTML_CELLS] = {[6] = 3}; /* is added to */

		for (size_t i = 0; i < 1000; i++) {
			random = random * 6364136223846793005 + 1442695040888963407;
			add(&lane, random >> 33 >> i % 20, random >> (34 + i % 30), 1);
		}
		if (bits % 2) /* as well of what was merged before */
			tacho__html_lane_coarsen(&lane, (uint64_t)1 << bits / 2);
		tacho__html_lane_count(&lane, counts);
		tacho__html_lane_coarsen(&lane, (uint64_t)1 << bits);
		assert_int_equal(lane.count, counts[bits] - (bits == 6 ? 3 : 0));
		tacho__html_lane_finish(&lane);
	}
}

static void test_choose(void **state)
{
	uint64_t counts[TACHO__HTML_CELLS] = {0};

	for (unsigned bits = 0; bits < TACHO__HTML_CELLS; bits++)
		counts[bits] = 1000 - bits;
	assert_int_equal(tacho__html_choose_cell(counts, 0, 1000), 64); /* never less */
	assert_int_equal(tacho__html_choose_cell(counts, 0, 990), 1024);
	assert_int_equal(tacho__html_choose_cell(counts, 4096, 990), 4096);
	assert_true(tacho__html_choose_cell(counts, 0, 5) == (uint64_t)1 << 62);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lane_of_few),	 cmocka_unit_test(test_lane_of_many),
		cmocka_unit_test(test_lane_of_anything), cmocka_unit_test(test_count),
		cmocka_unit_test(test_choose),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
