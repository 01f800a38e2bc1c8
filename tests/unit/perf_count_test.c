/* SPDX-License-Identifier: MIT */
/* Counts of the kernel of this machine, of work whose counts are known. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tacho/error.h"
#include "tacho/session.h"

/* Faults beside those of touch(): stacks, the library's memory, a sanitizer's shadows. */
#if defined(__SANITIZE_THREAD__)
enum { FAULTS_MORE = 100000 };
#elif defined(__SANITIZE_ADDRESS__)
enum { FAULTS_MORE = 2000 };
#else
enum { FAULTS_MORE = 64 };
#endif

enum { SPIN_MS = 60, NS_PER_MS = 1000000 };

/* A session on the device of all units; NULLs when the kernel counts nothing here. */
struct world {
	struct tacho_context *context;
	struct tacho_device *device;
	struct tacho_config *config;
	struct tacho_plan *plan;
	struct tacho_session *session;
};

static int open_world(struct world *world)
{
	struct tacho_context_options options = {.size = sizeof(options), .backends = "perf"};
	const struct tacho_device_info *info;

	memset(world, 0, sizeof(*world));
	assert_int_equal(tacho_context_create(&options, &world->context), 0);
	assert_int_equal(tacho_context_find_device_info(world->context, "perf:linux", &info), 0);
	return tacho_device_open(world->context, info, &world->device);
}

static void make_plan(struct world *world, const char *const *names, size_t count)
{
	struct tacho_config_entry entries[8] = {0};

	for (size_t i = 0; i < count; i++)
		entries[i].name = names[i];
	assert_int_equal(tacho_config_create(tacho_device_get_arch(world->device), NULL, entries,
					     count, &world->config),
			 0);
	assert_int_equal(tacho_device_plan(world->device, world->config, NULL, &world->plan), 0);
}

static void close_world(struct world *world)
{
	tacho_session_destroy(world->session);
	tacho_plan_destroy(world->plan);
	tacho_config_destroy(world->config);
	tacho_device_close(world->device);
	tacho_context_destroy(world->context);
}

static void start(struct world *world, const char *const *names, size_t count, uint64_t window_ns)
{
	struct tacho_session_options options = {
		.size = sizeof(options), .replay = TACHO_REPLAY_NONE, .window_ns = window_ns};

	if (open_world(world)) {
		print_message("nothing can be counted here: %s\n", tacho_error_last()->cause);
		close_world(world);
		skip();
	}
	make_plan(world, names, count);
	assert_int_equal(
		tacho_session_create(world->device, world->plan, &options, &world->session), 0);
}

/* Touches each page of a fresh mapping: each is one fault. */
__attribute__((no_sanitize_address, no_sanitize_thread)) static void touch(size_t count)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), size = count * page;
	volatile char *pages =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(pages != MAP_FAILED);
	madvise((void *)pages, size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < count; i++)
		pages[i * page] = 1;
	munmap((void *)pages, size);
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000 * NS_PER_MS + (uint64_t)now.tv_nsec;
}

/* The CPU time that it took. */
static uint64_t spin(void)
{
	uint64_t begin_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID), used_ns;

	do
		used_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - begin_ns;
	while (used_ns < (uint64_t)SPIN_MS * NS_PER_MS);
	return used_ns;
}

static void *run_thread(void *user)
{
	touch(*(size_t *)user);
	return NULL;
}

static uint64_t whole(const struct tacho_result *result, const char *name, size_t row)
{
	const struct tacho_column *column = tacho_result_find_column(result, name);

	assert_non_null(column);
	assert_int_equal(tacho_column_get_state(column, row, 0) & TACHO_STATE_MASK, TACHO_STATE_OK);
	return column->data.u64[row];
}

static void expect_faults(const struct tacho_result *result, size_t row, uint64_t count)
{
	uint64_t faults = whole(result, "page-faults", row);

	assert_in_range(faults, count, count + FAULTS_MORE);
}

