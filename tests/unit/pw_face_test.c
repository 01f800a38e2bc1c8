/* SPDX-License-Identifier: MIT */
/*
 * The PerfWorks face over a simulated h200, worked out by hand: a kernel of n warps counts n in
 * sm__warps_launched.
 */
#include <math.h>

#include "pw_world.h"

#define WARPS "sm__warps_launched_sum"

static void *open_h200(void)
{
	void *ctx = NULL;

	expect(OK, NVPA_Sim_CreateContext("h200", &ctx));
	return ctx;
}

/* Two draws of the guide's letter; the n-th letter has n+1 binary digits: any sum tells its parts.
 */
static void draw_twice(void *ctx, char letter)
{
	run_warps(ctx, UINT64_C(1) << (letter - 'A'));
	run_warps(ctx, UINT64_C(1) << (letter - 'A'));
}

enum { BB = 4, DD = 16, EE = 32, FF = 64 };

/* The guide's detailed pseudo-code. */
static void run_guide(void *ctx)
{
	draw_twice(ctx, 'A');
	expect(OK, NVPA_Object_PushRange(ctx, 100));
	draw_twice(ctx, 'B');
	expect(OK, NVPA_Object_PopRange(ctx));
	draw_twice(ctx, 'C');
	expect(OK, NVPA_Object_PushRange(ctx, 200));
	draw_twice(ctx, 'D');
	expect(OK, NVPA_Object_PushRange(ctx, 10));
	draw_twice(ctx, 'E');
	expect(OK, NVPA_Object_PopRange(ctx));
	draw_twice(ctx, 'F');
	expect(OK, NVPA_Object_PopRange(ctx));
	draw_twice(ctx, 'G');
}

/* The serialized one in a pass for each of two levels, the pipelined one in one. */
static void counts_the_guides_ranges(void **state)
{
	const struct want wants[] = {{WARPS, false}, {WARPS, true}, {NULL, false}};
	void *ctx = open_h200();
	NVPA_Config *config = make_config(ctx, wants);
	NVPA_Results *results = NULL;
	size_t passes = 0, pipelined = 0, serialized = 0, count = 0;

	expect(OK, NVPA_Config_GetPassCount(config, 2, &passes));
	assert_int_equal(passes, 3);
	expect(OK, NVPA_Config_GetPassCounts(config, &pipelined, &serialized));
	assert_int_equal(pipelined, 1);
	assert_int_equal(serialized, 1);
	expect(OK, NVPA_Context_BeginSession(ctx, config));
	assert_int_equal(run_passes(ctx, run_guide), 3);
	expect(OK, NVPA_Context_ReadResults(ctx, &results));
	expect(OK, NVPA_Context_EndSession(ctx));
	expect(OK, NVPA_Config_Destroy(config));
	expect(OK, NVPA_Results_GetRangeCount(results, &count));
	assert_int_equal(count, 3);
	assert_true(get_number(ctx, results, IDS(100), WARPS, true) == BB);
	assert_true(get_number(ctx, results, IDS(100), WARPS, false) == BB);
	assert_true(get_number(ctx, results, IDS(200), WARPS, true) == DD + EE + FF);
	assert_true(get_number(ctx, results, IDS(200), WARPS, false) == DD + FF);
	assert_true(get_number(ctx, results, IDS(200, 10), WARPS, true) == EE);
	assert_true(get_number(ctx, results, IDS(200, 10), WARPS, false) == EE);
	expect(OK, NVPA_UnregisterContext(ctx));
	expect(OK, NVPA_Results_Destroy(results)); /* they stand alone */
}

/* Ranges in the order of their beginning, with their stacks and names. */
static void run_named(void *ctx)
{
	expect(OK, NVPA_Object_PushRangeNamed(ctx, 7, "outer"));
	run_warps(ctx, 1);
	expect(OK, NVPA_Object_PushRange(ctx, UINT64_MAX));
	run_warps(ctx, 2);
	expect(OK, NVPA_Object_PopRange(ctx));
	expect(OK, NVPA_Object_PopRange(ctx));
	expect(OK, NVPA_Object_PushRange(ctx, UINT64_MAX)); /* another stack */
	run_warps(ctx, 4);
	expect(OK, NVPA_Object_PopRange(ctx));
	expect(OK, NVPA_Object_PushRangeNamed(ctx, 7, "outer")); /* split: the first one again */
	run_warps(ctx, 8);
	expect(OK, NVPA_Object_PushRange(ctx, UINT64_MAX)); /* both are popped by EndPass */
	run_warps(ctx, 16);
}

