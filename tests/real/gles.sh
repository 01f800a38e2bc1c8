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
[ $seen -gt 0 ] || skip "no driver makes a context of OpenGL ES 3 without a window"
