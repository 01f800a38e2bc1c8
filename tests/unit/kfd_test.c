/* SPDX-License-Identifier: MIT */
/* AMD's GPUs found in trees as the kernel's topology shows them, and in broken ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/rocm/kfd.h"
#include "tacho/error.h"
#include "tacho/session.h"
#include "test_folder.h"

#define GIB   (UINT64_C(1) << 30)
#define NODES "sys/class/kfd/kfd/topology/nodes"

static char tree_path[8192];

static const char *tree(const char *name)
{
	snprintf(tree_path, sizeof(tree_path), "%s/tests/data/kfd/%s/", getenv("TACHO_SOURCE_ROOT"),
		 name);
	return tree_path;
}

static void test_arch(void **state)
{
	static const struct {
		uint64_t version;
		const char *arch;
	} cases[] = {{90000, "gfx900"},	  {90006, "gfx906"},   {90010, "gfx90a"},
		     {90012, "gfx90c"},	  {90402, "gfx942"},   {90500, "gfx950"},
		     {100100, "gfx1010"}, {100302, "gfx1032"}, {110000, "gfx1100"},
		     {110501, "gfx1151"}, {120001, "gfx1201"}};
	char arch[TACHO__KFD_ARCH_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		tacho__kfd_format_arch(cases[i].version, arch);
		assert_string_equal(arch, cases[i].arch);
	}
	tacho__kfd_format_arch(UINT64_MAX, arch); /* cannot overrun */
}

struct expected {
	const char *tree, *name, *arch;
	bool has_name;
	uint32_t node, count, compute_units, dies, render_minor, device_id;
	uint64_t memory_bytes;
};

