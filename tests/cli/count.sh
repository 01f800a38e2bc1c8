# SPDX-License-Identifier: MIT
# Counters of launches: what the names come to, what is refused before the start, what the processes
# of a recording are told. No driver is needed.

# What is to be counted is written down before the start, and the program is told where.
run 0 tacho record -o one --export none -m device_time,WORK_ITEMS -k vadd -k 'regex:^f' \
	--exclude 'slow*' --range 'step*' -s 3 -c 4 -D 5 --duration 6 --start-paused --timeout 7 --replay-memory 8 \
	-- sh -c 'echo "$TACHO_COUNT"'
same out "$(pwd -P)/one.tacho/counting.json"
for line in '"name": "device_time"' '"name": "work_items"' '"from": "launch"' '"vadd"' \
	'"regex:^f"' '"slow*"' '"step*"' '"skip": 3' '"count": 4' '"delay_ns": 5000000' \
	'"duration_ns": 6000000' '"paused": true' '"timeout_ns": 7000000000' \
	'"replay_memory": 8000000' '"passes": 1' '"replay": "none"' '"backends": null'; do
	has one.tacho/counting.json "$line"
done
has_not err 'pass 1'
run 0 tacho record -q -f -o one --export none -m device_time true
for chooser in '-k vadd' '--exclude slow' '--range step' '--iterations 1' '-s 3' '-c 4' '-D 5' \
	'--duration 6' --start-paused; do
	# shellcheck disable=SC2086 # words
	run 125 tacho record -o no --export none $chooser touch ran
	has err ' needs -m'
	[ ! -e ran ] || fail "it ran"
done
run 0 tacho record -o none --export none -- sh -c 'echo "<$TACHO_COUNT>"'
same out '<>'

# The device's counters and their passes are told before the program starts.
more=SQ_WAVES,SQ_INSTS_VALU,SQ_INSTS_SALU,SQ_INSTS_SMEM,SQ_INSTS_LDS,SQ_INSTS_GDS,SQ_INSTS_FLAT
more=$more,SQ_BUSY_CYCLES,SQ_INSTS_BRANCH
run 0 tacho record -o two --export none --sim mi300x -m "$more,device_time" echo out
has err 'counting on mi300x [simulated], 2 passes; --replay kernel'
has err 'pass 2: SQ_INSTS_BRANCH'
has two.tacho/counting.json '"simulated": true'
has two.tacho/counting.json '"replay": "kernel"'
run 125 tacho record -o no --sim mi300x -m $more --replay none touch ran
has err 'needs 2 passes'
has err '[class 5: does not fit]'
run 125 tacho record -o no --sim mi300x -m $more --passes 1 touch ran
has err '[class 5: does not fit]'

# Each mode of an entry is a column and a pass of its own. Launches that are counted do not overlap,
# so pipelined is refused, and what commands tell has no modes: before the program starts.
run 0 tacho record -o modes --export none --sim mi300x -m SQ_WAVES,SQ_WAVES:serialized true
has err 'pass 1: SQ_WAVES'
has err 'pass 2, serialized: SQ_WAVES'
has modes.tacho/counting.json '"name": "SQ_WAVES:serialized"'
has modes.tacho/counting.json '"mode": "serialized"'
for command in 'record -o no' 'stat'; do
	run 125 tacho $command --sim mi300x -m SQ_WAVES:serialized,VALUBusy:pipelined touch ran
	has err 'VALUBusy of launches cannot be counted pipelined'
	run 125 tacho $command --sim mi300x -m device_time:serialized touch ran
	has err 'device_time is counted in no mode'
	run 125 tacho $command -m device_time:pipelined touch ran
	has err 'leave :pipelined out'
done

# One run of the program for each pass, in one recording.
run 0 tacho record -o runs --export none --sim mi300x -m $more --replay process echo run
same out run run
has runs.tacho/counting.json '"pass": 0'
has runs.tacho/pass-2.tacho/counting.json '"pass": 1'
[ -e runs.tacho/pass-3.tacho ] && fail "a run too many"
run 0 tacho report runs
run 0 tacho record -q -f -o runs --export none true
[ -e runs.tacho/pass-2.tacho ] && fail "the old run is still there"
: >runs.tacho/pass-2.tacho
run 125 tacho record -q -f -o runs --export none true
rm runs.tacho/pass-2.tacho
# What cannot run is said once, and not tried again; 127 of the program's own is no such thing.
printf '#!/\n' >broken # a folder interprets nothing, which only exec finds out
chmod +x broken
run 126 tacho record -q -o broken --export none --sim mi300x -m $more --replay process ./broken
[ "$(grep -c '^tacho: ' err)" = 1 ] || fail "not one complaint"
[ -e broken.tacho/pass-2.tacho ] && fail "what cannot run was run again"
run 127 tacho record -q -o own --export none --sim mi300x -m $more --replay process \
	sh -c 'echo run; exit 127'
