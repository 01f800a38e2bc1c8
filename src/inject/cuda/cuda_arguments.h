/* SPDX-License-Identifier: MIT */
/* Arguments of calls, out of the structs in which libcupti hands them over. */
#ifndef TACHO_INJECT_CUDA_CUDA_ARGUMENTS_H
#define TACHO_INJECT_CUDA_CUDA_ARGUMENTS_H

#include <stdbool.h>

#include "base/pack.h"
#include "inject/cuda/cuda_counting.h"
#include "inject/cuda/cuda_table.h"

/* What the arguments of a call that is a command say of it. */
struct tacho__cuda_work {
	uint64_t bytes;
};

/* The stream alone: nothing is read that the driver has not looked at. */
void *tacho__cuda_get_stream(const struct tacho__cuda_function *function, const void *params);

/* When the driver has taken the call. */
struct tacho__cuda_work tacho__cuda_get_work(const struct tacho__cuda_function *function,
					     const void *params);

/* Packs all but the launches'. `ok`: the call did not fail, so what it wrote is there. */
void tacho__cuda_pack_arguments(const struct tacho__cuda_function *function, const void *params,
				bool ok, struct tacho__pack *pack);

/* Reads the arguments of a launch; false: there is no function in them. */
bool tacho__cuda_read_launch(enum tacho__cuda_role role, const void *params,
			     struct tacho__cuda_launch *out_launch);

/* The block's size that cuLaunch and cuLaunchGrid take, as the program set it for the function. */
void tacho__cuda_note_block_shape(const void *params);

/* Sizes as grids of blocks of threads, for a call of LAUNCH_ARGUMENTS and a bare kernel. */
void tacho__cuda_pack_sizes(struct tacho__pack *pack, const uint32_t sizes[3]);
void tacho__cuda_pack_threads(struct tacho__pack *pack, const uint32_t grid[3],
			      const uint32_t block[3]);
uint32_t tacho__cuda_count_dimensions(const uint32_t grid[3], const uint32_t block[3]);

#endif
