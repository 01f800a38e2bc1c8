/* SPDX-License-Identifier: MIT */
/*
 * What Linux counts while the queue of a CPU works, through libGPUPerfAPICL.so. The driver is made
 * here (opencl_fake.c), so that the work of a sample is known: page faults and CPU time of this
 * program.
 */
#include "gpa_api.h"

#include <dirent.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "opencl_fake.h"

enum { PROFILING = 2, CPU = 2, PAGES = 500 };

static struct gpa_api api;
static struct opencl_fake fake;
static char log_text[64 * 1024];

static void on_message(GPA_Logging_Type type, const char *text)
{
	size_t used = strlen(log_text);

	gpa_on_message(type, text);
	snprintf(log_text + used, sizeof(log_text) - used, "%s\n", text);
}

static int reset(void **state)
{
	fake = (struct opencl_fake){
		.version = "OpenCL 3.0 fake", .properties = PROFILING, .type = CPU};
	log_text[0] = '\0';
	return 0;
}

static unsigned count_files(void)
{
	DIR *folder = opendir("/proc/self/fd");
	unsigned count = 0;

	assert_non_null(folder);
	while (readdir(folder))
		count++;
	closedir(folder);
	return count;
}

/* Every machine lets a process count its own page faults, or says why not. */
static bool open_and_find(const char *name, gpa_uint32 *out_index)
{
	expect(0, api.OpenContext(&fake));
	if (!api.GetCounterIndex(name, out_index))
		return true;
	assert_non_null(strstr(log_text, name));
	print_message("%s cannot be counted here: skipped\n%s", name, log_text);
	expect(0, api.CloseContext());
	return false;
}

static void fault(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);

	assert_ptr_not_equal(pages, MAP_FAILED);
	madvise(pages, PAGES * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < PAGES; i++)
		pages[i * page] = 1;
	munmap(pages, PAGES * page);
}

static void the_list(void **state)
{
	gpa_uint32 index, count;
	GPA_Type type;
	const char *text;

	if (!open_and_find("page-faults", &index))
		return;
	expect(0, api.GetCounterDataType(index, &type));
	assert_int_equal(type, GPA_TYPE_UINT64);
	expect(0, api.GetCounterDescription(index, &text));
	assert_memory_equal(text, "#CPU#", 5);
	expect(0, api.GetCounterIndex("task-clock", &index));
	expect(0, api.GetCounterDescription(index, &text));
	assert_non_null(strstr(text, "(nanoseconds)"));
	expect(0, api.GetNumCounters(&count));
	assert_true(count > 2);
	/* none is there that the kernel refuses: each can be enabled, in one pass with the others
	 */
	expect(0, api.EnableAllCounters());
	expect(0, api.GetPassCount(&count));
	assert_int_equal(count, 2); /* GPUTime is apart */
	expect(0, api.CloseContext());
	assert_int_equal(fake.queue_references, 0);
}

static void what_the_kernel_lacks_is_told(void **state)
{
	gpa_uint32 index;

	expect(0, api.OpenContext(&fake));
	if (api.GetCounterIndex("cycles", &index))
		assert_non_null(strstr(log_text, "cycles is left out: "));
	expect(0, api.CloseContext());
}

static gpa_uint64 count_faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (gpa_uint64)(usage.ru_minflt + usage.ru_majflt);
}

/* Page faults as the kernel keeps them for the process, inside a sample and around it. */
struct faults {
	gpa_uint64 inner, outer;
};

static void take_sample(gpa_uint32 id, struct faults *out_faults)
{
	gpa_uint64 outer = count_faults(), inner;

	fake.now_ns += 1000;
	expect(0, api.BeginSample(id));
	inner = count_faults();
	fake.now_ns += 3000;
	if (id == 1)
		fault();
	inner = count_faults() - inner;
	expect(0, api.EndSample());
	outer = count_faults() - outer;
	if (out_faults->inner > inner)
		out_faults->inner = inner;
	if (out_faults->outer < outer)
		out_faults->outer = outer;
}

