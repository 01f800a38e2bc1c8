#!/bin/sh
# SPDX-License-Identifier: MIT
# What ROCprofiler-SDK's dispatch counting costs for each launch: launches of an API that does
# nothing (dispatches.c), then kernels on an OpenCL device (record/clcost.c under tool.c). Prints
# Markdown for RESULTS.md. Variants take turns; a difference is taken within a round.
#
# ROUNDS=N     rounds (default 40)
# LAUNCHES=N   launches in a round (default 2000)
ROOT=$(cd "$(dirname "$0")/../.." && pwd)
. "$ROOT/bench/lib.sh"
ROUNDS=${ROUNDS:-40} LAUNCHES=${LAUNCHES:-2000}
export ROCP_TOOL_LIBRARIES="$BIN/bench/rocprofiler_tool.so"

# The middle one and the lowest of the numbers on standard input.
middle() {
	sort -n | awk '{ all[NR] = $1 } END { printf "%.0f (%.0f)", all[int((NR + 1) / 2)], all[1] }'
}

# clcost's time for a launch, in ns, to its end; with a tool after --.
launch() {
	"$@" "$CLCOST" enqueues "$LAUNCHES" 500 2>"$OUT/tool" >"$OUT/times" ||
		bench_die "clcost failed: $(cat "$OUT/tool")"
	awk '$1 == "all_ns" { print $2 }' "$OUT/times"
}

# The same with a tool that wants these counters of each launch, and gets them.
counted() {
	BENCH_COUNTERS=$1 launch "$TACHO" env rocprofiler -- || return 1
	awk -v wants="$1" '$1 == "asked" { ok = $2 && $4 == (wants ? $2 : 0) && !$6 == !wants }
		END { exit !ok }' "$OUT/tool" || bench_die "the tool got something else: $(cat "$OUT/tool")"
}

echo "An API whose launches do nothing, ns for each launch: median (lowest) of the rounds"
echo
echo "| counters | no context active | active, nothing wanted | 4 counters, buffered |"
echo "|---|---|---|---|"
for unit in commands cpu simulated; do
	"$BIN/bench/dispatches" "$unit" "$LAUNCHES" "$ROUNDS" || bench_die "dispatches failed"
done
echo
bench_say "OpenCL: $ROUNDS rounds"
for round in $(seq "$ROUNDS"); do
	plain=$(launch env) || exit 1
	unwanted=$(counted "") || exit 1
	commands=$(counted device_time,start_delay,work_items,work_groups) || exit 1
	cpu=$(counted task-clock,page-faults,context-switches,cpu-migrations) || exit 1
	simulated=$(TACHO_SIM=mi300x counted SQ_WAVES,SQ_INSTS_VALU,GRBM_COUNT,GRBM_GUI_ACTIVE) ||
		exit 1
	echo "$round $plain $unwanted $commands $cpu $simulated"
done >"$RAW" || exit 1
echo "Kernels on an OpenCL device, ns for each launch to its end: median (lowest) of $ROUNDS rounds"
echo
echo "| variant | ns | more than without tacho |"
echo "|---|---|---|"
column=2
for name in "without tacho" "nothing wanted" "4 counters of commands" "4 counters of Linux" \
	"4 counters of a simulated MI300X"; do
	echo "| $name | $(awk -v c=$column '{ print $c }' "$RAW" | middle)" \
		"| $(awk -v c=$column '{ print $c - $2 }' "$RAW" | middle) |"
	column=$((column + 1))
done
echo
bench_machine
