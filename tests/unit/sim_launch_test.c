/* SPDX-License-Identifier: MIT */
/* Work that stands for launches of a real program: defaults, descriptions, what rests on what. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim_world.h"
#include "tacho/error.h"

/* 65536 items in groups of 256: 1024 waves. */
static const struct tacho_sim_work launch = {
	.size = sizeof(launch), .grid = {4096, 16}, .workgroup = {64, 4}};

static char *write_file(const char *text)
{
	static char path[] = "/tmp/tacho-kernels-XXXXXX";
	int fd;

	strcpy(path + strlen(path) - 6, "XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	return path;
}

static struct tacho_sim_kernels *read_text(const char *text)
{
	struct tacho_sim_kernels *kernels = NULL;
	char *path = write_file(text);

	assert_int_equal(tacho_sim_kernels_read(path, &kernels), 0);
	unlink(path);
	return kernels;
}

static void defaults_hold_for_unknown_kernels(void **state)
{
	struct tacho_sim_kernels *kernels = NULL;
	struct tacho_sim_work work = launch;
	uint64_t given = 1;

	assert_int_equal(tacho_sim_kernels_read(NULL, &kernels), 0);
	tacho_sim_kernels_describe(kernels, "any", &work, &given);
	assert_int_equal(given, 0);
	assert_int_equal(work.per_wave.valu, 64);
	assert_int_equal(work.per_wave.salu, 16);
	assert_int_equal(work.per_wave.lds, 0);
	assert_int_equal(work.bytes_read, 16 * 65536);
	assert_int_equal(work.bytes_written, 4 * 65536);
	assert_true(work.l1_hit == 0.5);
	assert_int_equal(work.grid[0], 4096);
	tacho_sim_kernels_destroy(kernels);
	tacho_sim_kernels_destroy(NULL);
}

static void a_description_replaces_defaults(void **state)
{
	struct tacho_sim_kernels *kernels = read_text(
		"sim-kernels: 1\nkernels:\n"
		"  gemm: {valu: 100, mfma_f16: 50, lds: 8, l1_hit: 0.25}\n"
		"  copy: {bytes_read: 1000, bytes_written_per_item: 2, duration_ns: 5e3}\n");
	struct tacho_sim_work work = launch;
	uint64_t gemm, copy, none;

	tacho_sim_kernels_describe(kernels, "gemm", &work, &gemm);
	assert_int_equal(work.per_wave.valu, 100);
	assert_int_equal(work.per_wave.mfma_f16, 50);
	assert_int_equal(work.per_wave.salu, 0); /* the list is complete */
	assert_true(work.l1_hit == 0.25);
	assert_true(work.l2_hit == 0.5);
	work = launch;
	tacho_sim_kernels_describe(kernels, "copy", &work, &copy);
	assert_int_equal(work.bytes_read, 1000);
	assert_int_equal(work.bytes_written, 2 * 65536);
	assert_int_equal(work.duration_ns, 5000);
	assert_int_equal(work.per_wave.valu, 64);
	work = launch;
	tacho_sim_kernels_describe(kernels, "other", &work, &none);
	assert_int_equal(none, 0);
	assert_true(gemm && copy && !(gemm & copy));
	tacho_sim_kernels_destroy(kernels);
}

static void wrong_files_are_refused(void **state)
{
	static const char *const texts[] = {
		"kernels: {}\n",
		"sim-kernels: 1\n",
		"sim-kernels: 1\nkernels: [a]\n",
		"sim-kernels: 1\nkernels: {a: 1}\n",
		"sim-kernels: 1\nkernels: {a: {velu: 1}}\n",
		"sim-kernels: 1\nkernels: {a: {valu: many}}\n",
		"sim-kernels: 1\nkernels: {a: {valu: -1}}\n",
		"sim-kernels: 1\nkernels: {a: {valu: 0x10}}\n",
		"sim-kernels: 1\nkernels: {a: {valu: 5000000000}}\n",
		"sim-kernels: 1\nkernels: {a: {l1_hit: 1.5}}\n",
		"sim-kernels: 1\nkernels: {a: {valu_per_item: 1}}\n",
		"sim-kernels: 1\nkernels: {a: {bytes_read: [1]}}\n",
	};

	for (size_t i = 0; i < COUNT(texts); i++) {
		struct tacho_sim_kernels *kernels = NULL;
		char *path = write_file(texts[i]);

		assert_int_equal(tacho_sim_kernels_read(path, &kernels), TACHO_E_PARSE);
		assert_null(kernels);
		assert_non_null(strstr(tacho_error_last()->cure, "docs/replay.md"));
		unlink(path);
	}
	assert_int_equal(tacho_sim_kernels_read("/nowhere/kernels.yaml",
						&(struct tacho_sim_kernels *){NULL}),
			 TACHO_E_NOTFOUND);
}

static uint64_t needed_of(const struct world *world, const char *name)
{
	const struct tacho_entry *entry =
		tacho_arch_find_entry(tacho_device_get_arch(world->device), name);
	uint64_t needed = UINT64_MAX;

	assert_non_null(entry);
	assert_int_equal(tacho_sim_get_needed_work(world->device, entry, &needed), 0);
	return needed;
}

static void needed_follow_the_rules(void **state)
{
	struct tacho_sim_kernels *kernels =
		read_text("sim-kernels: 1\nkernels:\n"
			  "  all: {valu: 1, bytes_read: 1, bytes_written: 1, l1_hit: 0, l2_hit: 0, "
			  "lds_conflict: 0, lanes: 64, occupancy: 1, duration_ns: 1}\n"
			  "  valu: {valu: 1}\n  time: {duration_ns: 1}\n"
			  "  level: {duration_ns: 1, occupancy: 1}\n");
	struct world world = {0};
	struct tacho_sim_work work = launch;
	uint64_t all, valu, duration, level;

	tacho_sim_kernels_describe(kernels, "level", &work, &level);
	tacho_sim_kernels_describe(kernels, "all", &work, &all);
	tacho_sim_kernels_describe(kernels, "valu", &work, &valu);
	tacho_sim_kernels_describe(kernels, "time", &work, &duration);
	world_open(&world, "sim:mi300x");
	/* what a launch tells */
	assert_int_equal(needed_of(&world, "SQ_WAVES"), 0);
	assert_int_equal(needed_of(&world, "SQ_ITEMS"), 0);
	assert_int_equal(needed_of(&world, "SPI_CSN_NUM_THREADGROUPS"), 0);
	/* what it does not */
	assert_true(needed_of(&world, "SQ_INSTS_VALU"));
	assert_int_equal(needed_of(&world, "SQ_INSTS_VALU") & ~valu, 0);
	assert_int_equal(needed_of(&world, "SQ_INSTS") & ~valu, 0);
	assert_true(needed_of(&world, "GRBM_GUI_ACTIVE") & ~valu);
	assert_int_equal(needed_of(&world, "GRBM_GUI_ACTIVE") & ~duration, 0);
	/* metrics have those of all their counters */
	assert_true(needed_of(&world, "MeanOccupancyPerCU") & ~duration);
	/* constants of the device rest on nothing */
	assert_int_equal(needed_of(&world, "MeanOccupancyPerCU") & ~level, 0);
	/* nothing is unknown when all is said */
	assert_int_equal(needed_of(&world, "TCC_HIT_sum") & ~all, 0);
	assert_true(needed_of(&world, "TCC_HIT_sum") & ~valu);
	world_close(&world);
	tacho_sim_kernels_destroy(kernels);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults_hold_for_unknown_kernels),
		cmocka_unit_test(a_description_replaces_defaults),
		cmocka_unit_test(wrong_files_are_refused),
		cmocka_unit_test(needed_follow_the_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
