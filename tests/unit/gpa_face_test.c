/* SPDX-License-Identifier: MIT */
/*
 * Every function of the GPUPerfAPI face in every state, over a device that is made here. Numbers
 * are the API's own: 2 counters not open, 12 not enough passes ...
 */
#include "gpa_face.h"

#include "tacho/error.h"

/* ---- without a context ---- */

static void nothing_works_without_a_context(void **state)
{
	gpa_uint32 number;
	gpa_uint64 number64;
	gpa_float32 real;
	gpa_float64 real64;
	const char *text;
	gpa_bool flag;
	GPA_Type type;
	GPA_Usage_Type usage;

	expect(2, api.CloseContext());
	expect(2, api.SelectContext(&fake));
	expect(2, api.GetNumCounters(&number));
	expect(2, api.GetNumCounters(NULL));
	expect(2, api.GetCounterName(0, &text));
	expect(2, api.GetCounterDescription(0, &text));
	expect(2, api.GetCounterDataType(0, &type));
	expect(2, api.GetCounterUsageType(0, &usage));
	expect(2, api.EnableCounter(0));
	expect(2, api.DisableCounter(0));
	expect(2, api.EnableCounterStr("Wavefronts"));
	expect(2, api.DisableCounterStr("Wavefronts"));
	expect(2, api.GetCounterIndex("Wavefronts", &number));
	expect(2, api.EnableAllCounters());
	expect(2, api.DisableAllCounters());
	expect(2, api.GetEnabledCount(&number));
	expect(2, api.GetEnabledIndex(0, &number));
	gpa_seen = (struct gpa_seen){0};
	assert_int_equal(api.IsCounterEnabled(0), 2);
	expect(2, api.GetPassCount(&number));
	expect(2, api.BeginSession(&number));
	expect(2, api.BeginSession(NULL));
	expect(2, api.EndSession());
	expect(2, api.BeginPass());
	expect(2, api.EndPass());
	expect(2, api.BeginSample(0));
	expect(2, api.EndSample());
	expect(2, api.GetSampleCount(1, &number));
	expect(2, api.IsSampleReady(&flag, 1, 0));
	expect(2, api.IsSampleReady(NULL, 1, 0));
	expect(2, api.IsSessionReady(&flag, 1));
	expect(2, api.GetSampleUInt64(1, 0, 0, &number64));
	expect(2, api.GetSampleUInt32(1, 0, 0, &number));
	expect(2, api.GetSampleFloat64(1, 0, 0, &real64));
	expect(2, api.GetSampleFloat32(1, 0, 0, &real));
	expect(2, api.GetDeviceID(&number));
	expect(2, api.GetDeviceDesc(&text));
}

/* Where the pointer comes before the context. */
static void null_is_seen_first(void **state)
{
	gpa_uint32 number;

	expect(1, api.OpenContext(NULL));
	expect(1, api.SelectContext(NULL));
	expect(1, api.GetPassCount(NULL));
	expect(1, api.GetSampleCount(1, NULL));
	expect(1, api.GetSampleUInt64(1, 0, 0, NULL));
	expect(1, api.GetSampleUInt32(1, 0, 0, NULL));
	expect(1, api.GetSampleFloat64(1, 0, 0, NULL));
	expect(1, api.GetSampleFloat32(1, 0, 0, NULL));
	expect(1, api.GetCounterIndex(NULL, &number));
	expect(1, api.GetCounterIndex("Wavefronts", NULL));
	expect(1, api.EnableCounterStr(NULL));
	expect(1, api.DisableCounterStr(NULL));
}

/* ---- contexts ---- */

