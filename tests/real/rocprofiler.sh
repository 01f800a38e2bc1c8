# SPDX-License-Identifier: MIT
# The samples of ROCprofiler-SDK's document, as tools under a program that knows nothing of them.
. "$ROOT/tests/real/lib.sh"
need g++ python3
document=$ROOT/../shared/sources/003_02ac0ea277e9a6f0.txt
[ -r "$document" ] || skip "$document is not here"
steps="$BIN/tests/real/steps_cl $driver_platform one:5"

# make WAY: the tool WAY.so of the samples that count dispatches or a device.
make() {
	python3 "$ROOT/tests/real/rocprofiler/document.py" "$document" "$1" >"$1.cpp" ||
		fail "the document's samples are not what they were"
	g++ -std=c++20 -shared -fPIC -Wno-deprecated-declarations -I"$ROOT/include/compat" \
		"$1.cpp" -o "$1.so" -L"$BIN/src/face" -l:librocprofiler-sdk.so.1 ||
		fail "the samples that count a $1 do not compile"
}

# count WAY COUNTERS OPTIONS: what the tool writes about the program is in out.
count() {
	count_way=$1 count_counters=$2
	shift 2
	# shellcheck disable=SC2086
	DOCUMENT_COUNTERS=$count_counters DOCUMENT_OUTPUT=$WORK/out "$TACHO" env rocprofiler \
		--tool "$WORK/$count_way.so" "$@" -- $steps || fail "the program failed"
}

# sum COUNTER: over all of its values.
sum() {
	id=$(sed -n "s/^counter \([0-9]*\) is $1\$/\1/p" out)
	[ -n "$id" ] || fail "the tool found no $1"
	grep -o "Counter_Id: $id Record_Id[^V]*Value \[D\]: [0-9.e+]*" out |
		awk '{ sum += $NF } END { print sum }'
}

make dispatch
make device

# 256 work-items are 4 waves, and 4 waves of no work take as long on each of 8 XCCs.
count dispatch SQ_WAVES,GRBM_COUNT --sim mi300x
same "launches on a simulated mi300x" 5 "$(grep -o '\[Dispatch_Id' out | wc -l)"
same "waves of 5 launches" 20 "$(sum SQ_WAVES)"
same "values of GRBM_COUNT, one for each XCC" 40 \
	"$(grep -o "Counter_Id: $(sed -n 's/^counter \(.*\) is GRBM_COUNT$/\1/p' out) Record" out | wc -l)"
# The document leaves the second config's handle as the first one's was.
count dispatch SQ_WAVES --sim mi300x,mi210
same "launches on the first of two simulated devices" 5 "$(grep -o '\[Dispatch_Id' out | wc -l)"
count device SQ_WAVES --sim mi300x
same "launches of a device that is counted as a whole" 0 "$(grep -o '\[Dispatch_Id' out | wc -l)"
same "waves in its window" 20 "$(sum SQ_WAVES)"

count dispatch work_items,device_time
same "launches on the driver's device" 5 "$(grep -o '\[Dispatch_Id' out | wc -l)"
same "their work-items" 1280 "$(sum work_items)"
awk -v time="$(sum device_time)" 'BEGIN { exit !(time > 0) }' || fail "they took no time"
count device work_items
same "work-items in the device's window" 1280 "$(sum work_items)"

# A tool that is there before the program called anything: the agents must be, too.
DOCUMENT_COUNTERS=work_items DOCUMENT_OUTPUT=$WORK/out "$TACHO" env rocprofiler -- env \
	LD_PRELOAD="$WORK/dispatch.so" ROCPROFILER_LIBRARY_CTOR=1 \
	"$BIN/tests/real/steps_cl" "$driver_platform" one:5 || fail "the program failed"
same "work-items of a tool that came first" 1280 "$(sum work_items)"
