# SPDX-License-Identifier: MIT
# tacho eval: what it prints, in three forms, and what it says when it cannot.

data=$SOURCES/tests/data/values

# Numbers of tests/data/values/mi210.csv by hand: 100*19000/20000, 100*98800/104/19000,
# 40960/4096, 100*1000/(1000+4000); the second launch likewise; the third divides by 0 waves and 0
# requests, and two of its cells are empty.
run 0 tacho eval --arch gfx90a --model mi210 -m GPU_UTIL,VALUBusy,L2CacheHit --values $data/mi210.csv
same err
same out \
	'  kernel                    launch  GPU_UTIL, percent  VALUBusy, percent  L2CacheHit, percent' \
	'  add(float*, float*, int)       0                 95                  5                   20' \
	'  reduce(float*, int)            1              104 !                 50                   90' \
	'  nothing()                      2                 80                  -                  0 *' \
	'  * divided by zero, which gives 0' \
	'  ! a percentage outside 0 to 100: its counters were not measured at the same time, or do not fit together on this device' \
	'  - a counter that it needs has no value there'

run 0 tacho eval --arch gfx90a -m VALUInsts,TCC_MISS --values $data/mi210.csv --csv
tr -d '\r' <out >lines
same lines \
	'id,name,VALUInsts,VALUInsts:state,TCC_MISS[0],TCC_MISS[1],TCC_MISS[2],TCC_MISS[3]' \
	'0,"add(float*, float*, int)",10,ok,1500,1500,500,500' \
	'1,"reduce(float*, int)",30,ok,25,25,25,25' \
	'2,nothing(),0,ok div0,0,0,0,0'
run 0 tacho eval -e VALUInsts*2 --values lines --csv
has out 'reduce(float*, int)",60,ok'

# A mode says how something was counted, unless there are values of several.
printf 'id,name,SQ_WAVES,SQ_WAVES:serialized,SQ_WAVES:serialized:state\n0,one,4,5,scaled\n' >modes.csv
run 0 tacho eval --values modes.csv -m SQ_WAVES:serialized,SQ_WAVES:pipelined --csv
has out '0,one,5,scaled,4'

# --strict: no value instead of 0
run 0 tacho eval --arch gfx90a -m VALUInsts --values $data/mi210.csv --strict
has out 'nothing()                      2                                - *'
has out '  * divided by zero, which gives no value with --strict'

# Launches in the long form; a counter that a launch lacks.
run 0 tacho eval --arch gfx90a -m VALUInsts,SQ_WAVES --values $data/counter_collection.csv
has out '  tile<"row", 4>(float*)       1                                  8                 1,024'
has out '  wait(int)                    2                                  -                 2,048'

# One measurement, with instances, states, constants and metrics of its own.
cat >one.json <<'END'
{"counters": {"A": {"dims": [["DIMENSION_XCC", 2], ["DIMENSION_INSTANCE", 2]],
 "values": [1, 2, null, 4], "states": ["ok", "lost", "ok", "ok"]},
 "B": {"values": 18446744073709551615}},
 "constants": {"K": 2}, "derived": {"M": "A*K", "N": "M+(", "BIG": "B"}}
END
run 0 tacho eval -m M --values one.json
same out '  name                 value' \
	'  M[XCC=0 INSTANCE=0]      2' \
	'  M[XCC=0 INSTANCE=1]      4  lost' \
	'  M[XCC=1 INSTANCE=0]      -' \
	'  M[XCC=1 INSTANCE=1]      8' \
	'  - a counter that it needs has no value there'
