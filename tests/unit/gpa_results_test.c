/* SPDX-License-Identifier: MIT */
/*
 * Values through the GPUPerfAPI face, over a device that is made here. Numbers are the API's own:
 * 20 no such session, 24 a value that cannot be read ...
 */
#include "gpa_face.h"

#include "tacho/error.h"
#include "tacho/result.h"

static void values_are_read(void **state)
{
	gpa_uint32 session, wavefronts, fetch, number = 77;
	gpa_uint64 number64 = 77;
	gpa_float32 real = 77;
	gpa_bool ready = 0;
	double value;

	open_fake();
	wavefronts = index_of("Wavefronts");
	fetch = index_of("FetchSize");
	enable_two_passes();
	/* one more than is needed: it counts nothing */
	session = run((const char *[]){"395", "395", "1"}, 3);
	expect(0, api.IsSessionReady(&ready, session));
	assert_int_equal(ready, 1);
	expect(0, api.GetSampleFloat64(session, 3, wavefronts, &value));
	assert_true(value == 1000);
	expect(0, api.GetSampleFloat64(session, 5, wavefronts, &value));
	assert_true(value == 3000);
	/* 16 channels x 2000 requests x 32 bytes are 1000 KB */
	expect(0, api.GetSampleFloat64(session, 9, fetch, &value));
	assert_true(value == 1000);
	/* the checks in their order */
	expect(1, api.GetSampleFloat64(session, 3, 99, NULL));
	expect(4, api.GetSampleFloat64(99, 3, 20, &value));
	expect(23, api.GetSampleUInt64(99, 99, fetch, &number64));
	expect(23, api.GetSampleUInt32(99, 99, fetch, &number));
	expect(23, api.GetSampleFloat32(99, 99, fetch, &real));
	expect(4, api.GetSampleUInt32(99, 99, 20, &number));
	assert_true(number == 77 && number64 == 77 && real == 77);
	expect(20, api.GetSampleFloat64(99, 3, wavefronts, &value));
	expect(20, api.GetSampleFloat64(0, 3, wavefronts, &value));
	expect(21, api.GetSampleFloat64(session, 4, wavefronts, &value));
	expect(21, api.GetSampleFloat64(session, 1, wavefronts, &value)); /* not counted */
	expect(20, api.IsSessionReady(&ready, 99));
	ready = 1;
	expect(20, api.IsSampleReady(&ready, 99, 3));
	assert_int_equal(ready, 0);
	expect(1, api.IsSampleReady(NULL, 99, 3));
	expect(1, api.IsSessionReady(NULL, 99));
	expect(20, api.GetSampleCount(99, &number));
	/* a counter that is disabled now cannot be read, one that was not enabled neither */
	expect(0, api.DisableCounter(fetch));
	expect(20, api.GetSampleFloat64(99, 9, fetch, &value));
	expect(8, api.GetSampleFloat64(session, 99, fetch, &value));
	expect(0, api.GetSampleFloat64(session, 9, wavefronts, &value));
	assert_true(value == 2000);
}

/* Another selection and order afterwards: a session keeps its own plan. */
static void a_session_keeps_its_plan(void **state)
{
	gpa_uint32 session, wavefronts, fetch;
	double value;

	open_fake();
	wavefronts = index_of("Wavefronts");
	fetch = index_of("FetchSize");
	expect(0, api.EnableCounter(wavefronts));
	expect(0, api.EnableCounter(fetch));
	session = run((const char *[]){"12"}, 1);
	expect(0, api.DisableAllCounters());
	expect(0, api.EnableCounter(index_of("VALUBusy")));
	expect(0, api.EnableCounter(fetch));
	expect(0, api.EnableCounter(wavefronts));
	expect(0, api.GetSampleFloat64(session, 2, wavefronts, &value));
	assert_true(value == 2000);
	expect(0, api.GetSampleFloat64(session, 2, fetch, &value));
	assert_true(value == 1000);
	expect(8, api.GetSampleFloat64(session, 2, index_of("VALUBusy"), &value));
}

static void six_sessions_keep_four(void **state)
{
	gpa_uint32 wavefronts, session, count;
	gpa_bool ready;
	double value;

	open_fake();
	wavefronts = index_of("Wavefronts");
	expect(0, api.EnableCounter(wavefronts));
	for (gpa_uint32 i = 1; i <= 6; i++) {
		session = run((const char *[]){"0123456"}, 1);
		assert_int_equal(session, i);
	}
	for (gpa_uint32 i = 1; i <= 2; i++) {
		expect(20, api.IsSessionReady(&ready, i));
		expect(20, api.IsSampleReady(&ready, i, 0));
		expect(20, api.GetSampleCount(i, &count));
		expect(20, api.GetSampleFloat64(i, 0, wavefronts, &value));
	}
	for (gpa_uint32 i = 3; i <= 6; i++) {
		expect(0, api.IsSessionReady(&ready, i));
		assert_int_equal(ready, 1);
		expect(0, api.GetSampleCount(i, &count));
		assert_int_equal(count, 7);
		expect(0, api.GetSampleFloat64(i, i, wavefronts, &value));
		assert_true(value == 1000.0 * (i + 1));
	}
	/* a session that is open takes the place of the oldest; the others can be read */
	expect(0, api.BeginSession(&session));
	expect(20, api.IsSessionReady(&ready, 3));
	expect(0, api.GetSampleFloat64(4, 0, wavefronts, &value));
	expect(0, api.IsSessionReady(&ready, session));
	assert_int_equal(ready, 0);
	expect(0, api.BeginPass());
	expect(0, api.BeginSample(1));
	expect(0, api.GetSampleFloat64(6, 6, wavefronts, &value));
	assert_true(value == 7000);
	expect(24, api.GetSampleFloat64(session, 1, wavefronts, &value));
}

