#!/bin/sh
# SPDX-License-Identifier: MIT
# limit: 120
# The status of tacho record is the program's own, or says why it did not start.
. "$ROOT/tests/real/lib.sh"

status() {
	status_want=$1
	shift
	"$TACHO" record -q -f -o "$WORK/status" "$@" >out 2>err </dev/null
	same "tacho record $*" "$status_want" $?
}

status 0 -- true
status 1 -- false
status 42 -- sh -c 'exit 42'
status 137 -- sh -c 'kill -KILL $$'
status 143 -- sh -c 'kill -TERM $$'
status 139 -- sh -c 'kill -SEGV $$'
status 127 -- tacho-no-such-program
grep -q tacho-no-such-program err || fail "the name of the missing program is not told"
printf 'not a program' >file
status 126 -- ./file
grep -q './file' err || fail "the name of the file that cannot be executed is not told"
status 125 --no-such-option -- true
status 125
grep -q '^tacho: ' err || fail "no message of the usual shape"

# Statically linked programs cannot be recorded: said before they start.
printf 'int main(void) { return 7; }\n' >static.c
if cc -static -o static static.c 2>/dev/null; then
	status 125 -- ./static
	grep -q -i static err || fail "static is not told as the cause"
fi
if cc -m32 -o small static.c 2>/dev/null; then
	status 125 -- ./small
	grep -q '32' err || fail "32-bit is not told as the cause"
fi
# So it is with setuid programs.
if [ "$(id -u)" = 0 ]; then
	cc -o setuid static.c && chmod 4755 setuid
	chown 65534 setuid && chmod 4755 setuid
	status 125 -- ./setuid
	grep -q -i setuid err || fail "setuid is not told as the cause"
fi

# A recording that exists is not replaced unless asked.
rm -rf there.tacho
"$TACHO" record -q -o there -- true 2>err
same "a first recording" 0 $?
"$TACHO" record -q -o there -- true 2>err
same "a second of the same name" 125 $?
grep -q there err || fail "the recording that exists is not named"