run 0 tacho eval -m M --values one.json --constant K=10 --json
has out '"columns": [{"name": "M", "unit": null, "type": "f64", "dims": [["DIMENSION_XCC", 2], ["DIMENSION_INSTANCE", 2]]}], "rows": [{"of": "measurement", "id": 0, "name": "", "values": [{"name": "M", "pos": {"DIMENSION_XCC": 0, "DIMENSION_INSTANCE": 0}, "value": 10, "state": "ok"}, {"name": "M", "pos": {"DIMENSION_XCC": 0, "DIMENSION_INSTANCE": 1}, "value": 20, "state": "lost"}, {"name": "M", "pos": {"DIMENSION_XCC": 1, "DIMENSION_INSTANCE": 0}, "value": null, "state": "absent"}, {"name": "M", "pos": {"DIMENSION_XCC": 1, "DIMENSION_INSTANCE": 1}, "value": 40, "state": "ok"}]}]}'
run 0 tacho eval -m B --values one.json --json
has out '"value": 18446744073709551615'
run 0 tacho eval -e 1/0 --json
has out '"values": [{"name": "1/0", "value": 0, "state": "ok", "div0": true}]'
run 0 sh -c 'tacho eval -m M --values - <one.json'
has out 'M[XCC=1 INSTANCE=1]      8'

# What a simulated device worked out from defaults says so, and so does what is made from it.
printf 'id,name,W,W:state\r\n0,k,8,ok default\r\n' >default.csv
run 0 tacho eval --values default.csv -e W/2 -e W/0 --csv
tr -d '\r' <out >lines
same lines 'id,name,W/2,W/2:state,W/0,W/0:state' '0,k,4,ok default,0,ok div0 default'
run 0 tacho eval --values default.csv -e W/2 -e W/0
has out '  W/2       4  default'
has out '  W/0       0  default *'
has out '  default: rests on what the simulated device takes'
run 0 tacho eval --values default.csv -e W/2 --json
has out '"value": 4, "state": "ok", "default": true}'
printf 'W,W:state\n,ok default\n' >nothing.csv
run 3 tacho eval --values nothing.csv -e W

# Other notations; numbers of gpa are the counters of the file in their order.
echo '{"counters": {"X": {"values": [1]}, "Y": {"values": [4]}}}' >two.json
run 0 tacho eval --values two.json --notation gpa -e '0,1,/,(100),*'
has out '  0,1,/,(100),*     25'
run 0 tacho eval --values two.json --notation oa -e '7 2 UMUL'
has out '  7 2 UMUL     14'

# What is wrong, where.
run 1 tacho eval --values two.json -e 'X+' -e Y
same out
same err 'tacho: expected a number, a name or "(", found the end (column 3)' \
	'  cure:  correct the expression' '          X+' '            ^'
run 1 tacho eval --values one.json -m N
has err 'tacho: N: expected'
has err '          M+('
run 1 tacho eval --values one.json -e N/2 --json
same err
has out '"stage": "parse"'
has out '"column": 4, "metric": "N"}}'
run 1 tacho eval --values two.json -e X+Z
has err 'there is no "Z" among the values'
run 1 tacho eval --arch gfx90a -m VALUInstz --values two.json
has err 'VALUInsts'
run 1 tacho eval --arch gfx90a -m 'Zz*' --values two.json --json
has out '{"error": {"stage": "resolve"'
run 1 tacho eval --values absent.json -e 1
has err 'cannot read absent.json'
run 1 tacho eval --values absent.json -e 1 --json
has out '{"error": {"stage": "values", "message": "cannot read absent.json'
echo '{"counters": {"X": {"dims": [["D", 2]], "values": [1]}}}' >bad.json
run 1 tacho eval --values bad.json -e X
has err 'cannot read counter "X" of bad.json'
has err '1 values, and its dimensions have room for 2'
printf 'a,b\n1\n' >bad.csv
run 1 tacho eval --values bad.csv -e a
has err 'cannot read line 2 of bad.csv'
run 2 tacho eval
has err 'nothing is asked for'
run 2 tacho eval -e 1 --json --csv
run 2 tacho eval -e 1 --constant x
run 2 tacho eval -e 1 --notation postfix
run 2 tacho eval -e 1 more

# Nothing was measured that is needed.
run 3 tacho eval --arch gfx90a -m L2CacheHit --values two.json
has out '  L2CacheHit      -'
has out '  - L2CacheHit: the values lack TCC_HIT, TCC_MISS'
has err 'no value can be worked out from two.json'
run 3 tacho eval --arch gfx90a -m L2CacheHit --values two.json --json
has out '"note": "the values lack TCC_HIT, TCC_MISS"}], "rows"'
has out '"value": null, "state": "absent"}]}]}'
printf 'a,b\n' >empty.csv
run 3 tacho eval --values empty.csv -e a

