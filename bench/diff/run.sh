#!/bin/sh
# SPDX-License-Identifier: MIT
# How often tacho diff finds changes that are there, and changes that are not, beside the exact test of
# the run means. Prints Markdown for bench/RESULTS.md. Needs no device.
#
#	[VARIABLE=VALUE...] bench/diff/run.sh
#
# TRIALS=2000   comparisons of each kind; 5 % then shows as 4 to 6 %
# LAUNCHES=300  of a kernel in a run
# BIN=FOLDER    a build (default build/check, where ./check builds, else build)
set -u
ROOT=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
if [ -z "${BIN:-}" ]; then
	BIN=$ROOT/build/check
	[ -x "$BIN/bench/diff_power" ] || BIN=$ROOT/build
fi
if [ ! -x "$BIN/bench/diff_power" ]; then
	echo "bench: $BIN/bench/diff_power is missing: build first (ninja -C $BIN)" >&2
	exit 1
fi

echo "- CPU: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) CPUs," \
	"$(awk '/^MemTotal/ { printf "%.0f GiB", $2 / 1048576 }' /proc/meminfo)"
echo "- Kernel: $(uname -sr)"
"$BIN/bench/diff_power" "${TRIALS:-2000}" "${LAUNCHES:-300}"
