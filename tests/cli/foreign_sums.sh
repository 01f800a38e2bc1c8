# SPDX-License-Identifier: MIT
# Files of other tools that have sums and no rows: tables of nsys stats, nvprof, rocprof, rocprofv3,
# unitrace, onetrace and the OpenCL intercept layer.
# tests/cli/foreign_sums.py knows what tests/data/sums says.

python=/usr/bin/python3
[ -x $python ] || python=python3
judge="$python $SOURCES/tests/cli/foreign_sums.py"
cp -r "$SOURCES/tests/data/sums" . || fail "no files"
cd sums || fail "no files"

for name in nsys nsys_2021.txt nvprof.csv nvprof_old.csv unitrace.txt onetrace.txt clintercept_report.txt rocprofv3 \
	results.stats.csv rocpd top_kernels.csv rocprofv3_summary.txt memory_copies_summary.md \
	pytorch.txt pytorch_2019.txt; do
	run 0 tacho report "$name" --json
	$judge check "$name" <out || fail "$name"
	run 0 tacho report "$name" --csv
	$judge csv "$name" <out || fail "$name as CSV"
	run 0 tacho report "$name"
	has out 'sums only'
	has_not out 'not known'
	narrow out 80
done
run 0 tacho report rocprofv3
has out 'rocprofv3, tables of sums'
tr -s ' \n' ' ' <out >flat
has flat '12_domain_stats.csv adds up whole kinds of calls and work, and is left out.'
run 0 tacho report rocprofv3_summary.txt
tr -s ' \n' ' ' <out >flat
has flat 'rounded to four digits'
has flat '1 line of a table of all kinds is left out: it is in a table before.'
has_not flat 'of a whole'
run 0 tacho report pytorch.txt
tr -s ' \n' ' ' <out >flat
has flat '1 name that ends in ... is cut in the file'
has_not flat 'of a whole'
cat pytorch.txt pytorch.txt >twice.txt # in two orders, say
run 0 tacho report twice.txt
tr -s ' \n' ' ' <out >flat
has flat '6 lines that a table before has, too, are left out.'
has_not flat 'table 2'
head -n 6 pytorch.txt >ends.txt
run 1 tacho check ends.txt
run 0 tacho report --json ends.txt
has out '"whole": false'
has out 'ends within a table'
run 0 tacho report --csv ends.txt
has err 'ends.txt is not whole'
run 1 tacho diff --any ends.txt ends.txt
has err 'ends.txt is not whole'
run 0 tacho report ends.txt
tr -s ' \n' ' ' <out >flat
has flat 'NOT WHOLE ends.txt ends'
has flat 'make up 20% of a whole'
has flat 'ends.txt ends within a table: its last lines are missing'
sed '/cudaLaunchKernel/d' pytorch.txt >limited.txt # table(row_limit=5)
run 0 tacho report limited.txt
tr -s ' \n' ' ' <out >flat
has flat 'make up 60% of a whole'
head -n 4 pytorch.txt | head -c -20 >titles.txt
run 1 tacho report titles.txt
has err 'ends before its first line of numbers'
sed 's/^ *aten::mm  */aten::mm and/' pytorch.txt >odd.txt # nothing stands below the dashes
run 0 tacho report odd.txt
tr -s ' \n' ' ' <out >flat
has flat '1 line of tables without a name, numbers or all columns is left out.'
run 0 tacho diff pytorch.txt limited.txt --by range
has out 'aten::mm (CUDA)'
run 0 tacho report rocpd
has out 'recorded by  rocpd, tables of sums'
has_not out 'of a whole'
run 0 tacho report top_kernels.csv
has out 'top_kernels.csv are told in microseconds'
run 0 tacho report results.stats.csv
has out 'recorded by  rocprof, tables of sums'

# For people: what the file does not state is told, and never 0.
run 0 tacho report nsys
tr -s ' \n' ' ' <out >flat
has flat 'it has sums of kernels, calls or transfers, and no row of a single one: no timeline'
has flat 'cuda_gpu_trace,cuda_api_trace --format csv FILE'
has flat 'Kernels, by device time (r_cuda_gpu_kern_sum.csv)'
has flat 'not stated in the file, or rounded to 0 there: min, share'
run 0 tacho report unitrace.txt --by kernel
same out 'recording    unitrace.txt' 'recorded by  unitrace, tables of sums' "$(sed -n 3,6p out)" '' \
	'Kernels, by device time: L0 backend' \
	'  kernel            launches   total  average     min     max  share' \
	'  add(float*, int)         2  600 ns   300 ns  200 ns  400 ns  60.0%' \
	'  not stated in the file: median, deviation'
