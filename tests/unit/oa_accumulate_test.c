/* SPDX-License-Identifier: MIT */
/* Differences of OA reports: wraps, what cannot be told any more, and one context among others. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "oa/accumulate.h"

enum { SWITCH_GEN8 = 1u << 22, TIMER = 1u << 19, VALID_GEN8 = 1u << 25 };

static const struct tacho_oa_format *gen8(void)
{
	return tacho_oa_format_get_usual(TACHO_OA_GEN8);
}

static size_t at(const struct tacho_oa_format *format, const char *name)
{
	int index = tacho_oa_format_find_counter(format, name);

	assert_true(index >= 0);
	return (size_t)index;
}

static void test_wraps(void **state)
{
	const struct tacho_oa_format *format = gen8();
	struct tacho_oa_report from = {0}, to = {0};
	struct tacho_oa_sums sums = {0};

	from.values[0] = 0xfffffff0;
	to.values[0] = 0x10;
	from.values[1] = 0xffffffff;
	to.values[1] = 0;
	from.values[at(format, "A0")] = 0xffffffffffull;
	to.values[at(format, "A0")] = 5;
	from.values[at(format, "A7")] = 0x00ffffffffull;
	to.values[at(format, "A7")] = 0x0100000000ull;
	from.values[at(format, "A32")] = 0xfffffff0;
	to.values[at(format, "A32")] = 0x10;
	from.values[at(format, "C7")] = 7;
	to.values[at(format, "C7")] = 7;
	tacho_oa_sums_add(format, NULL, &from, &to, 0, &sums);
	assert_int_equal(sums.values[0], 0x20);
	assert_int_equal(sums.values[1], 1);
	assert_int_equal(sums.values[at(format, "A0")], 6);
	assert_int_equal(sums.values[at(format, "A7")], 1);
	assert_int_equal(sums.values[at(format, "A32")], 0x20);
	assert_int_equal(sums.values[at(format, "C7")], 0);
	assert_int_equal(sums.interval_count, 1);
	/* Sums go on, and are wider than the counters. */
	from.values[1] = 0;
	to.values[1] = 0xffffffff;
	tacho_oa_sums_add(format, NULL, &from, &to, 0, &sums);
	assert_true(sums.values[1] == 0x100000000ull);
	assert_int_equal(sums.interval_count, 2);
	for (size_t i = 0; i < format->value_count; i++)
		assert_int_equal(sums.states[i], TACHO_STATE_OK);
}

static void test_wide_wraps(void **state)
{
	const struct tacho_oa_format *format = tacho_oa_format_get_usual(TACHO_OA_XE2);
	struct tacho_oa_report from = {0}, to = {0};
	struct tacho_oa_sums sums = {0};

	from.values[0] = (1ull << 56) - 1;
	to.values[0] = 9;
	from.values[1] = UINT64_MAX;
	to.values[1] = 1;
	from.values[at(format, "PEC5")] = UINT64_MAX - 1;
	to.values[at(format, "PEC5")] = 3;
	tacho_oa_sums_add(format, NULL, &from, &to, 0, &sums);
	assert_int_equal(sums.values[0], 10);
	assert_int_equal(sums.values[1], 2);
	assert_int_equal(sums.values[at(format, "PEC5")], 5);
}

/* Haswell has no clock: what the format lacks is absent, and not 0. */
static void test_absent(void **state)
{
	const struct tacho_oa_format *format = tacho_oa_format_get_usual(TACHO_OA_GEN7_5);
	struct tacho_oa_report from = {0}, to = {0};
	struct tacho_oa_sums sums = {0};

	tacho_oa_sums_add(format, NULL, &from, &to, 0, &sums);
	assert_int_equal(sums.states[0], TACHO_STATE_OK);
	assert_int_equal(sums.states[1], TACHO_STATE_ABSENT);
	tacho_oa_sums_mark(format, TACHO_STATE_LOST, &sums);
	assert_int_equal(sums.states[0], TACHO_STATE_LOST);
	assert_int_equal(sums.states[1], TACHO_STATE_ABSENT);
}

/*
 * 16 EUs at 600 MHz, a timestamp of 12.5 MHz: in 0.44 s the EUs' sums stay below 2^32, in 0.45 s
 * they need not; in 7.1 s the clock does, in 7.2 s it need not; in 114 s 40 bits do, in 115 s not.
 */
