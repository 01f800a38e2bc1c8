/* SPDX-License-Identifier: MIT */
/* Units of the kernel: what their files mean, what is programmed, and what counts come to. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/perf/perf.h"
#include "tacho/error.h"
#include "tacho/session.h"

#define DEVICES "/sys/bus/event_source/devices/"

/* The units of a tree in tests/data/perf. */
struct tree {
	struct tacho__arena arena;
	const struct tacho__perf_pmu *pmus;
	size_t count;
};

static char *tree_path(const char *name)
{
	char *path;

	assert_true(asprintf(&path, "%s/tests/data/perf/%s/", getenv("TACHO_SOURCE_ROOT"), name) >
		    0);
	return path;
}

static void read_tree(const char *name, struct tree *out_tree)
{
	char *path = tree_path(name);

	*out_tree = (struct tree){0};
	assert_int_equal(
		tacho__perf_list_pmus(&out_tree->arena, path, &out_tree->pmus, &out_tree->count),
		0);
	free(path);
}

static const struct tacho__perf_pmu *find(const struct tree *tree, const char *name)
{
	for (size_t i = 0; i < tree->count; i++)
		if (!strcmp(tree->pmus[i].name, name))
			return &tree->pmus[i];
	fail_msg("there is no unit %s", name);
	return NULL;
}

static void expect(const struct tacho__perf_pmu *pmu, const char *terms, uint64_t config,
		   uint64_t config1)
{
	struct tacho__perf_code code;

	if (tacho__perf_encode(pmu, terms, strlen(terms), &code))
		fail_msg("%s/%s/: %s; %s", pmu->name, terms, tacho_error_last()->message,
			 tacho_error_last()->cause);
	assert_int_equal(code.type, pmu->type);
	assert_int_equal(code.config[0], config);
	assert_int_equal(code.config[1], config1);
}

static void expect_error(const struct tacho__perf_pmu *pmu, const char *terms, int error)
{
	struct tacho__perf_code code = {.type = 77};

	assert_int_equal(tacho__perf_encode(pmu, terms, strlen(terms), &code), error);
	assert_int_equal(code.type, 77);
}

static void test_i915(void **state)
{
	const struct tacho__perf_pmu *pmu;
	struct tree tree;

	read_tree("i915", &tree);
	assert_int_equal(tree.count, 1);
	pmu = find(&tree, "i915");
	assert_int_equal(pmu->type, 37);
	assert_true(pmu->is_device_wide);
	assert_int_equal(pmu->cpu_count, 1);
	assert_int_equal(pmu->cpus[0], 0);
	assert_int_equal(pmu->event_count, 16);
	/* class << 12 | instance << 4 | sample; copy is class 1, sema sample 2 */
	expect(pmu, "rcs0-busy", 0, 0);
	expect(pmu, "bcs0-sema", 1 << 12 | 2, 0);
	expect(pmu, "rc6-residency", 0x100003, 0);
	expect(pmu, "i915_eventid=0x2011", 0x2011, 0);
	expect(pmu, "i915_eventid=2097151", 0x1fffff, 0);
	expect_error(pmu, "i915_eventid=0x200000", TACHO_E_INVAL);
	expect_error(pmu, "rcs0-busy,", TACHO_E_PARSE);
	expect_error(pmu, "rcs9-busy", TACHO_E_NOTFOUND);
	tacho__arena_finish(&tree.arena);
}

static void test_xe(void **state)
{
	const struct tacho__perf_pmu *pmu;
	struct tree tree;

	read_tree("xe", &tree);
	pmu = find(&tree, "xe_0000_03_00.0");
	expect(pmu, "gt-c6-residency", 1, 0);
	expect(pmu, "gt-c6-residency,gt=1", UINT64_C(1) << 60 | 1, 0);
	/* 2 at bit 0, 1 at 12, 4 at 20, 2 at 44, 1 at 60 */
	expect(pmu, "engine-active-ticks,engine_class=4,engine_instance=1,function=2,gt=1",
	       UINT64_C(0x1000200000401002), 0);
	/* the last number of a name holds */
	expect(pmu, "event=3,event=5", 5, 0);
	tacho__arena_finish(&tree.arena);
}

