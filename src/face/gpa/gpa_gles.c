/* SPDX-License-Identifier: MIT */
/* libGPUPerfAPIGLES.so: contexts are those of EGL for OpenGL ES, current as with gpa_gl.c. */
#include "face/gpa/gpa.h"

const char tacho__gpa_backend[] = "gl";
const char tacho__gpa_api[] = "gl";
const char tacho__gpa_platform[] = "OpenGL ES";