static void contexts_open_and_close(void **state)
{
	gpa_uint32 session, number;
	const char *text;

	open_fake();
	expect(3, api.OpenContext(&fake));
	expect(0, api.GetDeviceDesc(&text));
	assert_string_equal(text, "fake");
	expect(1, api.GetDeviceDesc(NULL));
	expect(5, api.GetDeviceID(&number));
	expect(1, api.GetDeviceID(NULL));
	expect(2, api.SelectContext(&other));
	expect(0, api.OpenContext(&other)); /* the newest is selected */
	expect(0, api.EnableCounter(2));
	expect(0, api.SelectContext(&fake));
	expect(0, api.GetEnabledCount(&number));
	assert_int_equal(number, 0);
	expect(0, api.EnableCounter(0));
	expect(0, api.BeginSession(&session));
	assert_int_equal(session, 1);
	expect(11, api.CloseContext());
	expect(0, api.SelectContext(&other)); /* also while a session of another is open */
	expect(0, api.BeginSession(&session));
	assert_int_equal(session, 1); /* numbers are each context's own */
	expect(12, api.EndSession());
	expect(0, api.CloseContext());
	assert_int_equal(other.units, 0);
	expect(10, api.BeginSession(&session)); /* the first that is open is selected now */
	expect(12, api.EndSession());
	expect(0, api.CloseContext());
	expect(2, api.CloseContext());
	open_fake(); /* and again: numbers start anew */
	expect(0, api.EnableCounter(0));
	expect(0, api.BeginSession(&session));
	assert_int_equal(session, 1);
}

/* The order is asked for in AMD's guide, but was never enforced. */
static void initializing_is_not_enforced(void **state)
{
	expect(0, api.Destroy());
	open_fake();
	assert_non_null(strstr(gpa_seen.last, "GPA_Initialize was not called"));
	expect(0, api.Initialize());
	assert_int_equal(gpa_seen.messages, 1);
	expect(0, api.Initialize());
	expect(0, api.CloseContext());
	expect(0, api.Destroy());
	expect(0, api.Destroy());
}

static void refusals_say_why(void **state)
{
	static const struct {
		int code;
		GPA_Status status;
	} cases[] = {
		{TACHO_E_NODEVICE, 27}, {TACHO_E_UNSUPPORTED, 27}, {TACHO_E_NOTFOUND, 27},
		{TACHO_E_VERSION, 28},	{TACHO_E_PERM, 26},	   {TACHO_E_BUSY, 26},
		{TACHO_E_NOMEM, 26},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fake.open_code = cases[i].code;
		expect(cases[i].status, api.OpenContext(&fake));
		assert_non_null(strstr(gpa_seen.last, "its switch says 1"));
		assert_non_null(strstr(gpa_seen.last, "switch it off."));
		expect(2, api.CloseContext());
	}
}

/* ---- counters ---- */

static void counters_are_described(void **state)
{
	gpa_uint32 count, number;
	const char *text;
	GPA_Type type;
	GPA_Usage_Type usage;

	open_fake();
	expect(1, api.GetNumCounters(NULL));
	expect(0, api.GetNumCounters(&count));
	assert_int_equal(count, 20); /* OpenCL on gfx8 */
	for (gpa_uint32 i = 0; i < count; i++) {
		char name[64];

		expect(0, api.GetCounterName(i, &text));
		snprintf(name, sizeof(name), "%s", text);
		for (char *c = name; *c; c++)
			*c = (char)(*c >= 'a' && *c <= 'z' ? *c - 32 : *c);
		expect(0, api.GetCounterIndex(text, &number));
		assert_int_equal(number, i);
		expect(0, api.GetCounterIndex(name, &number)); /* case is ignored */
		assert_int_equal(number, i);
		expect(0, api.GetCounterDescription(i, &text));
		assert_int_equal(text[0], '#');
		assert_true(strchr(text + 1, '#') > text + 1);
		assert_true(strlen(strchr(text + 1, '#')) > 10);
		expect(0, api.GetCounterDataType(i, &type));
		assert_int_equal(type, GPA_TYPE_FLOAT64);
	}
	expect(0, api.GetCounterIndex("FetchSize", &number));
	expect(0, api.GetCounterUsageType(number, &usage));
	assert_int_equal(usage, GPA_USAGE_TYPE_KILOBYTES);
	expect(0, api.GetCounterIndex("VALUBusy", &number));
	expect(0, api.GetCounterUsageType(number, &usage));
	assert_int_equal(usage, GPA_USAGE_TYPE_PERCENTAGE);
	expect(0, api.GetCounterIndex("Wavefronts", &number));
	expect(0, api.GetCounterUsageType(number, &usage));
	assert_int_equal(usage, GPA_USAGE_TYPE_ITEMS);
	expect(5, api.GetCounterIndex("Wavefront", &number));
	expect(5, api.GetCounterIndex("", &number));
	/* the index before the pointer */
	expect(4, api.GetCounterName(count, NULL));
	expect(1, api.GetCounterName(0, NULL));
	expect(4, api.GetCounterDescription(count, NULL));
	expect(1, api.GetCounterDescription(0, NULL));
	expect(4, api.GetCounterDataType(count, NULL));
	expect(1, api.GetCounterDataType(0, NULL));
	expect(4, api.GetCounterUsageType(UINT32_MAX, NULL));
	expect(1, api.GetCounterUsageType(0, NULL));
}