/* Samples with and without work, GPUTime beside; the values are those of the work. */
static void counts_are_those_of_the_work(void **state)
{
	unsigned files = count_files();
	struct faults faults[3] = {{0}, {UINT64_MAX, 0}, {UINT64_MAX, 0}};
	gpa_uint32 index, time, session, passes;
	double milliseconds;

	if (!open_and_find("page-faults", &index))
		return;
	expect(0, api.GetCounterIndex("GPUTime", &time));
	expect(0, api.EnableCounter(index));
	expect(0, api.EnableCounter(time));
	expect(0, api.GetPassCount(&passes));
	assert_int_equal(passes, 2);
	expect(0, api.BeginSession(&session));
	for (gpa_uint32 pass = 0; pass < passes; pass++) {
		expect(0, api.BeginPass());
		take_sample(1, &faults[1]);
		take_sample(2, &faults[2]);
		expect(0, api.EndPass());
	}
	expect(0, api.EndSession());
	assert_true(faults[1].inner >= PAGES && faults[2].outer < PAGES);
	for (gpa_uint32 i = 1; i <= 2; i++) {
		gpa_uint64 value = UINT64_MAX;

		expect(0, api.GetSampleUInt64(session, i, index, &value));
		assert_in_range(value, faults[i].inner, faults[i].outer);
	}
	expect(0, api.GetSampleFloat64(session, 1, time, &milliseconds));
	assert_true(milliseconds == 0.003);
	expect(0, api.CloseContext());
	assert_int_equal(fake.events + fake.queue_references, 0);
	assert_int_equal(count_files(), files);
}

static gpa_uint64 read_clock_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (gpa_uint64)time.tv_sec * 1000000000u + (gpa_uint64)time.tv_nsec;
}

/* A thread alone: its CPU time at least, the time that elapsed at most. */
static void cpu_time_is_that_of_the_process(void **state)
{
	gpa_uint64 outer, inner, value = 0, none = 0;
	gpa_uint32 index, session;

	if (!open_and_find("task-clock", &index))
		return;
	expect(0, api.EnableCounter(index));
	expect(0, api.BeginSession(&session));
	expect(0, api.BeginPass());
	outer = read_clock_ns(CLOCK_MONOTONIC);
	expect(0, api.BeginSample(1));
	inner = read_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	while (read_clock_ns(CLOCK_PROCESS_CPUTIME_ID) - inner < 20 * 1000 * 1000)
		;
	inner = read_clock_ns(CLOCK_PROCESS_CPUTIME_ID) - inner;
	expect(0, api.EndSample());
	outer = read_clock_ns(CLOCK_MONOTONIC) - outer;
	expect(0, api.BeginSample(2));
	expect(0, api.EndSample());
	expect(0, api.EndPass());
	expect(0, api.EndSession());
	expect(0, api.GetSampleUInt64(session, 1, index, &value));
	assert_in_range(value, inner - inner / 50, outer);
	expect(0, api.GetSampleUInt64(session, 2, index, &none));
	assert_true(none < value / 2);
	expect(0, api.CloseContext());
}

/* The queue is waited for at both ends, by a call of the driver's. */
static void the_queue_is_idle_at_both_ends(void **state)
{
	gpa_uint32 index, session;

	if (!open_and_find("page-faults", &index))
		return;
	expect(0, api.EnableCounter(index));
	expect(0, api.BeginSession(&session));
	expect(0, api.BeginPass());
	fake.status = 1;
	fake.calls_back = 1;
	expect(0, api.BeginSample(1));
	assert_int_equal(fake.callbacks, 1);
	expect(0, api.EndSample());
	assert_int_equal(fake.callbacks, 2);
	assert_int_equal(fake.markers, 2);
	assert_int_equal(fake.events, 0);
	/* one that never ends: no number then, and no program that hangs */
	fake.status = 0;
	expect(0, api.BeginSample(2));
	fake.status = 1;
	fake.calls_back = 0;
	expect(26, api.EndSample());
	assert_non_null(strstr(gpa_seen.last, "not idle after 10 s"));
	assert_non_null(fake.late);
	fake.late(NULL, 0, fake.late_user); /* it may come when nobody waits any more */
	fake.enqueue_error = -5;
	expect(26, api.BeginSample(3));
	assert_non_null(strstr(gpa_seen.last, "CL_OUT_OF_RESOURCES"));
	fake.enqueue_error = 0;
	expect(0, api.EndPass());
	expect(0, api.EndSession());
	expect(24, api.GetSampleUInt64(session, 2, index, &(gpa_uint64){0}));
	expect(0, api.CloseContext());
	assert_int_equal(fake.events + fake.queue_references, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_list, reset),
		cmocka_unit_test_setup(what_the_kernel_lacks_is_told, reset),
		cmocka_unit_test_setup(counts_are_those_of_the_work, reset),
		cmocka_unit_test_setup(cpu_time_is_that_of_the_process, reset),
		cmocka_unit_test_setup(the_queue_is_idle_at_both_ends, reset),
	};

	unsetenv("TACHO_SIM");
	gpa_load(getenv("TACHO_GPA_CL"), &api);
	api.RegisterLoggingCallback(GPA_LOGGING_ERROR_AND_MESSAGE, on_message);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
