#!/bin/sh
# SPDX-License-Identifier: MIT
# long
# limit: 600
# Programs that people use: what they write is the same with and without tacho.
. "$ROOT/tests/real/lib.sh"
need ffmpeg

export HOME="$WORK/home" POCL_CACHE_DIR="$WORK/pocl"
mkdir -p "$POCL_CACHE_DIR"
pocl=/etc/OpenCL/vendors/pocl.icd rusticl=/etc/OpenCL/vendors/rusticl.icd
tried=0

# installed PROGRAM DRIVER: uses this driver.
installed() {
	command -v "$1" >/dev/null 2>&1 && [ -e "$2" ] && export OCL_ICD_VENDORS="$2" && return 0
	echo "$1: not installed, or not $2"
	return 1
}

# fresh: a home without settings. darktable notes in it that this device is too slow, and uses it
# no more.
fresh() {
	rm -rf "$HOME"
	mkdir "$HOME" || fail "$HOME was not made"
}

# keep FILE AS: what a run wrote, or its stdout where FILE is -.
keep() {
	[ "$1" = - ] && return
	[ -s "$1" ] || fail "$2: nothing was written"
	mv "$1" "$2"
}

# app NAME RESULT COMMAND...: twice as it is, once recorded. RESULT is the file that it writes, or -
# for stdout. A program that varies by itself would tell nothing, so none may be in the table below.
app() {
	app_name=$1 app_result=$2
	shift 2
	for app_run in first second; do
		fresh
		OPENCL_LAYERS=$layer plain "$app_name.$app_run" "$@"
		same "$app_name: exit status of the $app_run plain run" 0 $plain_status
		keep "$app_result" "$app_name.$app_run.plain"
	done
	same_file "$app_name: two plain runs" "$app_name.first.plain" "$app_name.second.plain"
	fresh
	record_layers=$layer
	record "$app_name" "$@"
	same "$app_name: exit status" 0 $record_status
	keep "$app_result" "$app_name.out"
	same_file "$app_name: results" "$app_name.first.plain" "$app_name.out"
	verify "$app_name"
	[ "$(witnessed "$app_name")" -gt 0 ] || fail "$app_name launched no kernel"
	"$TACHO" check "$app_name" >"$app_name.check" || {
		cat "$app_name.check"
		fail "$app_name is not whole"
	}
	grep -q ': warning: ' "$app_name.err" && fail "$app_name: $(grep ': warning: ' "$app_name.err")"
	tried=$((tried + 1))
}

film="ffmpeg -v error -f lavfi -i testsrc=size=320x240:rate=25"
$film -t 1 -pix_fmt yuv420p film.y4m </dev/null || fail "ffmpeg made no film"
$film -frames:v 1 picture.png </dev/null || fail "ffmpeg made no picture"

# x264 takes GPUs only. Its kernel hierarchical_motion shares local memory between work items
# without a barrier, so what it writes depends on what was left there: one thread of each, then.
layer=$BIN/tests/real/gpu.so
installed x264 $pocl && app x264 x264.264 env POCL_MAX_PTHREAD_COUNT=1 \
	x264 --quiet --opencl --opencl-clbin "$HOME/clbin" --threads 1 --sync-lookahead 0 --no-mbtree \
	-o x264.264 film.y4m
installed darktable-cli $rusticl && app darktable darktable.ppm env RUSTICL_ENABLE=llvmpipe \
	darktable-cli picture.png darktable.ppm
layer=
installed gegl $pocl && app gegl gegl.ppm env GEGL_USE_OPENCL=cpu gegl picture.png -o gegl.ppm -- \
	gegl:box-blur radius=3 gegl:brightness-contrast contrast=1.5 gegl:pixelize
installed clblast_test_xdot $pocl && app clblast - clblast_test_xdot
/usr/bin/python3 -c 'import cv2' 2>/dev/null && installed /usr/bin/python3 $pocl &&
	app opencv - env OPENCV_OPENCL_DEVICE=:CPU: /usr/bin/python3 "$ROOT/tests/real/opencv.py"
[ $tried -gt 0 ] || skip "none of the programs is installed"
