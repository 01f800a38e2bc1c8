# SPDX-License-Identifier: MIT
# Files of AMD's profilers: rocprofv3, rocprof, rocprofiler-compute, of each generation.
# tests/cli/foreign_amd.py makes them and knows the answers.

python=/usr/bin/python3
[ -x $python ] || python=python3
$python -c 'import sqlite3' 2>/dev/null || skip "Python's sqlite3 is not installed"
judge="$python $SOURCES/tests/cli/foreign_amd.py"
$judge make || fail "no files"

# FILE [NAME]: it is read, as check_NAME() has it, and every view of it works.
read_file() {
	run 0 tacho export -f "$1" --to jsonl -o -
	$judge check "$2" <out || fail "$1"
	run 0 tacho report "$1"
	run 0 tacho check "$1"
}
for name in oldest new converted counters old_counters api markers copies allocations scratch \
	v1 v2 perf level sysinfo huge; do
	read_file $name.csv $name
done
read_file crlf.csv new
read_file 42_kernel_trace.csv named
read_file run run
read_file work work
read_file results results
read_file whole results
read_file graphs.csv new

run 1 tacho report damaged.csv
has err 'line 2 of damaged.csv is damaged'
run 0 tacho report new.csv
has_not out started # such times are those since the machine was started

# A file without calls knows neither their time nor where the host was, and one without work not who worked.
sed 's/,2500,3000,/,4500,5000,/' new.csv >no_calls.csv
run 0 tacho report no_calls.csv
has out '  host: no call is recorded'
has out 'API calls    - (no call is recorded)'
has_not out 'outside of the API'
has_not out 'API time'
run 0 tacho report no_calls.csv --json
has out '"kind": "unknown"'
has out '"api_ns": null'
run 0 tacho export no_calls.csv --to html -o no_calls
has no_calls.html 'no call is recorded'
has_not no_calls.html 'API time'
run 0 tacho report api.csv
tr -s ' \n' ' ' <out >flat
has flat '; no work of a device is recorded.'
has flat 'device busy - (no work of a device is recorded)'

# JSON: whatever comes first in it.
read_file one.json one_json
read_file turned.json one_json
read_file two.json two

# What is cut, also before it said which process it is.
for name in cut.csv cut.json cut_first.json; do
	run 0 tacho export --partial $name --to jsonl -o -
	case $name in *.csv) $judge check cut <out ;; *) $judge check cut_json <out ;; esac || fail $name
	lost $name
done

# Every export of it works, and what tacho writes as rocprofv3's files is the same when it is read.
run 0 tacho export run --to codexl,sqlite,perfetto,html -o copy
run 1 tacho export run --to rocprofv3 -o back/out
mkdir back database
run 0 tacho export run --to rocprofv3 -o back/42
mv back/42_results.db database
read_file back back
$python - <<'END' || skip "libsqlite3 is not installed"
import ctypes
ctypes.CDLL("libsqlite3.so.0")
END
read_file database/42_results.db database

