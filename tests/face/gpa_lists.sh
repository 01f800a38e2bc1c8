#!/bin/sh
# SPDX-License-Identifier: MIT
# gpa_lists.sh ROOT PROGRAM PYTHON FOLDER [DRIVER]: each library's counters stand where GPUPerfAPI 2.23.1 has
# them, number by number, in every generation: programs may know them by their numbers. The lists lie
# beside the sources, without the queries of Direct3D; what they do not have comes behind. Direct3D has
# no library of its own, so that its order is seen through OpenGL's. Devices are simulated; OpenCL's lists
# are compared over AMD's driver as well, one that is made here, in the folder DRIVER. What stands over
# OpenGL's is tests/unit/gl_backend_test.c.
set -u
root=$1 program=$2 python=$3 libraries=$4 driver=${5-} lists=$1/../shared/data/gpa
[ -r "$lists/cl-gfx8.json" ] || {
	echo "SKIP: ../shared/data/gpa with AMD's lists is not there"
	exit 77
}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
compared=0 driver_lists=0
[ -z "$driver" ] || driver_lists=4

# compare NAME WHERE: what the program found against what was wanted.
compare() {
	head -n "$(wc -l <"$work/wanted")" "$work/found" | diff "$work/wanted" - || {
		echo "FAIL: $1: the order of $2 differs (< AMD's, > here)"
		exit 1
	}
	compared=$((compared + 1))
	echo "$1: $(wc -l <"$work/wanted") counters of $2"
}

for list in "$lists"/*.json; do
	name=$(basename "$list" .json)
	api=${name%-*}
	case ${name#*-} in
	gfx8) model=rx480 ;;
	gfx9) model=vega64 ;;
	*) model=$root/tests/data/sim/${name#*-}.yaml ;;
	esac
	case $api in
	cl) library=CL ;;
	gl | dx11) library=GL ;;
	hsa) library=HSA ;;
	esac
	"$python" -c 'import json, sys
for counter in json.load(open(sys.argv[1]))["counters"]:
    print(counter["name"])' "$list" >"$work/wanted" || exit 1
	TACHO_SIM=$model:$api "$program" "$libraries/libGPUPerfAPI$library.so" \
		>"$work/found" || {
		echo "FAIL: $name: lib$library does not open $model:$api"
		exit 1
	}
	compare "$name" "a simulated device"
	case $name in
	cl-gfx6) chip=Tahiti ;;
	cl-gfx7) chip=Hawaii ;;
	cl-gfx8) chip=Ellesmere ;;
	cl-gfx9) chip=gfx900 ;;
	*) continue ;;
	esac
	[ "$driver" ] || continue
	LD_LIBRARY_PATH=$driver "$program" "$libraries/libGPUPerfAPICL.so" $chip >"$work/found" || {
		echo "FAIL: $name: libCL does not open $chip"
		exit 1
	}
	compare "$name" "a driver"
done
[ $compared -ge $((driver_lists + 15)) ] || {
	echo "FAIL: only $compared lists were compared"
	exit 1
}
