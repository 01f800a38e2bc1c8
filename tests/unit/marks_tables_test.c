/* SPDX-License-Identifier: MIT */
/* What sources of ranges keep: registered names, ranges of the process that are open, wide text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inject/marks/marks_names.h"
#include "inject/marks/marks_open.h"
#include "inject/marks/marks_source.h"

enum { THREADS = 8, ROUNDS = 4000, SHARED = 32 };

static void test_names(void **state)
{
	struct tacho__name *name = tacho__name_get(TACHO__NAME_ITT_DOMAIN, "work");
	char text[TACHO__NAME_BYTES_MAX + 100];

	(void)state;
	assert_ptr_equal(tacho__name_get(TACHO__NAME_ITT_DOMAIN, "work"), name);
	assert_ptr_equal(&name->itt.domain, name); /* programs hold this address */
	assert_int_equal(name->itt.domain.flags, 1);
	assert_string_equal(name->itt.domain.name, "work");
	assert_int_equal(name->number, 1);
	assert_ptr_not_equal(tacho__name_get(TACHO__NAME_ITT_STRING, "work"), name);
	assert_ptr_not_equal(tacho__name_get(TACHO__NAME_ITT_DOMAIN, "wor"), name);
	assert_ptr_not_equal(tacho__name_get(TACHO__NAME_ITT_DOMAIN, "works"), name);
	assert_int_equal(tacho__name_get(TACHO__NAME_ITT_DOMAIN, "works")->number, 3);
	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	name = tacho__name_get(TACHO__NAME_NVTX_STRING, text);
	assert_int_equal(strlen(name->text), TACHO__NAME_BYTES_MAX);
	assert_ptr_equal(tacho__name_get(TACHO__NAME_NVTX_STRING, text), name);
}

static void test_narrow(void **state)
{
	wchar_t odd[] = {0xd800, 'a', 0x110000, (wchar_t)-1, 0};
	wchar_t many[TACHO__WIDE_BYTES + 1];
	char text[TACHO__WIDE_BYTES];

	(void)state;
	assert_string_equal(tacho__source_narrow(L"a\u00df\u20ac\U0001d11e", text),
			    "a\xc3\x9f\xe2\x82\xac\xf0\x9d\x84\x9e");
	assert_string_equal(tacho__source_narrow(NULL, text), "");
	assert_string_equal(tacho__source_narrow(odd, text), "\xef\xbf\xbd"
							     "a\xef\xbf\xbd\xef\xbf\xbd");
	for (size_t i = 0; i < TACHO__WIDE_BYTES; i++)
		many[i] = 0xe4;
	many[TACHO__WIDE_BYTES] = 0;
	/* 255 bytes hold 127 characters of two, and no half */
	assert_int_equal(strlen(tacho__source_narrow(many, text)), 254);
}

static void put(const struct tacho__open_key *key, uint64_t range)
{
	int place = tacho__open_claim(key);

	assert_true(place >= 0);
	tacho__open_fill(place, key, range);
}

static void test_open(void **state)
{
	const struct tacho__open_key one = {{1, 2, 3, 4}}, other = {{1, 2, 3, 5}};

	(void)state;
	assert_int_equal(tacho__open_take(&one), 0);
	put(&one, 10);
	put(&other, 20);
	assert_int_equal(tacho__open_take(&other), 20);
	assert_int_equal(tacho__open_take(&other), 0);
	assert_int_equal(tacho__open_take(&one), 10);
}

static void test_full(void **state)
{
	const struct tacho__open_key key = {{7}};
	unsigned count = 0;
	int place;

	(void)state;
	while ((place = tacho__open_claim(&key)) >= 0) {
		tacho__open_fill(place, &key, ++count);
		assert_true(count <= TACHO__OPEN_MAX);
	}
	assert_true(count >= 32);
	while (count--)
		assert_true(tacho__open_take(&key));
	assert_int_equal(tacho__open_take(&key), 0);
}

/* ---- many threads ---- */

static struct tacho__name *shared[THREADS][SHARED];

static void *run(void *arg)
{
	int number = *(int *)arg;
	char text[32];

	for (int i = 0; i < SHARED; i++) {
		snprintf(text, sizeof(text), "shared %d", i);
		shared[number][i] = tacho__name_get(TACHO__NAME_ITT_EVENT, text);
	}
	for (uint64_t i = 1; i <= ROUNDS; i++) {
		const struct tacho__open_key key = {{(uint64_t)number, i % 4}};
		int place = tacho__open_claim(&key);

		if (place < 0)
			abort();
		tacho__open_fill(place, &key, i);
		if (tacho__open_take(&key) != i || tacho__open_take(&key))
			abort();
	}
	return NULL;
}

static void test_threads(void **state)
{
	pthread_t threads[THREADS];
	int numbers[THREADS];

	(void)state;
	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		assert_int_equal(pthread_create(&threads[i], NULL, run, &numbers[i]), 0);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	/* what was met at once may be there twice; from now on it is one */
	for (int i = 0; i < SHARED; i++) {
		for (int k = 0; k < THREADS; k++)
			assert_string_equal(shared[k][i]->text, shared[0][i]->text);
		assert_ptr_equal(tacho__name_get(TACHO__NAME_ITT_EVENT, shared[0][i]->text),
				 tacho__name_get(TACHO__NAME_ITT_EVENT, shared[0][i]->text));
	}
}

/* Last: there is no room behind it. */
static void test_too_many(void **state)
{
	char text[32];
	int i = 0;

	(void)state;
	do
		snprintf(text, sizeof(text), "many %d", i);
	while (tacho__name_get(TACHO__NAME_NVTX_STRING, text) && ++i <= TACHO__NAMES_MAX);
	assert_in_range(i, TACHO__NAMES_MAX - 1000, TACHO__NAMES_MAX);
	assert_non_null(tacho__name_get(TACHO__NAME_NVTX_STRING, "many 0"));
	assert_null(tacho__name_get(TACHO__NAME_NVTX_STRING, "one more"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),	cmocka_unit_test(test_narrow),
		cmocka_unit_test(test_open),	cmocka_unit_test(test_full),
		cmocka_unit_test(test_threads), cmocka_unit_test(test_too_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
