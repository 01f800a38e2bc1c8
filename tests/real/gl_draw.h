/* SPDX-License-Identifier: MIT */
/* What gl_scene and gpa_scene draw. */
#ifndef GL_DRAW_H
#define GL_DRAW_H

#define GL_GLEXT_PROTOTYPES 1
#include <GL/glcorearb.h>

/* Says what failed, with tacho's last error, and ends the program. */
void die(const char *what) __attribute__((noreturn));

/*
 * Makes all that is drawn, in the context that is current, and tells of whom that is. Returns its
 * version, 45 for OpenGL 4.5.
 */
int draw_prepare(void);

/*
 * How counts deviate in the context that is current: the words of the driver as they are given, and
 * behind "llvmpipe" what its release of Mesa does, "blocks" and "rectangles".
 */
const char *draw_deviations(const char *driver);

void draw_points(void);
void draw_grid(void);
void draw_patches(void);
void draw_twice(void);
void draw_feedback(void);
void draw_streams(void);
void run_compute(void);
void draw_hidden(void);
void draw_busy(void);

#endif
