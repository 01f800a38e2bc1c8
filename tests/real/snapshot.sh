#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 180
# tacho snapshot of a program that runs: each is whole, none changes any more, and none replaces
# anything.
. "$ROOT/tests/real/lib.sh"
need python3
busy=$BIN/tests/real/busy

# begin NAME OPTION...: an endless program; returns when it has launched something.
begin() {
	begin_name=$1
	shift
	rm -rf "$begin_name".tacho "$begin_name"-*.tacho
	"$TACHO" record -q -f -o "$begin_name" "$@" -- "$busy" books 0 >out 2>err </dev/null &
	recorder=$!
	begin_tries=0
	until "$TACHO" check "$begin_name" --json 2>/dev/null | grep -q '"commands": [1-9]'; do
		begin_tries=$((begin_tries + 1))
		[ $begin_tries -lt 300 ] || fail "the program did not start: $(cat err)"
		sleep 0.1
	done
}

finish() {
	kill -TERM $recorder
	wait $recorder
	same "status of the program" 143 $?
}

# whole NAME: it is, and *commands* is how many it has.
whole() {
	"$TACHO" check "$1" --json >check.json || { cat check.json; fail "$1 is not whole"; }
	commands=$(sed -n 's/^  "commands": \([0-9]*\).*/\1/p' check.json)
	"$TACHO" report "$1" >report.txt 2>&1 || { cat report.txt; fail "tacho report $1"; }
}

begin all
before=0
for i in 1 2 3; do
	"$TACHO" snapshot all -o "all-at-$i" >name || fail "tacho snapshot"
	same "its name" "all-at-$i.tacho" "$(cat name)"
	whole "all-at-$i"
	[ "$commands" -gt "$before" ] || fail "snapshot $i has $commands commands, $before before"
	before=$commands
done
"$TACHO" snapshot all -o all-at-1 2>/dev/null && fail "a snapshot was replaced"
"$TACHO" snapshot all -o /proc/all 2>/dev/null && fail "a snapshot in /proc"
"$TACHO" snapshot all >name || fail "tacho snapshot without a name"
same "a name of its own" all-1.tacho "$(cat name)"
"$TACHO" check all-at-3 --json >before.json
finish
"$TACHO" check all-at-3 --json >after.json || fail "the snapshot is not whole after the end"
same_file "the snapshot before and after the end" before.json after.json
whole all
[ "$commands" -gt "$before" ] || fail "the recording has no more than its snapshot"
for suffix in "" -at-1 -at-2 -at-3 -1; do
	same "mode of all$suffix" 700 "$(stat -c %a "all$suffix.tacho")"
done
# A signal does the same, and does not end tacho.
begin told
kill -USR1 $recorder
tries=0
until [ -d told-1.tacho ]; do
	tries=$((tries + 1))
	[ $tries -lt 300 ] || fail "SIGUSR1 saved nothing: $(cat err)"
	sleep 0.1
done
whole told-1
finish
# Removing one leaves the other.
rm -rf all.tacho
whole all-at-2

# A ring that loses its oldest part all the time.
begin ring --ring 1M
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	"$TACHO" snapshot ring -o "ring-at-$i" >name || fail "tacho snapshot of a ring"
	whole "ring-at-$i"
done
kill -USR1 $recorder
tries=0
until [ -d ring-1.tacho ]; do
	tries=$((tries + 1))
	[ $tries -lt 300 ] || fail "SIGUSR1 saved nothing: $(cat err)"
	sleep 0.1
done
whole ring-1
finish
grep -q 'saved ring-1.tacho' err || { cat err; fail "it does not say what SIGUSR1 saved"; }
[ -z "$(ls -d ./*.tacho.* 2>/dev/null)" ] || fail "temporary folders: $(ls)"
exit 0
