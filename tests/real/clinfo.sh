#!/bin/sh
# SPDX-License-Identifier: MIT
# clinfo: hundreds of queries, no launch; what it prints does not change.
. "$ROOT/tests/real/lib.sh"
need clinfo

plain clinfo clinfo
record clinfo clinfo
same "exit status" $plain_status $record_status
# Free memory and the like may change from run to run: compare with a second plain run's lines.
plain again clinfo
same_file "two runs that are not recorded" clinfo.plain again.plain
same_file "recorded and not" clinfo.plain clinfo.out
verify clinfo 0
[ "$(calls clinfo clGetDeviceInfo)" -ge 100 ] || fail "fewer than 100 clGetDeviceInfo calls"
