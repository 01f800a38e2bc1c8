/* SPDX-License-Identifier: MIT */
/*
 * What libGPUPerfAPICL.so says of queues that it cannot count on, and that nothing of ours remains
 * at the driver, which is made here (opencl_fake.c).
 */
#include "gpa_api.h"

#include <dirent.h>

#include "opencl_fake.h"

enum { PROFILING = 2, OUT_OF_ORDER = 1 };

static struct gpa_api api;
static struct opencl_fake fake;

static int reset(void **state)
{
	fake = (struct opencl_fake){.version = "OpenCL 1.2 fake", .properties = PROFILING};
	return 0;
}

static void check_refusal(GPA_Status status, const char *value, const char *cure)
{
	expect(status, api.OpenContext(&fake));
	if (!strstr(gpa_seen.last, value) || !strstr(gpa_seen.last, "; the cure: ") ||
	    !strstr(strstr(gpa_seen.last, "; the cure: "), cure))
		fail_msg("no \"%s\" and \"%s\" in: %s", value, cure, gpa_seen.last);
	expect(2, api.CloseContext());
	assert_int_equal(fake.queue_references, 0);
}

static void refusals_have_the_value_and_the_cure(void **state)
{
	fake.version = "OpenCL 1.1 old";
	check_refusal(28, "OpenCL 1.1", "install a driver with OpenCL 1.2 or later");
	fake.version = "OpenCL 1.2 fake";
	fake.properties = 0;
	check_refusal(27, "0x0", "CL_QUEUE_PROFILING_ENABLE");
	fake.properties = OUT_OF_ORDER;
	check_refusal(27, "0x1", "CL_QUEUE_PROFILING_ENABLE");
	fake.properties = PROFILING;
	fake.info_error = -36;
	check_refusal(26, "CL_INVALID_COMMAND_QUEUE", "cl_command_queue");
	fake.info_error = 0;
	fake.retain_error = -5;
	check_refusal(26, "CL_OUT_OF_RESOURCES", "cl_command_queue");
	fake.retain_error = 0;
	expect(0, api.OpenContext(&fake));
	expect(0, api.CloseContext());
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

static gpa_uint32 take_samples(unsigned count)
{
	gpa_uint32 session;

	expect(0, api.BeginSession(&session));
	expect(0, api.BeginPass());
	for (gpa_uint32 i = 0; i < count; i++) {
		fake.now_ns += 1000;
		expect(0, api.BeginSample(i));
		fake.now_ns += 2000;
		expect(0, api.EndSample());
	}
	expect(0, api.EndPass());
	expect(0, api.EndSession());
	return session;
}

/* Sessions that were read, that were not, and that are open when the context goes. */
static void nothing_remains(void **state)
{
	unsigned files = count_files();
	gpa_uint32 session, index;
	double value;

	expect(0, api.OpenContext(&fake));
	assert_int_equal(fake.queue_references, 1);
	expect(0, api.GetCounterIndex("GPUTime", &index));
	expect(0, api.EnableCounter(index));
	session = take_samples(3);
	expect(0, api.GetSampleFloat64(session, 2, index, &value));
	assert_true(value == 0.002);
	assert_int_equal(fake.events, 0);
	take_samples(100);
	assert_int_equal(fake.events, 200);
	expect(0, api.CloseContext());
	assert_int_equal(fake.events + fake.queue_references, 0);
	expect(0, api.OpenContext(&fake));
	expect(0, api.EnableCounter(index));
	take_samples(5);
	expect(0, api.BeginSession(&session));
	expect(0, api.BeginPass());
	expect(0, api.BeginSample(7));
	expect(0, api.Destroy());
	assert_int_equal(fake.events + fake.queue_references, 0);
	assert_int_equal(count_files(), files);
}

/* The device is lost, or a marker cannot be put: an error with the driver's own word. */
static void failures_of_the_driver(void **state)
{
	gpa_uint32 session;

	expect(0, api.OpenContext(&fake));
	expect(0, api.EnableAllCounters());
	expect(0, api.BeginSession(&session));
	expect(0, api.BeginPass());
	fake.enqueue_error = -5;
	expect(26, api.BeginSample(1));
	assert_non_null(strstr(gpa_seen.last, "CL_OUT_OF_RESOURCES"));
	fake.enqueue_error = 0;
	expect(0, api.BeginSample(1));
	fake.enqueue_error = -5;
	expect(26, api.EndSample());
	expect(16, api.EndSample());
	expect(0, api.EndPass());
	expect(0, api.EndSession());
	expect(0, api.CloseContext());
	assert_int_equal(fake.events + fake.queue_references, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(refusals_have_the_value_and_the_cure, reset),
		cmocka_unit_test_setup(nothing_remains, reset),
		cmocka_unit_test_setup(failures_of_the_driver, reset),
	};

	unsetenv("TACHO_SIM");
	gpa_load(getenv("TACHO_GPA_CL"), &api);
	api.RegisterLoggingCallback(GPA_LOGGING_ERROR_AND_MESSAGE, gpa_on_message);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
