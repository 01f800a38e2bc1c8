#!/bin/sh
# SPDX-License-Identifier: MIT
# What findings say that a run gains, against what its mended twin gains: tests/real/twins_cl with a
# fault and without it, in turns, and with the fault recorded. Prints Markdown for bench/RESULTS.md.
#
# Of busy-wait the thread's time on a processor is measured, which is what it takes from others, and the
# run's time in a row of its own ("@wall"); of vk/late-build the former only, as Mesa's driver for CPUs
# compiles again on first use, in threads of its own. Some rules have no row, since on a CPU there is
# nothing to measure: small-work-group and odd-work-group, which state no gain there, as groups are done
# in what vectors it has, and persistent-map, as all memory is the host's. draining-barrier states no gain
# at all. Modes with "vk/" are those of tests/real/twins_vk, on the first device of Vulkan's.
#
#	[VARIABLE=VALUE...] bench/findings/run.sh
#
# ROUNDS=10      runs of each twin
# PLATFORM=0     number of the OpenCL platform
# MODES="..."    of twins_cl, each with what its rounds are multiplied by, "redundant-sync:10"
# PAIRS=middle   what of the pairs counts: their median, or the least run of each twin ("least"), which is
#                what a machine with other work leaves to measure
# BIN, OUT       see bench/lib.sh
ROOT=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
. "$ROOT/bench/lib.sh"

rounds=${ROUNDS:-10}
platform=${PLATFORM:-0}
modes=${MODES:-"redundant-sync:5 blocking-write:5 blocking-read:10 small-transfers:100
	tiny-launches:100 object-churn:1000 map-rounds:60 repeated-build:1 changing-options:1
	cold-cache:1 idle-device:10 serial-transfers:10 idle-units:10 busy-wait:2
	api-time:10000
	vk/drained-queue:20 vk/tiny-submits:20 vk/late-build:20 vk/redundant-bind:50
	vk/repeated-recording:20 vk/object-churn:20 vk/small-transfers:50 vk/busy-wait:1"}
for twins in "$BIN/tests/real/twins_cl" "$BIN/tests/real/twins_vk"; do
	[ -x "$twins" ] || bench_die "$twins is missing: build first"
done

# run MODE TWIN TIMES: its program, or with WITH set under that.
run() {
	case $1 in
	vk/*) set -- "$BIN/tests/real/twins_vk" "${1#vk/}" "$2" "$3" ;;
	*) set -- "$BIN/tests/real/twins_cl" "$platform" "$1" "$2" "$3" ;;
	esac
	${WITH:-} "$@"
}

# prepare MODE TWIN: PoCL keeps what it compiled. Where that would hide the fault it keeps nothing; for
# one mode it is the fault.
prepare() {
	POCL_CACHE_DIR=$OUT/cache.${1#vk/}
	export POCL_CACHE_DIR
	case $1:$2 in
	repeated-build:* | changing-options:* | cold-cache:fault) rm -rf "$POCL_CACHE_DIR" ;;
	esac
	mkdir -p "$POCL_CACHE_DIR"
}

# plain MODE TIMES TWIN: a line "MODE TWIN NANOSECONDS" of it as it is.
plain() {
	prepare "$1" "$3"
	ns=$(run "$1" "$3" "$2") || bench_die "$1 $3 failed"
	case $1 in
	*busy-wait) echo "$1@wall $3 ${ns% *}" >>"$RAW" ;;
	esac
	case $1 in
	*busy-wait | vk/late-build) ns=${ns#* } ;; # on a processor
	*) ns=${ns% *} ;;
	esac
	echo "$1 $3 $ns" >>"$RAW"
}

# judged MODE: options with which rules about launches and transfers on GPUs judge the mode.
judged() {
	case $1 in
	serial-transfers | idle-units) echo "--rule cpu-devices=1 --rule launch-share=0" ;;
	idle-device) echo "--rule idle-share=5" ;;
	api-time) echo "--rule api-share=1" ;;
	esac
}

# recorded MODE TIMES: a line "MODE stated LOW HIGH COST SHARE": of the findings about the fault, and
# how much of the run all findings gain.
recorded() {
	prepare "$1" fault
	(WITH=bench_record && run "$1" fault "$2") >"$OUT/printed" || bench_die "$1 failed"
	# shellcheck disable=SC2046 # words
	"$TACHO" report "$OUT/recording" --findings --json --rule min-cost-ns=0 \
		--rule build-share=1 $(judged "$1") >"$OUT/report.json" || bench_die "tacho report failed"
	python3 "$ROOT/bench/findings/stated.py" "$1" "$OUT/report.json" >>"$RAW" ||
		bench_die "no findings of $1"
}

: >"$RAW"
for entry in $modes; do
	mode=${entry%:*} times=${entry#*:}
	bench_say "$mode"
	# What is compiled on first use is there from now on.
	for twin in fault mended; do
		prepare "$mode" mended
		run "$mode" $twin "$times" >/dev/null || bench_die "$mode failed"
	done
	for round in $(seq "$rounds"); do
		recorded "$mode" "$times"
		plain "$mode" "$times" fault
		plain "$mode" "$times" mended
	done
done

bench_machine
echo
python3 "$ROOT/bench/findings/table.py" "$RAW" "${PAIRS:-middle}"
