#!/bin/sh
# SPDX-License-Identifier: MIT
# PerfWorks on the drivers that are here: the samples of NVIDIA's guide, as C and as C++, count what
# the guide says, on OpenGL without a window and on an OpenCL queue; and OpenGL's counters are the
# same as through GPUPerfAPI and through tacho's own functions.
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
		grep 'SKIP\|absent\|sanitizer' "$1.out"
		return
	fi
	# zink without a Vulkan driver gives way to llvmpipe
	[ "$3" = cl ] || grep -q "^$1" "$1.out" || return
	seen=$((seen + 1))
	cat "$1.out"
	[ $try_status = 0 ] || fail "$1: the samples of the guide, CODE $2"
}

for code in own guide; do
	if [ -e "$BIN/tests/face/libnvpa_work_egl.a" ]; then
		for driver in llvmpipe zink; do
			export GALLIUM_DRIVER=$driver
			try $driver $code egl
		done
	fi
	unset GALLIUM_DRIVER
	[ -z "$driver_platform" ] || try opencl $code cl
done

compare=$BIN/tests/face/nvpa_cross_gl
if [ -x "$compare" ]; then
	for driver in llvmpipe zink; do
		NVPERFAPI_LIBRARY=$BIN/src/face/libnvperfapi.so GALLIUM_DRIVER=$driver "$compare" \
			"$BIN/src/face/libGPUPerfAPIGL.so" >cross.out 2>&1
		compare_status=$?
		[ $compare_status = 77 ] && continue
		cat cross.out
		[ $compare_status = 0 ] || fail "$driver: the three ways do not agree"
	done
fi
[ $seen -gt 0 ] || skip "no driver makes a context here"
