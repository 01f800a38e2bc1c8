/* SPDX-License-Identifier: MIT */
/*
 * What AMD's units have.
 *
 * gfx6 to gfx9 without unified registers: the numbers and the rounding of the CodeXL and rcprof
 * occupancy tables, so that results are theirs. Later ones: LLVM's IsaInfo (AMDGPUBaseInfo.cpp) and
 * "User Guide for AMDGPU Backend", tables of COMPUTE_PGM_RSRC1 and COMPUTE_PGM_RSRC2.
 */
#include <stdbool.h>
#include <string.h>

#include "analyze/occupancy/occupancy.h"
#include "base/array.h"
#include "base/error.h"

#define GCN_SOURCE  "AMD CodeXL occupancy calculator"
#define LLVM_SOURCE "LLVM AMDGPU backend, IsaInfo"

/* Rules that several chips share. */
enum rules {
	GFX6,
	GFX7,
	GFX8,
	GFX9,
	GFX90A, /* one file of 512 registers for ordinary and accumulation registers */
	GFX950, /* the same, with 160 KB of LDS */
	GFX10,
	GFX10_3,
	GFX11_WIDE, /* half as many registers again */
};

static const struct {
	const char *name;
	enum rules rules;
} chips[] = {
	{"gfx600", GFX6},	 {"gfx601", GFX6},	  {"gfx602", GFX6},
	{"gfx700", GFX7},	 {"gfx701", GFX7},	  {"gfx702", GFX7},
	{"gfx703", GFX7},	 {"gfx704", GFX7},	  {"gfx705", GFX7},
	{"gfx801", GFX8},	 {"gfx802", GFX8},	  {"gfx803", GFX8},
	{"gfx805", GFX8},	 {"gfx810", GFX8},	  {"gfx900", GFX9},
	{"gfx902", GFX9},	 {"gfx904", GFX9},	  {"gfx906", GFX9},
	{"gfx908", GFX9},	 {"gfx909", GFX9},	  {"gfx90a", GFX90A},
	{"gfx90c", GFX9},	 {"gfx940", GFX90A},	  {"gfx941", GFX90A},
	{"gfx942", GFX90A},	 {"gfx950", GFX950},	  {"gfx1010", GFX10},
	{"gfx1011", GFX10},	 {"gfx1012", GFX10},	  {"gfx1013", GFX10},
	{"gfx1030", GFX10_3},	 {"gfx1031", GFX10_3},	  {"gfx1032", GFX10_3},
	{"gfx1033", GFX10_3},	 {"gfx1034", GFX10_3},	  {"gfx1035", GFX10_3},
	{"gfx1036", GFX10_3},	 {"gfx1100", GFX11_WIDE}, {"gfx1101", GFX11_WIDE},
	{"gfx1102", GFX10_3},	 {"gfx1103", GFX10_3},	  {"gfx1150", GFX10_3},
	{"gfx1151", GFX11_WIDE}, {"gfx1152", GFX10_3},	  {"gfx1153", GFX10_3},
	{"gfx1200", GFX11_WIDE}, {"gfx1201", GFX11_WIDE},
};

const char *tacho__limits_amd_name(size_t index)
{
	return index < TACHO__ARRAY_SIZE(chips) ? chips[index].name : NULL;
}

static void set_gcn(enum rules rules, struct tacho_limits *limits)
{
	limits->unit = "CU";
	limits->source = GCN_SOURCE;
	limits->wave_size = 64;
	limits->simd_count = 4;
	limits->waves_max = 40;
	limits->groups_max = 16;
	limits->groups_of_one = 40;
	limits->vector_total = 256;
	limits->vector_granule = 4;
	limits->vector_max = 256;
	limits->scalar_total = rules >= GFX8 ? 800 : 512;
	limits->scalar_granule = rules >= GFX8 ? 16 : 8;
	limits->scalar_max = rules >= GFX8 ? 102 : 104;
	limits->scalar_extra = 2; /* VCC */
	limits->local_total = limits->local_group_max = rules == GFX6 ? 32768 : 65536;
	limits->local_granule = 1;
}

/* Accumulation registers begin at a multiple of 4 (ACCUM_OFFSET in COMPUTE_PGM_RSRC3). */
static void set_unified(enum rules rules, struct tacho_limits *limits)
{
	set_gcn(GFX9, limits);
	limits->source = LLVM_SOURCE;
	limits->waves_max = limits->groups_of_one = 32;
	limits->vector_total = limits->vector_max = 512;
	limits->vector_granule = 8;
	limits->accumulation_granule = 4;
	limits->local_total = limits->local_group_max = rules == GFX950 ? 163840 : 65536;
	limits->local_granule = rules == GFX950 ? 1280 : 512;
}

/* Scalar registers have one size for every wave and never limit. */
static void set_rdna(enum rules rules, uint32_t wave_size, bool is_pair,
		     struct tacho_limits *limits)
{
	static const struct {
		uint32_t waves, total, granule; /* per SIMD; of waves of 32 work-items */
	} table[] = {
		[GFX10] = {20, 1024, 8},
		[GFX10_3] = {16, 1024, 16},
		[GFX11_WIDE] = {16, 1536, 24},
	};
	uint32_t halves = wave_size / 32;

	limits->unit = is_pair ? "WGP" : "CU";
	limits->source = LLVM_SOURCE;
	limits->wave_size = wave_size;
	limits->simd_count = is_pair ? 4 : 2;
	limits->waves_max = limits->groups_of_one = table[rules].waves * limits->simd_count;
	limits->groups_max = is_pair ? 32 : 16; /* barriers */
	limits->vector_total = table[rules].total / halves;
	limits->vector_granule = table[rules].granule / halves;
	limits->vector_max = 256;
	limits->scalar_max = 106;
	limits->local_total = is_pair ? 131072 : 65536;
	limits->local_group_max = 65536;
	limits->local_granule = 512;
}

int tacho__limits_amd(const char *arch, uint32_t wave_size, enum tacho_unit_mode mode,
		      struct tacho_limits *out_limits)
{
	struct tacho_limits limits = {.vector_name = "VGPR",
				      .scalar_name = "SGPR",
				      .local_name = "LDS",
				      .group_max = 1024};
	size_t size = strcspn(arch, ":"), i = 0;
	enum rules rules;

	while (i < TACHO__ARRAY_SIZE(chips) &&
	       (strlen(chips[i].name) != size || strncasecmp(chips[i].name, arch, size)))
		i++;
	if (i == TACHO__ARRAY_SIZE(chips))
		return 1;
	rules = chips[i].rules;
	limits.arch = chips[i].name;
	if (wave_size && wave_size != 64 && (wave_size != 32 || rules < GFX10))
		return tacho__fail(TACHO_E_NOTFOUND,
				   tacho__detail("%s has waves of %s", limits.arch,
						 rules < GFX10 ? "64" : "32 and 64"),
				   "", "%s has no waves of %u work-items", limits.arch, wave_size);
	if (mode == TACHO_UNIT_PAIR && rules < GFX10)
		return tacho__fail(TACHO_E_NOTFOUND, "its compute units share no local memory", "",
				   "%s has no work-group processors", limits.arch);
	if (rules < GFX90A)
		set_gcn(rules, &limits);
	else if (rules < GFX10)
		set_unified(rules, &limits);
	else
		set_rdna(rules, wave_size ? wave_size : 32, mode != TACHO_UNIT_SINGLE, &limits);
	*out_limits = limits;
	return 0;
}