static void test_overflow(void **state)
{
	const struct tacho_oa_limits limits = {12500000, 600000000, 16};
	const struct tacho_oa_format *format = gen8();
	static const struct {
		uint64_t milliseconds;
		uint8_t c, clock, a40, b;
	} rows[] = {
		{440, TACHO_STATE_OK, TACHO_STATE_OK, TACHO_STATE_OK, TACHO_STATE_OK},
		{450, TACHO_STATE_OVERFLOW, TACHO_STATE_OK, TACHO_STATE_OK, TACHO_STATE_OK},
		{7100, TACHO_STATE_OVERFLOW, TACHO_STATE_OK, TACHO_STATE_OK, TACHO_STATE_OK},
		{7200, TACHO_STATE_OVERFLOW, TACHO_STATE_OVERFLOW, TACHO_STATE_OK,
		 TACHO_STATE_OVERFLOW},
		{114000, TACHO_STATE_OVERFLOW, TACHO_STATE_OVERFLOW, TACHO_STATE_OK,
		 TACHO_STATE_OVERFLOW},
		{115000, TACHO_STATE_OVERFLOW, TACHO_STATE_OVERFLOW, TACHO_STATE_OVERFLOW,
		 TACHO_STATE_OVERFLOW},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct tacho_oa_report from = {0}, to = {0};
		struct tacho_oa_sums sums = {0};
		uint64_t ticks = rows[i].milliseconds * 12500;

		to.values[0] = (uint32_t)ticks;
		to.values[1] = (uint32_t)(rows[i].milliseconds * 600000);
		tacho_oa_sums_add(format, &limits, &from, &to, 0, &sums);
		assert_int_equal(sums.values[0], ticks);
		assert_int_equal(sums.states[0], TACHO_STATE_OK);
		assert_int_equal(sums.states[1], rows[i].clock);
		assert_int_equal(sums.states[at(format, "A0")], rows[i].a40);
		assert_int_equal(sums.states[at(format, "C0")], rows[i].c);
		assert_int_equal(sums.states[at(format, "A35")], rows[i].c);
		assert_int_equal(sums.states[at(format, "B0")], rows[i].b);
	}
}

/* The clock says that nothing ran for most of a second: then nothing can have wrapped. */
static void test_slow_clock(void **state)
{
	const struct tacho_oa_limits limits = {12500000, 600000000, 16};
	const struct tacho_oa_format *format = gen8();
	struct tacho_oa_report from = {0}, to = {0};
	struct tacho_oa_sums sums = {0};

	to.values[0] = 12500000;
	to.values[1] = 1000;
	to.values[at(format, "C0")] = 10;
	tacho_oa_sums_add(format, &limits, &from, &to, 0, &sums);
	assert_int_equal(sums.states[at(format, "C0")], TACHO_STATE_OK);
}

/* Time that passed by another clock: 400 s, more than the timestamp's 343.6 s. */
static void test_elapsed(void **state)
{
	const struct tacho_oa_limits limits = {12500000, 600000000, 16};
	const struct tacho_oa_format *format = gen8();
	struct tacho_oa_report from = {0}, to = {0};
	struct tacho_oa_sums sums = {0};
	uint64_t ticks = 400ull * 12500000;

	to.values[0] = (uint32_t)ticks;
	to.values[1] = 5;
	tacho_oa_sums_add(format, &limits, &from, &to, ticks, &sums);
	assert_true(sums.values[0] == ticks);
	assert_int_equal(sums.states[1], TACHO_STATE_OVERFLOW);
	assert_int_equal(sums.states[at(format, "A7")], TACHO_STATE_OVERFLOW);
}

/* A report of Gen8 whose A0 is its time. */
static struct tacho_oa_report report_at(uint32_t time, uint32_t id, uint32_t context)
{
	struct tacho_oa_report report = {.id = id, .context = context};

	report.values[0] = time;
	report.values[2] = time;
	return report;
}

static uint64_t count_ours(const struct tacho_oa_report *reports, size_t count)
{
	struct tacho_oa_report begin = report_at(100, 0xbeef, 7), end = report_at(1000, 0xbeef, 7);
	struct tacho_oa_sums sums = {0};

	tacho_oa_sums_add_context(gen8(), TACHO_OA_GEN8, NULL, 7, &begin, &end, reports, count,
				  &sums);
	return sums.values[2];
}

