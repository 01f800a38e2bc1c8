/* SPDX-License-Identifier: MIT */
/* Contexts, their devices, devices that are opened, and values that are replayed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/error.h"
#include "model/result.h"
#include "plan/from_passes.h"
#include "toy_device.h"

static const struct tacho_catalog_options no_catalog = {
	.size = sizeof(no_catalog), .arch = "any", .api = "cl", .no_environment = 1};

/* Finds devices of these names, of which the last cannot be used. */
static int probe_many(struct tacho_probe *probe, struct tacho_probe_backend *backend_info)
{
	static const char *const names[] = {"Alpha 1", "Alpha 2", "beta", "broken"};

	for (size_t i = 0; i < 4; i++) {
		struct tacho_device_info *info = tacho__probe_add_device_info(probe);

		if (!info)
			return TACHO_E_NOMEM;
		info->name = names[i];
		info->usable = i < 3;
		if (!info->usable) {
			info->cause = "it smokes";
			info->cure = "replace it";
		}
	}
	return 0;
}

/* A device exists for every word behind "taker:". */
static int probe_arguments(struct tacho_probe *probe, struct tacho_probe_backend *backend_info)
{
	const char *argument;

	for (size_t i = 0; (argument = tacho__probe_get_argument(probe, "taker", i)); i++) {
		struct tacho_device_info *info = tacho__probe_add_device_info(probe);

		if (!info)
			return TACHO_E_NOMEM;
		if (!strcmp(argument, "moon"))
			return tacho__fail(TACHO_E_NOTFOUND, "", "choose of a, b", "no \"moon\"");
		info->name = tacho__probe_text(probe, "%s at %s", argument,
					       tacho__probe_get_options(probe)->sysroot);
		info->usable = 1;
	}
	return 0;
}

static struct tacho__backend many, finder, arguments;
static const struct tacho__backend *const table[] = {&many, &finder, &arguments, NULL};

static int set_up(void **state)
{
	many = finder = arguments = toy_backend;
	many.name = "many";
	many.probe = probe_many;
	finder.name = "finder";
	finder.open = NULL;
	arguments.name = "taker";
	arguments.probe = probe_arguments;
	arguments.is_named_only = 1;
	return 0;
}

static int create(const char *backends, struct tacho_context **out_context)
{
	const struct tacho_context_options options = {.size = sizeof(options),
						      .backends = backends,
						      .sysroot = "/tmp",
						      .catalog = &no_catalog};

	return tacho__context_create(&options, table, out_context);
}

static void test_backends(void **state)
{
	struct tacho_context *context;

	assert_int_equal(create(NULL, &context), 0);
	assert_string_equal(tacho_probe_get_backend(tacho_context_get_probe(context), 0)->name,
			    "many");
	assert_null(tacho_probe_get_backend(tacho_context_get_probe(context), 1));
	assert_null(tacho_context_get_device_info(context, 4));
	assert_non_null(tacho_context_get_catalog(context));
	tacho_context_destroy(context);
	assert_int_equal(create("taker:a,finder,taker:b", &context), 0);
	assert_string_equal(tacho_context_get_device_info(context, 0)->backend, "finder");
	assert_string_equal(tacho_context_get_device_info(context, 2)->name, "b at /tmp/");
	assert_null(tacho_context_get_device_info(context, 3));
	tacho_context_destroy(context);
	assert_int_equal(create("nothing", &context), TACHO_E_NOTFOUND);
	assert_string_equal(tacho_error_last()->cure, "choose of many, finder, taker");
	assert_int_equal(create("taker:moon", &context), TACHO_E_NOTFOUND);
	assert_int_equal(create("", &context), TACHO_E_NOTFOUND);
	assert_int_equal(tacho_context_create(&(struct tacho_context_options){0}, &context),
			 TACHO_E_INVAL);
	tacho_context_destroy(NULL);
}

static void test_find(void **state)
{
	static const struct {
		const char *selector;
		int rc;
		size_t index;
	} cases[] = {
		{"0", 0, 0},
		{"2", 0, 2},
		{"beta", 0, 2},
		{"BETA", 0, 2},
		{"many:beta", 0, 2},
		{"MANY:Alpha 2", 0, 1},
		{"2 ", TACHO_E_NOTFOUND, 0},
		{"a 2", 0, 1},
		{"eta", 0, 2},
		{"alpha", TACHO_E_AMBIGUOUS, 0},
		{"many:alpha", TACHO_E_AMBIGUOUS, 0},
		{"other:beta", TACHO_E_NOTFOUND, 0},
		{"gamma", TACHO_E_NOTFOUND, 0},
		{"9", TACHO_E_NOTFOUND, 0},
		{"", TACHO_E_NOTFOUND, 0},
		{"many:", TACHO_E_AMBIGUOUS, 0},
		{"many", TACHO_E_AMBIGUOUS, 0},
	};
	const struct tacho_device_info *info = NULL;
	struct tacho_context *context;

	assert_int_equal(create(NULL, &context), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(tacho_context_find_device_info(context, cases[i].selector, &info),
				 cases[i].rc);
		if (!cases[i].rc)
			assert_ptr_equal(info,
					 tacho_context_get_device_info(context, cases[i].index));
	}
	tacho_context_find_device_info(context, "alpha", &info);
	assert_string_equal(tacho_error_last()->cure, "choose of many:Alpha 1, many:Alpha 2");
	tacho_context_destroy(context);
}

