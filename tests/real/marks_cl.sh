#!/bin/sh
# SPDX-License-Identifier: MIT
# Launches of an OpenCL program in ranges that it names through NVTX.
. "$ROOT/tests/real/lib.sh"
[ -n "$driver_platform" ] || skip "no OpenCL driver runs kernels here"
program="$BIN/tests/real/name_ranges"

ranges cl "$program" cl "$driver_platform"
expect cl <<'END'
launch in
launch in "first" "both"
launch in "first" "both"
launch in "second" "both"
launch in "second" "both"
launch in "second" "both"
nvtx nested "" "first" in ""
nvtx nested "" "second" in ""
nvtx process "" "both"
END

# They select what is counted.
"$TACHO" record -f -o chosen --sim mi300x -m SQ_WAVES --range second -- \
	"$program" cl "$driver_platform" >chosen.out 2>chosen.err || fail "$(cat chosen.err)"
"$TACHO" report chosen --by range >chosen.report || fail "report: $?"
same "waves of the launches in one range" "SQ_WAVES 3 12" \
	"$(awk '/^Counters/ { on = 1 } on && $1 == "second" { getline; print $1, $2, $3 }' chosen.report)"
same "of the other range" "" "$(awk '/^Counters/ { on = 1 } on && $1 == "first"' chosen.report)"
