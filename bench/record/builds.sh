#!/bin/sh
# SPDX-License-Identifier: MIT
# What recording costs with one build of tacho and with another, in turns; prints Markdown for
# bench/RESULTS.md: of one call, of the whole program, in bytes of a call and of a launch.
#
#	BEFORE=FOLDER [VARIABLE=VALUE...] bench/record/builds.sh
#
# BEFORE=FOLDER    the other build; BIN is the one that it is compared with
# ROUNDS=11        runs of each
# CALLS=2000000    cheap calls of a run
# ENQUEUES=50000   kernel enqueues of a run, in batches of 500 that a user event holds back
# BIN, OUT         see bench/lib.sh
ROOT=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
. "$ROOT/bench/lib.sh"

rounds=${ROUNDS:-11}
calls=${CALLS:-2000000}
enqueues=${ENQUEUES:-50000}
[ -x "${BEFORE:-}/cli/tacho" ] || bench_die "set BEFORE=FOLDER to another build"
after=$TACHO before=$(cd "$BEFORE" && pwd)/cli/tacho

# measure FIGURE VARIANT WHAT COUNT: clcost's figure, the wall time and the files' bytes.
measure() {
	figure=$1 variant=$2
	shift 2
	begun=$(date +%s%N)
	case $variant in
	plain) "$CLCOST" "$@" ;;
	before) TACHO=$before bench_record "$CLCOST" "$@" ;;
	after) TACHO=$after bench_record "$CLCOST" "$@" ;;
	esac >"$OUT/printed" 2>"$OUT/errors" || bench_die "$variant failed: $(cat "$OUT/errors")"
	ended=$(date +%s%N)
	echo "$figure-whole $variant $(((ended - begun) / 1000))" >>"$RAW"
	awk -v figure="$figure" -v variant="$variant" \
		'$1 ~ /_ns$/ { print figure "-one", variant, $2; exit }' "$OUT/printed" >>"$RAW"
	[ "$variant" = plain ] ||
		echo "$figure-bytes $variant $(du -sb "$OUT/recording.tacho" | cut -f 1)" >>"$RAW"
}

: >"$RAW"
for round in $(seq "$rounds"); do
	bench_say "round $round of $rounds"
	for variant in plain before after; do
		measure equal "$variant" calls "$calls"
		measure mixed "$variant" mixed "$calls"
		measure launch "$variant" gated "$enqueues"
		measure start "$variant" device
	done
done

# row LABEL FIGURE DIVISOR: medians of the three, and of after / before in the same round.
row() {
	awk -v figure="$2" -v label="$1" -v divisor="$3" "$(cat "$ROOT/bench/stats.awk")"'
		$1 == figure { value[$2, ++n[$2]] = $3 / divisor }
		function middle(name,    list, i) {
			if (!n[name])
				return "-"
			for (i = 1; i <= n[name]; i++)
				list[i] = value[name, i]
			return sprintf("%.1f", median(list, n[name]))
		}
		END {
			for (i = 1; i <= n["after"]; i++)
				ratio[i] = value["after", i] / value["before", i]
			sort(ratio, n["after"])
			printf "| %s | %s | %s | %s | %.2f (%.2f to %.2f) |\n", label, middle("plain"),
				middle("before"), middle("after"), quantile(ratio, n["after"], 0.5),
				quantile(ratio, n["after"], 0.25), quantile(ratio, n["after"], 0.75)
		}' "$RAW"
}

bench_machine
echo "- $rounds rounds in turns; medians, and the ratio's quartiles"
echo
echo "| | not recorded | before | after | after / before |"
echo "|---|---|---|---|---|"
row "a cheap call, always the same, ns" equal-one 1
row "a cheap call, of several kinds, ns" mixed-one 1
row "an enqueue that is held back, ns" launch-one 1
row "the whole program, $calls equal calls, ms" equal-whole 1000
row "the whole program, $calls calls of several kinds, ms" mixed-whole 1000
row "the whole program, $enqueues launches, ms" launch-whole 1000
row "the whole program, which only opens OpenCL, ms" start-whole 1000
row "bytes of a cheap call, always the same" equal-bytes "$calls"
row "bytes of a cheap call, of several kinds" mixed-bytes "$calls"
row "bytes of a launch with device times, its clFinish and event" launch-bytes "$enqueues"
