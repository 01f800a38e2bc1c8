/* SPDX-License-Identifier: MIT */
/* Texts of the GPUPerfAPI face: names of statuses and types, and messages. */
#include "gpa_api.h"

#include "gpa_fake.h"

static struct gpa_api api;
static struct gpa_fake fake;

static int setup(void **state)
{
	fake = (struct gpa_fake){.arch = "gfx8", .api = "cl"};
	api.RegisterLoggingCallback(GPA_LOGGING_ALL, gpa_on_message);
	expect(0, api.Initialize());
	return 0;
}

/* Nothing of ours remains. */
static int teardown(void **state)
{
	expect(0, api.Destroy());
	assert_int_equal(fake.units + fake.collections + fake.ranges, 0);
	expect(0, api.RegisterLoggingCallback(GPA_LOGGING_NONE, NULL));
	return 0;
}

static void statuses_have_texts(void **state)
{
	assert_string_equal(api.GetStatusAsStr(0), "Ok");
	assert_string_equal(api.GetStatusAsStr(3), "Counters Already Opened");
	assert_string_equal(api.GetStatusAsStr(12), "Not Enough Passes");
	assert_string_equal(api.GetStatusAsStr(19), "Cannot Change Counters When Sampling");
	assert_string_equal(api.GetStatusAsStr(22), "Sample Not Found In All Passes");
	assert_string_equal(api.GetStatusAsStr(25), "Variable Number Of Samples In Passes");
	assert_string_equal(api.GetStatusAsStr(27), "Hardware Not Supported");
	assert_string_equal(api.GetStatusAsStr(28), "Driver Not Supported");
	assert_string_equal(api.GetStatusAsStr(29), "Unknown error");
	assert_string_equal(api.GetStatusAsStr(GPA_STATUS_INTERNAL), "Unknown error");
	assert_string_equal(api.GetStatusAsStr(GPA_STATUS_OK_HANDLED), "Unknown error");
	assert_string_equal(api.GetStatusAsStr((GPA_Status)-1), "Unknown error");
}

static void types_have_texts(void **state)
{
	static const char *const types[] = {"gpa_float32", "gpa_float64", "gpa_uint32",
					    "gpa_uint64",  "gpa_int32",	  "gpa_int64"};
	static const char *const usages[] = {"ratio", "percentage", "cycles",	"milliseconds",
					     "bytes", "items",	    "kilobytes"};
	const char *text;

	for (int i = 0; i < GPA_TYPE__LAST; i++) {
		expect(0, api.GetDataTypeAsStr((GPA_Type)i, &text));
		assert_string_equal(text, types[i]);
	}
	for (int i = 0; i < GPA_USAGE_TYPE__LAST; i++) {
		expect(0, api.GetUsageTypeAsStr((GPA_Usage_Type)i, &text));
		assert_string_equal(text, usages[i]);
	}
	expect(5, api.GetDataTypeAsStr(GPA_TYPE__LAST, NULL));
	expect(1, api.GetDataTypeAsStr(GPA_TYPE_FLOAT32, NULL));
	expect(5, api.GetDataTypeAsStr((GPA_Type)-1, &text));
	expect(5, api.GetUsageTypeAsStr(GPA_USAGE_TYPE__LAST, NULL));
	expect(1, api.GetUsageTypeAsStr(GPA_USAGE_TYPE_RATIO, NULL));
}

/* ---- messages ---- */

static char texts[16][256];
static unsigned text_count;

static void note_text(GPA_Logging_Type type, const char *text)
{
	snprintf(texts[text_count++ % 16], sizeof(texts[0]), "%d %s", (int)type, text);
}

