/* SPDX-License-Identifier: MIT */
/*
 * Every way to make a process: each child that lives on is a process of its own in the recording,
 * and nothing of it or of its parent is lost.
 */
#include "fire.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>

enum { CALLS = 2000, EXEC_CALLS = 300, EXEC_VALUE = 7, EXEC_STATUS = 42 };

static char *exec_arguments[] = {"fire", "--executed", NULL};

/* What this program does when a test executes it: its calls are known by their number only. */
static int executed(void)
{
	tacho__record_add_table(SAMPLE_API, sample_table, sizeof(sample_table) - 1);
	tacho__record_start();
	for (int i = 0; i < EXEC_CALLS; i++)
		sample_poke(1, EXEC_VALUE, 0);
	return EXEC_STATUS;
}

static void wait_for(pid_t child, const char *how)
{
	int status = -1;

	if (child <= 0 || waitpid(child, &status, 0) != child)
		printf("%s: no child\n", how);
	printf("%s: status %d\n", how, status);
	fflush(stdout);
}

/* Runs it both ways: `executions` of its children execute this program. */
static void check_children(void (*work)(void *), unsigned processes, unsigned executions)
{
	const struct fire_program program = {.work = work};
	char *path = fire_recording("/tmp");
	struct fire_tally tally;

	assert_int_equal(fire_both(path, &program), 0);
	tally = fire_read(path);
	fire_check_nothing_lost(&tally);
	atomic_store(&fire_books->done[EXEC_VALUE], executions * EXEC_CALLS);
	fire_check_books(&tally, FIRE_VALUES, 0);
	assert_int_equal(tally.processes, processes);
	fire_remove(path);
}

static void fork_plainly(void *unused)
{
	pid_t child;

	fire_poke_many(0, CALLS);
	child = fork();
	fire_poke_many(child ? 1 : 2, CALLS);
	if (!child)
		_exit(7);
	wait_for(child, "fork");
}

static void test_fork(void **state)
{
	check_children(fork_plainly, 2, 0);
}

static atomic_bool stop;

static void *poke_until_stopped(void *unused)
{
	while (!atomic_load(&stop))
		fire_poke(3);
	return NULL;
}

/* The fork catches the other thread anywhere, inside a record too. */
static void fork_amid_threads(void *unused)
{
	pthread_t thread;

	pthread_create(&thread, NULL, poke_until_stopped, NULL);
	for (int i = 0; i < 10; i++) {
		pid_t child = fork();

		if (!child) {
			fire_poke_many(4, 100);
			_exit(8);
		}
		wait_for(child, "fork amid threads");
	}
	atomic_store(&stop, true);
	pthread_join(thread, NULL);
}

static void test_fork_amid_threads(void **state)
{
	check_children(fork_amid_threads, 11, 0);
}

static void fork_and_exec(void *unused)
{
	pid_t child;

	fire_poke_many(0, CALLS);
	child = fork();
	if (!child) {
		fire_poke_many(1, 10); /* so this pid has two images */
		execv("/proc/self/exe", exec_arguments);
		_exit(127);
	}
	wait_for(child, "fork and exec");
	child = fork();
	if (!child) {
		execv("/proc/self/exe", exec_arguments);
		_exit(127);
	}
	wait_for(child, "fork and exec at once");
}

static void test_fork_and_exec(void **state)
{
	check_children(fork_and_exec, 4, 2);
}

static void exec_itself(void *unused)
{
	fire_poke_many(0, CALLS);
	execv("/proc/self/exe", exec_arguments);
}

/* exec keeps the process id: the second image is another process of that number. */
static void test_exec_keeps_the_pid(void **state)
{
	const struct fire_program program = {.work = exec_itself};
	char *path = fire_recording("/tmp");
	struct fire_tally tally;

	assert_int_equal(fire_both(path, &program), EXEC_STATUS << 8);
	tally = fire_read(path);
	fire_check_nothing_lost(&tally);
	assert_int_equal(tally.by_value[0], CALLS);
	assert_int_equal(tally.by_value[EXEC_VALUE], EXEC_CALLS);
	assert_int_equal(tally.processes, 2);
	fire_remove(path);
}

static void vfork_and_exec(void *unused)
{
	pid_t child;

	fire_poke_many(0, CALLS);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
	child = vfork();
#pragma GCC diagnostic pop
	if (!child) {
		execv("/proc/self/exe", exec_arguments);
		_exit(127);
	}
	fire_poke_many(1, CALLS);
	wait_for(child, "vfork");
}

static void test_vfork(void **state)
{
	check_children(vfork_and_exec, 2, 1);
}

static void spawn(void *unused)
{
	pid_t child = 0;

	fire_poke_many(0, CALLS);
	if (posix_spawn(&child, "/proc/self/exe", NULL, NULL, exec_arguments, environ))
		printf("posix_spawn fails\n");
	fire_poke_many(1, CALLS);
	wait_for(child, "posix_spawn");
}

