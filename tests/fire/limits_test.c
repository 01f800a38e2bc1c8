/* SPDX-License-Identifier: MIT */
/*
 * Limits of the process: file size, descriptors, address space, memory. Bound: none of them touches
 * a recording that has begun; one that cannot begin for them says so where it can.
 */
#include "fire.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

enum { CALLS = 100000, FILE_BYTES = 512 * 1024, MEMORY_BYTES = 24 << 20 };

static void make_calls(void *unused)
{
	fire_poke_many(0, CALLS);
	printf("done\n");
}

static void limit(int resource, rlim_t value)
{
	struct rlimit limit = {value, value};

	if (setrlimit(resource, &limit))
		abort();
}

/* Calls and losses make up what was done; with losses the error is `expected_errno`. */
static struct fire_tally check_counted(const struct fire_program *program, int expected_errno)
{
	char *path = fire_recording("/tmp");
	struct fire_tally tally;

	assert_int_equal(fire_both(path, program), 0);
	tally = fire_read(path);
	print_message("%lu calls, %lu lost, errno %d\n", tally.calls, tally.lost, tally.io_error);
	if (atomic_load(&fire_books->started))
		assert_int_equal(tally.calls + tally.lost, atomic_load(&fire_books->done[0]));
	else
		assert_int_equal(tally.calls, 0);
	if (expected_errno)
		assert_int_equal(tally.io_error, expected_errno);
	else
		fire_check_nothing_lost(&tally);
	fire_remove(path);
	return tally;
}

static void limit_files(void *unused)
{
	signal(SIGXFSZ, SIG_DFL); /* a write of ours beyond the limit would kill */
	limit(RLIMIT_FSIZE, FILE_BYTES);
	make_calls(NULL);
}

static void test_file_size(void **state)
{
	const struct fire_program program = {.work = limit_files};

	assert_int_equal(check_counted(&program, 0).calls, CALLS);
}

static void limit_files_to_nothing(void *unused)
{
	signal(SIGXFSZ, SIG_DFL);
	limit(RLIMIT_FSIZE, 0);
}

/* The output goes to a file, too: only _exit. */
static void no_output(void *unused)
{
	fire_poke_many(0, CALLS);
	_exit(0);
}

static void test_file_size_zero_before_start(void **state)
{
	const struct fire_program program = {.before = limit_files_to_nothing, .work = no_output};

	assert_int_equal(check_counted(&program, 0).calls, CALLS);
}

static void limit_descriptors(void *unused)
{
	limit(RLIMIT_NOFILE, 3);
}

/* Such a program could not load our library either. */
static void test_descriptors_before_start(void **state)
{
	const struct fire_program program = {.before = limit_descriptors, .work = make_calls};

	check_counted(&program, 0);
	assert_int_equal(atomic_load(&fire_books->started), 0);
}

static void limit_descriptors_and_call(void *unused)
{
	limit(RLIMIT_NOFILE, 3);
	make_calls(NULL);
}

static void test_descriptors_after_start(void **state)
{
	const struct fire_program program = {.work = limit_descriptors_and_call};

	assert_int_equal(check_counted(&program, 0).calls, CALLS);
}

/* Closes all, opens files of its own, and finds in them what it wrote. */
static void close_all_and_open(void *unused)
{
	int fds[8];
	char text[32];

	syscall(SYS_close_range, 3U, ~0U, 0U);
	for (int i = 0; i < 8; i++) {
		fds[i] = memfd_create("own", 0);
		printf("descriptor %d\n", fds[i]);
		dprintf(fds[i], "file %d", i);
	}
	for (int round = 0; round < 20; round++) {
		fire_poke_many(0, CALLS / 20);
		syscall(SYS_close_range, 11U, ~0U, 0U);
		usleep(1000);
	}
	for (int i = 0; i < 8; i++) {
		ssize_t size = pread(fds[i], text, sizeof(text) - 1, 0);

		text[size < 0 ? 0 : size] = '\0';
		printf("%s, %ld bytes\n", text, (long)lseek(fds[i], 0, SEEK_END));
	}
}

static void test_close_range(void **state)
{
	const struct fire_program program = {.work = close_all_and_open};

	assert_int_equal(check_counted(&program, 0).calls, CALLS);
}

