#!/bin/sh
# SPDX-License-Identifier: MIT
# What is done after a recording, and what needs none, with one build of tacho against another: each
# figure is the processor time of a whole process, the two in turns. Prints Markdown for
# bench/RESULTS.md: the ratio, and its 95 % interval.
#
#	BEFORE=FOLDER [VARIABLE=VALUE...] bench/turns.sh
#
# BEFORE=FOLDER  the other build; BIN is the one that it is compared with
# ROUNDS=11      runs of each
# CALLS=1000000  calls of the recording that is read
# ROWS=10000     launches whose metrics are worked out
# MB=250         size of the recording of OA reports
# SELECTIONS=50  plans by chance of each architecture
# ARCH=NAME      plans of this architecture alone
# BIN, OUT       see bench/lib.sh
ROOT=$(cd "$(dirname "$0")/.." && pwd) || exit 1
. "$ROOT/bench/lib.sh"

rounds=${ROUNDS:-11}
calls=${CALLS:-1000000}
rows=${ROWS:-10000}
mb=${MB:-250}
selections=${SELECTIONS:-50}
[ -x "${BEFORE:-}/cli/tacho" ] || bench_die "set BEFORE=FOLDER to another build"
BEFORE=$(cd "$BEFORE" && pwd)

# took FIGURE VARIANT PROGRAM ARGUMENT...: its processor time, in ms.
took() {
	figure=$1 variant=$2 program=$3
	shift 3
	case $variant in
	before) program=$BEFORE/$program ;;
	after) program=$BIN/$program ;;
	esac
	"$BIN/bench/peak" "$OUT/took" "$program" "$@" >"$OUT/printed" 2>"$OUT/errors" ||
		bench_die "$figure failed: $(cat "$OUT/errors")"
	awk -v figure="$figure" -v variant="$variant" \
		'$1 == "cpu_s" { print figure, variant, $2 * 1000 }' "$OUT/took" >>"$RAW"
}

: >"$RAW"
# The older one records: each reads what was recorded before it.
"$BEFORE/cli/tacho" record -f -q -o "$OUT/calls" -- "$CLCOST" mixed "$calls" >/dev/null ||
	bench_die "recording failed"
"$BEFORE/cli/tacho" record -f -q --sim mi300x -m VALUBusy,device_time -o "$OUT/counted" -- \
	"$CLCOST" enqueues $((calls / 50)) >/dev/null || bench_die "counting failed"
"$BIN/tests/real/oa_make" "$OUT/a.rec" chv RenderBasic \
	9d8a3af5-c02c-4a4a-b947-f1672469e0fb $((mb * 1000000 / 264)) 1 100 ||
	bench_die "no OA recording"

for round in $(seq "$rounds"); do
	bench_say "round $round of $rounds"
	for variant in before after; do
		took report $variant cli/tacho report "$OUT/calls"
		took counted $variant cli/tacho report "$OUT/counted"
		took csv $variant cli/tacho export -f --to csv -o "$OUT/$variant" "$OUT/counted"
		took formula $variant bench/formula "$rows" 1
		took plan $variant bench/plan 1 "$selections" ${ARCH:+"$ARCH"}
		took oa $variant bench/oa "$OUT/a.rec" 1
		took metrics $variant cli/tacho oa metrics "$OUT/a.rec" --by report --csv
		took list $variant cli/tacho list metrics --arch gfx942
	done
done
rm -rf "$OUT/calls.tacho" "$OUT/counted.tacho" "$OUT/a.rec"

# row LABEL FIGURE: medians, and of after / before in the same round with its interval.
row() {
	awk -v figure="$2" -v label="$1" "$(cat "$ROOT/bench/stats.awk")"'
		$1 == figure { value[$2, ++n[$2]] = $3 > 0 ? $3 : 0.5 }
		function middle(name,    list, i) {
			for (i = 1; i <= n[name]; i++)
				list[i] = value[name, i]
			return median(list, n[name])
		}
		END {
			for (i = 1; i <= n["after"]; i++)
				ratio[i] = value["after", i] / value["before", i]
			bootstrap(ratio, n["after"], interval)
			printf "| %s | %.1f | %.1f | %.2f (%.2f to %.2f) |\n", label, middle("before"),
				middle("after"), median(ratio, n["after"]), interval["low"],
				interval["high"]
		}' "$RAW"
}

bench_machine
echo "- $rounds rounds in turns, processor time of whole processes"
echo
echo "| | before, ms | after, ms | after / before, 95 % interval |"
echo "|---|---|---|---|"
row "\`report\` on $calls calls" report
row "\`report\` on $((calls / 50)) launches with two counters" counted
row "\`export --to csv\` of these" csv
row "all derived metrics of gfx942 for $rows launches" formula
row "plans of ${ARCH:-all architectures}" plan
row "OA reports in memory, $mb MB" oa
row "\`oa metrics --by report --csv\` of these" metrics
row "\`list metrics --arch gfx942\`" list
