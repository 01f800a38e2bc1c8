/* SPDX-License-Identifier: MIT */
/*
 * The libraries on simulated devices, all counters of each generation over all passes: the values
 * are those of a session of tacho's own on a device of the same model, and some are worked out by
 * hand.
 */
#include "gpa_api.h"

#include "tacho/config.h"
#include "tacho/plan.h"
#include "tacho/session.h"
#include "tacho/sim.h"

static const struct tacho_sim_work draw = {
	.size = sizeof(draw),
	.kind = TACHO_SIM_DRAW,
	.draw = {.vertices = 300,
		 .primitives = 100,
		 .culled_back = 30,
		 .pixels = 5000,
		 .targets = 2,
		 .vs = {.valu = 40},
		 .ps = {.valu = 60}},
};
/* 6400 items are 100 waves of 64 */
static const struct tacho_sim_work kernel = {
	.size = sizeof(kernel),
	.kind = TACHO_SIM_KERNEL,
	.grid = {6400, 1, 1},
	.workgroup = {64, 1, 1},
	.per_wave = {.valu = 50, .salu = 7, .vmem_read = 3},
	.bytes_read = 1 << 20,
};

struct device {
	struct tacho_context *context;
	struct tacho_device *device;
};

static void open_device(const char *backends, struct device *out_device)
{
	struct tacho_context_options options = {.size = sizeof(options), .backends = backends};

	assert_int_equal(tacho_context_create(&options, &out_device->context), 0);
	assert_int_equal(tacho_device_open(out_device->context,
					   tacho_context_get_device_info(out_device->context, 0),
					   &out_device->device),
			 0);
}

static void close_device(struct device *device)
{
	tacho_device_close(device->device);
	tacho_context_destroy(device->context);
}

/* Sample 7 has one work, sample 3 two. */
static void submit(struct tacho_device *device, const struct tacho_sim_work *work, int sample)
{
	for (int i = 0; i < (sample == 7 ? 1 : 2); i++)
		assert_int_equal(tacho_sim_submit(device, work, NULL), 0);
}

/* The same through tacho's own functions. */
static struct tacho_result *measure(struct device *device, const struct tacho_sim_work *work,
				    const struct tacho_config_entry *entries, size_t count,
				    gpa_uint32 *out_passes)
{
	struct tacho_config *config;
	struct tacho_plan *plan;
	struct tacho_session *session;
	struct tacho_result *result;
	int more = 1;

	assert_int_equal(tacho_config_create(tacho_device_get_arch(device->device),
					     tacho_device_get_model(device->device), entries, count,
					     &config),
			 0);
	assert_int_equal(tacho_device_plan(device->device, config, NULL, &plan), 0);
	assert_int_equal(tacho_session_create(device->device, plan, NULL, &session), 0);
	for (*out_passes = 0; more; ++*out_passes) {
		assert_int_equal(tacho_session_begin_pass(session), 0);
		for (int sample = 7; sample >= 3; sample -= 4) {
			tacho_range range;

			assert_int_equal(tacho_session_begin_range(session, 0, (uint64_t)sample,
								   NULL, &range),
					 0);
			submit(device->device, work, sample);
			assert_int_equal(tacho_session_end_range(session, range), 0);
		}
		assert_int_equal(tacho_session_end_pass(session, &more), 0);
	}
	assert_int_equal(tacho_session_drain(session, UINT64_MAX, NULL), 0);
	assert_int_equal(tacho_session_take(session, &result), 0);
	tacho_session_destroy(session);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	return result;
}

static gpa_uint32 run(const struct gpa_api *api, struct device *device,
		      const struct tacho_sim_work *work, gpa_uint32 passes)
{
	gpa_uint32 session;

	assert_int_equal(api->BeginSession(&session), 0);
	for (gpa_uint32 i = 0; i < passes; i++) {
		assert_int_equal(api->BeginPass(), 0);
		for (int sample = 7; sample >= 3; sample -= 4) {
			assert_int_equal(api->BeginSample((gpa_uint32)sample), 0);
			submit(device->device, work, sample);
			assert_int_equal(api->EndSample(), 0);
		}
		assert_int_equal(api->EndPass(), 0);
	}
	assert_int_equal(api->EndSession(), 0);
	return session;
}

static double read_one(const struct gpa_api *api, gpa_uint32 session, gpa_uint32 sample,
		       const char *name)
{
	gpa_uint32 index;
	double value = -1;

	expect(0, api->GetCounterIndex(name, &index));
	expect(0, api->GetSampleFloat64(session, sample, index, &value));
	return value;
}

