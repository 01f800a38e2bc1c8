/* SPDX-License-Identifier: MIT */
/* Threads of tacho's own: which signals they leave to the program's threads, and which they take.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/thread.h"

static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};

static void *look(void *user)
{
	sigset_t *blocked = user;

	pthread_sigmask(SIG_SETMASK, NULL, blocked);
	return NULL;
}

static bool is_own(int number)
{
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (own[i] == number)
			return true;
	return false;
}

static void test_mask(void **state)
{
	sigset_t before, blocked, after;
	pthread_t thread;

	pthread_sigmask(SIG_SETMASK, NULL, &before);
	assert_int_equal(tacho__thread_start(&thread, look, &blocked), 0);
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	assert_int_equal(pthread_join(thread, NULL), 0);
	for (int number = 1; number <= SIGSYS; number++) {
		bool is_free = number == SIGKILL || number == SIGSTOP || is_own(number);

		assert_int_equal(sigismember(&blocked, number), !is_free);
		assert_int_equal(sigismember(&after, number), sigismember(&before, number));
	}
}

static void *wait_for_end(void *user)
{
	char byte;

	return read(*(int *)user, &byte, 1) < 0 ? user : NULL;
}

static void test_name(void **state)
{
	char name[16] = "";
	pthread_t thread;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(tacho__thread_start(&thread, wait_for_end, &ends[0]), 0);
	assert_int_equal(pthread_getname_np(thread, name, sizeof(name)), 0);
	assert_string_equal(name, "tacho");
	close(ends[1]);
	assert_int_equal(pthread_join(thread, NULL), 0);
	close(ends[0]);
}

/* A program that guards memory, and learns by the fault who touches it. */
static char *guarded;
static volatile sig_atomic_t fault_count;

static void let(int number, siginfo_t *info, void *context)
{
	if (info->si_addr != guarded)
		_exit(1);
	fault_count++;
	mprotect(guarded, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE);
}

static void *touch(void *user)
{
	*(volatile char *)guarded = 7;
	return NULL;
}

static void test_guarded_memory(void **state)
{
	struct sigaction action = {.sa_sigaction = let, .sa_flags = SA_SIGINFO}, before;
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	pthread_t thread;

	guarded = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(guarded != MAP_FAILED);
	assert_int_equal(sigaction(SIGSEGV, &action, &before), 0);
	assert_int_equal(tacho__thread_start(&thread, touch, NULL), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	sigaction(SIGSEGV, &before, NULL);
	assert_int_equal(fault_count, 1);
	assert_int_equal(*guarded, 7);
	munmap(guarded, size);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mask),
		cmocka_unit_test(test_name),
		cmocka_unit_test(test_guarded_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
