/* SPDX-License-Identifier: MIT */
/* Launches of a CUDA program as work of a simulated device. */
#ifndef TACHO_INJECT_CUDA_CUDA_SIMULATED_H
#define TACHO_INJECT_CUDA_CUDA_SIMULATED_H

#include "inject/cuda/cuda_counting.h"

/* Opens the device. What goes wrong is told to the recording, and nothing is counted. */
void tacho__cuda_simulated_start(void);
/* The launch was made: counts it and writes its row. From any thread. */
void tacho__cuda_simulated_count(const struct tacho__cuda_launch *launch);

#endif
