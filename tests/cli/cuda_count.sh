# SPDX-License-Identifier: MIT
# Counters of CUDA programs over fakes of NVIDIA's driver and libraries. What kernels count follows
# from their sizes: a__x00 is 1 for each thread, a__x01 is 2, and so on; b__y1 is 2 for each block.
# Four of unit a go into a pass, and two of unit b.
TACHO_CUPTI=$FAKE_CUPTI_FILE
TACHO_NVIDIA_ROOT=$SOURCES/tests/data/nvidia-trees/h100
LD_LIBRARY_PATH=$(dirname "$FAKE_CUDA_LIBRARY")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
XDG_CACHE_HOME=$PWD/cache
export TACHO_CUPTI TACHO_NVIDIA_ROOT LD_LIBRARY_PATH XDG_CACHE_HOME
unset FAKE_CUPTI FAKE_CUDA FAKE_CHECKPOINT
hide_drivers
program=$FAKE_CUDA_PROGRAM
three=a__x00.sum,a__x01.sum,a__x02.sum,a__x03.sum,a__x04.sum,a__x05.sum,a__x06.sum,a__x07.sum
three=$three,a__x08.sum,b__y1.sum

# record OPTIONS...: records anew, and reports into out. What the program says is in said.
record() {
	rm -rf r.tacho
	tacho record -o r.tacho -d 'Fake GF100' "$@" >said 2>err || fail "recording failed"
	tacho report r >out 2>err || fail "no report"
	tr -s ' \n' ' ' <out >flat # texts without the ends of lines
}

# row COUNTER COUNT TOTAL: a line of the report.
row() {
	grep -q "^ *$1  *$2  *$3  *" out || fail "no line $1 $2 $3"
}

# calls NUMBER: so many are recorded, as many as without counting.
calls() {
	tacho export r --to jsonl -o - 2>/dev/null | grep -c '"schema": "tacho.call/1"' >lines
	[ "$(cat lines)" = "$1" ] || fail "$(cat lines) calls instead of $1"
}

tacho record -o plain.tacho -- "$program" many 6 >/dev/null 2>&1 || fail "no recording"
plain=$(tacho export plain --to jsonl -o - 2>/dev/null | grep -c '"schema": "tacho.call/1"')

# Three passes: each launch again, by tacho and by the library; the program again; in turns. What
# runs again is not recorded, and the program computes what it does alone.
for replay in kernel vendor process rotate; do
	record --replay $replay -m $three -- "$program" many 6
	has said 'many 6'
	has_not out 'not counted'
	count=6
	[ $replay = rotate ] && count=2
	row a__x00.sum $count '6 B'
	row a__x03.sum $count '24 B'
	row a__x04.sum $count '30 B'
	row a__x08.sum $count '54 B'
	row b__y1.sum $count '12 B'
	has out '6 kernel launches'
	[ $replay = process ] || calls "$plain"
done
tacho report r --json >out
has out '"state": "scaled"'
record -m $three -- "$program" many 6
tacho report r --findings --rule idle-ns=0 --rule idle-share=0 >out
has out 'idle-device was not judged' # the gaps are the counting's
tacho report r --json >out
grep -A 6 '"name": "a__x08.sum"' out | grep -q '"total": 54,' || fail "not 54 in JSON"

# stat is the same without a recording that stays.
tacho stat -d 'Fake GF100' -m a__x00.sum,b__y1.sum -- "$program" many 4 >said 2>out || fail "stat"
has said 'many 4'
row a__x00.sum 4 '4 B'

# Every way to launch again: arguments in a buffer, a thread's stream, cooperative, with clusters.
# 1315 threads in all.
record -m $three -- "$program" ways
has said 'counted 1315'
row a__x00.sum 5 '1.31 kB'
tacho report r --json >out
grep -A 6 '"name": "a__x08.sum"' out | grep -q '"total": 11835,' || fail "not 9 * 1315"

# Launches of the runtime, whatever numbers CUPTI gives the calls that count.
for ids in '' outer_ids; do
	FAKE_CUDA=$ids record -m $three -- "$FAKE_RUNTIME_PROGRAM" 3
	has said 'scaled 8 counted 60'
	has out '9 kernel launches'
	row a__x00.sum 6 '60 B'
