/* SPDX-License-Identifier: MIT */
/* The backend "gl" on a driver whose every value is known. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/json.h"
#include "gl_fake.h"
#include "tacho/error.h"
#include "tacho/session.h"
#include "gl_bench.h"

static const struct tacho_entry *find_entry(const char *name)
{
	const struct tacho_entry *entry =
		tacho_arch_find_entry(tacho_device_get_arch(run.device), name);

	assert_non_null(entry);
	return entry;
}

static int check_entry(const char *name)
{
	return tacho_config_check_entry(tacho_device_get_arch(run.device),
					tacho_device_get_model(run.device), find_entry(name));
}

static void test_no_context(void **state)
{
	const struct tacho_context_options options = {.size = sizeof(options), .backends = "gl"};
	const struct tacho_probe_backend *backend_info;

	fake.current = NULL;
	assert_int_equal(tacho_context_create(&options, &run.context), 0);
	assert_null(tacho_context_get_device_info(run.context, 0));
	backend_info = tacho_probe_get_backend(tacho_context_get_probe(run.context), 0);
	assert_false(backend_info->usable);
	assert_non_null(strstr(backend_info->cause, "no OpenGL context is current"));
	assert_string_not_equal(backend_info->cure, "");
}

static void test_handle(void **state)
{
	struct tacho_context_options options = {
		.size = sizeof(options), .backends = "gl", .handle = fake.current};

	assert_int_equal(tacho_context_create(&options, &run.context), 0);
	assert_non_null(tacho_context_get_device_info(run.context, 0));
	tacho_context_destroy(run.context);
	options.handle = &options;
	assert_int_equal(tacho_context_create(&options, &run.context), 0);
	assert_null(tacho_context_get_device_info(run.context, 0));
}

static void test_device(void **state)
{
	const struct tacho_device_info *info;

	fake.renderer = "llvmpipe (LLVM 15.0.6, 256 bits)";
	assert_int_equal(try_device(), 0);
	info = tacho_device_get_info(run.device);
	assert_string_equal(info->name, fake.renderer);
	assert_string_equal(info->vendor, "Fake Vendor");
	assert_string_equal(info->driver, "4.6 (Core Profile) Fake 1.0");
	assert_string_equal(info->kind, "cpu");
	assert_string_equal(tacho_device_get_arch(run.device)->api, "gl");
}

static void test_values(void **state)
{
	make_session("IAVertices|PSInvocations|Occlusion|PrimsWritten|OverflowPred_S2|GPUTime");
	assert_int_equal(run.pass_count, 2);
	run_all();
	/* targets 0x82ee = 33518, 0x82f4 = 33524, 0x8914 = 35092, 0x8c88 = 35976, 0x82ed = 33517 */
	assert_true(get_value("IAVertices", 0) == 5180 && get_value("IAVertices", 1) == 1554);
	assert_true(get_value("PSInvocations", 0) == 5240 && get_value("PSInvocations", 1) == 1572);
	assert_true(get_value("Occlusion", 0) == 920 && get_value("Occlusion", 1) == 276);
	/* streams 0 to 3: 4 * 976 + 0 + 1 + 2 + 3 */
	assert_true(get_value("PrimsWritten", 0) == 39100 && get_value("PrimsWritten", 1) == 11730);
	assert_true(get_value("OverflowPred_S2", 0) == 5190);
	/* a unit of work takes 1000 ns */
	assert_true(get_value("GPUTime", 0) == 0.01 && get_value("GPUTime", 1) == 0.003);
	assert_int_equal(fake.finishes, 0);
}

static void test_passes(void **state)
{
	const struct tacho_plan_pass *pass;

	make_plan("Occlusion");
	assert_int_equal(run.pass_count, 1);
	close_session();
	make_plan("Occlusion|OcclusionPredicate");
	assert_int_equal(run.pass_count, 2);
	close_session();
	make_plan("GPUTime|D3DGPUTime");
	assert_int_equal(run.pass_count, 1);
	close_session();
	make_plan("PrimsStorageNeed|OverflowPred|OverflowPred_S1|GPUTime|IAVertices");
	assert_int_equal(run.pass_count, 2);
	for (size_t i = 0; (pass = tacho_plan_get_pass(run.plan, i)); i++)
		for (size_t k = 0; k < pass->counter_count; k++)
			if (!strcmp(pass->counters[k].entry->name, "GL_TIME_ELAPSED"))
				assert_int_equal(pass->counter_count, 1);
}