# Only the sequencer adds up its counters' levels, where the block is known; a plan says the same.
run 1 tacho eval --arch gfx90a --values $data/mi210.csv -e 'accumulate(TCC_HIT,HIGH_RES)'
has err 'accumulate() takes no counter of block TCC, as TCC_HIT is'
has err '          ^'
run 1 tacho eval --arch gfx90a --values $data/mi210.csv -e 'accumulate(TCC_HIT,LOW_RES)' --json
has out '"stage": "resolve"'
run 0 tacho eval --arch gfx90a --values $data/mi210.csv -e 'accumulate(TCC_HIT,NONE)'
run 0 tacho eval --arch gfx90a --values $data/mi210.csv -e 'accumulate(SQ_WAVES,HIGH_RES)'
run 0 tacho eval --values $data/mi210.csv -e 'accumulate(TCC_HIT,HIGH_RES)'
run 1 tacho eval --arch gfx908 --values $data/mi210.csv -e 'accumulate(SQ_WAVES,HIGH_RES)'
has err 'no counter of block SQ'

# A sum over the dies of a device is not one die's number: 400*6080/800/304/32 is an eighth of
# what 400*6080/100/304/32 is. Every output says so; values with dies apart need no such words.
printf 'Dispatch_ID,SQ_WAVE_CYCLES,GRBM_GUI_ACTIVE\n0,608000,800\n1,608000,800\n' >dies.csv
run 0 tacho eval --arch gfx942 --model mi300x -m OccupancyPercent --values dies.csv
tr -s ' \n' ' ' <out >flat
has flat '0 31.25 1 31.25 - OccupancyPercent: the values have one number for all instances of'
has flat 'instances of GRBM_GUI_ACTIVE (8 on mi300x), where'
has flat 'Each die (XCD) of a device has one'
run 0 tacho eval --arch gfx942 --model mi300x -m OccupancyPercent --values dies.csv --csv
tr -d '\r' <out >lines
has lines 'id,name,OccupancyPercent,OccupancyPercent:note'
has lines '0,,31.25,"the values have one number for all instances of GRBM_GUI_ACTIVE (8 on mi300x)'
run 0 tacho eval --values lines -m OccupancyPercent
run 0 tacho eval --arch gfx942 --model mi300x -m OccupancyPercent --values dies.csv --json
has out '"note": "the values have one number for all instances of GRBM_GUI_ACTIVE'
run 0 tacho eval --arch gfx942 --values dies.csv -e 'SQ_WAVE_CYCLES/reduce(GRBM_GUI_ACTIVE,max)'
tr -s ' \n' ' ' <out | grep -q 'GRBM_GUI_ACTIVE (6 to 8 on gfx942)' || fail "no range of dies"
run 0 tacho eval --arch gfx90a --values dies.csv -e 'SQ_WAVE_CYCLES/reduce(GRBM_GUI_ACTIVE,max)'
has_not out 'one number'
cat >dies.json <<'END'
{"counters": {"GRBM_GUI_ACTIVE": {"dims": [["DIMENSION_XCC", 8]],
 "values": [100, 100, 100, 100, 100, 100, 100, 100]}, "SQ_WAVE_CYCLES": {"values": [608000]}}}
END
run 0 tacho eval --arch gfx942 --model mi300x -m OccupancyPercent --values dies.json
has out 'OccupancyPercent    250'
has_not out 'one number'

# Titles are never cut: two expressions that begin with the same 420 characters, and differ.
long=$(printf 'X+%.0s' $(seq 210))
run 0 tacho eval --values two.json -e "${long}X" -e "${long}Y" --csv
tr -d '\r' <out >lines
same lines "id,name,${long}X,${long}Y" '0,,211,214'
run 0 tacho eval --values lines -m "${long}Y"
has out '214'

