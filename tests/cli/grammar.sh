# SPDX-License-Identifier: MIT
# Names of metrics in the grammar of units, rollups and peaks, wherever names are taken.

# line FILE REGEX: fails unless a line fits.
line() {
	grep -q -e "$2" "$1" || fail "no line of $1 fits $2"
}

cat >mine.yaml <<'END'
plain-definitions: 1
source: a test
architectures:
- name: mine
  api: sim
  blocks:
  - {name: core, slots: 2, instances: 2, parent: top, clock: fast, elapsed: core__cycles, description: A core.}
  - {name: top, slots: 1, clock: slow, description: All.}
  - {name: unit, slots: 1, instances: 2, parent: core, elapsed: core__cycles, description: In a core.}
  - {name: apart, slots: 1, description: Alone.}
  counters:
  - {name: core__cycles, block: core, event: 1, unit: cycles, peak: 1, description: Cycles.}
  - {name: core__insts, block: core, event: 2, unit: instructions, peak: 2, description: Instructions.}
  - {name: core__rare, block: core, event: 3, description: Without a peak.}
  - {name: unit__quads, block: unit, event: 4, unit: quads, peak: 0.5, description: Quads.}
  - {name: gpu__time_duration, block: top, event: 5, unit: nanoseconds, description: Time.}
  metrics:
  - {name: core__throughput, throughput: [core__insts, unit__quads], description: The core.}
  models: [{name: m1, title: Mine 1, properties: {cores: 2}}]
END

# Units as a tree: parents first, also where the definitions have them behind.
run 0 tacho list blocks --arch mine --definitions mine.yaml
has out '  top           1          1       -  slow   All.'
has out '    core        2          2       -  fast   A core.'
has out '      unit      1          2       -         In a core.'
has out '  apart         1          1       -         Alone.'
grep -n '^ ' out | sed 's/  */ /g' | cut -d' ' -f2 | tr '\n' ' ' >order
[ "$(cat order)" = "block top core unit apart " ] || fail "the blocks stand as $(cat order)"
run 0 tacho list blocks --arch mine --definitions mine.yaml --names
same out top core unit apart
run 0 tacho list blocks --arch mine --definitions mine.yaml --json unit
has out '"parent": "core"'
has out '"clock": null'
has out '"elapsed": "core__cycles"'
run 0 tacho list blocks --arch gfx942
has_not out clock

# Bases and what can stand behind them.
run 0 tacho list metrics --arch mine --definitions mine.yaml
has out '6 bases of names in the grammar of mine, API sim'
has out 'core__insts'
line out '^  core__rare .*_sum .sum ...  .sum.per_second ...  elapsed *$'
line out '^  core__throughput  *percent .*_pct elapsed *$'
run 0 tacho list metrics --arch mine --definitions mine.yaml quads
has out '1 base of names in the grammar of mine'
has out unit__quads
run 0 tacho list metrics --arch gfx9 --api dx11
has out 'bases of names in the grammar of gfx9, API dx11; WORDs show those that they are in'
run 0 tacho list metrics --arch gfx9 --api dx11 CB__CB_PERF_SEL_CC_MC_READ_REQUEST
has out CB__CB_PERF_SEL_CC_MC_READ_REQUEST
run 0 tacho list metrics --arch mine --definitions mine.yaml --json rare
has out '".max.per_cycle_elapsed"'
has_not out '_pct'

# One name of them, and why there is not another.
run 0 tacho info core__insts_sum --arch mine --definitions mine.yaml
line out '^  description Instructions. Sum of the instances of unit core.$'
line out '^  formula     reduce(core__insts,sum)$'
run 0 tacho info core__insts.sum.per_second --arch mine --definitions mine.yaml
line out '^  unit        instructions/second, 0 and more$'
line out '^  formula     1000000000\*reduce(core__insts,sum)/reduce(gpu__time_duration,avg)$'
line out '^  core__insts  *2  fast  *2  core 2'
run 0 tacho info core__sol_pct --arch mine --definitions mine.yaml
line out '^  expanded    max(100\*reduce(core__insts, avr)/(2\*reduce(core__cycles, avr)),'
run 0 tacho info core__insts --arch mine --definitions mine.yaml
line out '^  peak        2 in a cycle of each instance$'
line out '^  clock       fast, cycles in core__cycles$'
line out '^  grammar     core__insts, '
run 1 tacho info core__rare_pct --arch mine --definitions mine.yaml
has err 'core__rare_pct cannot be worked out on mine'
has err 'cause: no peak of core__rare is stated'
has err 'tacho list metrics --arch mine --api '
run 1 tacho info core__rar_pct --arch mine --definitions mine.yaml
has err 'nothing is called "core__rar_pct"'
run 0 tacho info SQ__WAVES_max --arch gfx942
line out '^  formula     reduce(SQ_WAVES,max)$'

# Plans.
run 0 tacho plan -m core__insts_sum,core__insts.avg.per_cycle_elapsed,unit__quads_pct \
	--arch mine --definitions mine.yaml
has out '1 pass for 3 entries'
has out 'core 2/2, unit 1/1'
run 1 tacho plan -m core__rare_pct --arch mine --definitions mine.yaml
has err 'no peak of core__rare is stated'

# Values: insts 10 and 30, cycles 100 and 300, quads 8 and 8, 1000 ns.
cat >values.json <<'END'
{"counters": {
  "core__insts": {"dims": [["DIMENSION_INSTANCE", 2]], "values": [10, 30]},
  "core__cycles": {"dims": [["DIMENSION_INSTANCE", 2]], "values": [100, 300]},
  "unit__quads": {"dims": [["DIMENSION_INSTANCE", 2]], "values": [8, 8]},
  "gpu__time_duration": {"dims": [], "values": [1000]}}}
END
worked_out() {
	run 0 tacho eval --values values.json --arch mine --definitions mine.yaml -m "$1" --csv
	[ "$(tail -n 1 out | tr -d '\r')" = "0,,$2" ] || fail "$1 is not $2"
}
worked_out core__insts_sum 40
worked_out core__insts.avg 20
worked_out CORE__INSTS_MAX 30
worked_out core__insts_pct 5		   # 100 * 20 / (2 * 200)
worked_out unit__quads.sum.pct_of_peak_sustained_elapsed 8 # 100 * 16 / (0.5 * 2 * 200)
worked_out core__sol_pct 8		   # the larger of both
worked_out core__insts.sum.per_cycle_elapsed 0.2 # 40 / 200
worked_out core__insts.sum.per_second 40000000
worked_out core__insts.sum.peak_sustained 4
run 0 tacho eval --values values.json --arch mine --definitions mine.yaml \
	-e '"core__insts.sum"-core__insts_min' --csv
[ "$(tail -n 1 out | tr -d '\r')" = 0,,30 ] || fail "40 - 10 is not 30"