/* Passes without a device, as tacho plan has them. */
static gpa_uint32 plan_passes(const struct tacho_device *device,
			      const struct tacho_config_entry *entries, size_t count)
{
	const struct tacho_arch *arch = tacho_device_get_arch(device);
	struct tacho_config *config;
	struct tacho_plan *plan;
	gpa_uint32 passes = 0;

	assert_int_equal(
		tacho_config_create(arch, tacho_device_get_model(device), entries, count, &config),
		0);
	assert_int_equal(tacho_plan_create(config, NULL, &plan), 0);
	while (tacho_plan_get_pass(plan, passes))
		passes++;
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	return passes;
}

/* `wanted` counters are public in this generation and API. */
static void check_values(const struct gpa_api *api, const char *backends, gpa_uint32 wanted,
			 const struct tacho_sim_work *work)
{
	struct device device, twin;
	struct tacho_result *result;
	struct tacho_config_entry entries[256] = {{0}};
	gpa_uint32 count, passes, own_passes, session;
	const char *text;

	open_device(backends, &device);
	open_device(backends, &twin);
	expect(0, api->OpenContext(device.device));
	expect(0, api->GetDeviceDesc(&text));
	assert_memory_equal(text, "[simulated] ", 12);
	expect(0, api->GetNumCounters(&count));
	assert_int_equal(count, wanted);
	expect(0, api->EnableAllCounters());
	expect(0, api->GetPassCount(&passes));
	assert_true(passes > 1);
	for (gpa_uint32 i = 0; i < count; i++) {
		expect(0, api->GetCounterName(i, &entries[i].name));
		expect(0, api->GetCounterDescription(i, &text));
		assert_int_equal(text[0], '#');
		text = strchr(text + 1, '#'); /* behind the group */
		assert_non_null(text);
		assert_memory_equal(text, "#[simulated] ", 13);
	}
	session = run(api, &device, work, passes);
	result = measure(&twin, work, entries, count, &own_passes);
	assert_int_equal(passes, own_passes);
	assert_int_equal(passes, plan_passes(device.device, entries, count));
	for (gpa_uint32 i = 0; i < count; i++) {
		const struct tacho_column *column = tacho_result_get_column(result, i);

		for (size_t row = 0; row < 2; row++) { /* samples 7 and 3 */
			uint8_t state = tacho_column_get_state(column, row, 0) & TACHO_STATE_MASK;
			double value = -1;

			expect(state == TACHO_STATE_OK ? 0 : 24,
			       api->GetSampleFloat64(session, row ? 3 : 7, i, &value));
			if (state == TACHO_STATE_OK)
				assert_true(value == tacho_column_get_value(column, row, 0));
		}
	}
	if (work == &draw) {
		assert_true(read_one(api, session, 7, "PSPixelsOut") == 10000); /* two targets */
		assert_true(read_one(api, session, 3, "PSPixelsOut") == 20000);
		assert_true(read_one(api, session, 7, "VSVerticesIn") == 300);
		assert_true(read_one(api, session, 3, "CulledPrims") == 60);
	} else {
		assert_true(read_one(api, session, 7, "Wavefronts") == 100);
		assert_true(read_one(api, session, 3, "Wavefronts") == 200);
		assert_true(read_one(api, session, 3, "VALUInsts") == 50); /* of each wave */
		assert_true(read_one(api, session, 7, "FetchSize") == 1024);
	}
	tacho_result_destroy(result);
	expect(0, api->CloseContext());
	close_device(&twin);
	close_device(&device);
}

static struct gpa_api cl, gl, gles, hsa;

static void opengl_generations(void **state)
{
	setenv("TACHO_SIM", "unit", 1);
	check_values(&gl, "sim:" GPA_SIM_DATA "/gfx6.yaml:gl", 68, &draw);
	check_values(&gl, "sim:" GPA_SIM_DATA "/gfx7.yaml:gl", 90, &draw);
	check_values(&gl, "sim:rx480:gl", 90, &draw);
	check_values(&gl, "sim:vega64:gl", 84, &draw);
}

static void opencl_generations(void **state)
{
	setenv("TACHO_SIM", "unit", 1);
	check_values(&cl, "sim:" GPA_SIM_DATA "/gfx6.yaml:cl", 18, &kernel);
	check_values(&cl, "sim:" GPA_SIM_DATA "/gfx7.yaml:cl", 20, &kernel);
	check_values(&cl, "sim:rx480:cl", 20, &kernel);
	check_values(&cl, "sim:vega64:cl", 21, &kernel);
	check_values(&cl, "sim:rx480:hsa", 20, &kernel);
	check_values(&cl, "sim:vega64:hsa", 20, &kernel);
}

