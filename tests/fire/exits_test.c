/* SPDX-License-Identifier: MIT */
/*
 * Every way to end: status and output are as without the recorder, and nothing is lost but what had
 * not returned. That is at most one call of each thread.
 */
#include "fire.h"

#include <pthread.h>
#include <signal.h>

enum { CALLS = 5000, THREADS = 4, NEVER_RETURNS = 4, AT_EXIT = 9 };

static void check_end(void (*work)(void *), int expected_status, unsigned more)
{
	const struct fire_program program = {.work = work};
	char *path = fire_recording("/tmp");
	struct fire_tally tally;

	assert_int_equal(fire_both(path, &program), expected_status);
	tally = fire_read(path);
	fire_check_nothing_lost(&tally);
	fire_check_books(&tally, FIRE_VALUES, more);
	assert_true(tally.by_value[0] >= CALLS);
	fire_remove(path);
}

static void begin(void)
{
	printf("begin\n");
	fflush(stdout);
	fire_poke_many(0, CALLS);
}

static void poke_at_exit(void)
{
	fire_poke_many(AT_EXIT, 100);
	printf("at exit\n");
	fflush(stdout);
}

static void end_abort(void *unused)
{
	begin();
	abort();
}

static void test_abort(void **state)
{
	check_end(end_abort, SIGABRT, 0);
}

static void end_segfault(void *unused)
{
	begin();
	raise(SIGSEGV);
}

static void test_segfault(void **state)
{
	check_end(end_segfault, SIGSEGV, 0);
}

static void end_at_once(void *unused)
{
	atexit(poke_at_exit);
	begin();
	_exit(3);
}

static void test_exit_at_once(void **state)
{
	check_end(end_at_once, 3 << 8, 0);
}

static void end_quick(void *unused)
{
	at_quick_exit(poke_at_exit);
	begin();
	quick_exit(4);
}

static void test_quick_exit(void **state)
{
	check_end(end_quick, 4 << 8, 0);
}

/* Objects stay, a launch stays without its times, and calls are made in an exit handler. */
static void end_without_releasing(void *unused)
{
	sample_make_objects("1");
	begin();
	sample_launch();
	atexit(poke_at_exit);
	exit(5);
}

static void test_exit_without_releasing(void **state)
{
	check_end(end_without_releasing, 5 << 8, 0);
}

static void *poke_for_ever(void *argument)
{
	for (;;)
		fire_poke((unsigned)(uintptr_t)argument);
	return NULL;
}

/* In a call that never returns, which therefore never becomes a record. */
static void *enter_and_stay(void *unused)
{
	struct tacho__call call;

	tacho__call_begin(&call, TACHO__KIND(SAMPLE_API, SAMPLE_POKE));
	atomic_fetch_add(&fire_books->stage, 1);
	for (;;)
		pause();
	return NULL;
}

static void end_with_threads_inside(void *unused)
{
	pthread_t thread;

	atomic_store(&fire_books->stage, 0);
	for (uintptr_t i = 1; i <= THREADS; i++)
		pthread_create(&thread, NULL, poke_for_ever, (void *)i);
	for (int i = 0; i < NEVER_RETURNS; i++)
		pthread_create(&thread, NULL, enter_and_stay, NULL);
	begin();
	while (atomic_load(&fire_books->stage) < NEVER_RETURNS)
		usleep(100);
	exit(6);
}

static void test_exit_with_threads_inside_calls(void **state)
{
	check_end(end_with_threads_inside, 6 << 8, 1);
}

static void *main_thread_left(void *unused)
{
	usleep(10000);
	fire_poke_many(1, CALLS);
	printf("the last thread\n");
	return NULL;
}

static void end_main_thread_first(void *unused)
{
	pthread_t thread;

	begin();
	pthread_create(&thread, NULL, main_thread_left, NULL);
	pthread_exit(NULL);
}

/* Nothing of ours keeps a program alive whose threads have all ended. */
static void test_last_thread_ends(void **state)
{
	check_end(end_main_thread_first, 0, 0);
}

static void on_signal(int number)
{
	fire_poke(2);
}

static void end_with_signals(void *unused)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

	sigaction(SIGUSR1, &action, NULL);
	begin();
	for (int i = 0; i < 200; i++) {
		fire_poke_many(1, 50);
		raise(SIGUSR1);
	}
	signal(SIGTERM, SIG_DFL);
	raise(SIGTERM);
}

static void test_calls_in_signal_handlers(void **state)
{
	check_end(end_with_signals, SIGTERM, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_abort),
		cmocka_unit_test(test_segfault),
		cmocka_unit_test(test_exit_at_once),
		cmocka_unit_test(test_quick_exit),
		cmocka_unit_test(test_exit_without_releasing),
		cmocka_unit_test(test_exit_with_threads_inside_calls),
		cmocka_unit_test(test_last_thread_ends),
		cmocka_unit_test(test_calls_in_signal_handlers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
