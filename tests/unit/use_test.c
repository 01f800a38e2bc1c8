/* SPDX-License-Identifier: MIT */
/* Busy, idle and neither, by hand and against bitmaps of the same instants. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "analyze/use.h"

enum { INSTANTS = 2048 };

static struct tacho_command ran(uint64_t start_ns, uint64_t end_ns)
{
	return (struct tacho_command){.kind = TACHO_COMMAND_KERNEL,
				      .start_ns = start_ns,
				      .end_ns = end_ns,
				      .not_after_ns = UINT64_MAX};
}

static struct tacho_command without_times(uint64_t not_before_ns, uint64_t not_after_ns)
{
	return (struct tacho_command){.kind = TACHO_COMMAND_KERNEL,
				      .state = TACHO_STATE_ABSENT,
				      .not_before_ns = not_before_ns,
				      .not_after_ns = not_after_ns};
}

static void add(struct tacho__use *use, struct tacho_command command)
{
	assert_int_equal(tacho__use_add(use, &command), 0);
}

static void expect(struct tacho__use *use, uint64_t busy_ns, uint64_t idle_ns, uint64_t unknown_ns)
{
	struct tacho__use_times times;

	assert_int_equal(tacho__use_complete(use, &times), 0);
	assert_int_equal(times.busy_ns, busy_ns);
	assert_int_equal(times.idle_ns, idle_ns);
	assert_int_equal(times.unknown_ns, unknown_ns);
	tacho__use_finish(use);
	memset(use, 0, sizeof(*use));
}

static void test_known(void **state)
{
	struct tacho__use use = {0};

	expect(&use, 0, 0, 0);
	add(&use, ran(100, 200));
	add(&use, ran(150, 250));
	add(&use, ran(400, 500));
	expect(&use, 250, 150, 0);
}

/* A command without times takes from the idle time only, and only where it can have run. */
static void test_doubts(void **state)
{
	struct tacho__use use = {0};

	add(&use, ran(100, 200));
	add(&use, without_times(150, 300));
	add(&use, ran(400, 500));
	expect(&use, 200, 100, 100);
	/* while others ran: nothing is in doubt */
	add(&use, ran(100, 500));
	add(&use, without_times(150, 300));
	expect(&use, 400, 0, 0);
	/* alone, in front and behind: the device was in use from 50 to 900 */
	add(&use, without_times(50, 80));
	add(&use, ran(100, 200));
	add(&use, without_times(600, 900));
	expect(&use, 100, 420, 330);
	add(&use, without_times(50, 80));
	expect(&use, 0, 0, 30);
}

/* Without a known end it may have run until the last end that is known. */
static void test_open(void **state)
{
	struct tacho__use use = {0};

	add(&use, ran(100, 200));
	add(&use, without_times(300, UINT64_MAX));
	add(&use, ran(400, 500));
	add(&use, ran(700, 800));
	expect(&use, 300, 100, 300);
	add(&use, without_times(0, 900));
	add(&use, ran(700, 800));
	add(&use, ran(100, 200));
	expect(&use, 200, 0, 500);
	add(&use, ran(100, 200));
	add(&use, ran(700, 800));
	assert_int_equal(tacho__use_doubt(&use, 0, UINT64_MAX), 0);
	expect(&use, 200, 0, 500);
	/* nothing is known at all */
	add(&use, without_times(300, UINT64_MAX));
	expect(&use, 0, 0, 0);
}

/* What ran on several devices is sure of none of them. */
static void test_several_devices(void **state)
{
	const struct tacho_object one = {0}, two = {0};
	const struct tacho_object *const devices[] = {&one, &two};
	const struct tacho_template contents = {.devices = devices, .device_count = 2};
	struct tacho_command shared = ran(300, 400);
	struct tacho__use use = {0};

	shared.kind = TACHO_COMMAND_BUFFER;
	shared.contents = &contents;
	add(&use, ran(100, 200));
	add(&use, shared);
	add(&use, ran(500, 600));
	expect(&use, 200, 200, 100);
}

static int copy(void *user, uint64_t from_ns, uint64_t until_ns)
{
	return tacho__use_doubt(user, from_ns, until_ns);
}

/* What ran elsewhere may have run here. */
static void test_elsewhere(void **state)
{
	struct tacho__use elsewhere = {0}, use = {0};

	add(&elsewhere, ran(220, 240));
	add(&elsewhere, without_times(300, 350));
	add(&use, ran(100, 200));
	add(&use, ran(400, 500));
	assert_int_equal(tacho__use_each_time(&elsewhere, copy, &use), 0);
	expect(&use, 200, 130, 70);
	add(&elsewhere, without_times(380, UINT64_MAX));
	add(&use, ran(100, 200));
	add(&use, ran(400, 500));
	add(&use, ran(600, 700));
	assert_int_equal(tacho__use_each_time(&elsewhere, copy, &use), 0);
	/* 20 + 50 + 20 until 400, and from 500 to 600 */
	expect(&use, 300, 110, 190);
	tacho__use_finish(&elsewhere);
}

static size_t count(const unsigned char *bitmap, size_t first, size_t last)
{
	size_t sum = 0;

	for (size_t i = first; i < last; i++)
		sum += bitmap[i];
	return sum;
}

static void test_random(void **state)
{
	srand(1);
	for (int round = 0; round < 200; round++) {
		unsigned char busy[INSTANTS] = {0}, maybe[INSTANTS] = {0};
		size_t first = INSTANTS, last = 0;
		struct tacho__use use = {0};

		for (int i = rand() % 100; i >= 0; i--) {
			size_t start = 1 + (size_t)rand() % (INSTANTS - 40);
			size_t end = start + (size_t)rand() % 40;
			bool is_known = rand() % 3 != 0;

			memset(maybe + start, 1, end - start);
			if (is_known)
				memset(busy + start, 1, end - start);
			add(&use, is_known ? ran(start, end) : without_times(start, end));
			first = start < first ? start : first;
			last = end > last ? end : last;
		}
		expect(&use, count(busy, first, last), last - first - count(maybe, first, last),
		       count(maybe, first, last) - count(busy, first, last));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known),	  cmocka_unit_test(test_doubts),
		cmocka_unit_test(test_open),	  cmocka_unit_test(test_several_devices),
		cmocka_unit_test(test_elsewhere), cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
