#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 200
# tacho's tool for AMD's library over tacho's own library of that name, under a real program: what
# neither author could agree on with himself. The values are those that tacho counts by its own way,
# and the kernels' times those that the driver tells, seen through both.
. "$ROOT/tests/real/lib.sh"
need python3
counters=SQ_WAVES,SQ_INSTS_VALU,TA_FLAT_READ_WAVEFRONTS,TCC_HIT,TCC_MISS,GRBM_COUNT,VALUBusy,L2CacheHit,MeanOccupancyPerCU
program="$BIN/tests/real/replay_cl"

# table NAME: kernel and values of its launches, each once; those that were not counted are left out.
table() {
	"$TACHO" export -f "$1" --to csv -o "$1" >/dev/null || fail "export of $1"
	awk -F, 'NR > 1 && $4 != "" { line = $2; for (i = 4; i <= NF; i++) if ($i ~ /^[0-9]/) line = line " " $i; print line }' \
		"$1.values.csv" | tr -d '\r' | sort -u
}

"$TACHO" record -q -f -o own --sim mi210 -m $counters -- "$program" inplace 20 >own.out 2>&1 ||
	fail "recording by tacho's own way"
table own >own.table
[ "$(wc -l <own.table)" -ge 4 ] || fail "hardly a row: $(cat own.table)"

# The command wants to see a library that is not tacho's own before it plans for the GPU.
rm -rf tree
cp -R "$ROOT/tests/data/kfd/mi210" tree
mkdir -p tree/opt/rocm/lib
ln -s "$BIN/tests/fake/rocm/librocprofiler-sdk.so.1" tree/opt/rocm/lib/
TACHO_ROCM_ROOT=$PWD/tree TACHO_ROCM_OVER_FACE=1
export TACHO_ROCM_ROOT TACHO_ROCM_OVER_FACE
"$TACHO" record -q -f -o tool -d MI210 -m $counters -- "$TACHO" env rocprofiler --sim mi210 \
	--tool "$BIN/src/inject/rocm/libtacho-rocm.so" -- "$program" inplace 20 >tool.out 2>tool.err || {
	cat tool.err
	fail "recording by the tool"
}
same_file "the program's results" own.out tool.out
table tool >tool.table
same_file "values" own.table tool.table
"$TACHO" check tool >check.out || fail "the recording is not whole: $(cat check.out)"

"$TACHO" export -f tool --to jsonl -o tool >/dev/null || fail "export"
python3 - <<'END' || fail "times"
import json
import sys

times = {"clEnqueueNDRangeKernel": [], "kernel_dispatch": []}
for line in open("tool.jsonl", encoding="utf-8"):
    call = json.loads(line)
    if call.get("function") in times:
        command = call["command"]
        times[call["function"]].append((command["kernel"]["name"], command["start_ns"],
                                        command["end_ns"] - command["start_ns"], call["thread"]))
own, tool = sorted(times["clEnqueueNDRangeKernel"]), sorted(times["kernel_dispatch"])
if len(own) != len(tool) or len(own) < 100:
    sys.exit(f"{len(own)} launches, {len(tool)} dispatches")
for a, b in zip(own, tool):
    if a[0] != b[0] or a[3] != b[3] or abs(a[2] - b[2]) > 1:
        sys.exit(f"the driver says {a}, the library {b}")
# each launch is placed by clocks that are read for it: a thread that is stopped then misplaces one
apart = sorted(abs(a[1] - b[1]) for a, b in zip(own, tool))
if apart[len(apart) // 2] > 1000:
    sys.exit(f"half of the launches are {apart[len(apart) // 2]} ns or more apart")
print(f"{len(own)} launches are where the driver says")
END
