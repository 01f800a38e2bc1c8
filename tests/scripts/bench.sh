#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 120
# Statistics of benchmarks are right; a cheap call takes at most 24 bytes and none is dropped. With
# --long all benchmarks work, with small sizes. No times are judged.
. "$ROOT/tests/real/lib.sh"
need clpeak

# 1 to 5 beside differences of 10, 20, 30, 40, 50.
for i in 3 1 5 2 4; do
	echo "$i call empty $i - -"
	echo "$i call tacho $((i * 11)) 0 1"
done >lines
awk -v figure=call -f "$ROOT/bench/stats.awk" -f "$ROOT/bench/record/table.awk" lines >table
same "table of known lines" "| tacho | 33.0 | +30.0 | +20.0 to +40.0 | 1.00 | 0 | 5 |" \
	"$(grep '| tacho' table)"

# Ratios of 1.01 that do not vary, of 1.10, and of a program that varies by itself.
for i in 1 2 3 4 5 6 7 8; do
	echo "$i calm plain 100 - -"
	echo "$i calm tacho 101 0 0"
	echo "$i slow plain 100 - -"
	echo "$i slow tacho 110 2 0"
	echo "$i wild plain $((100 + i % 2 * 50)) - -"
	echo "$i wild tacho $((100 + i / 2 % 2 * 50)) 0 0"
done >lines
awk -f "$ROOT/bench/stats.awk" -f "$ROOT/bench/record/pairs.awk" lines >table
same "calm program" "| calm | 1.0100 | 1.0100 to 1.0100 | 1.0000 to 1.0000 | within 3 % | 8 | 0 |" \
	"$(grep calm table)"
same "slow program" \
	"| slow | 1.1000 | 1.1000 to 1.1000 | 1.0000 to 1.0000 | more than 3 % | 8 | 16 |" \
	"$(grep slow table)"
grep -q "wild .*none: the program's own spread" table || fail "no verdict on: $(grep wild table)"

OUT=$WORK/out
export OUT
ROUNDS=2 CALLS=20000 ENQUEUES=1000 THREADS=4 sh "$ROOT/bench/record/run.sh" >record.md 2>err || {
	cat err
	fail "bench/record/run.sh failed"
}
same "tables with tacho in them, none dropped" 4 "$(grep -c '^| tacho .*| 0 | [0-9]* |$' record.md)"
bytes=$(sed -n 's/^A cheap call takes \([0-9.]*\) bytes (20.*/\1/p' record.md)
awk -v bytes="${bytes:-0}" 'BEGIN { exit !(bytes > 2 && bytes <= 24) }' ||
	fail "a cheap call takes ${bytes:-an unknown number of} bytes of 24"
echo "bytes of a cheap call: $bytes"

# The others take longer, and only developers read them.
[ "$long" = 1 ] || exit 0

ROUNDS=1 CALLS=20000 ENQUEUES=1000 BEFORE=$BIN sh "$ROOT/bench/record/builds.sh" >builds.md 2>err || {
	cat err
	fail "bench/record/builds.sh failed"
}
same "rows of two builds" 10 "$(grep -c '^| .* | [0-9.]* | [0-9.]* | [0-9.]* ([0-9.]* to [0-9.]*) |$' builds.md)"

ROUNDS=1 CALLS=2000 ROWS=60 MB=1 SELECTIONS=2 ARCH=gfx942 BEFORE=$BIN sh "$ROOT/bench/turns.sh" >turns.md 2>err || {
	cat err
	fail "bench/turns.sh failed"
}
same "rows of two builds in turns" 8 "$(grep -c '^| .* | [0-9.]* | [0-9.]* | [0-9.]* ([0-9.]* to [0-9.]*) |$' turns.md)"

ROUNDS=1 CALLS=20000 sh "$ROOT/bench/reader/run.sh" >reader.md 2>err || {
	cat err
	fail "bench/reader/run.sh failed"
}
grep -q '^| program, whole report | 20000 | .* | 0 |$' reader.md || fail "bench/reader/run.sh measured nothing"

if command -v sqlite3 >/dev/null; then
	ROUNDS=1 CALLS=2000 BEFORE=$BIN sh "$ROOT/bench/reader/questions.sh" >questions.md 2>err || {
		cat err
		fail "bench/reader/questions.sh failed"
	}
	same "questions of a database" 5 "$(grep -c '^| [a-z]* | [1-9][0-9]* | [0-9.]* | [0-9.]* |$' questions.md)"
fi

