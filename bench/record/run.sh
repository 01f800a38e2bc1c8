#!/bin/sh
# SPDX-License-Identifier: MIT
# What recording costs a call and a kernel enqueue, against no layer, a layer that does nothing and
# Intel's opencl-intercept-layer. The variants take turns; prints Markdown for bench/RESULTS.md.
#
#	[VARIABLE=VALUE...] bench/record/run.sh
#
# ROUNDS=11        runs of each variant
# CALLS=10000000   cheap calls of a run
# ENQUEUES=50000   kernel enqueues of a run
# BATCH=500        of them between two clFinish
# THREADS=64       threads of the memory run
# INTERCEPT=FILE   the intercept layer's cliloader; without it that peer is left out
# PEER_CALLS=1000000, PEER_ENQUEUES=ENQUEUES  the same for the intercept layer, whose logs are large
# BIN, OUT         see bench/lib.sh
ROOT=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
. "$ROOT/bench/lib.sh"

rounds=${ROUNDS:-11}
calls=${CALLS:-10000000}
enqueues=${ENQUEUES:-50000}
batch=${BATCH:-500}
threads=${THREADS:-64}
intercept=${INTERCEPT:-}
peer_calls=${PEER_CALLS:-1000000}
[ "$peer_calls" -le "$calls" ] || peer_calls=$calls
peer_enqueues=${PEER_ENQUEUES:-$enqueues}
[ -z "$intercept" ] || [ -x "$intercept" ] || bench_die "INTERCEPT=$intercept cannot be run"

# value NAME: what clcost printed under that name.
value() {
	awk -v name="$1" '$1 == name { print $2; found = 1 } END { exit !found }' "$OUT/printed" ||
		bench_die "clcost printed no $1: see $OUT/printed and $OUT/errors"
}

# put FIGURE NAME: one line of raw figures for the variant of now.
put() {
	put_value=$(value "$2") || exit 1
	echo "$round $1 $variant $put_value ${lost:-- -}" >>"$RAW"
}

# one VARIANT WHAT COUNT: runs clcost, leaves what it printed; sets lost when it was recorded.
one() {
	variant=$1 lost=
	shift
	case $variant in
	no_layer) "$CLCOST" "$@" ;;
	empty) OPENCL_LAYERS=$BIN/bench/empty_layer.so "$CLCOST" "$@" ;;
	tacho) bench_record "$CLCOST" "$@" ;;
	intercept_chrome_log) cliload -ccl "$@" ;;
	intercept_summary) cliload -h "$@" ;;
	intercept_device_times) cliload -d "$@" ;;
	intercept_device_times_and_log) cliload -d -ccl "$@" ;;
	esac >"$OUT/printed" 2>"$OUT/errors" || {
		cat "$OUT/errors" >&2
		bench_die "$variant failed with exit status $?"
	}
	[ "$variant" != tacho ] || lost=$(bench_lost) || exit 1
}

# cliload OPTIONS... WHAT COUNT...
cliload() {
	cliload_options=
	while case $1 in -*) true ;; *) false ;; esac; do
		cliload_options="$cliload_options $1"
		shift
	done
	# shellcheck disable=SC2086 # words
	"$intercept" -q $cliload_options --dump-dir "$OUT/dump" "$CLCOST" "$@"
	cliload_status=$?
	rm -rf "$OUT/dump"
	return $cliload_status
}

measure_calls() {
	for name in no_layer empty tacho; do
		one $name calls "$calls"
		put call call_ns
		before=$(value before_kib) && after=$(value after_kib) || exit 1
		echo "$round start_kib $name $before - -" >>"$RAW"
		echo "$round growth_kib $name $((after - before)) - -" >>"$RAW"
	done
	one tacho mixed "$calls"
	"$BIN/bench/bytes" "$OUT"/recording.tacho/calls-*.bin >"$OUT/bytes" ||
		bench_die "the recording holds no calls"
	one tacho enqueues "$enqueues" "$batch"
	"$BIN/bench/bytes" "$OUT"/recording.tacho/calls-*.bin >"$OUT/enqueue_bytes" ||
		bench_die "the recording holds no calls"
	[ -n "$intercept" ] || return 0
	for name in intercept_chrome_log intercept_summary; do
		one $name calls "$peer_calls"
		put call call_ns
	done
}

# one_enqueue VARIANT COUNT
one_enqueue() {
	one "$1" enqueues "$2" "$batch"
	put enqueue enqueue_ns
	put all all_ns
	one "$1" gated "$2" "$batch"
	put gated enqueue_ns
}

measure_enqueues() {
	for name in no_layer empty tacho; do
		one_enqueue $name "$enqueues"
	done
	[ -n "$intercept" ] || return 0
	for name in intercept_summary intercept_device_times intercept_device_times_and_log; do
		one_enqueue $name "$peer_enqueues"
	done
}

measure_threads() {
	for name in no_layer tacho; do
		one $name threads "$threads"
		before=$(value before_kib) && after=$(value after_kib) || exit 1
		echo "$round threads_kib $name $((after - before)) ${lost:-- -}" >>"$RAW"
	done
}

table() {
	awk -v figure="$1" -f "$ROOT/bench/stats.awk" -f "$ROOT/bench/record/table.awk" "$RAW"
}

machine=$(bench_machine)
: >"$RAW"
round=1
while [ $round -le "$rounds" ]; do
	bench_say "round $round of $rounds"
	measure_calls
	measure_enqueues
	measure_threads
	round=$((round + 1))
done
rm -rf "$OUT/recording.tacho"

echo "$machine"
echo "- $rounds rounds of alternating runs; medians of runs, means over calls"
[ -n "$intercept" ] && echo "- intercept: Intel's opencl-intercept-layer," \
	"$("$intercept" 2>&1 | sed -n 's/.*Version: \([^,]*\).*/\1/p')"
echo
echo "A cheap call, clGetKernelInfo(CL_KERNEL_NUM_ARGS), $calls calls" \
	"${intercept:+(intercept: $peer_calls) }in one thread:"
echo
table call
echo
echo "A kernel enqueue, $enqueues ${intercept:+(intercept: $peer_enqueues) }in batches of $batch;" \
	"the enqueue call alone:"
echo
table enqueue
echo
echo "The same with clFinish, until the device is done:"
echo
table all
echo
echo "The enqueue call alone while a user event holds the batch back, so that the driver's own" \
	"threads do not compete with it:"
echo
table gated
echo
awk -v threads="$threads" -v calls="$calls" -f "$ROOT/bench/stats.awk" \
	-f "$ROOT/bench/record/memory.awk" "$RAW"
echo
awk '{ got[FILENAME $1] = $2 } END {
	printf "A cheap call takes %.2f bytes (%d calls of clSetKernelArg and clGetKernelInfo, ", \
		got[ARGV[1] "mean"], got[ARGV[1] "calls"]
	printf "each unlike the last), a kernel enqueue with its device times %.2f (%d calls).\n", \
		got[ARGV[2] "mean"], got[ARGV[2] "calls"] }' "$OUT/bytes" "$OUT/enqueue_bytes"
bench_say "raw figures: $RAW"
