/* SPDX-License-Identifier: MIT */
#include "face/sample_work.h"

#include <string.h>

#include "tacho/sim.h"

static const struct tacho_sim_work kernel = {
	.size = sizeof(kernel),
	.name = "sample",
	.kind = TACHO_SIM_KERNEL,
	.grid = {4096, 1, 1},
	.workgroup = {64, 1, 1},
	.per_wave = {.valu = 100, .salu = 20, .vmem_read = 4, .vmem_write = 2, .lds = 8},
	.bytes_read = 1 << 20,
	.bytes_written = 1 << 19,
	.l2_hit = 0.5,
};

/* 100 triangles without shared vertices, 10000 pixels to each of two targets. */
static const struct tacho_sim_work draw = {
	.size = sizeof(draw),
	.name = "sample",
	.kind = TACHO_SIM_DRAW,
	.draw = {.vertices = 300,
		 .primitives = 100,
		 .pixels = 10000,
		 .targets = 2,
		 .vs = {.valu = 40, .salu = 10},
		 .ps = {.valu = 60, .salu = 10}},
};

int tacho__face_submit_work(struct tacho_device *device)
{
	int is_draw = !strcmp(tacho_device_get_arch(device)->api, "gl");

	return tacho_sim_submit(device, is_draw ? &draw : &kernel, NULL);
}
