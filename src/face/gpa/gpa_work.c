/* SPDX-License-Identifier: MIT */
/*
 * What a sample on a simulated device contains when the program submits nothing to it: programs
 * that only know GPUPerfAPI cannot. docs/gpa.md states it.
 */
#include <string.h>

#include "face/gpa/gpa.h"
#include "tacho/sim.h"

int tacho__gpa_submit_work(struct tacho__gpa_context *context)
{
	const struct tacho_arch *arch = tacho_device_get_arch(context->device);
	uint32_t kind = strcmp(arch->api, "gl") ? TACHO_SIM_KERNEL : TACHO_SIM_DRAW;

	/* A unit of the program's own gets only what the program submits. */
	if (!context->is_simulated || !context->core)
		return 0;
	return tacho_sim_submit(context->device, tacho_sim_get_sample_work(kind), NULL);
}