# An architecture that a file declares: 64 wavefronts on 32 units, times a constant of its own.
cat >own.yaml <<'END'
rocprofiler-sdk:
  architectures:
  - {name: gfx1310, title: Mine, family: gfx11, wave_size: 32,
     constants: {simd_count: 64, simd_per_cu: 2, teapots: 7}}
  counters:
  - {name: SQ_WAVES, definitions: [{architectures: [gfx1310], block: SQ, event: 4}]}
  - {name: M, definitions: [{architectures: [gfx1310],
     expression: "reduce(SQ_WAVES,sum)*teapots/(simd_count/simd_per_cu)"}]}
END
printf 'Dispatch_ID,SQ_WAVES\n0,64\n' >waves.csv
run 0 tacho eval --arch gfx1310 --model gfx1310 --definitions own.yaml -m M --values waves.csv
has out '  M        14'
run 0 tacho plan --arch gfx1310 --definitions own.yaml -m M
has out 'SQ 1/8'
run 0 tacho list archs --definitions own.yaml
has out 'gfx1310'
run 0 tacho info M --arch gfx1310 --definitions own.yaml
has out 'teapots'

# A device of that architecture is simulated, or the message says what is missing.
mkdir device
cat >device/own.yaml <<'END'
sim-device: 1
name: own
title: "Own"
vendor: me
definitions: ../own.yaml
faces:
- {arch: gfx1310, api: rocm, model: gfx1310, rules: rules-rdna}
hardware: {clock_mhz: 1000, engines: 2, compute_units: 32, wave_size: 32}
properties: {array_count: 4, simd_arrays_per_engine: 2}
END
run 0 tacho stat --sim device/own.yaml -m SQ_WAVES,M true
has err 'SQ_WAVES'
run 0 tacho plan -d sim:device/own.yaml --definitions own.yaml -m M
has out 'SQ 1/8'
sed '/^definitions/d' device/own.yaml >device/bare.yaml
run 125 tacho stat --sim device/bare.yaml -m SQ_WAVES true
has err 'gfx1310 is no architecture for the API rocm'
has err 'definitions: FILE'
sed 's/name: gfx1310/name: 1310/' own.yaml >wrong.yaml
sed 's/own.yaml/wrong.yaml/' device/own.yaml >device/wrong.yaml
run 125 tacho stat --sim device/wrong.yaml -m SQ_WAVES true
has err "wrong.yaml:3: 1310: the architecture's name is missing or none"

# A mistake in a file of definitions is a warning.
cat >mine.yaml <<'END'
rocprofiler-sdk:
  counters-schema-version: 1
  counters:
    - name: MY_RATIO
      description: mine
      definitions:
        - architectures: [gfx90a]
          expression: reduce(TCC_HIT,sum)/reduce(SQ_WAVES,sum)
    - name: MY_MISTAKE
      description: it has nothing
      definitions:
        - architectures: [gfx90a]
END
run 0 tacho eval --arch gfx90a --definitions mine.yaml -m MY_RATIO --values $data/mi210.csv
has err 'warning: mine.yaml'
has err 'MY_MISTAKE'
has out '0.244141' # 1000/4096

# What AMD's programs measured.
rocm=$SOURCES/../shared/data/rocm
[ -d "$rocm" ] || skip "../shared/data/rocm is absent: the samples were not evaluated"
for sample in gfx908:mi100:MI100_dispatch_0 gfx90a:mi250x-gcd:MI200_dispatch_0 \
	gfx942:mi300x:MI300X_dispatch_0 gfx942:mi300x:MI300X_vcopy_rocpd; do
	arch=${sample%%:*}
	model=${sample#*:}
	model=${model%%:*}
	file=$rocm/sample_rocprof-compute_${sample##*:}_pmc_perf.csv
	run 0 tacho eval --arch "$arch" --model "$model" -m all --values "$file"
	# a percentage outside 0 to 100 has its mark
	awk '$3 == "percent" && $2 != "-" { n++; if (($2 < 0 || $2 > 100) && $4 != "!") exit 2 }
		END { if (n < 5) exit 3 }' out || fail "$sample: percentages"
done
