# SPDX-License-Identifier: MIT
# Counters that are sampled beside a recorded program, in windows of time: over fakes of NVIDIA's
# libraries, whose values follow from the number of a sample, and with Linux's perf where it counts.
TACHO_CUPTI=$(dirname "$FAKE_CUPTI_FILE")
LD_LIBRARY_PATH=$(dirname "$FAKE_CUDA_LIBRARY"):$(dirname "$FAKE_NVML_FILE")
XDG_CACHE_HOME=$PWD/cache
export TACHO_CUPTI LD_LIBRARY_PATH XDG_CACHE_HOME
unset FAKE_CUPTI FAKE_CUDA FAKE_NVML CUDA_VISIBLE_DEVICES CUDA_INJECTION64_PATH
hide_drivers
cp -R "$SOURCES/tests/data/nvidia-trees/h100" tree
sed -i 's/GPU-3291dfa4-fcc4-0110-615b-c894a0d7c689/GPU-00010203-0405-0607-0809-0a0b0c0d0e0f/
	s/NVIDIA H100 80GB HBM3/Fake GF100/' tree/proc/driver/nvidia/gpus/*/information
TACHO_NVIDIA_ROOT=$PWD/tree
export TACHO_NVIDIA_ROOT

# record STATUS OPTION...: anew, into r.
record() {
	rm -rf r.tacho
	status=$1
	shift
	run "$status" tacho record -o r --no-report "$@"
}

# windows: those of r as lines of "index state value ...", in the file lines.
windows() {
	tacho export r --to jsonl -o - --partial >jsonl 2>/dev/null
	grep -F '"schema": "tacho.window/1"' jsonl |
		sed 's/.*"index": \([0-9]*\),.*"values": {\(.*\)}}$/\1 \2/; s/"[a-z]*__x[0-9.a-z]*": //g
			s/[{}]//g; s/"value": //g; s/"state": //g; s/,//g; s/"//g' >lines
}

# refused CAUSE CURE OPTION...: before the program begins, and nothing is left.
refused() {
	cause=$1
	cure=$2
	shift 2
	rm -f started
	record 125 "$@" -- touch started
	tr -s ' \n' ' ' <err >flat
	has flat "$cause"
	has flat "$cure"
	[ ! -e started ] || fail "the program was started"
	[ ! -e r.tacho ] || fail "a recording was left"
}

# The GPU's own sampler: what its samples 1, 2, ... have, each 10 ms long, on the host's clock.
record 0 -I 10 -d gf100 -m a__x00.sum,a__x01.avg -- sleep 0.2
has err 'sampling 2 counters on cupti_sampling:Fake GF100 every 10 ms'
has err 'windows of counters in it'
windows
head -n 3 lines >out
same out '0 2 ok 4 ok' '1 3 ok 6 ok' '2 4 ok 8 ok'
[ "$(wc -l <lines)" -ge 5 ] || fail "windows are missing"
grep -F tacho.run/1 jsonl | sed 's/.*"start_ns": \([0-9]*\),.*"end_ns": \([0-9]*\),.*/\1 \2/' >span
grep -F tacho.window/1 jsonl |
	sed 's/.*"start_ns": \([0-9]*\), "end_ns": \([0-9]*\), "uncertainty_ns": \([0-9]*\),.*/\1 \2 \3/' |
	awk 'NR == FNR { from = $1; to = $2; next }
		$2 - $1 != 10000000 { print "length " $2 - $1 }
		$2 < from - 1e9 || $2 > to + 1e9 { print "at " $2 " beside the run" }
		$3 > 1e8 { print "uncertain by " $3 }
		FNR > 1 && $1 < last - 1000000 { print "order" } { last = $2 }' span - >out
same out
run 0 tacho check r
has out 'It is whole.'
run 0 tacho report r
has out 'Counters over time: cupti_sampling:Fake GF100, windows of 10 ms'
grep -q '^  a__x00.sum  *[0-9]*  *2 ' out || fail "no line of a__x00.sum, from 2 on"
has out 'the program is linked with no OpenCL loader'
tacho report r --json >out
has out '"device": "cupti_sampling:Fake GF100"'
has out '"window_ns": 10000000'
# The page has a track for each counter, also without a call.
run 0 tacho export r --to html -f
has r.html '{"kind":"windows",'
has r.html '"label":"cupti_sampling:Fake GF100"'
has r.html '{"name":"a__x01.avg",'
has r.html '<span class="name">a__x01.avg</span></th><td>cupti_sampling:Fake GF100</td>'

# What the device drops is lost, and said everywhere.
FAKE_CUPTI=s_overflow
export FAKE_CUPTI
record 0 -I 10 -d gf100 -m a__x00.sum -- sleep 0.2
has err 'lost: 4 windows of counters'
windows
sed -n 3p lines >out
same out '2 8 lost'
grep -F tacho.loss/1 jsonl | tail -n 1 >out
has out '"windows": 4'
run 1 tacho check r
has out '4 windows of counters that were sampled'
run 0 tacho report r
has out '4 of its windows are lost'
tr -s ' \n' ' ' <out >flat
has flat '4 sampled windows were not recorded: the device dropped'
record 125 --strict -I 10 -d gf100 -m a__x00.sum -- true
# A clock that nobody knows: between the begin and when it was read.
FAKE_CUPTI=s_own_clock
record 0 -I 10 -d gf100 -m a__x00.sum -- sleep 0.1
windows
[ "$(wc -l <lines)" -ge 3 ] || fail "windows are missing"
grep -F tacho.window/1 jsonl | sed -n 's/.*"uncertainty_ns": \([0-9]*\),.*/\1/p' |
	awk '$1 < 1000000 { print "certain" }' >out
