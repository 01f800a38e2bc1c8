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
