#!/bin/sh
# SPDX-License-Identifier: MIT
# Contexts of GLX, as programs with windows have, on an X server of the test's own: the scenes of
# gl_scene through GPUPerfAPI give the numbers that are worked out by hand.
# limit: 300
. "$ROOT/tests/real/lib.sh"

use_gl gpa_scene
command -v Xvfb >/dev/null 2>&1 || skip "xvfb is not installed: GLX is not tested on a driver"

# The server chooses a number that is free and says it when it is ready.
rm -f display
mkfifo display || fail "no pipe can be made"
Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp 3>display >xvfb.out 2>&1 </dev/null &
server=$!
trap 'kill "$server" 2>/dev/null; wait "$server" 2>/dev/null' EXIT
read -r number <display || {
	tail -n 3 xvfb.out
	skip "Xvfb does not start: GLX is not tested on a driver"
}
export DISPLAY=":$number"

draw llvmpipe 40 llvmpipe llvmpipe glx
draw softpipe 40 softpipe softpipe glx
[ $seen -gt 0 ] || skip "no OpenGL driver makes a context of GLX"
