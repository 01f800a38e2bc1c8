#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 180
# Serialized and pipelined ranges on command queues of a real driver, against the times of the
# program's own events; and a driver whose times are made up.
. "$ROOT/tests/real/lib.sh"
need
program="$BIN/tests/real/queue_modes_cl"

"$program" "$driver_platform" >out 2>err || fail "$(cat out err)"
same "comparisons" "68 comparisons, 0 not right" "$(cat out)"

icd=/etc/OpenCL/vendors/rusticl.icd
[ -e $icd ] || exit 0
OCL_ICD_VENDORS=$icd RUSTICL_ENABLE=llvmpipe "$program" 0 >out 2>err && fail "rusticl has times"
grep -q 'has no times, and so no gpu__time_start' err || fail "rusticl: $(cat out err)"
echo "rusticl: refused"
