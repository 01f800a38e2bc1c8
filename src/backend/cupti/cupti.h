/* SPDX-License-Identifier: MIT */
/* NVIDIA's GPUs: ranges and samples through CUPTI, what NVML shows of them. */
#ifndef TACHO_BACKEND_CUPTI_CUPTI_H
#define TACHO_BACKEND_CUPTI_CUPTI_H

#include "backend/backend.h"

extern const struct tacho__backend tacho__backend_cupti;
extern const struct tacho__backend tacho__backend_cupti_sampling;
extern const struct tacho__backend tacho__backend_nvml;

#endif
