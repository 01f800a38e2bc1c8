/* SPDX-License-Identifier: MIT */
/*
 * Processor time of threads, read from outside: what the recording says lies between nothing and
 * what the thread knows of itself, and a thread that sleeps runs next to nothing.
 */
#include "fire.h"

#include <pthread.h>
#include <time.h>

#include "tacho/recording.h"

enum { MS = 1000000, BUSY_MS = 300, ASLEEP_MS = 300, LATE_MS = 20, BUSY = 0, ASLEEP = 1 };

static uint64_t read_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* Calls all the time until it has run for so long, however busy the machine is. */
static void *be_busy(void *unused)
{
	do
		fire_poke(BUSY);
	while (read_ns(CLOCK_THREAD_CPUTIME_ID) < (uint64_t)BUSY_MS * MS);
	/* In us, which it tells the test. */
	atomic_store(&fire_books->stage, (unsigned)(read_ns(CLOCK_THREAD_CPUTIME_ID) / 1000));
	fire_poke(BUSY);
	usleep(2 * LATE_MS * 1000); /* so that it is looked at once more */
	return NULL;
}

static void *be_asleep(void *unused)
{
	for (int i = 0; i < ASLEEP_MS / 10; i++) {
		fire_poke(ASLEEP);
		usleep(10000);
	}
	return NULL;
}

static void run_both(void *unused)
{
	pthread_t busy, asleep;

	pthread_create(&busy, NULL, be_busy, NULL);
	pthread_create(&asleep, NULL, be_asleep, NULL);
	pthread_join(busy, NULL);
	pthread_join(asleep, NULL);
}

/* Readings of a thread only grow. Its last one, and *index is behind it; NULL: there is none. */
static const struct tacho_thread_time *check_thread(const struct tacho_recording *recording,
						    size_t *index)
{
	const struct tacho_thread_time *last = NULL, *time;

	while ((time = tacho_recording_get_thread_time(recording, *index)) &&
	       (!last || time->thread == last->thread)) {
		assert_true(!last || time->at_ns > last->at_ns);
		assert_true(!last || time->run_ns >= last->run_ns);
		assert_true(!last || time->waited_ns >= last->waited_ns);
		last = time;
		++*index;
	}
	return last;
}

/* One thread ran, and the others next to nothing. A keeper that got no processor looks late. */
static void check_threads(const struct tacho_recording *recording, uint64_t own_ns)
{
	const struct tacho_thread_time *last;
	size_t count = 0, busy = 0, threads = 0;

	for (; (last = check_thread(recording, &count)); threads++) {
		print_message("thread ran %lu us\n", (unsigned long)(last->run_ns / 1000));
		if (last->run_ns < (uint64_t)BUSY_MS * MS / 3)
			continue;
		busy++;
		assert_in_range(last->run_ns, 0, own_ns + (uint64_t)LATE_MS * MS);
	}
	assert_int_equal(busy, 1);
	assert_in_range(threads, 2, 3); /* who waits for the two may have called, too */
	assert_in_range(count, 2 * threads, 2000);
}

static void test_processor_time(void **state)
{
	const struct fire_program program = {.work = run_both};
	char *path = fire_recording("/tmp");
	struct tacho_recording *recording;

	assert_int_equal(fire_both(path, &program), 0);
	assert_int_equal(tacho_recording_open(path, &recording), 0);
	if (!access("/proc/self/schedstat", R_OK))
		check_threads(recording, (uint64_t)atomic_load(&fire_books->stage) * 1000);
	else
		assert_null(tacho_recording_get_thread_time(recording, 0));
	tacho_recording_close(recording);
	fire_remove(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_processor_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
