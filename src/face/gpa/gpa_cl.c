/* SPDX-License-Identifier: MIT */
/* libGPUPerfAPICL.so: contexts are cl_command_queue. */
#include "face/gpa/gpa.h"

const char tacho__gpa_backend[] = "opencl_queue";
const char tacho__gpa_api[] = "cl";
const char tacho__gpa_platform[] = "";
