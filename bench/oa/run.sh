#!/bin/sh
# SPDX-License-Identifier: MIT
# Intel OA reports: decoded in memory, worked out from a recording, and the whole way to CSV against
# i915-perf-reader (intel-gpu-tools), if that is installed. Prints Markdown for bench/RESULTS.md.
#
#	[VARIABLE=VALUE...] bench/oa/run.sh
#
# ROUNDS=5    rounds; figures are medians. The sides take turns
# MB=200      size of the recording
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
rounds=${ROUNDS:-5}
mb=${MB:-200}
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
echo "- Build: $(meson introspect --buildoptions "$BIN" 2>/dev/null | tr '{' '\n' |
	sed -n 's/.*"name": "buildtype", "value": "\([a-z]*\)".*/\1/p'), $(cc --version | head -n 1)"
echo "- Load when the run began: $(cut -d ' ' -f 1 /proc/loadavg); medians of $rounds rounds"
echo "- Recording: $mb MB, $reports reports of 256 bytes, all 50 counters of CHV's RenderBasic"
echo
"$BIN/bench/oa" "$OUT/a.rec" "$rounds" || exit 1
command -v i915-perf-reader >/dev/null 2>&1 || exit 0

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
while [ $round -le "$rounds" ]; do
	run report,tacho "$BIN/cli/tacho" oa metrics "$OUT/a.rec" --by report --csv
	run report,reader i915-perf-reader -r -c all "$OUT/a.rec"
	run context,tacho "$BIN/cli/tacho" oa metrics "$OUT/a.rec" --by context --csv
	run context,reader i915-perf-reader -c all "$OUT/a.rec"
	round=$((round + 1))
done
echo
echo "From the recording to text in a file, all counters:"
echo
sort -k 1,1 -k 2,2n "$OUT/lines" | awk -v mb="$mb" '
	{ n[$1]++; wall[$1, n[$1]] = $2; if ($3 > peak[$1]) peak[$1] = $3 }
	function mid(name) { return wall[name, int((n[name] + 1) / 2)] }
	function line(what, by, who) {
		name = by "," who
		printf "| %s | %s | %.2f | %.0f | %.0f | %.1f |\n", what, who, mid(name), \
			mb / mid(name), peak[name], mid(by ",reader") / mid(name)
	}
	END {
		print "| interval | program | s | MB/s of recording | peak memory, MiB | times as fast as i915-perf-reader |"
		print "|---|---|---|---|---|---|"
		line("each report", "report", "tacho")
		line("each report", "report", "reader")
		line("each context", "context", "tacho")
		line("each context", "context", "reader")
	}' | sed 's/| reader |/| i915-perf-reader |/'
