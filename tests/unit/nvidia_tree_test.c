/* SPDX-License-Identifier: MIT */
/* NVIDIA's GPUs in trees of files as driver and kernel show them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/cupti/nvidia_tree.h"
#include "test_folder.h"

static struct tacho__nvidia_tree tree;

static void read_tree(const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/data/nvidia-trees/%s", getenv("TACHO_SOURCE_ROOT"),
		 name);
	setenv(TACHO__NVIDIA_ROOT_VARIABLE, path, 1);
	assert_int_equal(tacho__nvidia_tree_read(NULL, &tree), 0);
	assert_false(tree.is_foreign);
}

static void test_closed_module(void **state)
{
	(void)state;
	read_tree("a100");
	assert_true(tree.has_driver);
	assert_string_equal(tree.driver_version, "535.183.01");
	assert_int_equal(tree.admin_only, 1);
	assert_true(tree.has_capabilities);
	assert_false(tree.is_privileged);
	assert_int_equal(tree.control_error, 0);
	assert_int_equal(tree.count, 2);
	assert_int_equal(tree.driven, 2);
	assert_string_equal(tree.cards[0].pci, "0000:07:00.0");
	assert_string_equal(tree.cards[1].pci, "0000:0f:00.0");
	assert_string_equal(tree.cards[0].name, "NVIDIA A100-SXM4-80GB");
	assert_string_equal(tree.cards[0].uuid, "GPU-a75cda02-62ce-2c30-9150-555ef08935e2");
	assert_string_equal(tree.cards[1].node, "nvidia1");
	assert_int_equal(tree.cards[1].node_error, 0);
	assert_false(tree.cards[0].is_excluded);
	assert_false(tree.is_wsl);
}

static void test_open_module(void **state)
{
	(void)state;
	read_tree("h100");
	assert_string_equal(tree.driver_version, "580.65.06");
	assert_int_equal(tree.admin_only, 0);
	assert_int_equal(tree.count, 1);
}

static void test_no_driver(void **state)
{
	(void)state;
	read_tree("nodriver");
	assert_false(tree.has_driver);
	assert_int_equal(tree.admin_only, -1);
	assert_true(tree.is_privileged);
	assert_int_equal(tree.driven, 0);
	assert_int_equal(tree.count, 2); /* its sound is none */
	assert_string_equal(tree.cards[0].driver, "nouveau");
	assert_string_equal(tree.cards[1].driver, "");
	assert_string_equal(tree.cards[1].name, "NVIDIA GPU, PCI 10DE:2230");
}

static void test_others(void **state)
{
	(void)state;
	read_tree("wsl");
	assert_true(tree.is_wsl);
	assert_int_equal(tree.count, 0);
	read_tree("container");
	assert_int_equal(tree.control_error, ENOENT);
	assert_int_equal(tree.cards[0].node_error, ENOENT);
	assert_int_equal(tree.capabilities, 0xa80425fb);
}

static void put(const struct folder *folder, const char *name, const char *text)
{
	char path[8192], command[8300];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder->path, name);
	snprintf(command, sizeof(command), "mkdir -p \"$(dirname '%s')\"", path);
	assert_int_equal(system(command), 0);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	fclose(file);
}

/* What others run on the machine, and files that make no sense. */
static void test_made(void **state)
{
	struct folder folder;
	char *text = malloc(100001);

	(void)state;
	folder_make(&folder);
	setenv(TACHO__NVIDIA_ROOT_VARIABLE, folder.path, 1);
	memset(text, 'x', 100000);
	text[100000] = '\0';
	put(&folder, "proc/driver/nvidia/version", "no number at all\n12.5\n");
	put(&folder, "proc/driver/nvidia/params", "RmProfilingAdminOnly: 7\n");
	put(&folder, "proc/driver/nvidia/gpus/0000:01:00.0/information", text);
	put(&folder, "proc/driver/nvidia/gpus/0000:02:00.0/information",
	    "Model: \t\t Unknown\nGPU UUID: \t GPU-????????\n"
	    "Device Minor: \t ../../etc\nGPU Excluded:\t Yes");
	put(&folder, "proc/self/status", "CapEff:\t0000004000000000\n");
	put(&folder, "proc/41/comm", "nv-hostengine\n");
	put(&folder, "proc/42/comm", "ncu\n");
	put(&folder, "proc/43/comm", "nvidia-cuda-mps\n");
	put(&folder, "proc/44/comm", "ncu-like\n");
	free(text);
	assert_int_equal(tacho__nvidia_tree_read(NULL, &tree), 0);
	assert_true(tree.has_driver);
	assert_string_equal(tree.driver_version, "");
	assert_int_equal(tree.admin_only, -1);
	assert_true(tree.is_privileged); /* CAP_PERFMON */
	assert_int_equal(tree.count, 2);
	assert_string_equal(tree.cards[0].name, "");
	assert_string_equal(tree.cards[1].uuid, "");
	assert_string_equal(tree.cards[1].node, "");
	assert_true(tree.cards[1].is_excluded);
	assert_int_equal(tree.dcgm.pid, 41);
	assert_int_equal(tree.profiler.pid, 42);
	assert_int_equal(tree.mps.pid, 43);
	folder_remove(&folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_closed_module), cmocka_unit_test(test_open_module),
		cmocka_unit_test(test_no_driver),     cmocka_unit_test(test_others),
		cmocka_unit_test(test_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
