/* SPDX-License-Identifier: MIT */
/*
 * What NVIDIA's multiprocessors have: "CUDA C++ Programming Guide", table of technical
 * specifications per compute capability; steps of allocation and barriers as NVIDIA's
 * cuda_occupancy.h (CUDA 13.0) has them. All shared memory of the multiprocessor is taken to be
 * configured as such, as drivers do when kernels need it.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/occupancy/occupancy.h"
#include "base/array.h"
#include "base/error.h"

enum { KB = 1024 };

static const struct {
	const char *name;
	unsigned capability;
	uint32_t warps, blocks;
	uint32_t shared_kb, shared_block_kb; /* per multiprocessor; most of one block */
	uint32_t barriers;		     /* 0: they never limit */
} chips[] = {
	{"sm_50", 50, 64, 32, 64, 48, 0},      {"sm_52", 52, 64, 32, 96, 48, 0},
	{"sm_60", 60, 64, 32, 64, 48, 0},      {"sm_61", 61, 64, 32, 96, 48, 0},
	{"sm_70", 70, 64, 32, 96, 96, 0},      {"sm_72", 72, 64, 32, 96, 96, 0},
	{"sm_75", 75, 32, 16, 64, 64, 0},      {"sm_80", 80, 64, 32, 164, 163, 0},
	{"sm_86", 86, 48, 16, 100, 99, 0},     {"sm_87", 87, 48, 16, 164, 163, 0},
	{"sm_89", 89, 48, 24, 100, 99, 0},     {"sm_90", 90, 64, 32, 228, 227, 64},
	{"sm_100", 100, 64, 32, 228, 227, 64}, {"sm_103", 103, 64, 32, 228, 227, 64},
	{"sm_101", 101, 48, 24, 228, 227, 24}, {"sm_110", 110, 48, 24, 228, 227, 24},
	{"sm_120", 120, 48, 24, 100, 99, 24},  {"sm_121", 121, 48, 24, 100, 99, 24},
};

const char *tacho__limits_nvidia_name(size_t index)
{
	return index < TACHO__ARRAY_SIZE(chips) ? chips[index].name : NULL;
}

/* "sm_90a" and "sm_100f" are the chip of the same number with more instructions. */
static unsigned get_capability(const char *arch)
{
	char *end;
	unsigned long number;

	if (strncasecmp(arch, "sm_", 3) || arch[3] < '0' || arch[3] > '9')
		return 0;
	number = strtoul(arch + 3, &end, 10);
	if (*end == 'a' || *end == 'f')
		end++;
	return *end || number > 1000 ? 0 : (unsigned)number;
}

int tacho__limits_nvidia(const char *arch, uint32_t wave_size, enum tacho_unit_mode mode,
			 struct tacho_limits *out_limits)
{
	unsigned capability = get_capability(arch);
	struct tacho_limits limits = {.unit = "SM",
				      .source = "CUDA C++ Programming Guide, cuda_occupancy.h",
				      .vector_name = "registers",
				      .scalar_name = "",
				      .local_name = "shared memory",
				      .wave_size = 32,
				      .simd_count = 4,
				      .group_max = 1024,
				      .vector_total = 512, /* 65,536 / 4 / 32 */
				      .vector_granule = 8, /* 256 / 32 */
				      .vector_max = 255};
	size_t i = 0;

	while (i < TACHO__ARRAY_SIZE(chips) && chips[i].capability != capability)
		i++;
	if (i == TACHO__ARRAY_SIZE(chips))
		return 1;
	limits.arch = chips[i].name;
	if ((wave_size && wave_size != 32) || mode == TACHO_UNIT_PAIR)
		return tacho__fail(TACHO_E_NOTFOUND, "its warps have 32 threads, its units are SMs",
				   "", "%s has no such units or waves of %u work-items",
				   limits.arch, wave_size);
	if (capability == 60) { /* two parts with twice the registers */
		limits.simd_count = 2;
		limits.vector_total = 1024;
	}
	limits.waves_max = chips[i].warps;
	limits.groups_max = limits.groups_of_one = chips[i].blocks;
	limits.local_total = (uint64_t)chips[i].shared_kb * KB;
	limits.local_group_max = (uint64_t)chips[i].shared_block_kb * KB;
	limits.local_granule = capability >= 80 ? 128 : 256;
	limits.local_reserved = capability >= 80 ? 1024 : 0;
	limits.barriers_total = chips[i].barriers;
	*out_limits = limits;
	return 0;
}