static int open_first(const char *backends, size_t index)
{
	struct tacho_context *context;
	struct tacho_device *device;
	int rc;

	assert_int_equal(create(backends, &context), 0);
	rc = tacho_device_open(context, tacho_context_get_device_info(context, index), &device);
	if (!rc)
		tacho_device_close(device);
	tacho_context_destroy(context);
	return rc;
}

static void test_open(void **state)
{
	struct tacho_context *contexts[2];
	const struct tacho_entry *entry;
	struct tacho_device *device;

	assert_int_equal(open_first("finder", 0), TACHO_E_UNSUPPORTED);
	assert_non_null(strstr(tacho_error_last()->cause, "finder finds devices"));
	assert_int_equal(open_first("many", 3), TACHO_E_NODEVICE);
	assert_string_equal(tacho_error_last()->cause, "it smokes");
	assert_int_equal(open_first("many", 0), 0);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(create("many", &contexts[i]), 0);
	assert_int_equal(tacho_device_open(contexts[0],
					   tacho_context_get_device_info(contexts[1], 0), &device),
			 TACHO_E_INVAL);
	assert_int_equal(tacho_device_open(contexts[0],
					   tacho_context_get_device_info(contexts[0], 1), &device),
			 0);
	assert_string_equal(tacho_device_get_info(device)->name, "Alpha 2");
	assert_string_equal(tacho_device_get_arch(device)->name, "toy");
	assert_null(tacho_device_get_model(device));
	assert_int_equal(tacho_device_define_entry(device, "x/y/", &entry), TACHO_E_UNSUPPORTED);
	tacho_device_close(device);
	tacho_device_close(NULL);
	tacho_context_destroy(contexts[0]);
	tacho_context_destroy(contexts[1]);
}

/* A vendor's plan of three passes. */
static int plan_three(struct tacho_device *device, const struct tacho_config *config,
		      const struct tacho_plan_options *options, struct tacho_plan **out_plan)
{
	const struct tacho_plan_counter counter = {tacho_arch_find_entry(device->traits.arch, "T1"),
						   ""};
	const struct tacho_plan_pass pass = {.counters = &counter, .counter_count = 1};
	const struct tacho_plan_pass passes[] = {pass, pass, pass};

	return tacho__plan_create_from_passes(config, passes, 3, NULL, out_plan);
}

static void test_plan(void **state)
{
	struct tacho_plan_options options = {.size = sizeof(options), .passes_max = 2};
	struct tacho__backend vendor = toy_backend;
	struct bench bench, other;
	struct tacho_plan *plan;

	bench_open(&bench, &toy_backend);
	bench_open(&other, &toy_backend);
	assert_int_equal(bench_plan(&bench, "T1", NULL), 0);
	/* A config is for one architecture of one catalog. */
	assert_int_equal(tacho_device_plan(other.device, bench.config, NULL, &plan), TACHO_E_INVAL);
	toy.fails_check = TACHO_E_UNSUPPORTED;
	assert_int_equal(bench_plan(&bench, "T1", NULL), TACHO_E_UNSUPPORTED);
	toy.fails_check = 0;
	assert_int_equal(bench_plan(&bench, "T9", NULL), TACHO_E_NOTFOUND);
	bench_close(&bench);
	bench_close(&other);
	vendor.plan = plan_three;
	bench_open(&bench, &vendor);
	assert_int_equal(bench_plan(&bench, "T1", &options), TACHO_E_PASSES);
	options.passes_max = 3;
	assert_int_equal(bench_plan(&bench, "T1", &options), 0);
	bench_close(&bench);
}

/* Three launches of the kernel k, of which the first and last have the same number. */
static struct tacho_result *make_values(void)
{
	struct tacho_column waves = {.name = "SQ_WAVES", .unit = "", .note = ""};
	struct tacho_column busy = {.name = "GRBM_COUNT", .unit = "cycles", .note = ""};
	struct tacho_result *values;
	uint64_t *data;

