/* SPDX-License-Identifier: MIT */
/* Writer and reader together: what was completed is read back, whatever happened to the program. */
#include "sample_api.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "record/pool.h"

struct tally {
	uint64_t calls, failed, commands;
	uint64_t by_value[64]; /* pokes of each value */
	uint64_t last_end_ns;
	bool ordered;
	uint64_t lost, processes, faults;
};

static uint64_t sum_losses(const struct tacho_losses *l)
{
	return l->no_window + l->no_space + l->nested + l->too_big + l->no_thread + l->unwritten +
	       l->missing;
}

static struct tally read_back(const char *path)
{
	struct tally tally = {.ordered = true};
	struct tacho_recording *recording;
	struct tacho_cursor *cursor;
	const struct tacho_call *call;
	int rc;

	assert_int_equal(tacho_recording_open(path, &recording), 0);
	assert_int_equal(tacho_cursor_open(recording, &cursor), 0);
	while ((rc = tacho_cursor_next(cursor, &call)) == 1) {
		const char *name, *value = tacho_cursor_get_argument(cursor, 1, &name);

		tally.calls += 1 + call->repeats;
		tally.failed += call->failed ? 1 + call->repeats : 0;
		tally.commands += call->command != NULL;
		tally.ordered &=
			call->end_ns >= tally.last_end_ns && call->start_ns <= call->end_ns;
		tally.last_end_ns = call->end_ns;
		if (!strcmp(call->function->name, "poke"))
			tally.by_value[strtoul(value, NULL, 10) % 64] += 1 + call->repeats;
	}
	assert_int_equal(rc, 0);
	tacho_cursor_close(cursor);
	for (size_t i = 0; i < tacho_recording_get_process_count(recording); i++) {
		const struct tacho_process *p = tacho_recording_get_process(recording, i);

		tally.lost += sum_losses(&p->losses);
		assert_int_equal(p->losses.unreadable, 0);
	}
	tally.processes = tacho_recording_get_process_count(recording);
	tally.lost += sum_losses(tacho_recording_get_losses(recording));
	while (tacho_recording_get_fault(recording, tally.faults))
		tally.faults++;
	tacho_recording_close(recording);
	return tally;
}

/* Sanitizers are many times slower. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { THREADS = 4, POKES = 10000 };
#else
enum { THREADS = 4, POKES = 100000 };
#endif

static void *poke_many(void *value)
{
	for (int i = 0; i < POKES; i++)
		sample_poke(0x7f0012345678 + (uint64_t)i, *(uint64_t *)value, i % 1000 ? 0 : -5);
	return NULL;
}

static void poke_from_threads(void *unused)
{
	pthread_t threads[THREADS];
	static uint64_t values[THREADS];

	for (uint64_t i = 0; i < THREADS; i++) {
		values[i] = i;
		pthread_create(&threads[i], NULL, poke_many, &values[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void test_all_calls_of_all_threads(void **state)
{
	char *path = sample_recording();
	struct tally tally;

	assert_int_equal(sample_run(path, poke_from_threads, NULL), 0);
	tally = read_back(path);
	assert_int_equal(tally.lost, 0);
	assert_int_equal(tally.calls, THREADS * POKES);
	assert_int_equal(tally.failed, THREADS * POKES / 1000);
	assert_true(tally.ordered);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(tally.by_value[i], POKES);
	sample_remove(path);
}

static void *poke_once(void *unused)
{
	sample_poke(1, 2, 0);
	return NULL;
}

static void short_threads(void *unused)
{
	for (int i = 0; i < 500; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, poke_once, NULL);
		pthread_join(thread, NULL);
	}
}

/* 500 threads one after another lose nothing. */
static void test_short_threads(void **state)
{
	char *path = sample_recording();
	struct tally tally;

	assert_int_equal(sample_run(path, short_threads, NULL), 0);
	tally = read_back(path);
	assert_int_equal(tally.calls, 500);
	assert_int_equal(tally.lost, 0);
	sample_remove(path);
}

enum { HERE = 31, FAR = 96, CROWD = 130, PATIENCE_MS = 20000 };

static atomic_uint crowd_size; /* how many have come; CROWD + 1: the two that stay may go */

static void *poke_and_stay(void *argument)
{
	unsigned number = (unsigned)(uintptr_t)argument;
	bool stays = number == HERE || number == FAR;

	poke_once(NULL);
	atomic_store(&crowd_size, number + 1);
	while (atomic_load(&crowd_size) < CROWD + (stays ? 1 : 0))
		usleep(1000);
	return stays ? poke_once(NULL) : NULL;
}

/* Waits until the keeper has let the streams of the others go. */
static void await_two_streams(void)
{
	const char *stage;
	uint32_t windows;
	int error;
	struct tacho__pool *pool =
		tacho__pool_open(getenv(TACHO__POOL_VARIABLE), &windows, &stage, &error);

	for (unsigned i = 1, ms = 0; i < CROWD; i++)
		while (i != HERE && i != FAR &&
		       atomic_load(&pool->stream[i].state) != TACHO__POOL_FREE) {
			if (ms++ == PATIENCE_MS)
				_exit(1);
			usleep(1000);
		}
}

