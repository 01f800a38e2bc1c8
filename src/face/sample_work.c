/* SPDX-License-Identifier: MIT */
#include "face/sample_work.h"

#include <string.h>

#include "tacho/sim.h"

int tacho__face_submit_work(struct tacho_device *device)
{
	const char *api = tacho_device_get_arch(device)->api;
	uint32_t kind = strcmp(api, "gl") ? TACHO_SIM_KERNEL : TACHO_SIM_DRAW;

	return tacho_sim_submit(device, tacho_sim_get_sample_work(kind), NULL);
}
