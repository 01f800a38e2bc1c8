#!/bin/sh
# SPDX-License-Identifier: MIT
# Contexts of GLX, as programs with windows have, on an X server of the test's own: the scenes of
# gl_scene through GPUPerfAPI give the numbers that are worked out by hand.
# limit: 300
. "$ROOT/tests/real/lib.sh"

scene=$BIN/tests/face/gpa_scene
[ -x "$scene" ] || skip "libegl-dev or libopengl-dev is not installed"
command -v Xvfb >/dev/null 2>&1 || skip "xvfb is not installed: GLX is not tested on a driver"
export XDG_RUNTIME_DIR="$WORK" MESA_SHADER_CACHE_DISABLE=true
export TACHO_GPA_GL="$BIN/src/face/libGPUPerfAPIGL.so"
unset TACHO_SIM

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
seen=0

check() {
	env LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER="$1" "$scene" "$1" glx >"$1.out" 2>"$1.err" \
		</dev/null
	check_status=$?
	[ $check_status = 77 ] && {
		grep '^SKIP' "$1.out"
		return
	}
	grep -q "^$1" "$1.out" || return
	seen=$((seen + 1))
	grep -v '^message: \|^error: \| ok$' "$1.out"
	[ $check_status = 0 ] || {
		cat "$1.err"
		fail "$1: counts are not as worked out"
	}
	[ "$(grep -c ' ok$' "$1.out")" -ge 40 ] || fail "$1: too little was counted"
}

check llvmpipe
check softpipe
[ $seen -gt 0 ] || skip "no OpenGL driver makes a context of GLX"
