# SPDX-License-Identifier: MIT
# What is told about a name: the facts are those of data/, the form is that of the command.

# line FILE REGEX: fails unless a line fits.
line() {
	grep -q -e "$2" "$1" || fail "no line of $1 fits $2"
}

# A metric: what it says, its formula twice, and where its counters are selected.
run 0 tacho info MemUnitStalled --arch gfx942
same err
line out '^MemUnitStalled - metric$'
line out '^  unit  *percent, 0 to 100, lower is better$'
line out '^  advice '
line out '^  source .*counter_defs'
line out '^On gfx942 (API rocm)$'
line out '^  formula  *100\*TCP_TCP_TA_DATA_STALL_CYCLES_max/'
line out '^  expanded  *100\*reduce(TCP_TCP_TA_DATA_STALL_CYCLES, max)/'
line out '^  TCP_TCP_TA_DATA_STALL_CYCLES  *4  *TCP 6 '
line out 'dimensions on mi300x'
line out '^  array_count  *the device '

# Equal definitions share a paragraph, different ones follow each other.
run 0 tacho info TCC_HIT --api rocm
[ "$(grep -c '^On ' out)" -gt 1 ] || fail "architectures that differ share a paragraph"
line out '^On .*gfx940-942'
[ "$(grep -c '^  description' out)" = 1 ] || fail "the same description is repeated"
run 0 tacho info TCC_HIT --model mi300x
line out '^  block event *TCC 17$'
line out '^  dimensions  *DIMENSION_XCC 8 x DIMENSION_INSTANCE 16 on mi300x$'

# Other notations.
run 0 tacho info EuActive --arch chv
line out '^  title  *EU Active$'
line out '^  semantic  *duration$'
line out '^  notation  *oa$'
line out '^  formula  *A 7 READ '
run 0 tacho info set:RenderBasic --arch chv
line out '^RenderBasic - set$'
line out '^  title  *Render Metrics Basic set$'
line out '^  GUID  *9d8a3af5-c02c-4a4a-b947-f1672469e0fb$'
line out '^  GpuTime '

# Blocks, architectures and models; several names; the case of a name when it is the only one.
run 0 tacho info TCC gfx942 mi300x
line out '^TCC - block$'
line out '^gfx942 - architecture$'
line out '^mi300x - model$'
run 0 tacho info memunitSTALLED --api rocm
line out '^MemUnitStalled - metric$'
run 0 tacho info GpuBusy
has_not out 'GPUBusy - metric'

# Everything for scripts.
run 0 tacho info MemUnitStalled --arch gfx942 --json
line out '^  "schema": "tacho.info/1",$'
cp out one
run 0 tacho info TCC_HIT RenderBasic TCC mi300x gfx942 chv --json
cp out many
run 0 tacho info EuActive A0 A7 --arch chv --json
cp out oa
if command -v python3 >/dev/null 2>&1; then
	run 0 python3 -c '
import json
[entry] = json.load(open("one"))["entries"]
assert entry["range"] == [0, 100] and entry["better"] == "lower", entry
assert entry["advice"] and entry["description"] and entry["source"], entry
assert entry["notation"] == "infix" and entry["archs"] == ["gfx942"], entry
by_name = {one["name"]: one for one in entry["inputs"]}
stall = by_name["TCP_TCP_TA_DATA_STALL_CYCLES"]
assert stall["events"] == [{"arch": "gfx942", "api": "rocm", "block": "TCP", "event": 6,
                            "slots": 4}], stall
entry, fixed, chosen = json.load(open("oa"))["entries"]
assert (fixed["programmed"], chosen["programmed"]) == (False, True), (fixed, chosen)
assert entry["title"] == "EU Active" and entry["semantic"] == "duration", entry
kinds = {}
for entry in json.load(open("many"))["entries"]:
    kinds.setdefault(entry["kind"], []).append(entry)
assert set(kinds) == {"counter", "set", "block", "model", "architecture"}, list(kinds)
events = {(e["arch"]): e["event"] for c in kinds["counter"] for e in c["events"]}
assert events["gfx942"] == 17 and events["gfx950"] == 21, events
[mi300x] = kinds["model"]
assert mi300x["properties"]["num_xcc"] == 8, mi300x
chv = [one for one in kinds["set"] if one["archs"] == ["chv"]]
assert len(chv) == 1 and chv[0]["title"] == "Render Metrics Basic set", chv
assert len(chv[0]["registers"]) == 85 and len(chv[0]["entries"]) == 50, chv
'
fi

# Unknown names: the three nearest, and the other names are told all the same.
run 1 tacho info MemUnitStaled TCC_HIT --arch gfx942
has err 'gfx942: nothing is called "MemUnitStaled"'
grep -q 'did you mean MemUnitStalled, [A-Za-z_0-9]* or [A-Za-z_0-9]*?' err || fail "no three names"
line out '^TCC_HIT - counter$'
run 1 tacho info GpuBusy2 --json
line out '^  "entries": \[\]$'
run 1 tacho info EuActive --arch gfx942
has err 'it exists on'
run 2 tacho info
has err 'NAME is missing'
run 1 tacho info x --arch gfx9421
has err 'gfx942'
run 1 tacho info TCC_HIT --arch gfx942 --model mi3000x
has err 'mi300x'

# On terminals nothing is wider.
"$PTY" 24 80 true >out 2>err || skip "no terminal can be made: $(cat err) (is /dev/pts mounted?)"
for columns in 40 80 200; do
	for words in 'MemUnitStalled' 'TCC_HIT' 'RenderBasic' 'TCC' 'gfx942' 'mi300x' 'GpuBusy'; do
		run 0 "$PTY" 24 $columns tacho info $words
		tr -d '\r' <out >lines
		narrow lines $columns
	done
done

# A glob or an expression explains all that fits, once each; of names that nothing has it says so.
run 0 tacho info 'VALUBus*' 'regex:^TCC$' --arch gfx942
has out 'VALUBusy - metric'
has out 'TCC - block'
run 0 tacho info 'valubus*' --api rocm --json
[ "$(grep -c '^      "name": "VALUBusy"' out)" -ge 1 ] || fail "the case of a glob matters"
run 1 tacho info 'regex:^nosuch'
has err 'no name fits "regex:^nosuch"'
run 2 tacho info 'regex:['
has err '"[" is no regular expression'
# Raw counters say what they count, in which unit, and what for.
run 0 tacho info SQ_WAIT_ANY --arch gfx942
line out '^  unit  *quad-cycles$'
has out 'Time that wavefronts waited for anything'
has out 'It does not tell what for.'
run 0 tacho list counters 'bank conflict' --arch gfx90a
line out '^  SQ_LDS_BANK_CONFLICT  *cycles '
run 0 tacho info OccupancyPercent --arch gfx942
tr -s ' \n' ' ' <out >flat
has flat 'where values are sums over dies'