static void further_libraries(void **state)
{
	setenv("TACHO_SIM", "unit", 1);
	check_values(&gles, "sim:rx480:gl", 90, &draw);
	check_values(&hsa, "sim:rx480:hsa", 20, &kernel);
	check_values(&hsa, "sim:vega64:hsa", 20, &kernel);
}

/* There HSA has a name of its own, and nothing behind it. */
static void hsa_is_simulated_only(void **state)
{
	gpa_uint32 count = 0, index;
	int handle;

	unsetenv("TACHO_SIM");
	expect(27, hsa.OpenContext(&handle));
	assert_non_null(strstr(gpa_seen.last, "simulated devices only"));
	assert_non_null(strstr(gpa_seen.last, "; the cure: set TACHO_SIM"));
	expect(2, hsa.GetNumCounters(&count));
	setenv("TACHO_SIM", "vega64", 1);
	expect(0, hsa.OpenContext(&handle));
	expect(0, hsa.GetNumCounters(&count));
	assert_int_equal(count, 20);
	expect(0, hsa.GetCounterIndex("Wavefronts", &index));
	assert_int_equal(index, 0);
	expect(0, hsa.CloseContext());
}

/* Of a thread without a context. */
static void opengl_es_needs_a_context(void **state)
{
	int handle;

	unsetenv("TACHO_SIM");
	expect(27, gles.OpenContext(&handle));
	assert_non_null(strstr(gpa_seen.last, "; the cure: "));
}

/* Any handle will do; each sample contains the work that docs/gpa.md states. */
static void any_handle(void **state)
{
	gpa_uint32 session, passes;
	int one, two;

	setenv("TACHO_SIM", "rx480", 1);
	expect(0, gl.OpenContext(&one));
	expect(0, gl.OpenContext(&two));
	expect(0, gl.SelectContext(&one));
	expect(0, gl.EnableAllCounters());
	expect(0, gl.GetPassCount(&passes));
	expect(0, gl.BeginSession(&session));
	for (gpa_uint32 i = 0; i < passes; i++) {
		expect(0, gl.BeginPass());
		expect(0, gl.BeginSample(0));
		expect(0, gl.EndSample());
		expect(0, gl.EndPass());
	}
	expect(0, gl.EndSession());
	assert_true(read_one(&gl, session, 0, "PSPixelsOut") == 20000);
	assert_true(read_one(&gl, session, 0, "VSVerticesIn") == 300);
	assert_true(read_one(&gl, session, 0, "GPUTime") > 0);
	expect(0, gl.CloseContext());
	expect(0, gl.CloseContext());
	setenv("TACHO_SIM", "rx580", 1);
	expect(27, gl.OpenContext(&one));
	setenv("TACHO_SIM", "rx480,perf", 1);
	expect(26, gl.OpenContext(&one));
}

struct wanted {
	gpa_uint32 index;
	const char *name;
	double value; /* below 0: absent */
};

/* docs/gpa.md's draw on the device; what no rule gives a value is absent. */
static void count_draw(const char *model, gpa_uint32 counters, const struct wanted *wanted,
		       size_t wanted_count)
{
	gpa_uint32 count, passes, session;
	const char *name;
	int handle;

	setenv("TACHO_SIM", model, 1);
	expect(0, gl.OpenContext(&handle));
	expect(0, gl.GetNumCounters(&count));
	assert_int_equal(count, counters);
	expect(0, gl.EnableAllCounters());
	expect(0, gl.GetPassCount(&passes));
	expect(0, gl.BeginSession(&session));
	for (gpa_uint32 i = 0; i < passes; i++) {
		expect(0, gl.BeginPass());
		expect(0, gl.BeginSample(0));
		expect(0, gl.EndSample());
		expect(0, gl.EndPass());
	}
	expect(0, gl.EndSession());
	for (size_t i = 0; i < wanted_count; i++) {
		double value = -1;

		expect(0, gl.GetCounterName(wanted[i].index, &name));
		assert_string_equal(name, wanted[i].name);
		expect(wanted[i].value < 0 ? 24 : 0,
		       gl.GetSampleFloat64(session, 0, wanted[i].index, &value));
		if (value != wanted[i].value)
			fail_msg("%s is %g", name, value);
	}
	expect(0, gl.CloseContext());
}

