#!/bin/sh
# SPDX-License-Identifier: MIT
# How fast formulas are worked out, against reading their inputs once and against an evaluator that
# makes records on the heap. Prints Markdown for bench/RESULTS.md.
#
#	[VARIABLE=VALUE...] bench/formula/run.sh
#
# ROUNDS=5    rounds; figures are medians
# ROWS=10000  launches
# BIN=FOLDER  a build (default build/check, where ./check builds, else build)
set -u
ROOT=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
if [ -z "${BIN:-}" ]; then
	BIN=$ROOT/build/check
	[ -x "$BIN/bench/formula" ] || BIN=$ROOT/build
fi
if [ ! -x "$BIN/bench/formula" ]; then
	echo "bench: $BIN/bench/formula is missing: build first (ninja -C $BIN)" >&2
	exit 1
fi

echo "- CPU: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) CPUs," \
	"$(awk '/^MemTotal/ { printf "%.0f GiB", $2 / 1048576 }' /proc/meminfo)," \
	"hypervisor: $(grep -q -w hypervisor /proc/cpuinfo && echo yes || echo no)"
echo "- Kernel: $(uname -sr)"
echo "- Build: $(tr '{' '\n' <"$BIN/meson-info/intro-buildoptions.json" |
	sed -n 's/.*"name": "buildtype", "value": "\([a-z]*\)".*/\1/p'), $(cc --version | head -n 1)"
echo "- Load when the run began: $(cut -d ' ' -f 1 /proc/loadavg); medians of ${ROUNDS:-5} rounds"
echo
"$BIN/bench/formula" "${ROWS:-10000}" "${ROUNDS:-5}"
