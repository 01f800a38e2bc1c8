#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 180
# Which launches are counted: by name, number and time, and while nobody has said to pause. All are
# recorded in any case.
. "$ROOT/tests/real/lib.sh"
need python3
steps="$BIN/tests/real/steps_cl"

# counted NAME: the kernels of the launches in order, a run of equal ones as "4*one"; those that were
# not counted in brackets.
counted() {
	python3 - "$1.jsonl" <<'END'
import itertools, json, sys
names = []
for line in open(sys.argv[1]):
    call = json.loads(line)
    if call["schema"] != "tacho.call/1" or not call["command"]:
        continue
    if call["command"]["kind"] == "kernel":
        name, values = call["command"]["kernel"]["name"], call["values"]
        if values:
            assert all(value["state"] == "ok" for value in values.values()), call
        names.append(name if values else "(" + name + ")")
print(" ".join(f"{len(list(group))}*{name}" for name, group in itertools.groupby(names)))
END
}

# expect WHAT OPTIONS EXPECTED STEP...: counters of commands, of a device, and of both.
expect() {
	expect_what=$1 expect_options=$2 expect_rows=$3
	shift 3
	for expect_list in device_time "SQ_WAVES --sim mi300x" "device_time,SQ_WAVES --sim mi300x"; do
		record_options="-m $expect_list $expect_options"
		record run "$steps" "$driver_platform" "$@"
		[ "$record_status" = 0 ] || tail -n 5 run.err
		same "$expect_what: exit status" 0 "$record_status"
		same "$expect_what ($expect_list)" "$expect_rows" "$(counted run)"
	done
}

# decided NAME DELAY_MS DURATION_MS: "N wrong, N counted, N not" of the launches whose time says whether
# they were to be counted. Counting starts after the launcher and before the first call.
decided() {
	python3 - "$1.jsonl" "$2" "$3" <<'END'
import json, sys
SLEW_NS = 2_000_000  # of the clocks on which tacho decides and reports
first = after = None
wrong = counted = uncounted = 0
delay, duration = (int(word) * 1_000_000 for word in sys.argv[2:])
for line in open(sys.argv[1]):
    item = json.loads(line)
    if item["schema"] == "tacho.run/1":
        first = item["start_ns"] - SLEW_NS
    if item["schema"] != "tacho.call/1":
        continue
    start, end = item["start_ns"], item["end_ns"]
    after = after or start + SLEW_NS
    if not item["command"] or item["command"]["kind"] != "kernel":
        continue
    if start > after + delay and end < first + delay + duration:
        wrong += not item["values"]
        counted += 1
    elif end < first + delay or start > after + delay + duration:
        wrong += bool(item["values"])
        uncounted += 1
print(f"{wrong} wrong, {counted} counted, {uncounted} not")
END
}

# expect_times WHAT DELAY_MS DURATION_MS STEP...: a busy machine may be late with all launches, then
# fewer of them say something.
expect_times() {
	times_what=$1 times_delay=$2 times_duration=$3
	shift 3
	for times_list in device_time "SQ_WAVES --sim mi300x" "device_time,SQ_WAVES --sim mi300x"; do
		record_options="-m $times_list -D $times_delay --duration $times_duration"
		record run "$steps" "$driver_platform" "$@"
		same "$times_what: exit status" 0 "$record_status"
		times_decided=$(decided run "$times_delay" "$times_duration")
		echo "$times_what ($times_list): $times_decided"
		[ "${times_decided%% *}" = 0 ] || fail "$times_what: counted at the wrong times"
	done
}

set -f # options are words, not files
expect "everything" "" "2*one 3*two" one:2 two:3
expect "a name" "-k one" "2*one 3*(two) 1*one" one:2 two:3 one
expect "a glob" "-k o*" "2*one 3*(two)" one:2 two:3
expect "a regular expression" "-k regex:^(two|three)$" "2*(one) 3*two" one:2 two:3
expect "two names" "-k one -k two" "2*one 3*two" one:2 two:3
expect "an exclusion" "--exclude one" "2*(one) 3*two" one:2 two:3
expect "a name and an exclusion" "-k regex:. --exclude t*" "2*one 3*(two)" one:2 two:3
expect "skipping" "-s 3" "2*(one) 1*(two) 2*two" one:2 two:3
expect "a number" "-c 3" "2*one 1*two 2*(two)" one:2 two:3
expect "skipping and a number, of one kernel" "-k one -s 1 -c 2" "1*(one) 4*(two) 2*one 1*(one)" \
	one:1 two:4 one:3
