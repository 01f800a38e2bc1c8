/* SPDX-License-Identifier: MIT */
/* Looking for an order with fewer passes, against libraries whose rules are known. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "plan/scheduled.h"
#include "tacho/error.h"

enum { COUNT_MAX = 600 };

/* A library that fills a pass of `room` and never goes back to it: what an entry takes is `event`.
 */
struct library {
	uint64_t room;
	size_t calls, fails_at; /* the call that fails; 0: none */
	int is_whole;		/* each call had every entry once */
};

static struct tacho_entry entries[COUNT_MAX];

static int count_passes(void *user, const struct tacho_entry *const *order, size_t count,
			size_t *out_count)
{
	struct library *library = user;
	uint8_t seen[COUNT_MAX] = {0};
	uint64_t left = 0;
	size_t passes = 0;

	if (++library->calls == library->fails_at)
		return tacho__fail(TACHO_E_UNSUPPORTED, "", "", "the library fails");
	for (size_t i = 0; i < count; i++) {
		library->is_whole &= !seen[order[i] - entries]++;
		if (order[i]->event > left) {
			passes++;
			left = library->room;
		}
		left -= order[i]->event;
	}
	*out_count = passes;
	return 0;
}

/* Entries of these sizes in turn: those of the first one are a block. Names say nothing. */
static const struct tacho_entry **make_entries(size_t count, const uint64_t *sizes, size_t period)
{
	static char names[COUNT_MAX][16];
	const struct tacho_entry **order = calloc(count, sizeof(*order));

	assert_non_null(order);
	for (size_t i = 0; i < count; i++) {
		sprintf(names[i], "e%03zu", (i * 7919) % 1000);
		entries[i] = (struct tacho_entry){.name = names[i],
						  .block = i % period ? "a" : "b",
						  .group = "",
						  .event = sizes[i % period]};
		order[i] = &entries[i];
	}
	return order;
}

static int search(struct library *library, size_t count, const uint64_t *sizes, size_t period,
		  struct tacho__ordering *ordering)
{
	static const struct tacho__arch_library functions = {.count_passes = count_passes};

	library->is_whole = 1;
	*ordering = (struct tacho__ordering){.library = &functions,
					     .user = library,
					     .entries = make_entries(count, sizes, period),
					     .count = count};
	return tacho__ordering_search(ordering);
}

static void never_takes_more_than_given(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 40; seed++) {
		const uint64_t sizes[] = {1 + seed % 5, 1 + seed % 3, 1 + seed % 7, 2, 5};
		struct library library = {.room = 7 + seed % 4};
		struct tacho__ordering ordering;
		size_t passes;

		assert_int_equal(search(&library, 10 + seed * 3, sizes, 5, &ordering), 0);
		assert_true(library.is_whole);
		assert_true(ordering.pass_count <= ordering.given_count);
		assert_int_equal(ordering.trial_count, library.calls);
		/* the order that is left is the one with that many */
		assert_int_equal(count_passes(&library, ordering.entries, ordering.count, &passes),
				 0);
		assert_int_equal(passes, ordering.pass_count);
		free(ordering.entries);
	}
}

static void finds_fewer(void **state)
{
	/* 1 and 2 of 2 in turns: a pass for each; 18 when those of one block are together */
	const uint64_t sizes[] = {1, 2};
	struct library library = {.room = 2};
	struct tacho__ordering ordering;

	(void)state;
	assert_int_equal(search(&library, 24, sizes, 2, &ordering), 0);
	assert_int_equal(ordering.given_count, 24);
	assert_int_equal(ordering.pass_count, 18);
	free(ordering.entries);
}

static void is_the_same_every_time(void **state)
{
	const uint64_t sizes[] = {4, 1, 3, 6, 2};
	struct tacho__ordering first, second;
	struct library library = {.room = 9}, again = {.room = 9};

	(void)state;
	assert_int_equal(search(&library, 60, sizes, 5, &first), 0);
	assert_int_equal(search(&again, 60, sizes, 5, &second), 0);
	assert_memory_equal(first.entries, second.entries, 60 * sizeof(*first.entries));
	assert_int_equal(first.trial_count, second.trial_count);
	free(first.entries);
	free(second.entries);
}

static void is_bounded(void **state)
{
	const uint64_t sizes[] = {1, 2, 3};
	struct tacho__ordering ordering;
	struct library library = {.room = 3};

	(void)state;
	assert_int_equal(search(&library, COUNT_MAX, sizes, 3, &ordering), 0);
	assert_true(library.calls * COUNT_MAX <= 4000);
	free(ordering.entries);
	library = (struct library){.room = 3};
	assert_int_equal(search(&library, 30, sizes, 3, &ordering), 0);
	assert_true(library.calls <= 24);
	free(ordering.entries);
	/* one pass cannot become fewer */
	library = (struct library){.room = 1000};
	assert_int_equal(search(&library, 30, sizes, 3, &ordering), 0);
	assert_int_equal(library.calls, 1);
	assert_int_equal(ordering.pass_count, 1);
	free(ordering.entries);
}

static void fails_with_the_library(void **state)
{
	const uint64_t sizes[] = {1, 2, 3};
	struct tacho__ordering ordering;

	(void)state;
	for (size_t at = 1; at <= 9; at++) {
		struct library library = {.room = 3, .fails_at = at};

		assert_int_equal(search(&library, 30, sizes, 3, &ordering), TACHO_E_UNSUPPORTED);
		assert_int_equal(library.calls, at);
		free(ordering.entries);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(never_takes_more_than_given), cmocka_unit_test(finds_fewer),
		cmocka_unit_test(is_the_same_every_time),      cmocka_unit_test(is_bounded),
		cmocka_unit_test(fails_with_the_library),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
