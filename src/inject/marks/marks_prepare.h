/* SPDX-License-Identifier: MIT */
#ifndef TACHO_INJECT_MARKS_MARKS_PREPARE_H
#define TACHO_INJECT_MARKS_MARKS_PREPARE_H

#include "inject/inject.h"

extern const struct tacho__injection tacho__injection_nvtx;
extern const struct tacho__injection tacho__injection_itt;
extern const struct tacho__injection tacho__injection_roctx;

#endif
