#!/bin/sh
# SPDX-License-Identifier: MIT
# OpenGL ES 3 on the drivers that are here, through GPUPerfAPI: what it counts is as worked out by
# hand, and what it has not is not there.
# limit: 120
. "$ROOT/tests/real/lib.sh"

scene=$BIN/tests/face/gpa_es
[ -x "$scene" ] || skip "libegl-dev or libopengl-dev is not installed"
export XDG_RUNTIME_DIR="$WORK" MESA_SHADER_CACHE_DISABLE=true
export TACHO_GPA_GL="$BIN/src/face/libGPUPerfAPIGL.so"
unset TACHO_SIM
seen=0

# check DRIVER [VERSION]: as if VERSION were the newest that it has.
check() {
	set -- "$1" "${2:-}"
	env LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER="$1" ${2:+MESA_GLES_VERSION_OVERRIDE="$2"} \
		"$scene" "$1" >"$1$2.out" 2>"$1$2.err" </dev/null
	check_status=$?
	[ $check_status = 77 ] && return
	# zink without a Vulkan driver gives way to llvmpipe
	grep -q "^$1" "$1$2.out" || return
	seen=$((seen + 1))
	grep -v '^message: \|^error: ' "$1$2.out"
	[ $check_status = 0 ] || {
		cat "$1$2.err"
		fail "$1 $2: counts are not as worked out"
	}
	[ "$(grep -c ' ok$' "$1$2.out")" -ge 6 ] || fail "$1 $2: too little was counted"
}

check llvmpipe
check llvmpipe 3.0
check zink
check softpipe
[ $seen -gt 0 ] || skip "no driver makes a context of OpenGL ES 3 without a window"
