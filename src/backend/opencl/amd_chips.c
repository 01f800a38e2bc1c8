/* SPDX-License-Identifier: MIT */
/*
 * AMD's GPUs by the names that its OpenCL gives them: code names until 2016, then the targets of
 * its compiler. Shader engines are those that Linux' amdgpu sets up (gfx_v6_0.c to gfx_v9_0.c).
 * Targets of gfx9 that are not here are of the CDNA family, whose events are others.
 */
#include <string.h>

#include "backend/opencl/opencl_amd.h"
#include "base/array.h"

static const struct tacho__opencl_amd_chip chips[] = {
	{"Tahiti", "gfx6", 2},	      {"Pitcairn", "gfx6", 2}, {"Capeverde", "gfx6", 1},
	{"Oland", "gfx6", 1},	      {"Hainan", "gfx6", 1},   {"gfx600", "gfx6", 2},
	{"gfx601", "gfx6", 0},	      {"gfx602", "gfx6", 1},

	{"Bonaire", "gfx7", 2},	      {"Hawaii", "gfx7", 4},   {"Kalindi", "gfx7", 1},
	{"Mullins", "gfx7", 1},	      {"Spectre", "gfx7", 1},  {"Spooky", "gfx7", 1},
	{"gfx700", "gfx7", 1},	      {"gfx701", "gfx7", 4},   {"gfx702", "gfx7", 4},
	{"gfx703", "gfx7", 1},	      {"gfx704", "gfx7", 2},   {"gfx705", "gfx7", 1},

	{"Iceland", "gfx8", 1},	      {"Tonga", "gfx8", 4},    {"Carrizo", "gfx8", 1},
	{"Bristol Ridge", "gfx8", 1}, {"Stoney", "gfx8", 1},   {"Fiji", "gfx8", 4},
	{"Ellesmere", "gfx8", 4},     {"Baffin", "gfx8", 2},   {"gfx801", "gfx8", 1},
	{"gfx802", "gfx8", 0},	      {"gfx803", "gfx8", 0},   {"gfx804", "gfx8", 2},
	{"gfx805", "gfx8", 4},	      {"gfx810", "gfx8", 1},

	{"gfx900", "gfx9", 4},	      {"gfx901", "gfx9", 4},   {"gfx902", "gfx9", 1},
	{"gfx904", "gfx9", 4},	      {"gfx906", "gfx9", 4},   {"gfx909", "gfx9", 1},
	{"gfx90c", "gfx9", 1},
};

const struct tacho__opencl_amd_chip *tacho__opencl_amd_find_chip(const char *name)
{
	size_t size = strcspn(name, ":");

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(chips); i++)
		if (strlen(chips[i].name) == size && !strncmp(chips[i].name, name, size))
			return &chips[i];
	return NULL;
}
