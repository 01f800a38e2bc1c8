/* SPDX-License-Identifier: MIT */
/* Counting with the OA unit of Intel's GPUs, through the drivers i915 and xe. */
#ifndef TACHO_BACKEND_INTEL_INTEL_H
#define TACHO_BACKEND_INTEL_INTEL_H

#include "backend/backend.h"

extern const struct tacho__backend tacho__backend_intel;

#endif
