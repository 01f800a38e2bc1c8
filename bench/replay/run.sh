#!/bin/sh
# SPDX-License-Identifier: MIT
# What counting costs per launch: a kernel that may write all of a buffer and does next to nothing,
# beside the time to copy that buffer once on the device. The counters are a simulated device's, so
# that the cost is that of replaying. Prints Markdown for bench/RESULTS.md.
#
#	[VARIABLE=VALUE...] bench/replay/run.sh
#
# ROUNDS=10      launches of each kind
# SIZES="1 64"   of the buffer, MiB
# BIN, OUT       see bench/lib.sh
ROOT=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
. "$ROOT/bench/lib.sh"
. "$ROOT/tools/driver.sh"

rounds=${ROUNDS:-10}
sizes=${SIZES:-1 64}
program=$BIN/tests/real/replay_cl
[ -x "$program" ] || bench_die "$program is missing: build first (ninja -C $BIN)"
driver_choose || bench_die "no OpenCL driver runs kernels here"

# 17 counters of a block with 8 slots: three passes.
three=SQ_WAVES,SQ_INSTS_VALU,SQ_INSTS_SALU,SQ_INSTS_LDS,SQ_INSTS_BRANCH,SQ_ITEMS,SQ_WAVE_CYCLES
three=$three,SQ_WAIT_ANY,SQ_INSTS_SMEM,SQ_INSTS_FLAT,SQ_CYCLES,SQ_BUSY_CYCLES,SQ_WAVES_EQ_64
three=$three,SQ_WAVES_LT_64,SQ_INSTS_VMEM_RD,SQ_INSTS_VMEM_WR,SQ_INSTS_GDS

# one MIB NAME OPTION...: the medians of all launches but the first.
one() {
	mib=$1 name=$2
	shift 2
	if [ "$name" = "not recorded" ]; then
		"$program" -p "$driver_platform" copy "$mib" $((rounds + 1))
	else
		"$TACHO" record -f -q --export none -o "$OUT/recording" "$@" -- \
			"$program" -p "$driver_platform" copy "$mib" $((rounds + 1))
	fi >"$OUT/printed" 2>"$OUT/errors" </dev/null || {
		cat "$OUT/errors" >&2
		bench_die "$name failed"
	}
	sed 1d "$OUT/printed" | awk -v mib="$mib" -v name="$name" '
		{ copies[NR] = $2; launches[NR] = $4 }
		function median(of, n, i, k, swap) {
			for (i = 1; i <= n; i++)
				for (k = i + 1; k <= n; k++)
					if (of[k] < of[i]) { swap = of[i]; of[i] = of[k]; of[k] = swap }
			return n % 2 ? of[(n + 1) / 2] : (of[n / 2] + of[n / 2 + 1]) / 2
		}
		END {
			copy = median(copies, NR); launch = median(launches, NR)
			passes = name ~ /kernel/ ? 3 : 1
			printf "| %d | %s | %.3f | %.3f | %s |\n", mib, name, copy, launch,
				name ~ /kernel/ ? sprintf("%.2f", launch / (2 * passes * copy)) : "-"
		}'
}

echo "| MiB | counted | copied once, ms | a launch, ms | launch / (copied twice per pass) |"
echo "|---:|---|---:|---:|---:|"
for mib in $sizes; do
	one "$mib" "not recorded"
	one "$mib" "recorded, not counted"
	one "$mib" "one pass" --sim mi300x -m SQ_WAVES
	one "$mib" "three passes, rotate" --sim mi300x --replay rotate -m $three
	one "$mib" "three passes, kernel" --sim mi300x --replay kernel -m $three
done
rm -rf "$OUT/recording.tacho"