run 0 tacho report nsys --by kernel --top 1
has out 'gemm'
has_not out 'vadd'
has out 'and 1 more (--top 0 shows all)'
run 0 tacho report nsys -k 'vadd*' --by kernel
has_not out 'gemm'
run 0 tacho report results.stats.csv --by api
has out 'none: no table of them is in the file'

# One file alone, packed or named by its kind.
gzip -k nvprof.csv
run 0 tacho report nvprof.csv.gz --json
$judge check nvprof.csv <out || fail "packed"
run 0 tacho report clintercept_report.txt --as sums
has out 'OpenCL intercept layer, report'

# What needs rows is refused, with the reason and what keeps them.
refused() {
	run 1 "$@"
	tr -s ' \n' ' ' <err >flat
	has flat 'it has sums of nvprof over all launches of a kernel'
	has flat 'nvprof --csv --print-gpu-trace'
}
for option in --findings --per-instance --html '--rule short-kernel=1' '--by gap' '--by queue' '--by thread' '--by frame'; do
	refused tacho report nvprof.csv $option
	has err "${option%% *}"
done
for format in csv jsonl html perfetto codexl rocprofv3; do
	refused tacho export nvprof.csv --to $format -o copy
done
refused tacho export nvprof.csv --to jsonl,html,csv -o copy
[ "$(grep -c 'has sums only' err)" = 1 ] || fail "what is the same for all formats is said more than once"
has err 'not written: jsonl, html, csv'
refused tacho check nvprof.csv
refused tacho occupancy nvprof.csv
refused tacho diff nvprof.csv nvprof.csv --by queue
refused tacho diff nvprof.csv nvprof.csv --match place
run 1 tacho diff results.stats.csv results.stats.csv --by api
has err 'results.stats.csv has no sums of calls'
has err 'tacho diff --by kernel'
run 2 tacho report --csv --json nvprof.csv

# Beside rows they are left out, and that is said.
mkdir mixed
cp nsys/r_cuda_gpu_kern_sum.csv mixed
printf '%s\n' 'Start (ns),Duration (ns),Name,Result,CorrID,Pid,Tid,T-Pri,Thread Name' '1000,500,cudaMalloc,0,5,100,101,20,main' \
	>mixed/trace.csv
run 0 tacho report mixed
tr -s ' \n' ' ' <out >flat
has flat '1 table of sums is left out (r_cuda_gpu_kern_sum.csv): there are single calls or launches to read.'
run 2 tacho report mixed --csv
has err 'report --csv is for files of sums'

# Compared: means and totals, and no word about noise of one number.
sed 's/^75.0,9000,2,4500.0,4500.0,4000/75.0,10800,3,3600.0,4500.0,1800/' nsys/r_cuda_gpu_kern_sum.csv >b.csv
run 0 tacho diff nsys b.csv
tr -s ' \n' ' ' <out >flat
has flat 'kernel A B change total A total B change p launches'
has flat 'gemm 4.50 us 3.60 us -20.0% 9.00 us 10.8 us +20.0% too few 2 -> 3'
has flat 'vadd(float *, int) 1.00 us 1.00 us 0% 3.00 us 3.00 us 0% same 3'
has flat 'One number a side cannot tell'
has_not flat 'interval'
has_not flat 'API time'
run 0 tacho diff nsys b.csv --csv
grep -q '^gemm,,time,nanoseconds,4500,ok,1,2,2,3600,ok,1,3,3,-900,-0.2,,,,,few,' out || fail "the mean of gemm in CSV"
grep -q '^gemm,,total,nanoseconds,9000,ok,1,2,2,10800,ok,1,3,3,1800,0.2,,,,,few,' out || fail "the total of gemm in CSV"
run 0 tacho diff --by transfer nsys nsys --csv
grep -q '^\[CUDA memcpy Host-to-Device],,bytes,bytes,4194000,ok,1,2,2,4194000,' out || fail "bytes in CSV"
run 3 tacho diff nsys b.csv --fail-if 'time > +3%'
run 6 tacho diff nsys b.csv --fail-if 'total > +3%' --any
# Several of each are runs: their means are tested.
for i in 1 2 3; do
	sed "s/,9000,2,/,900$i,2,/" nsys/r_cuda_gpu_kern_sum.csv >a$i.csv
	sed "s/,9000,2,/,1200$i,2,/" nsys/r_cuda_gpu_kern_sum.csv >b$i.csv
done
run 6 tacho diff a1.csv,a2.csv,a3.csv b1.csv,b2.csv,b3.csv --fail-if 'time > +3%'
tr -s ' \n' ' ' <out >flat
has flat 'A and B are means over runs of the mean of each run'
has flat 'gemm: +33.3%'