static void messages_follow_the_mask(void **state)
{
	text_count = 0;
	assert_int_equal(api.RegisterLoggingCallback(GPA_LOGGING_MESSAGE, note_text), 0);
	assert_int_equal(text_count, 1);
	assert_string_equal(texts[0], "2 Logging callback registered successfully.");
	assert_int_equal(api.EndSession(), 2); /* an error: not asked for */
	assert_int_equal(text_count, 1);
	assert_int_equal(api.RegisterLoggingCallback(GPA_LOGGING_ERROR, NULL), 1);
	assert_int_equal(text_count, 1);
	/* the registration of before is still there */
	assert_int_equal(api.RegisterLoggingCallback(GPA_LOGGING_TRACE, note_text), 0);
	text_count = 0;
	assert_int_equal(api.EndSession(), 2);
	assert_int_equal(text_count, 2);
	assert_string_equal(texts[0], "4 Entering: GPA_EndSession.");
	assert_string_equal(texts[1], "4 Leaving: GPA_EndSession.");
	assert_int_equal(api.RegisterLoggingCallback(GPA_LOGGING_ERROR, note_text), 0);
	text_count = 0;
	assert_int_equal(api.EndSession(), 2);
	assert_int_equal(text_count, 1);
	assert_int_equal(api.RegisterLoggingCallback(GPA_LOGGING_NONE, NULL), 0);
	assert_int_equal(api.EndSession(), 2);
	assert_int_equal(text_count, 1);
}

/* A callback that calls the library, which would call it again and again. */
static void call_again(GPA_Logging_Type type, const char *text)
{
	gpa_uint32 count;

	assert_true(++text_count < 10);
	assert_int_equal(api.GetNumCounters(&count), 2);
	assert_int_equal(api.EnableCounter(0), 2);
	assert_string_equal(api.GetStatusAsStr(0), "Ok");
}

static void end_messages(GPA_Logging_Type type, const char *text)
{
	text_count++;
	assert_int_equal(api.RegisterLoggingCallback(GPA_LOGGING_NONE, NULL), 0);
}

static void close_all(GPA_Logging_Type type, const char *text)
{
	text_count++;
	api.Destroy();
}

/* The context goes while a message about it is told. */
static void callbacks_may_close(void **state)
{
	gpa_uint32 session;

	expect(0, api.OpenContext(&fake));
	assert_int_equal(api.RegisterLoggingCallback(GPA_LOGGING_ERROR, close_all), 0);
	text_count = 0;
	assert_int_equal(api.OpenContext(&fake), 3);
	assert_int_equal(api.GetNumCounters(&session), 2);
	assert_int_equal(text_count, 2);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(api.OpenContext(&fake), 0);
		assert_int_equal(api.EnableAllCounters(), 0);
		assert_int_equal(api.BeginSession(&session), 0);
		if (i) {
			assert_int_equal(api.EndSession(), 12);
			continue;
		}
		for (int pass = 0; pass < 2; pass++) {
			assert_int_equal(api.BeginPass(), 0);
			if (pass) {
				assert_int_equal(api.BeginSample(1), 0);
				assert_int_equal(api.EndSample(), 0);
			}
			assert_int_equal(api.EndPass(), pass ? 25 : 0);
		}
		assert_int_equal(fake.units, 0);
	}
	assert_int_equal(fake.units, 0);
	assert_int_equal(api.RegisterLoggingCallback(GPA_LOGGING_ALL, gpa_on_message), 0);
}

static void callbacks_may_call(void **state)
{
	text_count = 0;
	assert_int_equal(api.RegisterLoggingCallback(GPA_LOGGING_ALL, call_again), 0);
	assert_int_equal(text_count, 2); /* registered, leaving */
	assert_int_equal(api.EndSession(), 2);
	assert_int_equal(text_count, 5); /* entering, the error, leaving */
	assert_int_equal(api.RegisterLoggingCallback(GPA_LOGGING_ERROR, end_messages), 0);
	text_count = 0;
	assert_int_equal(api.EndSession(), 2);
	assert_int_equal(api.EndSession(), 2);
	assert_int_equal(text_count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		T(statuses_have_texts), T(types_have_texts),	T(messages_follow_the_mask),
		T(callbacks_may_call),	T(callbacks_may_close),
	};

	gpa_load(getenv("TACHO_GPA_FAKE"), &api);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
