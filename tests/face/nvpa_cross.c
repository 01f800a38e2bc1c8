/* SPDX-License-Identifier: MIT */
#include "nvpa_cross.h"

#include "gpa_api.h"
#include "nvperfapi_user_impl.h"
#include "tacho/config.h"
#include "tacho/error.h"

enum { COUNTERS_MAX = 256 };

static const struct cross_world *world;
static struct gpa_api gpa;
static const char *names[COUNTERS_MAX];
static gpa_uint32 indices[COUNTERS_MAX], count;

/* ---- GPUPerfAPI ---- */

static void enable(void)
{
	gpa_uint32 all = 0;
	const char *name;

	expect(0, gpa.GetNumCounters(&all));
	count = 0;
	for (gpa_uint32 i = 0; i < all && count < COUNTERS_MAX; i++) {
		expect(0, gpa.GetCounterName(i, &name));
		if (!world->is_compared(name))
			continue;
		expect(0, gpa.EnableCounter(i));
		names[count] = name;
		indices[count++] = i;
	}
	assert_true(count > 0);
}

static gpa_uint32 measure_gpa(void)
{
	gpa_uint32 session = 0, passes = 0;

	expect(0, gpa.GetPassCount(&passes));
	expect(0, gpa.BeginSession(&session));
	for (gpa_uint32 pass = 0; pass < passes; pass++) {
		expect(0, gpa.BeginPass());
		for (int sample = 0; sample < world->samples; sample++) {
			expect(0, gpa.BeginSample((gpa_uint32)sample));
			world->work(CROSS_GPA, sample);
			expect(0, gpa.EndSample());
		}
		expect(0, gpa.EndPass());
	}
	expect(0, gpa.EndSession());
	printf("GPUPerfAPI: %u counters in %u passes\n", count, passes);
	return session;
}

/* False: there is no value. */
static bool read_gpa(gpa_uint32 session, gpa_uint32 sample, gpa_uint32 index, double *out_value)
{
	GPA_Type type;
	gpa_uint64 whole = 0;
	GPA_Status status;

	expect(0, gpa.GetCounterDataType(index, &type));
	if (type == GPA_TYPE_FLOAT64)
		return !gpa.GetSampleFloat64(session, sample, index, out_value);
	assert_int_equal(type, GPA_TYPE_UINT64);
	status = gpa.GetSampleUInt64(session, sample, index, &whole);
	*out_value = (double)whole;
	return !status;
}

/* ---- PerfWorks ---- */

#define CHECK(call)                                                                              \
	do {                                                                                     \
		NVPA_Status status_ = (call);                                                    \
		if (status_)                                                                     \
			fail_msg("%s:%d: %s is %d: %s", __FILE__, __LINE__, #call, (int)status_, \
				 NVPA_GetErrorText());                                           \
	} while (0)

static NVPA_MetricId metrics[COUNTERS_MAX];

static NVPA_Config *make_config(void)
{
	NVPA_ActivityOptions *options;
	NVPA_Activity *activity;
	NVPA_Config *config;
	size_t device;

	CHECK(NVPA_Context_GetDeviceIndex(world->nvpa, 0, &device));
	CHECK(NVPA_ActivityOptions_Create(&options));
	CHECK(NVPA_ActivityOptions_SetActivityKind(options, NVPA_ACTIVITY_KIND_PROFILER));
	CHECK(NVPA_Activity_CreateForDevice(device, options, &activity));
	CHECK(NVPA_ActivityOptions_Destroy(options));
	for (gpa_uint32 i = 0; i < count; i++) {
		CHECK(NVPA_Activity_FindMetricByName(activity, names[i], &metrics[i]));
		CHECK(NVPA_Activity_EnableMetric(activity, metrics[i], NULL, NULL));
	}
	CHECK(NVPA_Config_Create(activity, &config));
	CHECK(NVPA_Activity_Destroy(activity));
	return config;
}

