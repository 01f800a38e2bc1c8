#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 180
# Command buffers, recorded once and run many times: every run is there with its kernels and times,
# in every output, and the program sees nothing of it. TACHO_TEST_VENDORS names a further place of
# drivers, as OCL_ICD_VENDORS does: one whose command buffers can be changed is not in Debian 12.
. "$ROOT/tests/real/lib.sh"
need python3
program=$BIN/tests/real/command_buffer_cl
tried=0

# Five recorded kernels run twenty times: a hundred kernels, none of them launched by a call.
try_hundred() {
	record_options=
	record "hundred-$1" "$program" 0 buffer:5 run:20 pause:200
	same "$1: exit status" 0 "$record_status"
	verify "hundred-$1" 0
	"$TACHO" report "hundred-$1" >report.txt || fail "tacho report"
	grep -q 'work         100 kernel launches, 100 of them in 20 command buffers' report.txt ||
		fail "$1: the report counts otherwise: $(cat report.txt)"
	"$TACHO" report "hundred-$1" --findings >findings.txt || fail "tacho report --findings"
	grep 'was idle for' findings.txt &&
		grep -q ', 100% of' findings.txt && fail "$1: the device looks idle"
	for key in api kernel queue thread process; do
		"$TACHO" report "hundred-$1" --by $key >/dev/null || fail "tacho report --by $key"
	done
}

steps="buffer:5 run:20 queries sum events:3 chain:4 user:3 other:2 remap:2 retain sum release
	mixed run:4 sum release empty run:2 release unordered:3 buffer:3 abandon:2
	buffer:2 run:1 release mutable run:2 half run:2 half run:1 queries release direct:6 fork sum pause:200"

# Outputs of the same numbers: what ran, how often, with what.
check_numbers() {
	"$TACHO" export "steps-$1" --to sqlite,perfetto,html,csv || fail "tacho export"
	python3 "$ROOT/tests/real/command_buffer.py" "steps-$1" "$2" "$3" ||
		fail "$1: the files of the recording do not agree"
	# what session files keep of them comes back
	"$TACHO" export "steps-$1.atp" --to codexl -o "again-$1" || fail "tacho export of .atp"
	for suffix in atp csv; do
		sed '/DisplayName=/d' "steps-$1.$suffix" >before
		sed '/DisplayName=/d' "again-$1.$suffix" >after
		same_file "$1: .$suffix written again" before after
	done
	"$TACHO" diff "steps-$1" "steps-$1" --by kernel >diff.txt || fail "tacho diff"
	grep -q 'command buffer (5 kernels)' diff.txt || fail "the comparison lacks command buffers"
}

# On two queues at once no driver has to tell when: then nothing looks idle.
try_pair() {
	record_options=
	record "pair-$1" "$program" 0 pair:2 pause:200
	same "$1: exit status" 0 "$record_status"
	verify "pair-$1" 0
	python3 - "pair-$1.report.json" <<'END' || fail "$1: a device looks idle"
import json, sys
report = json.load(open(sys.argv[1]))
lines = [line for line in report["lines"] if line["name"] == "command buffer (2 kernels)"]
for line in lines:
    assert line["count"] == 2, line
    assert line["measured"] == 2 or report["totals"]["device_unknown_ns"] != 0, report["totals"]
END
}

try() {
	if ! "$program" 0 >probe 2>&1; then
		echo "$1: $(tail -n 1 probe)"
		return
	fi
	tried=1
	try_hundred "$1"
	# shellcheck disable=SC2086 # words
	plain "steps-$1" "$program" 0 $steps
	record_options="-m device_time,work_items,work_groups,local_memory"
	# shellcheck disable=SC2086 # words
	record "steps-$1" "$program" 0 $steps
	same "$1: exit status" "$plain_status" "$record_status"
	same_file "$1: what the program prints" "steps-$1.plain" "steps-$1.out"
	verify "steps-$1" 6
	check_numbers "$1" "$(grep -c '^size ' "steps-$1.plain")" "$(grep -c '^copy$' "steps-$1.plain")"
	try_pair "$1"

	# counters of single launches: they are absent, and the reason is told
	"$TACHO" stat -m SQ_WAVES --sim mi300x -- "$program" 0 buffer:5 run:2 direct:2 >out 2>err ||
		fail "tacho stat: $(cat err)"
	tr -s ' \n' ' ' <err | grep -q 'its kernels run as a whole, and only launches are counted' ||
		fail "$1: it does not say why they are not counted: $(cat err)"
}

each_driver try
if [ -n "${TACHO_TEST_VENDORS:-}" ]; then
	export OCL_ICD_VENDORS="$TACHO_TEST_VENDORS"
	try further
fi
[ $tried = 1 ] || skip "no OpenCL driver here has cl_khr_command_buffer"
