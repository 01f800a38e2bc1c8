/* SPDX-License-Identifier: MIT */
/* Every request of the packer for memory fails once, in a problem that needs all parts of its
 * search. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/error.h"
#include "plan/problem.h"

enum { ITEMS = 48, GROUPS = 26 };

/* The linker sends the library's requests for memory here (--wrap). */
void *__real_tacho__arena_get(struct tacho__arena *arena, size_t size);
void *__wrap_tacho__arena_get(struct tacho__arena *arena, size_t size);

static size_t left; /* requests until one fails; 0: none does */
static int has_failed;

void *__wrap_tacho__arena_get(struct tacho__arena *arena, size_t size)
{
	if (!left || --left)
		return __real_tacho__arena_get(arena, size);
	has_failed = 1;
	tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a test");
	return NULL;
}

static struct tacho__use uses[ITEMS];
static struct tacho__item items[ITEMS];
static uint32_t members[GROUPS][ITEMS];
static struct tacho__group groups[GROUPS];

/* Groups of 3 to 6 of 48 keys in 8 slots; and one of 20, which fits into no pass. */
static void make(struct tacho__problem *problem)
{
	static const struct tacho__resource resource = {"R", 8};
	uint64_t state = 5;

	for (uint32_t i = 0; i < ITEMS; i++) {
		uses[i] = (struct tacho__use){0, i};
		items[i] = (struct tacho__item){.uses = &uses[i], .use_count = 1};
	}
	for (uint32_t g = 0; g < GROUPS; g++) {
		groups[g] = (struct tacho__group){members[g], g ? 3 + g % 4 : 20};
		for (size_t i = 0; i < groups[g].item_count; i++) {
			state = state * UINT64_C(6364136223846793005) + 1;
			members[g][i] = (uint32_t)(state >> 33) % ITEMS;
		}
	}
	*problem = (struct tacho__problem){.resources = &resource,
					   .resource_count = 1,
					   .items = items,
					   .item_count = ITEMS,
					   .groups = groups,
					   .group_count = GROUPS,
					   .is_quick = 1};
}

static void test_packing(void **unused)
{
	struct tacho__packing packing, whole;
	struct tacho__problem problem;
	size_t number = 0;
	int rc;

	make(&problem);
	assert_int_equal(tacho__problem_pack(&problem, &whole), 0);
	assert_true(strstr(whole.binding, "together") || whole.pass_count > whole.lower_bound);
	do {
		left = ++number;
		has_failed = 0;
		rc = tacho__problem_pack(&problem, &packing);
		left = 0;
		if (has_failed) {
			assert_int_equal(rc, TACHO_E_NOMEM);
			continue;
		}
		assert_int_equal(rc, 0);
		assert_int_equal(packing.pass_count, whole.pass_count);
		assert_int_equal(packing.lower_bound, whole.lower_bound);
		tacho__packing_finish(&packing);
	} while (has_failed && number < 1000000);
	assert_false(has_failed);
	assert_true(number > 500);
	tacho__packing_finish(&whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_packing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
