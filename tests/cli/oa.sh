# SPDX-License-Identifier: MIT
# Intel OA without recordings: raw reports, flexible events, registers, sets.

# line FILE REGEX: fails unless a line fits.
line() {
	grep -q -e "$2" "$1" || fail "no line of $1 fits $2"
}

# word OFFSET OCTAL...: bytes into the report that is being made.
word() {
	offset=$1
	shift
	for byte; do
		printf "\\$byte" | dd of=report bs=1 seek="$offset" conv=notrunc 2>/dev/null
		offset=$((offset + 1))
	done
}

# A report of Gen8: timer, valid context 7, ratio 24; time 1000, clock 500; A7 = 2^32 + 5, B0 9.
dd if=/dev/zero of=report bs=256 count=1 2>/dev/null
word 0 030 000 010 002
word 4 350 003
word 8 007
word 12 364 001
word 44 005
word 167 001
word 192 011
cat report report >two
run 0 tacho oa decode two --gen chv
same err
line out '^report at byte 0: timer, time 1000, clock 500, context 0x7, unslice 400.0 MHz'
line out '^report at byte 256: '
line out ' A7  *4294967301$'
run 0 tacho oa decode two --format a32u40_a4u32_b8_c8 --gen gen8 --json
[ "$(wc -l <out)" = 2 ] || fail "an object a line"
has out '"reasons": ["timer"]'
has out '"context": 7'
has out '"A7": 4294967301'
has out '"unslice_hz": 400000000'
# The same bytes as the command MI_REPORT_PERF_COUNT writes them, on a GPU with another layout.
run 0 tacho oa decode two --gen chv --source mi-rpc --json
has out '"source": "mi-rpc", "id": 34078744, "context": 7'
has_not out reasons
run 0 tacho oa decode two --gen dg2 --csv
line out '^offset,id,reasons,context,GPU_TIME,GPU_CLOCK,A0,.*,A37,B0,'
run 0 sh -c 'tacho oa decode - --gen chv --csv <two'
[ "$(wc -l <out)" = 3 ] || fail "a row each and the names"

# What cannot be decoded is said after all that can.
head -c 300 two >cut
run 1 tacho oa decode cut --gen chv --json
[ "$(wc -l <out)" = 1 ] || fail "the whole report is missing"
has err 'cut: the report at byte 256 is cut off'
has err 'cause: there are 44 bytes of 256'
: >empty
run 3 tacho oa decode empty --gen chv
dd if=/dev/zero of=zeros bs=256 count=2 2>/dev/null
run 0 tacho oa decode zeros --gen chv
has err '2 reports have no id'
run 2 tacho oa decode two
has err 'name the generation'
run 2 tacho oa decode two --format A12
has err 'gen8 to gen12 write this format'
run 2 tacho oa decode two --gen gfx942
run 2 tacho oa decode two --gen chv --format PEC64u64
has err 'there is no report format "PEC64u64" on gen8'
run 1 tacho oa decode missing --gen chv
run 2 tacho oa decode two --gen chv --by report
has err 'oa decode: there is no option --by'
run 2 tacho oa decode two --gen chv --json --csv
run 2 tacho oa decod two
has err 'did you mean "tacho oa decode"'
run 2 tacho oa
run 2 tacho oa decode

# Recordings need no options: they say what wrote them.
recordings=$SOURCES/fuzz/corpus/oa_recording
run 0 tacho oa decode "$recordings/contexts" --json
[ "$(wc -l <out)" = 8 ] || fail "a recording of 8 reports"
has out '"reasons": ["context-switch"]'
line out '"cpu_ns": [1-9]'
run 0 tacho oa decode "$recordings/wraps"
has out 'lost at byte 680: one or more reports'
run 1 tacho oa decode "$recordings/truncated" --csv
[ "$(wc -l <out)" = 7 ] || fail "all reports before the end"
has err 'is malformed at byte 2000'
# The device's record says format 9, of 128 bytes, and the reports have 256.
cp "$recordings/contexts" other
printf '\011' | dd of=other bs=1 seek=56 conv=notrunc 2>/dev/null
run 1 tacho oa decode other --json
same out
has err 'the report at byte 416 is not in the recorded format'
has err 'cause: it has 256 bytes, and format A12_B8_C8 has 128'

run 0 tacho oa decode "$recordings/wraps" --json
line out '"offset": 680, "lost": "report-lost"'
has err 'warning: 1 records of unknown types were passed over'

