#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 300
# Launches that are held until they have their device: they never overlap, all of them end whatever
# the program has them wait for, and it gets what it would have got.
. "$ROOT/tests/real/lib.sh"
[ -n "$driver_platform" ] || skip "no OpenCL driver runs kernels here"
program="$BIN/tests/real/hold_cl"

# hold NAME COMMAND...: with all launches held: NAME.out is its stdout, NAME.held what the face saw.
hold() {
	hold_name=$1
	shift
	(
		eval "$("$TACHO" env rocprofiler)"
		TACHO_FACE=$BIN/tests/real/hold.so HOLD_FILE=$WORK/$hold_name.held
		export TACHO_FACE HOLD_FILE
		exec "$@"
	) >"$hold_name.out" 2>"$hold_name.err" </dev/null
	hold_status=$?
}

# ends NAME OUTCOME: launches with that outcome.
ends() {
	grep -v '^#' "$1.held" | cut -d ' ' -f 2 | grep -cx "$2"
}

# overlaps NAME: launches that began, by the device's clock, before the one in front had ended.
overlaps() {
	grep ' ended ' "$1.held" | sort -k 4n | awk '$4 < last { n++ } { last = $5 } END { print n + 0 }'
}

# check NAME LAUNCHES MODE [N]: as it would be without, and all launches counted alone.
check() {
	check_name=$1 check_count=$2
	shift 2
	plain "$check_name" "$program" -p "$driver_platform" "$@"
	same "status of $1, plain" 0 "$plain_status"
	hold "$check_name" "$program" -p "$driver_platform" "$@"
	[ "$hold_status" = 0 ] || cat "$check_name.err"
	same "status of $1" 0 "$hold_status"
	same_file "results of $1" "$check_name.plain" "$check_name.out"
	same "launches of $1 that ended" "$check_count" "$(ends "$check_name" ended)"
	same "launches of $1 that overlap" 0 "$(overlaps "$check_name")"
	same "launches of $1 that were not alone" 0 "$(grep ended "$check_name.held" | grep -vc ' alone$')"
}

check queues 400 queues 200
check cross 200 cross 50
check callback 100 callback 50
check unordered 100 unordered 50
check counts 40 counts 20
check fork 5 fork 5
check refused 0 refused
same "launches that were refused" 2 "$(ends refused refused)"
same "their errors" "-52 -54" "$(grep refused refused.held | cut -d ' ' -f 3 | xargs)"
grep -q '^# .*: [1-9][0-9]* units, [1-9][0-9]* bytes, kind [12]$' queues.held ||
	fail "the device was not told"

# Launches in flight when the program leaves.
for early in 0 1; do
	HOLD_LEAVES=1 hold "leave$early" "$program" -p "$driver_platform" leave $early
	same "status of a program that leaves" 0 "$hold_status"
	same "what it printed" left "$(cat "leave$early.out")"
done

# Kernels that need each other: they are let run together, and it is said.
plain spin "$program" -p "$driver_platform" spin 2
if [ $plain_status = 0 ]; then
	TACHO_LAUNCH_PATIENCE_MS=500
	export TACHO_LAUNCH_PATIENCE_MS
	hold spin "$program" -p "$driver_platform" spin 2
	unset TACHO_LAUNCH_PATIENCE_MS
	same "status of kernels that need each other" 0 "$hold_status"
	same_file "their results" spin.plain spin.out
	same "kernels that ran beside others" 4 "$(ends spin beside)"
	same "kernels behind them, alone" 4 "$(ends spin ended)"
fi

# A launch that waits for an event that fails; drivers may tell nobody. Ends once it was told.
mkfifo input
hold_input() {
	for _ in $(seq 600); do
		[ -e failed.held ] && [ "$(ends failed failed)" = 3 ] && [ "$(ends failed ended)" = 3 ] && return
		sleep 0.1
	done
}
hold_input >input &
(
	eval "$("$TACHO" env rocprofiler)"
	TACHO_FACE=$BIN/tests/real/hold.so HOLD_FILE=$WORK/failed.held
	export TACHO_FACE HOLD_FILE
	exec "$program" -p "$driver_platform" failed 3
) <input >failed.out
same "status with events that fail" 0 $?
wait
same "launches that failed" 3 "$(ends failed failed)"
same "launches beside them" 3 "$(ends failed ended)"

# Another program; and one that is recorded, too.
plain other "$BIN/tests/real/replay_cl" -p "$driver_platform" inplace 3
hold other "$BIN/tests/real/replay_cl" -p "$driver_platform" inplace 3
same "status of replay_cl" 0 "$hold_status"
same_file "results of replay_cl" other.plain other.out
# shellcheck disable=SC2016 # for the inner shell
record both sh -c 'eval "$("$0" env rocprofiler)"; TACHO_FACE=$1 HOLD_FILE=$2 exec "$3" -p "$4" queues 50' \
	"$TACHO" "$BIN/tests/real/hold.so" "$WORK/both.held" "$program" "$driver_platform"
same "status with a recording" 0 "$record_status"
verify both 100
same "launches held while they are recorded" 100 "$(ends both ended)"
same "launches that overlap while they are recorded" 0 "$(overlaps both)"

# A face that does not load: the program runs, and its recording says so.
record faceless env TACHO_FACE=/nonexistent.so "$program" -p "$driver_platform" queues 2
same "status without the face" 0 "$record_status"
grep -q '"uncounted": "the face of TACHO_FACE did not start: /nonexistent.so' faceless.jsonl ||
	fail "it does not say that there is no face"