/* ---- selection ---- */

static void counters_are_enabled(void **state)
{
	gpa_uint32 number = 77;

	open_fake();
	expect(4, api.EnableCounter(20));
	expect(0, api.EnableCounter(5));
	expect(6, api.EnableCounter(5));
	expect(0, api.EnableCounter(1));
	expect(0, api.EnableCounterStr("wavefronts"));
	expect(6, api.EnableCounterStr("Wavefronts"));
	expect(5, api.EnableCounterStr("no such counter"));
	expect(5, api.DisableCounterStr("no such counter"));
	expect(0, api.GetEnabledCount(&number));
	assert_int_equal(number, 3);
	expect(1, api.GetEnabledCount(NULL));
	expect(0, api.GetEnabledIndex(0, &number)); /* in the order of enabling */
	assert_int_equal(number, 5);
	expect(0, api.GetEnabledIndex(1, &number));
	assert_int_equal(number, 1);
	expect(1, api.GetEnabledIndex(3, NULL));
	expect(4, api.GetEnabledIndex(3, &number));
	assert_int_equal(number, 1); /* untouched */
	assert_int_equal(api.IsCounterEnabled(5), 0);
	gpa_seen = (struct gpa_seen){0};
	assert_int_equal(api.IsCounterEnabled(6), 5); /* an answer: no error is logged */
	assert_int_equal(gpa_seen.errors, 0);
	assert_int_equal(gpa_seen.messages, 1);
	expect(4, api.IsCounterEnabled(20));
	expect(4, api.DisableCounter(20));
	expect(8, api.DisableCounter(6));
	expect(0, api.DisableCounter(5));
	expect(8, api.DisableCounter(5));
	expect(0, api.GetEnabledIndex(0, &number));
	assert_int_equal(number, 1);
	expect(0, api.DisableCounterStr("WAVEFRONTS"));
	expect(8, api.DisableCounterStr("Wavefronts"));
	expect(0, api.EnableAllCounters()); /* never 6 */
	expect(0, api.GetEnabledCount(&number));
	assert_int_equal(number, 20);
	for (gpa_uint32 i = 0; i < 20; i++) {
		expect(0, api.GetEnabledIndex(i, &number));
		assert_int_equal(number, i);
	}
	expect(0, api.DisableAllCounters());
	expect(0, api.DisableAllCounters());
	expect(0, api.GetEnabledCount(&number));
	assert_int_equal(number, 0);
}

