# SPDX-License-Identifier: MIT
# Files of AMD's profilers: rocprofv3, rocprof, rocprofiler-compute, of each generation.
# tests/cli/foreign_amd.py makes them and knows the answers.

python=/usr/bin/python3
[ -x $python ] || python=python3
judge="$python $SOURCES/tests/cli/foreign_amd.py"
$judge make || fail "no files"

# FILE [NAME]: it is read, as check_NAME() has it, and every view of it works.
read_file() {
	run 0 tacho export -f "$1" --to jsonl -o -
	$judge check "$2" <out || fail "$1"
	run 0 tacho report "$1"
	run 0 tacho check "$1"
}
for name in oldest new converted counters old_counters api markers copies allocations scratch sums \
	v1 v2 perf level sysinfo cut huge; do
	read_file $name.csv $name
done
read_file crlf.csv new
read_file 42_kernel_trace.csv named
read_file run run
read_file work work

run 1 tacho report damaged.csv
has err 'line 2 of damaged.csv is damaged'
run 0 tacho report new.csv
has_not out started # such times are those since the machine was started
