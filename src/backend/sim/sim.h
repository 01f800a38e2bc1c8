/* SPDX-License-Identifier: MIT */
/* Simulated devices. */
#ifndef TACHO_BACKEND_SIM_SIM_H
#define TACHO_BACKEND_SIM_SIM_H

#include "backend/backend.h"

extern const struct tacho__backend tacho__backend_sim;

#endif