# One run in several formats: its launches are there once, and what is left out is said.
cp -r run twice
cp one.json twice/42_results.json
run 0 tacho export twice --to jsonl -o -
$judge check run <out || fail "a run in two formats"
run 0 tacho report twice
tr -s ' \n' ' ' <out >flat
has flat '42_results.json is left out: the same launches are in 42_agent_info.csv and'
rm -f twice/*.csv && cp new.csv twice/42_kernel_trace.csv
run 0 tacho report twice
tr -s ' \n' ' ' <out >flat
has flat '42_kernel_trace.csv is left out: the same launches are in 42_results.json'

# Times of several hosts count from the start of each.
mkdir -p hosts/node1 hosts/node2
cp run/42_*_trace.csv hosts/node1
sed 's/,2000,2600,/,2001,2600,/' new.csv >hosts/node2/43_kernel_trace.csv
run 0 tacho report hosts
tr -s ' \n' ' ' <out >flat
has flat 'Times count from the start of each host (node1, node2): when the work of one ran'
run 0 tacho report hosts/node1
tr -s ' \n' ' ' <out >flat
has_not flat 'from the start of each host'

# JSON names the host, or its folder does where the process names the file.
mkdir -p said named/n1 named/n2
sed 's/"metadata": {/&"node": {"id": 1, "hostname": "node1"}, /' one.json >said/a.json
sed 's/"metadata": {/&"node": {"hostname": "node2"}, /; s/: 2600/: 2599/g' one.json >said/b.json
run 0 tacho report said
tr -s ' \n' ' ' <out >flat
has flat 'Times count from the start of each host (node1, node2): when the work of one ran'
cp one.json named/n1/42_results.json
sed 's/: 2600/: 2599/g' one.json >named/n2/42_results.json
run 0 tacho report named
tr -s ' \n' ' ' <out >flat
has flat 'Times count from the start of each host (n1, n2): when the work of one ran'
cp said/a.json said/c.json
run 0 tacho report said/a.json said/c.json
tr -s ' \n' ' ' <out >flat
has_not flat 'from the start of each host'

# Of two files each has a process that the other has not, and they share one: that is said.
mkdir shared
cp two.json shared
cp run/42_*.csv shared
sed 's/,2000,2600,/,2001,2602,/' new.csv >shared/50_kernel_trace.csv
run 0 tacho report shared
tr -s ' \n' ' ' <out >flat
has flat 'The launches of 1 process are here twice, out of 42_agent_info.csv and'
has flat 'more and out of two.json: read these apart.'
rm shared/two.json
run 0 tacho report shared
tr -s ' \n' ' ' <out >flat
has_not flat 'here twice'

# Databases of rocprofv3: one process, and several that were merged.
$judge databases || fail "no databases"
read_file one.db one
read_file merged.db merged
read_file newer.db newer
read_file tracks.db tracks
read_file times.db times

# rocprofiler-compute: a database of each run that counted is one recording with the others.
read_file runs runs
# As it writes it, there is the same as CSV, which says less.
cat >results_pmc_perf_0.csv <<'END'
GPU_ID,GUID,Correlation_Id,Dispatch_ID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,Scratch_Per_Workitem,Arch_VGPR,Accum_VGPR,SGPR,Kernel_Name,Start_Timestamp,End_Timestamp,Kernel_ID,Counter_Name,Counter_Value
2,g,7,0,8192,128,640,16,24,4,32,add(float*),2000,2600,0,SQ_WAVES,64.0
2,g,8,1,24,1,128,16,24,4,32,add(float*),2500,3000,1,SQ_WAVES,7.0
END
cp -r runs runs_and_csv
cp results_pmc_perf_0.csv runs_and_csv
read_file runs_and_csv runs
# Of several processes the databases are several, and the CSV has them as one: nothing shows that it is the same.
cp -r runs runs_of_two
$judge again runs_of_two/pmc_perf_0_43.db
{
	cat results_pmc_perf_0.csv
	sed '1d; s/,2000,2600,/,12000,12600,/; s/,2500,3000,/,12500,13000,/; s/^2,g/2,h/' results_pmc_perf_0.csv
} >runs_of_two/results_pmc_perf_0.csv
sed 's/SQ_WAVES,/SQ_WAIT_ANY,/' runs_of_two/results_pmc_perf_0.csv >runs_of_two/results_pmc_perf_1.csv
run 0 tacho report runs_of_two
tr -s ' \n' ' ' <out >flat
has flat 'work 5 kernel launches'
has flat 'results_pmc_perf_0.csv and 1 more are left out: beside them are databases of the same runs, such as'
has flat 'SQ_LEVEL_WAVES_242.db. Without these they are read.'
has_not flat 'here twice'
run 0 tacho report runs_of_two --as rocprof-csv
tr -s ' \n' ' ' <out >flat
has_not flat 'left out: beside'
rm runs_of_two/results_pmc_perf_1.csv
run 0 tacho report runs_of_two/results_pmc_perf_0.csv runs_of_two/pmc_perf_0_43.db
tr -s ' \n' ' ' <out >flat
has flat 'results_pmc_perf_0.csv is left out: beside it are databases of the same runs, such as pmc_perf_0_43.db. Without these it is read.'
# In another folder it is another workload's.
mkdir runs_apart
mv runs_of_two runs_apart/databases
mkdir runs_apart/tables
mv runs_apart/databases/results_pmc_perf_0.csv runs_apart/tables
run 0 tacho report runs_apart
tr -s ' \n' ' ' <out >flat
has_not flat 'left out: beside'
cat >panel.yaml <<'END'
Panel Config:
  id: 100
  title: Own panel
  data source:
  - metric_table:
      id: 101
      title: Waves
      header: {metric: Metric, value: Sum}
      metric:
        Waiting: {value: MAX(SQ_WAIT_ANY / SQ_WAVES)}
        Level: {value: MAX(SQ_LEVEL_WAVES_ACCUM)}
        Units: {value: $cu_per_gpu}
END
run 0 tacho eval --panels panel.yaml --values runs --csv
has out '"Waiting","Sum",1,'
has out '"Level","Sum",64,'
has out '"Units","Sum",304,'
# Their device says which architecture's metrics are meant.
run 0 tacho eval --values one.db --as rocpd -m SQ_WAVES,VALUBusy
has out 'VALUBusy, percent'
has out 'the values lack SQ_ACTIVE_INST_VALU'
run 2 tacho eval --values one.db --as rocp -m SQ_WAVES
has err 'kind of files "rocp" is not known'
run 1 tacho eval --values one.db --as ncu-csv -m SQ_WAVES
has err one.db
run 0 tacho export one.db --to rocprofv3 -o again
has again_kernel_trace.csv ',2000,2600,1024,16,24,4,32,64,2,1,' # local memory that the launch asked for
head -c 5000 one.db >cut.db
run 1 tacho report cut.db
has err cut.db

# Samples of AMD's tools, with answers that were worked out without tacho.
samples=$SOURCES/../shared/data/recordings
[ -d "$samples/rocprofv3" ] || exit 0
sums() {
	run 0 tacho export -f "$1" --to jsonl -o -
	$python - "$2" "$3" "$4" "$5" <<'END' || fail "$1"
import json
import sys

launches = time = calls = values = 0
with open("out") as lines:
    for line in lines:
        row = json.loads(line)
        if row["schema"] != "tacho.call/1":
            continue
        calls += not row.get("bare")
        values += sum(v["state"] == "ok" for v in row.get("values", {}).values())
        if row["command"] and row["command"]["kind"] == "kernel":
            launches += 1
            time += row["command"].get("duration_ns") or 0
assert [int(a) for a in sys.argv[1:]] == [launches, time, calls, values], (launches, time, calls, values)
END
}
gzip -dc "$samples/rocprofv3/derived_from_decode_csv.rocpd.db.gz" >sample.db
sums "$samples/rocprofv3/gfx1151_decode_kernel_trace.csv" 144 1857381 0 0
sums "$samples/rocprofv3/gfx1151_decode_hip_api_trace.csv" 0 0 920 0
sums "$samples/rocprofv3/gfx1151_decode_stall_counter_collection.csv" 34 463587 0 340
sums sample.db 144 1857381 920 0
run 0 tacho report sample.db
has out gfx1151
mkdir decode
cp "$samples"/rocprofv3/gfx1151_decode_[kh]*.csv decode
sums decode 144 1857381 920 0
[ "$(grep '"tacho.call/1"' out | grep -v '"(no call)"' | grep -c '"kind": "kernel"')" = 27 ] ||
	fail "27 of the kernels have a call with their correlation id"
run 0 tacho report decode
sums "$samples/rocprofiler-compute/vcopy_MI100" 3 62560 0 2853
sums "$samples/rocprofiler-compute/vcopy_MI300X_A1" 3 0 0 8001
run 0 tacho report "$samples/rocprofiler-compute/vcopy_MI300X_A1"
has out MI300X_A1
