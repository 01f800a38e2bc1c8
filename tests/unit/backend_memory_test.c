/* SPDX-License-Identifier: MIT */
/*
 * Every allocation of simulated devices and of the kernel's events fails once, alone or with all
 * after it: finding and opening them, and counting. A call says NOMEM and can be made again, and
 * what is counted then is right, or absent where the session has ended.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "memory_faults.h"
#include "tacho/error.h"
#include "tacho/sim.h"
#include "tacho/sys/oa_stream.h"

enum { PAGES = 40, NS_PER_MS = 1000000 };

/* What a flow runs on; made once, with all memory there. */
static struct {
	struct tacho_context *context;
	struct tacho_device *device;
	struct tacho_config *config;
	struct tacho_plan *plan;
	char root[512]; /* of a tree of files, for perf; "": the machine's own */
	size_t entry_count;
} bench;

static size_t count_entries(const struct tacho_device *device)
{
	const struct tacho_entry *entry;
	size_t count = 0;

	while ((entry = tacho_arch_get_entry(tacho_device_get_arch(device), count))) {
		assert_non_null(entry->name);
		count++;
	}
	return count;
}

static struct tacho_context_options about_context(const char *backends)
{
	return (struct tacho_context_options){.size = sizeof(struct tacho_context_options),
					      .backends = backends,
					      .sysroot = *bench.root ? bench.root : NULL};
}

/* 0 when this machine has no such device. */
static int open_bench(const char *backends, const char *device_name, const char *const *names)
{
	const struct tacho_context_options options = about_context(backends);
	struct tacho_config_entry entries[8] = {0};
	const struct tacho_device_info *info;
	size_t count = 0;

	assert_int_equal(tacho_context_create(&options, &bench.context), 0);
	assert_int_equal(tacho_context_find_device_info(bench.context, device_name, &info), 0);
	if (tacho_device_open(bench.context, info, &bench.device)) {
		print_message("nothing can be counted here: %s\n", tacho_error_last()->cause);
		tacho_context_destroy(bench.context);
		return 0;
	}
	bench.entry_count = count_entries(bench.device);
	assert_true(bench.entry_count > 0);
	for (; names && names[count]; count++)
		entries[count].name = names[count];
	bench.config = NULL;
	bench.plan = NULL;
	if (count) {
		assert_int_equal(tacho_config_create(tacho_device_get_arch(bench.device),
						     tacho_device_get_model(bench.device), entries,
						     count, &bench.config),
				 0);
		assert_int_equal(tacho_device_plan(bench.device, bench.config, NULL, &bench.plan),
				 0);
	}
	return 1;
}

static void close_bench(void)
{
	tacho_plan_destroy(bench.plan);
	tacho_config_destroy(bench.config);
	tacho_device_close(bench.device);
	tacho_context_destroy(bench.context);
	bench.root[0] = '\0';
}

static size_t count_descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	size_t count = 0;

	assert_non_null(folder);
	while (readdir(folder))
		count++;
	closedir(folder);
	return count;
}

/* ---- opening ---- */

static const char *probed_backends;

static void probe(void)
{
	const struct tacho_catalog_options catalog = {
		.size = sizeof(catalog), .arch = "any", .api = "cl", .no_environment = 1};
	struct tacho_context_options options = about_context(probed_backends);
	struct tacho_context *context;
	const struct tacho_device_info *info, *expected;
	size_t count = 0;

	options.catalog = &catalog;
	TWICE(tacho_context_create(&options, &context));
	/* all devices, as they are when memory is there */
	while ((info = tacho_context_get_device_info(context, count))) {
		expected = tacho_context_get_device_info(bench.context, count++);
		assert_non_null(expected);
		assert_string_equal(info->name, expected->name);
		assert_string_equal(info->platform, expected->platform);
		assert_int_equal(info->usable, expected->usable);
	}
	assert_null(tacho_context_get_device_info(bench.context, count));
	tacho_context_destroy(context);
}

