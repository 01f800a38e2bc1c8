/* SPDX-License-Identifier: MIT */
/*
 * Programs that forbid themselves system calls. Bound: they end as they would without the recorder,
 * and of those that forbid after the start no call is lost. A filter that stands before the start
 * allows what the dynamic linker needs, or the recorder does not come up.
 */
#include "fire.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#ifndef SECCOMP_RET_KILL_THREAD
#define SECCOMP_RET_KILL_THREAD 0x00000000U
#endif
#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000U
#endif

enum {
	POKES = 20000,
	OTHERS = 2,
	MAIN = OTHERS, /* the values of the main thread, a fresh one and a child */
	FRESH,
	CHILD,
	YIELDS_MAX = 10000000,
	ALLOWED_MAX = 32,
};

enum stage { BEFORE_START, BEFORE_FIRST_CALL, AFTER_FIRST_CALL };

struct scene {
	const char *name;
	uint32_t action;
	bool has_tsync;
	enum stage stage;
	const int *more; /* calls that are allowed besides, or NULL; ended by -1 */
	bool makes_thread, forks;
};

/* All that a program needs that prints and ends; sched_yield is how the test waits. */
static const int always[] = {SYS_write,	       SYS_exit_group,	SYS_exit,
			     SYS_rt_sigreturn, SYS_sched_yield, -1};

/* What the dynamic linker has made when a library is loaded. */
static const int of_linker[] = {SYS_openat,
#ifdef SYS_open
				SYS_open,
#endif
				SYS_read,	SYS_close, SYS_fstat,
				SYS_newfstatat, SYS_mmap,  SYS_munmap,
				SYS_mprotect,	SYS_brk,   -1};

/* What pthread_create(), a thread's end, fork() and waitpid() take. */
static const int of_threads[] = {
	SYS_clone,   SYS_clone3,	  SYS_mmap,	      SYS_munmap, SYS_mprotect,
	SYS_madvise, SYS_set_robust_list, SYS_rt_sigprocmask, SYS_futex,  SYS_wait4,
#ifdef SYS_rseq
	SYS_rseq,
#endif
	-1};

/* Both. */
static const int of_linker_and_threads[] = {SYS_openat,
					    SYS_read,
					    SYS_close,
					    SYS_fstat,
					    SYS_newfstatat,
					    SYS_brk,
					    SYS_clone,
					    SYS_clone3,
					    SYS_mmap,
					    SYS_munmap,
					    SYS_mprotect,
					    SYS_madvise,
					    SYS_set_robust_list,
					    SYS_rt_sigprocmask,
					    SYS_futex,
					    SYS_wait4,
#ifdef SYS_open
					    SYS_open,
#endif
#ifdef SYS_rseq
					    SYS_rseq,
#endif
					    -1};

static atomic_uint begun, go, ended; /* threads; the others may poke; how many are through */

static _Noreturn void leave(const char *words)
{
	(void)!write(STDOUT_FILENO, words, strlen(words));
	_exit(3);
}

static void on_trap(int signal)
{
	leave("trapped\n");
}

static unsigned add_all(struct sock_filter *code, unsigned size, const int *calls)
{
	for (; calls && *calls >= 0; calls++) {
		code[size++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
							    (uint32_t)*calls, 0, 1);
		code[size++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	}
	return size;
}

static void install(const struct scene *scene)
{
	struct sock_filter code[2 * ALLOWED_MAX + 2] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
	struct sock_fprog program = {.filter = code};
	uint32_t action = scene->action;

	if (action == SECCOMP_RET_ERRNO)
		action |= EPERM;
	program.len = (unsigned short)add_all(code, 1, always);
	program.len = (unsigned short)add_all(code, program.len, scene->more);
	code[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
	signal(SIGSYS, on_trap);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		    scene->has_tsync ? SECCOMP_FILTER_FLAG_TSYNC : 0, &program))
		leave("no filter\n");
}

static void *run_other(void *value)
{
	atomic_fetch_add(&begun, 1);
	while (!atomic_load(&go))
		sched_yield();
	fire_poke_many((unsigned)(uintptr_t)value, POKES);
	atomic_fetch_add(&ended, 1);
	for (;;) /* its end would make calls that the filter may forbid */
		sched_yield();
	return NULL;
}

static void await_others(unsigned count)
{
	for (unsigned long i = 0; atomic_load(&ended) < count; i++) {
		sched_yield();
		if (i == YIELDS_MAX)
			leave("a thread died\n");
	}
}

