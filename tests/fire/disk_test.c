/* SPDX-License-Identifier: MIT */
/*
 * Where the recording goes is full, read-only, gone or a trap. The program never notices. Bound:
 * what fits is there, every call beyond it is counted, and the process says which error it was.
 */
#include "fire.h"
#include "record/recorder.h"
#include "tacho/error.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mount.h>

enum {
	CALLS = 2000000,
	DISK_BYTES = 8 << 20,
	DISK_ALMOST_FULL_BYTES = 512 * 1024,
};

static char folder[] = "/tmp/tacho-disk-XXXXXX";

/* Nothing is left out because the disk is small. */
static const struct tacho__keeper_limits unlimited = {.max_bytes = UINT64_MAX / 16};

static int limit_nothing(void **state)
{
	fire_limits = &unlimited;
	return 0;
}

static int limit_as_usual(void **state)
{
	fire_limits = NULL;
	return 0;
}

/* What is lost and what is there make up what was done. */
static void check_counted(const struct fire_tally *tally, int expected_errno)
{
	unsigned long done = atomic_load(&fire_books->done[0]);

	assert_int_equal(tally->calls + tally->lost, done);
	assert_int_equal(tally->calls, tally->by_value[0]);
	if (tally->lost)
		assert_int_equal(tally->io_error, expected_errno);
}

