/* SPDX-License-Identifier: MIT */
/* Streams whose first failure stays, and files that may be anything. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/out_stream.h"
#include "tacho/error.h"
#include "test_folder.h"

enum { MUCH = 1 << 20 };

static void failure_stays(void **state)
{
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	FILE *stream;

	if (fd < 0)
		skip();
	stream = tacho_stream_open(fd);
	assert_non_null(stream);
	fputs("lost", stream);
	assert_int_equal(fflush(stream), EOF);
	/* long ago now, and errno has had other values */
	errno = 0;
	assert_int_not_equal(ferror(stream), 0);
	assert_int_equal(fclose(stream), EOF);
	assert_int_equal(errno, ENOSPC);
}

static volatile sig_atomic_t interruptions;

static void interrupt(int number)
{
	interruptions++;
}

static void *read_slowly(void *fd)
{
	char bytes[4096];
	size_t total = 0;
	sigset_t alarms;
	ssize_t got;

	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarms, NULL); /* they are the writer's */
	while ((got = read(*(int *)fd, bytes, sizeof(bytes))) > 0) {
		total += (size_t)got;
		if (total % (MUCH / 8) < sizeof(bytes))
			usleep(20000); /* the writer waits in a full pipe, and is interrupted */
	}
	return (void *)total;
}

/* Everything arrives through a pipe that is full most of the time, whatever interrupts. */
static void write_much(int is_blocking)
{
	struct sigaction action = {.sa_handler = interrupt}, old;
	struct timeval none = {0};
	struct itimerval timer = {.it_interval.tv_usec = 2000, .it_value.tv_usec = 2000};
	static char bytes[MUCH];
	pthread_t reader;
	void *total;
	FILE *stream;
	int ends[2];

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	if (!is_blocking)
		assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
	assert_int_equal(pthread_create(&reader, NULL, read_slowly, &ends[0]), 0);
	stream = tacho_stream_open(ends[1]);
	assert_non_null(stream);
	interruptions = 0;
	sigaction(SIGALRM, &action, &old); /* without SA_RESTART */
	setitimer(ITIMER_REAL, &timer, NULL);
	assert_int_equal(fwrite(bytes, 1, MUCH, stream), MUCH);
	assert_int_equal(fclose(stream), 0);
	timer.it_value = none;
	setitimer(ITIMER_REAL, &timer, NULL);
	sigaction(SIGALRM, &old, NULL);
	pthread_join(reader, &total);
	close(ends[0]);
	assert_int_equal((size_t)total, MUCH);
	assert_true(interruptions > 0);
}

static void interruptions_lose_nothing(void **state)
{
	write_much(1);
	write_much(0);
}

struct taker {
	size_t taken, calls, room;
};

static int take(void *user, const void *bytes, size_t size)
{
	struct taker *taker = user;

	taker->calls++;
	if (size > taker->room - taker->taken)
		return EDQUOT;
	taker->taken += size;
	return 0;
}

static void sink_is_asked_no_more(void **state)
{
	struct taker taker = {.room = 10};
	const struct tacho_sink sink = {take, &taker};
	FILE *stream = tacho__stream_open_sink(&sink);
	size_t calls;

	assert_non_null(stream);
	fputs("12345678", stream);
	assert_int_equal(fflush(stream), 0);
	fputs("12345678", stream);
	assert_int_equal(fflush(stream), EOF);
	calls = taker.calls;
	taker.room = 1000;
	fputs("12345678", stream);
	fflush(stream);
	assert_int_equal(fclose(stream), EOF);
	assert_int_equal(errno, EDQUOT);
	assert_int_equal(taker.calls, calls);
	assert_int_equal(taker.taken, 8);
}

static void buffer_is_a_sink(void **state)
{
	struct tacho__buf buf = {0};
	const struct tacho_sink sink = tacho__stream_sink_to_buf(&buf);
	FILE *stream = tacho__stream_open_sink(&sink);

	assert_non_null(stream);
	fprintf(stream, "%d and %s", 42, "more");
	assert_int_equal(fclose(stream), 0);
	assert_string_equal(tacho__buf_text(&buf), "42 and more");
	tacho__buf_finish(&buf);
}

