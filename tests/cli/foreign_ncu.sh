# SPDX-License-Identifier: MIT
# Reports and tables of Nsight Compute: launches with durations and values, and no time when they ran.
# tests/cli/foreign_ncu.py makes them and knows the answers.

python=/usr/bin/python3
[ -x $python ] || python=python3
judge="$python $SOURCES/tests/cli/foreign_ncu.py"
$judge make || fail "no files"

for name in whole empty later; do
	run 0 tacho export $name.ncu-rep --to jsonl -o -
	$judge check $name <out || fail "$name"
	run 0 tacho report $name.ncu-rep
	run 0 tacho report $name.ncu-rep --json
	run 0 tacho check $name.ncu-rep
done
run 0 tacho export --partial cut.ncu-rep --to jsonl -o -
$judge check cut <out || fail cut
lost cut.ncu-rep
run 0 tacho eval --values cut.ncu-rep -m smsp__inst_executed.sum
has err 'launches may be missing: cut.ncu-rep ends early'
gzip -c whole.ncu-rep >whole.ncu-repz
run 0 tacho export whole.ncu-repz --to jsonl -o -
$judge check whole <out || fail "packed"

for name in details early nvtx raw european thin unclear summary; do
	run 0 tacho export $name.csv --to jsonl -o -
	$judge check $name <out || fail "$name"
	run 0 tacho report $name.csv
done
run 0 tacho export details.csv --to codexl,sqlite,perfetto,html,csv -o table
run 1 tacho report mixed.csv
has err 'some of its numbers have a point before the fraction, some a comma'
run 1 tacho report refused.csv
has err 'ERR_NVGPUCTRPERM - no permission'

# Values for formulas: of launches by their names, of the device as constants.
run 0 tacho eval --values whole.ncu-rep --csv -m dram__bytes.sum,gpu__time_duration.sum \
	-e '"dram__bytes.sum"/"gpu__time_duration.sum"' -e device__attribute_multiprocessor_count*2
tr -d '\r' <out >lines
has lines '0,vadd(float*),NVIDIA Big,4096,ok,5000,ok,0.8192,ok,216'
has lines '1,vadd(float*),NVIDIA Big,,absent,,absent,,absent,216'
run 0 tacho eval --values whole.ncu-repz -m smsp__inst_executed.sum
has out 'fill<int>(T1 *)'
run 0 tacho eval --values details.csv --csv -e '"Elapsed Cycles"/"Duration"'
tr -d '\r' <out >lines
has lines '0,"vadd(float*, int)",GPU 0,2.239818181818182,ok'
run 0 tacho eval --values raw.csv --csv -e '"dram__bytes.sum"/"gpu__time_duration.sum"'
has out ',NVIDIA Big,745.45454545454'
run 1 tacho eval --values empty.ncu-rep -m smsp__inst_executed.sum
has err 'no launch in it has values of counters'
run 1 tacho eval --values launch.ncu-rep -m smsp__inst_executed.sum
has err 'a launch that is no message at byte'
gzip -c details.csv >details.gz
run 0 tacho eval --values details.gz -m Duration

# What a person sees: durations by kernel, and nothing about when.
run 0 tacho report whole.ncu-rep
has out 'Nsight Compute 2024.3.1.0'
has out '5.00 us'
tr -s ' \n' ' ' <out >flat
has flat 'commands have no times: Nsight Compute does not say when a kernel ran'
run 0 tacho export whole.ncu-rep --to codexl,sqlite,perfetto,html,csv -o copy
run 0 tacho diff --any whole.ncu-rep whole.ncu-rep

# Damage is told with its place.
run 1 tacho report launch.ncu-rep
has err 'a launch that is no message at byte'
run 1 tacho report block.ncu-rep
has err 'a block that is no message at byte'
run 1 tacho report size.ncu-rep
has err 'a message of a size that cannot be at byte'
run 1 tacho report bare.ncu-rep
has err 'bare.ncu-rep'

# Files of real GPUs.
table=$SOURCES/../shared/data/recordings/ncu/t4_details_copy_blocked.csv
if [ -r "$table" ]; then
	run 0 tacho export "$table" --to jsonl -o -
	$judge check t4 <out || fail "t4_details"
fi
sample=$SOURCES/../shared/data/recordings/ncu/a100_exgpu.ncu-rep
if [ -r "$sample" ]; then
	run 0 tacho export "$sample" --to jsonl -o -
	$judge check a100 <out || fail "a100_exgpu"
fi

# An overview shows the first counters of a kernel, and how to see all.
$python - >many.csv <<'END'
names = [f"sm__{i}_x.sum" for i in range(74)]
print('"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size",'
      '"Grid Size","Device","CC",' + ",".join(f'"{n}"' for n in names))
print('"","","","","","","","","","","",' + ",".join('"cycle"' for n in names))
print('"0","1","a","h","k","1","7","(32, 1, 1)","(4, 1, 1)","0","8.0",' + ",".join(f'"{i + 1}"' for i in range(74)))
END
run 0 tacho report many.csv
has out 'sm__9_x.sum'
has out 'and 64 more (--by kernel)'
has_not out 'sm__10_x.sum'
run 0 tacho report many.csv --by kernel
has out 'sm__73_x.sum'
