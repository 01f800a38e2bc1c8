#!/bin/sh
# SPDX-License-Identifier: MIT
# A program that makes no OpenCL call: a recording that says so and why, and the program's status.
. "$ROOT/tests/real/lib.sh"

record nothing true
same "exit status" 0 $record_status
[ -d nothing.tacho ] || fail "no recording"
grep -q -i -e 'no .*call' nothing.err || { cat nothing.err; fail "it does not say that there were no calls"; }
grep -q -i -e 'libOpenCL' -e loader nothing.err || { cat nothing.err; fail "it does not say why"; }
"$TACHO" report nothing >report.txt 2>&1 || { cat report.txt; fail "tacho report"; }
grep -q -i -e 'libOpenCL' -e loader report.txt || { cat report.txt; fail "the report does not say why"; }

"$TACHO" record -o needed --require-calls --json needed.json true 2>needed.err
same "exit status with --require-calls" 125 $?
grep -q -e 'no call was recorded .class 3' needed.err || fail "it does not say what is missing"
grep -q -e '"empty_class": "nothing to measure"' needed.json || fail "its JSON does not say what is missing"

# A program that gives up because there is no driver ends well and records no launch.
command -v clpeak >/dev/null 2>&1 || exit 0
mkdir -p empty
OCL_ICD_VENDORS=$WORK/empty record none clpeak --kernel-latency
same "launches without a driver" 0 "$(launches none)"
tr -s ' \n' ' ' <none.err >none.flat
grep -q -e 'there is no OpenCL driver for it.*'"$WORK/empty"'.*install an OpenCL driver' none.flat ||
	{ cat none.err; fail "it does not say that the driver is missing"; }
