#!/bin/sh
# SPDX-License-Identifier: MIT
# Serialized and pipelined ranges, and their times, on the OpenGL drivers that are here: ranges in
# ranges and ranges that are there twice have the triangles that were drawn in them
# (tests/real/gl_modes.c), in contexts of EGL, of OpenGL ES, and of GLX on an X server of its own.
# limit: 300
. "$ROOT/tests/real/lib.sh"

use_gl real/gl_modes
for driver in llvmpipe zink softpipe; do
	draw "$driver" 50 "$driver" "$driver" egl
	draw "$driver-es" 30 "$driver" "$driver" es
done
[ $seen -gt 0 ] || skip "no OpenGL driver makes a context without a window"

if start_x "GLX with modes"; then
	draw llvmpipe-glx 50 llvmpipe llvmpipe glx
	draw softpipe-glx 50 softpipe softpipe glx
fi
