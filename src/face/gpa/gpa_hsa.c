/* SPDX-License-Identifier: MIT */
/* libGPUPerfAPIHSA.so: no backend takes handles of HSA, so its devices are simulated ones. */
#include "face/gpa/gpa.h"

const char tacho__gpa_backend[] = "";
const char tacho__gpa_api[] = "hsa";
const char tacho__gpa_platform[] = "";
