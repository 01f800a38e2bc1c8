#!/bin/sh
# SPDX-License-Identifier: MIT
# Time and memory of `tacho report` on a recording of 10 million calls, and of one a tenth as long.
# Prints Markdown for bench/RESULTS.md.
#
#	[VARIABLE=VALUE...] bench/reader/run.sh
#
# ROUNDS=5        times that each recording is read
# CALLS=10000000  calls of the long recording
# BIN, OUT        see bench/lib.sh
ROOT=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
. "$ROOT/bench/lib.sh"

rounds=${ROUNDS:-5}
calls=${CALLS:-10000000}

machine=$(bench_machine)
: >"$RAW"
for number in $((calls / 10)) "$calls"; do
	bench_record "$CLCOST" calls "$number" >/dev/null || bench_die "recording failed"
	lost=$(bench_lost) || exit 1
	mib=$(($(du -sk "$OUT/recording.tacho" | awk '{ print $1 }') / 1024))
	round=1
	while [ $round -le "$rounds" ]; do
		bench_say "$number calls, round $round of $rounds"
		"$BIN/bench/peak" "$OUT/took" "$TACHO" report "$OUT/recording" >"$OUT/printed" ||
			bench_die "tacho report failed"
		awk -v calls="$number" -v mib=$mib -v lost="${lost% *}" '{ took[$1] = $2 }
			END { print calls, mib, took["wall_s"], took["peak_kib"] / 1024, \
				took["own_kib"] / 1024, lost }' "$OUT/took" >>"$RAW"
		round=$((round + 1))
	done
done
rm -rf "$OUT/recording.tacho"

echo "$machine"
echo
awk -f "$ROOT/bench/stats.awk" -f "$ROOT/bench/reader/table.awk" "$RAW"
bench_say "raw figures: $RAW"
