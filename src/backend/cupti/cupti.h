/* SPDX-License-Identifier: MIT */
/* NVIDIA's GPUs through CUPTI: plans without any, so far. */
#ifndef TACHO_BACKEND_CUPTI_CUPTI_H
#define TACHO_BACKEND_CUPTI_CUPTI_H

#include "backend/backend.h"

extern const struct tacho__backend tacho__backend_cupti;

#endif