/* Two ranges in one, the second in another thread. */
static void test_ranges(void **state)
{
	static const char *const names[] = {"page-faults", "task-clock"};
	tacho_range outer, inner;
	struct tacho_result *result;
	pthread_t thread;
	struct world world;
	size_t pages = 700;
	uint64_t used_ns, elapsed_ns;

	start(&world, names, 2, 0);
	touch(100);
	assert_int_equal(tacho_session_begin_pass(world.session), 0);
	elapsed_ns = clock_ns(CLOCK_MONOTONIC);
	assert_int_equal(tacho_session_begin_range(world.session, 0, 1, "outer", &outer), 0);
	assert_int_equal(tacho_session_begin_range(world.session, outer, 2, "first", &inner), 0);
	touch(1000);
	assert_int_equal(tacho_session_end_range(world.session, inner), 0);
	used_ns = spin();
	assert_int_equal(tacho_session_begin_range(world.session, outer, 3, "second", &inner), 0);
	assert_int_equal(pthread_create(&thread, NULL, run_thread, &pages), 0);
	pthread_join(thread, NULL);
	assert_int_equal(tacho_session_end_range(world.session, inner), 0);
	assert_int_equal(tacho_session_end_range(world.session, outer), 0);
	elapsed_ns = clock_ns(CLOCK_MONOTONIC) - elapsed_ns;
	assert_int_equal(tacho_session_end_pass(world.session, NULL), 0);
	assert_int_equal(tacho_session_take(world.session, &result), 0);
	assert_int_equal(tacho_result_get_row_count(result), 3);
	expect_faults(result, 0, 1700);
	expect_faults(result, 1, 1000);
	expect_faults(result, 2, 700);
	/* What was used inside, by another clock of the kernel's; what elapsed, for two threads.
	 * Time that a hypervisor takes away is in the counter and not in the process' own clock. */
	assert_in_range(whole(result, "task-clock", 0), used_ns - used_ns / 50, 2 * elapsed_ns);
	tacho_result_destroy(result);
	close_world(&world);
}

/* Windows add up to the whole. */
static void test_windows(void **state)
{
	static const char *const names[] = {"page-faults"};
	struct tacho_result *result;
	uint64_t sum = 0, before = 0;
	struct world world;
	size_t count;

	start(&world, names, 1, 20 * NS_PER_MS);
	touch(300);
	usleep(70000);
	touch(200);
	assert_int_equal(tacho_session_end_pass(world.session, NULL), 0);
	assert_int_equal(tacho_session_take(world.session, &result), 0);
	count = tacho_result_get_row_count(result);
	assert_true(count >= 2); /* a window that the machine slept through is part of the next */
	for (size_t i = 0; i < count; i++) {
		uint64_t time_ns =
			(uint64_t)(strtod(tacho_result_get_row(result, i)->name, NULL) * 1e9);

		assert_true(time_ns > before);
		before = time_ns;
		sum += whole(result, "page-faults", i);
	}
	assert_in_range(sum, 500, 500 + FAULTS_MORE);
	assert_true(before >= 70 * NS_PER_MS);
	tacho_result_destroy(result);
	close_world(&world);
}

/* Another process, from its exec on; a process that there is none. */
static void test_other(void **state)
{
	static const char *const names[] = {"page-faults", "task-clock"};
	struct tacho_session_options options = {
		.size = sizeof(options), .replay = TACHO_REPLAY_NONE, .from_exec = 1};
	struct tacho_result *result;
	struct tacho_session *none;
	struct world world;
	tacho_range range;
	int go[2], status;
	pid_t child;
	char byte;

	start(&world, names, 2, 0);
	assert_int_equal(pipe(go), 0);
	child = fork();
	if (child == 0) {
		close(go[1]);
		touch(5000); /* before the exec */
		if (read(go[0], &byte, 1) == 1)
			execl("/bin/true", "true", (char *)NULL);
		_exit(9);
	}
	close(go[0]);
	tacho_session_destroy(world.session);
	options.pid = child;
	assert_int_equal(tacho_session_create(world.device, world.plan, &options, &world.session),
			 0);
	assert_int_equal(tacho_session_begin_pass(world.session), 0);
	assert_int_equal(tacho_session_begin_range(world.session, 0, 0, NULL, &range), 0);
	assert_int_equal(write(go[1], "g", 1), 1);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(tacho_session_end_range(world.session, range), 0);
	assert_int_equal(tacho_session_end_pass(world.session, NULL), 0);
	assert_int_equal(tacho_session_take(world.session, &result), 0);
	assert_in_range(whole(result, "page-faults", 0), 10, 2000);
	assert_true(whole(result, "task-clock", 0) > 0);
	close(go[1]);
	options.pid = child; /* it is gone */
	assert_int_equal(tacho_session_create(world.device, world.plan, &options, &none),
			 TACHO_E_NOTFOUND);
	tacho_result_destroy(result);
	close_world(&world);
}