# A pipe is read once, whether it is a recording or raw.
# through FILE: its bytes come out of the pipe.
mkfifo pipe
through() {
	timeout 30 sh -c 'cat "$1" >pipe' sh "$1" 2>/dev/null &
}
run 0 tacho oa decode "$recordings/contexts" --json
mv out plain
through "$recordings/contexts"
run 0 timeout 30 tacho oa decode pipe --json
cmp out plain || fail "a pipe is decoded otherwise than a file"
through "$recordings/contexts"
run 0 timeout 30 tacho oa metrics pipe -m GpuTime
through two
run 0 timeout 30 tacho oa decode pipe --gen chv --csv
[ "$(wc -l <out)" = 3 ] || fail "raw reports of a pipe"
through two
run 1 timeout 30 tacho oa decode pipe
has err 'pipe is no OA recording'
has err 'tacho oa decode --gen G'
wait

# Flexible events: a published value, and Intel's own breach of Intel's rules is no failure.
run 0 tacho oa flex decode EU_PERF_CNTL3=0x00015014
same err
line out '^EU_PERF_CNTL3 (0xe758) = 0x00015014$'
line out '^  A13  *some/vs  *published$'
line out '^  A14  *stall/vs  *published$'
line out 'published in chv: RenderBasic, .*; bdw: RenderBasic'
run 0 tacho oa flex decode 0x00778008 0xe458=0x5004 --json
has out '"schema": "tacho.oa-flex/1"'
has out '"event": "threads/row0/eu0"'
has out '"share": "A7 / (EuCoresTotalCount * GpuCoreClocks)"'
run 2 tacho oa flex decode OACONTROL=1
run 2 tacho oa flex decode 0x5004x

# Valid, depending on the GPU, undefined, refused.
run 0 tacho oa flex encode fpu0/ps/ternary send A13=threads/row0/eu0
same err
line out '^  A7  *fpu0/ps/ternary  *valid$'
line out '^EU_PERF_CNTL0 (0xe458) = 0x00002250$'
line out '^EU_PERF_CNTL3 (0xe758) = 0x00000778$'
line out 'A13 \* 8 / (EuCoresTotalCount / 8 \* EuThreadsCount \* GpuCoreClocks)'
run 0 tacho oa flex encode fpu1/start
line out 'implementation-specific$'
has err 'warning: fpu1/none/start'
run 1 tacho oa flex encode send/none/0x6
line out 'undefined$'
has_not out EU_PERF_CNTL
run 0 tacho oa flex encode both/ps
line out '^  A7  *both/ps  *published$'
line out '^EU_PERF_CNTL0 (0xe458) = 0x00000053$'
has err 'warning: both/ps: filters of shader stages'
has err 'RenderBasic of chv counts it all the same'
run 0 tacho oa flex encode both/ps --json
has out '"verdict": "published"'
has out '"published_in": "RenderBasic of chv"'
run 1 tacho oa flex encode both/none/ternary
has err 'both/none/ternary is refused'
has err 'take it as it is: --force'
has_not out EU_PERF_CNTL
run 0 tacho oa flex encode both/none/ternary --force
has err 'warning: both/none/ternary'
line out '^EU_PERF_CNTL0 (0xe458) = 0x00000203$'
run 2 tacho oa flex encode A21=fpu0
run 2 tacho oa flex encode A7=fpu0 A7=fpu1
has err 'A7 is to count two events'
run 2 tacho oa flex encode fpu0/xs
run 2 tacho oa flex encode
run 2 tacho oa flex explode fpu0

# A set of one's own: its metric is half of 16 EUs' clocks, one row of them: all of the time.
run 0 tacho oa flex encode fpu0/row0 --set Mine --arch chv
mv out mine.yaml
run 0 tacho list sets Mine --arch chv --definitions mine.yaml
line out ' Mine  *3 '
run 0 tacho oa sets --arch chv --definitions mine.yaml
line out '^  Mine  *chv  *3  *0  *0  *1  *-  '
cat >values.json <<'END'
{"counters": {"GPU_TIME": {"values": [125000]}, "GPU_CLOCK": {"values": [1000]},
              "A7": {"values": [8000]}}}
END
run 0 tacho eval --arch chv --model bsw --definitions mine.yaml -m Mine.Fpu0Row0 --values values.json
line out '^  Mine.Fpu0Row0  *100  percent'
run 2 tacho oa flex encode fpu0 --set 'a: b'