/* The counters of GPUPerfAPI 4.3 in its order, on a device of each generation. */
static void rdna_generations(void **state)
{
	static const struct wanted gfx11[] = {
		{0, "GPUTime",
		 170}, /* ns; 417 cycles of 2500 MHz are 167, and stamps are 10 apart */
		{2, "GPUBusyCycles", 417},
		{20, "VsGsVerticesIn", 300},
		{21, "VsGsPrimsIn", -1},
		{26, "PrimitivesIn", 100},
		{31, "PSPixelsOut", 20000},
		{61, "HiZQuadsAcceptedCount", 2500}, /* 10000 pixels */
		{67, "PreZSamplesPassing", 10000},
		{81, "ScalarCacheHit", -1},
		{109, "PcieBytes", -1},
	};

	static const struct wanted gfx10[] = {
		{0, "GPUTime", 720}, /* 1251 cycles of 1750 MHz are 715 */
		{2, "GPUBusyCycles", 1251},
		{20, "GSVerticesOut", 0},
		{37, "PrimitivesIn", 100},
		{42, "PSPixelsOut", 20000},
		{84, "HiZQuadsAcceptedCount", 2500},
		{98, "DBMemRead", -1},
		{102, "CBMemWritten", 80000}, /* 4 bytes each */
	};
	static const struct wanted gfx103[] = {
		{0, "GPUTime", 280}, /* 625 cycles of 2250 MHz are 278 */
		{21, "VsGsVALUInstCount", 40}, {22, "VsGsSALUInstCount", 10},
		{29, "PreTessVerticesIn", 0},  {44, "PSPixelsOut", 20000},
		{100, "CBMemWritten", 80000},  {127, "WriteUnitStalledCycles", 0},
	};
	static const struct wanted gfx12[] = {
		{0, "GPUTime", 250}, /* 625 cycles of 2500 MHz */
		{20, "VsGsVerticesIn", 300}, {22, "PreTessVerticesIn", 0},
		{31, "PSPixelsOut", 20000},  {58, "PostZQuadCount", 2500},
		{68, "CBMemWritten", 80000}, {73, "ScalarCacheHit", -1},
		{97, "PcieBytes", -1},
	};

	count_draw("rx7900xtx", 110, gfx11, sizeof(gfx11) / sizeof(*gfx11));
	count_draw("rx5700xt", 130, gfx10, sizeof(gfx10) / sizeof(*gfx10));
	count_draw("rx6900xt", 128, gfx103, sizeof(gfx103) / sizeof(*gfx103));
	count_draw("rx9070xt", 98, gfx12, sizeof(gfx12) / sizeof(*gfx12));
}

/* Another profiler, a missing permission: nothing is counted, and the message says why. */
static void faults(void **state)
{
	struct device device;
	gpa_uint32 session;

	setenv("TACHO_SIM", "unit", 1);
	open_device("sim:rx480:gl", &device);
	expect(0, gl.OpenContext(device.device));
	expect(0, gl.EnableCounterStr("GPUTime"));
	assert_int_equal(tacho_sim_set_fault(device.device, TACHO_SIM_FAULT_PERMISSION, 0), 0);
	expect(26, gl.BeginSession(&session));
	assert_non_null(strstr(gpa_seen.last, "; the cure: "));
	assert_int_equal(tacho_sim_set_fault(device.device, TACHO_SIM_FAULT_BUSY, 0), 0);
	expect(26, gl.BeginSession(&session));
	assert_non_null(strstr(gpa_seen.last, "; the cure: "));
	assert_int_equal(tacho_sim_set_fault(device.device, TACHO_SIM_FAULT_NONE, 0), 0);
	session = run(&gl, &device, &draw, 1);
	assert_int_equal(session, 1);
	assert_true(read_one(&gl, session, 7, "GPUTime") > 0);
	expect(0, gl.CloseContext());
	close_device(&device);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(opengl_generations),
		cmocka_unit_test(opencl_generations),
		cmocka_unit_test(further_libraries),
		cmocka_unit_test(hsa_is_simulated_only),
		cmocka_unit_test(opengl_es_needs_a_context),
		cmocka_unit_test(any_handle),
		cmocka_unit_test(rdna_generations),
		cmocka_unit_test(faults),
	};

	gpa_load(getenv("TACHO_GPA_CL"), &cl);
	gpa_load(getenv("TACHO_GPA_GL"), &gl);
	gpa_load(getenv("TACHO_GPA_GLES"), &gles);
	gpa_load(getenv("TACHO_GPA_HSA"), &hsa);
	gles.RegisterLoggingCallback(GPA_LOGGING_ALL, gpa_on_message);
	hsa.RegisterLoggingCallback(GPA_LOGGING_ALL, gpa_on_message);
	cl.RegisterLoggingCallback(GPA_LOGGING_ALL, gpa_on_message);
	gl.RegisterLoggingCallback(GPA_LOGGING_ALL, gpa_on_message);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
