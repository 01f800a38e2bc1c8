#!/bin/sh
# SPDX-License-Identifier: MIT
# What recording costs a Vulkan command and a submit in the program's thread, against no layer, a
# layer that only forwards, time stamps that the program writes itself, GFXReconstruct's capture and
# VulkanProfiler; and whole programs. The variants take turns; prints Markdown for bench/RESULTS.md.
#
#	[VARIABLE=VALUE...] bench/vulkan/run.sh
#
# ROUNDS=9        runs of each variant
# COMMANDS=2000   commands of a command buffer
# LEAST=100       times that each is done in a run; the least time counts
# PAIRS=10        pairs of runs of vkcube and ffmpeg; 0: none
# COUNT=yes       instructions too, with valgrind, of one run of each
# PROFILER=       libVkLayer_profiler_layer.so, its manifest beside it; else it is not measured
# BIN, OUT        see bench/lib.sh
ROOT=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
. "$ROOT/bench/lib.sh"

rounds=${ROUNDS:-9}
commands=${COMMANDS:-2000}
least=${LEAST:-100}
pairs=${PAIRS:-10}
count=${COUNT:-yes}
submits=64
vkcost=$BIN/bench/vkcost
fake=$BIN/tests/fake/vulkan/fake_vulkan.json
[ -x "$vkcost" ] && [ -e "$fake" ] || bench_die "there is no $vkcost: install libvulkan-dev and build"
lavapipe=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
capture=$(ls /usr/share/vulkan/explicit_layer.d/VkLayer_gfxreconstruct.json 2>/dev/null)
profiler=${PROFILER:-}
unset VK_INSTANCE_LAYERS VK_LAYER_PATH VK_ADD_LAYER_PATH
[ -z "$profiler" ] || [ -e "$profiler" ] || bench_die "PROFILER: there is no $profiler"

# under VARIANT COMMAND...
under() {
	under_variant=$1
	shift
	case $under_variant in
	none) "$@" ;;
	empty) VK_LAYER_PATH=$BIN/bench VK_INSTANCE_LAYERS=VK_LAYER_TACHO_BENCH_empty "$@" ;;
	tacho) bench_record "$@" ;;
	capture)
		VK_INSTANCE_LAYERS=VK_LAYER_LUNARG_gfxreconstruct GFXRECON_LOG_LEVEL=fatal \
			GFXRECON_CAPTURE_FILE=$OUT/capture.gfxr "$@"
		rm -f "$OUT"/capture*.gfxr
		;;
	profiler)
		VK_LAYER_PATH=$(dirname "$profiler") VK_INSTANCE_LAYERS=VK_LAYER_PROFILER_unified \
			VKPROF_output=trace VKPROF_output_trace_file=$OUT/profiler.json \
			VKPROF_frame_delimiter=submit VKPROF_frame_count=0 "$@"
		rm -f "$OUT"/profiler*.json
		;;
	esac
}

# measure DRIVER WHAT VARIANT: a line of raw figures.
measure() {
	case $2 in
	commands | stamped) set -- "$@" "$commands" "$least" ;;
	*) set -- "$@" $submits "$least" ;;
	esac
	under "$3" "$vkcost" "$2" "$4" "$5" >"$OUT/printed" 2>"$OUT/errors" ||
		bench_die "$3 of $2 failed: $(tail -n 3 "$OUT/errors")"
	awk -v name="$1 $2 $3" '$1 == "least_ns" { print name, $2; n++ } END { exit n != 1 }' \
		"$OUT/printed" >>"$RAW" || bench_die "vkcost printed nothing: $OUT/printed"
}

each_driver() {
	for driver in nothing ${lavapipe:+lavapipe}; do
		case $driver in
		nothing) export VK_DRIVER_FILES="$fake" VK_ICD_FILENAMES="$fake" ;;
		lavapipe) export VK_DRIVER_FILES="$lavapipe" VK_ICD_FILENAMES="$lavapipe" ;;
		esac
		"$@"
	done
}

measure_all() {
	measure $driver stamped empty
	for what in commands submits fenced fresh; do
		for name in none empty tacho ${capture:+capture} ${profiler:+profiler}; do
			measure $driver $what $name
		done
	done
}