# Registers both ways.
run 0 tacho oa regs
line out '^  OAPERF_A7_UPPER  *0x283c  *yes  '
line out '^  OAPERF_C0  *0x2940  *-  '
run 0 tacho oa regs --gen hsw
line out '^  OACONTROL  *0x2360  '
run 0 tacho oa regs OACONTROL=counter_select:A32u40_A4u32_B8_C8,enable:1
line out '^OACONTROL (0x2b00) = 0x00000015 '
run 0 tacho oa regs 0x2b00=0x15
line out 'counter_select  *4:2  *5 (A32u40_A4u32_B8_C8)$'
run 0 tacho oa regs OACEC0_0 --json
has out '"schema": "tacho.oa-regs/1"'
has out '"power_context": null'
run 2 tacho oa regs OACONTORL
has err 'did you mean OACONTROL?'
run 2 tacho oa regs OACONTROL=format:1
run 2 tacho oa regs OACONTROL=enable:2

# Sets, and what is odd in them.
run 0 tacho oa sets --arch chv
line out '^  RenderBasic  *chv  *50  *73  *5  *7  *5  9d8a3af5-c02c-4a4a-b947-f1672469e0fb$'
line out '^  ComputeBasic  *chv  *42  *43  *4  *7  *-  '
run 0 tacho oa sets --json
has out '"schema": "tacho.oa-sets/1"'
has out '"event": "both/ps"'

# Recording: without a GPU there is nothing, a simulated one writes what is read back.
run 2 tacho oa record -d intel --sim bsw
run 2 tacho oa decode two --gen chv --duration 5
run 1 tacho oa record --sim bsw --set Nonsense --duration 5
has err 'has no metric set "Nonsense"'
[ ! -e oa.record ] || fail "a recording of nothing was left"
run 1 tacho oa record --sim bsw --format A12 --duration 5
has err 'leave the format out'
run 0 tacho oa record --sim bsw --duration 40 -o sim.record
has err 'reports of the set RenderBasic, every 1310720 ns [simulated]'
run 0 tacho oa decode sim.record --json
line out '"reasons": \["timer"\]'
line out '"reasons": \["context-switch"\]'
run 0 tacho oa metrics sim.record -m GpuTime,GpuBusy --json
line out '"context": 4096, "values": {"GpuTime": {"value": 5000000, "state": "ok"}, "GpuBusy": {"value": 100, '
line out '"context": null, "values": {"GpuTime": {"value": 5000000, "state": "ok"}, "GpuBusy": {"value": 0, '
run 1 tacho oa record --sim bsw --duration 5 -o sim.record
has err 'sim.record exists already'
run 7 tacho oa record --sim bsw -f -o sim.record -- sh -c 'exit 7'
run 127 tacho oa record --sim bsw -o none.record -- ./nonexistent
[ ! -e none.record ] || fail "a recording of no program was left"
run 127 tacho oa record --sim bsw -f -o none.record -- ./nonexistent
[ ! -e none.record ] || fail "a recording of no program was left"
# What was there before stays.
ln -s /dev/null sink
run 127 tacho oa record --sim bsw -f -o sink -- ./nonexistent
[ -L sink ] || fail "a device was taken for a recording of nothing"
echo old >old.record
run 127 tacho oa record --sim bsw -f -o old.record -- ./nonexistent
same old.record old
ls old.record.* 2>/dev/null && fail "something was left beside the file"
# Until the first report, and from then on the new one is there, though it grows.
run 7 tacho oa record --sim bsw -f -o old.record -- sh -c '
	i=0
	while [ $i -lt 300 ]; do
		grep -q RenderBasic old.record && exit 7
		sleep 0.1
		i=$((i + 1))
	done'
run 0 tacho oa decode old.record --json
line out '"reasons": \["timer"\]'
ls old.record.* 2>/dev/null && fail "something was left beside the file"
run 1 tacho oa record --sim bsw -f -o nowhere/record --duration 5
has err 'nowhere/record cannot be written to'
run 0 tacho oa record --sim bsw -f -o sink --duration 5
has err 'sink: '

# Triggers of a set of one's own: from clock 2999 on a report every 50000 clocks of kernels, 39 of
# them until the first one ends at clock 2000000; comparator 0 sees whether one runs.
cat >triggers.yaml <<'END'
oa-definitions: 1
architecture: chv
source: "a test"
metrics:
  Triggers.KernelClocks: {type: u64, unit: cycles, equation: B 0 READ, description: "With a kernel."}
