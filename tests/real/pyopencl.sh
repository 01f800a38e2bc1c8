#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 90
# A pyopencl script: tacho's times are those that the program's own events report.
. "$ROOT/tests/real/lib.sh"
need /usr/bin/python3
/usr/bin/python3 -c 'import pyopencl' 2>/dev/null || skip "python3-pyopencl is not installed"
export PYOPENCL_CTX="$driver_platform" PYOPENCL_NO_CACHE=1

plain vadd /usr/bin/python3 "$ROOT/tests/real/vadd.py"
record vadd /usr/bin/python3 "$ROOT/tests/real/vadd.py" times
same "exit status" 0 $record_status
same_file "results, recorded and not" vadd.plain vadd.out
verify vadd 10
python3 "$ROOT/tests/real/verify.py" vadd --times times || fail "the times differ"
