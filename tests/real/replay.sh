#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 400
# Counting launches: programs whose kernels change their inputs in place give the same results under
# three passes of each way to replay, and every launch has its row.
. "$ROOT/tests/real/lib.sh"
[ -n "$driver_platform" ] || skip "no OpenCL driver runs kernels here"

# 17 counters of a block with 8 slots: three passes.
counters=SQ_WAVES,SQ_INSTS_VALU,SQ_INSTS_SALU,SQ_INSTS_LDS,SQ_INSTS_BRANCH,SQ_ITEMS,SQ_WAVE_CYCLES
counters=$counters,SQ_WAIT_ANY,SQ_INSTS_SMEM,SQ_INSTS_FLAT,SQ_CYCLES,SQ_BUSY_CYCLES,SQ_WAVES_EQ_64
counters=$counters,SQ_WAVES_LT_64,SQ_INSTS_VMEM_RD,SQ_INSTS_VMEM_WR,SQ_INSTS_GDS
program="$BIN/tests/real/replay_cl"

# count NAME MODE PROGRAM...: as record(), with the counters in that mode; fewer where it is none.
count() {
	count_name=$1 count_mode=$2
	shift 2
	count_list=$counters
	[ "$count_mode" = none ] && count_list=SQ_WAVES,SQ_ITEMS
	record_options="--sim mi300x --replay $count_mode -m $count_list"
	record "$count_name" "$@"
	[ "$record_status" = 0 ] || tail -n 5 "$count_name.err"
	same "exit status, $count_mode" 0 "$record_status"
}

# rows NAME: launches with a value in the column SQ_WAVES of the .csv.
rows() {
	awk -F ', ' '/^Method, / { seen = 1; for (i = 1; i <= NF; i++) if ($i == "SQ_WAVES") at = i
			next }
		seen && $at ~ /^[0-9]+$/ { rows++ }
		END { print rows + 0 }' "$1.csv"
}

plain inplace "$program" -p "$driver_platform" inplace 3
same "exit status of the plain run" 0 $plain_status
[ -s inplace.plain ] || fail "the program printed nothing"
for mode in none kernel rotate; do
	count "inplace-$mode" $mode "$program" -p "$driver_platform" inplace 3
	same_file "results, $mode" inplace.plain "inplace-$mode.out"
	[ "$(launches "inplace-$mode")" -ge 15 ] || fail "$mode: launches are missing"
done
same "rows, none" "$(launches inplace-none)" "$(rows inplace-none)"
# who runs launches again waits, and two cannot be waited for: one inside a callback, one that waits
# for the program
same "rows, kernel" $(($(launches inplace-kernel) - 2)) "$(rows inplace-kernel)"
same "launches that were not counted, kernel" 2 \
	"$(grep -c 'values_note": "[^"]*\(inside a callback\|not set yet\)' inplace-kernel.jsonl)"
# one launch in three has the counters of the first pass
[ "$(rows inplace-rotate)" -lt "$(launches inplace-rotate)" ] || fail "rotate does not rotate"
[ "$(rows inplace-rotate)" -gt 0 ] || fail "rotate has no values"
count inplace-process process "$program" -p "$driver_platform" inplace 3
cat inplace.plain inplace.plain inplace.plain >three.plain
same_file "results of three runs" three.plain inplace-process.out
same "rows, process" "$(launches inplace-none)" "$(rows inplace-process)"

# Too little memory for copies: one pass, and it says so.
record_options="--sim mi300x --replay kernel --replay-memory 32 -m $counters"
record small "$program" -p "$driver_platform" copy 64 1
same "exit status without room for copies" 0 "$record_status"
grep -q 'it may write 67108864 bytes, more than the 32000000 of --replay-memory' small.jsonl ||
	fail "it does not say why a launch has one pass"
same "rows without room for copies" 1 "$(rows small)"

