# SPDX-License-Identifier: MIT
# What the scripts here share. ./check gives them: ROOT the sources, BIN the build, TACHO the
# command, WORK a folder of the test's own, driver_platform the number of an OpenCL platform that
# runs kernels ("" if there is none), long 1 with --long.
set -u
TACHO_CONFIG= TACHO_PAGER=
# What modules of Python warn of is in no output.
PYTHONWARNINGS=ignore
export TACHO_CONFIG TACHO_PAGER PYTHONWARNINGS
cd "$WORK" || exit 1

skip() {
	echo "SKIP: $*"
	exit 77
}

fail() {
	echo "FAIL: $*"
	exit 1
}

# need PROGRAM...: skips without them, or without a driver.
need() {
	for need_program; do
		command -v "$need_program" >/dev/null 2>&1 || skip "$need_program is not installed"
	done
	[ -n "$driver_platform" ] || skip "no OpenCL driver runs kernels here"
}

# same WHAT EXPECTED GOT
same() {
	[ "$2" = "$3" ] || fail "$1: expected $2, got $3"
	echo "$1: $3"
}

same_file() {
	cmp -s "$2" "$3" && return 0
	diff "$2" "$3" | head -n 20
	fail "$1: $2 and $3 differ"
}

# plain NAME COMMAND...: runs it as it is: NAME.plain is its stdout, plain_status its status.
plain() {
	plain_name=$1
	shift
	"$@" >"$plain_name.plain" 2>"$plain_name.plain-err" </dev/null
	plain_status=$?
}

# record NAME COMMAND...: runs it under tacho: NAME.out is its stdout, NAME.err stderr with the report
# and record_status the status. record_options are more words for tacho record, record_export the files
# that it writes, record_layers further OpenCL layers beneath. A witness that shares no code with tacho
# counts the kernel launches into NAME.count.
record_options=
record_layers=
record_export=codexl,jsonl
record() {
	record_name=$1
	shift
	rm -f "$record_name.count"
	# shellcheck disable=SC2086 # words
	COUNT_FILE=$WORK/$record_name.count \
		OPENCL_LAYERS=${record_layers:+$record_layers:}$BIN/tests/real/count.so \
		"$TACHO" record -f -o "$record_name" --report --export $record_export $record_options \
		-- "$@" \
		>"$record_name.out" 2>"$record_name.err" </dev/null
	record_status=$?
	return 0
}

# Launches that the witness saw, over all processes.
witnessed() {
	witnessed_sum=0
	[ -e "$1.count" ] && while read -r witnessed_number; do
		witnessed_sum=$((witnessed_sum + witnessed_number))
	done <"$1.count"
	echo "$witnessed_sum"
}

# Successful kernel launches in NAME.atp.
launches() {
	grep -c '^CL_SUCCESS = clEnqueueNDRangeKernel ( ' "$1.atp"
}

# Calls of one function in NAME.atp.
calls() {
	grep -c "^.* = $2 ( " "$1.atp"
}

# verify NAME [LAUNCHES]: the recording agrees with itself, the witness and the number given.
verify() {
	[ -e "$1.atp" ] || {
		cat "$1.err"
		fail "$1.atp was not written"
	}
	same "launches that the witness saw" "${2:-$(witnessed "$1")}" "$(witnessed "$1")"
	same "launches in $1.atp" "$(witnessed "$1")" "$(launches "$1")"
	"$TACHO" report "$1" --top 1000000 --json >"$1.report.json" || fail "tacho report $1 --json"
	python3 "$ROOT/tests/real/verify.py" "$1" || fail "the files of $1 do not agree"
}

ffmpeg_filters() {
	echo "format=yuv420p,hwupload,avgblur_opencl=3,unsharp_opencl=lx=5:ly=5:la=1,hwdownload,format=yuv420p"
}

# each_driver COMMAND: runs COMMAND NAME for each driver that is here, alone.
each_driver() {
	driver_seen=0
	for driver_file in /etc/OpenCL/vendors/pocl.icd /usr/lib/oclgrind/liboclgrind-rt-icd.so \
		/etc/OpenCL/vendors/rusticl.icd; do
		[ -e $driver_file ] || continue
		driver_seen=1
		case $driver_file in
		*oclgrind*) driver_name=oclgrind ;;
		*) driver_name=$(basename $driver_file .icd) ;;
		esac
		export RUSTICL_ENABLE=llvmpipe OCL_ICD_VENDORS=$driver_file
		"$1" $driver_name
	done
	[ $driver_seen = 1 ] || skip "neither PoCL nor oclgrind nor rusticl is installed"
}