/* Data fabric of Vega 20: no cpumask, and yet nothing for processes. */
static void test_amdgpu(void **state)
{
	const struct tacho__perf_pmu *pmu;
	struct tree tree;

	read_tree("amdgpu", &tree);
	pmu = find(&tree, "amdgpu_df_0");
	assert_true(pmu->is_device_wide);
	assert_int_equal(pmu->cpu_count, 1);
	expect(pmu, "cake0_pcsout_txdata", 0x024607, 0);
	expect(pmu, "cake1_ftiinstat_rspalloc", 0x08470b, 0);
	tacho__arena_finish(&tree.arena);
}

static void test_cpus(void **state)
{
	const struct tacho__perf_pmu *pmu;
	struct tacho__perf_code code;
	struct tree tree;

	read_tree("cpus", &tree);
	assert_int_equal(tree.count, 17);
	/* by number, not by letter */
	assert_string_equal(tree.pmus[7].name, "uncore_imc_2");
	assert_string_equal(tree.pmus[16].name, "uncore_imc_11");
	pmu = find(&tree, "cpu");
	assert_false(pmu->is_device_wide);
	assert_int_equal(pmu->cpu_count, 0);
	/* event has 8 bits at 0 and 4 at 32 */
	expect(pmu, "event=0x1c0", UINT64_C(0x1000000c0), 0);
	expect(pmu, "event=0xfff,umask=1", UINT64_C(0xf000001ff), 0);
	expect_error(pmu, "event=0x1000", TACHO_E_INVAL);
	expect(pmu, "stalls", 0xa9 | 1 << 23 | 1 << 24, 0);
	expect(pmu, "cache-references,umask=1", 0x0160, 0);
	expect(pmu, "config=0xffffffffffffffff", UINT64_MAX, 0);
	expect(pmu, "config1=7,event=1", 1, 7);
	expect_error(pmu, "event=", TACHO_E_PARSE);
	expect_error(pmu, "event=-1", TACHO_E_PARSE);
	expect_error(pmu, "event=0x1x", TACHO_E_PARSE);
	expect_error(pmu, "event=99999999999999999999", TACHO_E_PARSE);
	expect_error(pmu, ",event=1", TACHO_E_PARSE);
	expect_error(pmu, "event=1,,umask=1", TACHO_E_PARSE);
	expect_error(pmu, "", TACHO_E_PARSE);
	expect_error(pmu, "name=", TACHO_E_PARSE);
	assert_int_equal(tacho__perf_encode(pmu, "event=1,name=mine", 17, &code), 0);
	assert_string_equal(code.name, "mine");

	pmu = find(&tree, "cpu_atom");
	assert_false(pmu->is_device_wide);
	assert_int_equal(pmu->cpu_count, 8);
	assert_int_equal(pmu->cpus[7], 23);
	expect(pmu, "mem-loads", 0x05d0, 3);
	expect(pmu, "mem-loads,ldlat=0x20", 0x05d0, 0x20);
	expect(pmu, "offcore_rsp=0xfedcba9876543210", 0, UINT64_C(0xfedcba9876543210));

	pmu = find(&tree, "power");
	assert_int_equal(pmu->cpu_count, 2);
	assert_string_equal(pmu->events[1].name, "energy-pkg");
	assert_string_equal(pmu->events[1].unit, "Joules");
	assert_true(pmu->events[1].scale == 1.0 / 4294967296.0); /* 2^-32 */

	pmu = find(&tree, "hv_24x7");
	expect_error(pmu, "HPM_INST", TACHO_E_INVAL);
	assert_non_null(strstr(tacho_error_last()->cure, "core=NUMBER"));
	expect_error(pmu, "HPM_INST,chip=5", TACHO_E_INVAL);
	expect(pmu, "HPM_INST,core=5", UINT64_C(0x20) << 32 | 5 << 16 | 2, 0);
	expect(pmu, "core=5,HPM_INST", UINT64_C(0x20) << 32 | 5 << 16 | 2, 0);
	tacho__arena_finish(&tree.arena);
}

