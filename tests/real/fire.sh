#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 180
# Under fire, with a real loader and driver: the loader unloaded, thousands of queues, a daemon that
# outlives the launcher, a recording that somebody else wants, links in a shared folder, a full disk.
. "$ROOT/tests/real/lib.sh"
need
driver=$BIN/tests/fire/fire-driver
busy=$BIN/tests/real/busy
queues=300
[ "$long" = 1 ] && queues=10000

# both NAME COMMAND...: with and without tacho it ends and prints alike, and no call is lost.
both() {
	both_name=$1
	shift
	plain "$both_name" "$@"
	record "$both_name" "$@"
	same "$both_name: exit status" "$plain_status" "$record_status"
	same_file "$both_name: output" "$both_name.plain" "$both_name.out"
	grep -q 'not recorded' "$both_name.err" && {
		cat "$both_name.err"
		fail "$both_name: calls were lost"
	}
	return 0
}

record_options="--via layer"
both reload "$driver" reload 20
same "calls between loading and unloading the loader" 20 "$(calls reload clGetPlatformIDs)"
record_options=
both queues "$driver" queues $queues
same "queues made" $queues "$(calls queues clCreateCommandQueue)"
same "queues released" $queues "$(calls queues clReleaseCommandQueue)"

# The launcher is gone before the daemon begins its work; the recording is whole in the end.
rm -f done begun gone
# await FILE: until it is there.
await() {
	await_tries=0
	until [ -e "$1" ]; do
		[ $await_tries -lt 600 ] || fail "no $1"
		sleep 0.1
		await_tries=$((await_tries + 1))
	done
}
mkfifo gone
record daemon sh -c "(setsid sh -c 'read -r _ <gone; \"$busy\" books 20; echo end >done' >/dev/null 2>&1 &)
exit 5"
same "exit status of the daemon's launcher" 5 $record_status
echo >gone
await done
"$TACHO" export daemon --to codexl -f >export.log 2>&1 || fail "tacho export daemon"
same "launches of the daemon" 80 "$(launches daemon)"

# While a recording is being written nobody else gets it, and it is unharmed.
"$TACHO" record -q -f -o wanted --export codexl -- sh -c "echo >begun; read -r _ <gone; '$busy' books 20" >first.out 2>&1 &
first=$!
await begun
rm begun
"$TACHO" record -f -o wanted -- true >second.out 2>&1
same "exit status of the second tacho record -f" 125 $?
echo >gone
grep -q 'another tacho is recording into it' second.out || fail "it does not say why: $(cat second.out)"
wait $first
same "exit status of the first" 0 $?
same "launches of the first" 80 "$(launches wanted)"

# A link in a shared folder under the recording's name: it is neither followed nor replaced.
rm -rf shared elsewhere
mkdir shared elsewhere
chmod 1777 shared
ln -s "$WORK/elsewhere" shared/trap.tacho
for force in '' -f; do
	# shellcheck disable=SC2086 # no word or one
	"$TACHO" record $force -o shared/trap -- true >trap.out 2>&1
	same "exit status with a link planted ${force:-without -f}" 125 $?
done
[ -L shared/trap.tacho ] || fail "the link was replaced"
[ -z "$(ls elsewhere)" ] || fail "the link was followed"