/* Nothing is missing from what was opened, and no number has become another one. */
static void open_again(void)
{
	struct tacho_device *device;
	const struct tacho_entry *entry, *expected;

	TWICE(tacho_device_open(bench.context, tacho_device_get_info(bench.device), &device));
	assert_int_equal(count_entries(device), bench.entry_count);
	for (size_t i = 0; i < bench.entry_count; i++) {
		entry = tacho_arch_get_entry(tacho_device_get_arch(device), i);
		expected = tacho_arch_get_entry(tacho_device_get_arch(bench.device), i);
		assert_string_equal(entry->name, expected->name);
		assert_int_equal(entry->kind, expected->kind);
		assert_int_equal(entry->type, expected->type);
		assert_string_equal(entry->unit, expected->unit);
	}
	tacho_device_close(device);
}

static void test_sim_open(void **state)
{
	probed_backends = "sim:h200,sim:bsw";
	assert_true(open_bench(probed_backends, "h200", NULL));
	memory_fail_each(probe, 3);
	memory_fail_each(open_again, 3);
	close_bench();
	assert_true(open_bench("sim:bsw", "bsw", NULL));
	memory_fail_each(open_again, 3);
	close_bench();
}

static void set_root(const char *name)
{
	snprintf(bench.root, sizeof(bench.root), "%s/tests/data/perf/%s/",
		 getenv("TACHO_SOURCE_ROOT"), name);
}

static void test_perf_open(void **state)
{
	static const char *const units[][2] = {
		{"cpus", "perf:linux"}, {"cpus", "uncore_imc_0"}, {"i915", "perf:i915"}};
	size_t descriptors = count_descriptors();

	probed_backends = "perf";
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		set_root(units[i][0]);
		assert_true(open_bench("perf", units[i][1], NULL));
		memory_fail_each(open_again, 10);
		if (i != 1)
			memory_fail_each(probe, 10);
		close_bench();
	}
	if (open_bench("perf", "perf:linux", NULL)) {
		memory_fail_each(open_again, 10);
		close_bench();
	}
	assert_int_equal(count_descriptors(), descriptors);
}

/* So many that what holds them grows. */
static void define(void)
{
	static unsigned count;
	const struct tacho_entry *entry, *again;
	char text[64], name[32];

	for (unsigned i = 0; i < 200; i++) {
		snprintf(name, sizeof(name), "mine%u", count++);
		snprintf(text, sizeof(text), "cpu/event=0x3c,umask=1,name=%s/", name);
		TWICE(tacho_device_define_entry(bench.device, text, &entry));
		assert_string_equal(entry->name, name);
		assert_int_equal(tacho_device_define_entry(bench.device, text, &again), 0);
		assert_ptr_equal(again, entry);
	}
	assert_int_equal(count_entries(bench.device), bench.entry_count + count);
}

static void test_define(void **state)
{
	set_root("cpus");
	assert_true(open_bench("perf", "perf:linux", NULL));
	memory_fail_each(define, 1);
	close_bench();
}

/* ---- counting on a simulated device ---- */

/* 1024 waves of 100 vector instructions, for 100 us. */
static const struct tacho_sim_work kernel = {.size = sizeof(kernel),
					     .name = "kernel",
					     .grid = {65536},
					     .workgroup = {256},
					     .per_wave = {.valu = 100},
					     .duration_ns = 100000,
					     .is_row = 1};

static struct tacho_session *make_session(const struct tacho_session_options *options)
{
	struct tacho_session *session;

	TWICE(tacho_session_create(bench.device, bench.plan, options, &session));
	return session;
}

/* Whether nothing more comes, because memory ran out for values. */
static int has_ended(struct tacho_session *session)
{
	int rc = tacho_session_drain(session, 0, NULL);

	if (rc)
		rc = memory_settle(tacho_session_drain(session, 0, NULL)); /* windows come late */
	return rc != 0;
}

