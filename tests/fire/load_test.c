/* SPDX-License-Identifier: MIT */
/* Many threads and many calls. Bound: none; not one record is dropped. */
#include "fire.h"

#include <pthread.h>

enum { MANY_THREADS = 64, BATCH = 50 };

/* Returns the recording's tally; every call must be in it. */
static struct fire_tally check_load(const char *path, void (*work)(void *))
{
	const struct fire_program program = {.work = work};
	struct fire_tally tally;

	assert_int_equal(fire_wait(fire_start(path, &program, -1)), 0);
	tally = fire_read(path);
	print_message("%lu calls, %lu lost, %lu waits\n", tally.calls, tally.lost, tally.waits);
	fire_check_nothing_lost(&tally);
	fire_check_books(&tally, FIRE_VALUES, 0);
	return tally;
}

static void make_many_calls(void *unused)
{
	fire_poke_many(0, fire_size(1000000, 10000000));
}

static void test_many_calls(void **state)
{
	char *path = fire_recording("/tmp");

	assert_int_equal(check_load(path, make_many_calls).calls, fire_size(1000000, 10000000));
	fire_remove(path);
}

static void *poke_much(void *argument)
{
	fire_poke_many((unsigned)(uintptr_t)argument, fire_size(20000, 200000));
	return NULL;
}

static void run_many_threads(void *unused)
{
	pthread_t threads[MANY_THREADS];

	for (uintptr_t i = 0; i < MANY_THREADS; i++)
		if (pthread_create(&threads[i], NULL, poke_much, (void *)i))
			abort();
	for (int i = 0; i < MANY_THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void test_many_threads(void **state)
{
	char *path = fire_recording("/tmp");

	check_load(path, run_many_threads);
	fire_remove(path);
}

static void *poke_once(void *argument)
{
	fire_poke(0);
	return NULL;
}

/* Several at a time, so that streams go to and fro between threads. */
static void run_short_threads(void *unused)
{
	pthread_t threads[BATCH];

	for (unsigned long i = 0; i < fire_size(1000, 10000) / BATCH; i++) {
		for (int k = 0; k < BATCH; k++)
			if (pthread_create(&threads[k], NULL, poke_once, NULL))
				abort();
		for (int k = 0; k < BATCH; k++)
			pthread_join(threads[k], NULL);
	}
}

/* A stream for each, and one file for all. */
static void test_many_short_threads(void **state)
{
	char *path = fire_recording("/tmp");

	check_load(path, run_short_threads);
	assert_int_equal(fire_count_entries(path, "calls-"), 1);
	fire_remove(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_many_calls),
		cmocka_unit_test(test_many_threads),
		cmocka_unit_test(test_many_short_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