	waves.dimensions[0] = (struct tacho_dimension){.name = "DIMENSION_XCC", .extent = 2};
	waves.dimension_count = 1;
	assert_int_equal(tacho__result_create(3, &values), 0);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(
			tacho__result_set_row(
				values, i, &(struct tacho_row){.id = i == 1 ? 8 : 7, .name = "k"}),
			0);
	assert_int_equal(tacho__result_add_column(values, &waves, (void **)&data), 0);
	for (uint64_t i = 0; i < 6; i++)
		data[i] = i + 1;
	assert_int_equal(tacho__result_add_column(values, &busy, (void **)&data), 0);
	for (uint64_t i = 0; i < 3; i++)
		data[i] = 100 * (i + 1);
	return values;
}

static void open_values(struct bench *bench, const struct tacho_result *values, const char *name)
{
	const struct tacho_catalog_options catalog = {
		.size = sizeof(catalog), .arch = "gfx90a", .api = "rocm", .no_environment = 1};
	const struct tacho_context_options options = {
		.size = sizeof(options), .backends = name, .catalog = &catalog, .values = values};

	memset(bench, 0, sizeof(*bench));
	assert_int_equal(tacho_context_create(&options, &bench->context), 0);
	assert_int_equal(tacho_device_open(bench->context,
					   tacho_context_get_device_info(bench->context, 0),
					   &bench->device),
			 0);
}

static struct tacho_result *replay(struct bench *bench)
{
	struct tacho_session *session;
	struct tacho_result *result;
	tacho_range range;
	int more = 1;

	assert_int_equal(tacho_session_create(bench->device, bench->plan, NULL, &session), 0);
	while (more) {
		assert_int_equal(tacho_session_begin_pass(session), 0);
		assert_int_equal(tacho_session_begin_range(session, 0, 1, "", &range),
				 TACHO_E_UNSUPPORTED);
		assert_int_equal(tacho_session_end_pass(session, &more), 0);
	}
	assert_int_equal(tacho_session_take(session, &result), 0);
	tacho_session_destroy(session);
	return result;
}

static void check_replayed(const struct tacho_result *result)
{
	static const uint64_t ids[] = {7, 8, 7};

	assert_int_equal(tacho_result_get_row_count(result), 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(tacho_result_get_row(result, i)->id, ids[i]);
		assert_string_equal(tacho_result_get_row(result, i)->name, "k");
		assert_true(value_of(result, "SQ_WAVES", i) == (double)(4 * i + 3));
		assert_true(value_of(result, "GRBM_COUNT", i) == 100.0 * (double)(i + 1));
	}
}

/* The columns are an architecture of their own, or the counters of one that is named. */
static void test_replay(void **state)
{
	struct tacho_result *values = make_values(), *result;
	struct tacho_context *context;
	struct tacho_device *device;
	struct bench bench;

	open_values(&bench, values, "replay");
	assert_string_equal(tacho_device_get_info(bench.device)->name, "values [replayed]");
	assert_int_equal(bench_plan(&bench, "SQ_WAVES,GRBM_COUNT", NULL), 0);
	result = replay(&bench);
	check_replayed(result);
	tacho_result_destroy(result);
	bench_close(&bench);

	/* nobody knows how they were counted */
	open_values(&bench, values, "replay");
	assert_int_equal(bench_plan(&bench, "SQ_WAVES:serialized", NULL), TACHO_E_UNSUPPORTED);
	assert_non_null(strstr(tacho_error_last()->cause, "counted elsewhere"));
	bench_close(&bench);

	open_values(&bench, values, "replay:gfx90a");
	assert_string_equal(tacho_device_get_arch(bench.device)->name, "gfx90a");
	assert_int_equal(bench_plan(&bench, "SQ_WAVES,GRBM_COUNT,SQ_WAVES_sum,TA_BUSY_max", NULL),
			 0);
	result = replay(&bench);
	check_replayed(result);
	assert_true(value_of(result, "SQ_WAVES_sum", 2) == 11);
	assert_int_equal(state_of(result, "TA_BUSY_max", 0), TACHO_STATE_ABSENT);
	tacho_result_destroy(result);
	bench_close(&bench);

	assert_int_equal(tacho_context_create(
				 &(struct tacho_context_options){
					 .size = sizeof(struct tacho_context_options),
					 .backends = "replay:gfx1",
					 .catalog = &no_catalog,
					 .values = values},
				 &context),
			 0);
	assert_int_equal(
		tacho_device_open(context, tacho_context_get_device_info(context, 0), &device),
		TACHO_E_NOTFOUND);
	tacho_context_destroy(context);
	assert_int_equal(tacho_context_create(
				 &(struct tacho_context_options){
					 .size = sizeof(struct tacho_context_options),
					 .backends = "replay",
					 .catalog = &no_catalog},
				 &context),
			 0);
	assert_int_equal(
		tacho_device_open(context, tacho_context_get_device_info(context, 0), &device),
		TACHO_E_NODEVICE);
	tacho_context_destroy(context);
	tacho_result_destroy(values);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_backends), cmocka_unit_test(test_find),
		cmocka_unit_test(test_open),	 cmocka_unit_test(test_plan),
		cmocka_unit_test(test_replay),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
