/* SPDX-License-Identifier: MIT */
/*
 * SIGKILL and SIGSTOP at random instants. Bound: nothing that had returned is lost, with no record
 * dropped; of each thread one more call may be there, which was complete but not yet in the books.
 */
#include "fire.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

enum { THREADS = 4, LAUNCHER = 3, DELAY_MAX_US = 12000 };

static void *work_for_ever(void *argument)
{
	unsigned value = (unsigned)(uintptr_t)argument;

	for (;;) {
		if (value == LAUNCHER)
			fire_launch(value);
		else
			fire_poke(value);
	}
	return NULL;
}

static void run_threads(void *unused)
{
	pthread_t thread;

	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&thread, NULL, work_for_ever, (void *)i);
	pause();
}

static unsigned long kill_once(useconds_t after_us)
{
	const struct fire_program program = {.work = run_threads};
	char *path = fire_recording("/tmp");
	pid_t child = fire_start(path, &program, -1);
	struct fire_tally tally;
	unsigned long total = 0;
	int status;

	usleep(after_us);
	kill(child, SIGKILL);
	status = fire_wait(child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
	tally = fire_read(path);
	fire_check_nothing_lost(&tally);
	fire_check_books(&tally, LAUNCHER, 1);
	assert_in_range(tally.commands, atomic_load(&fire_books->timed[LAUNCHER]),
			atomic_load(&fire_books->timed[LAUNCHER]) + 1);
	assert_in_range(tally.timed_by_value[LAUNCHER], atomic_load(&fire_books->timed[LAUNCHER]),
			atomic_load(&fire_books->timed[LAUNCHER]) + 1);
	for (int i = 0; i < THREADS; i++)
		total += atomic_load(&fire_books->done[i]);
	fire_remove(path);
	return total;
}

static void test_killed_at_random_instants(void **state)
{
	unsigned long times = fire_size(50, 1000), calls = 0;
	unsigned seed = (unsigned)time(NULL);

	print_message("seed %u\n", seed);
	srand(seed);
	for (unsigned long i = 0; i < times; i++)
		calls += kill_once((useconds_t)(rand() % DELAY_MAX_US));
	print_message("%lu kills, %lu completed calls\n", times, calls);
	assert_true(calls > times);
}

static void poke_a_while(void *unused)
{
	uint64_t until = tacho__clock_raw_ns() + 600000000;

	while (tacho__clock_raw_ns() < until)
		fire_poke(1);
	printf("done\n");
}

/* A stopped process waits for nobody: nothing may be given up for that. */
static void test_stopped_and_continued(void **state)
{
	const struct fire_program program = {.work = poke_a_while};
	char *path = fire_recording("/tmp");
	pid_t child = fire_start(path, &program, -1);
	struct fire_tally tally;

	srand((unsigned)time(NULL));
	for (int i = 0; i < 12; i++) {
		usleep((useconds_t)(rand() % 20000));
		kill(child, SIGSTOP);
		usleep(25000);
		kill(child, SIGCONT);
	}
	assert_int_equal(fire_wait(child), 0);
	tally = fire_read(path);
	fire_check_nothing_lost(&tally);
	fire_check_books(&tally, 2, 0);
	assert_true(tally.calls > 1000);
	fire_remove(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_killed_at_random_instants),
		cmocka_unit_test(test_stopped_and_continued),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
