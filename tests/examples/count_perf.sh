# SPDX-License-Identifier: MIT
# The 512 pages that the program touches are faults; libraries may add a few. Where
# perf_event_open() is not permitted the program says so, and what to do.
. "$(dirname "$0")/lib.sh"
"$program" >"$work/out" 2>&1 || {
	grep -q '^  cure:  .' "$work/out" || fail "it fails without a cure"
	grep -qE 'perf_event|no device' "$work/out" || fail "perf fails for another reason"
	echo "SKIP: events of Linux are not permitted here: $(sed -n 's/^  cause: //p' "$work/out")"
	exit 77
}
faults=$(sed -n 's/^page-faults: \([0-9]*\) events$/\1/p' "$work/out")
[ "${faults:-0}" -ge 512 ] && [ "$faults" -lt 1024 ] || fail "the page faults are not what was done"
grep -qE '^task-clock: [1-9][0-9]* nanoseconds$' "$work/out" || fail "no time on the CPU"