sets:
  Triggers:
    title: Triggers
    guid: 00000000-0000-4000-8000-0000000000aa
    metrics: [GpuTime, GpuCoreClocks, Triggers.KernelClocks]
    registers:
      - kind: OA
        writes: |
          2710: 3
          2714: f0800000
          2718: 99999999
          271c: 99999999
          2740: c350
          2744: 80800000
          2748: 11111111
          274c: 11111111
          2770: 12
          2774: fffd
END
triggers="--sim bsw --set Triggers --duration 200"
run 0 tacho oa record $triggers --definitions triggers.yaml -o triggers.record
has_not err warning
run 0 tacho oa decode triggers.record --json
sed '/context-switch/q' out >first
[ "$(grep -c '"reasons": \["trigger1"\]' first)" = 39 ] || fail "39 reports of the trigger"
[ "$(grep -c '"reasons": \["timer"\]' first)" = 3 ] || fail "3 reports of the timer"
[ "$(wc -l <first)" = 43 ] || fail "a report of another reason"
line first '"GPU_TIME": 1656, "GPU_CLOCK": 50000, "A0": 50000, .*"B0": 50000, '
line first '"context-switch".*"GPU_TIME": 62500, "GPU_CLOCK": 1997001, .*"B0": 1997001, '
run 0 tacho oa metrics triggers.record --definitions triggers.yaml --by report -m KernelClocks --json
line out '"KernelClocks": {"value": 50000, "state": "ok"}'
# The same registers in Intel's XML, without the start trigger.
cat >triggers.xml <<'END'
<?xml version="1.0"?>
<metrics>
  <set name="Triggers" chipset="CHV" symbol_name="Triggers" underscore_name="triggers"
       mdapi_supported_apis="" hw_config_guid="00000000-0000-4000-8000-0000000000ab">
    <counter name="Clocks" symbol_name="KernelClocks" underscore_name="clocks" description="Clocks."
             data_type="uint64" units="cycles" semantic_type="event" equation="B 0 READ"
             mdapi_group="GPU" mdapi_usage_flags="" mdapi_supported_apis=""
             mdapi_hw_unit_type="gpu"/>
    <register_config type="OA">
      <register type="OA" address="0x2740" value="0xC350"/>
      <register type="OA" address="0x2744" value="0x80800000"/>
      <register type="OA" address="0x2748" value="0x11111111"/>
      <register type="OA" address="0x274C" value="0x11111111"/>
    </register_config>
  </set>
</metrics>
END
run 0 tacho oa record $triggers --definitions triggers.xml -o xml.record
run 0 tacho oa decode xml.record --json
line out '"reasons": \["trigger1"\].*"GPU_TIME": 1562, "GPU_CLOCK": 50000, '
# Never: refused. Not yet, and a report that cannot come: said at the end.
sed 's/99999999/cccccccc/' triggers.yaml >never.yaml
run 1 tacho oa record $triggers --definitions never.yaml -o never.record
has err 'start trigger 1 of the set Triggers never fires'
has err 'nothing counts or reports before'
[ ! -e never.record ] || fail "a recording of nothing was left"
sed 's/99999999/22222222/; s/2710: 3/2710: ffff/' triggers.yaml >late.yaml
run 0 tacho oa record $triggers --definitions late.yaml -o late.record
has err 'late.record: 0 reports'
has err 'warning: start trigger 1 has not fired, and nothing counts before: its logic was true on '
sed 's/11111111/cccccccc/' triggers.yaml >silent.yaml
run 0 tacho oa record $triggers --definitions silent.yaml -o silent.record
has err 'warning: report trigger 1 cannot fire: its logic is true on no clock'
has_not err 'the recording that was there'
# No report comes: what was recorded before stays.
cp xml.record kept.record
run 0 tacho oa record $triggers --definitions late.yaml -f -o kept.record
has err 'warning: no report came: the recording that was there stays'
cmp xml.record kept.record || fail "a recording was replaced with one of nothing"
run 0 tacho oa regs OAREPORTTRIG7=noa_9:13,noa_15:1
line out '^OAREPORTTRIG7 (0x2758) = 0x100000d0 '
run 0 tacho oa regs OACEC2_0=compare:always OASTARTTRIG6=0x10800001
line out '^OACEC2_0 (0x2780) = 0x00000007 '
line out '^  event_select  *31:28  *1$'
