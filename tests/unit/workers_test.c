/* SPDX-License-Identifier: MIT */
/*
 * Which threads are taken for a driver's workers, with real ones: before the first call by their
 * age, after it by the call that they appear in. Each case has a process of its own.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "intercept/intercept.h"
#include "intercept/workers.h"

#define NS_PER_S  UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)

enum {
	TICK_MS = 10, /* the kernel tells starts in these */
	TRIES = 20,
	PASSED = 42,
	TOO_SLOW = 43, /* the machine: threads were not as old as they were to be */
};

static uint64_t boot_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static void sleep_ms(uint64_t ms)
{
	const struct timespec time = {.tv_sec = (time_t)(ms / 1000),
				      .tv_nsec = (long)(ms % 1000 * NS_PER_MS)};

	nanosleep(&time, NULL);
}

/* ---- threads ---- */

struct thread {
	pthread_t handle;
	uint64_t before_ns, after_ns; /* it began in between */
	atomic_int id;
	atomic_bool calls, has_called;
};

static void call_at(uint64_t start)
{
	struct tacho__call call = {.start = start};

	tacho__intercept_commit(&call);
}

static void *live(void *user)
{
	struct thread *thread = user;

	atomic_store(&thread->id, gettid());
	while (!atomic_load(&thread->calls))
		sleep_ms(1);
	call_at(tacho__tick());
	atomic_store(&thread->has_called, true);
	for (;;)
		pause();
	return NULL;
}

static void make(struct thread *thread)
{
	thread->before_ns = boot_ns();
	assert_int_equal(pthread_create(&thread->handle, NULL, live, thread), 0);
	thread->after_ns = boot_ns();
	while (!atomic_load(&thread->id))
		sleep_ms(1);
}

static int is_wanted(const struct thread *thread)
{
	return tacho__workers_wants(NULL, atomic_load(&thread->id));
}

/* ---- cases ---- */

static void case_none(void)
{
	static struct thread old;

	make(&old);
	sleep_ms(1000 + 2 * TICK_MS);
	tacho__workers_start();
	assert_int_equal(is_wanted(&old), 0);
	/* without workers kernels run on the thread that waits */
	assert_int_equal(tacho__workers_wants(NULL, gettid()), 1);
}

/* The bound from both sides: threads that began 1.1 s and 0.9 s before. */
static void case_bound(void)
{
	static struct thread older, younger;
	uint64_t before_ns, after_ns;

	make(&older);
	sleep_ms(200);
	make(&younger);
	sleep_ms(900);
	before_ns = boot_ns();
	tacho__workers_start();
	after_ns = boot_ns();
	if (after_ns - younger.before_ns > NS_PER_S)
		_exit(TOO_SLOW);
	assert_true(before_ns - older.after_ns > NS_PER_S + TICK_MS * NS_PER_MS);
	assert_int_equal(is_wanted(&older), 0);
	assert_int_equal(is_wanted(&younger), 1);
	assert_int_equal(tacho__workers_wants(NULL, gettid()), 0);
}

/* A young thread of the program is taken for a worker until it calls. */
static void case_young_caller(void)
{
	static struct thread young;

	make(&young);
	tacho__workers_start();
	if (boot_ns() - young.before_ns > NS_PER_S)
		_exit(TOO_SLOW);
	assert_int_equal(is_wanted(&young), 1);
	atomic_store(&young.calls, true);
	while (!atomic_load(&young.has_called))
		sleep_ms(1);
	assert_int_equal(is_wanted(&young), 0);
	assert_int_equal(tacho__workers_wants(NULL, gettid()), 1);
}

/* What appears during a call is a worker, what does between two calls is the program's. */
static void case_in_a_call(void)
{
	static struct thread between, during;
	uint64_t start;

	tacho__workers_start();
	make(&between);
	sleep_ms(3 * TICK_MS);
	start = tacho__tick();
	make(&during);
	call_at(start);
	assert_int_equal(is_wanted(&between), 0);
	assert_int_equal(is_wanted(&during), 1);
	assert_int_equal(tacho__workers_wants(NULL, gettid()), 0);
}

/* Threads of this process, of which it started one. */
static nlink_t count_threads(void)
{
	struct stat status;

	assert_int_equal(stat("/proc/self/task", &status), 0);
	return status.st_nlink - 2;
}

static int run(void (*body)(void))
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (!child) {
		tacho__clock_init();
		body();
		_exit(PASSED);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void in_a_process(void (*body)(void))
{
	int status = TOO_SLOW;

#ifdef __SANITIZE_THREAD__
	print_message("ThreadSanitizer starts a thread of its own, which would count\n");
	skip();
#endif
	if (count_threads() != 1) {
		print_message("an emulator (qemu-user) has threads of its own here, which count\n");
		skip();
	}
	for (int i = 0; i < TRIES && status == TOO_SLOW; i++)
		status = run(body);
	assert_int_equal(status, PASSED);
}

#define CASES(X)        \
	X(none)         \
	X(bound)        \
	X(young_caller) \
	X(in_a_call)

#define X(name)                               \
	static void test_##name(void **state) \
	{                                     \
		in_a_process(case_##name);    \
	}
CASES(X)
#undef X

static void test_since(void **state)
{
	assert_int_equal(tacho__workers_since(5 * NS_PER_S), 4 * NS_PER_S);
	assert_int_equal(tacho__workers_since(NS_PER_S + 1), 1);
	/* the machine started less than a second ago */
	assert_int_equal(tacho__workers_since(NS_PER_S), 0);
	assert_int_equal(tacho__workers_since(NS_PER_S / 2), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_since),
#define X(name) cmocka_unit_test(test_##name),
					   CASES(X)
#undef X
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
