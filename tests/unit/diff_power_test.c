/* SPDX-License-Identifier: MIT */
/*
 * How often changes are found that are there, and that are not: a small bench/diff, the same in
 * each run. Bounds are those of docs/diff.md and four deviations of so few trials more.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "../../bench/diff/trial.h"

enum { TRIALS = 100, LAUNCHES = 60 };

static void assert_at_most(double rate, double limit)
{
	double error = sqrt(limit * (1 - limit) / TRIALS);

	if (!(rate <= limit + 4 * error))
		fail_msg("%.4f is more than %.4f", rate, limit);
}

static void assert_at_least(double rate, double limit)
{
	double error = sqrt(limit * (1 - limit) / TRIALS);

	if (!(rate >= limit - 4 * error))
		fail_msg("%.4f is less than %.4f", rate, limit);
}

static struct trial_rates run(const struct trial_noise *noise, size_t launches)
{
	struct trial_rates rates = trial_run(noise, launches, TRIALS, 1);

	assert_at_most(rates.alone[0], 0.05);
	assert_at_most(rates.together[0], 0.05);
	for (size_t i = 1; i <= TRIAL_CHANGES; i++) {
		assert_at_least(rates.alone[i], 0.9 * rates.alone_exact[i]);
		assert_at_least(rates.together[i], 0.9 * rates.together_exact[i]);
	}
	return rates;
}

static void test_independent(void **state)
{
	const struct trial_noise noise = {"", 0, 0, false, 0};
	struct trial_rates rates = run(&noise, 300);

	assert_at_least(rates.alone[1], 0.7);
	assert_at_least(rates.alone[2], 0.9);
	assert_at_most(rates.drift, 0.01);
	assert_at_most(rates.beside, 0.05);
}

static void test_correlated(void **state)
{
	const struct trial_noise noise = {"", 0.9, 0, false, 0};

	assert_at_most(run(&noise, LAUNCHES).drift, 0.01);
}

static void test_run_effects(void **state)
{
	const struct trial_noise large = {"", 0, 0.03, true, 0};
	struct trial_rates rates = run(&large, LAUNCHES);

	assert_at_most(rates.beside, 0.05);
	assert_at_least(rates.alone[2], 0.5);
}

/* Pairs that share much: as runs nothing is found, in pairs all is; and no false alarms. */
static void test_pairs(void **state)
{
	const struct trial_noise alike = {"", 0, 0.01, false, 0.1};
	struct trial_rates rates = trial_run(&alike, 300, TRIALS, 1);

	assert_at_most(rates.paired[0], 0.05);
	assert_at_most(rates.paired_together[0], 0.05);
	assert_at_least(rates.paired[2], 0.9);
	assert_at_most(rates.alone[2], 0.2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_independent),
		cmocka_unit_test(test_correlated),
		cmocka_unit_test(test_run_effects),
		cmocka_unit_test(test_pairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
