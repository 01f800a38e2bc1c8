#!/bin/sh
# SPDX-License-Identifier: MIT
# long
# alone
# limit: 7200
# All that `meson test` runs, 20 times, beside programs that keep each CPU eight times as busy as it
# can be: no test may need a quiet machine. ROUNDS=N runs them N times.
set -u
command -v stress-ng >/dev/null 2>&1 || {
	echo "SKIP: stress-ng is not installed"
	exit 77
}
rounds=${ROUNDS:-20}
half=$(($(nproc) * 4))
failures=0

stress-ng --cpu $half --quiet --timeout 7200 &
stress=$!
trap 'kill $stress' EXIT
trap 'exit 1' INT TERM

round=1
while [ $round -le "$rounds" ]; do
	meson test -C "$BIN" --no-rebuild --num-processes $half -t 20 --print-errorlogs \
		>"$WORK/round-$round.log" 2>&1 || {
		failures=$((failures + 1))
		grep -E ' (FAIL|TIMEOUT) ' "$WORK/round-$round.log" | sort -u
	}
	kill -0 $stress 2>/dev/null || {
		echo "FAIL: stress-ng ended"
		exit 1
	}
	round=$((round + 1))
done
echo "$failures of $rounds rounds had failures; their logs: $WORK"
[ $failures = 0 ]
