/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>

#include "inject/attribute_env.h"
#include "inject/handles.h"

static void *handle(uintptr_t i)
{
	return (void *)(i * 64);
}

static void keeps_what_it_is_told(void **state)
{
	struct tacho__handles *handles = calloc(1, sizeof(*handles));

	assert_int_equal(tacho__handles_get(handles, handle(1)), 0);
	for (uintptr_t i = 1; i <= TACHO__HANDLES_MAX; i++)
		assert_true(tacho__handles_set(handles, handle(i), i));
	assert_false(tacho__handles_set(handles, handle(TACHO__HANDLES_MAX + 1), 1));
	assert_int_equal(tacho__handles_get(handles, handle(TACHO__HANDLES_MAX + 1)), 0);
	assert_true(tacho__handles_set(handles, handle(7), 0));
	for (uintptr_t i = 1; i <= TACHO__HANDLES_MAX; i++)
		assert_int_equal(tacho__handles_get(handles, handle(i)), i == 7 ? 0 : i);
	free(handles);
}

enum { THREADS = 4, PER_THREAD = 512 };

struct share {
	struct tacho__handles *handles;
	uintptr_t first;
};

static void *fill(void *user)
{
	const struct share *share = user;

	for (uintptr_t i = 0; i < PER_THREAD; i++)
		if (!tacho__handles_set(share->handles, handle(share->first + i), share->first + i))
			abort();
	return NULL;
}

static void takes_threads_at_once(void **state)
{
	struct tacho__handles *handles = calloc(1, sizeof(*handles));
	struct share shares[THREADS];
	pthread_t threads[THREADS];

	for (uintptr_t t = 0; t < THREADS; t++) {
		shares[t] = (struct share){handles, 1 + t * PER_THREAD};
		assert_int_equal(pthread_create(&threads[t], NULL, fill, &shares[t]), 0);
	}
	for (size_t t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
	for (uintptr_t i = 1; i <= THREADS * PER_THREAD; i++)
		assert_int_equal(tacho__handles_get(handles, handle(i)), i);
	free(handles);
}

static void attributes_are_lines(void **state)
{
	struct tacho__attributes attributes = {.size = 0};
	char long_text[TACHO__ATTRIBUTES_MAX];

	for (size_t i = 0; i < sizeof(long_text); i++)
		long_text[i] = 'x';
	long_text[sizeof(long_text) - 1] = '\0';
	tacho__attributes_add(&attributes, "name", "two\nlines");
	tacho__attributes_add(&attributes, "long", "%s", long_text);
	tacho__attributes_add(&attributes, "number", "%d", 7);
	assert_string_equal(attributes.text, "name=two lines\nnumber=7\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_what_it_is_told),
		cmocka_unit_test(takes_threads_at_once),
		cmocka_unit_test(attributes_are_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