static void test_numbers(void **state)
{
	static const char *const bad_cpus[] = {
		"", "a", "3-1", "0,", ",1", "1-", "1 2", "-1", "0-65536", "99999999999999999999"};
	static const char *const bad_formats[] = {"",
						  "config",
						  "config:",
						  "config:64",
						  "config:5-3",
						  "config4:0",
						  "config:0-7,",
						  "config:0 1",
						  "config:0-7;",
						  "confg:0",
						  "config11:0",
						  "config:0,1,2,3,4,5,6,7,8"};
	struct tacho__perf_format format = {0};
	struct tacho__arena arena = {0};
	const uint32_t *cpus;
	size_t count;

	assert_int_equal(tacho__perf_parse_cpus(&arena, "0,4-7", &cpus, &count), 0);
	assert_int_equal(count, 5);
	assert_int_equal(cpus[0], 0);
	assert_int_equal(cpus[1], 4);
	assert_int_equal(cpus[4], 7);
	for (size_t i = 0; i < sizeof(bad_cpus) / sizeof(bad_cpus[0]); i++)
		assert_int_equal(tacho__perf_parse_cpus(&arena, bad_cpus[i], &cpus, &count),
				 TACHO_E_PARSE);
	assert_int_equal(tacho__perf_parse_format("config2:5,8-10,63", &format), 0);
	assert_int_equal(format.config, 2);
	assert_int_equal(format.range_count, 3);
	assert_int_equal(format.ranges[0].high, 5);
	assert_int_equal(format.ranges[1].low, 8);
	assert_int_equal(format.ranges[2].low, 63);
	for (size_t i = 0; i < sizeof(bad_formats) / sizeof(bad_formats[0]); i++)
		assert_int_equal(tacho__perf_parse_format(bad_formats[i], &format), TACHO_E_PARSE);
	tacho__arena_finish(&arena);
}

static void put(const char *root, const char *path, const char *text, size_t size)
{
	char *full, *at;
	FILE *file;

	assert_true(asprintf(&full, "%s" DEVICES "%s", root, path) > 0);
	for (at = strchr(full + 1, '/'); at; at = strchr(at + 1, '/')) {
		*at = '\0';
		mkdir(full, 0700);
		*at = '/';
	}
	file = fopen(full, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, size, file), size);
	fclose(file);
	free(full);
}

static const struct {
	const char *path, *text;
} hostile_files[] = {
	{"a/type", "seven"},
	{"b/type", "99999999999"},
	{"c/type", "-3"},
	{"d/type", ""},
	{"e/type", "5\n"},
	{"e/cpumask", "0-9999999\n"},
	{"good/type", " 6 \nrest\n"},
	{"good/format/wide", "config:0-63\n"},
	{"good/format/far", "config:60-70\n"},
	{"good/format/none", "\n"},
	{"good/format/twice", "config:0,0\n"},
	{"good/events/one", "wide=1\n"},
	{"good/events/loop", "loop\n"},
	{"good/events/b=d", "wide=1\n"},
	{"good/events/sized", "wide=2\n"},
	{"good/events/sized.scale", "1e999\n"},
	{"good/events/turned", "wide=3\n"},
	{"good/events/turned.scale", "-1\n"},
	{"good/events/hex", "wide=3\n"},
	{"good/events/hex.scale", "0x1p-3\n"},
	/* a scale that is there but cannot be read: not 1 */
	{"good/events/unread", "wide=4\n"},
	{"good/events/unread.scale/file", "1\n"},
	{"good/events/escape", "wide=\033[2J\n"},
};