/* On llvmpipe counts of primitives and overflow disturb each other; time needs glFinish. */
static void test_quirks(void **state)
{
	const struct tacho_plan_pass *pass;

	fake.renderer = "llvmpipe (LLVM 15.0.6, 256 bits)";
	fake.version = "4.6 (Core Profile) Mesa 22.3.6";
	make_session("PrimsStorageNeed|OverflowPred|OverflowPred_S1|GPUTime|IAVertices");
	assert_int_equal(run.pass_count, 3);
	for (size_t i = 0; (pass = tacho_plan_get_pass(run.plan, i)); i++) {
		bool generated = false, overflow = false;

		for (size_t k = 0; k < pass->counter_count; k++) {
			generated |= strstr(pass->counters[k].entry->name, "GENERATED") != NULL;
			overflow |= strstr(pass->counters[k].entry->name, "OVERFLOW") != NULL;
		}
		assert_false(generated && overflow);
	}
	assert_non_null(strstr(find_entry("PSInvocations")->caveat, "4x4"));
	assert_non_null(strstr(find_entry("GSInvocations")->caveat, "invocations"));
	assert_null(strstr(find_entry("IAVertices")->caveat, "llvmpipe"));
	run_all();
	/* raw values, as reported: 0x8c87 = 35975, streams 0 to 3 */
	assert_true(get_value("PrimsStorageNeed", 0) == 39060);
	assert_true(get_value("GPUTime", 0) == 0.01);
	assert_int_equal(fake.finishes, 4); /* two ranges, before each of two time stamps */
}

/* Each release of Mesa has the notes of its own. */
static void test_quirk_releases(void **state)
{
	static const struct {
		const char *version;
		bool has_blocks, has_rectangles;
	} cases[] = {
		{"4.6 (Core Profile) Mesa 9.1.2", true, false},
		{"4.6 (Core Profile) Mesa 22.3.6", true, false},
		{"4.6 (Core Profile) Mesa 23.2.0", true, true},
		{"4.6 (Core Profile) Mesa 24.2.8-1~bpo12+1", true, true},
		{"4.6 (Core Profile) Mesa 24.3.0-devel (git-0123456789)", false, true},
		{"4.6 (Core Profile) Mesa 25.0.7-2+deb13u1", false, true},
		{"4.6 (Core Profile) Mesa 100.0.0", false, true},
		{"4.6 (Core Profile) Mesa", false, false}, /* which one is not said */
		{"4.6 (Core Profile) 22.3.6", false, false},
	};

	fake.renderer = "llvmpipe (LLVM 19.1.7, 256 bits)";
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fake.version = cases[i].version;
		assert_int_equal(try_device(), 0);
		assert_int_equal(strstr(find_entry("PSInvocations")->caveat, "4x4") != NULL,
				 cases[i].has_blocks);
		assert_int_equal(strstr(find_entry("CPrimitives")->caveat, "rectangle") != NULL,
				 cases[i].has_rectangles);
		tacho_device_close(run.device);
		tacho_context_destroy(run.context);
		memset(&run, 0, sizeof(run));
	}
}

static void test_no_quirks(void **state)
{
	assert_int_equal(try_device(), 0);
	assert_null(strstr(find_entry("PSInvocations")->caveat, "4x4"));
	assert_null(strstr(find_entry("GSInvocations")->caveat, "Mesa"));
}

/* What the driver lacks cannot be counted, and the reason says what it needs. */
static void test_lacks(void **state)
{
	fake.version = "3.3 (Core Profile) Fake 1.0";
	fake.extensions[0] = "GL_ARB_pipeline_statistics_query";
	assert_int_equal(try_device(), 0);
	assert_int_equal(check_entry("IAVertices"), 0);
	assert_int_equal(check_entry("GSInvocations"), 0);
	assert_int_equal(check_entry("GPUTime"), 0);
	assert_int_equal(check_entry("PrimsWritten_S0"), 0);
	assert_int_equal(check_entry("PrimsWritten_S1"), TACHO_E_UNSUPPORTED);
	assert_int_equal(check_entry("PrimsWritten"), TACHO_E_UNSUPPORTED);
	assert_non_null(strstr(tacho_error_last()->cause, "OpenGL 4.0"));
	assert_int_equal(check_entry("HSInvocations"), TACHO_E_UNSUPPORTED);
	assert_non_null(strstr(tacho_error_last()->cause, "3.3 (Core Profile)"));
	assert_non_null(strstr(tacho_error_last()->cause, "GL_ARB_tessellation_shader"));
	assert_int_equal(check_entry("OverflowPred"), TACHO_E_UNSUPPORTED);
	assert_non_null(
		strstr(tacho_error_last()->cause, "GL_ARB_transform_feedback_overflow_query"));
}

