#!/bin/sh
# SPDX-License-Identifier: MIT
# A disk that becomes full: the program does not notice, and the report says how much is missing.
. "$ROOT/tests/real/lib.sh"
need unshare
mkdir -p disk
unshare -m mount -t tmpfs -o size=1m tacho-fire "$WORK/disk" 2>/dev/null ||
	skip "mounting a small file system needs root"
unshare -m sh -c '
	mount -t tmpfs -o size=2m tacho-fire "$1/disk" || exit 99
	"$2" record --max-size 100M -q -f -o "$1/disk/full" -- "$3" books 10000 >out 2>err
	echo $? >status
	"$2" report "$1/disk/full" --json >report.json 2>>err || echo 98 >status
' sh "$WORK" "$TACHO" "$BIN/tests/real/busy"
same "exit status on a full disk" 0 "$(cat status)"
same "the program's output" "" "$(cat out)"
cat err
grep -q '^tacho: warning: lost: [0-9]* calls were not recorded.*No space left.*; cure: make room' err ||
	fail "it is not told how much is missing, and why"