static void test_context(void **state)
{
	const uint32_t ours = TIMER | VALID_GEN8, turn = SWITCH_GEN8 | VALID_GEN8;
	/* Nobody else runs; reports outside of begin and end are passed over. */
	const struct tacho_oa_report alone[] = {report_at(50, turn, 9), report_at(300, ours, 7),
						report_at(1100, turn, 9)};
	/*
	 * Another context from 200 to 600: 800 - 400 of ours. The interval that ends in the switch
	 * back to us is the other's; the one that ends in the switch away is ours.
	 */
	const struct tacho_oa_report switched[] = {report_at(200, turn, 9), report_at(400, ours, 9),
						   report_at(600, turn, 7),
						   report_at(800, ours, 7)};
	/* The same where the kernel hides the others' numbers. */
	const struct tacho_oa_report hidden[] = {report_at(200, turn, TACHO_OA_NO_CONTEXT),
						 report_at(400, TIMER, TACHO_OA_NO_CONTEXT),
						 report_at(600, turn, 7), report_at(800, ours, 7)};
	/* A periodic report shows the switch before the switch's own report does. */
	const struct tacho_oa_report early[] = {report_at(200, ours, 9), report_at(250, turn, 9),
						report_at(600, ours, 7), report_at(650, turn, 7)};
	/* Nothing ran between 300 and 500: neither counts. */
	const struct tacho_oa_report idle[] = {report_at(300, SWITCH_GEN8, TACHO_OA_NO_CONTEXT),
					       report_at(500, turn, 7)};
	/* Someone else is there at the end. */
	const struct tacho_oa_report left[] = {report_at(900, turn, 9)};

	assert_int_equal(count_ours(NULL, 0), 900);
	assert_int_equal(count_ours(alone, 3), 900);
	assert_int_equal(count_ours(switched, 4), 500);
	assert_int_equal(count_ours(hidden, 4), 500);
	assert_int_equal(count_ours(early, 4), 500);
	assert_int_equal(count_ours(idle, 2), 700);
	assert_int_equal(count_ours(left, 1), 800);
}

/* One periodic report labelled idle in the middle of a context is a mistake of the hardware. */
static void test_stray_label(void **state)
{
	const uint32_t ours = TIMER | VALID_GEN8;
	const struct tacho_oa_report one[] = {report_at(300, TIMER, TACHO_OA_NO_CONTEXT),
					      report_at(500, ours, 7)};
	const struct tacho_oa_report two[] = {report_at(300, TIMER, TACHO_OA_NO_CONTEXT),
					      report_at(400, TIMER, TACHO_OA_NO_CONTEXT),
					      report_at(500, ours, 7)};

	assert_int_equal(count_ours(one, 2), 900);
	assert_int_equal(count_ours(two, 3), 700);
}

/* Gen12.5: the number in a report of the MMIO trigger is the caller's, and no context. */
static void test_marker(void **state)
{
	const uint32_t trigger = 0x40u << 19, turn = 8u << 19 | 1u << 16;
	const struct tacho_oa_report reports[] = {
		report_at(200, trigger, 0xabcd), report_at(300, turn, 9),
		report_at(400, trigger, 7), report_at(600, turn, 7)};
	struct tacho_oa_report begin = report_at(100, 0xbeef, 7), end = report_at(1000, 0xbeef, 7);
	struct tacho_oa_sums sums = {0};

	tacho_oa_sums_add_context(tacho_oa_format_get_usual(TACHO_OA_GEN12_5), TACHO_OA_GEN12_5,
				  NULL, 7, &begin, &end, reports, 4, &sums);
	/* ours from 100 to 300 and from 600 on */
	assert_int_equal(sums.values[2], 200 + 400);
}

/* Across the timestamp's wrap, and on Haswell, where the hardware filters. */
static void test_context_elsewhere(void **state)
{
	struct tacho_oa_report begin = report_at(0xffffff00, 0xbeef, 7),
			       end = report_at(0x100, 0xbeef, 7);
	const struct tacho_oa_report reports[] = {
		report_at(0xffffff80, SWITCH_GEN8 | VALID_GEN8, 9),
		report_at(0x80, SWITCH_GEN8 | VALID_GEN8, 7)};
	struct tacho_oa_sums sums = {0};

	begin.values[2] = 0;
	end.values[2] = 0x200;
	tacho_oa_sums_add_context(gen8(), TACHO_OA_GEN8, NULL, 7, &begin, &end, reports, 2, &sums);
	assert_int_equal(sums.values[0], 0x100);
	memset(&sums, 0, sizeof(sums));
	tacho_oa_sums_add_context(tacho_oa_format_get_usual(TACHO_OA_GEN7_5), TACHO_OA_GEN7_5, NULL,
				  7, &begin, &end, reports, 2, &sums);
	assert_int_equal(sums.values[0], 0x200);
	assert_int_equal(sums.values[2], 0x200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wraps),	   cmocka_unit_test(test_wide_wraps),
		cmocka_unit_test(test_absent),	   cmocka_unit_test(test_overflow),
		cmocka_unit_test(test_slow_clock), cmocka_unit_test(test_elapsed),
		cmocka_unit_test(test_context),	   cmocka_unit_test(test_stray_label),
		cmocka_unit_test(test_marker),	   cmocka_unit_test(test_context_elsewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
