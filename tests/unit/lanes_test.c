/* SPDX-License-Identifier: MIT */
/* Lanes: small cases by hand, and many random ones read back as a viewer reads them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdlib.h>

#include "format/lanes.h"

static size_t place(struct tacho__lanes *lanes, uint64_t start_ns, uint64_t end_ns)
{
	size_t lane = 12345;

	assert_int_equal(tacho__lanes_place(lanes, start_ns, end_ns, &lane), 0);
	return lane;
}

static void test_queue(void **state)
{
	struct tacho__lanes lanes = {0};

	assert_int_equal(place(&lanes, 10, 20), 0);
	assert_int_equal(place(&lanes, 20, 30), 0); /* back to back */
	assert_int_equal(place(&lanes, 25, 40), 1);
	assert_int_equal(place(&lanes, 50, 60), 0);
	assert_int_equal(place(&lanes, 35, 45), 0); /* ran before the one that came before it */
	assert_int_equal(place(&lanes, 45, 50), 1); /* would end where another began already */
	assert_int_equal(place(&lanes, 52, 55), 1); /* inside of another */
	assert_int_equal(place(&lanes, 52, 54), 2);
	assert_int_equal(place(&lanes, 60, 60), 0);
	assert_int_equal(place(&lanes, 60, 60), 0);
	assert_int_equal(lanes.count, 3);
	tacho__lanes_finish(&lanes);
	assert_int_equal(lanes.count, 0);
}

static void test_thread(void **state)
{
	struct tacho__lanes lanes = {.nests = true};

	assert_int_equal(place(&lanes, 12, 14), 0);
	assert_int_equal(place(&lanes, 14, 16), 0);
	assert_int_equal(place(&lanes, 10, 20), 0); /* contains both */
	assert_int_equal(place(&lanes, 20, 30), 0);
	assert_int_equal(place(&lanes, 8, 30), 0); /* contains all, ends with the last */
	assert_int_equal(place(&lanes, 8, 40), 1); /* would be read as the inner one */
	assert_int_equal(place(&lanes, 35, 45), 0);
	assert_int_equal(place(&lanes, 32, 42), 1 + 1); /* cuts two */
	tacho__lanes_finish(&lanes);
}

/* What was forgotten may be in the way of all that begins before its end. */
static void test_forgotten(void **state)
{
	enum { HALF = TACHO__LANE_SPANS / 2, FLOOR = 10 * (HALF - 1) + 5 };
	struct tacho__lanes lanes = {.nests = true};

	for (uint64_t i = 0; i < TACHO__LANE_SPANS; i++)
		assert_int_equal(place(&lanes, 10 * i, 10 * i + 5), 0);
	assert_int_equal(lanes.all[0].count, TACHO__LANE_SPANS);
	assert_int_equal(place(&lanes, 10 * TACHO__LANE_SPANS, 10 * TACHO__LANE_SPANS + 5), 0);
	assert_int_equal(lanes.all[0].count, HALF + 1);
	assert_int_equal(lanes.all[0].floor_ns, FLOOR);
	assert_int_equal(place(&lanes, FLOOR, 20 * TACHO__LANE_SPANS), 0);
	assert_int_equal(lanes.all[0].count, 1);
	assert_int_equal(place(&lanes, FLOOR - 1, 30 * TACHO__LANE_SPANS), 1);
	tacho__lanes_finish(&lanes);

	/* One that comes late and belongs below what is forgotten for it. */
	lanes.nests = false;
	for (uint64_t i = 0; i < TACHO__LANE_SPANS; i++)
		place(&lanes, 10 * i, 10 * i + 5);
	assert_int_equal(place(&lanes, 16, 18), 0);
	assert_int_equal(lanes.all[0].count, HALF);
	assert_int_equal(place(&lanes, 26, 28), 1);
	assert_int_equal(place(&lanes, FLOOR + 1, FLOOR + 2), 0);
	assert_int_equal(lanes.all[0].count, HALF + 1);
	tacho__lanes_finish(&lanes);
}

static size_t begin(struct tacho__lanes *lanes, uint64_t start_ns)
{
	size_t lane = 12345;

	assert_int_equal(tacho__lanes_open(lanes, start_ns, &lane), 0);
	return lane;
}

