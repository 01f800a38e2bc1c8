/* SPDX-License-Identifier: MIT */
/*
 * The device of this backend is the OpenGL context, of EGL or GLX, that is current on the calling
 * thread when the backend is asked; it has none else. A caller makes a context with the list of
 * backends "gl", with or without its handle, and opens the device while that OpenGL context is
 * current. Ranges, drain and the end of sessions belong to that thread too.
 */
#ifndef TACHO_BACKEND_GL_GL_H
#define TACHO_BACKEND_GL_GL_H

#include "backend/backend.h"

extern const struct tacho__backend tacho__backend_gl;

#endif
