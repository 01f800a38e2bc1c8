# SPDX-License-Identifier: MIT
# tacho oa metrics: recordings, whole and damaged, and what it refuses.
corpus=$SOURCES/fuzz/corpus/oa_recording

run 0 tacho oa metrics "$corpus/contexts" -m GpuTime,GpuCoreClocks,A7 --csv
same err
head -n 1 out | tr -d '\r' >names
same names 'cpu_start_ns,cpu_end_ns,gpu_start,gpu_end,context,state,GpuTime,GpuCoreClocks,A7'
spans=$(($(wc -l <out) - 1))
run 0 tacho oa metrics "$corpus/contexts" --by report --json
same err
[ "$(wc -l <out)" = 7 ] || fail "8 reports have 7 intervals"
[ "$spans" -lt 7 ] || fail "spans of contexts are as many as reports"
has out '"EuActive": {"value": '
run 0 sh -c 'tacho oa metrics - -m "Gpu*" <"$1"' sh "$corpus/contexts"
has out 'chv (PCI id 0x22b1), set RenderBasic'
has out '  GpuTime '

# Losses are told, and are in the states.
run 0 tacho oa metrics "$corpus/wraps" -m A0 --by report --json
has out '"state": "lost"'
has err 'times reports were lost'
has err '1 records of unknown types were passed over'

# Damage: first what was before it.
run 1 tacho oa metrics "$corpus/truncated" -m GpuTime --by report --csv
[ "$(wc -l <out)" -ge 3 ] || fail "the rows before the damage are missing"
has err 'truncated is malformed at byte'
run 1 tacho oa metrics "$corpus/size_zero"
has err "the record's size is 0"
run 1 tacho oa metrics "$corpus/version_2"
has err 'version 2 at byte 0'
run 1 tacho oa metrics "$SOURCES/VERSION"
has err 'is no OA recording'
run 1 tacho oa metrics nothing.rec
has err 'cannot read nothing.rec'

# What it cannot work out.
cp "$corpus/contexts" arl.rec
chmod u+w arl.rec
printf '\121\175' | dd of=arl.rec bs=1 seek=32 conv=notrunc 2>dd.err # PCI id 0x7d51
run 1 tacho oa metrics arl.rec
has err 'the metric sets of arlgt2 are not built in'
has err '--definitions oa-arlgt2.xml'
run 1 tacho oa metrics "$corpus/xe"
has err 'the recording does not name the set that it was made with'
run 0 tacho oa metrics "$corpus/xe" --set RenderBasic -m GpuTime --csv
same err
run 1 tacho oa metrics "$corpus/contexts" -m Fpu0Active
has err 'set RenderBasic does not program what it counts'
run 1 tacho oa metrics "$corpus/contexts" -m GpuTime_sum
has err 'here are the values that the set has'
run 0 tacho oa metrics "$corpus/contexts" -m Fpu0Active --set ComputeBasic
has err 'made with another version of the set'
run 1 tacho oa metrics "$corpus/contexts" --set Nothing
has err 'chv has no set "Nothing"'

# Variables that the recording does not tell, or tells wrongly: half as many EUs are twice as busy.
run 0 tacho oa metrics "$corpus/contexts" -m EuActive --csv
tr -d '\r' <out | sed -n 2p | cut -d , -f 7 >plain
printf '# a Braswell with 8 EUs\nEuCoresTotalCount = 0x10\n' >wrong.txt
printf '# a Braswell with 8 EUs\n\n  EuCoresTotalCount=0x8 # of 16\n' >half.txt
run 0 tacho oa metrics "$corpus/contexts" -m EuActive --csv --variable EuCoresTotalCount=8
same err
cp out given
run 0 tacho oa metrics "$corpus/contexts" -m EuActive --csv --variable EuCoresTotalCount=16 \
	--variable @half.txt
cmp out given || fail "the last one of a name does not count"
tr -d '\r' <out | sed -n 2p | cut -d , -f 7 | paste - plain >both
awk '{ exit !($1 > 1.999 * $2 && $1 < 2.001 * $2) }' both || fail "not twice: $(cat both)"
run 2 tacho oa metrics "$corpus/contexts" --variable EuCoresTotalCount
has err 'write NAME=VALUE'
run 2 tacho oa metrics "$corpus/contexts" --variable @wrong.txt
has err 'line 2 of wrong.txt'
run 1 tacho oa metrics "$corpus/contexts" --variable @nothing.txt
has err 'cannot read nothing.txt'
run 1 tacho oa metrics "$corpus/contexts" --variable EuCoreTotalCount=8
has err 'no equation of chv reads a variable "EuCoreTotalCount"'
has err 'near: EuCoresTotalCount'

# A difference below 0 has no value, and says why.
printf '{"counters": {"GPU_CLOCK": {"values": [4000000]}, "C5": {"values": [100]}, "C4": {"values": [200]}}}' >below.json
run 0 tacho eval --arch chv --model bsw -m GpuCoreClocks,NonSamplerShader01AccessStalledOnL3 --values below.json
line out '^  NonSamplerShader01AccessStalledOnL3  *-'
has out 'a difference in its formula fell below 0'
run 0 tacho eval --arch chv --model bsw -m GpuCoreClocks,NonSamplerShader01AccessStalledOnL3 --values below.json --json
has out '"state": "absent"'
has out '"note": "a difference in its formula fell below 0'
