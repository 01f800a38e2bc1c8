#!/bin/sh
# SPDX-License-Identifier: MIT
# long
# limit: 400
# All of clpeak: 30 kernels, buffers, mapped memory; kernel handles are reused.
. "$ROOT/tests/real/lib.sh"
need clpeak

record clpeak clpeak -p "$driver_platform"
same "exit status" 0 $record_status
verify clpeak
names=$(sed -n 's/^[^#M][^,]*__k.*/&/p' clpeak.csv | sed 's/__k[0-9]*_.*//' | sort -u | wc -l)
[ "$names" -ge 20 ] || fail "clpeak has about 30 kernels, $names names are in clpeak.csv"