# A driver that refuses to bring memory back: for a while, after a part of it is back, or always,
# which is found out before a launch is run again.
# shellcheck disable=SC2016 # for the inner shell
under='OPENCL_LAYERS=$0:$OPENCL_LAYERS exec "$@"'
for refuses in some all; do
	export FAIL_RESTORES=$refuses
	record_options="--sim mi300x --replay kernel -m $counters"
	record "refused-$refuses" sh -c "$under" "$BIN/tests/real/fail.so" "$program" \
		-p "$driver_platform" inplace 3
	same "exit status, $refuses refused" 0 "$record_status"
	same_file "results, $refuses refused" inplace.plain "refused-$refuses.out"
	same "rows, $refuses refused" $(($(launches "refused-$refuses") - 2)) "$(rows "refused-$refuses")"
done
unset FAIL_RESTORES
grep -q 'the device refused' refused-some.jsonl && fail "it was not patient"
refused=$(grep -c 'values_note": "the device refused to bring back what it writes' refused-all.jsonl)
[ "$refused" -gt 10 ] || fail "it did not see that nothing can be brought back"

# A kernel that ends only when the program goes on: it does where nothing runs again.
record_options="--sim mi300x -m SQ_WAVES"
record goes timeout 60 "$program" -p "$driver_platform" endless
same "a kernel that ends when the program goes on" "ended with 2" "$(cat goes.out)"
same "its rows" 2 "$(rows goes)"
record_options="--sim mi300x --replay kernel --timeout 1 -m $counters"
record endless timeout 60 "$program" -p "$driver_platform" endless
same "a kernel that does not end" "ended with 2" "$(cat endless.out)"
grep -q 'did not end before' endless.jsonl || fail "it does not say that the kernel did not end"
# The process says so, in all that is written, and what came after it is not taken for left out.
for text in '"uncounted": "counting ended: kernel spin did not end within 1 s"' \
	'"uncounted_cure": "give it longer with --timeout'; do
	grep -q "$text" endless.jsonl || fail "the process of the .jsonl lacks $text"
done
tr -s ' \n' ' ' <endless.err >endless.line
grep -q 'Process [0-9]* (replay_cl): counting ended: kernel spin did not end within 1 s. Give' \
	endless.line || fail "the end of tacho record does not tell: $(cat endless.err)"
grep -q '1 launch was not counted (scale): its process had stopped counting' endless.line ||
	fail "the launch after it is not told: $(cat endless.err)"
"$TACHO" report endless --json >endless.json || fail "tacho report"
grep -q '"why": "counting ended: kernel spin' endless.json || fail "the JSON does not tell"
"$TACHO" record -q -f -o silent --export none --sim mi300x --replay kernel --timeout 1 -m "$counters" -- \
	timeout 60 "$program" -p "$driver_platform" endless >/dev/null 2>silent.err
grep -q 'warning: process [0-9]*: counting ended' silent.err || fail "tacho record -q does not tell"
"$TACHO" stat --sim mi300x --replay kernel --timeout 1 -m "$counters" -- timeout 60 "$program" \
	-p "$driver_platform" endless >/dev/null 2>stat.err
tr -s ' \n' ' ' <stat.err | grep -q 'counting ended: kernel spin' || fail "tacho stat does not tell"

# What was to be counted cannot be read: all else is there.
# shellcheck disable=SC2016 # for the inner shell
record_options="--sim mi300x -m $counters"
record broken sh -c 'echo "{" >"$TACHO_COUNT"; exec "$@"' sh "$program" -p "$driver_platform" copy 1 2
same "exit status with a broken list" 0 "$record_status"
same "launches with a broken list" 2 "$(launches broken)"
tr -s ' \n' ' ' <broken.err >broken.line
grep -q 'No counters can be shown: ' broken.line || fail "it does not tell: $(cat broken.err)"
grep -q 'Process [0-9]* (replay_cl): counting did not begin: ' broken.line ||
	fail "the process does not tell: $(cat broken.err)"

# Killed in the middle: all rows so far are there. The program's books tell how many launches have
# returned in its first thread.
enqueued() {
	enqueued_number=$(od -An -tu8 -j24 -N8 books 2>/dev/null | tr -d ' ')
	echo "${enqueued_number:-0}"
}
rm -rf killed.tacho books
"$TACHO" record -q -f -o killed --sim mi300x --replay kernel -m "$counters" -- \
	"$BIN/tests/real/busy" books 0 >killed.log 2>&1 &