static void adds_ranges_of_a_stack_up(void **state)
{
	const struct want wants[] = {{WARPS, true}, {WARPS, false}, {NULL, false}};
	const uint64_t stacks[][2] = {{7, 0}, {7, UINT64_MAX}, {UINT64_MAX, 0}};
	const size_t depths[] = {1, 2, 1};
	void *ctx = open_h200();
	NVPA_Config *config = make_config(ctx, wants);
	NVPA_Results *results = NULL;
	size_t count = 0, index;
	uint64_t lost = 1;

	expect(OK, NVPA_Context_BeginSession(ctx, config));
	run_passes(ctx, run_named);
	expect(OK, NVPA_Context_ReadResults(ctx, &results));
	expect(OK, NVPA_Results_GetRangeCount(results, &count));
	assert_int_equal(count, 3);
	for (size_t i = 0; i < count; i++) {
		NVPA_Range range = {0};

		expect(OK, NVPA_Results_GetRange(results, i, &range));
		assert_int_equal(range.depth, depths[i]);
		assert_memory_equal(range.pIds, stacks[i], depths[i] * sizeof(uint64_t));
		assert_string_equal(range.name, i ? "" : "outer");
		expect(OK, NVPA_Results_FindRange(results, range.pIds, range.depth, &index));
		assert_int_equal(index, i);
	}
	assert_true(get_number(ctx, results, IDS(7), WARPS, true) == 1 + 2 + 8 + 16);
	assert_true(get_number(ctx, results, IDS(7), WARPS, false) == 1 + 8);
	assert_true(get_number(ctx, results, IDS(7, UINT64_MAX), WARPS, true) == 2 + 16);
	assert_true(get_number(ctx, results, IDS(UINT64_MAX), WARPS, false) == 4);
	expect(OK, NVPA_Results_GetLostRangeCount(results, &lost));
	assert_int_equal(lost, 0);
	expect(NVPA_STATUS_INVALID_ARGUMENT, NVPA_Results_FindRange(results, IDS(8), &index));
	expect(NVPA_STATUS_INVALID_ARGUMENT, NVPA_Results_FindRange(results, IDS(7, 7), &index));
	expect(NVPA_STATUS_INVALID_ARGUMENT,
	       NVPA_Results_FindRange(results, IDS(7, UINT64_MAX, 1), &index));
	expect(NVPA_STATUS_INVALID_ARGUMENT, NVPA_Results_FindRange(results, stacks[0], 0, &index));
	expect(OK, NVPA_Results_Destroy(results));
	expect(NVPA_STATUS_INVALID_ARGUMENT, NVPA_Results_Destroy(results));
	expect(OK, NVPA_UnregisterContext(ctx));
	expect(OK, NVPA_Config_Destroy(config));
}

/* ---- passes ---- */

static const char seven[] = "plain-definitions: 1\n"
			    "source: a test\n"
			    "architectures:\n"
			    "- name: seven\n"
			    "  api: sim\n"
			    "  title: t\n"
			    "  vendor: v\n"
			    "  blocks: [{name: u, slots: 1, instances: 1, description: d}]\n"
			    "  counters:\n"
			    "  - {name: u__a, block: u, event: 1, unit: warps, description: d}\n"
			    "  - {name: u__b, block: u, event: 2, unit: warps, description: d}\n"
			    "  - {name: u__c, block: u, event: 3, unit: warps, description: d}\n"
			    "  - {name: u__d, block: u, event: 4, unit: warps, description: d}\n"
			    "  - {name: u__e, block: u, event: 5, unit: warps, description: d}\n"
			    "  - {name: u__f, block: u, event: 6, unit: warps, description: d}\n"
			    "  - {name: u__g, block: u, event: 7, unit: warps, description: d}\n";
static const char rules[] = "sim-rules: 1\n"
			    "rules:\n"
			    "- {match: \"u__*\", value: waves}\n";
