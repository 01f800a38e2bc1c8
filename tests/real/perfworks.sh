#!/bin/sh
# SPDX-License-Identifier: MIT
# PerfWorks on the drivers that are here: the samples of NVIDIA's guide, as C and as C++, count what
# the guide says, on OpenGL without a window and on an OpenCL queue; modes that cannot be had are
# refused; and OpenGL's counters are the same as through GPUPerfAPI and tacho's own functions.
# limit: 300
. "$ROOT/tests/real/lib.sh"

for program in cc python3; do
	command -v $program >/dev/null 2>&1 || skip "$program is not installed"
done
export XDG_RUNTIME_DIR="$WORK" MESA_SHADER_CACHE_DISABLE=true LIBGL_ALWAYS_SOFTWARE=1
unset TACHO_SIM
seen=0

# try NAME CODE KIND: the samples on this driver, where it is here.
try() {
	sh "$ROOT/tests/face/nvpa_guide.sh" "$2" "$3" "$ROOT" "$BIN" python3 cc >"$1.out" 2>&1
	try_status=$?
	if [ $try_status = 77 ]; then
		grep 'SKIP\|sanitizer' "$1.out"
		return
	fi
	# zink without a Vulkan driver gives way to llvmpipe
	[ "$3" = cl ] || grep -q "^$1" "$1.out" || return
	seen=$((seen + 1))
	cat "$1.out"
	[ $try_status = 0 ] || fail "$1: the samples of the guide, CODE $2"
}

# What the samples do is tried call by call where the guide is not at hand.
code=guide
[ -r "$ROOT/../shared/sources/004_42222deabb11c3cf.txt" ] || {
	echo "../shared is absent: the guide's samples are not tried as they stand"
	code=own
}
if [ -e "$BIN/tests/face/libnvpa_work_egl.a" ]; then
	for driver in llvmpipe zink softpipe; do
		export GALLIUM_DRIVER=$driver
		try $driver $code egl
	done
fi
unset GALLIUM_DRIVER
[ -z "$driver_platform" ] || try opencl $code cl

# further NAME PROGRAM ARGUMENT...: 77 is a driver that is not here.
export NVPERFAPI_LIBRARY="$BIN/src/face/libnvperfapi.so"
further() {
	further_name=$1 further_program=$BIN/tests/face/$2
	shift 2
	[ -x "$further_program" ] || return
	"$further_program" "$@" >further.out 2>&1
	further_status=$?
	[ $further_status = 77 ] && return
	cat further.out
	[ $further_status = 0 ] || fail "$further_name: $further_program"
}

for driver in llvmpipe zink softpipe; do
	export GALLIUM_DRIVER=$driver
	further $driver nvpa_modes_egl 'waits for all work before each'
	further $driver nvpa_cross_gl "$BIN/src/face/libGPUPerfAPIGL.so"
done
unset GALLIUM_DRIVER
[ -z "$driver_platform" ] || further opencl nvpa_modes_cl
[ $seen -gt 0 ] || skip "no driver makes a context here"
