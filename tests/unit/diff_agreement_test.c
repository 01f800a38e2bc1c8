/* SPDX-License-Identifier: MIT */
/* Comparisons of recordings made by chance: what is said of a line agrees with itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdlib.h>

#include "diff_world.h"

static bool is_beside(const struct tacho_diff_measure *measure)
{
	return measure->low > 0 || measure->high < 0;
}

/* Whatever the recordings are, a verdict is whether the interval holds 0, and p says the same. */
static void check_agreement(const struct tacho_diff *diff)
{
	const struct tacho_diff_line *line;

	for (size_t i = 0; (line = tacho_diff_get_line(diff, i)); i++)
		for (size_t k = 0; k < line->measure_count; k++) {
			const struct tacho_diff_measure *measure = &line->measures[k];
			bool is_changed = measure->verdict == TACHO_DIFF_DIFFERS ||
					  measure->verdict == TACHO_DIFF_UNSURE ||
					  measure->verdict == TACHO_DIFF_DRIFT;

			if (measure->verdict == TACHO_DIFF_DIFFERS)
				assert_true(measure->sides[0].runs > 1 &&
					    measure->sides[1].runs > 1);
			if (measure->has_p)
				assert_int_equal(measure->adjusted_p < 0.05, is_changed);
			if (measure->has_interval)
				assert_int_equal(is_beside(measure), is_changed);
			if (measure->has_interval)
				assert_true(measure->low <= measure->change &&
					    measure->change <= measure->high);
		}
}

static void test_agreement(void **state)
{
	static const char *const names[KERNELS_MAX] = {"a", "b", "c", "d"};
	static const size_t sides[][2] = {{1, 1}, {1, 3}, {2, 2}, {3, 2}, {5, 5}, {4, 1}};
	struct world *worlds[10];
	size_t changed = 0;

	srand(4);
	for (size_t round = 0; round < 120; round++) {
		const size_t *side = sides[round % 6];
		struct tacho_diff *diff;

		for (size_t i = 0; i < side[0] + side[1]; i++) {
			worlds[i] = make_world("gpu");
			for (size_t k = 0; k < 40 + round; k++)
				launch(worlds[i], names[(size_t)rand() % 4],
				       1000 + (uint64_t)(rand() % 300) +
					       (i < side[0] ? 0 : 3 * round));
		}
		diff = compare_groups(worlds, side[0], worlds + side[0], side[1], NULL);
		check_agreement(diff);
		changed += is_beside(get_measure(diff, "a", "time"));
		tacho_diff_destroy(diff);
		for (size_t i = 0; i < side[0] + side[1]; i++)
			free(worlds[i]);
	}
	assert_true(changed > 20 && changed < 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_agreement),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