static void test_posix_spawn(void **state)
{
	check_children(spawn, 2, 1);
}

/* Past libc: no fork handler runs, and libc's idea of the process id may be old. */
static void clone_plainly(void *unused)
{
	long child;

	fire_poke_many(0, CALLS);
	child = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	fire_poke_many(child ? 1 : 2, CALLS);
	if (!child)
		_exit(9);
	wait_for((pid_t)child, "clone");
}

static void test_clone(void **state)
{
	check_children(clone_plainly, 2, 0);
}

static int run_clone(void *unused)
{
	fire_poke_many(2, CALLS);
	return 10;
}

static void clone_on_a_stack(void *unused)
{
	static char stack[256 * 1024] __attribute__((aligned(64)));
	pid_t child;

	fire_poke_many(0, CALLS);
	child = clone(run_clone, stack + sizeof(stack), CLONE_FILES | CLONE_FS | SIGCHLD, NULL);
	wait_for(child, "clone on a stack");
}

/* It shares the program's descriptors. */
static void test_clone_that_shares_descriptors(void **state)
{
	check_children(clone_on_a_stack, 2, 0);
}

/* Forks within forks, each with calls before and after. */
static void fork_deeply(void *unused)
{
	for (unsigned depth = 0; depth < 6; depth++) {
		pid_t child;
		int status;

		fire_poke_many(depth, 100);
		child = fork();
		if (child) {
			waitpid(child, &status, 0);
			exit(WEXITSTATUS(status));
		}
	}
	fire_poke_many(6, 100);
	exit(0);
}

static void test_forks_within_forks(void **state)
{
	check_children(fork_deeply, 7, 0);
}

/* The launcher's child is gone at once, the daemon works on: stage 1 and 2 are its progress. */
static void become_daemon(void *unused)
{
	fire_poke_many(0, CALLS);
	if (fork())
		exit(11);
	setsid();
	if (fork())
		_exit(0);
	fire_poke_many(1, CALLS);
	atomic_store(&fire_books->stage, 1);
	while (atomic_load(&fire_books->stage) == 1)
		usleep(1000);
	fire_poke_many(1, 10 * CALLS);
	atomic_store(&fire_books->stage, 3);
	_exit(0);
}

static void test_daemon_outlives_its_launcher(void **state)
{
	const struct fire_program program = {.work = become_daemon};
	char *path = fire_recording("/tmp");
	struct fire_tally tally;

	assert_int_equal(fire_wait(fire_start(path, &program, -1)), 11 << 8);
	fire_await(1);
	tally = fire_read(path); /* while the daemon still runs */
	fire_check_nothing_lost(&tally);
	assert_int_equal(tally.by_value[0], CALLS);
	assert_int_equal(tally.by_value[1], CALLS);
	atomic_store(&fire_books->stage, 2);
	fire_await(3);
	tally = fire_read(path);
	fire_check_nothing_lost(&tally);
	fire_check_books(&tally, 2, 0);
	fire_remove(path);
}

/* The keeper of a recording stays while a process records into it, and can be told to go after. */
static void test_keeper_stays_for_a_daemon(void **state)
{
	const struct fire_program program = {.work = become_daemon};
	char *path = fire_recording("/tmp"), pool[256];
	uint32_t process;
	pid_t child = fire_start(path, &program, -1), keeper;
	int status;

	snprintf(pool, sizeof(pool), "%s", fire_keeper.path);
	keeper = fire_keeper.pid;
	assert_int_equal(fire_wait(child), 11 << 8);
	fire_await(1);
	assert_false(tacho__keeper_dismiss(pool, &process));
	assert_true(process > 0 && !kill((pid_t)process, 0));
	assert_int_equal(waitpid(keeper, &status, WNOHANG), 0);
	atomic_store(&fire_books->stage, 2);
	fire_await(3);
	assert_int_equal(waitpid(keeper, &status, 0), keeper);
	assert_int_equal(status, 0);
	assert_true(tacho__keeper_dismiss(pool, &process)); /* there is none any more */
	assert_int_equal(access(pool, F_OK), -1);
	fire_remove(path);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fork),
		cmocka_unit_test(test_fork_amid_threads),
		cmocka_unit_test(test_fork_and_exec),
		cmocka_unit_test(test_exec_keeps_the_pid),
		cmocka_unit_test(test_vfork),
		cmocka_unit_test(test_posix_spawn),
		cmocka_unit_test(test_clone),
		cmocka_unit_test(test_clone_that_shares_descriptors),
		cmocka_unit_test(test_forks_within_forks),
		cmocka_unit_test(test_daemon_outlives_its_launcher),
		cmocka_unit_test(test_keeper_stays_for_a_daemon),
	};

	if (argc > 1 && !strcmp(argv[1], "--executed"))
		return executed();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
