/* SPDX-License-Identifier: MIT */
/* Writer and reader together: what was completed is read back, whatever happened to the program. */
#include "sample_api.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

struct tally {
	uint64_t calls, failed, commands;
	uint64_t by_value[64]; /* pokes of each value */
	uint64_t last_end_ns;
	bool ordered;
	uint64_t lost;
};

static uint64_t sum_losses(const struct tacho_losses *l)
{
	return l->no_window + l->no_space + l->nested + l->too_big + l->no_thread;
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

		tally.calls++;
		tally.failed += call->failed != 0;
		tally.commands += call->command != NULL;
		tally.ordered &=
			call->end_ns >= tally.last_end_ns && call->start_ns <= call->end_ns;
		tally.last_end_ns = call->end_ns;
		if (!strcmp(call->function->name, "poke"))
			tally.by_value[strtoul(value, NULL, 10) % 64]++;
	}
	assert_int_equal(rc, 0);
	tacho_cursor_close(cursor);
	for (size_t i = 0; i < tacho_recording_get_process_count(recording); i++) {
		const struct tacho_process *p = tacho_recording_get_process(recording, i);

		tally.lost += sum_losses(&p->losses);
		assert_int_equal(p->losses.unreadable, 0);
	}
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

static int count_entries(const char *path, const char *prefix)
{
	DIR *directory = opendir(path);
	struct dirent *entry;
	int count = 0;

	assert_non_null(directory);
	while ((entry = readdir(directory)))
		count += !strncmp(entry->d_name, prefix, strlen(prefix));
	closedir(directory);
	return count;
}

static void process_path(const char *path, char *into, size_t size)
{
	DIR *directory = opendir(path);
	struct dirent *entry;

	assert_non_null(directory);
	while ((entry = readdir(directory)))
		if (!strncmp(entry->d_name, "proc-", 5))
			snprintf(into, size, "%s/%s", path, entry->d_name);
	closedir(directory);
}

/* Streams are handed on: 500 threads one after another need only a few. */
static void test_streams_are_reused(void **state)
{
	char *path = sample_recording(), process[512];
	struct tally tally;

	assert_int_equal(sample_run(path, short_threads, NULL), 0);
	tally = read_back(path);
	assert_int_equal(tally.calls, 500);
	assert_int_equal(tally.lost, 0);
	process_path(path, process, sizeof(process));
	assert_in_range(count_entries(process, "stream-"), 1, 16);
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

static void test_forked_child_has_its_own_directory(void **state)
{
	char *path = sample_recording();
	struct tally tally;

	assert_int_equal(sample_run(path, poke_and_fork, NULL), 0);
	assert_int_equal(count_entries(path, "proc-"), 2);
	tally = read_back(path);
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

static void test_any_prefix_can_be_read(void **state)
{
	char *path = sample_recording(), process[512], stream[600];
	uint64_t before = UINT64_MAX;
	struct stat status;

	assert_int_equal(sample_run(path, poke_from_threads, NULL), 0);
	process_path(path, process, sizeof(process));
	for (int serial = 1; serial < 3; serial++) {
		snprintf(stream, sizeof(stream), "%s/stream-%d.bin", process, serial);
		assert_int_equal(stat(stream, &status), 0);
		for (off_t size = status.st_size; size > 0; size -= status.st_size / 37 + 1) {
			struct tacho_recording *recording;
			struct tacho_cursor *cursor;
			uint64_t calls = 0;

			assert_int_equal(truncate(stream, size), 0);
			assert_int_equal(tacho_recording_open(path, &recording), 0);
			assert_int_equal(tacho_cursor_open(recording, &cursor), 0);
			while (tacho_cursor_next(cursor, NULL) == 1)
				calls++;
			assert_true(calls <= before);
			before = calls;
			tacho_cursor_close(cursor);
			tacho_recording_close(recording);
		}
	}
	sample_remove(path);
}

static void limit_files(void *unused)
{
	struct rlimit limit = {.rlim_cur = 512 * 1024, .rlim_max = 512 * 1024};

	signal(SIGXFSZ, SIG_DFL); /* were it ours to raise, it would kill */
	setrlimit(RLIMIT_FSIZE, &limit);
	for (int i = 0; i < 100000; i++)
		sample_poke(0x7f0012345678, 1, 0);
}

static void test_file_size_limit_counts_losses(void **state)
{
	char *path = sample_recording();
	struct tally tally;

	assert_int_equal(sample_run(path, limit_files, NULL), 0);
	tally = read_back(path);
	assert_true(tally.calls > 1000);
	assert_true(tally.lost > 0);
	assert_int_equal(tally.calls + tally.lost, 100000);
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
	for (int i = 0; i < 20000; i++) /* forces new windows after the program closed everything */
		sample_poke(0x7f0012345678, 1, 0);
}

static void test_program_sees_no_descriptor_signal_or_errno(void **state)
{
	char *path = sample_recording(), before[256];
	struct tally tally;

	before[255] = (char)list_descriptors(before);
	assert_int_equal(sample_run(path, transparent, before), 0);
	tally = read_back(path);
	assert_int_equal(tally.lost, 0);
	assert_int_equal(tally.by_value[1], 20001);
	sample_remove(path);
}

/* A cloned helper runs on its maker's thread-local storage, where this sanitizer keeps its own. */
#if !defined(__SANITIZE_THREAD__)
/* As container runtimes do: unshare() answers EPERM. */
static void refuse_unshare(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_unshare, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {.len = 4, .filter = filter};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		_exit(98);
}

static void test_works_where_unshare_is_refused(void **state)
{
	char *path = sample_recording(), before[256], after[256];
	struct tally tally;
	int status, count;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (!child) {
		refuse_unshare();
		count = list_descriptors(before);
		setenv("TACHO_RECORD", path, 1);
		tacho__record_add_table(SAMPLE_API, sample_table, sizeof(sample_table) - 1);
		if (!tacho__record_start())
			_exit(99);
		for (int i = 0; i < 20000; i++)
			sample_poke(0x7f0012345678, 3, 0);
		if (list_descriptors(after) != count || memcmp(before, after, (size_t)count))
			_exit(3);
		_exit(0);
	}
	waitpid(child, &status, 0);
	assert_int_equal(status, 0);
	tally = read_back(path);
	assert_int_equal(tally.by_value[3], 20000);
	assert_int_equal(tally.lost, 0);
	sample_remove(path);
}
#endif

static void no_directory(void *unused)
{
	sample_poke(1, 1, 0);
}

/* Recording cannot start: the program runs on as if nothing had been asked. */
static void test_vanished_directory_fails_open(void **state)
{
	assert_int_equal(WEXITSTATUS(sample_run("/tmp/no/such/recording", no_directory, NULL)), 99);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_calls_of_all_threads),
		cmocka_unit_test(test_streams_are_reused),
		cmocka_unit_test(test_arguments_as_text),
		cmocka_unit_test(test_forked_child_has_its_own_directory),
		cmocka_unit_test(test_nothing_is_lost_by_sigkill),
		cmocka_unit_test(test_any_prefix_can_be_read),
		cmocka_unit_test(test_file_size_limit_counts_losses),
		cmocka_unit_test(test_program_sees_no_descriptor_signal_or_errno),
#if !defined(__SANITIZE_THREAD__)
		cmocka_unit_test(test_works_where_unshare_is_refused),
#endif
		cmocka_unit_test(test_vanished_directory_fails_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