expect "the program pauses and resumes" "" "2*one 3*(one) 4*one" one:2 pause one:3 resume one:4
expect "the program pauses first" "" "3*(one)" pause one:3
expect "a paused start" "--start-paused" "2*(one) 3*one 1*(one)" one:2 resume one:3 pause one
expect "a paused start that nobody ends" "--start-paused" "2*(one)" one:2
expect "a delay" "-D 60000" "2*(one)" one:2
# The n-th launches of each kernel, whatever else speaks for or against them.
expect "iterations" "--iterations 1,3-4" "1*one 1*(one) 1*one 1*two 1*(two) 2*two 1*(two)" one:3 two:5
expect "iterations of kernels in turn" "--iterations [2]" "1*(one) 1*(two) 1*one 1*two" one two one two
expect "iterations, skipping and a number" "--iterations 2-4 -s 1 -c 1" "2*(one) 1*one 2*(one)" one:5
expect "iterations of a name" "-k two --iterations [2],[9-12]" "2*(one) 1*(two) 1*two 1*(two)" \
	one:2 two:3
expect "iterations in a pause" "--iterations 3,5" "4*(one) 1*one" one:2 pause one:2 resume one
cat >jobs.yaml <<'END'
jobs:
  - pmc: [SQ_WAVES]
    kernel_include_regex: "o"
    kernel_exclude_regex: "^on.$"
    kernel_iteration_range: ["[2-3]", "[5]"]
END
cat >jobs.json <<'END'
{"jobs": [{"pmc": ["SQ_WAVES"], "kernel_iteration_range": "[1, [3-4]]"}]}
END
expect_list="device_time --sim mi300x -i"
for expect_file in "jobs.yaml|3*(one) 1*(two) 2*two 1*(two) 1*two" \
	"jobs.json|1*one 1*(one) 1*one 1*two 1*(two) 2*two 1*(two)"; do
	record_options="-m $expect_list ${expect_file%%|*}"
	record run "$steps" "$driver_platform" one:3 two:5
	same "the launches of ${expect_file%%|*}: exit status" 0 "$record_status"
	same "the launches of ${expect_file%%|*}" "${expect_file#*|}" "$(counted run)"
done
launches=
for _ in 1 2 3 4 5 6 7 8 9 10; do
	launches="$launches one sleep:30 one sleep:30 one sleep:30"
done
# shellcheck disable=SC2086 # words
{
	expect_times "a duration" 0 400 $launches
	expect_times "a delay and a duration" 300 300 $launches
}
set +f

# Signals to tacho, which tells the program without one.
said() {
	said_pool=$(sed -n 's/.*"pool": "\(.*\)".*/\1/p' signals.tacho/meta.json 2>/dev/null)
	said_at=$(grep -abo TCTL "$said_pool" 2>/dev/null | head -n 1 | cut -d: -f1)
	od -An -tu4 -j$((said_at + 8)) -N4 "$said_pool" 2>/dev/null | tr -d ' '
}
await() {
	await_tries=0
	while [ $await_tries -lt 600 ]; do
		eval "$1" && return 0
		sleep 0.1
		await_tries=$((await_tries + 1))
	done
	fail "waited in vain for: $1"
}
lines() {
	[ "$(grep -c line signals.out)" = "$1" ]
}
for list in device_time "SQ_WAVES --sim mi300x"; do
	rm -rf signals.tacho go
	mkfifo go
	: >signals.out
	# shellcheck disable=SC2086 # words
	"$TACHO" record -q -f -o signals --export jsonl -m $list -- "$steps" "$driver_platform" \
		one:2 line one:3 line one:4 <go >signals.out &
	launcher=$!
	exec 9>go
	await 'lines 1'
	kill -USR1 $launcher
	await '[ "$(said)" = 1 ]'
	echo >&9
	await 'lines 2'
	kill -USR2 $launcher
	await '[ "$(said)" = 2 ]'
	echo >&9
	exec 9>&-
	wait $launcher
	same "exit status of a run with signals" 0 $?
	same "SIGUSR1 and SIGUSR2 ($list)" "2*one 3*(one) 4*one" "$(counted signals)"
done

# The program's own handlers, ignored and blocked signals are what they are without tacho.
"$steps" "$driver_platform" signals one signals >plain.signals || fail "$steps"
for list in device_time "SQ_WAVES --sim mi300x" page-faults; do
	# shellcheck disable=SC2086 # words
	"$TACHO" record -q -f -o handlers --export none -m $list -- "$steps" "$driver_platform" \
		signals one signals >own.signals || fail "tacho record -m $list"
	same_file "signals of the program ($list)" plain.signals own.signals
done
echo "handlers: $(grep SigCgt plain.signals | head -n 1)"
exit 0
