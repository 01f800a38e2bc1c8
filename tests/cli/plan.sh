# SPDX-License-Identifier: MIT
# tacho plan: passes, why, and what cannot be.

# line FILE REGEX: fails unless a line fits.
line() {
	grep -q -e "$2" "$1" || fail "no line of $1 fits $2"
}

# passes ARCH API LIST [OPTION...]: prints how many.
passes() {
	arch=$1 api=$2 list=$3
	shift 3
	tacho plan --arch "$arch" --api "$api" -m "$list" "$@" | sed -n '1s/.*: \([0-9]*\) pass.*/\1/p'
}

# count NUMBER ARCH API LIST [OPTION...]
count() {
	expected=$1
	shift
	got=$(passes "$@")
	[ "$got" = "$expected" ] || fail "$got passes, not $expected: $*"
}

# One pass; its slots; what it has.
run 0 tacho plan --arch gfx90a -m SQ_WAVES,MeanOccupancyPerCU
same err
line out '^gfx90a (rocm): 1 pass for 2 entries$'
line out '^pass 1: 3 counters$'
line out '^  slots  *GRBM 1/2, SQ 3/8$'
line out '^  metrics  *MeanOccupancyPerCU$'
line out '^  counters  *SQ_WAVES$'
line out '^  bound  *at least 1 (everything fits into one pass): no plan has fewer passes$'

# What AMD's tests assert, in any order.
count 1 gfx8 cl Wavefronts,VALUInsts,SALUInsts
for api in gl dx11; do
	count 2 gfx6 $api GPUTime,GPUBusy,TessellatorBusy
	count 3 gfx7 $api GPUTime,VSBusy,VSTime
	count 3 gfx7 $api VSTime,GPUTime,VSBusy
	count 3 gfx8 $api VSBusy,VSTime
done
count 3 gfx7 dx11 VSBusy,HSBusy,DSBusy,GSBusy,PSBusy,CSBusy
count 2 gfx8 dx11 set:D3D11

# Everything, with AMD's cap and without.
count 8 gfx6 gl all
count 10 gfx8 gl all
count 9 gfx6 dx11 all
count 8 gfx6 dx11 all --no-cap
count 10 gfx8 dx11 all --no-cap
run 0 tacho plan --arch gfx8 --api dx11 -m all
line out '^pass 1: [0-9]* of 128 counters$'
line out ' fewer passes$'

# A metric that fits into no pass; why; what to leave out.
run 0 tacho plan --arch gfx7 --api gl -m GPUTime,VSBusy,VSTime
line out '^  split  *VSBusy from passes 2 + 3; VSTime from passes 1 + 2 + 3$'
line out '^  bound  *at least 3 (SPI: 7 counters, 6 slots; 1 more pass for .* alone): no plan'
line out '^  advice  *leave out '
run 0 tacho plan --arch gfx1030 -m all --depth 3
line out ': 7 passes for 89 entries, the work runs 21 times$'
run 0 tacho plan --arch gh100 --api sim -m sm__inst_executed:serialized,sm__inst_executed:pipelined --depth 3
line out '^gh100 (sim): 2 passes for 2 entries, the work runs 4 times$'
line out 'leave out sm__inst_executed:serialized or sm__inst_executed:pipelined to need'

# Names that differ in a number are one.
run 0 tacho plan --arch gfx8 --api cl -m 'TA*'
line out '^  counters .*TA\[0-15\]_TA_PERF_SEL_TA_BUSY'

# Too many passes; what cannot be counted here, or anywhere.
run 5 tacho plan --arch gfx8 --api gl -m VSBusy,VSTime --passes 2
same out
has err '3 passes are needed'
has err '2 passes are allowed; SPI: 7 counters, 6 slots'
run 0 tacho plan --arch gfx8 --api gl -m VSBusy,VSTime --passes 3
run 1 tacho plan --arch gfx8 --api cl -m GPUTime
has err 'it is known on gfx6-9 gfx10'
has err 'the nearest names are '
run 1 tacho plan --arch gfx1100 -m SQ_INSTS_VALU_MFMA_F16
has err 'the nearest names are SQ_INSTS_VALU, '
run 3 tacho plan --arch gfx8 --api cl -m ALUBusy
has err 'ALUBusy has no equation on r700 evergreen northern-islands (API cl)'
run 3 tacho plan --arch evergreen --api gl -m GPUTime
has err 'count it on gfx6-9 gfx10'
run 3 tacho plan --arch evergreen --api cl -m all
has err 'nothing of the list can be counted on evergreen'
run 1 tacho plan --arch gfx942 -m set:Nothing
run 1 tacho plan --arch bsw -m all

# A block without slots is an error that names it.
definitions="--definitions $SOURCES/tests/data/plan/blocks.yaml"
definitions="$definitions --definitions $SOURCES/tests/data/plan/counters.yaml"
run 1 tacho plan $definitions --arch toy -m NOWHERE
has err 'block NONE of toy has 0 slots'
run 0 tacho plan $definitions --arch toy -m all
has err '3 of the list cannot be counted on toy and are left out'
run 0 tacho plan $definitions --arch toy -m PairAB,PairCD,PairEF
line out ': 3 passes for 3 entries$'
run 0 tacho plan $definitions --arch toy -m PairAB,PairCD,PairEF --policy fewest
line out ': 2 passes for 3 entries$'
line out '^  split  *Pair.. from passes 1 + 2$'

