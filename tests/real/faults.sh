#!/bin/sh
# SPDX-License-Identifier: MIT
# Page faults of a kernel that touches pages for the first time, on a driver whose threads run it.
. "$ROOT/tests/real/lib.sh"
[ -n "$driver_platform" ] || skip "no OpenCL driver runs kernels here"
pages=1000

record_options="-m page-faults,task-clock"
record faults "$BIN/tests/real/replay_cl" -p "$driver_platform" faults $pages
case $(cat faults.err) in
*"[class 4"* | *perf_event_paranoid*) skip "this machine does not let processes count" ;;
esac
same "exit status" 0 "$record_status"
grep -q '^#Device CPU_Device ' faults.csv || skip "the driver is not one for the CPU"
awk -F ', ' -v pages=$pages '
	/^Method, / { for (i = 1; i <= NF; i++) { if ($i == "page-faults") faults = i
		if ($i == "task-clock") clock = i } next }
	faults && /^touch/ {
		launches++
		print "launch " launches ": " $faults " faults, " $clock " ns"
		if (launches > 1 && ($faults < pages || $faults > pages + 16)) wrong = 1
		if ($clock <= 0) wrong = 1
	}
	END { exit wrong || launches != 4 }' faults.csv || fail "page faults are not those of the kernel"
