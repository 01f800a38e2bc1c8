#!/bin/sh
# SPDX-License-Identifier: MIT
# How long plans take, how many passes they have, and how many are proved to be the best. Prints
# Markdown for bench/RESULTS.md. Needs no device.
#
#	[VARIABLE=VALUE...] bench/plan/run.sh
#
# ROUNDS=9        rounds for everything of an architecture; times are medians
# SELECTIONS=200  random parts of each architecture, without the cap
# ARCH=NAME       of this architecture alone
# BIN=FOLDER      a build (default build/check, where ./check builds, else build)
set -u
ROOT=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
if [ -z "${BIN:-}" ]; then
	BIN=$ROOT/build/check
	[ -x "$BIN/bench/plan" ] || BIN=$ROOT/build
fi
if [ ! -x "$BIN/bench/plan" ]; then
	echo "bench: $BIN/bench/plan is missing: build first (ninja -C $BIN)" >&2
	exit 1
fi

echo "- CPU: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) CPUs," \
	"$(awk '/^MemTotal/ { printf "%.0f GiB", $2 / 1048576 }' /proc/meminfo)," \
	"hypervisor: $(grep -q -w hypervisor /proc/cpuinfo && echo yes || echo no)"
echo "- Kernel: $(uname -sr)"
echo "- Build: $(tr '{' '\n' <"$BIN/meson-info/intro-buildoptions.json" |
	sed -n 's/.*"name": "buildtype", "value": "\([a-z]*\)".*/\1/p'), $(cc --version | head -n 1)"
echo "- Load when the run began: $(cut -d ' ' -f 1 /proc/loadavg); medians of ${ROUNDS:-9} rounds, in CPU time"
echo
"$BIN/bench/plan" "${ROUNDS:-9}" "${SELECTIONS:-200}" ${ARCH:+"$ARCH"}
