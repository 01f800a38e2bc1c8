# SPDX-License-Identifier: MIT
# Counting tests, and the time that they take. Sourced by ./check and tests/one.sh.
#
# A test is a command that exits with 0 (passed), 77 (skipped; the line "SKIP: why" says why) or
# anything else (failed). Its output goes to LOGS/NAME.log and is shown when it fails.

# Lines "passed 3": a file, since tests are counted in subshells too.
tally=${tally:-$(mktemp "${TMPDIR:-/tmp}/tacho-check.XXXXXX")} || exit 1
parts=

count() {
	echo "$1 ${2:-1}" >>"$tally"
}

counted() {
	awk -v what="$1" '$1 == what { sum += $2 } END { print sum + 0 }' "$tally"
}

harness_line() {
	printf '%-7s %s\n' "$1" "$2"
}

note_pass() {
	count passed
	harness_line ok "$1"
}

note_skip() {
	count skipped
	harness_line skipped "$1: $2"
}

# note_fail NAME WHY [LOG]
note_fail() {
	count failed
	harness_line FAILED "$1: $2"
	if [ -n "${3:-}" ] && [ -s "$3" ]; then
		tail -n 40 "$3" | sed 's/^/        | /'
		echo "        all of it: $3"
	fi
}

# CPU time of all that has ended so far, in seconds. Not in a subshell: that has used none.
cpu_seconds() {
	times >"$tally.$$"
	cpu_seconds=$(awk 'NR == 2 { gsub("[ms]", " "); printf "%d", $1 * 60 + $2 + $3 * 60 + $4 }' \
		"$tally.$$")
	rm -f "$tally.$$"
}

# part NAME COMMAND...: what ./check consists of; show_parts tells how long each took. On a busy
# machine it is the CPU time that tells what a part costs.
part() {
	part_name=$1 part_begin=$(date +%s)
	shift
	cpu_seconds
	part_cpu=$cpu_seconds
	"$@"
	part_status=$?
	cpu_seconds
	parts="$parts$(printf '  %-10s %7d %7d' "$part_name" $(($(date +%s) - part_begin)) \
		$((cpu_seconds - part_cpu)))
"
	return $part_status
}

show_parts() {
	printf '  %-10s %7s %7s\n%s' part seconds "of CPU" "$parts"
}

# A suite that reads ../shared and did not run is a failure where ../shared is there: it says
# "../shared ... absent" when it skips.
harness_check_shared() {
	[ -d "$ROOT/../shared" ] || return 0
	grep -q '\.\./shared.*absent' "$2" 2>/dev/null || return 0
	note_fail "$1" "../shared is there, but a suite that reads it was skipped; $2 says:"
	grep '\.\./shared.*absent' "$2" | sed 's/^/        | /'
}

# Where the output of test $1 goes, less ".log".
harness_file() {
	printf '%s/%s' "$LOGS" "$(printf '%s' "$1" | tr ' /:' '___')"
}

# run_test NAME SECONDS COMMAND...: leaves its status, the seconds that it took, those that it had and
# those of CPU time in LOGS/NAME.end. Not in a subshell.
run_test() {
	test_file=$(harness_file "$1") test_limit=$(($2 * slow)) test_begin=$(date +%s)
	shift 2
	cpu_seconds
	test_cpu=$cpu_seconds
	timeout -k 10 "$test_limit" "$@" >"$test_file.log" 2>&1 </dev/null
	test_status=$?
	cpu_seconds
	echo "$test_status $(($(date +%s) - test_begin)) $test_limit $((cpu_seconds - test_cpu))" \
		>"$test_file.end"
}

# Counts and shows what became of a test that has run.
show_test() {
	test_file=$(harness_file "$1")
	read -r test_status test_took test_limit test_cpu <"$test_file.end"
	case $test_status in
	0) note_pass "$1 ($test_took s, $test_cpu of CPU)" ;;
	77)
		test_why=$(sed -n 's/^SKIP: //p' "$test_file.log" | head -n 1)
		note_skip "$1" "${test_why:-no reason given}"
		harness_check_shared "$1" "$test_file.log"
		;;
	124 | 137) note_fail "$1" "not done after $test_limit s" "$test_file.log" ;;
	*) note_fail "$1" "exit status $test_status" "$test_file.log" ;;
	esac
}

# Shows tests in the order of the list $1, each as soon as it and those before it have ended. Reads a
# line whenever one has ended.
show_tests() {
	exec 3<"$1"
	read -r next <&3
	while read -r ended; do
		while [ -n "$next" ] && [ -e "$(harness_file "$next").end" ]; do
			show_test "$next"
			read -r next <&3 || next=
		done
	done
	[ -z "$next" ] || note_fail "$next" "it did not run to its end"
}

# Seconds that the script tests/$1 may take: its line "# limit: N", else 60.
limit_of() {
	limit=$(sed -n 's/^# limit: \([0-9]*\)$/\1/p' "$ROOT/tests/$1")
	echo "${limit:-60}"
}

# run_tests LIST NUMBER: runs what the lines of the file name by tests/one.sh, so many at a time.
run_tests() {
	[ -s "$1" ] || return 0
	xargs -n 1 -P "$2" sh "$ROOT/tests/one.sh" <"$1" | show_tests "$1"
}

# A number of the summary that meson printed last.
meson_count() {
	meson_number=$(sed -n "s/^$1: *\([0-9][0-9]*\).*/\1/p" "$meson_log" | tail -n 1)
	echo "${meson_number:-0}"
}

# Adds meson's own counts: meson_tests NAME FOLDER MESON_TEST_OPTIONS...
meson_tests() {
	meson_name=$1 meson_folder=$2
	shift 2
	meson_log=$LOGS/meson-$meson_name.log
	rm -f "$meson_folder"/meson-logs/testlog*.txt # a wrapper is part of its name
	meson test -C "$meson_folder" --print-errorlogs --num-processes "$jobs" -t "$slow" "$@" \
		>"$meson_log" 2>&1
	meson_status=$?
	meson_text=$(echo "$meson_folder"/meson-logs/testlog*.txt)
	meson_ok=$(($(meson_count Ok) + $(meson_count 'Expected Fail')))
	meson_bad=$(($(meson_count Fail) + $(meson_count Timeout) + $(meson_count 'Unexpected Pass')))
	meson_skip=$(meson_count Skipped)
	if [ $((meson_ok + meson_bad + meson_skip)) = 0 ]; then
		note_fail "$meson_name" "meson test ran nothing, status $meson_status" "$meson_log"
		return
	fi
	count passed $meson_ok
	count failed $meson_bad
	count skipped "$meson_skip"
	harness_line "$([ $meson_bad = 0 ] && echo ok || echo FAILED)" \
		"$meson_name: $meson_ok passed, $meson_bad failed, $meson_skip skipped"
	sed -n 's/^ *[0-9]*\/[0-9]* \(.*\) SKIP .*/        skipped: \1/p' "$meson_log"
	if [ "$meson_bad" != 0 ]; then
		sed 's/^/        | /' "$meson_log" | tail -n 80
		echo "        all of it: $meson_text"
	fi
	harness_check_shared "$meson_name" "$meson_text"
}
