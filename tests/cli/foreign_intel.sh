# SPDX-License-Identifier: MIT
# What unitrace, onetrace, the OpenCL intercept layer, apitrace and LIKWID write.
# tests/cli/foreign_intel.py makes them and knows the answers.

python=/usr/bin/python3
[ -x $python ] || python=python3
judge="$python $SOURCES/tests/cli/foreign_intel.py"
$judge make || fail "no files"

for file in timeline.txt facts.txt onetrace.txt unitrace.json likwid.csv clintercept.json apitrace.txt old_apitrace.txt; do
	run 0 tacho export $file --to jsonl -o -
	$judge check ${file%.*} <out || fail "$file"
	run 0 tacho report $file --json
	run 0 tacho check $file
	run 0 tacho export -f $file --to codexl,sqlite,perfetto,html -o copy
done

# The intercept layer ends its list with the program: this one was killed.
run 0 tacho export --partial stages.json --to jsonl -o -
$judge check stages <out || fail stages
lost stages.json

# Metrics alone, and with the trace whose launches they name.
for file in app.metrics.40.csv job; do
	run 0 tacho export $file --to jsonl -o -
	$judge check $(case $file in job) echo job ;; *) echo metrics ;; esac) <out || fail "$file"
	run 0 tacho report $file --by kernel
	run 0 tacho check $file
	run 0 tacho export -f $file --to codexl,sqlite,perfetto,html -o copy
done

# Folders of results ("--result-dir"): the trace, the timeline of the same launches, a table for each device.
for name in result lone tiles; do
	run 0 tacho export $([ $name = tiles ] && echo tiles.json || echo $name) --to jsonl -o -
	$judge check $name <out || fail "$name"
done
run 0 tacho report result/app.40/device_timeline.txt
has out 'unitrace, timeline of devices'

run 0 tacho report timeline.txt
has out 'unitrace, timeline of devices'
grep -q '^started' out && fail "the file has no time of day"
run 0 tacho report unitrace.json
has out 'started      2023-11-'
head -c 900 unitrace.json >cut.json
lost cut.json
run 0 tacho diff --any unitrace.json clintercept.json

# Tables of sums that end before their first line; of others see foreign_sums.sh.
for file in d.txt h.txt report.txt; do
	run 0 tacho report $file
	has out 'The tables have no rows.'
done
run 1 tacho report samples.csv
has err 'samples.csv is no recording'
has err 'unitrace --metric-query'

samples=$SOURCES/../shared/data/recordings/intel
[ -d "$samples" ] || exit 0
sums() {
	run 0 tacho export -f "$samples/$1" --to jsonl -o -
	$judge check sums <out >sums || fail "$1"
	has sums "$2"
}
sums unitrace_cl_gemm_t.txt 'GEMM 4 11438400 0'
sums unitrace_omp_gemm_t.txt 'zeCommandListAppendMemoryCopy(M2D) 16 '