same out run run
run 3 tacho record -q -o ends --export none --sim mi300x -m $more --replay process sh -c 'exit 3'
run 143 tacho record -q -o stops --sim mi300x -m $more --replay process sh -c 'echo run; kill $$'
same out run

# Lists in files: one's own, rcprof's, rocprofv3's.
printf '# mine\nSQ_WAVES\nwork_items, GRBM_COUNT # both\n' >own
printf 'pmc: SQ_WAVES GRBM_COUNT\npmc: SQ_BUSY_CYCLES\n' >lines.txt
printf 'jobs:\n  - pmc: ["SQ_WAVES", "GRBM_COUNT"]\n    kernel_include_regex: "add"\n' >jobs.yaml
printf '{"jobs": [{"pmc": ["SQ_WAVES"]}]}' >jobs.json
for list in own lines.txt jobs.yaml jobs.json; do
	run 0 tacho record -f -q -o list --export none --sim mi300x -m @$list true
	has list.tacho/counting.json '"name": "SQ_WAVES"'
done
run 0 tacho record -f -q -o list --export none --sim mi300x -m @jobs.yaml true
has list.tacho/counting.json '"regex:add"'
run 125 tacho record -o no -m @nowhere touch ran
: >empty
run 125 tacho record -o no -m @empty touch ran
has err 'names no counter'

# Names that are none, and options that do not fit.
run 125 tacho record -o no -m nonsense touch ran
has err '"nonsense"'
has err '--sim MODEL'
run 125 tacho record -o no --sim mi300x -m SQ_WAVE touch ran
has err 'SQ_WAVES'
run 125 tacho record -o no -m device_tim touch ran
has err 'the nearest names are device_time'
run 125 tacho stat -m device_tim touch ran
has err 'the nearest names are device_time'
run 125 tacho record -o no --sim nothing -m SQ_WAVES touch ran
run 125 tacho record -o no --sim mi300x -d perf -m SQ_WAVES touch ran
has err 'exclude each other'
run 125 tacho record -o no -m device_time -k 'regex:(' touch ran
has err 'regular expression'
run 125 tacho record -o no -m device_time --kernels own touch ran
has err '--kernels needs --sim'
printf 'sim-kernels: 1\nkernels:\n  copy: {valu: many}\n' >wrong.yaml
run 125 tacho record -o no --sim mi300x -m SQ_WAVES --kernels wrong.yaml touch ran
has err 'wrong.yaml'
run 125 tacho record -o no --sim mi300x -m SQ_WAVES --kernels nowhere.yaml touch ran
has err 'nowhere.yaml'
# the form of that file is where both the help and the message say
for command in record stat; do
	run 0 tacho $command --help
	has out 'docs/replay.md'
	has_not out 'docs/sim.md'
done
grep -q '^    sim-kernels: 1' "$SOURCES/docs/replay.md" || fail "docs/replay.md has no example"
run 125 tacho record -o no -m device_time --replay always touch ran
[ -e ran ] && fail "a refused program ran"
[ -e no.tacho ] && fail "a refused run left a recording"

# stat keeps no recording unless asked, and leaves nothing behind.
mkdir tmp
run 4 env TMPDIR="$PWD/tmp" tacho stat -m device_time sh -c 'echo out; exit 4'
same out out
has err 'no API call was seen'
[ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"
run 4 env TMPDIR="$PWD/tmp" tacho stat --json -m device_time sh -c 'exit 4'
has err '{"schema": "tacho.values/1", '
has err '"status": 4, '
has err '"columns": [{"name": "device_time", "unit": "nanoseconds", "type": "u64", '
has err '"rows": [], '
has_not err "$PWD/tmp"
run 0 tacho stat -o kept -m device_time true
[ -e kept.tacho/counting.json ] || fail "the recording was not kept"
run 125 tacho stat -o kept -m device_time true
run 0 tacho stat -f -o kept -m device_time true
run 125 tacho stat -I 10 -m device_time touch ran
run 125 tacho stat --sim mi300x touch ran
run 127 tacho stat -m device_time ./does-not-exist
[ -e ran ] && fail "a refused program ran"

# SIGUSR1 and SIGUSR2 to tacho reach the memory that it shares with the program, and not the program.
cat >signals <<'END2'
at=$(grep -abo TCTL "$TACHO_POOL" | head -n 1 | cut -d: -f1)
said() { od -An -tu4 -j$((at + 8)) -N4 "$TACHO_POOL" | tr -d ' '; }
await() {
	tries=0
	until [ "$(said)" = "$1" ] || [ $tries -ge 300 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	said
}
kill -USR1 $PPID
await 1
kill -USR2 $PPID
await 2
END2
run 0 tacho record -q -f -o signals --export none -m device_time sh signals
same out 1 2