/* An error that came long before the commit is what the commit tells; nothing stays behind. */
static void file_tells_why(void **state)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
	struct rlimit none, before;
	struct tacho__fs_new file = {0};
	struct folder folder;

	folder_make(&folder);
	assert_int_equal(tacho__fs_create(&file, folder_name(&folder, "out"), false), 0);
	sigaction(SIGXFSZ, &ignore, &old);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	none = before;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_FSIZE, &none);
	fputs("lost", file.stream);
	fflush(file.stream);
	setrlimit(RLIMIT_FSIZE, &before);
	sigaction(SIGXFSZ, &old, NULL);
	fputs("this would fit", file.stream);
	errno = 0;
	assert_int_equal(tacho__fs_commit(&file), TACHO_E_IO);
	assert_int_equal(tacho_error_last()->vendor_code, EFBIG);
	assert_int_equal(folder_count(&folder), 0);
	folder_remove(&folder);
}

static void put_file(struct folder *folder, const char *name)
{
	FILE *file = fopen(folder_name(folder, name), "w");

	assert_non_null(file);
	fclose(file);
}

static void names_come_in_order(void **state)
{
	struct tacho__fs_names names = {0};
	struct tacho__arena arena = {0};
	struct folder folder;

	folder_make(&folder);
	put_file(&folder, "a10");
	put_file(&folder, "a2");
	put_file(&folder, ".hidden");
	assert_int_equal(tacho__fs_list(&arena, folder.path, SIZE_MAX, &names), 0);
	assert_int_equal(names.count, 2);
	assert_string_equal(names.names[0], "a2");
	assert_string_equal(names.names[1], "a10");
	free(names.names);
	assert_int_equal(tacho__fs_list(&arena, folder_name(&folder, "a2"), 9, &names),
			 TACHO_E_NOTFOUND);
	assert_int_equal(tacho__fs_list(&arena, folder_name(&folder, "b"), 9, &names),
			 TACHO_E_NOTFOUND);
	tacho__arena_finish(&arena);
	folder_remove(&folder);
}

static void kinds_are_told(void **state)
{
	struct tacho__buf buf = {0};
	struct folder folder;
	mode_t kind = 1;

	folder_make(&folder);
	assert_int_equal(mkfifo(folder_name(&folder, "pipe"), 0600), 0);
	assert_int_equal(tacho__fs_get_kind(folder.name, &kind), 0);
	assert_int_equal(kind, S_IFIFO);
	assert_int_equal(tacho__fs_read(folder.name, 10, &buf), TACHO_E_IO);
	assert_string_equal(tacho_error_last()->cause, "it is a pipe, not a regular file");
	assert_int_equal(tacho__fs_read(folder.path, 10, &buf), TACHO_E_IO);
	assert_string_equal(tacho_error_last()->cause, "it is a directory, not a regular file");
	assert_int_equal(tacho__fs_read("/dev/zero", 10, &buf), TACHO_E_IO);
	assert_string_equal(tacho_error_last()->cause, "it is a device, not a regular file");
	/* it has no size */
	assert_int_equal(tacho__fs_read("/proc/self/status", 10, &buf), TACHO_E_PARSE);
	assert_string_equal(tacho_error_last()->cause, "it is larger than 10 bytes");
	assert_int_equal(tacho__fs_get_kind(folder_name(&folder, "nothing"), &kind), 0);
	assert_int_equal(kind, 0);
	tacho__buf_finish(&buf);
	folder_remove(&folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(failure_stays),
		cmocka_unit_test(interruptions_lose_nothing),
		cmocka_unit_test(sink_is_asked_no_more),
		cmocka_unit_test(buffer_is_a_sink),
		cmocka_unit_test(file_tells_why),
		cmocka_unit_test(names_come_in_order),
		cmocka_unit_test(kinds_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