/* What has begun and not ended holds all that comes, however much. */
static void test_open(void **state)
{
	struct tacho__lanes lanes = {.nests = true};
	uint64_t end_ns = 110 + 10 * 3 * TACHO__LANE_SPANS;

	assert_int_equal(place(&lanes, 80, 90), 0);
	assert_int_equal(begin(&lanes, 85), 1); /* in one that has ended */
	assert_int_equal(begin(&lanes, 80), 2); /* would be read as the inner one */
	assert_int_equal(begin(&lanes, 90), 0);
	assert_int_equal(begin(&lanes, 90), 0); /* in the one before */
	tacho__lanes_close(&lanes, 0, 95);
	assert_int_equal(begin(&lanes, 92), 1);	    /* one that began before it ended later */
	assert_int_equal(place(&lanes, 87, 92), 2); /* cuts what is open on the others */
	assert_int_equal(place(&lanes, 60, 70), 0); /* before all */
	for (uint64_t i = 0; i < 3 * TACHO__LANE_SPANS; i++)
		assert_int_equal(place(&lanes, 100 + 10 * i, 105 + 10 * i), 0);
	assert_true(lanes.all[0].floor_ns > 100);
	tacho__lanes_close(&lanes, 0, end_ns);
	assert_int_equal(place(&lanes, end_ns - 5, end_ns + 5), 1);
	assert_int_equal(place(&lanes, end_ns, end_ns + 5), 0);
	tacho__lanes_finish(&lanes);

	for (size_t i = 0; i <= TACHO__LANE_OPEN_MAX; i++)
		assert_int_equal(begin(&lanes, 10 + i), i == TACHO__LANE_OPEN_MAX);
	tacho__lanes_finish(&lanes);
}

static void test_too_many(void **state)
{
	struct tacho__lanes lanes = {0};

	for (size_t i = 0; i < TACHO__LANES_MAX; i++)
		assert_int_equal(place(&lanes, 10, 20), i);
	assert_int_equal(place(&lanes, 10, 20), TACHO__LANES_MAX);
	assert_int_equal(place(&lanes, 20, 21), 0);
	assert_int_equal(lanes.count, TACHO__LANES_MAX);
	tacho__lanes_finish(&lanes);
}

/* ---- random ones ---- */

enum { COUNT = 2000, MARKS = 2 * COUNT };

struct mark {
	uint64_t time_ns;
	size_t order, slice;
	bool is_end;
};

static int compare(const void *a, const void *b)
{
	const struct mark *one = a, *other = b;

	if (one->time_ns != other->time_ns)
		return one->time_ns < other->time_ns ? -1 : 1;
	return one->order < other->order ? -1 : 1;
}

/* An end closes what was opened last: it must be its own slice. */
static void check_lane(struct mark *marks, size_t count, bool nests)
{
	size_t open[COUNT], depth = 0;

	qsort(marks, count, sizeof(*marks), compare);
	for (size_t i = 0; i < count; i++) {
		if (!marks[i].is_end) {
			open[depth++] = marks[i].slice;
			assert_true(nests || depth == 1);
			continue;
		}
		assert_true(depth > 0);
		assert_int_equal(open[--depth], marks[i].slice);
	}
	assert_int_equal(depth, 0);
}

static void check(const uint64_t (*slices)[2], const size_t *lane_of, size_t lanes, bool nests)
{
	struct mark marks[MARKS];

	for (size_t lane = 0; lane < lanes; lane++) {
		size_t count = 0;

		for (size_t i = 0; i < COUNT; i++) {
			if (lane_of[i] != lane)
				continue;
			marks[count] = (struct mark){slices[i][0], count, i, false};
			count++;
			marks[count] = (struct mark){slices[i][1], count, i, true};
			count++;
		}
		check_lane(marks, count, nests);
	}
}

static int compare_ends(const void *a, const void *b)
{
	const uint64_t *one = a, *other = b;

	return one[1] < other[1] ? -1 : one[1] > other[1];
}

static void test_random(void **state)
{
	uint64_t slices[COUNT][2];
	size_t lane_of[COUNT];

	srand(1);
	for (int round = 0; round < 100; round++) {
		struct tacho__lanes lanes = {.nests = round % 2};
		unsigned range = 50u << round % 7, length = 1u << round % 5;

		for (size_t i = 0; i < COUNT; i++) {
			slices[i][0] = (unsigned)rand() % range;
			slices[i][1] = slices[i][0] + (unsigned)rand() % length;
		}
		if (lanes.nests && round % 4 == 1)
			qsort(slices, COUNT, sizeof(slices[0]), compare_ends);
		for (size_t i = 0; i < COUNT; i++)
			lane_of[i] = place(&lanes, slices[i][0], slices[i][1]);
		check((const uint64_t(*)[2])slices, lane_of, lanes.count, lanes.nests);
		tacho__lanes_finish(&lanes);
	}
}

/* Calls of a real thread need one lane: each begins later than those that it contains end. */
static uint64_t make_calls(uint64_t (*slices)[2], size_t *count, uint64_t now, unsigned depth)
{
	uint64_t start = now++;

	while (depth && rand() % 3)
		now = make_calls(slices, count, now + 1, depth - 1);
	slices[*count][0] = start;
	slices[(*count)++][1] = now;
	return now + 1;
}

static void test_calls(void **state)
{
	uint64_t slices[2000][2];
	uint64_t now = 0;
	struct tacho__lanes lanes = {.nests = true};
	size_t count = 0;

	srand(2);
	while (count < 1000)
		now = make_calls(slices, &count, now, 4);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(place(&lanes, slices[i][0], slices[i][1]), 0);
	tacho__lanes_finish(&lanes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_queue),	  cmocka_unit_test(test_thread),
		cmocka_unit_test(test_forgotten), cmocka_unit_test(test_open),
		cmocka_unit_test(test_too_many),  cmocka_unit_test(test_random),
		cmocka_unit_test(test_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