if python3 -c 'import sqlite3' 2>/dev/null; then
	ROUNDS=1 KERNELS=2000 MB=1 sh "$ROOT/bench/import/run.sh" >import.md 2>err || {
		cat err
		fail "bench/import/run.sh failed"
	}
	same "readers of two files" 7 "$(grep -c '^| .* | [0-9.]* | [0-9]* | [0-9.]* |$' import.md)"
fi

ROUNDS=1 ROWS=60 sh "$ROOT/bench/formula/run.sh" >formula.md 2>err || {
	cat err
	fail "bench/formula/run.sh failed"
}
grep -q '^All 160 derived metrics of gfx942 ' formula.md || fail "bench/formula/run.sh lacks metrics"
grep -q '^| 128 | 3 | .* |$' formula.md || fail "bench/formula/run.sh lacks the yardstick"
grep -q "^All 50 counters of CHV's RenderBasic " formula.md || fail "bench/formula/run.sh lacks sets"

TRIALS=2 LAUNCHES=20 sh "$ROOT/bench/diff/run.sh" >diff.md 2>err || {
	cat err
	fail "bench/diff/run.sh failed"
}
grep -q '^| AR(0.98), nothing | [0-9.]* ([0-9.]*) | ' diff.md || fail "bench/diff/run.sh lacks rates"

ROUNDS=1 SELECTIONS=2 ARCH=gfx942 sh "$ROOT/bench/plan/run.sh" >plan.md 2>err || {
	cat err
	fail "bench/plan/run.sh failed"
}
grep -q '^| gfx942 | rocm | [0-9]* | 1[0-9] | 1[0-9] | ' plan.md || fail "bench/plan/run.sh lacks plans"
grep -q '^| gfx942 | rocm | [0-9.]* | ' plan.md || fail "bench/plan/run.sh lacks random plans"

OUT=$WORK ROUNDS=1 MB=2 sh "$ROOT/bench/oa/run.sh" >oa.md 2>err || {
	cat err
	fail "bench/oa/run.sh failed"
}
grep -q '^| reports decoded and accumulated | ' oa.md || fail "bench/oa/run.sh measured nothing"

SAMPLES=20 ROUNDS=1 sh "$ROOT/bench/gpa/run.sh" >gpa.md 2>err || {
	cat err
	fail "bench/gpa/run.sh failed"
}
grep -q '^| GPUTime: two .* | 2 | ' gpa.md || grep -q '^gpa: no ' err ||
	fail "bench/gpa/run.sh measured nothing"

PAIRS=20 ROUNDS=1 sh "$ROOT/bench/perfworks/run.sh" >perfworks.md 2>err || {
	cat err
	fail "bench/perfworks/run.sh failed"
}
[ "$(grep -c '^| simulated H200: a time, .* | 0 | - | ' perfworks.md)" = 3 ] ||
	fail "bench/perfworks/run.sh measured nothing"

ROUNDS=2 SIZES=1 sh "$ROOT/bench/replay/run.sh" >replay.md 2>err || {
	cat err
	fail "bench/replay/run.sh failed"
}
grep -q '^| 1 | three passes, kernel | .* | [0-9.]* |$' replay.md ||
	fail "bench/replay/run.sh measured nothing"

ROUNDS=1 LAUNCHES=200 sh "$ROOT/bench/rocprofiler/run.sh" >rocprofiler.md 2>err || {
	cat err
	fail "bench/rocprofiler/run.sh failed"
}
grep -q '^| commands | .* | [0-9]* ([0-9]*) |$' rocprofiler.md ||
	fail "bench/rocprofiler/run.sh measured nothing"
grep -q '^| 4 counters of a simulated MI300X | ' rocprofiler.md ||
	fail "bench/rocprofiler/run.sh lacks OpenCL"

PAIRS=1 CLPEAK=--kernel-latency sh "$ROOT/bench/record/programs.sh" clpeak >programs.md 2>err || {
	cat err
	fail "bench/record/programs.sh failed"
}
grep -q '^| clpeak: Kernel launch latency | .* | 1 | 0 |$' programs.md ||
	fail "bench/record/programs.sh did not find clpeak's figure"

if [ -x "$BIN/bench/vkcost" ]; then
	ROUNDS=1 COMMANDS=200 LEAST=3 PAIRS=0 COUNT=no sh "$ROOT/bench/vulkan/run.sh" >vulkan.md 2>err || {
		cat err
		fail "bench/vulkan/run.sh failed"
	}
	grep -q '^| nothing | a submit with a fence | [0-9].* | [+-][0-9]* | -, -, - |$' vulkan.md ||
		fail "bench/vulkan/run.sh measured nothing"
fi
