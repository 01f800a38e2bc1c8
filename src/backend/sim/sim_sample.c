/* SPDX-License-Identifier: MIT */
/* Work for programs that know nothing of simulated devices. docs/sim.md states it. */
#include "base/array.h"
#include "tacho/sim.h"

static const struct tacho_sim_work samples[] = {
	[TACHO_SIM_KERNEL] =
		{
			.size = sizeof(samples[0]),
			.name = "sample",
			.kind = TACHO_SIM_KERNEL,
			.grid = {4096, 1, 1},
			.workgroup = {64, 1, 1},
			.per_wave = {.valu = 100,
				     .salu = 20,
				     .vmem_read = 4,
				     .vmem_write = 2,
				     .lds = 8},
			.bytes_read = 1 << 20,
			.bytes_written = 1 << 19,
			.l2_hit = 0.5,
		},
	/* 100 triangles without shared vertices, 10000 pixels to each of two targets. */
	[TACHO_SIM_DRAW] =
		{
			.size = sizeof(samples[0]),
			.name = "sample",
			.kind = TACHO_SIM_DRAW,
			.draw = {.vertices = 300,
				 .primitives = 100,
				 .pixels = 10000,
				 .targets = 2,
				 .vs = {.valu = 40, .salu = 10},
				 .ps = {.valu = 60, .salu = 10}},
		},
};

const struct tacho_sim_work *tacho_sim_get_sample_work(uint32_t kind)
{
	return kind < TACHO__ARRAY_SIZE(samples) ? &samples[kind] : NULL;
}