static void before(void *argument)
{
	const struct scene *scene = argument;

	for (uintptr_t i = 0; i < OTHERS; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, run_other, (void *)i))
			leave("no thread\n");
	}
	while (atomic_load(&begun) < OTHERS)
		sched_yield();
	if (scene->stage == BEFORE_START)
		install(scene);
}

static void *run_fresh(void *unused)
{
	fire_poke_many(FRESH, POKES);
	atomic_fetch_add(&ended, 1);
	return NULL;
}

static void begin_fresh(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run_fresh, NULL))
		leave("no fresh thread\n");
	await_others(OTHERS + 1);
}

static void fork_one(void)
{
	int status;
	pid_t child = fork();

	if (!child) {
		fire_poke_many(CHILD, POKES);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status)
		leave("the child died\n");
}

static void work(void *argument)
{
	const struct scene *scene = argument;

	if (scene->stage == AFTER_FIRST_CALL)
		fire_poke(MAIN);
	if (scene->stage != BEFORE_START)
		install(scene);
	atomic_store(&go, 1);
	fire_poke_many(MAIN, POKES);
	await_others(OTHERS);
	if (scene->makes_thread)
		begin_fresh();
	if (scene->forks)
		fork_one();
	leave("all is well\n");
}

static void check_scene(const struct scene *scene, bool comes_up)
{
	const struct fire_program program = {
		.before = before, .work = work, .argument = (void *)(uintptr_t)scene};
	char *path = fire_recording("/tmp");
	struct fire_tally tally;
	int status = fire_both(path, &program);

	if (!WIFEXITED(status) || WEXITSTATUS(status) != 3)
		fail_msg("%s, tsync %d, stage %d: status %x", scene->name, scene->has_tsync,
			 scene->stage, (unsigned)status);
	assert_int_equal(atomic_load(&fire_books->started), comes_up);
	tally = fire_read(path);
	fire_check_nothing_lost(&tally);
	if (comes_up)
		fire_check_books(&tally, CHILD + 1, 0);
	assert_int_equal(tally.processes, !comes_up ? 0 : scene->forks ? 2 : 1);
	assert_int_equal(atomic_load(&fire_books->done[MAIN]) >= POKES, 1);
	fire_remove(path);
}

static const struct {
	const char *name;
	uint32_t action;
} actions[] = {{"KILL_THREAD", SECCOMP_RET_KILL_THREAD},
	       {"KILL_PROCESS", SECCOMP_RET_KILL_PROCESS},
	       {"TRAP", SECCOMP_RET_TRAP},
	       {"ERRNO", SECCOMP_RET_ERRNO}};

enum { ACTIONS = sizeof(actions) / sizeof(actions[0]) };

static void check_all(struct scene scene, bool comes_up)
{
	for (int i = 0; i < 2 * ACTIONS; i++) {
		scene.name = actions[i / 2].name;
		scene.action = actions[i / 2].action;
		scene.has_tsync = i % 2;
		check_scene(&scene, comes_up);
	}
}

static void test_before_first_call(void **state)
{
	check_all((struct scene){.stage = BEFORE_FIRST_CALL}, true);
}

static void test_after_first_call(void **state)
{
	check_all((struct scene){.stage = AFTER_FIRST_CALL}, true);
}

/* A fresh thread and a forked child make their first call under the filter. */
static void test_threads_and_children(void **state)
{
	check_all((struct scene){.stage = AFTER_FIRST_CALL,
				 .more = of_threads,
				 .makes_thread = true,
				 .forks = true},
		  true);
}

static void test_before_start(void **state)
{
	check_all((struct scene){.stage = BEFORE_START, .more = of_linker}, true);
}

/* As in most containers: each process has a filter from its first instruction on. */
static void test_children_before_start(void **state)
{
	check_all((struct scene){.stage = BEFORE_START,
				 .more = of_linker_and_threads,
				 .makes_thread = true,
				 .forks = true},
		  true);
}

/* Where not even files can be opened, nothing is recorded, and nothing happens. */
static void test_no_start(void **state)
{
	struct scene scene = {.name = "ERRNO", .action = SECCOMP_RET_ERRNO};

	check_scene(&scene, false);
	scene.has_tsync = true;
	check_scene(&scene, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_before_first_call),
		cmocka_unit_test(test_after_first_call),
		cmocka_unit_test(test_threads_and_children),
		cmocka_unit_test(test_before_start),
		cmocka_unit_test(test_children_before_start),
		cmocka_unit_test(test_no_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
