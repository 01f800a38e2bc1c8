/* SPDX-License-Identifier: MIT */
/* Comparisons of recordings whose every value is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff_world.h"
#include "tacho/error.h"

static struct tacho_diff *compare(struct world *a, struct world *b)
{
	return compare_groups(&a, 1, &b, 1, NULL);
}

static bool has_warning(const struct tacho_diff *diff, const char *part)
{
	const char *warning;

	for (size_t i = 0; (warning = tacho_diff_get_warning(diff, i)); i++)
		if (strstr(warning, part))
			return true;
	return false;
}

static void assert_near(double value, double expected)
{
	if (!(fabs(value - expected) <= 1e-9 * (1 + fabs(expected))))
		fail_msg("%.17g is not %.17g", value, expected);
}

/* One run a side: intervals with what runs are taken to differ by, and nothing is proved. */
static void test_launches(void **state)
{
	struct world *a = make_world("gpu"), *b = make_world("gpu");
	const struct tacho_diff_measure *time;
	struct tacho_diff *diff;
	/* two lines are tested: the normal distribution's 2.5 % in both tails */
	double reach = 2.241402727604947 * sqrt(2) * 0.03;

	for (uint64_t i = 0; i < 160; i++) {
		launch(a, "slower", 100000 + i * 5 % 7);
		launch(b, "slower", 120000 + i * 5 % 7);
		launch(a, "noisy", 500 + i * 37 % 101);
		launch(b, "noisy", 500 + i * 53 % 101);
		launch(a, "constant", 300);
		launch(b, "constant", 300);
	}
	diff = compare(a, b);
	time = get_measure(diff, "slower", "time");
	assert_int_equal(time->verdict, TACHO_DIFF_UNSURE);
	assert_near(time->sides[0].value, 100003);
	assert_near(time->sides[1].value, 120003);
	assert_int_equal(time->sides[0].kept, 160);
	assert_near(time->difference, 20000);
	assert_near(time->change, 20000.0 / 100003);
	assert_int_equal(time->together, 2);
	assert_near(time->adjusted_p, 2 * time->p);
	assert_true(time->has_interval && fabs(log1p(time->low) - log(1.2) + reach) < 1e-4 &&
		    fabs(log1p(time->high) - log(1.2) - reach) < 1e-4);
	time = get_measure(diff, "noisy", "time");
	assert_int_equal(time->verdict, TACHO_DIFF_NOISE);
	assert_true(time->has_p && time->p > 0.05 && time->low < 0 && time->high > 0);
	assert_false(time->is_in_drift);
	time = get_measure(diff, "constant", "time");
	assert_int_equal(time->verdict, TACHO_DIFF_SAME);
	assert_false(time->has_p);
	assert_int_equal(get_measure(diff, "slower", "total")->verdict, TACHO_DIFF_FEW);
	assert_int_equal(get_measure(diff, "slower", "count")->verdict, TACHO_DIFF_SAME);
	assert_string_equal(tacho_diff_get_line(diff, 0)->name, "slower"); /* largest difference */
	assert_null(tacho_diff_get_warning(diff, 0));
	tacho_diff_destroy(diff);
	free(a);
	free(b);
}

/* What runs are taken to differ by is an option: of 30 % nothing here is beside 0. */
static void test_run_effect(void **state)
{
	struct world *a = make_world("gpu"), *b = make_world("gpu");
	struct tacho_diff_options options = {.size = sizeof(options), .run_effect = 0.3};
	struct tacho_diff *diff;

	for (uint64_t i = 0; i < 100; i++) {
		launch(a, "k", 100000 + i * 5 % 7);
		launch(b, "k", 120000 + i * 5 % 7);
	}
	diff = compare_groups(&a, 1, &b, 1, &options);
	assert_int_equal(get_measure(diff, "k", "time")->verdict, TACHO_DIFF_NOISE);
	tacho_diff_destroy(diff);
	options.run_effect = 0.001;
	diff = compare_groups(&a, 1, &b, 1, &options);
	assert_int_equal(get_measure(diff, "k", "time")->verdict, TACHO_DIFF_UNSURE);
	assert_true(get_measure(diff, "k", "time")->low > 0.19);
	tacho_diff_destroy(diff);
	free(a);
	free(b);
}