/* What is malformed is left out, and the rest is there. */
static void test_hostile(void **state)
{
	char root[] = "/tmp/tacho-perf-XXXXXX", large[9000], *path, *command;
	struct tacho__arena arena = {0};
	const struct tacho__perf_pmu *pmus;
	size_t count;

	assert_non_null(mkdtemp(root));
	for (size_t i = 0; i < sizeof(hostile_files) / sizeof(hostile_files[0]); i++)
		put(root, hostile_files[i].path, hostile_files[i].text,
		    strlen(hostile_files[i].text));
	memset(large, ',', sizeof(large));
	put(root, "good/events/large", large, sizeof(large));
	put(root, "good/events/zero", "wide=1\0", 7);
	assert_true(asprintf(&path, "%s/", root) > 0);
	assert_int_equal(tacho__perf_list_pmus(&arena, path, &pmus, &count), 0);
	assert_int_equal(count, 1);
	assert_string_equal(pmus[0].name, "good");
	assert_int_equal(pmus[0].type, 6);
	assert_int_equal(pmus[0].format_count, 2);
	expect(&pmus[0], "one", 1, 0);
	expect_error(&pmus[0], "loop", TACHO_E_NOTFOUND);
	expect_error(&pmus[0], "sized", TACHO_E_NOTFOUND);
	expect_error(&pmus[0], "turned", TACHO_E_NOTFOUND);
	expect_error(&pmus[0], "hex", TACHO_E_NOTFOUND);
	expect_error(&pmus[0], "unread", TACHO_E_NOTFOUND);
	expect_error(&pmus[0], "escape", TACHO_E_NOTFOUND);
	/* two bits at the same place: what the file says */
	expect(&pmus[0], "twice=2", 1, 0);
	tacho__arena_finish(&arena);
	free(path);
	assert_true(asprintf(&command, "rm -r %s", root) > 0);
	assert_int_equal(system(command), 0);
	free(command);
}

static void test_difference(void **state)
{
	static const struct tacho__perf_reading begin = {1000, 500, 500};
	static const struct {
		struct tacho__perf_reading end;
		uint64_t whole;
		double coverage;
		uint8_t state;
	} cases[] = {
		{{1040, 600, 600}, 40, 1, TACHO_STATE_OK},
		/* a quarter of the time: 50 become 200 */
		{{1050, 900, 600}, 200, 0.25, TACHO_STATE_SCALED},
		{{1001, 800, 700}, 2, 2.0 / 3, TACHO_STATE_SCALED}, /* 1.5 is rounded up */
		{{1000, 900, 500}, 0, 0, TACHO_STATE_ABSENT},
		/* it slept */
		{{1000, 500, 500}, 0, 1, TACHO_STATE_OK},
	};
	struct tacho__perf_reading none = {0}, end = {UINT64_MAX, 1000000, 1};
	struct tacho__perf_value value;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		tacho__perf_difference(&begin, &cases[i].end, 0.5, &value);
		assert_int_equal(value.state, cases[i].state);
		assert_true(value.coverage == cases[i].coverage);
		if (value.state != TACHO_STATE_ABSENT)
			assert_int_equal(value.whole, cases[i].whole);
	}
	/* the unscaled 1.5 times a half */
	tacho__perf_difference(&begin, &cases[2].end, 0.5, &value);
	assert_true(value.real == 0.75);
	tacho__perf_difference(&none, &none, 1, &value);
	assert_int_equal(value.state, TACHO_STATE_ABSENT);
	tacho__perf_difference(&none, &end, 1, &value);
	assert_int_equal(value.state, TACHO_STATE_SCALED);
	assert_true(value.whole > UINT64_MAX - 4096);
}

static void test_errors(void **state)
{
	static const struct {
		int error, code;
	} cases[] = {{EACCES, TACHO_E_PERM},	    {EPERM, TACHO_E_PERM},
		     {ENOENT, TACHO_E_UNSUPPORTED}, {ENOSYS, TACHO_E_UNSUPPORTED},
		     {EINVAL, TACHO_E_UNSUPPORTED}, {EBUSY, TACHO_E_BUSY},
		     {ESRCH, TACHO_E_NOTFOUND},	    {EMFILE, TACHO_E_IO}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(tacho__perf_fail(cases[i].error, "x", TACHO__PERF_SYSTEM),
				 cases[i].code);
		assert_int_equal(tacho_error_last()->vendor_code, cases[i].error);
		assert_non_null(strstr(tacho_error_last()->cause, "errno "));
		assert_true(*tacho_error_last()->cure);
	}
	tacho__perf_fail(EACCES, "x", TACHO__PERF_SYSTEM);
	assert_non_null(strstr(tacho_error_last()->cause, "perf_event_paranoid"));
}

