#!/bin/sh
# SPDX-License-Identifier: MIT
# Intel OA reports: decoded in memory, worked out from a recording, and the whole way to CSV against
# i915-perf-reader (intel-gpu-tools), if that is installed; last what of this was aimed at. Prints
# Markdown for bench/RESULTS.md.
#
#	[VARIABLE=VALUE...] bench/oa/run.sh
#
# ROUNDS=3    rounds; figures are medians. The sides take turns
# MB=1000     size of the recording
# BIN=FOLDER  a build (default build/check, where ./check builds, else build)
# OUT=FOLDER  for the recording and the CSV files (default: a new one, removed at the end)
set -u
ROOT=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
if [ -z "${BIN:-}" ]; then
	BIN=$ROOT/build/check
	[ -x "$BIN/bench/oa" ] || BIN=$ROOT/build
fi
for file in "$BIN/bench/oa" "$BIN/bench/peak" "$BIN/tests/real/oa_make" "$BIN/cli/tacho"; do
	[ -x "$file" ] && continue
	echo "bench: $file is missing: build first (ninja -C $BIN)" >&2
	exit 1
done
rounds=${ROUNDS:-3}
mb=${MB:-1000}
made=
if [ -z "${OUT:-}" ]; then
	OUT=$(mktemp -d "${TMPDIR:-/tmp}/tacho-bench.XXXXXX") || exit 1
	made=$OUT
	trap 'rm -rf "$made"' EXIT
fi

reports=$((mb * 1000000 / 264))
# Few enough ticks that 32 bits of timestamp last: the reader ends with an assertion else.
ticks=$((4000000000 / reports - 100))
[ $ticks -le 1000 ] || ticks=1000
[ $ticks -gt 0 ] || {
	echo "bench: MB=$mb is more than 32 bits of timestamp allow" >&2
	exit 1
}
"$BIN/tests/real/oa_make" "$OUT/a.rec" chv RenderBasic 9d8a3af5-c02c-4a4a-b947-f1672469e0fb \
	$reports 1 $ticks || exit 1

echo "- CPU: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) CPUs," \
	"$(awk '/^MemTotal/ { printf "%.0f GiB", $2 / 1048576 }' /proc/meminfo)," \
	"hypervisor: $(grep -q -w hypervisor /proc/cpuinfo && echo yes || echo no)"
echo "- Kernel: $(uname -sr)"
echo "- Build: $(tr '{' '\n' <"$BIN/meson-info/intro-buildoptions.json" |
	sed -n 's/.*"name": "buildtype", "value": "\([a-z]*\)".*/\1/p'), $(cc --version | head -n 1)"
echo "- Load when the run began: $(cut -d ' ' -f 1 /proc/loadavg); medians of $rounds rounds"
echo "- Recording: $mb MB, $reports reports of 256 bytes, all 50 counters of CHV's RenderBasic"
echo
"$BIN/bench/oa" "$OUT/a.rec" "$rounds" >"$OUT/memory.md" || exit 1
cat "$OUT/memory.md"

# run NAME COMMAND...: seconds of wall time and of CPU, one round.
run() {
	run_name=$1
	shift
	"$BIN/bench/peak" "$OUT/took" "$@" >"$OUT/oa.out" || exit 1
	awk -v name="$run_name" '{ took[$1] = $2 }
		END { print name, took["wall_s"], took["peak_kib"] / 1024 }' "$OUT/took" >>"$OUT/lines"
}

: >"$OUT/lines"
round=1
reader=$(command -v i915-perf-reader)
while [ $round -le "$rounds" ]; do
	run report,tacho "$BIN/cli/tacho" oa metrics "$OUT/a.rec" --by report --csv
	[ -z "$reader" ] || run report,reader i915-perf-reader -r -c all "$OUT/a.rec"
	run context,tacho "$BIN/cli/tacho" oa metrics "$OUT/a.rec" --by context --csv
	[ -z "$reader" ] || run context,reader i915-perf-reader -c all "$OUT/a.rec"
	run decode,tacho "$BIN/bench/oa" --decode "$OUT/a.rec"
	round=$((round + 1))
done
sort -k 1,1 -k 2,2n "$OUT/lines" | awk '
	{ n[$1]++; wall[$1, n[$1]] = $2 > 0.0005 ? $2 : 0.0005; if ($3 > peak[$1]) peak[$1] = $3 }
	END { for (name in n) print name, wall[name, int((n[name] + 1) / 2)], peak[name] }' \
	>"$OUT/medians"

echo
echo "From the recording to text in a file, all counters; and only decoded, with the reports' times:"
echo
awk -v mb="$mb" '
	{ wall[$1] = $2; peak[$1] = $3 }
	function times(by, other) {
		if (!(other ",reader" in wall))
			return "-"
		return sprintf("%.1f", wall[other ",reader"] / wall[by])
	}
	function line(what, who, name, against) {
		if (name in wall)
			printf "| %s | %s | %.2f | %.0f | %.0f | %s |\n", what, who, wall[name], \
				mb / wall[name], peak[name], times(name, against)
	}
	END {
		print "| interval | program | s | MB/s of recording | peak memory, MiB | times as fast as i915-perf-reader |"
		print "|---|---|---|---|---|---|"
		line("each report", "tacho", "report,tacho", "report")
		line("each report", "i915-perf-reader", "report,reader", "report")
		line("each context", "tacho", "context,tacho", "context")
		line("each context", "i915-perf-reader", "context,reader", "context")
		line("none: decoded", "tacho", "decode,tacho", "context")
	}' "$OUT/medians"
echo
awk '
	FNR == NR { wall[$1] = $2; next }
	/^[|] reports decoded and accumulated/ { split($0, cells, "|"); share = cells[5]; rate = cells[4] }
	/million reports.s[.]$/ { sub(/.*: /, ""); sub(/ million.*/, ""); metrics = $0 }
	function times(by, other) {
		if (!(other ",reader" in wall))
			return "i915-perf-reader is not installed"
		return sprintf("%.1f", wall[other ",reader"] / wall[by ",tacho"])
	}
	END {
		print "| | aim | measured |"
		print "|---|---|---|"
		printf "| decoding and accumulating, of reading the same memory | at least 25 %% |%s(%s million reports/s) |\n", \
			share, rate + 0
		printf "| all counters of RenderBasic from a recording, one core | at least 2 million reports/s | %s million |\n", metrics
		printf "| recording to CSV for each report, over i915-perf-reader to text | at least 4 times faster | %s |\n", times("report", "report")
		printf "| the same for each context: a sixth of the values | at least 4 times faster | %s |\n", times("context", "context")
		printf "| decoding alone, over i915-perf-reader to text for each report | at least 20 times faster | %s |\n", times("decode", "report")
		printf "| the same, over i915-perf-reader to text for each context | | %s |\n", times("decode", "context")
	}' "$OUT/medians" "$OUT/memory.md"
