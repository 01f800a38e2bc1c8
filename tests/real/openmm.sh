#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 180
# OpenMM on its OpenCL platform: many small kernels.
. "$ROOT/tests/real/lib.sh"
need /usr/bin/python3
/usr/bin/python3 -c 'import simtk' 2>/dev/null || /usr/bin/python3 -c 'import openmm' 2>/dev/null ||
	skip "OpenMM is not installed"

plain argon /usr/bin/python3 "$ROOT/tests/real/argon.py" "$driver_platform"
same "exit status of the plain run" 0 $plain_status
record argon /usr/bin/python3 "$ROOT/tests/real/argon.py" "$driver_platform"
same "exit status" 0 $record_status
same_file "result, recorded and not" argon.plain argon.out
# How many kernels a step takes belongs to the version.
case $(cat argon.plain) in
7.7*) expected=1057 ;;
*) expected= ;;
esac
verify argon $expected
[ "$(launches argon)" -gt 1000 ] || fail "OpenMM launches more than 1,000 kernels"
