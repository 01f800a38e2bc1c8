# SPDX-License-Identifier: MIT
# The checks for machines with an AMD GPU: over a fake of AMD's library they hold, but for those that
# need to know the program, and what breaks is seen.
unset ROCP_TOOL_LIBRARIES FAKE_ROCM LD_LIBRARY_PATH
hide_drivers
check=$SOURCES/tools/gpu-check.sh
folder=$(dirname "$(dirname "$tacho")")

mkdir empty
TACHO_ROCM_ROOT=$PWD/empty run 3 sh "$check" -b "$folder"
has out 'nothing to check'
run 2 sh "$check" --nonsense

cp -R "$SOURCES/tests/data/kfd/mi210" tree
mkdir -p tree/opt/rocm/lib
ln -s "$FAKE_ROCM_LIBRARY" tree/opt/rocm/lib/librocprofiler-sdk.so.1
TACHO_ROCM_ROOT=$PWD/tree
GPU_CHECK_COUNTERS=SQ_WAVES,SQ_INSTS_VALU,SQ_INSTS_SALU,SQ_BUSY_CYCLES,SQ_WAVE_CYCLES
GPU_CHECK_COUNTERS=$GPU_CHECK_COUNTERS,SQ_INSTS_SMEM,SQ_INSTS_LDS,SQ_INSTS_FLAT,SQ_INSTS_BRANCH
export TACHO_ROCM_ROOT GPU_CHECK_COUNTERS
run 0 sh "$check" -b "$folder" -o seen.tar.gz -- "$FAKE_ROCM_PROGRAM" 8 2
has_not out FAIL
has out 'ok    rotation: launches take turns'
has out '14 ok, 0 failed, 1 skipped'
tar -tzf seen.tar.gz >out
for file in devices doctor topology report calls.jsonl result; do
	has out "tacho-gpu-check/$file"
done

run 1 env FAKE_ROCM='short=SQ_WAVES future' sh "$check" -b "$folder" -o seen.tar.gz -- \
	"$FAKE_ROCM_PROGRAM" 8 2
has out 'FAIL  SQ_WAVES is counted for every launch'
has out 'FAIL  all dispatches have device times'