# Lists from a file.
printf 'VSBusy # the stage\n\nVSTime, PSBusy\n' >list
run 0 tacho plan --arch gfx8 --api gl -m @list
line out ' for 3 entries$'
run 1 tacho plan --arch gfx8 --api gl -m @nothing
has err 'cannot read nothing'

# Every command takes the same lists, and says the same of what it does not take.
printf 'VALUBusy:serialized, SQ_WAVES # both\n' >mine
for command in 'plan --arch gfx90a' 'eval --arch gfx90a --values v.json' \
	'record -q -f -o counted --export none --sim mi210'; do
	echo '{"counters": {"SQ_WAVES": {"dims": [["D", 1]], "values": [1]}}}' >v.json
	program=
	[ "${command#record}" = "$command" ] || program=true
	run 0 tacho $command -m ' @mine , regex:^SQ_WAVES$,,SQ_WAVES_LT_[3,6]*:serialized ' $program
	for list in 'SQ_WAVES VALUBusy' SQ_WAVE SQ_WAVES:parallel GPUTime set:none 'Zz*' 'regex:(' @none; do
		tacho $command -m "$list" $program >out 2>err && fail "$command: $list was taken"
		sed 's/ \[class .*//' err >said
		[ -e "said $list" ] || cp said "said $list"
		cmp -s said "said $list" || fail "$command says something else of $list: $(cat said)"
	done
done

# A plan is the same with each instance by itself.
run 0 tacho plan --arch gfx90a -m SQ_WAVES:instances

# Wrong usage.
run 2 tacho plan --arch gfx8 --api gl
has err 'name them: -m LIST, -i FILE, or -m all'
run 2 tacho plan -m all
run 2 tacho plan --arch gfx8 -m all
has err 'name the API too'
run 2 tacho plan --arch gfx8 --api gl -m all --policy best
run 2 tacho plan --arch gfx8 --api gl -m all --passes many

# Constants cost nothing.
run 0 tacho plan --arch gfx90a -m CU_NUM
line out ': 0 passes for 1 entry$'

# Serialized and pipelined never share a pass.
run 0 tacho plan --arch gfx90a -m SQ_WAVES:serialized,SQ_WAVES:Pipelined,GRBM_COUNT
line out ': 3 passes for 3 entries$'
has out ', serialized'
has out ', pipelined'
run 1 tacho plan --arch gfx90a -m SQ_WAVES:parallel
# Levels are counted apart in all but pipelined passes: 3 + 3 + 1.
run 0 tacho plan --arch gfx90a -m SQ_WAVES:serialized,SQ_WAVES:pipelined,GRBM_COUNT --depth 3
line out ': 3 passes for 3 entries, the work runs 7 times$'

# For programs.
if command -v python3 >/dev/null 2>&1; then
	run 0 tacho plan --arch gfx8 --api gl -m GPUTime,VSBusy --json
	cp out one
	run 0 tacho plan --arch chv -m set:RenderBasic --json
	cp out two
	run 0 tacho plan --model mi300x -m all --json --policy fewest --depth 2
	cp out three
	run 0 python3 -c '
import json
one, two, three = (json.load(open(name)) for name in ("one", "two", "three"))
assert one["schema"] == "tacho.plan/1" and one["arch"] == "gfx8" and one["api"] == "gl"
assert one["policy"] == "coherent" and one["cap"] == 120 and one["runs"] == 3
assert len(one["passes"]) == 3 and one["lower_bound"] == 3 and one["optimal"] is True
assert one["passes"][0] == {"blocks": {"GPUTime": [1, 2]},
                            "counters": ["GPUTime_BOTTOM_TO_BOTTOM"],
                            "metrics": ["GPUTime"], "set": None, "mode": None}
assert one["binding"].startswith("SPI: 7 counters, 6 slots")
assert one["entries"] == [{"name": "GPUTime", "passes": [0], "split": False},
                          {"name": "VSBusy", "passes": [1, 2], "split": True}]
assert two["passes"][0]["set"] == "RenderBasic" and two["passes"][0]["blocks"]["C"] == [8, 8]
assert two["cap"] is None and two["advice"] == ""
assert three["policy"] == "fewest" and three["runs"] == 2 * len(three["passes"]) == 30
assert any("accumulate(SQ_LEVEL_WAVES, HIGH_RES)" == c for p in three["passes"] for c in p["counters"])
'
fi

# Time stamps of a kind share a pass on gfx10 and later, as GPUPerfAPI 4.3 has it; kinds do not, and
# neither do other counters. Up to gfx9 each is alone.
run 0 tacho plan -m ExecutionDuration,ExecutionStart,ExecutionEnd,GPUTime,PrimitivesIn \
	--arch gfx11 --api vulkan
has out '3 passes for 5 entries'
has out 'ExecutionDuration, ExecutionStart, ExecutionEnd'
run 0 tacho plan -m ExecutionDuration,GPUTime --arch gfx11 --api vulkan
has out '2 passes for 2 entries'
