/* SPDX-License-Identifier: MIT */
/* Every size of block, registers and shared memory, as NVIDIA's cuda_occupancy.h has it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <cuda_occupancy.h>

#include "tacho/tacho.h"

static cudaOccDeviceProp describe(int major, int minor, const struct tacho_limits *limits)
{
	cudaOccDeviceProp device;

	memset(&device, 0, sizeof(device));
	device.computeMajor = major;
	device.computeMinor = minor;
	device.maxThreadsPerBlock = 1024;
	device.maxThreadsPerMultiprocessor = (int)limits->waves_max * 32;
	device.regsPerBlock = device.regsPerMultiprocessor = 65536;
	device.warpSize = 32;
	device.sharedMemPerBlock = 49152;
	device.sharedMemPerMultiprocessor = limits->local_total;
	device.sharedMemPerBlockOptin = limits->local_group_max;
	device.reservedSharedMemPerBlock = limits->local_reserved;
	device.numSms = 1;
	return device;
}

static int ask(const cudaOccDeviceProp *device, const struct tacho_use *use)
{
	cudaOccFuncAttributes kernel;
	cudaOccDeviceState state;
	cudaOccResult result = {0};

	memset(&kernel, 0, sizeof(kernel));
	memset(&state, 0, sizeof(state));
	kernel.maxThreadsPerBlock = 1024;
	kernel.numRegs = (int)use->vector;
	kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
	kernel.sharedSizeBytes = use->local_bytes / 3;
	kernel.maxDynamicSharedSizeBytes = use->local_bytes - kernel.sharedSizeBytes;
	kernel.numBlockBarriers = (int)use->barriers;
	state.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
	assert_int_equal(cudaOccMaxActiveBlocksPerMultiprocessor(&result, device, &kernel, &state,
								 (int)use->group_size,
								 kernel.maxDynamicSharedSizeBytes),
			 CUDA_OCC_SUCCESS);
	return result.activeBlocksPerMultiprocessor;
}

/* What a GPU of the family cannot run is refused on all of them. */
static bool fits_sm_61(const struct tacho_use *use)
{
	struct tacho_limits limits;
	struct tacho_occupancy occupancy;

	assert_int_equal(tacho_limits_find("sm_61", 0, TACHO_UNIT_USUAL, &limits), 0);
	assert_int_equal(tacho_occupancy_get(&limits, use, &occupancy), 0);
	return occupancy.limits[TACHO_OCCUPANCY_VECTOR] != 0;
}

static void compare(const char *arch, int major, int minor)
{
	struct tacho_limits limits;
	struct tacho_occupancy occupancy;
	cudaOccDeviceProp device;

	assert_int_equal(tacho_limits_find(arch, 0, TACHO_UNIT_USUAL, &limits), 0);
	device = describe(major, minor, &limits);
	for (uint32_t group = 1; group <= 1024; group += group < 64 ? 1 : 31)
		for (uint32_t vector = 0; vector <= 255; vector += 3)
			for (uint64_t local = 0; local < 232000; local += local ? 12289 : 1) {
				const struct tacho_use use = {.vector = vector,
							      .group_size = group,
							      .local_bytes = local,
							      .barriers = vector % 4};

				assert_int_equal(tacho_occupancy_get(&limits, &use, &occupancy), 0);
				if (occupancy.groups == (uint32_t)ask(&device, &use) ||
				    (!strcmp(arch, "sm_60") && !fits_sm_61(&use)))
					continue;
				print_message("%s: %u threads, %u registers, %u bytes\n", arch,
					      group, vector, (unsigned)local);
				assert_int_equal(occupancy.groups, ask(&device, &use));
			}
}

static void test_all(void **state)
{
	compare("sm_50", 5, 0);
	compare("sm_52", 5, 2);
	compare("sm_60", 6, 0);
	compare("sm_61", 6, 1);
	compare("sm_70", 7, 0);
	compare("sm_72", 7, 2);
	compare("sm_75", 7, 5);
	compare("sm_80", 8, 0);
	compare("sm_86", 8, 6);
	compare("sm_87", 8, 7);
	compare("sm_89", 8, 9);
	compare("sm_90", 9, 0);
	compare("sm_100", 10, 0);
	compare("sm_103", 10, 3);
	compare("sm_101", 10, 1);
	compare("sm_110", 11, 0);
	compare("sm_120", 12, 0);
	compare("sm_121", 12, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
