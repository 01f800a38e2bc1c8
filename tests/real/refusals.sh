#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 180
# Programs that the recorder does not come up in: of another user, with /dev/shm hidden, in another
# network namespace, with raised rights. They run as ever, and tacho says which it was, and why. One
# in another time namespace comes up, and its calls lie where they were made.
. "$ROOT/tests/real/lib.sh"
need setpriv unshare python3
[ "$(id -u)" = 0 ] || skip "programs of other users need root"
busy=$BIN/tests/real/busy
nobody="setpriv --reuid 65534 --regid 65534 --clear-groups"
mkdir -p open
chmod 1777 open
# shellcheck disable=SC2086 # words
$nobody test -x "$busy" -a -w "$WORK/open" || skip "another user cannot reach the build"
unset XDG_RUNTIME_DIR
export HOME="$WORK/open" POCL_CACHE_DIR="$WORK/open/cache"
cd open || exit 1

# refused NAME ERRNO COMMAND...: ends well, and both outputs say that it could not open the memory.
refused() {
	refused_name=$1 refused_errno=$2
	shift 2
	rm -f books
	"$TACHO" record -f -o "../$refused_name" --export none -- "$@" >"$refused_name.out" \
		2>"$refused_name.err" </dev/null
	same "$refused_name: exit status" 0 $?
	"$TACHO" report "../$refused_name" --json >"$refused_name.json" || fail "tacho report $refused_name"
	tr -s ' \n' ' ' <"$refused_name.err" >"$refused_name.line"
	for refused_file in "$refused_name.line" "$refused_name.json"; do
		grep -q "1 process could not be recorded: process [0-9]* of user $refused_user could not open /dev/shm/.*(errno $refused_errno)" \
			"$refused_file" || {
			cat "$refused_file"
			fail "$refused_file does not say what was refused"
		}
	done
	echo "$refused_name: told"
}

refused_user=65534
# shellcheck disable=SC2086 # words
refused user 13 $nobody "$busy" books 20
if unshare -m mount -t tmpfs tacho "$WORK/open" 2>/dev/null; then
	refused_user=0
	rm -rf books cache
	# shellcheck disable=SC2016 # for the inner shell
	refused hidden 2 unshare -m sh -c 'mount -t tmpfs tacho /dev/shm && exec "$@"' sh "$busy" books 20
fi

# From another network namespace nothing can be said: tacho knows only that nothing came up.
rm -rf books cache
if unshare -n true 2>/dev/null; then
	# shellcheck disable=SC2086 # words
	"$TACHO" record -f -o ../network --export none -- unshare -n $nobody "$busy" books 20 \
		>network.out 2>network.err </dev/null
	same "network: exit status" 0 $?
	grep -q 'no call was recorded' network.err || fail "network: it does not say that nothing was recorded"
	grep -q 'could not be recorded' network.err && fail "network: who said so?"
fi

# The same user records a program of its own, and leaves one with more rights alone.
# own NAME COMMAND...
own() {
	own_name=$1
	shift
	rm -rf books
	# shellcheck disable=SC2086 # words
	$nobody "$TACHO" record -f -o "$own_name" --export none -- "$@" >"$own_name.out" \
		2>"$own_name.err" </dev/null
	own_status=$?
	"$TACHO" report "$own_name" --json >"$own_name.json" || fail "tacho report $own_name"
}
rm -rf cache
own plain "$busy" books 20
same "plain: exit status" 0 $own_status
grep -q '[1-9][0-9]* calls and' plain.err || {
	cat plain.err
	fail "the program of another user was not recorded by that user"
}
cp "$busy" setuid-busy
chmod 4755 setuid-busy
# shellcheck disable=SC2086 # words
$nobody ./setuid-busy books 20 >raised.plain 2>&1 </dev/null
raised_status=$?
# Through a shell: tacho refuses to start it by itself.
# shellcheck disable=SC2016 # for the inner shell
own raised sh -c './setuid-busy books 20; exit $?'
same "raised rights: exit status" $raised_status $own_status
grep -q 'no call was recorded' raised.err || {
	cat raised.err
	fail "a program with raised rights was recorded"
}
grep -q 'could not be recorded' raised.err && fail "the recorder spoke in a program with raised rights"

# Its CLOCK_MONOTONIC is 100,000 s ahead; the recording's is the host's.
rm -rf books cache
unshare --time --monotonic 100000 --fork true 2>/dev/null || exit 0
# shellcheck disable=SC2016 # for the inner shell
"$TACHO" record -f -o time --export jsonl -- sh -c \
	'"$1" books 20 && rm -f books && unshare --time --monotonic 100000 --fork "$1" books 20' \
	sh "$busy" >time.out 2>time.err </dev/null
same "time: exit status" 0 $?
python3 - time.jsonl <<'EOF' || fail "calls of a program in another time namespace are misplaced"
import json
import sys

lines = [json.loads(line) for line in open(sys.argv[1])]
run = next(line for line in lines if line.get("schema", "").startswith("tacho.run/"))
found = {}
for line in lines:
    if "process" in line and "start_ns" in line:
        found.setdefault(line["process"], []).append(line["start_ns"])
for process, starts in sorted(found.items()):
    print("process", process, "from", min(starts) - run["start_ns"], "to", max(starts) - run["start_ns"])
    if min(starts) < run["start_ns"] or max(starts) > run["end_ns"]:
        sys.exit(1)
sys.exit(len(found) != 2 or max(found[0]) > min(found[1]))
EOF
