/* SPDX-License-Identifier: MIT */
/* libGPUPerfAPIGL.so: contexts are those of EGL or GLX, current on the thread that opens them. */
#include "face/gpa/gpa.h"

const char tacho__gpa_backend[] = "gl";
const char tacho__gpa_api[] = "gl";
const char tacho__gpa_platform[] = "";