# Cut ones do not look whole: before the first line of numbers they are refused, in a line it is told,
# and behind one the shares of those that are there tell it.
for name in nsys_2021.txt:210 nvprof.csv:180 unitrace.txt:420 clintercept_report.txt:200 onetrace.txt:250 \
	results.stats.csv:60; do
	head -c "${name#*:}" "${name%:*}" >"cut_${name%:*}"
	run 1 tacho report "cut_${name%:*}"
	has err 'ends before its first line of numbers'
	has err 'has no end'
done
head -n 6 nvprof.csv | head -c -1 >cut.csv
run 0 tacho report cut.csv
tr -s ' \n' ' ' <out >flat
has flat 'cut.csv may be cut: nothing ends its last line'
run 0 tacho report cut.csv --csv
has err 'may be cut'
run 0 tacho diff nvprof.csv cut.csv
has err 'cut.csv: The lines of a table in cut.csv make up 75% of a whole'
has err 'cut.csv may be cut'
has_not err 'nvprof.csv: '
head -n 6 nvprof.csv >lacks.csv
run 0 tacho report lacks.csv
tr -s ' \n' ' ' <out >flat
has flat 'The lines of a table in lacks.csv make up 75% of a whole: others are missing'
head -n 12 unitrace.txt >lacks.txt
run 0 tacho report lacks.txt
tr -s ' \n' ' ' <out >flat
has flat 'The lines of a table in lacks.txt make up 90% of a whole'
run 0 tacho report rocprofv3/12_kernel_stats.csv # an excerpt
tr -s ' \n' ' ' <out >flat
has flat 'make up 85.15% of a whole'
for name in nvprof.csv nvprof_old.csv unitrace.txt onetrace.txt clintercept_report.txt results.stats.csv; do
	run 0 tacho report "$name"
	has_not out 'may be cut'
	has_not out 'of a whole'
done
head -n 1 results.stats.csv >titles.stats.csv
run 0 tacho report titles.stats.csv
tr -s ' \n' ' ' <out >flat
has flat 'titles.stats.csv has titles and no whole line below them: it is empty, or was cut there.'

# Hostile ones: cut anywhere, and with numbers that cannot be.
for name in nsys_2021.txt nvprof.csv unitrace.txt clintercept_report.txt results.stats.csv rocprofv3_summary.txt pytorch.txt; do
	size=$(wc -c <"$name")
	for cut in 40 120 200 333 450 600 777 900 1500 2100; do
		[ $cut -lt $size ] || continue
		head -c $cut "$name" >cut.csv
		tacho report cut.csv >out 2>err
		[ $? -le 1 ] || fail "$name, cut at $cut"
	done
done
sed 's/,600,/,-600,/; s/,          2,/,18446744073709551615,/' onetrace.txt >odd.txt
run 0 tacho report odd.txt
printf '"Name","Calls","TotalDurationNs","MinNs"\n"k",1,99999999999999999999,nan\n"l",x,y,z\n,1,2,3\n' >odd.csv
run 0 tacho report odd.csv
tr -s ' \n' ' ' <out >flat
has flat 'k 1'
has flat '2 lines without a name or numbers are left out of odd.csv.'

# Real ones: what unitrace added up itself, and a database with the sums that its tool makes of it.
samples=$SOURCES/../shared/data/recordings
[ -d "$samples" ] || skip "the rest: ../shared is not here"
for name in cl_gemm_d cl_gemm_h graph_d graph_h omp_gemm_d omp_gemm_h; do
	run 0 tacho report "$samples/intel/unitrace_$name.txt" --json
	$judge totals "$samples/intel/unitrace_$name.txt" <out || fail "$name"
done
run 0 tacho report "$samples/rocprofv3/docs1.0.0_hip_api_stats.csv" --csv
has out 'api,docs1.0.0_hip_api_stats.csv,,hipStreamCreateWithFlags,nanoseconds,4,262497406,65624351.5,,3991286,249121840,122332531.343496,85.15'
$python -c 'import sqlite3' 2>/dev/null || skip "the rest: Python's sqlite3 is not installed"
gzip -dc "$samples/nsys/3.13.2_a100_cloverleaf_reduced.sqlite.gz" >clover.sqlite
tacho check clover.sqlite >out 2>err || skip "the rest: libsqlite3 is not installed"
$judge tool clover.sqlite >clover.csv || fail "no sums of clover.sqlite"
run 0 tacho diff clover.csv clover.sqlite --json
$judge equal <out || fail "sums and the database that they are of"