/* No two are alike, so that they take room. */
static void make_calls(void *unused)
{
	for (uint64_t i = 0; i < CALLS; i++) {
		sample_poke(i * UINT64_C(0x9E3779B97F4A7C15), 0, 0);
		atomic_fetch_add_explicit(&fire_books->done[0], 1, memory_order_relaxed);
	}
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

/* Where nothing can be written, the program is not started. */
static void check_refused(const char *path, int expected_errno)
{
	struct tacho__keeper keeper;
	char pool[256];

	assert_int_not_equal(sample_keep(path, fire_limits, &keeper), 0);
	assert_int_equal(tacho_error_last()->vendor_code, expected_errno);
	assert_non_null(strstr(tacho_error_last()->message, path));
	snprintf(pool, sizeof(pool), "/dev/shm/tacho-%s.pool", strrchr(path, '/') + 1);
	assert_int_equal(access(pool, F_OK), -1);
}

static void test_disk_full_before_start(void **state)
{
	char *path;

	fire_mount(folder, DISK_BYTES);
	path = fire_recording(folder);
	fill(folder);
	check_refused(path, ENOSPC);
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
	assert_true(tally.calls > 1000);
	assert_true(tally.lost > 0);
	check_counted(&tally, ENOSPC);
	fire_remove(path);
	fire_unmount(folder);
}

/* By itself a recording leaves most of the disk to others: that is no loss. */
static void test_small_disk_is_left_to_others(void **state)
{
	const struct fire_program program = {.work = make_calls};
	struct fire_tally tally;
	char *path;

	fire_mount(folder, DISK_BYTES);
	path = fire_recording(folder);
	assert_int_equal(fire_both(path, &program), 0);
	tally = fire_read(path);
	fire_check_nothing_lost(&tally);
	assert_true(tally.bounded > 0);
	assert_int_equal(tally.calls + tally.bounded, CALLS);
	fire_remove(path);
	fire_unmount(folder);
}

static void fill_and_empty(void *unused)
{
	fire_poke_many(0, 1000);
	fill(folder);
	make_calls(NULL);
	empty(folder);
	usleep(500000); /* the keeper tries again ten times a second */
	fire_poke_many(1, 1000);
	printf("done\n");
}

/* Full while it runs, then empty again: recording goes on, with what was only in memory. */
static void test_disk_full_after_start(void **state)
{
	const struct fire_program program = {.work = fill_and_empty};
	struct fire_tally tally;
	char *path;

	fire_mount(folder, 4 * DISK_BYTES);
	path = fire_recording(folder);
	assert_int_equal(fire_both(path, &program), 0);
	tally = fire_read(path);
	print_message("%lu calls, %lu lost\n", tally.calls, tally.lost);
	assert_true(tally.by_value[0] >= 1000);
	assert_int_equal(tally.by_value[1], 1000);
	assert_int_equal(tally.calls + tally.lost, CALLS + 2000);
	fire_remove(path);
	fire_unmount(folder);
}

static void test_disk_is_read_only(void **state)
{
	char *path;

	fire_mount(folder, DISK_BYTES);
	path = fire_recording(folder);
	assert_int_equal(mount(NULL, folder, NULL, MS_REMOUNT | MS_RDONLY, NULL), 0);
	check_refused(path, EROFS);
	free(path);
	fire_unmount(folder);
}

static void lose_directory(void *path)
{
	char command[256];

	fire_poke_many(0, 1000);
	/* a file may come between its look and its end */
	snprintf(command, sizeof(command), "until rm -rf '%s' 2>&-; do :; done", (char *)path);
	if (system(command))
		printf("rm fails\n");
	make_calls(NULL);
	if (!fork()) {
		make_calls(NULL);
		_exit(0);
	}
	wait(NULL);
	printf("done\n");
}

/* Nobody can read it any more, and the pool says why. */
static void test_directory_vanishes(void **state)
{
	char *path = fire_recording("/tmp");
	const struct fire_program program = {.work = lose_directory, .argument = path};
	pid_t child = fire_start(path, &program, -1);
	struct tacho__pool *pool = fire_keeper.pool;
	int status;

	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	tacho__keeper_end(&fire_keeper);
	assert_int_equal(atomic_load(&pool->write_error), ENOENT);
	tacho__keeper_release(&fire_keeper);
	assert_int_equal(atomic_load(&fire_books->done[0]), 2 * CALLS + 1000);
	assert_int_equal(access(path, F_OK), -1); /* it is not made again */
	free(path);
}

/* A link to elsewhere under a name that the keeper would take: it takes it not. */
static void test_links_are_not_followed(void **state)
{
	char *path = fire_recording("/tmp"), link[512], target[512];
	const struct fire_program program = {.work = make_calls};
	struct fire_tally tally;

	snprintf(link, sizeof(link), "%s/calls-1.bin", path);
	snprintf(target, sizeof(target), "%s/elsewhere", folder);
	assert_int_equal(symlink(target, link), 0);
	assert_int_equal(fire_both(path, &program), 0);
	assert_int_equal(access(target, F_OK), -1);
	tally = fire_read(path);
	assert_int_equal(tally.calls, 0);
	assert_true(tally.faults > 0);
	check_counted(&tally, ELOOP);
	fire_remove(path);
}

static void wait_shortly(void *unused)
{
	tacho__stream_wait_ms = 1000;
}

/* The keeper does not come to its work for as long, and there is no memory for all of it. */
static void make_calls_alone(void *unused)
{
	pid_t keeper = fire_keeper.pool ? (pid_t)atomic_load(&fire_keeper.pool->keeper_pid) : 0;

	if (keeper)
		kill(keeper, SIGSTOP);
	make_calls(NULL);
	if (keeper)
		kill(keeper, SIGCONT);
}

/* What the process lost itself is told as well as what could not be written. */
static void test_both_losses_are_told(void **state)
{
	char *path = fire_recording("/tmp"), link[512];
	const struct fire_program program = {.before = wait_shortly, .work = make_calls_alone};
	struct fire_tally tally;

	snprintf(link, sizeof(link), "%s/calls-1.bin", path);
	assert_int_equal(symlink("/nowhere/at/all", link), 0);
	assert_int_equal(fire_both(path, &program), 0);
	tally = fire_read(path);
	assert_int_equal(tally.calls, 0);
	assert_true(tally.unwritten > 0 && tally.no_window > 0);
	check_counted(&tally, ELOOP);
	fire_remove(path);
}

static void test_control_is_no_link(void **state)
{
	char *path = fire_recording("/tmp"), link[512];

	snprintf(link, sizeof(link), "%s/control.bin", path);
	assert_int_equal(symlink("/dev/null", link), 0);
	check_refused(path, ELOOP);
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
		cmocka_unit_test(test_control_is_no_link),
		cmocka_unit_test(test_links_are_not_followed),
		cmocka_unit_test(test_both_losses_are_told),
		cmocka_unit_test(test_disk_full_before_start),
		cmocka_unit_test_setup_teardown(test_disk_full_at_start, limit_nothing,
						limit_as_usual),
		cmocka_unit_test(test_small_disk_is_left_to_others),
		cmocka_unit_test_setup_teardown(test_disk_full_after_start, limit_nothing,
						limit_as_usual),
		cmocka_unit_test(test_disk_is_read_only),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