static void values_come_late(void **state)
{
	gpa_uint32 session;
	gpa_bool ready = 1;
	double value;

	open_fake();
	expect(0, api.EnableCounterStr("Wavefronts"));
	fake.is_held = 1;
	session = run((const char *[]){"1"}, 1);
	expect(0, api.IsSessionReady(&ready, session));
	assert_int_equal(ready, 0);
	ready = 1;
	expect(0, api.IsSampleReady(&ready, session, 1));
	assert_int_equal(ready, 0);
	fake.is_held = 0;
	expect(0, api.IsSampleReady(&ready, session, 1));
	assert_int_equal(ready, 1);
	expect(0, api.GetSampleFloat64(session, 1, index_of("Wavefronts"), &value));
	assert_true(value == 1000);
}

/* What is no number is an error, not 0. */
static void states_are_errors(void **state)
{
	static const struct {
		uint8_t state;
		GPA_Status status;
	} cases[] = {
		{TACHO_STATE_OK, 0},	    {TACHO_STATE_SCALED, 0},  {TACHO_STATE_LOST, 24},
		{TACHO_STATE_OVERFLOW, 24}, {TACHO_STATE_ABSENT, 24},
	};
	double value;

	open_fake();
	expect(0, api.EnableCounterStr("Wavefronts"));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		gpa_uint32 session;

		fake.state = cases[i].state;
		session = run((const char *[]){"1"}, 1);
		expect(cases[i].status,
		       api.GetSampleFloat64(session, 1, index_of("Wavefronts"), &value));
		if (cases[i].state == TACHO_STATE_OVERFLOW)
			assert_non_null(strstr(gpa_seen.last, "a counter ran over"));
	}
}

static void a_device_that_fails(void **state)
{
	gpa_uint32 session;
	double value;

	open_fake();
	expect(0, api.EnableCounterStr("Wavefronts"));
	fake.begin_code = TACHO_E_PERM;
	expect(26, api.BeginSession(&session));
	fake.begin_code = 0;
	expect(9, api.EndSession());
	expect(0, api.BeginSession(&session));
	assert_int_equal(session, 1);
	fake.pass_code = TACHO_E_BUSY;
	expect(26, api.BeginPass());
	fake.pass_code = 0;
	expect(14, api.EndPass());
	expect(0, api.BeginPass());
	fake.range_begin_code = TACHO_E_VENDOR;
	expect(26, api.BeginSample(1));
	fake.range_begin_code = 0;
	expect(16, api.EndSample());
	expect(0, api.BeginSample(2));
	fake.range_end_code = TACHO_E_VENDOR;
	expect(26, api.EndSample());
	expect(16, api.EndSample()); /* it is over */
	expect(0, api.EndPass());
	expect(0, api.EndSession());
	expect(21, api.GetSampleFloat64(session, 1, index_of("Wavefronts"), &value));
	expect(24, api.GetSampleFloat64(session, 2, index_of("Wavefronts"), &value));
}

/* Whole numbers of the query counters, under any OpenGL. */
static void queries_are_whole(void **state)
{
	gpa_uint32 session, vertices, time, number;
	gpa_uint64 value;
	const char *text;
	GPA_Type type;
	double real;
	float real32;

	fake.arch = "any";
	fake.api = "gl";
	open_fake();
	vertices = index_of("IAVertices");
	time = index_of("D3DGPUTime");
	expect(0, api.GetCounterDescription(vertices, &text));
	assert_memory_equal(text, "#D3D11#", 7);
	expect(0, api.GetCounterDataType(vertices, &type));
	assert_int_equal(type, GPA_TYPE_UINT64);
	expect(0, api.GetCounterDataType(time, &type));
	assert_int_equal(type, GPA_TYPE_FLOAT64);
	expect(0, api.EnableCounter(vertices));
	expect(0, api.EnableCounter(time));
	expect(0, api.GetPassCount(&number));
	session = run((const char *[]){"12", "12", "12"}, number);
	expect(0, api.GetSampleUInt64(session, 2, vertices, &value));
	assert_int_equal(value, 2000);
	expect(23, api.GetSampleFloat64(session, 2, vertices, &real));
	expect(23, api.GetSampleUInt32(session, 2, vertices, &number));
	expect(23, api.GetSampleFloat32(session, 2, vertices, &real32));
	expect(23, api.GetSampleUInt64(session, 2, time, &value));
	expect(0, api.GetSampleFloat64(session, 2, time, &real));
	assert_true(real == 0.002); /* 2000 ns in ms */
	/* AMD's guide of 2015 lists this one without its s */
	assert_int_equal(index_of("GSInvocation"), index_of("GSInvocations"));
	/* 1000 to be stored, 2000 written, and an overflow: -1000 found no room */
	expect(0, api.EnableCounterStr("PrimsNotStored_S1"));
	expect(0, api.GetPassCount(&number));
	fake.doubled = "GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN_1";
	session = run((const char *[]){"1", "1", "1"}, number);
	expect(24, api.GetSampleUInt64(session, 1, index_of("PrimsNotStored_S1"), &value));
	assert_non_null(strstr(gpa_seen.last, "-1000"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, gpa_setup, gpa_teardown)
		T(values_are_read),   T(a_session_keeps_its_plan), T(six_sessions_keep_four),
		T(values_come_late),  T(states_are_errors),	   T(a_device_that_fails),
		T(queries_are_whole),
	};

	gpa_load(getenv("TACHO_GPA_FAKE"), &api);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