/* Work that was refused is not there, and can be given again. */
static void submit(const struct tacho_sim_work *work)
{
	if (memory_settle(tacho_sim_submit(bench.device, work, NULL)))
		assert_int_equal(tacho_sim_submit(bench.device, work, NULL), 0);
}

static void expect(const struct tacho_result *result, size_t row, const char *name, double value,
		   int may_be_absent)
{
	const struct tacho_column *column = tacho_result_find_column(result, name);
	uint8_t state = tacho_column_get_state(column, row, 0);

	if (state == TACHO_STATE_ABSENT && may_be_absent)
		return;
	assert_int_equal(state, TACHO_STATE_OK);
	if (tacho_column_get_value(column, row, 0) != value)
		fail_msg("%s of row %zu is %g, not %g", name, row,
			 tacho_column_get_value(column, row, 0), value);
}

static struct tacho_result *take(struct tacho_session *session)
{
	struct tacho_result *result;

	TWICE(tacho_session_take(session, &result));
	return result;
}

/* A range with two kernels, one of them in a range of its own; both are rows too. */
static void count_ranges(void)
{
	struct tacho_session *session = make_session(NULL);
	struct tacho_sim_work work = kernel;
	tacho_range outer, inner;
	struct tacho_result *result;
	int ended;

	TWICE(tacho_session_begin_pass(session));
	TWICE(tacho_session_begin_range(session, 0, 2, "two", &outer));
	work.range = outer;
	submit(&work);
	ended = has_ended(session);
	if (!ended) {
		TWICE(tacho_session_begin_range(session, outer, 1, "one", &inner));
		work.range = inner;
		submit(&work);
		ended = memory_settle(tacho_session_end_range(session, inner)) ||
			has_ended(session);
	}
	ended |= memory_settle(tacho_session_end_range(session, outer)) != 0;
	ended |= memory_settle(tacho_session_end_pass(session, NULL)) != 0;
	ended |= has_ended(session);
	result = take(session);
	if (!ended)
		assert_int_equal(tacho_result_get_row_count(result), 4);
	for (size_t i = 0; i < tacho_result_get_row_count(result); i++) {
		const struct tacho_row *row = tacho_result_get_row(result, i);
		double works = strcmp(row->name, "two") == 0 ? 2 : 1;

		if (ended && works == 2)
			continue; /* it had one or two of them */
		expect(result, i, "SQ_WAVES", works * 1024, ended);
		expect(result, i, "SQ_INSTS_VALU", works * 102400, ended);
		/* 100 us of 2100 MHz each, on 8 dies: no time passed for work that was refused */
		expect(result, i, "GRBM_COUNT", works * 8 * 210000, ended);
		expect(result, i, "GRBM_GUI_ACTIVE", works * 8 * 210000, ended);
	}
	tacho_result_destroy(result);
	tacho_session_destroy(session);
}

/* Four windows, the first two with the kernel in them. */
static void count_windows(void)
{
	const struct tacho_session_options options = {.size = sizeof(options), .window_ns = 50000};
	struct tacho_session *session = make_session(&options);
	struct tacho_result *result;
	int ended;

	submit(&kernel);
	memory_settle(tacho_sim_advance(bench.device, 200000));
	ended = has_ended(session);
	ended |= memory_settle(tacho_session_end_pass(session, NULL)) != 0;
	result = take(session);
	if (!ended)
		assert_int_equal(tacho_result_get_row_count(result), 4);
	for (size_t i = 0; i < tacho_result_get_row_count(result); i++) {
		uint64_t id = tacho_result_get_row(result, i)->id;

		expect(result, i, "SQ_WAVES", id < 2 ? 512 : 0, ended);
		expect(result, i, "GRBM_COUNT", 8 * 105000, ended);
		expect(result, i, "GRBM_GUI_ACTIVE", id < 2 ? 8 * 105000 : 0, ended);
	}
	tacho_result_destroy(result);
	tacho_session_destroy(session);
}

