/* SPDX-License-Identifier: MIT */
/* Contexts of OpenGL without a window, made in the ways that programs have. */
#ifndef TACHO_TESTS_GL_WAYS_H
#define TACHO_TESTS_GL_WAYS_H

enum gl_way { GL_WAY_EGL, GL_WAY_EGL_ES, GL_WAY_GLX };
enum gl_use { GL_USE_NONE, GL_USE_OWN, GL_USE_OTHER };

/*
 * Makes two contexts, the newest that the driver has, and the first of them current: its handle.
 * NULL with the reason.
 */
void *gl_way_open(enum gl_way way, const char **out_reason);
/* Makes one of them current, or none. 0: the driver refused. */
int gl_way_use(enum gl_use use);

#endif