/* Without rights the whole machine is refused before anything runs, with what to do. */
static int count_all(void)
{
	static const char *const names[] = {"task-clock"};
	struct tacho_session_options options = {
		.size = sizeof(options), .replay = TACHO_REPLAY_NONE, .pid = -1};
	const struct tacho_error_detail *detail;
	struct tacho_session *session;
	struct world world;
	int rc;

	if (setgid(65534) || setuid(65534) || open_world(&world))
		return 77;
	make_plan(&world, names, 1);
	rc = tacho_session_create(world.device, world.plan, &options, &session);
	if (!rc)
		return 77; /* everybody may */
	detail = tacho_error_last();
	return rc != TACHO_E_PERM || !strstr(detail->cause, "perf_event_paranoid is ") ||
	       !strstr(detail->cause, "CAP_PERFMON is missing") ||
	       !strstr(detail->cure, "sysctl kernel.perf_event_paranoid=0");
}

static void test_rights(void **state)
{
	pid_t child = fork();
	int status;

	if (child == 0)
		_exit(count_all());
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(status, 0);
}

/* More hardware events than any CPU has counters: turns are taken, and the values say so. */
static void test_turns(void **state)
{
	struct tacho_config_entry entries[24] = {0};
	char texts[24][32];
	struct tacho_session_options options = {.size = sizeof(options),
						.replay = TACHO_REPLAY_NONE};
	const struct tacho_entry *entry;
	struct tacho_result *result;
	struct world world;
	tacho_range range;
	size_t scaled = 0;

	if (open_world(&world) ||
	    !tacho_arch_find_entry(tacho_device_get_arch(world.device), "cycles") ||
	    tacho_arch_find_entry(tacho_device_get_arch(world.device), "cycles")->kind !=
		    TACHO_ENTRY_COUNTER ||
	    tacho_device_define_entry(world.device, "cpu/config=0xc0/", &entry)) {
		print_message("the CPU has no counters here: turns are not tried\n");
		close_world(&world);
		skip();
	}
	for (size_t i = 0; i < 24; i++) {
		snprintf(texts[i], sizeof(texts[i]), "cpu/config=0xc0,name=t%zu/", i);
		assert_int_equal(tacho_device_define_entry(world.device, texts[i], &entry), 0);
		entries[i].name = entry->name;
	}
	assert_int_equal(tacho_config_create(tacho_device_get_arch(world.device), NULL, entries, 24,
					     &world.config),
			 0);
	assert_int_equal(tacho_device_plan(world.device, world.config, NULL, &world.plan), 0);
	assert_int_equal(tacho_session_create(world.device, world.plan, &options, &world.session),
			 0);
	assert_int_equal(tacho_session_begin_pass(world.session), 0);
	assert_int_equal(tacho_session_begin_range(world.session, 0, 0, NULL, &range), 0);
	for (int i = 0; i < 5; i++)
		spin();
	assert_int_equal(tacho_session_end_range(world.session, range), 0);
	assert_int_equal(tacho_session_end_pass(world.session, NULL), 0);
	assert_int_equal(tacho_session_take(world.session, &result), 0);
	for (size_t i = 0; i < 24; i++) {
		const struct tacho_column *column = tacho_result_get_column(result, i);

		if (tacho_column_get_state(column, 0, 0) != TACHO_STATE_SCALED)
			continue;
		assert_true(column->coverage[0] > 0 && column->coverage[0] < 1);
		scaled++;
	}
	assert_true(scaled > 0);
	tacho_result_destroy(result);
	close_world(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ranges), cmocka_unit_test(test_windows),
		cmocka_unit_test(test_other),  cmocka_unit_test(test_rights),
		cmocka_unit_test(test_turns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