/* Everything on the device: another process' work in half of the range. */
static void count_background(void)
{
	const struct tacho_session_options options = {.size = sizeof(options), .pid = -1};
	struct tacho_session *session = make_session(&options);
	struct tacho_result *result;
	tacho_range range;
	int ended;

	TWICE(tacho_session_begin_pass(session));
	TWICE(tacho_session_begin_range(session, 0, 1, "range", &range));
	TWICE(tacho_sim_set_background(bench.device, &kernel));
	assert_int_equal(tacho_sim_advance(bench.device, 50000), 0);
	TWICE(tacho_sim_set_background(bench.device, NULL));
	assert_int_equal(tacho_sim_advance(bench.device, 50000), 0);
	ended = memory_settle(tacho_session_end_range(session, range)) != 0;
	ended |= memory_settle(tacho_session_end_pass(session, NULL)) != 0;
	result = take(session);
	if (!ended)
		assert_int_equal(tacho_result_get_row_count(result), 1);
	for (size_t i = 0; i < tacho_result_get_row_count(result); i++) {
		expect(result, i, "SQ_WAVES", 512, ended);
		expect(result, i, "GRBM_COUNT", 8 * 210000, ended);
	}
	tacho_result_destroy(result);
	tacho_session_destroy(session);
}

static void test_sim_count(void **state)
{
	static const char *const names[] = {"SQ_WAVES", "SQ_INSTS_VALU", "GRBM_COUNT",
					    "GRBM_GUI_ACTIVE", NULL};

	assert_true(open_bench("sim:mi300x", "mi300x", names));
	memory_fail_each(count_ranges, 10);
	memory_fail_each(count_windows, 10);
	memory_fail_each(count_background, 10);
	close_bench();
}

/* Counters that are read through reports. */
static void count_reports(void)
{
	struct tacho_session *session = make_session(NULL);
	struct tacho_result *result;
	tacho_range range;
	int ended;

	TWICE(tacho_session_begin_pass(session));
	TWICE(tacho_session_begin_range(session, 0, 1, "range", &range));
	submit(&kernel);
	ended = memory_settle(tacho_session_end_range(session, range)) || has_ended(session);
	ended |= memory_settle(tacho_session_end_pass(session, NULL)) != 0;
	result = take(session);
	for (size_t i = 0; i < tacho_result_get_row_count(result); i++) {
		/* 0.1 ms: 1250 ticks of 80 ns, 40000 clocks of 400 MHz */
		expect(result, i, "GpuTime", 100000, ended);
		expect(result, i, "GpuCoreClocks", 40000, ended);
	}
	tacho_result_destroy(result);
	tacho_session_destroy(session);
}

static void stream_reports(void)
{
	const struct tacho_oa_stream_options options = {.period_ns = NS_PER_MS};
	struct tacho_oa_stream *stream;
	struct tacho_oa_record record;

	TWICE(tacho_oa_stream_open(bench.device, &options, &stream));
	assert_int_equal(tacho_oa_stream_next(stream, 10000, &record), 1);
	assert_int_equal(record.size, 256);
	tacho_oa_stream_close(stream);
}

static void test_sim_reports(void **state)
{
	static const char *const names[] = {"GpuTime", "GpuCoreClocks", NULL};

	assert_true(open_bench("sim:bsw", "bsw", names));
	memory_fail_each(count_reports, 10);
	memory_fail_each(stream_reports, 3);
	close_bench();
}

static uint64_t expected_needed;

static void find_needed(void)
{
	const struct tacho_entry *entry = tacho_config_get_definition(bench.config, 0);
	struct tacho_sim_kernels *kernels;
	uint64_t needed;

	TWICE(tacho_sim_get_needed_work(bench.device, entry, &needed));
	if (!expected_needed)
		expected_needed = needed; /* asked for with all memory there */
	assert_int_equal(needed, expected_needed);
	TWICE(tacho_sim_kernels_read(NULL, &kernels));
	tacho_sim_kernels_destroy(kernels);
}

