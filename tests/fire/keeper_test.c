/* SPDX-License-Identifier: MIT */
/*
 * The keeper is killed: alone, with its starter, with everybody. Bound: nothing that had returned
 * is lost; whoever comes next, another keeper or a reader, finds it in the pool.
 */
#include "fire.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>

enum {
	THREADS = 3,
	LAUNCHER = 2,
	ROUNDS_QUICK = 4,
	ROUNDS_FULL = 300,
	DELAY_MAX_US = 10000,
	BEHIND = 10000, /* launches that wait for their end, for longer than a keeper takes */
	MIDWAY_ROUNDS = 10,
};

static void *work_for_ever(void *argument)
{
	unsigned value = (unsigned)(uintptr_t)argument;

	while (!atomic_load(&fire_books->stage)) {
		if (value == LAUNCHER)
			fire_launch(value);
		else
			fire_poke(value);
	}
	return NULL;
}

/* Until stage 1. */
static void run_threads(void *unused)
{
	pthread_t threads[THREADS];

	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work_for_ever, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* Device times come when the commands' records lie in files. Until stage 1. */
static void launch_ahead(void *unused)
{
	static void *waiting[BEHIND];

	for (size_t i = 0; !atomic_load(&fire_books->stage); i++) {
		fire_complete(LAUNCHER, waiting[i % BEHIND]);
		waiting[i % BEHIND] = sample_launch_on(SAMPLE_QUEUE + LAUNCHER);
		if (i % 100 == 0)
			usleep(100);
	}
	for (size_t i = 0; i < BEHIND; i++)
		fire_complete(LAUNCHER, waiting[i]);
}

/* As long as it lives, and so slowly that readers keep up. */
static void poke_slowly(void *unused)
{
	for (unsigned i = 0;; i++) {
		fire_poke_many(i % LAUNCHER, 10);
		usleep(1000);
	}
}

static const struct fire_program program = {.work = run_threads};
static const struct fire_program ahead_program = {.work = launch_ahead};
static const struct fire_program slow_program = {.work = poke_slowly};

/* What returned is there; of each thread one more may be, which was not yet in the books. */
static void check_whole(const char *path, unsigned more)
{
	struct fire_tally tally = fire_read(path);

	fire_check_nothing_lost(&tally);
	assert_int_equal(tally.faults, 0);
	fire_check_books(&tally, LAUNCHER, more);
	assert_in_range(tally.timed_by_value[LAUNCHER], atomic_load(&fire_books->timed[LAUNCHER]),
			atomic_load(&fire_books->timed[LAUNCHER]) + more);
}

static void kill_keeper(void)
{
	siginfo_t how;

	kill(fire_keeper.pid, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)fire_keeper.pid, &how, WEXITED | WNOWAIT), 0);
}

static void pause_randomly(void)
{
	usleep((useconds_t)(rand() % DELAY_MAX_US));
}

/* Its starter sees it and starts another one, which goes on at the very record. */
static void test_keeper_is_killed(void **state)
{
	for (unsigned long i = 0; i < fire_size(ROUNDS_QUICK, ROUNDS_FULL); i++) {
		char *path = fire_recording("/tmp");
		pid_t child = fire_start(path, &program, -1);

		for (int k = 0; k < 3; k++) {
			pause_randomly();
			kill_keeper();
			pause_randomly();
			assert_true(tacho__keeper_look_after(&fire_keeper));
		}
		atomic_store(&fire_books->stage, 1);
		assert_int_equal(fire_wait(child), 0);
		check_whole(path, 0);
		fire_remove(path);
	}
}

/* As a keeper leaves them that was killed between taking the done list and writing the times. */
static void take_done_list(struct tacho__pool *pool)
{
	uint64_t next = atomic_exchange(&pool->done_list, 0);

	while (next) {
		struct tacho__pool_slot *slot = tacho__pool_slot(pool, (uint32_t)next - 1);

		slot->flags |= TACHO__SLOT_LISTED;
		next = slot->next;
	}
}

/* As a keeper leaves them that was killed before the records of these commands were in files. */
static void meet_in_vain(struct tacho__pool *pool, struct tacho__pool_window *window,
			 uint32_t first)
{
	for (uint32_t i = 1; i < TACHO__POOL_SLOTS; i++) {
		struct tacho__pool_slot *slot = tacho__pool_slot(pool, first + i);

		if (slot->flags & TACHO__SLOT_MET)
			continue;
		slot->flags |= TACHO__SLOT_MET;
		slot->segment = (uint16_t)pool->committed.segment;
		slot->offset = pool->committed.segment_bytes + 64 * i;
		window->met++;
	}
}

static void meet_all_in_vain(struct tacho__pool *pool)
{
	for (uint32_t i = 0; i < atomic_load(&pool->ready); i++) {
		struct tacho__pool_window *window = tacho__pool_window(pool, i);

		if (atomic_load(&pool->windows[i]) >= TACHO__POOL_OWNED &&
		    window->kind == TACHO__POOL_SLOTS_OF_COMMANDS)
			meet_in_vain(pool, window, i * TACHO__POOL_SLOTS);
	}
}

