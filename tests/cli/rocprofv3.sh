# SPDX-License-Identifier: MIT
# Files of rocprofv3: what -i takes and refuses, with line and column; what export writes.

# ---- in ----

printf '# two runs\npmc: SQ_WAVES GRBM_COUNT # and why\npmc:\tSQ_BUSY_CYCLES\n' >lines.txt
cat >jobs.yaml <<'END'
jobs:
  - pmc: [SQ_WAVES, "GRBM_COUNT"]
    kernel_include_regex: "add.*\\d"
    kernel_exclude_regex: "slow"
    kernel_iteration_range: ["[1-2]", "[5]"]
    kernel_trace: true
    hip_trace: false
  - pmc:
    - SQ_BUSY_CYCLES
    kernel_include_regex: "add.*\\d"
    kernel_exclude_regex: "slow"
    kernel_iteration_range: "[5], [1], [2]"
    output_format: [csv]
END
cat >jobs.json <<'END'
{"jobs": [{"pmc": ["SQ_WAVES"], "kernel_include_regex": "a"}, {"pmc": ["GRBM_COUNT"]}]}
END
run 0 tacho plan --arch gfx942 -i lines.txt
has out '1 pass for 3 entries'
same err
run 0 tacho plan --arch gfx942 -i lines.txt --job 2
has out 'counters  SQ_BUSY_CYCLES'
has_not out SQ_WAVES
run 0 tacho plan --arch gfx942 -i lines.txt -m TCC_HIT -i jobs.yaml
has out '1 pass for 4 entries'
run 0 tacho record -q -o one --export none --sim mi300x -i jobs.yaml true
has err 'jobs.yaml, line 13, column 5: "output_format" is left undone; name the recording with -o'
[ "$(grep -c "jobs.yaml" err)" = 1 ] || fail "another warning"
tr -d ' \n' <one.tacho/counting.json >flat
has flat '"kernels":["regex:add.*[0-9]"],"exclude":["regex:slow"],"devices":[],"iterations":[[1,2],[5,5]]'
has flat '"name":"SQ_BUSY_CYCLES"'
run 0 tacho record -q -f -o one --export none --sim mi300x -m device_time -i lines.txt \
	--iterations 7-9,8 true
tr -d ' \n' <one.tacho/counting.json >flat
has flat '"iterations":[[7,9]],'
has flat '"name":"device_time"'
run 0 tacho stat -i lines.txt --sim mi300x true
mkdir with,comma
cp lines.txt with,comma/a,b.txt
run 0 tacho plan --arch gfx942 -i with,comma/a,b.txt

# Jobs that select other launches are not one recording.
run 1 tacho plan --arch gfx942 -i jobs.json
has err 'jobs.json, line 1, column 63'
has err '--job N'
run 0 tacho plan --arch gfx942 -i jobs.json --job 2
run 1 tacho plan --arch gfx942 -i jobs.json --job 3
has err 'jobs.json has no job 3'
run 125 tacho record -o no --sim mi300x -m SQ_WAVES --job 1 true
has err '--job needs -i'

# What comes to nothing is told or refused, where it stands.
printf 'range: 1 : 4\ngpu: 0\nhsa: hsa_init\nkernel: a+b\npmc: SQ_WAVES:device=1\n' >first.txt
run 0 tacho record -q -f -o one --export none --sim mi300x -i first.txt true
has err 'first.txt, line 1, column 7: "range:"'
has err 'first.txt, line 2, column 5: "gpu:"'
has err 'first.txt, line 3, column 5: it asks for a trace'
has err 'first.txt, line 5, column 6: SQ_WAVES:device=1'
tr -d ' \n' <one.tacho/counting.json >flat
has flat '"kernels":["regex:a\\+b"]'
printf 'pmc: SQ_WAVES\npmc: GRBM_COUNT SQ_WAVEZ\n' >wrong.txt
run 1 tacho plan --arch gfx942 -i wrong.txt
has err 'wrong.txt, line 2, column 17: gfx942 has no counter, metric or set "SQ_WAVEZ"'
printf 'jobs:\n  - pmc: [SQ_WAVES]\n    filter: add\n' >filter.yaml
run 125 tacho record -o no --sim mi300x -i filter.yaml true
has err 'filter.yaml, line 3, column 5'
has err '"filter" is not done'
printf 'jobs:\n  - pmc: [SQ_WAVES]\n    pc_sampling_unit: time\n    stats: true\n' >sampling.yaml
run 1 tacho plan --arch gfx942 -i sampling.yaml
has err 'sampling.yaml, line 3, column 5'
printf 'jobs:\n  - pmc: [SQ_WAVES]\n    kernel_iteration_range: "[2-1]"\n' >range.yaml
run 1 tacho plan --arch gfx942 -i range.yaml
has err 'range.yaml, line 3, column 29'
has err 'ends before it begins'
run 125 tacho record -o no --sim mi300x -m SQ_WAVES --iterations 0 true
has err 'column 1'
[ -e no.tacho ] && fail "a recording that was refused"

# ---- out ----

session=$SOURCES/tests/data/codexl/import/nbody
cp "$session.atp" "$session.csv" .
tacho export nbody.atp --to rocprofv3 -o out >out 2>err </dev/null
if [ $? = 1 ] && grep -q 'cannot load libsqlite3' err; then
	[ -e out_kernel_trace.csv ] && fail "one file of an export that failed"
	skip "libsqlite3 is not installed"
fi
same out out_agent_info.csv out_counter_collection.csv out_kernel_trace.csv out_marker_api_trace.csv out_results.db
same out_marker_api_trace.csv '"Domain","Function","Process_Id","Thread_Id","Correlation_Id",'\
'"Start_Timestamp","End_Timestamp"' '"MARKER_CORE_RANGE_API","first steps",0,101,0,900,9400'
for file in out_*; do
	[ "$(stat -c %a "$file")" = 600 ] || fail "others can read $file"
done
run 1 tacho export nbody.atp --to rocprofv3 -o out
has err '-f'
run 1 tacho export nbody.atp --to rocprofv3 -o -
has err 'five files'
rm out_results.db
run 1 tacho export nbody.atp --to rocprofv3 -o out
[ -e out_results.db ] && fail "a database of an export that failed"
run 0 tacho export nbody.atp --to rocprofv3 -o out -f
has err '2 values of counters are not known, lost or overflowed: they have no row'

python=/usr/bin/python3
[ -x $python ] || python=python3
$python -c 'import sqlite3' 2>/dev/null || skip "Python's sqlite3 is not installed"
run 0 tacho export nbody.atp --to csv -o values
run 0 $python "$SOURCES/tests/cli/rocprofv3.py" out values.values.csv "$SOURCES/../shared/data/rocm"
has out 'is as it should be'
[ ! -d "$SOURCES/../shared/data/rocm" ] || has out '20 tables have the columns and keys'

# ---- what people are told to type ----

cp lines.txt FILE
run 0 tacho record -q -o NAME -m device_time true
run 0 $python "$SOURCES/tests/cli/coming_from.py" "$SOURCES/docs/coming-from.md" "$SOURCES"
has out 'lines do what they say'
