/* SPDX-License-Identifier: MIT */
/* Launches of a real program as work of simulated devices. */
#include <pthread.h>
#include <stdlib.h>

#include "face/rocprofiler/rocprofiler.h"
#include "tacho/sim.h"

/* A file that describes what kernels do (docs/replay.md). */
#define KERNELS_VARIABLE "TACHO_ROCPROFILER_KERNELS"

static struct tacho_sim_kernels *kernels; /* NULL: they cannot be read */

static void read_kernels(void)
{
	const char *path = getenv(KERNELS_VARIABLE);

	if (!tacho_sim_kernels_read(path && *path ? path : NULL, &kernels))
		return;
	tacho__rocp_fail("the file that " KERNELS_VARIABLE " names cannot be read");
	if (tacho_sim_kernels_read(NULL, &kernels))
		tacho__rocp_fail("kernels cannot be described");
}

int tacho__rocp_sim_submit(struct tacho_device *device, const struct tacho__launch *launch)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct tacho_sim_work work = {
		.size = sizeof(work), .name = launch->name, .kind = TACHO_SIM_KERNEL};
	uint64_t given;

	pthread_once(&once, read_kernels);
	for (int i = 0; i < 3; i++) {
		work.grid[i] = launch->grid[i];
		work.workgroup[i] = launch->workgroup[i];
	}
	if (kernels)
		tacho_sim_kernels_describe(kernels, launch->name, &work, &given);
	return tacho_sim_submit(device, &work, NULL);
}