static NVPA_Results *measure_nvpa(void)
{
	NVPA_Config *config = make_config();
	NVPA_Results *results;
	bool is_ready = false;
	size_t passes = 0, runs = 0;

	CHECK(NVPA_Config_GetPassCount(config, 1, &passes));
	CHECK(NVPA_Context_BeginSession(world->nvpa, config));
	for (; !is_ready; runs++) {
		CHECK(NVPA_Context_BeginPass(world->nvpa));
		for (int sample = 0; sample < world->samples; sample++) {
			CHECK(NVPA_Object_PushRange(world->nvpa, (uint64_t)sample));
			world->work(CROSS_NVPA, sample);
			CHECK(NVPA_Object_PopRange(world->nvpa));
		}
		CHECK(NVPA_Context_EndPass(world->nvpa));
		CHECK(NVPA_Context_PredictDataReady(world->nvpa, &is_ready));
	}
	CHECK(NVPA_Context_Finish(world->nvpa));
	CHECK(NVPA_Context_ReadResults(world->nvpa, &results));
	CHECK(NVPA_Context_EndSession(world->nvpa));
	CHECK(NVPA_Config_Destroy(config));
	printf("PerfWorks: %zu passes\n", runs);
	assert_int_equal(runs, passes);
	return results;
}

static bool read_nvpa(const NVPA_Results *results, uint64_t sample, gpa_uint32 i, double *out_value)
{
	NVPA_Value value;
	size_t range;

	CHECK(NVPA_Results_FindRange(results, &sample, 1, &range));
	CHECK(NVPA_Results_GetValue(results, range, metrics[i], true, &value));
	*out_value = value.number;
	return value.state == NVPA_VALUE_OK;
}

/* ---- tacho's own ---- */

static void check_own(int rc)
{
	const struct tacho_error_detail *detail = tacho_error_last();

	if (rc)
		fail_msg("%s: %s", detail->message, detail->cause);
}

static void run_own(struct tacho_session *session)
{
	int more = 1;

	while (more) {
		check_own(tacho_session_begin_pass(session));
		for (int sample = 0; sample < world->samples; sample++) {
			check_own(tacho_session_push_range(session, (uint64_t)sample, NULL));
			world->work(CROSS_OWN, sample);
			check_own(tacho_session_pop_range(session));
		}
		check_own(tacho_session_end_pass(session, &more));
	}
}

static struct tacho_result *measure_own(void)
{
	struct tacho_config_entry entries[COUNTERS_MAX] = {{0}};
	struct tacho_config *config;
	struct tacho_plan *plan;
	struct tacho_session *session;
	struct tacho_result *result;

	for (gpa_uint32 i = 0; i < count; i++) {
		entries[i].name = names[i];
		entries[i].mode = TACHO_MODE_SERIALIZED;
	}
	check_own(tacho_config_create(tacho_device_get_arch(world->unit),
				      tacho_device_get_model(world->unit), entries, count,
				      &config));
	check_own(tacho_device_plan(world->unit, config, NULL, &plan));
	check_own(tacho_session_create(world->unit, plan, NULL, &session));
	run_own(session);
	check_own(tacho_session_drain(session, UINT64_MAX, NULL));
	check_own(tacho_session_take(session, &result));
	tacho_session_destroy(session);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	return result;
}

static bool read_own(const struct tacho_result *result, size_t sample, gpa_uint32 i,
		     double *out_value)
{
	const struct tacho_column *column = tacho_result_get_column(result, i);

	*out_value = tacho_column_get_value(column, sample, 0);
	return (tacho_column_get_state(column, sample, 0) & TACHO_STATE_MASK) == TACHO_STATE_OK;
}

/* ---- all three ---- */

int cross_compare(const char *library, const struct cross_world *world_)
{
	struct tacho_result *result;
	NVPA_Results *results;
	gpa_uint32 session;
	int compared = 0;

	world = world_;
	gpa_load(library, &gpa);
	expect(0, gpa.Initialize());
	expect(0, gpa.OpenContext(world->gpa));
	enable();
	session = measure_gpa();
	results = measure_nvpa();
	result = measure_own();
	for (gpa_uint32 i = 0; i < count; i++)
		for (int sample = 0; sample < world->samples; sample++) {
			double theirs = 0, nvpa = 0, own = 0;
			bool is_there = read_gpa(session, (gpa_uint32)sample, indices[i], &theirs);

			assert_int_equal(is_there, read_nvpa(results, (uint64_t)sample, i, &nvpa));
			assert_int_equal(is_there, read_own(result, (size_t)sample, i, &own));
			if (is_there && (nvpa != theirs || own != theirs))
				fail_msg("%s of sample %d: GPUPerfAPI %.17g, PerfWorks %.17g, "
					 "tacho %.17g",
					 names[i], sample, theirs, nvpa, own);
			compared += is_there;
		}
	tacho_result_destroy(result);
	CHECK(NVPA_Results_Destroy(results));
	CHECK(NVPA_UnregisterContext(world->nvpa));
	expect(0, gpa.CloseContext());
	printf("%d values are equal in all three\n", compared);
	return compared;
}