/* The tree of another machine as devices: everything but counting. */
static void test_foreign(void **state)
{
	char *root = tree_path("cpus");
	struct tacho_context_options options = {
		.size = sizeof(options), .backends = "perf", .sysroot = root};
	struct tacho_session_options session_options = {.size = sizeof(session_options)};
	struct tacho_config_entry wanted = {.name = "power/energy-pkg/"};
	const struct tacho_entry *entry, *again;
	const struct tacho_device_info *info;
	struct tacho_context *context;
	struct tacho_session *session;
	struct tacho_config *config;
	struct tacho_plan *plan;
	struct tacho_device *device;
	const struct tacho_arch *arch;

	assert_int_equal(tacho_context_create(&options, &context), 0);
	assert_int_equal(tacho_context_find_device_info(context, "perf:uncore_imc_11", &info), 0);
	assert_true(info->usable);
	assert_int_equal(tacho_context_find_device_info(context, "perf:linux", &info), 0);
	assert_int_equal(tacho_device_open(context, info, &device), 0);
	arch = tacho_device_get_arch(device);
	entry = tacho_arch_find_entry(arch, "power/energy-pkg/");
	assert_non_null(entry);
	assert_int_equal(entry->type, TACHO_TYPE_F64);
	assert_string_equal(entry->unit, "joules");
	assert_non_null(strstr(entry->caveat, "whole device"));
	entry = tacho_arch_find_entry(arch, "hv_24x7/HPM_INST/");
	assert_string_equal(entry->expression, "");
	assert_non_null(strstr(entry->caveat, "core=NUMBER"));
	assert_non_null(tacho_arch_find_set(arch, "default"));
	assert_non_null(tacho_arch_find_entry(arch, "ipc"));

	assert_int_equal(tacho_device_define_entry(device, "cpu/event=0x1c0,name=mine/", &entry),
			 0);
	assert_string_equal(entry->name, "mine");
	assert_int_equal(entry->event, UINT64_C(0x1000000c0));
	assert_int_equal(tacho_device_define_entry(device, "cpu/event=0x1c0,name=mine/", &again),
			 0);
	assert_ptr_equal(entry, again);
	assert_int_equal(tacho_device_define_entry(device, "cpu/event=0x1c1,name=mine/", &again),
			 TACHO_E_EXISTS);
	assert_int_equal(tacho_device_define_entry(device, "power/energy-pkg/", &again), 0);
	assert_int_equal(tacho_device_define_entry(device, "gpu/x/", &again), TACHO_E_NOTFOUND);
	assert_int_equal(tacho_device_define_entry(device, "cpu/nothing/", &again),
			 TACHO_E_NOTFOUND);
	assert_int_equal(tacho_device_define_entry(device, "cpu//", &again), TACHO_E_PARSE);
	assert_int_equal(tacho_device_define_entry(device, "cpu", &again), TACHO_E_PARSE);
	assert_int_equal(tacho_device_define_entry(device, "/", &again), TACHO_E_PARSE);

	assert_int_equal(tacho_config_create(arch, NULL, &wanted, 1, &config), 0);
	assert_int_equal(tacho_device_plan(device, config, NULL, &plan), 0);
	assert_int_equal(tacho_session_create(device, plan, &session_options, &session),
			 TACHO_E_UNSUPPORTED);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	tacho_device_close(device);
	tacho_context_destroy(context);
	free(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_i915),	   cmocka_unit_test(test_xe),
		cmocka_unit_test(test_amdgpu),	   cmocka_unit_test(test_cpus),
		cmocka_unit_test(test_numbers),	   cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_difference), cmocka_unit_test(test_errors),
		cmocka_unit_test(test_foreign),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