static const char spec[] = "sim-device: 1\n"
			   "name: seven\n"
			   "title: Seven\n"
			   "vendor: v\n"
			   "faces: [{arch: seven, api: sim, rules: %s}]\n"
			   "hardware: {clock_mhz: 1000, engines: 1, compute_units: 1, simds: 4,\n"
			   "  wave_size: 32, waves_per_unit: 64, channels: 1, channel_bytes: 256,\n"
			   "  bytes_per_ns: 64}\n";

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

struct device_of_seven {
	char folder[64], arch[96], rules[96], spec[96], backends[128];
	struct tacho_context *core;
	struct tacho_device *device;
};

/* A unit that counts one thing at a time, opened by the program. */
static void open_seven(struct device_of_seven *own)
{
	const char *const definitions[] = {own->arch};
	struct tacho_catalog_options catalog = {
		.size = sizeof(catalog), .definitions = definitions, .definition_count = 1};
	struct tacho_context_options options = {
		.size = sizeof(options), .backends = own->backends, .catalog = &catalog};
	char text[sizeof(spec) + sizeof(own->rules)];

	strcpy(own->folder, "/tmp/tacho-pw-XXXXXX");
	assert_non_null(mkdtemp(own->folder));
	snprintf(own->arch, sizeof(own->arch), "%s/arch.yaml", own->folder);
	snprintf(own->rules, sizeof(own->rules), "%s/rules.yaml", own->folder);
	snprintf(own->spec, sizeof(own->spec), "%s/spec.yaml", own->folder);
	snprintf(own->backends, sizeof(own->backends), "sim:%s", own->spec);
	snprintf(text, sizeof(text), spec, own->rules);
	write_file(own->arch, seven);
	write_file(own->rules, rules);
	write_file(own->spec, text);
	if (tacho_context_create(&options, &own->core) ||
	    tacho_device_open(own->core, tacho_context_get_device_info(own->core, 0), &own->device))
		fail_msg("%s: %s", tacho_error_last()->message, tacho_error_last()->cause);
}

static void close_seven(struct device_of_seven *own)
{
	tacho_device_close(own->device);
	tacho_context_destroy(own->core);
	remove(own->arch);
	remove(own->rules);
	remove(own->spec);
	remove(own->folder);
}

static void run_three_deep(void *ctx)
{
	for (uint64_t id = 1; id <= 3; id++) {
		expect(OK, NVPA_Object_PushRange(ctx, id));
		run_warps(ctx, id);
	}
	for (int i = 0; i < 3; i++)
		expect(OK, NVPA_Object_PopRange(ctx));
}

static void seven_passes_times_three_levels(void **state)
{
	static const char *const names[] = {"u__a", "u__b", "u__c", "u__d", "u__e", "u__f", "u__g"};
	const struct want pipelined[] = {
		{"u__a", true}, {"u__b", true}, {"u__c", false}, {NULL, false}};
	struct want wants[8] = {{NULL, false}};
	struct device_of_seven own = {0};
	NVPA_Results *results = NULL;
	NVPA_Config *config, *mixed;
	size_t passes = 0;

	for (size_t i = 0; i < 7; i++)
		wants[i].name = names[i];
	open_seven(&own);
	expect(NVPA_STATUS_OBJECT_NOT_REGISTERED, NVPA_Context_BeginPass(own.device));
	expect(OK, NVPA_Tacho_RegisterDevice(own.device));
	config = make_config(own.device, wants);
	expect(OK, NVPA_Config_GetPassCount(config, 1, &passes));
	assert_int_equal(passes, 7);
	expect(OK, NVPA_Config_GetPassCount(config, 3, &passes));
	assert_int_equal(passes, 21);
	expect(OK, NVPA_Context_BeginSession(own.device, config));
	assert_int_equal(run_passes(own.device, run_three_deep), 21);
	expect(NVPA_STATUS_INVALID_CONTEXT_STATE, NVPA_Context_BeginPass(own.device));
	expect(OK, NVPA_Context_ReadResults(own.device, &results));
	for (size_t i = 0; i < 7; i++) {
		assert_true(get_number(own.device, results, IDS(1), names[i], true) == 6);
		assert_true(get_number(own.device, results, IDS(1, 2), names[i], true) == 5);
		assert_true(get_number(own.device, results, IDS(1, 2, 3), names[i], true) == 3);
	}
	expect(OK, NVPA_Results_Destroy(results));
	expect(OK, NVPA_Context_EndSession(own.device));
	/* pipelined passes run once, whatever the depth is */
	mixed = make_config(own.device, pipelined);
	expect(OK, NVPA_Context_BeginSession(own.device, mixed));
	assert_int_equal(run_passes(own.device, run_three_deep), 2 + 1 * 3);
	expect(OK, NVPA_Config_GetPassCount(mixed, 3, &passes));
	assert_int_equal(passes, 2 + 1 * 3);
	expect(NVPA_STATUS_INVALID_OBJECT_STATE, NVPA_Config_Destroy(mixed));
	expect(OK, NVPA_UnregisterContext(own.device));
	expect(OK, NVPA_Config_Destroy(mixed));
	expect(OK, NVPA_Config_Destroy(config));
	close_seven(&own);
}