/* The main thread has stream 0, each other one the stream of its number. */
static void crowd(void *unused)
{
	pthread_t threads[CROWD];

	for (unsigned i = 1; i < CROWD; i++) {
		if (pthread_create(&threads[i], NULL, poke_and_stay, (void *)(uintptr_t)i))
			_exit(1);
		if (i != HERE && i != FAR)
			pthread_detach(threads[i]);
		while (atomic_load(&crowd_size) != i + 1)
			sched_yield();
	}
	await_two_streams();
	atomic_store(&crowd_size, CROWD + 1);
	pthread_join(threads[HERE], NULL);
	pthread_join(threads[FAR], NULL);
}

/* Few streams in use that lie far apart are all looked at. */
static void test_streams_far_apart(void **state)
{
	char *path = sample_recording();
	struct tally tally;

	assert_int_equal(sample_run(path, crowd, NULL), 0);
	tally = read_back(path);
	assert_int_equal(tally.calls, CROWD - 1 + 2);
	assert_int_equal(tally.lost, 0);
	sample_remove(path);
}

static void arguments(void *unused)
{
	struct tacho__call call;
	struct tacho__pack pack;

	sample_poke(0xabc, 42, 0);
	sample_name("say \"hi\"\n");
	sample_name("0123456789012345678901234567890123456789012345678901234567890123456789");
	sample_make_objects("1");
	sample_complete(sample_launch(), 1, 2, 3, 4);
	if (tacho__call_begin(&call, TACHO__KIND(SAMPLE_API, SAMPLE_MAKE))) {
		tacho__call_end(&call, &pack);
		tacho__pack_u64(&pack, 0);
		tacho__pack_u64(&pack, 1);
		tacho__pack_u64(&pack, 1);
		tacho__pack_i64(&pack, -5);
		tacho__call_commit(&call, &pack);
	}
}

static void test_arguments_as_text(void **state)
{
	static const struct {
		const char *result, *name, *arguments;
		int failed;
	} expected[] = {
		{"OK", "poke", "0xABC;42", 0},
		{"", "name", "\"say \\\"hi\\\"\\n\"", 0},
		{"", "name", "\"012345678901234567890123456789012345678901234567890123456789...\"",
		 0},
		{"OK", "launch", "0x1000;0x2000;2;NULL;[1024,8];[64,1]", 0},
		{"NULL", "make", "YES;[OUT_OF_LUCK]", 1},
	};
	char *path = sample_recording();
	struct tacho_recording *recording;
	struct tacho_cursor *cursor;
	const struct tacho_call *call;

	assert_int_equal(sample_run(path, arguments, NULL), 0);
	assert_int_equal(tacho_recording_open(path, &recording), 0);
	assert_string_equal(tacho_recording_get_run(recording)->arguments, "-n 3");
	assert_int_equal(tacho_recording_get_run(recording)->realtime_offset_ns, 4000);
	assert_int_equal(tacho_cursor_open(recording, &cursor), 0);
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		assert_int_equal(tacho_cursor_next(cursor, &call), 1);
		assert_string_equal(call->result, expected[i].result);
		assert_string_equal(call->function->name, expected[i].name);
		assert_string_equal(tacho_cursor_format_arguments(cursor, ";"),
				    expected[i].arguments);
		assert_int_equal(call->failed, expected[i].failed);
		assert_int_equal(call->index, i);
		if (call->command) {
			assert_string_equal(call->command->name, "COMMAND_LAUNCH");
			assert_string_equal(call->command->kernel->name, "saxpy");
			assert_string_equal(tacho_object_get(call->command->kernel, "local_bytes"),
					    "16");
			assert_string_equal(call->command->device->name, "Sample Device");
			assert_int_equal(call->command->global[0], 1024);
			assert_int_equal(call->command->local[1], 1);
			assert_int_equal(call->command->global[2], 1);
			assert_int_equal(call->command->first_launch, 1);
		}
	}
	assert_int_equal(tacho_cursor_next(cursor, &call), 0);
	tacho_cursor_close(cursor);
	tacho_recording_close(recording);
	sample_remove(path);
}

static void poke_and_fork(void *unused)
{
	int status = 0;
	pid_t child;

	for (int i = 0; i < 10; i++)
		sample_poke(1, 10, 0);
	child = fork();
	for (int i = 0; i < 5; i++)
		sample_poke(1, child ? 20 : 30, 0);
	if (!child)
		_exit(7);
	waitpid(child, &status, 0);
	if (WEXITSTATUS(status) != 7)
		_exit(1);
}

static void test_forked_child_is_a_process(void **state)
{
	char *path = sample_recording();
	struct tally tally;

	assert_int_equal(sample_run(path, poke_and_fork, NULL), 0);
	tally = read_back(path);
	assert_int_equal(tally.processes, 2);
	assert_int_equal(tally.by_value[10], 10);
	assert_int_equal(tally.by_value[20], 5);
	assert_int_equal(tally.by_value[30], 5);
	sample_remove(path);
}

