#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 120
# A program with known faults, and one with none: each fault is found, as often as it was made, and
# nothing else is.
. "$ROOT/tests/real/lib.sh"
need python3
program="$BIN/tests/real/findings_cl"

# found NAME OPTIONS: "rule count" of each finding, sorted. Those that depend on how fast the
# machine is are left out.
found() {
	found_name=$1
	shift
	"$TACHO" report "$found_name" --findings --json --rule min-cost-ns=0 "$@" >found.json ||
		fail "tacho report $found_name failed"
	python3 - <<'END'
import json
by_speed = {"api-time", "build-time", "slow-first-launch", "idle-device", "tiny-launches",
            "serial-transfers"}
lines = []
for finding in json.load(open("found.json"))["findings"]:
    if finding["rule"] not in by_speed:
        lines.append(f"{finding['rule']} {finding['subject'].split(' on ')[0]} {finding['count']}")
print(", ".join(sorted(lines)))
END
}

record_options=
record tidy "$program" "$driver_platform" tidy
same "tidy: exit status" 0 "$record_status"
same "tidy: findings" "" "$(found tidy)"
same "tidy: findings, as for a GPU" "" "$(found tidy --rule cpu-devices=1 \
	--rule wave-size=32 --rule global-size=4096)"

record faults "$program" "$driver_platform" faults
same "faults: exit status" 0 "$record_status"
expected="blocking-write clEnqueueWriteBuffer 3, busy-wait clGetEventInfo 1"
expected="$expected, deprecated-function clCreateCommandQueue 1"
expected="$expected, failed-call clSetKernelArg with CL_INVALID_ARG_INDEX 2"
expected="$expected, leaked-object event of clEnqueueNDRangeKernel 4"
expected="$expected, leaked-object memory object of clCreateBuffer 1"
expected="$expected, redundant-sync clFinish 2, redundant-sync clGetEventInfo 1"
expected="$expected, repeated-build programs with kernel \"spin\" 2"
expected="$expected, unused-queue clCreateCommandQueue 1"
same "faults: findings" "$expected" "$(found faults)"
same "faults: small work-groups" "small-work-group spin 2" \
	"$(found faults --findings=small-work-group --rule cpu-devices=1 --rule wave-size=32 \
		--rule launch-share=0)"
