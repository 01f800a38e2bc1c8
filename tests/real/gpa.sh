#!/bin/sh
# SPDX-License-Identifier: MIT
# GPUPerfAPI's functions only, on the OpenGL drivers that are here: the scenes of gl_scene give the
# numbers that are worked out by hand.
# limit: 300
. "$ROOT/tests/real/lib.sh"

use_gl face/gpa_scene
draw llvmpipe 40 llvmpipe llvmpipe
draw zink 40 zink llvmpipe,zink
draw softpipe 40 softpipe softpipe
grep -q 'HSInvocations is left out: .*OpenGL 4.0' softpipe.out ||
	[ ! -s softpipe.out ] || fail "softpipe does not say why it has no HSInvocations"
[ $seen -gt 0 ] || skip "no OpenGL driver makes a context without a window"
