#!/bin/sh
# SPDX-License-Identifier: MIT
# Contexts of GLX, as programs with windows have, on an X server of the test's own: the scenes of
# gl_scene through GPUPerfAPI give the numbers that are worked out by hand.
# limit: 300
. "$ROOT/tests/real/lib.sh"

use_gl face/gpa_scene
start_x GLX || exit 77
draw llvmpipe 40 llvmpipe llvmpipe glx
draw softpipe 40 softpipe softpipe glx
[ $seen -gt 0 ] || skip "no OpenGL driver makes a context of GLX"
