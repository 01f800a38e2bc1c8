#!/bin/sh
# SPDX-License-Identifier: MIT
# OpenGL ES 3 on the drivers that are here, through GPUPerfAPI: what it counts is as worked out by
# hand, and what it has not is not there.
# limit: 120
. "$ROOT/tests/real/lib.sh"

use_gl face/gpa_es
for driver in llvmpipe zink softpipe; do
	draw $driver 6 $driver $driver
done
export MESA_GLES_VERSION_OVERRIDE=3.0 # as if it were the newest that there is
draw llvmpipe3.0 6 llvmpipe llvmpipe
unset MESA_GLES_VERSION_OVERRIDE
# The library with ES in its name counts the same, and refuses contexts of OpenGL.
export TACHO_GPA_GL="$BIN/src/face/libGPUPerfAPIGLES.so"
draw llvmpipe-gles 6 llvmpipe llvmpipe
if [ -e llvmpipe-gles.out ] && ! grep -q '^SKIP' llvmpipe-gles.out; then
	GALLIUM_DRIVER=llvmpipe "$scene" llvmpipe desktop >desktop.out 2>&1
	status=$?
	[ $status = 77 ] || {
		[ $status != 0 ] || fail "a context of OpenGL passes for one of OpenGL ES"
		grep -q 'the current context is none of OpenGL ES' desktop.out || {
			cat desktop.out
			fail "why a context of OpenGL is refused is not said"
		}
		grep -q 'OpenContext: Hardware Not Supported' desktop.out || fail "it is not 27"
	}
fi
[ $seen -gt 0 ] || skip "no driver makes a context of OpenGL ES 3 without a window"