/* A config of one context counts on another of the same device, after its own is gone. */
static void configs_outlive_their_makers(void **state)
{
	const struct want wants[] = {{"tex__sol_pct", false}, {WARPS, false}, {NULL, false}};
	void *first = open_h200(), *second;
	NVPA_Config *config = make_config(first, wants);
	NVPA_Results *results = NULL;
	size_t passes = 0, index = 0, other = 1;
	const char *name = NULL;

	expect(OK, NVPA_Context_GetDeviceIndex(first, 0, &index));
	expect(OK, NVPA_UnregisterContext(first));
	expect(NVPA_STATUS_OBJECT_NOT_REGISTERED, NVPA_Context_BeginSession(first, config));
	second = open_h200();
	expect(OK, NVPA_Context_GetDeviceIndex(second, 0, &other));
	assert_int_equal(index, other);
	expect(OK, NVPA_Device_GetName(index, &name));
	assert_non_null(strstr(name, "h200"));
	expect(OK, NVPA_Config_GetPassCount(config, 1, &passes));
	assert_true(passes >= 3); /* of tex__sol_pct alone */
	expect(OK, NVPA_Context_BeginSession(second, config));
	assert_int_equal(run_passes(second, run_named), 2 * passes);
	expect(OK, NVPA_Context_ReadResults(second, &results));
	expect(OK, NVPA_Context_EndSession(second));
	expect(OK, NVPA_Config_Destroy(config));
	assert_true(get_number(second, results, IDS(UINT64_MAX), WARPS, true) == 4);
	assert_true(get_number(second, results, IDS(UINT64_MAX), "tex__sol_pct", true) >= 0);
	expect(OK, NVPA_Results_Destroy(results));
	expect(OK, NVPA_UnregisterContext(second));
}

/* ---- passes that differ ---- */

static uint64_t differing_id;

static void run_differing(void *ctx)
{
	expect(OK, NVPA_Object_PushRange(ctx, 1));
	expect(OK, NVPA_Object_PopRange(ctx));
	expect(OK, NVPA_Object_PushRange(ctx, differing_id));
	run_warps(ctx, 1);
	expect(OK, NVPA_Object_PopRange(ctx));
}

static void unequal_passes_have_no_values(void **state)
{
	const struct want wants[] = {{WARPS, false}, {WARPS, true}, {NULL, false}};
	void *ctx = open_h200();
	NVPA_Config *config = make_config(ctx, wants);
	NVPA_Results *results = NULL;
	NVPA_Value value;
	bool is_ready = true;

	expect(OK, NVPA_Context_BeginSession(ctx, config));
	expect(OK, NVPA_Context_BeginPass(ctx));
	differing_id = 70;
	run_differing(ctx);
	expect(OK, NVPA_Context_EndPass(ctx));
	expect(OK, NVPA_Context_PredictDataReady(ctx, &is_ready));
	assert_false(is_ready);
	expect(NVPA_STATUS_INVALID_CONTEXT_STATE, NVPA_Context_ReadResults(ctx, &results));
	assert_null(results);
	expect(OK, NVPA_Context_BeginPass(ctx));
	differing_id = 71;
	run_differing(ctx);
	expect(NVPA_STATUS_OBJECT_MISMATCH, NVPA_Context_EndPass(ctx));
	expect_text("70");
	expect_text("71");
	expect(OK, NVPA_Context_PredictDataReady(ctx, &is_ready));
	assert_true(is_ready);
	expect(OK, NVPA_Context_ReadResults(ctx, &results));
	value = get_value(ctx, results, IDS(1), WARPS, true);
	assert_int_equal(value.state, NVPA_VALUE_ABSENT);
	assert_true(isnan(value.number));
	assert_true(*value.note != '\0');
	expect(OK, NVPA_Results_Destroy(results));
	expect(OK, NVPA_UnregisterContext(ctx));
	expect(OK, NVPA_Config_Destroy(config));
}