/* What is slow for a while makes its run's interval wide, and is not launches that differ. */
static void test_phases(void **state)
{
	struct world *a = make_world("gpu"), *b = make_world("gpu");
	const struct tacho_diff_measure *time;
	struct tacho_diff *diff;

	for (int i = 0; i < 1600; i++) {
		launch(a, "k", 1000);
		launch(b, "k", i >= 300 && i < 600 ? 2000 : 1300);
	}
	diff = compare(a, b);
	time = get_measure(diff, "k", "time");
	assert_int_equal(time->verdict, TACHO_DIFF_NOISE);
	assert_true(time->low < -0.1 && time->high > 0.5);
	assert_false(time->is_in_drift);
	tacho_diff_destroy(diff);
	free(a);
	free(b);
}

/* A becomes slower all the time; what is slow at the start only is warming up. */
static void test_drift(void **state)
{
	struct world *a = make_world("gpu"), *b = make_world("gpu");
	const struct tacho_diff_measure *time;
	struct tacho_diff *diff;

	for (uint64_t i = 0; i < 1600; i++) {
		launch(a, "k", 1000 + i / 8 + i * 5 % 7);
		launch(b, "k", 3000 + i * 5 % 7);
		launch(a, "warm", i < 100 ? 2000 : 1000 + i * 5 % 7);
		launch(b, "warm", 1500 + i * 5 % 7);
	}
	diff = compare(a, b);
	time = get_measure(diff, "k", "time");
	assert_true(time->has_p && time->adjusted_p < 0.05);
	assert_true(time->is_in_drift);
	assert_int_equal(time->verdict, TACHO_DIFF_DRIFT);
	time = get_measure(diff, "warm", "time"); /* that it began slowly is no drift */
	assert_false(time->is_in_drift);
	assert_int_equal(time->verdict, TACHO_DIFF_UNSURE);
	tacho_diff_destroy(diff);
	free(a);
	free(b);
}

/* Of one launch nothing is known but its time; of two there is an interval. */
static void test_few(void **state)
{
	struct world *a = make_world("gpu"), *b = make_world("gpu");
	const struct tacho_diff_measure *time;
	struct tacho_diff *diff;

	launch(a, "one", 100);
	launch(b, "one", 200);
	for (uint64_t i = 0; i < 2; i++) {
		launch(a, "two", 100 + i);
		launch(b, "two", 200 + i);
	}
	diff = compare(a, b);
	time = get_measure(diff, "one", "time");
	assert_int_equal(time->verdict, TACHO_DIFF_FEW);
	assert_near(time->change, 1);
	assert_false(time->has_interval || time->has_p);
	time = get_measure(diff, "two", "time");
	assert_int_equal(time->verdict, TACHO_DIFF_UNSURE);
	assert_true(time->has_interval);
	tacho_diff_destroy(diff);
	free(a);
	free(b);
}

