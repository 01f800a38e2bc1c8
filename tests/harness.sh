# SPDX-License-Identifier: MIT
# Counting tests. Sourced by ./check.
#
# A test is a command that exits with 0 (passed), 77 (skipped; the line "SKIP: why" says why) or
# anything else (failed). Its output goes to LOGS/NAME.log and is shown when it fails.

passed=0
failed=0
skipped=0

harness_line() {
	printf '%-7s %s\n' "$1" "$2"
}

note_pass() {
	passed=$((passed + 1))
	harness_line ok "$1"
}

note_skip() {
	skipped=$((skipped + 1))
	harness_line skipped "$1: $2"
}

# note_fail NAME WHY [LOG]
note_fail() {
	failed=$((failed + 1))
	harness_line FAILED "$1: $2"
	if [ -n "${3:-}" ] && [ -s "$3" ]; then
		tail -n 40 "$3" | sed 's/^/        | /'
		echo "        all of it: $3"
	fi
}

# A suite that reads ../shared and did not run is a failure where ../shared is there: it says
# "../shared ... absent" when it skips.
harness_check_shared() {
	[ -d "$ROOT/../shared" ] || return 0
	grep -q '\.\./shared.*absent' "$2" 2>/dev/null || return 0
	note_fail "$1" "../shared is there, but a suite that reads it was skipped; $2 says:"
	grep '\.\./shared.*absent' "$2" | sed 's/^/        | /'
}

# run_test NAME SECONDS COMMAND...
run_test() {
	test_name=$1 test_limit=$(($2 * slow))
	shift 2
	test_log=$LOGS/$(printf '%s' "$test_name" | tr ' /:' '___').log
	test_begin=$(date +%s)
	timeout -k 10 "$test_limit" "$@" >"$test_log" 2>&1 </dev/null
	test_status=$?
	test_took=$(($(date +%s) - test_begin))
	case $test_status in
	0) note_pass "$test_name ($test_took s)" ;;
	77)
		test_why=$(sed -n 's/^SKIP: //p' "$test_log" | head -n 1)
		note_skip "$test_name" "${test_why:-no reason given}"
		harness_check_shared "$test_name" "$test_log"
		;;
	124 | 137) note_fail "$test_name" "not done after $test_limit s" "$test_log" ;;
	*) note_fail "$test_name" "exit status $test_status" "$test_log" ;;
	esac
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
	meson test -C "$meson_folder" --no-rebuild --print-errorlogs -t "$slow" "$@" \
		>"$meson_log" 2>&1
	meson_status=$?
	meson_text=$meson_folder/meson-logs/testlog.txt
	meson_ok=$(($(meson_count Ok) + $(meson_count 'Expected Fail')))
	meson_bad=$(($(meson_count Fail) + $(meson_count Timeout) + $(meson_count 'Unexpected Pass')))
	meson_skip=$(meson_count Skipped)
	if [ $((meson_ok + meson_bad + meson_skip)) = 0 ]; then
		note_fail "$meson_name" "meson test ran nothing, status $meson_status" "$meson_log"
		return
	fi
	passed=$((passed + meson_ok))
	failed=$((failed + meson_bad))
	skipped=$((skipped + meson_skip))
	harness_line "$([ $meson_bad = 0 ] && echo ok || echo FAILED)" \
		"$meson_name: $meson_ok passed, $meson_bad failed, $meson_skip skipped"
	sed -n 's/^ *[0-9]*\/[0-9]* \(.*\) SKIP .*/        skipped: \1/p' "$meson_log"
	if [ "$meson_bad" != 0 ]; then
		sed 's/^/        | /' "$meson_log" | tail -n 80
		echo "        all of it: $meson_text"
	fi
	harness_check_shared "$meson_name" "$meson_text"
}