/* Killed, and for so long nobody takes what the program records. */
static void check_midway(const struct fire_program *midway_program, useconds_t alone_us,
			 void (*leave)(struct tacho__pool *pool))
{
	char *path = fire_recording("/tmp");
	pid_t child = fire_start(path, midway_program, -1);
	int status;

	for (int k = 0; k < MIDWAY_ROUNDS; k++) {
		pause_randomly();
		kill_keeper();
		usleep(alone_us);
		kill(child, SIGSTOP);
		assert_int_equal(waitpid(child, &status, WUNTRACED), child);
		assert_true(
			WIFSTOPPED(status)); /* all of its threads, however busy the machine is */
		leave(fire_keeper.pool);
		kill(child, SIGCONT);
		assert_true(tacho__keeper_look_after(&fire_keeper));
	}
	atomic_store(&fire_books->stage, 1);
	assert_int_equal(fire_wait(child), 0);
	check_whole(path, 0);
	fire_remove(path);
}

/* The next keeper takes up what this one had begun with device times. */
static void test_times_are_begun(void **state)
{
	check_midway(&ahead_program, 1000, take_done_list);
}

/* There is more than it takes before it looks for times. */
static void test_records_are_begun(void **state)
{
	check_midway(&program, 30000, meet_all_in_vain);
}

/* Nobody is left who knows: the reader finishes the recording. */
static void test_all_are_killed(void **state)
{
	for (unsigned long i = 0; i < fire_size(ROUNDS_QUICK, ROUNDS_FULL); i++) {
		char *path = fire_recording("/tmp"), pool[256];
		pid_t child = fire_start(path, &program, -1), keeper = fire_keeper.pid;

		snprintf(pool, sizeof(pool), "%s", fire_keeper.path);
		pause_randomly();
		kill(keeper, SIGKILL);
		if (i % 2)
			pause_randomly();
		kill(child, SIGKILL);
		assert_int_equal(waitpid(child, NULL, 0), child);
		assert_int_equal(waitpid(keeper, NULL, 0), keeper);
		tacho__keeper_release(&fire_keeper);
		check_whole(path, 1);
		assert_int_equal(access(pool, F_OK), -1);
		check_whole(path, 1);
		fire_remove(path);
	}
}

static void await_calls(void)
{
	while (!atomic_load(&fire_books->done[0]))
		usleep(1000);
}

/* A reader takes out what is there while the program goes on without a keeper, again and again. */
static void test_program_goes_on_alone(void **state)
{
	char *path = fire_recording("/tmp"), pool[256];
	pid_t child = fire_start(path, &slow_program, -1), keeper = fire_keeper.pid;
	struct fire_tally tally;
	uint64_t before = 0;

	snprintf(pool, sizeof(pool), "%s", fire_keeper.path);
	await_calls();
	kill(keeper, SIGKILL);
	assert_int_equal(waitpid(keeper, NULL, 0), keeper);
	tacho__keeper_release(&fire_keeper);
	for (int i = 0; i < 5; i++) {
		uint64_t made = atomic_load(&fire_books->done[0]);

		while (atomic_load(&fire_books->done[0]) < made + 20)
			usleep(1000);
		tally = fire_read(path);
		assert_true(tally.calls > before);
		before = tally.calls;
		assert_int_equal(access(pool, F_OK), 0);
	}
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	tally = fire_read(path);
	assert_int_equal(access(pool, F_OK), -1);
	fire_check_nothing_lost(&tally);
	fire_check_books(&tally, LAUNCHER, 1);
	fire_remove(path);
}

/* The memory is gone, as after a restart of the machine: that is told, and the rest is read. */
static void test_pool_is_gone(void **state)
{
	char *path = fire_recording("/tmp");
	pid_t child = fire_start(path, &program, -1), keeper = fire_keeper.pid;
	struct fire_tally tally;

	await_calls();
	assert_true(tacho__keeper_sync(fire_keeper.pool, 10000000000));
	kill(keeper, SIGKILL);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_int_equal(waitpid(keeper, NULL, 0), keeper);
	assert_int_equal(unlink(fire_keeper.path), 0);
	tacho__keeper_release(&fire_keeper);
	tally = fire_read(path);
	assert_true(tally.calls > 0);
	assert_int_equal(tally.faults, 1);
	fire_remove(path);
}

/* The starter is killed with the program: the keeper finishes by itself. */
static void test_starter_and_program_are_killed(void **state)
{
	char *path = fire_recording("/tmp");
	int *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t starter;

	fflush(NULL);
	starter = fork();
	if (!starter) {
		shared[0] = fire_start(path, &program, -1);
		shared[1] = fire_keeper.pid;
		pause();
		_exit(0);
	}
	while (!__atomic_load_n(&shared[1], __ATOMIC_ACQUIRE))
		usleep(1000);
	usleep(20000);
	kill(starter, SIGKILL);
	kill(shared[0], SIGKILL);
	assert_int_equal(waitpid(starter, NULL, 0), starter);
	check_whole(path, 1);
	munmap(shared, 4096);
	fire_remove(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keeper_is_killed),
		cmocka_unit_test(test_times_are_begun),
		cmocka_unit_test(test_records_are_begun),
		cmocka_unit_test(test_all_are_killed),
		cmocka_unit_test(test_program_goes_on_alone),
		cmocka_unit_test(test_pool_is_gone),
		cmocka_unit_test(test_starter_and_program_are_killed),
	};
	unsigned seed = (unsigned)time(NULL);

	print_message("seed %u\n", seed);
	srand(seed);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