static void test_one_sided(void **state)
{
	struct world *a = make_world("gpu"), *b = make_world("gpu");
	const struct tacho_diff_line *line;
	const struct tacho_diff_measure *count;
	struct tacho_diff *diff;

	launch(a, "both", 100);
	launch(b, "both", 100);
	launch(a, "old", 100);
	launch(b, "new", 100);
	launch(b, "new", 120);
	diff = compare(a, b);
	assert_string_equal(tacho_diff_get_line(diff, 0)->name, "both");
	line = tacho_diff_get_line(diff, 1);
	assert_string_equal(line->name, "old");
	assert_true(line->is_in[0] && !line->is_in[1]);
	line = tacho_diff_get_line(diff, 2);
	assert_string_equal(line->name, "new");
	assert_true(!line->is_in[0] && line->is_in[1]);
	assert_null(tacho_diff_get_line(diff, 3));
	assert_int_equal(line->measures[0].verdict, TACHO_DIFF_UNKNOWN);
	assert_int_equal(line->measures[0].sides[0].state, TACHO_STATE_ABSENT);
	assert_false(line->measures[0].sides[0].has_value || line->measures[0].has_difference);
	/* that there were none of it is known */
	count = get_measure(diff, "new", "count");
	assert_true(count->has_difference && !count->has_change);
	assert_near(count->difference, 2);
	assert_int_equal(count->verdict, TACHO_DIFF_UNSURE); /* of other runs it is not */
	tacho_diff_destroy(diff);

	a->process.losses.no_space = 5; /* now it is not */
	diff = compare(a, b);
	count = get_measure(diff, "new", "count");
	assert_int_equal(count->verdict, TACHO_DIFF_UNKNOWN);
	assert_int_equal(count->sides[0].state, TACHO_STATE_LOST);
	assert_int_equal(get_measure(diff, "both", "total")->verdict, TACHO_DIFF_UNKNOWN);
	assert_true(has_warning(diff, "5 calls not recorded: the recording could not grow"));
	tacho_diff_destroy(diff);
	free(a);
	free(b);
}

/* Commands whose times are not known have no time of 0. */
static void test_absent(void **state)
{
	struct world *a = make_world("gpu"), *b = make_world("gpu");
	const struct tacho_diff_measure *time;
	struct tacho_command *command;
	struct tacho_diff *diff;

	for (uint64_t i = 0; i < 20; i++) {
		launch(a, "refused", 100 + i);
		command = launch(b, "refused", 100 + i);
		command->state = TACHO_STATE_ABSENT;
		command->reason = "the driver counts 0, 1, 2, 3";
		launch(a, "cut", 100 + i);
		command = launch(b, "cut", 200 + i);
		if (i == 19) {
			command->state = TACHO_STATE_LOST;
			command->reason = "the program ended";
		}
	}
	diff = compare(a, b);
	time = get_measure(diff, "refused", "time");
	assert_int_equal(time->verdict, TACHO_DIFF_UNKNOWN);
	assert_false(time->sides[1].has_value || time->has_difference || time->has_p);
	assert_int_equal(time->sides[1].state, TACHO_STATE_ABSENT);
	assert_string_equal(time->sides[1].reason, "the driver counts 0, 1, 2, 3");
	assert_int_equal(get_measure(diff, "refused", "total")->verdict, TACHO_DIFF_UNKNOWN);
	time = get_measure(diff, "cut", "time"); /* it rises from launch to launch */
	assert_int_equal(time->verdict, TACHO_DIFF_DRIFT);
	assert_int_equal(time->sides[1].state, TACHO_STATE_LOST);
	assert_int_equal(time->sides[1].measured, 19);
	assert_int_equal(time->sides[1].count, 20);
	/* a sum that lacks a part is shown, but not compared */
	assert_int_equal(get_measure(diff, "cut", "total")->sides[1].state, TACHO_STATE_LOST);
	assert_int_equal(get_measure(diff, "cut", "total")->verdict, TACHO_DIFF_UNKNOWN);
	assert_true(has_warning(diff, "1 commands whose end was not seen"));
	tacho_diff_destroy(diff);
	free(a);
	free(b);
}

/*
 * Student's t of the logarithms of 99, 100, 101 and 109, 110, 111, and a third each. With four
 * degrees of freedom its tails are 1 - sin(x) (1 + cos(x)^2 / 2), of x = atan(t / 2).
 */
