#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 300
# Launches are counted without the program waiting for them: inside callbacks, behind events of the
# program, on several queues, and when it leaves first. None is lost in silence.
. "$ROOT/tests/real/lib.sh"
[ -n "$driver_platform" ] || skip "no OpenCL driver runs kernels here"
program="$BIN/tests/real/hold_cl"

# values NAME COUNTER: launches that have one.
values() {
	awk -F ', ' -v counter="$2" '/^Method, / { seen = 1
			for (i = 1; i <= NF; i++) if ($i == counter) at = i
			next }
		seen && $at ~ /^[0-9.]+$/ { rows++ }
		END { print rows + 0 }' "$1.csv"
}

# notes NAME TEXT: launches without values that say this.
notes() {
	grep -c "values_note\": \"[^\"]*$2" "$1.jsonl"
}

# count NAME LAUNCHES MODE [N]: as it would be without, and every launch has a value.
count() {
	count_name=$1 count_launches=$2
	shift 2
	plain "$count_name" "$program" -p "$driver_platform" "$@"
	record "$count_name" "$program" -p "$driver_platform" "$@"
	[ "$record_status" = "$plain_status" ] || cat "$count_name.err"
	same "status of $1" "$plain_status" "$record_status"
	same_file "results of $1" "$count_name.plain" "$count_name.out"
	same "launches of $1" "$count_launches" "$(launches "$count_name")"
	same "launches of $1 with values" "$count_launches" "$(values "$count_name" "$counter")"
	same "launches of $1 that lack some" 0 "$(notes "$count_name" .)"
}

counter=SQ_WAVES
record_options="--sim mi300x -m SQ_WAVES"
count queues 40 queues 20
count callback 10 callback 5
count cross 20 cross 5
count unordered 20 unordered 10
# One that some drivers take, and that cannot be held; four are refused.
record refused "$program" -p "$driver_platform" refused
same "launches of refused with values" 0 "$(values refused SQ_WAVES)"
same "launches of refused without" "$(launches refused)" "$(notes refused 'its list of events is no list')"
grep -q 'SQ_WAVES  *40  *640  *16  *16  *16' queues.err ||
	fail "1024 items are 16 waves in each launch: $(cat queues.err)"

# Which launches are selected follows from their order, not from that of their ends.
record_options="--sim mi300x -m SQ_WAVES --skip 3 --count 4"
record some "$program" -p "$driver_platform" queues 20
same "launches that were selected" 4 "$(values some SQ_WAVES)"

# Launches in flight when the program leaves; those that cannot end when it does not even exit.
record_options="--sim mi300x -m SQ_WAVES"
record leave "$program" -p "$driver_platform" leave 0
same "status of a program that leaves" 0 "$record_status"
same "what it printed" left "$(cat leave.out)"
same "launches that have values or say why not" 50 \
	$(($(values leave SQ_WAVES) + $(notes leave 'it was not seen to end before its process did')))
record vanish "$program" -p "$driver_platform" vanish 3
same "launches before the end" 3 "$(values vanish SQ_WAVES)"
same "launches that did not end" 2 "$(notes vanish 'it was not seen to end before its process did')"
tr -s ' \n' ' ' <vanish.err |
	grep -q '2 launches were not counted (advance): it was not seen to end before' ||
	fail "the report does not tell of them: $(cat vanish.err)"
"$TACHO" stat --sim mi300x -m SQ_WAVES -- "$program" -p "$driver_platform" vanish 3 2>stat.err
tr -s ' \n' ' ' <stat.err |
	grep -q '2 launches were not counted (advance): it was not seen to end before' ||
	fail "tacho stat does not tell of them: $(cat stat.err)"

# Kernels that need each other.
plain spin "$program" -p "$driver_platform" spin 1
if [ $plain_status = 0 ]; then
	record_options="--sim mi300x -m SQ_WAVES --timeout 1"
	record spin "$program" -p "$driver_platform" spin 1
	same_file "results of kernels that need each other" spin.plain spin.out
	same "launches that were let run together" 2 "$(notes spin 'had to run beside it')"
	same "launches behind them" 4 "$(values spin SQ_WAVES)"
fi

# Counters of the CPU that runs the kernels.
record_options="-m task-clock"
record probe "$program" -p "$driver_platform" queues 1
if [ "$(values probe task-clock)" = 2 ]; then
	counter=task-clock
	count cpu-queues 40 queues 20
	count cpu-callback 10 callback 5
	count cpu-cross 20 cross 5
else
	echo "this driver's threads are not counted here: left out"
fi