done

# Kernels that wait for one another are left uncounted, and the program ends as it does alone.
record --timeout 1 -m $three -- "$program" spin
has said 'spin done'
has flat 'it did not end before --timeout'
has flat 'a kernel before it did not end'
row a__x00.sum 0 -

# 16 threads, one launch at a time.
record -m $three -- "$program" threads 5
has said 'threads 80'
row a__x08.sum 80 '720 B'

# Contexts that come and go; one at a time where the library has one.
FAKE_CUPTI=one record -m $three -- "$program" contexts 3
row a__x00.sum 9 '288 B'

# Children with CUDA of their own count, forked ones without exec cannot use CUDA.
record -m $three -- "$program" fork 2
row a__x00.sum 4 '4 B'

# What is in a graph runs with it.
record -m a__x00.sum -- "$program" graph 2
has said 'graph 16384'
has flat 'it is of a graph'
record -m a__x00.sum -- "$program" capture 2
has flat 'it is of a graph'

# Which launches.
record -m $three -k '*scale*' -- "$program" add
row a__x00.sum 2 '8.19 kB'
grep -A 1 '^  add(float const\*' out | grep -q 'a__x00' && fail "a kernel was not selected"
record -m $three -s 2 -c 3 -- "$program" many 9
row a__x00.sum 3 '3 B'
record -m $three --exclude '*count*' -- "$program" many 3
has flat 'of 3 none was selected'

# Values that need one run are not put together of several.
record --replay process -m a__x04.sum,a__throughput -- "$program" many 3
row a__x04.sum 3 '15 B'
row 'a__throughput, percent' 0 -
record -m a__x04.sum,a__throughput -- "$program" many 3
grep -q '^ *a__throughput, percent  *3  *-  *25 ' out || fail "not 25 percent"

# What the GPU does not let be counted is absent, with the reason; a plan that it makes otherwise is
# not used.
FAKE_CUPTI=lacks_b record -m a__x00.sum,b__y1.sum -- "$program" many 3
row a__x00.sum 3 '3 B'
row b__y1.sum 0 -
has flat 'the GPU gave no value of b__y1.sum'
FAKE_CUPTI=lacks_b record -m b__y0.sum,b__y1.sum,b__y2.sum -- "$program" many 3
has flat 'makes 1 passes'
has flat 'the plan has 2'

# What hinders is told, with its cure, and the program runs.
for pair in 'availability=35:INSUFFICIENT_PRIVILEGES' 'decode=999:UNKNOWN'; do
	FAKE_CUPTI=${pair%%:*} record -m a__x00.sum -- "$program" many 3
	has said 'many 3'
	has flat "${pair#*:}"
	row a__x00.sum 0 -
done

# Memory that is not kept or not brought back.
FAKE_CHECKPOINT=save record -m $three -- "$program" many 3
has said 'many 3'
has flat 'counted in their first pass only'
row a__x00.sum 3 '3 B'
row a__x08.sum 0 -
FAKE_CHECKPOINT=restore record -m $three -- "$program" many 3
has flat 'counting ended: the memory of'

# A simulated device is given the launches: waves of 64 threads.
for replay in kernel process; do
	rm -rf r.tacho
	tacho record -o r.tacho --sim mi300x --replay $replay \
		-m 'SQ_WAVES,SQ_INSTS_*' -- "$program" many 6 >said 2>err || fail "no simulated counts"
	has said 'many 6'
	tacho report r >out
	row SQ_WAVES 6 6
done

# Kernels have times and sizes without any GPU's counters.
record -m device_time -- "$program" many 5
grep -q '^ *device_time  *5 ' out || fail "no times of 5 launches"
exit 0

# In ranges that the program names: every second launch of six lies in "odd", all in "all".
record -m a__x00.sum --range odd -- "$program" ranges 6
has said 'ranges 6'
row a__x00.sum 3 '3 B'
has flat '6 kernel launches'
record -m a__x00.sum --range 'o*' --range other -- "$program" ranges 6
row a__x00.sum 3 '3 B'
record -m a__x00.sum --range all -- "$program" ranges 6
row a__x00.sum 6 '6 B'
tacho report r --by range --json >out
has out '"name": "odd"'