static void test_runs(void **state)
{
	struct world *a[3], *b[3];
	const struct tacho_diff_measure *time;
	struct tacho_diff *diff;

	for (uint64_t i = 0; i < 3; i++) {
		a[i] = make_world("gpu");
		b[i] = make_world("gpu");
		for (uint64_t k = 0; k < 5; k++) { /* one first launch is slow: the median is not */
			launch(a[i], "k", k ? 98 + i + k % 3 : 5000);
			launch(b[i], "k", k ? 108 + i + k % 3 : 5000);
		}
	}
	diff = compare_groups(a, 3, b, 3, NULL);
	time = get_measure(diff, "k", "time");
	/* middle means of 99 + i, 100 + i, 98 + i, 99 + i, 5000 */
	assert_near(time->sides[0].value, cbrt(298 / 3.0 * 301 / 3 * 304 / 3));
	assert_near(time->sides[1].value, cbrt(328 / 3.0 * 331 / 3 * 334 / 3));
	assert_int_equal(time->sides[0].runs, 3);
	assert_int_equal(time->sides[0].count, 15);
	assert_near(time->p, 0.0002578299707758358);
	assert_int_equal(time->verdict, TACHO_DIFF_DIFFERS);
	assert_near(time->change, cbrt(328.0 * 331 * 334 / (298.0 * 301 * 304)) - 1);
	assert_near(time->low, 0.07618077710459956);
	assert_near(time->high, 0.12368023956907502);
	assert_int_equal(get_measure(diff, "k", "total")->verdict, TACHO_DIFF_DIFFERS);
	assert_int_equal(get_measure(diff, "k", "count")->verdict, TACHO_DIFF_SAME);
	assert_int_equal(tacho_diff_get_totals(diff, TACHO_DIFF_B)->runs, 3);
	assert_near(tacho_diff_get_totals(diff, TACHO_DIFF_B)->launches, 5);
	tacho_diff_destroy(diff);

	diff = compare_groups(a, 1, b, 3, NULL); /* one run against the spread of three */
	assert_true(get_measure(diff, "k", "time")->has_p);
	assert_int_equal(get_measure(diff, "k", "time")->verdict, TACHO_DIFF_UNSURE);
	tacho_diff_destroy(diff);
	for (int i = 0; i < 3; i++) {
		free(a[i]);
		free(b[i]);
	}
}

/* Pairs that were made while the machine was 1, 2, 4 and 8 times slower: B takes a tenth more. */
static void make_pairs(struct world *a[4], struct world *b[4])
{
	static const uint64_t thousandths[] = {1090, 1100, 1110, 1100};

	for (uint64_t i = 0; i < 4; i++) {
		uint64_t slow = UINT64_C(1000) << i;

		a[i] = make_world("gpu");
		b[i] = make_world("gpu");
		for (uint64_t k = 0; k < 3; k++) {
			launch(a[i], "k", 1000 * slow);
			launch(b[i], "k", thousandths[i] * slow);
			launch(a[i], "in some", 1000 * slow);
			if (i)
				launch(b[i], "in some", thousandths[i] * slow);
			if (i == 1)
				launch(a[i], "never", slow);
			if (i == 2)
				launch(b[i], "never", slow);
		}
	}
}

