/* SPDX-License-Identifier: MIT */
/*
 * Where the recording goes is full, read-only, gone or a trap. The program never notices. Bound:
 * what fits is there, every call beyond it is counted, and the process says which error it was.
 */
#include "fire.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mount.h>

enum {
	CALLS = 200000,
	THREAD_RECORDS = 1, /* of the one thread: it is lost with its first calls, and counted */
	DISK_BYTES = 8 << 20,
	/* control stream, a few streams' first windows, and what is left to the program */
	DISK_ALMOST_FULL_BYTES = (1 << 20) + 512 * 1024,
};

static char folder[] = "/tmp/tacho-disk-XXXXXX";

/* What is lost and what is there make up what was done. */
static void check_counted(const struct fire_tally *tally, int expected_errno)
{
	unsigned long done = atomic_load(&fire_books->done[0]);

	assert_in_range(tally->calls + tally->lost, done, done + THREAD_RECORDS);
	assert_in_range(tally->calls, tally->by_value[0], done);
	if (tally->lost)
		assert_int_equal(tally->io_error, expected_errno);
}

static void make_calls(void *unused)
{
	fire_poke_many(0, CALLS);
	printf("done\n");
}

static void fill(const char *path)
{
	char file[256], block[4096] = {1};
	int fd;

	snprintf(file, sizeof(file), "%s/filler", path);
	fd = open(file, O_WRONLY | O_CREAT | O_APPEND, 0600);
	while (write(fd, block, sizeof(block)) == (ssize_t)sizeof(block))
		;
	close(fd);
}

static void empty(const char *path)
{
	char file[256];

	snprintf(file, sizeof(file), "%s/filler", path);
	truncate(file, 0);
}

static void test_disk_full_before_start(void **state)
{
	const struct fire_program program = {.work = make_calls};
	struct fire_tally tally;
	char *path;

	fire_mount(folder, DISK_BYTES);
	path = fire_recording(folder);
	fill(folder);
	assert_int_equal(fire_both(path, &program), 0);
	assert_int_equal(atomic_load(&fire_books->started), 0);
	tally = fire_read(path); /* it is still a recording, without a call */
	assert_int_equal(tally.calls, 0);
	fire_remove(path);
	fire_unmount(folder);
}

static void test_disk_full_at_start(void **state)
{
	const struct fire_program program = {.work = make_calls};
	struct fire_tally tally;
	char *path;

	fire_mount(folder, DISK_ALMOST_FULL_BYTES);
	path = fire_recording(folder);
	assert_int_equal(fire_both(path, &program), 0);
	assert_int_equal(atomic_load(&fire_books->started), 1);
	tally = fire_read(path);
	assert_true(tally.lost > 0);
	check_counted(&tally, ENOSPC);
	fire_remove(path);
	fire_unmount(folder);
}

static void fill_and_empty(void *unused)
{
	fire_poke_many(0, 1000);
	fill(folder);
	fire_poke_many(0, CALLS);
	empty(folder);
	atomic_store(&fire_books->stage, 1);
	usleep(2500000); /* the recorder looks for space once a second */
	fire_poke_many(1, 1000);
	printf("done\n");
}

/* Full while it runs, then empty again: recording goes on. */
static void test_disk_full_after_start(void **state)
{
	const struct fire_program program = {.work = fill_and_empty};
	struct fire_tally tally;
	char *path;

	fire_mount(folder, DISK_BYTES);
	path = fire_recording(folder);
	assert_int_equal(fire_both(path, &program), 0);
	tally = fire_read(path);
	assert_true(tally.by_value[0] >= 1000);
	assert_true(tally.lost > 0);
	assert_int_equal(tally.by_value[1], 1000);
	assert_int_equal(tally.calls + tally.lost, CALLS + 2000);
	assert_int_equal(tally.io_error, ENOSPC);
	fire_remove(path);
	fire_unmount(folder);
}

static void test_disk_is_read_only(void **state)
{
	const struct fire_program program = {.work = make_calls};
	struct fire_tally tally;
	char *path;

	fire_mount(folder, DISK_BYTES);
	path = fire_recording(folder);
	assert_int_equal(mount(NULL, folder, NULL, MS_REMOUNT | MS_RDONLY, NULL), 0);
	assert_int_equal(fire_both(path, &program), 0);
	assert_int_equal(atomic_load(&fire_books->started), 0);
	tally = fire_read(path);
	assert_int_equal(tally.calls, 0);
	free(path);
	fire_unmount(folder);
}

static void lose_directory(void *path)
{
	char command[256];

	fire_poke_many(0, 1000);
	snprintf(command, sizeof(command), "rm -rf '%s'", (char *)path);
	if (system(command))
		printf("rm fails\n");
	fire_poke_many(0, CALLS);
	if (!fork()) { /* and nowhere to begin anew */
		fire_poke_many(0, CALLS);
		_exit(0);
	}
	wait(NULL);
	printf("done\n");
}

static void test_directory_vanishes(void **state)
{
	char *path = fire_recording("/tmp");
	const struct fire_program program = {.work = lose_directory, .argument = path};

	assert_int_equal(fire_wait(fire_start(path, &program, -1)), 0);
	assert_int_equal(atomic_load(&fire_books->done[0]), 2 * CALLS + 1000);
	assert_int_equal(access(path, F_OK), -1); /* it is not made again */
	free(path);
}

static void gone_before_start(void *path)
{
	rmdir(path);
}

static void test_directory_is_gone_before_start(void **state)
{
	char path[] = "/tmp/tacho-gone-XXXXXX";
	const struct fire_program program = {
		.before = gone_before_start, .work = make_calls, .argument = path};

	assert_non_null(mkdtemp(path));
	assert_int_equal(fire_both(path, &program), 0);
	assert_int_equal(atomic_load(&fire_books->started), 0);
	assert_int_equal(access(path, F_OK), -1);
}

static void plant_links(void *path)
{
	for (int n = 0; n < 3; n++) {
		char link[512];

		snprintf(link, sizeof(link), "%s/proc-%d-%d", (char *)path, getpid(), n);
		unlink(link);
		if (symlink(folder, link))
			abort();
	}
}

/* Links to elsewhere under the names that the recorder would take: it takes none of them. */
static void test_links_are_not_followed(void **state)
{
	char *path = fire_recording("/tmp"), process[512];
	const struct fire_program program = {
		.before = plant_links, .work = make_calls, .argument = path};
	pid_t child = fire_start(path, &program, -1);
	struct fire_tally tally;

	assert_int_equal(fire_wait(child), 0);
	assert_int_equal(fire_count_entries(folder, "stream-"), 0);
	assert_int_equal(fire_count_entries(folder, "control"), 0);
	snprintf(process, sizeof(process), "%s/proc-%d-3", path, child);
	assert_true(fire_count_entries(process, "stream-") > 0);
	tally = fire_read(path);
	fire_check_nothing_lost(&tally);
	assert_int_equal(tally.by_value[0], CALLS);
	fire_remove(path);
}

static int make_folder(void **state)
{
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_directory_vanishes),
		cmocka_unit_test(test_directory_is_gone_before_start),
		cmocka_unit_test(test_links_are_not_followed),
		cmocka_unit_test(test_disk_full_before_start),
		cmocka_unit_test(test_disk_full_at_start),
		cmocka_unit_test(test_disk_full_after_start),
		cmocka_unit_test(test_disk_is_read_only),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