# use_gl PROGRAM: draw runs this one of tests, "face/gpa_scene" through tacho's GPUPerfAPI.
use_gl() {
	scene=$BIN/tests/$1
	[ -x "$scene" ] || skip "libegl-dev or libopengl-dev is not installed"
	export XDG_RUNTIME_DIR="$WORK" MESA_SHADER_CACHE_DISABLE=true LIBGL_ALWAYS_SOFTWARE=1
	export TACHO_GPA_GL="$BIN/src/face/libGPUPerfAPIGL.so"
	unset TACHO_SIM
	seen=0
}

# draw NAME LEAST DRIVER ARGUMENTS...: on this driver of Mesa; at least LEAST counts must be right.
# One that makes no context here is passed over, the others are counted in $seen.
draw() {
	draw_name=$1 draw_least=$2 draw_driver=$3
	shift 3
	env GALLIUM_DRIVER="$draw_driver" "$scene" "$@" >"$draw_name.out" 2>"$draw_name.err" \
		</dev/null
	draw_status=$?
	[ $draw_status = 77 ] && {
		grep '^SKIP' "$draw_name.out"
		return
	}
	[ -s "$draw_name.out" ] || fail "$draw_name: status $draw_status: $(cat "$draw_name.err")"
	# zink without a Vulkan driver gives way to llvmpipe
	grep -q "^$draw_driver" "$draw_name.out" || return
	seen=$((seen + 1))
	grep -v '^message: \|^error: \| ok$' "$draw_name.out"
	[ $draw_status = 0 ] || {
		cat "$draw_name.err"
		fail "$draw_name: counts are not as worked out"
	}
	[ "$(grep -c ' ok$' "$draw_name.out")" -ge "$draw_least" ] ||
		fail "$draw_name: too little was counted"
}

# start_x WHAT: an X server of the test's own until it ends; WHAT is not tested without one: 1.
start_x() {
	command -v Xvfb >/dev/null 2>&1 || {
		echo "SKIP: xvfb is not installed: $* is not tested on a driver"
		return 1
	}
	# The server chooses a number that is free and says it when it is ready.
	rm -f display
	mkfifo display || fail "no pipe can be made"
	Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp 3>display >xvfb.out 2>&1 </dev/null &
	x_server=$!
	trap 'kill "$x_server" 2>/dev/null; wait "$x_server" 2>/dev/null' EXIT
	read -r x_number <display || {
		tail -n 3 xvfb.out
		echo "SKIP: Xvfb does not start: $* is not tested on a driver"
		return 1
	}
	export DISPLAY=":$x_number"
}

# ranges NAME COMMAND...: runs it recorded; NAME.list are its named ranges and in which launches are.
ranges() {
	ranges_name=$1
	shift
	"$TACHO" record -f -o "$ranges_name" -- "$@" \
		>"$ranges_name.out" 2>"$ranges_name.err" </dev/null ||
		fail "$* ended with $?: $(cat "$ranges_name.err")"
	"$BIN/tests/real/list_ranges" "$ranges_name" >"$ranges_name.list" ||
		fail "list_ranges $ranges_name"
}

# expect NAME: its ranges and launches are the lines of standard input, in whatever order.
expect() {
	LC_ALL=C sort >"$1.expected"
	LC_ALL=C sort "$1.list" >"$1.ranges"
	same_file "ranges of $1" "$1.expected" "$1.ranges"
	echo "ranges of $1: $(wc -l <"$1.ranges")"
}

# kill_after SECONDS: the program that the last command in the background records, so long after it
# has written its number to the file pid; and waits for the recorder.
kill_after() {
	while kill -0 $! 2>/dev/null && [ ! -s pid ]; do
		sleep 0.01
	done
	sleep "$1"
	[ ! -s pid ] || kill -9 "$(cat pid)"
	wait $!
}
