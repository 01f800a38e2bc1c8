#!/bin/sh
# SPDX-License-Identifier: MIT
# LANG=C, no TERM, 40 columns: ASCII, and not a byte of ours on the program's stdout.
. "$ROOT/tests/real/lib.sh"
need
unset TERM
export LANG=C LC_ALL=C COLUMNS=40
"$TACHO" record -f -o busy --report -- sh -c "printf 'only this'; '$BIN/tests/real/busy' books 5" \
	>out 2>err </dev/null
same "exit status" 0 $?
same "stdout" "only this" "$(cat out)"
"$TACHO" report busy >report.txt 2>>err || fail "tacho report"
"$TACHO" --help >help.txt 2>>err || fail "tacho --help"
for file in err report.txt help.txt; do
	if LC_ALL=C grep -n '[^ -~	]' "$file"; then
		fail "$file has bytes that are not ASCII"
	fi
	if LC_ALL=C grep -n '.\{81\}' "$file"; then
		fail "$file has lines of more than 80 columns"
	fi
done
"$TACHO" record -q -f -o busy -- "$BIN/tests/real/busy" books 5 >out 2>err </dev/null
[ -s out ] && fail "-q: something is on stdout"
[ -s err ] && { cat err; fail "-q: something is on stderr"; }
exit 0
