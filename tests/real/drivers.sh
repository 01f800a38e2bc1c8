#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 180
# Other OpenCL drivers: one with a clock of its own, one whose times are made up.
. "$ROOT/tests/real/lib.sh"
need python3
tried=0

icd=/usr/lib/oclgrind/liboclgrind-rt-icd.so
if [ -e $icd ]; then
	tried=1
	OCL_ICD_VENDORS=$icd record oclgrind "$BIN/tests/real/busy" books 20 1 # it dies of two threads
	same "exit status on oclgrind" 0 $record_status
	verify oclgrind 20
	same "states on oclgrind" "ok" "$(python3 "$ROOT/tests/real/verify.py" oclgrind --states)"
fi

icd=/etc/OpenCL/vendors/rusticl.icd
if [ -e $icd ]; then
	tried=1
	OCL_ICD_VENDORS=$icd RUSTICL_ENABLE=llvmpipe record rusticl "$BIN/tests/real/busy" books 20
	same "exit status on rusticl" 0 $record_status
	verify rusticl 80
	same "states on rusticl" "absent" \
		"$(python3 "$ROOT/tests/real/verify.py" rusticl --states)"
	grep -q -i 'credible' rusticl.err || { cat rusticl.err; fail "it does not say why times are absent"; }
fi
[ $tried = 1 ] || skip "neither oclgrind nor rusticl is installed"