static void test_trees(void **state)
{
	static const struct expected cases[] = {
		{"mi210", "AMD Instinct MI210", "gfx90a", true, 1, 1, 104, 1, 128, 0x740f,
		 64 * GIB - (16 << 20)},
		{"mi300x", "AMD Instinct MI300X", "gfx942", true, 2, 2, 304, 8, 128, 0x74a1,
		 192 * GIB - (16 << 20)},
		{"navi31", "Radeon RX 7900 XTX", "gfx1100", true, 1, 1, 96, 1, 129, 0x744c,
		 24 * GIB - (16 << 20)},
		{"apu", "gfx902", "gfx902", false, 0, 1, 11, 1, 128, 0x15dd, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct expected *expected = &cases[i];
		struct tacho__arena arena = {0};
		const struct tacho__kfd_gpu *gpu;
		size_t count;

		assert_int_equal(tacho__kfd_list(&arena, tree(expected->tree), &gpu, &count), 0);
		assert_int_equal(count, expected->count);
		assert_string_equal(gpu->name, expected->name);
		assert_string_equal(gpu->arch, expected->arch);
		assert_int_equal(gpu->has_name, expected->has_name);
		assert_int_equal(gpu->node, expected->node);
		assert_int_equal(gpu->compute_units, expected->compute_units);
		assert_int_equal(gpu->dies, expected->dies);
		assert_int_equal(gpu->render_minor, expected->render_minor);
		assert_int_equal(gpu->vendor_id, 0x1002);
		assert_int_equal(gpu->device_id, expected->device_id);
		assert_int_equal(gpu->memory_bytes, expected->memory_bytes);
		assert_string_equal(tacho__kfd_read_driver(&arena, tree(expected->tree)),
				    "6.12.12");
		tacho__arena_finish(&arena);
	}
}

/* The numbers of units that formulas and shapes of counters use. */
static void test_device(void **state)
{
	static const struct {
		const char *tree, *arch, *counter;
		uint32_t dimensions;
		uint64_t instances;
	} cases[] = {
		/* docs of AMD: SQ of MI210 has SE[0:7], of MI300X XCC[0:7] x SE[0:3] */
		{"mi210", "gfx90a", "SQ_WAVES", 2, 8},
		{"mi210", "gfx90a", "TCC_HIT", 1, 32},
		{"mi210", "gfx90a", "TA_TA_BUSY", 2, 14 * 8},
		{"mi300x", "gfx942", "SQ_WAVES", 3, 8 * 4},
		{"mi300x", "gfx942", "TCC_HIT", 2, 8 * 16},
		{"navi31", "gfx1100", "GL2C_HIT", 1, 32},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tacho_context_options options = {.size = sizeof(options),
							.backends = "rocm",
							.sysroot = tree(cases[i].tree)};
		struct tacho_dimension dimensions[TACHO_DIMENSION_MAX];
		const struct tacho_entry *entry;
		struct tacho_context *context;
		struct tacho_device *device;
		uint64_t instances = 1;
		uint32_t count;

		assert_int_equal(tacho_context_create(&options, &context), 0);
		assert_int_equal(tacho_device_open(context,
						   tacho_context_get_device_info(context, 0),
						   &device),
				 0);
		assert_string_equal(tacho_device_get_arch(device)->name, cases[i].arch);
		entry = tacho_arch_find_entry(tacho_device_get_arch(device), cases[i].counter);
		assert_non_null(entry);
		assert_int_equal(tacho_arch_get_dimensions(tacho_device_get_arch(device), entry,
							   tacho_device_get_model(device),
							   dimensions, &count),
				 0);
		for (uint32_t k = 0; k < count; k++)
			instances *= dimensions[k].extent;
		assert_int_equal(instances, cases[i].instances);
		tacho_device_close(device);
		tacho_context_destroy(context);
	}
}

/* A foreign tree is looked at; ranges of this process are counted by nobody. */
static void test_refuses_ranges(void **state)
{
	struct tacho_context_options options = {
		.size = sizeof(options), .backends = "rocm", .sysroot = tree("mi210")};
	struct tacho_session_options session_options = {.size = sizeof(session_options),
							.replay = TACHO_REPLAY_NONE};
	struct tacho_context *context;
	struct tacho_device *device;
	struct tacho_config *config;
	struct tacho_plan *plan;
	struct tacho_session *session;

	(void)state;
	assert_int_equal(tacho_context_create(&options, &context), 0);
	assert_int_equal(tacho_context_get_device_info(context, 0)->usable, 1);
	assert_int_equal(
		tacho_device_open(context, tacho_context_get_device_info(context, 0), &device), 0);
	assert_int_equal(tacho_device_parse_config(device, "SQ_WAVES", NULL, &config, NULL), 0);
	assert_int_equal(tacho_device_plan(device, config, NULL, &plan), 0);
	assert_int_equal(tacho_session_create(device, plan, &session_options, &session),
			 TACHO_E_UNSUPPORTED);
	assert_non_null(strstr(tacho_error_last()->cure, "tacho stat"));
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	tacho_device_close(device);
	tacho_context_destroy(context);
}

/* ---- what is wrong ---- */

static void run(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void run(const char *format, ...)
{
	char command[16384];
	va_list list;

	va_start(list, format);
	vsnprintf(command, sizeof(command), format, list);
	va_end(list);
	assert_int_equal(system(command), 0);
}

/* Asks for the GPUs of a tree as a user without rights, and compares the first one's error. */
static void check_probe(const char *root, const char *library, int code, const char *cause,
			const char *cure)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		struct tacho_context_options options = {.size = sizeof(options),
							.backends = "rocm"};
		const struct tacho_device_info *info;
		struct tacho_context *context;

		if (!geteuid() && setuid(65534))
			_exit(10);
		setenv("TACHO_ROCM_ROOT", root, 1);
		if (library)
			setenv("LD_LIBRARY_PATH", library, 1);
		if (tacho_context_create(&options, &context))
			_exit(11);
		info = tacho_context_get_device_info(context, 0);
		if (!info)
			_exit(12);
		if (info->usable || info->code != code)
			_exit(13);
		if (!strstr(info->cause, cause) || !strstr(info->cure, cure)) {
			fprintf(stderr, "%s\n%s\n", info->cause, info->cure);
			_exit(14);
		}
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void test_rights(void **state)
{
	struct folder folder;

	(void)state;
	folder_make(&folder);
	run("cp -R '%s/.' '%s' && chmod -R a+rX '%s' && chmod 666 '%s/dev/kfd' "
	    "'%s/dev/dri/renderD128'",
	    tree("mi210"), folder.path, folder.path, folder.path, folder.path);
	check_probe(folder.path, NULL, TACHO_E_NODEVICE, "librocprofiler-sdk.so.1", "install ROCm");
	run("chmod 000 '%s/dev/dri/renderD128'; chgrp 109 '%s/dev/dri/renderD128' 2>/dev/null; :",
	    folder.path, folder.path);
	check_probe(folder.path, NULL, TACHO_E_PERM, "renderD128 has mode 0000, its group is ",
		    geteuid() ? "usermod -aG" : "usermod -aG render USER");
	run("rm '%s/dev/dri/renderD128'", folder.path);
	check_probe(folder.path, NULL, TACHO_E_NODEVICE, "renderD128 is not there",
		    "--device=/dev/dri");
	run("chmod 000 '%s/dev/kfd'", folder.path);
	check_probe(folder.path, NULL, TACHO_E_PERM, "dev/kfd has mode 0000", "usermod -aG");
	run("rm '%s/dev/kfd'", folder.path);
	check_probe(folder.path, NULL, TACHO_E_NODEVICE, "dev/kfd is not there", "modprobe amdgpu");
	run("chmod 000 '%s/" NODES "/1/properties'", folder.path);
	check_probe(folder.path, NULL, TACHO_E_PERM, "refuses to show node 1",
		    "--device=/dev/dri/renderD");
	folder_remove(&folder);
}

/* A library that does not load is said to be there, with the linker's own words. */
static void test_bad_library(void **state)
{
	struct folder folder;

	(void)state;
	folder_make(&folder);
	run("cp -R '%s/.' '%s' && chmod -R a+rX '%s' && chmod 666 '%s/dev/kfd' "
	    "'%s/dev/dri/renderD128' && mkdir -p '%s/opt/rocm-6.4.0/lib' && "
	    "echo nothing >'%s/opt/rocm-6.4.0/lib/librocprofiler-sdk.so.1'",
	    tree("mi210"), folder.path, folder.path, folder.path, folder.path, folder.path,
	    folder.path);
	check_probe(folder.path, NULL, TACHO_E_NODEVICE, "opt/rocm-6.4.0/lib/librocprofiler",
		    "install ROCm again");
	folder_remove(&folder);
}

static size_t count_gpus(const char *root)
{
	struct tacho__arena arena = {0};
	const struct tacho__kfd_gpu *gpus;
	size_t count;

	assert_int_equal(tacho__kfd_list(&arena, root, &gpus, &count), 0);
	tacho__arena_finish(&arena);
	return count;
}

static void put_node(const struct folder *folder, unsigned node, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/" NODES "/%u", folder->path, node);
	run("mkdir -p '%s'", path);
	strcat(path, "/properties");
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void test_hostile(void **state)
{
	static const char *const none[] = {
		"",
		"\n\n\n",
		"simd_count",
		"simd_count \ngfx_target_version \n",
		"simd_count -1\ngfx_target_version -1\n",
		"simd_count 4x\ngfx_target_version 90010\n",
		"simd_count 416\n",
		"gfx_target_version 90010\n",
		"simd_count 0\ngfx_target_version 90010\n",
	};
	struct folder folder;
	char root[80], *big = calloc(1, 1 << 20);

	(void)state;
	folder_make(&folder);
	snprintf(root, sizeof(root), "%s/", folder.path);
	assert_int_equal(count_gpus(root), 0); /* no topology at all */
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		put_node(&folder, 0, none[i]);
		assert_int_equal(count_gpus(root), 0);
	}
	/* values that fit nowhere, banks that are not there, more lines than are kept */
	put_node(&folder, 0,
		 "simd_count 99999999999999999999\ngfx_target_version 18446744073709551615\n"
		 "mem_banks_count 4294967295\nsimd_per_cu 1\nnum_xcc 99999999999\n");
	assert_int_equal(count_gpus(root), 1);
	for (int i = 0; i < 300; i++)
		sprintf(big + strlen(big), "a%d 1\n", i);
	strcat(big, "simd_count 4\ngfx_target_version 90010\n");
	put_node(&folder, 0, big);
	assert_int_equal(count_gpus(root), 0);
	/* a file that sysfs could not have */
	memset(big, 'x', (1 << 20) - 1);
	memcpy(big, "simd_count 4\ngfx_target_version 90010\n", 38);
	put_node(&folder, 0, big);
	assert_int_equal(count_gpus(root), 0);
	/* names that are no numbers */
	run("mkdir -p '%s/" NODES "/x' '%s/" NODES "/99999999999999999999' && "
	    "cp '%s" NODES "/1/properties' '%s/" NODES "/x/'",
	    folder.path, folder.path, tree("mi210"), folder.path);
	assert_int_equal(count_gpus(root), 0);
	free(big);
	folder_remove(&folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arch),	cmocka_unit_test(test_trees),
		cmocka_unit_test(test_device),	cmocka_unit_test(test_refuses_ranges),
		cmocka_unit_test(test_rights),	cmocka_unit_test(test_bad_library),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