/* Shared with the child: how many calls had returned when it was killed. */
static atomic_ulong *returned;

static void *poke_for_ever(void *value)
{
	for (;;) {
		sample_poke(1, *(uint64_t *)value, 0);
		atomic_fetch_add(&returned[*(uint64_t *)value], 1);
	}
	return NULL;
}

static void poke_until_killed(void *kill_after_us)
{
	static uint64_t values[THREADS];
	pthread_t thread;

	for (uint64_t i = 0; i < THREADS; i++) {
		values[i] = i;
		pthread_create(&thread, NULL, poke_for_ever, &values[i]);
	}
	usleep(*(useconds_t *)kill_after_us);
	kill(getpid(), SIGKILL);
}

static void test_nothing_is_lost_by_sigkill(void **state)
{
	returned = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (useconds_t round = 0; round < 5; round++) {
		char *path = sample_recording();
		useconds_t after_us = 1000 + round * 7000;
		struct tally tally;

		memset(returned, 0, 4096);
		assert_int_equal(WTERMSIG(sample_run(path, poke_until_killed, &after_us)), SIGKILL);
		tally = read_back(path);
		assert_int_equal(tally.lost, 0);
		for (int i = 0; i < THREADS; i++) /* one more may be complete but not counted */
			assert_in_range(tally.by_value[i], returned[i], returned[i] + 1);
		sample_remove(path);
	}
	munmap(returned, 4096);
}

/* Any prefix of the calls is readable, and what is missing is known to the call. */
static void test_any_prefix_can_be_read(void **state)
{
	char *path = sample_recording(), file[512];
	struct tally tally;
	struct stat status;

	assert_int_equal(sample_run(path, poke_from_threads, NULL), 0);
	snprintf(file, sizeof(file), "%s/calls-1.bin", path);
	assert_int_equal(stat(file, &status), 0);
	tally = read_back(path);
	assert_int_equal(tally.faults, 0);
	for (off_t size = status.st_size - 1; size > 0; size -= status.st_size / 37 + 1) {
		assert_int_equal(truncate(file, size), 0);
		tally = read_back(path);
		assert_true(tally.faults > 0);
		assert_true(tally.calls < THREADS * POKES);
		assert_int_equal(tally.calls + tally.lost, THREADS * POKES);
	}
	assert_int_equal(unlink(file), 0);
	tally = read_back(path);
	assert_int_equal(tally.calls, 0);
	assert_int_equal(tally.lost, THREADS * POKES);
	sample_remove(path);
}

static int list_descriptors(char *into)
{
	DIR *directory = opendir("/proc/self/fd");
	struct dirent *entry;
	int count = 0;

	while (directory && (entry = readdir(directory)))
		if (entry->d_name[0] != '.' && atoi(entry->d_name) != dirfd(directory))
			into[count++] = (char)atoi(entry->d_name);
	closedir(directory);
	return count;
}

static void list_before(void *before)
{
	((char *)before)[255] = (char)list_descriptors(before);
}

static void transparent(void *before_start)
{
	char after[256];
	sigset_t mask;
	int count;

	errno = 77;
	sample_poke(1, 1, 0);
	if (errno != 77)
		_exit(2);
	usleep(20000);
	count = list_descriptors(after);
	if (count != ((char *)before_start)[255] || memcmp(after, before_start, (size_t)count))
		_exit(3);
	sigprocmask(SIG_SETMASK, NULL, &mask);
	for (int signal_number = 1; signal_number < 32; signal_number++)
		if (sigismember(&mask, signal_number))
			_exit(4);
	syscall(SYS_close_range, 3U, ~0U, 0U);
	for (int i = 0; i < 20000; i++) /* more than a window, after it closed everything */
		sample_poke(0x7f0012345678, 1, 0);
}

static void test_program_sees_no_descriptor_signal_or_errno(void **state)
{
	char *path = sample_recording(), before[256];
	struct tally tally;

	assert_int_equal(sample_run_after(path, list_before, transparent, before), 0);
	tally = read_back(path);
	assert_int_equal(tally.lost, 0);
	assert_int_equal(tally.by_value[1], 20001);
	sample_remove(path);
}

/* The pool is gone: the program runs on as if nothing had been asked. */
static void test_vanished_pool_fails_open(void **state)
{
	int status;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (!child) {
		setenv(TACHO__POOL_VARIABLE, "/tmp/no/such/pool", 1);
		if (tacho__record_start())
			_exit(1);
		sample_poke(1, 1, 0);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_calls_of_all_threads),
		cmocka_unit_test(test_short_threads),
		cmocka_unit_test(test_streams_far_apart),
		cmocka_unit_test(test_arguments_as_text),
		cmocka_unit_test(test_forked_child_is_a_process),
		cmocka_unit_test(test_nothing_is_lost_by_sigkill),
		cmocka_unit_test(test_any_prefix_can_be_read),
		cmocka_unit_test(test_program_sees_no_descriptor_signal_or_errno),
		cmocka_unit_test(test_vanished_pool_fails_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