same out
# The sampler fails while the program runs, which ends as ever.
FAKE_CUPTI=s_decode=999
record 3 -I 10 -d gf100 -m a__x00.sum -- sh -c 'sleep 0.1; exit 3'
has err 'lost: counters were sampled for a part of the time only'
has err '999, UNKNOWN'
run 0 tacho report r
tr -s ' \n' ' ' <out >flat
has flat 'sampling ended before the program'
for call in s_availability s_enable s_config s_start; do
	FAKE_CUPTI=$call=26
	refused HARDWARE_BUSY '' -I 10 -d gf100 -m a__x00.sum
done
unset FAKE_CUPTI

# What can be known before the program begins.
refused '2 passes' 'leave out a__x04.sum' -I 10 -d gf100 \
	-m a__x00.sum,a__x01.sum,a__x02.sum,a__x03.sum,a__x04.sum
refused 'has no counter' 'nearest names' -I 10 -d gf100 -m a__x0
refused 'is about launches' 'leave one of them out' -I 10 -d gf100 -m a__x00.sum -k vadd
refused 'is about launches' 'leave one of them out' -I 10 -d gf100 -m a__x00.sum --replay kernel
refused 'device_time cannot be sampled' 'leave -I out' -I 10 -d gf100 -m a__x00.sum,device_time
refused 'given the launches' 'leave -I out' -I 10 --sim mi300x -m VALUBusy
refused '100 ms at least' '' -I 10 -d nvml:gf100 -m power
# The driver's counters are of no launch.
refused 'windows of time only' 'add -I MS' -d nvml:gf100 -m power
record 0 -I 100 -d nvml:gf100 -m power,sm_util -- sleep 0.35
windows
sed 's/^[0-9]* //; s/power: //; s/sm_util: //' lines | sort -u >out
same out '350.5 ok 2.25 ok'

# Beside kernels: both are there, in the order of time.
record 0 -I 10 -d gf100 -m a__x00.sum -- "$FAKE_CUDA_PROGRAM" many 6
tacho export r --to jsonl -o - >jsonl 2>/dev/null
grep -c '"command": {"id": [0-9]*, "kind": "kernel"' jsonl >out
same out 6
run 0 tacho report r
has out '6 kernel launches'
has out 'Counters over time'
run 0 tacho export r --to sqlite,perfetto
[ -s r.sqlite ] && [ -s r.pftrace ] || fail "no exports"

# kill DELAY: of tacho, while the program runs. What was written before is there.
for delay in 0.05 0.2; do
	rm -rf r.tacho ended
	tacho record -o r -q -I 10 -d gf100 -m a__x00.sum -- sh -c 'sleep 0.5; : >ended' 2>/dev/null &
	tacho=$!
	while [ ! -e r.tacho/control.bin ]; do sleep 0.01; done
	sleep $delay
	kill -9 $tacho
	wait $tacho 2>/dev/null
	while [ ! -e ended ]; do sleep 0.02; done
	run 0 tacho report r # it waits for no keeper, and finishes what is left
	while grep -q unfinished out; do
		sleep 0.05
		run 0 tacho report r
	done
	if grep -q 'Counters over time' out; then
		tr -s ' \n' ' ' <out >flat
		has flat 'later windows are missing'
	fi
done
# The program is killed.
record 137 -I 10 -d gf100 -m a__x00.sum -- sh -c 'sleep 0.15; kill -9 $$'
windows
[ "$(wc -l <lines)" -ge 3 ] || fail "windows are missing"
has_not err lost

# A torn file: what was whole before is there, and the tear is told.
size=$(wc -c <r.tacho/calls-1.bin)
count=$(wc -l <lines)
for part in 2 5; do
	cp -R r.tacho torn.tacho
	truncate -s $((size - size / part)) torn.tacho/calls-1.bin
	run 0 tacho report torn
	has out 'NOT WHOLE'
	run 1 tacho check torn
	has out 'is cut'
	tacho report torn --json | sed -n 's/^ *"windows": \([0-9]*\),$/\1/p' | tail -n 1 >out
	[ "$(cat out)" -le "$count" ] || fail "windows out of nothing"
	rm -rf torn.tacho
done

# Linux's perf, where it counts.
tacho stat -m task-clock -- true >/dev/null 2>&1 || exit 0
record 0 -I 20 -m task-clock,page-faults -- sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'
tacho report r --json >json
sed -n 's/^ *"name": "\(task-clock\|page-faults\)",$/\1/p' json >out
same out task-clock page-faults
# All windows together are the time that it took: no less than a fresh start, no more than the run.
windows
sed 's/^[0-9]* task-clock: \([0-9]*\) ok.*/\1/' lines | awk '{ sum += $1 } END { print (sum > 1e6) }' >out
same out 1