static void test_paired(void **state)
{
	struct tacho_diff_options options = {.size = sizeof(options), .paired = 1};
	const struct tacho_diff_measure *time;
	struct world *a[4], *b[4];
	struct tacho_diff *diff;

	make_pairs(a, b);
	diff = compare_groups(a, 4, b, 4, NULL);
	assert_false(tacho_diff_is_paired(diff));
	assert_int_equal(get_measure(diff, "k", "time")->verdict, TACHO_DIFF_NOISE);
	tacho_diff_destroy(diff);

	diff = compare_groups(a, 4, b, 4, &options);
	assert_true(tacho_diff_is_paired(diff));
	time = get_measure(diff, "k", "time");
	assert_int_equal(time->verdict, TACHO_DIFF_DIFFERS);
	assert_near(time->change, pow(1.09 * 1.1 * 1.11 * 1.1, 0.25) - 1);
	assert_true(time->low > 0.07 && time->high < 0.13);
	assert_int_equal(time->sides[0].runs, 4);
	/* a run without its partner is no part of it */
	time = get_measure(diff, "in some", "time");
	assert_int_equal(time->sides[0].runs, 3);
	assert_int_equal(time->sides[1].runs, 3);
	assert_near(time->change, cbrt(1.1 * 1.11 * 1.1) - 1);
	assert_int_equal(get_measure(diff, "in some", "count")->sides[1].runs, 4);
	/* no pair has both: what is left is one run a side */
	time = get_measure(diff, "never", "time");
	assert_int_equal(time->verdict, TACHO_DIFF_UNSURE);
	assert_near(time->sides[0].value, 2000);
	assert_near(time->sides[1].value, 4000);
	tacho_diff_destroy(diff);

	diff = compare_groups(a, 1, b, 1, &options);
	assert_false(tacho_diff_is_paired(diff)); /* one pair is one run a side */
	assert_int_equal(get_measure(diff, "k", "time")->verdict, TACHO_DIFF_UNSURE);
	tacho_diff_destroy(diff);
	for (int i = 0; i < 4; i++) {
		free(a[i]);
		free(b[i]);
	}
}

static void test_pairs_without_partner(void **state)
{
	struct tacho_diff_options options = {.size = sizeof(options), .paired = 1};
	struct tacho_recording *recordings[2];
	struct world *a = make_world("gpu");
	struct tacho_diff *diff = NULL;

	recordings[0] = recordings[1] = fake_recording(&a->recording);
	assert_int_equal(tacho_diff_create(recordings, 2, recordings, 1, &options, &diff),
			 TACHO_E_INVAL);
	assert_non_null(strstr(tacho_error_last()->cause, "A has 2 and B 1"));
	assert_null(diff);
	free(a);
}

static void test_counters(void **state)
{
	struct world *a = make_world("gpu"), *b = make_world("gpu"), *c = make_world("gpu");
	const struct tacho_diff_measure *waves;
	struct tacho_diff *diff;

	for (uint64_t i = 0; i < 20; i++) {
		launch(a, "k", 100);
		set_value(a, 0, TACHO_STATE_OK);
		launch(b, "k", 100);
		set_value(b, i < 2 ? 7000 : 7,
			  i < 1	  ? TACHO_STATE_ABSENT
			  : i < 2 ? TACHO_STATE_LOST
				  : TACHO_STATE_OK);
		launch(c, "k", 100);
	}
	diff = compare(a, b);
	assert_string_equal(tacho_diff_get_measure_name(diff, 3), "Waves");
	assert_null(tacho_diff_get_measure_name(diff, 4));
	waves = get_measure(diff, "k", "Waves");
	assert_true(waves->is_counter);
	assert_string_equal(waves->unit, "items");
	assert_near(waves->sides[0].value, 0);
	assert_near(waves->sides[1].value, 7);
	assert_int_equal(waves->sides[1].kept, 18); /* without the absent and the lost one */
	assert_int_equal(waves->sides[1].measured, 19);
	assert_int_equal(waves->sides[1].state, TACHO_STATE_LOST);
	assert_string_equal(waves->sides[1].reason, "no slot was free");
	assert_int_equal(waves->verdict, TACHO_DIFF_UNSURE);
	assert_near(waves->difference, 7);
	assert_false(waves->has_change || waves->has_interval); /* of 0 there is no part */
	tacho_diff_destroy(diff);

	diff = compare(a, c);
	waves = get_measure(diff, "k", "Waves");
	assert_int_equal(waves->verdict, TACHO_DIFF_UNKNOWN);
	assert_int_equal(waves->sides[1].state, TACHO_STATE_ABSENT);
	assert_false(waves->has_difference);
	assert_true(has_warning(diff, "Counters that only A has: Waves."));
	assert_true(has_warning(diff, "Ways of counting differ: A has \"sim, 1 pass, replay none\""
				      ", B \"nothing counted\"."));
	tacho_diff_destroy(diff);
	free(a);
	free(b);
	free(c);
}