static void test_es(void **state)
{
	fake.version = "OpenGL ES 3.2 Fake 1.0";
	fake.extensions[0] = "GL_EXT_disjoint_timer_query";
	make_session("OcclusionPredicate|PrimsWritten_S0|GPUTime");
	assert_string_equal(tacho_device_get_info(run.device)->platform, "OpenGL ES");
	assert_int_equal(check_entry("Occlusion"), TACHO_E_UNSUPPORTED);
	assert_non_null(strstr(tacho_error_last()->cause, "make a context of OpenGL"));
	assert_int_equal(check_entry("IAVertices"), TACHO_E_UNSUPPORTED);
	run_all();
	assert_true(get_value("OcclusionPredicate", 0) == 1);
	assert_true(get_value("PrimsWritten_S0", 1) == 3 * 976);
	assert_true(get_value("GPUTime", 0) == 0.01);
}

/* What is called though the driver has it not does nothing: 32 bits are read there. */
static void test_stub(void **state)
{
	fake.has_stub = true;
	fake.version = "OpenGL ES 3.0 Fake 1.0";
	make_session("OcclusionPredicate|PrimsWritten_S0");
	assert_int_equal(find_entry("GL_ANY_SAMPLES_PASSED")->width_bits, 32);
	run_all();
	assert_true(get_value("OcclusionPredicate", 0) == 1);
	assert_true(get_value("PrimsWritten_S0", 1) == 3 * 976);
}

/* 976 per unit of work: 4400581 of them are the last below 2^32 - 1, one more is cut off there. */
static void count_large(void)
{
	assert_int_equal(tacho_session_begin_pass(run.session), 0);
	run_range(1, 4400581);
	run_range(2, 4400582);
	assert_int_equal(tacho_session_end_pass(run.session, NULL), 0);
	assert_int_equal(tacho_session_drain(run.session, SECOND_NS, NULL), 0);
	assert_int_equal(tacho_session_take(run.session, &run.result), 0);
}

/* The largest number of 32 bits may be any that is larger: it is no value, nor is what uses it. */
static void test_narrow(void **state)
{
	static const char *const names[] = {"PrimsWritten_S0",
					    "GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN_0"};

	fake.has_stub = true;
	fake.version = "3.0 Fake 1.0";
	make_session("PrimsWritten_S0|GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN_0");
	count_large();
	for (size_t i = 0; i < 2; i++) {
		const struct tacho_column *column = tacho_result_find_column(run.result, names[i]);

		assert_true(get_value(names[i], 0) == 4294967056);
		assert_int_equal(tacho_column_get_state(column, 1, 0), TACHO_STATE_OVERFLOW);
	}
}

static void test_wide(void **state)
{
	make_session("PrimsWritten_S0");
	count_large();
	assert_true(get_value("PrimsWritten_S0", 0) == 4294967056);
	assert_true(get_value("PrimsWritten_S0", 1) == 4294968032);
}

/* Without time stamps the query of the elapsed time does. */
static void test_elapsed(void **state)
{
	fake.is_without_functions = true;
	make_session("GL_TIME_ELAPSED");
	run_all();
	assert_true(get_value("GL_TIME_ELAPSED", 0) == 10 * (35007 % 1000));
}

static void test_pid(void **state)
{
	const struct tacho_session_options options = {.size = sizeof(options), .pid = 1};

	make_plan("IAVertices");
	assert_int_equal(tacho_session_create(run.device, run.plan, &options, &run.session),
			 TACHO_E_UNSUPPORTED);
	run.session = NULL;
}