static void passes_are_counted(void **state)
{
	gpa_uint32 passes = 77, before = 0;

	open_fake();
	expect(0, api.GetPassCount(&passes));
	assert_int_equal(passes, 0);
	for (gpa_uint32 i = 0; i < 20; i++) { /* more counters never need fewer passes */
		expect(0, api.EnableCounter(i));
		expect(0, api.GetPassCount(&passes));
		assert_true(passes >= before);
		if (i == 2)
			assert_int_equal(passes, 1);
		before = passes;
	}
	assert_int_equal(passes, 2);
	expect(0, api.DisableAllCounters());
	expect(0, api.GetPassCount(&passes));
	assert_int_equal(passes, 0);
}

/* ---- sessions ---- */

static void calls_keep_their_order(void **state)
{
	gpa_uint32 session = 77, count;

	open_fake();
	expect(1, api.BeginSession(NULL));
	expect(7, api.BeginSession(&session));
	assert_int_equal(session, 77);
	expect(9, api.EndSession());
	expect(9, api.BeginPass());
	expect(9, api.EndPass());
	expect(9, api.BeginSample(0));
	expect(16, api.EndSample());
	enable_two_passes();
	expect(0, api.BeginSession(&session));
	assert_int_equal(session, 1);
	expect(10, api.BeginSession(&session));
	expect(1, api.BeginSession(NULL));
	expect(19, api.EnableCounter(0));
	expect(4, api.EnableCounter(20));
	expect(19, api.DisableCounter(0));
	expect(19, api.EnableCounterStr("Wavefronts"));
	expect(19, api.DisableCounterStr("Wavefronts"));
	expect(19, api.EnableAllCounters());
	expect(19, api.DisableAllCounters());
	expect(14, api.EndPass());
	expect(14, api.BeginSample(0));
	expect(16, api.EndSample());
	expect(0, api.BeginPass());
	expect(15, api.BeginPass());
	expect(13, api.EndSession());
	expect(16, api.EndSample());
	expect(0, api.BeginSample(4000000000u));
	expect(17, api.BeginSample(1));
	expect(18, api.EndPass());
	expect(15, api.BeginPass());
	expect(13, api.EndSession());
	expect(0, api.EndSample());
	expect(16, api.EndSample());
	expect(17, api.BeginSample(4000000000u)); /* the number was used in this pass */
	expect(0, api.GetSampleCount(1, &count));
	assert_int_equal(count, 1);
	expect(0, api.EndPass());
	expect(14, api.EndPass());
	expect(0, api.BeginPass());
	expect(0, api.BeginSample(4000000000u));
	expect(0, api.EndSample());
	expect(0, api.EndPass());
	expect(0, api.EndSession());
	expect(9, api.EndSession());
}

static void too_few_passes_end_the_session(void **state)
{
	gpa_uint32 session, count;
	gpa_bool ready = 1;
	double value = 7;

	open_fake();
	enable_two_passes();
	expect(0, api.BeginSession(&session));
	expect(0, api.BeginPass());
	expect(0, api.BeginSample(1));
	expect(0, api.EndSample());
	expect(0, api.EndPass());
	expect(12, api.EndSession());
	expect(9, api.EndSession()); /* it is over */
	expect(0, api.IsSessionReady(&ready, session));
	assert_int_equal(ready, 0);
	ready = 1;
	expect(22, api.IsSampleReady(&ready, session, 1));
	assert_int_equal(ready, 0);
	expect(24, api.GetSampleFloat64(session, 1, 0, &value));
	expect(21, api.GetSampleFloat64(session, 2, 0, &value));
	assert_true(value == 7);
	expect(0, api.GetSampleCount(session, &count));
	assert_int_equal(count, 1);
	expect(0, api.BeginSession(&session));
	assert_int_equal(session, 2);
}

