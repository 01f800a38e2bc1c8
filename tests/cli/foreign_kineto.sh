# SPDX-License-Identifier: MIT
# Traces of PyTorch's profiler: each generation, each trap, and those of real GPUs.
# tests/cli/foreign_kineto.py makes them and knows the answers.

python=/usr/bin/python3
[ -x $python ] || python=python3
judge="$python $SOURCES/tests/cli/foreign_kineto.py"
$judge make || fail "no files"

for name in cuda late rocm early bare counted several odd; do
	for file in $name.json $name.json.gz; do
		run 0 tacho export $file --to jsonl -o -
		$judge check $name <out || fail "$file"
	done
	run 0 tacho report $name.json
	run 0 tacho report $name.json --json
	run 0 tacho check $name.json
done

# The processes of a job, each in a file of its own.
run 0 tacho export job --to jsonl -o -
$judge check job <out || fail "a folder"
run 0 tacho export job/rank0.json job/rank1.json --to jsonl -o -
$judge check job <out || fail "two names"

# What a person sees.
run 0 tacho report cuda.json
has out 'PyTorch profiler (Kineto), CUDA 12.4'
has out 'python3, rank 3'
has out 'started      2024-'
run 0 tacho report cuda.json --by range
has out 'aten::add'
run 0 tacho report counted.json
has out 'smsp__inst_executed.sum'
tr -s ' \n' ' ' <out >flat
has flat 'does not measure when they ran'
grep -q idle-units flat && fail 'a size that nobody knows is not small'
run 0 tacho diff --any cuda.json rocm.json
run 0 tacho export cuda.json --to codexl,sqlite,perfetto,html,jsonl -o copy
run 0 tacho report copy.atp
has out 'node3'

# Memory does not grow with the file, packed or not: this one has 60 MB.
$python - <<'END'
import gzip
with gzip.open("large.json.gz", "wt", compresslevel=1) as file:
    file.write('{"schemaVersion": 1, "traceEvents": [')
    for i in range(1, 150001):
        file.write('{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 2, "ts": %d.5, '
                   '"dur": 2, "args": {"correlation": %d, "filler": "%s"}},\n' % (10 * i, i, "x" * 100))
        file.write('{"ph": "X", "cat": "kernel", "name": "k%d", "pid": 0, "tid": 7, "ts": %d.25, "dur": 4.75, '
                   '"args": {"device": 0, "stream": 7, "correlation": %d}},\n' % (i % 50, 10 * i + 3, i))
    file.write("{}]}")
END
(ulimit -v 120000; tacho report large.json.gz --by kernel --json) >out 2>err || fail "a large file"
$python -c 'import json
lines = json.load(open("out"))["lines"]
assert (sum(l["count"] for l in lines), sum(l["total_ns"] for l in lines)) == (150000, 150000 * 4750)' ||
	fail "the sums of a large file"

# Files that end early: what they have is shown, and that they end there. Damage is told.
lost open.json
has flat 'open.json ends early, at byte 400'
has flat '1 kernel launch'
head -c 3000 late.json >half.json
lost half.json
size=$(wc -c <cuda.json.gz)
head -c $((size - 100)) cuda.json.gz >half.json.gz
lost half.json.gz
head -c 40 cuda.json >none.json
run 1 tacho report none.json
has err 'none.json'
printf '{"schemaVersion": 1, "traceEvents": [{"ph": "X" "cat": "kernel"}]}' >bad.json
run 1 tacho report bad.json
has err 'byte'

# Real ones: the sums of PyTorch's own numbers, and those of TraceLens and HTA.
samples=$SOURCES/../shared/data/recordings/kineto
[ -d "$samples" ] || exit 0
sums() {
	run 0 tacho export -f "$samples/$1.json.gz" --to jsonl -o -
	got=$($judge sums "$samples/$1.json.gz" "$3" <out) || fail "$1"
	[ "$got" = "$2" ] || fail "$1: $got, not $2"
}
sums tracelens_bert_h100 '60 307197 0' "$samples/tracelens_bert_h100.kernel_summary.csv"
sums tracelens_bert_mi300 '60 388344 26' "$samples/tracelens_bert_mi300.kernel_summary.csv"
sums tracelens_mi210_gpu_only '562 5343422 339' ''
sums hta_triton_example_triton_example '1 1760 0' ''

# HTA's own test of that file: 77 ranges, the sixth by time, and what it counted.
run 0 tacho export -f "$samples/hta_cupti_profiler_benchmark_result_924719_1679055439_trace.json.gz" --to jsonl -o -
$judge check hta <out || fail hta
run 0 tacho diff --any "$samples/tracelens_bert_h100.json.gz" "$samples/tracelens_bert_mi300.json.gz"
