#!/bin/sh
# SPDX-License-Identifier: MIT
# Time and memory of `tacho report` on recordings of 10 million calls, and of ones a tenth as long:
# of equal calls, of calls of several kinds, and of a program whose every tenth call is a launch.
# Prints Markdown for bench/RESULTS.md.
#
#	[VARIABLE=VALUE...] bench/reader/run.sh
#
# ROUNDS=5        times that each recording is read
# CALLS=10000000  calls of the long recordings
# BEFORE=FOLDER   another build, which reads them in turns with BIN's
# BIN, OUT        see bench/lib.sh
ROOT=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
. "$ROOT/bench/lib.sh"

rounds=${ROUNDS:-5}
calls=${CALLS:-10000000}

# took WHAT BUILD ARGUMENT...: a line of figures about one report.
took() {
	what=$1 build=$2
	shift 2
	"$BIN/bench/peak" "$OUT/took" "$build/cli/tacho" report "$@" "$OUT/recording" \
		>"$OUT/printed" || bench_die "tacho report failed"
	awk -v calls="$number" -v mib=$mib -v lost="${lost% *}" -v what="$what" '
		{ took[$1] = $2 }
		END { print what ";" calls, mib, took["user_s"], took["wall_s"], \
			took["peak_kib"] / 1024, took["own_kib"] / 1024, lost }' \
		"$OUT/took" >>"$RAW"
}

machine=$(bench_machine)
: >"$RAW"
for kind in calls mixed program; do
	for number in $((calls / 10)) "$calls"; do
		bench_record "$CLCOST" $kind "$number" >/dev/null || bench_die "recording failed"
		lost=$(bench_lost) || exit 1
		mib=$(($(du -sk "$OUT/recording.tacho" | awk '{ print $1 }') / 1024))
		round=1
		while [ $round -le "$rounds" ]; do
			bench_say "$number calls ($kind), round $round of $rounds"
			[ -z "${BEFORE:-}" ] || took "$kind, before" "$BEFORE" --findings
			took "$kind, by api" "$BIN" --by api
			took "$kind, findings" "$BIN" --findings
			took "$kind, whole report" "$BIN"
			round=$((round + 1))
		done
	done
done
rm -rf "$OUT/recording.tacho"

echo "$machine"
echo
awk -f "$ROOT/bench/stats.awk" -f "$ROOT/bench/reader/table.awk" "$RAW"
bench_say "raw figures: $RAW"