static void other_samples_in_a_pass(void **state)
{
	gpa_uint32 session, count;
	gpa_bool ready;
	double value;

	open_fake();
	enable_two_passes();
	expect(0, api.BeginSession(&session));
	for (int pass = 0; pass < 2; pass++) {
		expect(0, api.BeginPass());
		for (gpa_uint32 i = 1; i <= 2u - (unsigned)pass; i++) {
			expect(0, api.BeginSample(i));
			expect(0, api.EndSample());
		}
		expect(pass ? 25 : 0, api.EndPass());
	}
	expect(14, api.EndPass()); /* it ended all the same */
	expect(0, api.EndSession());
	expect(0, api.GetSampleCount(session, &count));
	assert_int_equal(count, 2); /* of the first pass */
	expect(0, api.IsSampleReady(&ready, session, 1));
	assert_int_equal(ready, 1);
	expect(22, api.IsSampleReady(&ready, session, 2));
	expect(22, api.IsSampleReady(&ready, session, 3));
	expect(0, api.GetSampleFloat64(session, 1, index_of("Wavefronts"), &value));
	assert_true(value == 1000);
	/* the same number of samples, but others */
	session = run((const char *[]){"12", "13"}, 2);
	expect(22, api.IsSampleReady(&ready, session, 2));
	expect(22, api.IsSampleReady(&ready, session, 3));
	expect(0, api.IsSampleReady(&ready, session, 1));
}

/* Numbers may rise one by one, or not, or run over; in the next pass they come in another order. */
static void samples_in_any_order(void **state)
{
	static const gpa_uint32 ids[] = {4294967294u, 4294967295u, 0, 7, 1, 6, 2, 4294967293u};
	enum { COUNT = sizeof(ids) / sizeof(*ids) };
	gpa_uint32 session, wavefronts;
	gpa_bool ready;
	double value;

	open_fake();
	enable_two_passes();
	expect(0, api.BeginSession(&session));
	for (int pass = 0; pass < 2; pass++) {
		expect(0, api.BeginPass());
		for (size_t i = 0; i < COUNT; i++) {
			expect(0, api.BeginSample(ids[pass ? COUNT - 1 - i : i]));
			expect(0, api.EndSample());
		}
		for (size_t i = 0; i < COUNT; i++)
			expect(17, api.BeginSample(ids[i]));
		expect(0, api.EndPass());
	}
	expect(0, api.EndSession());
	wavefronts = index_of("Wavefronts"); /* it is counted in the first pass */
	for (size_t i = 0; i < COUNT; i++) {
		expect(0, api.IsSampleReady(&ready, session, ids[i]));
		expect(0, api.GetSampleFloat64(session, ids[i], wavefronts, &value));
		assert_true(value == 1000.0 * (double)(i + 1));
	}
	expect(22, api.IsSampleReady(&ready, session, 3));
	expect(22, api.IsSampleReady(&ready, session, 4294967292u));
}

/* Destroy takes everything along, an open session too. */
static void destroy_leaves_nothing(void **state)
{
	gpa_uint32 session;

	open_fake();
	expect(0, api.OpenContext(&other));
	enable_two_passes();
	run((const char *[]){"1", "1"}, 2);
	expect(0, api.BeginSession(&session));
	expect(0, api.BeginPass());
	expect(0, api.BeginSample(1));
	assert_int_equal(other.ranges, 1);
	expect(0, api.Destroy());
	assert_int_equal(gpa_seen.messages, 1);
	assert_int_equal(fake.units + other.units + other.collections, 0);
	other.ranges = 0; /* its collection is gone, and the range with it */
	expect(2, api.EndSample());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, gpa_setup, gpa_teardown)
		T(nothing_works_without_a_context),
		T(null_is_seen_first),
		T(contexts_open_and_close),
		T(initializing_is_not_enforced),
		T(refusals_say_why),
		T(counters_are_described),
		T(counters_are_enabled),
		T(passes_are_counted),
		T(calls_keep_their_order),
		T(too_few_passes_end_the_session),
		T(other_samples_in_a_pass),
		T(samples_in_any_order),
		T(destroy_leaves_nothing),
	};

	gpa_load(getenv("TACHO_GPA_FAKE"), &api);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