static void test_sim_launches(void **state)
{
	static const char *const names[] = {"MeanOccupancyPerCU", NULL};

	assert_true(open_bench("sim:mi300x", "mi300x", names));
	find_needed();
	memory_fail_each(find_needed, 3);
	close_bench();
}

/* ---- counting with the kernel ---- */

/* Without the address sanitizer's own memory, which has pages to touch too. */
__attribute__((no_sanitize("address"))) static void touch_pages(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *memory = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise((void *)memory, PAGES * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < PAGES; i++)
		memory[i * page] = 1;
	munmap((void *)memory, PAGES * page);
}

/* Every page is counted, by each of the counters. */
static void expect_pages(const struct tacho_result *result, int ended)
{
	static const char *const names[] = {"page-faults", "minor-faults"};

	for (size_t i = 0; i < tacho_result_get_row_count(result); i++)
		for (size_t k = 0; k < 2; k++) {
			const struct tacho_column *column =
				tacho_result_find_column(result, names[k]);
			uint8_t state = tacho_column_get_state(column, i, 0);

			if (state == TACHO_STATE_ABSENT && ended)
				continue;
			assert_int_equal(state, TACHO_STATE_OK);
			assert_true(tacho_column_get_value(column, i, 0) >= PAGES);
		}
}

static int wants_all(void *user, int64_t thread)
{
	return 1;
}

static struct tacho_session_options perf_options;

static void count_events(void)
{
	struct tacho_session *session = make_session(&perf_options);
	struct tacho_result *result;
	tacho_range range;
	int ended;

	TWICE(tacho_session_begin_pass(session));
	TWICE(tacho_session_begin_range(session, 0, 1, "range", &range));
	touch_pages();
	ended = memory_settle(tacho_session_end_range(session, range)) || has_ended(session);
	ended |= memory_settle(tacho_session_end_pass(session, NULL)) != 0;
	result = take(session);
	if (!ended)
		assert_int_equal(tacho_result_get_row_count(result), 1);
	expect_pages(result, ended);
	tacho_result_destroy(result);
	tacho_session_destroy(session);
}

/* One window; it comes when the pass ends. */
static void count_event_windows(void)
{
	const struct tacho_session_options options = {.size = sizeof(options),
						      .window_ns = UINT64_C(1000) * NS_PER_MS};
	struct tacho_session *session = make_session(&options);
	struct tacho_result *result;
	int ended;

	touch_pages();
	ended = memory_settle(tacho_session_end_pass(session, NULL)) != 0;
	ended |= has_ended(session);
	result = take(session);
	if (!ended)
		assert_true(tacho_result_get_row_count(result) >= 1);
	if (tacho_result_get_row_count(result) == 1)
		expect_pages(result, ended);
	tacho_result_destroy(result);
	tacho_session_destroy(session);
}

static void test_perf_count(void **state)
{
	static const char *const names[] = {"page-faults", "minor-faults", NULL};
	size_t descriptors = count_descriptors();

	if (!open_bench("perf", "perf:linux", names))
		skip();
	perf_options = (struct tacho_session_options){.size = sizeof(perf_options)};
	memory_fail_each(count_events, 10);
	perf_options.wants_thread = wants_all;
	memory_fail_each(count_events, 10);
	memory_fail_each(count_event_windows, 10);
	close_bench();
	assert_int_equal(count_descriptors(), descriptors);
}

static int reset(void **state)
{
	memory_reset();
	bench.root[0] = '\0';
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_sim_open, reset),
		cmocka_unit_test_setup(test_perf_open, reset),
		cmocka_unit_test_setup(test_define, reset),
		cmocka_unit_test_setup(test_sim_count, reset),
		cmocka_unit_test_setup(test_sim_reports, reset),
		cmocka_unit_test_setup(test_sim_launches, reset),
		cmocka_unit_test_setup(test_perf_count, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
