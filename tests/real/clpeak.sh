#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 120
# clpeak --kernel-latency: thousands of empty launches.
. "$ROOT/tests/real/lib.sh"
need clpeak

record clpeak clpeak -p "$driver_platform" --kernel-latency
same "exit status" 0 $record_status
grep -q 'Kernel launch latency : *[0-9]' clpeak.out || fail "clpeak measured nothing"
verify clpeak
[ "$(launches clpeak)" -gt 1000 ] || fail "clpeak launches thousands of kernels"