/* ---- limits ---- */

static void run_ten(void *ctx)
{
	for (uint64_t id = 0; id < 10; id++) {
		expect(OK, NVPA_Object_PushRange(ctx, id));
		run_warps(ctx, 1);
		expect(OK, NVPA_Object_PopRange(ctx));
	}
}

static void run_deep(void *ctx)
{
	for (uint64_t id = 0; id < 10; id++)
		expect(OK, NVPA_Object_PushRange(ctx, id));
	run_warps(ctx, 1);
}

static void counts_what_goes_over_its_limits(void **state)
{
	const struct want wants[] = {{WARPS, true}, {NULL, false}};
	const NVPA_SessionOptions few = {.structSize = sizeof(few), .maxRanges = 4},
				  flat = {.structSize = sizeof(flat), .maxNesting = 3};
	void *ctx = open_h200();
	NVPA_Config *config = make_config(ctx, wants);
	NVPA_Results *results = NULL;
	uint64_t lost = 0;
	size_t count = 0;

	expect(OK, NVPA_Context_BeginSessionWithOptions(ctx, config, &few));
	assert_int_equal(run_passes(ctx, run_ten), 1);
	expect(OK, NVPA_Context_ReadResults(ctx, &results));
	expect(OK, NVPA_Results_GetRangeCount(results, &count));
	assert_int_equal(count, 4);
	expect(OK, NVPA_Results_GetLostRangeCount(results, &lost));
	assert_int_equal(lost, 6);
	expect(OK, NVPA_Results_Destroy(results));
	expect(OK, NVPA_Context_EndSession(ctx));
	expect(OK, NVPA_Context_BeginSessionWithOptions(ctx, config, &flat));
	assert_int_equal(run_passes(ctx, run_deep), 1);
	expect(OK, NVPA_Context_ReadResults(ctx, &results));
	expect(OK, NVPA_Results_GetRangeCount(results, &count));
	assert_int_equal(count, 3);
	expect(OK, NVPA_Results_GetLostRangeCount(results, &lost));
	assert_int_equal(lost, 7);
	expect(OK, NVPA_Results_Destroy(results));
	expect(OK, NVPA_UnregisterContext(ctx));
	expect(OK, NVPA_Config_Destroy(config));
}

/* ---- launches as ranges ---- */

static void launch_three(void *ctx)
{
	for (uint64_t i = 1; i <= 3; i++) {
		const struct tacho_sim_work work = {
			.size = sizeof(work),
			.name = i == 2 ? "middle" : "kernel",
			.is_row = 1,
			.grid = {32 * i},
			.workgroup = {32},
		};

		assert_int_equal(tacho_sim_submit(ctx, &work, NULL), 0);
	}
}

static void launches_are_ranges_of_their_own(void **state)
{
	const struct want wants[] = {{"sm__thread_inst_executed_sum", false},
				     {"tex__sol_pct", false},
				     {WARPS, false},
				     {NULL, false}};
	const NVPA_SessionOptions options = {.structSize = sizeof(options), .autoRanges = true};
	void *ctx = open_h200();
	NVPA_Config *config = make_config(ctx, wants);
	NVPA_Results *results = NULL;
	NVPA_Range range = {0};
	size_t count = 0;

	expect(OK, NVPA_Context_BeginSessionWithOptions(ctx, config, &options));
	expect(OK, NVPA_Context_BeginPass(ctx));
	expect(NVPA_STATUS_INVALID_CONTEXT_STATE, NVPA_Object_PushRange(ctx, 1));
	expect(NVPA_STATUS_INVALID_CONTEXT_STATE, NVPA_Object_PopRange(ctx));
	expect(OK, NVPA_Context_EndSession(ctx));
	expect(OK, NVPA_Context_BeginSessionWithOptions(ctx, config, &options));
	assert_true(run_passes(ctx, launch_three) >= 3);
	expect(OK, NVPA_Context_ReadResults(ctx, &results));
	expect(OK, NVPA_Results_GetRangeCount(results, &count));
	assert_int_equal(count, 3);
	for (uint64_t i = 0; i < 3; i++) {
		expect(OK, NVPA_Results_GetRange(results, i, &range));
		assert_int_equal(range.depth, 1);
		assert_int_equal(range.pIds[0], i);
		assert_string_equal(range.name, i == 1 ? "middle" : "kernel");
		assert_true(get_number(ctx, results, IDS(i), WARPS, true) == i + 1);
	}
	expect(OK, NVPA_Results_Destroy(results));
	expect(OK, NVPA_UnregisterContext(ctx));
	expect(OK, NVPA_Config_Destroy(config));
}

