# SPDX-License-Identifier: MIT
# Traces of XLA's profiler, which JAX and TensorFlow write: each generation, each trap, and those of
# real GPUs. tests/cli/foreign_xla.py makes them and knows the answers.

python=/usr/bin/python3
[ -x $python ] || python=python3
judge="$python $SOURCES/tests/cli/foreign_xla.py"
$judge make || fail "no files"

for name in nvidia rocm rocm_old tpu; do
	for file in $name.json $name.trace.json.gz; do
		run 0 tacho export $file --to jsonl -o -
		$judge check $name <out || fail "$file"
	done
	run 0 tacho report $name.json
	run 0 tacho report $name.json --json
	run 0 tacho check $name.json
	run 0 tacho export -f $name.json --to codexl,sqlite,perfetto,html,jsonl -o copy
done
run 0 tacho export perfetto_trace.json.gz --to jsonl -o -
$judge check nvidia <out || fail "what Python wrote"

# Local memory of a kernel's own, and what its launch asked for.
run 0 tacho export nvidia.json --to codexl -o local
grep '^loop_add_fusion' local.csv | grep -q ', 1280,' || fail "local memory"

# What a person sees: modules, and what each put on devices.
run 0 tacho report nvidia.json --by range
tr -s ' \n' ' ' <out >flat
has flat 'jit_step module'
run 0 tacho report rocm.json --by range
has out 'module calls'
run 0 tacho diff --any nvidia.json rocm.json

# A folder as JAX writes it has one run twice.
mkdir -p plugins/profile/day
cp nvidia.trace.json.gz perfetto_trace.json.gz plugins/profile/day
run 0 tacho report plugins
tr -s ' \n' ' ' <out >flat
has flat '3 kernel launches, 3 transfers'
has flat 'left out'

# Files that end early, and damage.
head -c $(($(wc -c <nvidia.json) - 300)) nvidia.json >cut.json
lost cut.json
head -c 700 nvidia.json >none.json
run 1 tacho report none.json
has err none.json

# XLA stops at a million events, and says nothing of it.
$python - <<'END'
import gzip, json
with gzip.open("full.trace.json.gz", "wt", compresslevel=1) as file:
    file.write('{"traceEvents":[{"ph":"M","pid":1,"name":"process_name","args":{"name":"/device:GPU:0"}},'
               '{"ph":"M","pid":1,"tid":13,"name":"thread_name","args":{"name":"Stream #13(Kernel)"}},')
    for i in range(1000000):
        file.write('{"ph":"X","pid":1,"tid":13,"ts":%d,"dur":0.5,"name":"k","args":{"hlo_op":"k"}},' % i)
    file.write("{}]}")
END
(ulimit -v 120000; tacho report full.trace.json.gz --by kernel) >out 2>err || fail "a large file"
tr -s ' \n' ' ' <out >flat
has flat 'XLA writes 1000000 at most: what happened later is not in it'

# Real ones, of MI300X and MI350: the sums that TraceLens has of the first, and those of the file itself.
samples=$SOURCES/../shared/data/recordings/xla
[ -d "$samples" ] || exit 0
sums() {
	run 0 tacho export -f "$samples/$1.trace.json.gz" --to jsonl -o -
	got=$($judge sums <out) || fail "$1"
	[ "$got" = "$2" ] || fail "$1: $got, not $2"
}
sums mi300_2024 'kernel 25 3586493 0 transfer 53 889028 34734080'
sums mi350_2026 'kernel 150 12133585 0'