static unsigned long used_address_space(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;

	if (!file || fscanf(file, "%lu", &pages) != 1)
		abort();
	fclose(file);
	return pages * (unsigned long)sysconf(_SC_PAGESIZE);
}

static void limit_address_space_softly(void *unused)
{
	struct rlimit soft = {used_address_space() + 256 * 1024, RLIM_INFINITY};

	setrlimit(RLIMIT_AS, &soft);
	fire_poke_many(0, CALLS);
	soft.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_AS, &soft);
	printf("done\n");
}

static void test_address_space(void **state)
{
	const struct fire_program program = {.work = limit_address_space_softly};

	assert_int_equal(check_counted(&program, 0).calls, CALLS);
}

static void limit_address_space_tightly(void *unused)
{
	limit(RLIMIT_AS, used_address_space() + (12 << 20));
}

/* Where the whole pool has no room, a part of it will do. */
static void test_little_address_space_before_start(void **state)
{
	const struct fire_program program = {.before = limit_address_space_tightly,
					     .work = no_output};

	assert_int_equal(check_counted(&program, 0).calls, CALLS);
	assert_int_equal(atomic_load(&fire_books->started), 1);
}

static void limit_address_space_before(void *unused)
{
	limit(RLIMIT_AS, used_address_space() + 64 * 1024);
}

/* No room at all: nothing is recorded, the program runs, and the recording says why. */
static void test_address_space_before_start(void **state)
{
	const struct fire_program program = {.before = limit_address_space_before,
					     .work = no_output};
	char *path = fire_recording("/tmp");
	struct tacho_recording *recording;

	assert_int_equal(fire_both(path, &program), 0);
	assert_int_equal(atomic_load(&fire_books->started), 0);
	assert_int_equal(tacho_recording_open(path, &recording), 0);
	assert_non_null(tacho_recording_get_fault(recording, 0));
	assert_int_equal(tacho_recording_get_fault(recording, 0)->error, ENOMEM);
	assert_non_null(strstr(tacho_recording_get_fault(recording, 0)->what, "map"));
	tacho_recording_close(recording);
	fire_remove(path);
}

/* The program's own group below the memory controller of either version; "" where none can be. */
static char group[256];

static bool write_number(const char *file, unsigned long number)
{
	char path[512], text[32];
	int fd, size = snprintf(text, sizeof(text), "%lu", number);
	bool written;

	snprintf(path, sizeof(path), "%s/%s", group, file);
	fd = open(path, O_WRONLY);
	written = fd >= 0 && write(fd, text, (size_t)size) == size;
	if (fd >= 0)
		close(fd);
	return written;
}

static bool make_group(void)
{
	static const struct {
		const char *parent, *limit;
	} kinds[] = {
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"},
		{"/sys/fs/cgroup", "memory.max"},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		snprintf(group, sizeof(group), "%s/tacho-fire-%d", kinds[i].parent, getpid());
		if (mkdir(group, 0700))
			continue;
		if (write_number(kinds[i].limit, MEMORY_BYTES))
			return true;
		rmdir(group);
	}
	return false;
}

static void join_group(void *unused)
{
	if (!write_number("cgroup.procs", (unsigned long)getpid()))
		abort();
}

/* More records than the group may have memory: their pages are the kernel's to write out. */
static void make_many_calls(void *unused)
{
	fire_poke_many(0, 20 * CALLS);
	printf("done\n");
}

static void test_memory_group(void **state)
{
	const struct fire_program program = {.before = join_group, .work = make_many_calls};
	struct fire_tally tally;
	char *path;

	if (!make_group()) {
		print_message("SKIP: no memory controller can be written here\n");
		skip();
	}
	path = fire_recording("/tmp");
	assert_int_equal(fire_both(path, &program), 0);
	tally = fire_read(path);
	print_message("%lu calls, %lu lost\n", tally.calls, tally.lost);
	assert_int_equal(tally.calls + tally.lost, 20 * CALLS);
	fire_remove(path);
	rmdir(group);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_file_size),
		cmocka_unit_test(test_file_size_zero_before_start),
		cmocka_unit_test(test_descriptors_before_start),
		cmocka_unit_test(test_descriptors_after_start),
		cmocka_unit_test(test_close_range),
		cmocka_unit_test(test_address_space),
		cmocka_unit_test(test_little_address_space_before_start),
		cmocka_unit_test(test_address_space_before_start),
		cmocka_unit_test(test_memory_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
