#!/bin/sh
# SPDX-License-Identifier: MIT
# GPUPerfAPI's functions only, on the OpenGL drivers that are here: the scenes of gl_scene give the
# numbers that are worked out by hand.
# limit: 300
. "$ROOT/tests/real/lib.sh"

scene=$BIN/tests/face/gpa_scene
[ -x "$scene" ] || skip "libegl-dev or libopengl-dev is not installed"
export XDG_RUNTIME_DIR="$WORK" MESA_SHADER_CACHE_DISABLE=true
export TACHO_GPA_GL="$BIN/src/face/libGPUPerfAPIGL.so"
unset TACHO_SIM
seen=0

# check NAME DEVIATIONS: one driver of Mesa.
check() {
	env LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER="$1" "$scene" "$2" >"$1.out" 2>"$1.err" \
		</dev/null
	check_status=$?
	[ $check_status = 77 ] && return
	# zink without a Vulkan driver gives way to llvmpipe
	grep -q "^$1" "$1.out" || return
	seen=$((seen + 1))
	grep -v ' ok$' "$1.out"
	[ $check_status = 0 ] || {
		cat "$1.err"
		fail "$1: counts are not as worked out"
	}
	[ "$(grep -c ' ok$' "$1.out")" -ge 40 ] || fail "$1: too little was counted"
}

check llvmpipe llvmpipe
check zink llvmpipe,zink
check softpipe softpipe
grep -q 'HSInvocations is left out: .*OpenGL 4.0' softpipe.out ||
	[ ! -s softpipe.out ] || fail "softpipe does not say why it has no HSInvocations"
[ $seen -gt 0 ] || skip "no OpenGL driver makes a context without a window"
