#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 60
# Device counting of the ROCprofiler-SDK face under a real driver: on simulated GPUs, and on the
# driver's own device.
. "$ROOT/tests/real/lib.sh"
need

# count ENVIRONMENT COUNTERS
count() {
	# shellcheck disable=SC2086 # words
	env "$1" "$TACHO" env rocprofiler -- "$BIN/tests/real/device_count_cl" -p "$driver_platform" 3 \
		$2 >out 2>err || fail "$1: $(cat err)"
}

# 640 waves of 64 in a round, 64 vector instructions of each by default
for model in mi210 mi300x; do
	count TACHO_SIM=$model "SQ_WAVES SQ_INSTS_VALU CU_NUM"
	grep -q '^agent .* \[simulated\]$' out || fail "$model: $(head -n 1 out)"
	case $model in
	mi210) units=104 ;;
	*) units=304 ;;
	esac
	for round in 1 2 3; do
		same "$model" "round $round SQ_WAVES $((640 * round)) SQ_INSTS_VALU $((40960 * round)) CU_NUM $units" \
			"$(grep "^round $round " out)"
	done
done

count TACHO_SIM= "work_items work_groups device_time"
for round in 1 2 3; do
	same "own device" "round $round work_items $((40960 * round)) work_groups $((640 * round))" \
		"$(sed -n "s/^\(round $round .*\) device_time .*/\1/p" out)"
done
sed -n 's/.* device_time //p' out | sort -n -c || fail "times run backwards: $(cat out)"
[ "$(sed -n 's/^round 1 .* device_time //p' out)" -gt 0 ] || fail "no time: $(cat out)"