static void test_warnings(void **state)
{
	struct world *a = make_world("gpu"), *b = make_world("other gpu");
	struct tacho_diff_options options = {.size = sizeof(options), .by_name = 1};
	struct tacho_command *command;
	struct tacho_diff *diff;

	launch(a, "k", 100);
	launch(a, "k", 100);
	command = launch(b, "k", 100);
	command->global[0] = 4096;
	b->recording.run.arguments = "-n 4096";
	b->recording.run.exit_status = 1;
	diff = compare(a, b);
	assert_true(has_warning(diff, "Arguments differ: A has \"-n 1024\", B \"-n 4096\"."));
	assert_true(has_warning(diff, "Devices differ: A has \"gpu\", B \"other gpu\"."));
	assert_true(has_warning(diff, "Exit statuses differ: A has \"0\", B \"1\"."));
	assert_true(has_warning(diff, "A and B have these on different devices: k. To compare"));
	assert_false(has_warning(diff, "Programs differ"));
	assert_false(has_warning(diff, "Counts differ"));
	tacho_diff_destroy(diff);

	diff = compare_groups(&a, 1, &b, 1, &options);
	assert_null(tacho_diff_get_line(diff, 1));
	assert_string_equal(tacho_diff_get_line(diff, 0)->device, "");
	assert_true(has_warning(diff, "Counts differ, in A and B: k 2 and 1."));
	assert_true(
		has_warning(diff, "Work-items of a launch differ, in A and B: k 1024 and 4096"));
	assert_false(has_warning(diff, "different devices"));
	tacho_diff_destroy(diff);
	diff = compare_groups((struct world *[]){a, b}, 2, &a, 1, &options);
	assert_true(has_warning(diff, "Arguments differ within A: \"-n 1024\" and \"-n 4096\"."));
	tacho_diff_destroy(diff);
	free(a);
	free(b);
}

/* A million launches: a limited number is kept, the same in every run. */
/* How long a device was busy is not compared where commands have no times. */
static void test_unknown_use(void **state)
{
	struct world *a = make_world("gpu"), *b = make_world("gpu");
	struct tacho_diff *diff;

	for (int i = 0; i < 20; i++) {
		launch(a, "k", 1000);
		if (i == 10) {
			struct tacho_command *command = launch(b, "k", 1000);

			command->state = TACHO_STATE_ABSENT;
			command->reason = "the driver tells nothing";
			command->not_before_ns = command->start_ns;
			command->not_after_ns = command->end_ns;
		} else {
			launch(b, "k", 1000);
		}
	}
	diff = compare(a, b);
	assert_int_equal(tacho_diff_get_totals(diff, TACHO_DIFF_A)->has_busy, 1);
	assert_near(tacho_diff_get_totals(diff, TACHO_DIFF_A)->busy_ns, 20000);
	assert_int_equal(tacho_diff_get_totals(diff, TACHO_DIFF_B)->has_busy, 0);
	assert_true(has_warning(diff, "commands of a device have no times, so it is not known how "
				      "long that device was busy."));
	tacho_diff_destroy(diff);
	free(a);
	free(b);
}