launcher=$!
tries=0
until [ "$(enqueued)" -ge 20 ]; do
	tries=$((tries + 1))
	[ $tries -lt 600 ] || fail "the program does not get on"
	sleep 0.1
done
pid=$(pgrep -P $launcher -x busy)
kill -9 "$pid"
wait $launcher
"$TACHO" export killed -f --to codexl >/dev/null 2>&1 || fail "the killed one cannot be read"
[ "$(rows killed)" -ge 20 ] || fail "a killed program lost its rows"
echo "rows of a killed program: $(rows killed)"

if command -v clFFT-client >/dev/null 2>&1; then
	for mode in kernel rotate process; do
		count fft-$mode $mode clFFT-client --platform "$driver_platform" -x 4096 -p 1
		runs=1
		[ $mode = process ] && runs=3
		same "right results of clFFT-client, $mode" $runs "$(grep -c 'Test.*PASS' fft-$mode.out)"
		[ "$(launches fft-$mode)" -ge 1 ] || fail "clFFT-client launched nothing"
	done
	same "rows of clFFT-client" "$(launches fft-kernel)" "$(rows fft-kernel)"
else
	echo "clFFT-client is not installed: left out"
fi

if command -v ffmpeg >/dev/null 2>&1; then
	set -- ffmpeg -v error -nostdin -init_hw_device "opencl=ocl:$driver_platform.0" \
		-filter_hw_device ocl -f lavfi -i testsrc=size=320x180:rate=25 -t 0.4 \
		-vf "$(ffmpeg_filters)" -f framemd5 -
	plain ffmpeg "$@"
	for mode in kernel rotate; do
		count ffmpeg-$mode $mode "$@"
		same_file "frames, $mode" ffmpeg.plain ffmpeg-$mode.out
	done
	same "rows of ffmpeg" "$(launches ffmpeg-kernel)" "$(rows ffmpeg-kernel)"
	count ffmpeg-process process "$@"
	cat ffmpeg.plain ffmpeg.plain ffmpeg.plain >three.plain
	same_file "frames, process" three.plain ffmpeg-process.out
else
	echo "ffmpeg is not installed: left out"
fi

if /usr/bin/python3 -c 'import simtk' 2>/dev/null || /usr/bin/python3 -c 'import openmm' 2>/dev/null; then
	plain argon /usr/bin/python3 "$ROOT/tests/real/argon.py" "$driver_platform"
	for mode in kernel rotate; do
		count argon-$mode $mode /usr/bin/python3 "$ROOT/tests/real/argon.py" \
			"$driver_platform"
		same_file "energy, $mode" argon.plain argon-$mode.out
	done
	same "rows of OpenMM" "$(launches argon-kernel)" "$(rows argon-kernel)"
	count argon-process process /usr/bin/python3 "$ROOT/tests/real/argon.py" "$driver_platform"
	cat argon.plain argon.plain argon.plain >three.plain
	same_file "energy, process" three.plain argon-process.out
else
	echo "OpenMM is not installed: left out"
fi

# Other drivers.
icd=/usr/lib/oclgrind/liboclgrind-rt-icd.so
if [ -e $icd ]; then
	export OCL_ICD_VENDORS=$icd
	plain grind "$program" inplace 1
	count grind kernel "$program" inplace 1
	same_file "results on oclgrind" grind.plain grind.out
	same "rows on oclgrind" "$(launches grind)" "$(rows grind)"
	unset OCL_ICD_VENDORS
fi
icd=/etc/OpenCL/vendors/rusticl.icd
if [ -e $icd ]; then
	export OCL_ICD_VENDORS=$icd RUSTICL_ENABLE=llvmpipe
	plain rusticl "$program" inplace 1
	count rusticl kernel "$program" inplace 1
	same_file "results on rusticl" rusticl.plain rusticl.out
fi
exit 0
