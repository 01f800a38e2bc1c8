#!/bin/sh
# SPDX-License-Identifier: MIT
# OpenGL on the drivers that are here, without a window: scenes whose counts are worked out by hand
# (tests/real/gl_scene.c) give exactly these numbers.
# limit: 300
. "$ROOT/tests/real/lib.sh"

scene=$BIN/tests/real/gl_scene
[ -x "$scene" ] || skip "libegl-dev or libopengl-dev is not installed"
export XDG_RUNTIME_DIR="$WORK" MESA_SHADER_CACHE_DISABLE=true
seen=0

# check NAME DEVIATIONS VARIABLE...
check() {
	check_name=$1
	check_deviations=$2
	shift 2
	env LIBGL_ALWAYS_SOFTWARE=1 "$@" "$scene" "$check_deviations" >"$check_name.out" \
		2>"$check_name.err" </dev/null
	check_status=$?
	[ $check_status = 77 ] && return
	# zink without a Vulkan driver gives way to llvmpipe
	head -n 1 "$check_name.out" | grep -q "^$check_name" || return
	seen=$((seen + 1))
	cat "$check_name.out"
	[ $check_status = 0 ] || {
		cat "$check_name.err"
		fail "$check_name: counts are not as worked out"
	}
	[ "$(grep -c ' ok$' "$check_name.out")" -ge 40 ] || fail "$check_name: too little was counted"
}

check llvmpipe llvmpipe GALLIUM_DRIVER=llvmpipe
check zink llvmpipe,zink GALLIUM_DRIVER=zink
check softpipe softpipe GALLIUM_DRIVER=softpipe
[ $seen -gt 0 ] || skip "no OpenGL driver makes a context without a window"
