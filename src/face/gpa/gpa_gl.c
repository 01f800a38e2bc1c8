/* SPDX-License-Identifier: MIT */
/* libGPUPerfAPIGL.so: contexts are those of EGL or GLX, current on the thread that opens them. */

const char tacho__gpa_backend[] = "gl";
const char tacho__gpa_api[] = "gl";