static void test_limit(void **state)
{
	struct world *a = make_world("gpu"), *b = make_world("gpu");
	struct tacho_diff_options options = {.size = sizeof(options), .value_limit = 256};
	struct tacho_diff *diff, *again;
	const struct tacho_diff_measure *time;

	for (uint64_t i = 0; i < 1000; i++) {
		launch(a, "k", 10000 + i);
		launch(b, "k", 10000 + i * 7 % 1000);
	}
	a->recording.repeat = b->recording.repeat = 1000;
	a->recording.shift_ns = b->recording.shift_ns = a->now_ns;
	diff = compare_groups(&a, 1, &b, 1, &options);
	again = compare_groups(&a, 1, &b, 1, &options);
	time = get_measure(diff, "k", "time");
	assert_int_equal(time->sides[0].measured, 1000000);
	assert_int_equal(time->sides[0].kept, 256);
	/* of 256 uniform values the median lies within 1000 * 4 / (2 * sqrt(256)) */
	assert_true(fabs(time->sides[0].value - 10500) < 125);
	assert_int_equal(time->verdict, TACHO_DIFF_NOISE);
	assert_true(time->p == get_measure(again, "k", "time")->p);
	tacho_diff_destroy(again);
	tacho_diff_destroy(diff);
	free(a);
	free(b);
}

static void test_other_keys(void **state)
{
	struct tacho_recording *mixed = fake_recording(sample_mixed());
	struct tacho_diff_options options = {.size = sizeof(options), .key = TACHO_BY_TRANSFER};
	const struct tacho_diff_measure *bytes;
	struct tacho_diff *diff;

	assert_int_equal(tacho_diff_create(&mixed, 1, &mixed, 1, &options, &diff), 0);
	assert_string_equal(tacho_diff_get_measure_name(diff, 3), "bytes");
	bytes = &tacho_diff_get_line(diff, 0)->measures[3];
	assert_int_equal(bytes->sides[0].has_value, bytes->sides[1].has_value);
	tacho_diff_destroy(diff);
	options.key = TACHO_BY_API;
	assert_int_equal(tacho_diff_create(&mixed, 1, &mixed, 1, &options, &diff), 0);
	assert_near(get_measure(diff, "clEnqueueNDRangeKernel", "time")->sides[0].value, 1000);
	tacho_diff_destroy(diff);
	options.key = TACHO_BY_QUEUE;
	assert_int_equal(tacho_diff_create(&mixed, 1, &mixed, 1, &options, &diff), 0);
	assert_near(get_measure(diff, "queue 1", "time")->sides[1].value, 25000);
	tacho_diff_destroy(diff);
}

static void test_refusals(void **state)
{
	struct tacho_recording *mixed = fake_recording(sample_mixed());
	struct tacho_diff_options options = {.size = sizeof(options), .key = TACHO_BY_THREAD};
	struct tacho_diff *diff = (void *)&options;

	assert_int_equal(tacho_diff_create(&mixed, 0, &mixed, 1, NULL, &diff), TACHO_E_INVAL);
	assert_int_equal(tacho_diff_create(&mixed, 1, &mixed, 0, NULL, &diff), TACHO_E_INVAL);
	assert_int_equal(tacho_diff_create(&mixed, 1, &mixed, 1, &options, &diff), TACHO_E_INVAL);
	options.key = TACHO_BY_KERNEL;
	options.level = 1;
	assert_int_equal(tacho_diff_create(&mixed, 1, &mixed, 1, &options, &diff), TACHO_E_INVAL);
	options.level = 0;
	options.run_effect = -0.1;
	assert_int_equal(tacho_diff_create(&mixed, 1, &mixed, 1, &options, &diff), TACHO_E_INVAL);
	options.run_effect = 0;
	options.size = 4;
	assert_int_equal(tacho_diff_create(&mixed, 1, &mixed, 1, &options, &diff), TACHO_E_INVAL);
	assert_ptr_equal(diff, &options);
	tacho_diff_destroy(NULL);
	assert_string_equal(tacho_diff_verdict_to_string(TACHO_DIFF_DIFFERS), "differs");
	assert_string_equal(tacho_diff_verdict_to_string((enum tacho_diff_verdict)77), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_launches),
		cmocka_unit_test(test_phases),
		cmocka_unit_test(test_drift),
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_one_sided),
		cmocka_unit_test(test_absent),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_paired),
		cmocka_unit_test(test_pairs_without_partner),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_warnings),
		cmocka_unit_test(test_unknown_use),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_other_keys),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_run_effect),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
