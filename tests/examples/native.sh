#!/bin/sh
# SPDX-License-Identifier: MIT
# native.sh PROGRAM: examples/native.c prints the values that its comment works out, and counts on
# this machine.
set -u
program=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/tacho-example-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

fail() {
	echo "FAIL: $*"
	sed 's/^/out| /' "$work/out"
	exit 1
}

cat >"$work/expected" <<'END'
sim:mi300x [simulated]: the work runs 2 times, at least 2 are needed (TCC: 5 counters, 4 slots)

frame
    MeanOccupancyPerCU            10 wavefronts/unit (ok)
    FETCH_SIZE                   384 kilobytes (ok)
    WRITE_SIZE                   768 kilobytes (ok)
  in it gather
    MeanOccupancyPerCU            16 wavefronts/unit (ok)
    FETCH_SIZE                   384 kilobytes (ok)
    WRITE_SIZE                   256 kilobytes (ok)
END
"$program" >"$work/out" 2>&1 || fail "status $?"
diff "$work/expected" "$work/out" || fail "the simulated values are others"

# Where perf_event_open is barred the program says so; that is not its fault.
"$program" perf >"$work/out" 2>&1 || {
	grep -q 'cure: ' "$work/out" || fail "status without a cure"
	grep -q 'perf_event' "$work/out" || fail "perf fails for another reason"
	echo "SKIP: no events of Linux here"
	exit 77
}
# 512 pages are touched in the inner range, and 512 more around it.
faults=$(sed -n 's/^    page-faults *\([0-9]*\) .*/\1/p' "$work/out")
# shellcheck disable=SC2086 # two numbers
set -- $faults
[ $# = 2 ] && [ "$1" -ge 1024 ] && [ "$2" -ge 512 ] && [ "$1" -gt "$2" ] ||
	fail "page faults are not what was done"
