/* SPDX-License-Identifier: MIT */
/* On the simulated device h200: kernels of n warps. */
#include <stdio.h>
#include <stdlib.h>

#include "nvpa_work.h"
#include "nvperfapi.h"
#include "tacho/sim.h"

const char *const work_metric = "sm__warps_launched_sum";
static void *ctx;

void *work_open(const char **out_reason)
{
	if (!NVPA_Sim_CreateContext("h200", &ctx))
		return ctx;
	*out_reason = NVPA_GetErrorText();
	return NULL;
}

void work_do(unsigned n)
{
	struct tacho_sim_work work = {
		.size = sizeof(work),
		.grid = {32 * n},
		.workgroup = {32},
		.per_wave = {.valu = 10},
		.duration_ns = 1000 * n,
	};

	if (!tacho_sim_submit(ctx, &work, NULL))
		return;
	puts("no work can be given to the device");
	exit(1);
}

uint64_t work_get_shortest_ns(unsigned n)
{
	return 1000 * (uint64_t)n;
}

void work_close(void)
{
	NVPA_UnregisterContext(ctx);
}
