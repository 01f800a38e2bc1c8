#!/bin/sh
# SPDX-License-Identifier: MIT
# Time and memory of `tacho report` on files of other tools: a database of Nsight Systems against a
# bare loop in C over the same columns, and Python; a trace of PyTorch against Python's json. All
# must give the same sums. Prints Markdown for bench/RESULTS.md.
#
#	[VARIABLE=VALUE...] bench/import/run.sh
#
# ROUNDS=5         times that each is read
# KERNELS=1000000  of the database
# MB=500           of the trace
# BIN, OUT         see bench/lib.sh
ROOT=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
. "$ROOT/bench/lib.sh"

rounds=${ROUNDS:-5}
kernels=${KERNELS:-1000000}
mb=${MB:-500}
python=/usr/bin/python3
[ -x $python ] || python=python3

# took FILE WHAT COMMAND...: a line of figures; the sums go to $OUT/sums.
took() {
	file=$1 what=$2
	shift 2
	"$BIN/bench/peak" "$OUT/took" "$@" >"$OUT/sums" || bench_die "$* failed"
	awk -v file="$file" -v what="$what" '{ took[$1] = $2 }
		END { print file ";" what ";" took["cpu_s"], took["own_kib"] / 1024 }' \
		"$OUT/took" >>"$RAW"
}

# The same of tacho's report: "LAUNCHES NANOSECONDS".
sums() {
	$python -c 'import json, sys
lines = json.load(sys.stdin)["lines"]
print(sum(l["count"] for l in lines), sum(l["total_ns"] for l in lines))' <"$OUT/sums" >"$OUT/own"
}

# same WHAT: what was read last, and what tacho read.
same() {
	cmp -s "$OUT/sums" "$OUT/own" ||
		bench_die "$1 says $(cat "$OUT/sums"), tacho $(cat "$OUT/own")"
}

machine=$(bench_machine)
: >"$RAW"
rm -f "$OUT/nsys.sqlite" "$OUT/kineto.json"
$python "$ROOT/bench/import/make.py" nsys "$OUT/nsys.sqlite" "$kernels" || bench_die "no database"
$python "$ROOT/bench/import/make.py" kineto "$OUT/kineto.json" "$mb" || bench_die "no trace"
round=1
while [ $round -le "$rounds" ]; do
	bench_say "round $round of $rounds"
	"$TACHO" report --by kernel --top 0 --json "$OUT/nsys.sqlite" >"$OUT/sums" && sums
	took "SQLite, $kernels kernels" "a bare loop in C" "$BIN/bench/columns" "$OUT/nsys.sqlite"
	same "the loop"
	took "SQLite, $kernels kernels" "Python, kernels only" $python \
		"$ROOT/bench/import/sums.py" nsys "$OUT/nsys.sqlite"
	same "Python"
	took "SQLite, $kernels kernels" "tacho report --by kernel" "$TACHO" report --by kernel \
		"$OUT/nsys.sqlite"
	took "SQLite, $kernels kernels" "tacho report" "$TACHO" report "$OUT/nsys.sqlite"
	"$TACHO" report --by kernel --top 0 --json "$OUT/kineto.json" >"$OUT/sums" && sums
	took "JSON, $mb MB" "Python's json, kernels only" $python "$ROOT/bench/import/sums.py" \
		kineto "$OUT/kineto.json"
	same "Python"
	took "JSON, $mb MB" "tacho report --by kernel" "$TACHO" report --by kernel \
		"$OUT/kineto.json"
	took "JSON, $mb MB" "tacho report" "$TACHO" report "$OUT/kineto.json"
	round=$((round + 1))
done
rm -f "$OUT/nsys.sqlite" "$OUT/kineto.json"

echo "$machine"
echo
awk -f "$ROOT/bench/stats.awk" -f "$ROOT/bench/import/table.awk" "$RAW"
bench_say "raw figures: $RAW"
