#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 120
# A user whose HOME cannot be used: the CPU driver fails, and tacho names the cause and the cure.
. "$ROOT/tests/real/lib.sh"
need clpeak

unset POCL_CACHE_DIR XDG_CACHE_HOME
export HOME=/dev/null
plain without clpeak -p "$driver_platform" --kernel-latency
grep -q -e '-33' without.plain without.plain-err || skip "this driver works without HOME"
record without clpeak -p "$driver_platform" --kernel-latency
same "exit status, recorded and not" "$plain_status" $record_status
grep -q HOME without.err && grep -q POCL_CACHE_DIR without.err || {
	cat without.err
	fail "it does not name HOME and POCL_CACHE_DIR"
}
export POCL_CACHE_DIR="$WORK/cache"
record with clpeak -p "$driver_platform" --kernel-latency
same "exit status with the cure" 0 $record_status
[ "$(launches with)" -gt 1000 ] || fail "the cure does not cure"