/* ---- whole numbers, states ---- */

static void values_carry_their_states(void **state)
{
	const struct want wants[] = {{WARPS, false}, {"sm_active_pct", false}, {NULL, false}};
	void *ctx = open_h200();
	NVPA_Config *config = make_config(ctx, wants);
	NVPA_Results *results = NULL;
	NVPA_Value value;
	size_t index = 0;

	expect(OK, NVPA_Context_BeginSession(ctx, config));
	assert_int_equal(tacho_sim_set_fault(ctx, TACHO_SIM_FAULT_OVERFLOW, 4), 0);
	expect(OK, NVPA_Context_BeginPass(ctx));
	expect(OK, NVPA_Object_PushRange(ctx, 1));
	run_warps(ctx, 132 * 16 + 132);
	expect(OK, NVPA_Context_EndPass(ctx));
	expect(OK, NVPA_Context_ReadResults(ctx, &results));
	value = get_value(ctx, results, IDS(1), WARPS, true);
	assert_int_equal(value.state, NVPA_VALUE_OVERFLOW);
	expect(NVPA_STATUS_INVALID_METRIC_ID,
	       NVPA_Results_GetValue(results, 0, find_id(ctx, WARPS), false, &value));
	expect(NVPA_STATUS_INVALID_METRIC_ID, NVPA_Results_GetValue(results, 0, 0, true, &value));
	expect(NVPA_STATUS_INVALID_ARGUMENT,
	       NVPA_Results_GetValue(results, 1, find_id(ctx, WARPS), true, &value));
	expect(OK, NVPA_Results_FindRange(results, IDS(1), &index));
	expect(OK, NVPA_Results_Destroy(results));
	expect(OK, NVPA_Context_EndSession(ctx));
	/* a device that vanishes lets no loop run for ever */
	assert_int_equal(tacho_sim_set_fault(ctx, TACHO_SIM_FAULT_NONE, 0), 0);
	expect(OK, NVPA_Context_BeginSession(ctx, config));
	expect(OK, NVPA_Context_BeginPass(ctx));
	expect(OK, NVPA_Object_PushRange(ctx, 1));
	assert_int_equal(tacho_sim_set_fault(ctx, TACHO_SIM_FAULT_GONE, 0), 0);
	expect(NVPA_STATUS_ERROR, NVPA_Context_EndPass(ctx));
	bool is_ready = false;
	expect(OK, NVPA_Context_PredictDataReady(ctx, &is_ready));
	assert_true(is_ready);
	expect(NVPA_STATUS_ERROR, NVPA_Context_Finish(ctx));
	expect(OK, NVPA_Context_ReadResults(ctx, &results));
	value = get_value(ctx, results, IDS(1), WARPS, true);
	assert_int_equal(value.state, NVPA_VALUE_ABSENT);
	assert_true(isnan(value.number) && !value.whole && value.coverage == 0);
	expect(OK, NVPA_Results_Destroy(results));
	expect(OK, NVPA_UnregisterContext(ctx));
	expect(OK, NVPA_Config_Destroy(config));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_the_guides_ranges),
		cmocka_unit_test(adds_ranges_of_a_stack_up),
		cmocka_unit_test(seven_passes_times_three_levels),
		cmocka_unit_test(configs_outlive_their_makers),
		cmocka_unit_test(unequal_passes_have_no_values),
		cmocka_unit_test(counts_what_goes_over_its_limits),
		cmocka_unit_test(launches_are_ranges_of_their_own),
		cmocka_unit_test(values_carry_their_states),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