# instructions WHAT VARIANT: of one more command or submit, by two runs of which one does twice as
# much; all threads of the program together, the driver's too.
instructions() {
	case $1 in
	commands | stamped) set -- "$1" "$2" "$commands" ;;
	*) set -- "$1" "$2" $submits ;;
	esac
	for instructions_rounds in 20 40; do
		under "$2" valgrind --tool=callgrind --callgrind-out-file=/dev/null \
			--log-file="$OUT/valgrind.$instructions_rounds" "$vkcost" "$1" "$3" \
			$instructions_rounds >"$OUT/printed" 2>&1 || bench_die "valgrind failed"
	done
	awk -v name="nothing $1 $2" -v per="$(($3 * 20))" '
		/Collected *:/ { got[++n] = $NF }
		END { if (n != 2) exit 1; printf "%s %.0f\n", name, (got[2] - got[1]) / per }' \
		"$OUT/valgrind.20" "$OUT/valgrind.40" >>"$OUT/instructions" ||
		bench_die "valgrind counted nothing"
}

count_all() {
	[ $driver = nothing ] || return 0
	instructions stamped empty
	for what in commands submits fenced fresh; do
		for name in none empty tacho; do
			instructions $what $name
		done
	done
}

table() {
	awk -f "$ROOT/bench/stats.awk" -f "$ROOT/bench/vulkan/table.awk" "$OUT/instructions" "$RAW"
}

# ---- whole programs ----

run_ffmpeg() {
	ffmpeg -v error -nostdin -init_hw_device vulkan=vk:0 -filter_hw_device vk -f lavfi \
		-i testsrc=size=320x180:rate=25 -t 2 \
		-vf format=yuv420p,hwupload,scale_vulkan=w=160:h=90,hwdownload,format=yuv420p -f null -
}

run_vkcube() {
	vkcube --c 300
}

# seconds VARIANT PROGRAM: of the whole, with tacho's own start and end.
seconds() {
	export OUT BIN
	seconds_from=$(date +%s%N)
	if [ "$1" = tacho ]; then
		rm -rf "$OUT/recording.tacho"
		"$TACHO" record -f -q --export none -o "$OUT/recording" -- sh "$0" "$2"
	else
		sh "$0" "$2"
	fi >"$OUT/printed" 2>&1 || return 1
	echo "$2 $1 $((($(date +%s%N) - seconds_from) / 1000))"
}

# A program's table line; nothing where it does not run.
pair() {
	: >"$OUT/pairs"
	for pair_round in $(seq "$pairs"); do
		seconds none "$1" >>"$OUT/pairs" && seconds tacho "$1" >>"$OUT/pairs" || return 0
	done
	awk -f "$ROOT/bench/stats.awk" -f "$ROOT/bench/vulkan/pairs.awk" "$OUT/pairs"
}

whole_programs() {
	export VK_DRIVER_FILES="$lavapipe" VK_ICD_FILENAMES="$lavapipe"
	echo
	echo "Whole programs on lavapipe, start to end, $pairs pairs of runs in turns; all but the" \
		"least ratio has other programs' time in it when the machine is busy:"
	echo
	echo "| | without, s | recorded, s | ratio of the least | median of the pairs' ratios |"
	echo "|---|---|---|---|---|"
	command -v ffmpeg >/dev/null 2>&1 && pair ffmpeg
	command -v vkcube >/dev/null 2>&1 && command -v Xvfb >/dev/null 2>&1 || return 0
	mkfifo "$OUT/display"
	Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp 3>"$OUT/display" >/dev/null 2>&1 &
	x_server=$!
	trap 'kill $x_server 2>/dev/null' EXIT
	read -r x_number <"$OUT/display" || return 0
	DISPLAY=:$x_number
	export DISPLAY
	pair vkcube
}

# Called again for the program alone.
case ${1:-} in
ffmpeg | vkcube)
	run_$1
	exit
	;;
esac

machine=$(bench_machine)
: >"$RAW"
: >"$OUT/instructions"
for round in $(seq "$rounds"); do
	bench_say "round $round of $rounds"
	each_driver measure_all
done
[ "$count" = no ] || ! command -v valgrind >/dev/null 2>&1 || each_driver count_all
rm -rf "$OUT/recording.tacho"

echo "$machine"
echo "- $rounds rounds in turns, of each the least of $least times ($commands commands in a command" \
	"buffer; $submits submits without a wait); medians of rounds, in brackets the least"
[ -n "$capture" ] || echo "- GFXReconstruct is not installed and not measured"
[ -n "$profiler" ] || echo "- VulkanProfiler is not given and not measured"
echo
table
[ "$pairs" = 0 ] || [ -z "$lavapipe" ] || whole_programs
bench_say "raw figures: $RAW"