/* The groups of a card, as large as the catalog says, and one that it does not know. */
static void make_card(const char *name, const char *renderer)
{
	const struct tacho_catalog_options options = {
		.size = sizeof(options), .arch = name, .api = "gl"};
	static struct tacho_catalog *catalogs[10];
	struct tacho_catalog **catalog = &catalogs[name[3] - '0'];
	const struct tacho_arch *arch;
	const struct tacho_block *block;

	if (!*catalog)
		assert_int_equal(tacho_catalog_open(&options, catalog), 0);
	assert_int_equal(tacho_catalog_find_arch(*catalog, name, "gl", &arch), 0);
	for (size_t i = 0; (block = tacho_arch_get_block(arch, i)); i++)
		if (!strstr(block->name, "GPUTime") && !strstr(block->name, "GPIN") &&
		    strcmp(block->name, "VGT") != 0)
			fake.groups[fake.group_count++] =
				(struct fake_group){block->name, block->event_count, block->slots};
	fake.groups[fake.group_count++] = (struct fake_group){"NEW", 3, 2};
	fake.extensions[0] = "GL_AMD_performance_monitor";
	fake.renderer = renderer;
}

static void make_amd(void)
{
	make_card("gfx8", "AMD Radeon RX 480 Graphics (polaris10)");
}

static uint32_t find_group(const char *name)
{
	uint32_t i = 0;

	while (strcmp(fake.groups[i].name, name) != 0)
		i++;
	return i;
}

/* Faces list metrics, and counters that have a group: AMD's own are the first of these. */
static void check_places(const char *const *names, size_t count)
{
	const struct tacho_arch *arch = tacho_device_get_arch(run.device);
	const struct tacho_entry *entry;
	size_t found = 0;

	for (size_t i = 0; found < count && (entry = tacho_arch_get_entry(arch, i)); i++)
		if (entry->kind == TACHO_ENTRY_METRIC || *entry->group)
			assert_string_equal(entry->name, names[found++]);
	assert_int_equal(found, count);
}

static void test_amd(void **state)
{
	static const char *const first[] = {"GPUTime", "GPUBusy", "TessellatorBusy", "VSBusy"};
	uint32_t grbm;

	make_amd();
	grbm = find_group("GRBM");
	make_session("GPUBusy|GPUTime|gpu__time_duration|NEW_001|GRBM_GRBM_PERF_SEL_COUNT|"
		     "IAVertices");
	assert_string_equal(tacho_device_get_arch(run.device)->name, "gfx8");
	assert_string_equal(tacho_device_get_model(run.device)->name, "rx480");
	assert_int_equal(run.pass_count, 2); /* times alone */
	check_places(first, sizeof(first) / sizeof(first[0]));
	/* the driver's name of a counter is another for the catalog's */
	assert_ptr_equal(find_entry("GRBM_000"), find_entry("GRBM_GRBM_PERF_SEL_COUNT"));
	run_all();
	/* counters 2 and 0 of the group */
	assert_float_equal(
		get_value("GPUBusy", 0),
		100.0 * (double)fake_monitored(grbm, 2) / (double)fake_monitored(grbm, 0), 1e-9);
	assert_true(get_value("GRBM_GRBM_PERF_SEL_COUNT", 1) == (double)fake_monitored(grbm, 0));
	assert_true(get_value("NEW_001", 0) == 12.5); /* a percentage */
	assert_true(get_value("GPUTime", 0) == 0.01);
	assert_true(get_value("gpu__time_duration", 0) == 10000);
	assert_true(get_value("IAVertices", 0) == 5180);
}

/* The names of a list of AMD's that lies beside the sources; 0: it does not. */
static size_t read_list(struct tacho__arena *arena, const char *arch, const char **names,
			size_t most)
{
	const char *root = getenv("TACHO_SOURCE_ROOT");
	struct tacho__buf text = {0};
	struct tacho__json *json;
	char path[4096];
	size_t count = 0;

	snprintf(path, sizeof(path), "%s/../shared/data/gpa/gl-%s.json", root ? root : ".", arch);
	if (access(path, R_OK) != 0)
		return 0;
	assert_int_equal(tacho__fs_read(path, 64 << 20, &text), 0);
	assert_int_equal(tacho__json_parse(arena, text.text, text.size, &json), 0);
	for (const struct tacho__json *each = tacho__json_get(json, "counters")->first; each;
	     each = each->next) {
		assert_true(count < most);
		names[count++] = tacho__json_string(each, "name", "");
	}
	tacho__buf_finish(&text);
	return count;
}

