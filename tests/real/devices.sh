#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 120
# A program that uses two drivers: -d names devices as tacho list shows them, and chooses whose
# launches are counted.
. "$ROOT/tests/real/lib.sh"
need python3
/usr/bin/python3 -c 'import pyopencl, numpy' 2>/dev/null || skip "python3-pyopencl is not installed"
[ -e /etc/OpenCL/vendors/pocl.icd ] && [ -e /etc/OpenCL/vendors/rusticl.icd ] ||
	skip "PoCL and rusticl are not both installed"
mkdir vendors
cp /etc/OpenCL/vendors/pocl.icd /etc/OpenCL/vendors/rusticl.icd vendors
export OCL_ICD_VENDORS="$WORK/vendors" RUSTICL_ENABLE=llvmpipe
plain devices /usr/bin/python3 "$ROOT/tests/real/devices.py"
[ "$(grep -c ' | 3$' devices.plain)" = 2 ] || skip "PoCL and llvmpipe do not both run kernels here"

# numbers NAME: the numbers of the devices whose names have this in them, one to a line.
numbers() {
	"$TACHO" list devices --json |
		python3 -c 'import json, sys
for device in json.load(sys.stdin)["devices"]:
    if sys.argv[1] in device["name"]:
        print(device["index"])' "$1"
}

# counted: for each device of the recording how many launches and transfers have a value.
counted() {
	python3 - run.jsonl <<'END'
import collections, json, sys
names, launches, transfers, reasons = {}, collections.Counter(), collections.Counter(), set()
for line in open(sys.argv[1]):
    call = json.loads(line)
    if call["schema"] != "tacho.call/1" or not call["command"]:
        continue
    command, values = call["command"], call["values"]
    name = "llvmpipe" if "llvmpipe" in command["device"]["name"] else "pocl"
    there = values and any(value["value"] is not None for value in values.values())
    if command["kind"] == "kernel":
        launches[name] += bool(there)
        assert there or values is None or all(
            value["state"] == "absent" and "another device" in value["note"]
            for value in values.values()), values
    elif command["kind"] in ("read", "write"):
        transfers[name] += values is not None
for name in ("pocl", "llvmpipe"):
    print(f"{name} {launches[name]} {transfers[name]}", end=", " if name == "pocl" else "\n")
END
}

# expect EXPECTED SELECTOR [LIST]
expect() {
	expect_rows=$1 expect_device=$2 expect_list=${3:-work_items}
	"$TACHO" record -q -f -o run --export jsonl -d "$expect_device" -m "$expect_list" -- \
		/usr/bin/python3 "$ROOT/tests/real/devices.py" >run.out 2>run.err </dev/null ||
		fail "record -d $expect_device ended with $?: $(cat run.err)"
	same_file "the program's output" devices.plain run.out
	same "launches and transfers of -d $expect_device -m $expect_list" "$expect_rows" "$(counted)"
}

refuse() {
	rm -f run.out
	"$TACHO" record -q -f -o run -d "$1" -m work_items -- touch run.out 2>run.err </dev/null
	same "exit status of record -d $1" 125 $?
	[ ! -e run.out ] || fail "-d $1: the program was started"
	tr -s ' \n' ' ' <run.err | grep -q "$2" || fail "-d $1: $(cat run.err)"
}

pocl=$(numbers pthread) llvmpipe=$(numbers llvmpipe)
expect "pocl 3 2, llvmpipe 0 0" "$pocl"
expect "pocl 0 0, llvmpipe 3 2" "$llvmpipe"
expect "pocl 3 2, llvmpipe 0 0" pthread
expect "pocl 0 0, llvmpipe 3 2" LLVMpipe
expect "pocl 0 0, llvmpipe 3 2" opencl:llvmpipe
expect "pocl 3 2, llvmpipe 0 0" "Portable Computing"
expect "pocl 3 2, llvmpipe 3 2" "$pocl,llvmpipe"
expect "pocl 3 2, llvmpipe 3 2" all
expect "pocl 3 2, llvmpipe 0 0" "$pocl,perf:linux"
# A name with commas in it, whole.
expect "pocl 0 0, llvmpipe 3 2" "$("$TACHO" list devices --names | grep llvmpipe)"
# What a session counts, and on a simulated device; the first launch of the device, not of all.
expect "pocl 3 2, llvmpipe 0 0" pthread "work_items,page-faults"
"$TACHO" record -q -f -o run --export jsonl -d llvmpipe --sim mi300x -m SQ_WAVES -c 2 -- \
	/usr/bin/python3 "$ROOT/tests/real/devices.py" >run.out 2>run.err </dev/null ||
	fail "record -d llvmpipe --sim: $(cat run.err)"
same "two launches of llvmpipe on a simulated device" "pocl 0 0, llvmpipe 2 2" "$(counted)"
"$TACHO" report run | tr -s ' \n' ' ' | grep -q '3 launches were not counted (add_one): it ran on another device than llvmpipe' ||
	fail "the report does not say what was not counted"

refuse opencl "several devices fit \"opencl\".*choose of $pocl opencl:pthread.*$llvmpipe opencl:llvmpipe"
refuse 99 "there is no device 99.*choose of 0 "
refuse nosuch 'there is no device "nosuch"'
"$TACHO" record -q -o none -d "$pocl" -- touch run.out 2>run.err && fail "-d without -m was taken"
grep -q -e '--device needs -m' run.err || fail "-d without -m: $(cat run.err)"
"$TACHO" plan -d pthread -m device_time >plan.out || fail "plan -d pthread"
"$TACHO" stat -d "$llvmpipe" --list >list.out || fail "stat -d $llvmpipe --list"
exit 0