/* On a driver of each generation GPUPerfAPI's counters have the numbers of AMD's library. */
static void test_amd_places(void **state)
{
	static const char *const archs[] = {"gfx6", "gfx7", "gfx8", "gfx9"};

	for (size_t i = 0; i < sizeof(archs) / sizeof(archs[0]); i++) {
		struct tacho__arena arena = {0};
		const char *names[256];
		size_t count = read_list(&arena, archs[i], names, 256);

		if (!count) {
			print_message("../shared/data/gpa is absent: AMD's order is not known\n");
			skip();
		}
		make_card(archs[i], "AMD Radeon Graphics");
		make_session("IAVertices");
		assert_string_equal(tacho_device_get_arch(run.device)->name, archs[i]);
		check_places(names, count);
		tacho__arena_finish(&arena);
		teardown(state);
		setup(state);
	}
}

/* No more counters of a group than it has registers; what the driver lacks is told. */
static void test_amd_limits(void **state)
{
	make_amd();
	make_session("NEW_000|NEW_001|NEW_002");
	assert_int_equal(run.pass_count, 2);
	run_all();
	assert_true(get_value("NEW_002", 1) == 12.5);
	assert_int_equal(check_entry("TessellatorBusy"), TACHO_E_UNSUPPORTED);
	assert_non_null(strstr(tacho_error_last()->cause, "VGT"));
}

/* Groups with the same names and other sizes are hardware that the catalog does not know. */
static void test_amd_unknown(void **state)
{
	make_amd();
	for (uint32_t i = 0; i < fake.group_count; i++)
		fake.groups[i].counter_count += 3;
	make_session("GRBM_000|IAVertices");
	assert_string_equal(tacho_device_get_arch(run.device)->name, "any");
	assert_null(tacho_device_get_model(run.device));
	run_all();
	assert_true(get_value("GRBM_000", 0) == (double)fake_monitored(find_group("GRBM"), 0));
}

static void test_intel(void **state)
{
	fake.extensions[0] = "GL_INTEL_performance_query";
	make_session("Render_Basic/GPU_Time|Render_Basic/Busy|Render_Basic/Threads|"
		     "Compute_Basic/GPU_Time|IAVertices");
	assert_int_equal(run.pass_count, 2);
	assert_string_equal(find_entry("Render_Basic/GPU_Time")->title, "GPU Time");
	assert_string_equal(find_entry("Render_Basic/Busy")->description, "About Busy");
	/* its value would lie behind the data */
	assert_null(
		tacho_arch_find_entry(tacho_device_get_arch(run.device), "Render_Basic/Outside"));
	run_all();
	assert_true(get_value("Render_Basic/GPU_Time", 0) == 5e9);
	assert_true(get_value("Render_Basic/Busy", 1) == 62.5);
	assert_true(get_value("Render_Basic/Threads", 0) == 77);
	assert_true(get_value("Compute_Basic/GPU_Time", 1) == 10e9);
	assert_true(get_value("IAVertices", 1) == 1554);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_no_context, setup, teardown),
		cmocka_unit_test_setup_teardown(test_handle, setup, teardown),
		cmocka_unit_test_setup_teardown(test_device, setup, teardown),
		cmocka_unit_test_setup_teardown(test_values, setup, teardown),
		cmocka_unit_test_setup_teardown(test_passes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_quirks, setup, teardown),
		cmocka_unit_test_setup_teardown(test_quirk_releases, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_quirks, setup, teardown),
		cmocka_unit_test_setup_teardown(test_lacks, setup, teardown),
		cmocka_unit_test_setup_teardown(test_es, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stub, setup, teardown),
		cmocka_unit_test_setup_teardown(test_narrow, setup, teardown),
		cmocka_unit_test_setup_teardown(test_wide, setup, teardown),
		cmocka_unit_test_setup_teardown(test_elapsed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_pid, setup, teardown),
		cmocka_unit_test_setup_teardown(test_amd, setup, teardown),
		cmocka_unit_test_setup_teardown(test_amd_places, setup, teardown),
		cmocka_unit_test_setup_teardown(test_amd_limits, setup, teardown),
		cmocka_unit_test_setup_teardown(test_amd_unknown, setup, teardown),
		cmocka_unit_test_setup_teardown(test_intel, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
